"""The functions of formulas, with the names and arguments that people know from spreadsheets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Decimal
from typing import Any

from services_app.engine import ToolError
from services_app.library.shared import days_between, fold

Value = float | str | bool | None
Block = list[list[Any]]  # values of a range, row by row; a value may be a Fault


class Fault(Exception):  # noqa: N818 - what a cell shows, `#DIV/0!`, rather than an error of the program
    """An error value."""

    @property
    def code(self) -> str:
        return str(self.args[0])


def number(value: Any) -> float:
    """The number a value stands for; empty counts as zero."""
    if isinstance(value, Fault):
        raise value
    if value is None:
        return 0.0
    if isinstance(value, bool | int | float):
        return float(value)
    found = typed(value)
    if isinstance(found, float):
        return found
    raise Fault("#VALUE!")


_NUMBER = re.compile(r"([-+]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%?)")


def typed(text: str) -> Value:
    """What a typed text means: 1,150.00 and 15% are numbers, TRUE is true, all else is text."""
    match = _NUMBER.fullmatch(text.strip())
    if match and len(match[2]) <= 15:
        found = float(match[1] + match[2].replace(",", "") + (match[3] or ""))
        return found / 100 if match[4] else found
    return text.strip().upper() == "TRUE" if text.strip().upper() in ("TRUE", "FALSE") else text


def text_of(value: Any) -> str:
    if isinstance(value, Fault):
        raise value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(shown(value)) if value is not None else ""


def shown(value: Any) -> Any:
    """A value as answers give it: whole numbers without a point, errors as their code."""
    if isinstance(value, Fault):
        return value.code
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else round(value, 10)
    return value


def flat(arguments: Sequence[Any]) -> list[Any]:
    return [v for part in arguments for v in ([c for row in part for c in row] if isinstance(part, list) else [part])]


def _numbers(arguments: Sequence[Any]) -> list[float]:
    """Numbers of the arguments; texts and empty cells within ranges are passed over."""
    found: list[float] = []
    for part in arguments:
        if not isinstance(part, list):
            found.append(number(part))
            continue
        for value in flat([part]):
            if isinstance(value, Fault):
                raise value
            if isinstance(value, float | int) and not isinstance(value, bool):
                found.append(float(value))
    return found


def _mean(values: list[float]) -> float:
    if not values:
        raise Fault("#DIV/0!")
    return math.fsum(values) / len(values)


def _median(values: list[float]) -> float:
    if not values:
        raise Fault("#NUM!")
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _rounded(value: Any, digits: Any, how: str) -> float:
    places = int(number(digits))
    if abs(places) > 12 or abs(number(value)) > 1e15:
        raise Fault("#NUM!")
    return float(Decimal(repr(number(value))).quantize(Decimal(1).scaleb(-places), rounding=how))


def compare(left: Any, right: Any) -> int:
    """-1, 0 or 1; numbers come before texts, texts are compared whatever their case."""
    for value in (left, right):
        if isinstance(value, Fault):
            raise value
    left, right = (("" if isinstance(b, str) else 0.0) if a is None else a for a, b in ((left, right), (right, left)))
    if isinstance(left, str) != isinstance(right, str):
        return 1 if isinstance(left, str) else -1
    first, second = (fold(left), fold(right)) if isinstance(left, str) else (round(left, 9), round(right, 9))
    return (first > second) - (first < second)


_CRITERION = re.compile(r"(<=|>=|<>|=|<|>)?(.*)", re.DOTALL)
HOLDS: dict[str, Callable[[int], bool]] = {
    "=": lambda order: order == 0,
    "<>": lambda order: order != 0,
    "<": lambda order: order < 0,
    ">": lambda order: order > 0,
    "<=": lambda order: order <= 0,
    ">=": lambda order: order >= 0,
}


def meets(value: Any, criterion: Any) -> bool:
    """Whether a value meets a criterion such as `>=100`, `<>Done` or `Depot*`."""
    if isinstance(value, Fault):
        return False
    match = _CRITERION.fullmatch(text_of(criterion))
    sign, wanted = (match[1] or "=", match[2]) if match else ("=", "")
    target = typed(wanted)
    if isinstance(target, str) and "*" in target and sign in ("=", "<>"):
        pattern = ".*".join(re.escape(fold(part)) for part in target.split("*"))
        return (re.fullmatch(pattern, fold(text_of(value)), re.DOTALL) is not None) == (sign == "=")
    if sign not in ("=", "<>") and isinstance(value, str) != isinstance(target, str):
        return False
    if value is None:
        return (wanted == "") == (sign == "=") if sign in ("=", "<>") else False
    return HOLDS[sign](compare(value, target))


def _chosen(pairs: Sequence[Any], size: int) -> list[bool]:
    """Which places meet all pairs of range and criterion."""
    keep = [True] * size
    for block, criterion in zip(pairs[::2], pairs[1::2], strict=True):
        values = flat([block])
        if len(values) != size:
            raise Fault("#VALUE!")
        keep = [kept and meets(value, criterion) for kept, value in zip(keep, values, strict=True)]
    return keep


def _picked(values: list[Any], pairs: Sequence[Any]) -> list[float]:
    if len(pairs) % 2 or not pairs:
        raise Fault("#N/A")
    keep = _chosen(pairs, len(values))
    return _numbers([[[value for value, kept in zip(values, keep, strict=True) if kept]]])


def _if_range(block: Any, criterion: Any, values: Any = None) -> list[float]:
    return _picked(flat([values if values is not None else block]), [block, criterion])


def _lookup(wanted: Any, keys: list[Any], values: list[Any]) -> Any:
    for key, value in zip(keys, values, strict=False):
        if key is not None and not isinstance(key, Fault) and compare(key, wanted) == 0:
            return value
    raise Fault("#N/A")


def _vlookup(wanted: Any, block: Any, column: Any, approximate: Any = True) -> Any:
    at = int(number(column)) - 1
    if not isinstance(block, list) or not 0 <= at < len(block[0]):
        raise Fault("#REF!")
    keys, values = [row[0] for row in block], [row[at] for row in block]
    if not number(approximate):
        return _lookup(wanted, keys, values)
    below = [value for key, value in zip(keys, values, strict=True) if key is not None and compare(key, wanted) <= 0]
    if not below:
        raise Fault("#N/A")
    return below[-1]


def _xlookup(wanted: Any, keys: Any, values: Any, otherwise: Any = None) -> Any:
    try:
        return _lookup(wanted, flat([keys]), flat([values]))
    except Fault:
        if otherwise is None:
            raise
        return otherwise


def _match(wanted: Any, keys: Any, kind: Any = 1.0) -> float:
    values = flat([keys])
    if not number(kind):
        return float(_lookup(wanted, values, list(range(1, len(values) + 1))))
    below = [at for at, key in enumerate(values, 1) if key is not None and compare(key, wanted) <= 0]
    if not below:
        raise Fault("#N/A")
    return float(below[-1])


def _index(block: Any, row: Any, column: Any = 1.0) -> Any:
    r, c = int(number(row)), int(number(column))
    if isinstance(block, list) and len(block) == 1 and c == 1:
        r, c = 1, r  # one row: the number counts along it
    if not isinstance(block, list) or not (1 <= r <= len(block) and 1 <= c <= len(block[0])):
        raise Fault("#REF!")
    return block[r - 1][c - 1]


def _sumproduct(*blocks: Any) -> float:
    columns = [flat([block]) for block in blocks]
    if not columns or len({len(column) for column in columns}) > 1:
        raise Fault("#VALUE!")
    rows = ([0.0 if isinstance(v, str) else number(v) for v in row] for row in zip(*columns, strict=True))
    return math.fsum(math.prod(row) for row in rows)


def _days(end: Any, start: Any) -> float:
    try:
        return float(days_between(text_of(start), text_of(end)))
    except ToolError as error:
        raise Fault("#VALUE!") from error


def _modulo(value: Any, divisor: Any) -> float:
    if not number(divisor):
        raise Fault("#DIV/0!")
    return number(value) % number(divisor)


def _whole(value: Any) -> int:
    return max(0, int(number(value)))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda *a: math.fsum(_numbers(a)),
    "AVERAGE": lambda *a: _mean(_numbers(a)),
    "MEDIAN": lambda *a: _median(_numbers(a)),
    "MIN": lambda *a: min(_numbers(a), default=0.0),
    "MAX": lambda *a: max(_numbers(a), default=0.0),
    "COUNT": lambda *a: float(len([v for v in flat(a) if isinstance(v, float | int) and not isinstance(v, bool)])),
    "COUNTA": lambda *a: float(len([v for v in flat(a) if v is not None])),
    "COUNTIF": lambda block, criterion: float(sum(meets(v, criterion) for v in flat([block]))),
    "COUNTIFS": lambda *a: float(sum(_chosen(a, len(flat(a[:1]))))) if len(a) % 2 == 0 else _fail("#N/A"),
    "SUMIF": lambda *a: math.fsum(_if_range(*a)),
    "AVERAGEIF": lambda *a: _mean(_if_range(*a)),
    "SUMIFS": lambda values, *a: math.fsum(_picked(flat([values]), a)),
    "MAXIFS": lambda values, *a: max(_picked(flat([values]), a), default=0.0),
    "SUMPRODUCT": _sumproduct,
    "ROUND": lambda v, d=0.0: _rounded(v, d, ROUND_HALF_UP),
    "ROUNDUP": lambda v, d=0.0: _rounded(v, d, ROUND_UP),
    "ROUNDDOWN": lambda v, d=0.0: _rounded(v, d, ROUND_DOWN),
    "CEILING": lambda v: _rounded(v, 0.0, ROUND_CEILING),
    "FLOOR": lambda v: _rounded(v, 0.0, ROUND_FLOOR),
    "ABS": lambda v: abs(number(v)),
    "MOD": _modulo,
    "AND": lambda *a: all(number(v) for v in flat(a) if v is not None),
    "OR": lambda *a: any(number(v) for v in flat(a) if v is not None),
    "NOT": lambda v: not number(v),
    "VLOOKUP": _vlookup,
    "XLOOKUP": _xlookup,
    "MATCH": _match,
    "INDEX": _index,
    "CONCATENATE": lambda *a: "".join(text_of(v) for v in flat(a)),
    "TEXTJOIN": lambda mark, skip, *a: text_of(mark).join(
        text_of(v) for v in flat(a) if v is not None or not number(skip)
    ),
    "LEN": lambda v: float(len(text_of(v))),
    "LEFT": lambda v, n=1.0: text_of(v)[: _whole(n)],
    "RIGHT": lambda v, n=1.0: text_of(v)[-_whole(n) :] if _whole(n) else "",
    "MID": lambda v, start, n: text_of(v)[max(0, _whole(start) - 1) :][: _whole(n)],
    "UPPER": lambda v: text_of(v).upper(),
    "LOWER": lambda v: text_of(v).lower(),
    "TRIM": lambda v: " ".join(text_of(v).split()),
    "DAYS": _days,
    "ISBLANK": lambda v: v is None,
    "ISNUMBER": lambda v: isinstance(v, float | int) and not isinstance(v, bool),
}


def _fail(code: str) -> Any:
    raise Fault(code)
