"""Real processes for tests: a Celery worker and a web server, both on the test database."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent


def wait_for(check: Callable[[], Any], seconds: float = 60, every: float = 0.1) -> Any:
    """What `check` returns once it is true. Raises AssertionError when it stays false."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := check():
            return value
        time.sleep(every)
    raise AssertionError(f"{check} stayed false for {seconds} s")


def environment(**extra: str) -> dict[str, str]:
    """The environment of a process that shall work on this test's database and broker."""
    return {
        **os.environ,
        "DATABASE_URL": _database_url(),
        "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "PYTHONPATH": str(ROOT),
        "WORKBENCH_RUN_INLINE": "false",
        **extra,
    }


def _database_url() -> str:
    now = connection.settings_dict
    host = str(now["HOST"])
    return f"postgresql://{now['USER']}@localhost/{now['NAME']}?" + urlencode({"host": host})


class Worker:
    """One Celery worker with one pool process. `module` is imported there and registers test kinds."""

    def __init__(self, module: str = "", queues: str = "default", **env: str) -> None:
        self.log = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115 - closed by stop
        include = ["--include", module] if module else []
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "celery", "-A", "workers.celery_app", "worker"),
                *("--concurrency", "1", "-Q", queues, "-l", "INFO", "--without-mingle", "--without-gossip", *include),
            ],
            cwd=ROOT,
            env=environment(**env),
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def output(self) -> str:
        return Path(self.log.name).read_text()

    def wait_until_ready(self) -> None:
        def ready() -> bool:
            assert self.process.poll() is None, self.output()
            return " ready." in self.output()

        wait_for(ready, 110)

    def children(self) -> list[int]:
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text().split()]

    def kill(self) -> None:
        """As a machine that loses its power: no handler runs."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.kill()
        self.log.close()


def _close_other_sessions() -> None:
    """A request that the browser left behind keeps its connection, and the test database could not be dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@contextmanager
def serve() -> Iterator[str]:
    """uvicorn in a thread of this process, so that it shares the settings of the test."""
    import uvicorn

    from webapp.asgi import application

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        wait_for(lambda: server.started, 20)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
        _close_other_sessions()
        listener.close()
