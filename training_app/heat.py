"""Heat maps of a GRPO run: criteria by steps and tasks by steps, each cell a link to the groups behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from training_app import group_summaries, rollout_files, selectors
from training_app.group_summaries import GroupSummary
from training_app.models import TrainingRun
from training_app.run_files import training_directory
from webapp.common.rendering.text import Markup
from webapp.common.svg import HeatCell, heat_map

MAX_COLUMNS: Final = 32
MAX_ROWS: Final = 24
SUSPECT_STEPS: Final = 3
"""A criterion of a task that nobody met in so many of the shown steps is suspect."""


@dataclass(frozen=True)
class Maps:
    """Both maps and what they rest on; `suspects`: task hash and criterion that no rollout ever met."""

    criteria: Markup | None
    tasks: Markup | None
    note: str
    suspects: Sequence[dict[str, Any]]
    near_misses: Sequence[tuple[str, int]]


def maps(training: TrainingRun, *, task: str = "") -> Maps | None:
    """The maps over at most `MAX_COLUMNS` steps, evenly chosen, the newest always; None without rollouts.

    `task` (beginning of a hash) keeps the groups of one task.
    """
    directory = training_directory(training)
    steps = rollout_files.steps(directory)
    if not steps:
        return None
    shown = chosen(steps)
    course = {step: _of_task(group_summaries.read(directory, step), task) for step in shown}
    return Maps(
        criteria=_criteria(training, course, task),
        tasks=_tasks(training, course),
        note=_note(steps, shown),
        suspects=_suspects(training, course),
        near_misses=group_summaries.near_misses([group for groups in course.values() for group in groups])[:6],
    )


def chosen(steps: Sequence[int], most: int = MAX_COLUMNS) -> list[int]:
    """At most `most` of the steps, evenly spread, first and last included."""
    if len(steps) <= most:
        return list(steps)
    return sorted({steps[round(place * (len(steps) - 1) / (most - 1))] for place in range(most)})


def _of_task(groups: Sequence[GroupSummary], task: str) -> list[GroupSummary]:
    return [group for group in groups if group.task_hash.startswith(task)]


def _note(steps: Sequence[int], shown: Sequence[int]) -> str:
    if len(shown) == len(steps):
        return ngettext("%(n)s step with rollouts", "all %(n)s steps with rollouts", len(steps)) % {"n": len(steps)}
    return _("%(shown)s of %(all)s steps, evenly chosen") % {"shown": len(shown), "all": len(steps)}


def step_href(training: TrainingRun, step: int, anchor: str = "") -> str:
    return f"{reverse('training-rollouts', args=[training.pk])}?step={step}{anchor}"


def _criteria(training: TrainingRun, course: Mapping[int, Sequence[GroupSummary]], task: str) -> Markup | None:
    """Mean pass rate of each criterion over the groups of a step that have it, hardest first."""
    rates: dict[str, dict[int, list[float]]] = {}
    for step, groups in course.items():
        for group in groups:
            for name, rate in group.pass_rates.items():
                rates.setdefault(name, {}).setdefault(step, []).append(rate)
    if not rates:
        return None

    def overall(name: str) -> float:
        values = [rate for row in rates[name].values() for rate in row]
        return sum(values) / len(values)

    names = sorted(rates, key=lambda name: (overall(name), name))[:MAX_ROWS]
    cells = [[_rate_cell(training, step, rates[name].get(step)) for step in course] for name in names]
    title = (
        _("Pass rate of each criterion by step") if task else _("Pass rate of each criterion by step, all tasks of it")
    )
    return heat_map(names, [str(step) for step in course], cells, caption=title, corner=_("criterion"))


def _rate_cell(training: TrainingRun, step: int, rates: Sequence[float] | None) -> HeatCell | None:
    if not rates:
        return None
    note = ngettext("mean over %(n)s group", "mean over %(n)s groups", len(rates)) % {"n": len(rates)}
    return HeatCell(sum(rates) / len(rates), step_href(training, step), note)


def _tasks(training: TrainingRun, course: Mapping[int, Sequence[GroupSummary]]) -> Markup | None:
    """Full completion of each task by step; tasks that came most often first."""
    found: dict[str, dict[int, GroupSummary]] = {}
    for step, groups in course.items():
        for group in groups:
            found.setdefault(group.task_hash, {})[step] = group
    if not found:
        return None
    hashes = sorted(found, key=lambda name: (-len(found[name]), _mean(found[name]), name))[:MAX_ROWS]
    cells = [[_task_cell(training, step, found[name].get(step)) for step in course] for name in hashes]
    links = selectors.task_links(hashes)
    rows = [links[name][1] if name in links else name[:10] for name in hashes]
    title = _("Full completion of each task by step")
    return heat_map(
        rows, [str(step) for step in course], cells, caption=title, corner=_("task"), legend=False, signal=False
    )


def _mean(groups: Mapping[int, GroupSummary]) -> float:
    return sum(group.complete or 0.0 for group in groups.values()) / len(groups)


def _task_cell(training: TrainingRun, step: int, group: GroupSummary | None) -> HeatCell | None:
    if group is None or group.complete is None:
        return None
    href = reverse("training-group", args=[training.pk, step, group.number])
    words = _("%(solved)s of %(n)s complete, mean score %(score)s") % {
        "solved": group.solved, "n": group.judged, "score": f"{group.score or 0:.2f}",
    }  # fmt: skip
    return HeatCell(group.complete, href, words)


def _suspects(training: TrainingRun, course: Mapping[int, Sequence[GroupSummary]]) -> list[dict[str, Any]]:
    """Criteria of a task that no rollout met, over many groups and steps: perhaps broken, not hard."""
    seen: dict[tuple[str, str], dict[int, list[float]]] = {}
    for step, groups in course.items():
        for group in groups:
            for name, rate in group.pass_rates.items():
                seen.setdefault((group.task_hash, name), {}).setdefault(step, []).append(rate)
    found: list[dict[str, Any]] = []
    for (task_hash, name), by_step in seen.items():
        rates = [rate for row in by_step.values() for rate in row]
        if not any(rates) and len(by_step) >= SUSPECT_STEPS:
            found.append(
                {"task": task_hash, "criterion": name, "groups": len(rates), "href": step_href(training, max(by_step))}
            )
    return sorted(found, key=lambda one: (-one["groups"], one["task"], one["criterion"]))[:12]
