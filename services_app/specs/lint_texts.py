"""Remarks on titles and descriptions. Texts of a specification are data: nothing in them is ever obeyed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from services_app.specs.keywords import escape, places
from services_app.specs.model import Note, Notebook, Specification, ToolSpec
from services_app.specs.vocabulary import words_of

_FILLER = re.compile(
    r"^\W*(?:todo|tbd|fixme|n/?a|none|null|undefined|lorem ipsum.*|(?:no )?description(?: here| provided| available)?"
    r"|(?:a|the|this)? ?(?:tool|function|method|endpoint|api)|placeholder|test|example)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_EMPTY_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "tool",
        "function",
        "method",
        "api",
        "endpoint",
        "for",
        "to",
        "of",
        "and",
        "is",
        "used",
        "will",
        "with",
        "by",
        "from",
        "in",
        "on",
    ]
)
_INSTRUCTIONS = re.compile(
    r"\byou (?:must|should always|are required to|have to)\b"
    r"|\b(?:always|never) (?:call|use|invoke|run|mention|tell|reveal|ask|respond|reply|show)\b"
    r"|\b(?:must|should) be called (?:first|before|after)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the )?(?:previous|prior|above|other|earlier)\b"
    r"|\bdo not (?:tell|inform|mention|reveal|ask|call|use)\b|\bdon't (?:tell|mention|reveal)\b"
    r"|\bbefore (?:using|calling) any (?:other )?tools?\b|<(?:important|system|instructions?)>|\bsystem prompt\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]{0,500})?/?>|\{\{[^{}]{0,200}\}\}|\{%[^{}]{0,200}%\}")
_HIDDEN = re.compile(
    "[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_LONG = 4_000
_SHORT_SHARED = 10


def check_description(tool: ToolSpec, book: Notebook) -> None:
    """A description that is missing, says nothing beyond the name, or is longer than a page."""
    text = tool.description.strip()
    if not text:
        book.warning("/description", "description:missing", "There is no description.")
    elif _FILLER.match(text) or _repeats_name(text, tool.name):
        book.warning("/description", "description:filler", "The description says nothing that the name does not say.")
    elif len(text) > _LONG:
        book.info(
            "/description",
            "description:long",
            f"The description has {len(text):,} characters; agents read all of them.",
        )


def _repeats_name(text: str, name: str) -> bool:
    words = set(words_of(text)) - _EMPTY_WORDS
    return words <= set(words_of(name)) and text.isascii()


def check_instructions(tool: ToolSpec, book: Notebook) -> None:
    """Sentences that give orders to the model that reads them."""
    for pointer, text in _texts(tool):
        match = _INSTRUCTIONS.search(text)
        if match:
            around = text[max(0, match.start() - 40) : match.end() + 40].replace("\n", " ").strip()
            book.warning(pointer, "description:instructs", f"The text gives orders to the model: “…{around}…”")


def check_markup(tool: ToolSpec, book: Notebook) -> None:
    """HTML and template markup, which must not be interpreted when it is shown."""
    for pointer, text in _texts(tool):
        match = _MARKUP.search(text)
        if match:
            book.info(
                pointer,
                "description:markup",
                f"The text holds markup, such as {match[0][:60]!r}; it is shown as it stands.",
            )


def _texts(tool: ToolSpec) -> Iterator[tuple[str, str]]:
    yield "/description", tool.description
    for pointer, schema in places(tool.input_schema, "/inputSchema"):
        if isinstance(schema, dict) and isinstance(schema.get("description"), str):
            yield f"{pointer}/description", schema["description"]


def check_hidden(tool: ToolSpec, book: Notebook) -> None:
    """Characters that a reader does not see and a model does: control codes, direction overrides, tag characters."""
    for pointer, text in _texts(tool):
        found = _HIDDEN.findall(text)
        if found:
            shown = ", ".join(sorted({f"U+{ord(character):04X}" for character in found})[:5])
            book.warning(pointer, "description:hidden", f"The text holds {len(found)} invisible characters ({shown}).")


def check_parameter_texts(tool: ToolSpec, book: Notebook) -> None:
    """Parameters without any description or title."""
    bare = [
        name
        for name, schema in tool.properties.items()
        if not (isinstance(schema, dict) and (str(schema.get("description", "")).strip() or "$ref" in schema))
    ]
    if bare:
        shown = ", ".join(bare[:5]) + (", …" if len(bare) > 5 else "")
        pointer = f"/inputSchema/properties/{escape(bare[0])}"
        book.info(
            pointer,
            "parameter:undescribed",
            f"{len(bare)} of {len(tool.properties)} parameters have no description: {shown}.",
        )


def check_repeated_descriptions(spec: Specification) -> Iterator[Note]:
    """Several tools that describe themselves with the same words."""
    users = defaultdict(list)
    for tool in spec.tools:
        if len(tool.description) >= _SHORT_SHARED:
            users[tool.description].append(tool.name)
    for names in users.values():
        if len(names) > 1:
            book = Notebook(names[0])
            book.warning(
                "/description", "description:shared", f"The same description is used for {', '.join(names[:6])}."
            )
            yield from book.notes
