"""Tool calls as providers send them, made into one form. Pure.

Providers and local servers send arguments as text, object, null, empty text or the text "null", leave ids
out or repeat them, pad names with spaces, and encode JSON twice. Whatever cannot be read as one JSON object
is kept visibly, marked with an error, and never taken for valid arguments.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, NoReturn

# Stands in the history where a model sent arguments that are no JSON object.
INVALID_ARGUMENTS = "_invalid_arguments"

Flag = Literal["id_replaced", "empty_arguments", "object_arguments", "decoded_twice", "name_stripped"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call: `arguments` is the JSON text of an object; with an `error` it must not be executed."""

    id: str
    name: str
    arguments: str
    error: str = ""
    flags: tuple[Flag, ...] = ()
    raw: object = None

    def as_message_part(self) -> dict[str, object]:
        """The call as it stands in an assistant message."""
        return {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        }


class _Arguments(NamedTuple):
    text: str
    error: str = ""
    flags: tuple[Flag, ...] = ()


def normalise(raw: object, used_ids: Iterable[str] = ()) -> tuple[ToolCall, ...]:
    """Every call in `raw`, the `tool_calls` of a provider's message, in its order.

    `used_ids` are the ids of earlier turns. Never raises: what is wrong with a call stands in its `error`.
    """
    if raw is None:
        return ()
    taken = set(used_ids)
    entries = raw if isinstance(raw, list) else [raw]
    return tuple(_normalise_one(entry, taken) for entry in entries)


def ids_in(messages: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The ids of all tool calls in a history."""
    for message in messages:
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list | tuple) else ():
            yield str(call["id"])


def _normalise_one(entry: object, taken: set[str]) -> ToolCall:
    call = entry if isinstance(entry, Mapping) else {}
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    identity, id_flags = _unique_id(call.get("id"), taken)
    name, name_flags = _name(function.get("name"))
    arguments = _arguments(function.get("arguments"))
    error = arguments.error if name else "The tool call names no tool."
    return ToolCall(identity, name, arguments.text, error, (*id_flags, *name_flags, *arguments.flags), entry)


def _unique_id(value: object, taken: set[str]) -> tuple[str, tuple[Flag, ...]]:
    identity = str(value).strip() if isinstance(value, str | int) else ""
    flags: tuple[Flag, ...] = ()
    if not identity or identity in taken:
        flags = ("id_replaced",)
        identity = next(name for number in range(1, len(taken) + 2) if (name := f"call_{number}") not in taken)
    taken.add(identity)
    return identity, flags


def _name(value: object) -> tuple[str, tuple[Flag, ...]]:
    name = value if isinstance(value, str) else ""
    stripped = name.strip()
    return stripped, ("name_stripped",) if stripped != name else ()


def _arguments(value: object) -> _Arguments:
    """Null forms become `{}`, objects their text; a text is read, once more if it holds a text."""
    if value is None or (isinstance(value, str) and value.strip() in ("", "null")):
        return _Arguments("{}", flags=("empty_arguments",))
    if not isinstance(value, str):
        return _object(value, json.dumps(value, default=str), ("object_arguments",))
    try:
        decoded = _parse(value)
        if isinstance(decoded, str):
            return _decode_again(decoded, value)
    except ValueError as error:
        return _invalid(value, f"The arguments are not one JSON document: {error}.")
    return _object(decoded, value)


def _decode_again(inner: str, original: str) -> _Arguments:
    if inner.strip() in ("", "null"):
        return _Arguments("{}", flags=("decoded_twice", "empty_arguments"))
    decoded = _parse(inner)
    if isinstance(decoded, dict):
        return _Arguments(json.dumps(decoded, ensure_ascii=False), flags=("decoded_twice",))
    return _invalid(original, f"The arguments must be a JSON object, not {_kind(decoded)}.")


def _object(decoded: object, text: str, flags: tuple[Flag, ...] = ()) -> _Arguments:
    if isinstance(decoded, dict):
        return _Arguments(text.strip(), flags=flags)
    return _invalid(text, f"The arguments must be a JSON object, not {_kind(decoded)}.")


def _invalid(text: str, error: str) -> _Arguments:
    return _Arguments(json.dumps({INVALID_ARGUMENTS: text}, ensure_ascii=False), error)


def _parse(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _kind(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")
