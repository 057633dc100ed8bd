"""The two shapes of a chat message, and the one way between them.

*Wire form* (APIs, stored trajectories): tool-call `arguments` are JSON text, content may be null.
*Training form* (chat templates): `arguments` are an object, content is always text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from training_app.engine.errors import TrainingError

Message = dict[str, Any]
_SURROGATE = re.compile("[\ud800-\udfff]")
ROLES = frozenset({"system", "user", "assistant", "tool"})


def json_text(value: Any) -> str:
    """The one JSON form of this package: keys in their given order, non-ASCII kept, no NaN.

    Lone surrogates, which UTF-8 cannot hold, stay escapes, so that the text can always be encoded.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return json.dumps(value, allow_nan=False) if _SURROGATE.search(text) else text


def parse_json(text: str) -> Any:
    """Parse strict JSON: integers of any size stay integers; NaN and repeated keys are refused
    (ValueError).
    """
    return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)


def content_text(content: Any) -> str:
    """Any content as text: null -> "", text parts joined, other values in their JSON form."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and content and all(_is_text_part(part) for part in content):
        return "".join(str(part["text"]) for part in content)
    return json_text(content)


def arguments_object(arguments: Any, where: str) -> dict[str, Any]:
    """Tool-call arguments as an object, from text or object. `where` names trajectory and turn in the error.

    Raises TrainingError("data:arguments") for anything that is no JSON object.
    """
    try:
        value = parse_json(arguments) if isinstance(arguments, str) else arguments
    except ValueError as error:
        raise TrainingError("data:arguments", f"{where}: the arguments are no JSON ({error})") from error
    if not isinstance(value, dict):
        raise TrainingError("data:arguments", f"{where}: the arguments are no JSON object but {value!r:.60}")
    return value


def to_training(message: Mapping[str, Any], where: str = "message") -> Message:
    """Wire or training form -> training form; unknown keys are dropped.

    Raises TrainingError("data:role") for an unknown role, "data:arguments" for bad arguments.
    """
    role = message.get("role")
    if role not in ROLES:
        raise TrainingError("data:role", f"{where}: unknown role {role!r}")
    result: Message = {"role": role, "content": content_text(message.get("content"))}
    if message.get("reasoning_content"):
        result["reasoning_content"] = str(message["reasoning_content"])
    if message.get("tool_calls"):
        result["tool_calls"] = [_training_call(call, where) for call in message["tool_calls"]]
    if role == "tool":
        result |= {key: str(message[key]) for key in ("tool_call_id", "name") if message.get(key)}
    return result


def to_wire(message: Mapping[str, Any], where: str = "message") -> Message:
    """Training or wire form -> wire form. `to_wire(to_training(m)) == m` for m in canonical wire form."""
    result = to_training(message, where)
    for call in result.get("tool_calls", ()):
        call["function"]["arguments"] = json_text(call["function"]["arguments"])
    return result


def _training_call(call: Mapping[str, Any], where: str) -> dict[str, Any]:
    function = call.get("function") or {}
    name = function.get("name")
    if not isinstance(name, str) or not name:
        raise TrainingError("data:tool_call", f"{where}: a tool call without a name")
    arguments = arguments_object(function.get("arguments"), f"{where}, call of {name}")
    result: dict[str, Any] = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return {"id": str(call["id"]), **result} if call.get("id") else result


def _is_text_part(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and "text" in part


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key is repeated")
    return result
