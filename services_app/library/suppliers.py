"""Who sells to us: the same suppliers, contacts and bank accounts in procurement, banking, accounting and inventory.

Built from the seed alone. Services take as many as their scale asks for, always from the front.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from services_app.engine import SeedContext
from services_app.library.cast import Person, Stream, ascii_name


@dataclass(frozen=True, slots=True)
class Supplier:
    """A company that sells to us. `terms` is days from invoice to payment; `iban` has a valid check number."""

    name: str
    domain: str
    category: str
    city: str
    country: str
    address: str
    currency: str
    terms: int
    iban: str
    tax_number: str
    contact: Person


# name, what it sells, contact, city, country code
_SUPPLIERS = (
    ("Halden Components", "electronics", "Petter Aasland", "Oslo", "NO"),
    ("Brockwell Packaging", "packaging", "Maud Tunstall", "Leeds", "GB"),
    ("Voss Batterijen", "electronics", "Jurre van Echten", "Eindhoven", "NL"),
    ("Carrow Print Works", "print", "Edwin Catterall", "Norwich", "GB"),
    ("Lumière Optique", "electronics", "Aurélie Combes", "Grenoble", "FR"),
    ("Saxby Freight", "freight", "Harriet Saxby", "Felixstowe", "GB"),
    ("Kontor Bürobedarf", "office", "Annika Rademacher", "Hamburg", "DE"),
    ("Pell Street Catering", "catering", "Dominic Achterberg", "London", "GB"),
    ("Ostrava Metalworks", "machining", "Radek Hlaváček", "Ostrava", "CZ"),
    ("Finch Cleaning", "facilities", "Glenda Pryor", "London", "GB"),
    ("Nimbusworks Hosting", "cloud", "Ailbhe Corrigan", "Dublin", "IE"),
    ("Tessel Connectors", "electronics", "Wout Dijkgraaf", "Delft", "NL"),
    ("Ardent Staffing", "staffing", "Verity Blackmoor", "Manchester", "GB"),
    ("Rhône Transit", "freight", "Bastien Mercadal", "Lyon", "FR"),
    ("Gable & Hart Solicitors", "legal", "Rosalind Hart", "London", "GB"),
    ("Polar Cold Store", "storage", "Eirik Torgersen", "Rotterdam", "NL"),
    ("Quillfeather Media", "marketing", "Tamsin Ogilvie", "Bristol", "GB"),
    ("Steyn Insurance Brokers", "insurance", "Lodewijk Steyn", "Utrecht", "NL"),
    ("Mortlake Furniture", "office", "Cedric Wainwright", "Richmond", "GB"),
    ("Baltic Sensor House", "electronics", "Kristjan Tamm", "Tallinn", "EE"),
    ("Greenlane Couriers", "freight", "Opal Fenwick", "Coventry", "GB"),
    ("Ampersand Training", "training", "Ruben Castelijn", "Antwerp", "BE"),
    ("Hollow Oak Print", "print", "Fern Adlington", "Reading", "GB"),
    ("Skarvik Telecom", "telecom", "Solveig Brekke", "Bergen", "NO"),
)
_STREETS = ("Dock Road", "Harbour Lane", "Industrial Estate 4", "Weaver Street", "North Quay", "Railway Arches")
_TITLES = ("Key Account Manager", "Sales Representative", "Customer Care", "Owner")
_CURRENCY = {"GB": "GBP"}
_COUNTRY = {
    "GB": "United Kingdom",
    "NO": "Norway",
    "NL": "Netherlands",
    "FR": "France",
    "DE": "Germany",
    "CZ": "Czechia",
    "IE": "Ireland",
    "EE": "Estonia",
    "BE": "Belgium",
}


def suppliers(ctx: SeedContext) -> tuple[Supplier, ...]:
    """The suppliers of this seed; the same object for every service of a process."""
    return _build(ctx.seed, type(ctx.random))  # type: ignore[arg-type]  # its class is its own, hashable


def iban(country: str, bank: str, number: int) -> str:
    """An account number with a valid check number: `GB82WEST00012345`."""
    account = f"{bank}{number:010d}"
    return f"{country}{98 - _mod97(f'{account}{country}00'):02d}{account}"


def valid_iban(text: str) -> bool:
    """Whether the check number of an account number (without blanks, upper case) is right."""
    return (
        len(text) >= 15
        and text[:2].isalpha()
        and text.isalnum()
        and text.isascii()
        and _mod97(text[4:] + text[:4]) == 1
    )


def _mod97(text: str) -> int:
    return int("".join(str(int(letter, 36)) for letter in text)) % 97


@lru_cache(maxsize=4)
def _build(seed: int, stream: Callable[[str], Stream]) -> tuple[Supplier, ...]:
    rng = stream(f"{seed}:suppliers")
    found = []
    for name, category, contact, city, country in _SUPPLIERS:
        domain = f"{ascii_name(name).replace('&', 'and').replace('.', '-')}.example"
        phone = f"+{rng.randint(31, 49)} {rng.randint(10, 99)} 555 {rng.randint(1000, 9999)}"
        person = Person(contact, f"{ascii_name(contact)}@{domain}", phone, rng.choice(_TITLES), name)
        found.append(
            Supplier(
                name=name,
                domain=domain,
                category=category,
                city=city,
                country=_COUNTRY[country],
                address=f"{rng.randint(1, 90)} {rng.choice(_STREETS)}, {city}",
                currency=_CURRENCY.get(country, "EUR"),
                terms=rng.choice((14, 30, 30, 45, 60)),
                iban=iban(country, ascii_name(name)[:4].replace(".", "x").upper(), rng.randint(10**8, 10**9)),
                tax_number=f"{country}{rng.randint(100_000_000, 999_999_999)}",
                contact=person,
            )
        )
    return tuple(found)
