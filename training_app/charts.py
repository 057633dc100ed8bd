"""Charts of a training run from its stored numbers; each states what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from training_app.models import TrainingRun
from webapp.common.rendering.text import Markup
from webapp.common.svg import Marker, Series, chart_table, line_chart

MAX_POINTS: Final = 1_500


@dataclass(frozen=True, slots=True)
class Plan:
    """One chart: title and the metrics it shows (name -> label)."""

    title: Any
    lines: Mapping[str, Any]
    log_y: bool = False


GRPO: Final = (
    # The reward moves with the weights of the criteria, so it never stands alone.
    Plan(
        gettext_lazy("Reward, success and score"),
        {
            "rollouts/reward": gettext_lazy("mean reward"),
            "rollouts/success_rate": gettext_lazy("success rate"),
            "rollouts/rubric_score": gettext_lazy("mean score"),
        },
    ),
    Plan(
        gettext_lazy("Groups without a gradient"),
        {
            "rollouts/dead_share": gettext_lazy("zero-variance share"),
            "rollouts/truncated_share": gettext_lazy("truncated share"),
            "rollouts/tool_error_share": gettext_lazy("share of calls with errors"),
        },
    ),
    Plan(gettext_lazy("Loss"), {"loss": gettext_lazy("loss")}),
    Plan(
        gettext_lazy("Clipped share"),
        {
            "clip_ratio/region_mean": gettext_lazy("clipped, mean"),
            "clip_ratio/low_mean": gettext_lazy("low"),
            "clip_ratio/high_mean": gettext_lazy("high"),
        },
    ),
    Plan(gettext_lazy("Gradient norm"), {"grad_norm": gettext_lazy("gradient norm")}),
    Plan(gettext_lazy("Entropy"), {"entropy": gettext_lazy("entropy")}),
    Plan(
        gettext_lazy("Length"),
        {"rollouts/turns": gettext_lazy("turns"), "rollouts/calls": gettext_lazy("tool calls")},
    ),
    Plan(gettext_lazy("Learning rate"), {"learning_rate": gettext_lazy("learning rate")}),
)
SFT: Final = (
    Plan(gettext_lazy("Loss"), {"loss": gettext_lazy("loss")}, log_y=True),
    Plan(gettext_lazy("Learning rate"), {"learning_rate": gettext_lazy("learning rate")}),
    Plan(gettext_lazy("Gradient norm"), {"grad_norm": gettext_lazy("gradient norm")}),
    Plan(gettext_lazy("Entropy"), {"entropy": gettext_lazy("entropy")}),
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart ready to print."""

    svg: Markup
    table: Markup
    note: str


def draw(training: TrainingRun, *, smoothing: float = 0.6) -> list[Drawn]:
    """The charts that have points; one query."""
    plans = GRPO if training.method == "grpo" else SFT
    points = _points(training, [name for plan in plans for name in plan.lines])
    note = _note(training)
    return [_chart(plan, points, note, smoothing) for plan in plans if any(name in points for name in plan.lines)]


def _points(training: TrainingRun, names: Sequence[str]) -> dict[str, list[tuple[float, float | None]]]:
    found: dict[str, list[tuple[float, float | None]]] = {}
    rows = training.metrics.filter(name__in=names).order_by("name", "step")
    for name, step, value in rows.values_list("name", "step", "value"):
        found.setdefault(name, []).append((step, value))
    return {name: thinned(values) for name, values in found.items()}


def thinned(points: list[tuple[float, float | None]], most: int = MAX_POINTS) -> list[tuple[float, float | None]]:
    """At most `most` points: of each stretch its lowest and its highest, so that no extreme is lost."""
    if len(points) <= most:
        return points
    size = -(-2 * len(points) // most)
    kept = []
    for begin in range(0, len(points), size):
        stretch = points[begin : begin + size]
        ends = {min(stretch, key=lambda point: point[1] or 0.0), max(stretch, key=lambda point: point[1] or 0.0)}
        kept += sorted(ends)
    return kept


def _chart(plan: Plan, points: Mapping[str, Any], note: str, smoothing: float) -> Drawn:
    series = [Series(str(label), points[name]) for name, label in plan.lines.items() if name in points]
    longest = max(len(each.points) for each in series)
    svg = line_chart(
        series,
        title=str(plan.title),
        x_label=_("step"),
        smoothing=smoothing if longest > 12 else 0.0,
        log_y=plan.log_y and all((value or 0) > 0 for each in series for _x, value in each.points),
        markers=[Marker(0, "")] if longest == 0 else (),
    )
    return Drawn(svg, chart_table(series, x_label=_("step")), note)


def _note(training: TrainingRun) -> str:
    seed = training.config.get("seed")
    if training.method == "grpo":
        size, groups = training.config.get("group_size"), training.config.get("groups_per_step")
        return _("n = %(n)s rollouts of %(groups)s tasks per step, seed %(seed)s; the bold line is smoothed") % {
            "n": int(size or 0) * int(groups or 0), "groups": groups, "seed": seed,
        }  # fmt: skip
    return _("batch of %(n)s, seed %(seed)s; the bold line is smoothed") % {
        "n": training.config.get("global_batch"), "seed": seed,
    }  # fmt: skip


def headline(training: TrainingRun, window: int = 6) -> dict[str, float | None]:
    """Means of the last steps: never a reward without success and score."""
    names = ("rollouts/reward", "rollouts/success_rate", "rollouts/rubric_score", "loss")
    last: dict[str, list[float]] = {name: [] for name in names}
    rows = training.metrics.filter(name__in=names).order_by("-step").values_list("name", "value")
    for name, value in rows[: window * len(names)]:
        if len(last[name]) < window:
            last[name].append(value)
    return {name.rpartition("/")[2]: sum(values) / len(values) if values else None for name, values in last.items()}
