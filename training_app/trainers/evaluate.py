"""Play a local checkpoint on tasks: `python -m training_app.trainers.evaluate --run-dir D`.

Reads `D/config.json` (EvaluationConfig), writes `D/attempts.jsonl` as it goes and `D/summary.json` at the
end. A run that was interrupted goes on after the attempts it already has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

from training_app.engine.episodes import EpisodeFactory, is_known, load_factory
from training_app.engine.errors import TrainingError
from training_app.engine.metrics import LineWriter, read_records
from training_app.engine.rundir import RunDirectory
from training_app.evaluation.attempts import Attempt, read_attempts
from training_app.evaluation.config import EvaluationConfig
from training_app.evaluation.summary import summarise
from training_app.trainers import launch
from training_app.trainers.journal import Journal
from training_app.trainers.rollouts import Limits, Player, Rollout

with launch.environment_of(__name__):
    import torch
    from transformers import AutoModelForCausalLM

    from training_app.trainers.chat import Chat
    from training_app.trainers.sampling import ModelSampler


def run_evaluation(run: RunDirectory, journal: Journal) -> dict[str, Any]:
    """Play every task `attempts` times; how it ended. STOP ends it after the batch in progress."""
    config = launch.read_config(run, EvaluationConfig)
    launch.ready(config.model, config.threads, config.device, config.precision)
    factory = load_factory(config.episodes, config.episode_arguments)
    everything = _work(config, factory)
    player, sampler = _player(config, factory, journal), _sampler(config)
    path = run.root / "attempts.jsonl"
    done = {(a.task_id, a.index) for a in read_attempts(list(read_records(path)))}
    work = [item for item in everything if item not in done]
    total = len(work) + len(done)
    writer = LineWriter(path, time.time)
    for batch in _batches(work, config.batch):
        if run.stop_requested():
            break
        rollouts = player.play([task_id for task_id, _ in batch], sampler)
        for (_, index), rollout in zip(batch, rollouts, strict=True):
            attempt = attempt_of(rollout, index)
            writer.write("attempt", len(done), attempt.model_dump())
            done.add((attempt.task_id, index))
        journal.step = len(done)
        journal.beat()
    attempts = read_attempts(list(read_records(path)))
    run.write_json(
        "summary.json",
        {**summarise(attempts, seed=config.seed), "seed": config.seed, "temperature": config.temperature},
    )
    state = "succeeded" if len(done) == total else "stopped"
    return {
        "state": state,
        "step": len(done),
        "steps": total,
        "cpu_seconds": round(time.process_time(), 1),
        "message": f"{state}: {len(done)} of {total} attempts",
    }


def attempt_of(rollout: Rollout, index: int) -> Attempt:
    """A rollout as an attempt."""
    mask = rollout.mask()
    calls = [
        (call["function"]["name"], json.dumps(call["function"]["arguments"], ensure_ascii=False))
        for message in rollout.messages
        for call in message.get("tool_calls") or ()
    ]
    return Attempt(
        task_id=rollout.task_id,
        index=index,
        status=rollout.status,
        detail=rollout.detail,
        verdict=rollout.verdict,
        calls=tuple(calls),
        turns=rollout.turns,
        prompt_tokens=len(rollout.prompt_ids) + len(mask) - sum(mask),
        completion_tokens=sum(mask),
    )


def _work(config: EvaluationConfig, factory: EpisodeFactory) -> list[tuple[str, int]]:
    task_ids = list(dict.fromkeys(str(row["task_id"]) for row in launch.read_records(config.dataset)))
    if not task_ids:
        raise TrainingError(
            "preflight:refused",
            f"there are no tasks in {config.dataset}: name a file with one JSON object per line, each with a task_id",
        )
    unknown = [task_id for task_id in task_ids if not is_known(factory, task_id)]
    if unknown:
        raise TrainingError("preflight:refused", f"{len(unknown)} tasks are not known: {', '.join(unknown[:20])}")
    return [(task_id, index) for task_id in task_ids for index in range(config.attempts)]


def _batches(work: Sequence[tuple[str, int]], size: int) -> Iterator[Sequence[tuple[str, int]]]:
    for start in range(0, len(work), size):
        yield work[start : start + size]


def _player(config: EvaluationConfig, factory: EpisodeFactory, journal: Journal) -> Player:
    chat = Chat(launch.load_tokenizer(config.model))
    limits = Limits(
        turns=config.max_turns,
        turn_tokens=config.max_turn_tokens,
        completion_tokens=config.max_completion_length,
        observation_characters=config.observation_characters,
    )
    return Player(
        factory,
        chat,
        limits,
        system_prompt=config.system_prompt,
        workers=config.episode_workers,
        beat=journal.beat,
    )


def _sampler(config: EvaluationConfig) -> ModelSampler:
    torch.manual_seed(config.seed)
    model = AutoModelForCausalLM.from_pretrained(config.model, dtype=config.precision).to(config.device)
    tokenizer = launch.load_tokenizer(config.model)
    return ModelSampler(model, eos=tokenizer.eos_token_id, pad=tokenizer.pad_token_id, temperature=config.temperature)


if __name__ == "__main__":
    raise SystemExit(launch.main("Evaluation of a local checkpoint", run_evaluation))
