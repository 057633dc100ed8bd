"""`check` and `test`: what they run, what they say, and which exit code they leave."""

import subprocess
import sys

import pytest

from tests.infra.conftest import ROOT
from webapp.management import checking, testing
from webapp.management.checking import Check


def test_all_checks_run_although_one_fails_and_the_failure_is_shown():
    said: list[str] = []
    failed = checking.run_all(
        [
            Check("first", (sys.executable, "-c", "print('what went wrong'); raise SystemExit(1)")),
            Check("second", (sys.executable, "-c", "pass")),
        ],
        said.append,
    )
    assert failed == ["first"]
    assert said[0].startswith("FAILED first")
    assert "what went wrong" in said[1]
    assert said[2].startswith("ok     second")


def test_the_checks_of_the_design_are_all_there():
    commands = " ".join(" ".join(each.command) for each in checking.checks() if isinstance(each, Check))
    for word in ("mypy", "ruff check", "ruff format --check", "importlinter", "deptry", "djlint", "codespell"):
        assert word.split()[-1] in commands
    for word in ("makemigrations --check", "check --deploy"):
        assert word in commands
    kept = {each.kept for each in checking.checks() if isinstance(each, checking.Drift)}
    assert kept == {checking.OPENAPI, checking.LIBRARY}


def test_a_drifted_file_fails_with_the_way_out(monkeypatch, tmp_path):
    monkeypatch.setattr(checking, "ROOT", tmp_path)
    kept = tmp_path / "none.yaml"
    drift = checking.Drift(
        "drift", kept, lambda target: (sys.executable, "-c", f"open({str(target)!r}, 'w').write('a')")
    )
    outcome = drift.run()
    assert not outcome.passed
    assert "none.yaml" in outcome.words
    assert "check --fix" in outcome.words
    kept.write_text("a")
    assert drift.run().passed


def test_a_page_too_many_drifts(monkeypatch, tmp_path):
    monkeypatch.setattr(checking, "ROOT", tmp_path)
    kept = tmp_path / "library"
    write = "import pathlib, sys; f = pathlib.Path(sys.argv[1]); f.mkdir(); (f / 'mail.md').write_text('mail')"
    drift = checking.Drift("drift", kept, lambda target: (sys.executable, "-c", write, str(target)))
    kept.mkdir()
    (kept / "mail.md").write_text("mail")
    assert drift.run().passed
    (kept / "gone.md").write_text("old")
    outcome = drift.run()
    assert not outcome.passed
    assert "gone.md" in outcome.words
    assert "mail.md" not in outcome.words


@pytest.mark.parametrize(
    ("arguments", "added"),
    [
        ([], ["-n", "2", "--dist", "loadfile", "-m", "not train and not gpu"]),
        (["tests/infra"], ["-n", "2", "--dist", "loadfile", "-m", "not train and not gpu"]),
        (["-n0", "tests/infra"], ["-m", "not train and not gpu"]),
        (["-m", "gpu"], ["-n", "2", "--dist", "loadfile"]),
    ],
)
def test_what_is_added_to_the_callers_arguments(arguments: list[str], added: list[str]):
    assert [*testing._spread(arguments), *testing._leave_out(arguments)] == added


def test_test_passes_pytests_verdict_on(tmp_path):
    (tmp_path / "test_red.py").write_text("def test_red():\n    assert False\n")
    red = subprocess.run(
        [sys.executable, "-m", "webapp.cli", "test", "-n0", "-p", "no:randomly", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert red.returncode == 1
    assert "1 failed" in red.stdout


def test_ci_is_sound_shell_and_calls_the_two_verbs():
    text = (ROOT / ".ci" / "run").read_text()
    assert "./workbench check" in text
    assert "./workbench test" in text
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=False).returncode == 0
