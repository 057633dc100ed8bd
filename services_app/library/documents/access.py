"""What you may do with a document, and how a change of its text is kept."""

from __future__ import annotations

import re
from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, not_found
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.documents.state import RANK, Document, DocumentsState
from services_app.library.shared import Json, same

DocumentId = Annotated[str, f.ref("documents")]
FolderId = Annotated[str, f.ref("folders")]


def role_of(state: DocumentsState, document: Document) -> str:
    """Your role: owner, editor, commenter, viewer or none."""
    if same(document.owner_email, ME.email):
        return "owner"
    for share in state.shares.find(document_id=document.id):
        if same(share.email, ME.email):
            return share.role
    return "commenter" if document.visibility == "company" else "none"


def readable(state: DocumentsState, document_id: str) -> Document:
    """A document that you may read; 404 for others, as if they did not exist."""
    document = state.documents.get(document_id)
    if role_of(state, document) == "none":
        raise not_found("document", document_id)
    return document


def needs(state: DocumentsState, document_id: str, role: str) -> Document:
    """A document on which you have at least this role; 403 `no_permission` otherwise."""
    document = readable(state, document_id)
    own = role_of(state, document)
    if RANK[own] < RANK[role]:
        raise forbidden(
            f"You are {own} of {document.title!r}; this needs {role}. Ask {document.owner_email}.", type="no_permission"
        )
    return document


def editable(state: DocumentsState, document_id: str) -> Document:
    """A document whose text you may change now."""
    document = needs(state, document_id, "editor")
    if document.status in ("approved", "archived"):
        raise conflict(
            f"{document.title!r} is {document.status}; use reopen_document before changing it.", type="document_locked"
        )
    return document


def save(state: DocumentsState, ctx: CallContext, document: Document, body: str, summary: str) -> Document:
    """Store a new text as the next version; answers to open reviews are asked for again."""
    changed = state.documents.patch(
        document.id, body=body, version=document.version + 1, updated_at=ctx.now, updated_by=ME.email
    )
    state.revisions.create(
        document_id=document.id,
        version=changed.version,
        title=changed.title,
        body=body,
        summary=summary,
        author_email=ME.email,
        saved_at=ctx.now,
    )
    for review in state.reviews.find(document_id=document.id):
        if document.status == "in_review" and review.decision != "pending":
            state.reviews.patch(review.id, decision="pending", remark="")
    return changed


def words_in(text: str) -> int:
    return len(re.findall(r"\w+", text))


def folder_path(state: DocumentsState, folder_id: str) -> str:
    """Names of the folders from the top: `Customers / Contracts`."""
    names: list[str] = []
    current: str | None = folder_id
    while current is not None and current in state.folders and len(names) < 20:
        folder = state.folders.get(current)
        names.insert(0, folder.name)
        current = folder.parent_id
    return " / ".join(names)


def row(state: DocumentsState, document: Document) -> Json:
    """A document as list answers show it: without its text."""
    shown: Json = {name: value for name, value in document.plain().items() if name != "body"}
    shown["folder"] = folder_path(state, document.folder_id)
    shown["words"] = words_in(document.body)
    shown["open_comments"] = state.comments.count(document_id=document.id, resolved=False)
    return shown


def described(state: DocumentsState, document: Document) -> Json:
    """A document with its text and your role."""
    return {**row(state, document), "body": document.body, "your_role": role_of(state, document)}
