import os
import subprocess
import sys
import threading
import time

import psycopg
import pytest

from tests.infra.conftest import ROOT
from workers.embedded.home import Home
from workers.embedded.instance import (
    FolderLock,
    InstanceRecord,
    PartRecord,
    clear_leftovers,
    is_running,
    log_of,
    wait_until,
)
from workers.embedded.processes import INSTANCE_VARIABLE, Identity, spawn
from workers.embedded.session import services


def record_of(home: Home, *parts: PartRecord) -> InstanceRecord:
    return InstanceRecord("i", Identity.of(os.getpid()), phase="running", url="http://x/", parts=list(parts))


def test_the_record_reads_back_as_written(home: Home):
    record = record_of(
        home, PartRecord("web", "running", Identity.of(os.getpid()), 1.5, 2, "words"), PartRecord("beat")
    )
    record.write(home)
    assert InstanceRecord.read(home) == record


@pytest.mark.parametrize("text", ["", "{", "[]", '{"supervisor": null}', '{"supervisor": {"pid": 1}}'])
def test_a_damaged_record_counts_as_none(home: Home, text: str):
    home.state_file.write_text(text)
    assert InstanceRecord.read(home) is None
    assert clear_leftovers(home) == 0


def test_one_holder_at_a_time_and_it_says_who_it_is(home: Home):
    first, second = FolderLock(home), FolderLock(home)
    assert first.take()
    first.sign("up")
    assert not second.take()
    assert second.holder() == {"purpose": "up", "pid": os.getpid()}
    assert is_running(home)
    first.release()
    assert not is_running(home)
    assert second.take()
    second.release()


def test_a_killed_holder_holds_nothing(home: Home):
    program = (
        "import os, sys; from workers.embedded.home import Home; from workers.embedded.instance import FolderLock;"
        "lock = FolderLock(Home.at(sys.argv[1])); lock.take(); lock.sign('up'); print('held', flush=True);"
        "sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(home.root)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    assert is_running(home)
    process.kill()
    process.wait()
    assert not is_running(home)


def test_leftovers_are_stopped_and_strangers_are_not(home: Home, tmp_path):
    left = spawn(["sleep", "60"], log=log_of(home, "web"))
    marked = spawn(["sleep", "60"], log=log_of(home, "x"), env={**os.environ, INSTANCE_VARIABLE: f"i-{tmp_path}"})
    stranger = spawn(["sleep", "60"], log=log_of(home, "y"))
    reused = Identity.of(stranger.pid)
    record = record_of(
        home,
        PartRecord("web", "running", Identity.of(left.pid)),
        PartRecord("beat", "running", Identity(reused.pid, reused.started - 5, reused.boot)),
    )
    record.instance = f"i-{tmp_path}"
    record.write(home)
    try:
        assert wait_until(lambda: clear_leftovers(home) == 2 or not home.state_file.exists(), 1.0)
        assert left.wait(timeout=5) != 0
        assert marked.wait(timeout=5) != 0
        assert stranger.poll() is None
        assert not home.state_file.exists()
    finally:
        for process in (left, marked, stranger):
            process.kill()
            process.wait()


def test_a_command_brings_its_own_services_and_takes_them_away(home: Home):
    with services(home, "import", database=True, broker=True) as whose:
        assert whose == "own"
        assert not is_running(home)
        with psycopg.connect(home.database_url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
        pids = [part.identity for part in InstanceRecord.read(home).parts]
        assert all(identity.alive() for identity in pids)
    assert not any(identity.alive() for identity in pids)
    assert not home.state_file.exists()


def test_a_failing_command_takes_its_services_away_too(home: Home):
    pids: list[Identity] = []

    def fail() -> None:
        with services(home, "import", database=True, broker=False):
            pids.extend(part.identity for part in InstanceRecord.read(home).parts)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(pids) == 1
    assert not any(identity.alive() for identity in pids)


def test_a_second_command_shares_and_the_first_waits_for_it(home: Home):
    said: list[str] = []
    finished: dict[str, float] = {}

    def second() -> None:
        with services(home, "build", database=True, broker=False) as whose:
            finished["whose"] = whose
            time.sleep(1.0)
            with psycopg.connect(home.database_url) as connection:
                connection.execute("select 1")
            finished["second"] = time.monotonic()

    with services(home, "import", database=True, broker=False, say=said.append):
        thread = threading.Thread(target=second)
        thread.start()
        assert wait_until(lambda: "whose" in finished, 10.0)
    thread.join()
    assert finished["whose"] == "shared"
    assert said == ["Another command still uses the services; waiting for it to finish."]
    assert time.monotonic() >= finished["second"]


def test_a_command_uses_a_running_instance(home: Home):
    lock = FolderLock(home)
    lock.take()
    lock.sign("up")
    record_of(home).write(home)
    with services(home, "import", database=True, broker=True) as whose:
        assert whose == "instance"
        assert not home.postgres_data.exists()
    lock.release()
