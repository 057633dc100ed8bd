"""What can go wrong in the training half, as one exception with a stable kind.

TrainingError(kind, message)
  config:*     the configuration contradicts itself or the data
  data:*       records cannot be used as they are
  preflight:*  the launch was refused before any money was spent
  run:*        the run directory is not in the state that was expected
  episode:*    an environment failed; the rollout is recorded as invalid
"""

from __future__ import annotations


class TrainingError(Exception):
    """An expected failure. `kind` is stable and machine-readable, `message` is for people."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
