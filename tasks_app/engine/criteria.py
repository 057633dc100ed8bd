"""The rubric of a task, from what the reference run changed: criteria over net changes, and the write scope.

Only what the call was given, or what the record it concerns decided, becomes a criterion: generated ids, clock
times and free wording do not. Values that travelled get a criterion each, stated ones of a record share one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services_app.engine.protocol import Environment
from tasks_app.engine.columns import Column, columns_from
from tasks_app.engine.probes import singular
from tasks_app.engine.program import (
    Call,
    Constant,
    MadeCall,
    Program,
    ProgramRun,
    Register,
    Sequenced,
    Template,
)
from tasks_app.engine.rubric import net_changes, net_changes_of, variable_name
from tasks_app.engine.task import Criterion, Goal, WriteScope
from tasks_app.engine.text import date_forms, human_date, human_label

_COMPUTED = frozenset({"timestamp", "date", "money", "count", "duration", "time"})
_EXACT_KINDS = frozenset({"id", "ref", "date", "timestamp", "time", "flag", "money", "count", "duration", "percent"})


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that a new or changed record must show."""

    field: str
    expression: str
    travelled: bool
    """The value was read somewhere, not stated."""


@dataclass
class _Draft:
    """Criteria under construction."""

    criteria: list[Criterion] = field(default_factory=list)
    counted: dict[tuple[str, str], None] = field(default_factory=dict)
    """Tables of which the number of new records is laid down."""

    def add(self, text: str, expression: str, reads: str, kind: Any = "goal") -> None:
        if any(known.expression == expression for known in self.criteria):
            return
        number = len(self.criteria) + 1
        self.criteria.append(
            Criterion(id=f"c{number}", text=text, kind=kind, expression=expression, reads=(reads,) if reads else ())
        )


def build_rubric(program: Program, run: ProgramRun, environment: Environment) -> tuple[Criterion, ...]:
    """Criteria for the end state of `environment`, in which `run` was just made from s0."""
    draft = _Draft()
    journal = [change.to_json() for change in environment.changes]
    final = {(c["service"], c["table"], c["id"]): c for c in net_changes(journal)}
    columns = _Columns(environment)
    steps = {step.number: step for step in program.calls}
    for made, record in zip(run.calls, environment.calls, strict=True):
        changes = net_changes(journal[slice(*record.changes)])
        _judge_call(draft, columns, steps[made.number], made, run, changes, final)
    for service, table in draft.counted:
        count = sum(c["before"] is None and (s, t) == (service, table) for (s, t, _), c in final.items())
        noun = columns.noun(service, table) if count == 1 else columns.plural(service, table)
        where = f"added.{variable_name(service)}.{table}"
        draft.add(f"Exactly {count} new {noun}.", f"{where}.size() == {count}", f"{service}.{table}", "constraint")
    for part in () if program.answer is None else program.answer.parts:
        if isinstance(part, Register):
            value = run.registers[part.name]
            shown = human_date(value) if part.style == "date" else value
            draft.add(f"The answer states {shown}.", states("answer", part.style, value), "", "answer")
    return tuple(draft.criteria)


def goal_of(environment: Environment) -> Goal:
    """g, where `environment` is in the end state of the reference."""
    return Goal(state_hash=environment.state_hash(), changes=tuple(net_changes_of(environment)))


def write_scope(environment: Environment) -> tuple[WriteScope, ...]:
    """Where the journal of `environment` says that the task may write."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for change in (entry.to_json() for entry in environment.changes):
        action = "create" if change["before"] is None else "delete" if change["after"] is None else "change"
        ids = found.setdefault((change["service"], change["table"], action), [])
        if action != "create" and change["id"] not in ids:
            ids.append(change["id"])
    return tuple(
        WriteScope(service=service, table=table, action=action, ids=tuple(ids))
        for (service, table, action), ids in sorted(found.items())
    )


def idle_criteria(rubric: Iterable[Criterion]) -> list[str]:
    """Criteria that check what another one checks, or that count for nothing."""
    first: dict[str, str] = {}
    found = []
    for criterion in rubric:
        twin = first.setdefault(criterion.expression, criterion.id)
        if twin != criterion.id:
            found.append(f"{criterion.id} checks the same as {twin}")
        if not criterion.weight:
            found.append(f"{criterion.id} has no weight")
    return found


def literal(value: Any) -> str:
    """A value as CEL source."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def states(path: str, kind: str, value: Any) -> str:
    """CEL that holds when the text at `path` states `value`, in any usual way of writing it."""
    if kind in ("money", "count", "duration", "percent") or (
        isinstance(value, int | float) and not isinstance(value, bool)
    ):
        return f"has_number({path}, {literal(float(value))})"
    if kind == "date":
        return _any_text(path, date_forms(value))
    if kind == "timestamp":
        return f"({_any_text(path, date_forms(value[:10]))}) && has_text({path}, {literal(value[11:16])})"
    if kind == "label":
        return _any_text(path, dict.fromkeys((human_label(str(value)), str(value))))
    return f"has_text({path}, {literal(str(value))})"


def _any_text(path: str, forms: Iterable[str]) -> str:
    return " || ".join(f"has_text({path}, {literal(form)})" for form in forms)


class _Columns:
    """Columns and nouns of the mounted services, made when first needed."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self.clock = environment.clock
        self._known: dict[str, dict[str, Column]] = {}

    def of(self, service: str) -> dict[str, Column]:
        if service not in self._known:
            info = self._environment.catalogue.services[service]
            self._known[service] = columns_from(info, {t: self._environment.rows(service, t) for t in info.tables})
        return self._known[service]

    def noun(self, service: str, table: str) -> str:
        noun = self._environment.catalogue.services[service].tables[table].noun
        return singular(table).replace("_", " ") if noun in ("", "record") else noun

    def plural(self, service: str, table: str) -> str:
        info = self._environment.catalogue.services[service].tables[table]
        return table.replace("_", " ") if info.noun in ("", "record") else info.plural

    def record(self, service: str, table: str, identity: Any) -> Mapping[str, Any] | None:
        return self._environment.record(service, table, identity)


def _judge_call(
    draft: _Draft,
    columns: _Columns,
    step: Call,
    made: MadeCall,
    run: ProgramRun,
    changes: Sequence[Mapping[str, Any]],
    final: Mapping[tuple[str, str, str], Mapping[str, Any]],
) -> None:
    for change in changes:
        service, table, identity = change["service"], change["table"], change["id"]
        end = final.get((service, table, identity))
        if end is None or change["after"] is None or end["after"] is None:
            if end is not None and identity in made.arguments.values():
                path = f"removed.{variable_name(service)}.{table}"
                text = f"The {columns.noun(service, table)} {identity} is gone."
                draft.add(text, f"{path}.exists(r, r.id == {literal(identity)})", f"{service}.{table}")
            continue
        judge = _Judge(columns, service, table, step, made, run)
        noun, reads = columns.noun(service, table), f"{service}.{table}"
        if change["before"] is None:
            conditions = judge.of_new(change["after"])
            if conditions:
                draft.counted[(service, table)] = None
                root = f"added.{variable_name(service)}.{table}.exists(r, "
                _add_conditions(draft, f"A new {noun}", root, conditions, reads, anchored=True)
        else:
            conditions = judge.of_changed(change["before"], change["after"], end["after"])
            root = f"changed.{variable_name(service)}.{table}.exists(r, r.id == {literal(identity)} && "
            _add_conditions(draft, f"The {noun} {identity}", root, conditions, reads, anchored=False)


def _add_conditions(
    draft: _Draft, subject: str, root: str, conditions: Sequence[Condition], reads: str, *, anchored: bool
) -> None:
    """Stated values together, each travelled one for itself, tied to the stated ones for a new record."""
    stated = [condition for condition in conditions if not condition.travelled]
    travelled = [condition for condition in conditions if condition.travelled]
    base = " && ".join(condition.expression for condition in stated)
    if stated:
        names = ", ".join(condition.field.replace("_", " ") for condition in stated)
        draft.add(f"{subject} has the right {names}.", f"{root}{base})", reads)
    elif anchored and len(travelled) > 1:
        base = travelled[0].expression
    for condition in travelled:
        tie = f"{base} && " if anchored and base and base != condition.expression else ""
        name = condition.field.replace("_", " ")
        draft.add(f"{subject} has the right {name}.", f"{root}{tie}{condition.expression})", reads)


class _Judge:
    """Conditions for one record that one call wrote."""

    def __init__(
        self, columns: _Columns, service: str, table: str, step: Call, made: MadeCall, run: ProgramRun
    ) -> None:
        self._columns = columns
        self._service = service
        self._table = table
        self._step = step
        self._made = made
        self._run = run
        self._seen: set[str] = set()

    def _column(self, name: str) -> Column:
        return self._columns.of(self._service)[f"{self._table}.{name}"]

    def of_new(self, record: Mapping[str, Any]) -> list[Condition]:
        found: list[Condition] = []
        for name, value in record.items():
            column = self._column(name)
            if name == "id" or value in (None, "", []) or column.kind == "object":
                continue
            condition = self._from_argument("r.", name, value) or self._from_subject(name, value)
            if condition is not None:
                found.append(condition)
        if found and self._unseen:
            found += self._effects(record, [condition.field for condition in found])
        return found

    def _effects(self, record: Mapping[str, Any], known: Sequence[str]) -> list[Condition]:
        """Computed fields, for arguments that were not copied: the end that follows from a duration."""
        today = self._columns.clock[:11]
        found = []
        for name, value in record.items():
            column = self._column(name)
            if name in known or column.system or column.kind not in _COMPUTED or value in (None, ""):
                continue
            if not (isinstance(value, str) and value.startswith(today)):
                found.append(Condition(name, f"r.{name} == {literal(value)}", travelled=False))
        return found

    @property
    def _unseen(self) -> bool:
        """Some argument that matters ended up in no field."""
        for name, expression in self._step.arguments.items():
            free = isinstance(expression, Constant) and expression.origin == "constant"
            if name not in self._seen and not free and isinstance(self._made.arguments[name], int | float):
                return True
        return False

    def of_changed(
        self, before: Mapping[str, Any], after: Mapping[str, Any], end: Mapping[str, Any]
    ) -> list[Condition]:
        found: list[Condition] = []
        effects: list[Condition] = []
        for name, value in after.items():
            if before.get(name) == value or end.get(name) != value:
                continue
            column = self._column(name)
            condition = self._from_argument("r.after.", name, value)
            if condition is not None:
                found.append(condition)
            elif column.kind == "flag" or column.choices:
                found.append(Condition(name, f"r.after.{name} == {literal(value)}", travelled=False))
            elif column.kind in ("money", "count", "duration") and not column.system:
                effects.append(Condition(name, f"r.after.{name} == {literal(value)}", travelled=False))
        return found or effects

    def _from_argument(self, root: str, name: str, value: Any) -> Condition | None:
        """The condition when the value came in with an argument."""
        path = f"{root}{name}"
        for parameter, expression in self._step.arguments.items():
            sent = self._made.arguments[parameter]
            inner = expression.items[0] if isinstance(expression, Sequenced) and expression.items else expression
            single = sent[0] if isinstance(sent, list) and len(sent) == 1 else sent
            if isinstance(inner, Template):
                if isinstance(value, str) and str(single) in value:
                    return self._stated_in(path, name, inner)
                continue
            if not self._landed(parameter, name, single, value):
                continue
            self._seen.add(parameter)
            if isinstance(inner, Constant) and inner.origin == "constant":
                return None
            travelled = not isinstance(inner, Constant)
            if isinstance(value, list):
                return Condition(name, f"{literal(single)} in {path}", travelled)
            return Condition(name, self._equals(path, name, value), travelled)
        return None

    def _landed(self, parameter: str, name: str, sent: Any, value: Any) -> bool:
        if isinstance(value, list):
            return sent in value
        if sent != value or isinstance(sent, bool) != isinstance(value, bool):
            return False
        # Small numbers, flags and labels are equal by chance: the names have to go together as well.
        vague = isinstance(value, bool | int) or bool(self._column(name).choices)
        return not vague or bool(set(parameter.split("_")) & set(name.split("_")))

    def _stated_in(self, path: str, name: str, template: Template) -> Condition | None:
        parts = [part for part in template.parts if isinstance(part, Register)]
        if not parts:
            return None
        checks = [states(path, part.style, self._run.registers[part.name]) for part in parts]
        joined = " && ".join(f"({check})" if "||" in check else check for check in checks)
        return Condition(name, joined, travelled=True)

    def _from_subject(self, name: str, value: Any) -> Condition | None:
        """Values that follow from the record the call concerns: its id, or whom an answer goes to."""
        column = self._column(name)
        if column.kind == "email" and column.many and not column.system:
            return Condition(name, " && ".join(f"{literal(item)} in r.{name}" for item in value), travelled=True)
        if not column.target or column.many:
            return None
        record = self._columns.record(self._service, column.target, value) or {}
        sent = [item for v in self._made.arguments.values() for item in (v if isinstance(v, list) else [v])]
        keys = [key for key in record.values() if isinstance(key, str)]
        if not any(item in keys for item in sent if isinstance(item, str) and len(item) > 1):
            return None
        return Condition(name, f"r.{name} == {literal(value)}", travelled=False)

    def _equals(self, path: str, name: str, value: Any) -> str:
        column = self._column(name)
        if not isinstance(value, str) or column.kind in _EXACT_KINDS or column.choices:
            return f"{path} == {literal(value)}"
        check = f"norm({path}) == norm({literal(value)})"
        return f"{path} != null && {check}" if column.nullable else check
