"""The rules of the general ledger, as short stories; sums are computed here and not by the service."""

from __future__ import annotations

import pytest

from services_app.engine import ProductEnvironment
from tests.library.cases_accounting import OPEN_DAY, SLUG, account, draft, posted, without_drafts
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import ok, one, refused


def unbalanced(env: ProductEnvironment) -> list[str]:
    """Numbers of posted journals whose debits and credits differ."""
    found = []
    for journal in env.rows(SLUG, "journals"):
        lines = [row for row in env.rows(SLUG, "journal_lines") if row["journal_id"] == journal["id"]]
        if journal["status"] == "posted" and round(sum(row["debit"] - row["credit"] for row in lines), 2):
            found.append(journal["number"])
    return found


@pytest.mark.parametrize("scale", ["small", "normal"])
def test_every_posted_journal_of_the_seed_balances(scale: str) -> None:
    env = environment(SLUG, scale=scale)
    assert unbalanced(env) == []
    numbers = [row["number"] for row in env.rows(SLUG, "journals")]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("seed", [1, 2])
def test_statements_add_up_after_many_calls(seed: int) -> None:
    env = wander(SLUG, seed)
    assert unbalanced(env) == []
    trial = ok(env, SLUG, "trial_balance", as_of="2026-06-30")
    assert trial["total_debit"] == pytest.approx(trial["total_credit"], abs=0.005)
    sheet = ok(env, SLUG, "balance_sheet", as_of="2026-06-30")
    sides = sheet["total_liability"] + sheet["total_equity"]
    assert sheet["total_asset"] == pytest.approx(sides, abs=0.005)


def test_a_journal_is_posted_only_in_balance_and_moves_the_balance() -> None:
    env = environment(SLUG)
    before = ok(env, SLUG, "get_account", account_id=account(env, "6200"))["balance"]
    journal = draft(env, ("6200", "debit", 120.0), ("1290", "credit", 100.0))
    assert refused(env, SLUG, "post_journal", journal_id=journal["id"]) == "out_of_balance"
    line = {"journal_id": journal["id"], "account_id": account(env, "1290"), "side": "credit", "amount": 20.0}
    assert ok(env, SLUG, "add_journal_line", **line)["difference"] == 0
    shown = ok(env, SLUG, "get_account", account_id=account(env, "6200"))
    assert (shown["balance"], shown["draft_effect"] >= 120.0) == (before, True)
    ok(env, SLUG, "post_journal", journal_id=journal["id"])
    assert ok(env, SLUG, "get_account", account_id=account(env, "6200"))["balance"] == pytest.approx(before + 120)
    assert refused(env, SLUG, "void_journal", journal_id=journal["id"]) == "not_draft"


def test_a_reversal_takes_everything_back() -> None:
    env = environment(SLUG)
    before = ok(env, SLUG, "trial_balance")
    journal = posted(env)
    assert ok(env, SLUG, "trial_balance") != before
    reversal = ok(env, SLUG, "reverse_journal", journal_id=journal["id"], posting_date=OPEN_DAY)
    assert ok(env, SLUG, "trial_balance") == before
    assert ok(env, SLUG, "get_journal", journal_id=journal["id"])["reversed_by"] == reversal["number"]


def test_months_are_closed_in_order_and_then_take_nothing() -> None:
    env = without_drafts(environment(SLUG), "2026-01")
    env = without_drafts(env, "2026-02")
    assert refused(env, SLUG, "close_period", period_id="2026-02") == "earlier_period_open"
    ok(env, SLUG, "close_period", period_id="2026-01")
    ok(env, SLUG, "close_period", period_id="2026-02")
    head = {"narration": "Late", "posting_date": "2026-02-20"}
    assert refused(env, SLUG, "create_manual_journal", **head) == "period_closed"
    assert refused(env, SLUG, "reopen_period", period_id="2026-01") == "later_period_closed"
    ok(env, SLUG, "reopen_period", period_id="2026-02")
    assert one(env, SLUG, "periods", id="2026-02")["closed_on"] is None
    ok(env, SLUG, "create_manual_journal", **head)
