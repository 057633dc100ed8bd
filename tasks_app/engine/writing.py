"""Measuring tools that change something: targets, where arguments land, constants, preconditions, repetition."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

from services_app.engine import Edit
from tasks_app.engine.columns import DATE, EMAIL, TIMESTAMP, Column
from tasks_app.engine.probes import Parameter, Probe, by_changes, flat, general, new_id
from tasks_app.engine.probing import Prober
from tasks_app.engine.values import NoFreshValueError

_NUMBERS = (1, 2, 3, 5, 8, 15, 30, 60, 250)


def measure_writer(prober: Prober, samples: list[Probe]) -> dict[str, Any]:
    """Profile parts of a tool that changed something in at least one call."""
    writing = [probe for probe in by_changes(samples) if probe.changes][:8]
    writer = _Writer(prober, writing)
    writer.find_targets()
    writer.try_numbers()
    writer.find_landings()
    writer.find_closed()
    writer.find_times()
    writer.settle_references()
    writer.find_written()
    touched: dict[str, list[str]] = {"creates": [], "changes": [], "deletes": []}
    for probe in writing:
        for change in probe.changes:
            kind = "creates" if change["before"] is None else "deletes" if change["after"] is None else "changes"
            if change["table"] not in touched[kind]:
                touched[kind].append(change["table"])
    return {
        "base": writing[0].arguments,
        "parameters": writer.details(),
        "returns": writer.returns,
        "constants": writer.constants,
        "generated": writer.generated,
        "allowed": writer.allowed(),
        "repeat": writer.repeat(bool(touched["creates"])),
        "reads": tuple(dict.fromkeys(name for names in touched.values() for name in names)),
        **{kind: tuple(tables) for kind, tables in touched.items()},
    }


class _Writer:
    def __init__(self, prober: Prober, writing: list[Probe]) -> None:
        self._prober = prober
        self._writing = writing
        self._base = writing[0]
        self._target: dict[str, str] = {}
        self._must_exist: dict[str, str] = {}
        self._lands: dict[str, list[dict[str, str]]] = {}
        self._refused: dict[str, Any] = {}
        self._closed: set[str] = set()
        self._when: dict[str, str] = {}
        self.returns: dict[str, str] = {}
        self.constants: dict[str, Any] = {}
        self.generated: dict[str, str] = {}

    def details(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name in self._prober.parameters:
            detail: dict[str, Any] = {}
            if name in self._target:
                detail["target"] = self._target[name]
            if name in self._must_exist:
                detail["must_exist"] = self._must_exist[name]
            if name in self._closed:
                detail["closed"] = True
            if name in self._when:
                detail["when"] = self._when[name]
            if name in self._lands and name not in self._target:
                detail["lands"] = self._lands[name]
            if detail:
                found[name] = detail
        return found

    # Targets and references

    def find_targets(self) -> None:
        """A second call with another record's key that changes that record proves the target."""
        for probe in self._writing[:6]:
            for change in probe.changes:
                if change["before"] is None:
                    continue
                for name, value in probe.arguments.items():
                    if name not in self._target and not isinstance(value, list | dict | bool):
                        self._prove_target(probe, change, name, value)
        for name, value in self._base.arguments.items():
            if name not in self._target and isinstance(value, str):
                self._find_reference(name, value)

    def _prove_target(self, probe: Probe, change: dict[str, Any], name: str, value: Any) -> None:
        table, before = change["table"], change["before"]
        for field, shown in before.items():
            column = self._prober.columns[f"{table}.{field}"]
            if shown != value or not (field == "id" or column.unique):
                continue
            for other in self._prober.sample(table):
                if other["id"] == before["id"]:
                    continue
                again = self._prober.call({**probe.arguments, name: other[field]})
                if any(c["table"] == table and c["id"] == other["id"] for c in again.changes):
                    self._target[name] = column.key
                    return

    def _find_reference(self, name: str, value: str) -> None:
        """The value is some record's key and an unknown one is refused as not found."""
        for column in self._prober.candidates(self._prober.parameters[name]):
            if not (column.field == "id" or column.unique) or column.kind == "ref":
                continue
            if not any(row[column.field] == value for row in self._prober.rows[column.table]):
                continue
            unknown = "ZZ-0" if column.field == "id" else self._unknown(column, value)
            probe = self._prober.call({**self._base.arguments, name: unknown})
            if not probe.success and probe.error not in ("invalid_arguments", "internal_error"):
                self._must_exist[name] = column.key
                return

    def _unknown(self, column: Column, value: str) -> str:
        try:
            return str(self._prober.values.fresh(column.kind, value, column.choices))
        except NoFreshValueError:
            return "ZZ-0"

    def settle_references(self) -> None:
        """A reference that is not copied, or that is an id, names the record that the call is about."""
        for name, key in list(self._must_exist.items()):
            if name not in self._lands or key.endswith(".id"):
                self._target[name] = self._must_exist.pop(name)

    # Numbers and landings

    def try_numbers(self) -> None:
        """Which sizes of number the tool takes."""
        for name, parameter in self._prober.parameters.items():
            if parameter.type not in ("integer", "number") or name in self._target or parameter.choices:
                continue
            for number in _NUMBERS:
                value = number if parameter.type == "integer" else float(number)
                for probe in self._writing[:2]:
                    self._prober.call({**probe.arguments, name: value})

    def find_landings(self) -> None:
        for name, parameter in self._prober.parameters.items():
            if name in self._target or parameter.type == "object":
                continue
            for probe in self._writing[:5]:
                for value in self._test_values(parameter, probe):
                    answer = self._prober.call({**probe.arguments, name: parameter.send(value)})
                    if answer.success:
                        self._note_landings(parameter, value, answer)
                        break
                    if answer.error not in ("invalid_arguments", "internal_error"):
                        self._refused.setdefault(name, value)
                if name in self._lands:
                    break

    def find_closed(self) -> None:
        """A made-up value was refused where an existing one went through: which record makes it acceptable?"""
        for name, value in self._refused.items():
            parameter = self._prober.parameters[name]
            if name not in self._lands or name in self._must_exist or not isinstance(value, str) or parameter.choices:
                continue
            if parameter.kind in ("date", "timestamp") or DATE.match(value[:10]):
                continue
            column = self._opener(name, value)
            if column is None:
                self._closed.add(name)
            else:
                self._must_exist[name] = column.key

    def _opener(self, name: str, value: str) -> Column | None:
        """The column in which the value has to be planted for the call to go through."""
        parameter = self._prober.parameters[name]
        for column in self._prober.candidates(parameter):
            if column.field == "id" or column.many or column.kind == "text":
                continue
            for row in self._prober.sample(column.table, 2):
                record = {**row, "id": new_id(row["id"]), column.field: value}
                world = self._prober.world(Edit(self._prober.slug, column.table, record["id"], record=record))
                if world is None:
                    continue
                answer = self._prober.call({**self._base.arguments, name: parameter.send(value)}, world)
                world.close()
                if answer.success:
                    return column
        return None

    def find_times(self) -> None:
        """Whether dates have to lie before or after today."""
        today = dt.date.fromisoformat(self._prober.environment.clock[:10])
        for name, parameter in self._prober.parameters.items():
            if parameter.kind not in ("date", "timestamp") or name in self._target:
                continue
            outcomes = {}
            for side, days in (("past", -6), ("future", 6)):
                day = (today + dt.timedelta(days=days)).isoformat()
                value = day if parameter.kind == "date" else f"{day}T10:00:00Z"
                probe = self._prober.call({**self._base.arguments, name: parameter.send(value)})
                outcomes[side] = probe.success
            if outcomes["past"] != outcomes["future"]:
                self._when[name] = "past" if outcomes["past"] else "future"

    def _test_values(self, parameter: Parameter, probe: Probe) -> list[Any]:
        """Values to send, likeliest first."""
        old = probe.arguments.get(parameter.name)
        old = old[0] if isinstance(old, list) and old else old
        if parameter.choices:
            return [choice for choice in parameter.choices if choice != old][:3] or list(parameter.choices)
        if parameter.name in self._must_exist:
            key = self._must_exist[parameter.name]
            table, _, field = key.partition(".")
            return [row[field] for row in self._prober.sample(table, 4) if row[field] != old]
        if parameter.type == "boolean":
            return [not old, bool(old)]
        if parameter.type in ("integer", "number"):
            return self._other_numbers(parameter, old)
        return self._other_texts(parameter, old)

    def _other_numbers(self, parameter: Parameter, old: Any) -> list[Any]:
        worked = [n for n, _ in self._prober.worked.get(parameter.name, Counter()).most_common() if n != old]
        if parameter.type == "integer":
            return [*[int(n) for n in worked[:2]], 37]
        return [round(float(old or 37.0) * 0.87, 2), *[float(n) for n in worked[:2]]]

    def _other_texts(self, parameter: Parameter, old: Any) -> list[Any]:
        values = self._prober.values
        shaped = next(
            (
                kind
                for pattern, kind in ((TIMESTAMP, "timestamp"), (DATE, "date"), (EMAIL, "email"))
                if isinstance(old, str) and pattern.match(old)
            ),
            "",
        )
        kinds = [kind for kind in (parameter.kind, shaped) if kind and kind not in ("ref", "id", "label")] or ["text"]
        known = [
            row[c.field] for c in self._prober.candidates(parameter)[:1] for row in self._prober.sample(c.table, 2)
        ]
        fresh = [values.fresh(kind, old if kind == "code" else None) for kind in dict.fromkeys(kinds)]
        return [*fresh, *[value for value in known if isinstance(value, str) and value != old]]

    def _note_landings(self, parameter: Parameter, value: Any, probe: Probe) -> None:
        found = self._lands.setdefault(parameter.name, [])
        for change in probe.changes:
            for field, after in (change["after"] or {}).items():
                mode = _landing(value, after)
                same = change["before"] is not None and change["before"].get(field) == after
                vague = bool(parameter.choices) or isinstance(value, bool | int)
                named = field == parameter.name or parameter.name in field or field in parameter.name
                if not mode or (same and not vague) or (vague and not named):
                    continue
                landing = {"column": f"{change['table']}.{field}", "mode": mode}
                if landing not in found:
                    found.append(landing)
        if not found:
            del self._lands[parameter.name]

    # What is written without an argument, and what the answer shows of it

    def find_written(self) -> None:
        landed = {landing["column"] for landings in self._lands.values() for landing in landings}
        seen: dict[str, list[Any]] = {}
        for probe in self._writing:
            answer = list(flat(probe.data))
            sent = [
                item for value in probe.arguments.values() for item in (value if isinstance(value, list) else [value])
            ]
            for change in probe.changes:
                for field, after in (change["after"] or {}).items():
                    key = f"{change['table']}.{field}"
                    self._note_shown(key, field, after, answer)
                    before = None if change["before"] is None else change["before"].get(field)
                    if key not in landed and after not in sent and (change["before"] is None or before != after):
                        seen.setdefault(key, []).append(after)
        for key, values in seen.items():
            self._note_written(key, values)

    def _note_shown(self, key: str, field: str, after: Any, answer: list[tuple[str, Any]]) -> None:
        if after in (None, "", []) or isinstance(after, list | dict):
            return
        for path, value in answer:
            if value == after and path.rsplit(".", 1)[-1] == field:
                self.returns.setdefault(key, general(path))

    def _note_written(self, key: str, values: list[Any]) -> None:
        column = self._prober.columns[key]
        same = all(value == values[0] for value in values)
        if same and column.kind in ("label", "flag") and not column.many:
            self.constants[key] = values[0]
        elif column.kind in ("id", "code", "count", "money") or (column.kind == "date" and not same):
            self.generated[key] = self.returns.get(key, "")

    # Preconditions and repetition

    def allowed(self) -> dict[str, list[Any]]:
        """Labels and flags of the target under which the call went through, where others refused it."""
        if not self._target:
            return {}
        name, key = next(iter(self._target.items()))
        table, _, field = key.partition(".")
        good: dict[str, list[Any]] = {}
        bad: dict[str, list[Any]] = {}
        # What the call did work on counts first: the sample below may hold none of those.
        known = [
            probe.row
            for probe in self._writing
            if probe.table == table and probe.row.get(field) == probe.arguments.get(name)
        ]
        for row in known:
            for column in self._prober.columns.values():
                if column.table == table and (column.kind == "flag" or column.choices) and not column.many:
                    good.setdefault(column.key, []).append(row[column.field])
        for row in self._prober.sample(table, 14):
            probe = self._gentle({**self._base.arguments, name: row[field]})
            for column in self._prober.columns.values():
                if column.table == table and (column.kind == "flag" or column.choices) and not column.many:
                    (good if probe.success else bad).setdefault(column.key, []).append(row[column.field])
        return {
            key: sorted(set(values), key=str)
            for key, values in good.items()
            if any(value not in values for value in bad.get(key, ()))
        }

    def _gentle(self, arguments: dict[str, Any]) -> Probe:
        """The call, and when refused the call with small amounts, a usual guard."""
        probe = self._prober.call(arguments)
        small = {name: (1.0 if isinstance(value, float) else value) for name, value in arguments.items()}
        return probe if probe.success or small == arguments else self._prober.call(small)

    def repeat(self, creates: bool) -> str:
        twin = self._prober.environment.fork()
        twin.call(self._prober.slug, self._prober.tool.name, self._base.arguments)
        marks = len(twin.changes)
        second = twin.call(self._prober.slug, self._prober.tool.name, self._base.arguments)
        grown = len(twin.changes) > marks
        twin.close()
        self._prober.made += 2
        if not second["success"]:
            return f"refused:{second['error']['type']}"
        return "again" if grown and creates else "same"


def _landing(value: Any, after: Any) -> str:
    if isinstance(after, list):
        return "member" if value in after else ""
    if type(after) is type(value) and after == value:
        return "set"
    if isinstance(after, float) and isinstance(value, int) and not isinstance(value, bool) and after == value:
        return "set"
    if isinstance(after, str) and isinstance(value, str) and len(value) > 8 and value in after:
        return "contained"
    return ""
