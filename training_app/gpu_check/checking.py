"""The check itself: the marked tests, then short SFT and GRPO, each part with a bound of its own and all within ten
minutes. A part that finds no time or nothing to start from could not tell; it does not fail.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal
from xml.etree import ElementTree

from training_app.engine.config import GRPOConfig, SFTConfig, TrainerConfig, grpo_preset, sft_preset
from training_app.engine.rundir import RunDirectory
from training_app.gpu_check import figures
from training_app.gpu_check.probe import Machine
from training_app.gpu_check.report import Part, Report, Verdict
from training_app.gpu_check.world import EPISODES, World, write_world
from training_app.trainers.install import ROOT

BOUNDS: Final[Mapping[str, float]] = {"model": 60, "tests": 120, "sft": 90, "grpo": 80, "grpo-vllm": 200}
TOTAL: Final = 570.0
"""Seconds for everything; a part never gets more than what is left of them."""
TASKS: Final = 64
STACK: Final = "tests/training/stack"
_NO_TESTS = 5
_NO_VLLM = (
    "vLLM is not installed in the training environment: run `.venv/bin/python -m training_app.trainers.install --vllm`"
)


@dataclass(frozen=True)
class Setting:
    """How the parts run. `commands` replaces programs by part (for tests); `size` is the model's, as `tiny --size`."""

    device: Literal["cuda", "cpu"] = "cuda"
    size: str = "small"
    tasks: int = TASKS
    steps: Mapping[str, int] = field(default_factory=lambda: {"sft": 40, "grpo": 4, "grpo-vllm": 8})
    bounds: Mapping[str, float] = field(default_factory=lambda: dict(BOUNDS))
    total: float = TOTAL
    commands: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Ended:
    """How a process ended: exit status (None where its time was up) and its seconds."""

    code: int | None
    seconds: float
    bound: float


class Check:
    """One run of the check in `directory`; `tell` hears of each part when it is over."""

    def __init__(
        self, machine: Machine, directory: Path, setting: Setting, tell: Callable[[Part], None] = lambda _: None
    ) -> None:
        self._machine, self._directory, self._setting, self._tell = machine, directory, setting, tell
        self._began = time.monotonic()
        self._parts: list[Part] = []

    def run(self) -> Report:
        """All parts; a machine with a problem runs none."""
        if not self._machine.problem:
            self._add(self._tests())
            self._train()
        seconds = time.monotonic() - self._began
        return Report(self._machine, tuple(self._parts), seconds, str(self._directory))

    def _train(self) -> None:
        world = write_world(self._directory / "data", self._setting.tasks)
        model = self._directory / "start"
        self._add(self._model(world, model))
        self._add(self._training("sft", model, world))
        start = self._directory / "sft" / "model"
        self._add(self._training("grpo", start, world))
        if self._machine.has_vllm:
            self._add(self._training("grpo-vllm", start, world))
        else:
            self._add(Part("grpo-vllm", "could not tell", _NO_VLLM))

    def _add(self, part: Part) -> None:
        self._parts.append(part)
        self._tell(part)

    def _tests(self) -> Part:
        found = self._directory / "tests.xml"
        command = [
            self._machine.python, "-m", "pytest", "-c", f"{STACK}/pytest.ini", "-m", "gpu", "-p", "no:randomly",
            f"--junitxml={found}", STACK,
        ]  # fmt: skip
        return judged_tests(self._start("tests", command), found)

    def _model(self, world: World, out: Path) -> Part:
        command = [
            self._machine.python, "-m", "training_app.trainers.tiny", "--data", str(world.records), "--out", str(out),
            "--size", self._setting.size,
        ]  # fmt: skip
        ended = self._start("model", command)
        if ended.code is None:
            return self._part("model", ended, "could not tell", f"not finished within {ended.bound:.0f} s")
        return self._part("model", ended, *(("fail", self._last("model")) if ended.code else ("pass", "")))

    def _training(self, name: str, start: Path, world: World) -> Part:
        if not start.is_dir():
            return Part(name, "could not tell", "there are no weights to start from: an earlier part did not end well")
        kind = name.partition("-")[0]
        run = RunDirectory(self._directory / name)
        run.create()
        run.config.write_text(self.config(name, start, world).to_json())
        module = f"training_app.trainers.{kind}"
        ended = self._start(name, [self._machine.python, "-m", module], ["--run-dir", str(run.root)])
        status = run.read_json("status.json") or {}
        verdict, reason = self._judge(run, kind, ended, status, name)
        return self._part(name, ended, verdict, reason, figures.of(run, kind, status))

    def _judge(
        self, run: RunDirectory, kind: str, ended: _Ended, status: Mapping[str, Any], name: str
    ) -> tuple[Verdict, str]:
        if ended.code is None:
            beat = run.heartbeat() or {"step": 0}
            return "could not tell", f"not finished within {ended.bound:.0f} s; it was at step {beat['step']}"
        if status.get("state") != "succeeded":
            return "fail", str(status.get("message") or self._last(name))
        wrong = figures.problem(run, kind)
        return ("fail", wrong) if wrong else ("pass", "")

    def config(self, name: str, start: Path, world: World) -> TrainerConfig:
        """The short run of a part."""
        common: dict[str, Any] = {"model": str(start), "seed": 1, "save_every": 1000, "device": self._setting.device}
        common |= {"precision": "float32"} if self._setting.device == "cpu" else {}
        if name == "sft":
            return self._sft(common, world)
        return self._grpo(common, world, name)

    def _sft(self, common: Mapping[str, Any], world: World) -> SFTConfig:
        return sft_preset(
            "paper",
            **common,
            dataset=str(world.records),
            learning_rate=1e-3,
            warmup_steps=5,
            epochs=1000,
            max_steps=self._setting.steps["sft"],
            global_batch=16,
            micro_batch=16,
            max_length=4096,
        )

    def _grpo(self, common: Mapping[str, Any], world: World, name: str) -> GRPOConfig:
        return grpo_preset(
            "paper",
            **common,
            dataset=str(world.prompts),
            reference=str(world.records),
            episodes=EPISODES,
            episode_arguments={"tasks": str(world.tasks), "mode": "direct"},
            system_prompt=world.system_prompt,
            steps=self._setting.steps[name],
            group_size=8,
            groups_per_step=4,
            micro_batch=16,
            max_turns=6,
            max_turn_tokens=96,
            max_completion_length=2048,
            vllm="colocate" if name == "grpo-vllm" else "off",
        )

    def _start(self, name: str, command: Sequence[str], more: Sequence[str] = ()) -> _Ended:
        """Run a program of a part, ended with its whole group when its time is up; its output goes to a log."""
        left = self._setting.total - (time.monotonic() - self._began)
        bound = max(0.0, min(float(self._setting.bounds[name]), left))
        began = time.monotonic()
        arguments = [*self._setting.commands.get(name, command), *more]
        with (self._directory / f"{name}.log").open("ab") as log:
            code = run_bounded(arguments, log, bound)
        return _Ended(code, time.monotonic() - began, bound)

    def _last(self, name: str) -> str:
        """The last line of a part's output."""
        text = (self._directory / f"{name}.log").read_text(errors="replace").strip()
        return text.splitlines()[-1][:300] if text else "it ended without a word"

    def _part(
        self, name: str, ended: _Ended, verdict: Verdict, reason: str, found: Mapping[str, Any] | None = None
    ) -> Part:
        return Part(name, verdict, reason, round(ended.seconds, 1), ended.bound, dict(found or {}))


def run_bounded(arguments: Sequence[str], log: Any, bound: float) -> int | None:
    """The exit status; None where the program was ended because `bound` seconds were over. No process is left."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        list(arguments), cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        return process.wait(timeout=bound)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def judged_tests(ended: _Ended, found: Path) -> Part:
    """The verdict of the marked tests from their report."""
    seconds = round(ended.seconds, 1)
    if ended.code is None:
        words = f"not finished within {ended.bound:.0f} s"
        return Part("tests", "could not tell", words, seconds, ended.bound)
    if ended.code == _NO_TESTS:
        return Part("tests", "could not tell", "there are no tests marked gpu", seconds, ended.bound)
    if not found.exists():
        words = f"pytest ended with status {ended.code} and left no report; see tests.log"
        return Part("tests", "fail", words, seconds, ended.bound)
    cases = list(ElementTree.parse(found).getroot().iter("testcase"))  # noqa: S314 - written by our own pytest
    wrong = [
        str(case.get("name")) for case in cases if case.find("failure") is not None or case.find("error") is not None
    ]
    skipped = [skip.get("message") or "skipped" for case in cases if (skip := case.find("skipped")) is not None]
    counts = {"passed": len(cases) - len(wrong) - len(skipped), "failed": len(wrong), "skipped": len(skipped)}
    if wrong or ended.code:
        return Part("tests", "fail", ", ".join(wrong) or f"status {ended.code}", seconds, ended.bound, counts)
    if skipped:
        return Part("tests", "could not tell", f"skipped: {skipped[0]}", seconds, ended.bound, counts)
    return Part("tests", "pass", "", seconds, ended.bound, counts)
