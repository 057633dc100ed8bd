"""Runs that cannot go on, or must not begin: each ends in one sentence, with what was good kept."""

import json
import shutil
import subprocess
import sys

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.training.toy import ToyFactory
from training_app.engine.config import grpo_preset, sft_preset
from training_app.engine.metrics import read_records
from training_app.engine.rundir import RunDirectory
from training_app.evaluation.config import EvaluationConfig
from training_app.exports.ndjson import read_ndjson, write_ndjson
from training_app.exports.sft import prompt_record
from training_app.trainers import endings

from .conftest import ROOT, grpo_config, launch, prompts

ODD = "é"
"""A letter that no record of the toy world has, so that only what a test marks with it is affected."""


def sft(world, **changes):
    values = {
        "model": str(world / "model"), "dataset": str(world / "small.jsonl"), "max_steps": 12, "save_every": 1,
        "keep_checkpoints": 20, "stop_loss": None,
    }  # fmt: skip
    return sft_preset("cpu-proof", **values | changes)


def overflowing(model, out):
    """The same model, but a sequence with the odd letter overflows float32 in its gradients. All weights are finite."""
    tokenizer = AutoTokenizer.from_pretrained(model)
    loaded = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    loaded.config.tie_word_embeddings = False
    loaded.lm_head.weight = torch.nn.Parameter(loaded.lm_head.weight.detach().clone())
    for token in tokenizer(ODD, add_special_tokens=False)["input_ids"]:
        loaded.model.embed_tokens.weight.data[token] = 3e38
    loaded.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return str(out)


def marked(records):
    """One record in the middle has the odd letter in its first message."""
    changed = [json.loads(json.dumps(record)) for record in records]
    first = changed[len(changed) // 2]["messages"][0]
    first["content"] += ODD
    return changed


class OddFactory(ToyFactory):
    """Tasks named so have the odd letter in their instruction."""

    def start(self, task_id):
        episode = super().start(task_id)
        if "odd" in task_id:
            episode.instruction += ODD
        return episode


def events(run, kind="error"):
    return [line["message"] for line in read_records(run.events) if line["kind"] == kind]


def weights(checkpoint):
    return AutoModelForCausalLM.from_pretrained(checkpoint).parameters()


# Numbers that are no numbers


def test_sft_stops_at_the_step_whose_numbers_are_none(world, tmp_path):
    write_ndjson(tmp_path / "rows.jsonl", marked(list(read_ndjson(world / "small.jsonl"))))
    model = overflowing(world / "model", tmp_path / "model")
    config = sft(world, model=model, dataset=str(tmp_path / "rows.jsonl"), max_steps=20)
    attempt = launch("sft", tmp_path / "run", config)
    status = attempt.finish(code=1)
    steps = attempt.run.checkpoint_steps()
    assert (status["state"], status["kind"]) == ("failed", "run:nan")
    assert status["message"].startswith(f"Step {steps[-1] + 1} was not taken: its loss is ")
    assert "its gradient norm nan" in status["message"]
    assert f"The newest checkpoint before it is checkpoint-{steps[-1]}." in status["message"]
    assert steps == tuple(range(1, steps[-1] + 1))
    assert all(bool(torch.isfinite(w).all()) for w in weights(attempt.run.newest_checkpoint()))
    assert not attempt.run.model.exists()
    assert events(attempt.run) == [status["message"]]
    last = read_records(attempt.run.metrics)[-1]
    assert (last["step"], last["grad_norm"]) == (steps[-1] + 1, None)


def test_grpo_stops_at_the_step_whose_numbers_are_none(world, trained, tmp_path):
    model = overflowing(trained.model, tmp_path / "model")
    names = [*(f"toy-rl-{n}" for n in range(7)), "toy-odd"]
    factory = OddFactory()
    write_ndjson(
        tmp_path / "tasks.jsonl",
        [prompt_record({"task_id": t, "instruction": factory.start(t).instruction}) for t in names],
    )
    config = grpo_config(
        world, trained, names, model=model, dataset=str(tmp_path / "tasks.jsonl"), steps=8, group_size=4,
        groups_per_step=1, micro_batch=4, save_every=1, keep_checkpoints=20, temperature=2.0,
        episodes="tests.training.stack.test_refusals:OddFactory",
    )  # fmt: skip
    attempt = launch("grpo", tmp_path / "run", config)
    status = attempt.finish(code=1)
    steps = attempt.run.checkpoint_steps()
    assert status["kind"] == "run:nan"
    assert status["message"].startswith(f"Step {(steps or (0,))[-1] + 1} was not taken")
    assert not attempt.run.model.exists()


def test_weights_that_are_no_numbers_are_not_saved(world, tmp_path):
    """They come from the starting model here: a token that the data do not have."""
    model = overflowing(world / "model", tmp_path / "model")
    loaded = AutoModelForCausalLM.from_pretrained(model)
    loaded.model.embed_tokens.weight.data[loaded.model.embed_tokens.weight == torch.tensor(3e38)] = float("inf")
    loaded.save_pretrained(model)
    status = launch("sft", tmp_path / "run", sft(world, model=model)).finish(code=1)
    assert status["kind"] == "run:nan"
    assert (
        "1 of the weights' tensors hold NaN or infinite numbers (model.embed_tokens.weight first)" in status["message"]
    )
    assert RunDirectory(tmp_path / "run").checkpoint_steps() == ()


# Stopping before the first step


def evaluation(directory, model, **changes):
    values = {
        "model": str(model), "dataset": prompts(directory / "tasks.jsonl", ["toy-1", "toy-2"]),
        "episodes": "tests.training.toy:ToyFactory", "max_turn_tokens": 8, "max_completion_length": 64, "max_turns": 2,
    }  # fmt: skip
    return EvaluationConfig(**values | changes)


def test_a_stop_asked_while_the_model_is_loaded_holds(world, tmp_path):
    attempt = launch("sft", tmp_path, sft(world, max_steps=2))
    attempt.run.request_stop("changed my mind")
    status = attempt.finish()
    assert (status["state"], status["step"]) == ("stopped", 0)
    assert status["message"] == "stopped before step 1, while the model was loaded"
    assert not attempt.run.metrics.exists() or not read_records(attempt.run.metrics)
    # The request ended with the process that it was meant for.
    assert launch("sft", tmp_path, sft(world, max_steps=2)).finish()["state"] == "succeeded"
    attempt = launch("sft", tmp_path, sft(world, max_steps=4))
    attempt.run.request_stop("again")
    status = attempt.finish()
    assert (status["state"], status["step"], status["checkpoint"]) == ("stopped", 2, "checkpoint-2")


def test_a_stop_asked_while_an_evaluation_loads_holds(world, tmp_path):
    attempt = launch("evaluate", tmp_path, evaluation(tmp_path, world / "model"))
    attempt.run.request_stop("changed my mind")
    status = attempt.finish()
    assert (status["state"], status["step"], status["steps"]) == ("stopped", 0, 2)
    status = launch("evaluate", tmp_path, evaluation(tmp_path, world / "model")).finish()
    assert (status["state"], status["step"]) == ("succeeded", 2)


# Files that are broken


def cut(path):
    path.write_bytes(path.read_bytes()[:-64])


def test_a_resume_without_one_whole_checkpoint_is_refused_and_removes_nothing(world, tmp_path):
    first = launch("sft", tmp_path, sft(world, max_steps=4, save_every=2))
    assert first.finish()["state"] == "succeeded"
    run = first.run
    cut(run.checkpoints / "checkpoint-2" / "model.safetensors")
    (run.checkpoints / "checkpoint-4" / "trainer_state.json").write_text("{")
    before, files = run.metrics.read_bytes(), sorted(run.checkpoints.rglob("*"))
    status = launch("sft", tmp_path, sft(world, max_steps=6, save_every=2)).finish(code=2)
    assert (status["state"], status["kind"]) == ("refused", "checkpoint:broken")
    assert "None of the 2 checkpoints can be resumed from" in status["message"]
    assert "checkpoint-2: model.safetensors missing or cut; checkpoint-4: trainer_state.json" in status["message"]
    assert "start a clone of the run" in status["message"]
    assert run.metrics.read_bytes() == before
    assert sorted(run.checkpoints.rglob("*")) == files


def test_a_run_killed_in_its_first_checkpoint_begins_anew(world, tmp_path):
    half = tmp_path / "checkpoints" / "checkpoint-2"
    half.mkdir(parents=True)
    (half / "model.safetensors").write_bytes(b"half")
    assert launch("sft", tmp_path, sft(world, max_steps=2)).finish()["state"] == "succeeded"


# A full disk

ON_A_SMALL_DISK = """
mount -t tmpfs -o size="$1" tmpfs "$2" || exit 77
cp "$3" "$2/config.json"
"$4" -m training_app.trainers.sft --run-dir "$2" >"$5/process.log" 2>&1
code=$?
df --output=avail -k "$2" | tail -1 >"$5/free"
cp -r "$2/." "$5/run"
exit $code
"""


def on_a_small_disk(config, directory, size):
    """Train where only `size` is there, in a mount namespace; the run directory as it was left, and the exit status."""
    small, out = directory / "small", directory / "out"
    (small).mkdir()
    (out / "run").mkdir(parents=True)
    (directory / "config.json").write_text(config.to_json())
    given = [size, str(small), str(directory / "config.json"), sys.executable, str(out)]
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK, "sh", *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode in (1, 77) and not (out / "run" / "config.json").exists():
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    return RunDirectory(out / "run"), done.returncode


def test_a_disk_that_fills_up_in_a_checkpoint_keeps_the_one_before(world, tmp_path):
    run, code = on_a_small_disk(sft(world), tmp_path, "10m")
    status = run.read_json("status.json")
    assert (code, status["state"], status["kind"]) == (1, "failed", "disk:full")
    assert run.checkpoint_steps() == (1, 2)
    assert {path.name for path in run.checkpoints.glob("checkpoint-*")} == {"checkpoint-1", "checkpoint-2"}
    assert f"The disk of {tmp_path / 'small'} is full" in status["message"]
    assert "where a checkpoint of this run takes 3." in status["message"]
    assert "checkpoint-2 is whole and kept" in status["message"]
    assert "Delete checkpoints of finished runs" in status["message"]
    assert int((tmp_path / "out" / "free").read_text()) > 1000  # what was half written does not fill the disk
    assert any("checkpoint-3 cannot be used and is removed" in words for words in events(run, "warning"))
    assert [record["step"] for record in read_records(run.metrics) if record["kind"] == "train"] == [1, 2, 3]


def test_a_disk_that_has_no_room_for_the_final_model_keeps_the_checkpoint(world, tmp_path):
    run, code = on_a_small_disk(sft(world, max_steps=1), tmp_path, "4500k")
    status = run.read_json("status.json")
    assert (code, status["kind"]) == (1, "disk:full")
    assert run.checkpoint_steps() == (1,)
    assert not run.model.exists()


def test_a_disk_that_is_full_for_the_metrics_is_told(world, tmp_path):
    (tmp_path / "metrics.jsonl").symlink_to("/dev/full")
    status = launch("sft", tmp_path, sft(world)).finish(code=1)
    assert (status["state"], status["kind"]) == ("failed", "disk:full")
    assert f"The disk of {tmp_path} is full" in status["message"]
    assert "Delete checkpoints of finished runs" in status["message"]


def test_a_lack_of_memory_is_told_as_one(tmp_path):
    with pytest.raises(RuntimeError) as raised:
        torch.empty(1 << 60)
    found = endings.explain(raised.value, RunDirectory(tmp_path))
    assert found.kind == "run:memory"
    assert "No memory was left" in found.message
    assert endings.explain(RuntimeError("wrong shape"), RunDirectory(tmp_path)) is None


# Refusals before the first step


def copied(world, directory):
    return shutil.copytree(world / "model", directory / "model")


def refused(module, directory, config, kind):
    """The message of a launch that exits with 2 and leaves no step."""
    attempt = launch(module, directory / "run", config)
    status = attempt.finish(code=2)
    assert (status["state"], status["kind"]) == ("refused", kind)
    assert attempt.run.checkpoint_steps() == ()
    assert events(attempt.run)[-1] == status["message"]
    return status["message"]


def test_a_device_that_is_not_there_is_refused(world, tmp_path):
    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    for precision in ("float32", "bfloat16"):
        words = refused("sft", tmp_path / precision, sft(world, device="cuda", precision=precision), "config:device")
        assert "sees no GPU on this machine: set device to cpu and precision to float32" in words
    played = evaluation(tmp_path, world / "model", device="cuda")
    assert "sees no GPU" in refused("evaluate", tmp_path / "evaluation", played, "config:device")


def test_an_evaluation_computes_in_bfloat16_on_a_cpu(world, tmp_path):
    status = launch("evaluate", tmp_path, evaluation(tmp_path, world / "model", precision="bfloat16")).finish()
    assert (status["state"], status["step"]) == ("succeeded", 2)


def test_cut_weights_are_named(world, tmp_path):
    model = copied(world, tmp_path)
    cut(model / "model.safetensors")
    size = (model / "model.safetensors").stat().st_size
    for module, config in (("sft", sft(world, model=str(model))), ("evaluate", evaluation(tmp_path, model))):
        words = refused(module, tmp_path / module, config, "model:broken")
        assert f"model.safetensors ({size} bytes) is cut" in words
        assert "Copy its files anew, or start from another checkpoint" in words


def test_a_cut_tokenizer_and_missing_weights_are_named(world, tmp_path):
    model = copied(world, tmp_path)
    cut(model / "tokenizer.json")
    assert "tokenizer.json" in refused("sft", tmp_path / "a", sft(world, model=str(model)), "config:model")
    (model / "model.safetensors").unlink()
    words = refused("sft", tmp_path / "b", sft(world, model=str(model)), "model:broken")
    assert "it holds no weights (*.safetensors)" in words


def test_a_model_without_a_chat_template_is_refused_with_what_helps(world, tmp_path):
    model = copied(world, tmp_path)
    (model / "chat_template.jinja").unlink()
    words = refused("sft", tmp_path, sft(world, model=str(model)), "preflight:template")
    assert "has no chat template" in words
    assert "put a chat_template.jinja into its directory" in words


def toy_grpo(world, directory, tasks=("toy-1", "toy-2"), **changes):
    """Of a random model, which is enough to be refused."""
    values = {
        "model": str(world / "model"), "dataset": prompts(directory / "tasks.jsonl", tasks), "steps": 1,
        "episodes": "tests.training.toy:ToyFactory", "reference": str(world / "small.jsonl"), "group_size": 4,
        "groups_per_step": 2, "micro_batch": 8,
    }  # fmt: skip
    return grpo_preset("cpu-proof", **values | changes)


def test_empty_data_are_refused_with_what_helps(world, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    words = refused("sft", tmp_path / "sft", sft(world, dataset=str(empty)), "preflight:refused")
    assert f"the data set is empty: {empty} holds no record; freeze a version with passed trajectories" in words
    words = refused("grpo", tmp_path / "grpo", toy_grpo(world, tmp_path, dataset=str(empty)), "preflight:refused")
    assert "freeze a version with tasks in its train split" in words
    played = evaluation(tmp_path, world / "model", dataset=str(empty))
    assert f"there are no tasks in {empty}" in refused("evaluate", tmp_path / "e", played, "preflight:refused")


def test_groups_in_pieces_are_refused_with_the_numbers(world, tmp_path):
    config = toy_grpo(world, tmp_path).model_copy(update={"micro_batch": 3})
    words = refused("grpo", tmp_path, config, "config:invalid")
    assert "2 groups of 4 make 8 rollouts, no multiple of micro_batch 3" in words


def test_a_budget_shorter_than_the_references_is_refused_with_the_numbers(world, tmp_path):
    config = toy_grpo(world, tmp_path, max_completion_length=20, max_turn_tokens=20)
    words = refused("grpo", tmp_path, config, "preflight:refused")
    report = RunDirectory(tmp_path / "run").read_json("preflight.json")
    median = report["figures"]["reference_median"]
    assert median > 20
    assert "the completion budget of 20 tokens covers the whole episode" in words
    assert f"half of the reference solutions need {median} or more" in words


def test_leaking_data_are_refused_with_the_numbers(world, tmp_path):
    rows = list(read_ndjson(world / "small.jsonl"))
    write_ndjson(tmp_path / "held.jsonl", rows[100:103])
    words = refused("sft", tmp_path, sft(world, holdout=str(tmp_path / "held.jsonl")), "preflight:refused")
    assert "3 values of task_id are also in the held-out records" in words


def test_another_tool_list_than_the_data_has_is_refused_with_the_numbers(world, tmp_path):
    config = toy_grpo(world, tmp_path, episode_arguments={"mode": "meta"})
    words = refused("grpo", tmp_path, config, "preflight:refused")
    assert "2 of 2 reference solutions were made with another tool list" in words
    assert "3 not offered: contacts__find, mail__send, shop__price; 1 not in the data: call_tool" in words
