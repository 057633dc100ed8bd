"""Which tokens are trained: checks on masks, without a tokenizer.

A mask is a list of 0 and 1, one per token; 1 = in the loss. Segments say where a rollout's tokens came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Origin = Literal["sampled", "observation"]


class Span(NamedTuple):
    """Positions start..end-1."""

    start: int
    end: int


@dataclass(frozen=True)
class Segment:
    """A run of completion tokens of one origin; `tokens` is their number."""

    origin: Origin
    tokens: int


def spans(mask: Sequence[int]) -> tuple[Span, ...]:
    """The maximal runs of 1. Raises ValueError for other values than 0 and 1."""
    found: list[Span] = []
    start: int | None = None
    for position, value in enumerate(mask):
        if value not in {0, 1}:
            raise ValueError(f"a mask holds 0 and 1 only, found {value!r} at {position}")
        if value and start is None:
            start = position
        elif not value and start is not None:
            found.append(Span(start, position))
            start = None
    if start is not None:
        found.append(Span(start, len(mask)))
    return tuple(found)


def trained_share(masks: Sequence[Sequence[int]]) -> float:
    """Trained tokens over all tokens of a set of rows; 0.0 for an empty set."""
    total = sum(len(mask) for mask in masks)
    return sum(sum(mask) for mask in masks) / total if total else 0.0


def compare_spans(trained: Sequence[str], expected: Sequence[str]) -> tuple[str, ...]:
    """Problems, in words, between the decoded trained spans and the assistant turns as inference renders
    them.

    White space at the ends does not count, since templates differ in whether the newline after a turn is
    trained.
    """
    if not trained:
        return ("no token is trained",)
    problems: list[str] = []
    if len(trained) != len(expected):
        problems.append(f"{len(trained)} trained spans for {len(expected)} assistant turns")
    for number, (got, want) in enumerate(zip(trained, expected, strict=False), start=1):
        if got.strip() != want.strip():
            problems.append(f"trained span {number} is {_short(got)}, the turn is {_short(want)}")
    return tuple(problems)


def mask_of(segments: Sequence[Segment]) -> list[int]:
    """The mask that a rollout's segments ask for: sampled tokens 1, observation tokens 0."""
    return [1 if s.origin == "sampled" else 0 for s in segments for _ in range(s.tokens)]


def check_rollout_mask(mask: Sequence[int], segments: Sequence[Segment]) -> tuple[str, ...]:
    """Problems, in words, between a stored rollout's mask and where its tokens came from."""
    wanted = mask_of(segments)
    if len(mask) != len(wanted):
        return (f"the mask covers {len(mask)} tokens, the rollout has {len(wanted)}",)
    wrong = [i for i, (got, want) in enumerate(zip(mask, wanted, strict=True)) if got and not want]
    missed = [i for i, (got, want) in enumerate(zip(mask, wanted, strict=True)) if want and not got]
    problems = []
    if wrong:
        problems.append(f"{len(wrong)} observation tokens are trained, first at {wrong[0]}")
    if missed:
        problems.append(f"{len(missed)} sampled tokens are not trained, first at {missed[0]}")
    return tuple(problems)


def _short(text: str, limit: int = 60) -> str:
    return repr(text if len(text) <= limit else text[:limit] + "…")
