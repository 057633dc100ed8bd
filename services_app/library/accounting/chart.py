"""Tools for the chart of accounts, cost centers and contacts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.accounting.ledger import balances, lines_by_account, net, posted
from services_app.library.accounting.state import Account, AccountingState, AccountType, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_range,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

AccountId = Annotated[str, f.ref("accounts")]
AccountCode = Annotated[str, f.Semantic("code", system=True), Field(pattern=r"^\d{3,5}$")]
TaxRate = Annotated[float, f.Semantic("percent"), Field(ge=0, le=30)]


@service.tool()
def search_accounts(
    state: AccountingState,
    ctx: CallContext,
    query: Query | None = None,
    type: AccountType | None = None,
    archived: bool = False,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Json:
    """Find ledger accounts by code or name, with their balance as of today.

    Args:
        query: Words in the code or name.
        type: Only accounts of this type.
        archived: true shows archived accounts instead of those in use.
        limit: At most so many accounts.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.accounts, query, lambda row: (row.code, row.name)), type=type, archived=archived)
    found.sort(key=lambda row: (row.code, row.id))
    page, sums = cursor_page("accounts", found, limit, cursor), balances(state, last=ctx.today)
    page["accounts"] = [with_fields(row, balance=sums.get(row.id, 0.0)) for row in page["accounts"]]
    return page


@service.tool()
def get_account(state: AccountingState, ctx: CallContext, account_id: AccountId) -> Json:
    """Show an account with its balance as of today, its turnover this year, and what drafts would add.

    Errors: `not_found`.

    Args:
        account_id: Id of the account.
    """
    account = state.accounts.get(account_id)
    everything = lines_by_account(posted(state, last=ctx.today)).get(account.id, [])
    year = lines_by_account(posted(state, f"{ctx.today[:4]}-01-01", ctx.today)).get(account.id, [])
    drafts = {row.id for row in state.journals.find(status="draft")}
    waiting = [row for row in state.journal_lines.find(account_id=account.id) if row.journal_id in drafts]
    return with_fields(
        account,
        balance=net(account, everything),
        debits_this_year=total(row.debit for row in year),
        credits_this_year=total(row.credit for row in year),
        draft_lines=len(waiting),
        draft_effect=net(account, waiting),
    )


@service.tool()
def list_account_transactions(
    state: AccountingState,
    ctx: CallContext,
    account_id: AccountId,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    query: Query | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the posted lines of an account, oldest first, with opening, closing and running balance.

    Errors: `not_found`, `invalid_range`, `invalid_date`.

    Args:
        account_id: Id of the account.
        from_date: Lines of this day or later; earlier ones make the opening balance.
        to_date: Lines of this day or earlier.
        query: Words in the narration, reference, description or journal number.
        limit: At most so many lines.
        cursor: next_cursor of the previous page.
    """
    account = state.accounts.get(account_id)
    check_range(from_date, to_date)
    entries = [entry for entry in posted(state, last=to_date) if entry.line.account_id == account.id]
    entries.sort(key=lambda entry: (entry.journal.posting_date, entry.line.id))
    before = [entry.line for entry in entries if from_date is not None and entry.journal.posting_date < from_date]
    running = opening = net(account, before)
    rows = []
    for journal, line in entries[len(before) :]:
        running = total((running, net(account, [line])))
        rows.append(
            {
                **brief(journal, "posting_date", "number", "narration", "reference"),
                **brief(line, "id", "journal_id", "description", "debit", "credit"),
                "running_balance": running,
            }
        )
    found = search(rows, query, lambda row: [row[key] for key in ("number", "narration", "reference", "description")])
    head = {"account": brief(account, "id", "code", "name"), "opening_balance": opening, "closing_balance": running}
    return {**head, **cursor_page("transactions", found, limit, cursor)}


@service.tool(
    phrase="add the account {code} {name}",
    examples=(Example({"code": "6350", "name": "Licences and subscriptions", "type": "expense"}),),
)
def create_account(
    state: AccountingState,
    ctx: CallContext,
    code: AccountCode,
    name: Name,
    type: AccountType,
    tax_rate: TaxRate = 0.0,
) -> Account:
    """Add an account to the chart; codes and names are unique.

    Errors: `duplicate_account`, `blank_text`.

    Args:
        code: Three to five digits.
        name: Name of the account.
        type: What kind of account it is.
        tax_rate: Per cent of tax that is usual on it.
    """
    clean = check_text(name, "name")
    _unused(state, code, clean)
    return state.accounts.create(code=code, name=clean, type=type, tax_rate=tax_rate)


def _unused(state: AccountingState, code: str | None, name: str | None, own: str = "") -> None:
    for row in state.accounts:
        if row.id != own and (row.code == code or (name is not None and same(row.name, name))):
            raise conflict(f"Account {row.code} {row.name} has this code or name.", type="duplicate_account")


@service.tool(phrase="update the account {account_id}")
def update_account(
    state: AccountingState,
    ctx: CallContext,
    account_id: AccountId,
    name: Name | Unset = UNSET,
    tax_rate: TaxRate | Unset = UNSET,
    archived: bool | Unset = UNSET,
) -> Account:
    """Rename an account, change its usual tax, archive or restore it; what is not sent stays as it is.

    Only accounts with a balance of zero and without draft lines can be archived, system accounts never.
    Errors: `not_found`, `nothing_to_change`, `duplicate_account`, `blank_text`, `account_in_use`.

    Args:
        account_id: Id of the account.
        name: New name.
        tax_rate: New per cent of tax.
        archived: true archives the account, false restores it.
    """
    account = state.accounts.get(account_id)
    changes = some_changes(given(name=name, tax_rate=tax_rate, archived=archived))
    if "name" in changes:
        changes["name"] = check_text(changes["name"], "name")
        _unused(state, None, changes["name"], account.id)
    if changes.get("archived"):
        drafts = {row.id for row in state.journals.find(status="draft")}
        waiting = any(row.journal_id in drafts for row in state.journal_lines.find(account_id=account.id))
        if account.system or waiting or balances(state).get(account.id, 0.0):
            raise conflict(
                f"Account {account.code} is a system account, has a balance, or is on a draft journal; clear it first.",
                type="account_in_use",
            )
    return state.accounts.patch(account.id, **changes)


@service.tool()
def list_cost_centers(state: AccountingState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the cost centers that journal lines can be tracked by, with this year's posted expenses of each.

    Args:
        query: Words in the code, name or address of the owner.
    """
    spent: dict[str | None, list[float]] = {}
    kinds = {row.id: row.type for row in state.accounts}
    for _, line in posted(state, f"{ctx.today[:4]}-01-01"):
        if kinds[line.account_id] == "expense":
            spent.setdefault(line.cost_center_id, []).append(line.debit - line.credit)
    found = search(state.cost_centers, query, lambda row: (row.code, row.name, row.owner_email))
    rows = [with_fields(row, expenses_this_year=total(spent.get(row.id, ()))) for row in found]
    return {"cost_centers": rows, "total": len(rows)}


@service.tool()
def search_contacts(
    state: AccountingState,
    ctx: CallContext,
    query: Query | None = None,
    is_supplier: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find customers and suppliers that journals are about, with how many journals each has.

    Args:
        query: Words in the name, address or tax number.
        is_supplier: Only suppliers, or only those that are not.
        limit: At most so many contacts.
        cursor: next_cursor of the previous page.
    """
    found = search(state.contacts, query, lambda row: (row.name, row.email, row.tax_number))
    found = sorted(keep(found, supplier=is_supplier), key=lambda row: (row.name, row.id))
    rows = [with_fields(row, journals=state.journals.count(contact_id=row.id)) for row in found]
    return cursor_page("contacts", rows, limit, cursor)
