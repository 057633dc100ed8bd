"""What usually helps when a training run or an evaluation fails, by the stable kind of the failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ADVICE: Final[Mapping[str, str | Promise]] = {
    "install:failed": _(
        "The training environment needs the package index, some 4 GB of disk and Python's venv module. "
        "Run .venv/bin/python -m training_app.trainers.install at a terminal to see each step, then resume."
    ),
    "install:missing": _("Run the command in the message at a terminal of this machine, then resume."),
    "launch:no-tool": _("Install the cluster's tool on this machine, or clone the run and let it work here."),
    "launch:failed": _("The command stands in the log. Run it at a terminal to see what the tool says."),
    "disk:full": _("Delete checkpoints of finished runs, or keep fewer of this one, then resume."),
    "config:": _("Clone the run and change the named field; the data and the start stay chosen."),
    "preflight:": _("The report below shows what was found. Change the data or the limits, and launch a clone."),
    "model:": _("Check the name of the model and that its directory holds weights, configuration and tokenizer."),
    "checkpoint:": _(
        "Nothing was removed. Put whole copies of the files back and resume, or clone the run to begin again."
    ),
    "run:killed": _(
        "Somebody or something outside ended it, such as a restart of the machine or a limit of its administrator; the "
        "machine's own log may say what. Resume goes on from the newest checkpoint."
    ),
    "run:memory": _(
        "Clone it with a smaller micro_batch, shorter sequences, adapters (lora) or gradient_checkpointing, or free "
        "memory on the machine. Resume goes on from the newest checkpoint, and needs as much memory again."
    ),
    "run:groups": _(
        "Rewards compare whole groups of one task under one rubric. Clone it with another micro_batch or number of "
        "processes, or freeze the tasks anew."
    ),
    "run:interrupted": _("Resume goes on from the newest checkpoint."),
    "run:stopped": _("The reason stands in the message. When it is mended, resume goes on from the newest checkpoint."),
    "run:nan": _(
        "Clone it from the newest checkpoint with a lower learning rate or a smaller max_gradient_norm, or with "
        "precision float32, and look at the rows of that step: a resume would meet the same numbers."
    ),
    "run:crashed": _("The last lines name the place. When it is mended, resume goes on from the newest checkpoint."),
}


def advice(kind: str) -> str | Promise:
    """A sentence for the failure card; "" where nothing is known."""
    if kind in ADVICE:
        return ADVICE[kind]
    return ADVICE.get(f"{kind.partition(':')[0]}:", "")
