"""Parts of a record that no tool reads by themselves: they show with the record in which they lie.

A checklist that is added to a task, a line that is added to an order, a guest that is let into a list: where no tool
lists such things, whoever looks at the task, the order, the list sees them there.
"""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import Block, Entity, Field, Plan, ToolPlan
from services_app.specs.vocabulary import ACTION_OF, plural_of, singular, words_of

_SHOWS = frozenset(("get", "get_many", "get_or_list", "find", "list", "count", "graph"))
_WHOLE = ("get", "get_or_list", "find")
_PAIRS = frozenset(("link", "unlink"))
_GROWS = frozenset(("create", "create_many", "link", "unlink", "delete", "delete_many", "delete_equal"))
_BESIDE = frozenset("by id ids details detail info details single current my me the a an slug name key".split())
# What goes out and lies nowhere, and what changes the content of a document.
_GONE = frozenset(
    "email sms push message notification invite ping proof request token session export text csv markdown event".split()
)
_TABLE = re.compile(r"\bstate\.(\w+)")
_TIES = {
    "attach": "attachments", "subscribe": "subscriptions", "assign": "assignments", "associate": "associations",
    "add": "additions",
}  # fmt: skip


def show_held(reader: Reader) -> None:
    """Let what reads a record show the parts that would be seen nowhere else."""
    plan = reader.plan
    seen = _seen(plan)
    for own in list(plan.entities.values()):
        if own.noun in seen or own.single or own.noun.rsplit("_", 1)[-1] in _GONE:
            continue
        for field, owner in _owners(reader, own):
            for tool in _shown_by(reader, owner):
                name = _name(plan, own, owner, field)
                tool.read.blocks.append(Block("", "", name, "rows", noun=own.noun, field=field.name))
            _untie(plan, own, owner)


def _seen(plan: Plan) -> set[str]:
    """Nouns whose records some tool shows."""
    nouns = {tool.entity for tool in plan.every() if tool.kind in _SHOWS}
    nouns |= {noun for tool in plan.every() for noun in tool.lists.values()}
    nouns |= {block.noun for tool in plan.every() for block in tool.read.blocks if block.noun}
    written = [line for tool in plan.every() if tool.kind == "written" for line in tool.body]
    tables = {table for line in written for table in _TABLE.findall(line)}
    return nouns | {own.noun for own in plan.entities.values() if own.table in tables}


def _owners(reader: Reader, own: Entity) -> list[tuple[Field, Entity]]:
    """The fields by which such a record lies in others that tools show: both ends of a pair, else the nearest one."""
    plan = reader.plan
    writes = [tool for tool in plan.every() if tool.entity == own.noun]
    plain = any(tool.write.ties for tool in writes) and not any(tool.fields for tool in writes if tool.kind == "link")
    if plain or not any(tool.kind in _GROWS for tool in writes):  # each end lists the ids of the other: that is all
        return []
    by_table = {other.table: other for other in plan.entities.values()}
    needed = {tool.name: reader.required(tool) for tool in reader.spec.tools}
    found: dict[str, tuple[Field, Entity]] = {}
    for tool in writes:
        for parameter, name in {**tool.fields, **tool.lookups}.items():
            field = own.fields.get(name)
            owner = by_table.get(field.target) if field is not None and field.type in ("str", "int") else None
            if field is None or owner is None or owner is own or parameter not in needed.get(tool.name, ()):
                continue
            found[name] = (field, owner)
    owners = list(found.values())
    inner = [pair for pair in owners if not any(_lies_in(other, pair[1]) for _, other in owners)] or owners
    shown = [pair for pair in inner if _shown_by(reader, pair[1])]
    return shown if _is_pair(plan, own) else shown[-1:] if len(shown) == len(inner) else []


def _is_pair(plan: Plan, own: Entity) -> bool:
    return any(tool.kind in _PAIRS for tool in plan.every() if tool.entity == own.noun)


def _lies_in(inner: Entity, outer: Entity) -> bool:
    return inner is not outer and any(known.target == outer.table for known in inner.fields.values())


def _shown_by(reader: Reader, owner: Entity) -> list[ToolPlan]:
    """The tools that show all of such a record and nothing else: those that get one, else those that list them."""
    mine = [
        tool
        for tool in reader.plan.tools
        if tool.entity == owner.noun
        and not (tool.read.part or tool.derived or tool.wrap == "fit")
        and _is_about(reader, tool, owner)
    ]
    return [tool for tool in mine if tool.kind in _WHOLE] or [tool for tool in mine if tool.kind == "list"]


def _is_about(reader: Reader, tool: ToolPlan, owner: Entity) -> bool:
    """Whether the name of a tool speaks of the record and of nothing that belongs to it."""
    own = set(owner.noun.split("_"))
    reading = reader.readings.get(tool.name)
    verb = reading.verb if reading else ""
    shared = set(words_of(reader.spec.tools[0].name)[:1])
    words = {singular(word) for word in words_of(tool.name)} - own - _BESIDE - shared - {verb}
    return verb in ("get", "list", "retrieve", "read", "fetch", "show", "describe", "") and not words - set(ACTION_OF)


def _name(plan: Plan, own: Entity, owner: Entity, field: Field) -> str:
    """task_attachments of a task are its attachments; of pairs, what is at the other end."""
    words = [word for word in own.noun.split("_") if word not in owner.noun.split("_")] or own.noun.split("_")
    if not _is_pair(plan, own):
        return "_".join([*words[:-1], plural_of(words[-1])])
    words, verb = words[:-1], words[-1]
    others = [known.target for known in own.fields.values() if known.target and known.target != owner.table]
    if len(others) == 1:
        return others[0].rstrip("_")
    return "_".join([*words[:-1], plural_of(words[-1])]) if words else _TIES.get(verb, plural_of(verb))


def _untie(plan: Plan, own: Entity, owner: Entity) -> None:
    """Where the pairs show in a record, it keeps no second list of the other ends."""
    for tool in plan.every():
        if tool.entity == own.noun:
            gone = {tie[2] for tie in tool.write.ties if tie[1] == owner.noun}
            tool.write.ties = tuple(tie for tie in tool.write.ties if tie[1] != owner.noun)
            for name in gone - _used(plan, owner):
                owner.fields.pop(name, None)


def _used(plan: Plan, owner: Entity) -> set[str]:
    """Fields of a record that some tool sets, or asks by."""
    mine = [tool for tool in plan.every() if tool.entity == owner.noun]
    names = {name for tool in mine for name in (*tool.fields.values(), *tool.lookups.values(), *tool.read.only)}
    names |= {name for tool in mine for name in (*tool.write.adds.values(), *tool.write.strips.values())}
    names |= {name for tool in mine for item in tool.filters for name in item.field.split("|")}
    ties = {tie[2] for tool in plan.every() for tie in tool.write.ties if tie[1] == owner.noun}
    return names | ties | {tool.key_field for tool in mine}
