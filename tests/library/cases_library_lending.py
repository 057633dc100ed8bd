"""Situations in library lending; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.engine import Edit
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, patched, rows

SLUG = "library-lending"
PEOPLE += [(SLUG, "members")]
ME, OTHER = "MEM-0001", "MEM-0002"
TITLE, COPY, BRANCH = "TTL-9000", "CPY-9000", "BR-01"


def title(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"TTL-{9000 + number}",
        "title": f"Example {number}",
        "author": "Agnes Example",
        "year": 2020,
        "format": "book",
        "subject": "novels",
        "isbn": f"978-{number}",
        "summary": "For tests.",
        "price": 12.0,
    }
    return {**base, **more}


def copy(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"CPY-{9000 + number}",
        "barcode": f"B{900_000 + number}",
        "title_id": f"TTL-{9000 + number}",
        "branch_id": BRANCH,
        "shelf": "NOV-01",
        "reference_only": False,
    }
    return {**base, **more}


def loan(number: int = 0, member: str = ME, **more: Any) -> dict[str, Any]:
    base = {"id": f"LN-{9000 + number}", "copy_id": f"CPY-{9000 + number}", "member_id": member}
    return {**base, "borrowed_on": "2026-02-14", "due_on": "2026-03-07", **more}


def hold(number: int = 0, member: str = OTHER, **more: Any) -> dict[str, Any]:
    base = {"id": f"HLD-{9000 + number}", "title_id": f"TTL-{9000 + number}", "member_id": member}
    return {**base, "pickup_branch_id": BRANCH, "status": "waiting", "placed_at": "2026-02-20T10:00:00Z", **more}


def fee(amount: float) -> dict[str, Any]:
    base = {"id": "FEE-9000", "member_id": ME, "loan_id": None, "kind": "lost item"}
    return {**base, "amount": amount, "charged_on": "2026-02-20"}


def world(env: Env, count: int = 1, **more: Any) -> Env:
    """A reader without loans, holds or fees, and titles with one copy each on the shelf."""
    tables = ("payments", "fees", "loans", "holds", "reviews", "registrations")
    env = env.edited([Edit(SLUG, table, row["id"]) for table in tables for row in rows(env, SLUG, table)])
    env = patched(env, SLUG, "members", ME, card_expires_on="2026-03-27")
    env = added(env, SLUG, "titles", *(title(number, **more) for number in range(count)))
    return added(env, SLUG, "copies", *(copy(number) for number in range(count)))


ASKED = {"title_id": TITLE, "pickup_branch_id": BRANCH}
BLOCKED: dict[str, dict[str, Any]] = {
    "checkout_copy": {"copy_id": COPY},
    "place_hold": ASKED,
    "renew_loan": {"loan_id": "LN-9001"},
    "renew_card": {},
}
for _tool, _arguments in BLOCKED.items():

    @case(SLUG, _tool, "blocked")
    def _(env: Env, arguments: dict[str, Any] = _arguments) -> Situation:
        env = added(world(env, 2), SLUG, "loans", loan(1))
        return added(env, SLUG, "fees", fee(10.0)), arguments

    if _tool != "renew_card":

        @case(SLUG, _tool, "card_expired")
        def _(env: Env, arguments: dict[str, Any] = _arguments) -> Situation:
            env = added(world(env, 2), SLUG, "loans", loan(1))
            return patched(env, SLUG, "members", ME, card_expires_on="2026-03-01"), arguments


@case(SLUG, "renew_card", "too_early")
def _(env: Env) -> Situation:
    return patched(world(env), SLUG, "members", ME, card_expires_on="2026-09-01"), {}


@case(SLUG, "checkout_copy", "too_many_dvds")
def _(env: Env) -> Situation:
    env = world(env, 4, format="dvd")
    return added(env, SLUG, "loans", *(loan(number) for number in (1, 2, 3))), {"copy_id": COPY}


@case(SLUG, "checkout_copy", "too_many_loans")
def _(env: Env) -> Situation:
    env = world(env, 16)
    return added(env, SLUG, "loans", *(loan(number) for number in range(1, 16))), {"copy_id": COPY}


@case(SLUG, "checkout_copy", "kept_for_another")
def _(env: Env) -> Situation:
    return added(world(env), SLUG, "holds", hold(status="ready", copy_id=COPY)), {"copy_id": COPY}


@case(SLUG, "place_hold", "too_many_holds")
def _(env: Env) -> Situation:
    env = world(env, 11)
    return added(env, SLUG, "holds", *(hold(number, ME) for number in range(1, 11))), ASKED


@case(SLUG, "place_hold", "not_for_loan")
def _(env: Env) -> Situation:
    return patched(world(env), SLUG, "copies", COPY, reference_only=True), ASKED


@case(SLUG, "place_hold", "already_on_loan")
def _(env: Env) -> Situation:
    return added(world(env), SLUG, "loans", loan()), ASKED


@case(SLUG, "renew_loan", "renewal_limit")
def _(env: Env) -> Situation:
    return added(world(env), SLUG, "loans", loan(renewals=2)), {"loan_id": "LN-9000"}


@case(SLUG, "renew_loan", "wanted_by_others")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "loans", loan())
    return added(env, SLUG, "holds", hold()), {"loan_id": "LN-9000"}


@case(SLUG, "renew_loan", "overdue")
def _(env: Env) -> Situation:
    return added(world(env), SLUG, "loans", loan(due_on="2026-03-01")), {"loan_id": "LN-9000"}


@case(SLUG, "renew_loan", "too_early")
def _(env: Env) -> Situation:
    return added(world(env), SLUG, "loans", loan(due_on="2026-03-20")), {"loan_id": "LN-9000"}


@case(SLUG, "change_hold", "invalid_date")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "holds", hold(0, ME))
    return env, {"hold_id": "HLD-9000", "suspended_until": "2026-06-31"}


@case(SLUG, "change_hold", "in_the_past")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "holds", hold(0, ME))
    return env, {"hold_id": "HLD-9000", "suspended_until": "2026-03-02"}


@case(SLUG, "change_hold", "too_long")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "holds", hold(0, ME))
    return env, {"hold_id": "HLD-9000", "suspended_until": "2027-06-30"}


@case(SLUG, "change_hold", "already_ready")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "holds", hold(0, ME, status="ready", copy_id=COPY))
    return env, {"hold_id": "HLD-9000", "suspended_until": "2026-06-30"}


@case(SLUG, "pay_fee", "too_much")
def _(env: Env) -> Situation:
    return added(world(env), SLUG, "fees", fee(5.0)), {"fee_id": "FEE-9000", "amount": 5.01}


@case(SLUG, "pay_fee", "already_paid")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "fees", fee(5.0))
    ok(env, SLUG, "pay_fee", fee_id="FEE-9000", amount=5)
    return env, {"fee_id": "FEE-9000", "amount": 1}


@case(SLUG, "add_to_reading_list", "list_full")
def _(env: Env) -> Situation:
    env = world(env, 51)
    made = ok(env, SLUG, "create_reading_list", name="Everything")
    for number in range(1, 51):
        arguments = {"reading_list_id": made["id"], "title_id": f"TTL-{9000 + number}"}
        ok(env, SLUG, "add_to_reading_list", **arguments)
    return env, {"reading_list_id": made["id"], "title_id": TITLE}


@case(SLUG, "create_reading_list", "name_taken")
def _(env: Env) -> Situation:
    ok(env, SLUG, "create_reading_list", name="Everything")
    return env, {"name": "everything"}


@case(SLUG, "add_reader_to_list", "yourself")
def _(env: Env) -> Situation:
    made = ok(env, SLUG, "create_reading_list", name="Everything")
    return env, {"reading_list_id": made["id"], "email": "noor.haddad@larkfield.example"}


def event(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"EV-9{number:02d}",
        "title": f"Talk {number}",
        "branch_id": BRANCH,
        "speaker": "Agnes Example",
        "starts_at": "2026-06-02T18:00:00Z",
        "minutes": 60,
        "places": 1,
        "description": "For tests.",
    }
    return {**base, **more}


@case(SLUG, "register_for_event", "event_full")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "events", event())
    taken = {"id": "REG-9000", "event_id": "EV-900", "member_id": OTHER, "registered_at": "2026-02-20T10:00:00Z"}
    return added(env, SLUG, "registrations", taken), {"event_id": "EV-900"}


@case(SLUG, "register_for_event", "event_clash")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "events", event(), event(1, starts_at="2026-06-02T18:30:00Z"))
    ok(env, SLUG, "register_for_event", event_id="EV-900")
    return env, {"event_id": "EV-901"}


@case(SLUG, "cancel_event_registration", "event_over")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "events", event(starts_at="2026-02-02T18:00:00Z"))
    place = {"id": "REG-9000", "event_id": "EV-900", "member_id": ME, "registered_at": "2026-01-20T10:00:00Z"}
    return added(env, SLUG, "registrations", place), {"event_id": "EV-900"}


WISH = {"title": "Cold Comfort", "author": "Agnes Example", "reason": "Good."}


@case(SLUG, "request_purchase", "already_requested")
def _(env: Env) -> Situation:
    asked = {"id": "PRQ-900", "member_id": OTHER, "status": "ordered", "requested_on": "2026-01-02", **WISH}
    return added(env, SLUG, "purchase_requests", asked), WISH


@case(SLUG, "request_purchase", "in_catalogue")
def _(env: Env) -> Situation:
    return world(env), {**WISH, "title": "example 0"}


@case(SLUG, "request_purchase", "too_many_requests")
def _(env: Env) -> Situation:
    for number in range(3):
        env.call(SLUG, "request_purchase", {**WISH, "title": f"Wish {number}"})
    return env, WISH


@case(SLUG, "request_purchase", "blank_text")
def _(env: Env) -> Situation:
    mine = [Edit(SLUG, "purchase_requests", row["id"]) for row in rows(env, SLUG, "purchase_requests")]
    return env.edited(mine), {**WISH, "title": "   "}


@case(SLUG, "write_review", "same_review")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "loans", loan())
    ok(env, SLUG, "write_review", title_id=TITLE, stars=4, text="Good.")
    return env, {"title_id": TITLE, "stars": 4, "text": "Good."}
