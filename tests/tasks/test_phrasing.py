"""How instructions read: frames, names of fields, definitions that end the sentence which needs them."""

from __future__ import annotations

import random
import re

import pytest

from services_app.engine.service import TableInfo
from tasks_app.authors.frames import FRAMES
from tasks_app.authors.naming import preposition, pretty, role_of, say
from tasks_app.authors.phrasing import as_told, said
from tasks_app.authors.reasons import Reasons, fitting
from tasks_app.authors.sense import ODD, akin, plain_key, prose, remarks
from tasks_app.authors.story import Carried, Goal, Need, Stated
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


def test_goals_are_stated_and_look_ups_are_not_narrated() -> None:
    for seed in SEEDS:
        text = written(seed).instruction
        assert not re.search(r"\b(?:Look up|Look through|Check|Find) (?:the|that)\b", text), text


def test_a_reason_fits_the_verb_or_the_field() -> None:
    def goal(**slots: Stated) -> Goal:
        return Goal(0, "crm", "update_contact", 1, dict(slots), {})

    phone = goal(phone=Stated("+44 20 7555 0100", "phone"))
    assert "the old number no longer works" in fitting(phone, "change the phone of the contact Ann Lee to 5")
    owner = goal(owner_email=Stated("ann@lee.example", "email"))
    assert "they take it over now" in fitting(owner, "set the owner email of the deal to ann@lee.example")
    assert "the others should see it" in fitting(goal(), "add a note to the deal")
    assert "that was promised" in fitting(goal(), "move 15.00 from the bank account")
    assert fitting(goal(), "rotate the key") == ()


def test_facts_are_looked_for_where_people_leave_them() -> None:
    deals = TableInfo("deals", "deal", "deals", "name", "", {}, {})
    assert prose(Column("deals", "notes", "text"), deals) > prose(Column("deals", "left_reason", "text"), deals) == ODD
    assert remarks(TableInfo("deal_comments", "comment", "comments", "", "note", {}, {})) == 1.0
    assert remarks(TableInfo("checkouts", "checkout", "checkouts", "", "note", {}, {})) == ODD
    assert plain_key(Column("deals", "name", "title"), deals) == 1.0
    assert plain_key(Column("deals", "path_prefix", "code"), deals) == ODD
    due = Need("date", noun="task due date", short="due date")
    assert akin(Column("deals", "due_on", "date"), due) > akin(Column("deals", "born_on", "date"), due)


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("write to the guest saying ", "that it has been checked"),
        ("note on the journal J-1 that ", "it has been checked"),
        ("void the envelope because ", "it has been checked"),
        ("comment on the agreement A-1: ", "it has been checked"),
        ("split 17.86 off the expense as ", "“It has been checked”"),
    ],
)
def test_a_sentence_follows_as_the_words_before_it_take_it(before: str, words: str) -> None:
    assert said("that it has been checked", before) == words


def test_one_tail_is_enough() -> None:
    goal = Goal(0, "halls", "cancel_booking", 1, {}, {})
    plain, told = "cancel the booking BK-1", "cancel the booking BK-1 and say that it was agreed"
    assert any(Reasons(random.Random(seed)).clause(goal, plain) for seed in range(20))
    assert not any(Reasons(random.Random(seed)).clause(goal, told) for seed in range(20))


def test_what_a_text_has_to_state_is_said() -> None:
    """Somebody who is known by an address may be called by name as well, and a text would then fail its criterion."""
    address = Carried("value_1", "email", "field", 0, "contact", None)
    assert as_told(address, "the contact for Silverton Kitchens") == "the address of the contact for Silverton Kitchens"
    assert as_told(address, "the new address") == "the new address"
    assert as_told(Carried("value_1", "person", "field", 0, "contact", None), "the contact") == "the contact"
