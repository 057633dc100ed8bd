"""A provider's response, parsed at the edge: an answer, or the words for why there is none."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from workers.llm.client import ModelError, ModelErrorKind, ModelReply, Usage
from workers.llm.toolcalls import ToolCall, normalise

_CUT = "The tool call was cut off by the output limit and was not executed. Send it again, shorter."


@dataclass(frozen=True, slots=True)
class Received:
    """One choice of a response, still in the provider's words. `limit` is the output limit in tokens."""

    message: Mapping[str, object]
    finish_reason: str
    usage: Usage
    cost_usd: float | None
    limit: int | None


def parse(received: Received, used_ids: Iterable[str] = ()) -> ModelReply:
    """The reply; raises `ModelError` when it holds neither text nor a tool call."""
    content = _text(received.message.get("content"))
    reasoning = _text(received.message.get("reasoning_content") or received.message.get("reasoning"))
    calls = normalise(received.message.get("tool_calls"), used_ids)
    if received.finish_reason == "content_filter":
        raise _no_answer(received, "empty", "the provider's content filter withheld it")
    if not content.strip() and not calls:
        raise _empty(received, reasoning)
    if received.finish_reason == "length":
        calls = tuple(replace(call, error=call.error or _CUT) for call in calls)
    return ModelReply(
        message=_message(content, calls),
        finish_reason=received.finish_reason,
        usage=received.usage,
        cost_usd=received.cost_usd,
        attempts=(),
        raw=dict(received.message),
        tool_calls=calls,
        reasoning=reasoning,
    )


def first_choice(response: str) -> tuple[Mapping[str, object], str] | None:
    """(message, finish_reason) of the first choice in an OpenAI-compatible body; None when it is another kind."""
    try:
        body = json.loads(response)
        choice = body["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    return (message, str(reason or "")) if isinstance(message, dict) else None


def _message(content: str, calls: tuple[ToolCall, ...]) -> dict[str, object]:
    message: dict[str, object] = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [call.as_message_part() for call in calls]
    return message


def _text(value: object) -> str:
    """Content may be null, a text, or a list of parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, Mapping))
    return ""


def _empty(received: Received, reasoning: str) -> ModelError:
    if received.finish_reason != "length":
        return _no_answer(received, "empty", "the model returned an empty message")
    limit = f"limit {received.limit} tokens" if received.limit else "the provider's own limit"
    where = "during reasoning" if reasoning else "before the first word"
    return _no_answer(received, "truncated", f"output limit reached {where} ({limit})")


def _no_answer(received: Received, kind: ModelErrorKind, why: str) -> ModelError:
    return ModelError(kind, f"no answer: {why}", usage=received.usage, cost_usd=received.cost_usd)
