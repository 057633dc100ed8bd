"""The rules of library lending, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from tests.library.cases_library_lending import (
    ASKED,
    COPY,
    ME,
    OTHER,
    SLUG,
    TITLE,
    fee,
    hold,
    loan,
    title,
    world,
)
from tests.library.driver import environment
from tests.library.world import added, ok, one, patched, refused, rows


def test_a_copy_is_lent_once_and_comes_back() -> None:
    env = world(environment(SLUG))
    made = ok(env, SLUG, "checkout_copy", copy_id=COPY)
    assert (made["due_on"], made["status"]) == ("2026-03-23", "on loan")
    assert refused(env, SLUG, "checkout_copy", copy_id=COPY) == "not_available"
    assert ok(env, SLUG, "get_title", title_id=TITLE)["available_copies"] == 0
    assert ok(env, SLUG, "return_copy", loan_id=made["id"])["charged"] == 0
    assert ok(env, SLUG, "get_title", title_id=TITLE)["available_copies"] == 1


@pytest.mark.parametrize(
    ("kind", "due", "fine"), [("book", "2026-02-20", 2.5), ("dvd", "2026-02-27", 3.0), ("dvd", "2026-01-01", 8.0)]
)
def test_lateness_costs_by_format_and_day(kind: str, due: str, fine: float) -> None:
    env = added(world(environment(SLUG), format=kind), SLUG, "loans", loan(due_on=due))
    assert ok(env, SLUG, "get_my_account")["fines_running"] == fine
    assert ok(env, SLUG, "return_copy", loan_id="LN-9000")["charged"] == fine
    account = ok(env, SLUG, "get_my_account")
    assert (account["owed"], account["fines_running"]) == (fine, 0)


def test_what_comes_back_goes_to_the_first_who_does_not_rest() -> None:
    env = added(world(environment(SLUG)), SLUG, "loans", loan())
    first = hold(0, "MEM-0003", placed_at="2026-02-01T10:00:00Z", suspended_until="2026-04-01")
    env = added(env, SLUG, "holds", {**first, "id": "HLD-8999"}, hold())
    kept = ok(env, SLUG, "return_copy", loan_id="LN-9000")["kept_for"]
    assert (kept["member_id"], kept["status"], kept["collect_by"]) == (OTHER, "ready", "2026-03-09")
    assert refused(env, SLUG, "checkout_copy", copy_id=COPY) == "kept_for_another"


def test_a_hold_moves_up_and_is_collected() -> None:
    env = added(world(environment(SLUG)), SLUG, "loans", loan(0, OTHER))
    env = added(env, SLUG, "holds", hold(0, "MEM-0003"))
    mine = ok(env, SLUG, "place_hold", **ASKED)
    assert mine["place_in_queue"] == 2
    assert refused(env, SLUG, "place_hold", **ASKED) == "already_held"
    ready = hold(0, ME, status="ready", copy_id=COPY, collect_by="2026-03-05")
    env = added(world(environment(SLUG)), SLUG, "holds", ready, {**hold(), "id": "HLD-9001"})
    ok(env, SLUG, "cancel_hold", hold_id="HLD-9000")
    assert one(env, SLUG, "holds", id="HLD-9001")["status"] == "ready"
    env = added(world(environment(SLUG)), SLUG, "holds", ready)
    ok(env, SLUG, "checkout_copy", copy_id=COPY)
    assert one(env, SLUG, "holds", id="HLD-9000")["status"] == "collected"


def test_ten_pounds_block_and_a_part_payment_unblocks() -> None:
    env = added(world(environment(SLUG)), SLUG, "fees", fee(11.0))
    assert ok(env, SLUG, "get_my_account")["blocked"]
    assert refused(env, SLUG, "checkout_copy", copy_id=COPY) == "blocked"
    assert ok(env, SLUG, "pay_fee", fee_id="FEE-9000", amount=1.5)["balance"] == 9.5
    ok(env, SLUG, "checkout_copy", copy_id=COPY)


def test_renewals_run_from_today_twice_and_not_when_others_wait() -> None:
    env = added(world(environment(SLUG)), SLUG, "loans", loan())
    renewed = ok(env, SLUG, "renew_loan", loan_id="LN-9000")
    assert (renewed["due_on"], renewed["renewals"]) == ("2026-03-23", 1)
    assert refused(env, SLUG, "renew_loan", loan_id="LN-9000") == "too_early"
    env = added(world(environment(SLUG)), SLUG, "loans", loan())
    env = added(env, SLUG, "holds", hold())
    assert refused(env, SLUG, "renew_loan", loan_id="LN-9000") == "wanted_by_others"


def test_a_lost_copy_costs_its_price_and_leaves_the_shelf() -> None:
    env = added(world(environment(SLUG), price=17.5), SLUG, "loans", loan())
    assert ok(env, SLUG, "report_lost", loan_id="LN-9000")["charged"] == 17.5
    assert ok(env, SLUG, "get_title", title_id=TITLE)["copies"][0]["status"] == "lost"
    assert ok(env, SLUG, "get_my_account")["blocked"]


def test_lists_are_seen_by_those_they_are_shared_with() -> None:
    env = added(world(environment(SLUG)), SLUG, "titles", title(7))
    theirs = {"id": "RL-900", "name": "Secret", "owner_id": OTHER}
    env = added(env, SLUG, "reading_lists", theirs)
    assert all(row["id"] != "RL-900" for row in ok(env, SLUG, "list_reading_lists")["reading_lists"])
    arguments = {"reading_list_id": "RL-900", "title_id": TITLE}
    assert refused(env, SLUG, "add_to_reading_list", **arguments) == "not_yours"
    env = patched(env, SLUG, "reading_lists", "RL-900", shared_with=["noor.haddad@larkfield.example"])
    assert any(row["id"] == "RL-900" for row in ok(env, SLUG, "list_reading_lists")["reading_lists"])


def test_no_copy_is_lent_twice_in_the_seeds() -> None:
    env = environment(SLUG, scale="normal")
    live = [row["copy_id"] for row in rows(env, SLUG, "loans") if not row["returned_on"] and not row["lost"]]
    kept = [row["copy_id"] for row in rows(env, SLUG, "holds") if row["status"] == "ready"]
    assert len(live) == len(set(live))
    assert len(kept) == len(set(kept))
    assert not set(live) & set(kept)
