"""Celery's view of runs: two thin tasks. `runs` decides; these deliver."""

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from billiard.process import current_process
from celery import shared_task
from django.utils import timezone

from webapp.common import runs
from webapp.common.models import IdempotentReply
from webapp.common.run_queue import TASK, next_up

IDEMPOTENCY_HOURS = 24


@shared_task(name=TASK, acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def execute(run_id: str) -> None:
    runs.execute(next_up(UUID(run_id), timezone.now()), hard_stop=_hard_stop())


@shared_task(name="webapp.common.jobs.sweep", ignore_result=True)
def sweep() -> None:
    now = timezone.now()
    runs.sweep(now)
    IdempotentReply.objects.filter(created_at__lt=now - timedelta(hours=IDEMPOTENCY_HOURS)).delete()


def _hard_stop() -> Callable[[], None] | None:
    """Ends this process, if it is one of a pool that the parent refills; never the whole worker."""
    if getattr(current_process(), "index", None) is None:
        return None
    return lambda: os.kill(os.getpid(), signal.SIGKILL)
