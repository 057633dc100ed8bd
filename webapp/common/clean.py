"""One sanitiser before every text or JSON column.

PostgreSQL refuses NUL, half surrogate pairs, NaN and Infinity; one of them would cost an hour of work.
"""

import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

_REFUSED = re.compile("[\x00\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_CUT = " … "


def text(value: str, limit: int | None = None) -> str:
    """`value` as PostgreSQL accepts it: the rest becomes U+FFFD, and text over `limit` loses its middle."""
    joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)
    clean = _REFUSED.sub("\ufffd", joined)
    if limit is None or len(clean) <= limit:
        return clean
    half = (limit - len(_CUT)) // 2
    return clean[:half] + _CUT + clean[-half:]


def line(value: str, limit: int) -> str:
    """`value` as one plain line for titles: no control, format (such as bidi) or unassigned characters."""
    shown = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in text(value))
    return text(" ".join(shown.split()), limit)


def json_value(value: Any) -> Any:
    """A copy of `value` made of JSON types only; NaN and Infinity become their names.

    Raises TypeError for a value that has no JSON form.
    """
    match value:
        case Enum():
            return json_value(value.value)
        case None | bool() | int():
            return value
        case str():
            return text(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping():
            return {text(str(key)): json_value(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [json_value(item) for item in value]
        case date():
            return value.isoformat()
        case UUID() | Decimal():
            return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
