"""One process that starts the parts, heals what dies, and leaves nothing behind."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workers.embedded import processes
from workers.embedded.home import Home
from workers.embedded.instance import InstanceRecord, PartPhase, PartRecord, log_of
from workers.embedded.parts import Part, PartError, last_words
from workers.embedded.processes import Identity

# Seconds before the n-th restart in a row; a part that stayed up for STEADY starts again from the first.
BACKOFF = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)
STEADY = 60.0
TICK = 0.5
LARGEST_LOG = 5 << 20
LOG_CHECK_EVERY = 15.0
STOP_SIGNALS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
WATCHED = STOP_SIGNALS | {signal.SIGCHLD}


@dataclass
class Watched:
    """A part with its process and its history of restarts."""

    part: Part
    record: PartRecord
    healed: bool = True
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    in_a_row: int = 0
    due: float | None = None


@dataclass
class Supervisor:
    """Watches the parts of one instance. `block_signals` must have been called in the main thread."""

    home: Home
    record: InstanceRecord
    environment: Mapping[str, str]
    say: Callable[[str], None]
    watched: list[Watched] = field(default_factory=list)
    asked_to_stop: bool = False
    _logs_checked: float = 0.0

    def block_signals(self) -> None:
        """From here on signals wait for `_wait`, so that nothing is lost between two steps."""
        signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)

    def start(self, part: Part, *, healed: bool = True) -> None:
        """Start a part and watch it; it may not be ready yet. `healed=False`: it runs once."""
        record = PartRecord(part.name)
        self.record.parts.append(record)
        watched = Watched(part, record, healed)
        self.watched.append(watched)
        self._launch(watched)
        self._write()

    def wait_for(self, names: Sequence[str], seconds: float) -> bool:
        """Go on watching until these parts are ready. False when stopped or out of time."""
        deadline = time.monotonic() + seconds
        while not self.asked_to_stop and time.monotonic() < deadline:
            if all(each.record.phase == "running" for each in self.watched if each.part.name in names):
                return True
            self._tick(0.05)
        return False

    def started_well(self, name: str, seconds: float) -> None:
        """Wait for a part that everything else needs. Raises PartError with the end of its log."""
        if not self.wait_for([name], seconds) and not self.asked_to_stop:
            raise PartError(
                f"{name} did not become ready within {seconds:.0f} s. {last_words(log_of(self.home, name))}"
            )

    def watch(self) -> None:
        """Heal until asked to stop."""
        while not self.asked_to_stop:
            self._tick(TICK)

    def stop(self) -> list[Identity]:
        """Stop the programs, then the broker, then the database, then any stray child. Returns what would not go."""
        self.record.phase = "stopping"
        self._write()
        base = ("valkey", "postgres")
        self._stop_wave([each for each in self.watched if each.part.name not in base])
        for name in base:
            self._stop_wave([each for each in self.watched if each.part.name == name])
        strays = processes.of_instance(self.record.instance)
        left = processes.stop_all(strays, grace=2.0)
        shutil.rmtree(self.home.sockets, ignore_errors=True)
        self.home.state_file.unlink(missing_ok=True)
        return left

    def _tick(self, seconds: float) -> None:
        self._wait(seconds)
        changed = [self._look_after(watched) for watched in self.watched]
        if any(changed):
            self._write()
        if time.monotonic() - self._logs_checked > LOG_CHECK_EVERY:
            self._logs_checked = time.monotonic()
            for watched in self.watched:
                bound_log(log_of(self.home, watched.part.name))

    def _wait(self, seconds: float) -> None:
        found = signal.sigtimedwait(WATCHED, seconds)
        if found is not None and found.si_signo in STOP_SIGNALS:
            self.asked_to_stop = True

    def _look_after(self, watched: Watched) -> bool:
        """One look at a part; True when its state changed."""
        if watched.due is not None:
            if time.monotonic() < watched.due:
                return False
            watched.due = None
            watched.record.restarts += 1
            self._launch(watched)
            return True
        if watched.process is None:
            return False
        code = watched.process.poll()
        if code is not None:
            self._ended(watched, code)
            return True
        if watched.record.phase == "starting" and watched.part.ready():
            self._set(watched, "running")
            return True
        return False

    def _launch(self, watched: Watched) -> None:
        part = watched.part
        try:
            part.prepare()
            watched.process = processes.spawn(
                part.command(),
                log=log_of(self.home, part.name),
                env={**self.environment, **getattr(part, "environment", {})},
                cwd=getattr(part, "cwd", Path("/")),
                on_parent_death=part.stop_signal,
            )
        except (PartError, OSError) as error:
            watched.process = None
            self._postpone(watched, f"{part.name} cannot start: {error}")
            return
        watched.started = time.monotonic()
        watched.record.identity = Identity.of(watched.process.pid)
        self._set(watched, "starting")

    def _ended(self, watched: Watched, code: int) -> None:
        watched.process = None
        watched.record.identity = None
        if not watched.healed:
            self._set(watched, "finished", f"exit code {code}")
            self.say(f"{watched.part.name} finished{'' if code == 0 else f' with {how_it_ended(code)}'}.")
            return
        if time.monotonic() - watched.started > STEADY:
            watched.in_a_row = 0
        self._postpone(watched, f"{watched.part.name} ended with {how_it_ended(code)}")

    def _postpone(self, watched: Watched, reason: str) -> None:
        delay = BACKOFF[min(watched.in_a_row, len(BACKOFF) - 1)]
        watched.in_a_row += 1
        watched.due = time.monotonic() + delay
        self._set(watched, "restarting", reason)
        self.say(f"{reason}; starting it again {'now' if delay == 0 else f'in {delay:.0f} s'}.")

    def _set(self, watched: Watched, phase: PartPhase, message: str = "") -> None:
        watched.record.phase = phase
        watched.record.since = time.time()
        watched.record.message = message

    def _write(self) -> None:
        self.record.write(self.home)

    def _stop_wave(self, wave: Sequence[Watched]) -> None:
        """Ask all of a wave together; a second Ctrl-C, or the end of the grace time, kills."""
        live = [each for each in wave if each.process is not None and each.process.poll() is None]
        for each in live:
            _send(each, each.part.stop_signal)
        started, hurried = time.monotonic(), False
        while live:
            found = signal.sigtimedwait(WATCHED, 0.1)
            hurried = hurried or (found is not None and found.si_signo in STOP_SIGNALS)
            for each in live:
                if hurried or time.monotonic() - started > each.part.grace:
                    _send(each, signal.SIGKILL)
            live = [each for each in live if each.process is not None and each.process.poll() is None]
        for each in wave:
            each.process, each.due = None, None
            self._set(each, "stopped")
        self._write()


def _send(watched: Watched, number: signal.Signals) -> None:
    if watched.record.identity is not None:
        watched.record.identity.send(number)


def how_it_ended(code: int) -> str:
    """Words for an exit code as `subprocess` gives it."""
    if code < 0:
        try:
            return f"signal {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


def bound_log(log: Path, largest: int = LARGEST_LOG) -> None:
    """Keep a log and one older copy. Writers append, so cutting the file under them is safe."""
    try:
        if log.stat().st_size <= largest:
            return
        shutil.copyfile(log, log.with_suffix(".log.1"))
        os.truncate(log, 0)
    except FileNotFoundError:
        return
