"""A bar for every step of a trajectory, in three lanes: all steps, the same tool, the same service."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.rendering.text import Markup, esc
from webapp.common.svg.heat import safe_href

LANES = ("Step", "Same tool", "Same service")
_LEFT, _WIDTH, _LANE = 92.0, 900.0, 18.0


@dataclass(frozen=True)
class Step:
    """One step: `weight` sets the width of its bar (duration in ms, or 1), `changed` marks a state change."""

    number: int
    service: str = ""
    tool: str = ""
    href: str = ""
    failed: bool = False
    changed: bool = False
    weight: float = 1.0
    note: str = ""


def scrubber(steps: Sequence[Step], current: int = 0, *, title: str = "Steps") -> Markup:
    """Links to every step; the lanes below the first show where the tool and service of `current` come again."""
    chosen = next((step for step in steps if step.number == current), None)
    total = sum(max(step.weight, 0.0) for step in steps) or 1.0
    # A step of no duration must still be a target for the pointer.
    least = min(4.0, (_WIDTH / max(1, len(steps))) * 0.6)
    free = _WIDTH - least * len(steps)
    bars, x = [], _LEFT
    for step in steps:
        width = least + free * max(step.weight, 0.0) / total
        bars.append(_bar(step, x, width, chosen))
        x += width
    names = "".join(f'<text x="0" y="{13 + lane * _LANE:g}">{esc(name)}</text>' for lane, name in enumerate(LANES))
    height = _LANE * len(LANES) + 4
    return Markup(
        f'<svg class="scrubber" viewBox="0 0 {_LEFT + _WIDTH:g} {height:g}" role="group" aria-label="{esc(title)}"'
        f' data-scrubber="" xmlns="http://www.w3.org/2000/svg">{names}{"".join(bars)}</svg>'
    )


def _bar(step: Step, x: float, width: float, chosen: Step | None) -> str:
    here = chosen is not None and step.number == chosen.number
    same_tool = chosen is not None and step.tool != "" and (step.service, step.tool) == (chosen.service, chosen.tool)
    same_service = chosen is not None and step.service != "" and step.service == chosen.service
    lanes = [_rect(_names(step, here), x, 0, width)]
    if same_tool:
        lanes.append(_rect("peer", x, 1, width))
    if same_service:
        lanes.append(_rect("peer", x, 2, width))
    if step.changed:
        lanes.append(f'<circle class="tick" cx="{x + width / 2:.1f}" cy="2.5" r="1.8"/>')
    name = f"{step.number} {step.service}.{step.tool}" if step.tool else str(step.number)
    words = [name, *(["failed"] if step.failed else []), *(["changed state"] if step.changed else []), step.note]
    label = esc(", ".join(word for word in words if word))
    inner = f"<title>{label}</title>{''.join(lanes)}"
    if not safe_href(step.href):
        return f"<g>{inner}</g>"
    current = ' aria-current="step"' if here else ""
    return f'<a href="{esc(step.href)}" aria-label="{label}"{current}>{inner}</a>'


def _names(step: Step, here: bool) -> str:
    return " ".join(("bar", *(("failed",) if step.failed else ()), *(("here",) if here else ())))


def _rect(name: str, x: float, lane: int, width: float) -> str:
    gap = min(1.5, width * 0.2)
    return f'<rect class="{name}" x="{x:.1f}" y="{5 + lane * _LANE:g}" width="{width - gap:.1f}" height="11" rx="1.5"/>'
