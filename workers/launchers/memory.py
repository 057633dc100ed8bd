"""Has the kernel ended processes for want of memory? Without that, a kill says nothing about memory (Linux)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def oom_kills(root: Path = Path("/")) -> int:
    """How many it has ended so far, as the machine and our control groups count them; the number only ever grows.

    Compare two readings: one alone means nothing. `root` is where /proc and /sys are found.
    """
    return sum(_count(path) for path in [root / "proc/vmstat", *_group_files(root)])


def _group_files(root: Path) -> Iterator[Path]:
    """The counters of the control groups that this process is in, of both versions."""
    for line in _lines(root / "proc/self/cgroup"):
        _, _, rest = line.partition(":")
        kind, _, group = rest.partition(":")
        if kind == "":
            yield root / "sys/fs/cgroup" / group.lstrip("/") / "memory.events"
        elif kind == "memory":
            yield root / "sys/fs/cgroup/memory" / group.lstrip("/") / "memory.oom_control"


def _count(path: Path) -> int:
    values = (line.split() for line in _lines(path))
    return sum(int(words[1]) for words in values if len(words) == 2 and words[0] == "oom_kill" and words[1].isdigit())


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:  # another version of control groups, or none
        return []
