"""Values for seeds: plausible, and the same for the same seed."""

from __future__ import annotations

import datetime as dt
import random
import unicodedata
from collections.abc import Callable
from typing import Any, Protocol

from services_app.engine.context import SeedContext
from services_app.engine.store import CLOCK_START

PEOPLE = (
    "Ana Berg", "Tomás Rivera", "Mei Tanaka", "Jonas Weber", "Aisha Khan", "Lucía Ortega", "Peter Novak",
    "Grace Okafor", "Emre Kaya", "Sofia Rossi", "Liam Byrne", "Yara Haddad",
)  # fmt: skip
TOPICS = (
    "Northern renewal", "Harbour refit", "Spring audit", "Campus move", "Pilot review", "Supplier change",
    "Budget round", "Clinic opening", "Data clean-up", "Winter release", "Museum handover", "Training day",
)  # fmt: skip
PLACES = ("Lisbon", "Oslo", "Nairobi", "Osaka", "Bogotá", "Leeds", "Graz", "Pune")
TEXTS = (
    "Agreed with the team on Monday; nothing is left open.",
    "Needs a second look before the end of the month.",
    "The figures were corrected after the last review.",
    "Waiting for an answer from the supplier in {place}.",
    "Handed over to {person} with all papers.",
    "See the notes about the {topic}.",
)
_COMPANIES = ("Larkspur Foods", "Alder Freight", "Northern Press", "Brightwater Labs", "Pinehill Tools", "Quay Mutual")
_DOMAINS = ("north.example", "larkspur.example", "alder.example")
_MIMES = ("application/pdf", "image/png", "text/plain", "text/csv")
_COUNTRIES = ("PT", "NO", "KE", "JP", "CO", "GB", "AT", "IN")
_WORDS = {
    "locale": ("en-US", "de-DE", "es-ES", "ja-JP"), "license": ("MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0"),
    "region": ("eu-west-1", "us-east-1", "ap-south-1", "eu-central-1"), "method": ("GET", "POST", "PUT", "DELETE"),
    "branch": ("main", "develop", "release/1.4", "fix/login"), "platform": ("web", "ios", "android", "desktop"),
    "department": ("Finance", "Engineering", "Sales", "Operations"), "role": ("member", "admin", "viewer", "owner"),
    "namespace": ("default", "production", "staging", "monitoring"),
    "status": ("active", "pending", "completed", "failed"),
    "severity": ("low", "medium", "high", "critical"), "priority": ("low", "normal", "high", "urgent"),
    "level": ("beginner", "intermediate", "advanced"), "gender": ("female", "male"),
    "timezone": ("Europe/Berlin", "America/Chicago", "Asia/Tokyo", "UTC"),
    "exchange": ("NASDAQ", "NYSE", "LSE", "XETRA"), "color": ("#336699", "#99cc33", "#cc6633"),
    "language": ("en", "de", "es", "ja"), "currency": ("EUR", "USD", "GBP", "JPY"), "mime": _MIMES,
}  # fmt: skip
_SYMBOLS = "AAPL MSFT GOOGL AMZN NVDA TSLA META JPM IBM KO DIS V NFLX INTC AMD".split()
# The companies with these symbols, in the same order.
_LISTED = (
    "Apple", "Microsoft", "Alphabet", "Amazon", "NVIDIA", "Tesla", "Meta Platforms", "JPMorgan Chase", "IBM",
    "Coca-Cola", "Walt Disney", "Visa", "Netflix", "Intel", "Advanced Micro Devices",
)  # fmt: skip

# Symbols and names of what other markets trade, side by side.
_MARKETS = {
    "forex": (("EURUSD", "GBPUSD", "USDJPY", "USDCHF", "AUDUSD", "USDCAD", "EURGBP", "EURJPY"),
              ("EUR/USD", "GBP/USD", "USD/JPY", "USD/CHF", "AUD/USD", "USD/CAD", "EUR/GBP", "EUR/JPY")),
    "crypto": (("BTCUSD", "ETHUSD", "SOLUSD", "XRPUSD", "ADAUSD", "DOGEUSD", "LTCUSD", "DOTUSD"),
               ("Bitcoin", "Ethereum", "Solana", "XRP", "Cardano", "Dogecoin", "Litecoin", "Polkadot")),
    "index": (("^GSPC", "^DJI", "^IXIC", "^FTSE", "^GDAXI", "^N225", "^HSI", "^STOXX50E"),
              ("S&P 500", "Dow Jones", "Nasdaq", "FTSE 100", "DAX", "Nikkei 225", "Hang Seng", "Euro Stoxx 50")),
    "coin": (("BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "LTC", "DOT"),
             ("Bitcoin", "Ethereum", "Solana", "XRP", "Cardano", "Dogecoin", "Litecoin", "Polkadot")),
    "commodity": (("CLUSD", "GCUSD", "SIUSD", "NGUSD", "HGUSD", "KCUSX", "ZCUSX", "KEUSX"),
                  ("Crude oil", "Gold", "Silver", "Natural gas", "Copper", "Coffee", "Corn", "Wheat")),
    "fund": (("SPY", "QQQ", "VTI", "IWM", "EFA", "AGG", "GLD", "VNQ"),
             ("S&P 500 ETF", "Nasdaq 100 ETF", "Total market ETF", "Russell 2000 ETF", "EAFE ETF", "Bond ETF",
              "Gold ETF", "Real estate ETF")),
}  # fmt: skip


class Draw(Protocol):
    """Where seed values get dates and chance from: a `SeedContext`."""

    @property
    def seed(self) -> int: ...
    @property
    def random(self) -> random.Random: ...
    def date(self, days: int) -> str: ...
    def moment(self, days: int, hour: int = 9, minute: int = 0) -> str: ...


class Chance:
    """Dates around the start of the session clock, chance from a number: the same on every call."""

    seed = 0

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)  # noqa: S311 - simulated data

    def date(self, days: int) -> str:
        return (dt.date.fromisoformat(CLOCK_START[:10]) + dt.timedelta(days=days)).isoformat()

    def moment(self, days: int, hour: int = 9, minute: int = 0) -> str:
        return f"{self.date(days)}T{hour:02d}:{minute:02d}:00Z"


def _ascii(name: str) -> str:
    return unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()


def _plain(kind: str, number: int) -> str:
    """What is the same for every seed: forex_symbol, forex_name, a figure as text; "" for any other kind."""
    market, _, named = kind.partition("_")
    if market in _MARKETS and named:
        return _MARKETS[market][named == "name"][number % 8]
    return str(1 + number * 3 % 40) if kind == "figure" else ""


def value_for(kind: str, number: int, ctx: Draw | SeedContext) -> Any:
    """A plausible value of a kind for the record `number` (from 0), the same for the same seed.

    Another seed gives other people, topics and amounts; what a kind looks like stays.
    """
    turn = number + ctx.seed % 12
    if kind in _WORDS:
        return _WORDS[kind][turn % len(_WORDS[kind])]
    if found := _plain(kind, number):
        return found
    person = PEOPLE[turn % len(PEOPLE)]
    topic = TOPICS[(turn * 5 + 1) % len(TOPICS)]
    place = PLACES[turn % len(PLACES)]
    makers: dict[str, Callable[[], Any]] = {
        "person": lambda: person,
        "first_name": lambda: person.split()[0],
        "last_name": lambda: person.split()[-1],
        "email": lambda: f"{_ascii(person.split()[0])}.{number + 1}@{_DOMAINS[number % 3]}",
        "username": lambda: f"{_ascii(person.split()[0])}{number + 1}",
        "title": lambda: topic if number < len(TOPICS) else f"{topic} {number}",
        "text": lambda: TEXTS[turn % len(TEXTS)].format(place=place, person=person, topic=topic),
        "place": lambda: place,
        "company": lambda: _COMPANIES[turn % len(_COMPANIES)],
        "code": lambda: f"{chr(65 + turn % 26)}{chr(65 + turn * 7 % 26)}-{1000 + number * 37}",
        "url": lambda: f"https://{_DOMAINS[number % 3]}/{_ascii(topic).replace(' ', '-')}",
        "slug": lambda: f"{_ascii(topic).replace(' ', '-')}-{number + 1}",
        "domain": lambda: f"{_ascii(topic).replace(' ', '-')}.example",
        "path": lambda: f"/{topic.split()[0].lower()}/file-{number + 1}.txt",
        "phone": lambda: f"+49 30 55501{number:02d}",
        "ip": lambda: f"192.0.2.{1 + turn * 7 % 250}",
        "hash": lambda: f"{(turn + 1) * 2654435761 % 2**32:08x}{(turn + 7) * 40503 % 2**32:08x}",
        "version": lambda: f"{1 + turn % 3}.{number % 10}.{turn % 4}",
        "country": lambda: _COUNTRIES[turn % len(_COUNTRIES)],
        "date": lambda: ctx.date(number * 3 - 15),
        "timestamp": lambda: ctx.moment(number * 2 - 20, 8 + number % 9, ctx.random.randint(0, 59)),
        "past_date": lambda: ctx.date(_behind(number)),
        "past_timestamp": lambda: ctx.moment(_behind(number), 8 + number % 9, ctx.random.randint(0, 59)),
        "epoch": lambda: 1772442000 + (number * 2 - 20) * 86_400 + ctx.random.randint(0, 3600),
        "money": lambda: round(120 + number * 87.5 + ctx.random.randint(0, 40), 2),
        "percent": lambda: round(3.5 + turn * 13.7 % 95, 1),
        "latitude": lambda: round(-35 + turn * 17.3 % 95, 4),
        "longitude": lambda: round(-120 + turn * 41.7 % 260, 4),
        "size": lambda: 1024 + number * 3517 + ctx.random.randint(0, 500),
        "integer": lambda: 1 + (number * 3 + ctx.random.randint(0, 2)) % 40,
        "number": lambda: round(1.5 + number * 2.25 + ctx.random.randint(0, 8) / 4, 2),
        "flag": lambda: number % 3 != 1,
        "year": lambda: 2020 + turn % 7,
        "year_text": lambda: str(2020 + turn % 7),
        "quarter": lambda: 1 + turn % 4,
        "month": lambda: 1 + turn % 12,
        "hour": lambda: turn * 5 % 24,
        "port": lambda: (443, 8080, 5432, 6379, 3306, 22)[turn % 6],
        "rare": lambda: number % 4 == 2,
        "symbol": lambda: _SYMBOLS[turn % len(_SYMBOLS)],
        "listed": lambda: _LISTED[turn % len(_LISTED)],
        "epoch_text": lambda: str(1772442000 + (number * 2 - 20) * 86_400),
        "digits": lambda: str(1000 + number * 37),
        "word": topic.split()[number % 2].lower,
    }
    return makers.get(kind, makers["word"])()


def _behind(number: int) -> int:
    """Days from the start of the session clock to a day before it."""
    return min(number * 2 - 20, -1 - number % 3)


def shaped(shape: Any, number: int, ctx: Draw | SeedContext) -> Any:
    """A value of a shape: {name: shape} makes an object, [shape] a list of one or two, a tuple is what it may be.

    >>> shaped([{"city": "place", "main": "flag"}], 0, ctx)
    [{"city": "Lisbon", "main": True}]
    """
    if isinstance(shape, dict):
        return {name: shaped(part, number + step, ctx) for step, (name, part) in enumerate(shape.items())}
    if isinstance(shape, list):
        return [shaped(shape[0], number * 2 + step, ctx) for step in range(1 + number % 2)]
    if isinstance(shape, tuple):
        return shape[number % len(shape)]
    return value_for(shape, number, ctx)
