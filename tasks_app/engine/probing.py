"""Calls for profiling: candidates for arguments, calls that work, which records an answer mentions."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from services_app.engine import Edit, EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.engine.columns import CODE, EMAIL, Column, columns_from
from tasks_app.engine.probes import RANGE_START, Parameter, Probe, Row, parameters_of, singular
from tasks_app.engine.profile import ParameterProfile, ToolProfile
from tasks_app.engine.values import NoFreshValueError, Values

ROWS_PER_TABLE = 6
GOOD_ENOUGH = 12
_RANGE = re.compile(r"(^|_)(from|since|after|start|to|until|before|end)(_|$)")
_BY_TYPE = {
    "string": frozenset(
        [
            "id",
            "ref",
            "email",
            "date",
            "timestamp",
            "time",
            "code",
            "text",
            "title",
            "label",
            "person",
            "organisation",
            "product",
            "place",
            "phone",
            "url",
        ]
    ),
    "number": frozenset({"money", "percent", "count", "duration"}),
    "integer": frozenset({"count", "duration", "money"}),
    "boolean": frozenset({"flag"}),
}


class Prober:
    """Makes probing calls on one service and keeps the tally of the tool in hand."""

    def __init__(self, environment: Environment, slug: str, rng: random.Random) -> None:
        self.environment = environment.edited([])
        self.slug = slug
        self.rng = rng
        self.info = environment.catalogue.services[slug]
        self.rows: dict[str, list[Row]] = {table: environment.rows(slug, table) for table in self.info.tables}
        self.columns = columns_from(self.info, self.rows)
        self.values = Values(rng, reuse=True)
        self._ids = {table: frozenset(row["id"] for row in rows) for table, rows in self.rows.items()}

    def close(self) -> None:
        self.environment.close()

    # The tool in hand

    def start(self, tool: str) -> list[Probe]:
        """Turn to a tool and find calls that work."""
        self.tool = self.info.tools[tool]
        self.parameters = parameters_of(self.tool)
        self.errors: Counter[str] = Counter()
        self.worked: dict[str, Counter[float]] = {}
        self.fillers: dict[str, Any] = {}
        self.made = 0
        return self._working_calls() or self._with_one_optional() or self._with_every_optional() or self._examples()

    def finish(self, measured: Mapping[str, Any]) -> ToolProfile:
        """The profile of the tool in hand from what was measured."""
        details = measured.get("parameters", {})
        profiles = {
            name: ParameterProfile(
                required=parameter.required,
                type=parameter.type,
                many=parameter.many,
                choices=tuple(str(choice) for choice in parameter.choices),
                default=parameter.default,
                kind=parameter.kind,
                unit=parameter.unit,
                worked=tuple(number for number, _ in self.worked.get(name, Counter()).most_common(12)),
                filler=self.fillers.get(name),
                **details.get(name, {}),
            )
            for name, parameter in self.parameters.items()
        }
        rest = {key: value for key, value in measured.items() if key != "parameters"}
        return ToolProfile(
            tool=self.tool.name, parameters=profiles, errors=tuple(sorted(self.errors)), calls=self.made, **rest
        )

    # Calls

    def call(
        self, arguments: Mapping[str, Any], world: Environment | None = None, table: str = "", row: Row | None = None
    ) -> Probe:
        """Call the tool in hand in a fork of the seeded state, or of `world`."""
        twin = (world or self.environment).fork()
        self.made += 1
        envelope = twin.call(self.slug, self.tool.name, dict(arguments))
        changes = tuple(change.to_json() for change in twin.changes) if envelope["success"] else ()
        twin.close()
        error = "" if envelope["success"] else str(envelope["error"]["type"])
        if error:
            self.errors[error] += 1
        elif changes:
            self._note_numbers(arguments)
        return Probe(table, row or {}, dict(arguments), not error, envelope.get("data"), error, changes)

    def _note_numbers(self, arguments: Mapping[str, Any]) -> None:
        for name, value in arguments.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self.worked.setdefault(name, Counter())[value] += 1

    def world(self, *edits: Edit) -> Environment | None:
        """The seeded state with `edits`; None when the state model refuses them."""
        try:
            return self.environment.edited(edits)
        except (ServiceDefect, EngineError):
            return None

    def patched(self, table: str, identity: str, **patch: Any) -> Environment | None:
        return self.world(Edit(self.slug, table, identity, patch=patch))

    def mentions(self, probe: Probe, table: str, row: Row) -> bool:
        """Whether an answer is about `row`: its id, or two of its values that no other row's id contradicts."""
        if not probe.success:
            return False
        shown = probe.shown
        if row["id"] in shown:
            return True
        if not shown.isdisjoint(self._ids[table]):
            return False
        own = [
            value
            for field, value in row.items()
            if isinstance(value, str) and len(value) > 6 and value in shown and self._rare(table, field, value)
        ]
        return len(own) >= 2

    def _rare(self, table: str, field: str, value: str) -> bool:
        return sum(bool(other.get(field) == value) for other in self.rows[table]) == 1

    # Arguments

    def candidates(self, parameter: Parameter) -> list[Column]:
        """Columns whose values the parameter may take, best first."""
        allowed = _BY_TYPE.get(parameter.type, frozenset())
        scored = [
            (self.affinity(parameter, column), column)
            for column in self.columns.values()
            if column.kind in allowed and not (column.many and parameter.type == "object")
        ]
        return [column for score, column in sorted(scored, key=lambda pair: -pair[0]) if score >= 0]

    def affinity(self, parameter: Parameter, column: Column) -> int:
        """How well a parameter and a column go together, by meaning and by name; negative: not at all."""
        name, table, field = parameter.name, singular(column.table), column.field
        if parameter.kind in ("ref", "id"):
            wanted = parameter.target.removeprefix(f"{self.slug}.")
            if wanted and field == "id":
                return 12 if column.table == wanted else -1
        words, own = set(name.split("_")), set(field.split("_")) | {table}
        score = 2 * len(words & own) if field != "id" else 0
        if name == f"{table}_{field}":
            score = 10
        elif field == "id" and (name == f"{table}_id" or (name.endswith("_id") and table.endswith(name[:-3]))):
            score = 9
        elif name == field and field != "id":
            score = 8
        elif name == table and field in ("id", "email", "name"):
            score = 5
        if parameter.kind and parameter.kind == column.kind and parameter.unit == column.unit:
            score += 3
        elif parameter.kind in ("email", "date", "timestamp", "code", "money") and column.kind != parameter.kind:
            return -1
        return score

    def around(self, table: str, row: Row) -> dict[str, Any]:
        """Values by column that belong together: the row, its parents, its children, then any row."""
        known = {f"{table}.{field}": value for field, value in row.items()}
        for column in self.columns.values():
            if column.table == table and column.target and row.get(column.field):
                parent = self.row(column.target, row[column.field])
                self._add(known, column.target, parent)
        for column in self.columns.values():
            if column.target == table and column.table != table:
                child = next((r for r in self.rows[column.table] if r.get(column.field) == row["id"]), None)
                self._add(known, column.table, child)
        for other, rows in self.rows.items():
            if rows:
                self._add(known, other, self.rng.choice(rows))
        return known

    @staticmethod
    def _add(known: dict[str, Any], table: str, row: Row | None) -> None:
        for field, value in (row or {}).items():
            known.setdefault(f"{table}.{field}", value)

    def row(self, table: str, identity: Any) -> Row | None:
        return next((row for row in self.rows[table] if row["id"] == identity), None)

    def fill(self, table: str, row: Row, fixed: Mapping[str, Any], turn: int = 0) -> dict[str, Any]:
        """Arguments around a row: the fixed ones and every required one. `turn` rotates among weak candidates."""
        known = self.around(table, row)
        arguments = dict(fixed)
        for name, parameter in self.parameters.items():
            if parameter.required and name not in arguments:
                value = self._argument(parameter, known, turn)
                arguments[name] = parameter.send(self._another(value) if value in arguments.values() else value)
        return arguments

    def _another(self, value: Any) -> Any:
        """Another record of the same table where `value` is an id: nothing is merged into itself."""
        ids = next((ids for ids in self._ids.values() if value in ids), frozenset()) if isinstance(value, str) else ()
        return self.rng.choice(sorted(set(ids) - {value})) if len(ids) > 1 else value

    def _argument(self, parameter: Parameter, known: Mapping[str, Any], turn: int) -> Any:
        if parameter.choices:
            return self.rng.choice(parameter.choices)
        columns = [column for column in self.candidates(parameter) if known.get(column.key) not in (None, "", [])]
        strong = bool(columns) and self.affinity(parameter, columns[0]) >= 8
        if parameter.type == "string" and not strong and _RANGE.search(parameter.name):
            self.fillers[parameter.name] = self._wide(parameter.name)
            return self.fillers[parameter.name]
        if not columns:
            return self._made_up(parameter)
        column = columns[0 if strong else min(turn, len(columns) - 1)]
        value = known[column.key]
        if strong and turn and column.field != "id":  # what the row has already may be refused for that
            value = self.rng.choice(self.rows[column.table])[column.field] or value
        return value[0] if isinstance(value, list) and value and not parameter.many else value

    @staticmethod
    def _wide(name: str) -> str:
        day = "2025-01-01" if RANGE_START.search(name) else "2027-12-31"
        return f"{day}T00:00:00Z" if "time" in name or name.endswith("_at") else day

    def _made_up(self, parameter: Parameter) -> Any:
        if parameter.kind and parameter.type == "string":
            try:
                return self.values.fresh(parameter.kind)
            except NoFreshValueError:
                return "x"
        floor = parameter.minimum or 0
        plain: dict[str, Any] = {
            "integer": int(max(floor + 1, 3)),
            "number": float(max(floor + 1, 10)),
            "boolean": True,
        }
        return plain.get(parameter.type, "x" if parameter.type == "string" else {})

    # Calls that work

    def _tables(self) -> list[str]:
        """Tables, those the tool's parameters speak of first."""

        def best(table: str) -> int:
            return max(
                (
                    self.affinity(parameter, column)
                    for parameter in self.parameters.values()
                    for column in self.columns.values()
                    if column.table == table and column.kind in _BY_TYPE.get(parameter.type, ())
                ),
                default=0,
            )

        return sorted((table for table in self.rows if self.rows[table]), key=lambda table: -best(table))

    def sample(self, table: str, count: int = ROWS_PER_TABLE) -> list[Row]:
        rows = list(self.rows[table])
        self.rng.shuffle(rows)
        return rows[:count]

    def _working_calls(self) -> list[Probe]:
        good: list[Probe] = []
        for table in self._tables():
            for row in self.sample(table):
                for turn in range(3):
                    probe = self._try(self.fill(table, row, {}, turn), table, row)
                    if probe.success:
                        good.append(probe)
                        break
                if len(good) >= GOOD_ENOUGH:
                    return good
        return good

    def _try(self, arguments: dict[str, Any], table: str, row: Row) -> Probe:
        """Call; on a refusal try once more with fresh emails, codes and titles ("exists already")."""
        probe = self.call(arguments, table=table, row=row)
        if probe.success or probe.error in ("invalid_arguments", "not_found"):
            return probe
        renewed: dict[str, Any] = {}
        for name, value in arguments.items():
            kind = self._renewable(self.parameters[name], value)
            if kind:
                renewed[name] = self.parameters[name].send(self.values.fresh(kind, value))
                again = self.call({**arguments, name: renewed[name]}, table=table, row=row)
                if again.success:
                    return again
        again = self.call({**arguments, **renewed}, table=table, row=row) if len(renewed) > 1 else probe
        return again if again.success else probe

    def _renewable(self, parameter: Parameter, value: Any) -> str:
        if not isinstance(value, str) or parameter.choices or any(value in ids for ids in self._ids.values()):
            return ""
        if EMAIL.match(value):
            return "email"
        if CODE.match(value):
            return "code"
        if parameter.kind in ("date", "timestamp", "title", "organisation", "person", "label"):
            return parameter.kind
        return "title" if not parameter.kind and len(value.split()) <= 6 else ""

    def _with_one_optional(self) -> list[Probe]:
        """Tools that want at least one optional argument ("name or email is needed", "nothing to change")."""
        good: list[Probe] = []
        for name, parameter in self.parameters.items():
            if parameter.required:
                continue
            for table in self._tables()[:3]:
                for row in self.sample(table, 2):
                    value = self._optional_value(parameter, table, row)
                    if value is None:
                        continue
                    probe = self.call(self.fill(table, row, {name: parameter.send(value)}), table=table, row=row)
                    if probe.success:
                        good.append(probe)
            if len(good) >= GOOD_ENOUGH:
                break
        return good

    def _with_every_optional(self) -> list[Probe]:
        """Tools that want several optional arguments together (a filter: some condition and some action)."""
        optional = {name: parameter for name, parameter in self.parameters.items() if not parameter.required}
        good: list[Probe] = []
        for table in self._tables()[:3] if len(optional) > 1 else ():
            for row in self.sample(table, 3):
                found = {name: self._optional_value(parameter, table, row) for name, parameter in optional.items()}
                sent = {name: optional[name].send(value) for name, value in found.items() if value is not None}
                probe = self._try(self.fill(table, row, sent), table, row)
                if probe.success:
                    good.append(probe)
        return good

    def _examples(self) -> list[Probe]:
        """The calls that the service itself gives as working."""
        table = next(iter(self._tables()), "")
        rows = self.rows.get(table) or [{}]
        tried = [self.call(e["arguments"], table=table, row=rows[0]) for e in self.tool.examples if not e["after"]]
        return [probe for probe in tried if probe.success]

    def _optional_value(self, parameter: Parameter, table: str, row: Row) -> Any:
        if parameter.choices:
            return self.rng.choice(parameter.choices)
        known = self.around(table, row)
        for column in self.candidates(parameter):
            value = known.get(column.key)
            if value not in (None, "", []):
                return value[0] if isinstance(value, list) else value
        return None
