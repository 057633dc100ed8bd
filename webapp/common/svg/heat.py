"""Heat maps as HTML tables: a screen reader reads them cell by cell, and each cell can be a link."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.rendering.text import Markup, esc
from webapp.common.svg.scale import number

STEPS = 6


@dataclass(frozen=True)
class HeatCell:
    """A rate in [0, 1]; `note` says what it counts ("4 of 8") and is read out with the value."""

    value: float
    href: str = ""
    note: str = ""


def heat_map(
    rows: Sequence[str],
    cols: Sequence[str],
    cells: Sequence[Sequence[HeatCell | float | None]],
    *,
    caption: str = "",
    corner: str = "",
    legend: bool = True,
    signal: bool = True,
) -> Markup:
    """A table of rates. None is a missing cell (hatched); exactly 0 or 1 carries a no-signal mark.

    `signal=False` is for rates that say nothing about gradients, such as the completion of a task: no mark then.

    Raises ValueError when the cells do not fit the headings or a rate lies outside [0, 1].
    """
    if len(cells) != len(rows) or any(len(row) != len(cols) for row in cells):
        raise ValueError(f"cells must be {len(rows)} rows of {len(cols)}")
    head = "".join(f'<th scope="col">{esc(col)}</th>' for col in cols)
    body = "".join(
        f'<tr><th scope="row" title="{esc(name)}">{esc(name)}</th>{"".join(_cell(cell, signal) for cell in row)}</tr>'
        for name, row in zip(rows, cells, strict=True)
    )
    title = f"<caption>{esc(caption)}</caption>" if caption else ""
    return Markup(
        f'<div class="heat"><table>{title}<thead><tr><th scope="col">{esc(corner)}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>{_legend() if legend else ''}</div>"
    )


def ramp_step(rate: float) -> int:
    """The colour step, 0 to 5, of a rate in [0, 1]."""
    if not 0 <= rate <= 1:
        raise ValueError(f"a rate lies in [0, 1], not {rate}")
    return min(STEPS - 1, int(rate * STEPS))


def _cell(cell: HeatCell | float | None, signal: bool) -> str:
    if cell is None:
        return '<td class="missing"><span role="img" aria-label="no data">–</span></td>'
    if not isinstance(cell, HeatCell):
        cell = HeatCell(float(cell))
    flat = signal and cell.value in (0, 1)
    mark = '<span class="nosignal" title="no gradient from this criterion in this group">∅</span>' if flat else ""
    text = f"{number(round(cell.value, 2))}{mark}"
    note = f' title="{esc(cell.note)}"' if cell.note else ""
    inner = f'<a href="{esc(cell.href)}"{note}>{text}</a>' if safe_href(cell.href) else text
    return f'<td class="h{ramp_step(cell.value)}"{"" if safe_href(cell.href) else note}>{inner}</td>'


def safe_href(href: str) -> bool:
    """Whether `href` stays on this site: a path, a query or a fragment, never a scheme."""
    return href.startswith(("/", "?", "#")) and not href.startswith(("//", "/\\"))


def _legend() -> str:
    ramp = "".join(f'<i class="h{step}"></i>' for step in range(STEPS))
    return (
        f'<p class="heat-legend"><span>0 <span class="ramp" aria-hidden="true">{ramp}</span> 1</span>'
        "<span>∅ all or none passed: no gradient</span>"
        '<span><i class="swatch missing" aria-hidden="true"></i> no data</span></p>'
    )
