"""Tools for the balance, payouts to our bank account, payment links and guides."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.payments.ledger import INSTANT_PERCENT, EntryKind, balance, entries
from services_app.library.payments.state import (
    Currency,
    Guide,
    PaymentLink,
    PaymentsState,
    PayoutStatus,
    Speed,
    service,
)
from services_app.library.shared import (
    Amount,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_range,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    same,
    search,
    total,
    within,
)

CURRENCIES = ("EUR", "GBP", "USD")
INSTANT_LIMIT = 10_000.0
PAYOUT_DAYS = 2


@service.tool()
def get_balance(state: PaymentsState, ctx: CallContext, currency: Currency | None = None) -> Json:
    """Show what can be paid out today, what is on its way and what is held for review, by currency.

    Args:
        currency: Only this currency.
    """
    rows = entries(state)
    return {
        "as_of": ctx.today,
        "balances": [balance(rows, name, ctx.today) for name in CURRENCIES if currency in (None, name)],
    }


@service.tool()
def list_balance_transactions(
    state: PaymentsState,
    ctx: CallContext,
    currency: Currency | None = None,
    kind: EntryKind | None = None,
    created_from: f.Date | None = None,
    created_to: f.Date | None = None,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Json:
    """List every movement of the balance with its fee, newest first, and the sums of fees and net amounts.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        currency: Only this currency.
        kind: Only charges, refunds, disputes, disputes won or payouts.
        created_from: Only movements of this day or later.
        created_to: Only movements of this day or earlier.
        limit: At most so many movements.
        cursor: next_cursor of the previous page.
    """
    check_range(created_from, created_to)
    found = keep(entries(state), currency=currency, kind=kind)
    found = within(found, "created_on", created_from, created_to)[::-1]
    page = cursor_page("transactions", [row.to_json() for row in found], limit, cursor)
    return {**page, "sum_fees": total(row.fee for row in found), "sum_net": total(row.net for row in found)}


@service.tool(phrase="pay out {amount} {currency} to our bank account")
def create_payout(
    state: PaymentsState, ctx: CallContext, amount: Amount, currency: Currency, speed: Speed = "standard"
) -> Json:
    """Send available money to our bank account: two days, or at once for 1 per cent and at most 10,000.00 a day.

    Errors: `insufficient_balance`, `instant_limit`.

    Args:
        amount: Amount that arrives.
        currency: Currency of the balance.
        speed: Standard or instant.
    """
    fee = round(amount * INSTANT_PERCENT / 100, 2) if speed == "instant" else 0.0
    free = balance(entries(state), currency, ctx.today)["available"]
    if total((amount, fee)) > free:
        raise conflict(
            f"{free:.2f} {currency} are available; {amount:.2f} and a fee of {fee:.2f} are more.",
            type="insufficient_balance",
        )
    today = [row for row in state.payouts.find(speed="instant", created_on=ctx.today) if row.status != "cancelled"]
    if speed == "instant" and total((amount, *(row.amount for row in today))) > INSTANT_LIMIT:
        raise conflict(f"Instant payouts end at {INSTANT_LIMIT:,.2f} a day; use standard.", type="instant_limit")
    payout = state.payouts.create(
        amount=amount,
        currency=currency,
        speed=speed,
        status="paid" if speed == "instant" else "in_transit",
        created_on=ctx.today,
        arrival_date=ctx.today if speed == "instant" else plus_days(ctx.today, PAYOUT_DAYS),
        statement_text=f"LARKFIELD {currency} {len(state.payouts) + 1:04d}",
    )
    return {"payout": payout, "fee": fee, "balance": balance(entries(state), currency, ctx.today)}


@service.tool()
def list_payouts(  # noqa: PLR0913, PLR0917 - one per filter
    state: PaymentsState,
    ctx: CallContext,
    query: Query | None = None,
    currency: Currency | None = None,
    status: PayoutStatus | None = None,
    arrival_from: f.Date | None = None,
    arrival_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List payouts, the latest arrival first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the text of the bank statement.
        currency: Only this currency.
        status: Only payouts in this status.
        arrival_from: Only payouts that arrive on this day or later.
        arrival_to: Only payouts that arrive on this day or earlier.
        limit: At most so many payouts.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.payouts, query, lambda row: (row.statement_text,)), currency=currency, status=status)
    found = within(found, "arrival_date", arrival_from, arrival_to)
    found = newest_first(found, "arrival_date")
    return cursor_page("payouts", found, limit, cursor)


@service.tool(phrase="cancel the payout {payout_id}")
def cancel_payout(state: PaymentsState, ctx: CallContext, payout_id: Annotated[str, f.ref("payouts")]) -> Json:
    """Call a payout back that has not arrived; its amount is available again.

    Errors: `not_found`, `not_in_transit`.

    Args:
        payout_id: Id of the payout.
    """
    payout = state.payouts.get(payout_id)
    if payout.status != "in_transit":
        raise conflict(f"Payout {payout_id} is {payout.status}, not in transit.", type="not_in_transit")
    changed = state.payouts.patch(payout_id, status="cancelled")
    return {"payout": changed, "balance": balance(entries(state), payout.currency, ctx.today)}


@service.tool(phrase="make a payment link over {amount} for {title}")
def create_payment_link(
    state: PaymentsState,
    ctx: CallContext,
    title: Name,
    amount: Amount,
    currency: Currency = "EUR",
    expires_on: f.Date | None = None,
) -> PaymentLink:
    """Make a link where anyone who has it can pay a fixed amount.

    Errors: `duplicate_title` (an active link has it), `invalid_date`, `in_the_past`, `blank_text`.

    Args:
        title: What the payer reads.
        amount: Amount to pay.
        currency: Currency of the amount.
        expires_on: Last day of the link; it stays open, if left out.
    """
    clean = check_text(title, "title")
    if any(row.active and same(row.title, clean) for row in state.links):
        raise conflict(f"An active link has the title {clean}.", type="duplicate_title")
    if expires_on is not None and check_date(expires_on) < ctx.today:
        raise invalid(f"{expires_on} is past; today is {ctx.today}.", type="in_the_past")
    return state.links.create(
        title=clean,
        amount=amount,
        currency=currency,
        url=f"https://pay.larkfield.example/l/{1000 + 37 * (len(state.links) + 1)}",
        expires_on=expires_on,
        created_at=ctx.now,
    )


@service.tool()
def list_payment_links(
    state: PaymentsState,
    ctx: CallContext,
    query: Query | None = None,
    active: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List payment links, newest first.

    Args:
        query: Words in the title or address.
        active: Only links that can be used today, or only the others.
        limit: At most so many links.
        cursor: next_cursor of the previous page.
    """
    rows = [
        {**row.plain(), "usable_today": row.active and (row.expires_on is None or row.expires_on >= ctx.today)}
        for row in search(state.links, query, lambda row: (row.title, row.url))
    ]
    found = [row for row in rows if active in (None, row["usable_today"])]
    found = newest_first(found, "created_at")
    return cursor_page("payment_links", found, limit, cursor)


@service.tool(phrase="deactivate the payment link {link_id}")
def deactivate_payment_link(
    state: PaymentsState, ctx: CallContext, link_id: Annotated[str, f.ref("links")]
) -> PaymentLink:
    """Close a payment link for good.

    Errors: `not_found`, `already_inactive`.

    Args:
        link_id: Id of the link.
    """
    link = state.links.get(link_id)
    if not link.active:
        raise conflict(f"The link {link.title} is inactive already.", type="already_inactive")
    return state.links.patch(link_id, active=False)


@service.tool()
def search_guides(state: PaymentsState, ctx: CallContext, query: Query | None = None) -> Json:
    """Read our guides on refunds, disputes, reviews and payouts that hold the words.

    Args:
        query: Words that must all occur in the title or text.
    """
    found: list[Guide] = search(state.guides, query, lambda row: (row.title, row.body))
    return {"guides": found, "total": len(found)}
