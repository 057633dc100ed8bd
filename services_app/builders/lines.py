"""Breaking long lines of generated source the way a formatter does: at the last bracket that closes the line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

WIDTH = 120
_CLOSES = {")": "(", "]": "[", "}": "{"}


def wrapped(lines: Iterable[str]) -> Iterator[str]:
    """The lines, each within the width where a bracket allows it."""
    for line in lines:
        yield from _wrap(line)


def _wrap(line: str) -> Iterator[str]:
    if len(line) <= WIDTH:
        yield line
        return
    indent = line[: len(line) - len(line.lstrip())]
    found = _last_bracket(line)
    if found is None:
        yield line
        return
    start, end, parts = found
    if len(parts) == 1 and (" for " in parts[0] or line[start] == "["):
        parts = [parts[0]]
        comma = ""
    else:
        comma = ","
    yield line[: start + 1]
    for part in parts:
        yield from _wrap(f"{indent}    {part.strip()}{comma}")
    yield f"{indent}{line[end:]}"


def _last_bracket(line: str) -> tuple[int, int, list[str]] | None:
    """(opening, closing, parts between top-level commas) of the last bracket pair; None without one."""
    pairs = _pairs(line)
    if not pairs:
        return None
    outer = [pair for pair in pairs if not any(other[0] < pair[0] and other[1] > pair[1] for other in pairs)]
    start, end = max(outer, key=lambda pair: pair[1] - pair[0])
    body = line[start + 1 : end].strip().removesuffix(",")
    return (start, end, _split(body)) if body else None


def _scan(text: str) -> Iterator[tuple[int, str]]:
    """Positions and characters outside string literals."""
    quote = ""
    skip = False
    for index, char in enumerate(text):
        if skip:
            skip = False
        elif quote:
            if char == "\\":
                skip = True
            elif char == quote:
                quote = ""
        elif char in "'\"":
            quote = char
        else:
            yield index, char


def _pairs(line: str) -> list[tuple[int, int]]:
    opened: list[int] = []
    pairs = []
    for index, char in _scan(line):
        if char in "([{":
            opened.append(index)
        elif char in _CLOSES and opened:
            pairs.append((opened.pop(), index))
    return pairs


def _split(body: str) -> list[str]:
    depth, last, parts = 0, 0, []
    for index, char in _scan(body):
        if char in "([{":
            depth += 1
        elif char in _CLOSES:
            depth -= 1
        elif char == "," and not depth:
            parts.append(body[last:index])
            last = index + 1
    return [part for part in [*parts, body[last:]] if part.strip()]
