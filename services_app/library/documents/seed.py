"""A company's documents: policies, guides, and what was agreed with customers."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.documents import texts
from services_app.library.documents.state import Document, DocumentsState, service

_FOLDERS = (
    ("Policies", None),
    ("Guides", None),
    ("Customers", None),
    ("Contracts", "Customers"),
    ("Minutes", "Customers"),
    ("Reports", "Customers"),
    ("Sites", "Customers"),
    ("Own notes", None),
)
_HOME = {"contract": "Contracts", "minutes": "Minutes", "report": "Reports", "guide": "Sites"}


@service.seed
def fill(state: DocumentsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    ids: dict[str, str] = {}
    for name, parent in _FOLDERS:
        ids[name] = state.folders.create(
            name=name, parent_id=ids[parent] if parent else None, created_at=ctx.moment(-700, 9)
        ).id
    for name, kind, body in texts.TEMPLATES:
        state.templates.create(name=name, kind=kind, body=body)
    for title, tags, body in texts.POLICIES:
        owner = ctx.random.choice(cast.team("finance") + cast.team("people"))
        document = _document(state, ctx, ids["Policies"], owner, title, "policy", body, tags, status="approved")
        state.documents.patch(document.id, review_by=ctx.date(ctx.random.randint(-40, 200)))
    for title, tags, body in texts.GUIDES:
        owner = ctx.random.choice(cast.staff[:12])
        _document(state, ctx, ids["Guides"], owner, title, "guide", body, tags)
    for project in cast.projects[: ctx.size(74)]:
        _about(state, ctx, cast, project, ids)
    for project in cast.projects[-ctx.size(5) :]:
        _reviewed(state, ctx, cast, project, ids["Own notes"])


def _about(state: DocumentsState, ctx: SeedContext, cast: Cast, project: Project, ids: dict[str, str]) -> None:
    """One document about a project, with comments, shares and perhaps reviews."""
    facts = people.facts(ctx, project)
    title, kind, tags, body = ctx.random.choice(texts.PROJECT)
    title, folder_id = title.format(**facts), ids[_HOME[kind]]
    if state.documents.first(folder_id=folder_id, title=title):
        return
    owner = ctx.random.choice((ME, project.owner, project.owner))
    status = ctx.random.choice(("draft", "draft", "in_review", "approved", "approved", "archived"))
    document = _document(state, ctx, folder_id, owner, title, kind, body.format(**facts), tags, status=status)
    if ctx.random.random() < 0.15:
        state.documents.patch(document.id, visibility="restricted")
    colleagues = ctx.random.sample([person for person in cast.staff[1:] if person is not owner], 3)
    for person in colleagues[: ctx.random.randint(0, 2)]:
        state.shares.create(
            document_id=document.id, email=person.email, role=ctx.random.choice(("viewer", "commenter", "editor"))
        )
    if owner is not ME and ctx.random.random() < 0.45:
        role = ctx.random.choice(("viewer", "editor", "editor"))
        state.shares.create(document_id=document.id, email=ME.email, role=role)
    for text in ctx.random.sample(texts.COMMENTS, ctx.random.choice((0, 1, 1, 2))):
        state.comments.create(
            document_id=document.id,
            author_email=ctx.random.choice((project.owner, *colleagues)).email,
            text=text.format(**facts),
            resolved=status in ("approved", "archived") or ctx.random.random() < 0.3,
            written_at=ctx.moment(-ctx.random.randint(1, 9), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )
    if status == "in_review":
        _reviews(state, ctx, document, owner, colleagues[2])


def _reviewed(state: DocumentsState, ctx: SeedContext, cast: Cast, project: Project, folder_id: str) -> None:
    """A plan of your own that its reviewer has approved: ready to be approved."""
    facts = people.facts(ctx, project)
    title, body = texts.PLAN
    document = _document(
        state, ctx, folder_id, ME, title.format(**facts), "note", body.format(**facts), ("plan",), status="in_review"
    )
    reviewer = ctx.random.choice(cast.staff[1:])
    state.shares.create(document_id=document.id, email=reviewer.email, role="commenter")
    state.reviews.create(
        document_id=document.id,
        reviewer_email=reviewer.email,
        decision="approved",
        remark="Fine as it is.",
        due_date=ctx.date(ctx.random.randint(1, 12)),
        requested_at=ctx.moment(-ctx.random.randint(2, 9), 9),
    )


def _reviews(state: DocumentsState, ctx: SeedContext, document: Document, owner: Person, colleague: Person) -> None:
    reviewers = [colleague] if owner is ME else [colleague, ME]
    for reviewer in reviewers:
        decision = ctx.random.choice(("pending", "approved", "approved", "changes_requested"))
        decision = "pending" if reviewer is ME and ctx.random.random() < 0.7 else decision
        state.reviews.create(
            document_id=document.id,
            reviewer_email=reviewer.email,
            decision=decision,
            remark=ctx.random.choice(texts.REMARKS) if decision == "changes_requested" else "",
            due_date=ctx.date(ctx.random.randint(-4, 12)),
            requested_at=ctx.moment(-ctx.random.randint(5, 9), 9),
        )
        if not any(share.email == reviewer.email for share in state.shares.find(document_id=document.id)):
            state.shares.create(document_id=document.id, email=reviewer.email, role="commenter")


def _document(  # noqa: PLR0913, PLR0917 - a document has these parts
    state: DocumentsState,
    ctx: SeedContext,
    folder_id: str,
    owner: Person,
    title: str,
    kind: str,
    body: str,
    tags: tuple[str, ...],
    status: str = "approved",
) -> Document:
    """A document with one or two versions."""
    versions = ctx.random.choice((1, 2, 2))
    saved = -ctx.random.randint(10, 120)
    document = state.documents.create(
        folder_id=folder_id,
        title=title,
        kind=kind,
        body=body,
        status=status,
        owner_email=owner.email,
        tags=tags,
        version=versions,
        updated_at=ctx.moment(saved, 15),
        updated_by=owner.email,
    )
    for version in range(1, versions + 1):
        first = versions > 1 and version == 1
        state.revisions.create(
            document_id=document.id,
            version=version,
            title=title,
            body=body.split("\n\n", 1)[0] if first else body,
            summary="First draft." if version == 1 else "Completed after comments.",
            author_email=owner.email,
            saved_at=ctx.moment(saved - (9 if first else 0), 14),
        )
    return document
