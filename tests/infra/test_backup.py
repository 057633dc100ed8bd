import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.infra.conftest import ROOT, plain_environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ADD = "from webapp.common.models import User; User.objects.create(username='ana')"
LIST = "from webapp.common.models import User; print('users', list(User.objects.values_list('username', flat=True)))"


def run(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "webapp.cli", *words],
        cwd=ROOT,
        env=plain_environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_everything_comes_back_in_another_folder(tmp_path: Path):
    first, second, saved = tmp_path / "a", tmp_path / "b", tmp_path / "saved.tar.gz"
    assert run(first, "migrate", "--verbosity", "0").returncode == 0
    assert run(first, "shell", "-v", "0", "-c", ADD).returncode == 0
    (first / "files" / "exports").mkdir(parents=True)
    (first / "files" / "exports" / "one.txt").write_text("content")
    made = run(first, "backup", str(saved))
    assert made.returncode == 0, made.stderr
    assert saved.stat().st_mode & 0o077 == 0

    assert "never overwrites" in run(first, "backup", str(saved)).stderr
    assert "Say --yes" in run(second, "restore", str(saved)).stderr
    restored = run(second, "restore", str(saved), "--yes")
    assert restored.returncode == 0, restored.stderr
    assert "users ['ana']" in run(second, "shell", "-v", "0", "-c", LIST).stdout
    assert (second / "files" / "exports" / "one.txt").read_text() == "content"
    assert (second / "secret_key").read_text() == (first / "secret_key").read_text()


def test_another_file_is_refused_and_changes_nothing(tmp_path: Path):
    home = tmp_path / "a"
    assert run(home, "migrate", "--verbosity", "0").returncode == 0
    text, archive = tmp_path / "text", tmp_path / "other.tar.gz"
    text.write_text("no backup")
    with tarfile.open(archive, "w:gz") as file:
        file.add(text, "text")
    assert "cannot be read as a backup" in run(home, "restore", str(text), "--yes").stderr
    assert "is not a backup" in run(home, "restore", str(archive), "--yes").stderr
    assert "users []" in run(home, "shell", "-v", "0", "-c", LIST).stdout
