"""Measuring tools that only read: which arguments select what, which fields and figures the answer shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services_app.engine import Edit
from tasks_app.engine.columns import Column
from tasks_app.engine.probes import Parameter, Probe, Row, by_changes, flat, general, new_id, singular
from tasks_app.engine.probing import Prober
from tasks_app.engine.values import NoFreshValueError

_SELECTING = frozenset(
    [
        "id",
        "ref",
        "email",
        "code",
        "title",
        "label",
        "person",
        "organisation",
        "product",
        "place",
        "phone",
        "url",
        "count",
        "duration",
        "date",
        "timestamp",
    ]
)
_TRACED = 4


def measure_reader(prober: Prober, samples: list[Probe]) -> dict[str, Any]:
    """Profile parts of a tool that changed nothing in any call."""
    tables = _tables_read(prober, samples)
    likely = tables or list(prober.rows)
    selects = {name: _selectors(prober, prober.parameters[name], likely) for name in prober.parameters}
    tracer = _Tracer(prober)
    for probe in _probes_with_mention(prober, samples, selects):
        tracer.trace(probe)
    reads = dict.fromkeys(table for table in prober.rows if table in tables or tracer.shows(table))
    return {
        "base": by_changes(samples)[0].arguments,
        "reads": tuple(reads),
        "parameters": {name: {"selects": found} for name, found in selects.items() if found},
        "returns": tracer.returns,
        "derived": tracer.figures(),
    }


def _tables_read(prober: Prober, samples: Iterable[Probe]) -> list[str]:
    found = []
    for table, rows in prober.rows.items():
        if any(prober.mentions(probe, table, row) for probe in samples for row in rows):
            found.append(table)
    return found


# Selectors


def _selectors(prober: Prober, parameter: Parameter, tables: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    if parameter.type not in ("string", "integer") or parameter.many:
        return found
    for column in prober.candidates(parameter):
        if column.table not in tables or column.kind not in _SELECTING or column.system:
            continue
        if parameter.choices and not set(column.choices) & set(parameter.choices):
            continue
        mode = _selector(prober, parameter, column)
        if mode:
            found[column.key] = mode
    return found


def _selector(prober: Prober, parameter: Parameter, column: Column) -> str:
    """How the parameter selects by the column, tried on up to 3 rows."""
    for row in prober.sample(column.table, 3):
        value = row.get(column.field)
        if value in (None, "", []):
            continue
        mode = (
            _second_id(prober, parameter, column, row)
            if column.field == "id"
            else _new_cell(prober, parameter, column, row)
        )
        if mode:
            return mode
    return ""


def _second_id(prober: Prober, parameter: Parameter, column: Column, row: Row) -> str:
    """Ids cannot be changed: each of two ids has to bring its own row."""
    other = next((found for found in prober.sample(column.table, 4) if found["id"] != row["id"]), None)
    probe = prober.call(prober.fill(column.table, row, {parameter.name: row["id"]}))
    if other is None or not prober.mentions(probe, column.table, row):
        return ""
    probe = prober.call(prober.fill(column.table, other, {parameter.name: other["id"]}))
    found = prober.mentions(probe, column.table, other) and not prober.mentions(probe, column.table, row)
    return "equal" if found else ""


def _new_cell(prober: Prober, parameter: Parameter, column: Column, row: Row) -> str:
    """A value that the row has not: it is not found by it, until its cell is changed to that value."""
    value = _other_value(prober, column, row[column.field])
    sent = value[0] if isinstance(value, list) else value
    if value is None or (parameter.choices and sent not in parameter.choices):
        return ""
    arguments = prober.fill(column.table, row, {parameter.name: sent})
    if prober.mentions(prober.call(arguments), column.table, row):
        return ""
    world = prober.patched(column.table, row["id"], **{column.field: value})
    if world is None:
        return ""
    mode = "equal" if prober.mentions(prober.call(arguments, world), column.table, row) else ""
    fragile = column.choices or column.kind in ("ref", "date", "timestamp")
    if mode and isinstance(sent, str) and len(sent) > 4 and not fragile:
        inner = prober.call({**arguments, parameter.name: sent[1:-1]}, world)
        mode = "contains" if prober.mentions(inner, column.table, row) else "equal"
    world.close()
    return mode


def _other_value(prober: Prober, column: Column, value: Any) -> Any:
    """A different value for a cell, of the right kind; None when there is none."""
    if column.target:
        others = [row["id"] for row in prober.rows[column.target] if row["id"] != value]
        return prober.rng.choice(others) if others else None
    try:
        fresh = prober.values.fresh(column.kind, value if isinstance(value, str | bool) else None, column.choices)
    except NoFreshValueError:
        return None
    return [fresh] if column.many else fresh


# What the answer shows


def _probes_with_mention(prober: Prober, samples: list[Probe], selects: dict[str, dict[str, str]]) -> list[Probe]:
    """Calls whose answer is about a known row, a few per table; children shown beside it count as well."""
    found: list[Probe] = []
    for name, columns in selects.items():
        for key in columns:
            column = prober.columns[key]
            if column.kind in ("date", "timestamp", "count", "duration", "flag"):
                continue
            found += _mentioning(prober, name, column)
    if not found:
        found = [probe for probe in samples if probe.row and prober.mentions(probe, probe.table, probe.row)]
    if not found:
        found = _listed(prober, samples)
    found += [child for probe in list(found)[:8] for child in _children(prober, probe)]
    prober.rng.shuffle(found)
    per_table: dict[str, list[Probe]] = {}
    for probe in found:
        per_table.setdefault(probe.table, []).append(probe)
    return [probe for probes in per_table.values() for probe in probes[:_TRACED]]


def _mentioning(prober: Prober, name: str, column: Column) -> list[Probe]:
    found: list[Probe] = []
    for row in prober.sample(column.table, 6):
        value = row.get(column.field)
        value = value[0] if isinstance(value, list) and value else value
        if value in (None, "", []):
            continue
        probe = prober.call(prober.fill(column.table, row, {name: value}), table=column.table, row=row)
        if prober.mentions(probe, column.table, row):
            found.append(probe)
        if len(found) >= 3:
            break
    return found


def _listed(prober: Prober, samples: list[Probe]) -> list[Probe]:
    """The rows of an answer that nothing selects: a list of all labels, folders, users."""
    found = []
    for probe in samples[:2]:
        for table, rows in prober.rows.items():
            shown = [row for row in rows if prober.mentions(probe, table, row)]
            found += [Probe(table, row, probe.arguments, True, probe.data, "", ()) for row in shown[:_TRACED]]
    return found


def _children(prober: Prober, probe: Probe) -> list[Probe]:
    """Rows of other tables that the same answer shows: by id, or by a code that no other row has."""
    shown = probe.shown
    found = []
    for table, rows in prober.rows.items():
        names = [
            "id",
            *(c.field for c in prober.columns.values() if c.table == table and c.kind == "code" and c.unique),
        ]
        fitting = (row for row in rows if any(row.get(name) in shown for name in names))
        row = None if table == probe.table else next(fitting, None)
        if row is not None:
            found.append(Probe(table, row, probe.arguments, True, probe.data, "", ()))
    return found


class _Tracer:
    """Perturbs the state under a call and watches which places of the answer move."""

    def __init__(self, prober: Prober) -> None:
        self._prober = prober
        self.returns: dict[str, str] = {}
        self._derived: dict[str, set[str]] = {}
        self._samples: dict[str, list[float]] = {}

    def shows(self, table: str) -> bool:
        return any(key.partition(".")[0] == table for key in self.returns)

    def figures(self) -> list[dict[str, Any]]:
        shown = set(self.returns.values())
        return [
            {
                "path": path,
                "depends": sorted(depends),
                "whole": all(isinstance(value, int) for value in self._samples[path]),
            }
            for path, depends in sorted(self._derived.items())
            if path not in shown
        ]

    def trace(self, probe: Probe) -> None:
        base = dict(flat(probe.data))
        self._identity(probe, base)
        free = [c for c in self._columns(probe.table) if not self._selected_by(probe, c) and not self._hides(c)]
        self._together(probe, base, free)
        for column in self._columns(probe.table):
            if column not in free:
                self._alone(probe, base, column)
        self._children(probe, base)

    def _columns(self, table: str) -> list[Column]:
        return [
            column
            for column in self._prober.columns.values()
            if column.table == table and column.field != "id" and column.kind != "object"
        ]

    @staticmethod
    def _hides(column: Column) -> bool:
        """Fields that lists are filtered by: changed alone, or the row might vanish with all that was changed."""
        return column.kind in ("label", "flag", "ref") or bool(column.choices)

    @staticmethod
    def _selected_by(probe: Probe, column: Column) -> bool:
        value = probe.row.get(column.field)
        values = value if isinstance(value, list) else [value]
        return any(argument in values for argument in probe.arguments.values() if not isinstance(argument, list))

    def _identity(self, probe: Probe, base: dict[str, Any]) -> None:
        names = ("id", f"{singular(probe.table)}_id", "ref", "key", "number")
        for path, value in base.items():
            if value != probe.row["id"]:
                continue
            leaf = path.rsplit(".", 1)[-1].split("[")[0]
            own = leaf in names or leaf.endswith("id") or f"{probe.table}.id" not in self.returns
            foreign = any(c.field == leaf and c.target == probe.table for c in self._prober.columns.values())
            if own and not foreign:
                self.returns.setdefault(f"{probe.table}.id", general(path))

    def _together(self, probe: Probe, base: dict[str, Any], columns: list[Column]) -> None:
        """Change all free fields at once; only when the state model refuses that, one by one."""
        patch = {}
        for column in columns:
            value = _other_value(self._prober, column, probe.row.get(column.field))
            if value is not None:
                patch[column.field] = value
        if not patch:
            return
        answer = self._answer(probe, patch, probe.arguments)
        if answer is None:
            for column in columns:
                self._alone(probe, base, column)
            return
        for column in columns:
            if column.field in patch:
                self._note_return(column, base, answer, patch[column.field])
        numbers = [column for column in columns if isinstance(patch.get(column.field), int | float)]
        if self._moved(base, answer, set(patch.values()) if self._plain(patch) else set()):
            for column in numbers:
                self._alone(probe, base, column)

    @staticmethod
    def _plain(patch: dict[str, Any]) -> bool:
        return not any(isinstance(value, list) for value in patch.values())

    def _alone(self, probe: Probe, base: dict[str, Any], column: Column) -> None:
        old = probe.row.get(column.field)
        value = _other_value(self._prober, column, old)
        if value is None:
            return
        if column.kind == "flag":
            self._by_name(column, base, old)
        arguments = {
            name: (value if argument == old and not isinstance(old, list) else argument)
            for name, argument in probe.arguments.items()
        }
        answer = self._answer(probe, {column.field: value}, arguments)
        if answer is None:
            return
        if column.kind != "flag":
            self._note_return(column, base, answer, value)
        for path in self._moved(base, answer, {value} if not isinstance(value, list) else set()):
            self._note_figure(path, column.key, base, answer)

    def _by_name(self, column: Column, base: dict[str, Any], value: Any) -> None:
        """Yes or no occurs everywhere in an answer: only a place with the field's own name is its place."""
        for path, shown in base.items():
            if path.rsplit(".", 1)[-1] == column.field and shown == value:
                self.returns.setdefault(column.key, general(path))

    def _answer(self, probe: Probe, patch: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any] | None:
        world = self._prober.patched(probe.table, probe.row["id"], **patch)
        if world is None:
            return None
        answer = self._prober.call(arguments, world)
        world.close()
        return dict(flat(answer.data)) if answer.success else None

    def _note_return(self, column: Column, base: dict[str, Any], answer: dict[str, Any], value: Any) -> None:
        wanted = value[0] if isinstance(value, list) else value
        for path, shown in answer.items():
            if shown == wanted and type(shown) is type(wanted) and base.get(path) != shown:
                self.returns.setdefault(column.key, general(path))

    def _moved(self, base: dict[str, Any], answer: dict[str, Any], patched: set[Any]) -> list[str]:
        """Numbers that changed to something that was not put there."""
        if set(base) != set(answer):
            return []
        return [
            path
            for path, value in answer.items()
            if isinstance(value, int | float)
            and not isinstance(value, bool)
            and value != base[path]
            and value not in patched
            and general(path) not in self.returns.values()
        ]

    def _note_figure(self, path: str, cause: str, base: dict[str, Any], answer: dict[str, Any]) -> None:
        self._derived.setdefault(general(path), set()).add(cause)
        self._samples.setdefault(general(path), []).extend((base[path], answer[path]))

    def _children(self, probe: Probe, base: dict[str, Any]) -> None:
        """One more child: a number that moves counts or sums the children."""
        for column in self._prober.columns.values():
            if column.target != probe.table or column.table == probe.table:
                continue
            for child in self._prober.sample(column.table, 3):
                record = {**child, "id": new_id(child["id"]), column.field: probe.row["id"]}
                world = self._prober.world(Edit(self._prober.slug, column.table, record["id"], record=record))
                if world is None:
                    continue
                answer = self._prober.call(probe.arguments, world)
                world.close()
                if answer.success:
                    self._note_child(base, dict(flat(answer.data)), column.table)

    def _note_child(self, base: dict[str, Any], answer: dict[str, Any], table: str) -> None:
        for path, value in answer.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            moved = number and path in base and "[" not in path and value != base[path]
            if moved and general(path) not in self.returns.values():
                self._note_figure(path, f"{table}.+", base, answer)
