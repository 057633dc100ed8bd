"""Numbers, sizes, spans and ages in words."""

import math
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

ABSENT = "–"


def plain_number(value: object, digits: int = 3) -> str:
    """12,345 for whole numbers, up to `digits` decimals otherwise, a dash when there is no number."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        return ABSENT
    if isinstance(value, float) and not math.isfinite(value):
        return ABSENT
    if isinstance(value, int) or value.is_integer():
        return number_format(int(value), use_l10n=True, force_grouping=True)
    if 0 < abs(value) < 10**-digits:
        return f"{value:.2g}"
    return number_format(round(value, digits), decimal_pos=digits, use_l10n=True, force_grouping=True)


def percent(share: object, digits: int = 0) -> str:
    """A share in [0, 1] as a percentage. What is not quite 0 or 1 is never rounded to it."""
    if share is None or not isinstance(share, int | float) or not math.isfinite(share):
        return ABSENT
    value = round(share * 100, digits)
    step = 10**-digits
    if value >= 100 > share * 100:
        value = 100 - step
    if value <= 0 < share:
        return f"<{step:g} %"
    return f"{number_format(value, decimal_pos=digits, use_l10n=True)} %"


def span(seconds: float | None) -> str:
    """A length of time in its two largest units: 850 ms, 12.3 s, 4 min 05 s, 2 h 10 min, 3 d 4 h."""
    if seconds is None or not math.isfinite(seconds):
        return ABSENT
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02d} min"
    return f"{hours // 24} d {hours % 24} h"


def rough_span(seconds: float) -> str:
    """A length of time in one unit, for estimates: 40 s, 17 min, 3 h, 2 d."""
    for size, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(1.0, seconds):.0f} s"


def byte_size(count: int | None) -> str:
    """Bytes in binary units, three digits."""
    if count is None:
        return ABSENT
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def age(then: datetime, now: datetime) -> str:
    """How long ago, or in how long, in one unit."""
    ahead = then > now
    seconds = int(abs((now - then).total_seconds()))
    if seconds < 10:
        return gettext("just now")
    text = _one_unit(seconds)
    return gettext("in %(span)s") % {"span": text} if ahead else gettext("%(span)s ago") % {"span": text}


def _one_unit(seconds: int) -> str:
    if seconds < 60:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    if seconds < 3600:
        minutes = seconds // 60
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    if seconds < 86400:
        hours = seconds // 3600
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    days = seconds // 86400
    if days < 60:
        return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
    months = days // 30
    return ngettext("%(n)d month", "%(n)d months", months) % {"n": months}


def time_left(started: datetime | None, done: float, total: float, now: datetime | None = None) -> timedelta | None:
    """What is left at the mean speed so far; None until a first part is done."""
    if started is None or done <= 0 or total <= done:
        return None
    return ((now or timezone.now()) - started) * ((total - done) / done)
