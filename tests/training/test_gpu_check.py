"""`./workbench gpu-check` up to the device: probe, parts, verdicts, exit codes. Stand-ins take the trainers' place."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from training_app.engine.metrics import LineWriter
from training_app.engine.rundir import RunDirectory
from training_app.gpu_check import figures, probe
from training_app.gpu_check.checking import Check, Setting, judged_tests, run_bounded
from training_app.gpu_check.probe import Machine
from training_app.gpu_check.report import Part, Report
from training_app.trainers.install import ROOT, environment_path, is_ready, python_path

STAND_IN = Path(__file__).parents[1] / "apps" / "stand_in_trainer.py"
GPU = Machine(sys.executable, "", "Test GPU", 80.0, "13.0", {"torch": "2.13.0", "vllm": "0.31.0"})
JUNIT = "<testsuites><testsuite>{}</testsuite></testsuites>"


def python(text):
    return [sys.executable, "-c", text]


def says_passed(directory, cases='<testcase name="a"/>'):
    return python(f"open({str(directory / 'tests.xml')!r}, 'w').write({JUNIT.format(cases)!r})")


def stand_ins(directory, **changes):
    """Programs that end well; `changes` replaces some."""
    trainer = [sys.executable, str(STAND_IN), "--steps", "6"]
    start = directory / "start"
    commands = {
        "tests": says_passed(directory),
        "model": python(f"import pathlib; pathlib.Path({str(start)!r}).mkdir()"),
        "sft": trainer,
        "grpo": trainer,
        "grpo-vllm": trainer,
    }
    return commands | changes


def check(directory, machine=GPU, bounds=None, total=570.0, **changes):
    heard = []
    setting = Setting(tasks=2, commands=stand_ins(directory, **changes), total=total)
    setting = Setting(tasks=2, commands=setting.commands, total=total, bounds={**setting.bounds, **(bounds or {})})
    report = Check(machine, directory, setting, heard.append).run()
    assert tuple(heard) == report.parts
    return report, {part.name: part for part in report.parts}


def test_everything_passes_with_figures(tmp_path):
    report, parts = check(tmp_path)
    assert {part.verdict for part in report.parts} == {"pass"}, report
    assert list(parts) == ["tests", "model", "sft", "grpo", "grpo-vllm"]
    assert report.code == 0
    assert parts["sft"].figures["steps"] == 6
    assert parts["sft"].figures["loss_first"] == 1.0
    assert parts["sft"].figures["loss_last"] == pytest.approx((1 / 4 + 1 / 5 + 1 / 6) / 3)
    assert parts["grpo"].figures["reward"] == 0.5
    written = json.loads(json.dumps(report.to_json()))
    assert written["machine"]["device"] == "Test GPU"
    words = "\n".join(report.lines())
    assert "Test GPU, 80 GiB, CUDA 13.0" in words
    assert "All 5 parts passed" in words


def test_the_configurations_are_those_of_the_trainers(tmp_path):
    check(tmp_path)
    sft, grpo, vllm = (RunDirectory(tmp_path / name).read_json("config.json") for name in ("sft", "grpo", "grpo-vllm"))
    assert (sft["device"], sft["precision"]) == ("cuda", "bfloat16")
    assert (grpo["vllm"], vllm["vllm"]) == ("off", "colocate")
    assert grpo["model"] == str(tmp_path / "sft" / "model")
    assert len((tmp_path / "data" / "records.jsonl").read_text().splitlines()) == 2


def test_a_trainer_that_crashes_fails_and_leaves_the_next_parts_without_a_start(tmp_path):
    crash = [sys.executable, str(STAND_IN), "--behaviour", "crash"]
    report, parts = check(tmp_path, sft=crash)
    assert (parts["sft"].verdict, parts["sft"].reason) == ("fail", "RuntimeError: wrong shape")
    assert parts["grpo"].verdict == parts["grpo-vllm"].verdict == "could not tell"
    assert "no weights to start from" in parts["grpo"].reason
    assert report.code == 1
    assert "Not passed: sft, grpo, grpo-vllm" in report.conclusion


def test_a_killed_trainer_is_told_by_its_last_line(tmp_path):
    killed = [sys.executable, str(STAND_IN), "--behaviour", "killed"]
    _, parts = check(tmp_path, grpo=killed)
    assert parts["grpo"].verdict == "fail"
    assert "wrong shape" in parts["grpo"].reason


def test_a_part_that_takes_too_long_could_not_tell_and_leaves_no_process(tmp_path):
    slow = [sys.executable, str(STAND_IN), "--seconds", "1", "--steps", "600", "--child"]
    report, parts = check(tmp_path, bounds={"grpo": 3.0}, grpo=slow)
    assert parts["grpo"].verdict == "could not tell"
    assert parts["grpo"].reason.startswith("not finished within 3 s; it was at step ")
    assert parts["grpo"].seconds < 8
    child = int((tmp_path / "grpo" / "child.pid").read_text())
    wait_until_gone(child)
    assert report.code == 4


def wait_until_gone(pid):
    for _ in range(100):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} still runs")


def test_no_part_gets_more_than_what_is_left_of_the_whole(tmp_path):
    waiting = python("import time; time.sleep(60)")
    began = time.monotonic()
    report, parts = check(tmp_path, total=2.0, tests=waiting)
    assert time.monotonic() - began < 30
    assert parts["tests"].reason == "not finished within 2 s"
    assert {part.verdict for part in report.parts} == {"could not tell"}


def test_without_vllm_its_part_says_what_to_install(tmp_path):
    plain = Machine(sys.executable, "", "Test GPU", 80.0, "13.0", {"torch": "2.13.0"})
    report, parts = check(tmp_path, machine=plain)
    assert parts["grpo-vllm"].verdict == "could not tell"
    assert "install --vllm" in parts["grpo-vllm"].reason
    assert report.code == 4


def test_a_machine_with_a_problem_runs_nothing(tmp_path):
    report, parts = check(tmp_path, machine=Machine("python", "No GPU is usable here. Do this."))
    assert (report.code, report.conclusion, parts) == (3, "No GPU is usable here. Do this.", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("cases", "code", "verdict", "reason"),
    [
        ('<testcase name="a"/><testcase name="b"/>', 0, "pass", ""),
        ('<testcase name="a"/><testcase name="b"><failure/></testcase>', 1, "fail", "b"),
        ('<testcase name="a"><error/></testcase>', 1, "fail", "a"),
        ('<testcase name="a"><skipped message="no vLLM"/></testcase>', 0, "could not tell", "skipped: no vLLM"),
        ("", 5, "could not tell", "there are no tests marked gpu"),
        (None, 2, "fail", "pytest ended with status 2 and left no report; see tests.log"),
    ],
)
def test_verdicts_of_the_marked_tests(tmp_path, cases, code, verdict, reason):
    from training_app.gpu_check.checking import _Ended

    found = tmp_path / "tests.xml"
    if cases is not None:
        found.write_text(JUNIT.format(cases))
    part = judged_tests(_Ended(code, 1.0, 9.0), found)
    assert (part.verdict, part.reason) == (verdict, reason)


def lines(directory, *records):
    run = RunDirectory(directory)
    run.create()
    clock = iter(range(100))
    writer = LineWriter(run.metrics, lambda: float(next(clock)))
    for kind, step, values in records:
        writer.write(kind, step, values)
    return run


@pytest.mark.parametrize(
    ("kind", "records", "words"),
    [
        ("sft", [], "it logged no step"),
        (
            "sft",
            [("train", 1, {"loss": 2.0}), ("train", 2, {"loss": float("nan")})],
            "the loss of step 2 is not finite",
        ),
        ("sft", [("train", n, {"loss": 2.0}) for n in range(1, 5)], "the loss did not fall: 2 at first, 2 at last"),
        ("grpo", [("train", 1, {"loss": 0.0})], "it stored no rollouts"),
        ("grpo", [("train", 1, {"loss": 0.0}), ("rollouts", 1, {"reward": 1.5})], "reward of step 1 is outside"),
        (
            "grpo",
            [("train", 1, {"loss": 0.0, "sampler_gap": 0.4}), ("rollouts", 1, {"reward": 0.5})],
            "sampler and trainer differ by 0.4",
        ),
        ("grpo", [("train", 1, {"loss": 0.0, "sampler_gap": 0.01}), ("rollouts", 1, {"reward": 0.5})], ""),
    ],
)
def test_what_speaks_against_a_finished_run(tmp_path, kind, records, words):
    found = figures.problem(lines(tmp_path, *records), kind)
    assert words in found
    assert bool(words) == bool(found)


def test_tokens_per_second_are_exact(tmp_path):
    run = lines(tmp_path / "sft", *(("train", n, {"loss": 1 / n, "num_tokens": 100.0 * n}) for n in range(1, 6)))
    assert figures.of(run, "sft", {"peak_gib": 1.5}) | {"loss_last": 0} == {
        "steps": 5, "loss_first": 1.0, "loss_last": 0, "tokens_per_second": 100.0, "peak_gib": 1.5,
    }  # fmt: skip
    played = {"reward": 0.5, "success_rate": 0.25, "rubric_score": 0.5, "sampled_tokens": 30, "observation_tokens": 10}
    records = [(kind, n, played | {"loss": 0.0}) for n in range(1, 4) for kind in ("rollouts", "train")]
    found = figures.of(lines(tmp_path / "grpo", *records), "grpo", {})
    assert found["tokens_per_second"] == 20.0  # 80 tokens in the four seconds after the first step
    assert (found["reward"], found["success_rate"]) == (0.5, 0.25)


# The probe -----------------------------------------------------------------------------------------------------


def test_without_a_training_environment_the_sentence_says_how_to_make_it(tmp_path):
    machine = probe.probe({"WORKBENCH_TRAIN_VENV": str(tmp_path / "none")})
    assert "install --vllm" in machine.problem


def interpreter(path, text):
    """A stand-in for the interpreter of the training environment."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "echo 'ImportError: libcuda.so.1' >&2; exit 1",
            "torch does not load in the training environment: ImportError",
        ),
        (
            """echo '{"versions": {"torch": "2"}, "device": {}, "built_for": "13.0"}'""",
            "built for CUDA 13.0 but finds no GPU",
        ),
        ("""echo '{"versions": {}, "device": {}, "built_for": ""}'""", "is built for CPUs"),
    ],
)
def test_problems_of_a_machine_in_words(tmp_path, text, words):
    assert words in probe.ask(interpreter(tmp_path / "python", text)).problem


def test_a_gpu_is_named_with_its_memory(tmp_path):
    said = (
        '{"versions": {"vllm": "0.31.0"}, "device": {"name": "H", "gib": 139.0, "cuda": "13.0"}, "built_for": "13.0"}'
    )
    machine = probe.ask(interpreter(tmp_path / "python", f"echo '{said}'"))
    assert (machine.problem, machine.device, machine.gib, machine.has_vllm) == ("", "H", 139.0, True)


def test_a_stuck_driver_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(probe, "SECONDS", 0.3)
    assert "did not load within" in probe.ask(interpreter(tmp_path / "python", "exec sleep 30")).problem


def test_a_program_inside_its_bound_gives_its_status(tmp_path):
    with (tmp_path / "log").open("ab") as log:
        assert run_bounded(python("raise SystemExit(7)"), log, 30.0) == 7


def test_the_verb_ends_with_a_sentence_and_a_code_of_its_own(tmp_path):
    command = [str(ROOT / "workbench"), "gpu-check"]
    variables = {**os.environ, "WORKBENCH_TRAIN_VENV": str(tmp_path / "none")}
    done = subprocess.run([*command, "--json"], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["code"] == 3
    assert "install --vllm" in done.stderr


def test_codes():
    def code(*verdicts):
        return Report(GPU, tuple(Part(str(n), verdict) for n, verdict in enumerate(verdicts))).code

    assert (code("pass"), code("pass", "fail", "could not tell"), code("pass", "could not tell")) == (0, 1, 4)


@pytest.mark.train
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_parts_run_with_the_real_trainers_on_a_cpu(tmp_path):
    """All but the device and vLLM: real tests (which skip), model, SFT and GRPO."""
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    machine = Machine(str(python_path(os.environ)), "", "none", 0.0, "", {})
    setting = Setting(
        device="cpu", size="tiny", tasks=16, steps={"sft": 6, "grpo": 1}, total=800.0,
        bounds={"tests": 200.0, "model": 200.0, "sft": 200.0, "grpo": 200.0},
    )  # fmt: skip
    parts = {part.name: part for part in Check(machine, tmp_path, setting).run().parts}
    assert parts["tests"].verdict == "could not tell"
    assert parts["tests"].reason == "skipped: torch finds no GPU"
    assert [parts[name].verdict for name in ("model", "sft", "grpo")] == ["pass"] * 3, parts
    assert parts["sft"].figures["tokens_per_second"] > 0
    assert parts["grpo"].figures["sampler_gap"] < 1e-3
