"""Situations in the general ledger; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import COMPANIES, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

COMPANIES += [("accounting", "contacts")]
SLUG = "accounting"
OPEN_DAY = "2026-03-02"


def account(env: Env, code: str) -> str:
    """Id of the account with this code."""
    return str(one(env, SLUG, "accounts", code=code)["id"])


def draft(env: Env, *lines: tuple[str, str, float]) -> Row:
    """A fresh draft journal with these lines: account code, side, amount."""
    journal: Row = ok(env, SLUG, "create_manual_journal", narration="Fresh", posting_date=OPEN_DAY)
    for code, side, amount in lines:
        ok(
            env,
            SLUG,
            "add_journal_line",
            journal_id=journal["id"],
            account_id=account(env, code),
            side=side,
            amount=amount,
        )
    return journal


def posted(env: Env) -> Row:
    journal = draft(env, ("6200", "debit", 50.0), ("1290", "credit", 50.0))
    found: Row = ok(env, SLUG, "post_journal", journal_id=journal["id"])
    return found


def without_drafts(env: Env, month: str) -> Env:
    for row in rows(env, SLUG, "journals", status="draft"):
        if row["posting_date"][:7] == month:
            env = patched(env, SLUG, "journals", row["id"], status="voided")
    return env


@case(SLUG, "create_account", "blank_text")
def _(env: Env) -> Situation:
    return env, {"code": "7777", "name": "  ", "type": "asset"}


@case(SLUG, "update_account", "blank_text")
def _(env: Env) -> Situation:
    return env, {"account_id": account(env, "6200"), "name": "  "}


@case(SLUG, "update_account", "duplicate_account")
def _(env: Env) -> Situation:
    return env, {"account_id": account(env, "6200"), "name": "rent"}


@case(SLUG, "update_account", "account_in_use")
def _(env: Env) -> Situation:
    return env, {"account_id": account(env, "1000"), "archived": True}


@case(SLUG, "create_manual_journal", "blank_text")
def _(env: Env) -> Situation:
    return env, {"narration": " ", "posting_date": OPEN_DAY}


@case(SLUG, "create_manual_journal", "no_period")
def _(env: Env) -> Situation:
    return env, {"narration": "Early", "posting_date": "2020-01-01"}


@case(SLUG, "create_manual_journal", "period_closed")
def _(env: Env) -> Situation:
    return env, {"narration": "Late", "posting_date": "2025-11-03"}


def _update(env: Env, **more: Any) -> Situation:
    return env, {"journal_id": draft(env)["id"], **more}


@case(SLUG, "update_journal", "blank_text")
def _(env: Env) -> Situation:
    return _update(env, narration="  ")


@case(SLUG, "update_journal", "invalid_date")
def _(env: Env) -> Situation:
    return _update(env, posting_date="2026-02-30")


@case(SLUG, "update_journal", "no_period")
def _(env: Env) -> Situation:
    return _update(env, posting_date="2020-02-03")


@case(SLUG, "update_journal", "period_closed")
def _(env: Env) -> Situation:
    return _update(env, posting_date="2025-11-03")


def _line(env: Env, **more: Any) -> Situation:
    return env, {
        "journal_id": draft(env)["id"],
        "account_id": account(env, "6200"),
        "side": "debit",
        "amount": 5.0,
        **more,
    }


@case(SLUG, "add_journal_line", "system_account")
def _(env: Env) -> Situation:
    return _line(env, account_id=account(env, "1000"))


@case(SLUG, "add_journal_line", "account_archived")
def _(env: Env) -> Situation:
    ok(env, SLUG, "update_account", account_id=account(env, "6950"), archived=True)
    return _line(env, account_id=account(env, "6950"))


@case(SLUG, "post_journal", "too_few_lines")
def _(env: Env) -> Situation:
    return env, {"journal_id": draft(env, ("6200", "debit", 5.0))["id"]}


@case(SLUG, "post_journal", "out_of_balance")
def _(env: Env) -> Situation:
    return env, {"journal_id": draft(env, ("6200", "debit", 5.0), ("1290", "credit", 4.0))["id"]}


@case(SLUG, "post_journal", "period_closed")
def _(env: Env) -> Situation:
    journal = draft(env, ("6200", "debit", 5.0), ("1290", "credit", 5.0))
    period = one(env, SLUG, "periods", id=OPEN_DAY[:7])
    return patched(env, SLUG, "periods", period["id"], status="closed"), {"journal_id": journal["id"]}


def _reverse(env: Env, day: str = OPEN_DAY) -> Situation:
    return env, {"journal_id": posted(env)["id"], "posting_date": day}


@case(SLUG, "reverse_journal", "already_reversed")
def _(env: Env) -> Situation:
    env, arguments = _reverse(env)
    ok(env, SLUG, "reverse_journal", **arguments)
    return env, arguments


@case(SLUG, "reverse_journal", "not_manual")
def _(env: Env) -> Situation:
    return env, {"journal_id": one(env, SLUG, "journals", origin="bank")["id"], "posting_date": OPEN_DAY}


@case(SLUG, "reverse_journal", "not_posted")
def _(env: Env) -> Situation:
    return env, {"journal_id": draft(env)["id"], "posting_date": OPEN_DAY}


@case(SLUG, "reverse_journal", "invalid_date")
def _(env: Env) -> Situation:
    return _reverse(env, "2026-02-30")


@case(SLUG, "reverse_journal", "no_period")
def _(env: Env) -> Situation:
    return _reverse(env, "2031-02-03")


@case(SLUG, "reverse_journal", "period_closed")
def _(env: Env) -> Situation:
    return _reverse(env, "2025-11-03")


@case(SLUG, "reverse_journal", "before_original")
def _(env: Env) -> Situation:
    return _reverse(env, "2026-02-20")


@case(SLUG, "close_period", "not_over")
def _(env: Env) -> Situation:
    return env, {"period_id": "2026-03"}


@case(SLUG, "close_period", "already_closed")
def _(env: Env) -> Situation:
    return env, {"period_id": "2025-12"}


@case(SLUG, "close_period", "earlier_period_open")
def _(env: Env) -> Situation:
    return env, {"period_id": "2026-02"}


@case(SLUG, "close_period", "drafts_left")
def _(env: Env) -> Situation:
    journal = ok(env, SLUG, "create_manual_journal", narration="Left", posting_date="2026-01-20")
    assert journal["status"] == "draft"
    return env, {"period_id": "2026-01"}


@case(SLUG, "reopen_period", "not_closed")
def _(env: Env) -> Situation:
    return env, {"period_id": "2026-03"}


@case(SLUG, "reopen_period", "later_period_closed")
def _(env: Env) -> Situation:
    return env, {"period_id": "2025-11"}


@case(SLUG, "reopen_period", "too_old")
def _(env: Env) -> Situation:
    december = one(env, SLUG, "periods", id="2025-12")
    return patched(env, SLUG, "periods", december["id"], status="open"), {"period_id": "2025-11"}


@case(SLUG, "set_budget", "period_closed")
def _(env: Env) -> Situation:
    return env, {"account_id": account(env, "6200"), "period_id": "2025-11", "amount": 5.0}


@case(SLUG, "set_budget", "no_budget_account")
def _(env: Env) -> Situation:
    return env, {"account_id": account(env, "1000"), "period_id": "2026-04", "amount": 5.0}
