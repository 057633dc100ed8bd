"""The source of a service's seed: linked records, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator

from services_app.builders.meaning import seed_kind
from services_app.builders.plan import Entity, Field, Plan
from services_app.builders.state_source import import_lines, state_class, statuses_of

_UNIQUE = ("email", "code", "path")
WIDTH = 112


def seed_source(plan: Plan, package: str) -> Iterator[str]:
    """Lines of seed.py."""
    ordered = _parents_first(plan)
    filled = [{known.table for known in ordered[:end]} for end in range(len(ordered))]
    body = [line for known, tables in zip(ordered, filled, strict=True) for line in _records(plan, known, tables)]
    body += [f"{fixture.seeder}(state.{fixture.table}, ctx)" for fixture in plan.fixtures if fixture.seeder]
    text = "\n".join(body)
    recipes = [name for name in ("key", "value_for") if f"{name}(" in text]
    yield '"""Seed data: linked records, the same for the same seed."""'
    yield ""
    yield f"from {package} import service"
    classes = sorted({known.class_name for known in plan.entities.values() if known.natural_key})
    yield from import_lines(f"{package}.state", [*classes, state_class(plan.slug)])
    yield "from services_app.engine import SeedContext"
    if recipes:
        yield f"from services_app.recipes.records import {', '.join(recipes)}"
    for module in sorted({fixture.module for fixture in plan.fixtures if fixture.seeder}):
        seeders = {fixture.seeder for fixture in plan.fixtures if fixture.module == module and fixture.seeder}
        yield from import_lines(module, sorted(seeders))
    yield ""
    yield ""
    yield "@service.seed"
    yield f"def fill(state: {state_class(plan.slug)}, ctx: SeedContext) -> None:"
    yield '    """Fill every table, the ones that are referred to first."""'
    yield from (f"    {line}" for line in body)
    yield ""


def _parents_first(plan: Plan) -> list[Entity]:
    done: list[Entity] = []
    waiting = list(plan.entities.values())
    while waiting:
        tables = {known.table for known in done}
        ready = [e for e in waiting if all(f.target in tables or f.target in ("", e.table) for f in e.fields.values())]
        done += ready or waiting[:1]
        names = {known.noun for known in done}
        waiting = [known for known in waiting if known.noun not in names]
    return done


def _records(plan: Plan, known: Entity, filled: set[str]) -> Iterator[str]:
    count = "1" if known.single else f"ctx.size({8 if known.implied else 14})"
    table = f"state.{known.table}"
    parts = [
        f"{item.python}={_value(plan, known, item, filled)}"
        for item in known.fields.values()
        if item.type != "Json" and item.name != known.natural_key
    ]
    if not known.natural_key:
        head = "for number in" if any("number" in part for part in parts) else "for _ in"
        yield f"{head} range({count}):"
        yield from _call(f"{table}.create", parts)
        return
    yield f"for number in range({count}):"
    item = known.fields.get(known.natural_key)
    yield f"    identity = {_unique(item)}"
    yield f"    if key(identity) not in {table}:"
    own = [f"{item.python}=identity"] if item is not None else []
    yield from (f"    {line}" for line in _call(f"record = {known.class_name}", ["id=key(identity)", *own, *parts]))
    yield f"        {table}.add(record)"


def _call(function: str, parts: list[str]) -> Iterator[str]:
    line = f"    {function}({', '.join(parts)})"
    if len(line) <= WIDTH - 24:
        yield line
        return
    yield f"    {function}("
    yield from (f"        {part}," for part in parts)
    yield "    )"


def _unique(item: Field | None) -> str:
    if item is None or item.type in ("int", "float"):
        return "number + 1"
    if item.choices:
        return f"{item.choices!r}[number % {len(item.choices)}]"
    kind = seed_kind(item.name, item.type, item.meaning, item.format)
    return f'value_for("{kind if kind in _UNIQUE else "title"}", number, ctx)'


def _value(plan: Plan, known: Entity, item: Field, filled: set[str]) -> str:
    if item.target:
        return _reference(plan, item) if item.target in filled else "None"
    if item.name == known.status and item.type == "str":
        statuses = statuses_of(known)
        return f"{statuses!r}[number % {len(statuses)}]"
    choices = tuple(choice for choice in item.choices if isinstance(choice, str | int) and not isinstance(choice, bool))
    if choices and item.type in ("str", "int"):
        return f"{choices!r}[number % {len(choices)}]" if len(choices) > 1 else repr(choices[0])
    value = f'value_for("{seed_kind(item.name, item.type, item.meaning, item.format)}", number, ctx)'
    if item.type.startswith("tuple["):
        inner = item.type[6:].split(",")[0]
        if choices and inner == "str":
            return f"({choices!r}[number % {len(choices)}],)"
        kind = {"str": "word", "int": "integer", "float": "number", "bool": "flag"}[inner]
        return f'(value_for("{kind}", number % 4, ctx),)'
    return f"int({value})" if item.type == "int" else value


def _reference(plan: Plan, item: Field) -> str:
    if item.type not in ("str", "int", "float"):
        return "None"
    owner = next(other for other in plan.entities.values() if other.table == item.target)
    index = "0" if owner.single else f"number % len(state.{item.target})"
    reference = f"list(state.{item.target})[{index}].id"
    if item.type == "str":
        return reference
    return f"{item.type}({reference})" if owner.integer_id and not owner.natural_key else "None"
