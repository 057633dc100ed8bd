"""The entities of a specification: one per noun that its tools are about, and those that ids only refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services_app.builders.homes import known_front, listed_elsewhere, names_more, settle_nouns, synonyms
from services_app.builders.id_shapes import field_of_key, note_shape, text_of_numbers
from services_app.builders.manners import role_said, with_documented
from services_app.builders.meaning import meaning_of, type_of
from services_app.builders.naming import class_name, python_name
from services_app.builders.natural_keys import is_natural_key, own_name
from services_app.builders.one_table import (
    is_shown,
    names_alike,
    note_other_names,
    refers_back,
    settle_takers,
    told_noun,
)
from services_app.builders.opening import opened
from services_app.builders.other_keys import other_key
from services_app.builders.plan import Entity, Field, Plan
from services_app.builders.roles import Role, is_version, key_of, page_kind, role_of, scalar_choices
from services_app.builders.shapes import shape_of, widen
from services_app.specs.docstrings import with_texts
from services_app.specs.documented import chooses_word, exampled_values
from services_app.specs.model import Specification, ToolSpec
from services_app.specs.said_ids import said_target
from services_app.specs.vocabulary import (
    READS,
    WRITES,
    Reading,
    base_name,
    id_target,
    plural_of,
    read_name,
    shared_prefix,
    singular,
    types_of,
    words_of,
)
from services_app.verification.arguments import resolve

Schema = Mapping[str, Any]
SCALARS = frozenset({"string", "integer", "number", "boolean"})
_TAKE_ONE = frozenset(("get", "update", "delete", "status"))
_AS_ID = re.compile(r"^(?:optional\W+)?(?:the |an? )?(?:unique )?(?:[\w-]+ ){0,2}(?:id|identifier)\b")


@dataclass
class Reader:
    """Working state while a specification is read."""

    spec: Specification
    readings: dict[str, Reading]
    plan: Plan
    by_noun: dict[str, Entity] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    """What ids name by the words of some tool (`one_table`), once it was asked for."""
    _properties: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    _unwrapped: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def properties(self, tool: ToolSpec) -> dict[str, dict[str, Any]]:
        """Parameters with references resolved; the fields of a single wrapping object take its place."""
        known = self._properties.get(tool.name)
        if known is None:
            known = {name: resolve(schema, tool.input_schema) for name, schema in tool.properties.items()}
            known, self._unwrapped[tool.name] = opened(known, tool)
            known = with_texts(tool.description, known)
            reads = self.readings[tool.name].action in READS
            known = {
                name: with_documented(name, schema) if reads or chooses_word(name) else schema
                for name, schema in known.items()
            }
            self._properties[tool.name] = known
        return known

    def kept(self) -> frozenset[str]:
        """Nouns of which some tool lists or makes records: their ids are their own."""
        kinds = ("list", "search", "create")
        return frozenset(reading.noun for reading in self.readings.values() if reading.action in kinds)

    def unwraps(self, tool: ToolSpec) -> tuple[str, ...]:
        self.properties(tool)
        return self._unwrapped[tool.name]

    def required(self, tool: ToolSpec) -> list[str]:
        """Names of the parameters that must be sent, in order; those inside a required wrapper too."""
        properties = self.properties(tool)
        found = [name for name in tool.required if name in properties]
        around: Mapping[str, Any] = tool.input_schema
        for wrapper in self.unwraps(tool):
            asked = wrapper in (around.get("required") or ())
            around = resolve(around["properties"].get(wrapper, {}), tool.input_schema)
            if not asked:
                break
            found += [name for name in around.get("required") or () if name in properties and name not in found]
        return found

    def role(self, tool: ToolSpec, name: str) -> Role:
        """The role of a parameter; a version that must be sent says which things are meant, not which interface."""
        reads = self.readings[tool.name].action in READS
        schema = self.properties(tool)[name]
        role = role_of(name, schema, reads=reads)
        if role == "value" and name not in self.required(tool):
            role = role_said(name, schema, reads=reads)
        return "value" if role == "transport" and is_version(name) and name in self.required(tool) else role

    def values(self, tool: ToolSpec) -> dict[str, dict[str, Any]]:
        """The parameters that carry a value of the application, without transport and presentation."""
        return {name: schema for name, schema in self.properties(tool).items() if self.role(tool, name) == "value"}

    def entity_of(self, tool: ToolSpec) -> Entity | None:
        return self.by_noun.get(self.readings[tool.name].noun)


def read_specification(spec: Specification, given: Mapping[str, Reading] | None = None) -> Reader:
    """Names read, entities found; no tool planned yet. `given` are readings that are known apart from the names."""
    prefix = shared_prefix(tool.name for tool in spec.tools)
    readings = {tool.name: read_name(tool.name, prefix, tool.description) for tool in spec.tools} | dict(given or {})
    reader = Reader(spec, readings, Plan(spec.slug, {}, [], {}))
    for tool in spec.tools:
        readings[tool.name] = _with_noun(reader, tool, prefix)
    settle_nouns(spec.tools, readings, reader.required)
    settle_takers(spec.tools, readings, reader.required)
    for reading in readings.values():
        if reading.action != "other" and reading.noun:
            entity(reader, reading.noun)
    _merge_compounds(reader)
    note_other_names(reader)
    for tool in spec.tools:
        known = reader.entity_of(tool)
        if known is not None and readings[tool.name].action in WRITES:
            known.written = True
    return reader


def _with_noun(reader: Reader, tool: ToolSpec, prefix: str) -> Reading:
    """A reading whose noun is known: where the name has none, the id that is required says what it is about."""
    reading = reader.readings[tool.name]
    if reading.noun.endswith("_delta") and reading.action in READS:  # messages delta: the messages that changed
        words = reading.noun.split("_")[:-1]
        return Reading(reading.verb, "list", "_".join([*words[:-1], singular(words[-1])]), True)
    if reading.noun or reading.action == "other":
        return reading
    targets = [id_target(name, "") for name in (*reader.required(tool), *reader.properties(tool))]
    noun = next((target for target in targets if target), "")
    if not noun and reading.action in ("list", "search"):
        noun = prefix or "result"
    if reading.action == "create" and reading.verb in ("send", "post", "reply", "forward", "broadcast"):
        noun = "reply" if reading.verb == "reply" else "message"
    return Reading(reading.verb, reading.action, noun, reading.plural)


def _merge_compounds(reader: Reader) -> None:
    """`list_ticket_comments` is about comments when only comments can be created."""
    creatable = {r.noun for r in reader.readings.values() if r.action == "create" and r.noun}
    for noun in list(reader.by_noun):
        if noun in creatable:
            continue
        words = noun.split("_")
        shorter = ["_".join(words[start:]) for start in range(1, len(words))]
        found = next((name for name in (*shorter, *synonyms(noun)) if name in creatable), None)
        if found == "group" and _is_group_of(reader, noun):
            continue
        if found is not None and found in reader.by_noun:
            reader.plan.entities.pop(noun, None)
            reader.by_noun[noun] = reader.by_noun[found]


def _is_group_of(reader: Reader, noun: str) -> bool:
    """Whether descriptions speak of an outcome group, outcomes are known, and no parameter names one to lie in."""
    front = noun.removesuffix("_group")
    tools = [tool for tool in reader.spec.tools if reader.readings[tool.name].noun == noun]
    scopes = {target for tool in tools for name in tool.properties if (target := id_target(name, ""))}
    said = any(noun.replace("_", " ") in tool.description.lower() for tool in tools)
    known = front in reader.by_noun and not reader.by_noun[front].implied
    return said and known and not scopes & {front, front.rsplit("_", 1)[-1], *synonyms(front)}


def entity(reader: Reader, noun: str, *, implied: bool = False) -> Entity:
    """The entity of a noun, made when it is new."""
    known = reader.by_noun.get(noun)
    if known is None:
        words = noun.split("_")
        table = python_name("_".join([*words[:-1], plural_of(words[-1])]))
        while any(other.table == table for other in reader.plan.entities.values()):
            table += "_"
        name = class_name(noun)
        while any(other.class_name == name for other in reader.plan.entities.values()):
            name += "Item"
        known = Entity(noun, table, name, implied=implied)
        if implied:
            known.fields["name"] = Field("name", "name", "str", "f.Title")
        reader.by_noun[noun] = reader.plan.entities[noun] = known
    return known


def referred(reader: Reader, target: str) -> Entity:
    """The entity that an id parameter refers to: by noun, by synonym, by last word, else an implied one."""
    if target in reader.by_noun:
        return reader.by_noun[target]
    for noun in synonyms(target):
        if noun in reader.by_noun:
            return reader.by_noun[noun]
    for word in (target.rsplit("_", 1)[-1], target.split("_", 1)[-1]):
        if word in reader.by_noun:
            return reader.by_noun[word]
    ending = [noun for noun in reader.by_noun if noun.endswith(f"_{target}")]
    if len(ending) == 1:
        return reader.by_noun[ending[0]]
    return entity(reader, target, implied=True)


def bare_parent(reader: Reader, tool: ToolSpec) -> str:
    """The noun that a bare `id` stands for when it does not name the tool's own record; "" when it does.

    `update_schedule_override(id, override_id)` and `list_team_members(id)`: the id of the schedule, of the team.
    """
    properties = reader.properties(tool)
    if "id" not in properties:
        return ""
    reading = reader.readings[tool.name]
    words = reading.noun.split("_")
    prefixes = [known_front(reader.by_noun, "_".join(words[:end])) for end in range(len(words) - 1, 0, -1)]
    own = reader.by_noun.get(reading.noun)
    told = said_target(_said(properties["id"]), reading.noun, lambda noun: is_apart(reader, noun, own))
    if told:
        return told
    found = next((noun for noun in prefixes if noun in reader.by_noun and reader.by_noun[noun] is not own), "")
    targets = [id_target(name, "") for name in properties if name != "id"]
    if any(target and (target == reading.noun or reading.noun.endswith(f"_{target}")) for target in targets):
        joined = "_".join(singular(word) for word in re.split(r"_(?:to|from)_", "_".join(words_of(tool.name)))[-1:])
        if joined in reader.by_noun and not reader.by_noun[joined].implied and joined != reading.noun:
            return joined  # add_user_to_document(id, user_id)
        return found or (prefixes[0] if prefixes else f"{reading.noun}_owner")
    if reading.action in ("list", "search", "count", "create") and "id" in reader.required(tool):
        if reading.verb == "get" and listed_elsewhere(tool, reading, reader.readings, reader.spec.tools):
            return ""
        if (
            not found
            and prefixes
            and reading.verb == "get"
            and words[-1] in (heard := words_of(_said(properties["id"])))
        ):
            return prefixes[0] if prefixes[0] in heard else ""
        return found or (prefixes[0] if prefixes else "")
    return ""


def is_apart(reader: Reader, noun: str, own: Entity | None) -> bool:
    """Whether tools are about a noun, and its records are others than the own ones."""
    known = reader.by_noun.get(noun)
    return known is not None and not known.implied and known is not own


def _spoken(reader: Reader, tool: ToolSpec, parameter: str) -> str:
    return " ".join(words_of(_said(reader.properties(tool).get(parameter, {}))))


def _said(schema: Schema) -> str:
    return str(schema.get("description", "")).lower()


def target_of(reader: Reader, tool: ToolSpec, parameter: str, noun: str) -> str | None:
    """The noun that an id parameter names: by its name, or as `channel`, "ID of the conversation to archive"."""
    target = id_target(base_name(parameter), noun)
    if target is not None:
        return target
    key, schema = key_of(parameter), reader.properties(tool).get(parameter, {})
    nouns = [known for known in (key, *synonyms(key)) if known in reader.by_noun and not reader.by_noun[known].implied]
    named = bool(nouns) and types_of(schema) <= {"string", "integer", "null"} and not scalar_choices(schema)
    return nouns[0] if named and _AS_ID.search(_said(schema)) else None


def names_own(reader: Reader, tool: ToolSpec, parameter: str, own: Entity) -> bool:
    """Whether an id parameter names the tool's own entity."""
    target = target_of(reader, tool, parameter, own.noun)
    if parameter == "id" and (of := bare_parent(reader, tool)):
        return reader.by_noun.get(of) is own
    if target is None:
        return False
    if target == own.noun or reader.by_noun.get(target) is own:
        return True
    unknown = target not in reader.by_noun or reader.by_noun[target].implied
    if unknown and f"id of the {own.noun.replace('_', ' ')} " in f"{_spoken(reader, tool, parameter)} ":
        return True
    ends = own.noun.endswith(f"_{target}")
    apart = "id" not in reader.properties(tool) or bare_parent(reader, tool) not in ("", own.noun)
    if ends and not unknown and reader.entity_of(tool) is own and apart:
        return reader.readings[tool.name].action in _TAKE_ONE and own.noun in reader.kept()
    others = any(reader.by_noun.get(noun) is own for noun in synonyms(target))
    if unknown and (ends or others or names_more(own.noun, target)):
        return True
    return (unknown or not is_shown(reader, target)) and names_alike(reader, tool, parameter, target, own)


def key_parameter(reader: Reader, tool: ToolSpec, own: Entity) -> str:
    """The parameter that selects the record: its id, else what names it; "" if there is none.

    Required parameters come first; a tool that takes one of several optional identities gets its id.
    """
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    if "name" in required and (optional := own_name(properties, own)) not in ("", *required):
        return optional
    for names in (required, [name for name in properties if name not in required]):
        own_ids = [name for name in names if names_own(reader, tool, name, own)]
        if own_ids:
            return own_ids[0]
        for name in names:
            if is_natural_key(name, own) and types_of(properties[name]) & SCALARS:
                return name
    single = [name for name in required if types_of(properties[name]) & (SCALARS - {"boolean"})]
    return single[0] if len(single) == 1 and len(required) == 1 and id_target(single[0], "") is None else ""


def field_name(own: Entity, parameter: str) -> str:
    """The field of the entity that a parameter is about: `ticket_title` and `new_title` are `title`."""
    if parameter in own.fields:
        return parameter
    by_key = {key_of(name): name for name in own.fields}
    key = key_of(parameter)
    last = own.noun.rsplit("_", 1)[-1]  # `file_path` of a spec file
    fronts = ("", "new_", f"{own.noun}_", "filter_", f"{last}_")
    for candidate in (key.removeprefix(front) for front in fronts):
        if candidate in by_key:
            return by_key[candidate]
    return parameter


def stored_as(reader: Reader, tool: ToolSpec, own: Entity, parameter: str) -> str:
    """The field under which the value of a parameter is kept."""
    if parameter == "id":
        return field_of_key(own, f"{bare_parent(reader, tool) or own.noun}_id")
    base = base_name(parameter)
    if base != parameter and base not in reader.properties(tool):
        return field_name(own, base)
    known = field_name(own, parameter)
    return parameter if known in reader.properties(tool) else known  # `fileName` beside `file_name`: two fields


def parents(reader: Reader, tool: ToolSpec, own: Entity, names: Iterable[str]) -> dict[str, str]:
    """Id parameters of other entities; one that no tool is about becomes an implied entity."""
    found = {}
    for name in names:
        target = bare_parent(reader, tool) if name == "id" else target_of(reader, tool, name, "")
        if not target or page_kind(name) is not None or names_own(reader, tool, name, own):
            continue
        schema = reader.properties(tool)[name]
        if scalar_choices(schema):  # the schema lists the values: they name no records
            continue
        parent = referred(reader, told_noun(reader, tool, name, target) or target)
        if parent is own and not refers_back(reader, tool, name):
            continue
        note_shape(parent, schema)
        found[name] = parent.noun
    return found


def note_key(reader: Reader, tool: ToolSpec, own: Entity, name: str) -> str:
    """Original name of the field that a key parameter is compared with, apart from the id; "" when it is the id."""
    schema = reader.properties(tool)[name]
    if names_own(reader, tool, name, own) and own.natural_key != name:
        note_shape(own, schema)
        other, kept = other_key(tool, own, name, schema)
        if other and other not in reader.properties(tool):
            add_field(reader, own, other, kept)
            return other
        return ""
    known = stored_as(reader, tool, own, name)
    add_field(reader, own, known, schema)
    return "" if known == own.natural_key else known


def add_field(
    reader: Reader, own: Entity, name: str, schema: Schema, *, target: str = "", filtered: bool = False
) -> None:
    """Give the entity a field (named by `stored_as` or by an object's own property), or add to what is known."""
    known = own.fields.get(name)
    choices = scalar_choices(schema)
    assert name != "id", own.noun
    if known is None:
        kind = type_of(schema)
        known = own.fields[name] = Field(name, python_name(name), kind, meaning_of(name, kind, schema), choices)
        known.format = str(schema.get("format", ""))
    elif known.type != type_of(schema) and not (known.filtered or known.target or known.choices):
        widen(own, known, type_of(schema))
    if known.type == "Json" and known.shape is None:
        known.shape = shape_of(name, schema)
    known.samples = known.samples or exampled_values(schema)
    known.choices = tuple(dict.fromkeys([*known.choices, *choices]))
    known.kind = known.kind or text_of_numbers(known, schema)
    known.filtered = known.filtered or filtered
    if target:
        known.target = reader.by_noun[target].table
