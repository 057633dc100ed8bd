"""Tools for working together: shares, comments, reviews and approval."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.documents.access import DocumentId, described, needs
from services_app.library.documents.state import Comment, DocumentsState, Review, Role, Share, service
from services_app.library.shared import LABEL, Body, Json, check_date, check_text, same, with_fields

Verdict = Annotated[Literal["approved", "changes_requested"], LABEL]


def _share_of(state: DocumentsState, document_id: str, email: str) -> Share | None:
    return next((row for row in state.shares.find(document_id=document_id) if same(row.email, email)), None)


@service.tool(phrase="share {document_id} with {email}")
def share_document(
    state: DocumentsState, ctx: CallContext, document_id: DocumentId, email: f.Email, role: Role = "viewer"
) -> Json:
    """Share a document with someone, or give them another role.

    People outside the company can only be viewers or commenters. Errors: `not_found`, `no_permission` (only editors
    and the owner share), `is_owner`, `same_role`, `outside_company`, `contract_restricted` (contracts are not shared
    outside unless approved).

    Args:
        document_id: Id of the document.
        email: Address of the person.
        role: What they may do.
    """
    document = needs(state, document_id, "editor")
    stranger = outside(email)
    if same(document.owner_email, email):
        raise conflict(f"{email} owns the document.", type="is_owner")
    if stranger and role == "editor":
        raise forbidden("People outside the company cannot be editors.", type="outside_company")
    if stranger and document.kind == "contract" and document.status != "approved":
        raise forbidden("A contract is shared outside only once it is approved.", type="contract_restricted")
    present = _share_of(state, document_id, email)
    if present is not None and present.role == role:
        raise conflict(f"{email} is {role} already.", type="same_role")
    if present is not None:
        row = state.shares.patch(present.id, role=role)
    else:
        row = state.shares.create(document_id=document_id, email=email, role=role)
    return with_fields(row, title=document.title, shared_with=state.shares.count(document_id=document_id))


@service.tool(phrase="stop sharing {document_id} with {email}")
def remove_share(state: DocumentsState, ctx: CallContext, document_id: DocumentId, email: f.Email) -> Json:
    """Stop sharing a document with someone.

    Errors: `not_found`, `no_permission`, `not_shared`, `review_pending` (they are asked to review it).

    Args:
        document_id: Id of the document.
        email: Address of the person.
    """
    needs(state, document_id, "editor")
    present = _share_of(state, document_id, email)
    if present is None:
        raise conflict(f"The document is not shared with {email}.", type="not_shared")
    pending = state.reviews.find(document_id=document_id, decision="pending")
    if any(same(row.reviewer_email, email) for row in pending):
        raise conflict(f"{email} has a pending review of this document.", type="review_pending")
    state.shares.delete(present.id)
    return {"removed": email, "shared_with": state.shares.count(document_id=document_id)}


@service.tool(phrase="make {email} the owner of {document_id}")
def transfer_ownership(state: DocumentsState, ctx: CallContext, document_id: DocumentId, email: f.Email) -> Json:
    """Make a colleague with whom it is shared the owner of a document of yours; you stay an editor.

    Errors: `not_found`, `no_permission` (only the owner), `not_shared`, `outside_company`.

    Args:
        document_id: Id of the document.
        email: Address of the colleague.
    """
    needs(state, document_id, "owner")
    present = _share_of(state, document_id, email)
    if present is None:
        raise conflict(f"Share the document with {email} first.", type="not_shared")
    if outside(email):
        raise forbidden("Documents stay in the company.", type="outside_company")
    state.shares.delete(present.id)
    state.shares.create(document_id=document_id, email=ME.email, role="editor")
    return described(state, state.documents.patch(document_id, owner_email=present.email))


@service.tool(phrase="comment on the document {document_id}")
def add_comment(state: DocumentsState, ctx: CallContext, document_id: DocumentId, text: Body) -> Comment:
    """Comment on a document; its text does not change.

    Errors: `not_found`, `no_permission` (viewers cannot comment), `document_archived`, `blank_text`.

    Args:
        document_id: Id of the document.
        text: The comment.
    """
    document = needs(state, document_id, "commenter")
    if document.status == "archived":
        raise conflict(f"{document.title!r} is archived.", type="document_archived")
    return state.comments.create(
        document_id=document_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool(phrase="resolve the comment {comment_id}")
def resolve_comment(state: DocumentsState, ctx: CallContext, comment_id: Annotated[str, f.ref("comments")]) -> Json:
    """Resolve a comment of your own, or any on a document that you may edit.

    Errors: `not_found`, `no_permission`, `already_resolved`.

    Args:
        comment_id: Id of the comment.
    """
    comment = state.comments.get(comment_id)
    needs(state, comment.document_id, "viewer" if same(comment.author_email, ME.email) else "editor")
    if comment.resolved:
        raise conflict(f"Comment {comment_id} is resolved already.", type="already_resolved")
    changed = state.comments.patch(comment_id, resolved=True)
    left = state.comments.count(document_id=comment.document_id, resolved=False)
    return with_fields(changed, open_comments=left)


@service.tool(phrase="ask {reviewer_email} to review {document_id} by {due_date}")
def request_review(
    state: DocumentsState, ctx: CallContext, document_id: DocumentId, reviewer_email: f.Email, due_date: f.Date
) -> Review:
    """Ask a colleague to review a draft; the document is then in review and shared with them as a commenter.

    Errors: `not_found`, `no_permission`, `not_a_draft` (approved or archived), `outside_company`, `is_owner`,
    `duplicate_review`, `in_the_past`, `invalid_date`.

    Args:
        document_id: Id of the document.
        reviewer_email: Address of the colleague.
        due_date: By when.
    """
    document = needs(state, document_id, "editor")
    if document.status not in ("draft", "in_review"):
        raise conflict(f"{document.title!r} is {document.status}; use reopen_document first.", type="not_a_draft")
    if outside(reviewer_email):
        raise forbidden("Only colleagues review documents.", type="outside_company")
    if same(document.owner_email, reviewer_email):
        raise conflict("The owner cannot review the document.", type="is_owner")
    if check_date(due_date) < ctx.today:
        raise invalid(f"{due_date} is over; today is {ctx.today}.", type="in_the_past")
    if any(same(row.reviewer_email, reviewer_email) for row in state.reviews.find(document_id=document_id)):
        raise conflict(f"{reviewer_email} has been asked already.", type="duplicate_review")
    if _share_of(state, document_id, reviewer_email) is None:
        state.shares.create(document_id=document_id, email=reviewer_email, role="commenter")
    state.documents.patch(document_id, status="in_review")
    return state.reviews.create(
        document_id=document_id, reviewer_email=reviewer_email, due_date=due_date, requested_at=ctx.now
    )


@service.tool(phrase="answer the review {review_id} with {decision}")
def decide_review(
    state: DocumentsState,
    ctx: CallContext,
    review_id: Annotated[str, f.ref("reviews")],
    decision: Verdict,
    remark: f.Text = "",
) -> Json:
    """Answer a review that you have been asked for; asking for changes needs a remark.

    Errors: `not_found`, `not_your_review`, `not_in_review`, `remark_missing`, `same_decision`.

    Args:
        review_id: Id of the review, from list_reviews.
        decision: Your decision.
        remark: What has to change.
    """
    review = state.reviews.get(review_id)
    if not same(review.reviewer_email, ME.email):
        raise forbidden(f"Review {review_id} was asked from {review.reviewer_email}.", type="not_your_review")
    if state.documents.get(review.document_id).status != "in_review":
        raise conflict("The document is no longer in review.", type="not_in_review")
    if decision == "changes_requested" and not remark.strip():
        raise invalid("Say in a remark what has to change.", type="remark_missing")
    if review.decision == decision:
        raise conflict(f"You have answered {decision} already.", type="same_decision")
    changed = state.reviews.patch(review_id, decision=decision, remark=remark)
    return with_fields(changed, pending=state.reviews.count(document_id=review.document_id, decision="pending"))


@service.tool(phrase="approve the document {document_id}")
def approve_document(state: DocumentsState, ctx: CallContext, document_id: DocumentId) -> Json:
    """Approve a document that has passed its reviews; it is locked from then on.

    Errors: `not_found`, `no_permission` (only editors and the owner), `not_in_review`, `reviews_open` (someone has
    not approved), `comments_open`.

    Args:
        document_id: Id of the document.
    """
    document = needs(state, document_id, "editor")
    if document.status != "in_review":
        raise conflict(f"{document.title!r} is {document.status}, not in review.", type="not_in_review")
    open_ones = [row for row in state.reviews.find(document_id=document_id) if row.decision != "approved"]
    if open_ones:
        names = ", ".join(row.reviewer_email for row in open_ones)
        raise conflict(f"Not approved yet by {names}.", type="reviews_open")
    if state.comments.first(document_id=document_id, resolved=False):
        raise conflict("There are open comments; resolve them first.", type="comments_open")
    return described(state, state.documents.patch(document_id, status="approved"))
