"""Arithmetic, number theory and statistics over the numbers of a call. Undefined results are refused with 422."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from services_app.engine.errors import invalid

Number = int | float
_MOST = 10_000
_WIDEST = 2**63


def tidy(value: Number) -> Number:
    """A finite number, without a fraction of zero."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise invalid("The result is not a finite number. Send smaller numbers.", type="out_of_range")
        if value.is_integer() and abs(value) < 1e15:
            return int(value)
    return float(value) if isinstance(value, int) and abs(value) >= _WIDEST else value


def exact(value: int) -> int | str:
    """A whole number to the last digit: as text where 64 bits do not hold it."""
    return value if abs(value) < _WIDEST else str(value)


def guarded(function: Callable[..., Number], *values: Number) -> Number:
    """`function(*values)`; what mathematics leaves undefined becomes an error in words."""
    try:
        return tidy(function(*values))
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise invalid(f"The result is not defined for these numbers: {error}.", type="undefined") from error


def numbers_of(values: Sequence[Any], least: int = 1) -> list[Number]:
    """The values as numbers; 422 when there are too few, or something else is among them."""
    if len(values) < least:
        raise invalid(f"At least {least} number{'s are' if least > 1 else ' is'} needed.")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise invalid(f"{value!r} is not a number.")
    return list(values)


def add(a: Number, b: Number) -> Number:
    return guarded(lambda x, y: x + y, a, b)


def subtract(a: Number, b: Number) -> Number:
    return guarded(lambda x, y: x - y, a, b)


def multiply(a: Number, b: Number) -> Number:
    return guarded(lambda x, y: x * y, a, b)


def divide(a: Number, b: Number) -> Number:
    if b == 0:
        raise invalid("Division by zero. Send a divisor that is not zero.", type="division_by_zero")
    return guarded(lambda x, y: x / y, a, b)


def modulo(a: Number, b: Number) -> Number:
    if b == 0:
        raise invalid("Division by zero. Send a divisor that is not zero.", type="division_by_zero")
    return guarded(lambda x, y: x % y, a, b)


def power(a: Number, b: Number) -> Number:
    return guarded(math.pow, a, b)


def root(a: Number, b: Number = 2) -> Number:
    """The b-th root; the square root by default."""
    if b == 2:
        return guarded(math.sqrt, a)
    if b == 0:
        raise invalid("There is no zeroth root.")
    if a < 0 and b % 2 == 1:
        return tidy(-math.pow(-a, 1 / b))
    return guarded(math.pow, a, 1 / b)


def logarithm(a: Number, b: Number | None = None) -> Number:
    """To base b; the natural one without it."""
    return guarded(math.log, a) if b is None else guarded(math.log, a, b)


def exponential(a: Number) -> Number:
    return guarded(math.exp, a)


def absolute(a: Number) -> Number:
    return tidy(abs(a))


def trigonometric(a: Number, function: str) -> Number:
    """`function` of an angle in radians."""
    return guarded({"sin": math.sin, "cos": math.cos, "tan": math.tan}[function], a)


def floor(a: Number) -> Number:
    return guarded(math.floor, a)


def ceiling(a: Number) -> Number:
    return guarded(math.ceil, a)


def rounded(a: Number, digits: int | None = None) -> Number:
    """To the nearest, halves upward; to whole numbers without `digits`."""
    scale = 10 ** min(max(digits or 0, -15), 15)
    return guarded(lambda x: math.floor(x * scale + 0.5) / scale, a)


def total(numbers: Sequence[Any]) -> Number:
    return guarded(math.fsum if any(isinstance(n, float) for n in numbers) else sum, numbers_of(numbers))  # type: ignore[arg-type]


def product(numbers: Sequence[Any]) -> Number:
    return guarded(math.prod, numbers_of(numbers))  # type: ignore[arg-type]


def mean(numbers: Sequence[Any]) -> Number:
    return guarded(statistics.fmean, numbers_of(numbers))  # type: ignore[arg-type]


def _chosen(function: Callable[..., Number], numbers: Sequence[Any]) -> dict[str, Any]:
    """A number of the list, and how many there are."""
    known = numbers_of(numbers)
    return {"result": guarded(function, known), "count": len(known)}  # type: ignore[arg-type]


def median(numbers: Sequence[Any]) -> dict[str, Any]:
    return _chosen(statistics.median, numbers)


def mode(numbers: Sequence[Any]) -> dict[str, Any]:
    """The most frequent numbers in the order of their first appearance, and how often they appear."""
    counts = Counter(numbers_of(numbers))
    most = max(counts.values())
    return {"mode": [number for number, count in counts.items() if count == most], "count": most}


def least(numbers: Sequence[Any]) -> dict[str, Any]:
    return _chosen(min, numbers)


def greatest(numbers: Sequence[Any]) -> dict[str, Any]:
    return _chosen(max, numbers)


def spread(numbers: Sequence[Any]) -> Number:
    """Greatest minus least."""
    return guarded(lambda values: max(values) - min(values), numbers_of(numbers))  # type: ignore[arg-type]


def variance(numbers: Sequence[Any], population: bool | None = None) -> Number:
    """Of a sample (divided by n - 1), or of a population (divided by n)."""
    known = numbers_of(numbers, 1 if population else 2)
    return guarded(statistics.pvariance if population else statistics.variance, known)  # type: ignore[arg-type]


def deviation(numbers: Sequence[Any], population: bool | None = None) -> Number:
    return guarded(math.sqrt, variance(numbers, population))


def percentile(numbers: Sequence[Any], percent: Number) -> Number:
    """By linear interpolation between the two nearest ranks."""
    known = sorted(numbers_of(numbers))
    if not 0 <= percent <= 100:
        raise invalid("The percentile must lie between 0 and 100.")
    place = (len(known) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(known) - 1)
    return tidy(known[low] + (known[high] - known[low]) * (place - low))


def correlation(x: Sequence[Any], y: Sequence[Any]) -> Number:
    """Pearson's coefficient."""
    first, second = _pairs(x, y)
    try:
        return round(statistics.correlation(first, second), 12)
    except statistics.StatisticsError as error:
        raise invalid("The correlation is not defined when all values of one list are equal.") from error


def regression(x: Sequence[Any], y: Sequence[Any]) -> dict[str, Any]:
    """The least-squares line y = slope * x + intercept, with r squared."""
    first, second = _pairs(x, y)
    try:
        line = statistics.linear_regression(first, second)
    except statistics.StatisticsError as error:
        raise invalid("No line fits when all x are equal.") from error
    middle = statistics.fmean(second)
    around = sum((value - middle) ** 2 for value in second)
    left = sum((b - line.slope * a - line.intercept) ** 2 for a, b in zip(first, second, strict=True))
    return {
        "slope": tidy(round(line.slope, 12)),
        "intercept": tidy(round(line.intercept, 12)),
        "r_squared": tidy(round(1 - left / around, 12)) if around else 1,
    }


def _pairs(x: Sequence[Any], y: Sequence[Any]) -> tuple[list[float], list[float]]:
    first, second = numbers_of(x, 2), numbers_of(y, 2)
    if len(first) != len(second):
        raise invalid(f"Both lists must be equally long; they hold {len(first)} and {len(second)} numbers.")
    return [float(value) for value in first], [float(value) for value in second]


def summary(numbers: Sequence[Any]) -> dict[str, Any]:
    known = numbers_of(numbers)
    return {
        "count": len(known),
        "sum": total(known),
        "mean": mean(known),
        "median": statistics.median(known),
        "min": min(known),
        "max": max(known),
        "standard_deviation": deviation(known) if len(known) > 1 else 0,
    }


def _whole(value: Number, least_: int = 0, most: int = 10**15) -> int:
    if isinstance(value, float) and not value.is_integer():
        raise invalid(f"{value} is not a whole number.")
    if not least_ <= value <= most:
        raise invalid(f"{value} is not between {least_} and {most}.", type="out_of_range")
    return int(value)


def factorial(a: Number) -> int | str:
    return exact(math.factorial(_whole(a, 0, 500)))


def permutations(n: Number, k: Number | None = None) -> int | str:
    """Ordered choices of k among n; of all n without k."""
    return exact(math.perm(_whole(n, 0, 500), None if k is None else _whole(k, 0, 500)))


def combinations(n: Number, k: Number) -> int | str:
    return exact(math.comb(_whole(n, 0, 500), _whole(k, 0, 500)))


def divisor(a: Number, b: Number) -> int:
    return math.gcd(_whole(a, -(10**15)), _whole(b, -(10**15)))


def multiple(a: Number, b: Number) -> int | str:
    return exact(math.lcm(_whole(a, -(10**15)), _whole(b, -(10**15))))


def factors(a: Number) -> list[int]:
    """Prime factors, ascending, with repetition."""
    rest, found, step = _whole(a, 2, 10**12), [], 2
    while step * step <= rest:
        while rest % step == 0:
            found.append(step)
            rest //= step
        step += 1 if step == 2 else 2
    return [*found, rest] if rest > 1 else found


def is_prime(a: Number) -> bool:
    number = _whole(a, -(10**12), 10**12)
    return number > 1 and factors(number) == [number]


def fibonacci(a: Number) -> int | str:
    """The a-th number: 0, 1, 1, 2, 3, ... counted from 0."""
    before, after = 0, 1
    for _ in range(_whole(a, 0, _MOST // 10)):
        before, after = after, before + after
    return exact(before)


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def in_base(number: str | Number, to_base: Number, from_base: Number | None = None) -> str:
    """The digits of a whole number in another base."""
    source, target = _whole(from_base or 10, 2, 36), _whole(to_base, 2, 36)
    try:
        value = int(str(number).strip(), source)
    except ValueError as error:
        raise invalid(f"{number!r} is no whole number in base {source}.") from error
    rest, digits = abs(value), ""
    while rest:
        rest, digit = divmod(rest, target)
        digits = _DIGITS[digit] + digits
    return ("-" if value < 0 else "") + (digits or "0")


def base_units(amount: Number, decimals: Number) -> str:
    """`amount` in the smallest unit of something with that many decimals."""
    places = _whole(decimals, 0, 77)
    text = f"{amount:.{max(places, 20)}f}" if isinstance(amount, float) else str(amount)
    whole, _, fraction = (repr(amount) if "e" not in repr(amount) else text).partition(".")
    fraction = fraction.rstrip("0")
    if len(fraction) > places:
        raise invalid(f"{amount} has more than {places} decimals.")
    return str(int(whole + fraction.ljust(places, "0")))


def decimal_units(amount: Number, decimals: Number) -> str:
    """An amount in the smallest unit as a decimal number."""
    places = _whole(decimals, 0, 77)
    value = _whole(amount, -(10**40), 10**40)
    digits = str(abs(value)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".") if places else digits
    return f"-{text}" if value < 0 else text


def compound(principal: Number, rate: Number, years: Number, times: Number | None = None) -> dict[str, Any]:
    """Interest at `rate` percent a year, added `times` a year (once by default)."""
    often = _whole(times or 1, 1, 366)
    amount = guarded(lambda: principal * (1 + rate / 100 / often) ** (often * years))
    return {"amount": round(amount, 2), "interest": round(amount - principal, 2)}


def loan(principal: Number, rate: Number, years: Number) -> dict[str, Any]:
    """The equal monthly payment of a loan at `rate` percent a year."""
    months = _whole(years * 12, 1, 1200)
    monthly = rate / 1200
    payment = guarded(lambda: principal * monthly / (1 - (1 + monthly) ** -months)) if monthly else principal / months
    return {
        "monthly_payment": round(payment, 2),
        "total_payment": round(payment * months, 2),
        "total_interest": round(payment * months - principal, 2),
    }
