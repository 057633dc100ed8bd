"""One run and its helpers on other workers, going through the items of a batch together."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from services_app.batch_models import BatchItem
from services_app.pipelines import batch
from webapp.common.models import Run
from webapp.common.run_models import LIVE, RunState
from webapp.common.runs import Cancelled, RunContext, StateConflict, request_cancel, start_run

Work = Callable[[BatchItem], batch.Settled]


@dataclass(frozen=True, slots=True)
class Shared:
    """Work that is shared: the kind of its run, the kind of its helpers, and what their progress says."""

    kind: str
    lane: str
    phase: str
    unit: str

    def together(self, context: RunContext, work: Work) -> None:
        """Take items like any helper, keep helpers at work, wait for the last. Payload: {"lanes": how many in all}."""
        try:
            self._lead(context, work)
        except Cancelled as stop:
            for lane in self._lanes(context.run):
                with suppress(StateConflict):  # it ended by itself meanwhile
                    request_cancel(lane, None, stop.mode)
            raise

    def help_out(self, context: RunContext, work: Work) -> int:
        """Help until no item waits, the run ends, or somebody else's wants this worker; how many items were done.

        Payload: {"batch": id of the run that is helped}.
        """
        parent = UUID(str(context.payload["batch"]))
        done = 0

        def after(_item: BatchItem) -> bool:
            nonlocal done
            done += 1
            context.progress(done=done, unit=self.unit, phase=self.phase)
            return _goes_on(parent) and not self._others_wait(context.run)

        if _goes_on(parent):
            batch.work_through(context, parent, work, after)
        return done

    def _lead(self, context: RunContext, work: Work) -> None:
        def after(_item: BatchItem | None = None) -> bool:
            batch.show_progress(context, context.run.pk, self.phase, self.unit)
            self._ensure_lanes(context.run, int(context.payload.get("lanes", 1)))
            return True

        after()
        while True:
            batch.work_through(context, context.run.pk, work, after)
            batch.show_progress(context, context.run.pk, self.phase, self.unit)
            if not BatchItem.objects.filter(run=context.run, state=BatchItem.State.WORKING).exists():
                return
            context.checkpoint()
            time.sleep(batch.LOOK_SECONDS)

    def _others_wait(self, run: Run) -> bool:
        """Whether another kind of run waits for a worker of this queue. A new helper is started behind it."""
        waiting = Run.objects.filter(queue=run.queue, state=RunState.QUEUED)
        return waiting.exclude(kind__in=(self.kind, self.lane)).exists()

    def _lanes(self, run: Run) -> QuerySet[Run]:
        return Run.objects.filter(parent=run, kind=self.lane, state__in=LIVE)

    def _ensure_lanes(self, run: Run, wanted: int) -> None:
        """As many lanes as asked for, this run being one of them, while there is work for each."""
        waiting = BatchItem.objects.filter(run=run, state=BatchItem.State.WAITING).count()
        for _ in range(min(wanted - 1, waiting) - self._lanes(run).count()):
            start_run(kind=self.lane, title=f"{run.title}: helper", payload={"batch": str(run.pk)}, by=None, parent=run)


def _goes_on(batch_id: UUID) -> bool:
    going = (RunState.QUEUED, RunState.STARTING, RunState.RUNNING)
    return Run.objects.filter(pk=batch_id, state__in=going).exists()
