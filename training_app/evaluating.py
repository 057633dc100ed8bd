"""Evaluations: a local checkpoint in a process of its own, or a policy in this one; figures with intervals."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.plain import digest
from services_app.environments import mounting_of
from services_app.pipelines.building import sandbox_words
from tasks_app.engine.diversity import Traits, shape
from tasks_app.engine.rollout import Limits, Policy, roll_out
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.trajectory import Trajectory as TrajectoryValue
from tasks_app.jobs import make_policy
from tasks_app.models import TaskService
from training_app import records, run_files
from training_app.engine.metrics import LineWriter, read_records
from training_app.engine.rundir import RunDirectory
from training_app.evaluation.attempts import Attempt, read_attempts
from training_app.evaluation.paired import compare
from training_app.evaluation.summary import summarise
from training_app.models import Evaluation
from training_app.supervision import Watch, supervise
from training_app.trainers.environments import COLLATERAL
from training_app.training import prepare_environment, trainer_command
from webapp.common import clean
from webapp.common.runs import RunContext
from workers.sandbox.limits import SandboxError

_LIMITS = (
    "max_turns",
    "max_turn_tokens",
    "max_completion_length",
    "observation_characters",
    "threads",
    "device",
    "precision",
)
_OUTCOMES: Mapping[str, bool | None] = {"pass": True, "fail": False, "unknown": None}


def evaluate(context: RunContext, evaluation: Evaluation) -> dict[str, Any]:
    """Play every task of the split and store the figures. A run that is taken up again plays only what is missing."""
    if evaluation.training_run is not None:
        directory = _play_checkpoint(context, evaluation)
    else:
        directory = _play_policy(context, evaluation)
    results = summarise(attempts_of(directory), seed=evaluation.seed, facts=facts_of(evaluation))
    evaluation.results = clean.json_value({**results, "provenance": _provenance(evaluation)})
    evaluation.save(update_fields=["results"])
    rate = results.get("success_rate")
    words = f"{rate['value']:.1%} of {results['tasks']} tasks solved" if rate else "no valid attempt"
    context.log(f"{words}.")
    status = directory.read_json("status.json") or {}
    return {
        "evaluation": evaluation.public_id,
        "success_rate": rate,
        "score": results.get("score"),
        "cpu_seconds": status.get("cpu_seconds"),
    }


def _play_checkpoint(context: RunContext, evaluation: Evaluation) -> RunDirectory:
    training = evaluation.training_run
    assert training is not None
    context.progress(phase="writing the tasks")
    limits = {name: training.config[name] for name in _LIMITS if name in training.config}
    if training.method == "sft":  # SFT has no limits of an episode: take those that GRPO of the preset would have
        limits = episode_limits(training.preset) | limits
    model = run_files.weights(training, evaluation.checkpoint)
    directory = run_files.write_evaluation(evaluation, {**limits, "model": str(model), "batch": 16})
    prepare_environment(context, "evaluate")
    total = _task_count(evaluation) * evaluation.rollouts_per_task

    def show() -> None:
        beat = directory.heartbeat()
        if beat is not None:
            context.progress(done=min(int(beat["step"]), total), total=total, unit="attempts", phase="playing")

    supervise(context, evaluation, Watch(directory, trainer_command("evaluate"), on_poll=show))
    return directory


def _provenance(evaluation: Evaluation) -> dict[str, Any]:
    """What the figures rest on: the frozen tasks by hash, the weights by hash, seed and limits."""
    version = evaluation.dataset_version
    hashes = sorted(facts_of(evaluation))
    made: dict[str, Any] = {
        "dataset": str(version),
        "dataset_hash": version.content_hash,
        "split": evaluation.split,
        "tasks_hash": digest(hashes),
        "seed": evaluation.seed,
        "temperature": evaluation.temperature,
        "attempts_per_task": evaluation.rollouts_per_task,
        "tools": evaluation.mode,
    }
    if evaluation.training_run is not None:
        config = run_files.evaluation_directory(evaluation).read_json("config.json") or {}
        made |= {name: config[name] for name in _LIMITS if name in config}
        made["weights_sha256"] = run_files.weights_hash(evaluation.training_run, evaluation.checkpoint)
    return made


def episode_limits(preset: str) -> dict[str, Any]:
    """Limits of an episode under a preset."""
    from training_app.launching import preset_values

    values = preset_values("grpo", preset)
    return {name: values[name] for name in _LIMITS if name in values}


def _task_count(evaluation: Evaluation) -> int:
    rows = evaluation.dataset_version.members.filter(split=evaluation.split)
    return rows.order_by().values("task").distinct().count()


def _play_policy(context: RunContext, evaluation: Evaluation) -> RunDirectory:
    policy = make_policy(evaluation.subject, temperature=evaluation.temperature)
    directory = run_files.evaluation_directory(evaluation)
    directory.create()
    path = directory.root / "attempts.jsonl"
    done = {(attempt.task_id, attempt.index) for attempt in attempts_of(directory)}
    writer = LineWriter(path, time.time)
    total, number = _task_count(evaluation) * evaluation.rollouts_per_task, 0
    for spec, _ in records.specs(evaluation.dataset_version, evaluation.split):
        for index in range(evaluation.rollouts_per_task):
            number += 1
            if (spec.task_hash, index) in done:
                continue
            context.checkpoint()
            attempt = _play(spec, policy, evaluation, index)
            writer.write("attempt", number, attempt.model_dump())
            context.progress(done=number, total=total, unit="attempts", phase=f"playing with {policy.name}")
    return directory


def _play(spec: TaskSpec, policy: Policy, evaluation: Evaluation, index: int) -> Attempt:
    try:
        with mounting_of(mounted.slug for mounted in spec.services) as mounting:
            mode: Any = evaluation.mode
            seed = evaluation.seed * 1_000 + index
            value = roll_out(spec, policy, mounting, timer=time.monotonic, limits=Limits(), seed=seed, mode=mode)
    except (EngineError, ServiceDefect, SandboxError) as error:
        raise sandbox_words(error) from error
    return attempt_of(value, index)


def attempt_of(value: TrajectoryValue, index: int) -> Attempt:
    """A trajectory as an attempt: its verdict by criterion, damage elsewhere as one more criterion."""
    verdict: dict[str, bool | None] | None = None
    if value.verdict is not None:
        verdict = {result["id"]: _OUTCOMES[result["status"]] for result in value.verdict["results"]}
        verdict[COLLATERAL] = not value.verdict["collateral"]
    return Attempt(
        task_id=value.task_hash,
        index=index,
        status="completed" if value.stop_reason == "answered" else "truncated" if verdict else "error",
        detail=value.error or value.stop_reason,
        verdict=verdict,
        calls=tuple((step.name, json.dumps(step.arguments, ensure_ascii=False)) for step in value.steps),
        turns=max((step.turn for step in value.steps), default=0) + bool(value.answer),
        prompt_tokens=value.usage.prompt_tokens,
        completion_tokens=value.usage.completion_tokens,
        cost_usd=value.usage.cost_usd,
    )


def attempts_of(directory: RunDirectory) -> list[Attempt]:
    """The stored attempts, in order."""
    return read_attempts(list(read_records(directory.root / "attempts.jsonl")))


def facts_of(evaluation: Evaluation) -> dict[str, dict[str, Any]]:
    """Task id -> domain, shape, K, L, simulated or not, for the breakdowns."""
    rows = evaluation.dataset_version.members.filter(split=evaluation.split)
    columns = (
        "task_id", "task__task_hash", "task__needed_count", "task__walk_length", "task__simulated_share",
        "task__traits",
    )  # fmt: skip
    domains = _domains(evaluation)
    return {
        task_hash: {
            "domain": domains.get(pk, ""),
            "K": needed,
            "L": length,
            "simulated": "yes" if simulated else "no",
            **({"shape": _shape(traits)} if traits else {}),
        }
        for pk, task_hash, needed, length, simulated, traits in rows.values_list(*columns)
    }


def _domains(evaluation: Evaluation) -> dict[Any, str]:
    """Task -> the domains of the services it needs, joined."""
    tasks = evaluation.dataset_version.members.filter(split=evaluation.split).values("task")
    needed = TaskService.objects.filter(task__in=tasks, role="needed")
    found: dict[Any, set[str]] = {}
    for task, domain in needed.values_list("task_id", "service__domain"):
        found.setdefault(task, set()).add(domain)
    return {task: " + ".join(sorted(domains)) for task, domains in found.items()}


def _shape(traits: Mapping[str, Any]) -> str:
    return shape(Traits.model_validate({**traits, "instruction": ""}))


@lru_cache(maxsize=64)
def compare_evaluations(first: Evaluation, second: Evaluation) -> dict[str, Any]:
    """Two evaluations that have their figures, paired by task; differences are second − first.

    Their attempts never change any more, so a comparison is made once per process. Raises ValueError without common
    tasks.
    """
    a, b = (attempts_of(run_files.evaluation_directory(each)) for each in (first, second))
    facts = facts_of(first)
    if (first.dataset_version_id, first.split) != (second.dataset_version_id, second.split):
        facts |= facts_of(second)
    return compare(a, b, seed=second.seed, facts=facts)
