"""The files of one service package as a model may change them: names, sizes and forms are checked at each write."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.verification.own_tests import FILE as TESTS
from services_app.verification.static import static_problems

PROTECTED = ("__init__.py", "spec.py")
MOST_FILES = 16
FILE_CHARACTERS = 300_000
ALL_CHARACTERS = 800_000
READ_CHARACTERS = 14_000
MOST_LEVELS = 30  # of nesting in a test
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}\.py")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class WorkError(ValueError):
    """What the model asked for cannot be done; the message says what to do instead."""


class Workspace:
    """Source text by file name. `module` is the package that the files make up."""

    def __init__(self, module: str, files: Mapping[str, str]) -> None:
        self.module = module
        self.files = dict(files)

    def listing(self) -> str:
        """One line per file."""
        return "\n".join(
            f"{name}: {len(text.splitlines())} lines, {len(text):,} characters"
            + (" (protected: read only)" if name in PROTECTED else "")
            for name, text in sorted(self.files.items())
        )

    def read(self, name: str, first: int = 1, last: int | None = None) -> str:
        """Lines `first` to `last` of a file, counted from 1, cut where they grow too long. Raises WorkError."""
        lines = self._existing(name).splitlines(keepends=True)
        end = min(last if last is not None else len(lines), len(lines))
        if first < 1 or (lines and first > len(lines)):
            raise WorkError(f"{name} has {len(lines)} lines; ask for lines from 1 on.")
        text, shown = "", first - 1
        for line in lines[first - 1 : end]:
            if text and len(text) + len(line) > READ_CHARACTERS:
                break
            text, shown = text + line, shown + 1
        return f"{name}, lines {first} to {shown} of {len(lines)}:\n{text[: 2 * READ_CHARACTERS]}"

    def write(self, name: str, text: str) -> str:
        """Make or replace a file; what the static policy has to say about it. Raises WorkError."""
        self._check_name(name)
        self._check_text(name, text)
        self.files[name] = text
        return self._written(name)

    def replace(self, name: str, old: str, new: str) -> str:
        """Replace the one occurrence of `old`. Raises WorkError when it occurs not at all or more than once."""
        text = self._existing(name)
        count = text.count(old) if old else 0
        if count != 1:
            raise WorkError(self._not_once(name, text, old, count))
        return self.write(name, text.replace(old, new))

    def problems(self) -> list[str]:
        """What the static policy refuses, over all files."""
        return static_problems(self.files, self.module)

    def _existing(self, name: str) -> str:
        if name not in self.files:
            raise WorkError(f"There is no file {name!r}. The files are: {', '.join(sorted(self.files))}.")
        return self.files[name]

    def _check_name(self, name: str) -> None:
        if name in PROTECTED:
            raise WorkError(f"{name} is protected: it comes from the specification. Change tools.py, state.py, ...")
        if name != TESTS and not _NAME.fullmatch(name):
            raise WorkError(f"A file is called like tools.py (lower-case letters, digits, _) or {TESTS}, not {name!r}.")
        if name not in self.files and len(self.files) >= MOST_FILES:
            raise WorkError(f"A service has at most {MOST_FILES} files.")

    def _check_text(self, name: str, text: str) -> None:
        if len(text) > FILE_CHARACTERS:
            raise WorkError(f"The text has {len(text):,} characters; a file has at most {FILE_CHARACTERS:,}.")
        others = sum(len(other) for key, other in self.files.items() if key != name)
        if others + len(text) > ALL_CHARACTERS:
            raise WorkError(f"All files together have at most {ALL_CHARACTERS:,} characters.")
        if _UNSTORABLE.search(text):
            raise WorkError("The text holds a NUL or half a surrogate pair; write it without.")
        if name == TESTS:
            check_tests(text)

    def _written(self, name: str) -> str:
        said = f"{name} written, {len(self.files[name].splitlines())} lines."
        found = static_problems({name: self.files[name]}, self.module)
        return said + "".join(f"\nERROR {problem}" for problem in found[:20])

    def _not_once(self, name: str, text: str, old: str, count: int) -> str:
        if count:
            return f"The old text occurs {count} times in {name}; give more of its surroundings."
        first = next((line for line in old.splitlines() if line.strip()), "")
        near = difflib.get_close_matches(first, text.splitlines(), n=1, cutoff=0.5) if first else []
        hint = f" A similar line is: {near[0][:200]}" if near else ""
        return f"The old text does not occur in {name}; read the file again and copy it exactly.{hint}"


def check_tests(text: str) -> None:
    """Raise WorkError unless `text` is a file of own tests that can be run."""
    try:
        tests = json.loads(text)["tests"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WorkError(f'{TESTS} must be JSON of the form {{"tests": [{{"name", "steps": [...]}}]}}.') from error
    for number, test in enumerate(tests if isinstance(tests, list) else [tests]):
        steps = test.get("steps") if isinstance(test, dict) else None
        if not isinstance(steps, list) or not steps or not all(_is_step(step) for step in steps):
            raise WorkError(
                f'Test {number} of {TESTS} must have a list "steps" of {{"tool": name, "arguments": object, '
                '"expect": {"success": true or false}, "keep"?: {name: path}}.'
            )


def _is_step(step: Any) -> bool:
    if not isinstance(step, dict) or not isinstance(step.get("tool"), str):
        return False
    expect, keep = step.get("expect"), step.get("keep", {})
    return (
        isinstance(step.get("arguments"), dict)
        and _is_plain(step)
        and isinstance(expect, dict)
        and isinstance(expect.get("success"), bool)
        and isinstance(keep, dict)
        and all(isinstance(path, Sequence) and not isinstance(path, str) for path in keep.values())
    )


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Whether the nesting is shallow and each reference to a kept value names one."""
    if depth > MOST_LEVELS:
        return False
    if isinstance(value, dict):
        named = set(value) != {"kept"} or isinstance(value["kept"], str)
        return named and all(_is_plain(item, depth + 1) for item in value.values())
    return not isinstance(value, list) or all(_is_plain(item, depth + 1) for item in value)
