"""Situations in business banking; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.driver import SPECIAL
from tests.library.world import Row, added, ok, one, patched

SLUG = "banking"
GOOD_IBAN = "GB82WEST12345698765432"

SPECIAL[SLUG, "get_statement"] = lambda driver, values: {"month": driver.rng.choice(("2026-01", "2026-02"))}
SPECIAL[SLUG, "add_beneficiary"] = lambda driver, values: {"iban": GOOD_IBAN}


def main_account(env: Env) -> Row:
    return one(env, SLUG, "accounts", name="Main account")


def payee(env: Env, **changes: Any) -> tuple[Env, Row]:
    """A beneficiary paid in GBP, known for long, never paid so far."""
    record: Row = {
        "id": "BEN-9000",
        "name": "Ferrous Tools",
        "iban": GOOD_IBAN,
        "currency": "GBP",
        "email": "pay@ferrous.example",
        "address": "",
        "payment_note": "",
        "blocked": False,
        "verified_from": "2026-01-01T10:00:00Z",
        **changes,
    }
    return added(env, SLUG, "beneficiaries", record), record


def order(env: Env, **more: Any) -> dict[str, Any]:
    """Arguments of a small payment to the fresh beneficiary."""
    arguments = {"account_id": main_account(env)["id"], "beneficiary_id": "BEN-9000", "amount": 50.0}
    return {**arguments, "reference": "INV-1", **more}


def waiting(env: Env, **changes: Any) -> tuple[Env, Row]:
    """A payment that waits for a second user and was asked for by somebody else."""
    env, _ = payee(env)
    payment: Row = {
        "id": "PMT-9000",
        "account_id": main_account(env)["id"],
        "beneficiary_id": "BEN-9000",
        "amount": 6000.0,
        "reference": "INV-9000",
        "status": "pending_approval",
        "payment_date": "2026-03-02",
        "requested_by": "somebody@larkfield.example",
        "approved_by": "",
        "created_at": "2026-03-01T10:00:00Z",
        **changes,
    }
    return added(env, SLUG, "payments", payment), payment


@case(SLUG, "transfer_between_accounts", "same_account")
def _(env: Env) -> Situation:
    account = main_account(env)["id"]
    return env, {"from_account_id": account, "to_account_id": account, "amount": 5.0}


@case(SLUG, "add_beneficiary", "duplicate_beneficiary")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    spaced = "gb82 west 1234 5698 7654 32"
    return env, {"name": "Other", "iban": spaced, "currency": "GBP", "email": "other@ferrous.example"}


@case(SLUG, "add_beneficiary", "invalid_iban")
def _(env: Env) -> Situation:
    wrong = "GB83WEST12345698765432"
    return env, {"name": "Other", "iban": wrong, "currency": "GBP", "email": "other@ferrous.example"}


@case(SLUG, "add_beneficiary", "blank_text")
def _(env: Env) -> Situation:
    return env, {"name": "  ", "iban": GOOD_IBAN, "currency": "GBP", "email": "other@ferrous.example"}


@case(SLUG, "update_beneficiary", "duplicate_beneficiary")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, {"beneficiary_id": one(env, SLUG, "beneficiaries")["id"], "iban": GOOD_IBAN}


@case(SLUG, "create_payment", "savings_account")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, order(env, account_id=one(env, SLUG, "accounts", kind="savings")["id"])


@case(SLUG, "create_payment", "beneficiary_blocked")
def _(env: Env) -> Situation:
    env, _ = payee(env, blocked=True)
    return env, order(env)


@case(SLUG, "create_payment", "currency_mismatch")
def _(env: Env) -> Situation:
    env, _ = payee(env, currency="USD")
    return env, order(env)


@case(SLUG, "create_payment", "new_beneficiary_limit")
def _(env: Env) -> Situation:
    env, _ = payee(env, verified_from="2026-03-03T08:00:00Z")
    return env, order(env, amount=1000.01)


@case(SLUG, "create_payment", "daily_limit")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    env = patched(env, SLUG, "accounts", main_account(env)["id"], daily_limit=10.0)
    return env, order(env)


@case(SLUG, "create_payment", "insufficient_funds")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    env = patched(env, SLUG, "accounts", main_account(env)["id"], daily_limit=9_000_000.0)
    return env, order(env, amount=5_000_000.0)


@case(SLUG, "create_payment", "invalid_date")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, order(env, payment_date="2026-02-30")


@case(SLUG, "create_payment", "invalid_day")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, order(env, payment_date="2026-02-20")


@case(SLUG, "create_payment", "duplicate_payment")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    ok(env, SLUG, "create_payment", **order(env))
    return env, order(env, reference="inv-1 ")


@case(SLUG, "create_payment", "blank_text")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, order(env, reference="  ")


@case(SLUG, "approve_payment", "own_payment")
def _(env: Env) -> Situation:
    env, payment = waiting(env, requested_by=ME.email)
    return env, {"payment_id": payment["id"]}


@case(SLUG, "approve_payment", "over_approval_limit")
def _(env: Env) -> Situation:
    env, payment = waiting(env, amount=10_000.01)
    return env, {"payment_id": payment["id"]}


@case(SLUG, "approve_payment", "beneficiary_blocked")
def _(env: Env) -> Situation:
    env, payment = waiting(env)
    env = patched(env, SLUG, "beneficiaries", payment["beneficiary_id"], blocked=True)
    return env, {"payment_id": payment["id"]}


def standing(env: Env, **more: Any) -> dict[str, Any]:
    return order(env, start_date="2026-04-01", **more)


@case(SLUG, "create_standing_order", "savings_account")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, standing(env, account_id=one(env, SLUG, "accounts", kind="savings")["id"])


@case(SLUG, "create_standing_order", "beneficiary_blocked")
def _(env: Env) -> Situation:
    env, _ = payee(env, blocked=True)
    return env, standing(env)


@case(SLUG, "create_standing_order", "currency_mismatch")
def _(env: Env) -> Situation:
    env, _ = payee(env, currency="USD")
    return env, standing(env)


@case(SLUG, "create_standing_order", "over_threshold")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, standing(env, amount=5000.01)


@case(SLUG, "create_standing_order", "invalid_date")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, {**standing(env), "start_date": "2026-02-30"}


@case(SLUG, "create_standing_order", "not_future")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, {**standing(env), "start_date": "2026-03-02"}


@case(SLUG, "create_standing_order", "duplicate_order")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    ok(env, SLUG, "create_standing_order", **standing(env))
    return env, standing(env)


@case(SLUG, "create_standing_order", "blank_text")
def _(env: Env) -> Situation:
    env, _ = payee(env)
    return env, standing(env, reference="  ")


@case(SLUG, "cancel_direct_debit", "collection_today")
def _(env: Env) -> Situation:
    mandate = one(env, SLUG, "direct_debits", status="active")
    env = patched(env, SLUG, "direct_debits", mandate["id"], next_on="2026-03-02")
    return env, {"direct_debit_id": mandate["id"]}


def _cancelled(env: Env) -> tuple[Env, str]:
    card = one(env, SLUG, "cards")["id"]
    return patched(env, SLUG, "cards", card, status="cancelled"), card


@case(SLUG, "freeze_card", "card_cancelled")
def _(env: Env) -> Situation:
    env, card = _cancelled(env)
    return env, {"card_id": card}


@case(SLUG, "unfreeze_card", "card_cancelled")
def _(env: Env) -> Situation:
    env, card = _cancelled(env)
    return env, {"card_id": card}


@case(SLUG, "set_card_limit", "card_cancelled")
def _(env: Env) -> Situation:
    env, card = _cancelled(env)
    return env, {"card_id": card, "monthly_limit": 500.0}


@case(SLUG, "set_card_limit", "below_spent")
def _(env: Env) -> Situation:
    row = one(env, SLUG, "transactions", kind="card")
    env = patched(env, SLUG, "transactions", row["id"], booked_on="2026-03-01")
    env = patched(env, SLUG, "cards", row["card_id"], status="active")
    return env, {"card_id": row["card_id"], "monthly_limit": 0.0}
