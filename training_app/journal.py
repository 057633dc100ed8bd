"""Files of a run directory into the database: numbers to `Metric`, events to the run's log, checkpoints, progress."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.db import transaction

from training_app import group_summaries
from training_app.engine.errors import TrainingError
from training_app.engine.metrics import tail
from training_app.engine.rundir import RunDirectory
from training_app.models import Evaluation, Metric, TrainingRun
from webapp.common import clean
from webapp.common.runs import RunContext

_NOT_METRICS: Final = frozenset({"kind", "step", "at", "pid", "nonfinite"})
PREFIXES: Final = {"train": "", "rollouts": "rollouts/", "evaluation": "evaluation/"}
"""Kinds of lines that hold numbers, and what the names of those begin with."""
_LEVELS: Final = frozenset({"info", "warning", "error"})


def read_files(context: RunContext, subject: TrainingRun | Evaluation, run: RunDirectory) -> None:
    """Read what was appended since the last call. A crash in between repeats a line of the log, never a number."""
    if isinstance(subject, TrainingRun):
        _read_metrics(subject, run)
        _read_state(context, subject, run)
    _read_events(context, subject, run)


def _read_metrics(training: TrainingRun, run: RunDirectory) -> None:
    while True:
        offset = int(training.tailed.get("metrics", 0))
        chunk = tail(run.metrics, offset)
        if chunk.offset == offset:
            return
        with transaction.atomic():
            store_metrics(training, chunk.records)
            _advance(training, "metrics", chunk.offset)
        for line in chunk.records:  # a page that shows many steps then finds them summed up
            if line["kind"] == "rollouts":
                group_summaries.read(run, int(line["step"]))


def store_metrics(training: TrainingRun, lines: Iterable[Mapping[str, Any]]) -> None:
    """Numbers of the lines in order; a line "begin" takes back what an earlier attempt had logged beyond its step."""
    pending: dict[tuple[str, int], float] = {}
    for line in lines:
        step = int(line["step"])
        if line["kind"] == "begin":
            pending = {key: value for key, value in pending.items() if key[1] <= step}
            training.metrics.filter(step__gt=step).delete()
        elif line["kind"] in PREFIXES:
            prefix = PREFIXES[line["kind"]]
            pending |= {(f"{prefix}{name}"[:120], step): value for name, value in numbers(line)}
    Metric.objects.bulk_create(
        [Metric(training_run=training, name=name, step=step, value=value) for (name, step), value in pending.items()],
        update_conflicts=True,
        unique_fields=["training_run", "name", "step"],
        update_fields=["value"],
    )


def numbers(line: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The finite numbers of a line by name; those of nested objects as `outer/inner`."""
    for name, value in line.items():
        if name in _NOT_METRICS or isinstance(value, bool):
            continue
        if isinstance(value, int | float) and math.isfinite(value):
            yield clean.text(name), float(value)
        elif isinstance(value, Mapping):
            yield from ((f"{clean.text(name)}/{inner}", number) for inner, number in numbers(value))


def _read_events(context: RunContext, subject: TrainingRun | Evaluation, run: RunDirectory) -> None:
    offset = int(subject.tailed.get("events", 0))
    chunk = tail(run.events, offset)
    if chunk.offset == offset:
        return
    for event in chunk.records:
        level = str(event["kind"]) if event["kind"] in _LEVELS else "info"
        data = {key: value for key, value in event.items() if key not in ("kind", "step", "at", "message", "parts")}
        context.log(str(event.get("message", "")), level=level, **{str(k): v for k, v in data.items() if _small(v)})
    _advance(subject, "events", chunk.offset)


def _small(value: Any) -> bool:
    return isinstance(value, str | int | float | bool) or value is None


def _read_state(context: RunContext, training: TrainingRun, run: RunDirectory) -> None:
    """Checkpoints, the pre-flight report and how far the run is."""
    names = [f"checkpoint-{step}" for step in run.checkpoint_steps()]
    changed = []
    if names != training.checkpoints:
        training.checkpoints = names
        changed.append("checkpoints")
    if training.preflight is None and (report := _json(run, "preflight.json")) is not None:
        training.preflight = clean.json_value(report)
        changed.append("preflight")
    if changed:
        training.save(update_fields=changed)
    beat = _json(run, "heartbeat.json")
    if beat is not None:
        context.progress(done=int(beat["step"]), total=total_steps(training), unit="steps", phase="training")


def total_steps(training: TrainingRun) -> int | None:
    """Optimizer steps of the whole run, once they are known."""
    if training.method == "grpo":
        return int(training.config["steps"])
    steps = (training.preflight or {}).get("figures", {}).get("steps")
    return int(steps) if steps else None


def _advance(subject: TrainingRun | Evaluation, name: str, offset: int) -> None:
    subject.tailed = {**subject.tailed, name: offset}
    subject.save(update_fields=["tailed"])


def _json(run: RunDirectory, name: str) -> dict[str, Any] | None:
    try:
        return run.read_json(name)
    except TrainingError:
        return None  # a file that cannot be read is told by the status at the end
