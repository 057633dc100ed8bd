"""Tools for internal reviews: legal, finance and operations look at a draft side by side."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.cast import ME
from services_app.library.contracts.drafting import AgreementId
from services_app.library.contracts.state import Agreement, ContractsState, Review, service
from services_app.library.contracts.terms import agreement_shown, clauses_of, comment, draft, wording, words_of
from services_app.library.shared import Body, Json, check_text, same

FINANCE_FROM = 10_000.0
LEGAL_KINDS = ("master_agreement", "data_processing")


def roles_needed(state: ContractsState, agreement: Agreement) -> list[str]:
    """Who has to look at an agreement before it is approved."""
    deviates = any(wording(state, row) == "deviating" for row in clauses_of(state, agreement.id))
    needed = ["legal"] if deviates or agreement.kind in LEGAL_KINDS else []
    needed += ["finance"] if agreement.value > FINANCE_FROM else []
    return needed + (["operations"] if agreement.kind == "statement_of_work" else [])


@service.tool(phrase="send the draft {agreement_id} into review")
def request_review(state: ContractsState, ctx: CallContext, agreement_id: AgreementId) -> Json:
    """Send a draft of yours to those who must look at it; when nobody has to, it is approved at once.

    Legal reviews deviating clauses, master agreements and data processing; finance values above 10,000.00; operations
    statements of work. Nobody reviews their own agreement.
    Errors: `not_found`, `not_owner`, `not_draft`, `clause_missing` (a mandatory clause is not in it), `no_order_number`
    (order forms need the customer's order number).

    Args:
        agreement_id: Id of the draft.
    """
    agreement = draft(state, agreement_id)
    included = {row.clause_id for row in clauses_of(state, agreement_id)}
    missing = [row.title for row in state.clauses if row.mandatory and row.id not in included]
    if missing:
        raise conflict(f"{agreement.number} lacks {', '.join(missing)}; include them first.", type="clause_missing")
    if agreement.kind == "order_form" and not agreement.order_number:
        raise conflict(f"{agreement.number} has no order number; add it first.", type="no_order_number")
    for old in state.reviews.find(agreement_id=agreement_id):
        state.reviews.delete(old.id)
    needed = roles_needed(state, agreement)
    for role in needed:
        reviewer = next(row for row in state.users.find(role=role) if not same(row.email, agreement.owner_email))
        state.reviews.create(agreement_id=agreement_id, role=role, reviewer_email=reviewer.email)
    state.agreements.patch(agreement_id, status="in_review" if needed else "approved")
    return agreement_shown(state, ctx, agreement_id)


def _my_review(state: ContractsState, agreement_id: str) -> Review:
    agreement = state.agreements.get(agreement_id)
    if agreement.status != "in_review":
        raise conflict(f"{agreement.number} is {words_of(agreement)}, not in review.", type="not_in_review")
    for row in state.reviews.find(agreement_id=agreement_id, decision="pending"):
        if same(row.reviewer_email, ME.email):
            return row
    raise forbidden(f"No review of {agreement.number} waits for you.", type="not_your_review")


@service.tool(phrase="approve the agreement {agreement_id} in review")
def approve_review(state: ContractsState, ctx: CallContext, agreement_id: AgreementId) -> Json:
    """Give your consent to an agreement in review; with the last consent it is approved.

    Errors: `not_found`, `not_in_review`, `not_your_review`.

    Args:
        agreement_id: Id of the agreement.
    """
    review = _my_review(state, agreement_id)
    state.reviews.patch(review.id, decision="approved", decided_on=ctx.today)
    if state.reviews.first(agreement_id=agreement_id, decision="pending") is None:
        state.agreements.patch(agreement_id, status="approved")
    return agreement_shown(state, ctx, agreement_id)


@service.tool(phrase="return the agreement {agreement_id} to its owner because {reason}")
def return_for_changes(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, reason: Body) -> Json:
    """Return an agreement that waits for your review to draft; the reason becomes a comment.

    Errors: `not_found`, `not_in_review`, `not_your_review`, `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        reason: What has to change.
    """
    review = _my_review(state, agreement_id)
    comment(state, ctx, agreement_id, check_text(reason, "reason"))
    state.reviews.patch(review.id, decision="returned", decided_on=ctx.today)
    state.agreements.patch(agreement_id, status="draft")
    return agreement_shown(state, ctx, agreement_id)
