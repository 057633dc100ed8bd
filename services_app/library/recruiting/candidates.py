"""Tools for candidates, their documents and notes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.recruiting.pipeline import described
from services_app.library.recruiting.state import Attachment, Candidate, Note, RecruitingState, Source, service
from services_app.library.shared import (
    Body,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_text,
    keep,
    offset_page,
    same,
    search,
    with_fields,
)

CandidateId = Annotated[str, f.ref("candidates")]


@service.tool()
def search_candidates(
    state: RecruitingState,
    ctx: CallContext,
    query: Query | None = None,
    source: Source | None = None,
    email: f.Email | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find candidates by words in the name, address, present company or title, or in their documents; by name.

    Args:
        query: Words that must all occur.
        source: Only candidates who came this way.
        email: The exact address.
        limit: At most so many candidates.
        offset: Skip so many candidates.
    """
    papers: dict[str, list[str]] = {}
    for row in state.attachments:
        papers.setdefault(row.candidate_id, []).append(row.content)
    found = search(
        state.candidates,
        query,
        lambda row: (row.name, row.email, row.current_company, row.current_title, *papers.get(row.id, ())),
    )
    found = sorted(keep(found, source=source, email=email), key=lambda row: (row.name, row.id))
    page = offset_page("candidates", found, limit, offset)
    page["candidates"] = [
        with_fields(row, active_applications=state.applications.count(candidate_id=row.id, status="active"))
        for row in page["candidates"]
    ]
    return page


@service.tool()
def get_candidate(state: RecruitingState, ctx: CallContext, candidate_id: CandidateId) -> Json:
    """Show a candidate with applications, notes (oldest first) and the names of documents.

    Errors: `not_found`.

    Args:
        candidate_id: Id of the candidate.
    """
    candidate = state.candidates.get(candidate_id)
    notes = sorted(state.notes.find(candidate_id=candidate_id), key=lambda row: (row.written_at, row.id))
    return with_fields(
        candidate,
        applications=[described(state, row) for row in state.applications.find(candidate_id=candidate_id)],
        notes=notes,
        documents=[
            brief(row, "id", "filename", "uploaded_on") for row in state.attachments.find(candidate_id=candidate_id)
        ],
    )


@service.tool(phrase="add {name} as a candidate")
def add_candidate(
    state: RecruitingState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)],
    email: f.Email,
    source: Source = "sourced",
    current_company: f.Organisation = "",
    current_title: f.Title = "",
    referred_by: f.Email | None = None,
) -> Candidate:
    """Add a candidate. create_application then puts them forward for a job.

    Errors: `duplicate_candidate`, `referrer_missing` (a referral needs referred_by), `blank_text`.

    Args:
        name: Full name.
        email: Private address; each belongs to one candidate.
        source: How they came to us.
        current_company: Where they work.
        current_title: What they do there.
        referred_by: Address of the colleague who referred them.
    """
    for other in state.candidates:
        if same(other.email, email):
            raise conflict(f"{email} is the candidate {other.id} already.", type="duplicate_candidate")
    if source == "referral" and referred_by is None:
        raise invalid("Say who referred them with referred_by.", type="referrer_missing")
    return state.candidates.create(
        name=check_text(name, "name"),
        email=email,
        phone="",
        current_company=current_company,
        current_title=current_title,
        source=source,
        referred_by=referred_by,
        added_on=ctx.today,
    )


@service.tool(phrase="merge the candidate {duplicate_candidate_id} into {candidate_id}")
def merge_candidates(
    state: RecruitingState, ctx: CallContext, candidate_id: CandidateId, duplicate_candidate_id: CandidateId
) -> Json:
    """Merge a duplicate into another candidate: applications, documents and notes move, the duplicate is deleted.

    Someone who does not want to be contacted in either record stays so.
    Errors: `not_found`, `same_candidate`, `both_applied` (both have an active application for the same job).

    Args:
        candidate_id: Id of the candidate that stays.
        duplicate_candidate_id: Id of the candidate that goes.
    """
    kept, other = state.candidates.get(candidate_id), state.candidates.get(duplicate_candidate_id)
    if kept.id == other.id:
        raise invalid("A candidate cannot be merged into itself.", type="same_candidate")
    mine, theirs = (
        {row.job_id for row in state.applications.find(candidate_id=row_id, status="active")}
        for row_id in (kept.id, other.id)
    )
    if mine & theirs:
        raise conflict(f"Both have applied for {sorted(mine & theirs)[0]}; reject one first.", type="both_applied")
    for application in state.applications.find(candidate_id=other.id):
        state.applications.patch(application.id, candidate_id=kept.id)
    for paper in state.attachments.find(candidate_id=other.id):
        state.attachments.patch(paper.id, candidate_id=kept.id)
    for note in state.notes.find(candidate_id=other.id):
        state.notes.patch(note.id, candidate_id=kept.id)
    state.candidates.delete(other.id)
    state.candidates.patch(
        kept.id,
        phone=kept.phone or other.phone,
        do_not_contact=kept.do_not_contact or other.do_not_contact,
    )
    return get_candidate(state, ctx, kept.id)


@service.tool()
def get_attachment(
    state: RecruitingState, ctx: CallContext, attachment_id: Annotated[str, f.ref("attachments")]
) -> Attachment:
    """Read a document of a candidate, such as a résumé, a cover letter or a reference.

    Errors: `not_found`.

    Args:
        attachment_id: Id of the document.
    """
    return state.attachments.get(attachment_id)


@service.tool(phrase="add a note to the candidate {candidate_id}")
def add_note(
    state: RecruitingState, ctx: CallContext, candidate_id: CandidateId, text: Body, do_not_contact: bool = False
) -> Note:
    """Add a note to a candidate for the hiring team.

    Errors: `not_found`, `blank_text`.

    Args:
        candidate_id: Id of the candidate.
        text: What the team should know.
        do_not_contact: Also record that the candidate does not want to be contacted any more.
    """
    state.candidates.get(candidate_id)
    if do_not_contact:
        state.candidates.patch(candidate_id, do_not_contact=True)
    return state.notes.create(
        candidate_id=candidate_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )
