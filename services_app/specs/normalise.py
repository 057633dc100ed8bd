"""From a tool as served to a `ToolSpec`: self-contained, valid, bounded, with a note for every repair."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, NamedTuple

from services_app.specs.dialects import settle_dialect, settle_validity
from services_app.specs.errors import RefusedError
from services_app.specs.limits import ImportLimits, check_schema_size
from services_app.specs.model import Note, Notebook, Refusal, ToolSpec, shortened
from services_app.specs.refs import settle_references
from services_app.specs.repairs import hoist_nested, repair_tree
from services_app.specs.roots import close_root, open_root
from services_app.specs.texts import clean_json

_INPUT_WORDS = ("inputSchema", "input_schema", "parameters", "args_schema", "schema")
_OUTPUT_WORDS = ("outputSchema", "output_schema")


class NormalisedTools(NamedTuple):
    """The outcome for a whole list."""

    tools: tuple[ToolSpec, ...]
    refused: tuple[Refusal, ...]
    notes: tuple[Note, ...]


def normalise_tools(served: Iterable[Any], limits: ImportLimits) -> NormalisedTools:
    """Normalise tools in the order served. A broken tool becomes a refusal; its siblings are not touched by it."""
    tools: dict[str, ToolSpec] = {}
    refused: list[Refusal] = []
    notes: list[Note] = []
    for position, raw in enumerate(served):
        book = Notebook(_shown_name(raw, position))
        try:
            tool = normalise_tool(raw, limits, book)
            if tool.name in tools:
                _settle_duplicate(tools[tool.name], tool, book)
            else:
                tools[tool.name] = tool
        except RefusedError as reason:
            book.refused(reason.pointer, reason.code, reason.message)
            refused.append(_refusal(raw, position, reason, book))
        notes.extend(book.notes)
    return NormalisedTools(tuple(tools.values()), tuple(refused), tuple(notes))


def _refusal(raw: Any, position: int, reason: RefusedError, book: Notebook) -> Refusal:
    return Refusal(
        name=book.tool or "",
        position=position,
        code=reason.code,
        pointer=shortened(reason.pointer),
        message=shortened(reason.message),
        raw=raw,
    )


def _shown_name(raw: Any, position: int) -> str:
    name = raw.get("name") if isinstance(raw, dict) else None
    return str(clean_json(name)[0])[:256] if isinstance(name, str) and name.strip() else f"#{position}"


def _settle_duplicate(first: ToolSpec, second: ToolSpec, book: Notebook) -> None:
    if first.content() == second.content():
        book.info(
            "", "tool:repeated", f"The tool “{second.name}” is listed twice with the same content; it was taken once."
        )
        return
    raise RefusedError(
        "tool:duplicate", "/name", f"A different tool is already called “{second.name}”; the first one was kept."
    )


def normalise_tool(raw: Any, limits: ImportLimits, book: Notebook) -> ToolSpec:
    """One tool. Raises RefusedError, with pointer and reason, when it cannot be used."""
    if not isinstance(raw, dict):
        raise RefusedError("tool:not-an-object", "", f"The entry is {raw!r:.60}, not a tool.")
    name = _name(raw, limits, book)
    annotations = raw.get("annotations")
    word = next((word for word in _INPUT_WORDS if raw.get(word) is not None), "inputSchema")
    if word != "inputSchema":
        book.info(f"/{word}", "tool:schema-word", f"The input schema stood under “{word}”.")
    return ToolSpec(
        name=name,
        title=_title(raw, book),
        description=_text(raw.get("description"), "/description", limits, book),
        input_schema=normalise_schema(raw.get(word), f"/{word}", limits, book),
        output_schema=_output_schema(raw, limits, book),
        annotations=_cleaned(annotations, "/annotations", book) if isinstance(annotations, dict) else {},
        raw=raw,
    )


def _name(raw: dict[str, Any], limits: ImportLimits, book: Notebook) -> str:
    name = raw.get("name")
    if not isinstance(name, str) or not name.strip():
        raise RefusedError("tool:no-name", "/name", "The tool has no name.")
    cleaned: str = _cleaned(name, "/name", book)
    if len(cleaned) > limits.name_chars:
        raise RefusedError(
            "bound:name", "/name", f"The name has {len(cleaned)} characters; the limit is {limits.name_chars}."
        )
    return cleaned


def _title(raw: dict[str, Any], book: Notebook) -> str:
    annotations = raw.get("annotations")
    for title in (raw.get("title"), annotations.get("title") if isinstance(annotations, dict) else None):
        if isinstance(title, str) and title.strip():
            return str(_cleaned(title.strip(), "/title", book))[:200]
    return ""


def _text(value: Any, pointer: str, limits: ImportLimits, book: Notebook) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        book.warning(pointer, "text:not-text", f"The description was {type(value).__name__}, not text.")
        value = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    text = str(_cleaned(value, pointer, book)).strip()
    if len(text) > limits.description_chars:
        book.warning(
            pointer,
            "bound:description",
            f"The description has {len(text):,} characters; it was cut at {limits.description_chars:,}.",
        )
        text = text[: limits.description_chars]
    return text


def _cleaned(value: Any, pointer: str, book: Notebook) -> Any:
    cleaned, changed = clean_json(value)
    if changed:
        book.warning(pointer, "text:cleaned", "Characters or numbers that cannot be stored were replaced.")
    return cleaned


def _output_schema(raw: dict[str, Any], limits: ImportLimits, book: Notebook) -> dict[str, Any] | None:
    word = next((word for word in _OUTPUT_WORDS if raw.get(word) is not None), None)
    if word is None:
        return None
    try:
        return normalise_schema(raw[word], f"/{word}", limits, book)
    except RefusedError as reason:
        book.warning(reason.pointer, reason.code, f"The output schema was left out. {reason.message}")
        return None


def normalise_schema(served: Any, pointer: str, limits: ImportLimits, book: Notebook) -> dict[str, Any]:
    """The schema of arguments (or of a result), ready for `compile_schema`, for builders and for agents.

    Raises RefusedError when it cannot be used; `pointer` is where it stands in its tool.
    """
    check_schema_size(served, limits, pointer)
    schema = open_root(copy.deepcopy(_cleaned(served, pointer, book)), pointer, book)
    dialect = settle_dialect(schema, pointer, book)
    hoist_nested(schema, pointer, book)
    if "$schema" in schema:
        dialect = settle_dialect(schema, pointer, book)
    repair_tree({"root": schema}, "root", pointer, dialect, book)
    settle_references(schema, dialect, pointer, limits, book)
    close_root(schema, pointer, book)
    check_schema_size(schema, limits, pointer)
    settle_validity(schema, pointer, book)
    return schema
