"""Tools that make, move and remove files."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.cast import ME
from services_app.library.files.access import (
    FileId,
    FolderId,
    changeable,
    check_quota,
    described,
    drive_of,
    file_rank,
    file_with,
    folder_with,
    new_name,
    path_of,
)
from services_app.library.files.state import Classification, File, FilesState, service
from services_app.library.files.versions import size_of
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    days_between,
    search,
    with_fields,
)

TRASH_DAYS = 30


@service.tool(phrase="make the folder {name} in {parent_id}")
def create_folder(state: FilesState, ctx: CallContext, parent_id: FolderId, name: Name) -> Json:
    """Make a folder in another one of which you are editor.

    Errors: `not_found`, `no_access`, `no_permission`, `name_taken`, `invalid_name`, `blank_text`.

    Args:
        parent_id: Id of the folder to put it in.
        name: Name of the new folder.
    """
    parent = folder_with(state, parent_id, "editor")
    folder = state.folders.create(
        drive_id=parent.drive_id, parent_id=parent_id, name=new_name(state, parent_id, name), created_at=ctx.now
    )
    return with_fields(folder, path=path_of(state, folder))


@service.tool(phrase="put the file {name} into the folder {folder_id}")
def upload_file(
    state: FilesState,
    ctx: CallContext,
    folder_id: FolderId,
    name: Name,
    content: Body,
    classification: Classification = "internal",
) -> Json:
    """Put a new text file into a folder of which you are editor.

    Errors: `not_found`, `no_access`, `no_permission`, `name_taken`, `invalid_name`, `quota_exceeded`, `blank_text`.

    Args:
        folder_id: Id of the folder.
        name: File name with extension.
        content: The text.
        classification: Label: public, internal or confidential.
    """
    folder = folder_with(state, folder_id, "editor")
    check_text(content, "content")
    check_quota(state, state.drives.get(folder.drive_id), size_of(content))
    file = state.files.create(
        folder_id=folder_id,
        name=new_name(state, folder_id, name),
        kind="text",
        content=content,
        size_kb=size_of(content),
        owner_email=ME.email,
        classification=classification,
        modified_at=ctx.now,
        modified_by_email=ME.email,
    )
    return described(state, file)


@service.tool(phrase="rename the file {file_id} to {name}")
def rename_file(state: FilesState, ctx: CallContext, file_id: FileId, name: Name) -> Json:
    """Rename a file of which you are editor.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `file_locked`, `name_taken`, `invalid_name`,
    `same_name`, `blank_text`.

    Args:
        file_id: Id of the file.
        name: New name with extension.
    """
    file = changeable(state, file_id)
    clean = new_name(state, file.folder_id, name, own=file_id)
    if clean == file.name:
        raise conflict(f"The file is called {clean} already.", type="same_name")
    return described(state, state.files.patch(file_id, name=clean))


@service.tool(phrase="move the file {file_id} to the folder {folder_id}")
def move_file(state: FilesState, ctx: CallContext, file_id: FileId, folder_id: FolderId) -> Json:
    """Move a file to another folder; you are editor of both. Confidential files stay in their drive.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `file_locked`, `same_folder`, `name_taken`,
    `confidential_file`, `quota_exceeded`.

    Args:
        file_id: Id of the file.
        folder_id: Id of the folder.
    """
    state.folders.get(folder_id)
    file = changeable(state, file_id)
    folder_with(state, folder_id, "editor")
    if file.folder_id == folder_id:
        raise conflict(f"{file.name} is in this folder already.", type="same_folder")
    before, after = drive_of(state, file.folder_id), drive_of(state, folder_id)
    if before.id != after.id:
        if file.classification == "confidential":
            raise forbidden(f"{file.name} is confidential and stays in {before.name}.", type="confidential_file")
        check_quota(state, after, file.size_kb)
    new_name(state, folder_id, file.name, own=file_id)
    return described(state, state.files.patch(file_id, folder_id=folder_id))


@service.tool(phrase="copy the file {file_id} into the folder {folder_id}")
def copy_file(
    state: FilesState, ctx: CallContext, file_id: FileId, folder_id: FolderId, name: Name | None = None
) -> Json:
    """Copy the present version of a file into a folder; the copy is yours. Confidential files stay in their drive.

    Errors: `not_found`, `no_access`, `no_permission` (in the folder), `in_trash`, `name_taken`, `invalid_name`,
    `confidential_file`, `quota_exceeded`, `blank_text`.

    Args:
        file_id: Id of the file.
        folder_id: Id of the folder for the copy.
        name: Name of the copy; that of the file, if left out.
    """
    state.folders.get(folder_id)
    file = file_with(state, file_id, "viewer")
    folder_with(state, folder_id, "editor")
    before, after = drive_of(state, file.folder_id), drive_of(state, folder_id)
    if before.id != after.id and file.classification == "confidential":
        raise forbidden(f"{file.name} is confidential and stays in {before.name}.", type="confidential_file")
    check_quota(state, after, file.size_kb)
    copy = state.files.create(
        folder_id=folder_id,
        name=new_name(state, folder_id, file.name if name is None else name),
        kind=file.kind,
        content=file.content,
        size_kb=file.size_kb,
        owner_email=ME.email,
        classification=file.classification,
        modified_at=ctx.now,
        modified_by_email=ME.email,
    )
    return {**described(state, copy), "copied_from": file_id}


@service.tool(phrase="move the file {file_id} to the trash")
def move_file_to_trash(state: FilesState, ctx: CallContext, file_id: FileId) -> Json:
    """Move a file to the trash; its shared links stop working. Files under retention stay.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `file_locked`, `under_retention`.

    Args:
        file_id: Id of the file.
    """
    file = changeable(state, file_id)
    if file.retain_until is not None and file.retain_until >= ctx.today:
        raise forbidden(f"{file.name} has to be kept until {file.retain_until}.", type="under_retention")
    links = state.shared_links.find(file_id=file_id)
    for link in links:
        state.shared_links.delete(link.id)
    trashed = state.files.patch(file_id, trashed_on=ctx.today)
    return {**described(state, trashed), "links_revoked": len(links)}


@service.tool()
def list_trash(
    state: FilesState, ctx: CallContext, query: Query | None = None, limit: Limit = 30, cursor: Cursor = ""
) -> Json:
    """List the files in the trash that you can open, the last deleted first, with the days left to restore them.

    Args:
        query: Words in the name.
        limit: At most so many files.
        cursor: next_cursor of the previous page.
    """
    rows = [row for row in state.files if row.trashed_on is not None and file_rank(state, row) > 0]
    found = search(rows, query, lambda row: (row.name,))
    found.sort(key=lambda row: (row.trashed_on or "", row.id), reverse=True)
    page = cursor_page("files", found, limit, cursor)
    page["files"] = [{**described(state, row), "days_left": _days_left(row, ctx.today)} for row in page["files"]]
    return page


def _days_left(file: File, today: str) -> int:
    return TRASH_DAYS - days_between(file.trashed_on or today, today)


@service.tool(phrase="restore the file {file_id} from the trash")
def restore_file(state: FilesState, ctx: CallContext, file_id: FileId) -> Json:
    """Take a file out of the trash into its folder; after thirty days it is too late.

    Errors: `not_found`, `no_access`, `no_permission`, `not_in_trash`, `retention_over`, `name_taken`.

    Args:
        file_id: Id of the file.
    """
    file = state.files.get(file_id)
    if file.trashed_on is None:
        raise conflict(f"{file_id} is not in the trash.", type="not_in_trash")
    folder_with(state, file.folder_id, "editor")
    if _days_left(file, ctx.today) < 0:
        raise conflict(f"{file.name} was deleted on {file.trashed_on}; it is gone.", type="retention_over")
    new_name(state, file.folder_id, file.name, own=file_id)
    return described(state, state.files.patch(file_id, trashed_on=None))
