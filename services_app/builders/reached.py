"""New records are found by what tools name them by: the name that is asked for is the name that was given."""

from __future__ import annotations

from services_app.builders.plan import Entity, Field, Plan, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.vocabulary import words_of

_NAMES = ("name", "title", "label", "subject")
_MADE = {"token": "token", "sig": "token", "hash": "token", "sha": "token", "uri": "address", "url": "address"}
_GIVEN = frozenset(("ts", "ref", "id"))
_BY_KEY = frozenset(("get", "get_or_list", "update", "delete", "status", "flag", "copy", "restore"))


def reach_created(plan: Plan) -> None:
    """Let creations give the fields by which other tools of their records look for one."""
    for own in plan.entities.values():
        mine = [tool for tool in plan.every() if tool.entity == own.noun]
        makers = [tool for tool in mine if tool.kind == "create"]
        for name in dict.fromkeys(tool.key_field for tool in mine if tool.kind in _BY_KEY and tool.key_field):
            known = own.fields.get(name)
            if known is not None and makers and not _settled(own, known, makers):
                _reach(plan, own, known, makers)


def _settled(own: Entity, known: Field, makers: list[ToolPlan]) -> bool:
    """Whether the field is given already, or nothing that the caller or the service could give."""
    plain = known.type == "str" and not (known.target or known.choices or known.linked)
    sent = all(known.name in (*tool.fields.values(), *tool.write.moments) for tool in makers)
    return not plain or sent or known.name in (own.natural_key, own.serial)


def _reach(plan: Plan, own: Entity, known: Field, makers: list[ToolPlan]) -> None:
    mine = [tool for tool in plan.every() if tool.entity == own.noun]
    last = words_of(known.name)[-1:]
    if last and (last[0] in _NAMES or key_of(known.name) == own.noun):
        called = {_name_of(own, known, tool) for tool in makers}
        field = next(iter(called)) if len(called) == 1 else ""
        if field and not any({known.name, field} <= _touched(tool) for tool in mine):
            old, new = (field, known.name) if key_of(field) == own.noun else (known.name, field)  # branch_name, branch
            _merge(own, old, new, mine)
            for tool in plan.every():  # what refers to such a record by this name
                for parameter, names in tool.called.items():
                    if tool.parents.get(parameter) == own.noun:
                        tool.called[parameter] = tuple(dict.fromkeys(new if n == old else n for n in names))
        return
    for tool in makers:
        if known.name in tool.fields.values() or known.name in tool.write.keyed or not last:
            continue
        if last[0] in _MADE:
            tool.write.makes[known.name] = _MADE[last[0]]
        elif last[0] in _GIVEN:
            tool.write.keyed = (*tool.write.keyed, known.name)


def _name_of(own: Entity, known: Field, tool: ToolPlan) -> str:
    """The field with the name that a creation gives its record; "" where it gives none."""
    tail = own.noun.rsplit("_", 1)[-1]
    spelled = (f"{own.noun}_name", f"{tail}_name", own.noun, tail, *_NAMES)
    by_key = {key_of(name): name for name in tool.fields.values() if own.fields[name].type == "str"}
    return next((by_key[name] for name in spelled if name in by_key and by_key[name] != known.name), "")


def _touched(tool: ToolPlan) -> set[str]:
    return {tool.key_field, *tool.fields.values(), *tool.lookups.values(), *tool.read.same.values()}


def _merge(own: Entity, old: str, new: str, mine: list[ToolPlan]) -> None:
    """One field where there were two: every tool that means the old one means the new one."""

    def renamed(names: dict[str, str]) -> dict[str, str]:
        return {parameter: new if name == old else name for parameter, name in names.items()}

    for tool in mine:
        tool.key_field = new if tool.key_field == old else tool.key_field
        tool.fields, tool.lookups, tool.read.same = map(renamed, (tool.fields, tool.lookups, tool.read.same))
        tool.read.only = tuple(dict.fromkeys(new if name == old else name for name in tool.read.only))
        tool.write.unique = tuple(dict.fromkeys(new if name == old else name for name in tool.write.unique))
        tool.write.keyed = tuple(name for name in tool.write.keyed if name != old)
        for item in tool.filters:
            item.field = "|".join(dict.fromkeys(new if name == old else name for name in item.field.split("|")))
    own.fields[new].filtered = own.fields[new].filtered or own.fields[old].filtered
    del own.fields[old]
