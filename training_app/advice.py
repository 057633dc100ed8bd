"""What usually helps when a training run or an evaluation fails, by the stable kind of the failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ADVICE: Final[Mapping[str, str | Promise]] = {
    "install:failed": _(
        "The training environment needs the package index, some 4 GB of disk and Python's venv module. "
        "Run ./workbench prepare --train at a terminal to see each step, then resume."
    ),
    "launch:no-tool": _("Install the cluster's tool on this machine, or clone the run and let it work here."),
    "launch:failed": _("The command stands in the log. Run it at a terminal to see what the tool says."),
    "disk:full": _("Delete checkpoints of finished runs, or keep fewer of this one, then resume."),
    "config:": _("Clone the run and change the named field; the data and the start stay chosen."),
    "preflight:": _("The report below shows what was found. Change the data or the limits, and launch a clone."),
    "model:": _("Check the name of the model and that its directory holds weights, configuration and tokenizer."),
    "run:killed": _(
        "A process that vanishes was mostly out of memory: clone it with a smaller micro_batch or shorter sequences. "
        "Resume goes on from the newest checkpoint."
    ),
    "run:interrupted": _("Resume goes on from the newest checkpoint."),
    "run:stopped": _("The reason stands in the message. When it is mended, resume goes on from the newest checkpoint."),
    "run:nan": _("Clone it with a lower learning rate or a smaller gradient norm; resume would meet the same numbers."),
    "run:crashed": _("The last lines name the place. When it is mended, resume goes on from the newest checkpoint."),
}


def advice(kind: str) -> str | Promise:
    """A sentence for the failure card; "" where nothing is known."""
    if kind in ADVICE:
        return ADVICE[kind]
    return ADVICE.get(f"{kind.partition(':')[0]}:", "")
