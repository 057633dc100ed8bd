"""Situations in real estate; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import Row, added, ok, one, patched, rows

SLUG = "real-estate"
BID: dict[str, Any] = {"listing_id": "LST-9000", "amount": 195_000.0, "deposit": 40_000.0, "preapproval_id": "PRE-01"}


def home(env: Env, number: int = 0, **fields: Any) -> Env:
    """A flat for 200,000 pounds that you have viewed: LST-9000, with slots three and four days from now."""
    base: Row = {**one(env, SLUG, "listings", city="London"), "id": f"LST-900{number}", "reference": f"LO900{number}"}
    base |= {"kind": "flat", "tenure": "sale", "status": "active", "price": 200_000.0, "currency": "GBP", **fields}
    base |= {"sold_on": None, "sold_price": None}
    env = added(env, SLUG, "listings", base)
    slot = {"listing_id": base["id"], "minutes": 30, "taken_by_others": False}
    env = added(
        env,
        SLUG,
        "slots",
        {**slot, "id": f"SLOT-90{number}0", "start": "2026-02-20T10:00:00Z"},
        {**slot, "id": f"SLOT-90{number}1", "start": "2026-04-05T10:00:00Z"},
        {**slot, "id": f"SLOT-90{number}2", "start": "2026-04-06T10:00:00Z"},
    )
    viewing = {**rows(env, SLUG, "viewings")[0], "id": f"VIEW-900{number}", "slot_id": f"SLOT-90{number}0"}
    return added(env, SLUG, "viewings", {**viewing, "listing_id": base["id"], "status": "done"})


def no_offers(env: Env) -> Env:
    for row in rows(env, SLUG, "offers"):
        if row["status"] in ("submitted", "countered"):
            ok(env, SLUG, "withdraw_offer", offer_id=row["id"])
    return env


def bid(env: Env, **fields: Any) -> Env:
    """Your open offer OFR-9000 for that flat."""
    base = {**rows(env, SLUG, "offers")[0], "id": "OFR-9000", **BID, "conditions": "", "reply": ""}
    base |= {"status": "submitted", "counter_amount": None, "valid_until": "2026-03-09", **fields}
    env = home(env)
    for row in rows(env, SLUG, "offers"):
        env = patched(env, SLUG, "offers", row["id"], status="rejected")
    return added(env, SLUG, "offers", base)


@case(SLUG, "make_offer", "not_enough_funds")
def _(env: Env) -> Situation:
    env = patched(no_offers(home(env)), SLUG, "preapprovals", "PRE-01", max_loan=100_000.0)
    return env, BID


@case(SLUG, "make_offer", "other_currency")
def _(env: Env) -> Situation:
    return no_offers(home(env)), {**BID, "preapproval_id": "PRE-03"}


@case(SLUG, "make_offer", "approval_over")
def _(env: Env) -> Situation:
    return no_offers(home(env)), {**BID, "preapproval_id": "PRE-02"}


@case(SLUG, "make_offer", "deposit_too_small")
def _(env: Env) -> Situation:
    return no_offers(home(env)), {**BID, "deposit": 1000.0}


@case(SLUG, "make_offer", "offer_too_low")
def _(env: Env) -> Situation:
    return no_offers(home(env)), {**BID, "amount": 100_000.0}


@case(SLUG, "make_offer", "open_offer")
def _(env: Env) -> Situation:
    return bid(env), BID


@case(SLUG, "make_offer", "too_many_offers")
def _(env: Env) -> Situation:
    env = home(home(no_offers(home(env)), 1), 2)
    for number in (1, 2):
        ok(env, SLUG, "make_offer", **{**BID, "listing_id": f"LST-900{number}"})
    return env, BID


@case(SLUG, "make_offer", "not_for_sale")
def _(env: Env) -> Situation:
    return home(env, tenure="rent"), BID


@case(SLUG, "make_offer", "viewing_required")
def _(env: Env) -> Situation:
    return patched(no_offers(home(env)), SLUG, "viewings", "VIEW-9000", status="cancelled"), BID


@case(SLUG, "revise_offer", "nothing_to_change")
def _(env: Env) -> Situation:
    return bid(env), {"offer_id": "OFR-9000"}


@case(SLUG, "revise_offer", "approval_over")
def _(env: Env) -> Situation:
    return bid(env, preapproval_id="PRE-02"), {"offer_id": "OFR-9000", "amount": 196_000.0}


@case(SLUG, "revise_offer", "other_currency")
def _(env: Env) -> Situation:
    return bid(env, preapproval_id="PRE-03"), {"offer_id": "OFR-9000", "amount": 196_000.0}


@case(SLUG, "revise_offer", "deposit_too_small")
def _(env: Env) -> Situation:
    return bid(env), {"offer_id": "OFR-9000", "deposit": 10.0}


@case(SLUG, "revise_offer", "not_enough_funds")
def _(env: Env) -> Situation:
    env = patched(bid(env), SLUG, "preapprovals", "PRE-01", max_loan=100_000.0)
    return env, {"offer_id": "OFR-9000", "amount": 196_000.0}


@case(SLUG, "revise_offer", "offer_too_low")
def _(env: Env) -> Situation:
    return bid(env), {"offer_id": "OFR-9000", "amount": 100_000.0}


@case(SLUG, "revise_offer", "not_available")
def _(env: Env) -> Situation:
    env = patched(bid(env), SLUG, "listings", "LST-9000", status="withdrawn")
    return env, {"offer_id": "OFR-9000", "amount": 196_000.0}


def _countered(env: Env, **fields: Any) -> Env:
    return bid(env, **{"status": "countered", "counter_amount": 198_000.0, **fields})


@case(SLUG, "accept_counteroffer", "no_counteroffer")
def _(env: Env) -> Situation:
    return bid(env), {"offer_id": "OFR-9000"}


@case(SLUG, "accept_counteroffer", "approval_over")
def _(env: Env) -> Situation:
    return _countered(env, preapproval_id="PRE-02"), {"offer_id": "OFR-9000"}


@case(SLUG, "accept_counteroffer", "other_currency")
def _(env: Env) -> Situation:
    return _countered(env, preapproval_id="PRE-03"), {"offer_id": "OFR-9000"}


@case(SLUG, "accept_counteroffer", "deposit_too_small")
def _(env: Env) -> Situation:
    return _countered(env), {"offer_id": "OFR-9000", "deposit": 10.0}


@case(SLUG, "accept_counteroffer", "not_enough_funds")
def _(env: Env) -> Situation:
    env = patched(_countered(env), SLUG, "preapprovals", "PRE-01", max_loan=100_000.0)
    return env, {"offer_id": "OFR-9000"}


@case(SLUG, "accept_counteroffer", "offer_expired")
def _(env: Env) -> Situation:
    return _countered(env, valid_until="2026-02-20"), {"offer_id": "OFR-9000"}


@case(SLUG, "accept_counteroffer", "not_available")
def _(env: Env) -> Situation:
    return patched(_countered(env), SLUG, "listings", "LST-9000", status="sold"), {"offer_id": "OFR-9000"}


@case(SLUG, "accept_counteroffer", "other_offer_open")
def _(env: Env) -> Situation:
    env = home(_countered(env), 1)
    ok(env, SLUG, "make_offer", **{**BID, "listing_id": "LST-9001"})
    return env, {"offer_id": "OFR-9000"}


@case(SLUG, "create_saved_search", "too_many_searches")
def _(env: Env) -> Situation:
    for number in range(10 - len(rows(env, SLUG, "saved_searches"))):
        ok(env, SLUG, "create_saved_search", name=f"Search {number}", tenure="sale", city="Lyon")
    return env, {"name": "One more", "tenure": "sale", "city": "Lyon"}


@case(SLUG, "reschedule_viewing", "short_notice")
def _(env: Env) -> Situation:
    env = home(env)
    made = ok(env, SLUG, "book_viewing", slot_id="SLOT-9001")
    soon = patched(env, SLUG, "slots", "SLOT-9002", start="2026-03-02T10:00:00Z")
    viewing = {**one(env, SLUG, "viewings", id=made["id"]), "id": "VIEW-9100"}
    return added(soon, SLUG, "viewings", viewing), {"viewing_id": "VIEW-9100", "slot_id": "SLOT-9002"}


@case(SLUG, "reschedule_viewing", "viewing_overlaps")
def _(env: Env) -> Situation:
    env = home(home(env), 1)
    ok(env, SLUG, "book_viewing", slot_id="SLOT-9012")
    made = ok(env, SLUG, "book_viewing", slot_id="SLOT-9001")
    return env, {"viewing_id": made["id"], "slot_id": "SLOT-9002"}


@case(SLUG, "book_viewing", "too_many_viewings")
def _(env: Env) -> Situation:
    env = home(env)
    viewing = {**one(env, SLUG, "viewings", id="VIEW-9000"), "status": "confirmed", "listing_id": "LST-0001"}
    more = [{**viewing, "id": f"VIEW-92{number:02d}"} for number in range(6)]
    return added(env, SLUG, "viewings", *more), {"slot_id": "SLOT-9001"}


@case(SLUG, "compare_listings", "same_twice")
def _(env: Env) -> Situation:
    reference = rows(env, SLUG, "listings")[0]["reference"]
    return env, {"references": [reference, reference]}
