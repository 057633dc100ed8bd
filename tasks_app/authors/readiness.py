"""States that records need for a write to go through, and to show that it did."""

from __future__ import annotations

from typing import Any

from tasks_app.authors.access import Payload
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Goal, Place, Rejection
from tasks_app.engine.profile import ToolProfile


class Readiness:
    """Prepares planted records, and their doubles in the same way: a double must be as usable as the real one."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._modelled: set[tuple[str, str, str]] = set()

    def prepare(self, service: str, tool: ToolProfile, place: Place) -> None:
        for identity in (place.id, place.decoy):
            if identity:
                self._ready(service, tool, place.table, identity)

    def _ready(self, service: str, tool: ToolProfile, table: str, identity: str) -> None:
        draft, reach = self.plan.draft, self.plan.reaches[service]
        self._remodel(service, tool, table, identity)
        row = draft.row(service, table, identity)
        wanted: dict[str, Any] = {}
        for key in dict.fromkeys([*tool.allowed, *tool.constants]):
            column = reach.columns[key]
            allowed = tool.allowed.get(key)
            if column.table != table or (allowed is None and not tool.changes):
                continue
            made = tool.constants.get(key, object())
            if column.many or not (column.choices or column.kind == "flag"):
                continue
            options: list[Any] = list(allowed if allowed is not None else column.choices or (True, False))
            options = [option for option in options if option != made]
            if row[column.field] not in options:
                if not options or not draft.free(service, table, identity, column.field):
                    raise Rejection("a record is not in a state for the write")
                wanted[column.field] = self.plan.rng.choice(options)
        landing = {landing.column for detail in tool.parameters.values() for landing in detail.lands}
        if any(reach.columns[key].kind == "money" for key in landing):
            for column in reach.table_columns(table):
                free = draft.free(service, table, identity, column.field)
                if column.kind == "money" and column.key not in landing and free and not column.system:
                    wanted[column.field] = float(self.plan.rng.randint(40, 90) * 100)
        draft.adjust(service, table, identity, wanted)

    def _remodel(self, service: str, tool: ToolProfile, table: str, identity: str) -> None:
        """Give a planted record the unsettled cells of one that the write accepts; once for each record."""
        first = next(detail.target for detail in tool.parameters.values() if detail.target)
        models = self.plan.trials.models(service, tool) if first.partition(".")[0] == table else ()
        mark = (service, table, identity)
        if mark in self._modelled or not models:
            return
        self._modelled.add(mark)
        model = self.plan.rng.choice(models)
        columns = self.plan.reaches[service].columns
        cells = {
            name: value
            for name, value in model.items()
            if name != "id"
            and self.plan.draft.free(service, table, identity, name)
            and not columns[f"{table}.{name}"].unique
            and columns[f"{table}.{name}"].kind not in ("title", "code", "text")
        }
        self.plan.draft.adjust(service, table, identity, cells)

    def differ(self, goal: Goal, payload: Payload, value: Any, alternative: Any) -> None:
        """The record must not show already what the write is to bring about."""
        column = payload.column
        for place in goal.slots.values():
            if not isinstance(place, Place) or place.table != column.table or payload.member or not place.id:
                continue
            for identity in (place.id, place.decoy):
                row = self.plan.draft.row(goal.service, place.table, identity)
                if row[column.field] not in (value, alternative):
                    continue
                others = [choice for choice in payload.choices if choice not in (value, alternative)]
                others = others or [choice for choice in payload.choices if choice != value]
                new = self.plan.rng.choice(others) if others else self.plan.draft.fresh(column, row[column.field])
                self.plan.draft.adjust(goal.service, place.table, identity, {column.field: new})
