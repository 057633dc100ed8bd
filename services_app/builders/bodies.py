"""The body of each kind of tool, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services_app.builders.around import around_lines
from services_app.builders.journal_lines import journalled
from services_app.builders.plan import ROWS, Entity, Plan, ToolPlan
from services_app.builders.read_bodies import READERS, rows_of
from services_app.builders.write_bodies import WRITERS

_WRITERS: dict[str, Callable[[Plan, ToolPlan, Entity], Iterator[str]]] = {**READERS, **WRITERS}


def body_of(plan: Plan, tool: ToolPlan) -> Iterator[str]:
    """Lines of a tool's function, without indentation."""
    for wrapper in tool.unwraps:
        yield f"args = unwrapped(args, {wrapper!r})"
    if tool.read.blanks:
        yield f"args = without_blanks(args, {tool.read.blanks!r})"
    usually = {name: value for name, value in tool.read.usually.items() if name not in tool.read.blanks}
    if usually:  # a default that stands for nothing is none
        yield f"args = {{**{usually!r}, **args}}"
    yield from around_lines(tool)
    if tool.confirm:
        yield f"confirmed(args, {tool.confirm!r})"
    if tool.needs:
        yield f"needed(args, {tool.needs!r})"
    for recipe, *given in tool.checks:
        yield f"{recipe}(args, {', '.join(map(repr, given))})"
    for parameter, (noun, words) in tool.aliases.items():
        yield f"args = aliased(state.{plan.entities[noun].table}, args, {parameter!r}, {words!r})"
    for parameter, noun in tool.parents.items():
        known = plan.entities[noun]
        if parameter in tool.called:
            by = tuple(known.fields[name].python for name in tool.called[parameter])
            yield f"args = resolved(state.{known.table}, args, {parameter!r}, {by!r})"
        else:
            yield f"require(state.{known.table}, args.get({parameter!r}))"
    if tool.kind == "written":
        for line in tool.body:
            yield from rows_of(plan, tool, plan.entity_of(tool)) if line == ROWS else (line,)
    else:
        lines = _WRITERS[tool.kind](plan, tool, plan.entity_of(tool))
        yield from journalled(plan, tool, plan.entity_of(tool), lines)
