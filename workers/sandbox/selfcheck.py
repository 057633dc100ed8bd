"""Runs inside a fresh sandbox and reports which forbidden things succeed there. `probe` asks it."""

import os
import socket
from collections.abc import Callable


def handle(message: dict[str, object]) -> dict[str, object]:
    """`{"secret": path of a host file, "folder": a host folder}` -> `{"allowed": [names]}`."""
    secret, folder = str(message["secret"]), str(message["folder"])
    attempts: dict[str, Callable[[], object]] = {
        "open a socket": socket.socket,
        "start a process": _fork,
        "run a program": _run_program,
        "read a file of the host": lambda: open(secret, "rb").close(),
        "write a file on the host": lambda: open(os.path.join(folder, "probe"), "wb").close(),
        "write a temporary file": lambda: open("/tmp/probe", "wb").close(),  # noqa: S108 - must fail
        "signal another process": lambda: os.kill(os.getppid(), 0),
        "read the environment of the host": lambda: _some_environment("/proc/1/environ"),
    }
    return {"allowed": [name for name, attempt in attempts.items() if _succeeds(attempt)]}


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _run_program() -> None:
    """A missing program shows whether the call is let through without giving up this one."""
    try:
        os.execv("/nonexistent", ["nonexistent"])  # noqa: S606 - nothing is started
    except FileNotFoundError:
        return


def _some_environment(path: str) -> None:
    with open(path, "rb") as stream:
        if not stream.read(1):
            raise OSError("empty")
