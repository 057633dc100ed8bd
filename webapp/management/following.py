"""Waiting for a run from the command line: its log as it grows, its result, an error when it failed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone

from webapp.common.models import Run
from webapp.common.run_models import LIVE
from webapp.common.runs import execute, request_cancel, settle_gone, worker_is_gone
from webapp.management.base import WorkbenchCommand

POLL_SECONDS = 0.3
START_SECONDS = 30.0
FINISHED = frozenset({"succeeded", "failed", "cancelled", "interrupted"})


def follow(command: WorkbenchCommand, run: Run, on_look: Callable[[Run], None] | None = None) -> dict[str, Any]:
    """Print the events of a run until it ends; its result. Raises CommandError when it did not succeed.

    `on_look` sees the run each time it is looked at. Without `up` the run was carried out inside `start_run` and is
    over already.
    """
    seen = 0
    while True:
        run.refresh_from_db()
        for event in run.events.filter(seq__gt=seen).order_by("seq"):
            command.say(f"  {event.message}")
            seen = event.seq
        if on_look is not None:
            on_look(run)
        if run.state in FINISHED:
            break
        time.sleep(POLL_SECONDS)
    if run.state != "succeeded":
        raise CommandError(f"{run.title}: {run.state}. {run.failure_kind} {run.failure_message}".strip())
    result: dict[str, Any] = run.result
    return result


def follow_beside(command: WorkbenchCommand, kind: str, start: Callable[[], Run]) -> dict[str, Any]:
    """Start a run and follow it, also where it happens in this process; its result with its id as `job`."""
    run, worker = _start_beside(kind, start) if settings.WORKBENCH_RUN_INLINE else (start(), None)
    try:
        result = follow(command, run)
    except KeyboardInterrupt:
        if worker is not None:
            command.say("Stopping; what is made stays.")
            request_cancel(run, None, "keep")
        raise
    finally:
        if worker is not None:
            worker.join()
    return {**result, "job": run.public_id}


def _start_beside(kind: str, start: Callable[[], Run]) -> tuple[Run, threading.Thread]:
    """Without `up` the run happens in this process: in a thread, so that its words appear as they come.

    The thread starts the run, which does not return before the run has ended.
    """
    known = set(Run.objects.filter(kind=kind).exclude(state__in=LIVE).values_list("pk", flat=True))
    worker = threading.Thread(target=_work, args=(start,), name=kind)
    worker.start()
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if run := Run.objects.filter(kind=kind).exclude(pk__in=known).first():
            return run, worker
        time.sleep(0.1)
    raise CommandError(f"The job {kind} did not start.")


def _take_up(run: Run) -> None:
    """Carry on a run that an earlier command left when it was killed; with what it had begun."""
    run.refresh_from_db()
    if not run.is_live:
        return
    settle_gone(timezone.now(), worker_is_gone)
    execute(run.pk)  # does nothing where another command is at it


def _work(start: Callable[[], Run]) -> None:
    try:
        _take_up(start())
    finally:
        connection.close()
