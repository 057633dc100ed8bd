"""The files of specifications that paths on the command line name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError

SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")


def spec_files(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and for folders their JSON and YAML files by name. Raises CommandError in words."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise CommandError(f"{path} does not exist.")
        inside = sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
        if not inside:
            raise CommandError(f"{path} holds no file that ends in {', '.join(SUFFIXES)}.")
        found += inside
    return found
