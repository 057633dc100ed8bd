"""Whole numbers as prose writes them: 50, 1000, 1,000."""

from __future__ import annotations

FIGURE = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)"


def whole(text: str) -> int:
    """The number that a figure means, with or without commas between its thousands."""
    return int(text.replace(",", ""))
