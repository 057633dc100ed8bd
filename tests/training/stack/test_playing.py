"""Held-out tasks played while SFT goes on, and the choice of tasks in GRPO, with the real trainers."""

import json

import pytest

from training_app.engine.config import sft_preset
from training_app.engine.metrics import read_metrics, read_records
from training_app.engine.pool import Choice, Sized
from training_app.evaluation.config import EvaluationConfig
from training_app.exports.ndjson import read_ndjson, write_ndjson
from training_app.trainers import groups

from .conftest import curve, grpo_config, launch, prompts

HELD = [f"toy-held-{n}" for n in range(6)]


def config(world, tmp_path, tasks=HELD, **changes):
    played = EvaluationConfig(
        model="(the model in training)",
        dataset=prompts(tmp_path / "held.jsonl", tasks),
        episodes="tests.training.toy:ToyFactory",
        temperature=1.0,
        max_turn_tokens=24,
        max_completion_length=256,
        max_turns=4,
    )
    values = {
        "model": str(world / "model"), "dataset": str(world / "small.jsonl"), "max_steps": 8, "save_every": 4,
        "stop_loss": None, "evaluate_every": 4, "evaluation": played,
    }  # fmt: skip
    return sft_preset("cpu-proof", **values | changes)


@pytest.fixture(scope="module")
def evaluated(world, tmp_path_factory):
    directory = tmp_path_factory.mktemp("evaluated")
    attempt = launch("sft", directory / "run", config(world, directory))
    assert attempt.finish()["state"] == "succeeded"
    return attempt.run


def evaluations(run):
    lines = [line for line in read_metrics(run.metrics) if line["kind"] == "evaluation"]
    return [{name: value for name, value in line.items() if name not in ("at", "seconds")} for line in lines]


def test_the_same_tasks_are_played_before_the_first_and_every_so_many_steps(evaluated):
    found = evaluations(evaluated)
    assert [line["step"] for line in found] == [0, 4, 8]
    for line in found:
        assert (line["tasks"], line["valid"], line["attempts"]) == (6, 6, 6)
        assert 0 <= line["success_low"] <= line["success_rate"] <= line["success_high"] <= 1
        assert line["success_rate"] <= line["score"] <= 1
    assert found[0]["success_rate"] == 0.0
    words = [event["message"] for event in read_records(evaluated.events)]
    assert "step 0: 0 of 6 held-out tasks are solved" in words


def test_evaluations_change_no_step_of_the_training(world, evaluated, tmp_path):
    plain = launch("sft", tmp_path / "plain", config(world, tmp_path, evaluate_every=None, evaluation=None))
    assert plain.finish()["state"] == "succeeded"
    for name in ("loss", "learning_rate", "grad_norm"):
        assert curve(plain.run, name) == curve(evaluated, name)


def test_a_killed_run_has_each_evaluation_once_and_the_same(world, evaluated, tmp_path):
    wanted = config(world, tmp_path)
    attempt = launch("sft", tmp_path / "run", wanted)
    attempt.reach(6)
    attempt.kill()
    attempt = launch("sft", tmp_path / "run", wanted)
    assert attempt.finish()["state"] == "succeeded"
    assert evaluations(attempt.run) == evaluations(evaluated)


def test_crashed_episodes_are_counted_and_judge_nothing(world, tmp_path):
    attempt = launch("sft", tmp_path / "run", config(world, tmp_path, ["toy-unknown-1", "toy-a"], max_steps=1))
    assert attempt.finish()["state"] == "succeeded"
    assert [(line["attempts"], line["valid"]) for line in evaluations(attempt.run)] == [(2, 1)]


def test_unknown_tasks_refuse_the_launch(world, tmp_path):
    status = launch("sft", tmp_path / "run", config(world, tmp_path, ["nobody-knows"])).finish(code=2)
    assert status["message"] == "evaluation while training: 1 tasks are not known: nobody-knows"


def test_what_to_play_must_be_said(world, tmp_path):
    status = launch("sft", tmp_path / "run", config(world, tmp_path, evaluation=None)).finish(code=2)
    assert "evaluate_every needs `evaluation`" in status["message"]


# The choice of tasks -------------------------------------------------------------------------------------------


def sized(path, names):
    """The prompts of grpo_config's file with K and L: the number of a task, and twice that."""
    rows = list(read_ndjson(path))
    write_ndjson(path, ({**row, "k": 1 + names.index(row["task_id"]), "l": 2} for row in rows))


def test_grpo_plays_what_the_choice_says_and_goes_on_alike_after_a_kill(world, trained, tmp_path):
    names = [f"toy-choice-{n}" for n in range(12)]
    wanted = grpo_config(
        world, trained, names, steps=4, group_size=2, groups_per_step=3, micro_batch=6, save_every=1,
        max_turn_tokens=24, curriculum_steps=4, lean_to_failures=0.5, seed=5,
    )  # fmt: skip
    wanted = wanted.model_copy(update={"dataset": prompts(tmp_path / "tasks.jsonl", names)})
    sized(tmp_path / "tasks.jsonl", names)
    attempt = launch("grpo", tmp_path / "run", wanted)
    attempt.reach(2)
    attempt.kill()
    attempt = launch("grpo", tmp_path / "run", wanted)
    assert attempt.finish()["state"] == "succeeded"
    pool = tuple(Sized(name, 1 + number, 2) for number, name in enumerate(names))
    choice, history = Choice(pool, 5, curriculum_steps=4, lean=0.5), []
    told = {r["step"]: r["choice"] for r in read_metrics(attempt.run.metrics) if r["kind"] == "rollouts"}
    for step in range(1, 5):
        rows = list(read_ndjson(attempt.run.rollouts(step)))
        expected = choice.of_step(step, history, 3)
        assert [row["task_id"] for row in rows if row["index"] == 0] == list(expected.task_ids)
        assert told[step] == json.loads(json.dumps(dict(expected.figures)))
        assert told[step]["open"] == 3 * step
        history += groups.stored_history(rows)
    assert all(played.valid == 2 for played in history)


def test_a_curriculum_without_k_and_l_is_refused_with_the_numbers(world, trained, tmp_path):
    wanted = grpo_config(world, trained, ["toy-1", "toy-2"], curriculum_steps=4)
    status = launch("grpo", tmp_path, wanted).finish(code=2)
    assert "2 of 2 rows have none (toy-1)" in status["message"]
