"""The body of each kind of tool that reads, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services_app.builders.body_parts import columns, each, picked, returned, show_of, table_of
from services_app.builders.meaning import kind_of
from services_app.builders.plan import EVERY, Block, Entity, Filter, Plan, ToolPlan

_PAGING = {"limit": "limit", "offset": "offset", "page": "number", "cursor": "cursor"}


def _kinds(entity: Entity, tool: ToolPlan) -> dict[str, object]:
    """Kinds of values for the fields of records that follow from their key."""
    given = set(tool.lookups.values())
    return {
        known.python: tuple(choice for choice in known.choices if choice not in EVERY) or kind_of(known)
        for known in entity.fields.values()
        if known.name not in given and known.type in ("str", "int", "float", "bool") and not known.target
    }


def _get(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    if tool.read.moments:
        yield f"checked_moments(args, ctx.now, {tool.read.moments!r})"
    same = columns(entity, tool.lookups)
    if same and tool.key_field and tool.position is None:  # a number is told apart by what it was counted under
        within = {tool.key: entity.fields[tool.key_field].python, **same}
        yield f"record = pick_within({table_of(entity)}, args, {within!r})"
    else:
        yield f"record = {picked(tool, entity)}"
        if same:
            yield f"record = first_of(equal([record], args, {same!r}), {table_of(entity)})"
    yield from _one(plan, tool, entity)


def _one(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that show the record of that name and return it."""
    if tool.read.same:
        yield f"record = owned(record, args, {columns(entity, tool.read.same)!r})"
    changes = list(_displayed(plan, tool, entity))
    if not changes:
        yield returned(tool, show_of(entity, "record"))
        return
    yield f"shown = [{show_of(entity, 'record')}]"
    yield from changes
    yield returned(tool, "shown[0]")


def _displayed(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that add parts to the records in `shown`, and take away what nobody asked for."""
    hidden: dict[str, str] = {}
    listed: dict[str, list[str]] = {}
    for block in tool.read.blocks:
        choice = f", {block.choice!r}" if block.choice else ""
        usual = ", usual=True" if block.usual and not choice else ""
        wanted = f"wants(args, {block.parameter!r}{choice}{usual})"
        if block.choice or not block.name:
            listed.setdefault(block.parameter, []).extend([block.choice] if block.choice else [])
        if block.kind == "field":
            hidden[entity.fields[block.name].name] = wanted
        elif block.kind == "without" and block.field != "rows":
            yield f"shown = without_fields(shown, {(block.name,)!r}, {wanted})"
        elif block.noun:
            yield _joined(plan, entity, block, wanted)
    for parameter, choices in listed.items():
        yield f"known_parts(args, {parameter!r}, {tuple(choices)!r})"
    if hidden:
        parts = ", ".join(f"{name!r}: {wanted}" for name, wanted in hidden.items())
        yield f"shown = with_fields(shown, {{{parts}}})"
    if tool.select:
        yield f"shown = selected(shown, args.get({tool.select!r}))"
    elif tool.read.only:
        yield f"shown = selected(shown, {['id', *tool.read.only]!r})"
    if tool.read.omit:
        yield f"shown = omitted(shown, args.get({tool.read.omit!r}))"
    if tool.read.cut:
        usual = f", {tool.read.cut_usual}" if tool.read.cut_usual else ""
        yield f"shown = cut(shown, args.get({tool.read.cut!r}{usual}))"


def _joined(plan: Plan, entity: Entity, block: Block, wanted: str) -> str:
    other = plan.entities[block.noun]
    if block.kind == "rows":
        by = other.fields[block.field].python
        if not block.parameter:
            return f"shown = with_parts(shown, {block.name!r}, {table_of(other)}, {by!r})"
        return f"shown = with_rows(shown, {wanted}, {block.name!r}, {table_of(other)}, {by!r})"
    return f"shown = with_record(shown, {wanted}, {block.name!r}, {table_of(other)}, {block.field!r})"


def _get_many(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield "shown: list[Any] = []"
    yield "missing: list[Any] = []"
    yield from each(tool, entity)
    yield f"        shown.append({show_of(entity, 'record')})"
    yield "    else:"
    yield "        missing.append(value)"
    yield from _displayed(plan, tool, entity)
    yield returned(tool, f'{{"{entity.table.rstrip("_")}": shown, "missing": missing}}')


def rows_of(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that leave in `rows` what the filters of a tool let through."""
    same = {item.parameter: _column(entity, item) for item in tool.filters if item.kind == "equal"}
    if tool.derived:
        names = columns(entity, tool.lookups)
        variants = f", variants={columns(entity, tool.read.variants)!r}" if tool.read.variants else ""
        known = f", known={tool.read.known!r}" if tool.read.known else ""
        source = "derived"
        if tool.read.each:
            ranged = any(item.kind in ("from", "until", "past") for item in tool.filters) or "limit" in tool.pages
            source, known = "derived_each", f"{known}, each={tool.read.each!r}{'' if ranged else ', one=True'}"
        yield f"rows = {source}({table_of(entity)}, args, {names!r}, {_kinds(entity, tool)!r}{variants}{known})"
    elif tool.lookups:
        yield f"rows = scoped({table_of(entity)}, args, {columns(entity, tool.lookups)!r})"
    else:
        yield f"rows = list({table_of(entity)})"
    if same:
        yield f"rows = equal(rows, args, {same!r})"
    for item in tool.filters:
        if item.kind not in ("equal", "past", "coming"):
            yield _narrowed(entity, item)
    yield from _spans(entity, tool)
    yield from _meant(entity, tool)
    shows = {entity.fields[flag].python: name for flag, name in tool.read.shows.items()}
    if shows:
        yield f"rows = visible(rows, args, {shows!r})"
    for block in tool.read.blocks:
        if block.kind == "without" and block.field == "rows":
            flag = entity.fields[block.name].python
            yield f"rows = unflagged(rows, {flag!r}, args.get({block.parameter!r}))"
    flags = {entity.fields[flag].python: name for flag, name in tool.read.flags.items()}
    if flags:
        yield f"rows = flagged(rows, args, {flags!r})"


def _meant(entity: Entity, tool: ToolPlan) -> Iterator[str]:
    """Lines that leave the rows of which the tool speaks by itself: archived ones, upcoming ones."""
    for name, value in tool.read.fixed.items():
        yield f"rows = [row for row in rows if row.{entity.fields[name].python} == {value!r}]"
    if tool.read.coming:
        yield f"rows = during(rows, {entity.fields[tool.read.coming].python!r}, ctx.now, since=ctx.now)"


def _narrowed(entity: Entity, item: Filter) -> str:
    sent = f"args.get({item.parameter!r})"
    if item.kind == "text":
        names = [name for name in item.field.split("|") if name == "id" or name in entity.fields]
        within = tuple(_column(entity, Filter("", "equal", name)) for name in names)
        return f"rows = matching(rows, {sent}, {within!r})" if within else f"rows = matching(rows, {sent})"
    if item.kind == "spoken":
        return f"rows = spoken(rows, {table_of(entity)}, {sent}, {item.field!r}, ctx.now)"
    if item.kind == "parts":
        return f"rows = fitting(rows, {sent})"
    column = _column(entity, item)
    if item.kind in ("holds", "begins", "ends", "unlike"):
        return _narrowed_by_words(item, column)
    strict = ", strict=True" if item.strict else ""
    if item.kind in ("from", "until"):
        way = "since" if item.kind == "from" else "until"
        return f"rows = during(rows, {column!r}, ctx.now, {way}={sent}{strict})"
    return f"rows = between(rows, {column!r}, {item.kind}={sent}{strict})"


def _spans(entity: Entity, tool: ToolPlan) -> Iterator[str]:
    """Lines for spans of time before or after now: days and hours add up, and a first moment that is sent stands."""
    instead = tuple(item.parameter for item in tool.filters if item.kind in ("from", "until"))
    for kind in ("past", "coming"):
        units = {item.parameter: (item.size, item.usual) for item in tool.filters if item.kind == kind}
        if units:
            column = _column(entity, next(item for item in tool.filters if item.kind == kind))
            ahead = ", ahead=True" if kind == "coming" else ""
            yield f"rows = lately(rows, {column!r}, ctx.now, span_of(args, {units!r}, {instead!r}){ahead})"


def _narrowed_by_words(item: Filter, column: str) -> str:
    """The line for a part of a text, or for values that are not wanted."""
    sent = f"args.get({item.parameter!r})"
    if item.kind == "unlike" and not item.strict:
        return f"rows = unlike(rows, {column!r}, {sent})"
    how = {"begins": ", start=True", "ends": ", end=True", "unlike": ", without=True"}.get(item.kind, "")
    return f"rows = holding(rows, {column!r}, {sent}{how})"


def _column(entity: Entity, item: Filter) -> str:
    return "id" if item.field == "id" else entity.fields[item.field].python


def _find(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from rows_of(plan, tool, entity)
    if tool.read.newest in entity.fields:
        sign = "" if tool.read.rising else "-"
        yield f"rows = ordered(rows, None, None, {{}}, '{sign}{entity.fields[tool.read.newest].python}')"
    yield f"record = first_of(rows, {table_of(entity)})"
    yield from _one(plan, tool, entity)


def _count(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from rows_of(plan, tool, entity)
    yield returned(tool, '{"count": len(rows)}')


def _get_or_list(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield f"if args.get({tool.key!r}) not in (None, ''):"
    yield f"    record = {picked(tool, entity)}"
    same = columns(entity, {} if tool.derived else tool.lookups)
    same |= {item.parameter: _column(entity, item) for item in tool.filters if item.kind == "equal"}
    if same:
        yield f"    record = owned(record, args, {same!r})"
    yield from (f"    {line}" for line in _one(plan, tool, entity))
    yield from _list(plan, tool, entity)


def _list(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    yield from rows_of(plan, tool, entity)
    newest = entity.fields[tool.read.newest].python if tool.read.newest in entity.fields else ""
    if tool.sort or tool.order or newest:
        names = {known.name: known.python for known in entity.fields.values()}
        for word, meant in tool.read.sorts.items():
            names[word] = f"{'-' * meant.startswith('-')}{entity.fields[meant.removeprefix('-')].python}"
        field, direction = (f"args.get({name!r})" if name else "None" for name in (tool.sort, tool.order))
        direction = f"way_up({direction})" if tool.read.ascending else direction
        default = f", '{'' if tool.read.rising else '-'}{newest}'" if newest else ""
        yield f"rows = ordered(rows, {field}, {direction}, {names!r}{default})"
    yield f"part = page(rows{_paging(tool)})"
    yield f"shown = [{show_of(entity, 'row')} for row in part.rows]"
    yield from _displayed(plan, tool, entity)
    if tool.wrap == "result":
        yield returned(tool, "shown")
        return
    following = f', "{tool.read.following}": part.following or None' if tool.read.following else ""
    repeated = "".join(f'"{name}": args.get({name!r}), ' for name in tool.read.repeats)
    result = f'{{{repeated}"{tool.result_key}": shown, "total": len(rows){following}}}'
    if tool.read.totals:
        result = f"without_total({result}, args.get({tool.read.totals!r}))"
    yield returned(tool, result)


def _paging(tool: ToolPlan) -> str:
    read = tool.read
    parts = {_PAGING[kind]: f"args.get({name!r})" for kind, name in tool.pages.items()}
    if read.after:
        parts["after"] = f"args.get({read.after!r}, '')"
    if read.usual:
        parts["usual"] = repr(read.usual)
    if read.most:
        parts["most"] = repr(read.most)
    if read.first != 1:
        parts["first"] = repr(read.first)
    if read.first_row:
        parts["first_row"] = repr(read.first_row)
    if read.most_pages:
        usual = f", {read.most_pages_usual}" if read.most_pages_usual else ""
        parts["pages"] = f"args.get({read.most_pages!r}{usual}) or 0"
    if read.everything:
        parts["everything"] = f"args.get({read.everything!r})"
    return "".join(f", {name}={value}" for name, value in parts.items())


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
        parts.append(f'"{name}": [{show_of(plan.entities[noun], "row")} for row in {variable}]')
    yield returned(tool, "{" + ", ".join(parts) + "}")


READERS: dict[str, Callable[[Plan, ToolPlan, Entity], Iterator[str]]] = {
    "get": _get,
    "get_many": _get_many,
    "get_or_list": _get_or_list,
    "find": _find,
    "list": _list,
    "count": _count,
    "graph": _graph,
}
