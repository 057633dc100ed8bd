"""The body of each kind of tool that writes, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services_app.builders.body_parts import (
    columns,
    dry,
    each,
    new_stamps,
    opened,
    picked,
    returned,
    table_of,
    told_of,
    update_stamps,
)
from services_app.builders.plan import Entity, Plan, ToolPlan


def _found(tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that find the one record: by its key, or by all that was sent; it must lie where the caller says."""
    names = columns(entity, tool.lookups)
    if tool.key and tool.key_field and names:
        within = {tool.key: entity.fields[tool.key_field].python, **names}
        yield f"record = pick_within({table_of(entity)}, args, {within!r})"
    elif tool.key:
        yield f"record = {picked(tool, entity)}"
        if names:
            yield f"record = owned(record, args, {names!r})"
    elif names:
        yield f"record = first_of(equal({table_of(entity)}, args, {names!r}), {table_of(entity)})"
    else:
        yield f"record = only({table_of(entity)})"
    if tool.write.version:
        yield f"refuse_stale(record, args.get({tool.write.version!r}))"
    if entity.lock and not tool.write.marks_locked:
        yield f"refuse_locked(record, {entity.fields[entity.lock].python!r})"
    for recipe, name, *given in tool.write.guards:
        yield f"{recipe}(record, {', '.join(map(repr, (entity.fields[name].python, *given)))})"


def _patched(entity: Entity, tool: ToolPlan, changes: str) -> str:
    stamps = "".join(f", {python}={moment}" for python, moment in update_stamps(entity, tool))
    return f"{table_of(entity)}.patch(record.id, **{changes}{stamps})"


def _create(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    rows, names = table_of(entity), columns(entity, tool.fields)
    sent = f"{{**{tool.defaults!r}, **args}}" if tool.defaults else "args"
    yield f"values = take({sent}, {names!r})"
    yield from opened(entity, tool, "values")
    if tool.write.once:
        field = entity.fields[tool.write.once].python
        yield f"earlier = once({rows}, args.get({tool.write.once!r}), {field!r})"
        yield "if earlier is not None:"
        yield f"    {returned(tool, told_of(entity, 'earlier'))}"
    barred = {parameter: name for parameter, name in tool.fields.items() if name in entity.barred}
    if barred:
        yield f"refuse_barred(state.trash, {rows}, args, {barred!r})"
    if tool.write.unique and not tool.write.upserts:
        yield f"unique({rows}, values, {tuple(entity.fields[name].python for name in tool.write.unique)!r})"
    if entity.serial and entity.serial not in (entity.natural_key, *tool.lookups):
        under = tuple(entity.fields[name].python for name in entity.serial_under)
        yield f"count_up({rows}, values, {entity.fields[entity.serial].python!r}, {under!r})"
    yield from _identity(tool, entity)
    for name, moment in tool.write.moments.items():
        yield f"values.setdefault({entity.fields[name].python!r}, ctx.{moment})"
    for name in tool.write.keyed:
        yield f"values.setdefault({entity.fields[name].python!r}, identity)"
    yield from new_stamps(entity, tool)
    if tool.write.derives:
        known, parameter, states, usual = tool.write.derives
        yield f"values[{entity.fields[known].python!r}] = {states!r}.get(args.get({parameter!r}), {usual!r})"
    yield from dry(tool, '"created": None')
    yield f"record = {rows}.add({rows}.record_type(id=identity, **values))"
    yield returned(tool, told_of(entity, "record"))


def _identity(tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that give a new record its id; a tool that creates or replaces ends here where the record exists."""
    rows = table_of(entity)
    key = next((parameter for parameter, name in tool.fields.items() if name == entity.natural_key), "")
    key = key or tool.write.own_id
    if tool.write.upserts and (key or tool.write.unique):
        same = tuple(entity.fields[name].python for name in tool.write.unique)
        by_key = f"{rows}.first(id=key(args.get({key!r})))"
        if tool.write.own_id and entity.integer_id:  # the service counts: nobody may choose a number
            by_key = f"pick({rows}, args[{key!r}]) if args.get({key!r}) is not None else None"
        yield f"record = {by_key if key else f'existing({rows}, values, {same!r})'}"
        yield "if record is not None:"
        if entity.lock:
            yield f"    refuse_locked(record, {entity.fields[entity.lock].python!r})"
        yield from (f"    {line}" for line in dry(tool, '"id": record.id'))
        yield f"    record = {_patched(entity, tool, 'values')}"
        yield f"    {returned(tool, told_of(entity, 'record'))}"
    if key and not tool.write.own_id:
        yield f"identity = refuse_duplicate({rows}, args[{key!r}])"
    elif key:
        yield f"identity = named({rows}, args.get({key!r}))"
    else:
        yield f"identity = {rows}.new_id()"
        if entity.natural_key in entity.fields:
            yield f"values[{entity.fields[entity.natural_key].python!r}] = identity"


def _create_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    rows = table_of(entity)
    yield from ("created = []", f"for item in args[{tool.items!r}]:")
    yield f"    values = take(item, {columns(entity, tool.fields)!r})"
    if tool.lookups:
        yield f"    values.update(take(args, {columns(entity, tool.lookups)!r}))"
    if entity.natural_key in entity.fields:
        yield f"    identity = key(values[{entity.fields[entity.natural_key].python!r}])"
        if tool.write.atomic:
            yield f"    identity = refuse_duplicate({rows}, identity)"
        else:
            yield f"    if identity in {rows}:"
            yield "        continue"
    else:
        yield f"    draft = {rows}.record_type(id='x', **values)"
        there = f"{rows}.first(**{{name: getattr(draft, name) for name in values}})"
        if tool.write.atomic:
            yield f"    refuse_there({there})"
        else:
            yield f"    if {there}:"
            yield "        continue"
        yield f"    identity = {rows}.new_id()"
    yield f"    created.append({rows}.add({rows}.record_type(id=identity, **values)))"
    yield f"shown = [{told_of(entity, 'row')} for row in created]"
    yield returned(tool, f'{{"{entity.table.rstrip("_")}": shown, "skipped": len(args[{tool.items!r}]) - len(shown)}}')


def _append_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    ((values, known),) = tool.fields.items()
    field = entity.fields[known].python
    yield "changed = []"
    yield f"for item in args[{tool.items!r}]:"
    yield f"    record = pick({table_of(entity)}, item[{tool.key!r}])"
    change = "added" if tool.kind == "append_many" else "without"
    yield f"    values = {change}(record.{field}, item[{values!r}])"
    yield f"    changed.append({table_of(entity)}.patch(record.id, {field}=values))"
    yield returned(tool, f'{{"{entity.table.rstrip("_")}": [{told_of(entity, "row")} for row in changed]}}')


def _update(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from _found(tool, entity)
    yield f"changes = take(args, {columns(entity, tool.fields)!r})"
    yield from opened(entity, tool, "changes", ", record")
    adds, strips = columns(entity, tool.write.adds), columns(entity, tool.write.strips)
    if adds or strips:
        yield f"changes.update(grown(record, args, {adds!r}, {strips!r}))"
    if tool.write.rename:
        name = tool.write.rename
        field = entity.fields[entity.natural_key].python
        yield f"if args.get({name!r}) is not None:"
        yield f"    record = renamed(state, {table_of(entity)}, record, args[{name!r}], {field!r})"
        yield f"    changes[{field!r}] = record.{field}"
    names = (*tool.fields, *adds, *strips, *((tool.write.rename,) if tool.write.rename else ()))
    if tool.write.reason:
        known, state, ended = tool.write.reason
        yield f"changes = with_reason(record, changes, {columns(entity, {known: known, state: state})!r}, {ended!r})"
    yield f"changes = something(changes, {names!r})"
    if tool.write.whole:
        cleared = tuple(entity.fields[name].python for name in tool.fields.values() if not entity.fields[name].target)
        yield f"changes = {{**dict.fromkeys({cleared!r}), **changes}}"
    yield from dry(tool, '"id": record.id')
    yield f"record = {_patched(entity, tool, 'changes')}"
    yield returned(tool, told_of(entity, "record"))


def _update_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Several records, each with the values that its own object holds; what is sent beside them holds for all."""
    shared, names = columns(entity, tool.read.same), columns(entity, tool.fields)
    yield "planned = []"
    yield f"for item in args[{tool.items!r}]:"
    yield f"    record = pick({table_of(entity)}, item.get({tool.key!r}))"
    if tool.lookups:
        yield f"    record = owned(record, args, {columns(entity, tool.lookups)!r})"
    both = f"{{**take(args, {shared!r}), **take(item, {names!r})}}" if shared else f"take(item, {names!r})"
    yield f"    planned.append((record, something({both}, {(*tool.fields, *tool.read.same)!r})))"
    yield from dry(tool, '"ids": [record.id for record, _ in planned]')
    yield f"changed = [{_patched(entity, tool, 'changes')} for record, changes in planned]"
    yield returned(tool, f'{{"{entity.table.rstrip("_")}": [{told_of(entity, "row")} for row in changed]}}')


def _update_each(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Several records by a list of keys get the same values."""
    by = f", {entity.fields[tool.key_field].python!r}" if tool.key_field else ""
    yield f"found, missing = chosen({table_of(entity)}, keys_in(args[{tool.key!r}]){by})"
    names = columns(entity, tool.lookups)
    if names:
        yield f"found = [owned(record, args, {names!r}) for record in found]"
    adds, strips = columns(entity, tool.write.adds), columns(entity, tool.write.strips)
    sent = f"take(args, {columns(entity, tool.fields)!r})"
    if tool.value:
        sent = f"{{**{sent}, {entity.fields[entity.status].python!r}: {tool.value!r}}}"
    yield from dry(tool, '"ids": [record.id for record in found]')
    yield "changed = []"
    yield "for record in found:"
    yield f"    changes = {sent}"
    if adds or strips:
        yield f"    changes.update(grown(record, args, {adds!r}, {strips!r}))"
    if not tool.value:
        yield f"    changes = something(changes, {(*tool.fields, *adds, *strips)!r})"
    yield f"    changed.append({_patched(entity, tool, 'changes')})"
    yield returned(
        tool,
        f'{{"{entity.table.rstrip("_")}": [{told_of(entity, "row")} for row in changed], "missing": missing}}',
    )


def _delete(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from _found(tool, entity)
    yield from dry(tool, '"id": record.id')
    if tool.write.expects:
        yield f"expected(record, args, {columns(entity, tool.write.expects)!r})"
    if tool.write.token:
        yield f"if not agreed(record, args.get({tool.write.token!r})):"
        yield "    " + returned(
            tool, f'{{"preview": {told_of(entity, "record")}, {tool.write.token!r}: token_of(record)}}'
        )
    yield from _gone(tool, entity)
    yield returned(tool, '{"deleted": True, "id": record.id}')


def _gone(tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that remove `record` with what the tool does about those that refer to it."""
    rows, write = table_of(entity), tool.write
    if write.heir:
        yield f"require({rows}, args.get({write.heir!r}))"
        yield f"repoint(state, {rows}, record.id, key(args[{write.heir!r}]) if args.get({write.heir!r}) else None)"
    elif write.force:
        yield f"refuse_used(state, {rows}, record, args.get({write.force!r}))"
    elif write.empty:
        yield f"refuse_used(state, {rows}, record, None)"
    if write.trash or write.final or write.notes:
        notes = "{" + ", ".join(f"{name!r}: args.get({name!r})" for name in write.notes) + "}"
        kept = f"throw_away(state.trash, record, ctx, {notes}{', final=True' if write.final else ''})"
        if write.permanent:
            yield f"if not args.get({write.permanent!r}):"
            yield f"    {kept}"
        else:
            yield kept
    if write.cascade or write.force:
        yield f"remove_with_parts(state, {rows}, record.id)"
    else:
        yield f"{rows}.delete(record.id)"


def _delete_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield "gone: list[Any] = []"
    yield "missing: list[Any] = []"
    yield from each(tool, entity)
    yield from (f"        {line}" for line in _gone(tool, entity))
    yield "        gone.append(value)"
    yield "    else:"
    yield "        missing.append(value)"
    yield f"first_of(gone, {table_of(entity)})"
    yield returned(tool, '{"deleted": gone, "missing": missing}')


def _delete_equal(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    names = columns(entity, tool.lookups)
    if tool.items:
        yield "gone = []"
        yield f"for item in args[{tool.items!r}]:"
        yield f"    for row in equal({table_of(entity)}, item, {names!r}):"
        yield f"        gone.append({table_of(entity)}.delete(row.id).id)"
        yield f"first_of(gone, {table_of(entity)})"
        yield returned(tool, '{"deleted": gone}')
        return
    yield from _delete(plan, tool, entity)


def _clear(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """All records go, or those that fit what was sent."""
    rows, names = table_of(entity), columns(entity, tool.lookups)
    yield f"found = equal({rows}, args, {names!r})" if names else f"found = list({rows})"
    yield from dry(tool, '"ids": [record.id for record in found]')
    yield "for record in found:"
    yield f"    {rows}.delete(record.id)"
    yield returned(tool, '{"deleted": [record.id for record in found]}')


def _restore(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"record = bring_back(state.trash, {table_of(entity)}, args.get({tool.key!r}))"
    if tool.fields:
        yield f"record = {_patched(entity, tool, f'take(args, {columns(entity, tool.fields)!r})')}"
    yield returned(tool, told_of(entity, "record"))


def _states(tool: ToolPlan) -> str:
    only = f", only={tool.write.only!r}" if tool.write.only else ""
    never = f", never={tool.write.never!r}" if tool.write.never else ""
    return only + never


def _status(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    field = entity.fields[entity.status].python
    yield from _found(tool, entity)
    yield f"changes = transition(record, {field!r}, {tool.value!r}{_states(tool)})"
    parameter, at_once = tool.write.deferred
    if parameter:
        planned = entity.fields["scheduled_change"].python
        yield f"if args.get({parameter!r}) != {at_once!r}:"
        when = f"args.get({parameter!r}, 'period end')"
        yield f"    changes = {{{planned!r}: {{'status': {tool.value!r}, 'from': {when}}}}}"
    if tool.fields:
        yield f"changes.update(take(args, {columns(entity, tool.fields)!r}))"
    yield from dry(tool, '"id": record.id')
    yield f"record = {_patched(entity, tool, 'changes')}"
    yield returned(tool, told_of(entity, "record"))


def _status_all(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Every record that can take the status, of those that fit what was sent."""
    field = entity.fields[entity.status].python
    names = columns(entity, tool.lookups)
    yield f"found = all_in({table_of(entity)}, args, {names!r}, {field!r}, {(tool.value, *tool.write.never)!r})"
    yield from dry(tool, '"ids": [record.id for record in found]')
    yield f"changed = [{table_of(entity)}.patch(record.id, {field}={tool.value!r}) for record in found]"
    yield returned(tool, f'{{"{entity.table.rstrip("_")}": [{told_of(entity, "row")} for row in changed]}}')


def _flag(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """A flag is set, taken away, or changed over."""
    field = entity.fields[tool.write.flag].python
    yield from _found(tool, entity)
    if tool.value:
        yield f"changes = flag(record, {field!r}, {tool.value})"
    else:
        yield f"changes = toggled(record, {field!r})"
    if tool.fields:
        yield f"changes.update(take(args, {columns(entity, tool.fields)!r}))"
    yield from dry(tool, '"id": record.id')
    yield f"record = {_patched(entity, tool, 'changes')}"
    yield returned(tool, told_of(entity, "record"))


def _copy(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from _found(tool, entity)
    yield from dry(tool, '"id": record.id')
    yield f"twin = copied({table_of(entity)}, record, take(args, {columns(entity, tool.fields)!r}))"
    yield returned(tool, told_of(entity, "twin"))


def _link(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    rows, names = table_of(entity), columns(entity, tool.lookups)
    if tool.dry_run:
        yield from dry(tool, f'"linked": bool(equal({rows}, args, {names!r}))')
    more = f"take(args, {columns(entity, tool.fields)!r})"
    if tool.write.constants:
        constants = {entity.fields[name].python: value for name, value in tool.write.constants.items()}
        more = f"{{**{more}, **{constants!r}}}"
    yield f"pairs = linked({rows}, args, {names!r}, {more})"
    yield from _tied(plan, tool, "tie")
    several = f'{{"{entity.table.rstrip("_")}": [{told_of(entity, "row")} for row in pairs]}}'
    yield returned(tool, several if tool.write.adds else told_of(entity, "pairs[0]"))


def _tied(plan: Plan, tool: ToolPlan, how: str) -> Iterator[str]:
    """Lines by which each end of a pair names the other, or no longer does."""
    for parameter, noun, name, other in tool.write.ties:
        end = plan.entities[noun]
        field = end.fields[name].python
        yield f"{how}({table_of(end)}, args.get({parameter!r}), {field!r}, args.get({other!r}))"


def _unlink(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    rows, names = table_of(entity), columns(entity, tool.lookups)
    if tool.dry_run:
        yield from dry(tool, f'"linked": bool(equal({rows}, args, {names!r}))')
    yield f"gone = unlinked({rows}, args, {names!r})"
    yield from _tied(plan, tool, "untie")
    yield returned(tool, '{"deleted": True, "ids": gone}')


WRITERS: dict[str, Callable[[Plan, ToolPlan, Entity], Iterator[str]]] = {
    "create": _create,
    "create_many": _create_many,
    "append_many": _append_many,
    "strip_many": _append_many,
    "update": _update,
    "update_many": _update_many,
    "update_each": _update_each,
    "delete": _delete,
    "delete_many": _delete_many,
    "delete_equal": _delete_equal,
    "clear": _clear,
    "restore": _restore,
    "status": _status,
    "status_all": _status_all,
    "flag": _flag,
    "copy": _copy,
    "link": _link,
    "unlink": _unlink,
}
