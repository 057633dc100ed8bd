"""What the bodies of all kinds of tools are put together from: a table, a record, what is returned."""

from __future__ import annotations

from collections.abc import Iterator

from services_app.builders.plan import Entity, ToolPlan


def table_of(entity: Entity) -> str:
    """The table of an entity in the source."""
    table = f"state.{entity.table}"
    return f"Runs({table}, ctx, {entity.fields[entity.status].python!r}, {entity.runs!r})" if entity.runs else table


def show_of(entity: Entity, record: str) -> str:
    """A record as agents see it."""
    return f"show({record}, integer_id=True)" if entity.integer_id and not entity.natural_key else f"show({record})"


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
