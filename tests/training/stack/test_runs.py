"""Whole runs, as the workbench starts them: processes on a run directory."""

import fcntl
import json
import math
import signal

import pytest

from tests.training.toy import trajectory
from training_app.engine.config import sft_preset
from training_app.engine.masks import spans
from training_app.engine.metrics import read_records
from training_app.engine.rundir import RunDirectory
from training_app.evaluation.config import EvaluationConfig
from training_app.exports.ndjson import read_ndjson, write_ndjson
from training_app.trainers import grpo
from training_app.trainers.callbacks import Journal
from training_app.trainers.chat import Chat
from training_app.trainers.launch import load_tokenizer

from .conftest import curve, grpo_config, launch, prompts


def test_sft_learns_and_stops_by_its_loss(trained):
    losses = curve(trained, "loss")
    assert losses[1] > 4
    last = [losses[s] for s in sorted(losses)[-3:]]
    assert sum(last) / 3 < 0.05
    status = trained.read_json("status.json")
    assert status["early_stop"]
    assert status["step"] == max(losses) < status["steps"] == 150
    assert trained.newest_checkpoint().name == f"checkpoint-{status['step']}"
    report = trained.read_json("preflight.json")
    assert 0.2 < report["figures"]["trained_share"] < 0.3
    assert trained.read_json("environment.json")["versions"]["trl"] == "1.16.0"
    assert trained.heartbeat()["step"] == status["step"]


def evaluate(directory, model, tasks, **changes):
    config = EvaluationConfig(
        model=str(model),
        dataset=prompts(directory / "tasks.jsonl", tasks),
        episodes="tests.training.toy:ToyFactory",
        max_turn_tokens=48,
        max_completion_length=256,
        max_turns=8,
        **changes,
    )
    attempt = launch("evaluate", directory, config)
    assert attempt.finish()["state"] == "succeeded"
    return attempt.run


def test_the_trained_model_solves_unseen_tasks(world, trained, tmp_path):
    unseen = [f"toy-unseen-{n}" for n in range(40)]
    before = evaluate(tmp_path / "before", world / "model", unseen[:20]).read_json("summary.json")
    assert before["success_rate"]["value"] == 0.0
    run = evaluate(tmp_path / "after", trained.model, [*unseen, "toy-crash"])
    after = run.read_json("summary.json")
    assert after["success_rate"]["value"] > 0.5
    assert after["success_rate"]["n"] == 40
    assert after["invalid"] == {"RuntimeError": 1}
    # A second start finds nothing left to do.
    attempts = read_records(run.root / "attempts.jsonl")
    assert len(attempts) == 41
    again = evaluate(tmp_path / "after", trained.model, [*unseen, "toy-crash"])
    assert read_records(again.root / "attempts.jsonl") == attempts


def test_stopped_killed_and_interrupted_runs_continue_identically(world, tmp_path):
    """STOP, SIGKILL and SIGTERM, each followed by a resume: every loss equals that of an undisturbed run."""
    config = sft_preset(
        "cpu-proof",
        model=str(world / "model"),
        dataset=str(world / "small.jsonl"),
        epochs=4,
        save_every=8,
        stop_loss=None,
    )
    reference = launch("sft", tmp_path / "reference", config)
    assert reference.finish()["step"] == 80

    attempt = launch("sft", tmp_path / "run", config)
    run = attempt.run
    attempt.reach(5)
    run.request_stop("the test asks")
    stopped = attempt.finish()
    assert stopped["state"] == "stopped"
    assert 5 <= stopped["step"] < 40
    assert run.newest_checkpoint().name == f"checkpoint-{stopped['step']}"

    attempt = launch("sft", tmp_path / "run", config)
    attempt.reach(stopped["step"] + 12)
    attempt.kill()
    killed = max(json.loads(x)["step"] for x in run.metrics.read_text().splitlines() if x.endswith("}"))
    half = run.checkpoints / "checkpoint-1000"  # as a kill in the middle of writing leaves it
    half.mkdir()
    (half / "trainer_state.json").write_text('{"global_step"')

    attempt = launch("sft", tmp_path / "run", config)
    attempt.reach(killed + 3)
    attempt.signal(signal.SIGTERM)
    interrupted = attempt.finish()
    assert not half.exists()
    assert interrupted["state"] == "interrupted"
    # The signal may have saved just before the last step was made; that step is then made again.
    assert interrupted["checkpoint"] == run.newest_checkpoint().name
    assert interrupted["step"] - run.checkpoint_steps()[-1] in {0, 1}

    attempt = launch("sft", tmp_path / "run", config)
    assert attempt.finish()["state"] == "succeeded"
    assert curve(run, "loss") == curve(reference.run, "loss")
    assert curve(run, "learning_rate") == curve(reference.run, "learning_rate")
    begun = [r["step"] for r in read_records(run.metrics) if r["kind"] == "begin"]
    assert begun == sorted(begun)
    assert len(begun) == 4


def test_refused_launches_say_why_and_exit_with_2(world, tmp_path):
    config = sft_preset("cpu-proof", model=str(world / "model"), dataset=str(world / "small.jsonl"), max_length=50)
    status = launch("sft", tmp_path / "long", config).finish(code=2)
    assert status["kind"] == "preflight:refused"
    assert "320 of 320 records are longer than max_length 50" in status["message"]
    report = RunDirectory(tmp_path / "long").read_json("preflight.json")
    assert report["figures"]["length_histogram"] == {"128": 320}


def test_broken_configurations_and_second_processes_are_refused(world, tmp_path):
    config = sft_preset("cpu-proof", model=str(world / "model"), dataset=str(world / "small.jsonl"))
    wrong = launch("sft", tmp_path / "wrong", config.model_copy(update={"learning_rate": 7.0}))
    status = wrong.finish(code=2)
    assert status["kind"] == "config:invalid"
    assert "learning_rate" in status["message"]
    with (RunDirectory(tmp_path / "wrong").root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = launch("sft", tmp_path / "wrong", config)
        second.finish(code=2)
        assert "another process trains in this directory" in second.log.read_text()


def by_group(run, step):
    found = {}
    for row in read_ndjson(run.rollouts(step)):
        found.setdefault(row["group"], []).append(row)
    return [found[g] for g in sorted(found)]


def expected_rewards(rows):
    """The definition, written down again: only what the rollouts stored is used."""
    verdicts = [row["verdict"] for row in rows]
    valid = [v for v in verdicts if v is not None and None not in v.values()]
    if len(valid) < 2:
        return [None] * len(rows)
    p = {name: sum(v[name] for v in valid) / len(valid) for name in valid[0]}
    w = {name: 0.01 + 1 - p[name] for name in p}
    return [
        sum(w[n] for n in w if v[n]) / sum(w.values()) if v is not None and None not in v.values() else None
        for v in verdicts
    ]


def expected_advantages(rewards):
    known = [r for r in rewards if r is not None]
    if not known or max(known) - min(known) < 1e-9:
        return [0.0] * len(rewards)
    mean = sum(known) / len(known)
    deviation = math.sqrt(sum((r - mean) ** 2 for r in known) / (len(known) - 1))
    return [0.0 if r is None else (r - mean) / (deviation + 1e-4) for r in rewards]


def test_stored_groups_are_whole_and_rewarded_as_defined(short):
    _, run = short
    seen = []
    for step in range(1, 7):
        groups = by_group(run, step)
        assert [len(rows) for rows in groups] == [4] * 4
        for rows in groups:
            assert len({row["task_id"] for row in rows}) == 1
            seen.append(rows[0]["task_id"])
            rewards = [row["reward"] for row in rows]
            assert rewards == pytest.approx(expected_rewards(rows))
            assert [row["advantage"] for row in rows] == pytest.approx(expected_advantages(rewards))
    assert len(set(seen)) == 24
    flat = [row for step in range(1, 7) for rows in by_group(run, step) for row in rows]
    crashed = [row for row in flat if row["task_id"] == "toy-crash"]
    assert {row["reward"] for row in crashed} == {None}
    assert any(row["status"] == "error" and "the sandbox died" in row["detail"] for row in crashed)
    assert {row["skipped"] for row in flat if row["task_id"] == "toy-unknown"} == {"every criterion is broken"}
    assert any(0 < row["reward"] < 1 for row in flat if row["reward"] is not None)


def test_metrics_of_a_step_fit_its_rollouts(short):
    _, run = short
    numbers = {r["step"]: r for r in read_records(run.metrics) if r["kind"] == "rollouts"}
    train = {r["step"]: r for r in read_records(run.metrics) if r["kind"] == "train"}
    assert sorted(numbers) == sorted(train) == list(range(1, 7))
    for step in range(1, 7):
        rows = [row for rows in by_group(run, step) for row in rows]
        valid = [r for r in rows if r["verdict"] and None not in r["verdict"].values()]
        valid += [r for r in rows if r["task_id"] == "toy-unknown"]  # its criteria are broken, it is not
        skipped = {r["task_id"] for r in rows if r["skipped"]}
        solved = [r for r in valid if r["solved"]]
        if not skipped:
            assert numbers[step]["success_rate"] == pytest.approx(len(solved) / len(valid))
        assert numbers[step]["sampled_tokens"] == sum(r["sampled_tokens"] for r in rows)
        # RL-8: what the sampler says of its tokens is what the trainer computes.
        assert train[step]["sampler_gap"] < 1e-4


def test_stored_parts_tell_sampled_from_observed(short):
    """RL-4: observations are in no trained part, and everything that was sampled is in one."""
    _, run = short
    for rows in by_group(run, 1):
        for row in rows:
            observed = "".join(p["text"] for p in row["parts"] if p["origin"] == "observation")
            sampled = "".join(p["text"] for p in row["parts"] if p["origin"] == "sampled")
            answers = [m["content"] for m in row["messages"] if m["role"] == "tool"]
            if row["status"] == "completed":
                assert all(answer in observed for answer in answers)
            assert "tool_response" not in sampled.replace("<tool_response", "")
            assert sum(p["tokens"] for p in row["parts"] if p["origin"] == "sampled") == row["sampled_tokens"]


def test_the_tensors_of_the_loss_are_the_stored_rollouts(short, tmp_path):
    """The batch that enters the loss, decoded: its trained tokens are what the stored rollouts say was sampled."""
    config, _ = short
    run = RunDirectory(tmp_path)
    run.create()
    journal = Journal(run)
    chat = Chat(load_tokenizer(config.model))
    factory = grpo.load_factory(config.episodes, config.episode_arguments)
    rows = grpo.checked_rows(run, config, chat, factory, journal)
    trainer, _ = grpo.build(run, config, chat, factory, rows, journal)
    batch = next(iter(trainer.get_train_dataloader()))
    out = trainer._generate_and_score_completions(batch)
    stored = list(read_ndjson(run.rollouts(1)))
    assert len(stored) == len(out["completion_ids"]) == 16
    for index, row in enumerate(stored):
        assert batch[index]["task_id"] == row["task_id"]
        mask = (out["completion_mask"][index] * out["tool_mask"][index]).tolist()
        ids = out["completion_ids"][index].tolist()
        trained = [chat.text(ids[s.start : s.end]) for s in spans(mask)]
        if row["reward"] is None:
            assert trained == []
        else:
            assert trained == [p["text"] for p in row["parts"] if p["origin"] == "sampled"]
            assert sum(mask) == row["sampled_tokens"]
        assert float(out["advantages"][index]) == pytest.approx(row["advantage"], abs=1e-6)
    assert factory.start(stored[0]["task_id"]).instruction in chat.text(out["prompt_ids"][0].tolist())
    # Tasks whose groups stay dead make room for the next of the pool.
    trainer.settings = config.model_copy(update={"retire_after": 1})
    pool = [row["task_id"] for row in rows]
    dead = batch[0]["task_id"]
    trainer.history = [(dead, "none_solved")]
    heir = pool[(pool.index(dead) + 1) % len(pool)]
    assert trainer._tasks() == [heir if row["task_id"] == dead else row["task_id"] for row in batch]


def test_a_run_of_crashes_stops_itself(world, trained, tmp_path):
    """RL-5: noise is not learned from; the run says what is wrong."""
    tasks = [f"toy-crash-{n}" for n in range(3)] + ["toy-1"]
    config = grpo_config(world, trained, tasks, steps=5, group_size=4, groups_per_step=4, micro_batch=16)
    attempt = launch("grpo", tmp_path, config)
    status = attempt.finish()
    assert (status["state"], status["step"]) == ("stopped", 1)
    errors = [r["message"] for r in read_records(attempt.run.events) if r["kind"] == "error"]
    assert "rollouts are invalid: RuntimeError" in errors[0]
    assert attempt.run.newest_checkpoint() is not None


def test_unknown_tasks_refuse_the_launch(world, trained, tmp_path):
    config = grpo_config(world, trained, ["toy-1", "nobody-knows"])
    status = launch("grpo", tmp_path, config).finish(code=2)
    assert status["message"] == "1 tasks are not known: nobody-knows"


def test_meta_tools_train_as_well(tmp_path):
    """The same loop where everything goes through call_tool: a random model, two steps."""
    from training_app.exports.sft import trajectory_records
    from training_app.trainers.tiny import build_tiny

    rows = [r for n in range(200) for r in trajectory_records(trajectory(f"toy-{n}", "meta"), "none")]
    build_tiny(rows, tmp_path / "model")
    write_ndjson(tmp_path / "small.jsonl", rows)
    start = RunDirectory(tmp_path / "start")
    sft = sft_preset(
        "cpu-proof", model=str(tmp_path / "model"), dataset=str(tmp_path / "small.jsonl"), max_steps=60, epochs=9
    )
    assert launch("sft", start.root, sft).finish()["step"] == 60
    config = grpo_config(
        tmp_path,
        start,
        [f"toy-rl-{n}" for n in range(8)],
        steps=2,
        group_size=4,
        groups_per_step=4,
        micro_batch=16,
        episode_arguments={"mode": "meta"},
        episode_workers=4,
    )
    attempt = launch("grpo", tmp_path / "run", config)
    assert attempt.finish()["state"] == "succeeded"
    calls = {
        call["function"]["name"]
        for rows in by_group(attempt.run, 1)
        for row in rows
        for message in row["messages"]
        for call in message.get("tool_calls") or ()
    }
    assert calls == {"call_tool"}


def test_grpo_improves_on_sft(world, trained, tmp_path):
    """The proof in short: 36 steps, means of six steps at temperature 1, fixed seeds."""
    config = grpo_config(world, trained, [f"toy-rl-{n}" for n in range(288)], steps=36)
    attempt = launch("grpo", tmp_path, config)
    assert attempt.finish()["state"] == "succeeded"
    rates = curve(attempt.run, "success_rate", "rollouts")
    first, last = (sum(rates[s] for s in steps) / 6 for steps in (range(1, 7), range(31, 37)))
    assert last > first + 0.05
