"""Rules for outside market data: price series, quotes, order books, statements, exchange rates.

A tool is recognised by its name and by a required symbol; a parameter that no slot takes says where an instrument is
traded when it is text, and leaves the tool to other rules when it is anything else.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from typing import Any

from services_app.builders.body_parts import returned
from services_app.builders.entities import Reader
from services_app.builders.known_keys import said_keys
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.prose import default_size
from services_app.builders.roles import is_order, key_of, page_kind
from services_app.builders.special.answers import add_fixture, frame, idle, meaningful
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_MODULE = "services_app.recipes.market"
_SYMBOLS = frozenset(
    (
        "symbol ticker pair stock code stock_code stocks_ticker crypto_ticker forex_ticker options_ticker "
        "indices_ticker index_ticker coin_id coin instrument asset product_id currency_pair trading_pair symbol_code"
    ).split()
)
_SERIES = re.compile(
    r"(^|_)(klines?|candles?|candlesticks?|ohlcv?|bars|aggregates_by_range|aggregates?_bars|intraday|hist_data|"
    r"historical_(stock_)?(data|prices?|k_data|candles|klines)|price_history|historical_quotes|(light|full)_chart|"
    r"(stock|crypto|forex|index|intraday|historical)_chart)(_|$)"
)
_QUOTES = re.compile(r"(^|_)(quote|stock_price|current_price|current_stock_price|price|ticker)(_short)?$")
_BOOKS = re.compile(r"(^|_)(order_?book|depth)(_|$)")
_STATEMENTS = (
    ("income", re.compile(r"(^|_)income_statements?(_|$)")),
    ("balance", re.compile(r"(^|_)balance_sheets?(_statements?)?(_|$)")),
    ("cash", re.compile(r"(^|_)cash_?flows?(_statements?)?(_|$)")),
)
_NOT_STATEMENTS = frozenset("growth ttm as reported bulk ratio ratios".split())
_SLOTS: Mapping[str, frozenset[str]] = {
    "interval": frozenset(
        "interval timeframe timespan resolution granularity bar_size frequency candle_interval time_frame bar".split()
    ),
    "multiplier": frozenset(("multiplier",)),
    "start": frozenset("start_time start start_date from from_date since begin_date from_time time_start".split()),
    "end": frozenset("end_time end end_date to to_date until until_date time_end".split()),
    "adjusted": frozenset("adjusted adjust".split()),
    "span": frozenset("period range lookback days time_range lookback_days history".split()),
    "period": frozenset("period period_type frequency timeframe".split()),
}
_FROM = frozenset("from from_currency base base_currency source source_currency from_symbol currency_from".split())
_TO = frozenset("to to_currency target target_currency quote quote_currency to_symbol currency_to".split())


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool for market data; None for any other."""
    reading = reader.readings[tool.name]
    name = "_".join(words_of(tool.name))
    taken = any(known.table == "instruments" for known in reader.plan.entities.values())
    if reading.action not in ("get", "list", "other") or tool.output_schema or taken:
        return None
    if re.search(r"(^|_)(exchange_rates?|convert_currency|currency_conver\w+)(_|$)", name):
        return _plan_rate(reader, tool)
    symbol = next((n for n in reader.required(tool) if key_of(n) in _SYMBOLS and _is_text(reader, tool, n)), "")
    if not symbol:
        return None
    if _SERIES.search(name):
        return _plan_series(reader, tool, symbol)
    for kind, cue in _STATEMENTS:
        if cue.search(name) and not set(words_of(tool.name)) & _NOT_STATEMENTS:
            return _plan_statements(reader, tool, symbol, kind)
    if _BOOKS.search(name):
        return _plan_simple(reader, tool, symbol, "book")
    return _plan_simple(reader, tool, symbol, "quote") if _QUOTES.search(name) else None


def _listed(reader: Reader, tool: ToolSpec, symbol: str) -> str:
    """The symbol as an expression: one that is listed, or that the specification names."""
    said = tuple(said_keys(reader.properties(tool)[symbol]))
    words = set(words_of(tool.name))
    market = "forex" if words & {"forex", "fx"} else "crypto" if words & {"crypto", "cryptocurrency", "coin"} else ""
    also = f", {said!r}" if said else ""
    return f"listed(state.instruments, args[{symbol!r}]{also}{f', market={market!r}' if market else ''})"


def _plan_series(reader: Reader, tool: ToolSpec, symbol: str) -> ToolPlan | None:
    slots, venues = _slots(reader, tool, symbol, ("interval", "multiplier", "start", "end", "adjusted", "span"))
    if venues is None or "page" in slots:
        return None
    step = "86400"
    if "interval" in slots:
        default = reader.properties(tool)[slots["interval"]].get("default") or "1d"
        more = f", args.get({slots['multiplier']!r}, 1)" if "multiplier" in slots else ""
        step = f"seconds_of(args.get({slots['interval']!r}) or {default!r}{more})"
    elif found := re.search(r"(\d+_?(min|minute|hour|day|h|m)s?|(?:one|five|four)_(minute|hour))", key_of(tool.name)):
        words = found[0].replace("one_", "1").replace("five_", "5").replace("four_", "4").replace("_", "")
        step = f"seconds_of({words!r})"
    sent = ["state.instruments", _listed(reader, tool, symbol), "ctx.now", f"step={step}"]
    sent += [f"{name}=args.get({slots[name]!r})" for name in ("start", "end", "span") if name in slots]
    if "limit" in slots:
        default = default_size(reader.properties(tool)[slots["limit"]])
        sent.append(f"limit=args.get({slots['limit']!r}{f', {default!r}' if default else ''})")
    else:
        sent.append("limit=1000")
    sent += [f"newest_first=args.get({slots['order']!r})"] if "order" in slots else []
    sent += [f"adjusted=args.get({slots['adjusted']!r}, True)"] if "adjusted" in slots else []
    kinds = types_of(reader.properties(tool)[slots["start"]]) if "start" in slots else set()
    sent += ["milliseconds=True"] if kinds & {"number", "integer"} and "string" not in kinds else []
    sent += _venue(venues)
    functions = {"series", *(("seconds_of",) if "seconds_of" in step else ()), *(("venue_of",) if venues else ())}
    about = "Open, high, low, close and volume, interval by interval."
    planned = _finish(reader, tool, about, sent, "series", functions)
    planned.examples = tuple(_examples(reader, tool, symbol, slots))
    return planned


def _examples(reader: Reader, tool: ToolSpec, symbol: str, slots: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Two calls that work: verification cannot guess what an interval looks like."""
    required = reader.required(tool)
    for interval, day in (("1d", 5), ("1h", 12)):  # symbols that the service lists
        sent: dict[str, Any] = {symbol: _symbols(tool)[0]}
        for slot, name in slots.items():
            schema = reader.properties(tool)[name]
            whole = not types_of(schema) & {"string"}
            if slot == "interval":
                choices = schema.get("enum") or [interval]
                sent[name] = choices[0 if interval == "1h" else -1]
            elif slot in ("start", "end") and name in required:
                text = f"2026-0{1 if slot == 'start' else 2}-{day:02d}"
                sent[name] = int(dt.datetime.fromisoformat(f"{text}T00:00:00+00:00").timestamp()) if whole else text
            elif name in required:
                sent[name] = 1
        if set(required) <= set(sent):
            yield sent


def _two_symbols(reader: Reader, tool: ToolSpec, symbol: str, slots: Mapping[str, str]) -> tuple[dict[str, Any], ...]:
    """One call that works under two symbols; () where none is known to."""
    return tuple(
        {**sent, symbol: word} for sent in list(_examples(reader, tool, symbol, slots))[:1] for word in _symbols(tool)
    )


def _symbols(tool: ToolSpec) -> tuple[str, str]:
    """Two symbols of the market that a tool is about."""
    words = set(words_of(tool.name))
    if words & {"forex", "fx"}:
        return "EURUSD", "GBPUSD"
    return ("BTCUSD", "ETHUSD") if words & {"crypto", "cryptocurrency", "coin"} else ("ACME", "NORTH")


def _plan_statements(reader: Reader, tool: ToolSpec, symbol: str, kind: str) -> ToolPlan | None:
    slots, venues = _slots(reader, tool, symbol, ("period",))
    if venues:
        return None
    sent = ["state.instruments", _listed(reader, tool, symbol), "ctx.now", repr(kind)]
    usual = default_size(reader.properties(tool)[slots["limit"]]) if "limit" in slots else 0
    sent += [f"{name}=args.get({slots[name]!r})" for name in ("period", "page") if name in slots]
    sent += [f"limit=args.get({slots['limit']!r}{f', {usual}' if usual else ''})"] if "limit" in slots else []
    planned = _finish(reader, tool, "Statements of a company, newest first.", sent, "statements", {"statements"})
    planned.examples = _two_symbols(reader, tool, symbol, slots)
    return planned


def _plan_simple(reader: Reader, tool: ToolSpec, symbol: str, function: str) -> ToolPlan | None:
    slots, venues = _slots(reader, tool, symbol, ())
    if venues is None or set(slots) - ({"limit"} if function == "book" else set()):
        return None
    sent = ["state.instruments", _listed(reader, tool, symbol), "ctx.now"]
    usual = default_size(reader.properties(tool)[slots["limit"]]) if "limit" in slots else 0
    sent += [f"depth=args.get({slots['limit']!r}{f', {usual}' if usual else ''})"] if "limit" in slots else []
    sent += _venue(venues)
    about = "Bids and asks around the price." if function == "book" else "The price now, and the figures of the day."
    planned = _finish(reader, tool, about, sent, function, {function, *(("venue_of",) if venues else ())})
    planned.examples = _two_symbols(reader, tool, symbol, slots)
    return planned


def _plan_rate(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    by_key = {key_of(name): name for name in meaningful(reader, tool)}
    source = next((name for key, name in by_key.items() if key in _FROM), "")
    target = next((name for key, name in by_key.items() if key in _TO), "")
    amount = next((name for key, name in by_key.items() if key in ("amount", "value", "quantity")), "")
    digits = next((name for key, name in by_key.items() if key in ("precision", "decimals", "decimal_places")), "")
    required = reader.required(tool)
    if source not in required or target not in required or set(by_key.values()) - {source, target, amount, digits}:
        return None
    sent = [f"args[{source!r}]", f"args[{target!r}]", *([f"args.get({amount!r}, 1)"] if amount else [])]
    if digits:
        usual = _default_number(reader.properties(tool)[digits])
        sent.append(f"digits=args.get({digits!r}{f', {usual}' if usual is not None else ''})")
    planned = _finish(reader, tool, "An amount in another currency.", sent, "exchanged", {"exchanged"})
    known = [{source: "EUR", target: "USD"}, {source: "USD", target: "CAD"}]
    rest = {amount: 120.57} if amount else {}
    planned.examples = tuple({**sent, **rest} for sent in known if set(required) <= {*sent, *rest})
    return planned


def _default_number(schema: Mapping[str, Any]) -> int | None:
    """The whole number that a schema or its prose gives as the default; None where neither does."""
    if isinstance(schema.get("default"), int):
        return int(schema["default"])
    said = re.search(r"[Dd]efaults? (?:to|is|:) ?(\d{1,4})\b", str(schema.get("description", "")))
    return int(said[1]) if said else None


def _finish(
    reader: Reader, tool: ToolSpec, about: str, sent: list[str], function: str, functions: set[str]
) -> ToolPlan:
    planned = frame(reader, tool, about)
    call = f"{function}({', '.join(sent)})"
    planned.body = (returned(planned, f'{{"data": {call}}}' if function in ("series", "statements") else call),)
    planned.imports = {_MODULE: tuple(sorted(functions))}
    planned.inert |= idle(reader, tool)
    if sent[0] == "state.instruments":
        planned.imports = {_MODULE: tuple(sorted({*functions, "listed"}))}
        add_fixture(reader, Fixture("instruments", "InstrumentRecord", _MODULE, "seed_instruments"))
    return planned


def _slots(
    reader: Reader, tool: ToolSpec, symbol: str, wanted: tuple[str, ...]
) -> tuple[dict[str, str], list[str] | None]:
    """(slot -> parameter, parameters that name a venue); None for the venues when one fits nowhere."""
    slots: dict[str, str] = {}
    venues: list[str] | None = []
    for name in meaningful(reader, tool):
        key = key_of(name)
        if name == symbol:
            continue
        slot = next((slot for slot in wanted if key in _SLOTS[slot] and slot not in slots), "")
        if slot:
            slots[slot] = name
        elif page_kind(name) in ("limit", "page"):
            slots[page_kind(name) or ""] = name
        elif key == "depth":
            slots["limit"] = name
        elif is_order(name) or key == "sort":
            slots["order"] = name
        elif _is_text(reader, tool, name) and venues is not None:
            venues.append(name)
        else:
            venues = None
    return slots, venues


def _venue(venues: list[str] | None) -> list[str]:
    return [f"venue=venue_of(args, {tuple(venues)!r})"] if venues else []


def _is_text(reader: Reader, tool: ToolSpec, name: str) -> bool:
    return "string" in types_of(reader.properties(tool)[name])
