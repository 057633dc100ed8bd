import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.infra.conftest import ROOT
from workers.embedded.home import Home
from workers.embedded.instance import InstanceRecord, log_of, wait_until
from workers.embedded.parts import PartError, Program
from workers.embedded.processes import INSTANCE_VARIABLE, Identity, of_instance
from workers.embedded.supervisor import WATCHED, Supervisor, bound_log, how_it_ended


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(home: Home, said: list[str]):
    own = Identity.of(os.getpid())
    record = InstanceRecord(instance=f"test-{home.root}", supervisor=own, started_at=time.time())
    environment = {**os.environ, INSTANCE_VARIABLE: record.instance}
    supervisor = Supervisor(home, record, environment, said.append)
    supervisor.block_signals()
    yield supervisor
    supervisor.stop()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)


def shell(name: str, script: str, **values: object) -> Program:
    return Program(name, ("sh", "-c", script), Path("/"), **values)


def watch_until(supervisor: Supervisor, condition: Callable[[], bool]) -> None:
    """Let it watch until the condition holds (at most half a minute), then ask it to stop as a signal does."""
    watching = threading.get_ident()

    def ask() -> None:
        wait_until(condition, 30.0, step=0.02)
        # To the one thread: the test runner has others, which do not wait for signals.
        signal.pthread_kill(watching, signal.SIGTERM)

    thread = threading.Thread(target=ask)
    thread.start()
    supervisor.watch()
    thread.join()
    supervisor.asked_to_stop = False


def test_a_killed_part_is_started_again_and_said(supervisor: Supervisor, said: list[str]):
    supervisor.start(shell("web", "exec sleep 60"))
    assert supervisor.wait_for(["web"], 5)
    first = supervisor.record.parts[0].identity
    os.kill(first.pid, signal.SIGKILL)
    part = supervisor.record.parts[0]
    watch_until(supervisor, lambda: part.restarts > 0 and part.phase == "running")
    assert (part.phase, part.restarts) == ("running", 1)
    assert part.identity != first
    assert part.identity.alive()
    assert said == ["web ended with signal SIGKILL; starting it again now."]
    assert InstanceRecord.read(supervisor.home).parts[0] == part


def test_a_part_that_keeps_dying_is_tried_more_and_more_slowly(supervisor: Supervisor, said: list[str]):
    supervisor.start(shell("web", "exit 3"))
    started = time.monotonic()
    watch_until(supervisor, lambda: len(said) >= 3)
    assert time.monotonic() - started >= 1.0
    assert said[:3] == [
        "web ended with exit code 3; starting it again now.",
        "web ended with exit code 3; starting it again in 1 s.",
        "web ended with exit code 3; starting it again in 2 s.",
    ]
    assert supervisor.record.parts[0].phase == "restarting"


def test_a_part_that_cannot_be_started_at_all_is_explained_and_tried_again(supervisor: Supervisor, said: list[str]):
    supervisor.start(Program("web", ("/no/such/program",), Path("/")))
    watch_until(supervisor, lambda: supervisor.record.parts[0].restarts > 0)
    assert "web cannot start: [Errno 2]" in said[0]
    assert supervisor.record.parts[0].restarts >= 1


def test_a_part_that_runs_once_is_not_started_again(supervisor: Supervisor, said: list[str]):
    supervisor.start(shell("demo", "exit 0"), healed=False)
    watch_until(supervisor, lambda: said != [])
    assert supervisor.record.parts[0].phase == "finished"
    assert supervisor.record.parts[0].restarts == 0
    assert said == ["demo finished."]


def test_a_part_that_everything_needs_and_is_not_ready_fails_with_its_log(supervisor: Supervisor):
    supervisor.start(shell("postgres", "echo no space left; sleep 60", is_ready=lambda: False))
    with pytest.raises(PartError, match="no space left"):
        supervisor.started_well("postgres", 0.5)


def test_stop_ends_stubborn_parts_and_stray_grandchildren(supervisor: Supervisor):
    supervisor.start(shell("stubborn", "trap '' TERM; while true; do sleep 1; done", grace=0.5))
    supervisor.start(shell("launcher", "setsid sleep 60 & sleep 60"))
    assert supervisor.wait_for(["stubborn", "launcher"], 5)
    assert wait_until(lambda: len(of_instance(supervisor.record.instance)) >= 4, 5.0)
    assert supervisor.stop() == []
    assert of_instance(supervisor.record.instance) == []
    assert not supervisor.home.state_file.exists()


def test_a_supervisor_outside_a_terminal_stops_on_each_usual_signal(home: Home):
    program = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from workers.embedded.home import Home\n"
        "from workers.embedded.instance import InstanceRecord\n"
        "from workers.embedded.parts import Program\n"
        "from workers.embedded.processes import Identity\n"
        "from workers.embedded.supervisor import Supervisor\n"
        "home = Home.at(sys.argv[1])\n"
        "record = InstanceRecord('i', Identity.of(os.getpid()))\n"
        "supervisor = Supervisor(home, record, os.environ, print)\n"
        "supervisor.block_signals()\n"
        "supervisor.start(Program('web', ('sleep', '60'), Path('/')))\n"
        "print('up', flush=True)\n"
        "supervisor.watch(); supervisor.stop()\n"
    )
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(home.root)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout.readline() == "up\n"
        child = InstanceRecord.read(home).parts[0].identity
        process.send_signal(number)
        assert process.wait(timeout=10) == 0
        assert not child.alive()


def test_logs_are_bounded_while_a_part_writes_them(home: Home):
    log = log_of(home, "web")
    with log.open("ab") as writer:
        writer.write(b"old " * 1000)
        writer.flush()
        bound_log(log, largest=1000)
        writer.write(b"new")
    assert log.read_bytes() == b"new"
    assert log.with_suffix(".log.1").stat().st_size == 4000
    bound_log(home.logs / "none.log")


def test_exit_codes_in_words():
    assert [how_it_ended(code) for code in (-9, 0, 3, -250)] == [
        "signal SIGKILL",
        "exit code 0",
        "exit code 3",
        "signal 250",
    ]
