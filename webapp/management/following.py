"""Waiting for a run from the command line: its log as it grows, its result, an error when it failed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError

from webapp.common.models import Run
from webapp.management.base import WorkbenchCommand

POLL_SECONDS = 0.3
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
