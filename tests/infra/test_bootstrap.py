"""The shell half of `./workbench`, in copies of it beside interpreters of our making."""

import os
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest

from tests.infra.conftest import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the bootstrap, a lock and nothing else."""
    (tmp_path / "requirements").mkdir()
    for name in ("web", "dev"):
        (tmp_path / "requirements" / f"{name}.lock").write_text(f"# {name}\n")
    shutil.copy(ROOT / "workbench", tmp_path / "workbench")
    return tmp_path


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def tools(checkout: Path, *names: str) -> Path:
    """A PATH with the plain tools of a small system, and what else is named."""
    folder = checkout / "bin"
    folder.mkdir(exist_ok=True)
    for name in ("sh", "cat", "cksum", "dirname", "mkdir", "rm", "sleep", "tr", "grep", *names):
        (folder / name).symlink_to(shutil.which(name))
    return folder


def run(checkout: Path, *words: str, path: Path | None = None, **values: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": str(path) if path else os.environ["PATH"], **values}
    return subprocess.run(
        [str(checkout / "workbench"), *words], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def ready(checkout: Path, lock: str) -> None:
    """A prepared environment whose interpreter tells what it was asked to run."""
    program(checkout / ".venv" / "bin", "python", 'echo "ran: $*"')
    with (checkout / "requirements" / f"{lock}.lock").open() as file:
        found = subprocess.run(["cksum"], stdin=file, capture_output=True, text=True, check=True).stdout.strip()
    (checkout / ".venv" / ".workbench-lock").write_text(f"{lock} {found}\n")


@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_the_syntax_is_plain_shell(shell: str):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on this machine")
    assert subprocess.run([shell, "-n", str(ROOT / "workbench")], check=False).returncode == 0


def test_it_can_be_executed():
    assert (ROOT / "workbench").stat().st_mode & stat.S_IXUSR


def test_help_needs_nothing(checkout: Path):
    for words in ([], ["help"], ["--help"]):
        result = run(checkout, *words)
        assert result.returncode == 0
        assert "./workbench up" in result.stdout
    assert not (checkout / ".venv").exists()


def test_a_machine_without_python_gets_a_sentence(checkout: Path):
    result = run(checkout, "up", path=tools(checkout))
    assert result.returncode == 1
    assert "Python 3.11 or newer was not found" in result.stderr


def test_an_old_python_is_not_taken(checkout: Path):
    folder = tools(checkout)
    program(folder, "python3", "exit 1")  # what an older interpreter answers to the version question
    result = run(checkout, "up", path=folder)
    assert "Python 3.11 or newer was not found" in result.stderr


def test_a_python_without_venv_gets_a_sentence(checkout: Path):
    folder = tools(checkout)
    program(folder, "python3", 'case "$2" in *venv*) exit 1;; esac; exit 0')
    result = run(checkout, "up", path=folder)
    assert result.returncode == 1
    assert "apt-get install python3-venv" in result.stderr


def test_without_a_registry_the_message_names_the_ways_out(checkout: Path):
    result = run(checkout, "up", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0", PIP_CONFIG_FILE=os.devnull)
    assert result.returncode == 1
    assert "uv==0.9.30 could not be installed. Is a package registry reachable" in result.stderr
    assert not (checkout / ".venv" / ".workbench-lock").exists()


def test_an_incomplete_checkout_is_said(checkout: Path):
    (checkout / "requirements" / "web.lock").unlink()
    result = run(checkout, "up")
    assert result.returncode == 1
    assert "requirements/web.lock is missing" in result.stderr


def test_a_prepared_environment_starts_at_once_with_the_words_as_they_are(checkout: Path):
    ready(checkout, "web")
    started = time.monotonic()
    result = run(checkout, "import", "a file.json", "--json")
    assert time.monotonic() - started < 1.0
    assert result.stdout == "ran: -P -m webapp.cli import a file.json --json\n"


def test_the_development_packages_serve_every_verb_and_the_others_do_not(checkout: Path):
    ready(checkout, "dev")
    assert run(checkout, "up").stdout == "ran: -P -m webapp.cli up\n"
    assert run(checkout, "check").stdout == "ran: -P -m webapp.cli check\n"
    ready(checkout, "web")
    result = run(checkout, "check", path=tools(checkout))
    assert "requirements/dev.lock" in result.stderr or result.returncode != 0


def test_a_changed_lock_is_noticed(checkout: Path):
    ready(checkout, "web")
    with (checkout / "requirements" / "web.lock").open("a") as lock:
        lock.write("# changed\n")
    program(
        checkout / ".venv" / "bin", "python", 'echo "ran: $*"; case "$*" in *"uv --version"*) echo "uv 0.9.30";; esac'
    )
    result = run(checkout, "up")
    assert "Installing the packages of requirements/web.lock" in result.stderr
    assert "pip sync --quiet --require-hashes" in result.stdout
    assert result.stdout.endswith("ran: -P -m webapp.cli up\n")
    assert "Installing" not in run(checkout, "up").stderr


def test_pips_wheels_on_disk_are_told_to_uv(checkout: Path):
    ready(checkout, "dev")
    (checkout / ".venv" / ".workbench-lock").unlink()
    script = 'case "$*" in *"uv --version"*) echo "uv 0.9.30";; *"pip sync"*) echo "links=$UV_FIND_LINKS";; esac'
    program(checkout / ".venv" / "bin", "python", script)
    result = run(checkout, "up", PIP_FIND_LINKS="/opt/a /opt/b")
    assert "links=/opt/a,/opt/b" in result.stdout


@pytest.mark.parametrize("with_flock", [True, False])
def test_two_first_starts_prepare_once(checkout: Path, with_flock: bool):
    if with_flock and shutil.which("flock") is None:
        pytest.skip("flock is not on this machine")
    script = (
        'case "$*" in *"uv --version"*) echo "uv 0.9.30";; '
        f'*"pip sync"*) sleep 1; echo once >>"{checkout}/synced";; esac'
    )
    program(checkout / ".venv" / "bin", "python", script)
    path = tools(checkout, *(["flock"] if with_flock else []))
    command = [str(checkout / "workbench"), "up"]
    both = [subprocess.Popen(command, env={"PATH": str(path)}, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [each.wait(timeout=30) for each in both] == [0, 0]
    assert (checkout / "synced").read_text() == "once\n"


def test_the_lock_of_a_killed_start_does_not_block_without_flock(checkout: Path):
    script = 'case "$*" in *"uv --version"*) echo "uv 0.9.30";; esac'
    program(checkout / ".venv" / "bin", "python", script)
    dead = subprocess.Popen(["true"])
    dead.wait()
    stale = checkout / ".venv" / ".workbench.lock.d"
    stale.mkdir()
    (stale / "pid").write_text(str(dead.pid))
    assert run(checkout, "up", path=tools(checkout)).returncode == 0
    assert not stale.exists()
