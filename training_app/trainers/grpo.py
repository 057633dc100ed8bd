"""Reinforcement learning with group-relative advantages: `python -m training_app.trainers.grpo --run-dir D`.

TRL does the optimisation; the episodes are ours, through its `rollout_func`. Rewards and advantages are
computed in plain floats over whole groups (gathered from all processes), and TRL's own advantages are
replaced by them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from training_app.engine.config import GRPOConfig
from training_app.engine.episodes import EpisodeFactory, load_factory
from training_app.engine.errors import TrainingError
from training_app.engine.metrics import read_records
from training_app.engine.pool import Choice, Played, Sized, replacement, retired
from training_app.engine.rundir import RunDirectory
from training_app.exports.ndjson import write_ndjson
from training_app.trainers import groups, launch
from training_app.trainers.journal import Journal
from training_app.trainers.rollouts import Limits, Player, Rollout, Sampler
from training_app.trainers.vllm_server import check_server

with launch.environment_of(__name__):
    import torch
    from accelerate.utils import gather_object
    from datasets import Dataset
    from trl import GRPOConfig as TrlConfig
    from trl import GRPOTrainer

    from training_app.trainers.callbacks import JournalCallback
    from training_app.trainers.chat import Chat
    from training_app.trainers.finite import FiniteSteps
    from training_app.trainers.preflight import check_grpo
    from training_app.trainers.sampling import ServerSampler, TrainerSampler, VllmSampler


def rubric_reward(prompts: Any, completions: Any, reward: Sequence[float | None], **kwargs: Any) -> list[float | None]:
    """TRL's reward function: the rewards were computed with the rollouts, None = left out."""
    return list(reward)


class GroupTrainer(FiniteSteps, GRPOTrainer):
    """GRPOTrainer whose batches are rollouts of our episodes, scored as whole groups."""

    def attach(self, run: RunDirectory, config: GRPOConfig, player: Player, chat: Chat, journal: Journal) -> None:
        """Hand over what the rollouts need; before `train`."""
        self.run, self.settings, self.player, self.chat, self.journal = run, config, player, chat, journal
        self.pool = [row["task_id"] for row in self.train_dataset]
        self.choice = choice_of(config, self.train_dataset)
        self.history: list[Played] = []
        self.server = ServerSampler(self, config.max_turn_tokens) if config.vllm == "server" else None
        self.sampler: Sampler = self.server or (
            VllmSampler(self, config.max_turn_tokens)
            if config.vllm == "colocate"
            else TrainerSampler(self, config.temperature)
        )
        self._chosen: Mapping[str, Any] = {}
        self._rows: list[dict[str, Any]] = []
        self._advantages: list[float] = []
        self._last_logprobs: Any = None

    def rollout(self, prompts: Sequence[Any]) -> dict[str, list[Any]]:
        """Play the current rows, score whole groups, store them, and give TRL ids, masks and rewards."""
        rollouts = self.player.play(self._tasks(), self.sampler)
        if self.server is not None:
            self.server.drain()
        mine = [groups.summarise(rollout, self.chat.text) for rollout in rollouts]
        everyone = gather_object(mine)
        try:
            scored = groups.score(everyone, self.settings)
        except ValueError as error:  # a group in pieces, or one that was judged by different rubrics
            raise TrainingError(
                "run:groups", f"Step {int(self.state.global_step) + 1} was not taken: {error}"
            ) from error
        self._record(scored)
        first = self.accelerator.process_index * len(mine)
        rewards = [r for group in scored for r in group.reward.rewards][first : first + len(mine)]
        self._advantages = [a for group in scored for a in group.advantages][first : first + len(mine)]
        return self._for_trl(rollouts, rewards)

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        self._rows = inputs
        output = dict(super()._generate_and_score_completions(inputs))
        # TRL divides float noise by its own deviation; the engine's advantages are exactly 0 there.
        output["advantages"] = torch.tensor(self._advantages, device=output["advantages"].device)
        return output

    def _get_per_token_logps_and_entropies(self, *args: Any, **kwargs: Any) -> Any:
        result = super()._get_per_token_logps_and_entropies(*args, **kwargs)
        self._last_logprobs = result[0].detach()
        return result

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Any:
        loss = super()._compute_loss(model, inputs)
        every = self.args.steps_per_generation * self.num_iterations
        if self._step % every < self.args.steps_per_generation:  # before the first update on these rollouts
            mask = (inputs["completion_mask"] * inputs["tool_mask"]).bool()
            gap = (self._last_logprobs - inputs["sampling_per_token_logps"]).abs()[mask]
            self._metrics["train"]["sampler_gap"].append(float(gap.nanmean()) if gap.numel() else 0.0)
        return loss

    def _tasks(self) -> list[str]:
        """The task of each row of this process."""
        if self.choice.is_even:
            gone = retired(self.history, self.settings.retire_after)
            return [replacement(row["task_id"], self.pool, gone) for row in self._rows]
        size, mine = self.settings.group_size, len(self._rows)
        groups_here = mine * self.accelerator.num_processes // size
        chosen = self.choice.of_step(int(self.state.global_step) + 1, self.history, groups_here)
        self._chosen = {"choice": chosen.figures}
        everyone = [name for name in chosen.task_ids for _ in range(size)]
        first = self.accelerator.process_index * mine
        return everyone[first : first + mine]

    def _for_trl(self, rollouts: Sequence[Rollout], rewards: Sequence[float | None]) -> dict[str, list[Any]]:
        # A rollout that crashed before its first token still needs one, masked.
        end = self.processing_class.eos_token_id
        completions = [r.completion_ids or [end] for r in rollouts]
        masks = [groups.trained_mask(r, reward is None) or [0] for r, reward in zip(rollouts, rewards, strict=True)]
        return {
            "prompt_ids": [r.prompt_ids or [end] for r in rollouts],
            "completion_ids": completions,
            "logprobs": [r.logprobs or [0.0] for r in rollouts],
            "env_mask": masks,
            "reward": list(rewards),
        }

    def _record(self, scored: Sequence[groups.Group]) -> None:
        step = int(self.state.global_step) + 1
        self.history += [groups.played(group) for group in scored]
        numbers = groups.metrics(scored) | dict(self._chosen)
        self.journal.step = step
        self._watch(numbers)
        if self.journal.main:
            write_ndjson(self.run.rollouts(step), groups.stored_rows(scored, step))
            self.journal.metrics("rollouts", step, numbers)

    def _watch(self, numbers: dict[str, Any]) -> None:
        if numbers["truncated_share"] > self.settings.clipped_alarm:
            self.journal.event("warning", f"{numbers['truncated_share']:.0%} of the rollouts were cut by a limit")
        invalid = 1 - numbers["valid"] / numbers["rollouts"]
        if invalid > self.settings.invalid_pause:
            causes = ", ".join(f"{name} ({count})" for name, count in numbers["invalid"].items())
            message = f"{invalid:.0%} of the rollouts are invalid: {causes}; the run stops after this step"
            self.journal.event("error", message)
            self.run.request_stop(message)


def run_grpo(run: RunDirectory, journal: Journal) -> dict[str, Any]:
    """Train as `config.json` says; what became of it. Raises TrainingError when the launch is refused."""
    config = launch.read_config(run, GRPOConfig)
    if config.vllm_server is not None:
        check_server(config.vllm_server)
    launch.prepare(config)
    chat = Chat(launch.load_tokenizer(config.model))
    factory = load_factory(config.episodes, config.episode_arguments)
    rows = checked_rows(run, config, chat, factory, journal)
    trainer, callback = build(run, config, chat, factory, rows, journal)
    run.write_json("environment.json", launch.environment(config))
    return launch.train(trainer, run, journal, callback, config.steps)


def checked_rows(
    run: RunDirectory, config: GRPOConfig, chat: Chat, factory: EpisodeFactory, journal: Journal
) -> list[dict[str, Any]]:
    """Look at tasks, prompts and budgets; the report is stored before a refusal is raised."""
    from transformers import AutoConfig

    rows = [
        {"prompt": row["prompt"], "task_id": str(row["task_id"]), "k": row.get("k"), "l": row.get("l")}
        for row in launch.read_records(config.dataset)
    ]
    references = launch.read_records(config.reference) if config.reference else []
    window = getattr(AutoConfig.from_pretrained(config.model), "max_position_embeddings", None)
    report = check_grpo(chat, config, rows, factory, references, window)
    if journal.main:
        run.write_json("preflight.json", report.to_json())
    for warning in report.warnings:
        journal.event("warning", warning)
    report.raise_if_refused()
    return rows


def build(
    run: RunDirectory,
    config: GRPOConfig,
    chat: Chat,
    factory: EpisodeFactory,
    rows: Sequence[dict[str, Any]],
    journal: Journal,
) -> tuple[GroupTrainer, JournalCallback]:
    """The trainer, ready to train."""
    limits = Limits(
        turns=config.max_turns,
        turn_tokens=config.max_turn_tokens,
        completion_tokens=config.max_completion_length,
        observation_characters=config.observation_characters,
    )
    player = Player(
        factory,
        chat,
        limits,
        system_prompt=config.system_prompt,
        workers=config.episode_workers,
        beat=journal.beat,
    )
    callback = JournalCallback(journal, {"sampler_gap": config.gap_alarm})
    trainer = GroupTrainer(
        model=config.model,
        reward_funcs=rubric_reward,
        args=TrlConfig(**launch.common_arguments(run, config), **_arguments(config)),
        train_dataset=Dataset.from_list(list(rows)),
        processing_class=chat.tokenizer,
        rollout_func=lambda prompts, trainer: trainer.rollout(prompts),
        callbacks=[callback],
        **launch.adapter(config),
    )
    trainer.attach(run, config, player, chat, journal)
    checkpoint = run.newest_checkpoint()
    step = int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0
    trainer.history += _history(run, step)
    if journal.main:
        run.forget_rollouts_after(step)
    return trainer, callback


def _arguments(config: GRPOConfig) -> dict[str, Any]:
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    rollouts = config.group_size * config.groups_per_step
    per_pass = config.micro_batch * processes
    if rollouts % per_pass:
        raise TrainingError(
            "config:batch", f"{rollouts} rollouts per step do not divide into {per_pass} per pass over all devices"
        )
    return {
        "num_generations": config.group_size,
        "gradient_accumulation_steps": rollouts // per_pass,
        "max_steps": config.steps,
        "num_iterations": config.iterations,
        "epsilon": config.epsilon,
        "epsilon_high": config.epsilon_high,
        "beta": config.beta,
        "entropy_coef": config.entropy_coef,
        "loss_type": config.loss_type,
        "scale_rewards": config.scale_rewards,
        "temperature": config.temperature,
        "max_completion_length": config.max_completion_length,
        **_vllm(config),
    }


def _vllm(config: GRPOConfig) -> dict[str, Any]:
    if config.vllm == "off":
        return {}
    server = {"vllm_server_base_url": config.vllm_server} if config.vllm == "server" else {}
    return {"use_vllm": True, "vllm_mode": config.vllm, **server}


def choice_of(config: GRPOConfig, rows: Iterable[Mapping[str, Any]]) -> Choice:
    """How the tasks of each step are chosen from the rows."""
    pool = tuple(Sized(row["task_id"], int(row["k"] or 0), int(row["l"] or 0)) for row in rows)
    return Choice(pool, config.seed, config.curriculum_steps, config.lean_to_failures, config.retire_after)


def _history(run: RunDirectory, until: int) -> list[Played]:
    """What was played in the steps that the checkpoint has seen, for the choice of tasks."""
    found: list[Played] = []
    for step in range(1, until + 1):
        found += groups.stored_history(read_records(run.rollouts(step)))
    return found


if __name__ == "__main__":
    raise SystemExit(launch.main("Reinforcement learning with group-relative advantages", run_grpo))
