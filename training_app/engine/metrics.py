"""Lines of JSON that a trainer appends and a supervisor follows.

Every line is an object with `step` and `kind`. A resumed run writes `{"kind": "begin", "step": k}` first:
what an earlier attempt had logged beyond step k never happened. Steps may still repeat; the last line of a
step and kind wins.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Chunk:
    """Records read from a growing file; `offset` (bytes) is where the next read starts.

    rejected: complete lines that were no JSON object (a crash can leave one in the middle of a file).
    """

    records: tuple[Record, ...]
    offset: int
    rejected: int


class LineWriter:
    """Appends one JSON object per line and flushes it; `clock` gives seconds (handed in)."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.path = path
        self._clock = clock
        path.parent.mkdir(parents=True, exist_ok=True)
        _end_half_line(path)

    def write(self, kind: str, step: int, values: Mapping[str, Any]) -> None:
        """Append one record. Numbers that JSON does not know become null and are named in `nonfinite`."""
        line = json.dumps(
            {"kind": kind, "step": step, "at": round(self._clock(), 3), **_finite(values)},
            ensure_ascii=False,
            allow_nan=False,
        )
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def tail(path: Path, offset: int = 0, limit: int = 4 << 20) -> Chunk:
    """Read what was appended since `offset`, at most about `limit` bytes; a half last line waits for the
    next call.

    A missing file gives nothing. A file that became shorter than `offset` was replaced and is read from its
    start.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return Chunk((), 0, 0)
    start = offset if offset <= size else 0
    with path.open("rb") as file:
        file.seek(start)
        data = file.read(limit)
        if b"\n" not in data and len(data) == limit:  # one line longer than the limit
            data += file.readline()
    whole = data[: data.rfind(b"\n") + 1]
    records = [_parse(line) for line in whole.splitlines() if line.strip()]
    good = tuple(record for record in records if record is not None)
    return Chunk(good, start + len(whole), len(records) - len(good))


def read_records(path: Path) -> tuple[Record, ...]:
    """All records of a file in order, as they were appended."""
    records: list[Record] = []
    offset = 0
    while True:
        chunk = tail(path, offset)
        if chunk.offset == offset:
            return tuple(records)
        records += chunk.records
        offset = chunk.offset


def latest(records: Iterable[Record]) -> tuple[Record, ...]:
    """One record per step and kind, sorted by step: the course of the run as it finally was."""
    kept: dict[tuple[int, str], Record] = {}
    for record in records:
        step, kind = int(record["step"]), str(record["kind"])
        if kind == "begin":
            kept = {key: value for key, value in kept.items() if key[0] <= step}
        else:
            kept[step, kind] = record
    return tuple(kept[key] for key in sorted(kept))


def read_metrics(path: Path) -> tuple[Record, ...]:
    """`latest(read_records(path))`: the metrics of a run, repeated steps resolved."""
    return latest(read_records(path))


def _end_half_line(path: Path) -> None:
    """A killed writer can leave half a line; end it, so that it spoils only itself."""
    if path.exists() and path.stat().st_size:
        with path.open("rb+") as file:
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")


def _parse(line: bytes) -> Record | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "step" in value and "kind" in value else None


def _finite(values: Mapping[str, Any]) -> Record:
    odd = sorted(key for key, value in values.items() if isinstance(value, float) and not math.isfinite(value))
    clean: Record = {key: None if key in odd else value for key, value in values.items()}
    return {**clean, "nonfinite": odd} if odd else clean
