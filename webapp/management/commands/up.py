"""Start everything on this machine and keep it running."""

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from webapp.management.base import migrate_if_needed
from webapp.management.static_files import collect_if_changed
from workers.embedded import layout
from workers.embedded.home import Home, HomeError
from workers.embedded.instance import FolderLock, InstanceRecord, clear_leftovers, log_of, wait_until
from workers.embedded.parts import PartError, Program
from workers.embedded.postgres import Postgres
from workers.embedded.processes import INSTANCE_VARIABLE, Identity
from workers.embedded.supervisor import Supervisor
from workers.embedded.valkey import Valkey

FIRST_PORT = 8000
WORKERS = ("beat", "worker-long", "worker-short", "worker-train")


class Command(BaseCommand):
    help = "Start the database, the broker, the workers and the web server; stop all of them with Ctrl-C."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port", type=int, help=f"port of the web server (default: the first free from {FIRST_PORT})"
        )
        parser.add_argument("--demo", action="store_true", help="make a demo world in the background")
        parser.add_argument("--detach", action="store_true", help="go on in the background once everything runs")
        parser.add_argument("--release-terminal", action="store_true", help="used by --detach on the process it starts")

    def handle(self, *_args: Any, **options: Any) -> None:
        home = Home.at(settings.WORKBENCH_HOME)
        try:
            home.create()
            if options["detach"]:
                self._detach(home, options)
            else:
                self._run(home, options)
        except (HomeError, PartError) as error:
            raise CommandError(str(error)) from error

    def _run(self, home: Home, options: dict[str, Any]) -> None:
        lock = FolderLock(home)
        if not self._take(home, lock):
            return
        try:
            lock.sign("up")
            if count := clear_leftovers(home):
                self._say(f"Stopped {count} processes that an earlier start had left.")
            self._supervise(home, options)
        finally:
            lock.release()

    def _take(self, home: Home, lock: FolderLock) -> bool:
        """Hold the folder. False (with the address) when an instance has it already."""
        told = False
        while not lock.take():
            holder = lock.holder()
            if holder.get("purpose") == "up":
                wait_until(lambda: _is_up(home) or not lock.is_held(), 120.0)
                if (record := InstanceRecord.read(home)) and _is_up(home):
                    self._say(f"The workbench is already running: {record.url}")
                    return False
            elif not told:
                self._say(f"The command `{holder.get('purpose')}` is using the data folder; waiting for it to finish.")
                told = True
            time.sleep(0.2)
        return True

    def _supervise(self, home: Home, options: dict[str, Any]) -> None:
        port = self._port(options["port"])
        supervisor = _supervisor(home, self._say)
        supervisor.block_signals()
        try:
            self._start(supervisor, home, port, options)
            if not supervisor.asked_to_stop:
                self._announce(supervisor, home, release=options["release_terminal"])
            supervisor.watch()
            self._say("Stopping …")
        finally:
            left = supervisor.stop()
            if left:
                self._say(f"These processes could not be stopped: {', '.join(str(each.pid) for each in left)}.")
        self._say("Stopped.")

    def _start(self, supervisor: Supervisor, home: Home, port: int, options: dict[str, Any]) -> None:
        if settings.WORKBENCH_EMBEDDED_DATABASE:
            self._say("Starting the database …")
            supervisor.start(Postgres(home))
            supervisor.started_well("postgres", 90.0)
        if settings.WORKBENCH_EMBEDDED_BROKER:
            supervisor.start(Valkey(home))
            supervisor.started_well("valkey", 30.0)
        if supervisor.asked_to_stop:
            return
        self._prepare_data()
        self._say("Starting the web server and the workers …")
        for program in layout.programs(home, port):
            supervisor.start(program)
        supervisor.record.url = f"http://{layout.HOST}:{port}/"
        supervisor.started_well("web", 120.0)
        if not supervisor.wait_for(WORKERS, 120.0) and not supervisor.asked_to_stop:
            self._say(f"Some workers are not ready yet; see {home.logs}.")
        if options["demo"] and not supervisor.asked_to_stop:
            self._start_demo(supervisor)

    def _prepare_data(self) -> None:
        migrate_if_needed()
        collect_if_changed(self._say)
        call_command("first_start", stdout=self.stdout)
        connections.close_all()

    def _start_demo(self, supervisor: Supervisor) -> None:
        if "demo" not in get_commands():
            raise CommandError("This build has no demo world.")
        command = (sys.executable, "manage.py", "demo")
        supervisor.start(Program("demo", command, layout.REPOSITORY), healed=False)
        self._say("Making the demo world in the background; its progress is on the home page.")

    def _announce(self, supervisor: Supervisor, home: Home, *, release: bool) -> None:
        supervisor.record.phase = "running"
        supervisor.record.write(home)
        self._say(f"\nThe workbench is ready: {supervisor.record.url}")
        if release:
            self._say("It runs in the background; `./workbench down` stops it.")
            _move_output_to(log_of(home, "up"))
        else:
            self._say("Stop it with Ctrl-C, or with `./workbench down` from elsewhere.")

    def _port(self, wanted: int | None) -> int:
        if wanted is not None:
            if not 1 <= wanted <= 65535:
                raise CommandError(f"{wanted} is not a port; choose one from 1 to 65535.")
            if not layout.is_free(wanted):
                raise CommandError(f"Port {wanted} is taken by another program; choose another one with --port.")
            return wanted
        port = layout.next_free(FIRST_PORT)
        if port is None:
            raise CommandError(f"No port from {FIRST_PORT} on is free; choose one with --port.")
        if port != FIRST_PORT:
            self._say(f"Port {FIRST_PORT} is taken by another program; using {port}.")
        return port

    def _detach(self, home: Home, options: dict[str, Any]) -> None:
        """Start the same command in a session of its own and show its words until it lets go of the terminal."""
        command = [sys.executable, "manage.py", "up", "--release-terminal"]
        command += ["--port", str(options["port"])] if options["port"] is not None else []
        command += ["--demo"] if options["demo"] else []
        process = subprocess.Popen(
            command,
            cwd=layout.REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        for line in process.stdout:
            self.stdout.write(line, ending="")
            self.stdout.flush()
        if not _is_up(home):
            process.wait()
            raise CommandError("The workbench did not start.")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _is_up(home: Home) -> bool:
    record = InstanceRecord.read(home)
    return record is not None and record.phase == "running" and record.supervisor.alive()


def _supervisor(home: Home, say: Any) -> Supervisor:
    own = Identity.of(os.getpid())
    if own is None:
        raise CommandError("This machine has no readable /proc, which `up` needs.")
    instance = uuid.uuid4().hex
    record = InstanceRecord(instance=instance, supervisor=own, started_at=time.time())
    return Supervisor(home, record, _environment(home, instance), say)


def _environment(home: Home, instance: str) -> dict[str, str]:
    return {
        **os.environ,
        INSTANCE_VARIABLE: instance,
        "WORKBENCH_HOME": str(home.root),
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "WORKBENCH_HASHED_STATIC": "true",
        "PYTHONUNBUFFERED": "1",
    }


def _move_output_to(log: Path) -> None:
    """Let go of the terminal: the process that waits for our words sees their end."""
    sys.stdout.flush()
    sys.stderr.flush()
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
