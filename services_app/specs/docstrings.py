"""What the description of a tool says of its parameters, line by line, where the schema says nothing of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*•+]\s+)?[`*'\"]{0,3}(?P<name>[\w.$-]+)[`*'\"]{0,3}\s*"
    r"(?:\((?P<type>[^)\n]*)\)|\[[^\]\n]*\])?\s*\*{0,2}\s*(?::|=>|—|–|\s-\s)\s*\*{0,2}\s*(?P<said>\S.*)$"
)
_ENDS = re.compile(r"^\s*(?:returns?|raises?|yields?|examples?|notes?|errors?|output|response)\b[^\n]*:\s*$", re.I)


def parameter_texts(description: str, names: Iterable[str]) -> dict[str, str]:
    """Parameter -> what the lines that begin with its name say, with the deeper lines below them.

    `limit: Max results` and "- `limit` (int): Max results" both speak of `limit`; the first line counts.
    """
    known, found = set(names), dict[str, str]()
    lines, at = description.splitlines(), 0
    while at < len(lines):
        line, at = lines[at], at + 1
        said = None if _ENDS.match(line) else _LINE.match(line)
        if said is None or said["name"] not in known or said["name"] in found:
            continue
        parts, depth = [said["said"].strip()], len(said["indent"].expandtabs())
        while at < len(lines) and lines[at].strip() and _depth(lines[at]) > depth and not _LINE.match(lines[at]):
            parts.append(lines[at].strip())
            at += 1
        found[said["name"]] = " ".join(parts)
    return found


def _depth(line: str) -> int:
    text = line.expandtabs()
    return len(text) - len(text.lstrip())


def with_texts(description: str, properties: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The schemas of parameters; those without a description get what the tool's own says of them."""
    bare = [name for name, schema in properties.items() if not schema.get("description")]
    said = parameter_texts(description, bare) if bare and description else {}
    return {
        name: {**schema, "description": said[name]} if name in said else dict(schema)
        for name, schema in properties.items()
    }
