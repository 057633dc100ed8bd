"""The body of each kind of tool, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services_app.builders.meaning import seed_kind
from services_app.builders.plan import Entity, Filter, Plan, ToolPlan

_PAGING = {"limit": "limit", "offset": "offset", "page": "number", "cursor": "cursor"}


def body_of(plan: Plan, tool: ToolPlan) -> Iterator[str]:
    """Lines of a tool's function, without indentation."""
    for wrapper in tool.unwraps:
        yield f"args = unwrapped(args, {wrapper!r})"
    if tool.headers:
        yield f"checked_media(args, {tool.headers!r})"
    if tool.confirm:
        yield f"confirmed(args, {tool.confirm!r})"
    for parameter, noun in tool.parents.items():
        yield f"require(state.{plan.entities[noun].table}, args.get({parameter!r}))"
    if tool.kind == "written":
        yield from tool.body
    else:
        yield from _WRITERS[tool.kind](plan, tool, plan.entity_of(tool))


def _table(entity: Entity) -> str:
    return f"state.{entity.table}"


def _show(entity: Entity, record: str) -> str:
    return f"show({record}, integer_id=True)" if entity.integer_id and not entity.natural_key else f"show({record})"


def _return(tool: ToolPlan, value: str) -> str:
    if tool.format:
        value = f"rendered({value}, args.get({tool.format!r}))"
    if tool.wrap == "text":
        return f'return {{"result": json.dumps({value}, ensure_ascii=False)}}'
    if tool.wrap == "fit":
        return f'return fit({value}, TOOLS[{tool.name!r}]["output_schema"])'
    return f'return {{"result": {value}}}' if tool.wrap == "result" else f"return {value}"


def _dry(tool: ToolPlan, value: str) -> Iterator[str]:
    if tool.dry_run:
        yield f"if args.get({tool.dry_run!r}):"
        yield "    " + _return(tool, '{"dry_run": True, ' + value + "}")


def _pick(tool: ToolPlan, entity: Entity) -> str:
    by = f", by={entity.fields[tool.key_field].python!r}" if tool.key_field else ""
    return f"pick({_table(entity)}, args.get({tool.key!r}){by})"


def _columns(entity: Entity, names: dict[str, str]) -> dict[str, str]:
    return {parameter: entity.fields[name].python for parameter, name in names.items()}


def _kinds(entity: Entity, tool: ToolPlan) -> dict[str, object]:
    """Kinds of values for the fields of records that follow from their key."""
    given = set(tool.lookups.values())
    return {
        known.python: known.choices or seed_kind(known.name, known.type, known.meaning, known.format)
        for known in entity.fields.values()
        if known.name not in given and known.type in ("str", "int", "float", "bool") and not known.target
    }


def _get(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"record = {_pick(tool, entity)}"
    same = _columns(entity, tool.lookups)
    if same:
        yield f"record = first_of(equal([record], args, {same!r}), {_table(entity)})"
    yield _return(tool, _show(entity, "record"))


def _get_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield "found: list[Any] = []"
    yield "missing: list[Any] = []"
    yield from _each(tool, entity)
    yield f"        found.append({_show(entity, 'record')})"
    yield "    else:"
    yield "        missing.append(value)"
    yield _return(tool, f'{{"{entity.table.rstrip("_")}": found, "missing": missing}}')


def _each(tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"for value in dict.fromkeys(key(value) for value in args[{tool.key!r}]):"
    if tool.key_field:
        yield f"    record = {_table(entity)}.first({entity.fields[tool.key_field].python}=value)"
        yield "    if record is not None:"
    else:
        yield f"    if value in {_table(entity)}:"
        yield f"        record = {_table(entity)}.get(value)"


def _rows(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"rows = list({_table(entity)})"
    if tool.derived:
        yield f"rows = derived({_table(entity)}, args, {_columns(entity, tool.lookups)!r}, {_kinds(entity, tool)!r})"
    same = {item.parameter: _column(entity, item) for item in tool.filters if item.kind == "equal"}
    same |= {} if tool.derived else _columns(entity, tool.lookups)
    if same:
        yield f"rows = equal(rows, args, {same!r})"
    for item in tool.filters:
        if item.kind == "text":
            yield f"rows = matching(rows, args.get({item.parameter!r}))"
        elif item.kind != "equal":
            side = "least" if item.kind in ("from", "least") else "most"
            yield f"rows = between(rows, {_column(entity, item)!r}, {side}=args.get({item.parameter!r}))"


def _column(entity: Entity, item: Filter) -> str:
    return "id" if item.field == "id" else entity.fields[item.field].python


def _find(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from _rows(plan, tool, entity)
    yield f"record = first_of(rows, {_table(entity)})"
    shown = _show(entity, "record")
    yield _return(tool, f"selected([{shown}], args.get({tool.select!r}))[0]" if tool.select else shown)


def _count(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from _rows(plan, tool, entity)
    yield _return(tool, '{"count": len(rows)}')


def _get_or_list(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"if args.get({tool.key!r}) not in (None, ''):"
    yield f"    {_return(tool, _show(entity, _pick(tool, entity)))}"
    yield from _list(plan, tool, entity)


def _list(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from _rows(plan, tool, entity)
    if tool.sort or tool.order:
        names = {known.name: known.python for known in entity.fields.values()}
        yield f"rows = ordered(rows, args.get({tool.sort!r}), args.get({tool.order!r}), {names!r})"
    arguments = "".join(f", {_PAGING[kind]}={_sent(tool, name)}" for kind, name in tool.pages.items())
    yield f"shown = [{_show(entity, 'row')} for row in page(rows{arguments})]"
    if tool.select:
        yield f"shown = selected(shown, args.get({tool.select!r}))"
    yield _return(tool, "shown" if tool.wrap == "result" else f'{{"{tool.result_key}": shown, "total": len(rows)}}')


def _sent(tool: ToolPlan, name: str) -> str:
    return f"args.get({name!r}, {tool.defaults[name]!r})" if name in tool.defaults else f"args.get({name!r})"


def _graph(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    parts = []
    for name, noun in tool.lists.items():
        rows = f"state.{plan.entities[noun].table}"
        variable = plan.entities[noun].table
        if tool.text:
            yield f"{variable} = matching({rows}, args.get({tool.text!r}))"
        elif tool.key and noun == entity.noun:
            yield f"{variable} = [row for row in {rows} if row.id in map(key, args[{tool.key!r}])]"
        elif tool.key:
            yield f"{variable} = [row for row in {rows} if any(matching([row], name) for name in args[{tool.key!r}])]"
        else:
            yield f"{variable} = list({rows})"
        parts.append(f'"{name}": [{_show(plan.entities[noun], "row")} for row in {variable}]')
    yield _return(tool, "{" + ", ".join(parts) + "}")


def _stamps(entity: Entity, tool: ToolPlan, names: tuple[str, ...]) -> list[str]:
    return [
        known.python
        for known in entity.fields.values()
        if known.name in names and known.name not in tool.fields.values()
    ]


def _create(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    table, names = _table(entity), _columns(entity, tool.fields)
    sent = "args"
    if tool.defaults:
        sent = f"{{**{tool.defaults!r}, **args}}"
    yield f"values = take({sent}, {names!r})"
    key = next((parameter for parameter, name in tool.fields.items() if name == entity.natural_key), "")
    if key:
        yield f"identity = refuse_duplicate({table}, args[{key!r}])"
    else:
        yield f"identity = {table}.new_id()"
        if entity.natural_key in entity.fields:
            yield f"values[{entity.fields[entity.natural_key].python!r}] = identity"
    for python in _stamps(entity, tool, ("created_at", "createdAt", "created")):
        yield f"values[{python!r}] = ctx.now"
    yield from _dry(tool, '"created": None')
    yield f"record = {table}.add({table}.record_type(id=identity, **values))"
    yield _return(tool, _show(entity, "record"))


def _create_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    table = _table(entity)
    yield "created = []"
    yield f"for item in args[{tool.items!r}]:"
    yield f"    values = take(item, {_columns(entity, tool.fields)!r})"
    if entity.natural_key in entity.fields:
        yield f"    identity = key(values[{entity.fields[entity.natural_key].python!r}])"
        yield f"    if identity in {table}:"
        yield "        continue"
    else:
        yield f"    draft = {table}.record_type(id='x', **values)"
        yield f"    if {table}.first(**{{name: getattr(draft, name) for name in values}}):"
        yield "        continue"
        yield f"    identity = {table}.new_id()"
    yield f"    created.append({table}.add({table}.record_type(id=identity, **values)))"
    yield f"shown = [{_show(entity, 'row')} for row in created]"
    yield _return(tool, f'{{"{entity.table.rstrip("_")}": shown, "skipped": len(args[{tool.items!r}]) - len(shown)}}')


def _append_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    ((values, known),) = tool.fields.items()
    field = entity.fields[known].python
    yield "changed = []"
    yield f"for item in args[{tool.items!r}]:"
    yield f"    record = pick({_table(entity)}, item[{tool.key!r}])"
    change = "added" if tool.kind == "append_many" else "without"
    yield f"    values = {change}(record.{field}, item[{values!r}])"
    yield f"    changed.append({_table(entity)}.patch(record.id, {field}=values))"
    yield _return(tool, f'{{"{entity.table.rstrip("_")}": [{_show(entity, "row")} for row in changed]}}')


def _update(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"record = {_pick(tool, entity)}" if tool.key else f"record = only({_table(entity)})"
    yield from _dry(tool, '"id": record.id')
    stamps = "".join(f", {python}=ctx.now" for python in _stamps(entity, tool, ("updated_at", "updatedAt", "modified")))
    yield f"record = {_table(entity)}.patch(record.id, **take(args, {_columns(entity, tool.fields)!r}){stamps})"
    yield _return(tool, _show(entity, "record"))


def _delete(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"record = {_pick(tool, entity)}"
    yield from _dry(tool, '"id": record.id')
    yield f"{_table(entity)}.delete(record.id)"
    yield _return(tool, '{"deleted": True, "id": record.id}')


def _delete_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield "gone: list[Any] = []"
    yield "missing: list[Any] = []"
    yield from _each(tool, entity)
    yield f"        {_table(entity)}.delete(record.id)"
    yield "        gone.append(value)"
    yield "    else:"
    yield "        missing.append(value)"
    yield f"first_of(gone, {_table(entity)})"
    yield _return(tool, '{"deleted": gone, "missing": missing}')


def _delete_equal(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    names = _columns(entity, tool.lookups)
    if tool.items:
        yield "gone = []"
        yield f"for item in args[{tool.items!r}]:"
        yield f"    for row in equal({_table(entity)}, item, {names!r}):"
        yield f"        gone.append({_table(entity)}.delete(row.id).id)"
        yield f"first_of(gone, {_table(entity)})"
        yield _return(tool, '{"deleted": gone}')
        return
    yield f"record = first_of(equal({_table(entity)}, args, {names!r}), {_table(entity)})"
    yield from _dry(tool, '"id": record.id')
    yield f"{_table(entity)}.delete(record.id)"
    yield _return(tool, '{"deleted": True, "id": record.id}')


def _status(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    field = entity.fields[entity.status].python
    yield f"record = {_pick(tool, entity)}"
    yield from _dry(tool, '"id": record.id')
    yield f"record = move({_table(entity)}, record, {field!r}, {tool.value!r})"
    if tool.fields:
        yield f"record = {_table(entity)}.patch(record.id, **take(args, {_columns(entity, tool.fields)!r}))"
    yield _return(tool, _show(entity, "record"))


def _copy(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"source = {_pick(tool, entity)}"
    yield from _dry(tool, '"id": source.id')
    yield f"record = copied({_table(entity)}, source, take(args, {_columns(entity, tool.fields)!r}))"
    yield _return(tool, _show(entity, "record"))


def _link(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    table, names = _table(entity), _columns(entity, tool.lookups)
    yield f"known = equal({table}, args, {names!r})"
    yield from _dry(tool, '"linked": bool(known)')
    yield "if known:"
    yield f"    {_return(tool, _show(entity, 'known[0]'))}"
    yield f"record = {table}.create(**take(args, {names | _columns(entity, tool.fields)!r}))"
    yield _return(tool, _show(entity, "record"))


_WRITERS: dict[str, Callable[[Plan, ToolPlan, Entity], Iterator[str]]] = {
    "get": _get,
    "get_many": _get_many,
    "get_or_list": _get_or_list,
    "find": _find,
    "list": _list,
    "count": _count,
    "graph": _graph,
    "create": _create,
    "create_many": _create_many,
    "append_many": _append_many,
    "strip_many": _append_many,
    "update": _update,
    "delete": _delete,
    "delete_many": _delete_many,
    "delete_equal": _delete_equal,
    "status": _status,
    "copy": _copy,
    "link": _link,
    "unlink": _delete_equal,
}
