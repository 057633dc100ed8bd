"""Charts of a training run from its stored numbers; each states what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from training_app.launching import START
from training_app.models import Evaluation, TrainingRun
from webapp.common.rendering.text import Markup
from webapp.common.svg import Marker, Series, chart_table, line_chart

MAX_POINTS: Final = 1_500
SMOOTHING: Final = 0.6
SHORTEST: Final = 12
"""A line of fewer points is not smoothed: there is nothing to calm down."""


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
    Plan(
        gettext_lazy("What groups were"),
        {
            "rollouts/groups/alive": gettext_lazy("with a gradient"),
            "rollouts/groups/all_solved": gettext_lazy("all solved"),
            "rollouts/groups/none_solved": gettext_lazy("none solved"),
            "rollouts/groups/truncated": gettext_lazy("all truncated"),
            "rollouts/groups/skipped": gettext_lazy("skipped"),
        },
    ),
    Plan(
        gettext_lazy("Tasks that were chosen"),
        {
            "rollouts/choice/k": gettext_lazy("services, K"),
            "rollouts/choice/l": gettext_lazy("walk, L"),
        },
    ),
    Plan(gettext_lazy("Tasks open to the choice"), {"rollouts/choice/open": gettext_lazy("open tasks")}),
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
    Plan(
        gettext_lazy("Tokens of a step"),
        {
            "rollouts/sampled_tokens": gettext_lazy("sampled"),
            "rollouts/observation_tokens": gettext_lazy("observed"),
        },
    ),
    Plan(gettext_lazy("Sampler against trainer"), {"sampler_gap": gettext_lazy("log-prob gap")}),
    Plan(gettext_lazy("Learning rate"), {"learning_rate": gettext_lazy("learning rate")}),
)
SFT: Final = (
    Plan(gettext_lazy("Loss"), {"loss": gettext_lazy("loss"), "eval_loss": gettext_lazy("validation")}, log_y=True),
    Plan(
        gettext_lazy("Held-out tasks, played while it trains"),
        {
            "evaluation/success_rate": gettext_lazy("success rate"),
            "evaluation/score": gettext_lazy("mean score"),
        },
    ),
    Plan(gettext_lazy("Token accuracy"), {"mean_token_accuracy": gettext_lazy("accuracy")}),
    Plan(gettext_lazy("Learning rate"), {"learning_rate": gettext_lazy("learning rate")}),
    Plan(gettext_lazy("Gradient norm"), {"grad_norm": gettext_lazy("gradient norm")}),
    Plan(gettext_lazy("Entropy"), {"entropy": gettext_lazy("entropy")}),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the reader chose, as it stands in the address: smoothing in [0, 0.99], logarithmic y."""

    smoothing: float = SMOOTHING
    log_y: bool = False

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> Self:
        """Read `smooth` and `log`; what cannot be read keeps its usual value."""
        try:
            smoothing = min(0.99, max(0.0, float(given.get("smooth", SMOOTHING))))
        except ValueError:
            smoothing = SMOOTHING
        return cls(smoothing, given.get("log") == "1")

    def query(self) -> str:
        """The same for an address."""
        return urlencode({"smooth": f"{self.smoothing:g}", **({"log": "1"} if self.log_y else {})})


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart ready to print."""

    svg: Markup
    table: Markup
    note: str
    csv: str
    """Query of the address that gives the same numbers as a file."""
    key: str
    """Stays the same when the chart is drawn anew."""


Points = Mapping[str, list[tuple[float, float | None]]]
"""Points (step, value) by name of metric, in order of steps."""


def read(training: TrainingRun) -> Points:
    """All points that the charts and the headline rest on; one query."""
    names = [name for plan in _plans(training) for name in plan.lines]
    found: dict[str, list[tuple[float, float | None]]] = {}
    rows = training.metrics.filter(name__in=names).order_by("name", "step")
    for name, step, value in rows.values_list("name", "step", "value"):
        found.setdefault(name, []).append((step, value))
    return found


def last_step(points: Points) -> int:
    """The newest step with a point; 0 before the first."""
    return int(max((values[-1][0] for values in points.values()), default=0))


def draw(training: TrainingRun, options: Options, points: Points, markers: Sequence[Marker] = ()) -> list[Drawn]:
    """The charts that have points. `markers` stand in all of them."""
    few = {name: thinned(values) for name, values in points.items()}
    drawing = _Drawing(training, options, few, markers)
    return [drawing.chart(plan) for plan in _plans(training) if any(name in points for name in plan.lines)]


def _plans(training: TrainingRun) -> Sequence[Plan]:
    return GRPO if training.method == "grpo" else SFT


def evaluation_markers(evaluations: Iterable[Evaluation], last: int) -> list[Marker]:
    """A mark where a checkpoint of the run was judged, `last` being the step of its final model."""
    made = []
    for number, evaluation in enumerate(evaluations, start=1):
        _word, _sign, digits = evaluation.checkpoint.rpartition("-")
        results = evaluation.results or {}
        words = f"E{number}: {evaluation.checkpoint or 'model'}, {evaluation.dataset_version} {evaluation.split}"
        if results.get("success_rate"):
            words += f": {results['score']['value']:.2f} mean, {results['success_rate']['value']:.0%} complete"
        step = 0.0 if evaluation.checkpoint == START else float(last)
        made.append(Marker(float(digits) if digits.isdecimal() else step, words, f"E{number}"))
    return made


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


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What all charts of a run share."""

    training: TrainingRun
    options: Options
    points: Mapping[str, Any]
    markers: Sequence[Marker]

    def chart(self, plan: Plan) -> Drawn:
        names = [name for name in plan.lines if name in self.points]
        series = [Series(str(plan.lines[name]), self.points[name]) for name in names]
        longest = max(len(each.points) for each in series)
        positive = all((value or 0) > 0 for each in series for _x, value in each.points)
        href = self._steps() if self.training.method == "grpo" else ""
        smoothing = self.options.smoothing if longest > SHORTEST else 0.0
        svg = line_chart(
            series,
            title=str(plan.title),
            x_label=_("step"),
            smoothing=smoothing,
            log_y=(plan.log_y or self.options.log_y) and positive,
            markers=self.markers,
            href=href,
        )
        table = chart_table(series, x_label=_("step"), href=href)
        query = f"?{urlencode({'names': ','.join(names)})}"
        basis = _played(self.training) if names[0] in PLAYED else _basis(self.training)
        return Drawn(svg, table, _note(basis, smoothing), query, f"data-{names[0].replace('/', '-')}")

    def _steps(self) -> str:
        return f"{reverse('training-rollouts', args=[self.training.pk])}?step="


def _note(basis: str, smoothing: float) -> str:
    """What the chart rests on: n, seed, and how much the bold line is smoothed."""
    smooth = _("smoothed by %(weight)s, the raw line behind") % {"weight": f"{smoothing:g}"}
    return f"{basis}; {smooth}" if smoothing else basis


def _played(training: TrainingRun) -> str:
    return _("n = %(n)s held-out tasks at most, one greedy attempt each, seed %(seed)s") % {
        "n": training.config.get("evaluate_tasks"), "seed": training.config.get("seed"),
    }  # fmt: skip


def _basis(training: TrainingRun) -> str:
    seed = training.config.get("seed")
    if training.method == "grpo":
        size, groups = training.config.get("group_size"), training.config.get("groups_per_step")
        return _("n = %(n)s rollouts of %(groups)s tasks per step, seed %(seed)s") % {
            "n": int(size or 0) * int(groups or 0), "groups": groups, "seed": seed,
        }  # fmt: skip
    return _("batch of %(n)s, seed %(seed)s") % {
        "n": training.config.get("global_batch"), "seed": seed,
    }  # fmt: skip


HEADLINE: Final = ("rollouts/reward", "rollouts/success_rate", "rollouts/rubric_score", "loss")
PLAYED: Final = ("evaluation/success_rate", "evaluation/score")


def headline(points: Points, window: int = 6) -> dict[str, float | None]:
    """Means of the last steps: never a reward without success and score. `played_…`: of the last evaluation while it
    trained.
    """
    made = {name.rpartition("/")[2]: _mean(points.get(name, [])[-window:]) for name in HEADLINE}
    return made | {f"played_{name.rpartition('/')[2]}": _mean(points.get(name, [])[-1:]) for name in PLAYED}


def _mean(points: Sequence[tuple[float, float | None]]) -> float | None:
    values = [value for _step, value in points if value is not None]
    return sum(values) / len(values) if values else None
