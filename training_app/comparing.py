"""Several training runs beside each other: what differs, how each ended, their courses in one chart per metric."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from training_app import charts
from training_app.launching import OURS
from training_app.models import Metric, TrainingRun
from webapp.common.svg import MAX_SERIES, Series, chart_table, line_chart

At = Literal["last", "best"]
SHOWN: Final[Mapping[str, str | Promise]] = {
    "rollouts/success_rate": gettext_lazy("Full completion"),
    "rollouts/rubric_score": gettext_lazy("Mean score"),
    "rollouts/reward": gettext_lazy("Mean reward"),
    "rollouts/dead_share": gettext_lazy("Groups without a gradient"),
    "loss": gettext_lazy("Loss"),
    "mean_token_accuracy": gettext_lazy("Token accuracy"),
    "grad_norm": gettext_lazy("Gradient norm"),
    "rollouts/sampled_tokens": gettext_lazy("Sampled tokens"),
}
_LOWER_IS_BETTER: Final = frozenset({"loss", "rollouts/dead_share"})
MAX_RUNS: Final = MAX_SERIES
WINDOW: Final = 6
"""The last figure of a metric is its mean over so many steps."""


@dataclass(frozen=True)
class Comparison:
    """names: short label of each run. rows: setting, its value per run, whether it differs. finals: one per run."""

    names: Sequence[str]
    rows: Sequence[dict[str, Any]]
    finals: Sequence[dict[str, Any]]
    charts: Sequence[charts.Drawn]


def compare(runs: Sequence[TrainingRun], *, everything: bool, at: At, options: charts.Options) -> Comparison:
    """Two queries whatever the number of runs; `everything` keeps settings that are equal."""
    points = _points(runs)
    names = [_name(number, run) for number, run in enumerate(runs, start=1)]
    rows = [row for row in _settings(runs) if everything or row["differs"]]
    finals = [_final(run, points.get(run.pk, {}), at) for run in runs]
    return Comparison(names, rows, finals, _charts(runs, names, points, options))


def _name(number: int, run: TrainingRun) -> str:
    return f"{number} {run.method} {run.dataset_version}"


def _settings(runs: Sequence[TrainingRun]) -> list[dict[str, Any]]:
    columns = [_values(run) for run in runs]
    names = list(dict.fromkeys(name for column in columns for name in column))
    rows = [{"name": name, "values": [column.get(name, "–") for column in columns]} for name in names]
    return [{**row, "differs": len(set(row["values"])) > 1} for row in rows]


def _values(run: TrainingRun) -> dict[str, str]:
    """Everything that decided a run, as short text; data and start before the settings."""
    version = run.dataset_version
    begin = f"{run.start_from.public_id} {run.start_checkpoint}" if run.start_from else run.base
    head = {
        "method": run.method, "preset": run.preset, "dataset": f"{version} ({version.content_hash[:12]})",
        "start": begin, "tools": run.mode,
    }  # fmt: skip
    return head | {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in run.config.items()
        if name not in OURS
    }


def _points(runs: Sequence[TrainingRun]) -> dict[Any, dict[str, list[tuple[float, float | None]]]]:
    found: dict[Any, dict[str, list[tuple[float, float | None]]]] = {}
    rows = Metric.objects.filter(training_run__in=runs, name__in=SHOWN).order_by("training_run", "name", "step")
    for pk, name, step, value in rows.values_list("training_run_id", "name", "step", "value"):
        found.setdefault(pk, {}).setdefault(name, []).append((step, value))
    return found


def _final(run: TrainingRun, metrics: Mapping[str, Sequence[tuple[float, float | None]]], at: At) -> dict[str, Any]:
    values = {name: _one(name, metrics[name], at) for name in SHOWN if name in metrics}
    return {
        "run": run,
        "score": values.get("rollouts/rubric_score"),
        "complete": values.get("rollouts/success_rate"),
        "reward": values.get("rollouts/reward"),
        "loss": values.get("loss"),
        "steps": max((int(course[-1][0]) for course in metrics.values()), default=0),
    }


def _one(name: str, course: Sequence[tuple[float, float | None]], at: At) -> float:
    """The mean of the last steps, or the best such mean anywhere in the run: one lucky step is no best."""
    values = [value for _step, value in course if value is not None]
    means = [sum(part) / len(part) for part in (values[end - WINDOW : end] for end in range(WINDOW, len(values) + 1))]
    means = means or [sum(values) / len(values)]
    if at == "last":
        return means[-1]
    return min(means) if name in _LOWER_IS_BETTER else max(means)


def _charts(
    runs: Sequence[TrainingRun], names: Sequence[str], points: Mapping[Any, Any], options: charts.Options
) -> list[charts.Drawn]:
    drawn = []
    for metric, title in SHOWN.items():
        series = [
            Series(name, charts.thinned(points[run.pk][metric]))
            for run, name in zip(runs, names, strict=True)
            if metric in points.get(run.pk, {})
        ]
        if not series:
            continue
        longest = max(len(one.points) for one in series)
        smoothing = options.smoothing if longest > charts.SHORTEST else 0.0
        svg = line_chart(series, title=str(title), x_label=_("step"), smoothing=smoothing, log_y=options.log_y)
        table = chart_table(series, x_label=_("step"))
        drawn.append(charts.Drawn(svg, table, "", "", f"data-{metric.replace('/', '-')}"))
    return drawn
