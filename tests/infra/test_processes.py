import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.infra.conftest import ROOT
from workers.embedded import processes
from workers.embedded.instance import wait_until
from workers.embedded.processes import Identity, spawn, stop_all


@pytest.fixture
def sleeper(tmp_path: Path):
    process = spawn(["sleep", "60"], log=tmp_path / "log")
    yield process
    process.kill()
    process.wait()


def test_identity_is_the_process_and_not_its_number(sleeper):
    identity = Identity.of(sleeper.pid)
    assert identity is not None
    assert identity.alive()
    stranger = replace(identity, started=identity.started - 1)
    assert not stranger.alive()
    assert not stranger.send(signal.SIGKILL)
    assert sleeper.poll() is None


def test_a_zombie_counts_as_gone(sleeper):
    identity = Identity.of(sleeper.pid)
    os.kill(sleeper.pid, signal.SIGKILL)
    assert wait_until(lambda: not identity.alive(), 5.0)
    assert Identity.of(sleeper.pid) is None


def test_an_identity_survives_its_written_form():
    own = Identity.of(os.getpid())
    assert Identity.parse(own.as_dict()) == own
    assert Identity.parse({"pid": 1}) is None
    assert Identity.parse(None) is None


def test_stop_kills_what_ignores_the_request_and_its_children(tmp_path: Path):
    script = "trap '' TERM; sleep 60 & echo $!; wait; sleep 60"
    log = tmp_path / "log"
    process = spawn(["sh", "-c", script], log=log)
    assert wait_until(lambda: log.read_text().strip() != "", 5.0)
    child = int(log.read_text())
    assert stop_all([Identity.of(process.pid)], grace=0.3) == []
    process.wait()
    assert wait_until(lambda: Identity.of(child) is None, 5.0)


def test_a_part_dies_with_whoever_started_it(tmp_path: Path):
    program = (
        "import os, pathlib, sys; from workers.embedded.processes import spawn;"
        f"print(spawn(['sleep', '60'], log=pathlib.Path({str(tmp_path / 'log')!r})).pid, flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == -signal.SIGKILL
    assert wait_until(lambda: Identity.of(int(result.stdout)) is None, 5.0)


def test_a_part_starts_with_no_signal_blocked(tmp_path: Path):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        process = spawn(["sleep", "60"], log=tmp_path / "log")
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    process.terminate()
    assert process.wait(timeout=5) == -signal.SIGTERM


def test_processes_of_an_instance_are_found_by_their_mark(tmp_path: Path):
    environment = {**os.environ, processes.INSTANCE_VARIABLE: "instance-a"}
    process = spawn(["sleep", "60"], log=tmp_path / "log", env=environment)
    time.sleep(0.1)
    try:
        assert [each.pid for each in processes.of_instance("instance-a")] == [process.pid]
        assert processes.of_instance("instance-") == []
    finally:
        process.kill()
        process.wait()
