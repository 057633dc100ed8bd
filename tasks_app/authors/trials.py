"""What is tried out on the seeded state before a story is planned: rows that reads show, rows that writes accept.

Results depend on the state only, not on what was asked before, so they are kept for all tasks on that state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from services_app.engine import Edit, EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.access import LITERAL_TARGETS, Chain, Reach, payloads_of
from tasks_app.authors.draft import family_of
from tasks_app.authors.parts import Inside, ways_in
from tasks_app.authors.phrasebook import Act, Fact
from tasks_app.engine.columns import Column
from tasks_app.engine.probes import new_id
from tasks_app.engine.profile import ToolProfile
from tasks_app.engine.program import expand
from tasks_app.engine.values import NoFreshValueError, Values

ROWS_ASKED = 60
Row = dict[str, Any]


class Trials:
    """Asks a seeded world of each service, given by `world_of` when it is first needed; never changes it."""

    def __init__(self, world_of: Callable[[str], Environment], reaches: Mapping[str, Reach]) -> None:
        self._world_of = world_of
        self._worlds: dict[str, Environment] = {}
        self._reaches = reaches
        self._visible: dict[tuple[str, str, str], frozenset[str]] = {}
        self._starts: dict[tuple[str, str], tuple[str, ...]] = {}
        self._models: dict[tuple[str, str], tuple[Row, ...]] = {}
        self._usable: dict[tuple[str, str], bool] = {}
        self._keys: dict[str, list[Column]] = {}
        self._findable: dict[str, frozenset[str]] = {}
        self._inside: dict[tuple[str, str], list[Inside]] = {}
        self._rows: dict[tuple[str, str], list[Row]] = {}

    def rows(self, service: str, table: str) -> list[Row]:
        """Seeded rows; not to be changed."""
        key = (service, table)
        if key not in self._rows:
            self._rows[key] = self.world(service).rows(service, table)
        return self._rows[key]

    def world(self, service: str) -> Environment:
        """The seeded state of one service; not to be changed."""
        if service not in self._worlds:
            self._worlds[service] = self._world_of(service)
        return self._worlds[service]

    def visible(self, service: str, column: Column, chain: Chain) -> frozenset[str]:
        """Seeded records of which a planted twin is shown by the first read of the chain, asked for by its key.

        A twin is not shown where reads hang on records beside it: a share, a membership.
        """
        mark = (service, column.key, chain.steps[0].tool)
        if mark not in self._visible:
            shown = chain.outputs.get(f"{column.table}.id", (1, ""))[0] == 0
            rows = self.rows(service, column.table)[:ROWS_ASKED] if shown else []
            self._visible[mark] = frozenset(row["id"] for row in rows if self._twin_shown(service, column, chain, row))
        return self._visible[mark]

    def _twin_shown(self, service: str, column: Column, chain: Chain, row: Row) -> bool:
        values = Values(random.Random(f"{service}:{column.key}:{row['id']}"))  # noqa: S311 - a throw-away key
        try:
            key = values.fresh(column.kind, row[column.field], column.choices)
        except NoFreshValueError:
            return False
        twin = {**row, "id": new_id(row["id"]), column.field: [key] if column.many else key}
        world = self._with_twin(service, column.table, twin, row["id"])
        if world is None:
            return False
        step, path = chain.steps[0], chain.outputs[f"{column.table}.id"][1]
        sent = {step.parameter: key} if step.parameter else {}
        envelope = world.call(service, step.tool, {**sent, **dict(step.fillers)})
        world.close()
        return any(match.value == twin["id"] for match in expand(envelope.get("data"), path))

    def _with_twin(self, service: str, table: str, twin: Row, model: str) -> Environment | None:
        """The seeded state with a twin and what stands beside it; None when the state model refuses that."""
        edits = [Edit(service, table, twin["id"], record=twin)]
        reach = self._reaches[service]
        beside = family_of(reach, lambda name: {row["id"]: row for row in self.rows(service, name)}, table, model)
        for number, (reference, child) in enumerate(beside):
            record = {**child, "id": f"{new_id(child['id'])}{number}", reference.field: twin["id"]}
            edits.append(Edit(service, reference.table, record["id"], record=record))
        try:
            return self.world(service).edited(edits)
        except (ServiceDefect, EngineError):
            return None

    def starts(self, service: str, column: Column) -> tuple[str, ...]:
        """Reads by which a planted record is found from the column."""
        mark = (service, column.key)
        if mark not in self._starts:
            reach, need = self._reaches[service], (f"{column.table}.id",)
            chains = [reach.chain(column.key, need, start) for start in reach.starts(column.key)]
            found = [chain for chain in chains if chain is not None and self.visible(service, column, chain)]
            self._starts[mark] = tuple(chain.steps[0].tool for chain in found)
        return self._starts[mark]

    def models(self, service: str, tool: ToolProfile) -> tuple[Row, ...]:
        """Seeded records of which a planted twin is accepted by the write, to plant others like them."""
        mark = (service, tool.tool)
        if mark not in self._models:
            _, column = _target(tool, self._reaches[service])
            rows = (
                sorted(self.rows(service, column.table), key=lambda row: not _allowed(tool, column, row))
                if column
                else []
            )
            self._models[mark] = tuple(row for row in rows[:ROWS_ASKED] if self._twin_accepted(service, tool, row))
        return self._models[mark]

    def usable(self, service: str, tool: ToolProfile) -> bool:
        """Whether stories can use the write: its records can be found and planted, and it says something."""
        mark = (service, tool.tool)
        if mark not in self._usable:
            self._usable[mark] = self._can_be_used(service, tool)
        return self._usable[mark]

    def share(self, service: str, tool: ToolProfile) -> float:
        """How reliably the write goes through; 1 where nothing speaks against it."""
        return 1.0 if self.usable(service, tool) else 0.0

    def goes(self, service: str, act: Act) -> float:
        """How reliably a write goes through with just the arguments that an act gives it."""
        return self.share(service, self._reaches[service].profile.tools[act.tool])

    def shows(self, service: str, fact: Fact) -> bool:
        """Whether a story can have a record that shows a fact and that it can name."""
        return True

    def moves(self, service: str, fact: Fact) -> bool:
        """Whether a figure that the service works out can be another one, so that a story can depend on it."""
        return True

    def _can_be_used(self, service: str, tool: ToolProfile) -> bool:
        reach = self._reaches[service]
        findable = self.findable(service)
        columns = [reach.columns[detail.target] for detail in tool.parameters.values() if detail.target]
        for position, column in enumerate(columns):
            named = position > 0 and column.kind in LITERAL_TARGETS
            if column.table not in findable and not named and not self.inside(service, column.table):
                return False
        payloads = payloads_of(reach, tool)
        if any(p.detail.required and p.column.kind in ("ref", "id", "object") for p in payloads):
            return False
        phrased = bool(self.world(service).catalogue.services[service].tools[tool.tool].phrase) and bool(columns)
        told = phrased or bool(tool.creates or tool.constants or tool.deletes)
        told = told or any(p.kind not in ("flag", "object") for p in payloads)
        return told and (not columns or bool(self.models(service, tool)))

    def findable(self, service: str) -> frozenset[str]:
        """Tables of which planted records can be found by a value that people know."""
        if service not in self._findable:
            self._findable[service] = frozenset(key.table for key in self.key_columns(service))
        return self._findable[service]

    def inside(self, service: str, table: str) -> list[Inside]:
        """Ways to find a record of a table inside another record."""
        mark = (service, table)
        if mark not in self._inside:
            self._inside[mark] = ways_in(self._reaches[service], table, self.findable(service))
        return self._inside[mark]

    def concerned(self, service: str, tool: ToolProfile) -> list[str]:
        """The tables of which a record has to be found for a write: the whole where its target is a part."""
        found = []
        for detail in tool.parameters.values():
            table = detail.target.partition(".")[0]
            if table:
                inside = [] if table in self.findable(service) else self.inside(service, table)
                found.append(inside[0].reference.target if inside else table)
        return found

    def key_columns(self, service: str) -> list[Column]:
        """Columns by which planted records of a service can be found."""
        if service not in self._keys:
            columns = self._reaches[service].key_columns()
            self._keys[service] = [column for column in columns if self.starts(service, column)]
        return self._keys[service]

    def _twin_accepted(self, service: str, tool: ToolProfile, row: Row) -> bool:
        parameter, column = _target(tool, self._reaches[service])
        assert column is not None
        twin = {**row, "id": new_id(row["id"])}
        if column.field != "id" and isinstance(row[column.field], str):
            twin[column.field] = new_id(row[column.field])
        world = self._with_twin(service, column.table, twin, row["id"])
        if world is None:
            return False
        accepted = self._accepted(world, service, tool, parameter, twin[column.field])
        world.close()
        return accepted

    def _accepted(self, world: Environment, service: str, tool: ToolProfile, parameter: str, value: Any) -> bool:
        """Whether a call that is known to work goes through for this record, if need be with small amounts or with
        a name that is not taken.
        """
        base = dict(tool.base or {})
        sent = [value] if isinstance(base.get(parameter), list) else value
        small = {name: (1.0 if isinstance(item, float) else item) for name, item in base.items()}
        for arguments in (base, small, {**base, **self._renamed(service, tool)}):
            twin = world.fork()
            envelope = twin.call(service, tool.tool, {**arguments, parameter: sent})
            twin.close()
            if envelope["success"]:
                return True
        return False

    def _renamed(self, service: str, tool: ToolProfile) -> dict[str, str]:
        """The names that the working call gives, made such as nobody bears."""
        return {
            payload.name: f"{given} {new_id(given)}"
            for payload in payloads_of(self._reaches[service], tool)
            if payload.kind in ("title", "name") and isinstance(given := (tool.base or {}).get(payload.name), str)
        }


def _allowed(tool: ToolProfile, target: Column, row: Row) -> bool:
    """Whether the write was seen to go through for records in the states of this one."""
    states = {
        key.partition(".")[2]: values for key, values in tool.allowed.items() if key.startswith(f"{target.table}.")
    }
    return all(row[name] in values for name, values in states.items())


def _target(tool: ToolProfile, reach: Reach) -> tuple[str, Column | None]:
    """The parameter that names the record acted upon, and its column."""
    for name, detail in tool.parameters.items():
        if detail.target:
            return name, reach.columns[detail.target]
    return "", None
