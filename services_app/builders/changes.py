"""Rules for changes: which field a parameter of a change sets, on the record, its owner, or the only one there is."""

from __future__ import annotations

import re

from services_app.builders.entities import (
    Reader,
    add_field,
    bare_parent,
    field_name,
    key_parameter,
    names_own,
    stored_as,
    target_of,
)
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.builders.scopes import change_of_list, is_alias, locks, scope
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, types_of, words_of

_NAMING = "(?:timestamp|identifier|id|number|key|path|index)"
_NEW = frozenset("new target destination to owner".split())


def chooses_active(own: Entity) -> bool:
    return own.noun.split("_")[0] in ("active", "current", "default", "selected", "primary")


def plan_setting(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> ToolPlan | str:
    """set_language(language), set_active_board(board_id): a setting, not a record."""
    words = own.noun.split("_")
    if names_own(reader, tool, key, own):
        board = reader.by_noun.get("_".join(words[1:]))
        if board is None or board is own:
            return "nothing is said about what is changed"
        planned = ToolPlan(tool.name, "update", own.noun, parents={key: board.noun})
        known = f"{board.noun}_id"
        add_field(reader, own, known, reader.properties(tool)[key], target=board.noun)
    else:
        if own.natural_key == field_name(own, key):
            own.natural_key = ""
        planned = ToolPlan(tool.name, "update", own.noun)
        known = stored_as(reader, tool, own, key)
        add_field(reader, own, known, reader.properties(tool)[key])
    planned.fields[key] = known
    own.single = True
    return planned


def plan_changed(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan, name: str) -> None:
    """Give one parameter of a change its work."""
    schema = reader.properties(tool)[name]
    way = change_of_list(reader, tool, own, name)
    if way is not None:
        (planned.write.adds if way[0] == "add" else planned.write.strips)[name] = way[1]
        return
    known = _destination(reader, tool, own, name) or _renewed(reader, tool, own, name, refers=name in planned.parents)
    known = known or stored_as(reader, tool, own, name)
    new = key_of(name) in ("new_name", f"new_{key_of(planned.key_field)}")
    if new and reader.readings[tool.name].verb == "rename":  # rename_table(table_name, new_name)
        known = planned.key_field or own.natural_key or known
    if known == own.natural_key:
        planned.write.rename = name
        return
    add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
    planned.fields[name] = known
    if own.fields[known].type == "bool" and key_of(name) in ("lock", "locked", "is_locked") and locks(tool):
        own.lock, planned.write.marks_locked = known, True


def _destination(reader: Reader, tool: ToolSpec, own: Entity, name: str) -> str:
    """move_task(target_workspace_id): the field with the workspace, as the other tools call it; "" for none."""
    words = words_of(name)
    if reader.readings[tool.name].verb != "move" or words[0] not in ("target", "destination", "new", "to"):
        return ""
    wanted = "_".join(words[1:])
    others = [known for t in reader.spec.tools if reader.entity_of(t) is own for known in reader.properties(t)]
    found = [known for known in (*own.fields, *others) if key_of(known) == wanted]
    return found[0] if found and found[0] not in reader.properties(tool) and wanted != "id" else ""


def _renewed(reader: Reader, tool: ToolSpec, own: Entity, name: str, *, refers: bool) -> str:
    """rename_item(item_id, newName): the name that the item has, not another field; "" for a value of another kind."""
    first, *rest = words_of(name)
    schema = reader.properties(tool)[name]
    others = {key_of(other) for other in reader.properties(tool)}
    if first != "new" or not rest or "boolean" in types_of(schema) or "_".join(rest) in {*others, "id"}:
        return ""
    held = next((known for known in own.fields if key_of(known) == "_".join(rest)), "")
    camel = "_" not in name and name != name.lower()
    if held or refers:
        return held
    return rest[0] + "".join(map(str.capitalize, rest[1:])) if camel else "_".join(rest)


_WHO = frozenset("assignee owner user account agent reviewer person responsible".split())
_PEOPLE = frozenset("user member account agent person contact team group role employee".split())


def assigns_one(reader: Reader, tool: ToolSpec, own: Entity) -> bool:
    """assign_issue(issue_id, assignee): who is responsible for a record is a field of it, and one takes over."""
    key = key_parameter(reader, tool, own)
    others = [name for name in reader.values(tool) if name != key]
    who = [
        name for name in others if _WHO & set(words_of(name)) and types_of(reader.properties(tool)[name]) & {"string"}
    ]
    plain = own.noun.rsplit("_", 1)[-1] not in _PEOPLE and not own.noun.startswith("self")
    return plain and bool(key) and reader.readings[tool.name].verb == "assign" and others == who and len(who) == 1


def owned_settings(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> ToolPlan | str:
    """set_channel_topic(channel_id, topic): the field belongs to the parent that the required id names."""
    owners = [name for name in reader.required(tool) if name in planned.parents]
    alone = set(planned.fields) <= set(owners)
    owners = _by_rank(owners, alone)
    owner = reader.by_noun[planned.parents[owners[-1]]]
    if is_alias(reader, own, planned.parents[owners[-1]]):
        planned.lookups = {name: planned.fields.pop(name) for name in owners if name in planned.fields}
        return planned if planned.fields else "nothing is said about what is changed"
    if "array" in types_of(reader.properties(tool)[owners[-1]]):
        return f"no rule changes several records at once by {owners[-1]}"
    naming = _kept_apart(reader, tool, own, owners)
    if naming:
        planned.lookups = {name: planned.fields.pop(name) for name in sorted(naming) if name in planned.fields}
        puts = reader.readings[tool.name].verb in ("set", "put", "replace")
        if puts and any(name in reader.required(tool) for name in planned.fields):
            planned.kind = "link"  # set for what has none yet, too
        return planned if planned.fields else "nothing is said about what is changed"
    if _made(reader, tool, own):
        return "no required parameter names the record that is changed"
    changed = ToolPlan(tool.name, "update", owner.noun, key=owners[-1])
    changed.parents = {name: noun for name, noun in planned.parents.items() if name != owners[-1]}
    changed.lookups = scope(reader, tool, owner, owners[-1], changed.parents)
    news = [name for name in owners[:-1] if _NEW & set(words_of(name))]
    if not news and alone and reader.readings[tool.name].verb in ("transfer", "change", "set", "assign", "move"):
        news = owners[:-1]  # transfer_filter_ownership(id, account_id)
    changed.lookups = {name: known for name, known in changed.lookups.items() if name not in news}
    for name in planned.fields:
        if name in news or (name not in owners and name not in changed.lookups):
            plan_changed(reader, tool, owner, changed, name)
    owner.written = True
    return changed if changed.fields or changed.write.adds else "nothing is said about what is changed"


def _by_rank(owners: list[str], alone: bool) -> list[str]:
    """The last one is what is changed: the bare id; where all are ids, one that is no new owner or place."""
    ranked = sorted(owners, key=lambda name: name == "id")
    return sorted(ranked, key=lambda name: not _NEW & set(words_of(name))) if alone else ranked


def _kept_apart(reader: Reader, tool: ToolSpec, own: Entity, owners: list[str]) -> set[str]:
    """Parameters by which another tool reads the one record of this kind: the course of its late policy."""
    mine = {id_target(name, "") or bare_parent(reader, tool) for name in owners}
    for other in reader.spec.tools:
        if other is tool or reader.entity_of(other) is not own or reader.readings[other.name].action != "get":
            continue
        asked = set(reader.required(other))
        ids = [name for name in asked if id_target(name, own.noun)]
        under = {id_target(name, "") or bare_parent(reader, other) for name in ids}
        if any(names_own(reader, other, name, own) for name in asked):
            continue
        if asked and asked <= set(reader.required(tool)):
            return asked
        if under and under <= mine:
            return set(owners)
    return set()


def said_key(reader: Reader, tool: ToolSpec, own: Entity) -> str:
    """The parameter that names the record by its words, "The timestamp of the message to delete"; "" for none."""
    noun = own.noun.replace("_", " ")
    said = re.compile(rf"\b{_NAMING}\b[^.]{{0,12}} of (?:the|an?) {noun} (?:to|being|that)\b")
    for name, schema in reader.values(tool).items():
        scalar = bool(types_of(schema) & {"string", "integer", "number"}) and "array" not in types_of(schema)
        if scalar and target_of(reader, tool, name, "") is None and said.search(about(schema).lower()):
            return name
    return ""


def _made(reader: Reader, tool: ToolSpec, own: Entity) -> bool:
    """Whether another tool makes records of this kind: then they are no part of what they lie in."""
    return any(
        other is not tool and reader.entity_of(other) is own and reader.readings[other.name].action == "create"
        for other in reader.spec.tools
    )
