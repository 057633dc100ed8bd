"""Is an edge necessary? Put the alternative in the value's place: old writes must fail there, the program must not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.engine.columns import CODE, Column, columns_of
from tasks_app.engine.criteria import build_rubric, write_scope
from tasks_app.engine.program import Get, Program, ProgramError, ProgramRun, run_program
from tasks_app.engine.rubric import has_number, verify
from tasks_app.engine.task import GraphEdge, StateEdit, TaskSpec
from tasks_app.engine.text import date_forms, plain_form, stands_in

LOW_ENTROPY = frozenset({"label", "count", "duration", "flag", "percent", "time"})
TELLING_DIGITS = 4  # numbers with fewer digits, zeros at the ends apart, stand anywhere by chance


def check_edge(task: TaskSpec, edge: GraphEdge, run: ProgramRun, start: Environment) -> dict[str, Any]:
    """Evidence for one edge without a leak: {"edge", "name", "necessary", "why", "alternative"}.

    The calls of `run` are repeated as they are, so that reads which leave no traces may be left out of it.
    """
    evidence: dict[str, Any] = {
        "edge": f"{edge.source} > {edge.target}",
        "name": edge.name,
        "how": edge.how,
        "value": edge.value,
        "necessary": False,
        "why": "",
    }
    value = run.registers[edge.register_name]
    edits = [edge.ablation] if edge.ablation else edits_around(start, edge.source, task.initial.edits)
    for world in _edited(start, edits):
        changed = _solve(task, world) if gives_another(task.reference, edge.register_name, value, world) else None
        if changed is None:
            world.close()
            continue
        solved, end = changed
        evidence["alternative"] = solved.registers[edge.register_name]
        evidence["necessary"] = not _old_calls_pass(task, run, solved, end, world)
        evidence["why"] = "" if evidence["necessary"] else "the old solution still passes"
        end.close()
        world.close()
        return evidence
    return {**evidence, "why": "no world with another value could be made"}


def _solve(task: TaskSpec, world: Environment) -> tuple[ProgramRun, Environment] | None:
    end = world.fork()
    try:
        return run_program(task.reference, end.call), end
    except ProgramError:
        end.close()
        return None


def _old_calls_pass(task: TaskSpec, run: ProgramRun, solved: ProgramRun, end: Environment, world: Environment) -> bool:
    """Whether the calls made in s0 satisfy the rubric of the changed world."""
    rubric = build_rubric(task.reference, solved, end)
    scope = write_scope(end)
    old = world.fork()
    for made in run.calls:
        old.call(made.service, made.tool, made.arguments)
    passed = verify(rubric, scope, old, run.answer).passed
    old.close()
    return passed is True


def readable(start: Environment) -> dict[str, str]:
    """service -> all texts that its records hold, case-folded, a line each."""
    found = {}
    for service, info in start.catalogue.services.items():
        cells = (cell for table in info.tables for row in start.rows(service, table) for cell in row.values())
        found[service] = "\n".join(texts_of(cells)).casefold()
    return found


def texts_of(cells: Iterable[Any]) -> list[str]:
    """The texts among the cells of records, those in lists as well."""
    items = [item for cell in cells for item in (cell if isinstance(cell, list) else [cell])]
    return [item for item in items if isinstance(item, str)]


def find_leak(task: TaskSpec, edge: GraphEdge, texts: Mapping[str, str]) -> str:
    """Where a high-entropy value could be read without the walk; "" when nowhere. `texts`: see `readable`."""
    if edge.kind in LOW_ENTROPY or isinstance(edge.value, bool | int):
        return ""
    if _states(task.instruction, edge):
        return "the value is in the instruction"
    forms = (str(edge.value).casefold(), plain_form(edge.kind, edge.value).casefold())
    for service, text in texts.items():
        if service not in (edge.source, edge.target) and any(stands_in(form, text) for form in forms):
            return f"the value can be read in {service} as well"
    return ""


def _states(instruction: str, edge: GraphEdge) -> bool:
    """Whether the instruction writes the value out, in any of the ways that the rubric takes for it."""
    value = edge.value
    if isinstance(value, float) and len(f"{value:g}".replace(".", "").strip("-0")) >= TELLING_DIGITS:
        return has_number(instruction, value)
    forms = [plain_form(edge.kind, value), str(value)]
    if edge.kind == "date":
        forms += date_forms(value)
    long = [re.escape(form) for form in forms if len(form) > 3]
    return bool(long) and bool(re.search(rf"(?<!\w)(?:{'|'.join(long)})(?!\w)", instruction, re.IGNORECASE))


def gives_another(program: Program, register: str, value: Any, world: Environment) -> bool:
    """Whether the program, as far as it has to run for it, gives another value for the register in that world."""
    ends = [
        index for index, step in enumerate(program.steps) if isinstance(step, Get) and step.register_name == register
    ]
    first = Program(steps=program.steps[: ends[0] + 1])
    end = world.fork()
    try:
        return bool(run_program(first, end.call).registers[register] != value)
    except ProgramError:
        return False
    finally:
        end.close()


def edits_around(start: Environment, service: str, edits: Iterable[StateEdit]) -> Iterator[list[StateEdit]]:
    """Changes of `service` after which a figure may differ: other numbers in the records of `edits`, more records."""
    planted: dict[str, set[str]] = {}
    for edit in edits:
        if edit.service == service:
            planted.setdefault(edit.table, set()).add(edit.id)
    columns = columns_of(start, service)
    for table in start.catalogue.services[service].tables:
        for identity in sorted(planted.get(table, ())):
            yield from _other_numbers(start, service, table, identity, columns)
    for table in start.catalogue.services[service].tables:
        yield from _one_more(start, service, table, columns, planted)


def _edited(start: Environment, changes: Iterable[Sequence[StateEdit]]) -> Iterator[Environment]:
    """The worlds that the changes make, where the services take them."""
    for edits in changes:
        try:
            world = start.edited(edit.to_edit() for edit in edits)
        except (ServiceDefect, EngineError):
            continue
        yield world


def _other_numbers(
    start: Environment, service: str, table: str, identity: str, columns: dict[str, Column]
) -> Iterator[list[StateEdit]]:
    row = start.record(service, table, identity) or {}
    for column in columns.values():
        value = row.get(column.field)
        if column.table != table or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        step = 7 if isinstance(value, int) else 125.0
        yield [StateEdit(service=service, table=table, id=identity, patch={column.field: value + step})]


def _one_more(
    start: Environment, service: str, table: str, columns: dict[str, Column], planted: dict[str, set[str]]
) -> Iterator[list[StateEdit]]:
    """One more record: the next generated id or code moves on, and so do counts and sums over children."""
    rows = start.rows(service, table)
    if not rows:
        return
    last = max(rows, key=lambda row: (len(row["id"]), row["id"]))
    more = _renumbered(last, rows, columns, table)
    yield [StateEdit(service=service, table=table, id=more["id"], record=more)]
    for column in columns.values():
        if column.table != table or not column.target or column.many:
            continue
        for parent in sorted(planted.get(column.target, ())):
            for row in rows[:4]:
                record = {**_renumbered(row, rows, columns, table), "id": _higher(last["id"]), column.field: parent}
                yield [StateEdit(service=service, table=table, id=record["id"], record=record)]


def _higher(text: str) -> str:
    match = re.fullmatch(r"(.*?)(\d+)", text)
    if match is None:
        return f"{text}6"
    return f"{match[1]}{int(match[2]) + 6:0{len(match[2])}d}"


def _renumbered(
    row: dict[str, Any], rows: list[dict[str, Any]], columns: dict[str, Column], table: str
) -> dict[str, Any]:
    """A copy with the next id and codes above the highest ones."""
    record = {**row, "id": _higher(row["id"])}
    for column in columns.values():
        value = row.get(column.field)
        if column.table == table and isinstance(value, str) and column.field != "id" and CODE.match(value):
            codes = [other[column.field] for other in rows if isinstance(other.get(column.field), str)]
            record[column.field] = _higher(max(codes, key=lambda code: (len(code), code)))
    return record
