"""How an answer with rows is put together, where a description says it: `Returns: {key, total, steps: [{..}]}`."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.specs.model import ToolSpec

_WHOLE = re.compile(r"\breturns?:?[ \t]*(?:an? (?:json )?(?:object|dict)[^{\n.]{0,20})?\{([^\n]{3,400})", re.IGNORECASE)
_ROWS = re.compile(r"[\"']?\b([a-z]\w*)[\"']?\s*:\s*\[")
_PLAIN = re.compile(r"[\"']?\b([A-Za-z]\w*)[\"']?\s*(?=[,}:]|$)")


def name_result(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Call the rows of a list as its description does, and repeat the parameters that stand beside them there."""
    said = _WHOLE.search(tool.description)
    if planned.kind != "list" or planned.wrap not in ("", "text") or said is None:
        return
    rows = _ROWS.findall(said[1])
    outer = _outer(said[1])
    names = [name for name in _PLAIN.findall(outer) if name not in rows]
    if len(rows) != 1 or rows[0] not in _PLAIN.findall(outer):
        return
    planned.result_key = rows[0]
    planned.read.repeats = tuple(name for name in names if name in reader.values(tool))


def _outer(text: str) -> str:
    """The part of an object between its own braces, without what its lists and objects hold."""
    depth, kept = 1, []
    for letter in text:
        depth += (letter in "{[") - (letter in "}]")
        if depth == 0:
            break
        if depth == 1 and letter not in "]}":
            kept.append(letter)
    return "".join(kept)
