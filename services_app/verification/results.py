"""Reading results: rows, single values, and what merely repeats the question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from services_app.verification.parameters import key_of

Json = Any
_MASKED_LENGTH = 3  # shorter values stand in too many texts by chance


def opened(data: Json) -> Json:
    """A result whose only content is JSON text, as what the text holds."""
    text = next(iter(data.values())) if isinstance(data, dict) and len(data) == 1 else data
    if isinstance(text, str) and text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            return data
    return data


def rows_in(data: Json) -> list[dict[str, Json]]:
    """The one list of objects in a result, at most two levels down; [] when there is none or more than one."""
    data = opened(data)
    if isinstance(data, list):
        return [row for row in data if isinstance(row, dict)]
    if not isinstance(data, dict):
        return []
    lists = [value for value in data.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if len(lists) == 1:
        return [row for row in lists[0] if isinstance(row, dict)]
    inner = [value for value in data.values() if isinstance(value, dict)]
    return rows_in(inner[0]) if not lists and len(inner) == 1 else []


def next_tokens(data: Json) -> Iterator[Json]:
    """What a page says of how to go on, also as JSON text."""
    data = opened(data)
    if isinstance(data, dict):
        for name, value in data.items():
            words = key_of(name).split("_")
            if isinstance(value, str | int) and value != "" and {"next", "cursor", "token", "after"} & set(words):
                yield value
            elif isinstance(value, dict):
                yield from next_tokens(value)


def masked(data: Json, key: str, sent: list[Json], *, in_list: bool = False) -> Json:
    """A result without what repeats the values sent for the parameter `key`."""
    if isinstance(data, dict):
        return {
            name: masked(value, key, sent, in_list=in_list)
            for name, value in data.items()
            if not (key_of(name) == key and not isinstance(value, dict | list) and (not in_list or value in sent))
        }
    if isinstance(data, list):
        return [masked(item, key, sent, in_list=True) for item in data]
    if isinstance(data, str):
        for text in _texts(sent):
            data = data.replace(text, "")
        return data.strip(" .,:;'\"")
    return data


def _texts(sent: Json) -> list[str]:
    """The texts in what was sent, longest first."""
    if isinstance(sent, list | dict):
        parts = [text for item in (sent.values() if isinstance(sent, dict) else sent) for text in _texts(item)]
        return sorted(set(parts), key=len, reverse=True)
    if sent is None:
        return ["None", "null"]
    text = str(sent) if isinstance(sent, str | int | float) and not isinstance(sent, bool) else ""
    return [text] if len(text) >= _MASKED_LENGTH else []


def holds(data: Json, value: Json) -> bool:
    """Whether a value stands anywhere in a result, also inside a longer text; letter case does not matter."""
    if isinstance(data, dict | list):
        return any(holds(item, value) for item in (data.values() if isinstance(data, dict) else data))
    if isinstance(data, str):
        return str(value).casefold() in data.casefold()
    plain = isinstance(data, int | float) and not isinstance(data, bool)
    return plain and (data == value or str(data) == str(value))


def scalars_in(value: Json) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from scalars_in(item)
    elif value is not None and not isinstance(value, bool) and value != "":
        yield str(value)
