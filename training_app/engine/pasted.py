"""A group of rollouts as somebody types or pastes it, and back to text.

Three forms are read: a table (one line per rollout, a first line of criterion names where there is one), JSON lines,
and a JSON list. In a table 1 is met, 0 not met, ? unknown; a line `crashed` is a rollout that never ended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from training_app.engine.reward import Outcome, Verdict

MAX_CHARACTERS: Final = 20_000
MAX_ROLLOUTS: Final = 64
MAX_CRITERIA: Final = 40
_MET: Final = frozenset({"1", "true", "yes", "pass", "passed", "met", "✓"})
_MISSED: Final = frozenset({"0", "false", "no", "fail", "failed", "✗"})
_UNKNOWN: Final = frozenset({"?", "null", "unknown"})
_CRASHED: Final = frozenset({"crashed", "crash", "dead", "error", "none"})
_WORDS: Final = _MET | _MISSED | _UNKNOWN
_STATUS: Final[dict[str, Outcome]] = {"pass": True, "fail": False, "unknown": None}
_SAFE_NAME: Final = re.compile(r"[^\s,;\"{}\[\]]+$")


def read_group(text: str) -> list[Verdict | None]:
    """Verdicts of the rollouts in order, None for a crashed one. Raises ValueError naming the line."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"{len(text)} characters are too many, {MAX_CHARACTERS} at most")
    found = _read_json(text) if text.lstrip().startswith(("[", "{")) else _read_table(text)
    if len(found) > MAX_ROLLOUTS:
        raise ValueError(f"{len(found)} rollouts are too many for one group, {MAX_ROLLOUTS} at most")
    if max((len(verdict) for verdict in found if verdict is not None), default=0) > MAX_CRITERIA:
        raise ValueError(f"a rubric has {MAX_CRITERIA} criteria at most here")
    return found


def write_group(verdicts: Sequence[Verdict | None]) -> str:
    """The same group as a table, or as JSON lines where a name would not survive one."""
    names = next((sorted(verdict) for verdict in verdicts if verdict is not None), [])
    readable = all(_SAFE_NAME.match(name) and name.lower() not in _WORDS | _CRASHED for name in names)
    whole = all(verdict is None or sorted(verdict) == names for verdict in verdicts)
    if not (readable and whole):
        return "\n".join(json.dumps(verdict, ensure_ascii=False, sort_keys=True) for verdict in verdicts)
    rows = ["crashed" if verdict is None else " ".join(_digit(verdict[name]) for name in names) for verdict in verdicts]
    return "\n".join([" ".join(names), *rows])


def _digit(outcome: Outcome) -> str:
    return "?" if outcome is None else str(int(outcome))


def _read_table(text: str) -> list[Verdict | None]:
    lines = [(number, _cells(line)) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    names: list[str] = []
    if lines and not _is_rollout(lines[0][1]):
        names = lines.pop(0)[1]
        if len(set(names)) < len(names):
            raise ValueError("line 1: two criteria have the same name")
    width = len(names) or next((len(cells) for _, cells in lines if not _is_crash(cells)), 0)
    names = names or _default_names(width)
    return [None if _is_crash(cells) else _row(number, cells, names) for number, cells in lines]


def _cells(line: str) -> list[str]:
    cells = [cell for cell in re.split(r"[\s,;|]+", line.strip()) if cell]
    if len(cells) == 1 and len(cells[0]) > 1 and set(cells[0]) <= set("01?"):
        return list(cells[0])
    return cells


def _is_crash(cells: Sequence[str]) -> bool:
    return len(cells) == 1 and cells[0].lower() in _CRASHED


def _is_rollout(cells: Sequence[str]) -> bool:
    return _is_crash(cells) or all(cell.lower() in _WORDS for cell in cells)


def _default_names(count: int) -> list[str]:
    return (
        [chr(ord("A") + place) for place in range(count)] if count <= 26 else [f"c{n:02}" for n in range(1, count + 1)]
    )


def _row(number: int, cells: Sequence[str], names: Sequence[str]) -> Verdict:
    if len(cells) != len(names):
        raise ValueError(f"line {number} has {len(cells)} outcomes, there are {len(names)} criteria")
    wrong = [cell for cell in cells if cell.lower() not in _WORDS]
    if wrong:
        raise ValueError(f"line {number}: {wrong[0]!r} is no outcome; write 1, 0 or ?, or `crashed` for the whole line")
    return {name: _outcome(cell.lower()) for name, cell in zip(names, cells, strict=True)}


def _outcome(word: str) -> Outcome:
    return None if word in _UNKNOWN else word in _MET


def _read_json(text: str) -> list[Verdict | None]:
    if text.lstrip().startswith("["):
        values = _parse(text, "the list")
        return [_verdict(value, f"rollout {number}") for number, value in enumerate(values, start=1)]
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    return [_verdict(_parse(line, f"line {number}"), f"line {number}") for number, line in lines]


def _parse(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{place} is no JSON: {error}") from error


def _verdict(value: Any, place: str) -> Verdict | None:
    """A verdict, a stored rollout that holds one, or the verdict of a trajectory with its list of results."""
    if isinstance(value, dict) and "verdict" in value:
        value = value["verdict"]
    if value is None:
        return None
    if isinstance(value, dict) and isinstance(value.get("results"), list):
        value = {
            str(one.get("id")): _STATUS.get(str(one.get("status"))) for one in value["results"] if isinstance(one, dict)
        }
    if not isinstance(value, dict) or not all(outcome in (True, False, None) for outcome in value.values()):
        raise ValueError(f"{place}: a rollout is an object from criteria to true, false or null, or null if it crashed")
    return {str(name): None if outcome is None else bool(outcome) for name, outcome in value.items()}
