"""Prices of instruments that follow from their symbol alone: series, quotes, statements, exchange rates.

A price is one smooth function of symbol and time, so that every tool tells the same story: the close of a day is the
quote of its last moment, an hour lies inside its day. Times are seconds since 1970 inside, as asked for outside.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from services_app.engine.context import SeedContext
from services_app.engine.errors import ToolError
from services_app.engine.plain import digest
from services_app.engine.state import About, Record, Table
from services_app.recipes.worth import TRADABLE, is_of, pair_of, pair_worth

_MOST = 500
_SAMPLES = 24
_UNITS = {
    "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "hourly": 3600,
    "d": 86400, "day": 86400, "daily": 86400, "w": 604800, "wk": 604800, "week": 604800, "weekly": 604800,
    "mo": 2592000, "mon": 2592000, "mth": 2592000, "month": 2592000, "monthly": 2592000, "quarter": 7776000,
    "q": 7776000, "y": 31536000, "year": 31536000, "yearly": 31536000,
}  # fmt: skip
_LISTED = (
    "ACME NORTH ALDER LARK BTCUSDT EURUSD AAPL MSFT GOOGL GOOG AMZN NVDA TSLA META JPM V IBM SPY QQQ NFLX AMD INTC DIS "
    "KO 600519 000001 600000 0700 7203 005930 SPX NDX GSPC RELIANCE"
).split()
_NAMES = {
    "AAPL": "Apple Inc.", "MSFT": "Microsoft Corporation", "GOOGL": "Alphabet Inc.", "GOOG": "Alphabet Inc.",
    "AMZN": "Amazon.com, Inc.", "NVDA": "NVIDIA Corporation", "TSLA": "Tesla, Inc.", "META": "Meta Platforms, Inc.",
    "JPM": "JPMorgan Chase & Co.", "V": "Visa Inc.", "NFLX": "Netflix, Inc.", "AMD": "Advanced Micro Devices, Inc.",
    "INTC": "Intel Corporation", "DIS": "The Walt Disney Company", "KO": "The Coca-Cola Company", "SPX": "S&P 500",
    "NDX": "Nasdaq 100", "GSPC": "S&P 500", "BTCUSDT": "Bitcoin / Tether", "EURUSD": "Euro / US Dollar",
}  # fmt: skip


def _chance(*parts: object) -> float:
    """A number from 0 to 1 that follows from the parts."""
    return int(digest([str(part) for part in parts])[:8], 16) / 0xFFFFFFFF


class InstrumentRecord(Record):
    """An instrument that the service lists."""

    about = About("instrument", prefix="INS-", key="symbol")
    symbol: str
    name: str
    level: float
    """What its prices are multiplied by."""


def seed_instruments(instruments: Table[InstrumentRecord], ctx: SeedContext) -> None:
    """A few instruments; another seed has other prices, a little in markets of currencies."""
    for number, symbol in enumerate(_LISTED):
        turn = ctx.seed % 7 + number
        level = 1 + turn / 4000 if pair_of(symbol) else 1.1 + turn / 10
        instruments.create(symbol=symbol, name=_NAMES.get(symbol, symbol.title()), level=level)


def listed(instruments: Table[InstrumentRecord], symbol: object, also: tuple[str, ...] = (), market: str = "") -> str:
    """A symbol in capitals that is traded: listed, in `also`, or a pair of coins and currencies; 404 for another.

    Marks of a market count for nothing: `^GSPC`, `X:BTCUSD`, `BTC/USDT:USDT`, `RELIANCE.NS`, `sh600519`. `market` is
    "forex" or "crypto" where nothing else is traded.
    """
    name = _named(symbol)
    plain = re.sub(r"^(\^|[A-Z]:|(SH|SZ|HK|US)\.?(?=\d))", "", name)
    bare = plain.split(".")[0].lstrip("$")
    known = {word.upper() for word in also}
    if known & {name, plain} or pair_of(bare):
        found = True
    else:
        found = any(word in _LISTED or instruments.first(symbol=word) for word in (name, plain, bare))
    if found and (not market or is_of(plain, market) or known & {name, plain}):
        return name
    there = {"forex": "EURUSD and GBPUSD", "crypto": "BTCUSD and ETHUSDT"}.get(market, "ACME and BTCUSDT")
    raise ToolError(404, "not_found", f"No instrument has the symbol {str(symbol)[:80]!r}; {there} do.")


def level_of(instruments: Table[InstrumentRecord], symbol: object) -> float:
    """What prices of a symbol are multiplied by; a pair goes with the first pair, other names with the first stock."""
    name = str(symbol).strip().upper()
    like = "BTCUSDT" if pair_of(name) else "ACME"
    found = instruments.first(symbol=name) or instruments.first(symbol=like) or next(iter(instruments), None)
    return found.level if found is not None else 1.0


@lru_cache(maxsize=256)
def _wave(name: str, venue: str) -> tuple[float, tuple[tuple[float, float, float], ...]]:
    """(base price, waves as length, size, phase) of a symbol at a venue; venues differ by less than a percent."""
    waves: tuple[tuple[float, float], ...] = (
        (5_000_000, 0.12),
        (900_000, 0.05),
        (130_000, 0.02),
        (19_000, 0.006),
        (2_300, 0.002),
    )
    worth = pair_worth(name)
    if len(pair_of(name)) == 2 and worth:
        waves = tuple((length, size / 4) for length, size in waves)
    base = (worth or 2 + 400 * _chance(name, "base") ** 3) * (1 + (0.01 * (_chance(name, venue) - 0.5) if venue else 0))
    return base, tuple((length, size, _chance(name, number)) for number, (length, size) in enumerate(waves))


def price(symbol: str, moment: float, venue: str = "", level: float = 1) -> float:
    """The price at a moment in seconds."""
    base, waves = _wave(symbol.strip().upper(), venue)
    swing = sum(size * math.sin(2 * math.pi * (moment / length + phase)) for length, size, phase in waves)
    return level * base * math.exp(swing)


def seconds_of(interval: object, multiplier: object = 1) -> int:
    """Length of an interval such as 5m, 1h, day, 1M, "60"; 400 for anything else."""
    text = str(interval).strip()
    found = re.fullmatch(r"(\d{0,4})\s*_?\s*([A-Za-z]*?)", text)
    count, unit = (found[1], found[2]) if found else ("", "?")
    if unit == "M":
        unit = "month"
    unit = unit.lower()
    size = _UNITS.get(unit, _UNITS.get(unit.removesuffix("s"), 60 if not unit and count else 0))
    if not size and (turned := re.fullmatch(r"([A-Za-z]+?)_?(\d{1,4})", text)):
        count, size = turned[2], _UNITS.get(turned[1].lower().removesuffix("s"), 0)
    if not size or count == "0":
        raise ToolError(400, "invalid_interval", f"{interval!r} is no interval; use a form such as 1m, 15m, 1h, 1d.")
    times = int(multiplier) if isinstance(multiplier, int | float) and multiplier >= 1 else 1
    return size * int(count or 1) * min(times, 100_000)


def moment_of(value: object, usual: float) -> float:
    """Seconds of a time in milliseconds or seconds, or in ISO text; `usual` for none; 400 for anything else."""
    if value in (None, ""):
        return usual
    text = str(value)
    if re.fullmatch(r"\d{9,16}(\.\d+)?", text):
        number = float(text)
        return number / 1000 if number > 1e11 else number
    try:
        found = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as error:
        raise ToolError(400, "invalid_time", f"{value!r} is no time; use YYYY-MM-DD or a Unix time.") from error
    found = found if found.tzinfo else found.replace(tzinfo=dt.UTC)
    return found.timestamp()


def _iso(moment: float, step: int) -> str:
    found = dt.datetime.fromtimestamp(moment, dt.UTC)
    return found.date().isoformat() if step >= 86400 else found.strftime("%Y-%m-%dT%H:%M:%SZ")


def candle(symbol: str, start: float, step: int, venue: str = "", level: float = 1) -> dict[str, float]:
    """Open, high, low, close and volume of one interval: low <= open, close <= high."""
    points = [price(symbol, start + step * number / _SAMPLES, venue, level) for number in range(_SAMPLES + 1)]
    digits = 2 if points[0] > 20 else 4
    high, low = (round(edge, digits) for edge in (max(points), min(points)))
    first, last = (min(max(round(edge, digits), low), high) for edge in (points[0], points[-1]))
    volume = round(step / 36 * (0.4 + _chance(symbol, int(start) // step, step)), 2)
    return {"open": first, "high": high, "low": low, "close": last, "volume": volume}


def series(  # noqa: PLR0913 - every argument is a parameter that such tools have
    instruments: Table[InstrumentRecord],
    symbol: object,
    now: str,
    *,
    step: int,
    start: object = None,
    end: object = None,
    span: object = None,
    limit: object = None,
    venue: str = "",
    newest_first: object = None,
    milliseconds: bool = False,
    adjusted: object = True,
) -> list[dict[str, Any]]:
    """The candles whose start lies in [start, end], at most `limit` of them.

    From `start` they come in order of time; without it they are the newest, newest first. `newest_first` says so for
    both.

    `span` says how far back to start: days as a number, or words such as 1mo, 5d, ytd, max. 400 for a range that ends
    before it starts. Nothing lies after `now`.
    """
    name = _named(symbol)
    latest = moment_of(now, 0)
    last = min(moment_of(end, latest) + (86399 if re.fullmatch(r"\d{4}-\d\d-\d\d", str(end)) else 0), latest)
    count = max(0, min(int(limit), _MOST)) if isinstance(limit, int | float) else 250
    start = _since(span, last) if span is not None and start in (None, "") else start
    first = moment_of(start, last)
    if start not in (None, "") and end not in (None, "") and moment_of(start, 0) > moment_of(end, latest) + 86399:
        raise ToolError(400, "invalid_range", "The range ends before it starts.")
    stop = math.floor(last / step) * step
    begin = stop - step * (count - 1) if start in (None, "") else math.ceil(first / step) * step
    total = max(0, (stop - begin) // step + 1)
    times = [begin + step * number for number in range(min(total, count))]
    rows = [_row(name, time, step, venue, level_of(instruments, name), milliseconds, adjusted) for time in times]
    descending = _is_descending(newest_first) if newest_first not in (None, "") else start in (None, "")
    return rows[::-1] if descending else rows


def _since(span: object, last: float) -> str:
    """The day on which a span that ends at `last` starts."""
    end = dt.datetime.fromtimestamp(last, dt.UTC).date()
    word = str(span).lower()
    if word == "ytd":
        return end.replace(month=1, day=1).isoformat()
    days = 3650 if word in ("max", "all") else seconds_of(f"{span}d" if word.isdecimal() else _months(word)) // 86400
    return (end - dt.timedelta(days=days)).isoformat()


def _months(word: str) -> str:
    """`1m` means a month where it says how far back: no series starts a minute ago."""
    return word.replace("m", "mo") if re.fullmatch(r"\d+m", word) else word


def _row(
    name: str, start: int, step: int, venue: str, level: float, milliseconds: bool, adjusted: object
) -> dict[str, Any]:
    figures = candle(name, start, step, venue, level)
    split = 1_760_000_000 + int(_chance(name, "split") * 12_000_000)
    if adjusted is False and start < split:  # before a split two for one, a share cost twice as much
        figures = {**{key: round(value * 2, 4) for key, value in figures.items()}, "volume": figures["volume"] / 2}
    time: dict[str, Any] = {"time": _iso(start, step)}
    if milliseconds:
        time = {"open_time": start * 1000, "close_time": (start + step) * 1000 - 1}
    return {**time, **figures}


def _is_descending(word: object) -> bool:
    return word is True or str(word).lower().startswith(("desc", "new"))


def _named(symbol: object) -> str:
    text = str(symbol or "").strip()
    if not text or len(text) > 80:
        raise ToolError(400, "invalid_symbol", "Name an instrument by its symbol, such as ACME or BTCUSDT.")
    return text.upper()


def quote(instruments: Table[InstrumentRecord], symbol: object, now: str, venue: str = "") -> dict[str, Any]:
    """The price now, with the figures of the day so far and the close of the day before."""
    name = _named(symbol)
    moment = moment_of(now, 0)
    midnight = moment // 86400 * 86400
    level = level_of(instruments, name)
    day = candle(name, midnight, max(60, int(moment - midnight)), venue, level)
    before = candle(name, midnight - 86400, 86400, venue, level)["close"]
    change = round(day["close"] - before, 4)
    listed = instruments.first(symbol=name)
    return {
        "symbol": name,
        "name": listed.name if listed is not None else name,
        "price": day["close"],
        "open": day["open"],
        "high": day["high"],
        "low": day["low"],
        "previous_close": before,
        "change": change,
        "change_percent": round(100 * change / before, 2),
        "volume": day["volume"],
        "time": now,
    }


def book(
    instruments: Table[InstrumentRecord], symbol: object, now: str, depth: object = None, venue: str = ""
) -> dict[str, Any]:
    """An order book around the price: bids below, asks above, best first."""
    name = _named(symbol)
    middle = price(name, moment_of(now, 0), venue, level_of(instruments, name))
    count = max(0, min(int(depth), 1000)) if isinstance(depth, int | float) else 20
    sides = {}
    for side, sign in (("bids", -1), ("asks", 1)):
        sides[side] = [
            [round(middle * (1 + sign * 0.0002 * (level + 1)), 6), round(0.1 + 9 * _chance(name, side, level), 4)]
            for level in range(count)
        ]
    return {"symbol": name, **sides, "time": now}


def statements(
    instruments: Table[InstrumentRecord],
    symbol: object,
    now: str,
    kind: str,
    *,
    period: object = None,
    limit: object = None,
    page: object = None,
) -> list[dict[str, Any]]:
    """Statements of a company, newest first; parts add up to their totals. `kind`: income, balance or cash.

    A `period` of Q1 to Q4 asks for that quarter of each year, any other word with q for all quarters.
    """
    name = _named(symbol)
    wanted = str(period or "").lower()
    named = int(wanted[1]) if wanted in ("q1", "q2", "q3", "q4") else 0
    quarterly = wanted.startswith("q")
    count = max(0, min(int(limit), 60)) if isinstance(limit, int | float) else 5
    first = (int(page) if isinstance(page, int) and page > 0 else 0) * count
    year, level = int(now[:4]) - 1, level_of(instruments, name)
    rows = []
    for number in range(first, first + count):
        back = number // 4 if quarterly and not named else number
        quarter = named or 4 - number % 4
        label = f"Q{quarter}" if quarterly else "FY"
        month = f"{quarter * 3:02d}" if quarterly else "12"
        head = {"symbol": name, "date": f"{year - back}-{month}-{'31' if month in ('03', '12') else '30'}"}
        rows.append(
            {**head, "period": label, "fiscal_year": year - back, **_figures(name, kind, year - back, label, level)}
        )
    return rows


def _figures(name: str, kind: str, year: int, label: str, level: float) -> dict[str, float]:
    size = level * 1_000_000 * (20 + 900 * _chance(name, "size")) * 1.04 ** (year - 2020) / (1 if label == "FY" else 4)

    def part(word: str, low: float, high: float) -> int:
        return int(size * (low + (high - low) * _chance(name, word, year, label)))

    revenue, cost, running = int(size), part("cost", 0.4, 0.6), part("running", 0.15, 0.25)
    tax = part("tax", 0.02, 0.05)
    net = revenue - cost - running - tax
    if kind == "income":
        return {
            "revenue": revenue, "cost_of_revenue": cost, "gross_profit": revenue - cost, "operating_expenses": running,
            "operating_income": revenue - cost - running, "income_tax_expense": tax, "net_income": net,
        }  # fmt: skip
    if kind == "cash":
        wear, spent, paid = part("wear", 0.03, 0.06), part("spent", 0.05, 0.12), part("paid", 0.02, 0.08)
        return {
            "net_income": net, "depreciation_and_amortization": wear, "operating_cash_flow": net + wear,
            "capital_expenditure": -spent, "investing_cash_flow": -spent, "financing_cash_flow": -paid,
            "free_cash_flow": net + wear - spent, "net_change_in_cash": net + wear - spent - paid,
        }  # fmt: skip
    cash, stock, plant = part("cash", 0.1, 0.3), part("stock", 0.1, 0.2), part("plant", 0.5, 0.9)
    debts, loans = part("debts", 0.1, 0.2), part("loans", 0.2, 0.4)
    assets = cash + stock + plant
    return {
        "cash_and_equivalents": cash, "inventory": stock, "total_current_assets": cash + stock,
        "property_plant_equipment": plant, "total_assets": assets, "total_current_liabilities": debts,
        "long_term_debt": loans, "total_liabilities": debts + loans, "total_equity": assets - debts - loans,
        "total_liabilities_and_equity": assets,
    }  # fmt: skip


def exchanged(source: object, target: object, amount: object = 1, digits: object = None) -> dict[str, Any]:
    """An amount in another currency, with `digits` decimal places; the rates of two directions multiply to one."""
    pair = [_named(source), _named(target)]
    rate = _worth(pair[0]) / _worth(pair[1])
    quantity = float(amount) if isinstance(amount, int | float) else 1.0
    places = int(digits) if isinstance(digits, int | float) and 0 <= digits <= 12 else 6
    return {"from": pair[0], "to": pair[1], "rate": rate, "amount": quantity, "result": round(quantity * rate, places)}


def _worth(currency: str) -> float:
    if currency not in TRADABLE:
        raise ToolError(404, "not_found", f"There is no currency {currency!r}; use a code such as EUR or USD.")
    return pair_worth(currency) or 0.001 + 2 * _chance(currency, "worth")


def venue_of(arguments: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """One text for the arguments that say where an instrument is traded."""
    return "|".join(str(arguments[name]) for name in names if arguments.get(name) not in (None, ""))
