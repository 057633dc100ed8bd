"""The rules of business banking, as short stories; balances are computed here and not by the service."""

from __future__ import annotations

import pytest

from services_app.engine import ProductEnvironment
from services_app.library.cast import ME
from services_app.library.suppliers import iban, valid_iban
from tests.library.cases_banking import SLUG, main_account, order, payee, waiting
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import ok, one, patched, refused


def booked(env: ProductEnvironment, account_id: str) -> float:
    rows = env.rows(SLUG, "transactions")
    return round(sum(row["amount"] for row in rows if row["account_id"] == account_id), 2)


def test_small_payments_leave_at_once_and_large_ones_wait_for_somebody_else() -> None:
    env, _ = payee(environment(SLUG))
    account = main_account(env)["id"]
    before = ok(env, SLUG, "get_account", account_id=account)
    small = ok(env, SLUG, "create_payment", **order(env))
    assert (small["status"], small["account"]["balance"]) == ("completed", round(before["balance"] - 50, 2))
    large = ok(env, SLUG, "create_payment", **order(env, amount=5000.01, reference="INV-2"))
    shown = ok(env, SLUG, "get_account", account_id=account)
    assert large["status"] == "pending_approval"
    assert shown["balance"] == small["account"]["balance"]
    assert shown["available"] == pytest.approx(small["account"]["available"] - 5000.01)
    assert refused(env, SLUG, "approve_payment", payment_id=large["id"]) == "own_payment"
    ok(env, SLUG, "cancel_payment", payment_id=large["id"])
    assert ok(env, SLUG, "get_account", account_id=account)["available"] == small["account"]["available"]
    ok(env, SLUG, "create_payment", **order(env, amount=10.0, reference="INV-2"))


def test_an_approved_payment_is_booked() -> None:
    env, payment = waiting(environment(SLUG))
    before = booked(env, payment["account_id"])
    approved = ok(env, SLUG, "approve_payment", payment_id=payment["id"])
    assert (approved["status"], approved["approved_by"]) == ("completed", ME.email)
    assert booked(env, payment["account_id"]) == pytest.approx(before - 6000)
    assert refused(env, SLUG, "cancel_payment", payment_id=payment["id"]) == "not_waiting"
    assert refused(env, SLUG, "remove_beneficiary", beneficiary_id=payment["beneficiary_id"]) == "beneficiary_in_use"


def test_a_new_account_number_is_limited_for_a_day() -> None:
    env, known = payee(environment(SLUG))
    number = iban("GB", "NEWB", 12_345_678)
    assert valid_iban(number)
    assert not valid_iban(number[:-1] + str((int(number[-1]) + 1) % 10))
    ok(env, SLUG, "update_beneficiary", beneficiary_id=known["id"], iban=number)
    assert refused(env, SLUG, "create_payment", **order(env, amount=1500.0)) == "new_beneficiary_limit"
    ok(env, SLUG, "create_payment", **order(env, amount=1000.0))


def test_the_daily_limit_counts_everything_of_the_day() -> None:
    env, _ = payee(environment(SLUG))
    today = ok(env, SLUG, "get_account", account_id=main_account(env)["id"])
    spent = today["daily_limit"] - today["daily_limit_left"]
    env = patched(env, SLUG, "accounts", today["id"], daily_limit=spent + 100)
    ok(env, SLUG, "create_payment", **order(env, amount=70.0))
    assert refused(env, SLUG, "create_payment", **order(env, amount=40.0, reference="INV-2")) == "daily_limit"
    later = order(env, amount=40.0, reference="INV-2", payment_date="2026-08-02")
    assert ok(env, SLUG, "create_payment", **later)["status"] == "scheduled"


def test_transfers_convert_and_keep_the_value() -> None:
    env = environment(SLUG)
    source, target = main_account(env), one(env, SLUG, "accounts", name="Euro account")
    before = booked(env, source["id"]), booked(env, target["id"])
    arguments = {"from_account_id": source["id"], "to_account_id": target["id"], "amount": 100.0}
    moved = ok(env, SLUG, "transfer_between_accounts", **arguments)
    assert booked(env, source["id"]) == pytest.approx(before[0] - 100)
    assert booked(env, target["id"]) == pytest.approx(before[1] + round(100 * moved["rate"], 2))


@pytest.mark.parametrize("seed", [1, 2])
def test_balances_and_statements_are_those_of_the_transactions(seed: int) -> None:
    env = wander(SLUG, seed)
    for account in ok(env, SLUG, "list_accounts")["accounts"]:
        assert account["balance"] == pytest.approx(booked(env, account["id"]), abs=0.005)
        february = ok(env, SLUG, "get_statement", account_id=account["id"], month="2026-02")
        march = ok(env, SLUG, "get_statement", account_id=account["id"], month="2026-03")
        moved = february["money_in"] - february["money_out"]
        assert february["closing_balance"] == pytest.approx(february["opening_balance"] + moved, abs=0.01)
        assert march["opening_balance"] == pytest.approx(february["closing_balance"], abs=0.005)


@pytest.mark.parametrize("scale", ["small", "normal"])
def test_the_seed_keeps_its_own_rules(scale: str) -> None:
    env = environment(SLUG, scale=scale)
    assert all(valid_iban(row["iban"]) for row in [*env.rows(SLUG, "accounts"), *env.rows(SLUG, "beneficiaries")])
    carried = {row["payment_id"] for row in env.rows(SLUG, "transactions") if row["kind"] == "payment"}
    for payment in env.rows(SLUG, "payments"):
        assert (payment["id"] in carried) == (payment["status"] in ("completed", "returned"))
    for account in ok(env, SLUG, "list_accounts")["accounts"]:
        assert account["available"] >= 0
