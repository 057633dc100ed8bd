"""./workbench demo [--json]"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from webapp import demo
from webapp.common.models import Run
from webapp.common.run_models import LIVE
from webapp.common.runs import request_cancel
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow

START_SECONDS = 30.0


class Command(WorkbenchCommand):
    help = "Make a small world with the real pipeline: services, tasks with proofs, trajectories, a dataset."

    def work(self, options: Mapping[str, Any]) -> Any:
        run, worker = _start_beside() if settings.WORKBENCH_RUN_INLINE else (demo.start(by=None), None)
        try:
            result = follow(self, run)
        except KeyboardInterrupt:
            if worker is not None:
                self.say("Stopping; what is made stays.")
                request_cancel(run, None, "keep")
            raise
        finally:
            if worker is not None:
                worker.join()
        self.say(
            f"{result['services']} services, {result['tasks']} proven tasks, {result['trajectories']} trajectories "
            f"({result['passed']} passed), dataset {result['dataset']}"
        )
        return result


def _start_beside() -> tuple[Run, threading.Thread]:
    """Without `up` the run happens in this process: in a thread, so that its words appear as they come.

    The thread starts the run, which does not return before the run has ended.
    """
    known = set(Run.objects.filter(kind=demo.KIND).exclude(state__in=LIVE).values_list("pk", flat=True))
    worker = threading.Thread(target=_work, name="demo")
    worker.start()
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if run := Run.objects.filter(kind=demo.KIND).exclude(pk__in=known).first():
            return run, worker
        time.sleep(0.1)
    raise CommandError("The demo did not start.")


def _work() -> None:
    try:
        demo.start(by=None)
    finally:
        connection.close()
