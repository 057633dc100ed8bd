"""Ending a process together with everything it started, also what left its process group (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Grandchildren whose parent ends become children of this process, so that they can be found. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Processes started by `pid`, by its children and so on; empty where /proc does not tell."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The command name stands in brackets and may hold anything, so fields count from the last bracket.
            parents[int(entry.parent.name)] = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    found = [pid]
    for known in found:
        found.extend(child for child, parent in parents.items() if parent == known)
    return found[1:]


def end_descendants(pid: int) -> None:
    """SIGKILL for every descendant of `pid`, but not for `pid`."""
    for child in descendants(pid):
        _kill(child)


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL for a process that leads its own group, for the group, and for descendants outside the group."""
    # Once it is reaped its number may belong to somebody else, so only its group is asked for.
    children = descendants(process.pid) if process.returncode is None else []
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    for child in children:
        _kill(child)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
