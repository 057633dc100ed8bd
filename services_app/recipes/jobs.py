"""Work that takes time: a run is queued when it is asked for, runs after the next write, and is done after another.

Time is the session clock, which only committed writes move. Nothing is stored when a run goes on: what a reader sees
follows from the clock, so that asking once more changes nothing. Once a run was changed (cancelled), it stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from services_app.engine.context import CallContext
from services_app.engine.fields import parse_timestamp
from services_app.engine.state import About, Table
from services_app.engine.store import CLOCK_START
from services_app.recipes.records import Json, SpecRecord

R = TypeVar("R", bound=SpecRecord)
PHASES = ("queued", "running", "completed")


class JobRecord(SpecRecord):
    """A run of something."""

    about = About("run", prefix="RUN-")
    action: str
    target: str | None = None
    status: str = PHASES[0]
    created_at: str
    parameters: Json = None


class Runs(Table[R]):
    """A table of runs as the clock leaves them: `status` is the name of the field that holds the phase."""

    __slots__ = ("_now", "_phases", "_status")

    def __init__(self, table: Table[R], ctx: CallContext, status: str, phases: tuple[str, ...]) -> None:
        super().__init__(table._store, table._key, table.record_type)
        self._now, self._status, self._phases = ctx.now, status, phases

    def _rows(self) -> dict[str, R]:
        return {identity: self._aged(row) for identity, row in super()._rows().items()}

    def _aged(self, row: R) -> R:
        created = str(getattr(row, "created_at", None) or "")
        phase = getattr(row, self._status)
        if phase not in self._phases[:-1] or not CLOCK_START <= created < self._now:
            return row
        minutes = int((parse_timestamp(self._now) - parse_timestamp(created)).total_seconds() // 60)
        reached = min(self._phases.index(phase) + minutes, len(self._phases) - 1)
        return row.changed(**{self._status: self._phases[reached]})


def started(
    jobs: Table[JobRecord],
    ctx: CallContext,
    action: str,
    target: str | None,
    arguments: Mapping[str, Any],
    *,
    done: bool = False,
) -> dict[str, Any]:
    """A new run, as agents see it; with `done` the caller waited for its end."""
    parameters = {name: value for name, value in arguments.items() if value is not None}
    status = PHASES[-1] if done else PHASES[0]
    job = jobs.create(action=action, target=target, status=status, created_at=ctx.now, parameters=parameters)
    return job.plain()


def started_record(table: Table[R], ctx: CallContext, values: Mapping[str, Any]) -> R:
    """A new record of a table of runs, with the values under their original names; null values are left out."""
    sent = {name: value for name, value in values.items() if value is not None}
    return table.add(table.record_type.model_validate({"id": table.new_id(), "created_at": ctx.now, **sent}))
