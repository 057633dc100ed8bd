"""The source of a service's state: one record class per entity, one state class."""

from __future__ import annotations

from collections.abc import Iterator

from services_app.builders.first_values import unset_fields
from services_app.builders.plan import Entity, Field, Plan
from services_app.specs.model import Specification
from services_app.specs.vocabulary import plural_of


def state_class(slug: str) -> str:
    """Name of the state class of a service."""
    name = "".join(word.capitalize() for word in slug.split("-") if word) + "State"
    return name if name.isidentifier() else f"Service{name}"


def one_line(text: str) -> str:
    """Text for a one-line docstring."""
    return " ".join(text.replace("\\", "/").split()).replace('"', "'")


def import_lines(module: str, names: list[str]) -> Iterator[str]:
    """A `from ... import ...` within the line length; nothing when there is nothing to import."""
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 120:
        if names:
            yield line
        return
    yield f"from {module} import ("
    yield from (f"    {name}," for name in names)
    yield ")"


def state_source(spec: Specification, plan: Plan) -> Iterator[str]:
    """Lines of state.py."""
    records = [line for known in plan.entities.values() for line in _record(plan, known)]
    body = "\n".join(records)
    yield f'"""State of {one_line(spec.title)}."""'
    yield ""
    if "Annotated[" in body:
        yield "from typing import Annotated"
        yield ""
    if "= Field(" in body:
        yield "from pydantic import Field"
        yield ""
    names = ["About", "State", "Table"] if records else ["State", "Table"] if plan.fixtures else ["State"]
    yield from import_lines("services_app.engine", names)
    if "f." in body:
        yield "from services_app.engine import fields as f"
    if records:
        shared = ", ".join(["Json", "SpecRecord"] if "Json" in body else ["SpecRecord"])
        yield f"from services_app.recipes.records import {shared}"
    for module in sorted({fixture.module for fixture in plan.fixtures}):
        classes = sorted({fixture.class_name for fixture in plan.fixtures if fixture.module == module})
        yield from import_lines(module, classes)
    yield from records
    yield ""
    yield ""
    yield f"class {state_class(plan.slug)}(State):"
    for known in plan.entities.values():
        yield f"    {known.table}: Table[{known.class_name}]"
    for fixture in plan.fixtures:
        yield f"    {fixture.table}: Table[{fixture.class_name}]"
    if not plan.entities and not plan.fixtures:
        yield "    pass"
    yield ""


def _record(plan: Plan, known: Entity) -> Iterator[str]:
    yield ""
    yield ""
    yield f"class {known.class_name}(SpecRecord):"
    yield from _about(known)
    unset = unset_fields(plan, known)
    yield from _tuple("unset", [item.name for item in unset])
    yield from _tuple("unsaid", [item.name for item in unset if item.invented and not item.filtered])
    for item in known.fields.values():
        yield f"    {item.python}: {_annotation(item)} = {_default(known, item)}"


def _about(known: Entity) -> Iterator[str]:
    words = known.noun.split("_")
    key = known.natural_key or _display_field(known)
    about = [repr(" ".join(words)), f"plural={' '.join([*words[:-1], plural_of(words[-1])])!r}"]
    if not known.natural_key:
        about += [f"prefix={known.prefix!r}", *(["width=1"] if known.integer_id or known.stem == "" else [])]
    if key in known.fields:
        about.append(f"key={known.fields[key].python!r}")
    carrier = "note" if words[-1] in ("comment", "note", "remark", "reply") else ""
    carrier = "document" if words[-1] in ("document", "page", "article", "wiki") else carrier
    if carrier:
        about.append(f"carrier={carrier!r}")
    line = f"    about = About({', '.join(about)})"
    if len(line) <= 120:
        yield line
        return
    yield "    about = About("
    yield from (f"        {part}," for part in about)
    yield "    )"


def _tuple(name: str, items: list[str]) -> Iterator[str]:
    """A class attribute that lists texts; nothing where there are none."""
    line = f"    {name} = ({', '.join(map(repr, items))}{',' if len(items) == 1 else ''})"
    if items and len(line) <= 120:
        yield line
    elif items:
        yield f"    {name} = ("
        yield from (f"        {item!r}," for item in items)
        yield "    )"


def _display_field(known: Entity) -> str:
    names = [item.name for item in known.fields.values() if item.meaning == "f.Title"]
    return names[0] if names else ""


def _annotation(item: Field) -> str:
    base = item.type
    if item.target:
        base = f'Annotated[{base}, f.ref("{item.target}")]' if base in ("str", "int") else base
    elif item.meaning == "f.Email":  # the specification decides what it takes for an address
        base = 'Annotated[str, f.Semantic("email")]'
    elif item.meaning and item.type == "str":
        base = item.meaning
    return f"{base} | None" if item.type != "Json" else "Json"


def _default(known: Entity, item: Field) -> str:
    value = repr(item.usual)
    if item.usual is None and item.name == known.status and item.type == "str":
        value = repr(statuses_of(known)[0])
    if item.python != item.name:
        return f"Field({value}, alias={item.name!r})"
    return value


def statuses_of(known: Entity) -> tuple[str, ...]:
    """Values of the status field, the initial one first."""
    choices = [choice for choice in known.fields[known.status].choices if isinstance(choice, str)]
    initial = "active" if {"inactive", "suspended", "archived", "paused"} & set(known.statuses) else "open"
    return tuple(dict.fromkeys([*filter(None, [known.initial]), *(choices or [initial, *known.statuses])]))
