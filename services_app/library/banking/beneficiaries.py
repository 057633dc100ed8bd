"""Tools for those who can be paid."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.banking.money import OPEN
from services_app.library.banking.state import BankingState, Beneficiary, Currency, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    plus_minutes,
    same,
    search,
    some_changes,
    total,
    with_fields,
)
from services_app.library.suppliers import valid_iban

BeneficiaryId = Annotated[str, f.ref("beneficiaries")]
NewIban = Annotated[str, f.Semantic("code", system=True), Field(min_length=10, max_length=42)]
Payee = Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=140)]
Note = Annotated[str, f.Semantic("text"), Field(max_length=1000)]
WAIT_MINUTES = 24 * 60


def clean_iban(state: BankingState, text: str, own: str = "") -> str:
    """An account number without blanks; 422 `invalid_iban`, 409 `duplicate_beneficiary`."""
    number = text.replace(" ", "").upper()
    if not valid_iban(number):
        raise invalid(f"{text} is not a valid IBAN: its check number is wrong; compare it again.", type="invalid_iban")
    for row in state.beneficiaries.find(iban=number):
        if row.id != own:
            raise conflict(f"{row.name} ({row.id}) has this account number.", type="duplicate_beneficiary")
    return number


@service.tool()
def search_beneficiaries(
    state: BankingState,
    ctx: CallContext,
    query: Query | None = None,
    currency: Currency | None = None,
    blocked: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find beneficiaries by name, account number, address or payment note, with what each was paid so far.

    Args:
        query: Words in the name, IBAN, email, address or payment note.
        currency: Only those paid in this currency.
        blocked: Only blocked beneficiaries, or only those that can be paid.
        limit: At most so many beneficiaries.
        cursor: next_cursor of the previous page.
    """
    paid: dict[str, list[float]] = {}
    for payment in state.payments.find(status="completed"):
        paid.setdefault(payment.beneficiary_id, []).append(payment.amount)
    found = search(
        state.beneficiaries, query, lambda row: (row.name, row.iban, row.email, row.address, row.payment_note)
    )
    found = sorted(keep(found, currency=currency, blocked=blocked), key=lambda row: (row.name, row.id))
    rows = [with_fields(row, paid_total=total(paid.get(row.id, ()))) for row in found]
    return cursor_page("beneficiaries", rows, limit, cursor)


@service.tool(
    phrase="add {name} with the account {iban} as a beneficiary",
    examples=(
        Example(
            {
                "name": "Ferrous Tools",
                "iban": "GB82WEST12345698765432",
                "currency": "GBP",
                "email": "pay@ferrous.example",
            }
        ),
    ),
)
def add_beneficiary(
    state: BankingState,
    ctx: CallContext,
    name: Payee,
    iban: NewIban,
    currency: Currency,
    email: f.Email,
    payment_note: Note = "",
) -> Beneficiary:
    """Add a beneficiary; for 24 hours no single payment to it may exceed 1,000.00.

    Errors: `invalid_iban`, `duplicate_beneficiary` (the account number is known), `blank_text`.

    Args:
        name: Name of the account holder.
        iban: Account number; blanks do not matter.
        currency: Currency that it is paid in.
        email: Where payment advice goes.
        payment_note: What to mind when paying.
    """
    return state.beneficiaries.create(
        name=check_text(name, "name"),
        iban=clean_iban(state, iban),
        currency=currency,
        email=email,
        payment_note=payment_note.strip(),
        verified_from=plus_minutes(ctx.now, WAIT_MINUTES),
    )


@service.tool(phrase="update the beneficiary {beneficiary_id}")
def update_beneficiary(
    state: BankingState,
    ctx: CallContext,
    beneficiary_id: BeneficiaryId,
    iban: NewIban | Unset = UNSET,
    email: f.Email | Unset = UNSET,
    payment_note: Note | Unset = UNSET,
    blocked: bool | Unset = UNSET,
) -> Beneficiary:
    """Change a beneficiary; what is not sent stays as it is. A new account number counts as new for 24 hours.

    Errors: `not_found`, `nothing_to_change`, `invalid_iban`, `duplicate_beneficiary`.

    Args:
        beneficiary_id: Id of the beneficiary.
        iban: New account number.
        email: New address for payment advice.
        payment_note: New note.
        blocked: true stops payments to it.
    """
    old = state.beneficiaries.get(beneficiary_id)
    changes = some_changes(given(iban=iban, email=email, payment_note=payment_note, blocked=blocked))
    if "iban" in changes:
        changes["iban"] = clean_iban(state, changes["iban"], beneficiary_id)
        if not same(changes["iban"], old.iban):
            changes["verified_from"] = plus_minutes(ctx.now, WAIT_MINUTES)
    return state.beneficiaries.patch(beneficiary_id, **changes)


@service.tool(phrase="remove the beneficiary {beneficiary_id}")
def remove_beneficiary(state: BankingState, ctx: CallContext, beneficiary_id: BeneficiaryId) -> Json:
    """Remove a beneficiary that was never paid and has no standing order; others can only be blocked.

    Errors: `not_found`, `beneficiary_in_use`.

    Args:
        beneficiary_id: Id of the beneficiary.
    """
    beneficiary = state.beneficiaries.get(beneficiary_id)
    payments = state.payments.find(beneficiary_id=beneficiary_id)
    if payments or state.standing_orders.first(beneficiary_id=beneficiary_id):
        waiting = sum(row.status in OPEN for row in payments)
        raise conflict(
            f"{beneficiary.name} has payments ({waiting} of them waiting) or standing orders; block it instead.",
            type="beneficiary_in_use",
        )
    state.beneficiaries.delete(beneficiary_id)
    return {"removed": beneficiary_id, "name": beneficiary.name}
