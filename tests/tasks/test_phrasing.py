"""How instructions read: frames, names of fields, definitions that end the sentence which needs them."""

from __future__ import annotations

import re

import pytest

from services_app.engine.service import TableInfo
from tasks_app.authors.frames import FRAMES
from tasks_app.authors.naming import preposition, pretty, role_of, say
from tasks_app.authors.story import Need
from tasks_app.authors.ways import Ways
from tasks_app.engine.columns import Column
from tests.tasks.authored import written

SEEDS = range(1, 21)

CHANGES = TableInfo("changes", "change", "changes", "", "", {}, {})


def test_there_are_forty_frames_that_fit_any_task() -> None:
    assert len(FRAMES) >= 40
    assert len({frame.name for frame in FRAMES}) == len(FRAMES)
    openings = [opening for frame in FRAMES for opening in frame.openings]
    assert len(set(openings)) == len(openings)
    for frame in FRAMES:
        assert any("{" not in opening for opening in frame.openings), frame.name
        words = [*frame.people, *frame.money, *frame.dates, *frame.codes]
        assert len(set(words)) == len(words), frame.name
        assert min(len(frame.people), len(frame.money), len(frame.dates), len(frame.codes)) >= 2, frame.name
        assert all(opening.endswith((".", "?")) for opening in frame.openings), frame.name


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("valid_until", "last valid day"),
        ("deliver_to", "delivery address"),
        ("starts_on", "start date"),
        ("private_ip", "private IP"),
        ("max_loan", "maximum loan"),
    ],
)
def test_names_of_fields_are_nouns(field: str, words: str) -> None:
    assert pretty(field) == words


def test_who_did_something_is_named_by_the_verb() -> None:
    column = Column("changes", "decided_by", "email")
    assert preposition(column) == "decided by"
    assert role_of(column, CHANGES) == "decision maker"
    assert role_of(Column("changes", "approved_by", "email"), CHANGES) == "approver"


def test_one_of_something_is_singular() -> None:
    assert say("count", 1, "units") == "1 unit"
    assert say("count", 2, "units") == "2 units"


@pytest.mark.parametrize("seed", SEEDS)
def test_instructions_have_no_broken_words(seed: int) -> None:
    text = written(seed).instruction
    assert not re.search(r"\b(?:creater|updater|decider)\b|% per cent|\b1 \w+s of\b|; (?!I )[A-Z]|;\.", text), text


def test_every_instruction_opens_with_a_reason_of_its_frame() -> None:
    reasons = {frame.name: frame.openings for frame in FRAMES}
    for seed in SEEDS:
        task = written(seed)
        patterns = [
            re.escape(o).replace(r"\{who\}", ".+").replace(r"\{topic\}", ".+") for o in reasons[task.meaning["frame"]]
        ]
        assert any(re.match(pattern, task.instruction, re.IGNORECASE) for pattern in patterns), task.instruction


def test_a_number_of_one_thing_does_not_name_another() -> None:
    order = Need("code", noun="order number")
    assert Ways._kin(Column("shipments", "order_number", "code"), order)
    assert Ways._kin(Column("orders", "number", "code"), Need("code", noun="order"))
    assert not Ways._kin(Column("engineering_changes", "number", "code"), order)
    assert not Ways._kin(Column("standing_orders", "reference", "code"), Need("code", noun="purchase order"))
