"""The reward lab: one group under the three rewards, with the arithmetic that the engine did.

Nothing is computed here: rewards, weights, pulls and advantages come from `training_app.engine`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from training_app.engine.advantage import STABILISER, Scale, group_advantages, spread
from training_app.engine.reward import GroupReward, UnknownEverywhere, Variant, Verdict, group_reward, pull
from webapp.common.rendering.text import Markup
from webapp.common.svg import Marker, Series, line_chart

VARIANTS: Final[dict[Variant, str | Promise]] = {
    "completion_focused": gettext_lazy("Completion-focused"),
    "equal": gettext_lazy("Equal weights"),
    "binary": gettext_lazy("Binary"),
}
EXAMPLE: Final = "moved reported\n1 1\n1 0\n1 0\n1 0\n0 0\ncrashed\ncrashed\ncrashed"
_LAMBDAS: Final = (0.0, 0.002, 0.005, *(step / 100 for step in range(1, 101)))


@dataclass(frozen=True)
class Settings:
    """How a group is rewarded. `dead`: numbers of rollouts (from 0) taken as crashed; `broken`: criteria left out."""

    lam: float = 0.01
    scale: Scale = "group"
    min_valid: int = 2
    unknown_everywhere: UnknownEverywhere = "exclude_criterion"
    dead: Collection[int] = ()
    broken: Collection[str] = ()


@dataclass(frozen=True)
class CriterionLine:
    """A criterion: pass rate, weight and its share of all weights, pull under both weightings (of Σ w = 1)."""

    name: str
    cells: Sequence[bool | None]
    rate: float | None = None
    weight: float | None = None
    share: float | None = None
    pull: float | None = None
    equal_pull: float | None = None
    no_signal: bool = False
    broken: bool = False


@dataclass(frozen=True)
class VariantLine:
    """Rewards and advantages of every rollout under one variant."""

    name: str
    label: str
    rewards: Sequence[float | None]
    advantages: Sequence[float | None]
    mean: float | None
    deviation: float | None


@dataclass(frozen=True)
class Lab:
    """Everything the page shows of a group."""

    rollouts: Sequence[str]
    """State of each: valid, crashed, unknown (an outcome could not be told), skipped."""
    criteria: Sequence[CriterionLine]
    variants: Sequence[VariantLine]
    focused: GroupReward
    arithmetic: Sequence[str]
    picture: Markup | None
    facts: dict[str, Any] = field(default_factory=dict)


def figures(verdicts: Sequence[Verdict | None], settings: Settings) -> Lab:
    """Every figure of the page. Raises ValueError for a group that cannot be rewarded, in the engine's words."""
    group = [None if place in settings.dead else verdict for place, verdict in enumerate(verdicts)]
    rewards: dict[Variant, GroupReward] = {name: _reward(group, settings, name) for name in VARIANTS}
    focused = rewards["completion_focused"]
    variants = [_variant(name, rewards[name], settings.scale) for name in VARIANTS]
    return Lab(
        rollouts=[_state(place, verdict, focused) for place, verdict in enumerate(group)],
        criteria=_criteria(group, focused, rewards["equal"]),
        variants=variants,
        focused=focused,
        arithmetic=[
            _words(i, group[i], focused, variants[0], settings.scale) for i in focused.valid if focused.weights
        ],
        picture=None if focused.skipped else _picture(group, settings, focused),
        facts=_facts(group, focused),
    )


def _reward(
    group: Sequence[Verdict | None], settings: Settings, variant: Variant, lam: float | None = None
) -> GroupReward:
    return group_reward(
        group,
        variant=variant,
        lam=settings.lam if lam is None else lam,
        min_valid=settings.min_valid,
        broken=settings.broken,
        unknown_everywhere=settings.unknown_everywhere,
    )


def _variant(name: Variant, reward: GroupReward, scale: Scale) -> VariantLine:
    known = [value for value in reward.rewards if value is not None]
    mean, deviation = spread(known) if len(known) > 1 else (None, None)
    advantages = group_advantages(reward.rewards, scale=scale)
    counted = [None if r is None else a for r, a in zip(reward.rewards, advantages, strict=True)]
    return VariantLine(name, str(VARIANTS[name]), reward.rewards, counted, mean, deviation)


def _state(place: int, verdict: Verdict | None, reward: GroupReward) -> str:
    if verdict is None:
        return "crashed"
    if place not in reward.valid:
        return "unknown"
    return "skipped" if reward.skipped else "valid"


def _criteria(group: Sequence[Verdict | None], focused: GroupReward, equal: GroupReward) -> list[CriterionLine]:
    names = next((sorted(verdict) for verdict in group if verdict is not None), [])
    return [_criterion(name, [None if v is None else v[name] for v in group], focused, equal) for name in names]


def _criterion(name: str, cells: Sequence[bool | None], focused: GroupReward, equal: GroupReward) -> CriterionLine:
    if name not in focused.weights:
        return CriterionLine(name, cells, broken=name in focused.broken)
    rate, weight, total = focused.pass_rates[name], focused.weights[name], focused.total
    return CriterionLine(
        name=name,
        cells=cells,
        rate=rate,
        weight=weight,
        share=weight / total if total else None,
        pull=pull(rate, weight / total) if total else 0.0,
        equal_pull=pull(rate, equal.weights[name] / equal.total),
        no_signal=name in focused.no_signal,
    )


def _words(place: int, verdict: Verdict | None, reward: GroupReward, line: VariantLine, scale: Scale) -> str:
    """The reward of one rollout written out, and its advantage from it."""
    met = [f"{weight:.6g}" for name, weight in reward.weights.items() if verdict and verdict[name]]
    value, advantage = reward.rewards[place], line.advantages[place]
    text = f"R{place + 1} = ({' + '.join(met) or '0'}) / {reward.total:.6g} = {value:.6f}"
    if line.mean is None or line.deviation is None or not advantage:
        return f"{text};  A{place + 1} = 0"
    distance = f"{value:.6f} − {line.mean:.6f}"
    if scale == "group":
        distance = f"({distance}) / ({line.deviation:.6f} + {STABILISER:g})"
    return f"{text};  A{place + 1} = {distance} = {advantage:+.6f}"


def _facts(group: Sequence[Verdict | None], reward: GroupReward) -> dict[str, Any]:
    judged = [group[place] for place in reward.valid]
    shares = [sum(map(bool, v.values())) / len(v) for v in judged if v]
    solved = sum(all(v[name] for name in reward.weights) for v in judged if v) if reward.weights else 0
    return {
        "valid": len(reward.valid),
        "all": len(group),
        "score": sum(shares) / len(shares) if shares else None,
        "complete": solved / len(judged) if judged and reward.weights else None,
    }


def _picture(group: Sequence[Verdict | None], settings: Settings, reward: GroupReward) -> Markup | None:
    """Advantage by λ of each kind of rollout (same criteria met), at most six kinds, the most frequent first."""
    kinds: dict[tuple[bool, ...], list[int]] = {}
    for place in reward.valid:
        verdict = group[place] or {}
        kinds.setdefault(tuple(bool(verdict[name]) for name in reward.weights), []).append(place)
    shown = sorted(kinds.values(), key=len, reverse=True)[:6]
    courses: list[list[tuple[float, float | None]]] = [[] for _ in shown]
    for lam in _LAMBDAS:
        advantages = group_advantages(_reward(group, settings, "completion_focused", lam).rewards, scale=settings.scale)
        for course, places in zip(courses, shown, strict=True):
            course.append((lam, advantages[places[0]]))
    series = [Series(_kind(places), course) for places, course in zip(shown, courses, strict=True)]
    return line_chart(
        series,
        title=_("Advantage by λ"),
        x_label="λ",
        markers=[Marker(settings.lam, f"λ = {settings.lam:g}")],
        width=640,
    )


def _kind(places: Sequence[int]) -> str:
    numbers = [str(place + 1) for place in places]
    return _("rollout %(n)s") % {"n": ", ".join(numbers[:4]) + (" …" if len(numbers) > 4 else "")}
