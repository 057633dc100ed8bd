"""Splits that keep relatives together.

The unit is the *family*: tasks of the same service set and dependency graph, and tasks whose instructions
differ only in names and numbers. Rows of one family never lie on both sides of a split.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

RULE = "family = service set + dependency graph; near-duplicate instructions joined; whole families per split"
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'|\S*\d\S*|\b[A-Z][\w'-]*")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Item:
    """What the split needs to know of a record: its id, its lineage key and its instruction."""

    id: str
    lineage: str
    instruction: str = ""


def lineage_key(services: Iterable[str], edges: Iterable[tuple[str, str]], scenario: str = "") -> str:
    """A short stable key of service set, dependency graph (edges as service pairs) and scenario template."""
    parts = [",".join(sorted(set(services))), ";".join(sorted(f"{a}>{b}" for a, b in edges)), scenario]
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def instruction_shape(instruction: str) -> str:
    """The instruction with quoted text, numbers and capitalised words masked: equal shapes are
    near-duplicates.
    """
    return _SPACE.sub(" ", _VALUE.sub("_", instruction)).strip().lower()


def families(items: Sequence[Item]) -> dict[str, str]:
    """Item id -> family key. Items that share a lineage or an instruction shape are in one family,
    transitively.
    """
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for item in items:
        first = root(f"lineage:{item.lineage}" if item.lineage else f"item:{item.id}")
        shape = instruction_shape(item.instruction)
        if shape:
            second = root(f"shape:{shape}")
            parent[max(first, second)] = min(first, second)
    nodes = {i.id: root(f"lineage:{i.lineage}" if i.lineage else f"item:{i.id}") for i in items}
    return {name: hashlib.sha256(node.encode()).hexdigest()[:16] for name, node in nodes.items()}


def assign(family_of: Mapping[str, str], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    """Item id -> split. Families go, in an order drawn from the seed, to the split furthest below its share.

    shares: split -> fraction, adding up to 1. The same items and seed give the same splits, whatever their
    order. Raises ValueError if the shares do not add up, or there are fewer families than splits.
    """
    if not shares or abs(sum(shares.values()) - 1.0) > 1e-9 or min(shares.values()) <= 0:
        raise ValueError(f"shares must be positive and add up to 1, got {dict(shares)}")
    sizes: dict[str, int] = defaultdict(int)
    for family in family_of.values():
        sizes[family] += 1
    if len(sizes) < len(shares):
        raise ValueError(f"{len(sizes)} families cannot fill {len(shares)} splits without overlap")
    placed = _fill(sizes, shares, seed)
    return {item: placed[family] for item, family in family_of.items()}


def overlap(family_of: Mapping[str, str], split_of: Mapping[str, str]) -> int:
    """Families with records in more than one split: computed from the result, 0 for a sound one."""
    seen: dict[str, set[str]] = defaultdict(set)
    for item, split in split_of.items():
        seen[family_of[item]].add(split)
    return sum(len(splits) > 1 for splits in seen.values())


def _fill(sizes: Mapping[str, int], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    order = sorted(sizes, key=lambda family: hashlib.sha256(f"{seed}|{family}".encode()).digest())
    total = sum(sizes.values())
    counts = dict.fromkeys(sorted(shares), 0)
    placed: dict[str, str] = {}
    for position, family in enumerate(order):
        empty = [split for split, count in counts.items() if count == 0]
        # The last families are kept for splits that would stay empty otherwise.
        candidates = empty if len(order) - position <= len(empty) else list(counts)
        split = min(candidates, key=lambda name: (counts[name] / (shares[name] * total), name))
        placed[family] = split
        counts[split] += sizes[family]
    return placed
