"""What people do to a run: start, cancel, resume, retry. Illegal moves raise StateConflict."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from webapp.common import activity, clean, run_kinds, run_store
from webapp.common.models import User
from webapp.common.run_errors import StateConflict
from webapp.common.run_models import CancelMode, Run, RunState
from webapp.common.run_queue import RESEND, queue_on_commit, waiting

MAX_PRIORITY = 1_000


@transaction.atomic
def start_run(
    *,
    kind: str,
    title: str,
    payload: dict[str, Any],
    by: User | None,
    queue: str | None = None,
    parent: Run | None = None,
) -> Run:
    """Write the row, then queue it on commit. Raises LookupError for an unknown kind."""
    spec = run_kinds.get(kind)
    now = timezone.now()
    run = Run.objects.create(
        kind=kind,
        title=clean.line(title, 200),
        queue=queue or spec.queue,
        payload=clean.json_value(payload),
        max_attempts=spec.max_attempts,
        resumable=spec.resumable,
        created_by=by,
        created_at=now,
        send_at=now + RESEND,
        parent=parent,
    )
    if by is not None:
        activity.record(actor=by, verb="job.started", target=run, after={"kind": kind, "state": run.state})
    queue_on_commit(run)
    return run


@transaction.atomic
def request_cancel(run: Run, by: User | None, mode: str = "keep") -> Run:
    """Ask a run to stop; a queued one is cancelled at once. Asking the same again changes nothing."""
    run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    mode = CancelMode(mode).value
    before = run.state
    if before == RunState.CANCELLING and mode == run.cancel_mode:
        return run
    if not run.can_cancel or not mode:
        raise StateConflict("cancel", before)
    now = timezone.now()
    run.cancel_mode, run.cancel_asked_at = mode, now
    if before == RunState.QUEUED:
        run.state, run.finished_at, run.send_at = RunState.CANCELLED, now, None
    else:
        run.state = RunState.CANCELLING
    return _moved(run, by, "job.cancelled", before)


@transaction.atomic
def resume(run: Run, by: User | None) -> Run:
    """Queue a stopped run again; its handler skips what is already done."""
    run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    before = run.state
    if not run.can_resume:
        raise StateConflict("resume", before)
    run.state, run.finished_at, run.heartbeat_at = RunState.QUEUED, None, None
    run.failure_kind = run.failure_message = ""
    run.cancel_mode, run.cancel_asked_at = CancelMode.NONE, None
    run.send_at = timezone.now() + RESEND
    run.max_attempts = run.attempt + (spec.max_attempts if (spec := run_kinds.find(run.kind)) else 1)
    _moved(run, by, "job.resumed", before)
    queue_on_commit(run)
    return run


@transaction.atomic
def reorder(run: Run, by: User | None, priority: int) -> Run:
    """Give a queued run another place in its queue. Raises StateConflict once a worker took it."""
    run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    if not run.can_move:
        raise StateConflict("reorder", run.state)
    before, run.priority = run.priority, max(-MAX_PRIORITY, min(MAX_PRIORITY, priority))
    if before == run.priority:
        return run
    run.version += 1
    run.save(update_fields=["priority", "version"])
    activity.record(
        actor=by, verb="job.reordered", target=run, before={"priority": before}, after={"priority": run.priority}
    )
    return run


def move(run: Run, by: User | None, place: str) -> Run:
    """To the `front` or the `back` of its queue."""
    others = waiting(run.queue).exclude(pk=run.pk).values_list("priority", flat=True)
    ends = [*others] or [0]
    return reorder(run, by, max(ends) + 1 if place == "front" else min(ends) - 1)


@transaction.atomic
def retry(run: Run, by: User | None) -> Run:
    """A new run with the same inputs; the old one and its log stay."""
    if not run.can_retry:
        raise StateConflict("retry", run.state)
    return start_run(kind=run.kind, title=run.title, payload=run.payload, by=by, queue=run.queue, parent=run)


def _moved(run: Run, by: User | None, verb: str, before: str) -> Run:
    run.version += 1
    run.save()
    name = by.username if by else "system"
    run_store.add_event(run.pk, f"{before} → {run.state}, asked by {name}", data={"by": name, "mode": run.cancel_mode})
    activity.record(
        actor=by,
        verb=verb,
        target=run,
        before={"state": before},
        after={"state": run.state, "cancel_mode": run.cancel_mode},
    )
    return run
