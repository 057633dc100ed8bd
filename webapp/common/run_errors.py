"""How a run can end other than by finishing its work; named by what happened, not as errors.

Each error is raised inside a handler and recorded in one place, `runs.execute`.
"""

from typing import Any


class RunFailed(Exception):  # noqa: N818 - see above
    """An expected failure: the reader sees `kind` (such as `sandbox:timeout`) and `message`, no traceback."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Cancelled(Exception):  # noqa: N818 - see above
    """The user asked to stop. A handler may catch it, attach what is kept as `result`, and re-raise."""

    def __init__(self, mode: str, result: dict[str, Any] | None = None) -> None:
        super().__init__(mode)
        self.mode = mode
        self.result = result or {}


class LostLease(Exception):  # noqa: N818 - see above
    """Another worker took this run over: stop at once and write nothing more."""


class StateConflict(Exception):  # noqa: N818 - see above
    """The transition is not allowed from the run's present state (409)."""

    def __init__(self, action: str, state: str) -> None:
        super().__init__(f"Cannot {action} a job that is {state}.")
        self.action = action
        self.state = state
