"""The money account that follows from charges, refunds, disputes and payouts. Nothing of it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from services_app.engine import conflict
from services_app.library.payments.state import Charge, Customer, Dispute, Method, PaymentsState
from services_app.library.shared import LABEL, Json, plus_days, total

EntryKind = Annotated[Literal["charge", "refund", "dispute", "dispute_won", "payout"], LABEL]
SETTLE_DAYS = {"card": 2, "sepa_debit": 5, "bank_transfer": 1}
DISPUTE_FEE = 15.0
INSTANT_PERCENT = 1.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One movement of the account. `net` is gross less fee; money held back has no available_on."""

    kind: str
    source_id: str
    currency: str
    gross: float
    fee: float
    created_on: str
    available_on: str | None

    @property
    def net(self) -> float:
        return total((self.gross, -self.fee))

    def to_json(self) -> Json:
        return {
            "kind": self.kind,
            "source_id": self.source_id,
            "currency": self.currency,
            "gross": self.gross,
            "fee": self.fee,
            "net": self.net,
            "created_on": self.created_on,
            "available_on": self.available_on,
        }


def charge_fee(kind: str, amount: float) -> float:
    """Cards 1.5 % and 0.25, direct debits 0.35, transfers 0.5 % and at most 5.00."""
    if kind == "card":
        return round(amount * 0.015 + 0.25, 2)
    return 0.35 if kind == "sepa_debit" else min(5.0, round(amount * 0.005, 2))


def entries(state: PaymentsState) -> list[Entry]:
    """Every movement, oldest first."""
    charges = {row.id: row for row in state.charges}
    found = [_captured(row) for row in charges.values() if row.captured_on is not None]
    for refund in state.refunds:
        currency = charges[refund.charge_id].currency
        found.append(Entry("refund", refund.id, currency, -refund.amount, 0.0, refund.created_on, refund.created_on))
    for dispute in state.disputes:
        found += _disputed(dispute, charges[dispute.charge_id].currency)
    for payout in state.payouts:
        if payout.status in ("in_transit", "paid"):
            fee = round(payout.amount * INSTANT_PERCENT / 100, 2) if payout.speed == "instant" else 0.0
            day = payout.created_on
            found.append(Entry("payout", payout.id, payout.currency, -payout.amount, fee, day, day))
    return sorted(found, key=lambda row: (row.created_on, row.source_id))


def _captured(charge: Charge) -> Entry:
    day = charge.captured_on or ""
    free = None if charge.review == "open" else plus_days(day, SETTLE_DAYS[charge.method_kind])
    fee = charge_fee(charge.method_kind, charge.captured_amount)
    return Entry("charge", charge.id, charge.currency, charge.captured_amount, fee, day, free)


def _disputed(dispute: Dispute, currency: str) -> list[Entry]:
    """The bank takes the amount and a fee when a dispute opens, and gives both back when we win."""
    day = dispute.opened_on
    found = [Entry("dispute", dispute.id, currency, -dispute.amount, DISPUTE_FEE, day, day)]
    if dispute.status == "won" and dispute.closed_on is not None:
        day = dispute.closed_on
        found.append(Entry("dispute_won", dispute.id, currency, dispute.amount, -DISPUTE_FEE, day, day))
    return found


def balance(rows: list[Entry], currency: str, day: str) -> Json:
    """What is available on a day, what is on its way, and what the risk team holds."""
    own = [row for row in rows if row.currency == currency and row.created_on <= day]
    return {
        "currency": currency,
        "available": total(row.net for row in own if row.available_on is not None and row.available_on <= day),
        "pending": total(row.net for row in own if row.available_on is not None and row.available_on > day),
        "held_for_review": total(row.net for row in own if row.available_on is None),
    }


def refunded(state: PaymentsState, charge_id: str) -> float:
    return total(row.amount for row in state.refunds.find(charge_id=charge_id))


def open_dispute(state: PaymentsState, charge_id: str) -> Dispute | None:
    """The dispute of a charge that is undecided or lost: its money is with the bank."""
    for row in state.disputes.find(charge_id=charge_id):
        if row.status != "won":
            return row
    return None


def described(state: PaymentsState, charge: Charge) -> Json:
    """A charge with customer, fee and what is left to refund."""
    back = refunded(state, charge.id)
    fee = charge_fee(charge.method_kind, charge.captured_amount) if charge.captured_on else 0.0
    return {
        **charge.plain(),
        "customer_name": state.customers.get(charge.customer_id).name,
        "fee": fee,
        "refunded": back,
        "refundable": 0.0 if open_dispute(state, charge.id) else total((charge.captured_amount, -back)),
        "disputed": bool(state.disputes.find(charge_id=charge.id)),
    }


def usable(customer: Customer, method: Method, day: str) -> None:
    """409 when a method cannot be charged on a day."""
    if method.customer_id != customer.id:
        raise conflict(f"{method.id} does not belong to {customer.name}.", type="foreign_method")
    if method.expires and method.expires < day[:7]:
        raise conflict(f"The card ending in {method.last4} expired in {method.expires}.", type="expired_card")
    if method.blocked:
        raise conflict(f"The bank refuses {method.brand} {method.last4}; use another method.", type="card_declined")
