"""What runs, since when, and how much waits in the queues."""

import json
import sys
import time
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from kombu.exceptions import OperationalError

from workers import queues
from workers.celery_app import app
from workers.embedded.home import Home
from workers.embedded.instance import InstanceRecord, PartRecord, is_running

NOT_RUNNING = 3


class Command(BaseCommand):
    help = f"Show the state of each part. The exit code is {NOT_RUNNING} when nothing runs."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of words")

    def handle(self, *_args: Any, **options: Any) -> None:
        home = Home.at(settings.WORKBENCH_HOME)
        record = InstanceRecord.read(home) if home.is_ours() and is_running(home) else None
        state = describe(home, record)
        self.stdout.write(json.dumps(state, indent=2) if options["json"] else "\n".join(in_words(state)))
        if record is None:
            sys.exit(NOT_RUNNING)


def describe(home: Home, record: InstanceRecord | None) -> dict[str, Any]:
    """The state as one JSON-able value."""
    if record is None:
        return {"running": False, "home": str(home.root)}
    now = time.time()
    return {
        "running": True,
        "home": str(home.root),
        "phase": record.phase,
        "url": record.url,
        "pid": record.supervisor.pid,
        "uptime_seconds": round(now - record.started_at),
        "parts": [_part(part, now) for part in record.parts],
        "queues": queue_lengths(),
    }


def _part(part: PartRecord, now: float) -> dict[str, Any]:
    return {
        "name": part.name,
        "state": part.phase,
        "pid": part.identity.pid if part.identity else None,
        "seconds": round(now - part.since),
        "restarts": part.restarts,
        "message": part.message,
    }


def queue_lengths() -> dict[str, int] | None:
    """Messages that wait, by queue; None when the broker does not answer."""
    try:
        with app.connection_for_read(connect_timeout=2) as connection:
            connection.ensure_connection(max_retries=1, timeout=3)
            with connection.channel() as channel:
                return {name: _length(channel, name) for name in queues.ALL}
    except (OperationalError, OSError):
        return None


def _length(channel: Any, queue: str) -> int:
    return int(channel.queue_declare(queue=queue, passive=False, durable=True, auto_delete=False).message_count)


def in_words(state: dict[str, Any]) -> Iterable[str]:
    """Lines for a terminal."""
    if not state["running"]:
        yield f"The workbench is not running (data folder {state['home']}). Start it with `./workbench up`."
        return
    phase = "running" if state["phase"] == "running" else f"{state['phase']} …"
    yield f"The workbench is {phase} {state['url']}".rstrip()
    yield f"Up for {duration(state['uptime_seconds'])}, data folder {state['home']}"
    yield ""
    yield f"{'part':<14}{'state':<12}{'pid':>8}  {'for':>8}  {'restarts':>8}"
    for part in state["parts"]:
        pid, age = part["pid"] or "-", duration(part["seconds"])
        line = f"{part['name']:<14}{part['state']:<12}{pid:>8}  {age:>8}  {part['restarts']:>8}"
        yield f"{line}  {part['message']}".rstrip()
    yield ""
    waiting = state["queues"]
    yield (
        "The broker does not answer, so the queue lengths are unknown."
        if waiting is None
        else "Waiting: " + ", ".join(f"{name} {count}" for name, count in waiting.items())
    )


def duration(seconds: int) -> str:
    """A short length of time: `42 s`, `5 min`, `3 h`, `2 d`."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
