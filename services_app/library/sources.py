"""The source text that a library service consists of: what a curator reads and what its hash covers."""

from __future__ import annotations

from pathlib import Path

_COMMON = ("shared.py", "cast.py", "staff.py")


def sources(file: str, *more: str) -> dict[str, str]:
    """Text by name of the package that holds `file`, of the modules every service uses, and of `more` beside them."""
    here = Path(file).parent
    texts = {path.name: path.read_text("utf-8") for path in sorted(here.glob("*.py"))}
    return texts | {name: (here.parent / name).read_text("utf-8") for name in (*_COMMON, *more)}
