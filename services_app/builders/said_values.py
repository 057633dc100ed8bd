"""What the words of a creation's parameter say it is when it is not sent: (default: 'search'), defaults to today."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from services_app.builders.prose import about
from services_app.builders.roles import scalar_choices
from services_app.specs.figures import FIGURE
from services_app.specs.vocabulary import types_of, words_of

_QUOTED = re.compile(r"\bdefaults?(?: value)?(?: is| to|:|=)*\s*(['\"`])([^'\"`]{1,60})\1", re.I)
_PLAIN = re.compile(
    rf"\bdefaults?(?: value)?(?: is| to|:|=)+\s*(true|false|-?{FIGURE}(?:\.\d+)?|[A-Za-z][\w-]*)"
    r"(?=\s*(?:[).,;](?!\w)|$|(?:if|when) (?:not|omitted)\b))",
    re.I,
)
# "Defaults to close price", "defaults to 50 periods": only where the value is one of the choices, or a number.
_NAMED = re.compile(
    rf"\bdefaults?(?: value)?(?: is| to|:|=)+\s*(?:the )?({FIGURE}|[A-Za-z][\w-]*)(?: [a-z]+){{1,2}}"
    r"(?=\s*(?:[).,;](?!\w)|$|(?:if|when) (?:not|omitted)\b))",
    re.I,
)
_TODAY = re.compile(r"\bdefaults? (?:to|is)?:? ?(?:the )?(today|now|current (?:date|day|time|timestamp))\b", re.I)
_NO_VALUE = frozenset(
    "none null empty the a an current current_user your your_own all any today now server system automatic auto".split()
)


def said_default(schema: Mapping[str, Any]) -> Any:
    """The value that a parameter has by its words where it is not sent; None when they name none that fits it."""
    kinds, said = types_of(schema) - {"null"}, about(schema)
    quoted, plain = _QUOTED.search(said), _PLAIN.search(said)
    text = quoted[2] if quoted else plain[1] if plain else ""
    if not text and (named := _NAMED.search(said)):
        text = named[1] if named[1][0].isdigit() or named[1] in map(str, scalar_choices(schema)) else ""
    if not text or text.lower() in _NO_VALUE or schema.get("default") is not None:
        return None
    if kinds == {"boolean"}:
        return {"true": True, "false": False}.get(text.lower())
    if kinds <= {"integer", "number"} and kinds:
        text = text.replace(",", "")
        whole = re.fullmatch(r"-?\d+", text)
        return (
            int(text) if whole else float(text) if re.fullmatch(r"-?\d+\.\d+", text) and kinds == {"number"} else None
        )
    choices = [str(choice) for choice in scalar_choices(schema)]
    if kinds != {"string"} or (choices and text not in choices):
        return None
    return text if quoted or choices else None


def said_moment(name: str, schema: Mapping[str, Any]) -> Literal["", "today", "now"]:
    """today or now, where a date or a time that is not sent is said to be so."""
    found = _TODAY.search(about(schema))
    if found is None or types_of(schema) - {"string", "null"}:
        return ""
    words = set(words_of(name))
    dated = "date" in words or "day" in words or schema.get("format") == "date" or "yyyy-mm-dd" in about(schema).lower()
    timed = schema.get("format") == "date-time" or "timestamp" in words or "time" in words
    return "today" if dated and not timed else "now" if timed else ""
