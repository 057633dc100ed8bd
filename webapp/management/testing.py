"""`./workbench test`: set-up, the main tests on two processes, then the training tests on their own packages."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NO_TESTS = 5
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
INSTALL_LIMIT = 900.0


def main(arguments: Sequence[str]) -> int:
    """Arguments go to pytest as they are; then only the main pass runs."""
    ensure_browser()
    if arguments:
        return _pytest(sys.executable, [*_spread(arguments), *_leave_out(arguments), *arguments])
    codes = [_pytest(sys.executable, [*_spread(()), *_leave_out(())]), training_tests()]
    return next((code for code in codes if code), 0)


def _spread(arguments: Sequence[str]) -> list[str]:
    """Two processes unless the caller chose a number."""
    chosen = any(word.startswith(("-n", "--numprocesses")) for word in arguments)
    return [] if chosen else ["-n", "2", "--dist", "loadfile"]


def _leave_out(arguments: Sequence[str]) -> list[str]:
    """The main packages hold no torch, so these markers run in the second pass or on a machine with a GPU."""
    return [] if "-m" in arguments else ["-m", "not train and not gpu"]


def _pytest(python: str, arguments: Sequence[str]) -> int:
    return subprocess.run([python, "-m", "pytest", *arguments], cwd=ROOT, check=False).returncode


def training_tests() -> int:
    """Install the training packages (once, in an environment of their own) and run the tests that need them.

    The tests themselves run here; they start the trainers with the other interpreter.
    """
    _say("Preparing the training packages; the first time takes some minutes …")
    made = subprocess.run([sys.executable, "-m", "training_app.trainers.install"], cwd=ROOT, check=False)
    if made.returncode:
        _say("The training packages could not be installed, so the training tests did not run.")
        return 1
    code = _pytest(sys.executable, ["-m", "train and not gpu"])
    return 0 if code == NO_TESTS else code


def ensure_browser() -> None:
    """Chromium for the browser tests: the one that is there, or Debian's. Without it they are skipped with a reason."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        _say("Chromium was not found; the browser tests will be skipped (Debian and Ubuntu: apt-get install chromium).")
        return
    _say("Installing Chromium for the browser tests …")
    try:
        for words in (("update", "-qq"), ("install", "-y", "-qq", "--no-install-recommends", "chromium")):
            subprocess.run(
                ["apt-get", *words],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                check=True,
                timeout=INSTALL_LIMIT,
            )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        _say("Chromium could not be installed; the browser tests will be skipped.")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
