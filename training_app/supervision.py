"""Watching a process that works in a run directory: start or find it again, read its files, stop it, say how it ended.

The process outlives the worker that started it. A worker that takes the run up again finds it by its stored identity
and reads on where the last one stopped.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from training_app import journal, placing
from training_app.engine.errors import TrainingError
from training_app.engine.rundir import RunDirectory
from training_app.models import Evaluation, TrainingRun
from training_app.placing import Running
from webapp.common.runs import Cancelled, RunContext, RunFailed
from workers.launchers.base import Command, LaunchError
from workers.launchers.clusters import Place, Shape
from workers.launchers.memory import oom_kills

ROOT: Final = Path(__file__).resolve().parents[1]
PATIENCE: Final = {"keep": 600.0, "term": 40.0, "kill": 10.0}
"""Seconds from a stop request to SIGTERM, from SIGTERM to SIGKILL, and until nothing is left. The last two together
stay below the minute after which a worker that ignores "stop now" is itself ended.
"""
POLL_SECONDS: Final = 0.5
LAST_LINES: Final = 20
NO_ROOM: Final = 1 << 20
"""Bytes: a process that ended without a word where less is free could not write one."""
_OWN_FAULT: Final = frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE})
_KEPT_VARIABLES: Final = (
    "PATH", "HOME", "LANG", "LC_", "TMPDIR", "TZ", "USER", "LD_LIBRARY_PATH", "PYTHON", "PIP_", "UV_", "SSL_CERT",
    "REQUESTS_CA", "HF_", "TRANSFORMERS_", "CUDA_", "NVIDIA_", "NCCL_", "OMP_", "MKL_", "TORCH_",
    "WORKBENCH_TRAIN_VENV", "WORKBENCH_SANDBOX", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy",
    "https_proxy", "no_proxy",
)  # fmt: skip
_NOT_PASSED: Final = ("PYTHONPATH", "PYTHONHOME")

Subject = TrainingRun | Evaluation


def base_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """What a trainer may see of our environment: no keys, no passwords, no database."""
    kept = {name: text for name, text in variables.items() if name.startswith(_KEPT_VARIABLES)}
    for name in _NOT_PASSED:
        kept.pop(name, None)
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@dataclass(frozen=True)
class Watch:
    """What one supervision needs: where, what to run, and the limit in seconds (None = none)."""

    directory: RunDirectory
    arguments: Sequence[str]
    limit_seconds: float | None = None
    on_poll: Callable[[], None] = lambda: None
    place: Place = field(default_factory=Place)
    shape: Shape = field(default_factory=lambda: Shape("workbench"))


def supervise(context: RunContext, subject: Subject, watch: Watch) -> dict[str, Any]:
    """Run the process to its end; its `status.json`.

    Raises Cancelled (with what was kept) when it was stopped as asked or by its limit, RunFailed with cause and last
    lines otherwise. When this returns or raises anything but LostLease, nothing of the process group is left.
    """
    running = _attach(context, subject, watch) or _start(context, subject, watch)
    kills = (subject.process or {}).get("oom_kills")
    stopping = _Stop(context, watch, running)
    try:
        while running.is_alive():
            journal.read_files(context, subject, watch.directory)
            watch.on_poll()
            stopping.look()
            time.sleep(float(getattr(settings, "WORKBENCH_TRAINER_POLL", POLL_SECONDS)))
    except KeyboardInterrupt:  # a command at a terminal: its process must not go on unseen
        running.stop(stop_file=None, patience=(0, PATIENCE["term"], PATIENCE["kill"]))
        raise
    journal.read_files(context, subject, watch.directory)
    watch.on_poll()
    _forget(subject)
    return _outcome(context, watch.directory, stopping, lambda: _wordless(watch.directory, running, kills))


def stop_for_good(subject: Subject) -> bool:
    """End whatever is left of a subject's processes; True when nothing runs any more."""
    if subject.process is None:
        return True
    running = placing.find(subject.process)
    gone = running.stop(stop_file=None, patience=(0, PATIENCE["term"], PATIENCE["kill"])).gone
    if gone:
        _forget(subject)
    return gone


def _attach(context: RunContext, subject: Subject, watch: Watch) -> Running | None:
    """The process of an earlier attempt, if it still runs, or ended well while nobody watched."""
    if subject.process is None:
        return None
    running = placing.find(subject.process)
    if running.is_alive():
        context.log(f"The earlier attempt still runs ({running.words}); watching it.")
        return running
    # A start removes the status of what was before, so this one was written by the process that is stored.
    if _status(watch.directory).get("state") == "succeeded":
        return running
    _forget(subject)
    return None


def _start(context: RunContext, subject: Subject, watch: Watch) -> Running:
    run = watch.directory
    run.clear_stop()
    (run.root / "status.json").unlink(missing_ok=True)
    arguments = [*watch.arguments, "--run-dir", str(run.root)]
    passed = base_environment(os.environ) if watch.place.launcher == "local" else {"PYTHONPATH": str(ROOT)}
    command = Command(arguments, ROOT, run.root / "process.log", {} if watch.place.launcher == "local" else passed)
    try:
        running = placing.start(command, watch.shape, watch.place, passed)
    except LaunchError as error:
        raise RunFailed(error.kind, error.message) from error
    subject.process = {**running.to_json(), "oom_kills": oom_kills()}
    subject.save(update_fields=["process"])
    context.log(f"Started {running.words}.", command=" ".join(watch.arguments))
    return running


def _forget(subject: Subject) -> None:
    subject.process = None
    subject.save(update_fields=["process"])


class _Stop:
    """Carries out a stop in steps: the STOP file, then SIGTERM and SIGKILL."""

    def __init__(self, context: RunContext, watch: Watch, running: Running) -> None:
        self.context, self.watch, self.running = context, watch, running
        self.began = time.monotonic()
        self.asked_at: float | None = None
        self.mode = ""
        self.reason = ""

    def look(self) -> None:
        """Heartbeat, and whatever the user or the limit asks for. Raises LostLease when fenced out."""
        mode = self.context.cancel_requested()
        if not mode and self.watch.limit_seconds and time.monotonic() - self.began > self.watch.limit_seconds:
            mode, self.reason = "keep", "the limit of time was reached"
        if mode == "keep" and self.asked_at is None:
            self.mode, self.asked_at = "keep", time.monotonic()
            self.watch.directory.request_stop(self.reason or "stopped by a user")
            self.context.log("Asked the process to stop after this step.", reason=self.reason)
        waited = time.monotonic() - self.asked_at if self.asked_at is not None else 0.0
        if mode == "now" or waited > PATIENCE["keep"]:
            self.mode = mode or self.mode
            stopped = self.running.stop(stop_file=None, patience=(0, PATIENCE["term"], PATIENCE["kill"]))
            self.context.log(f"The process ended by {stopped.by}.", level="warning")


def _outcome(
    context: RunContext, run: RunDirectory, stopping: _Stop, wordless: Callable[[], RunFailed]
) -> dict[str, Any]:
    status = _status(run)
    state = status.get("state", "killed")
    kept = {"state": state, "step": status.get("step"), "checkpoints": list(run.checkpoint_steps())}
    if status.get("state") == "succeeded":
        return {**status, "checkpoints": kept["checkpoints"]}
    if stopping.mode and kept["state"] in ("stopped", "interrupted", "killed"):
        raise Cancelled(stopping.mode, {**kept, "reason": stopping.reason or "stopped by a user"})
    if status.get("state") == "interrupted":
        raise RunFailed("run:interrupted", f"The process was told to end (SIGTERM): {status.get('message')}.")
    if status.get("state") == "stopped":
        raise RunFailed("run:stopped", f"The run stopped itself: {status.get('message')}.")
    if lines := last_lines(run.root / "process.log"):
        context.log(f"The last lines of its output:\n{lines}", level="error")
    if status:
        raise RunFailed(str(status.get("kind") or "run:failed"), str(status.get("message")))
    raise wordless()


def _wordless(run: RunDirectory, running: Running, kills: int | None) -> RunFailed:
    """What is known of a process that left no status; `kills` is what `oom_kills` was when it began, if that is known.

    Nothing is called what it is not known to be: most of all, a kill is no lack of memory.
    """
    status = running.exit_status()
    if shutil.disk_usage(run.root).free < NO_ROOM:
        return RunFailed("disk:full", f"The disk of {run.root} is full, and the process ended without a word.")
    if kills is not None and oom_kills() > kills:
        return RunFailed(
            "run:memory",
            "The process ended without a word, and meanwhile the system ended a process for want of memory.",
        )
    if status is None:
        words = "The process ended without a word; how it ended was only told to the worker or node that started it."
        return RunFailed("run:killed", words)
    if status >= 0:
        return RunFailed("run:crashed", f"The process ended with exit status {status} before it could say why.")
    name = signal.Signals(-status).name
    if -status in _OWN_FAULT:
        return RunFailed("run:crashed", f"The process crashed ({name}) and could not say why.")
    return RunFailed("run:killed", f"The process was ended from outside by {name}, without a word.")


def _status(run: RunDirectory) -> dict[str, Any]:
    try:
        return run.read_json("status.json") or {}
    except TrainingError as error:
        return {"state": "failed", "kind": error.kind, "message": error.message}


def last_lines(path: Path, count: int = LAST_LINES, reach: int = 16_000) -> str:
    """The last lines of a log, without reading all of it; "" if there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - reach))
            return "\n".join(file.read().decode(errors="replace").splitlines()[-count:])
    except OSError:
        return ""


def reap() -> int:
    """Stop processes whose run has ended, such as one whose worker died while it was cancelled; how many."""
    ended = ("succeeded", "failed", "cancelled", "interrupted")
    stopped = 0
    for model in (TrainingRun, Evaluation):
        for subject in model.objects.filter(process__isnull=False, run__state__in=ended):
            # What is not seen from here may run on another machine: its row stays for the worker there.
            if placing.find(subject.process or {}).is_alive():
                stopped += stop_for_good(subject)
    return stopped
