"""What only a GPU can show; run by `./workbench gpu-check`."""

import importlib.util

import pytest
import torch

from training_app.engine.config import sft_preset
from training_app.exports.ndjson import write_ndjson
from training_app.trainers import launch as trainers
from training_app.trainers.sampling import ModelSampler
from training_app.trainers.tiny import SIZES, build_tiny

from .conftest import curve, launch, records

DEVICE = "cuda"
pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no GPU")]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Directory with model/ (random weights, heads as attention kernels want them) and data.jsonl."""
    directory = tmp_path_factory.mktemp("gpu")
    rows = records(64)
    write_ndjson(directory / "data.jsonl", rows)
    build_tiny(rows, directory / "model", shape=SIZES["small"])
    return directory


def model_and_prompts(start, dtype=torch.float32):
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(start / "model", dtype=dtype).to(DEVICE)
    tokenizer = trainers.load_tokenizer(str(start / "model"))
    texts = ("write a mail", "what does the lamp cost, and who wants it?")
    return model, tokenizer, [tokenizer(text)["input_ids"] for text in texts]


def spoken(model, prefix, ids):
    """Log-probabilities that one forward pass gives the ids."""
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([prefix + ids], device=DEVICE)).logits[0, len(prefix) - 1 : -1]
    found = torch.log_softmax(logits.float(), -1).gather(1, torch.tensor(ids, device=DEVICE).unsqueeze(1))
    return found.squeeze(1).tolist()


def test_sampled_log_probabilities_are_those_of_a_forward_pass(start):
    model, tokenizer, prompts = model_and_prompts(start)
    sampler = ModelSampler(model, eos=tokenizer.eos_token_id, pad=tokenizer.pad_token_id, temperature=1.0)
    for prefix, turn in zip(prompts, sampler(prompts, [24, 24]), strict=True):
        assert turn.logprobs == pytest.approx(spoken(model, prefix, turn.ids), abs=2e-2)


def test_vllm_and_transformers_agree_on_log_probabilities(start, monkeypatch):
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed in the training environment")
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    from vllm import LLM, SamplingParams

    model, _, prompts = model_and_prompts(start, torch.bfloat16)
    engine = LLM(
        model=str(start / "model"), dtype="bfloat16", gpu_memory_utilization=0.3, max_model_len=1024,
        enforce_eager=True, logprobs_mode="processed_logprobs",
    )  # fmt: skip
    wanted = SamplingParams(temperature=1.0, max_tokens=24, logprobs=0, seed=1)
    answers = engine.generate([{"prompt_token_ids": prefix} for prefix in prompts], wanted)
    for prefix, answer in zip(prompts, answers, strict=True):
        ids = list(answer.outputs[0].token_ids)
        drawn = [step[token].logprob for token, step in zip(ids, answer.outputs[0].logprobs, strict=True)]
        gaps = [abs(a - b) for a, b in zip(drawn, spoken(model, prefix, ids), strict=True)]
        assert sum(gaps) / len(gaps) < 0.1


def test_a_run_in_bfloat16_stops_and_resumes_on_the_gpu(start, tmp_path):
    config = sft_preset(
        "paper", model=str(start / "model"), dataset=str(start / "data.jsonl"), device=DEVICE, learning_rate=1e-3,
        global_batch=8, micro_batch=8, max_length=512, epochs=100, max_steps=12, save_every=4,
        precision="bfloat16" if DEVICE == "cuda" else "float32",
    )  # fmt: skip
    attempt = launch("sft", tmp_path, config)
    attempt.reach(5)
    attempt.kill()
    attempt = launch("sft", tmp_path, config)
    assert attempt.finish()["state"] == "succeeded"
    losses = curve(attempt.run, "loss")
    assert sorted(losses) == list(range(1, 13))
    assert losses[12] < losses[1]
