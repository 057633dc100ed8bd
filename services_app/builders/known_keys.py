"""Keys that an outside source is taken to know: those that the specification names, and usual ones of their kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.builders.entities import Reader, Schema
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import range_kind, scalar_choices
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, types_of, words_of
from services_app.verification.arguments import example

_MOST = 24
_SAID = re.compile(
    r"(?:\be\.?g\.?,?:?|\bsuch as|\bfor example,?:?|\bexamples?:|\blike)\s*([^\n;)\]]{2,160})", re.IGNORECASE
)
_PLAIN = re.compile(r"[A-Za-z0-9@^$#][\w.:/@^$#+ -]{0,48}")
_TIMES = frozenset(
    (
        "date day time month year season week quarter timestamp datetime hour latitude longitude timeframe interval "
        "period frequency"
    ).split()
)
# An address may be of many kinds, in a program or in a street: what is said about it has to tell.
_CUES = {
    "address": re.compile(r"wallet|chain|ethereum|solana|bitcoin|token|contract|\bevm\b|0x", re.IGNORECASE),
    "contract": re.compile(r"address|chain|token|0x", re.IGNORECASE),
    "domain": re.compile(r"dns|whois|website|domain name|\w\.com|subdomain|url|seo|e-?mail", re.IGNORECASE),
}
_TRADED = frozenset("symbol ticker pair".split())
_NAMING = frozenset("name id code slug key number symbol address title".split())
_JOINING = frozenset("and or the a an this that these those etc it one".split())
_CITIES = "London Paris Berlin Tokyo Madrid Lisbon Oslo Chicago Toronto Sydney Mumbai Nairobi".split()
_PEOPLE = "alice bob carol dave octocat torvalds gvanrossum jack elonmusk nasa google microsoft".split()
_KINDS: dict[str, list[str]] = {
    "symbol ticker stock stocks instrument tickers": (
        "AAPL MSFT GOOGL AMZN NVDA TSLA META JPM SPY QQQ IBM ACME BTC ETH".split()
    ),
    "crypto coin cryptocurrency": (
        "BTC ETH SOL XRP ADA DOGE DOT LTC bitcoin ethereum solana USDC".split()
    ),
    "pair": "BTCUSDT ETHUSDT BTC-USD ETH-USD BTC/USDT ETH/USDT EURUSD GBPUSD USDJPY SOLUSDT".split(),
    "domain hostname site": (
        "example.com example.org example.net google.com github.com wikipedia.org mozilla.org python.org iana.org "
        "w3.org debian.org archive.org"
    ).split(),
    "city location place destination origin town": _CITIES,
    "station stop": [f"{city} {word}" for city in _CITIES[:6] for word in ("Central", "North")],
    "telecode": "BJP SHH VNP AOH GZQ IZQ WHN CDW".split(),
    "airport iata icao departure arrival": "LHR CDG BER HND MAD LIS OSL ORD YYZ SYD BOM NBO JFK SFO".split(),
    "flight": "BA117 LH400 AF006 DL100 UA1 AA100 TP201 QF1 EK203 SQ22 NH9 KL641".split(),
    "country nation": "US DE FR GB JP ES PT NO CA AU IN KE".split(),
    "currency fiat": "USD EUR GBP JPY CHF CAD AUD INR CNY SEK NOK BRL".split(),
    "doi": ["10.1038/nature12373", "10.1126/science.169.3946.635",
            *(f"10.1000/xyz{number}" for number in range(123, 131))],
    "pmid": "31452104 33301246 26017442 28445112 29195078 30049270 32015508 34265844".split(),
    "isbn": "9780141439518 9780262033848 9780131103627 9780201633610 9780596007126 9780321125217".split(),
    "wallet address contract": [
        "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "0xdAC17F958D2ee523a2206206994597C13D831ec7",
        "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "So11111111111111111111111111111111111111112",
    ],
    "pubkey npub": [f"{word * 8}" for word in ("3bf0c63f", "82341f88", "04c915da", "fa984bd7", "32e18276", "e88a691e")],
    "isin": "US0378331005 US5949181045 US0231351067 US67066G1040 DE0007164600 GB0002374006".split(),
    "package module library dependency crate gem rubygem": (
        "react lodash express typescript requests numpy pandas django flask serde tokio rails"
    ).split(),
    "repo repository": "react linux vscode django rust kubernetes hello-world cpython typescript next.js".split(),
    "player athlete": ["Lionel Messi", "Serena Williams", "LeBron James", "Megan Rapinoe", "Lewis Hamilton",
                       "Simone Biles", "Roger Federer", "Shohei Ohtani", "Marta", "Usain Bolt"],
    "team club": ["Arsenal", "Barcelona", "Bayern Munich", "Lakers", "Yankees", "Ajax", "Benfica", "Celtics"],
    "league competition": ["Premier League", "La Liga", "Bundesliga", "NBA", "NFL", "MLB", "Serie A"],
    "username user handle login author owner org organization organisation actor profile": _PEOPLE,
    "ip": "8.8.8.8 1.1.1.1 9.9.9.9 192.0.2.1 198.51.100.7 203.0.113.9 208.67.222.222 8.8.4.4".split(),
    "gene": "BRCA1 BRCA2 TP53 EGFR KRAS MYC PTEN CFTR APOE HBB".split(),
    "drug medication": "aspirin ibuprofen metformin warfarin insulin amoxicillin paracetamol atorvastatin".split(),
    "plant animal species": ["Quercus robur", "Homo sapiens", "Panthera leo", "Canis lupus", "Bellis perennis"],
    "pokemon": "pikachu bulbasaur charmander squirtle eevee mewtwo snorlax gengar".split(),
    "chain blockchain": "ethereum bitcoin polygon arbitrum optimism base solana avalanche".split(),
    "subreddit": "python programming science worldnews askreddit technology".split(),
    "cve": ["CVE-2021-44228", "CVE-2014-0160", "CVE-2017-5638", "CVE-2019-0708", "CVE-2022-22965"],
    "zip zipcode postcode postal": "10001 94105 60601 SW1A1AA 10115 75001 1000 90210".split(),
}  # fmt: skip
_BY_WORD = {word: tuple(keys) for words, keys in _KINDS.items() for word in words.split()}


def is_open_key(name: str, schema: Schema) -> bool:
    """Whether a required parameter is text that names something and has no end of values that could be sent."""
    kinds = types_of(schema)
    if (kinds and "string" not in kinds) or scalar_choices(schema) or "const" in schema:
        return False
    if str(schema.get("format", "")).startswith(("date", "time")) or set(words_of(name)) & _TIMES:
        return False
    return range_kind(name, kinds) is None


def known_keys(tool: ToolSpec, own: Entity, name: str, schema: Schema) -> tuple[str, ...]:
    """The keys that are known under a parameter; () where nothing tells what they look like."""
    said = list(dict.fromkeys(said_keys(schema)))
    return tuple(dict.fromkeys([*said, *_usual(tool, own, name, str(schema.get("description", "")))]))[:_MOST]


def _usual(tool: ToolSpec, own: Entity, name: str, said: str) -> tuple[str, ...]:
    """Usual keys of the kind that a parameter names: by its last word, else by what it is the name or code of."""
    words = [singular(word) for word in words_of(name)]
    wanted = words[-1:]
    if words[-1] in _NAMING:
        of = words[-2:-1] or own.noun.split("_")[::-1]
        wanted += [*of, *(singular(word) for word in words_of(said[:40]))] if len(words) == 1 else of
    market = _market(tool, own) if set(wanted) & _TRADED else ()
    if market:
        return market
    for word in wanted:
        cue = _CUES.get(word)
        if word in _BY_WORD and (cue is None or cue.search(f"{said} {tool.description}")):
            return _BY_WORD[word]
    return ()


def _market(tool: ToolSpec, own: Entity) -> tuple[str, ...]:
    """Symbols of the market that the name of a tool speaks of; () for stocks and anything else."""
    words = set(words_of(tool.name)) | set(own.noun.split("_"))
    if words & {"crypto", "coin", "cryptocurrency"}:
        return (
            "BTC/USD",
            "ETH/USD",
            "BTCUSD",
            "ETHUSD",
            "SOLUSD",
            "BTC-USD",
            "BTCUSDT",
            "ETHUSDT",
            "BTC",
            "ETH",
            "SOL",
        )
    if words & {"forex", "fx", "currencies"}:
        return ("EURUSD", "GBPUSD", "USDJPY", "EUR/USD", "GBP/USD", "USDCHF", "AUDUSD", "USDCAD")
    return ()


def said_keys(schema: Schema) -> Iterator[str]:
    """Values that the schema or its prose gives as examples."""
    for word in ("examples", "default", "example"):
        given: Any = schema.get(word)
        yield from (str(v) for v in (given if isinstance(given, list) else [given]) if isinstance(v, str) and v)
    for found in _SAID.findall(str(schema.get("description", ""))):
        quoted = re.findall(r"[\"'`“‘]([^\"'`”’]{1,50})[\"'`”’]", found)
        for part in quoted or re.split(r",|\bor\b|\band\b", found.split(". ")[0]):
            plain = re.split(r"\s(?:for|to|is)\s", part.strip(" .\"'`("))[0]
            short = len(plain.split()) <= (6 if quoted else 3) and plain.lower() not in _JOINING
            if short and _PLAIN.fullmatch(plain):
                yield plain


def note_keys(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Let a look-up answer for known keys only; where none can be told, what is stored is all there is."""
    own = reader.by_noun[planned.entity]
    properties = reader.properties(tool)
    opened = [n for n in planned.lookups if n not in planned.parents and is_open_key(n, properties[n])]
    known = {name: known_keys(tool, own, name, properties[name]) for name in opened}
    if not all(known.values()):
        planned.derived = False
        return
    planned.read.known = known
    planned.examples = (*planned.examples, *_examples(reader, tool, planned))


def _examples(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> Iterator[dict[str, Any]]:
    """Two calls under different known keys: verification cannot guess what is known."""
    required = reader.required(tool)
    if not planned.read.known or reader.unwraps(tool) or set(required) & set(planned.parents):
        return
    root = tool.input_schema
    made = {name: example(reader.properties(tool)[name], root, name=name) for name in required}
    for number in (0, 1):
        yield {**made, **{name: keys[number % len(keys)] for name, keys in planned.read.known.items()}}
