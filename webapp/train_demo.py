"""The proof that training works, on a CPU and within minutes: data, SFT, GRPO, evaluations and what became of them.

Tasks are of one small kind (`tasks_app.authors.practice`) on two shipped services, the model is a random one of 0.3 M
parameters. Each step is a job of its own; a demo whose worker died goes on after the jobs that have succeeded.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.environments import mounting_of
from services_app.pipelines.building import sandbox_words
from services_app.shipped import verify_missing
from tasks_app.authors import practice
from tasks_app.models import Task
from tasks_app.pipelines import store_task
from training_app import actions, evaluating, run_files
from training_app.child_jobs import evaluation_job, evaluations_of, training_job, trainings_of
from training_app.datasets import DatasetError
from training_app.launching import START, TINY, Request
from training_app.models import Dataset, DatasetVersion, Evaluation, TrainingRun
from webapp.common.child_runs import Job, Stage, go_through
from webapp.common.models import Run, User
from webapp.common.run_models import LIVE, RunState
from webapp.common.runs import RunContext, RunFailed, start_run

KIND: Final = "train-demo"
SLUG: Final = "practice-world"
SEEDS: Final = {"tasks": 7, "split": 0, "sft": 1, "grpo": 3, "evaluations": 5}
SIZES: Final[dict[str, Any]] = {
    "tasks": 800,
    "held_out": 0.25,
    "sft": {"epochs": 8, "max_steps": None, "global_batch": 16, "micro_batch": 16, "max_length": 1024},
    "grpo": {"steps": 60, "groups_per_step": 8, "micro_batch": 64, "save_every": 30},
}
"""What a demo may be given otherwise. Each step of GRPO plays 8 tasks 8 times."""
LEAST_COMPLETION: Final = 0.5
LEAST_GAIN: Final = 0.2


def start(by: User | None, **sizes: Any) -> Run:
    """Start the proof; the one that works already is returned instead of a second one. `sizes` as in SIZES."""
    live = Run.objects.filter(kind=KIND, state__in=LIVE).first()
    return live or start_run(kind=KIND, title="Proof of training on a CPU", payload=sizes, by=by)


def make(context: RunContext) -> dict[str, Any]:
    """Do what is missing and say what came of it."""
    go_through(context, STAGES)
    return figures(context.run)


def _size(run: Run, name: str) -> Any:
    return run.payload.get(name, SIZES[name])


def verify(_context: RunContext) -> list[Job]:
    """The two services that the tasks use."""
    return verify_missing(practice.SERVICES)


def write(context: RunContext) -> list[Job]:
    """Write and prove the tasks here: a thousand take less than a minute."""
    count = int(_size(context.run, "tasks"))
    if tasks().count() >= count:
        context.log(f"{count} practice tasks are there already.")
        return []
    try:
        with mounting_of(practice.SERVICES) as mounting:
            made = practice.write_many(count, seed=SEEDS["tasks"], mounting=mounting)
            for number, spec in enumerate(made):
                context.checkpoint()
                store_task(spec, run=context.run, by=context.run.created_by, number=number)
                context.progress(phase=f"writing and proving tasks: {number + 1} of {count}")
    except ValueError as error:
        raise RunFailed("train-demo:task", f"{error}. Are all tools of mail and shop-catalog verified?") from error
    except (EngineError, ServiceDefect) as error:
        raise sandbox_words(error) from error
    context.log(f"{count} tasks are written and proven.")
    return []


def tasks() -> Any:
    """Practice tasks that hold."""
    return Task.objects.filter(author=practice.BACKEND, status=Task.Status.VERIFIED)


def freeze(context: RunContext) -> list[Job]:
    """Freeze them, whole families to one side; equal content is not frozen twice."""
    by = context.run.created_by
    share = float(_size(context.run, "held_out"))
    try:
        dataset = Dataset.objects.filter(slug=SLUG).first() or actions.create_dataset(
            title="Practice world", slug=SLUG, kind=Dataset.Kind.RL, query={"author": practice.BACKEND}, by=by
        )
        version, _ = actions.freeze(
            dataset=dataset, shares={"train": 1 - share, "test": share}, seed=SEEDS["split"], by=by
        )
    except DatasetError as error:
        raise RunFailed("train-demo:dataset", str(error)) from error
    context.log(f"Frozen as {version}.")
    return []


def tune(context: RunContext) -> list[Job]:
    """Imitate the reference solutions, and stop early: a policy that fails now and then has something to learn."""
    request = Request(
        method="sft",
        preset="cpu-proof",
        version=_version(),
        start=TINY,
        mode="direct",
        overrides={"seed": SEEDS["sft"], "stop_loss": 0.05, **_size(context.run, "sft")},
    )
    return [training_job("Practice: supervised fine-tuning", request)]


def judge_tuned(context: RunContext) -> list[Job]:
    """The random weights, and what imitation made of them."""
    tuned = _trained(context.run, "sft")
    return [_judge(tuned, START, 0.0), _judge(tuned, "model", 0.0), _judge(tuned, "model", 1.0)]


def reinforce(context: RunContext) -> list[Job]:
    """Go on from there by reinforcement learning."""
    request = Request(
        method="grpo",
        preset="cpu-proof",
        version=_version(),
        start=f"run:{_trained(context.run, 'sft').public_id}@model",
        overrides={"seed": SEEDS["grpo"], **_size(context.run, "grpo")},
    )
    return [training_job("Practice: reinforcement learning", request)]


def judge_reinforced(context: RunContext) -> list[Job]:
    """The same held-out tasks again."""
    reinforced = _trained(context.run, "grpo")
    return [_judge(reinforced, "model", 1.0), _judge(reinforced, "model", 0.0)]


def _judge(training: TrainingRun, checkpoint: str, temperature: float) -> Job:
    words = {START: "the weights before training", "model": f"what {training.method.upper()} made"}[checkpoint]
    manner = f"at temperature {temperature:g}" if temperature else "greedily"
    return evaluation_job(
        f"Practice: judge {words}, {manner}",
        training,
        training.dataset_version,
        checkpoint=checkpoint,
        temperature=temperature,
        seed=SEEDS["evaluations"],
    )


def _version() -> DatasetVersion:
    return DatasetVersion.objects.select_related("dataset").filter(dataset__slug=SLUG).latest("number")


def _trained(run: Run, method: str) -> TrainingRun:
    found: TrainingRun = trainings_of(run).filter(method=method, run__state=RunState.SUCCEEDED).latest("id")
    return found


STAGES: Final[tuple[Stage, ...]] = (
    ("verifying two shipped services", verify),
    ("writing and proving tasks", write),
    ("freezing a dataset", freeze),
    ("supervised fine-tuning", tune),
    ("judging it on held-out tasks", judge_tuned),
    ("reinforcement learning", reinforce),
    ("judging it on the same tasks", judge_reinforced),
)


def figures(run: Run) -> dict[str, Any]:
    """All figures with intervals, seeds and hashes, and whether each promise held."""
    judged = {
        (one.training_run.method, one.checkpoint, one.temperature): one
        for one in evaluations(run)
        if one.training_run is not None
    }
    begun, tuned = judged["sft", START, 0.0], judged["sft", "model", 0.0]
    before, after = judged["sft", "model", 1.0], judged["grpo", "model", 1.0]
    trained = {method: _training(_trained(run, method)) for method in ("sft", "grpo")}
    trained["sft"]["loss"] = loss = _loss(tuned)
    version = tuned.dataset_version
    pair = evaluating.compare_evaluations(before, after)
    return {
        "world": {
            "services": list(practice.SERVICES),
            "dataset": str(version),
            "content_hash": version.content_hash,
            "rule": version.stats["rule"],
            "splits": version.stats["splits"],
        },
        "seeds": dict(SEEDS),
        "training": trained,
        "evaluations": {
            name: _judged(one)
            for name, one in (
                ("before_training_greedy", begun), ("sft_greedy", tuned), ("sft_sampled", before),
                ("grpo_sampled", after), ("grpo_greedy", judged["grpo", "model", 0.0]),
            )
        },
        "comparison": {"first": before.public_id, "second": after.public_id, **_short(pair)},
        "promises": _promises(loss, begun, tuned, pair),
        "seconds": _seconds(run, trained),
    }  # fmt: skip


def evaluations(run: Run) -> list[Evaluation]:
    """Those of this demo that have figures, in the order in which they were made."""
    return list(evaluations_of(run).filter(results__isnull=False))


def _training(training: TrainingRun) -> dict[str, Any]:
    result = training.run.result or {}
    return {
        "job": training.run.public_id,
        "training_run": training.public_id,
        "steps": result.get("step"),
        "early_stop": result.get("early_stop"),
        "seed": training.config["seed"],
        "cpu_seconds": result.get("cpu_seconds"),
        "weights_sha256": run_files.weights_hash(training, "model"),
    }


def _loss(tuned: Evaluation) -> dict[str, float]:
    """Of the run that an evaluation judged: at its first step, and the mean of its last three."""
    assert tuned.training_run is not None
    rows = tuned.training_run.metrics.filter(name="loss").order_by("step")
    losses = list(rows.values_list("value", flat=True))
    return {"first": losses[0], "last_three_mean": sum(losses[-3:]) / len(losses[-3:])}


def _judged(one: Evaluation) -> dict[str, Any]:
    results = one.results or {}
    kept = ("success_rate", "score", "valid", "attempts", "invalid", "provenance")
    return {"evaluation": one.public_id, "job": one.run.public_id, **{name: results.get(name) for name in kept}}


def _short(pair: Mapping[str, Any]) -> dict[str, Any]:
    return {name: pair[name] for name in ("tasks", "success_rate", "score", "table", "seed")}


def _promises(
    loss: Mapping[str, float], begun: Evaluation, tuned: Evaluation, pair: Mapping[str, Any]
) -> list[dict[str, Any]]:
    gained = pair["success_rate"]["difference"]
    zero, learned = (float((one.results or {})["success_rate"]["value"]) for one in (begun, tuned))
    found = {
        "loss_falls": (loss["last_three_mean"], loss["last_three_mean"] < loss["first"] / 10),
        "nothing_before": (zero, zero == 0.0),
        "completion_after_sft": (learned, learned > LEAST_COMPLETION),
        "gain_by_grpo": (gained, gained >= LEAST_GAIN),
    }
    return [{"name": name, "value": value, "kept": kept} for name, (value, kept) in found.items()]


def _seconds(run: Run, trained: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    judged = [(one.run.result or {}).get("cpu_seconds") for one in evaluations(run)]
    begun = run.started_at or run.created_at
    return {
        "wall": round((datetime.now(UTC) - begun).total_seconds(), 1),
        "cpu_sft": trained["sft"]["cpu_seconds"],
        "cpu_grpo": trained["grpo"]["cpu_seconds"],
        "cpu_evaluations": round(sum(value for value in judged if value), 1),
    }


def detail_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    """For the job's page: jobs and evaluations so far, and the figures at the end."""
    judged = evaluations(run)
    found = run.result if run.state == RunState.SUCCEEDED else None
    pair = (found or {}).get("comparison") or {}
    address = f"{reverse('evaluation-compare')}?first={pair['first']}&second={pair['second']}" if pair else ""
    return {
        "figures": found,
        "trainings": list(trainings_of(run)),
        "judged": judged,
        "version": judged[0].dataset_version if judged else None,
        "comparison_url": address,
    }
