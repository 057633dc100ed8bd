"""The rules of real estate, as short stories."""

from __future__ import annotations

import pytest

from tests.library.cases_real_estate import BID, bid, home, no_offers
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

SLUG = "real-estate"


def test_an_offer_needs_a_viewing_and_money_and_a_counteroffer_binds_the_home() -> None:
    env = no_offers(home(environment(SLUG)))
    offer = ok(env, SLUG, "make_offer", **BID)
    assert offer["percent_of_asking"] == 97.5
    assert refused(env, SLUG, "make_offer", **BID) == "open_offer"
    assert refused(env, SLUG, "accept_counteroffer", offer_id=offer["id"]) == "no_counteroffer"
    assert refused(env, SLUG, "revise_offer", offer_id=offer["id"], deposit=1.0) == "deposit_too_small"
    bound = next(row for row in ok(env, SLUG, "list_preapprovals")["preapprovals"] if row["id"] == "PRE-01")
    assert bound["bound_by_open_offers"] == 155_000
    env = bid(environment(SLUG), status="countered", counter_amount=198_000.0)
    done = ok(env, SLUG, "accept_counteroffer", offer_id="OFR-9000", deposit=50_000.0)
    assert (done["status"], done["amount"], done["deposit"]) == ("accepted", 198_000, 50_000)
    assert one(env, SLUG, "listings", id="LST-9000")["status"] == "under_offer"
    assert refused(env, SLUG, "withdraw_offer", offer_id="OFR-9000") == "offer_closed"


def test_viewings_do_not_meet_and_need_notice() -> None:
    env = home(home(environment(SLUG)), 1)
    first = ok(env, SLUG, "book_viewing", slot_id="SLOT-9001", questions="Is it dry?")
    assert refused(env, SLUG, "book_viewing", slot_id="SLOT-9001") == "slot_taken"
    assert refused(env, SLUG, "book_viewing", slot_id="SLOT-9002") == "already_booked"
    assert refused(env, SLUG, "book_viewing", slot_id="SLOT-9011") == "viewing_overlaps"
    ok(env, SLUG, "reschedule_viewing", viewing_id=first["id"], slot_id="SLOT-9002")
    ok(env, SLUG, "book_viewing", slot_id="SLOT-9011")
    assert refused(env, SLUG, "add_viewing_feedback", viewing_id=first["id"], feedback="Nice") == "not_yet"
    ok(env, SLUG, "cancel_viewing", viewing_id=first["id"])
    free = ok(env, SLUG, "list_viewing_slots", listing_id="LST-9000")["slots"]
    assert [row["id"] for row in free] == ["SLOT-9001", "SLOT-9002"]


def test_some_documents_are_shown_only_after_a_viewing() -> None:
    env = environment(SLUG)
    seen = {row["listing_id"] for row in rows(env, SLUG, "viewings", status="done")}
    surveys = rows(env, SLUG, "documents", access="after_viewing")
    shut = next(row for row in surveys if row["listing_id"] not in seen)
    assert refused(env, SLUG, "read_document", document_id=shut["id"]) == "viewing_required"
    other = patched(env, SLUG, "viewings", rows(env, SLUG, "viewings", status="done")[0]["id"],
                    listing_id=shut["listing_id"])  # fmt: skip
    assert ok(other, SLUG, "read_document", document_id=shut["id"])["body"] == shut["body"]


def test_figures_follow_from_the_records() -> None:
    env = home(environment(SLUG, scale="normal"), area_m2=80, service_charge=100.0)
    cost = ok(env, SLUG, "calculate_mortgage", listing_id="LST-9000", preapproval_id="PRE-01", deposit=50_000.0)
    approval = one(env, SLUG, "preapprovals", id="PRE-01")
    rate, months = approval["yearly_rate"] / 1200, approval["years"] * 12
    left = 150_000.0
    for _ in range(months):
        left = left * (1 + rate) - cost["monthly_payment"]
    assert abs(left) < 5
    assert cost["monthly_total"] == pytest.approx(cost["monthly_payment"] + 100)
    report = ok(env, SLUG, "get_market_report")
    sold = rows(env, SLUG, "listings", status="sold", tenure="sale")
    assert report["total_sold"] == len(sold) == sum(line["sold"] for line in report["cities"])
    found = ok(env, SLUG, "search_listings", city="London", tenure="sale", max_price=900_000.0, order_by="price")
    prices = [row["price"] for row in found["listings"]]
    assert prices == sorted(prices)
    assert max(prices) <= 900_000
