"""What follows from an agreement: its text, deviations, deadlines, whether it runs, and who may do what."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError, conflict, forbidden
from services_app.library.cast import ME
from services_app.library.contracts.state import Agreement, AgreementClause, ContractsState, Recipient, User
from services_app.library.shared import Json, next_number, plus_days, plus_months, same, with_fields

EXPIRING_DAYS = 60


def me(state: ContractsState) -> User:
    """The user who is signed in."""
    return user_by_email(state, ME.email)


def user_by_email(state: ContractsState, email: str) -> User:
    """One of us; 404 `unknown_user`."""
    for row in state.users:
        if same(row.email, email):
            return row
    raise ToolError(404, "unknown_user", f"Nobody with the address {email} works with contracts here.")


def owned(state: ContractsState, agreement_id: str) -> Agreement:
    """An agreement that I may change: mine, or any if I am in legal; 403 `not_owner`."""
    agreement = state.agreements.get(agreement_id)
    if not same(agreement.owner_email, ME.email) and me(state).role != "legal":
        raise forbidden(f"{agreement.number} belongs to {agreement.owner_email}; ask them.", type="not_owner")
    return agreement


def draft(state: ContractsState, agreement_id: str) -> Agreement:
    """A draft that I may change; 403 `not_owner`, 409 `not_draft`."""
    agreement = owned(state, agreement_id)
    if agreement.status != "draft":
        raise conflict(f"{agreement.number} is {words_of(agreement)}; only drafts change.", type="not_draft")
    return agreement


def words_of(agreement: Agreement) -> str:
    return agreement.status.replace("_", " ")


def clauses_of(state: ContractsState, agreement_id: str) -> list[AgreementClause]:
    return sorted(state.agreement_clauses.find(agreement_id=agreement_id), key=lambda row: (row.position, row.id))


def wording(state: ContractsState, row: AgreementClause) -> str:
    """standard, fallback or deviating: how the text compares with the library."""
    clause = state.clauses.get(row.clause_id)
    if row.text == clause.text:
        return "standard"
    return "fallback" if clause.fallback and row.text == clause.fallback else "deviating"


def clause_json(state: ContractsState, row: AgreementClause) -> Json:
    clause = state.clauses.get(row.clause_id)
    return with_fields(row, title=clause.title, mandatory=clause.mandatory, wording=wording(state, row))


def phase(agreement: Agreement, today: str) -> str:
    """not_signed, upcoming, active, expiring (within 60 days), expired or terminated."""
    if agreement.status not in ("signed", "terminated"):
        return "not_signed"
    last = agreement.terminated_on or agreement.end_date
    if last < today:
        return "terminated" if agreement.status == "terminated" else "expired"
    if agreement.effective_on > today:
        return "upcoming"
    return "expiring" if last <= plus_days(today, EXPIRING_DAYS) else "active"


def agreement_json(state: ContractsState, agreement: Agreement, today: str) -> Json:
    return with_fields(
        agreement,
        counterparty_name=state.counterparties.get(agreement.counterparty_id).name,
        phase=phase(agreement, today),
        notice_deadline=plus_days(agreement.end_date, -agreement.notice_days),
    )


def agreement_shown(state: ContractsState, ctx: CallContext, agreement_id: str) -> Json:
    """An agreement with clauses, reviews, recipients, obligations and comments."""
    agreement = state.agreements.get(agreement_id)
    renewal = state.agreements.first(renews_id=agreement_id)
    rows = [clause_json(state, row) for row in clauses_of(state, agreement_id)]
    names = ("id", "clause_id", "title", "position", "wording", "mandatory")
    return {
        **agreement_json(state, agreement, ctx.today),
        "clauses": [{name: row[name] for name in names} for row in rows],
        "deviations": sum(row["wording"] == "deviating" for row in rows),
        "reviews": state.reviews.find(agreement_id=agreement_id),
        "recipients": recipients_of(state, agreement_id),
        "obligations": state.obligations.find(agreement_id=agreement_id),
        "comments": state.comments.find(agreement_id=agreement_id),
        "renewed_by": renewal.number if renewal else None,
    }


def recipients_of(state: ContractsState, agreement_id: str) -> list[Recipient]:
    return sorted(state.recipients.find(agreement_id=agreement_id), key=lambda row: (row.routing_order, row.id))


def document(state: ContractsState, agreement: Agreement) -> str:
    """The text of an agreement, with every slot filled."""
    counterparty = state.counterparties.get(agreement.counterparty_id)
    facts = {
        "counterparty": counterparty.name,
        "address": counterparty.address,
        "value": f"{agreement.value:,.2f} {agreement.currency}",
        "starts": agreement.effective_on,
        "ends": agreement.end_date,
        "order": agreement.order_number or "none",
        "notice_days": str(agreement.notice_days),
    }
    parts = [f"{agreement.title}\nNo. {agreement.number}"]
    for number, row in enumerate(clauses_of(state, agreement.id), start=1):
        text = row.text
        for slot, value in facts.items():
            text = text.replace(f"{{{{{slot}}}}}", value)
        parts.append(f"{number}. {state.clauses.get(row.clause_id).title}\n{text}")
    return "\n\n".join(parts)


def new_number(state: ContractsState, ctx: CallContext) -> str:
    """The next contract number of this year: LC-2026-871."""
    return next_number((row.number for row in state.agreements), f"LC-{ctx.today[:4]}-", first=100, width=3)


def add_months(day: str, months: int) -> str:
    """The last day of a term of so many months that starts on a day."""
    return plus_days(plus_months(day, months), -1)


def comment(state: ContractsState, ctx: CallContext, agreement_id: str, text: str) -> Json:
    row = state.comments.create(agreement_id=agreement_id, author_email=ME.email, text=text, written_at=ctx.now)
    return row.plain()
