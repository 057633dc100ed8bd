"""A history that every provider accepts: each tool call is answered exactly once, directly after it. Pure."""

from collections.abc import Mapping, Sequence

from workers.llm.client import ModelError


def check_history(messages: Sequence[Mapping[str, object]]) -> None:
    """Raise `ModelError` ("bad_request") for the first unanswered call or orphan result.

    A request with such a history is refused by providers, and every retry sends the same history.
    """
    open_calls: list[str] = []
    for position, message in enumerate(messages):
        if message.get("role") == "tool":
            identity = str(message.get("tool_call_id"))
            if identity not in open_calls:
                raise _broken(position, f"answers {identity!r}, which is no open call")
            open_calls.remove(identity)
            continue
        if open_calls:
            raise _broken(position, f"comes before the answer to {open_calls[0]!r}")
        open_calls = _calls(message, position)
    if open_calls:
        raise _broken(len(messages) - 1, f"leaves {open_calls[0]!r} unanswered")


def _calls(message: Mapping[str, object], position: int) -> list[str]:
    calls = message.get("tool_calls") or ()
    if not isinstance(calls, list | tuple):
        raise _broken(position, "has tool calls that are no list")
    identities = [str(call["id"]) for call in calls]
    if len(set(identities)) != len(identities):
        raise _broken(position, "has two calls with one id")
    return identities


def _broken(position: int, what: str) -> ModelError:
    return ModelError("bad_request", f"The history cannot be sent: message {position} {what}.")
