"""Guarded writes to run rows. A writer names its fence; a row claimed anew refuses it with LostLease."""

import os
import socket
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from webapp.common import clean
from webapp.common.run_errors import LostLease
from webapp.common.run_models import CLAIMED, Run, RunEvent, RunState

MAX_EVENTS = 5_000
MESSAGE_LIMIT = 8_000
DATA_LIMIT = 16_000


def worker_is_gone(name: str) -> bool:
    """Was this worker a process of this machine that is no more? A worker elsewhere is never known to be gone."""
    host, _, pid = name.rpartition(":")
    if host != socket.gethostname() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


class Beat(NamedTuple):
    cancel_mode: str
    cancel_asked_at: datetime | None


def worker_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"[:120]


def claim(run_id: UUID, *, lease: timedelta) -> Run | None:
    """Take a queued run for this worker; None when it is not queued (second delivery, cancelled meanwhile)."""
    now = timezone.now()
    with transaction.atomic():
        taken = Run.objects.filter(pk=run_id, state=RunState.QUEUED).update(
            state=RunState.STARTING,
            fence=F("fence") + 1,
            attempt=F("attempt") + 1,
            version=F("version") + 1,
            lease_until=now + lease,
            heartbeat_at=now,
            started_at=Coalesce(F("started_at"), now),
            send_at=None,
            worker=worker_name(),
        )
        return Run.objects.select_related("created_by").get(pk=run_id) if taken else None


def write(run: Run, **fields: Any) -> None:
    """Update columns of a claimed run. Raises LostLease when the fence is old or the run has ended."""
    held = Run.objects.filter(pk=run.pk, fence=run.fence, state__in=CLAIMED)
    if not held.update(version=F("version") + 1, **fields):
        raise LostLease(str(run.pk))
    for name, value in fields.items():
        setattr(run, name, value)


def begin(run: Run) -> None:
    """starting -> running, unless a cancel came first."""
    Run.objects.filter(pk=run.pk, fence=run.fence, state=RunState.STARTING).update(
        state=RunState.RUNNING, version=F("version") + 1
    )


def beat(run_id: UUID, fence: int, *, lease: timedelta) -> Beat | None:
    """Extend the lease and read the cancel flag; None when the run is no longer ours."""
    now = timezone.now()
    held = Run.objects.filter(pk=run_id, fence=fence, state__in=CLAIMED)
    if not held.update(heartbeat_at=now, lease_until=now + lease):
        return None
    row = Run.objects.filter(pk=run_id).values_list("cancel_mode", "cancel_asked_at").first()
    return Beat(*row) if row else None


def finish(run: Run, state: RunState, **fields: Any) -> None:
    write(run, state=state, finished_at=timezone.now(), lease_until=None, **fields)


def add_event(run_id: UUID, message: str, level: str = "info", data: dict[str, Any] | None = None) -> None:
    """Append to the run's log. Past MAX_EVENTS only errors are kept, and the log says so once."""
    with transaction.atomic():
        Run.objects.select_for_update(of=("self",)).only("pk").get(pk=run_id)
        last = RunEvent.objects.filter(run_id=run_id).aggregate(last=Max("seq"))["last"] or 0
        if last == MAX_EVENTS and level != "error":
            message, level, data = "The log is full: only errors are recorded from here on.", "warning", None
        elif last > MAX_EVENTS and level != "error":
            return
        RunEvent.objects.create(
            run_id=run_id,
            seq=last + 1,
            at=timezone.now(),
            level=level,
            message=clean.text(message, MESSAGE_LIMIT),
            data=_bounded(data or {}),
        )


def _bounded(data: dict[str, Any]) -> Any:
    value = clean.json_value(data)
    size = len(repr(value))
    return value if size <= DATA_LIMIT else {"_omitted": f"{size} characters of data"}
