"""What currencies and coins are worth in US dollars, and which two of them a symbol pairs: EURUSD, BTC/USDT."""

from __future__ import annotations

import re

WORTH = {
    "USD": 1.0, "EUR": 1.08, "GBP": 1.27, "CHF": 1.13, "JPY": 0.0067, "CNY": 0.14, "INR": 0.012, "BRL": 0.2,
    "CAD": 0.74, "AUD": 0.66, "MXN": 0.058, "KRW": 0.00075, "SEK": 0.096, "NOK": 0.095, "DKK": 0.145, "PLN": 0.25,
    "TRY": 0.031, "ZAR": 0.053, "SGD": 0.74, "HKD": 0.128, "USDT": 1.0, "USDC": 1.0,
}  # fmt: skip
COIN_WORTH = {
    "BTC": 64_000, "ETH": 3_200, "SOL": 148, "XRP": 0.58, "ADA": 0.46, "DOGE": 0.14, "DOT": 6.9, "LTC": 82, "BNB": 590,
    "AVAX": 35, "LINK": 15.4, "MATIC": 0.71, "SHIB": 0.000024, "TRX": 0.12, "BITCOIN": 64_000, "ETHEREUM": 3_200,
    "SOLANA": 148, "RIPPLE": 0.58, "CARDANO": 0.46, "DOGECOIN": 0.14, "POLKADOT": 6.9, "LITECOIN": 82,
}  # fmt: skip
COINS = frozenset(COIN_WORTH)
MONEY = frozenset(WORTH) | frozenset(
    "NZD THB MYR IDR PHP CZK HUF ILS AED SAR CLP COP ARS VND EGP NGN KES PKR TWD RUB UAH RON BGN ISK PEN".split()
)
TRADABLE = COINS | MONEY


def pair_of(symbol: str) -> tuple[str, ...]:
    """The coins and currencies that a symbol in capitals names, one or two; () for a symbol of another kind."""
    bare = re.sub(r"^[A-Z]:", "", symbol).split(".")[0]
    parts = tuple(part for part in re.split(r"[-/_:]", bare) if part)[:2]
    if len(parts) == 1:
        cuts = [(bare[:cut], bare[cut:]) for cut in range(3, len(bare) - 2)]
        parts = next((cut for cut in cuts if set(cut) <= TRADABLE), parts)
    return parts if parts and set(parts) <= TRADABLE else ()


def pair_worth(symbol: str) -> float:
    """What one unit of a pair costs; 0 where nobody says."""
    parts = pair_of(symbol)
    known = {**WORTH, **COIN_WORTH}
    if not parts or any(part not in known for part in parts):
        return 0.0
    return known[parts[0]] / (known[parts[1]] if len(parts) > 1 else 1)


def is_of(symbol: str, market: str) -> bool:
    """Whether a symbol in capitals is traded on a market: `forex` takes two currencies, `crypto` a coin first."""
    parts = pair_of(symbol)
    if market == "forex":
        return len(parts) == 2 and set(parts) <= MONEY
    return bool(parts) and parts[0] in COINS
