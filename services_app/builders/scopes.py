"""What a writing tool says about where its record lies, and which parameters are whole values of their own."""

from __future__ import annotations

import re

from services_app.builders.entities import SCALARS, Reader, add_field, names_own, stored_as
from services_app.builders.natural_keys import is_natural_key
from services_app.builders.plan import Entity
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, types_of, words_of

_CONTEXT = frozenset(
    (
        "owner repo repository org organization organisation workspace workspace_id tenant account account_id "
        "subscription resource_group site site_id namespace project_key store region mailbox vault base_id instance "
        "session cluster database schema bucket app controller team_id account_name database_id"
    ).split()
)
# Verbs whose other ids say where the record goes, not where it lies.
_GOES = frozenset("move transfer set assign change replace reschedule put rename".split())
_READ_ONLY = re.compile(r"read-?only|prevent\w*[^.]*(?:chang|modif|edit)|cannot be (?:changed|modified|edited|deleted)")


def identity_names(reader: Reader, own: Entity) -> set[str]:
    """Parameters that tools which only name a record of this kind require."""
    found: set[str] = set()
    for tool in reader.spec.tools:
        reading = reader.readings[tool.name]
        if reader.entity_of(tool) is own and reading.action in ("get", "delete"):
            found |= set(reader.required(tool))
    return found


def scope(reader: Reader, tool: ToolSpec, own: Entity, key: str, found: dict[str, str]) -> dict[str, str]:
    """Parameter -> field of what says where the record lies: its project, its owner, its account.

    `found` are the parameters that name other records, with their entities.
    """
    reading, required = reader.readings[tool.name], reader.required(tool)
    naming = identity_names(reader, own)
    own_key = bool(key) and names_own(reader, tool, key, own)  # then a name is what the record is called from now on
    scopes = {}
    for name, schema in reader.values(tool).items():
        if name == key or not types_of(schema) & SCALARS or "array" in types_of(schema) or found.get(name) == own.noun:
            continue
        lies = name in naming or key_of(name) in _CONTEXT
        lies = lies or (name in required and name in found and reading.verb not in _GOES)
        if not lies or (name not in required and key_of(name) not in _CONTEXT):
            continue
        if names_own(reader, tool, name, own) or (own_key and _renames(reader, tool, name, own)):
            continue
        scopes[name] = scope_field(reader, tool, own, name, found.get(name, ""))
    return scopes


def _renames(reader: Reader, tool: ToolSpec, name: str, own: Entity) -> bool:
    """Whether a parameter of a change is the name that its record gets, though another tool finds it by that."""
    called = key_of(name) in ("name", "title") and is_natural_key(name, own)
    return called and reader.readings[tool.name].action == "update"


def scope_field(reader: Reader, tool: ToolSpec, own: Entity, name: str, target: str) -> str:
    """The field that holds what a parameter names: the one that refers to the same table, when there is just one."""
    schema = reader.properties(tool)[name]
    if target:
        table = reader.by_noun[target].table
        held = [known.name for known in own.fields.values() if known.target == table]
        if len(held) == 1 and name not in own.fields:
            return held[0]
    known = stored_as(reader, tool, own, name)
    add_field(reader, own, known, schema, target=target)
    return known


def change_of_list(reader: Reader, tool: ToolSpec, own: Entity, name: str) -> tuple[str, str] | None:
    """("add" or "remove", field) of a parameter that adds to or takes from a field with several values."""
    schema = reader.properties(tool)[name]
    items = schema.get("items") or {}
    words = words_of(name)
    if "array" not in types_of(schema) or types_of(items) - SCALARS or len(words) < 2:
        return None
    verb = {"add": "add", "added": "add", "append": "add", "remove": "remove", "removed": "remove", "delete": "remove"}
    behind = {**verb, "join": "add", "attach": "add", "leave": "remove", "detach": "remove", "drop": "remove"}
    if words[0] in verb:
        way, stem = verb[words[0]], words[1:]
    elif words[-1] in behind and words[-2] == "to":
        way, stem = behind[words[-1]], words[:-2]
    else:
        return None
    if not stem:
        return None
    names = {_stem_of(known.name): known.name for known in own.fields.values() if known.type.startswith("tuple[")}
    field = names.get(_stem_of("_".join(stem)))
    if field is None:
        field = "_".join(stem) if "_" in name or name.islower() else stem[0] + "".join(map(str.capitalize, stem[1:]))
        if field in own.fields:
            field = f"{field}_added"
        add_field(reader, own, field, {"type": "array", "items": {"type": next(iter(types_of(items)), "string")}})
    return way, field


def _stem_of(name: str) -> str:
    words = [singular(word) for word in words_of(name)]
    return "_".join(word for word in words if word not in ("id", "name")) or name


def locks(tool: ToolSpec) -> bool:
    """Whether a record that this tool locks can be neither changed nor removed."""
    return bool(_READ_ONLY.search(tool.description.lower()))


def aspect_owner(reader: Reader, tool: ToolSpec, own: Entity) -> Entity | None:
    """`set_key_lock(key, lock)`: the entity of which the noun is only an aspect; None when it stands for itself."""
    words = own.noun.split("_")
    users = [other for other in reader.spec.tools if reader.entity_of(other) is own]
    if len(words) < 2 or len(users) > 1 or reader.readings[tool.name].action != "update":
        return None
    for end in range(len(words) - 1, 0, -1):
        owner = reader.by_noun.get("_".join(words[:end]))
        if owner is None or owner is own:
            continue
        naming = identity_names(reader, owner)
        if naming and naming <= set(reader.required(tool)) | {"id"}:
            return owner
    return None


def is_alias(reader: Reader, own: Entity, noun: str) -> bool:
    """Whether an id that names what no tool is about (`workflow_id`) names the tool's own record."""
    other = reader.by_noun[noun]
    if not other.implied or other is own:
        return False
    return any(
        reader.entity_of(tool) is own and reader.readings[tool.name].action in ("get", "list", "search", "create")
        for tool in reader.spec.tools
    )
