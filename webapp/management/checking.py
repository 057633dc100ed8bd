"""`./workbench check`: every static check, each with its time, all of them even when one fails."""

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("webapp", "services_app", "tasks_app", "training_app", "workers")
OPENAPI = ROOT / "docs" / "openapi.yaml"
LIBRARY = ROOT / "docs" / "library"
AT_ONCE = 2


@dataclass(frozen=True)
class Outcome:
    """What one check said."""

    passed: bool
    words: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Check:
    """One command; it passes with exit code 0."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self) -> Outcome:
        return _execute(self.command, self.environment)


@dataclass(frozen=True)
class Drift:
    """What the code makes must be what the repository holds at `kept`: a file, or a folder of files."""

    name: str
    kept: Path
    command: Callable[[Path], tuple[str, ...]]

    def run(self) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / self.kept.name
            outcome = _execute(self.command(made), {})
            if not outcome.passed:
                return outcome
            differing = sorted(set(_contents(made).items()) ^ set(_contents(self.kept).items()))
            if differing:
                names = ", ".join(sorted({name for name, _ in differing}))
                kept = self.kept.relative_to(ROOT).as_posix()
                words = f"{kept} is not what the code makes ({names}); run `./workbench check --fix`."
                return replace(outcome, passed=False, words=words)
        return outcome


def _contents(place: Path) -> dict[str, bytes]:
    files = sorted(place.iterdir()) if place.is_dir() else [place] if place.exists() else []
    return {file.name: file.read_bytes() for file in files}


def _python(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *arguments)


def openapi_command(target: Path) -> tuple[str, ...]:
    return _python("manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", str(target))


def library_command(target: Path) -> tuple[str, ...]:
    return _python("-m", "webapp.management.library_pages", str(target))


def production() -> dict[str, str]:
    """Settings as a careful operator would give them."""
    return {
        "WORKBENCH_HTTPS": "true",
        "WORKBENCH_HASHED_STATIC": "true",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "ALLOWED_HOSTS": "workbench.example",
        "CSRF_TRUSTED_ORIGINS": "https://workbench.example",
        "DATABASE_URL": "postgresql://workbench:secret@db.example:5432/workbench",
        "CELERY_BROKER_URL": "redis://broker.example:6379/0",
    }


def checks() -> list[Check | Drift]:
    """All checks; the longest first, since two run at a time."""
    binary = str(Path(sys.executable).parent / "ruff")
    return [
        Check("types (mypy)", _python("-m", "mypy", *PACKAGES, "manage.py")),
        Check("lint (ruff)", (binary, "check", ".")),
        Check("format (ruff)", (binary, "format", "--check", ".")),
        Check("import rules", _python("-c", "from importlinter.cli import lint_imports_command as m; m()")),
        Check("dependencies (deptry)", _python("-m", "deptry", ".")),
        Check("templates (djlint)", _python("-m", "djlint", "templates", "--lint", "--quiet")),
        Check(
            "migrations are complete", _python("-W", "ignore", "manage.py", "makemigrations", "--check", "--dry-run")
        ),
        Check(
            "production settings", _python("manage.py", "check", "--deploy", "--fail-level", "WARNING"), production()
        ),
        Drift("OpenAPI is up to date", OPENAPI, openapi_command),
        Drift("pages of the library", LIBRARY, library_command),
        Check("spelling (codespell)", _python("-m", "codespell_lib", *_own_files())),
    ]


def _own_files() -> list[str]:
    """Tracked and new files, without what git ignores; everything here when git is not at hand."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()] or ["."]


def fixes() -> list[Check]:
    """What a machine can put right."""
    binary = str(Path(sys.executable).parent / "ruff")
    return [
        Check("lint fixes", (binary, "check", "--fix", "--exit-zero", "--quiet", ".")),
        Check("format", (binary, "format", "--quiet", ".")),
        Check("OpenAPI", openapi_command(OPENAPI)),
        Check("pages of the library", library_command(LIBRARY)),
    ]


def _execute(command: Sequence[str], environment: Mapping[str, str]) -> Outcome:
    started = time.monotonic()
    result = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.settings", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Outcome(result.returncode == 0, result.stdout.strip(), time.monotonic() - started)


def run_all(steps: Sequence[Check | Drift], say: Callable[[str], None]) -> list[str]:
    """Run them, two at a time; returns the names of those that failed."""
    failed = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for step, future in [(step, pool.submit(step.run)) for step in steps]:
            outcome = future.result()
            say(f"{'ok' if outcome.passed else 'FAILED':<7}{step.name:<28}{outcome.seconds:6.1f} s")
            if not outcome.passed:
                failed.append(step.name)
                say("\n".join(f"       {line}" for line in outcome.words.splitlines()))
    return failed


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("./workbench check", description="Run every static check.")
    parser.add_argument("--fix", action="store_true", help="first put right what a machine can")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    if options.fix:
        for fix in fixes():
            fix.run()
    failed = run_all(checks(), _say)
    seconds = time.monotonic() - started
    _say(
        f"{len(failed)} failed: {', '.join(failed)} ({seconds:.0f} s)"
        if failed
        else f"All checks passed ({seconds:.0f} s)."
    )
    return 1 if failed else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
