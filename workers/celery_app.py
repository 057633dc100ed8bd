"""The Celery application. It knows no app: jobs are found in the `jobs` module of each installed app."""

import os
import signal
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_process_init, worker_ready

from workers.embedded.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

app = Celery("workbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(related_name="jobs")


@worker_process_init.connect
def end_with_the_worker(**_: Any) -> None:
    """A pool process must not go on with a job whose worker is gone: nobody would extend its lease or stop it."""
    die_with_parent(signal.SIGKILL)


@worker_ready.connect
@beat_init.connect
def tell_the_supervisor(**_: Any) -> None:
    """A worker listens nowhere; under `up` it says by a file that it takes work."""
    file = os.environ.get("WORKBENCH_READY_FILE")
    if file:
        Path(file).touch()
