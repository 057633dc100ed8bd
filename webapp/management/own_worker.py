"""A worker for the time of one command, where no instance runs that would take its jobs."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

from workers.embedded import layout
from workers.embedded.home import Home
from workers.embedded.instance import log_of
from workers.embedded.processes import Identity, spawn, stop_all

GRACE_SECONDS = 20.0


@contextmanager
def own_worker(queues: list[str], processes: int) -> Iterator[None]:
    """Jobs of these queues are carried out by `processes` processes until the block ends.

    Nothing is started where a worker is there already, or where runs are to happen inside this process because
    somebody said so. The scheduler runs inside the worker, so that a process that
    was killed is found and its job goes on.
    """
    if not (settings.WORKBENCH_RUN_INLINE and settings.WORKBENCH_EMBEDDED_BROKER):
        yield
        return
    settings.WORKBENCH_RUN_INLINE = False
    process = _start(queues, processes)
    try:
        yield
    finally:
        settings.WORKBENCH_RUN_INLINE = True
        identity = Identity.of(process.pid)
        if identity is not None:
            stop_all([identity], grace=GRACE_SECONDS, first=signal.SIGTERM)
        process.wait()


def _start(queues: list[str], processes: int) -> subprocess.Popen[bytes]:
    connection.close()  # the new process must not share it
    command = layout.celery_worker(queues, processes=processes, node=f"command-{os.getpid()}")
    scheduler = ["--beat", "--scheduler", "celery.beat:Scheduler"]
    environment = {**os.environ, "WORKBENCH_HOME": str(settings.WORKBENCH_HOME), "WORKBENCH_RUN_INLINE": "false"}
    log = log_of(Home.at(settings.WORKBENCH_HOME), "worker-command")
    return spawn([*command, *scheduler], log=log, env=environment, cwd=layout.REPOSITORY)
