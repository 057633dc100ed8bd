"""Areas of working life: services of one area, or of two that have to do with each other, come up in one request."""

from __future__ import annotations

from typing import Final

AREAS: Final = (
    "office",
    "sales",
    "support",
    "marketing",
    "engineering",
    "operations",
    "finance",
    "people",
    "travel",
    "private",
)
_TOGETHER: Final = frozenset(
    frozenset(pair.split())
    for pair in (
        "sales support",
        "sales marketing",
        "sales operations",
        "sales finance",
        "support operations",
        "support engineering",
        "finance travel",
        "private travel",
    )
)


def listens(reader: str, teller: str) -> bool:
    """Whether those who read what is written in one area have a use for facts of the other."""
    return reader in ("office", teller, "") or teller == ""


def trades(one: str, other: str) -> bool:
    """Whether values go from one area into fields of the other: what goes between two others goes by the office."""
    return one == other or "office" in (one, other) or "" in (one, other)


def related(one: str, other: str) -> bool:
    """Whether somebody who deals with one area deals with the other in the same breath; "" is one nobody has named."""
    if one != other and "private" in (one, other):  # nobody hands over their home and the office in one message
        return "" in (one, other) or frozenset((one, other)) in _TOGETHER
    return trades(one, other) or frozenset((one, other)) in _TOGETHER
