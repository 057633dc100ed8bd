"""The people, companies, products and projects that every service of the library shares.

Built from the seed alone, so that a customer contact has the same name, address and phone number in mail,
calendar, CRM, help desk and invoicing, and a project has the same order number wherever it is mentioned.
Services take as many of each as their scale asks for, always from the front.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Protocol, TypeVar

from services_app.engine import SeedContext
from services_app.library.shared import same, words

T = TypeVar("T")
HOME = "Larkfield Systems"
DOMAIN = "larkfield.example"


class Stream(Protocol):
    """The part of a random generator that is used here. Services get theirs from the context, never by import."""

    def choice(self, seq: Sequence[T], /) -> T: ...
    def randint(self, a: int, b: int, /) -> int: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...
    def shuffle(self, x: MutableSequence[Any], /) -> None: ...


@dataclass(frozen=True, slots=True)
class Person:
    """Someone with an address; `team` only for our own people."""

    name: str
    email: str
    phone: str
    title: str
    company: str
    team: str = ""

    @property
    def first(self) -> str:
        return self.name.split()[0]

    @property
    def handle(self) -> str:
        return self.email.split("@", 1)[0]


@dataclass(frozen=True, slots=True)
class Company:
    """A customer. `manager` is the one of us who looks after it."""

    name: str
    domain: str
    industry: str
    city: str
    country: str
    address: str
    employees: int
    people: tuple[Person, ...]
    manager: Person

    @property
    def short(self) -> str:
        return self.name.split()[0]


@dataclass(frozen=True, slots=True)
class Product:
    """Something we sell."""

    sku: str
    name: str
    kind: str
    unit: str
    price: float


@dataclass(frozen=True, slots=True)
class Project:
    """Work agreed with a customer. `start` and `end` are days from today."""

    title: str
    company: Company
    contact: Person
    owner: Person
    product: Product
    po_number: str
    contract: str
    amount: float
    seats: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Office:
    """One of our places."""

    city: str
    building: str
    address: str


@dataclass(frozen=True, slots=True)
class Cast:
    """Everything shared. `me` is the signed-in user of every application."""

    me: Person
    staff: tuple[Person, ...]
    companies: tuple[Company, ...]
    products: tuple[Product, ...]
    projects: tuple[Project, ...]
    offices: tuple[Office, ...]

    def team(self, name: str) -> list[Person]:
        return [person for person in self.staff if person.team == name]


ME = Person(
    "Noor Haddad", f"noor.haddad@{DOMAIN}", "+44 20 7946 0101", "Operations Coordinator", HOME, team="operations"
)

_FIRST = words("""
    Amara Anselm Beatriz Bogdan Brigid Carlos Chiara Cosmo Dalia Dmitri Elif Emre Esi Farah Finn Gabriela Goran
    Hana Héctor Hiroshi Ines Ivo Jana Joaquín Kasper Keiko Lars Leila Liam Lucía Łukasz Mateo Mei Mireille Nadia
    Nikhil Noémie Oluwaseun Orla Oskar Pavel Priya Quentin Rania Ravi Rosa Samir Sanne Søren Tessa Thandiwe
    Tomás Ulla Vera Viktor Wanda Xiomara Yara Yusuf Zoë
""")
_LAST = words("""
    Abernathy Adeyemi Andersson Bianchi Björk Calloway Castellanos Chowdhury Dubois Dunmore Eriksen Espinoza
    Fairbanks Ferreira Fontaine Grunwald Haas Hartigan Horvat Ibarra Iyer Jansen Jokinen Kessler Kovács Krishnan
    Laurent Lindqvist Lomax Marchetti Mbeki Mortensen Müller Nakamura Novak Nyström Oduya Okafor Olsen Pemberton
    Petrov Quiroga Rautio Rossi Sandoval Schreiber Silva Tanaka Thackeray Umarov Vandermeer Varga Weiss Whitlock
    Yamato Yılmaz Zeller Zielińska
""")
_ORG = words("""
    Alderbrook Brightwater Castlegate Copperline Dunfield Eastmoor Fernhill Foxglove Granary Greyhaven Harbourside
    Hollins Ironbridge Juniper Kestrel Kingsley Lanternhouse Meridian Millrace Northgate Oakhurst Orchard Pinecrest
    Quayside Redfern Riverbend Saltmarsh Silverton Stonecroft Thornbury Tidewater Upland Vantage Wexford Willowmere
""")
_TRADE = (
    ("Freight", "logistics"),
    ("Dental", "healthcare"),
    ("Foods", "food"),
    ("Glassworks", "manufacturing"),
    ("Hotels", "hospitality"),
    ("Instruments", "manufacturing"),
    ("Clinics", "healthcare"),
    ("Media", "media"),
    ("Optics", "manufacturing"),
    ("Outfitters", "retail"),
    ("Energy", "energy"),
    ("Textiles", "retail"),
    ("Insurance", "finance"),
    ("Publishing", "media"),
    ("Robotics", "technology"),
)
_CITIES = (
    ("Bristol", "United Kingdom", "+44 117 496"),
    ("Rotterdam", "Netherlands", "+31 10 555"),
    ("Lyon", "France", "+33 4 72 55"),
    ("Gothenburg", "Sweden", "+46 31 555"),
    ("Porto", "Portugal", "+351 22 555"),
    ("Leipzig", "Germany", "+49 341 555"),
    ("Kraków", "Poland", "+48 12 555"),
    ("Toronto", "Canada", "+1 416 555"),
    ("Austin", "United States", "+1 512 555"),
    ("Osaka", "Japan", "+81 6 5550"),
    ("Nairobi", "Kenya", "+254 20 555"),
    ("Valparaíso", "Chile", "+56 32 555"),
)
_STREETS = ("Quay Street", "Mill Lane", "Station Road", "Foundry Way", "Canal Row", "Orchard Avenue", "Market Square")
_CONTACT_TITLES = (
    "Procurement Manager",
    "Finance Lead",
    "Operations Manager",
    "IT Manager",
    "Office Manager",
    "Head of Facilities",
    "Accounts Payable Clerk",
    "Programme Director",
)
_TEAMS = (
    ("sales", ("Account Executive", "Account Manager", "Sales Manager")),
    ("support", ("Support Engineer", "Support Lead", "Customer Success Manager")),
    ("finance", ("Accountant", "Billing Specialist", "Finance Manager")),
    ("operations", ("Operations Analyst", "Logistics Planner", "Operations Manager")),
    ("engineering", ("Software Engineer", "Site Reliability Engineer", "Engineering Manager")),
    ("people", ("Recruiter", "People Partner", "Office Manager")),
    ("marketing", ("Content Editor", "Campaign Manager", "Events Manager")),
)
_PRODUCTS = (
    ("Fleet Tracker", "subscription", "vehicle", 14.50),
    ("Fleet Tracker Pro", "subscription", "vehicle", 22.00),
    ("Route Planner", "subscription", "seat", 39.00),
    ("Dock Scheduler", "subscription", "site", 310.00),
    ("Warehouse Console", "subscription", "site", 540.00),
    ("Analytics Add-on", "subscription", "seat", 18.00),
    ("Premium Support", "subscription", "site", 260.00),
    ("Handheld Scanner HS-2", "hardware", "unit", 289.00),
    ("Handheld Scanner HS-4", "hardware", "unit", 419.00),
    ("Label Printer LP-1", "hardware", "unit", 198.00),
    ("Telematics Unit T5", "hardware", "unit", 126.00),
    ("Gateway G10", "hardware", "unit", 845.00),
    ("Cold-chain Sensor", "hardware", "unit", 64.00),
    ("Wall Dock Charger", "hardware", "unit", 72.50),
    ("Onboarding Package", "service", "package", 2400.00),
    ("Data Migration", "service", "day", 960.00),
    ("On-site Training", "service", "day", 1150.00),
    ("Integration Workshop", "service", "day", 1280.00),
    ("Site Survey", "service", "visit", 690.00),
    ("Custom Report", "service", "report", 520.00),
)
_PLACES = (
    "Depot",
    "Harbour",
    "Campus",
    "Northern",
    "Riverside",
    "Regional",
    "Winter",
    "Central",
    "Lakeside",
    "Terminal",
)
_WORK = ("rollout", "renewal", "migration", "pilot", "upgrade", "refit", "handover", "audit", "relaunch", "expansion")
_OFFICES = (
    Office("London", "Larkfield House", "18 Wharf Road, London"),
    Office("Rotterdam", "Maaskade", "7 Maaskade, Rotterdam"),
    Office("Lyon", "Atelier Saône", "42 quai Arloing, Lyon"),
)
STAFF, COMPANIES, PROJECTS = 60, 170, 480


def build(ctx: SeedContext) -> Cast:
    """The cast of this seed; the same object for every service of a process."""
    return _build(ctx.seed, type(ctx.random))  # type: ignore[arg-type]  # its class is its own, hashable


def facts(ctx: SeedContext, project: Project) -> dict[str, str]:
    """What texts say about a project, in words: slots of `"...{po}...".format(**facts)`."""
    return {
        "first": project.contact.first,
        "contact": project.contact.name,
        "contact_email": project.contact.email,
        "company": project.company.name,
        "city": project.company.city,
        "address": project.company.address,
        "owner": project.owner.name,
        "owner_first": project.owner.first,
        "owner_email": project.owner.email,
        "title": project.title,
        "product": project.product.name,
        "sku": project.product.sku,
        "unit": project.product.unit,
        "seats": str(project.seats),
        "price": f"{project.product.price:,.2f}",
        "amount": f"{project.amount:,.2f}",
        "po": project.po_number,
        "contract": project.contract,
        "start": in_words(ctx.date(project.start)),
        "end": in_words(ctx.date(project.end)),
    }


_MONTHS = words("January February March April May June July August September October November December")


_WITHOUT_DECOMPOSITION = str.maketrans("łŁøØı", "lLoOi")


def in_words(date: str) -> str:
    """`2026-03-14` as people write it: 14 March 2026."""
    year, month, day = date[:10].split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}"


def outside(email: str) -> bool:
    """Whether an address belongs to somebody outside the company."""
    return not same(email.rsplit("@", 1)[1], DOMAIN)


def ascii_name(name: str) -> str:
    """A name as it stands in addresses: `Zielińska` -> `zielinska`, `Søren` -> `soren`."""
    text = name.translate(_WITHOUT_DECOMPOSITION)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return plain.lower().replace(" ", ".")


@lru_cache(maxsize=4)
def _build(seed: int, stream: Callable[[str], Stream]) -> Cast:
    rng = stream(f"{seed}:cast")
    name = _names(rng)
    staff = _staff(rng, name)
    companies = _companies(rng, name, [person for person in staff if person.team == "sales"])
    products = tuple(
        Product(f"LF-{1010 + 10 * index}", title, kind, unit, price)
        for index, (title, kind, unit, price) in enumerate(_PRODUCTS)
    )
    return Cast(ME, staff, companies, products, _projects(rng, companies, products), _OFFICES)


def _names(rng: Stream) -> Callable[[], str]:
    """A source of full names that never repeats one (surnames do repeat, as they do in life)."""
    pairs = [f"{first} {last}" for first in _FIRST for last in _LAST]
    rng.shuffle(pairs)
    return partial(next, iter(pairs))


def _staff(rng: Stream, name: Callable[[], str]) -> tuple[Person, ...]:
    people = [ME]
    for index in range(STAFF):
        team, titles = _TEAMS[index % len(_TEAMS)]
        full = name()
        phone = f"+44 20 7946 0{110 + index}"
        # The first round gives every team its manager.
        title = titles[-1] if index < len(_TEAMS) else rng.choice(titles[:-1])
        people.append(Person(full, f"{ascii_name(full)}@{DOMAIN}", phone, title, HOME, team))
    return tuple(people)


def _companies(rng: Stream, name: Callable[[], str], managers: list[Person]) -> tuple[Company, ...]:
    pairs = [(org, trade) for org in _ORG for trade in _TRADE]
    rng.shuffle(pairs)
    found = []
    for index, (org, (trade, industry)) in enumerate(pairs[:COMPANIES]):
        title = f"{org} {trade}"
        domain = f"{title.lower().replace(' ', '-')}.example"
        city, country, dial = rng.choice(_CITIES)
        people = tuple(_contact(rng, name(), title, domain, dial) for _ in range(rng.choice((2, 2, 3, 3, 4))))
        found.append(
            Company(
                name=title,
                domain=domain,
                industry=industry,
                city=city,
                country=country,
                address=f"{rng.randint(1, 180)} {rng.choice(_STREETS)}, {city}",
                employees=rng.choice((12, 28, 45, 80, 140, 260, 520, 900)),
                people=people,
                manager=managers[index % len(managers)],
            )
        )
    return tuple(found)


def _contact(rng: Stream, name: str, company: str, domain: str, dial: str) -> Person:
    phone = f"{dial} {rng.randint(1000, 9999)}"
    return Person(name, f"{ascii_name(name)}@{domain}", phone, rng.choice(_CONTACT_TITLES), company)


def _projects(rng: Stream, companies: tuple[Company, ...], products: tuple[Product, ...]) -> tuple[Project, ...]:
    orders = rng.sample(range(40_000, 99_999), PROJECTS)
    found = []
    for index, order in enumerate(orders):
        # The first companies have more going on: they are the ones that every service has.
        company = companies[index % 40] if index < 120 else companies[index % len(companies)]
        product = rng.choice(products)
        seats = rng.choice((2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 40))
        start = rng.randint(-150, 60)
        found.append(
            Project(
                title=f"{rng.choice(_PLACES)} {rng.choice(_WORK)}",
                company=company,
                contact=rng.choice(company.people),
                owner=company.manager,
                product=product,
                po_number=f"PO-{order}",
                contract=f"LC-{rng.randint(2023, 2026)}-{rng.randint(100, 999)}",
                amount=round(seats * product.price * rng.choice((1.0, 0.9, 0.95)), 2),
                seats=seats,
                start=start,
                end=start + rng.choice((30, 45, 60, 90, 180)),
            )
        )
    return tuple(found)
