"""The programs of one machine: web server, scheduler and a worker for each kind of work."""

import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from workers import queues
from workers.embedded.home import Home
from workers.embedded.parts import Program

HOST = "127.0.0.1"
READY_VARIABLE = "WORKBENCH_READY_FILE"
REPOSITORY = Path(__file__).resolve().parent.parent.parent


def celery_worker(names: Sequence[str], *, processes: int, node: str) -> list[str]:
    """Command of a worker that takes these queues. The same under `up`, by hand and in a container."""
    return [
        *(sys.executable, "-m", "celery", "-A", "workers.celery_app", "worker"),
        *("--queues", ",".join(names)),
        *("--concurrency", str(processes)),
        *("--hostname", f"{node}@%h"),
        *("--loglevel", "INFO", "-O", "fair"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def celery_beat() -> list[str]:
    """Command of the scheduler. It keeps nothing: all it does is to call the sweep."""
    return [
        *(sys.executable, "-m", "celery", "-A", "workers.celery_app", "beat"),
        *("--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING", "--pidfile", ""),
    ]


def web_server(host: str, port: int) -> list[str]:
    """Command of the ASGI server."""
    return [
        *(sys.executable, "-m", "uvicorn", "webapp.asgi:application"),
        *("--host", host, "--port", str(port)),
        *("--log-level", "warning", "--timeout-graceful-shutdown", "5"),
    ]


def programs(home: Home, port: int) -> list[Program]:
    """Everything that `up` starts beside the database and the broker."""
    cores = os.cpu_count() or 2
    return [
        Program("web", tuple(web_server(HOST, port)), REPOSITORY, is_ready=lambda: answers(port)),
        _signalling(home, "beat", celery_beat()),
        _signalling(home, "worker-long", celery_worker(queues.LONG, processes=max(2, min(cores, 8)), node="long")),
        _signalling(home, "worker-short", celery_worker(queues.SHORT, processes=2, node="short")),
        _signalling(home, "worker-train", celery_worker(queues.TRAINING, processes=1, node="train")),
    ]


def _signalling(home: Home, name: str, command: list[str]) -> Program:
    """A Celery program: it touches a file when it is ready, since it listens nowhere."""
    ready = home.root / "locks" / f"{name}.ready"
    return Program(
        name,
        tuple(command),
        REPOSITORY,
        environment={READY_VARIABLE: str(ready)},
        is_ready=ready.exists,
        before=_unlink(ready),
    )


def _unlink(path: Path) -> Callable[[], None]:
    return lambda: path.unlink(missing_ok=True)


def answers(port: int) -> bool:
    """Whether something listens on the port of this machine."""
    try:
        with socket.create_connection((HOST, port), timeout=0.5):
            return True
    except OSError:
        return False


def is_free(port: int) -> bool:
    """Whether we could listen on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def next_free(port: int, tries: int = 100) -> int | None:
    """The first free port from `port` on; None when `tries` in a row are taken."""
    return next((number for number in range(port, min(port + tries, 65536)) if is_free(number)), None)
