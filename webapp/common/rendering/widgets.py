"""Small inline pieces of markup: pills, icons, bars, times."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from webapp.common.rendering import numbers
from webapp.common.rendering.json_tree import sprite
from webapp.common.rendering.status import look, state_key
from webapp.common.rendering.text import Markup, esc

_ENDED = {"succeeded", "failed", "cancelled", "interrupted", "error"}


def icon(name: str, label: str = "") -> Markup:
    """One icon of the sprite: decorative, or named when `label` is given."""
    role = f'role="img" aria-label="{esc(label)}"' if label else 'aria-hidden="true"'
    return Markup(f'<svg class="icon" {role}><use href="{sprite()}#{esc(name)}"/></svg>')


def status_pill(value: object, *, compact: bool = False) -> Markup:
    """Icon and word of a state; `compact` keeps the icon and gives the word as its accessible name."""
    key, shown = look(value)
    word = esc(shown.word)
    classes = f"pill {shown.hue} {shown.shape}"
    if compact:
        return Markup(
            f'<span class="{classes} compact" data-status="{esc(key)}" role="img" aria-label="{word}" title="{word}">'
            f"{icon(shown.icon)}</span>"
        )
    return Markup(f'<span class="{classes}" data-status="{esc(key)}">{icon(shown.icon)}<span>{word}</span></span>')


def score_pair(mean: float | None, complete: float | None, *, n: int | None = None) -> Markup:
    """Mean rubric score and full-completion rate, always together; the bar between them shows the gap."""
    if mean is None or complete is None:
        return Markup(f'<span class="score muted">{numbers.ABSENT} {esc(gettext("not scored"))}</span>')
    whole = f' <span class="muted">n={n}</span>' if n is not None else ""
    words = gettext("%(mean)s mean, %(complete)s complete") % {
        "mean": f"{mean:.2f}",
        "complete": numbers.percent(complete),
    }
    return Markup(
        f'<span class="score" role="group" aria-label="{esc(words)}"><span><b>{mean:.2f}</b> {esc(gettext("mean"))}'
        f'<span class="sep">·</span><b>{esc(numbers.percent(complete))}</b> {esc(gettext("complete"))}{whole}</span>'
        f'<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="bar-track" width="100" height="4"/><rect class="bar-mean" width="{_share(mean):g}" height="4"/>'
        f'<rect class="bar-full" width="{_share(complete):g}" height="4"/></svg></span>'
    )


def _share(value: float) -> float:
    return round(100 * min(1.0, max(0.0, value)), 1)


def provenance_bar(verified: int, simulated: int, quarantined: int) -> Markup:
    """Tools by provenance as a stacked bar with the counts in words."""
    counts = ((verified, "ok", "verified"), (simulated, "sim", "simulated"), (quarantined, "quar", "quarantined"))
    total = verified + simulated + quarantined
    if not total:
        return Markup(f'<span class="muted">{esc(gettext("no tools"))}</span>')
    rects, words, x = [], [], 0.0
    for count, name, key in counts:
        if not count:
            continue
        width = 100 * count / total
        rects.append(f'<rect class="prov-{name}" x="{x:.2f}" width="{max(1.0, width - 1.5):.2f}" height="6"/>')
        words.append(f"{count} {str(look(key)[1].word).lower()}")
        x += width
    text = esc(", ".join(words))
    short = esc(" / ".join(str(count) for count, _, _ in counts))
    return Markup(
        f'<span class="prov" title="{text}"><svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img"'
        f' aria-label="{text}">{"".join(rects)}</svg><span aria-hidden="true">{short}</span></span>'
    )


def progress_line(run: object) -> Markup:
    """`63/150 steps · 41 % · 18 min left` over a bar when the total is known, the phase in words otherwise."""
    state = state_key(run)
    done, total = _number(run, "done"), _number(run, "total")
    unit, phase = str(_field(run, "unit") or ""), str(_field(run, "phase") or "")
    hue = look(state)[1].hue
    if not total:
        words = phase or str(look(state)[1].word)
        bar = "" if state in _ENDED else f'<progress class="{hue}" aria-label="{esc(words)}"></progress>'
        return Markup(f'<span class="progress-line"><span>{esc(words)}</span>{bar}</span>')
    share = min(1.0, done / total)
    amount = f"{numbers.plain_number(done)}/{numbers.plain_number(total)}"
    parts = [f"{amount} {unit}".strip(), numbers.percent(share)]
    started = _field(run, "started_at")
    left = numbers.time_left(started if isinstance(started, datetime) else None, done, total)
    if state == "running" and left is not None:
        parts.append(gettext("%(span)s left") % {"span": numbers.rough_span(left.total_seconds())})
    if phase and state not in _ENDED:
        parts.insert(0, phase)
    text = esc(" · ".join(parts))
    return Markup(
        f'<span class="progress-line"><progress class="{hue}" max="{total:g}" value="{done:g}" aria-label="{text}">'
        f"</progress><span>{text}</span></span>"
    )


def _field(source: object, name: str) -> object:
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)


def _number(source: object, name: str) -> float:
    value = _field(source, name)
    return float(value) if isinstance(value, int | float) else 0.0


def relative_time(moment: datetime | None, now: datetime | None = None) -> Markup:
    """`3 minutes ago` with the absolute time as title and machine-readable value."""
    if moment is None:
        return Markup(f'<span class="absent">{numbers.ABSENT}</span>')
    local = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    full = date_format(local, "DATETIME_FORMAT", use_l10n=True)
    words = numbers.age(moment, now or timezone.now())
    return Markup(f'<time datetime="{esc(moment.isoformat())}" title="{esc(full)}">{esc(words)}</time>')
