"""Numbers for the drawings: ticks, smoothing, thinning. Pure functions of their arguments."""

import math
from collections.abc import Sequence

Point = tuple[float, float | None]


def nice_ticks(low: float, high: float, count: int) -> list[float]:
    """About `count` round values (1, 2 or 5 times a power of ten) from `low` to `high`, both finite."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    raw = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next((m * power for m in (1, 2, 5) if raw <= m * power), 10 * power)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def debiased_ema(values: Sequence[float | None], weight: float) -> list[float | None]:
    """Exponential moving average with the start corrected, `weight` in [0, 0.99]; None stays None.

    Without the correction the first points would lean to zero. A constant series is returned as it is,
    so rounding cannot draw a slope that is not there.
    """
    if not 0 <= weight <= 0.99:
        raise ValueError(f"smoothing must lie in [0, 0.99], not {weight}")
    present = {v for v in values if v is not None}
    if weight == 0 or len(present) <= 1:
        return list(values)
    smooth: list[float | None] = []
    total, seen = 0.0, 0
    for value in values:
        if value is None:
            smooth.append(None)
            continue
        seen += 1
        total = total * weight + (1 - weight) * value
        smooth.append(total / (1 - weight**seen))
    return smooth


def thin(points: Sequence[Point], limit: int = 1500) -> list[Point]:
    """At most about `limit` points: the lowest and highest of each bucket, so peaks survive; gaps too."""
    if len(points) <= limit:
        return list(points)
    size = math.ceil(len(points) / (limit // 2))
    kept: list[Point] = []
    for start in range(0, len(points), size):
        kept.extend(_extremes(points[start : start + size]))
    return kept


def _extremes(bucket: Sequence[Point]) -> list[Point]:
    present = [(y, i) for i, (_, y) in enumerate(bucket) if y is not None]
    if len(present) < len(bucket) // 2 or not present:
        return [(bucket[0][0], None)]
    picked = sorted({min(present)[1], max(present)[1]})
    return [bucket[i] for i in picked]


def number(value: float) -> str:
    """A short exact-looking number for labels: 12,345, 0.731, 1.2e-05."""
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 10_000 or float(value).is_integer():
        return f"{value:,.0f}" if size < 1e9 else f"{value:.3g}"
    return f"{value:.4g}" if size >= 1e-3 else f"{value:.2g}"
