"""What is tried out on the seeded state before a story is planned: rows that reads show, rows that writes accept.

Results depend on the state only, so one author keeps them for all its tasks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from services_app.engine import Edit, EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.access import LITERAL_TARGETS, Chain, Reach, payloads_of
from tasks_app.authors.draft import family_of
from tasks_app.engine.columns import Column
from tasks_app.engine.probes import new_id
from tasks_app.engine.profile import ToolProfile
from tasks_app.engine.program import expand
from tasks_app.engine.values import NoFreshValueError, Values

ROWS_ASKED = 25
Row = dict[str, Any]


class Trials:
    """Asks the environment; never changes it."""

    def __init__(self, environment: Environment, reaches: Mapping[str, Reach]) -> None:
        self._environment = environment
        self._reaches = reaches
        self._visible: dict[tuple[str, str], frozenset[str]] = {}
        self._models: dict[tuple[str, str], tuple[Row, ...]] = {}
        self._usable: dict[tuple[str, str], bool] = {}
        self._keys: dict[str, list[Column]] = {}
        self._values = Values(random.Random("trials"), reuse=True)  # noqa: S311 - throw-away keys
        self._rows: dict[tuple[str, str], list[Row]] = {}

    def rows(self, service: str, table: str) -> list[Row]:
        """Seeded rows; not to be changed."""
        key = (service, table)
        if key not in self._rows:
            self._rows[key] = self._environment.rows(service, table)
        return self._rows[key]

    def visible(self, service: str, column: Column, chain: Chain) -> frozenset[str]:
        """Seeded records of which a planted twin is shown by the first read of the chain, asked for by its key.

        A twin is not shown where reads hang on records beside it: a share, a membership.
        """
        mark = (service, column.key)
        if mark not in self._visible:
            shown = chain.outputs.get(f"{column.table}.id", (1, ""))[0] == 0
            rows = self.rows(service, column.table)[:ROWS_ASKED] if shown else []
            self._visible[mark] = frozenset(row["id"] for row in rows if self._twin_shown(service, column, chain, row))
        return self._visible[mark]

    def _twin_shown(self, service: str, column: Column, chain: Chain, row: Row) -> bool:
        try:
            key = self._values.fresh(column.kind, row[column.field], column.choices)
        except NoFreshValueError:
            return False
        twin = {**row, "id": new_id(row["id"]), column.field: [key] if column.many else key}
        world = self._world(service, column.table, twin, row["id"])
        if world is None:
            return False
        step, path = chain.steps[0], chain.outputs[f"{column.table}.id"][1]
        envelope = world.call(service, step.tool, {step.parameter: key, **dict(step.fillers)})
        world.close()
        return any(match.value == twin["id"] for match in expand(envelope.get("data"), path))

    def _world(self, service: str, table: str, twin: Row, model: str) -> Environment | None:
        """The seeded state with a twin and what stands beside it; None when the state model refuses that."""
        edits = [Edit(service, table, twin["id"], record=twin)]
        reach = self._reaches[service]
        beside = family_of(reach, lambda name: {row["id"]: row for row in self.rows(service, name)}, table, model)
        for number, (reference, child) in enumerate(beside):
            record = {**child, "id": f"{new_id(child['id'])}{number}", reference.field: twin["id"]}
            edits.append(Edit(service, reference.table, record["id"], record=record))
        try:
            return self._environment.edited(edits)
        except (ServiceDefect, EngineError):
            return None

    def models(self, service: str, tool: ToolProfile) -> tuple[Row, ...]:
        """Seeded records of which a planted twin is accepted by the write, to plant others like them."""
        mark = (service, tool.tool)
        if mark not in self._models:
            _, column = _target(tool, self._reaches[service])
            rows = self.rows(service, column.table)[:ROWS_ASKED] if column else []
            self._models[mark] = tuple(row for row in rows if self._twin_accepted(service, tool, row))
        return self._models[mark]

    def usable(self, service: str, tool: ToolProfile) -> bool:
        """Whether stories can use the write: its records can be found and planted, and it says something."""
        mark = (service, tool.tool)
        if mark not in self._usable:
            self._usable[mark] = self._can_be_used(service, tool)
        return self._usable[mark]

    def _can_be_used(self, service: str, tool: ToolProfile) -> bool:
        reach = self._reaches[service]
        findable = {key.table for key in self.key_columns(service)}
        columns = [reach.columns[detail.target] for detail in tool.parameters.values() if detail.target]
        for position, column in enumerate(columns):
            named = position > 0 and column.kind in LITERAL_TARGETS
            if column.table not in findable and not named:
                return False
        payloads = payloads_of(reach, tool)
        if any(p.detail.required and p.column.kind in ("ref", "id", "object") for p in payloads):
            return False
        told = bool(tool.creates or tool.constants) or any(p.kind not in ("flag", "object") for p in payloads)
        return told and (not columns or bool(self.models(service, tool)))

    def key_columns(self, service: str) -> list[Column]:
        """Columns by which planted records of a service can be found."""
        if service not in self._keys:
            found = []
            for column in self._reaches[service].key_columns():
                chain = self._reaches[service].chain(column.key, (f"{column.table}.id",))
                if chain is not None and self.visible(service, column, chain):
                    found.append(column)
            self._keys[service] = found
        return self._keys[service]

    def _twin_accepted(self, service: str, tool: ToolProfile, row: Row) -> bool:
        parameter, column = _target(tool, self._reaches[service])
        assert column is not None
        twin = {**row, "id": new_id(row["id"])}
        if column.field != "id" and isinstance(row[column.field], str):
            twin[column.field] = new_id(row[column.field])
        world = self._world(service, column.table, twin, row["id"])
        if world is None:
            return False
        accepted = self._accepted(world, service, tool, parameter, twin[column.field])
        world.close()
        return accepted

    @staticmethod
    def _accepted(world: Environment, service: str, tool: ToolProfile, parameter: str, value: Any) -> bool:
        """Whether a call that is known to work goes through for this record, if need be with small amounts."""
        base = dict(tool.base or {})
        sent = [value] if isinstance(base.get(parameter), list) else value
        small = {name: (1.0 if isinstance(item, float) else item) for name, item in base.items()}
        for arguments in (base, small):
            twin = world.fork()
            envelope = twin.call(service, tool.tool, {**arguments, parameter: sent})
            twin.close()
            if envelope["success"]:
                return True
        return False


def _target(tool: ToolProfile, reach: Reach) -> tuple[str, Column | None]:
    """The parameter that names the record acted upon, and its column."""
    for name, detail in tool.parameters.items():
        if detail.target:
            return name, reach.columns[detail.target]
    return "", None
