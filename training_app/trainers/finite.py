"""Numbers that are no numbers end a run at the step where they come up, and are never saved. Needs torch."""

from __future__ import annotations

import math
from typing import Any

import torch

from training_app.engine.errors import TrainingError


class FiniteSteps:
    """Mixin of a transformers trainer. Raises TrainingError("run:nan") before the weights take such a step in.

    The gradient norm is that of all processes together, so that all of them see it at the same step.
    """

    def _get_grad_norm(self, model: Any, grad_norm: Any = None) -> Any:
        trainer: Any = self
        norm = super()._get_grad_norm(model, grad_norm=grad_norm)  # type: ignore[misc]  # of the trainer
        loss = float(trainer._tr_loss)  # with logging_steps 1 and without the filter: of this step
        length = None if norm is None else float(norm)
        if not math.isfinite(loss) or (length is not None and not math.isfinite(length)):
            step = int(trainer.state.global_step) + 1
            trainer.journal.metrics("train", step, {"loss": loss, "grad_norm": length})
            raise TrainingError(
                "run:nan",
                f"Step {step} was not taken: its loss is {loss:g} and its gradient norm "
                f"{'unknown' if length is None else format(length, 'g')}. {_kept(trainer)}",
            )
        return norm

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        trainer: Any = self
        broken = [name for name, weight in trainer.model.named_parameters() if not _is_finite(weight)]
        if broken:
            raise TrainingError(
                "run:nan",
                f"After step {int(trainer.state.global_step)} {len(broken)} of the weights' tensors hold NaN or "
                f"infinite numbers ({broken[0]} first), and are not saved. {_kept(trainer)}",
            )
        super()._save_checkpoint(model, trial)  # type: ignore[misc]  # of the trainer


def _is_finite(weight: Any) -> bool:
    # With FSDP each process looks at its own part.
    part = weight.to_local() if hasattr(weight, "to_local") else weight
    return bool(torch.isfinite(part.detach()).all())


def _kept(trainer: Any) -> str:
    newest = trainer.journal.run.newest_checkpoint()
    return f"The newest checkpoint before it is {newest.name}." if newest else "There is no checkpoint before it."
