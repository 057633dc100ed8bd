"""Parameters that name another record by its key, its name, its slug: `projectKey`, `course_identifier`, `account`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from services_app.builders.entities import Reader, add_field
from services_app.builders.id_shapes import fits_pattern
from services_app.builders.plan import Entity, Field, Plan, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of

# Last word of a parameter -> fields of the record that it may mean, the one that is made where there is none first.
_WORDS: dict[str, tuple[str, ...]] = {
    "key": ("key",),
    "slug": ("slug", "name"),
    "identifier": ("code", "key", "slug", "name"),
    "name": ("name", "title", "display_name", "alias"),
    "code": ("code",),
}
_KINDS = {"key": "code", "code": "code", "slug": "slug"}
# Nouns that a parameter of the same name refers to; of others, such as note and content, it holds the text.
_PLACES = frozenset(
    (
        "account subscription organization organisation workspace vault project team mailbox calendar database server "
        "cluster namespace environment company customer supplier warehouse employee department channel board folder "
        "course branch site store session instance device browser wallet catalog schema bucket"
    ).split()
)
_NAMED_SO = ("name", "alias", "slug", "key", "code", "email", "title")
_NEW = re.compile(
    r"\bto (?:add|create|register|assign to the new|give)\b|\bnew\b|\bof the (?:created|resulting)\b|\bwill be\b|"
    r"\bdefault branch\b|\bdescription of\b|\bfree[- ]text\b",
    re.IGNORECASE,
)
_SHOWS = frozenset("get get_many get_or_list find list".split())
_TOUCHES = frozenset(
    (
        "get get_or_list find list count create create_many update update_each status flag delete delete_equal link "
        "unlink copy"
    ).split()
)


@dataclass(frozen=True)
class _Name:
    """One parameter that names a record of `parent`, and the field in which the tool looks for it or keeps it."""

    parameter: str
    field: str
    parent: Entity
    word: str
    """Last word of the parameter; "" where the parameter is the noun itself."""


def join_named(reader: Reader) -> None:
    """Let such parameters take the id or the key of a record that is there, and fields hold its id."""
    shown = {tool.entity for tool in reader.plan.every() if tool.kind in _SHOWS and not tool.derived}
    specs = {tool.name: tool for tool in reader.spec.tools}
    for planned in reader.plan.every():
        if planned.kind in _TOUCHES and not planned.derived and planned.name in specs:
            for found in list(_names(reader, specs[planned.name], planned, shown)):
                _join(reader, planned, found)
    _drop_unused(reader.plan)


def _names(reader: Reader, tool: ToolSpec, planned: ToolPlan, shown: set[str]) -> Iterator[_Name]:
    own = reader.plan.entities.get(planned.entity)
    if own is None:
        return
    kept = {item.parameter: item.field for item in planned.filters if item.kind == "equal"}
    kept = {**planned.fields, **planned.read.same, **planned.lookups, **kept}
    for parameter, name in kept.items():
        known = own.fields.get(name)
        schema = reader.properties(tool).get(parameter)
        if known is None or schema is None or parameter in (planned.key, *planned.parents) or name == own.natural_key:
            continue
        parent, word = _parent(reader.plan, key_of(parameter), shown)
        if parent is None or parent is own or not _holds_text(known, parent) or not _takes(parent, schema):
            continue
        if not _refers(planned, parent, word, about(schema)):
            continue
        yield _Name(parameter, name, parent, word)


def _holds_text(known: Field, parent: Entity) -> bool:
    return known.type == "str" and not known.choices and known.target in ("", parent.table) and not known.format


def _takes(parent: Entity, schema: Mapping[str, Any]) -> bool:
    """Whether a parameter is one text that may be an id of such a record, or a number where ids may be numbers."""
    kinds, pattern = types_of(schema) - {"null"}, schema.get("pattern")
    fits = not isinstance(pattern, str) or fits_pattern(pattern, f"{parent.prefix}0001")
    return fits and "string" in kinds and kinds <= {"string", "integer"}


def _parent(plan: Plan, key: str, shown: set[str]) -> tuple[Entity | None, str]:
    """The entity that a parameter names, and the last word that says by what; (None, "") for no such parameter."""
    stem, _, word = key.rpartition("_")
    if word not in _WORDS:
        stem, word = (key, "") if key in _PLACES else ("", "")
    if not stem:
        return None, ""
    fitting = [noun for noun in plan.entities if noun in shown and stem in (noun, noun.rsplit("_", 1)[-1])]
    found = stem if stem in fitting else fitting[0] if len(fitting) == 1 and word else ""
    parent = plan.entities.get(found)
    return (None, "") if parent is None or parent.implied or parent.single else (parent, word)


def _refers(planned: ToolPlan, parent: Entity, word: str, said: str) -> bool:
    """Whether the words allow that the parameter names a record: a creation may as well be told a new name."""
    if planned.kind not in ("create", "create_many", "update", "update_each"):
        return True
    keys = {key_of(name) for name in parent.fields}
    if _NEW.search(said) or (word in ("name", "code") and not keys & set(_WORDS[word])):
        return False
    return bool(word) or bool(re.search(r"\b(?:name|id|alias|slug|key|email|existing|which)\b", said, re.IGNORECASE))


def _join(reader: Reader, planned: ToolPlan, found: _Name) -> None:
    own, parent = reader.plan.entities[planned.entity], found.parent
    held = [known.name for known in own.fields.values() if known.target == parent.table and known.type != "Json"]
    taken = {*planned.fields.values(), *planned.lookups.values(), *(item.field for item in planned.filters)}
    free = [name for name in held if name not in taken and not own.fields[name].type.startswith("tuple")]
    field = free[0] if len(held) == 1 and free else found.field
    for kept in (planned.fields, planned.lookups, planned.read.same):
        if found.parameter in kept:
            kept[found.parameter] = field
    for item in planned.filters:
        if item.parameter == found.parameter:
            item.field = field
    if field == found.field:
        own.fields[field].target, own.fields[field].kind = parent.table, ""
    planned.parents[found.parameter] = parent.noun
    planned.called[found.parameter] = _called(reader, found)


def _called(reader: Reader, found: _Name) -> tuple[str, ...]:
    """The fields by which the record may be named beside its id; one is made where it has none of them."""
    parent = found.parent
    wanted = _WORDS[found.word] if found.word else _NAMED_SO
    keys = {key_of(name): name for name, known in parent.fields.items() if known.type == "str" and not known.target}
    last = parent.noun.rsplit("_", 1)[-1]
    named = [keys[key] for word in wanted for key in (word, f"{parent.noun}_{word}", f"{last}_{word}") if key in keys]
    if not named and not parent.natural_key:
        add_field(reader, parent, wanted[0], {"type": "string"})
        named = [wanted[0]]
    for name in named:
        known = parent.fields[name]
        if key_of(name).rsplit("_", 1)[-1] in _KINDS and not known.choices:
            known.kind = known.kind or _KINDS[key_of(name).rsplit("_", 1)[-1]]
    return tuple(dict.fromkeys(named))


def _drop_unused(plan: Plan) -> None:
    """A field that only such parameters filled is no part of the record any more."""
    for own in plan.entities.values():
        mine = [tool for tool in plan.every() if tool.entity == own.noun]
        gone = {
            name
            for tool in mine
            for name in tool.called
            if name in own.fields and own.fields[name].target == "" and not _used(mine, name)
        }
        others = {field for tool in plan.every() for fields in tool.called.values() for field in fields}
        for name in gone - others:
            del own.fields[name]


def _used(tools: list[ToolPlan], field: str) -> bool:
    return any(
        field
        in (
            tool.key_field,
            *tool.fields.values(),
            *tool.lookups.values(),
            *tool.read.same.values(),
            *(part for item in tool.filters for part in item.field.split("|")),
            *tool.write.adds.values(),
            *tool.write.strips.values(),
        )
        for tool in tools
    )
