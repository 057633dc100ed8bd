"""What came of an experiment: every arm with its measured budget, and every pair with interval and test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from training_app import evaluating, run_files
from training_app.child_jobs import evaluations_of
from training_app.engine.experiment import Arm, holm
from training_app.evaluation.attempts import Attempt
from training_app.evaluation.paired import compare
from training_app.evaluation.summary import summarise
from training_app.experiments.stages import Steps
from training_app.launching import START
from training_app.models import Evaluation, TrainingRun

PAIRED = ("tasks", "unknown_first", "unknown_second", "success_rate", "score", "table", "breakdowns", "seed")
SUMMED = ("success_rate", "score", "valid", "attempts", "tasks", "invalid", "bounds")


def results_of(steps: Steps) -> dict[str, Any]:
    """All figures, JSON-able. Every job of the experiment has succeeded."""
    plan = steps.plan
    judged = {arm.name: [_evaluation(steps, arm, seed) for seed in plan.seeds] for arm in plan.arms}
    arms = [_arm(steps, arm, judged[arm.name]) for arm in plan.arms]
    begun = _evaluation(steps, plan.arms[0], plan.seeds[0], START)
    held = steps.held_out
    return {
        "held_out": {
            "dataset": str(held),
            "content_hash": held.content_hash,
            "tasks": held.members.count(),
            "tasks_hash": (begun.results or {})["provenance"]["tasks_hash"],
            "kinds": {portion.kind.name: portion.count for portion in plan.held_out},
        },
        "before": {**_judged(begun), "weights_sha256": run_files.weights_hash(_of(begun), START)},
        "base": _run(steps.training(plan.base, plan.seed), plan.seed) if plan.base is not None else None,
        "arms": arms,
        "budget": budget(arms),
        "pairs": _pairs(steps, judged),
        "seeds": {"tasks": plan.seed, "split": plan.seed, "training": list(plan.seeds), "evaluation": plan.seed},
        "temperature": plan.temperature,
        "attempts_per_task": plan.attempts,
    }


def _evaluation(steps: Steps, arm: Arm, seed: int, checkpoint: str = "model") -> Evaluation:
    found = evaluations_of(steps.experiment.run).filter(results__isnull=False)
    return found.filter(run__payload=steps.judging(arm, seed, checkpoint).payload).latest("id")


def _arm(steps: Steps, arm: Arm, judged: Sequence[Evaluation]) -> dict[str, Any]:
    version = steps.version(int(steps.experiment.data["arms"][arm.name]))
    summary = summarise(_attempts(judged), seed=steps.plan.seed)
    return {
        "name": arm.name,
        "method": arm.method,
        "dataset": str(version),
        "content_hash": version.content_hash,
        "kinds": {portion.kind.name: portion.count for portion in arm.data},
        "planned": arm.budget,
        "runs": [{**_run(_of(one), seed), **_judged(one)} for one, seed in zip(judged, steps.plan.seeds, strict=True)],
        **{name: summary.get(name) for name in SUMMED},
    }


def _run(training: TrainingRun, seed: int) -> dict[str, Any]:
    result = training.run.result or {}
    return {
        "seed": seed,
        "training_run": training.public_id,
        "job": training.run.public_id,
        "steps": result.get("step"),
        "tokens": _tokens(training),
        "cpu_seconds": result.get("cpu_seconds"),
        "weights_sha256": run_files.weights_hash(training, "model"),
    }


def _tokens(training: TrainingRun) -> int | None:
    """Tokens that the trainer saw, prompts and observations included; None where it does not count them."""
    last = training.metrics.filter(name="num_tokens").order_by("-step").first()
    return int(last.value) if last is not None else None


def _judged(one: Evaluation) -> dict[str, Any]:
    results = one.results or {}
    return {"evaluation": one.public_id, **{name: results.get(name) for name in ("success_rate", "score")}}


def _of(evaluation: Evaluation) -> TrainingRun:
    assert evaluation.training_run is not None
    return evaluation.training_run


def budget(arms: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What is equal in all arms and what is not; the least and most tokens of any run, None if not counted."""
    names = list(arms[0]["planned"])
    values = {name: [int(arm["planned"][name]) for arm in arms] for name in names}
    steps = {run["steps"] for arm in arms for run in arm["runs"]}
    tokens = [run["tokens"] for arm in arms for run in arm["runs"] if run["tokens"] is not None]
    return {
        "equal": {name: counts[0] for name, counts in values.items() if len(set(counts)) == 1},
        "different": {name: counts for name, counts in values.items() if len(set(counts)) > 1},
        "all_steps_done": steps == set(values["steps"]),
        "tokens": {"least": min(tokens), "most": max(tokens)} if tokens else None,
    }


def _pairs(steps: Steps, judged: Mapping[str, Sequence[Evaluation]]) -> list[dict[str, Any]]:
    found = [_pair(steps, first, second, judged) for first, second in steps.plan.pairs]
    adjusted = holm([one["success_rate"]["p_value"] for one in found])
    return [{**one, "p_holm": p} for one, p in zip(found, adjusted, strict=True)]


def _pair(steps: Steps, first: str, second: str, judged: Mapping[str, Sequence[Evaluation]]) -> dict[str, Any]:
    """Differences are second − first, over all seeds; with several, each seed's own difference beside it."""
    facts = evaluating.facts_of(judged[first][0])
    both = compare(_attempts(judged[first]), _attempts(judged[second]), seed=steps.plan.seed, facts=facts)
    each = [
        evaluating.compare_evaluations(a, b)["success_rate"]["difference"]
        for a, b in zip(judged[first], judged[second], strict=True)
    ]
    return {"first": first, "second": second, **{name: both[name] for name in PAIRED}, "by_seed": each}


def _attempts(judged: Sequence[Evaluation]) -> list[Attempt]:
    """The attempts of several evaluations of the same tasks as further attempts at them."""
    found = []
    for number, one in enumerate(judged):
        for attempt in evaluating.attempts_of(run_files.evaluation_directory(one)):
            index = number * one.rollouts_per_task + attempt.index
            found.append(attempt.model_copy(update={"index": index}))
    return found
