"""Sums over posted lines, and the checks that journals and periods stand on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from services_app.engine import CallContext, ToolError, conflict, forbidden
from services_app.library.accounting.state import Account, AccountingState, Journal, JournalLine, Period
from services_app.library.shared import Json, brief, next_number, total, with_fields

DEBIT_TYPES = ("asset", "expense")
BALANCE_TYPES = ("asset", "liability", "equity")


class Entry(NamedTuple):
    """A posted line with its journal."""

    journal: Journal
    line: JournalLine


def posted(state: AccountingState, first: str | None = None, last: str | None = None) -> Iterator[Entry]:
    """Every posted line between two days, both included; None leaves an end open."""
    heads = {
        row.id: row
        for row in state.journals.find(status="posted")
        if (first is None or row.posting_date >= first) and (last is None or row.posting_date <= last)
    }
    for line in state.journal_lines:
        journal = heads.get(line.journal_id)
        if journal is not None:
            yield Entry(journal, line)


def net(account: Account, lines: Iterable[JournalLine]) -> float:
    """The balance in the account's own direction: debits count for assets and expenses, credits for the others."""
    sign = 1 if account.type in DEBIT_TYPES else -1
    return total(sign * (line.debit - line.credit) for line in lines)


def lines_by_account(entries: Iterable[Entry]) -> dict[str, list[JournalLine]]:
    found: dict[str, list[JournalLine]] = {}
    for entry in entries:
        found.setdefault(entry.line.account_id, []).append(entry.line)
    return found


def balances(state: AccountingState, first: str | None = None, last: str | None = None) -> dict[str, float]:
    """Account id -> balance over the posted lines of those days; accounts without lines are left out."""
    sums = lines_by_account(posted(state, first, last))
    return {key: net(state.accounts.get(key), lines) for key, lines in sums.items()}


def open_account(state: AccountingState, account_id: str) -> Account:
    """An account that takes manual lines; 409 `account_archived`, 403 `system_account`."""
    account = state.accounts.get(account_id)
    if account.archived:
        raise conflict(f"Account {account.code} is archived; restore it or use another.", type="account_archived")
    if account.system:
        raise forbidden(
            f"Account {account.code} {account.name} is fed by its own ledger and takes no manual lines.",
            type="system_account",
        )
    return account


def period_of(state: AccountingState, day: str) -> Period:
    """The period that holds a day; 404 `no_period`."""
    for row in state.periods:
        if row.starts_on <= day <= row.ends_on:
            return row
    raise ToolError(404, "no_period", f"There is no accounting period for {day}; see list_periods.")


def check_open(state: AccountingState, day: str) -> None:
    """409 `period_closed` when the books of that day are closed."""
    period = period_of(state, day)
    if period.status == "closed":
        raise conflict(f"Period {period.id} is closed; use a date in an open period.", type="period_closed")


def draft_journal(state: AccountingState, journal_id: str) -> Journal:
    """A journal that can still be changed; 409 `not_draft`."""
    journal = state.journals.get(journal_id)
    if journal.status != "draft":
        raise conflict(f"Journal {journal.number} is {journal.status}; only drafts change.", type="not_draft")
    return journal


def journal_json(state: AccountingState, journal: Journal) -> Json:
    """A journal with its lines, sums and what is missing to balance it."""
    lines = state.journal_lines.find(journal_id=journal.id)
    debit, credit = total(row.debit for row in lines), total(row.credit for row in lines)
    contact = state.contacts.get(journal.contact_id).name if journal.contact_id else None
    options = {row.id: row.name for row in state.cost_centers}
    return with_fields(
        journal,
        contact_name=contact,
        period=period_of(state, journal.posting_date).id,
        total_debit=debit,
        total_credit=credit,
        difference=total((debit, -credit)),
        lines=[
            {
                **brief(row, "id", "description", "debit", "credit"),
                "account_code": state.accounts.get(row.account_id).code,
                "account_name": state.accounts.get(row.account_id).name,
                "cost_center": options.get(row.cost_center_id or ""),
            }
            for row in lines
        ],
    )


def new_number(state: AccountingState, ctx: CallContext) -> str:
    """The next journal number of this year: J-2026-0043."""
    return next_number((row.number for row in state.journals), f"J-{ctx.today[:4]}-")
