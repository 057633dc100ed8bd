"""Jobs that are made of other jobs: start what is missing, wait for all of it, pass a cancellation on.

Each child is known by its kind and payload, so a parent whose worker died goes on after the children that succeeded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from webapp.common.run_models import LIVE, Run, RunState
from webapp.common.runs import Cancelled, RunContext, RunFailed, StateConflict, execute, request_cancel, start_run

POLL_SECONDS: Final = 0.5
# A deployment may have one process for all queues, and this job occupies it: then it does the work itself.
TAKE_OVER: Final = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Job:
    """A child job that a stage wants done."""

    kind: str
    title: str
    payload: dict[str, Any]


Stage = tuple[str, Callable[[RunContext], list[Job]]]
"""Words for the reader, and what gives the jobs that are wanted."""


def go_through(context: RunContext, stages: Sequence[Stage]) -> None:
    """Stage by stage, the jobs that have not succeeded yet. Raises RunFailed for the first that does not succeed."""
    # A retry of the parent is a child of it as well, and not one to wait for.
    await_children(context, list(context.run.children.filter(state__in=LIVE).exclude(kind=context.run.kind)))
    for number, (words, stage) in enumerate(stages):
        context.checkpoint()
        context.progress(done=number, total=len(stages), unit="steps", phase=words)
        if jobs := [job for job in stage(context) if not is_done(context, job)]:
            carry_out(context, jobs)
    context.progress(done=len(stages), total=len(stages), unit="steps", phase="done")


def is_done(context: RunContext, job: Job) -> bool:
    """Whether a child with this payload has succeeded."""
    done = context.run.children.filter(kind=job.kind, payload=job.payload, state=RunState.SUCCEEDED)
    return bool(done.exists())


def carry_out(context: RunContext, jobs: Sequence[Job]) -> None:
    """Start child jobs and wait for all of them. Raises RunFailed for the first that did not succeed."""
    if not jobs:
        context.log(f"Nothing to do for: {context.run.phase}.")
        return
    by = context.run.created_by
    children = [
        start_run(kind=job.kind, title=job.title, payload=job.payload, by=by, parent=context.run) for job in jobs
    ]
    await_children(context, children)
    for child in children:
        child.refresh_from_db()
        if child.state != RunState.SUCCEEDED:
            why = child.failure_message or f"it is {child.get_state_display().lower()}"
            raise RunFailed(f"{context.run.kind}:{child.kind}", f"{child.title} did not succeed: {why}")
        context.log(f"{child.title}: done.", job=child.public_id)


def await_children(context: RunContext, children: Iterable[Run]) -> None:
    """Wait until the children have ended. Who cancels the parent cancels them."""
    own = Q(pk__in=[child.pk for child in children])
    words = context.run.phase
    try:
        while live := list(Run.objects.filter(own, state__in=LIVE)):
            context.checkpoint()
            context.progress(phase=f"{words}{_how_far(live)}")
            _take_over(live)
            time.sleep(POLL_SECONDS)
    except Cancelled as stop:
        for child in Run.objects.filter(own, state__in=LIVE):
            with suppress(StateConflict):  # it ended meanwhile
                request_cancel(child, context.run.created_by, stop.mode)
        raise


def _how_far(live: Sequence[Run]) -> str:
    counted = [run for run in live if run.total]
    if not counted:
        return ""
    done, total = sum(run.done for run in counted), sum(run.total or 0 for run in counted)
    units = {run.unit for run in counted}
    return f": {done} of {total}{f' {units.pop()}' if len(units) == 1 else ''}"


def _take_over(live: Sequence[Run]) -> None:
    """Do the first job here that no worker has taken for a while; another one may still come first."""
    late = timezone.now() - TAKE_OVER
    waiting = next((run for run in live if run.state == RunState.QUEUED and run.created_at < late), None)
    if waiting is not None:
        execute(waiting.pk)
