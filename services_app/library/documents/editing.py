"""Tools that write: new documents, changes of text, versions, folders."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, ToolError, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.documents.access import (
    DocumentId,
    FolderId,
    described,
    editable,
    folder_path,
    needs,
    save,
)
from services_app.library.documents.reading import slots_of
from services_app.library.documents.state import Document, DocumentsState, Kind, service
from services_app.library.shared import (
    Body,
    Json,
    Name,
    check_date,
    check_text,
    same,
    some_changes,
    with_fields,
)

Tag = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
LONGEST = 60_000


def _new_title(state: DocumentsState, folder_id: str, title: str, own: str = "") -> str:
    """A title not yet used in its folder; 409 `duplicate_title` otherwise."""
    clean = check_text(title, "title")
    for other in state.documents.find(folder_id=folder_id):
        if same(other.title, clean) and other.status != "archived" and other.id != own:
            raise conflict(f"Document {other.id} in this folder has the title {clean!r}.", type="duplicate_title")
    return clean


def _create(state: DocumentsState, ctx: CallContext, folder_id: str, title: str, body: str, kind: str) -> Document:
    state.folders.get(folder_id)
    document = state.documents.create(
        folder_id=folder_id,
        title=_new_title(state, folder_id, title),
        kind=kind,
        body=body,
        status="draft",
        owner_email=ME.email,
        updated_at=ctx.now,
        updated_by=ME.email,
    )
    state.revisions.create(
        document_id=document.id,
        version=1,
        title=document.title,
        body=body,
        summary="Created.",
        author_email=ME.email,
        saved_at=ctx.now,
    )
    return document


@service.tool(phrase="write the document {title}")
def create_document(
    state: DocumentsState, ctx: CallContext, folder_id: FolderId, title: Name, body: Body, kind: Kind = "note"
) -> Json:
    """Write a new document as a draft that you own; titles are unique within a folder.

    Errors: `not_found` (folder), `duplicate_title`, `blank_text`.

    Args:
        folder_id: Id of the folder.
        title: Title of the document.
        body: Its text.
        kind: What it is.
    """
    return described(state, _create(state, ctx, folder_id, title, check_text(body, "body"), kind))


@service.tool(
    phrase="write {title} from the template {template_id}",
    examples=(
        Example(
            {
                "template_id": "TPL-003",
                "folder_id": "FLD-008",
                "title": "Status of the rollout",
                "values": {"project": "Rollout", "status": "on schedule", "done": "two sites", "next": "training"},
            }
        ),
    ),
)
def create_from_template(
    state: DocumentsState,
    ctx: CallContext,
    template_id: Annotated[str, f.ref("templates")],
    folder_id: FolderId,
    title: Name,
    values: dict[str, str],
) -> Json:
    """Write a new document from a template, with a value for each of its slots.

    Errors: `not_found` (template or folder), `slots_missing`, `unknown_slots`, `duplicate_title`, `blank_text`.

    Args:
        template_id: Id of the template, from list_templates.
        folder_id: Id of the folder.
        title: Title of the document.
        values: Slot name to text.
    """
    template = state.templates.get(template_id)
    slots = slots_of(template.body)
    missing = [slot for slot in slots if not values.get(slot, "").strip()]
    if missing:
        raise invalid(f"Values are missing for {', '.join(missing)}.", type="slots_missing")
    unknown = sorted(values.keys() - set(slots))
    if unknown:
        raise invalid(f"The template has no slots {', '.join(unknown)}.", type="unknown_slots")
    body = template.body
    for slot in slots:
        body = body.replace("{{" + slot + "}}", values[slot].strip())
    return described(state, _create(state, ctx, folder_id, title, body, template.kind))


@service.tool(phrase="add a paragraph to the document {document_id}")
def append_text(
    state: DocumentsState, ctx: CallContext, document_id: DocumentId, text: Body, heading: f.Title = ""
) -> Json:
    """Add a paragraph at the end of a document, as a new version.

    Errors: `not_found`, `no_permission` (you are not an editor), `document_locked` (approved or archived),
    `too_long`, `blank_text`.

    Args:
        document_id: Id of the document.
        text: The paragraph.
        heading: Heading above it.
    """
    document = editable(state, document_id)
    part = f"## {heading.strip()}\n\n{text}" if heading.strip() else text
    check_text(text, "text")
    return _saved(state, ctx, document, f"{document.body}\n\n{part}", "Paragraph added.")


def _saved(state: DocumentsState, ctx: CallContext, document: Document, body: str, summary: str) -> Json:
    if len(body) > LONGEST:
        raise invalid(f"A document holds at most {LONGEST} characters.", type="too_long")
    return described(state, save(state, ctx, document, body, summary))


@service.tool(
    phrase="replace {find} by {replacement} in the document {document_id}",
    examples=(Example({"document_id": "DOC-0043", "find": "Goal:", "replacement": "Aim:"}),),
)
def replace_text(
    state: DocumentsState,
    ctx: CallContext,
    document_id: DocumentId,
    find: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=2000)],
    replacement: Annotated[str, f.Semantic("text"), Field(max_length=2000)],
    all_occurrences: bool = False,
) -> Json:
    """Replace a passage of a document, as a new version. Upper and lower case count.

    Errors: `not_found`, `no_permission`, `document_locked`, `text_not_found`, `ambiguous` (it occurs more than once:
    quote more of it, or replace all), `same_text`, `too_long`.

    Args:
        document_id: Id of the document.
        find: The passage as it stands.
        replacement: What to put in its place; empty removes it.
        all_occurrences: Replace every occurrence.
    """
    document = editable(state, document_id)
    count = document.body.count(find)
    if count == 0:
        raise invalid("The passage does not occur in the document.", type="text_not_found")
    if count > 1 and not all_occurrences:
        raise conflict(f"The passage occurs {count} times.", type="ambiguous")
    if find == replacement:
        raise conflict("The two passages are the same.", type="same_text")
    result = _saved(state, ctx, document, document.body.replace(find, replacement), f"{count} passage(s) replaced.")
    return {**result, "replaced": count}


@service.tool(phrase="restore version {version} of {document_id}")
def restore_revision(state: DocumentsState, ctx: CallContext, document_id: DocumentId, version: int) -> Json:
    """Make the text of an earlier version the current one, as a new version.

    Errors: `not_found`, `no_permission`, `document_locked`, `unknown_version`, `current_version`.

    Args:
        document_id: Id of the document.
        version: Number of the earlier version.
    """
    document = editable(state, document_id)
    if version == document.version:
        raise conflict(f"Version {version} is the current one.", type="current_version")
    found = state.revisions.first(document_id=document_id, version=version)
    if found is None:
        raise ToolError(404, "unknown_version", f"Document {document_id} has no version {version}.")
    return _saved(state, ctx, document, found.body, f"Version {version} restored.")


@service.tool(phrase="update the details of {document_id}")
def update_details(
    state: DocumentsState,
    ctx: CallContext,
    document_id: DocumentId,
    title: Name | Unset = UNSET,
    kind: Kind | Unset = UNSET,
    tags: list[Tag] | Unset = UNSET,
    review_by: f.Date | Unset = UNSET,
) -> Json:
    """Change title, kind, tags or review date of a document; what is not sent stays as it is.

    Errors: `not_found`, `no_permission`, `document_locked`, `nothing_to_change`, `duplicate_title`, `in_the_past`,
    `invalid_date`, `blank_text`.

    Args:
        document_id: Id of the document.
        title: New title.
        kind: New kind.
        tags: All tags, replacing the earlier ones.
        review_by: Day by which the content has to be looked at again.
    """
    document = editable(state, document_id)
    changes = some_changes(given(title=title, kind=kind, tags=tags, review_by=review_by))
    if "title" in changes:
        changes["title"] = _new_title(state, document.folder_id, changes["title"], own=document_id)
    if "tags" in changes:
        changes["tags"] = tuple(dict.fromkeys(changes["tags"]))
    if "review_by" in changes and check_date(changes["review_by"]) < ctx.today:
        raise invalid(f"{review_by} is over; today is {ctx.today}.", type="in_the_past")
    return described(state, state.documents.patch(document_id, **changes))


@service.tool(phrase="move {document_id} to the folder {folder_id}")
def move_document(state: DocumentsState, ctx: CallContext, document_id: DocumentId, folder_id: FolderId) -> Json:
    """Move a document to another folder.

    Errors: `not_found`, `no_permission`, `already_there`, `duplicate_title` (the folder has one with this title).

    Args:
        document_id: Id of the document.
        folder_id: Id of the folder.
    """
    document = needs(state, document_id, "editor")
    state.folders.get(folder_id)
    if document.folder_id == folder_id:
        raise conflict(f"{document.title!r} is in this folder already.", type="already_there")
    _new_title(state, folder_id, document.title, own=document_id)
    return described(state, state.documents.patch(document_id, folder_id=folder_id))


@service.tool(phrase="archive {document_id}")
def archive_document(state: DocumentsState, ctx: CallContext, document_id: DocumentId) -> Json:
    """Archive a document that you own; it can no longer be changed or found by default.

    Errors: `not_found`, `no_permission` (only the owner), `already_archived`, `reviews_pending`.

    Args:
        document_id: Id of the document.
    """
    document = needs(state, document_id, "owner")
    if document.status == "archived":
        raise conflict(f"{document.title!r} is archived already.", type="already_archived")
    if state.reviews.first(document_id=document_id, decision="pending"):
        raise conflict("Reviews are pending; wait for them.", type="reviews_pending")
    return described(state, state.documents.patch(document_id, status="archived"))


@service.tool(phrase="reopen the document {document_id}")
def reopen_document(state: DocumentsState, ctx: CallContext, document_id: DocumentId) -> Json:
    """Turn an approved or archived document into a draft, so that it can be changed.

    Errors: `not_found`, `no_permission`, `not_locked`, `duplicate_title`.

    Args:
        document_id: Id of the document.
    """
    document = needs(state, document_id, "editor")
    if document.status not in ("approved", "archived"):
        raise conflict(f"{document.title!r} is {document.status}; it can be changed as it is.", type="not_locked")
    _new_title(state, document.folder_id, document.title, own=document_id)
    return described(state, state.documents.patch(document_id, status="draft"))


@service.tool(phrase="create the folder {name}")
def create_folder(state: DocumentsState, ctx: CallContext, name: Name, parent_id: FolderId | None = None) -> Json:
    """Create a folder; names are unique within their parent, and folders are at most five deep.

    Errors: `not_found` (parent), `duplicate_folder`, `too_deep`, `blank_text`.

    Args:
        name: Name of the folder.
        parent_id: Folder to put it in; the top level, if left out.
    """
    clean = check_text(name, "name")
    if parent_id is not None:
        state.folders.get(parent_id)
        if folder_path(state, parent_id).count(" / ") >= 4:
            raise invalid("Folders are at most five deep.", type="too_deep")
    if any(same(item.name, clean) for item in state.folders.find(parent_id=parent_id)):
        raise conflict(f"There is a folder {clean!r} here already.", type="duplicate_folder")
    folder = state.folders.create(name=clean, parent_id=parent_id, created_at=ctx.now)
    return with_fields(folder, path=folder_path(state, folder.id))
