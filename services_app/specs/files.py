"""Specifications from files and text: tools/list results in every shape, one clear message for anything else."""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from services_app.engine.naming import slugify
from services_app.specs.errors import SpecError
from services_app.specs.limits import ImportLimits, prune
from services_app.specs.model import Notebook, Source, Specification
from services_app.specs.normalise import normalise_tools
from services_app.specs.shapes import Found, find_tools
from services_app.specs.storable import storable
from services_app.specs.yaml_text import parse_yaml

DEFAULT_LIMITS = ImportLimits()
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


class FileOutcome(NamedTuple):
    """One file of a directory: exactly one of `specification` and `error` is set."""

    path: Path
    specification: Specification | None
    error: SpecError | None


def load_file(path: Path, *, limits: ImportLimits = DEFAULT_LIMITS) -> Specification:
    """The specification in a file. Raises SpecError with kind `file:...`."""
    try:
        with path.open("rb") as stream:
            data = stream.read(limits.file_bytes + 1)
    except FileNotFoundError as error:
        raise SpecError("file:missing", f"There is no file {path.name}.") from error
    except OSError as error:
        raise SpecError("file:unreadable", f"{path.name} cannot be read: {error.strerror or error}.") from error
    return load_text(data, path.name, limits=limits)


def load_directory(
    path: Path, *, pattern: str = "*.json", limits: ImportLimits = DEFAULT_LIMITS
) -> Iterator[FileOutcome]:
    """The files of a directory in the order of their names; a broken one does not stop the others."""
    for file in sorted(item for item in path.glob(pattern) if item.is_file()):
        try:
            yield FileOutcome(file, load_file(file, limits=limits), None)
        except SpecError as error:
            yield FileOutcome(file, None, error)


def load_text(text: str | bytes, name: str, *, limits: ImportLimits = DEFAULT_LIMITS) -> Specification:
    """The specification in the text of a file called `name`. Raises SpecError with kind `file:...`."""
    book = Notebook()
    value = parse_json(text, name, limits, book)
    return build_specification(value, Source(kind="file", locator=name), Path(name).stem, limits=limits, book=book)


def build_specification(
    value: Any,
    source: Source,
    fallback_name: str,
    *,
    limits: ImportLimits = DEFAULT_LIMITS,
    book: Notebook | None = None,
) -> Specification:
    """The specification in a JSON value, whatever it came from. Raises SpecError when it holds no tools."""
    book = book or Notebook()
    raw, changed = storable(value)
    if changed:
        book.warning(
            "", "raw:unstorable", "The original holds characters or numbers that JSON cannot carry; they were replaced."
        )
    raw, cut = prune(raw, limits.raw_depth)
    if cut:
        book.warning("", "raw:depth", f"Parts nested deeper than {limits.raw_depth} levels were left out.")
    found = find_tools(raw, book)
    if len(found.tools) > limits.tools:
        raise SpecError(
            "file:too-many-tools",
            f"It lists {len(found.tools):,} tools; the limit is {limits.tools:,}.",
            "Split the list.",
        )
    outcome = normalise_tools(found.tools, limits)
    title = found.title or found.name or fallback_name
    return Specification(
        slug=slugify(found.name or found.title or fallback_name),
        title=title[:200],
        source=source,
        domain=found.domain,
        description=_shortened(found, limits),
        tools=outcome.tools,
        refused=outcome.refused,
        notes=(*book.notes, *outcome.notes),
        raw=raw,
    )


def _shortened(found: Found, limits: ImportLimits) -> str:
    return found.description[: limits.description_chars]


def parse_json(text: str | bytes, name: str, limits: ImportLimits, book: Notebook) -> Any:
    """The JSON value in `text`; also one value a line, as recorded sessions are kept, and YAML. Raises SpecError."""
    size = len(text)
    if size > limits.file_bytes:
        raise SpecError(
            "file:too-large",
            f"{name} is larger than {limits.file_bytes >> 20} MB, the limit for one file.",
            "Split it by server.",
        )
    decoded = _decoded(text, name) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    if not decoded.strip():
        raise SpecError("file:empty", f"{name} is empty.")
    try:
        return _loads(decoded, book)
    except json.JSONDecodeError as error:
        lines = _json_lines(decoded, error, book)
        if lines is not None:
            return lines
        if _is_yaml(decoded, name):
            book.info("", "file:yaml", "The file was read as YAML.")
            return parse_yaml(decoded, name)
        raise SpecError(
            "file:not-json",
            f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            _json_hint(decoded),
        ) from error
    except RecursionError as error:
        raise SpecError("file:too-deep", f"{name} is nested deeper than can be read.") from error
    except ValueError as error:
        raise SpecError("file:not-json", f"{name} holds a number that is too long.") from error


def _decoded(data: bytes, name: str) -> str:
    if data.startswith(_WIDE_MARKS):
        raise SpecError("file:not-utf8", f"{name} is in UTF-16 or UTF-32, not in UTF-8.", "Save it as UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError(
            "file:not-utf8", f"{name} is not UTF-8: byte {error.start + 1:,} is wrong.", "Save it as UTF-8."
        ) from error


def _loads(text: str, book: Notebook) -> Any:
    return json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, book))


def _object(pairs: list[tuple[str, Any]], book: Notebook) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = sorted(name for name, uses in Counter(name for name, _ in pairs).items() if uses > 1)
        book.warning(
            "",
            "json:repeated-key",
            f"An object names {', '.join(map(repr, twice))} more than once; the last one counts."[:300],
        )
    return value


def _json_lines(text: str, error: json.JSONDecodeError, book: Notebook) -> list[Any] | None:
    """The values of a text with one JSON value on every line, or None when it is not of that kind."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not error.msg.startswith("Extra data") or len(lines) < 2:
        return None
    try:
        return [_loads(line, book) for line in lines]
    except (json.JSONDecodeError, RecursionError):
        return None


def _is_yaml(text: str, name: str) -> bool:
    """Whether a text that is no JSON is meant as YAML: by its name, or by how it begins."""
    named = name.lower().endswith((".yaml", ".yml"))
    return (
        named
        or re.match(r"(?:\s|#[^\n]*\n|---|%YAML[^\n]*\n)*[\"']?(?:openapi|swagger|tools|paths|info)[\"']?\s*:", text)
        is not None
    )


def _json_hint(text: str) -> str:
    start = text.lstrip()[:1]
    if start == "<":
        return "It looks like a web page; fetch the JSON behind it."
    if start not in ("{", "["):
        return "A tools/list result starts with { or [."
    return "Look for a missing bracket, a trailing comma or a comment."
