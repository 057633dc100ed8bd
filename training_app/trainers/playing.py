"""Held-out tasks played while supervised fine-tuning goes on: what the loss does not say."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import torch
from transformers import TrainerCallback

from training_app.engine.episodes import is_known, load_factory
from training_app.engine.errors import TrainingError
from training_app.evaluation.attempts import Attempt
from training_app.evaluation.config import EvaluationConfig
from training_app.evaluation.summary import summarise
from training_app.trainers import launch
from training_app.trainers.chat import Chat
from training_app.trainers.evaluate import attempt_of
from training_app.trainers.journal import Journal
from training_app.trainers.rollouts import Limits, Player
from training_app.trainers.sampling import ModelSampler


class EvaluationCallback(TrainerCallback):
    """Plays the same few tasks before the first step and after every `every` steps; one line of metrics each time.

    Only the main process plays; the others wait for it at the next step. The trainer's random numbers are put back
    afterwards, so that a run with evaluations takes the same steps as one without.
    """

    def __init__(self, config: EvaluationConfig, every: int, chat: Chat, journal: Journal) -> None:
        """Raises TrainingError("preflight:refused") for tasks that the environments do not know."""
        self._config, self._every, self._chat, self._journal = config, every, chat, journal
        factory = load_factory(config.episodes, config.episode_arguments)
        self._task_ids = list(dict.fromkeys(str(row["task_id"]) for row in launch.read_records(config.dataset)))
        if not self._task_ids:
            raise TrainingError(
                "preflight:refused",
                f"evaluation while training: there are no tasks in {config.dataset}; hold tasks out, or leave "
                "evaluate_every empty",
            )
        unknown = [task_id for task_id in self._task_ids if not is_known(factory, task_id)]
        if unknown:
            listed = ", ".join(unknown[:20])
            raise TrainingError(
                "preflight:refused", f"evaluation while training: {len(unknown)} tasks are not known: {listed}"
            )
        limits = Limits(
            turns=config.max_turns,
            turn_tokens=config.max_turn_tokens,
            completion_tokens=config.max_completion_length,
            observation_characters=config.observation_characters,
        )
        self._player = Player(
            factory, chat, limits, system_prompt=config.system_prompt, workers=config.episode_workers, beat=journal.beat
        )

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """What the model can do before it is trained; a resumed run has that already."""
        if state.global_step == 0:
            self._evaluate(kwargs["model"], 0)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """What it can do now."""
        if state.global_step % self._every == 0:
            self._evaluate(kwargs["model"], state.global_step)

    def _evaluate(self, model: Any, step: int) -> None:
        if not self._journal.main:
            return
        began = time.monotonic()
        attempts = self._play(model)
        numbers = figures(attempts, self._config.seed) | {"seconds": round(time.monotonic() - began, 2)}
        self._journal.metrics("evaluation", step, numbers)
        solved = sum(attempt.solved for attempt in attempts)
        self._journal.event("info", f"step {step}: {solved} of {len(attempts)} held-out tasks are solved")

    def _play(self, model: Any) -> list[Attempt]:
        found: list[Attempt] = []
        tokenizer = self._chat.tokenizer
        with torch.random.fork_rng():
            torch.manual_seed(self._config.seed)
            sampler = ModelSampler(
                model, eos=tokenizer.eos_token_id, pad=tokenizer.pad_token_id, temperature=self._config.temperature
            )
            for start in range(0, len(self._task_ids), self._config.batch):
                rollouts = self._player.play(self._task_ids[start : start + self._config.batch], sampler)
                found += [attempt_of(rollout, 0) for rollout in rollouts]
        return found


def figures(attempts: Sequence[Attempt], seed: int) -> dict[str, Any]:
    """Success and score of one evaluation, with the interval of the success and what could not be told."""
    found = summarise(attempts, seed=seed)
    counts = {name: found[name] for name in ("tasks", "valid", "attempts")}
    if "success_rate" not in found:
        return counts
    rate = found["success_rate"]
    return {
        **counts,
        "success_rate": rate["value"],
        "success_low": rate["low"],
        "success_high": rate["high"],
        "score": found["score"]["value"],
        "near_misses": len(found["near_misses"]),
    }
