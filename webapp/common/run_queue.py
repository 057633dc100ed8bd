"""The only place that queues work: after commit, with the run's id and nothing else."""

import logging
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from webapp.common import run_store
from webapp.common.run_models import Run, RunState

logger = logging.getLogger(__name__)

# A message can get lost with its broker. A run still queued after this time gets another one; a second
# delivery does nothing, so being early costs little.
RESEND = timedelta(minutes=5)
TASK = "webapp.common.jobs.execute"


def queue_on_commit(run: Run) -> None:
    """Send the run's message when the surrounding transaction commits; a rolled-back one sends nothing."""
    transaction.on_commit(partial(_deliver, run.pk, run.queue))


def _deliver(run_id: UUID, queue: str) -> None:
    if settings.WORKBENCH_RUN_INLINE:
        from webapp.common.runs import execute

        execute(run_id)
    elif not send(run_id, queue):
        Run.objects.filter(pk=run_id, state=RunState.QUEUED).update(send_at=timezone.now())
        run_store.add_event(run_id, "The queue did not answer. The job is sent again when it does.", "warning")


def send(run_id: UUID, queue: str) -> bool:
    """Publish the message; False when the broker does not answer (the sweep tries again)."""
    from workers.celery_app import app

    try:
        app.send_task(TASK, args=[str(run_id)], queue=queue, retry=False)
    except OperationalError:
        logger.warning("Could not queue run %s", run_id, exc_info=True)
        return False
    return True


def waiting(queue: str) -> QuerySet[Run]:
    """Queued runs in the order in which they will be taken."""
    return Run.objects.filter(queue=queue, state=RunState.QUEUED).order_by("-priority", "created_at", "pk")


def next_up(run_id: UUID, now: datetime) -> UUID:
    """The run that a message works on: the first of its queue, whichever run the message names.

    A message is thereby one turn of its queue, and the order is that of the rows. The run that was passed over is
    taken with the message of the one that came before it. A run whose worker was lost waits until it is due.
    """
    queue = Run.objects.filter(pk=run_id).values_list("queue", flat=True).first()
    if queue is None:
        return run_id
    ready = Q(heartbeat_at__isnull=True) | Q(send_at__lte=now) | Q(pk=run_id)
    return waiting(queue).filter(ready).values_list("pk", flat=True).first() or run_id


def resend_due(now: datetime) -> int:
    """Send again what has waited too long. Returns how many messages went out."""
    sent = 0
    due = Run.objects.filter(state=RunState.QUEUED, send_at__lte=now).order_by("send_at")[:200]
    for run in due:
        taken = Run.objects.filter(pk=run.pk, state=RunState.QUEUED, send_at=run.send_at).update(send_at=now + RESEND)
        if not taken:
            continue
        if not send(run.pk, run.queue):
            Run.objects.filter(pk=run.pk, state=RunState.QUEUED).update(send_at=now)
            break
        sent += 1
    return sent
