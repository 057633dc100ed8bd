"""Is an edge necessary? Put the alternative in the value's place: old writes must fail there, the program must not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.engine import Edit, EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.engine.columns import CODE, Column, columns_of
from tasks_app.engine.criteria import build_rubric, write_scope
from tasks_app.engine.mutants import Build
from tasks_app.engine.program import ProgramError, ProgramRun, run_program
from tasks_app.engine.rubric import has_number, verify
from tasks_app.engine.task import GraphEdge, TaskSpec
from tasks_app.engine.text import date_forms, plain_form

LOW_ENTROPY = frozenset({"label", "count", "duration", "flag", "percent", "time"})
TELLING_DIGITS = 4  # numbers with fewer digits, zeros at the ends apart, stand anywhere by chance


def check_edge(task: TaskSpec, edge: GraphEdge, run: ProgramRun, start: Environment, build: Build) -> dict[str, Any]:
    """Evidence for one edge without a leak: {"edge", "name", "necessary", "why", "alternative"}."""
    evidence: dict[str, Any] = {
        "edge": f"{edge.source} > {edge.target}",
        "name": edge.name,
        "how": edge.how,
        "value": edge.value,
        "necessary": False,
        "why": "",
    }
    for world in _worlds(task, edge, start):
        changed = _solve(task, world)
        if changed is None or changed[0].registers.get(edge.register_name) == run.registers[edge.register_name]:
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


def find_leak(task: TaskSpec, edge: GraphEdge, start: Environment) -> str:
    """Where a high-entropy value could be read without the walk; "" when nowhere."""
    if edge.kind in LOW_ENTROPY or isinstance(edge.value, bool | int):
        return ""
    if _states(task.instruction, edge):
        return "the value is in the instruction"
    shown = plain_form(edge.kind, edge.value).casefold()
    raw = str(edge.value).casefold()
    for service, info in start.catalogue.services.items():
        if service in (edge.source, edge.target):
            continue
        for table in info.tables:
            for row in start.rows(service, table):
                if _shows(row, raw, shown):
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


def _shows(row: dict[str, Any], raw: str, shown: str) -> bool:
    for value in row.values():
        items = value if isinstance(value, list) else [value]
        for item in items:
            if isinstance(item, str) and (raw in item.casefold() or shown in item.casefold()):
                return True
    return False


def _worlds(task: TaskSpec, edge: GraphEdge, start: Environment) -> Iterator[Environment]:
    """Worlds in which the value might differ: the author's own edits, or a search around the source."""
    if edge.ablation:
        yield from _edited(start, [edit.to_edit() for edit in edge.ablation])
        return
    planted: dict[str, set[str]] = {}
    for edit in task.initial.edits:
        if edit.service == edge.source:
            planted.setdefault(edit.table, set()).add(edit.id)
    columns = columns_of(start, edge.source)
    for table in start.catalogue.services[edge.source].tables:
        for identity in sorted(planted.get(table, ())):
            yield from _other_numbers(start, edge.source, table, identity, columns)
    for table in start.catalogue.services[edge.source].tables:
        yield from _one_more(start, edge.source, table, columns, planted)


def _edited(start: Environment, edits: list[Edit]) -> Iterator[Environment]:
    try:
        yield start.edited(edits)
    except (ServiceDefect, EngineError):
        return


def _other_numbers(
    start: Environment, service: str, table: str, identity: str, columns: dict[str, Column]
) -> Iterator[Environment]:
    row = start.record(service, table, identity) or {}
    for column in columns.values():
        value = row.get(column.field)
        if column.table != table or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        step = 7 if isinstance(value, int) else 125.0
        yield from _edited(start, [Edit(service, table, identity, patch={column.field: value + step})])


def _one_more(
    start: Environment, service: str, table: str, columns: dict[str, Column], planted: dict[str, set[str]]
) -> Iterator[Environment]:
    """One more record: the next generated id or code moves on, and so do counts and sums over children."""
    rows = start.rows(service, table)
    if not rows:
        return
    last = max(rows, key=lambda row: (len(row["id"]), row["id"]))
    yield from _edited(
        start, [Edit(service, table, _higher(last["id"]), record=_renumbered(last, rows, columns, table))]
    )
    for column in columns.values():
        if column.table != table or not column.target or column.many:
            continue
        for parent in sorted(planted.get(column.target, ())):
            for row in rows[:4]:
                record = {**_renumbered(row, rows, columns, table), "id": _higher(last["id"]), column.field: parent}
                yield from _edited(start, [Edit(service, table, record["id"], record=record)])


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
