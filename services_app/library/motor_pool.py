"""Our own vehicles: the same registration and policy number in fleet and insurance claims.

Built from the seed alone. Services take as many as their scale asks for, always from the front.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from services_app.engine import SeedContext
from services_app.library.cast import Stream

MANY = 90
INSURER = "Steyn Insurance Brokers"
# model, kind, fuel, litres, kilograms, value when new
_MODELS = (
    ("Corvane Transit L2", "van", "diesel", 80, 1050, 31_000),
    ("Ostrel City", "car", "petrol", 45, 420, 19_500),
    ("Corvane Cargo XL", "van", "diesel", 90, 1400, 38_500),
    ("Ostrel Tourer", "car", "diesel", 55, 480, 27_000),
    ("Haulier 7.5", "lorry", "diesel", 160, 3200, 68_000),
    ("Corvane Compact", "van", "petrol", 60, 640, 23_500),
)
SITES = ("London", "Rotterdam", "London", "Lyon", "Rotterdam")
_LETTERS = "BCDFGHJKLMNPRSTVWXZ"


@dataclass(frozen=True, slots=True)
class Vehicle:
    """`pool` vehicles are booked by the day, the others belong to one driver. `value` is in pounds, when new."""

    plate: str
    model: str
    kind: str
    fuel: str
    tank: int
    payload: int
    value: int
    site: str
    pool: bool
    policy_number: str


def vehicles(ctx: SeedContext) -> tuple[Vehicle, ...]:
    """The vehicles of this seed; the same object for every service of a process."""
    return _build(ctx.seed, type(ctx.random))  # type: ignore[arg-type]  # its class is its own, hashable


@lru_cache(maxsize=4)
def _build(seed: int, stream: Callable[[str], Stream]) -> tuple[Vehicle, ...]:
    rng = stream(f"{seed}:motor-pool")
    numbers = rng.sample(range(100, 999), MANY)
    found = []
    for index, number in enumerate(numbers):
        site, model = SITES[index % len(SITES)], _MODELS[index % len(_MODELS)]
        ends = "".join(rng.choice(_LETTERS) for _ in range(3))
        plate = {
            "London": f"LK{60 + number % 15} {ends}",
            "Rotterdam": f"{ends[0]}-{number}-{ends[1:]}",
            "Lyon": f"{ends[:2]}-{number}-{ends[1:]}",
        }[site]
        policy, pool = f"MOT-{48_000 + number}", index % 7 in (0, 2, 4)
        found.append(Vehicle(plate, *model, site=site, pool=pool, policy_number=policy))
    return tuple(found)
