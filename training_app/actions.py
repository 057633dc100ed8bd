"""Write use cases: datasets, exports, training runs, evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from training_app import datasets, disk, launch_plan, launching, records
from training_app.datasets import DatasetError
from training_app.launching import LaunchError, Request
from training_app.models import Dataset, DatasetVersion, Evaluation, Export, TrainingRun
from webapp.common import activity, clean
from webapp.common.models import Run, User
from webapp.common.runs import StateConflict, resume, start_run

FORMATS = {
    Dataset.Kind.SFT: tuple(Export.Format.values),
    Dataset.Kind.RL: (Export.Format.TASKS.value, Export.Format.PROMPTS.value),
}
MAX_ATTEMPTS = 64
PASSED_SLUG = "passed-trajectories"


def create_dataset(
    *, title: str, kind: str, query: Mapping[str, Any] | None = None, slug: str = "", by: User | None
) -> Dataset:
    """Name a selection. Raises DatasetError for a query that cannot be read or a name that is taken."""
    title = clean.line(title, 200)
    slug = slugify(slug or title)[:60]
    if not slug:
        raise DatasetError("Give the dataset a name with letters or digits.")
    if kind not in Dataset.Kind.values:
        raise DatasetError(f"The kind of a dataset is one of {', '.join(Dataset.Kind.values)}.")
    wanted = {str(name): str(value) for name, value in (query or {}).items() if value not in (None, "")}
    wanted = datasets.default_query(kind) | wanted
    datasets.selection(kind, wanted)
    with transaction.atomic():
        dataset, created = Dataset.objects.get_or_create(
            slug=slug, defaults={"title": title, "kind": kind, "query": wanted, "created_by": by}
        )
        if not created:
            raise DatasetError(f"There is a dataset {slug} already; freeze another version of it, or choose a name.")
        activity.record(actor=by, verb="dataset.created", target=dataset, after={"kind": kind, "query": wanted})
    return dataset


def freeze(*, dataset: Dataset, shares: Mapping[str, float], seed: int, by: User | None) -> tuple[DatasetVersion, bool]:
    """Freeze what the dataset selects now. Raises DatasetError in words."""
    with transaction.atomic():
        version, created = datasets.freeze(dataset, shares=shares, seed=seed, by=by)
        if created:
            after = {"version": version.number, "rows": version.stats["rows"], "hash": version.content_hash}
            activity.record(actor=by, verb="dataset.frozen", target=version, after=after)
    return version, created


def passed_trajectories(*, by: User | None) -> DatasetVersion:
    """A version of all passed trajectories as they are now, without a held-out split. Raises DatasetError."""
    dataset = Dataset.objects.filter(slug=PASSED_SLUG).first() or create_dataset(
        title="Passed trajectories", slug=PASSED_SLUG, kind=Dataset.Kind.SFT, by=by
    )
    version, _ = freeze(dataset=dataset, shares={"train": 1.0}, seed=0, by=by)
    return version


def start_export(*, version: DatasetVersion, form: str, by: User | None) -> Export:
    """Start writing files of a version; an equal export that is complete is returned as it is.

    Raises DatasetError for a format that the dataset has no rows for.
    """
    if form not in FORMATS[Dataset.Kind(version.dataset.kind)]:
        raise DatasetError(f"A dataset of {version.dataset.get_kind_display()} cannot be exported as {form}.")
    known = version.exports.filter(format=form, manifest__isnull=False).first()
    if known is not None:
        return known
    payload = {"dataset": version.dataset.slug, "version": version.number, "format": form}
    with transaction.atomic():
        run = start_run(kind="export", title=f"Export {version} as {form}", payload=payload, by=by)
        return Export.objects.create(dataset_version=version, format=form, run=run, created_by=by)


def check_launch(request: Request) -> tuple[dict[str, Any], launching.Start, str]:
    """The whole configuration, the starting point and the mode. Raises LaunchError naming the wrong fields."""
    config = launching.configure(request)
    if not request.version.members.filter(split="train").exists():
        raise LaunchError("The dataset version has nothing to train on.", {"dataset": "no train split"})
    share = request.version.stats.get("simulated_share", 0.0)
    if share > request.max_simulated:
        words = f"{share:.0%} of the calls are simulated, the limit is {request.max_simulated:.0%}."
        raise LaunchError(words, {"max_simulated": words})
    start = launching.resolve_start(request)
    launching.check_leakage(request, start)
    launching.check_evaluation(request, config)
    return config.model_dump(mode="json"), start, _mode(request, start)


def _mode(request: Request, start: launching.Start) -> str:
    found: str
    if request.version.dataset.kind == Dataset.Kind.SFT:
        try:
            found = records.mode_of(request.version)
        except ValueError as error:
            raise LaunchError(str(error), {"dataset": str(error)}) from error
    else:
        found = start.run.mode if start.run is not None else request.mode or "meta"
    if request.mode and request.mode != found:
        raise LaunchError(f"The data and its model offer tools in mode {found}, not {request.mode}.", {"mode": found})
    return found


def launch(*, request: Request, by: User | None) -> TrainingRun:
    """Start a training run. Raises LaunchError naming the wrong fields."""
    config, start, _ = check_launch(request)
    launch_plan.check_place(request, config)
    room = disk.room_for(config, disk.directory_of(start))
    if room.words:
        raise LaunchError(room.words, {"keep_checkpoints": room.words})
    with transaction.atomic():
        title = f"{request.method.upper()} on {request.version}, preset {request.preset}"
        parent = start.run.run if start.run is not None else None
        run = start_run(kind=request.method, title=title, payload=request.payload(), by=by, parent=parent)
        return create_training(run, request)


def create_training(run: Run, request: Request) -> TrainingRun:
    """The row of a training run for its run. Raises LaunchError."""
    config, start, mode = check_launch(request)
    return TrainingRun.objects.create(
        run=run,
        method=request.method,
        preset=request.preset,
        overrides=dict(request.overrides),
        config=config,
        dataset_version=request.version,
        base=start.base,
        start_from=start.run,
        start_checkpoint=start.checkpoint,
        mode=mode,
        hours=request.hours,
    )


def delete_checkpoint(*, training: TrainingRun, name: str, by: User | None) -> int:
    """Free the disk of one checkpoint; the bytes. Raises ValueError in words."""
    freed = disk.delete(training, name)
    activity.record(actor=by, verb="checkpoint.deleted", target=training.run, before={"name": name, "bytes": freed})
    return freed


def resume_from(*, training: TrainingRun, name: str, by: User | None) -> Run:
    """Resume a stopped run from an earlier checkpoint; later ones are removed. Raises ValueError, StateConflict."""
    with transaction.atomic():
        run = Run.objects.select_for_update(of=("self",)).get(pk=training.run_id)
        if not run.can_resume:
            raise StateConflict("resume", run.state)
        removed = disk.rewind(training, name)
        activity.record(actor=by, verb="checkpoint.rewound", target=run, after={"name": name, "removed": removed})
        return resume(run, by)


def evaluate(  # noqa: PLR0913 - each argument is one decision about an evaluation
    *,
    version: DatasetVersion,
    split: str,
    training: TrainingRun | None = None,
    checkpoint: str = "",
    policy: str = "",
    attempts: int = 1,
    temperature: float = 0.0,
    seed: int = 0,
    mode: str = "meta",
    by: User | None,
) -> Evaluation:
    """Start judging a checkpoint or a policy on a frozen split. Raises LaunchError in words."""
    if (training is None) == (not policy):
        raise LaunchError("Evaluate either a training run or a policy.", {"subject": "one of the two"})
    if not 1 <= attempts <= MAX_ATTEMPTS:
        raise LaunchError(f"Attempts per task: 1 to {MAX_ATTEMPTS}.", {"attempts": f"1 to {MAX_ATTEMPTS}"})
    if not version.members.filter(split=split).exists():
        raise LaunchError(f"{version} has no tasks in the split {split}.", {"split": "empty"})
    if training is not None:
        if checkpoint != launching.START or launching.START not in launching.judgeable(training):
            checkpoint = launching.resolve_checkpoint(training, checkpoint)
        mode = training.mode
        if launching.device_words(training.config):
            words = (
                "A checkpoint is judged on the device that its run is configured for, cuda, and this machine shows no "
                "GPU: evaluate it on a machine with one."
            )
            raise LaunchError(words, {"subject": words})
    payload = {
        "dataset": version.dataset.slug, "version": version.number, "split": split,
        "training_run": training.public_id if training else None, "checkpoint": checkpoint, "policy": policy,
        "attempts": attempts, "temperature": temperature, "seed": seed, "mode": mode,
    }  # fmt: skip
    name = policy or f"{training} · {checkpoint}"
    with transaction.atomic():
        parent = training.run if training is not None else None
        run = start_run(
            kind="evaluate",
            title=f"Evaluate {name} on {version} {split}",
            payload=payload,
            by=by,
            parent=parent,
            queue="train" if training is not None else "rollout",
        )
        return create_evaluation(run, version, training, payload)


def create_evaluation(
    run: Run, version: DatasetVersion, training: TrainingRun | None, payload: Mapping[str, Any]
) -> Evaluation:
    """The row of an evaluation for its run."""
    split = str(payload["split"])
    trained = training.start_from if training is not None and payload["checkpoint"] == launching.START else training
    seen = launching.seen_before(trained, version, (split,)) if trained is not None else 0
    return Evaluation.objects.create(
        run=run,
        subject=payload["policy"] or "checkpoint",
        training_run=training,
        checkpoint=payload["checkpoint"],
        dataset_version=version,
        split=split,
        rollouts_per_task=payload["attempts"],
        temperature=payload["temperature"],
        seed=payload["seed"],
        mode=payload["mode"],
        seen_tasks=seen,
    )
