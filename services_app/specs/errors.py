"""The one error of this package: a source that gives no specification at all.

Faults of single tools are never raised; they become notes and refusals of the specification.
"""

from __future__ import annotations


class SpecError(Exception):
    """A source that cannot be imported.

    `kind` is a stable word such as `file:not-json` or `server:timeout`, `message` one sentence that says
    what is wrong, `hint` one sentence that says what to do about it ('' when there is nothing to do).
    """

    def __init__(self, kind: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "message": self.message, "hint": self.hint}


class RefusedError(Exception):
    """Inside the package: one tool cannot be used. Ends as a `Refusal`, its siblings go on."""

    def __init__(self, code: str, pointer: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.pointer = pointer
        self.message = message
