"""What can go wrong in a tool call, by who has to act on it.

ToolError     the agent can recover: it becomes the observation of the call
ServiceDefect the service is wrong (bad result, bad state): 500 to the agent, counted against the service
EngineError   the caller of the engine is wrong (unknown service, broken snapshot): never an observation
"""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """Misuse of the engine by its caller."""


class ServiceDefect(Exception):  # noqa: N818 - a defect is its name in the product
    """A service broke its own contract."""


class ToolError(Exception):
    """A refusal that the agent sees and can act on.

    `code` is one of 400, 403, 404, 409, 422, 429 (500 is reserved for defects), `type` a stable
    machine-readable word, `message` a sentence that says what to do.
    """

    CODES = frozenset({400, 403, 404, 409, 422, 429})

    def __init__(self, code: int, type: str, message: str, details: list[dict[str, str]] | None = None) -> None:
        if code not in self.CODES:
            raise ServiceDefect(f"tool error code {code} is not one of {sorted(self.CODES)}")
        super().__init__(message)
        self.code = code
        self.type = type
        self.message = message
        self.details = details or []

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"code": self.code, "type": self.type, "message": self.message}
        if self.details:
            body["details"] = self.details
        return body


def not_found(noun: str, key: object) -> ToolError:
    """404 for a record that does not exist."""
    return ToolError(404, "not_found", f"No {noun} with id {key!r}.")


def invalid(message: str, *, type: str = "invalid_argument") -> ToolError:
    """422 for arguments that fit the schema and still make no sense."""
    return ToolError(422, type, message)


def conflict(message: str, *, type: str = "conflict") -> ToolError:
    """409 for an action that the present state does not allow."""
    return ToolError(409, type, message)


def forbidden(message: str, *, type: str = "forbidden") -> ToolError:
    """403 for an action that the rules of the application do not allow."""
    return ToolError(403, type, message)
