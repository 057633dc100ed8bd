"""Words that stand for a record's id: 'me', 'root', 'primary', 'latest', as the description of a parameter has them."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.builders.prose import about
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, types_of

_WORDS = r"(@?me|self|primary|root|latest|current|my_customer)"
_SAID = re.compile(rf"[\"'`“]{_WORDS}[\"'`”]", re.IGNORECASE)
_USUAL = re.compile(rf"\bdefaults?(?: value)?(?: to| is|:|=)*\s*[\"'`“]?{_WORDS}\b", re.IGNORECASE)
_BLANK = ("", 0, -1, "-")
_KEYED = frozenset("get get_or_list update delete status flag copy restore".split())


def note_aliases(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Let the parameters that name records by id take such words, also where nothing is sent and a word is usual."""
    nouns = dict(planned.parents)
    if planned.kind in _KEYED and planned.key and not planned.key_field and planned.position is None:
        nouns[planned.key] = planned.entity
    for name, noun in nouns.items():
        schema = reader.properties(tool).get(name, {})
        known = reader.plan.entities.get(noun)
        if known is None or "string" not in types_of(schema) or "array" in types_of(schema):
            continue
        said = f"{about(schema)} default to {schema.get('default')!r}" if schema.get("default") else about(schema)
        words = dict.fromkeys(word.lower() for word in _SAID.findall(said))
        if not words:
            continue
        planned.aliases[name] = (noun, tuple(words))
        usual = _USUAL.search(said)
        if usual is not None and usual[1].lower() in words and name not in reader.required(tool):
            planned.read.usually[name] = usual[1]


def note_blanks(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Optional parameters that choose records and are `""` or 0 by default say nothing when they are so."""
    chosen = {*planned.parents, *planned.read.same, planned.key, *(f.parameter for f in planned.filters)}
    for name, schema in reader.properties(tool).items():
        value = schema.get("default")
        if name not in chosen or name in reader.required(tool) or isinstance(value, bool) or value not in _BLANK:
            continue
        if isinstance(value, str) or id_target(name, "own") is not None:
            planned.read.blanks[name] = value
