"""What runs for a training run (Linux)."""

from __future__ import annotations

from pathlib import Path

from training_app.engine.rundir import RunDirectory


def at_work(directory: RunDirectory) -> list[tuple[int, str]]:
    """(process id, command line) of everything that names the run's directory."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if str(directory.root).encode() in words:
            found.append((int(entry.name), words.replace(b"\0", b" ").decode()))
    return found
