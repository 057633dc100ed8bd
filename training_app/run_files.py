"""The run directory of a training run or an evaluation: data, tasks, services, configuration."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from services_app.builders.source import package_name
from services_app.environments import hidden_tools, module_of
from services_app.models import Service
from tasks_app.bundle import Sources, write_bundle
from tasks_app.engine.rollout import SYSTEM
from training_app import episodes, records
from training_app.engine.config import TrainerConfig
from training_app.engine.errors import TrainingError
from training_app.engine.rundir import RunDirectory
from training_app.evaluation.config import EvaluationConfig
from training_app.exports.ndjson import Written, write_ndjson
from training_app.launching import CLASSES, START, TINY, evaluation_split, preset_values
from training_app.models import DatasetVersion, Evaluation, TrainingRun

BLOCK: Final = 1 << 20
REFERENCES: Final = 200
"""Trajectories of the same tasks whose length is compared with the completion budget."""
OWN_MODEL: Final = "(the model in training)"
EPISODE_LIMITS: Final = ("max_turns", "max_turn_tokens", "max_completion_length", "observation_characters")


def training_directory(training: TrainingRun) -> RunDirectory:
    return RunDirectory(Path(settings.WORKBENCH_FILES) / "training" / training.public_id)


def evaluation_directory(evaluation: Evaluation) -> RunDirectory:
    return RunDirectory(Path(settings.WORKBENCH_FILES) / "evaluations" / evaluation.public_id)


def weights(training: TrainingRun, checkpoint: str) -> Path:
    """The directory of a run's final model ("model" or ""), of one of its checkpoints, or of what it started from."""
    run = training_directory(training)
    if checkpoint == START:
        return Path(model_path(training, run))
    return run.model if checkpoint in ("", "model") else run.checkpoints / checkpoint


def weights_hash(training: TrainingRun, checkpoint: str) -> str:
    """SHA-256 over the weight files of a checkpoint one after another, in order of their names; "" without any."""
    files = sorted(weights(training, checkpoint).glob("*.safetensors"))
    found = sha256()
    for path in files:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                found.update(block)
    return found.hexdigest() if files else ""


def write_training(training: TrainingRun) -> RunDirectory:
    """Everything the trainer reads, except a tiny model, which the trainer's environment makes.

    A directory that holds its configuration is complete and stays as it is: a resumed run sees the same data.
    """
    run = training_directory(training)
    run.create()
    if run.config.exists():
        return run
    version = training.dataset_version
    config = dict(training.config)
    config |= {"model": str(model_path(training, run)), "provenance": provenance(version)}
    config |= _sft_data(run, training) if training.method == "sft" else _grpo_data(run, training)
    checked = CLASSES[training.method].model_validate(config)
    _write_config(run, checked)
    return run


def model_path(training: TrainingRun, run: RunDirectory) -> Path | str:
    """Where the trainer finds the weights it starts from."""
    if training.base == TINY:
        return run.root / "start"
    if training.start_from is not None:
        return weights(training.start_from, training.start_checkpoint)
    return training.base


def _sft_data(run: RunDirectory, training: TrainingRun) -> dict[str, Any]:
    version, mode = training.dataset_version, mode_of(training)
    data: dict[str, Any] = {"dataset": str(_write(run, "train", records.imitated(version, "train", mode)).path)}
    held = [split for split in records.splits_of(version) if split != "train"]
    if held:
        rows = (row for split in held for row in records.imitated(version, split, mode))
        data["holdout"] = str(_write(run, "holdout", rows).path)
    if training.config.get("evaluate_every"):
        data["evaluation"] = _evaluation(run, training)
    return data


def _evaluation(run: RunDirectory, training: TrainingRun) -> dict[str, Any]:
    """The first held-out tasks of the version, played greedily within the limits that GRPO of the preset would have."""
    version, config = training.dataset_version, training.config
    split = evaluation_split(version)
    limits = preset_values("grpo", training.preset)
    rows = islice(records.prompts(version, split), int(config["evaluate_tasks"]))
    return {
        "model": OWN_MODEL,
        "dataset": str(_write(run, "evaluation", rows).path),
        "episodes": episodes.TARGET,
        "episode_arguments": {"directory": str(write_tasks(run, version, split)), "mode": training.mode},
        "system_prompt": SYSTEM,
        "seed": config["seed"],
        "device": config["device"],
        "precision": config["precision"],
        **{name: limits[name] for name in EPISODE_LIMITS},
    }


def _grpo_data(run: RunDirectory, training: TrainingRun) -> dict[str, Any]:
    version = training.dataset_version
    bundle = write_tasks(run, version, "train")
    rows = islice(records.imitated(version, "train", mode_of(training)), REFERENCES)
    return {
        "dataset": str(_write(run, "train", records.sized_prompts(version, "train")).path),
        "reference": str(_write(run, "reference", rows).path),
        "system_prompt": SYSTEM,
        "episodes": episodes.TARGET,
        "episode_arguments": {"directory": str(bundle), "mode": training.mode},
    }


def mode_of(training: TrainingRun) -> records.Mode:
    return "direct" if training.mode == "direct" else "meta"


def write_tasks(run: RunDirectory, version: DatasetVersion, split: str) -> Path:
    """The bundle of a split's tasks in the run directory."""
    bundle = run.root / "bundle"
    slugs = sorted({mounted.slug for spec, _ in records.specs(version, split) for mounted in spec.services})
    write_bundle(bundle, (spec for spec, _ in records.specs(version, split)), sources_of(slugs))
    return bundle


def sources_of(slugs: list[str]) -> Sources:
    """Services as they are in the catalogue now: modules, sources of the generated ones, tools to hide.

    Raises TrainingError("config:services") for a service that does not exist or was never built.
    """
    services = {row.slug: row for row in Service.objects.filter(slug__in=slugs).select_related("current")}
    missing = [slug for slug in slugs if slug not in services or services[slug].current is None]
    if missing:
        raise TrainingError("config:services", f"services not available: {', '.join(missing)}")
    files: dict[str, str] = {}
    for service in services.values():
        if service.origin == Service.Origin.BUILT and service.current is not None:
            files |= {f"{package_name(service.slug)}/{name}": text for name, text in service.current.files.items()}
    return Sources({slug: module_of(services[slug]) for slug in slugs}, hidden_tools(slugs), files)


def write_evaluation(evaluation: Evaluation, config: dict[str, Any]) -> RunDirectory:
    """Tasks, prompts and configuration of an evaluation of local weights; `config` holds model and limits."""
    run = evaluation_directory(evaluation)
    run.create()
    if run.config.exists():
        return run
    version = evaluation.dataset_version
    bundle = write_tasks(run, version, evaluation.split)
    checked = EvaluationConfig.model_validate(
        {
            **config,
            "dataset": str(_write(run, "tasks", records.prompts(version, evaluation.split)).path),
            "episodes": episodes.TARGET,
            "episode_arguments": {"directory": str(bundle), "mode": evaluation.mode},
            "system_prompt": SYSTEM,
            "attempts": evaluation.rollouts_per_task,
            "temperature": evaluation.temperature,
            "seed": evaluation.seed,
        }
    )
    _write_config(run, checked)
    return run


def provenance(version: DatasetVersion) -> dict[str, str]:
    """What the run records about its data."""
    return {
        "dataset": version.dataset.slug,
        "dataset_version": str(version.number),
        "dataset_hash": version.content_hash,
        "split_seed": str(version.split_seed),
    }


def _write(run: RunDirectory, name: str, rows: Any) -> Written:
    return write_ndjson(run.root / "data" / f"{name}.jsonl", rows)


def _write_config(run: RunDirectory, config: TrainerConfig | EvaluationConfig) -> None:
    run.write_json("config.json", config.model_dump(mode="json"))
