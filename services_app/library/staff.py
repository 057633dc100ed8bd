"""How our people are employed: number, office, manager, start and pay, the same in HR, payroll, time and travel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from services_app.engine import SeedContext
from services_app.library.cast import Office, Person, Stream, build

# title -> the yearly pay that is usual for it, in pounds
PAY = {
    "Account Executive": 44_000,
    "Account Manager": 49_000,
    "Sales Manager": 71_000,
    "Support Engineer": 39_000,
    "Support Lead": 47_000,
    "Customer Success Manager": 52_000,
    "Accountant": 45_000,
    "Billing Specialist": 37_000,
    "Finance Manager": 69_000,
    "Operations Coordinator": 41_000,
    "Operations Analyst": 43_000,
    "Logistics Planner": 42_000,
    "Operations Manager": 66_000,
    "Software Engineer": 58_000,
    "Site Reliability Engineer": 62_000,
    "Engineering Manager": 82_000,
    "Recruiter": 40_000,
    "People Partner": 48_000,
    "Office Manager": 54_000,
    "Content Editor": 38_000,
    "Campaign Manager": 46_000,
    "Events Manager": 50_000,
}
EURO = 1.15  # euros for a pound, as salaries are converted
FORMER = (
    ("LK-0871", "Marguerite Oakes", "Accountant", "finance"),
    ("LK-0902", "Tobias Renn", "Support Engineer", "support"),
    ("LK-0947", "Ingrid Solheim", "Account Executive", "sales"),
    ("LK-0963", "Desmond Achebe", "Logistics Planner", "operations"),
)
"""Number, name, last title and team of people who have left."""
CURRENCY = {"London": "GBP", "Rotterdam": "EUR", "Lyon": "EUR"}
_COUNTRY = {"London": "GB", "Rotterdam": "NL", "Lyon": "FR"}


@dataclass(frozen=True, slots=True)
class Employment:
    """The contract of one of our people. `hired` is days from today; `salary` is a year's, in `currency`."""

    number: str
    person: Person
    office: Office
    manager: Person | None
    hired: int
    salary: float
    currency: str
    iban: str


@dataclass(frozen=True, slots=True)
class Raise:
    """The last raise of someone: the yearly pay before, the first day of the new one, in days from today, and why."""

    before: float
    month: int
    reason: str


_REASONS = (
    "Yearly review",
    "Yearly review",
    "Promotion",
    "Adjustment to the band",
    "Counter-offer, agreed with the head",
)


def last_raise(contract: Employment) -> Raise | None:
    """The raise that led to the present pay, the same in HR and payroll; None for those who are new."""
    if contract.hired >= -400:
        return None
    number = int(contract.number[3:])
    before = round(contract.salary / (1.03, 1.05, 1.06)[number % 3] / 100) * 100
    return Raise(float(before), -(62, 120, 243, 335)[number % 4], _REASONS[number % 5])


def weekly_hours(contract: Employment) -> int:
    """Agreed hours a week; some of those who lead nobody work part time."""
    number = int(contract.number[3:])
    leads = contract.manager is None or number == 1001
    return 40 if leads or number % 7 != 3 else (20, 24, 32)[number // 7 % 3]


def employments(ctx: SeedContext) -> tuple[Employment, ...]:
    """The contracts of all our people, in the order of the cast; the signed-in user is the first."""
    cast = build(ctx)
    return _employ(ctx.seed, type(ctx.random), cast.staff, cast.offices)  # type: ignore[arg-type]


@lru_cache(maxsize=4)
def _employ(
    seed: int, stream: Callable[[str], Stream], staff: tuple[Person, ...], offices: tuple[Office, ...]
) -> tuple[Employment, ...]:
    rng = stream(f"{seed}:employments")
    teams: dict[str, list[Person]] = {}
    for person in staff[1:]:
        teams.setdefault(person.team, []).append(person)
    found = []
    for index, person in enumerate(staff):
        head, second, *others = teams[person.team]
        office = offices[0] if person in (staff[0], head) else offices[rng.choice((0, 0, 0, 1, 1, 2))]
        currency = CURRENCY[office.city]
        usual = PAY[person.title] * (EURO if currency == "EUR" else 1.0)
        found.append(
            Employment(
                number=f"LK-{1001 + index}",
                person=person,
                office=office,
                manager=None if person is head else second if person in others[::2] else head,
                hired=-rng.randint(120, 2600) if person in (staff[0], head) else -rng.randint(20, 2200),
                salary=float(round(usual * rng.randint(92, 108) / 100 / 100) * 100),
                currency=currency,
                iban=f"{_COUNTRY[office.city]}{rng.randint(10, 99)}LARK{rng.randint(1000_0000, 9999_9999)}",
            )
        )
    return tuple(found)
