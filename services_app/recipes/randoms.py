"""Random choices from the generator of the call: the same state gives the same draw."""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from typing import Any

from services_app.engine.errors import invalid

_MOST = 10_000


def whole(rng: random.Random, low: float = 0, high: float = 100) -> int:
    """A whole number from low to high, both included."""
    first, last = int(low), int(high)
    if first > last:
        raise invalid(f"The lower bound {first} is above the upper bound {last}.")
    return rng.randint(first, last)


def below(rng: random.Random, upper: float) -> int:
    """A whole number from 0 to below `upper`."""
    if upper < 1:
        raise invalid("The upper bound must be at least 1.")
    return rng.randrange(int(upper))


def real(rng: random.Random, low: float | None = None, high: float | None = None) -> float:
    first, last = 0.0 if low is None else low, 1.0 if high is None else high
    if first > last:
        raise invalid(f"The lower bound {first} is above the upper bound {last}.")
    return first + (last - first) * rng.random()


def choices(rng: random.Random, items: Sequence[Any], count: float = 1, weights: Any = None) -> list[Any]:
    """With replacement; by weight where weights are given."""
    if not items:
        raise invalid("There is nothing to choose from.")
    if not 0 <= count <= _MOST:
        raise invalid(f"Choose between 0 and {_MOST} items.")
    if weights is None:
        return rng.choices(list(items), k=int(count))
    numbers = [weight for weight in weights if isinstance(weight, int | float)] if isinstance(weights, list) else []
    if len(numbers) != len(items) or any(weight < 0 for weight in numbers) or sum(numbers) <= 0:
        raise invalid("Give one weight per item, none negative, and at least one above zero.")
    return rng.choices(list(items), weights=numbers, k=int(count))


def shuffled(rng: random.Random, items: Sequence[Any]) -> list[Any]:
    return rng.sample(list(items), len(items))


def sample(rng: random.Random, items: Sequence[Any], count: float) -> list[Any]:
    """Without replacement."""
    if not 0 <= count <= len(items):
        raise invalid(f"Between 0 and {len(items)} different items can be chosen.")
    return rng.sample(list(items), int(count))


def token(rng: random.Random, size: float | None = None) -> str:
    """Hexadecimal digits of `size` random bytes (32 by default)."""
    count = 32 if size is None else int(size)
    if not 1 <= count <= _MOST:
        raise invalid(f"Between 1 and {_MOST} bytes.")
    return rng.randbytes(count).hex()


def uuid(rng: random.Random) -> str:
    """A version 4 UUID."""
    digits = rng.randbytes(16).hex()
    return (
        f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{'89ab'[int(digits[16], 16) % 4]}{digits[17:20]}-{digits[20:]}"
    )


def uuids(rng: random.Random, count: float | None = None) -> list[str]:
    number = 1 if count is None else int(count)
    if not 1 <= number <= _MOST:
        raise invalid(f"Between 1 and {_MOST} identifiers.")
    return [uuid(rng) for _ in range(number)]


def password(
    rng: random.Random, length: float | None = None, special: bool | None = None, digits: bool | None = None
) -> str:
    """At least one lower-case and one upper-case letter, two digits unless refused, a special one when asked for."""
    size = 12 if length is None else int(length)
    if not 4 <= size <= 256:
        raise invalid("A password has between 4 and 256 characters.")
    signs = "!@#$%^&*()-_=+"
    needed = [rng.choice(string.ascii_lowercase), rng.choice(string.ascii_uppercase)]
    needed += [] if digits is False else [rng.choice(string.digits) for _ in range(2)]
    needed = (needed + ([rng.choice(signs)] if special else []))[:size]
    alphabet = string.ascii_letters + ("" if digits is False else string.digits) + (signs if special else "")
    rest = [rng.choice(alphabet) for _ in range(size - len(needed))]
    return "".join(rng.sample(needed + rest, size))


def dice(rng: random.Random, count: float | None = None, sides: float | None = None) -> dict[str, Any]:
    number, faces = int(count or 1), int(sides or 6)
    if not 1 <= number <= 1000 or not 2 <= faces <= 1_000_000:
        raise invalid("Between 1 and 1000 dice of at least 2 sides.")
    rolls = [rng.randint(1, faces) for _ in range(number)]
    return {"rolls": rolls, "total": sum(rolls)}
