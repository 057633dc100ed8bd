"""The sweep: finds runs whose worker fell silent and settles each exactly once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from webapp.common import run_store
from webapp.common.run_models import CLAIMED, Run, RunState
from webapp.common.run_queue import resend_due

LOST_KIND = "worker:lost"
LOST_MESSAGE = "The worker stopped without a word (it was killed, or its machine went away)."


class SweepReport(NamedTuple):
    requeued: int
    closed: int
    sent: int


def sweep(now: datetime) -> SweepReport:
    """Settle every claimed run whose lease ended before `now`, then send what is due."""
    requeued = closed = 0
    for run_id in list(Run.objects.filter(state__in=CLAIMED, lease_until__lt=now).values_list("pk", flat=True)):
        state = _settle(run_id, now)
        requeued += state == RunState.QUEUED
        closed += state not in (None, RunState.QUEUED)
    return SweepReport(requeued, closed, resend_due(now))


def settle_gone(now: datetime, is_gone: Callable[[str], bool]) -> int:
    """Settle claimed runs whose worker is known to be gone, without waiting for their leases; how many.

    For a command that takes up what an earlier one left: nobody else would, where no worker runs.
    """
    claimed = Run.objects.filter(state__in=CLAIMED).values_list("pk", "worker")
    return sum(_settle(pk, now, gone=worker) is not None for pk, worker in list(claimed) if is_gone(worker))


def retry_delay(attempt: int) -> timedelta:
    """At once after the first loss, then 30 s, 60 s, 120 s ... up to ten minutes."""
    return timedelta(seconds=min(600, 15 * 2 ** (attempt - 1))) if attempt > 1 else timedelta(0)


@transaction.atomic
def _settle(run_id: UUID, now: datetime, *, gone: str | None = None) -> str | None:
    """The new state; None where the run is not silent any more. `gone`: the worker whose hold counts for nothing."""
    silent = Q(lease_until__lt=now) if gone is None else Q(worker=gone)
    rows = Run.objects.filter(silent, pk=run_id, state__in=CLAIMED)
    run = rows.select_for_update(of=("self",), skip_locked=True).first()
    if run is None:  # it spoke again, or another sweep has it
        return None
    before = run.state
    run.state = _next_state(run)
    # A new fence number: should the silent worker wake up, its writes are refused.
    run.fence, run.lease_until, run.version = run.fence + 1, None, run.version + 1
    if run.state == RunState.QUEUED:
        run.send_at = now + retry_delay(run.attempt)
    else:
        run.finished_at = now
        if run.state != RunState.CANCELLED:
            run.failure_kind, run.failure_message = LOST_KIND, LOST_MESSAGE
    run.save()
    run_store.add_event(
        run.pk,
        f"Worker lost: {before} → {run.state}",
        "warning",
        {"kind": LOST_KIND, "worker": run.worker, "attempt": run.attempt, "last_heartbeat": run.heartbeat_at},
    )
    return run.state


def _next_state(run: Run) -> str:
    if run.state == RunState.CANCELLING:
        return RunState.CANCELLED
    if run.resumable and run.attempt < run.max_attempts:
        return RunState.QUEUED
    return RunState.INTERRUPTED if run.resumable else RunState.FAILED
