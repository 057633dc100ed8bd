"""Functions of texts: counts, letter case, comparison, JSON and CSV. Nothing here reads anything but its arguments."""

from __future__ import annotations

import csv
import difflib
import io
import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from services_app.engine.errors import ToolError, invalid
from services_app.specs.vocabulary import words_of

_LONGEST = 200_000


def _limited(text: str) -> str:
    if len(text) > _LONGEST:
        raise invalid(f"At most {_LONGEST} characters.", type="too_long")
    return text


def echoed(text: Any) -> Any:
    return text


def greeting(name: str | None = None) -> str:
    return f"Hello, {name}!" if name else "Hello, World!"


def reversed_(text: str) -> str:
    return text[::-1]


def characters(text: str) -> dict[str, Any]:
    """Characters with and without white space, and lines."""
    bare = "".join(_limited(text).split())
    return {"characters": len(bare), "characters_with_spaces": len(text), "lines": len(text.splitlines()) or 1}


_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def word_count(text: str, language: str | None = None) -> dict[str, Any]:
    """Words between white space. Refused for Japanese, which writes none."""
    if (language or "en").lower().startswith("ja"):
        raise invalid("Only languages that write spaces between words can be counted. Use 'en'.", type="unsupported")
    found = _limited(text).split()
    return {"words": len(found), "unique_words": len({word.casefold() for word in found})}


def counts(text: str) -> dict[str, Any]:
    """Words, characters, sentences, paragraphs and reading time at 200 words a minute."""
    words = _limited(text).split()
    return {
        "words": len(words),
        **characters(text),
        "sentences": len(re.findall(r"[^.!?。！？]+(?:[.!?。！？]+|$)", text.strip())),
        "paragraphs": len([part for part in re.split(r"\n\s*\n", text) if part.strip()]),
        "reading_minutes": round(len(words) / 200, 2),
    }


def in_case(text: str, case: str) -> str:
    """upper, lower, title, capitalize, camel, pascal, snake, kebab or constant."""
    kind = "".join(words_of(case)).removesuffix("case")
    words = words_of(text)
    made = {
        "upper": text.upper(),
        "lower": text.lower(),
        "title": text.title(),
        "capitalize": text.capitalize(),
        "sentence": text.capitalize(),
        "camel": "".join(word.capitalize() if number else word for number, word in enumerate(words)),
        "pascal": "".join(word.capitalize() for word in words),
        "snake": "_".join(words),
        "kebab": "-".join(words),
        "constant": "_".join(words).upper(),
    }
    if kind not in made:
        raise invalid(f"Unknown case {case!r}. Use one of {', '.join(made)}.")
    return made[kind]


def slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def difference(first: str, second: str) -> dict[str, Any]:
    """A unified diff, with the numbers of added and removed lines."""
    lines = list(
        difflib.unified_diff(_limited(first).splitlines(), _limited(second).splitlines(), "a", "b", lineterm="")
    )
    body = lines[2:]
    return {
        "diff": "\n".join(lines),
        "added": sum(line.startswith("+") for line in body),
        "removed": sum(line.startswith("-") for line in body),
        "equal": not lines,
    }


def json_of(text: Any) -> Any:
    """A JSON text as value; 400 with the place of the mistake."""
    if not isinstance(text, str):
        return text
    try:
        return json.loads(_limited(text))
    except RecursionError as error:
        raise ToolError(400, "bad_json", "The JSON is nested too deeply.") from error
    except ValueError as error:
        raise ToolError(400, "bad_json", f"The text is not JSON: {error}.") from error


def json_check(text: str) -> dict[str, Any]:
    try:
        value = json_of(text)
    except ToolError as error:
        return {"valid": False, "error": error.message}
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return {"valid": True, "type": names.get(type(value), "number")}


def json_pretty(text: Any, indent: float | None = None) -> str:
    return json.dumps(json_of(text), ensure_ascii=False, indent=min(max(int(2 if indent is None else indent), 0), 8))


def json_compact(text: Any) -> str:
    return json.dumps(json_of(text), ensure_ascii=False, separators=(",", ":"))


_STEP = re.compile(r"\.\.|\.?\*|\[\*\]|\[(-?\d+)\]|\[(['\"])(.*?)\2\]|\.?([^.\[\]*'\"]+)")


def json_path(text: Any, path: str) -> list[Any]:
    """What a JSONPath of names, indices, wildcards and `..` selects, in order of the document; 400 for other paths."""
    found, deep = [json_of(text)], False
    rest = path.strip().removeprefix("$")
    while rest:
        step = _STEP.match(rest)
        if step is None:
            raise ToolError(400, "bad_path", f"{path!r} is not a JSONPath of names, indices and wildcards.")
        rest = rest[step.end() :]
        if step[0] == "..":
            deep = True
            continue
        pool = [inner for value in found for inner in _everything(value)] if deep else found
        found, deep = [inner for value in pool for inner in _selected(value, step)], False
    return found


def _selected(value: Any, step: re.Match[str]) -> list[Any]:
    if step[1] is not None:
        at = int(step[1])
        return [value[at]] if isinstance(value, list) and -len(value) <= at < len(value) else []
    name = step[3] if step[3] is not None else step[4]
    if name is None:
        return list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []
    return [value[name]] if isinstance(value, dict) and name in value else []


def _everything(value: Any) -> list[Any]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(inner for part in parts for inner in _everything(part))]


def csv_rows(text: str) -> list[dict[str, Any]]:
    """The rows of a CSV text whose first line names the columns."""
    try:
        return [dict(row) for row in csv.DictReader(io.StringIO(_limited(text)), strict=True, restkey="more")]
    except csv.Error as error:
        raise ToolError(400, "bad_csv", f"The text is not CSV: {error}.") from error


def csv_text(rows: Any) -> str:
    """A list of objects as CSV; the columns in the order of their first appearance."""
    found = json_of(rows)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise invalid("CSV is made of a list of objects.")
    names = list(dict.fromkeys(name for row in found for name in row))
    target = io.StringIO()
    writer = csv.DictWriter(target, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return target.getvalue()


def plain_of_html(text: str) -> str:
    """The words of HTML, a line per block."""
    bare = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>|<!--.*?-->", "", _limited(text))
    broken = re.sub(r"(?i)<(br|/p|/div|/h[1-6]|/li|/tr)\b[^>]*>", "\n", bare)
    lines = (" ".join(line.split()) for line in re.sub(r"<[^>]*>", "", broken).splitlines())
    return "\n".join(line for line in lines if line)


def replaced(text: str, find: str, replacement: str) -> dict[str, Any]:
    """Every occurrence of a text replaced."""
    if not find:
        raise invalid("Say which text is to be replaced.")
    return {"text": _limited(text).replace(find, replacement), "replacements": text.count(find)}


def joined(parts: Sequence[Any], separator: str | None = None) -> str:
    return (" " if separator is None else separator).join(str(part) for part in parts)
