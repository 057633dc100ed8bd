"""The sentences that people have left in notes and documents."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tasks_app.authors.naming import capital
from tasks_app.authors.story import Carried
from tasks_app.engine.text import render

_VALUE = (
    "Checked again this morning: the {noun} is {value}.",
    "We agreed on {value} as the {noun}.",
    "Please use {value} as the {noun} from now on.",
    "As discussed on the phone, the {noun} is {value}.",
    "{Noun} as settled with the team: {value}.",
    "After the meeting it is clear that the {noun} is {value}.",
)
_PERSON = (
    "The {noun} is {value} from now on.",
    "Spoke to the team, the {noun} will be {value}.",
    "Please treat {value} as the {noun}.",
    "It was decided that {value} is the {noun}.",
    "{Noun} for this one: {value}.",
)
_RECORD = (
    "This belongs with the {noun} {value}.",
    "For the background see the {noun} {value}.",
    "It all goes back to the {noun} {value}.",
    "The {noun} meant here is {value}.",
    "Please file it under the {noun} {value}.",
)
_POLICY = (
    ("Which {noun} applies depends on the {number}.", "Up to {bound}: {below}.", "Over {bound}: {above}."),
    ("The {noun} follows from the {number}.", "For {bound} or less take {below}.", "Above {bound} take {above}."),
    ("{Noun} by {number}.", "At most {bound}: {below}.", "More than {bound}: {above}."),
    ("The {number} decides about the {noun}.", "If it is no more than {bound}, {below}.", "Beyond {bound}, {above}."),
)


def note_text(rng: random.Random, carried: Carried) -> Callable[[Any], str]:
    """A writer of notes that state a value of `carried`, always in the same words."""
    people = carried.kind in ("email", "person")
    pool = _RECORD if carried.names_record and not people else _PERSON if people else _VALUE
    sentence = rng.choice(pool)

    def write(value: Any) -> str:
        shown = render(carried.kind, value)
        if carried.kind in ("count", "duration") and carried.unit:
            shown = f"{shown} {carried.unit}"
        return sentence.format(noun=carried.noun, Noun=capital(carried.noun), value=shown)

    return write


def policy_text(rng: random.Random, carried: Carried, number: Carried, bound: float) -> Callable[[Any, Any], str]:
    """A writer of rules with one bound: what holds up to it and what holds above it."""
    head, low, high = rng.choice(_POLICY)
    limit = render(number.kind, bound)

    def write(below: Any, above: Any) -> str:
        words = {
            "noun": carried.noun,
            "Noun": capital(carried.noun),
            "number": number.noun,
            "bound": limit,
            "below": render(carried.kind, below),
            "above": render(carried.kind, above),
        }
        return "\n".join(line.format(**words) for line in (head, low, high))

    return write
