"""Supervised fine-tuning: `python -m training_app.trainers.sft --run-dir D`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import gcd
from typing import Any

from training_app.engine.config import SFTConfig
from training_app.engine.errors import TrainingError
from training_app.engine.rundir import RunDirectory
from training_app.trainers import launch
from training_app.trainers.journal import Journal

with launch.environment_of(__name__):
    from datasets import Dataset
    from trl import SFTConfig as TrlConfig
    from trl import SFTTrainer

    from training_app.trainers.callbacks import EarlyStop, JournalCallback
    from training_app.trainers.chat import Chat, Tokenized
    from training_app.trainers.finite import FiniteSteps
    from training_app.trainers.playing import EvaluationCallback
    from training_app.trainers.preflight import check_sft

_IGNORED = -100  # the label that the loss skips


class Trainer(FiniteSteps, SFTTrainer):
    """TRL's trainer, which takes no step whose numbers are none."""

    journal: Journal


def run_sft(run: RunDirectory, journal: Journal) -> dict[str, Any]:
    """Train as `config.json` says; what became of it. Raises TrainingError when the launch is refused."""
    config = launch.read_config(run, SFTConfig)
    launch.prepare(config)
    chat = Chat(launch.load_tokenizer(config.model))
    rows = checked_rows(run, config, chat, journal)
    trainer, callback = build(run, config, chat, rows, journal)
    run.write_json("environment.json", launch.environment(config))
    return launch.train(trainer, run, journal, callback, int(trainer_steps(trainer)))


def checked_rows(run: RunDirectory, config: SFTConfig, chat: Chat, journal: Journal) -> list[Tokenized]:
    """Tokenise and look; the report is stored before a refusal is raised."""
    records = launch.read_records(config.dataset)
    holdout = launch.read_records(config.holdout) if config.holdout else []
    report, rows = check_sft(chat, config, records, holdout)
    if journal.main:
        run.write_json("preflight.json", report.to_json())
    for warning in report.warnings:
        journal.event("warning", warning)
    report.raise_if_refused()
    journal.event("info", f"{report.figures['trained_share']:.0%} of tokens are trained", **report.figures)
    return rows


def build(
    run: RunDirectory, config: SFTConfig, chat: Chat, rows: Sequence[Tokenized], journal: Journal
) -> tuple[Any, JournalCallback]:
    """The TRL trainer over rows that are already tokenised, so that nothing is tokenised or cut behind our
    back.
    """
    rows = [*rows] * (config.global_batch // gcd(len(rows), config.global_batch) if config.fill_batches else 1)
    labels = [[t if m else _IGNORED for t, m in zip(r.ids, r.mask, strict=True)] for r in rows]
    data = Dataset.from_dict({"input_ids": [row.ids for row in rows], "labels": labels})
    arguments = TrlConfig(
        **launch.common_arguments(run, config),
        max_length=None,
        num_train_epochs=config.epochs,
        max_steps=config.max_steps or -1,
        gradient_accumulation_steps=_accumulation(config),
    )
    callback = JournalCallback(journal)
    callbacks: list[Any] = [callback]
    if config.stop_loss is not None:
        callbacks.append(EarlyStop(config.stop_loss, config.stop_window, journal))
    if config.evaluate_every is not None:
        callbacks.append(_evaluation(config, config.evaluate_every, chat, journal))
    trainer = Trainer(
        model=config.model,
        args=arguments,
        train_dataset=data,
        processing_class=chat.tokenizer,
        callbacks=callbacks,
        **launch.adapter(config),
    )
    trainer.journal = journal
    return trainer, callback


def _evaluation(config: SFTConfig, every: int, chat: Chat, journal: Journal) -> Any:
    if config.evaluation is None:
        raise TrainingError("config:invalid", "evaluate_every needs `evaluation`: which tasks are played, and how")
    return EvaluationCallback(config.evaluation, every, chat, journal)


def trainer_steps(trainer: Any) -> int:
    """Optimizer steps that the run consists of."""
    if trainer.args.max_steps > 0:
        return int(trainer.args.max_steps)
    batches = len(trainer.get_train_dataloader())
    per_epoch = -(-batches // trainer.args.gradient_accumulation_steps)
    return -int(-(per_epoch * trainer.args.num_train_epochs) // 1)


def _accumulation(config: SFTConfig) -> int:
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    per_pass = config.micro_batch * processes
    if config.global_batch % per_pass:
        raise TrainingError(
            "config:batch",
            f"global_batch {config.global_batch} is no multiple of {config.micro_batch} sequences "
            f"on {processes} processes",
        )
    return config.global_batch // per_pass


if __name__ == "__main__":
    raise SystemExit(launch.main("Supervised fine-tuning", run_sft))
