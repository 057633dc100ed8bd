"""The quantity that a read is about by its first words: "Get current TVL of all chains"."""

from __future__ import annotations

import re
from collections.abc import Collection

from services_app.specs.vocabulary import singular, words_of

_QUANTITY = re.compile(
    r"^\W*(?:gets?|retrieves?|fetch(?:es)?|returns?|shows?|lists?) (?:the |all )?"
    r"(?:(?:current|latest|total|live|real-time|recent) ){0,2}"
    r"(tvl|prices?|balances?|volumes?|fees?|supply|apy|apr|yields?|ratings?|scores?|temperatures?|revenue|inventory|"
    r"stock levels?|usage|exchange rates?|floor price|market cap|spread|liquidity|hashrate|difficulty)"
    r" (?:of|for|across) ",
    re.IGNORECASE,
)


def quantity_of(description: str, known: Collection[str]) -> str:
    """The field for that quantity; "" where the words name none, or a field in `known` speaks of it."""
    found = _QUANTITY.match(description)
    if found is None:
        return ""
    words = [singular(word) for word in words_of(found[1])]
    told = {singular(word) for name in known for word in words_of(name)}
    return "" if words[-1] in told else "_".join(words)
