"""What the bodies of all kinds of tools are put together from: a table, a record, what is returned."""

from __future__ import annotations

from collections.abc import Iterator

from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.vocabulary import words_of


def table_of(entity: Entity) -> str:
    """The table of an entity in the source."""
    table = f"state.{entity.table}"
    return f"Runs({table}, ctx, {entity.fields[entity.status].python!r}, {entity.runs!r})" if entity.runs else table


def show_of(entity: Entity, record: str) -> str:
    """A record as agents see it."""
    return f"show({record}, integer_id=True)" if entity.integer_id and not entity.natural_key else f"show({record})"


def told_of(entity: Entity, record: str) -> str:
    """A record as a tool that wrote it shows it."""
    return f"show_written({show_of(entity, record).removeprefix('show(')}"


def returned(tool: ToolPlan, value: str) -> str:
    """The statement that returns a value in the shape that the tool promises."""
    value = _presented(tool, value)
    if tool.headers_shown:
        value = f"with_headers({value}, args.get({tool.headers_shown!r}))"
    if tool.brief:
        value = f"brief({value}, args.get({tool.brief!r}))"
    if tool.wrap == "text":
        return f'return {{"result": json.dumps({value}, ensure_ascii=False)}}'
    if tool.wrap == "fit":
        return f'return fit({value}, TOOLS[{tool.origin or tool.name!r}]["output_schema"])'
    return f'return {{"result": {value}}}' if tool.wrap == "result" else f"return {value}"


def _presented(tool: ToolPlan, value: str) -> str:
    """The value in the zone, language, units, detail and format that are asked for."""
    read = tool.read
    by_recipe = {
        "in_zone": read.zone,
        "in_language": read.language,
        "in_units": read.units,
        "ids_only": read.ids,
        "as_markdown": read.markdown,
    }
    if read.verbose:
        usual = ", True" if read.verbose_usual else ""
        value = f"detailed({value}, args.get({read.verbose!r}){usual})"
    if read.compact:
        usual = ", True" if read.compact_usual else ""
        value = f"compact({value}, args.get({read.compact!r}){usual})"
    for recipe, parameter in by_recipe.items():
        if parameter:
            value = f"{recipe}({value}, args.get({parameter!r}))"
    if tool.format:
        listed = f", {read.formats!r}" if read.formats else ""
        value = f"rendered({value}, args.get({tool.format!r}){listed})"
    return value


def dry(tool: ToolPlan, value: str) -> Iterator[str]:
    """Lines that answer a dry run; what comes after them changes something."""
    if tool.dry_run:
        yield f"if args.get({tool.dry_run!r}):"
        yield "    " + returned(tool, '{"dry_run": True, ' + value + "}")


def picked(tool: ToolPlan, entity: Entity) -> str:
    """The record that the key of the tool names."""
    if tool.position is not None:
        return f"standing({table_of(entity)}, args.get({tool.key!r}), {tool.position})"
    by = f", by={entity.fields[tool.key_field].python!r}" if tool.key_field else ""
    return f"pick({table_of(entity)}, args.get({tool.key!r}){by})"


def columns(entity: Entity, names: dict[str, str]) -> dict[str, str]:
    """Parameter -> Python name of the field, for parameter -> original name."""
    return {parameter: entity.fields[name].python for parameter, name in names.items()}


def each(tool: ToolPlan, entity: Entity) -> Iterator[str]:
    """Lines that go through the records that a list of keys names; the `if` of a found one is left open."""
    yield f"for value in dict.fromkeys(key(value) for value in keys_in(args[{tool.key!r}])):"
    if tool.key_field:
        yield f"    record = {table_of(entity)}.first({entity.fields[tool.key_field].python}=value)"
        yield "    if record is not None:"
    else:
        yield f"    if value in {table_of(entity)}:"
        yield f"        record = {table_of(entity)}.get(value)"


def opened(entity: Entity, tool: ToolPlan, values: str, record: str = "") -> Iterator[str]:
    """Lines that set the fields named in an object of the caller; what else is in it stays in the object."""
    if tool.write.opens:
        held = entity.fields[tool.fields[tool.write.opens]].python
        fixed = (entity.natural_key, *tool.fields.values(), *tool.lookups.values())
        plain = [known for known in entity.fields.values() if not known.target and known.name not in fixed]
        names = {known.name: known.python for known in plain if not known.linked and known.type != "Json"}
        yield f"{values}.update(spread(args.get({tool.write.opens!r}), {held!r}, {names!r}{record}))"


_CREATED = frozenset(
    (
        "created_at created created_time creation_time creation_date created_date date_created created_date_time "
        "created_on create_time added_at date_added"
    ).split()
)
_UPDATED = frozenset(
    (
        "updated_at modified updated updated_time update_time updated_on modified_at modified_time date_modified "
        "last_modified last_modified_date_time last_updated last_updated_at"
    ).split()
)


_SENT = frozenset("sent_at sent_date send_time posted_at timestamp date_sent".split())
_SENDS = frozenset("send reply post forward respond".split())


def _stamps(entity: Entity, tool: ToolPlan, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """(field, moment) of the fields that say when a record was made or changed and that nobody sends."""
    sent = {*tool.fields.values(), *tool.lookups.values(), *tool.write.moments}
    for known in entity.fields.values():
        if key_of(known.name) in names and known.type == "str" and known.name not in sent and not known.choices:
            yield known.python, "ctx.today" if known.format == "date" else "ctx.now"


def update_stamps(entity: Entity, tool: ToolPlan) -> list[tuple[str, str]]:
    return list(_stamps(entity, tool, _UPDATED))


def new_stamps(entity: Entity, tool: ToolPlan) -> Iterator[str]:
    """Lines that give a new record what nobody sends: when it was made, its address, its token."""
    sent = _SENT if _SENDS & set(words_of(tool.name)) else frozenset()
    for python, moment in _stamps(entity, tool, _CREATED | _UPDATED | sent):
        yield f"values[{python!r}] = {moment}"
    for name, recipe in tool.write.makes.items():
        if name not in tool.fields.values():
            yield f"values.setdefault({entity.fields[name].python!r}, {recipe}({table_of(entity)}, identity))"
