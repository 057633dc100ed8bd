"""Rules for tools that create, change, remove and copy records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.builders.changes import (
    chooses_active,
    owned_settings,
    plan_changed,
    plan_setting,
    said_key,
)
from services_app.builders.entities import (
    SCALARS,
    Reader,
    add_field,
    bare_parent,
    field_name,
    key_parameter,
    names_own,
    note_key,
    parents,
    stored_as,
)
from services_app.builders.id_shapes import note_shape
from services_app.builders.nested import plan_nested
from services_app.builders.plan import Entity, Field, ToolPlan
from services_app.builders.prose import takes_commas
from services_app.builders.reads import plan_many
from services_app.builders.roles import key_of
from services_app.builders.said_values import said_default, said_moment
from services_app.builders.scopes import aspect_owner, scope
from services_app.builders.several import plan_each_own
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, types_of, words_of
from services_app.verification.arguments import example

_FROM_NOTHING = frozenset(
    (
        "session draft sandbox game wallet token snapshot backup code invite invitation conversation thread chat link "
        "account key file document note notebook canvas scene project tab window database instance order cart basket "
        "checkpoint event game room board ticket worksheet sheet"
    ).split()
)
_UPSERT = re.compile(
    r"\b(upsert\w*|creates? or (?:updates?|replaces?|overwrites?|edits?)|(?:updates?|replaces?) or creates?|"
    r"creat(?:e|es|ed|ing),? or updat\w*|creates?/updates?|adds? or updates?|inserts? or updates?)\b"
)
_CASCADE = re.compile(
    r"\b(and (?:all|any)(?: of)? (?:its|their|the|associated|related|contained)|"
    r"(?<!from )all (?:its|associated|related)|along with|(?<!never )cascade\w*|including all|together with|"
    r"as well as all|and everything)\b"
)
_WHOLE = re.compile(
    r"\b(?:full(?:y|ly)? (?:replac\w+)|replaces? (?:all (?:of )?)?the (?:entire )?contents?|"
    r"replaces? the (?:entire|whole) \w+|not a partial update)\b",
    re.IGNORECASE,
)
_PARTIAL = re.compile(r"\b(?:unchanged|untouched|preserved|partial(?:ly)? update|only (?:the )?fields)\b", re.I)
_ALL = frozenset("all clear empty flush drain purge reset everything".split())
_HEIR = re.compile(
    r"(?:^|_)(?:move|reassign|replace|swap|transfer|merge)\w*_to(?:_|$)|^(?:move|swap|reassign)_|"
    r"^(?:replace_with|replacement|reassign|reassignment_\w+)$"
)
_FOR_GOOD = re.compile(r"^(?![^.]*\btrash)\W*(?:immediately and )?permanently (?:deletes?|removes?)\b")
ANSWERS = {"reply": "in_reply_to_id", "respond": "in_reply_to_id", "forward": "forwarded_from_id"}
_RESTORES = frozenset(("restore", "untrash", "undelete", "recover", "unarchive"))


def plan_create(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """A new record with the fields that are sent; several when one array of objects is asked for."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    if not properties and own.noun.rsplit("_", 1)[-1] not in _FROM_NOTHING:
        return "a record is created from nothing: the tool has no parameters"
    nested = plan_nested(reader, tool, own, "create")
    if nested is not None:
        return nested
    planned = ToolPlan(tool.name, "create", own.noun)
    planned.parents = parents(reader, tool, own, list(properties))
    planned.write.upserts = upserts(reader, tool)
    for name, schema in properties.items():
        known = stored_as(reader, tool, own, name)
        if name in required and (refers := _answers(reader, tool, own, name)):
            known, planned.parents[name] = refers, own.noun
        elif names_own(reader, tool, name, own) and own.natural_key != name:
            if "array" in types_of(schema):
                return f"no rule says what {name} does when a record is created"
            if name in required and not own.natural_key:
                known = own.natural_key = f"{own.noun}_id" if name == "id" else name
            elif name not in required:
                chosen = "string" in types_of(schema) or planned.write.upserts
                if not _read_only(schema) and not own.natural_key and chosen:
                    planned.write.own_id = planned.write.own_id or name
                    note_shape(own, schema)
                continue  # "read-only" ids offered in the body are given by the server
        add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
        planned.fields[name] = known
        needed = name in required or name in planned.parents
        _note_default(planned, name, own.fields[known], schema, needed=needed)
    _keep_idempotency(reader, tool, own, planned)
    if planned.fields or planned.write.own_id or not properties:
        return planned
    return "a record is created from nothing but ids that the server gives"


def _answers(reader: Reader, tool: ToolSpec, own: Entity, name: str) -> str:
    """reply_to_comment(comment_id): the field of the new comment with the one that is there already; "" for none."""
    verb = next((word for word in words_of(tool.name) if word in ANSWERS), "")
    target = id_target(name, own.noun)
    mine = names_own(reader, tool, name, own) or bool(target and own.noun.endswith(f"_{target}"))
    if not verb or not mine or "array" in types_of(reader.properties(tool)[name]):
        return ""
    note_shape(own, reader.properties(tool)[name])
    return ANSWERS[verb]


def upserts(reader: Reader, tool: ToolSpec) -> bool:
    """Whether a creation changes a record that is there already, by its name or its words."""
    words = words_of(tool.name)
    said = "upsert" in words or "put" in words[:2] or ("or" in words and bool({"update", "replace"} & set(words)))
    return said or bool(_UPSERT.search(tool.description[:400].lower()))


def _read_only(schema: Mapping[str, Any]) -> bool:
    return bool(schema.get("readOnly")) or "read-only" in str(schema.get("description", "")).lower()


def _keep_idempotency(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """The same idempotency key gives the same record and no second one."""
    for name, schema in reader.properties(tool).items():
        if key_of(name) in ("idempotency_key", "client_token", "client_request_id", "client_request_token"):
            add_field(reader, own, name, {"type": "string", **schema})
            planned.fields[name] = planned.write.once = name


_TYPES: dict[str, Any] = {"bool": bool, "int": int, "float": (int, float), "str": str}


def _note_default(planned: ToolPlan, name: str, known: Field, schema: Mapping[str, Any], *, needed: bool) -> None:
    """The value that a field of a new record has, by the schema or the words, where none is sent."""
    value, moment = said_default(schema), said_moment(name, schema)
    if _usable_default(schema):
        planned.defaults[name] = schema["default"]
    elif needed:
        return
    elif value is not None and isinstance(value, _TYPES.get(known.type, ())):
        planned.defaults[name] = value
    elif moment:
        planned.write.moments[known.name] = moment


def _usable_default(schema: Mapping[str, Any]) -> bool:
    value = schema.get("default")
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    choices = schema.get("enum")
    fits = kinds.get(type(value)) in types_of(schema) or (type(value) is int and "number" in types_of(schema))
    return value not in (None, "") and fits and (not choices or value in choices)


def plan_change(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Sets what was sent on the record that the key names, or on the only record there is."""
    nested = plan_each_own(reader, tool, own) or plan_nested(reader, tool, own, "update")
    if nested is not None:
        return nested
    if reader.readings[tool.name].plural and reader.readings[tool.name].verb in ("grade", "rate", "revise"):
        return "no rule changes several records at once"
    aspect = None if bare_parent(reader, tool) else aspect_owner(reader, tool, own)
    own = aspect or own
    properties = reader.values(tool)
    key = key_parameter(reader, tool, own) or said_key(reader, tool, own)
    own_key = names_own(reader, tool, key, own) if key else False
    if key and len(properties) == 1 and (not own_key or chooses_active(own)):
        return plan_setting(reader, tool, own, key)
    if key and aspect is None and _puts(reader, tool, own, key):
        return _plan_put(reader, tool, own)
    several = bool(key) and ("array" in types_of(properties[key]) or (own_key and takes_commas(properties[key])))
    planned = ToolPlan(tool.name, "update_each" if several else "update", own.noun, key=key)
    if key:
        planned.key_field = note_key(reader, tool, own, key) if not several else _many_field(reader, tool, own, key)
    planned.parents = parents(reader, tool, own, [name for name in properties if name != key])
    planned.lookups = scope(reader, tool, own, key, planned.parents) if key else {}
    _plan_values(reader, tool, own, planned)
    if not (planned.fields or planned.write.adds or planned.write.strips or planned.write.rename):
        if not planned.lookups:
            return "nothing is said about what is changed"
        planned.fields, planned.lookups = planned.lookups, {}
    planned.write.whole = replaces_whole(tool) and not several
    if not key:
        placed = next((name for name in planned.fields if key_of(name).rsplit("_", 1)[-1] == "index"), "")
        if placed in reader.required(tool):
            return f"{placed} says which {own.noun.replace('_', ' ')} is changed by its place, and nothing keeps places"
        if any(name in planned.parents for name in reader.required(tool)):
            return owned_settings(reader, tool, own, planned)
        own.single = True
    return planned


def _plan_values(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """Give each parameter that neither names the record nor says where it lies its work."""
    keyed = planned.key not in ("", "id") and names_own(reader, tool, planned.key, own)
    for name in reader.values(tool):
        if name == "id" and keyed and name not in tool.properties:  # in the body, beside the key
            planned.parents.pop(name, None)
            planned.inert[name] = "read-only: the service gives it"
        elif name != planned.key and name not in planned.lookups:
            plan_changed(reader, tool, own, planned, name)


def replaces_whole(tool: ToolSpec) -> bool:
    """Whether a change replaces all that the record holds, by its description."""
    said = _WHOLE.search(tool.description)
    partial = _PARTIAL.search(tool.description)
    return said is not None and (partial is None or "not a partial" in tool.description.lower())


def _puts(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> bool:
    """kv_set(key, value): where nothing else makes such records, setting one makes it."""
    made = any(
        reader.readings[other.name].action == "create" and reader.entity_of(other) is own for other in reader.spec.tools
    )
    verb = reader.readings[tool.name].verb
    naming = words_of(key)[-1] in ("key", "name", "slug", "path", "code", "id")
    return (
        verb in ("set", "put")
        and naming
        and not made
        and bool(own.natural_key)
        and field_name(own, key) == own.natural_key
    )


def _plan_put(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan:
    """The record of that name is changed, or made when there is none."""
    planned = ToolPlan(tool.name, "create", own.noun)
    planned.parents = parents(reader, tool, own, list(reader.values(tool)))
    planned.write.upserts = True
    for name, schema in reader.values(tool).items():
        known = stored_as(reader, tool, own, name)
        add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
        planned.fields[name] = known
    return planned


def _many_field(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> str:
    found = plan_many(reader, tool, own, "update_each", key)
    return found.key_field if isinstance(found, ToolPlan) else ""


def plan_delete(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Removes the record that the key names, several, those that equal what was sent, or all."""
    own = _without_manner(reader, own)
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    nested = plan_nested(reader, tool, own, "delete")
    if nested is not None:
        return nested
    key = key_parameter(reader, tool, own) or said_key(reader, tool, own)
    many = [name for name in required if "array" in types_of(properties[name])]
    if not key and len(many) == 1:
        key = many[0]
    if key and ("array" in types_of(properties[key]) or takes_commas(properties[key])):
        several = plan_many(reader, tool, own, "delete_many", key)
        return _with_removal(reader, tool, own, several) if isinstance(several, ToolPlan) else several
    if not key:
        return _plan_delete_equal(reader, tool, own, required)
    planned = ToolPlan(tool.name, "delete", own.noun, key=key, key_field=note_key(reader, tool, own, key))
    found = parents(reader, tool, own, [name for name in properties if name != key])
    planned.parents = {name: noun for name, noun in found.items() if name in required}
    planned.lookups = scope(reader, tool, own, key, planned.parents)
    return _with_removal(reader, tool, own, planned)


def _without_manner(reader: Reader, own: Entity) -> Entity:
    """delete_member_permanent: the entity without the word that says how."""
    noun, _, manner = own.noun.rpartition("_")
    return reader.by_noun.get(noun, own) if manner in ("permanent", "permanently", "forever", "completely") else own


def _with_removal(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> ToolPlan:
    """What else happens when a record is removed: it may come back, never again, or not alone."""
    words, said = words_of(tool.name), tool.description.lower()
    gone = "permanent" in words or (_FOR_GOOD.match(said) and _trashes(reader, own))
    planned.write.cascade = bool(_CASCADE.search(said))
    planned.write.final = "permanent" in words and bool(re.search(r"cannot be (?:re-?(?:imported|added)|added)", said))
    planned.write.trash = not planned.write.final and not gone and _comes_back(reader, own)
    if planned.write.final:
        known = planned.key_field or own.natural_key
        own.barred = tuple(dict.fromkeys([*([known] if known else []), *planned.lookups.values()]))
    for name, schema in reader.values(tool).items():
        if name != planned.key and _HEIR.search(key_of(name)) and types_of(schema) & SCALARS:
            planned.write.heir = planned.write.heir or name
            planned.lookups.pop(name, None)
            planned.parents.pop(name, None)
    heir = planned.write.heir
    if heir and planned.kind == "delete" and not (planned.parents or planned.key_field or own.natural_key):
        one, two = (1, 2) if own.integer_id else (f"{own.prefix}0001", f"{own.prefix}0002")
        made = {name: example(schema, tool.input_schema, name=name) for name, schema in properties_asked(reader, tool)}
        planned.examples = ({**made, planned.key: one, heir: two}, {**made, planned.key: two, heir: one})
    return planned


def properties_asked(reader: Reader, tool: ToolSpec) -> list[tuple[str, Mapping[str, Any]]]:
    """The parameters that must be sent, with their schemas."""
    return [(name, reader.properties(tool)[name]) for name in reader.required(tool)]


def _comes_back(reader: Reader, own: Entity) -> bool:
    return any(
        reader.readings[tool.name].verb in _RESTORES - {"unarchive"} and reader.entity_of(tool) is own
        for tool in reader.spec.tools
    )


def _trashes(reader: Reader, own: Entity) -> bool:
    """Whether another tool moves such records to a trash, from which they come back."""
    return any(
        reader.readings[tool.name].action == "delete"
        and reader.entity_of(tool) is own
        and ("trash" in words_of(tool.name) or "trash" in tool.description.lower())
        and not _FOR_GOOD.match(tool.description.lower())
        for tool in reader.spec.tools
    )


def _plan_delete_equal(reader: Reader, tool: ToolSpec, own: Entity, required: list[str]) -> ToolPlan | str:
    """remove_team_member(team_id, user_id): the record is named by all that it holds. clear_basket(): all go."""
    properties = reader.values(tool)
    if not required and own.single is False and not _clears(reader, tool):
        return "a record is deleted, but no required parameter names it"
    if any(not types_of(properties[name]) & SCALARS for name in required):
        return "a record is deleted, but no required parameter names it"
    planned = ToolPlan(tool.name, "delete_equal" if required else "clear", own.noun)
    planned.parents = parents(reader, tool, own, required)
    for name in required or [name for name, schema in properties.items() if types_of(schema) & SCALARS]:
        known = stored_as(reader, tool, own, name)
        add_field(reader, own, known, properties[name], target=planned.parents.get(name, ""), filtered=True)
        planned.lookups[name] = known
    return planned


def _clears(reader: Reader, tool: ToolSpec) -> bool:
    reading = reader.readings[tool.name]
    return bool(_ALL & set(words_of(tool.name))) or (reading.plural and "criteria" in words_of(tool.name))


def plan_copy(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """A new record with the fields of another, apart from what was sent."""
    properties = reader.values(tool)
    key = key_parameter(reader, tool, own) or _source(reader, tool, own)
    if not key or own.natural_key or "array" in types_of(properties[key]):
        return "a record is copied, but no id names it"
    planned = ToolPlan(tool.name, "copy", own.noun, key=key)
    planned.key_field = note_key(reader, tool, own, key) if names_own(reader, tool, key, own) else ""
    planned.parents = parents(reader, tool, own, [name for name in properties if name != key])
    for name, schema in properties.items():
        if name != key:
            known = stored_as(reader, tool, own, name)
            add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
            planned.fields[name] = known
    return planned


def _source(reader: Reader, tool: ToolSpec, own: Entity) -> str:
    """copy_checklist(source_checklist_id, ...): the id of what is copied."""
    for name in reader.required(tool):
        words = words_of(name)
        if words[0] in ("source", "from", "original", "src", "template") and name in reader.values(tool):
            target = id_target("_".join(words[1:]), own.noun)
            if target and reader.by_noun.get(target) is own:
                return name
    return ""


def choose_natural_keys(reader: Reader) -> None:
    """What names a record is its id where every tool that takes one record takes that, and creation requires it."""
    for own in {id(known): known for known in reader.by_noun.values()}.values():
        tools = [tool for tool in reader.spec.tools if reader.entity_of(tool) is own]
        takers = [t for t in tools if reader.readings[t.name].action in ("get", "update", "delete", "status", "copy")]
        keyed = [(tool, key) for tool in takers if (key := key_parameter(reader, tool, own))]
        keys = [key for _, key in keyed]
        if not keys or any(names_own(reader, tool, key, own) for tool, key in keyed):
            continue
        names = {field_name(own, key) for key in keys}
        creators = [tool for tool in tools if reader.readings[tool.name].action == "create"]
        required = [{field_name(own, name) for name in reader.required(tool)} for tool in creators]
        for key in keys:
            known = field_name(own, key)
            schema = reader.properties(next(t for t in takers if key in reader.properties(t)))[key]
            if "array" in types_of(schema) or takes_commas(schema) or not types_of(schema) & SCALARS:
                continue
            if len(names) == 1 and all(known in wanted for wanted in required) and id_target(known, "") is None:
                add_field(reader, own, known, schema)
                own.natural_key = known
                break
