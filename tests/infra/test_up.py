"""The whole thing on one machine: start, find, heal, stop, recover. One data folder for the module."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.infra.conftest import ROOT, plain_environment
from workers.embedded.home import Home
from workers.embedded.instance import InstanceRecord, is_running, wait_until
from workers.embedded.layout import next_free
from workers.embedded.processes import everyone, with_cwd

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PARTS = {"postgres", "valkey", "web", "beat", "worker-long", "worker-short", "worker-train"}


class Workbench:
    def __init__(self, folder: Path) -> None:
        self.home = Home.at(folder)
        self.first_words = ""

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "webapp.cli", *words],
            cwd=ROOT,
            env=plain_environment(self.home.root),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    def up(self) -> "subprocess.CompletedProcess[str]":
        """Running afterwards, whether or not it was before."""
        result = self.run("up", "--detach", "--port", str(self.port()))
        assert result.returncode == 0, result.stdout + result.stderr
        self.first_words = self.first_words or result.stdout
        return result

    def port(self) -> int:
        record = self.record()
        return int(record.url.rstrip("/").rpartition(":")[2]) if record and record.url else next_free(18100)

    def record(self) -> InstanceRecord | None:
        """What runs now; read directly, since each command takes seconds to load."""
        return InstanceRecord.read(self.home) if self.home.is_ours() and is_running(self.home) else None

    def pids(self) -> dict[str, int]:
        return {part.name: part.identity.pid for part in self.record().parts if part.identity is not None}

    def answer(self, path: str) -> int | None:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port(), timeout=10)
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return None

    def processes(self) -> list[int]:
        """Everything on the machine that was started for this data folder."""
        mark = f"WORKBENCH_HOME={self.home.root}".encode()
        found = {identity.pid for identity in with_cwd(self.home.postgres_data)}
        for pid in everyone():
            try:
                if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    found.add(pid)
            except OSError:
                continue
        return sorted(found)


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    workbench = Workbench(tmp_path_factory.mktemp("up") / "data")
    yield workbench
    workbench.run("down")
    for pid in workbench.processes():
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(workbench.home.sockets, ignore_errors=True)


def test_it_starts_everything_and_says_where(workbench: Workbench):
    workbench.up()
    state = json.loads(workbench.run("status", "--json").stdout)
    assert state["running"]
    assert {part["name"] for part in state["parts"]} == PARTS
    assert all(part["state"] == "running" for part in state["parts"])
    assert set(state["queues"]) == {"default", "build", "author", "rollout", "export", "train"}
    assert f"The workbench is ready: {state['url']}" in workbench.first_words
    assert "password" in workbench.first_words
    assert workbench.answer("/login/") == 200
    assert workbench.answer("/api/v1/health/ready") == 200
    assert container_health_check(workbench.port()) == 0
    assert container_health_check(next_free(18900)) != 0


def container_health_check(port: int) -> int:
    """Exit code of the web server's check in docker-compose.yml, pointed at another port."""
    service = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]
    command = [word.replace(":8000/", f":{port}/") for word in service["healthcheck"]["test"][2:]]
    environment = plain_environment(ALLOWED_HOSTS="localhost,workbench.example")
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, check=False).returncode


def test_a_second_start_finds_the_first_and_status_tells(workbench: Workbench):
    workbench.up()
    before = workbench.record()
    second = workbench.run("up")
    assert second.returncode == 0
    assert f"already running: {before.url}" in second.stdout
    assert workbench.record().supervisor == before.supervisor
    words = workbench.run("status").stdout
    assert words.startswith(f"The workbench is running {before.url}")
    assert "worker-train  running" in words
    assert "Waiting: default " in words


def test_every_killed_part_is_healed(workbench: Workbench):
    workbench.up()
    before = workbench.pids()
    assert set(before) == PARTS
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)

    def healed() -> bool:
        parts = workbench.record().parts
        return all(
            part.phase == "running" and part.restarts > 0 and part.identity.pid != before[part.name] for part in parts
        )

    assert wait_until(healed, 120.0, step=0.5), workbench.record()
    assert workbench.answer("/api/v1/health/ready") == 200


def test_down_leaves_no_process_and_the_data_stays(workbench: Workbench):
    workbench.up()
    assert len(workbench.processes()) >= len(PARTS)
    result = workbench.run("down")
    assert (result.returncode, result.stdout) == (0, "Stopping the workbench …\nStopped.\n")
    assert workbench.processes() == []
    assert workbench.record() is None
    assert workbench.run("down").stdout == "The workbench is not running.\n"
    again = workbench.up()
    assert "password" not in again.stdout


def test_a_killed_supervisor_leaves_nothing_and_the_next_start_works(workbench: Workbench):
    workbench.up()
    os.kill(workbench.record().supervisor.pid, signal.SIGKILL)
    assert wait_until(lambda: workbench.record() is None, 5.0)
    workbench.up()
    assert workbench.answer("/api/v1/health/ready") == 200
    supervisor = workbench.record().supervisor.pid
    assert wait_until(lambda: all(supervisor in _ancestors(pid) for pid in workbench.processes()), 20.0, step=0.5)


def test_reset_asks_refuses_and_wipes(workbench: Workbench):
    workbench.up()
    assert "--yes" in workbench.run("reset").stderr
    refused = workbench.run("reset", "--yes")
    assert refused.returncode == 1
    assert "stop it with `./workbench down` first" in refused.stderr
    workbench.run("down")
    assert workbench.run("reset", "--yes").returncode == 0
    assert not workbench.home.root.exists()
    workbench.first_words = ""


def test_a_taken_port_is_refused_by_name(workbench: Workbench):
    workbench.run("down")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = workbench.run("up", "--port", str(port))
    assert result.returncode == 1
    assert f"Port {port} is taken by another program" in result.stderr
    assert workbench.run("up", "--port", "70000").returncode == 1


def test_reset_leaves_a_foreign_folder_alone(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("mine")
    result = Workbench(tmp_path).run("reset", "--yes")
    assert result.returncode == 1
    assert "is not a data folder of the workbench" in result.stderr
    assert (tmp_path / "letter.txt").exists()


def _ancestors(pid: int) -> set[int]:
    """The process and those it descends from."""
    chain = set()
    while pid > 1:
        chain.add(pid)
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
    return chain
