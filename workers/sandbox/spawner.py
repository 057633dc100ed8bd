"""Starts processes from one thread that lives as long as this process.

A sandbox asks the kernel to be killed with its parent, and to the kernel the parent is the thread that
started it: a request thread that ends would take the sandbox with it.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor


class _Spawner:
    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self.executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox-spawner")


_SPAWNER = _Spawner()
# Threads do not survive a fork; a Celery child gets its own.
os.register_at_fork(after_in_child=_SPAWNER.renew)


def spawn(command: Sequence[str], environment: Mapping[str, str], pass_fds: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start `command` in its own session with exactly `environment`, stdout and stderr as pipes."""

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd="/",
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )

    return _SPAWNER.executor.submit(start).result()
