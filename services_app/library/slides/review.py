"""Tools for brand review and publishing."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.shared import LABEL, Json, check_text, same
from services_app.library.slides.access import PresentationId, described, editable, problems_of, slides_of
from services_app.library.slides.state import Release, SlidesState, service

Decision = Annotated[Literal["approve", "request_changes"], LABEL]


@service.tool(phrase="send the presentation {presentation_id} to {reviewer_email} for review")
def submit_for_review(
    state: SlidesState, ctx: CallContext, presentation_id: PresentationId, reviewer_email: f.Email
) -> Json:
    """Send a presentation to a colleague for brand review; until the decision nobody can change it.

    Errors: `not_found`, `read_only`, `in_review`, `already_approved`, `not_ready` (see check_presentation),
    `own_review` (owner and editors do not review), `outside_reviewer`.

    Args:
        presentation_id: Id of the presentation.
        reviewer_email: Colleague who reviews it.
    """
    deck = editable(state, presentation_id)
    if deck.status == "approved":
        raise conflict(f"{deck.title} is approved and has not been changed since.", type="already_approved")
    if outside(reviewer_email):
        raise invalid(f"{reviewer_email} is outside Larkfield; choose a colleague.", type="outside_reviewer")
    editors = [row.email for row in state.collaborators.find(presentation_id=presentation_id, role="editor")]
    if any(same(email, reviewer_email) for email in (deck.owner_email, *editors)):
        raise invalid(f"{reviewer_email} works on {deck.title}; choose someone else.", type="own_review")
    problems = problems_of(state, ctx, deck)
    if problems:
        raise conflict(f"{len(problems)} problems are left, first: {problems[0]['message'].rstrip('.')}.",
                       type="not_ready")  # fmt: skip
    changed = state.presentations.patch(
        presentation_id, status="in_review", reviewer_email=reviewer_email, review_remarks=""
    )
    return described(state, changed)


@service.tool(phrase="decide on the review of the presentation {presentation_id}: {decision}")
def decide_review(
    state: SlidesState, ctx: CallContext, presentation_id: PresentationId, decision: Decision, remarks: f.Text = ""
) -> Json:
    """Approve a presentation that was sent to you for review, or ask for changes.

    Errors: `not_found`, `not_in_review`, `not_reviewer`, `blank_text` (changes need remarks).

    Args:
        presentation_id: Id of the presentation.
        decision: approve, or request_changes.
        remarks: What has to be changed, or a word of praise.
    """
    deck = state.presentations.get(presentation_id)
    if deck.status != "in_review":
        raise conflict(f"{deck.title} is {deck.status}, not in review.", type="not_in_review")
    if deck.reviewer_email is None or not same(deck.reviewer_email, ME.email):
        raise forbidden(f"{deck.title} is reviewed by {deck.reviewer_email}.", type="not_reviewer")
    if decision == "request_changes":
        check_text(remarks, "remarks")
    status = "approved" if decision == "approve" else "draft"
    return described(state, state.presentations.patch(presentation_id, status=status, review_remarks=remarks))


@service.tool(phrase="publish the presentation {presentation_id}")
def publish_presentation(
    state: SlidesState, ctx: CallContext, presentation_id: PresentationId, note: f.Text = ""
) -> Release:
    """Publish a presentation under a link; skipped slides are left out. For an audience outside it has to be approved.

    Errors: `not_found`, `read_only`, `in_review`, `not_approved`, `nothing_new` (it is published as it stands).

    Args:
        presentation_id: Id of the presentation.
        note: What is new in this version.
    """
    deck = editable(state, presentation_id)
    if deck.audience != "internal" and deck.status != "approved":
        raise conflict(f"{deck.title} is for a {deck.audience} audience; it has to be approved.", type="not_approved")
    releases = state.releases.find(presentation_id=presentation_id)
    if releases and releases[-1].published_at >= deck.modified_at:
        raise conflict(f"{deck.title} is published as it stands, at {releases[-1].link}.", type="nothing_new")
    number = 1 + max((row.number for row in releases), default=0)
    return state.releases.create(
        presentation_id=presentation_id,
        number=number,
        link=f"https://slides.larkfield.example/{presentation_id.lower()}/v{number}",
        slide_titles=tuple(slide.title for slide in slides_of(state, presentation_id) if not slide.skipped),
        note=note,
        published_at=ctx.now,
    )
