"""The source of a service's seed: linked records, the same for the same seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from services_app.builders.meaning import inner_kind, kind_of
from services_app.builders.plan import EVERY, Entity, Field, Plan
from services_app.builders.state_source import import_lines, state_class, statuses_of

_UNIQUE = (
    "email", "code", "path", "username", "hash", "domain", "symbol", "slug", "date", "timestamp",
)  # fmt: skip
WIDTH = 112


def seed_source(plan: Plan, package: str) -> Iterator[str]:
    """Lines of seed.py."""
    ordered = _parents_first(plan)
    filled = [{known.table for known in ordered[:end]} for end in range(len(ordered))]
    body = [line for known, tables in zip(ordered, filled, strict=True) for line in _records(plan, known, tables)]
    body += [line for known, tables in zip(ordered, filled, strict=True) for line in _later(plan, known, tables)]
    body += [f"{fixture.seeder}(state.{fixture.table}, ctx)" for fixture in plan.fixtures if fixture.seeder]
    text = "\n".join(body)
    yield '"""Seed data: linked records, the same for the same seed."""'
    yield ""
    yield f"from {package} import service"
    classes = sorted({known.class_name for known in plan.entities.values() if known.natural_key})
    yield from import_lines(f"{package}.state", [*classes, state_class(plan.slug)])
    yield "from services_app.engine import SeedContext"
    for module, names in (("records", ("key",)), ("values", ("shaped", "value_for"))):
        used = [name for name in names if re.search(rf"\b{name}\(", text)]
        yield from import_lines(f"services_app.recipes.{module}", used)
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
    count = "1" if known.single else f"ctx.size({8 if known.implied else _usual(plan)})"
    table = f"state.{known.table}"
    leader = _leader(plan, known, filled)
    parts = [
        f"{item.python}={_value(plan, known, item, filled, leader)}{' if number % 2 else None' if item.sparse else ''}"
        for item in known.fields.values()
        if _seeded(item) and item.name != known.natural_key
    ]
    text = "\n".join(parts)
    places = re.search(r'(?<!")\bplace\b', text) is not None or (leader is not None and leader.scope)
    numbered = places or leader is not None or known.natural_key or re.search(r"\bnumber\b", text)
    yield f"for {'number' if numbered else '_'} in range({count}):"
    if places:
        yield f"    place = number * 3 // {count}"
    if leader is not None:
        owner = _owner(plan, leader)
        index = "place" if leader.scope else "number"
        yield f"    {owner.noun}_ = list(state.{owner.table})[{index} % len(state.{owner.table})]"
    if not known.natural_key:
        yield from _call(f"{table}.create", parts)
        return
    item = known.fields.get(known.natural_key)
    yield f"    identity = {_unique(item)}"
    yield f"    if key(identity) not in {table}:"
    own = [f"{item.python}=identity"] if item is not None else []
    yield from (f"    {line}" for line in _call(f"record = {known.class_name}", ["id=key(identity)", *own, *parts]))
    yield f"        {table}.add(record)"


def _seeded(item: Field) -> bool:
    return not item.linked and (item.type != "Json" or isinstance(item.shape, dict | list))


def _later(plan: Plan, known: Entity, filled: set[str]) -> Iterator[str]:
    """Lines that set references to tables which were filled after the one that holds them."""
    late = [
        item
        for item in known.fields.values()
        if item.target not in ("", known.table, *filled) and not item.linked and _fits(plan, item)
    ]
    if not late or known.single:
        return
    changes = []
    for item in late:
        owner = _owner(plan, item)
        index = "number * 3 // " + f"len(state.{known.table})" if item.scope else "number"
        reference = f"list(state.{owner.table})[{index} % len(state.{owner.table})].id"
        changes.append(f"{item.python}={reference if item.type in ('str', 'Json') else f'{item.type}({reference})'}")
    yield f"for number, row in enumerate(list(state.{known.table})):"
    yield from _call(f"state.{known.table}.patch", ["row.id", *changes])


def _usual(plan: Plan) -> int:
    """Records per table: fewer in an application of very many tables."""
    return 28 if len(plan.entities) < 90 else 14


def _owner(plan: Plan, item: Field) -> Entity:
    return next(other for other in plan.entities.values() if other.table == item.target)


def _leader(plan: Plan, known: Entity, filled: set[str]) -> Field | None:
    """The reference from whose record others are copied: the one that itself knows most of what this record holds."""
    found: list[tuple[int, Field]] = []
    for item in known.fields.values():
        if item.target in filled and item.target and _fits(plan, item):
            shared = len(_shared(plan, known, item))
            if shared:
                found.append((shared, item))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _shared(plan: Plan, known: Entity, item: Field) -> dict[str, Field]:
    """Fields of a record that the record it refers to has as well: other references, and where both lie."""
    owner = _owner(plan, item)
    by_target = {other.target: other for other in owner.fields.values() if other.target}
    found = {}
    for field in known.fields.values():
        if field is item or field.type == "Json":
            continue
        other = by_target.get(field.target) if field.target else owner.fields.get(field.name)
        alike = other is not None and other.type == field.type and (bool(field.target) or (field.scope and other.scope))
        if alike and other is not None:
            found[field.name] = other
    return found


def _fits(plan: Plan, item: Field) -> bool:
    """Whether a field can hold the id of what it refers to."""
    owner = _owner(plan, item)
    numeric = item.type in ("int", "float")
    return item.type in ("str", "Json") or (numeric and owner.integer_id and not owner.natural_key)


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
    kind = kind_of(item)
    return f'value_for("{kind if kind in _UNIQUE else "title"}", number, ctx)'


def _value(plan: Plan, known: Entity, item: Field, filled: set[str], leader: Field | None) -> str:
    if leader is not None and item is not leader and item.name in (shared := _shared(plan, known, leader)):
        return f"{_owner(plan, leader).noun}_.{shared[item.name].python}"
    if item.target and item.type != "Json":
        if item.target == known.table:
            return f"next((row.id for row in state.{known.table} if number % 3), None)" if _fits(plan, item) else "None"
        return _reference(plan, item, leader) if item.target in filled else "None"
    if item.type == "Json":
        return f"shaped({item.shape!r}, number, ctx)"
    if item.name == known.status and item.type == "str":
        return _chosen(known, item, statuses_of(known))
    return _plain_value(known, item)


def _plain_value(known: Entity, item: Field) -> str:
    """A value that refers to nothing: a listed one, one of the examples that are given, else one of its kind."""
    choices = tuple(choice for choice in item.choices if isinstance(choice, str | int) and not isinstance(choice, bool))
    choices = tuple(choice for choice in choices if choice not in EVERY) or choices
    sampled = bool(item.samples) and not choices and item.type == "str" and kind_of(item) == "word"
    choices = item.samples if sampled and len(item.samples) > 1 else choices
    choices = tuple({str(choice).casefold(): choice for choice in reversed(choices)}.values())[::-1]
    if choices and item.type in ("str", "int", "float"):
        chosen = _chosen(known, item, choices)
        return f"float({chosen})" if item.type == "float" else chosen
    number = "place" if item.scope else _turn(known, item)
    value = "number == 0" if item.kind == "first" else f'value_for("{kind_of(item)}", {number}, ctx)'
    if sampled and not choices:
        value = f"{item.samples[0]!r} if {number} % 3 == 1 else {value}"
    if item.type.startswith("tuple["):
        inner = item.type[6:].split(",")[0]
        if choices and inner == "str":
            return f"({choices!r}[number % {len(choices)}],)"
        kind = {"str": inner_kind(item.name), "int": "integer", "float": "number", "bool": "flag"}[inner]
        return f'(value_for("{kind}", number % 4, ctx),)'
    return f"int({value})" if item.type == "int" else value


def _chosen(known: Entity, item: Field, choices: Sequence[str | int]) -> str:
    """One of the listed values: all of them in turn, and with every value of the listed fields before it."""
    if len(choices) == 1:
        return repr(choices[0])
    listed = [other for other in known.fields.values() if len(other.choices) > 1 or other.name == known.status]
    before = [other for other in listed[: listed.index(item)] if not other.target] if item in listed else []
    slower = prod(min(len(other.choices), 3) or 2 for other in before)
    step = f"number // {slower}" if 1 < slower <= 6 else "number"
    return f"{tuple(choices)!r}[{step} % {len(choices)}]"


def _turn(known: Entity, item: Field) -> str:
    """Which value of its kind a field gets: fields of one kind run through them in different orders."""
    alike = [other for other in known.fields.values() if kind_of(other) == kind_of(item) and other.type == item.type]
    before = alike.index(item)
    if kind_of(item) == "flag":  # flags that go together all four ways, so that two of them find something
        return "number" if before % 3 == 0 else f"number // {2 * (before % 3)}"
    return "number" if before == 0 else f"(number * {2 * before + 3} + {before}) % 23"


def _reference(plan: Plan, item: Field, leader: Field | None) -> str:
    """The id that a field refers to, as an expression."""
    owner = _owner(plan, item)
    if not _fits(plan, item):
        return "None"
    index = "0" if owner.single else f"{'place' if item.scope else 'number'} % len(state.{item.target})"
    reference = f"{owner.noun}_.id" if item is leader else f"list(state.{item.target})[{index}].id"
    return reference if item.type in ("str", "Json") else f"{item.type}({reference})"
