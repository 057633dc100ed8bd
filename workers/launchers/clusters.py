"""Slurm and SkyPilot behind the launcher's protocol: what they are asked, in files and commands that people can read.

A cluster's job is known by the id or name that its tool gave it. The run directory must lie on a disk that the
cluster's machines see under the same path: the STOP file, checkpoints and metrics travel through it. Nothing is done
with a tool that is not installed here; the plan still shows what would have been.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self

from workers.launchers.base import Command, LaunchError, Stopped

LauncherName = Literal["local", "slurm", "skypilot"]
NAMES: Final[tuple[LauncherName, ...]] = ("local", "slurm", "skypilot")
TIMEOUT: Final = 120.0
"""Seconds that a cluster's tool may take to answer."""
_POLL_SECONDS: Final = 5.0
_OVER: Final = ("SUCCEEDED", "FAILED", "CANCELLED", "COMPLETED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL")


@dataclass(frozen=True)
class Place:
    """Where a run works. `resources`: the partition (Slurm) or the accelerators of a node, as H100:8 (SkyPilot)."""

    launcher: LauncherName = "local"
    resources: str = ""

    def to_json(self) -> dict[str, str]:
        """Nothing for this machine, so that what was launched before clusters were known reads the same."""
        if self.launcher == "local":
            return {}
        return {"launcher": self.launcher, **({"resources": self.resources} if self.resources else {})}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read it back. Raises ValueError for a launcher that does not exist."""
        name = str(value.get("launcher", "local"))
        if name not in NAMES:
            raise ValueError(f"there is no launcher {name}: choose one of {', '.join(NAMES)}")
        return cls(name, str(value.get("resources", "")))


@dataclass(frozen=True)
class Shape:
    """How much a run asks for: its name, machines, processes (one per GPU) and hours (None = no limit)."""

    name: str
    nodes: int = 1
    processes: int = 1
    gpus: bool = True
    hours: float | None = None

    @property
    def per_node(self) -> int:
        """Processes on each machine."""
        return self.processes // self.nodes


@dataclass(frozen=True)
class Plan:
    """What a cluster is given: the tool, a file with its text, the command that submits it, and accelerate's words
    for finding the other machines.
    """

    program: str
    file: Path
    text: str
    submit: tuple[str, ...]

    @property
    def available(self) -> bool:
        """Is the tool on this machine?"""
        return shutil.which(self.program) is not None

    @property
    def command(self) -> str:
        """The submitting command as one line for a terminal."""
        return shlex.join(self.submit)


RENDEZVOUS: Final[Mapping[LauncherName, str]] = {
    "local": "",
    "slurm": '--machine_rank "$SLURM_NODEID" --main_process_ip "$HEAD" --main_process_port 29500',
    "skypilot": '--machine_rank "$SKYPILOT_NODE_RANK" --main_process_ip "$HEAD" --main_process_port 29500',
}
"""Arguments of `accelerate launch` that only the cluster can fill in, for runs on several machines."""


def slurm_plan(command: Command, shape: Shape, place: Place) -> Plan:
    """A batch script for `sbatch`; a signal reaches the trainer two minutes before the limit, so that it can save."""
    head = {
        "job-name": shape.name,
        "nodes": str(shape.nodes),
        "ntasks-per-node": "1",
        **({"gpus-per-node": str(shape.per_node)} if shape.gpus else {}),
        **({"partition": place.resources} if place.resources else {}),
        **({"time": str(max(1, round(shape.hours * 60)))} if shape.hours else {}),
        "output": str(command.log),
        "open-mode": "append",
        "chdir": str(command.directory),
        "signal": "TERM@120",
    }
    lines = ["#!/bin/bash", *(f"#SBATCH --{name}={value}" for name, value in head.items())]
    lines += _exports(command.environment)
    if shape.nodes > 1:
        lines.append('export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)')
    lines.append(f"exec srun {_inner(command.arguments, shape)}")
    file = command.log.with_name("job.sbatch")
    return Plan("sbatch", file, "\n".join(lines) + "\n", ("sbatch", "--parsable", str(file)))


def skypilot_plan(command: Command, shape: Shape, place: Place) -> Plan:
    """A task for `sky jobs launch`, which recovers it on another machine when one is lost."""
    accelerators = place.resources or f"H100:{shape.per_node}"
    lines = [f"name: {shape.name}", f"num_nodes: {shape.nodes}"]
    if shape.gpus:
        lines += ["resources:", f"  accelerators: {accelerators}"]
    lines.append("run: |")
    lines += [f"  {line}" for line in _exports(command.environment)]
    if shape.nodes > 1:
        lines.append('  export HEAD=$(echo "$SKYPILOT_NODE_IPS" | head -n 1)')
    lines += [f"  cd {shlex.quote(str(command.directory))}"]
    lines.append(f"  {_inner(command.arguments, shape)} 2>&1 | tee -a {shlex.quote(str(command.log))}")
    file = command.log.with_name("job.sky.yaml")
    submit = ("sky", "jobs", "launch", "--yes", "--detach-run", "--name", shape.name, str(file))
    return Plan("sky", file, "\n".join(lines) + "\n", submit)


def plan(command: Command, shape: Shape, place: Place) -> Plan | None:
    """What the place is given; None for this machine."""
    if place.launcher == "local":
        return None
    return (slurm_plan if place.launcher == "slurm" else skypilot_plan)(command, shape, place)


def _exports(environment: Mapping[str, str]) -> list[str]:
    return [f"export {name}={shlex.quote(value)}" for name, value in sorted(environment.items())]


def _inner(arguments: Sequence[str], shape: Shape) -> str:
    """The command for a shell; `$HEAD` and the node's number stay for the shell on the node to fill in."""
    words = [word if word.startswith('"$') else shlex.quote(word) for word in arguments]
    line = " ".join(words)
    return f"bash -c {shlex.quote(line)}" if shape.nodes > 1 else line


class ClusterLauncher:
    """Submits, watches and stops jobs with the tools of a cluster. The two kinds differ in their words only."""

    def __init__(
        self,
        name: LauncherName,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        poll: float = _POLL_SECONDS,
    ) -> None:
        self.name = name
        self._clock, self._sleep, self._poll = clock, sleep, poll

    def submit(self, planned: Plan) -> str:
        """The job's id. Raises LaunchError("launch:no-tool" | "launch:failed")."""
        if not planned.available:
            raise LaunchError("launch:no-tool", f"{planned.program} is not installed on this machine.")
        planned.file.parent.mkdir(parents=True, exist_ok=True)
        planned.file.write_text(planned.text)
        done = self._ask(planned.submit)
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip())[-1000:]
            raise LaunchError("launch:failed", f"{planned.program} refused the job: {words}")
        if self.name == "skypilot":
            return planned.submit[planned.submit.index("--name") + 1]
        return done.stdout.strip().partition(";")[0]

    def is_alive(self, job: str) -> bool:
        """Does the cluster still have it, queued or at work? A tool that does not answer counts as yes: only the
        cluster can tell that a job is over.
        """
        words = ["squeue", "--noheader", "--jobs", job, "--format", "%T"]
        if self.name == "skypilot":
            words = ["sky", "jobs", "queue", "--refresh"]
        try:
            done = self._ask(words)
        except LaunchError:
            return True
        if self.name == "slurm":  # an id that Slurm has forgotten is an error, and a job that is over
            states = done.stdout.split() if done.returncode == 0 else []
            return any(state not in _OVER for state in states)
        rows = [line.split() for line in done.stdout.splitlines() if job in line.split()]
        return done.returncode != 0 or any(not set(row) & {*_OVER, "FAILED_SETUP"} for row in rows)

    def stop(self, job: str, *, stop_file: Path | None, patience: Sequence[float]) -> Stopped:
        """Ask by file, then tell the tool to end the job; a cluster sends SIGTERM first and kills by its own rules."""
        if not self.is_alive(job):
            return Stopped("already gone", True)
        if stop_file is not None:
            stop_file.parent.mkdir(parents=True, exist_ok=True)
            stop_file.touch()
            if self._gone(job, patience[0]):
                return Stopped("STOP", True)
        words = (
            ["scancel", "--full", job] if self.name == "slurm" else ["sky", "jobs", "cancel", "--yes", "--name", job]
        )
        self._ask(words)
        return Stopped(words[0], self._gone(job, patience[1] + patience[2]))

    def _gone(self, job: str, seconds: float) -> bool:
        end = self._clock() + seconds
        while self.is_alive(job):
            if self._clock() >= end:
                return False
            self._sleep(self._poll)
        return True

    def _ask(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                list(words), capture_output=True, text=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LaunchError("launch:failed", f"{words[0]}: {error}") from error
