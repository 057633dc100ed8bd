"""A module for the inside of a sandbox that runs the code it is sent, and the fixture pieces around it."""

import resource
import time
from pathlib import Path

import pytest

from workers.sandbox.limits import Limits, SandboxError
from workers.sandbox.process import SandboxProcess

EXECUTOR = """
def handle(message):
    scope = {"message": message}
    try:
        exec(message["code"], scope)
    except OSError as error:
        return {"denied": type(error).__name__, "errno": error.errno}
    return {"value": scope.get("value")}
"""


def start(mode, limits=None, **options):
    """A sandbox whose requests are `{"code": text}`; the code leaves its result in `value`."""
    return SandboxProcess("executor", files={"executor.py": EXECUTOR}, sources=(), mode=mode, limits=limits, **options)


def run(mode, code, limits=None, **message):
    """Run `code` in a fresh sandbox and return the reply."""
    with start(mode, limits or Limits()) as process:
        return process.request({"code": code, **message})


QUICK = Limits(wall_seconds=1.0, start_seconds=20)


def fail(mode, code, limits=QUICK):
    """The error of `code`, how long it took, and the ids of the processes that ran it."""
    with start(mode, limits) as process:
        process.request({"code": "value = 1"}, timeout=10)
        pids = family(process.pid)
        assert len(pids) == {"bwrap": 3, "lockdown": 1}[mode]  # outside, first in the namespace, Python
        began = time.monotonic()
        with pytest.raises(SandboxError) as caught:
            process.request({"code": code})
        return caught.value, time.monotonic() - began, pids


def family(pid):
    """`pid` and all its descendants."""
    found = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += family(int(child))
    return found


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def gone(pid, seconds=5.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False
