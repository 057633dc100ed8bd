"""A group of rollouts of one task: criteria by rollouts, with the arithmetic of the reward in the margins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webapp.common.rendering.text import Markup, esc
from webapp.common.svg.heat import safe_href
from webapp.common.svg.scale import number


@dataclass(frozen=True)
class CriterionRow:
    """One criterion: its pass rate p_j and weight w_j in this group (None when not computed)."""

    name: str
    rate: float | None = None
    weight: float | None = None
    href: str = ""


@dataclass(frozen=True)
class RolloutColumn:
    """One rollout: reward R_i in [0, 1] and advantage (None when not computed)."""

    name: str
    reward: float | None = None
    advantage: float | None = None
    href: str = ""


def group_matrix(
    criteria: Sequence[CriterionRow],
    rollouts: Sequence[RolloutColumn],
    passed: Sequence[Sequence[bool | None]],
    *,
    caption: str = "",
) -> Markup:
    """The table of b_ij with p_j, w_j at the right and R_i, advantage below. None is "not decided".

    Raises ValueError when the cells do not fit. A criterion that all or none passed carries the no-signal mark.
    """
    if len(passed) != len(criteria) or any(len(row) != len(rollouts) for row in passed):
        raise ValueError(f"cells must be {len(criteria)} rows of {len(rollouts)}")
    heads = "".join(f'<th scope="col">{_link(one.name, one.href)}</th>' for one in rollouts)
    rows = "".join(_row(one, cells) for one, cells in zip(criteria, passed, strict=True))
    title = f"<caption>{esc(caption)}</caption>" if caption else ""
    return Markup(
        f'<div class="group-matrix"><table>{title}<thead><tr><th scope="col">Criterion</th>{heads}'
        '<th scope="col">p</th><th scope="col">w</th></tr></thead>'
        f"<tbody>{rows}</tbody><tfoot>{_foot('Reward R', [one.reward for one in rollouts], _reward)}"
        f"{_foot('Advantage', [one.advantage for one in rollouts], _advantage(rollouts))}</tfoot></table></div>"
    )


def _link(text: str, href: str) -> str:
    return f'<a href="{esc(href)}">{esc(text)}</a>' if safe_href(href) else esc(text)


def _row(criterion: CriterionRow, cells: Sequence[bool | None]) -> str:
    marks = "".join(_mark(cell) for cell in cells)
    flat = criterion.rate in (0, 1)
    sign = '<span class="nosignal" title="all or none passed: no gradient">∅</span>' if flat else ""
    rate = "–" if criterion.rate is None else f"{number(round(criterion.rate, 3))}{sign}{_bar(criterion.rate)}"
    weight = "–" if criterion.weight is None else number(round(criterion.weight, 3))
    name = _link(criterion.name, criterion.href)
    return (
        f'<tr><th scope="row" title="{esc(criterion.name)}">{name}</th>{marks}'
        f'<td class="margin">{rate}</td><td class="margin">{weight}</td></tr>'
    )


def _mark(cell: bool | None) -> str:
    if cell is None:
        return '<td class="missing"><span role="img" aria-label="not decided">–</span></td>'
    name, word, glyph = ("yes", "passed", "✓") if cell else ("no", "failed", "✗")
    return f'<td class="{name}"><span role="img" aria-label="{word}">{glyph}</span></td>'


def _bar(share: float) -> str:
    width = round(48 * min(1.0, max(0.0, share)), 1)
    return (
        '<svg class="mini-bar" viewBox="0 0 48 4" aria-hidden="true" xmlns="http://www.w3.org/2000/svg">'
        f'<rect class="bar-track" width="48" height="4"/><rect class="bar-full" width="{width:g}" height="4"/></svg>'
    )


def _foot(name: str, values: Sequence[float | None], draw: Callable[[float], str]) -> str:
    cells = "".join("<td>–</td>" if value is None else f"<td>{draw(value)}</td>" for value in values)
    return f'<tr><th scope="row">{name}</th>{cells}<td class="margin"></td><td class="margin"></td></tr>'


def _reward(value: float) -> str:
    return f"{value:.2f}{_bar(value)}"


def _signed(value: float) -> str:
    """Two decimals with a sign; what rounds to nothing has none."""
    return "0.00" if abs(value) < 0.005 else f"{value:+.2f}"


def _advantage(rollouts: Sequence[RolloutColumn]) -> Callable[[float], str]:
    """Bars around zero on one scale for the whole group."""
    largest = max((abs(one.advantage) for one in rollouts if one.advantage is not None), default=0.0) or 1.0

    def draw(value: float) -> str:
        width = 24 * abs(value) / largest
        x = 24 if value >= 0 else 24 - width
        name = "bar-full" if value >= 0 else "bar-below"
        return (
            f'{_signed(value)}<svg class="mini-bar" viewBox="0 0 48 4" aria-hidden="true"'
            ' xmlns="http://www.w3.org/2000/svg"><rect class="bar-track" width="48" height="4"/>'
            f'<rect class="{name}" x="{x:.1f}" width="{width:.1f}" height="4"/></svg>'
        )

    return draw
