"""Tools that look at documents, folders, versions, comments and reviews."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.documents.access import (
    DocumentId,
    FolderId,
    described,
    folder_path,
    readable,
    role_of,
    row,
)
from services_app.library.documents.state import Decision, DocumentsState, DocumentStatus, Kind, Revision, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    keep,
    newest_first,
    search,
    with_fields,
)


@service.tool()
def search_documents(
    state: DocumentsState,
    ctx: CallContext,
    query: Query | None = None,
    kind: Kind | None = None,
    status: DocumentStatus | None = None,
    owner_email: f.Email | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find documents you may read by words in the title, text or tags, last changed first.

    Archived documents are left out unless asked for. get_document has the text.

    Args:
        query: Words that must all occur.
        kind: Only documents of this kind.
        status: Only documents in this status.
        owner_email: Only documents owned by this person.
        limit: At most so many documents.
        cursor: next_cursor of the previous page.
    """
    found = search(state.documents, query, lambda item: (item.title, item.body, *item.tags))
    found = keep(found, kind=kind, status=status, owner_email=owner_email)
    found = [item for item in found if (status or item.status != "archived") and role_of(state, item) != "none"]
    found = newest_first(found, "updated_at")
    page = cursor_page("documents", found, limit, cursor)
    page["documents"] = [row(state, item) for item in page["documents"]]
    return page


@service.tool()
def get_document(state: DocumentsState, ctx: CallContext, document_id: DocumentId) -> Json:
    """Read a document: text, status, version, word count, people it is shared with, reviews and your role.

    Errors: `not_found` (also for documents that you may not read).

    Args:
        document_id: Id of the document.
    """
    document = readable(state, document_id)
    return {
        **described(state, document),
        "shares": [brief(item, "email", "role") for item in state.shares.find(document_id=document_id)],
        "reviews": [
            brief(item, "id", "reviewer_email", "decision", "remark", "due_date")
            for item in state.reviews.find(document_id=document_id)
        ],
    }


@service.tool()
def list_folder(state: DocumentsState, ctx: CallContext, folder_id: FolderId | None = None) -> Json:
    """List what is in a folder: subfolders with the number of their documents, and documents you may read.

    Errors: `not_found`.

    Args:
        folder_id: Id of the folder; the top level, if left out.
    """
    path = folder_path(state, state.folders.get(folder_id).id) if folder_id else ""
    folders = [
        with_fields(item, documents=state.documents.count(folder_id=item.id))
        for item in state.folders.find(parent_id=folder_id)
    ]
    inside = state.documents.find(folder_id=folder_id) if folder_id else []
    documents = [row(state, item) for item in inside if role_of(state, item) != "none"]
    return {"path": path, "folders": folders, "documents": documents, "total": len(folders) + len(documents)}


@service.tool()
def list_revisions(state: DocumentsState, ctx: CallContext, document_id: DocumentId) -> Json:
    """List the versions of a document, newest first, without their text.

    Errors: `not_found`.

    Args:
        document_id: Id of the document.
    """
    readable(state, document_id)
    found = sorted(state.revisions.find(document_id=document_id), key=lambda item: item.version, reverse=True)
    rows = [brief(item, "id", "version", "title", "summary", "author_email", "saved_at") for item in found]
    return {"revisions": rows, "total": len(rows)}


@service.tool()
def get_revision(state: DocumentsState, ctx: CallContext, document_id: DocumentId, version: int) -> Revision:
    """Read an earlier version of a document.

    Errors: `not_found`, `unknown_version`.

    Args:
        document_id: Id of the document.
        version: Number of the version, from list_revisions.
    """
    readable(state, document_id)
    found = state.revisions.first(document_id=document_id, version=version)
    if found is None:
        raise ToolError(404, "unknown_version", f"Document {document_id} has no version {version}.")
    return found


@service.tool()
def list_comments(
    state: DocumentsState,
    ctx: CallContext,
    document_id: DocumentId | None = None,
    query: Query | None = None,
    author_email: f.Email | None = None,
    open_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List comments, newest first, on one document or on all that you may read.

    Errors: `not_found`.

    Args:
        document_id: Only comments on this document.
        query: Words in the text.
        author_email: Only comments by this person.
        open_only: Only comments that are not resolved.
        limit: At most so many comments.
        cursor: next_cursor of the previous page.
    """
    if document_id is not None:
        readable(state, document_id)
    hidden = {item.id for item in state.documents if role_of(state, item) == "none"}
    found = search(state.comments, query, lambda item: (item.text,))
    found = keep(found, document_id=document_id, author_email=author_email)
    found = [item for item in found if item.document_id not in hidden and not (open_only and item.resolved)]
    found = newest_first(found, "written_at")
    return cursor_page("comments", found, limit, cursor)


@service.tool()
def list_reviews(
    state: DocumentsState,
    ctx: CallContext,
    reviewer_email: f.Email | None = None,
    decision: Decision | None = None,
    overdue_only: bool = False,
) -> Json:
    """List reviews that have been asked for, next due first; yours, if no reviewer is named.

    Args:
        reviewer_email: Whose reviews.
        decision: Only reviews with this outcome.
        overdue_only: Only pending reviews whose due date is over.
    """
    rows = []
    for item in keep(state.reviews, reviewer_email=reviewer_email or ME.email, decision=decision):
        overdue = item.decision == "pending" and item.due_date < ctx.today
        document = state.documents.first(id=item.document_id)
        if document is not None and role_of(state, document) != "none" and (overdue or not overdue_only):
            rows.append(with_fields(item, title=document.title, overdue=overdue))
    rows.sort(key=lambda item: (item["due_date"], item["id"]))
    return {"reviews": rows, "total": len(rows)}


@service.tool()
def list_templates(state: DocumentsState, ctx: CallContext, kind: Kind | None = None) -> Json:
    """List the templates that documents can be made from, with the slots to fill.

    Args:
        kind: Only templates of this kind.
    """
    rows = [with_fields(item, slots=slots_of(item.body)) for item in keep(state.templates, kind=kind)]
    return {"templates": rows, "total": len(rows)}


def slots_of(body: str) -> list[str]:
    """Names of the slots of a template, in the order in which they occur."""
    names = [part.split("}}", 1)[0].strip() for part in body.split("{{")[1:] if "}}" in part]
    return list(dict.fromkeys(names))


@service.tool()
def documents_due(state: DocumentsState, ctx: CallContext, before: f.Date | None = None) -> Json:
    """List approved documents whose content has to be looked at again, the most urgent first.

    Args:
        before: Only documents due on this day or earlier; today, if left out.
    """
    limit = before or ctx.today
    found = [
        item
        for item in state.documents.find(status="approved")
        if item.review_by is not None and item.review_by <= limit and role_of(state, item) != "none"
    ]
    found.sort(key=lambda item: (item.review_by or "", item.id))
    return {"documents": [row(state, item) for item in found], "total": len(found)}
