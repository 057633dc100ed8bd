"""Tools for company cards."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.banking.accounts import AccountId
from services_app.library.banking.state import BankingState, Card, CardStatus, service
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, search, total, with_fields

CardId = Annotated[str, f.ref("cards")]
CardLimit = Annotated[float, f.Semantic("money"), Field(ge=0, le=20_000)]


def _spent(state: BankingState, ctx: CallContext, card: Card) -> float:
    """What a card has spent in the month of today."""
    rows = state.transactions.find(card_id=card.id)
    return total(-row.amount for row in rows if row.booked_on[:7] == ctx.today[:7])


def _card_json(state: BankingState, ctx: CallContext, card: Card) -> Json:
    spent = _spent(state, ctx, card)
    return with_fields(card, spent_this_month=spent, limit_left=total((card.monthly_limit, -spent)))


@service.tool()
def search_cards(
    state: BankingState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    status: CardStatus | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find company cards by holder or last four digits, with what each has spent this month.

    Args:
        query: Words in the name or address of the holder, or the last four digits.
        account_id: Only cards of this account.
        status: Only cards with this status.
        limit: At most so many cards.
        cursor: next_cursor of the previous page.
    """
    found = search(state.cards, query, lambda row: (row.holder_name, row.holder_email, row.last4))
    found = sorted(keep(found, account_id=account_id, status=status), key=lambda row: (row.holder_name, row.id))
    return cursor_page("cards", [_card_json(state, ctx, row) for row in found], limit, cursor)


@service.tool(phrase="set the monthly limit of the card {card_id} to {monthly_limit}")
def set_card_limit(state: BankingState, ctx: CallContext, card_id: CardId, monthly_limit: CardLimit) -> Json:
    """Set how much a card may spend in a month; not below what it has spent in this one.

    Errors: `not_found`, `card_cancelled`, `below_spent`.

    Args:
        card_id: Id of the card.
        monthly_limit: New limit.
    """
    card = _not_cancelled(state, card_id)
    spent = _spent(state, ctx, card)
    if monthly_limit < spent:
        raise conflict(f"The card has spent {spent:.2f} this month; set no less.", type="below_spent")
    return _card_json(state, ctx, state.cards.patch(card_id, monthly_limit=monthly_limit))


def _not_cancelled(state: BankingState, card_id: str) -> Card:
    card = state.cards.get(card_id)
    if card.status == "cancelled":
        raise conflict(f"Card {card.last4} is cancelled for good; choose another card.", type="card_cancelled")
    return card


@service.tool(phrase="freeze the card {card_id}")
def freeze_card(state: BankingState, ctx: CallContext, card_id: CardId) -> Json:
    """Freeze a card: nothing can be bought with it until it is unfrozen.

    Errors: `not_found`, `card_cancelled`, `already_frozen`.

    Args:
        card_id: Id of the card.
    """
    if _not_cancelled(state, card_id).status == "frozen":
        raise conflict(f"Card {card_id} is frozen already.", type="already_frozen")
    return _card_json(state, ctx, state.cards.patch(card_id, status="frozen"))


@service.tool(phrase="unfreeze the card {card_id}")
def unfreeze_card(state: BankingState, ctx: CallContext, card_id: CardId) -> Json:
    """Unfreeze a card, so that it can be used again.

    Errors: `not_found`, `card_cancelled`, `not_frozen`.

    Args:
        card_id: Id of the card.
    """
    if _not_cancelled(state, card_id).status != "frozen":
        raise conflict(f"Card {card_id} is not frozen.", type="not_frozen")
    return _card_json(state, ctx, state.cards.patch(card_id, status="active"))
