"""Writing a plan down as the Python a person would write: state.py, tools.py, seed.py, spec.py, __init__.py."""

from __future__ import annotations

import pprint
from collections.abc import Iterator

from services_app.builders.meaning import seed_kind
from services_app.builders.plan import Entity, Field, Filter, Plan, ToolPlan
from services_app.specs.model import Specification
from services_app.specs.vocabulary import plural_of, words_of


def package_name(slug: str) -> str:
    """Name under which a built service is imported inside the sandbox."""
    return f"built_{slug.replace('-', '_')}"


def write_files(spec: Specification, plan: Plan, domain: str) -> dict[str, str]:
    """File name -> text of the service package."""
    package = package_name(spec.slug)
    return {
        "__init__.py": _init(spec, package, domain),
        "spec.py": _spec(spec, plan),
        "state.py": "\n".join(_state(spec, plan)),
        "tools.py": "\n".join(_tools(plan, package)),
        "seed.py": "\n".join(_seed(plan, package)),
    }


def _state_class(plan: Plan) -> str:
    return "".join(word.capitalize() for word in plan.slug.split("-") if word) + "State"


def _init(spec: Specification, package: str, domain: str) -> str:
    text = spec.description or f"Simulated {spec.title}."
    return f'''"""{_one_line(spec.title)}: a simulated service made from its specification."""

from services_app.engine import Service

from {package}.spec import TITLE
from {package}.state import {_state_class(Plan(spec.slug, {}, [], {}))}

service = Service(
    {spec.slug!r},
    title=TITLE,
    description={_one_line(text)[:300]!r},
    domain={domain!r},
    state={_state_class(Plan(spec.slug, {}, [], {}))},
    files=__file__,
)

from {package} import seed, tools  # noqa: E402, F401 - they register themselves with the service
'''


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace('"""', "'''")


def _spec(spec: Specification, plan: Plan) -> str:
    planned = {tool.name for tool in plan.tools}
    tools = {
        tool.name: {
            "description": tool.description or tool.title or tool.name,
            "input_schema": tool.input_schema,
            **({"title": tool.title} if tool.title else {}),
            **({"output_schema": tool.output_schema} if tool.output_schema else {}),
        }
        for tool in spec.tools
        if tool.name in planned
    }
    body = pprint.pformat(tools, width=110, sort_dicts=False)
    return (
        '"""The imported tools, as agents see them."""\n\nfrom typing import Any\n\n'
        f"TITLE = {spec.title!r}\n\nTOOLS: dict[str, dict[str, Any]] = {body}\n"
    )


# State


def _state(spec: Specification, plan: Plan) -> Iterator[str]:
    yield f'"""State of {_one_line(spec.title)}."""'
    yield ""
    yield "from typing import Annotated, Any, Literal"
    yield ""
    yield "from pydantic import Field"
    yield ""
    yield "from services_app.engine import About, State, Table"
    yield "from services_app.engine import fields as f"
    yield "from services_app.engine.recipes import Json, SpecRecord"
    for entity in plan.entities.values():
        yield from _record(entity)
    yield ""
    yield ""
    yield f"class {_state_class(plan)}(State):"
    for entity in plan.entities.values():
        yield f"    {entity.table}: Table[{entity.class_name}]"
    if not plan.entities:
        yield "    pass"
    yield ""


def _record(entity: Entity) -> Iterator[str]:
    noun = entity.noun.replace("_", " ")
    words = noun.split()
    key = entity.natural_key or _display_field(entity)
    about = [repr(noun), f"plural={' '.join([*words[:-1], plural_of(words[-1])])!r}"]
    if not entity.natural_key:
        about += [f"prefix={entity.prefix!r}", *(["width=1"] if entity.integer_id else [])]
    if key and key in entity.fields:
        about.append(f"key={entity.fields[key].python!r}")
    carrier = "note" if entity.noun.split("_")[-1] in ("comment", "note", "remark", "reply") else ""
    carrier = "document" if entity.noun.split("_")[-1] in ("document", "page", "article", "wiki") else carrier
    if carrier:
        about.append(f"carrier={carrier!r}")
    yield ""
    yield ""
    yield f"class {entity.class_name}(SpecRecord):"
    yield f"    about = About({', '.join(about)})"
    for known in entity.fields.values():
        yield f"    {known.python}: {_annotation(entity, known)} = {_default(entity, known)}"


def _display_field(entity: Entity) -> str:
    names = [known.name for known in entity.fields.values() if known.meaning == "f.Title"]
    return names[0] if names else ""


def _annotation(entity: Entity, known: Field) -> str:
    base = known.type
    if known.target:
        base = f'Annotated[{base}, f.ref("{known.target}")]' if base in ("str", "int") else base
    elif known.meaning == "f.Email":  # the specification decides what it takes for an address
        base = 'Annotated[str, f.Semantic("email")]'
    elif known.meaning and known.type == "str":
        base = known.meaning
    return f"{base} | None" if known.type != "Json" else "Json"


def _default(entity: Entity, known: Field) -> str:
    value = "None"
    if known.name == entity.status:
        first = next((choice for choice in known.choices if isinstance(choice, str)), "open")
        value = repr(first)
    if known.python != known.name:
        return f"Field({value}, alias={known.name!r})"
    return value


# Tools


def _tools(plan: Plan, package: str) -> Iterator[str]:
    yield '"""The tools: each does to the state what its name and parameters say."""'
    yield ""
    yield "import json"
    yield "from typing import Any"
    yield ""
    yield f"from {package} import service"
    yield f"from {package}.spec import TOOLS"
    yield f"from {package}.state import {_state_class(plan)}"
    yield "from services_app.engine import CallContext"
    yield "from services_app.engine.recipes import ("
    for name in (
        "Arguments", "between", "equal", "key", "matching", "move", "ordered", "page", "pick", "refuse_duplicate",
        "require", "show", "take",
    ):  # fmt: skip
        yield f"    {name},"
    yield ")"
    taken: set[str] = set()
    for tool in plan.tools:
        function = _function_name(tool.name, taken)
        entity = plan.entity_of(tool)
        yield ""
        yield ""
        yield f"@service.spec_tool({tool.name!r}, **TOOLS[{tool.name!r}])"
        yield f"def {function}(state: {_state_class(plan)}, ctx: CallContext, args: Arguments) -> Any:"
        yield f'    """{_WHAT[tool.kind].format(noun=entity.noun.replace("_", " "), value=tool.value)}"""'
        for line in _body(plan, tool, entity):
            yield f"    {line}"
    yield ""


_WHAT = {
    "get": "One {noun}, by what names it.",
    "get_many": "Several records of kind {noun}, with those that are missing.",
    "list": "Records of kind {noun}, filtered, sorted and paged.",
    "count": "How many records of kind {noun} there are.",
    "create": "A new {noun}.",
    "create_many": "New records of kind {noun}; one that exists already is left as it is.",
    "update": "Changes what was sent, nothing else.",
    "delete": "Removes a {noun}.",
    "delete_many": "Removes several records of kind {noun}.",
    "status": "Sets a {noun} to {value}.",
}


def _function_name(name: str, taken: set[str]) -> str:
    base = "tool_" + ("_".join(words_of(name)) or "x")
    while base in taken:
        base += "_"
    taken.add(base)
    return base


def _body(plan: Plan, tool: ToolPlan, entity: Entity) -> Iterator[str]:
    table = f"state.{entity.table}"
    for parameter, noun in tool.parents.items():
        yield f"require(state.{plan.entities[noun].table}, args.get({parameter!r}))"
    writers = {
        "get": _get,
        "get_many": _get_many,
        "list": _list,
        "count": _list,
        "create": _create,
        "create_many": _create_many,
        "update": _update,
        "delete": _delete,
        "delete_many": _delete_many,
        "status": _status,
    }
    yield from writers[tool.kind](tool, entity, table)


def _show(entity: Entity, record: str) -> str:
    return f"show({record}, integer_id=True)" if entity.integer_id and not entity.natural_key else f"show({record})"


def _wrapped(tool: ToolPlan, value: str) -> str:
    if tool.wrap == "text":
        return f'{{"result": json.dumps({value}, ensure_ascii=False)}}'
    return f'{{"result": {value}}}' if tool.wrap == "result" else value


def _get(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield f"record = pick({table}, args.get({tool.key!r}))"
    mine = {name: entity.fields[name].python for name in tool.parents if name in entity.fields}
    if mine:
        yield f"record = (equal([record], args, {mine!r}) or [pick({table}, '')])[0]"
    yield f"return {_wrapped(tool, _show(entity, 'record'))}"


def _get_many(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield f"wanted = [key(value) for value in args[{tool.key!r}]]"
    yield f"found = [{_show(entity, f'{table}.get(value)')} for value in wanted if value in {table}]"
    yield f"missing = [value for value in wanted if value not in {table}]"
    value = f'{{"{entity.table.rstrip("_")}": found, "missing": missing}}'
    yield f"return {_wrapped(tool, value)}"


def _list(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield f"rows = list({table})"
    same = {item.parameter: _column(entity, item) for item in tool.filters if item.kind == "equal"}
    if same:
        yield f"rows = equal(rows, args, {same!r})"
    for item in tool.filters:
        if item.kind == "text":
            yield f"rows = matching(rows, args.get({item.parameter!r}))"
        elif item.kind != "equal":
            side = "least" if item.kind in ("from", "least") else "most"
            yield f"rows = between(rows, {_column(entity, item)!r}, {side}=args.get({item.parameter!r}))"
    if tool.kind == "count":
        yield f"return {_wrapped(tool, chr(123) + chr(34) + 'count' + chr(34) + ': len(rows)' + chr(125))}"
        return
    if tool.sort or tool.order:
        names = {known.name: known.python for known in entity.fields.values()}
        yield f"rows = ordered(rows, args.get({tool.sort!r}), args.get({tool.order!r}), {names!r})"
    paging = {"limit": "limit", "offset": "offset", "page": "number", "cursor": "cursor"}
    arguments = "".join(f", {paging[kind]}=args.get({name!r})" for kind, name in tool.pages.items())
    yield f"shown = [{_show(entity, 'row')} for row in page(rows{arguments})]"
    if tool.wrap == "result":
        yield 'return {"result": shown}'
    else:
        value = f'{{"{tool.result_key}": shown, "total": len(rows)}}'
        yield f"return {_wrapped(tool, value)}"


def _column(entity: Entity, item: Filter) -> str:
    return "id" if item.field == "id" else entity.fields[item.field].python


def _names(tool: ToolPlan, entity: Entity) -> dict[str, str]:
    return {parameter: entity.fields[name].python for parameter, name in tool.fields.items()}


def _create(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    names = _names(tool, entity)
    yield f"values = take(args, {names!r})"
    key = next((parameter for parameter, name in tool.fields.items() if name == entity.natural_key), "")
    if key:
        yield f"identity = refuse_duplicate({table}, args[{key!r}])"
    elif entity.natural_key:
        yield f"identity = {table}.new_id()"
        yield f"values[{entity.fields[entity.natural_key].python!r}] = identity"
    else:
        yield f"identity = {table}.new_id()"
    for known in entity.fields.values():
        if known.name in ("created_at", "createdAt") and known.name not in tool.fields:
            yield f"values[{known.python!r}] = ctx.now"
    yield f"record = {table}.add({table}.record_type(id=identity, **values))"
    yield f"return {_wrapped(tool, _show(entity, 'record'))}"


def _create_many(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield "created = []"
    yield f"for item in args[{tool.items!r}]:"
    yield f"    values = take(item, {_names(tool, entity)!r})"
    if entity.natural_key:
        python = entity.fields[entity.natural_key].python
        yield f"    identity = key(values[{python!r}])"
        yield f"    if identity in {table}:"
        yield "        continue"
    else:
        yield f"    draft = {table}.record_type(id='x', **values)"
        yield f"    if {table}.first(**{{name: getattr(draft, name) for name in values}}):"
        yield "        continue"
        yield f"    identity = {table}.new_id()"
    yield f"    created.append({table}.add({table}.record_type(id=identity, **values)))"
    yield f"shown = [{_show(entity, 'row')} for row in created]"
    value = f'{{"created": shown, "skipped": len(args[{tool.items!r}]) - len(shown)}}'
    yield f"return {_wrapped(tool, value)}"


def _update(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield f"record = pick({table}, args.get({tool.key!r}))"
    yield f"record = {table}.patch(record.id, **take(args, {_names(tool, entity)!r}))"
    for known in entity.fields.values():
        if known.name in ("updated_at", "updatedAt") and known.name not in tool.fields:
            yield f"record = {table}.patch(record.id, {known.python}=ctx.now)"
    yield f"return {_wrapped(tool, _show(entity, 'record'))}"


def _delete(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield f"record = {table}.delete(pick({table}, args.get({tool.key!r})).id)"
    value = '{"deleted": True, "id": record.id}'
    yield f"return {_wrapped(tool, value)}"


def _delete_many(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    yield f"wanted = dict.fromkeys(key(value) for value in args[{tool.key!r}])"
    yield f"gone = [{table}.delete(value).id for value in wanted if value in {table}]"
    yield "missing = [value for value in wanted if value not in gone]"
    value = '{"deleted": gone, "missing": missing}'
    yield f"return {_wrapped(tool, value)}"


def _status(tool: ToolPlan, entity: Entity, table: str) -> Iterator[str]:
    field = entity.fields[entity.status].python
    yield f"record = move({table}, args.get({tool.key!r}), {field!r}, {tool.value!r})"
    if tool.fields:
        yield f"record = {table}.patch(record.id, **take(args, {_names(tool, entity)!r}))"
    yield f"return {_wrapped(tool, _show(entity, 'record'))}"


# Seed


def _seed(plan: Plan, package: str) -> Iterator[str]:
    yield '"""Seed data: linked records, the same for the same seed."""'
    yield ""
    yield f"from {package} import service"
    yield f"from {package}.state import {_state_class(plan)}"
    yield "from services_app.engine import SeedContext"
    yield "from services_app.engine.recipes import key, value_for"
    yield ""
    yield ""
    yield "@service.seed"
    yield f"def fill(state: {_state_class(plan)}, ctx: SeedContext) -> None:"
    if not plan.entities:
        yield "    return None"
    for entity in _parents_first(plan):
        count = 8 if entity.implied else 14
        yield f"    for number in range(ctx.size({count})):"
        yield from (f"        {line}" for line in _seed_record(plan, entity))
    yield ""


def _parents_first(plan: Plan) -> list[Entity]:
    done: list[Entity] = []
    waiting = list(plan.entities.values())
    while waiting:
        tables = {entity.table for entity in done}
        ready = [e for e in waiting if all(f.target in tables or f.target in ("", e.table) for f in e.fields.values())]
        done += ready or waiting[:1]
        waiting = [entity for entity in waiting if entity not in done]
    return done


def _seed_record(plan: Plan, entity: Entity) -> Iterator[str]:
    table = f"state.{entity.table}"
    parts = []
    for known in entity.fields.values():
        if known.type == "Json":
            continue
        parts.append(f"{known.python}={_seed_value(plan, entity, known)}")
    if entity.natural_key:
        known = entity.fields[entity.natural_key]
        yield f"identity = {_unique_value(entity, known)}"
        rest = [part for part in parts if not part.startswith(f"{known.python}=")]
        yield f"{table}.add({table}.record_type(id=key(identity), {known.python}=identity, {', '.join(rest)}))"
    else:
        yield f"{table}.create({', '.join(parts)})"


def _unique_value(entity: Entity, known: Field) -> str:
    kind = seed_kind(known.name, known.type, known.meaning)
    if known.type in ("int", "float"):
        return "number + 1"
    if kind in ("email", "code", "path", "url"):
        return f'value_for("{kind}", number, ctx)'
    return "f\"{value_for('title', number, ctx)}\""


def _seed_value(plan: Plan, entity: Entity, known: Field) -> str:
    if known.target:
        if known.target == entity.table or known.type not in ("str", "int", "float"):
            return "None"
        reference = f"list(state.{known.target})[number % len(state.{known.target})].id"
        owner = next(other for other in plan.entities.values() if other.table == known.target)
        if known.type == "str":
            return reference
        return f"{known.type}({reference})" if owner.integer_id and not owner.natural_key else "None"
    if known.choices and known.type in ("str", "int"):
        return f"{known.choices!r}[number % {len(known.choices)}]"
    value = f'value_for("{seed_kind(known.name, known.type, known.meaning)}", number, ctx)'
    if known.type.startswith("tuple["):
        inner = known.type[6:].split(",")[0]
        kind = {"str": "word", "int": "integer", "float": "number", "bool": "flag"}[inner]
        return f'(value_for("{kind}", number % 4, ctx),)'
    return f"int({value})" if known.type == "int" else value
