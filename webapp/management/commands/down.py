"""Stop the instance that `up` started."""

import os
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from workers.embedded.home import Home
from workers.embedded.instance import FolderLock, InstanceRecord, clear_leftovers, wait_until

PATIENCE = 75.0


class Command(BaseCommand):
    help = "Stop everything that `up` started."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def handle(self, *_args: Any, **_options: Any) -> None:
        home = Home.at(settings.WORKBENCH_HOME)
        if not home.is_ours():
            self.stdout.write("The workbench is not running.")
            return
        lock = FolderLock(home)
        if lock.take():
            self._clear(home, lock)
            return
        if lock.holder().get("purpose") != "up":
            raise CommandError(f"Only the command `{lock.holder().get('purpose')}` is running; it ends by itself.")
        self._stop(home, lock)

    def _stop(self, home: Home, lock: FolderLock) -> None:
        record = InstanceRecord.read(home)
        if record is None or not record.supervisor.alive():
            raise CommandError("The workbench is just starting or stopping; try again in a moment.")
        self.stdout.write("Stopping the workbench …")
        # Its pid alone, not its group: a shell pipeline around `up` is not ours to stop.
        os.kill(record.supervisor.pid, signal.SIGTERM)
        if not wait_until(lambda: not record.supervisor.alive(), PATIENCE):
            record.supervisor.send(signal.SIGKILL)
            wait_until(lambda: not record.supervisor.alive(), 5.0)
        if lock.take():
            clear_leftovers(home)
            lock.release()
        self.stdout.write("Stopped.")

    def _clear(self, home: Home, lock: FolderLock) -> None:
        count = clear_leftovers(home)
        lock.release()
        self.stdout.write(
            f"The workbench had been killed; stopped {count} processes it had left."
            if count
            else "The workbench is not running."
        )
