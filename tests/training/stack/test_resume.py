"""What a run is worth after it was stopped, killed or disturbed: it goes on as if nothing had been."""

import json
from collections import Counter

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from training_app.engine.config import Lora, sft_preset
from training_app.engine.metrics import read_records
from training_app.engine.rundir import RunDirectory
from training_app.trainers import grpo, sft
from training_app.trainers.chat import Chat
from training_app.trainers.journal import Journal
from training_app.trainers.launch import load_tokenizer

from .conftest import curve, grpo_config, launch
from .test_runs import by_group, expected_rewards


def writes(directory):
    """The weights in a directory, loaded as anybody would, go on with a text."""
    tokenizer = AutoTokenizer.from_pretrained(directory)
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
    asked = tokenizer("Mail", return_tensors="pt")
    answer = model.generate(**asked, max_new_tokens=5, do_sample=False)
    return answer.shape[1] > asked["input_ids"].shape[1]


def steps_begun(run):
    return [r["step"] for r in read_records(run.metrics) if r["kind"] == "begin"]


def steps_of(run, attempt):
    """The steps that the attempt of this number (0 = the first) made, in order."""
    records = read_records(run.metrics)
    begun = [i for i, r in enumerate(records) if r["kind"] == "begin"]
    part = records[begun[attempt] : (begun[attempt + 1] if attempt + 1 < len(begun) else None)]
    return [r["step"] for r in part if r["kind"] == "train"]


def test_adapters_resume_after_stop_and_kill(world, tmp_path):
    config = sft_preset(
        "cpu-proof",
        model=str(world / "model"),
        dataset=str(world / "small.jsonl"),
        lora=Lora(rank=4, alpha=8),
        max_steps=30,
        epochs=9,
        save_every=10,
        keep_checkpoints=9,
        stop_loss=None,
    )
    whole = launch("sft", tmp_path / "whole", config)
    assert whole.finish()["step"] == 30
    assert whole.run.checkpoint_steps() == (10, 20, 30)

    attempt = launch("sft", tmp_path / "run", config)
    run = attempt.run
    attempt.reach(3)
    run.request_stop("the test asks")
    stopped = attempt.finish()
    kept = run.newest_checkpoint()
    assert (stopped["state"], kept.name) == ("stopped", f"checkpoint-{stopped['step']}")
    assert (kept / "adapter_model.safetensors").exists()
    assert writes(kept)
    assert writes(run.model)

    attempt = launch("sft", tmp_path / "run", config)
    attempt.reach(max(12, stopped["step"] + 1))
    attempt.kill()
    attempt = launch("sft", tmp_path / "run", config)
    assert attempt.finish()["step"] == 30
    begun = steps_begun(run)
    assert begun[1] == stopped["step"]
    assert begun[2] in run.checkpoint_steps()
    for number, step in enumerate(begun):
        assert steps_of(run, number)[0] == step + 1
    assert curve(run, "loss") == curve(whole.run, "loss")


def test_grpo_resumes_after_stop_and_kill(short, tmp_path):
    config, reference = short
    attempt = launch("grpo", tmp_path, config)
    run = attempt.run
    attempt.reach(1)
    run.request_stop("the test asks")
    stopped = attempt.finish()
    kept = run.newest_checkpoint()
    assert (stopped["state"], kept.name) == ("stopped", f"checkpoint-{stopped['step']}")
    assert writes(kept)
    assert writes(run.model)

    attempt = launch("grpo", tmp_path, config)
    attempt.reach(stopped["step"] + 2)
    attempt.kill()
    attempt = launch("grpo", tmp_path, config)
    assert attempt.finish()["state"] == "succeeded"
    begun = steps_begun(run)
    assert begun[:2] == [0, stopped["step"]]
    assert begun[2] >= stopped["step"]
    for number, step in enumerate(begun):
        assert steps_of(run, number)[0] == step + 1
    for key in ("success_rate", "reward", "sampled_tokens"):
        assert curve(run, key, "rollouts") == curve(reference, key, "rollouts")
    for key in ("loss", "grad_norm", "learning_rate"):
        assert curve(run, key) == curve(reference, key)
    for step in range(1, 7):
        assert by_group(run, step) == by_group(reference, step)


def test_the_tokens_that_the_loss_sees_are_those_of_the_report(world, tmp_path):
    """Counted in the batches as the collator gives them, over one epoch; one record is dropped as overlong."""
    rows = (world / "small.jsonl").read_text().splitlines()[:37]
    last = json.loads(rows[-1])
    last["messages"][0]["content"] += " word" * 900
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join([*rows[:-1], json.dumps(last)]) + "\n")
    config = sft_preset(
        "cpu-proof", model=str(world / "model"), dataset=str(path), overlong="drop", global_batch=12, micro_batch=4
    )
    run = RunDirectory(tmp_path / "run")
    run.create()
    journal = Journal(run)
    chat = Chat(load_tokenizer(config.model))
    rows = sft.checked_rows(run, config, chat, journal)
    trainer, _ = sft.build(run, config, chat, rows, journal)
    batches = list(trainer.get_train_dataloader())
    trained = sum(int((batch["labels"] != -100).sum()) for batch in batches)
    seen = sum(int(batch["attention_mask"].sum()) for batch in batches)
    figures = run.read_json("preflight.json")["figures"]
    assert len(figures["overlong"]) == 1
    assert sum(len(batch["labels"]) for batch in batches) == len(rows) == 36
    assert trained == sum(sum(row.mask) for row in rows)
    assert seen == figures["tokens_per_epoch"]
    assert round(trained / seen, 4) == figures["trained_share"]


@pytest.mark.parametrize("count", [5, 12, 18])
def test_filled_batches_are_all_alike(world, tmp_path, count):
    """Fewer rows than a batch, as many, and one and a half times as many; every row comes equally often."""
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join((world / "small.jsonl").read_text().splitlines()[:count]) + "\n")
    config = sft_preset(
        "cpu-proof", model=str(world / "model"), dataset=str(path), global_batch=12, micro_batch=4, fill_batches=True
    )
    run = RunDirectory(tmp_path / "run")
    run.create()
    journal = Journal(run)
    chat = Chat(load_tokenizer(config.model))
    trainer, _ = sft.build(run, config, chat, sft.checked_rows(run, config, chat, journal), journal)
    batches = list(trainer.get_train_dataloader())
    assert {len(batch["labels"]) for batch in batches} == {4}
    assert len(batches) % 3 == 0
    seen = Counter(tuple(row.tolist()) for batch in batches for row in batch["input_ids"])
    assert len(set(seen.values())) == 1


def one_step(directory, config):
    """One step of GRPO in this process: its groups, and the weights after it."""
    run = RunDirectory(directory)
    run.create()
    journal = Journal(run)
    chat = Chat(load_tokenizer(config.model))
    factory = grpo.load_factory(config.episodes, config.episode_arguments)
    rows = grpo.checked_rows(run, config, chat, factory, journal)
    trainer, _ = grpo.build(run, config, chat, factory, rows, journal)
    trainer.train()
    return by_group(run, 1), [p.detach().clone() for p in trainer.model.parameters()]


def test_a_rollout_that_cannot_be_judged_changes_nothing_of_the_others(world, trained, tmp_path):
    """The same step with and without one: all tokens are the same, and so is what other groups are worth."""
    tasks = [f"toy-rl-{n}" for n in range(3)]
    config = grpo_config(
        world,
        trained,
        tasks,
        steps=1,
        group_size=6,
        groups_per_step=3,
        micro_batch=18,
        warmup_steps=0,
        temperature=1.6,  # so that some fail
        episodes="tests.training.stack.faults:OneUnjudged",
        episode_arguments={"task": tasks[1], "number": 1 + 3},  # the pre-flight starts each task once
    )
    quiet = config.model_copy(update={"episode_arguments": {}})
    disturbed, moved = one_step(tmp_path / "disturbed", config)
    whole, usual = one_step(tmp_path / "whole", quiet)
    seen = 0
    for rows, before in zip(disturbed, whole, strict=True):
        assert [row["parts"] for row in rows] == [row["parts"] for row in before]
        rewards = [row["reward"] for row in rows]
        assert rewards == pytest.approx(expected_rewards(rows))
        if rows[0]["task_id"] != tasks[1]:
            assert rows == before
            continue
        seen += 1
        lost = [row["index"] for row in rows if row["reward"] is None]
        assert lost == [2]
        assert (rows[2]["status"], rows[2]["advantage"]) == ("error", 0.0)
        assert "the judge died" in rows[2]["detail"]
        siblings = [row for row in before if row["index"] != 2]
        assert len({row["reward"] for row in siblings}) > 1
        for name in rows[0]["weights"]:
            rate = sum(row["verdict"][name] for row in siblings) / len(siblings)
            assert rows[0]["pass_rates"][name] == pytest.approx(rate)
            assert rows[0]["weights"][name] == pytest.approx(0.01 + 1 - rate)
    assert seen == 1
    assert any(not torch.equal(a, b) for a, b in zip(moved, usual, strict=True))
