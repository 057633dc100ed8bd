"""Tools that find and read files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, ToolError
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.files.access import (
    FileId,
    FolderId,
    ancestors,
    described,
    file_rank,
    file_with,
    folder_rank,
    folder_with,
    path_of,
    used_kb,
)
from services_app.library.files.state import Classification, File, FilesState, Kind, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_range,
    cursor_page,
    keep,
    matches,
    same,
    search,
    with_fields,
)

FileOrder = Annotated[Literal["modified", "name", "size"], LABEL]
Line = Annotated[int, Field(ge=1, le=100_000)]
Version = Annotated[int, f.count("versions"), Field(ge=1)]


@service.tool()
def list_folders(
    state: FilesState, ctx: CallContext, query: Query | None = None, limit: Limit = 50, cursor: Cursor = ""
) -> Json:
    """List the folders that you can open, of all drives, by path.

    Args:
        query: Words in the path.
        limit: At most so many folders.
        cursor: next_cursor of the previous page.
    """
    rows = [
        with_fields(row, path=path_of(state, row), files=len(_present(state, row.id)))
        for row in state.folders
        if folder_rank(state, row) > 0
    ]
    found = sorted(search(rows, query, lambda row: (row["path"],)), key=lambda row: (row["path"], row["id"]))
    return cursor_page("folders", found, limit, cursor)


def _present(state: FilesState, folder_id: str) -> list[File]:
    return [row for row in state.files.find(folder_id=folder_id) if row.trashed_on is None]


@service.tool()
def list_folder_contents(
    state: FilesState,
    ctx: CallContext,
    folder_id: FolderId,
    order_by: FileOrder = "name",
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the files of a folder, the folders in it that you can open, and whom it is shared with.

    Errors: `not_found`, `no_access`.

    Args:
        folder_id: Id of the folder.
        order_by: Files by name, last modified or largest first.
        limit: At most so many files.
        cursor: next_cursor of the previous page.
    """
    folder = folder_with(state, folder_id, "viewer")
    page = cursor_page("files", _ordered(_present(state, folder_id), order_by), limit, cursor)
    page["files"] = [described(state, row) for row in page["files"]]
    inside = [row for row in state.folders.find(parent_id=folder_id) if folder_rank(state, row) > 0]
    shares = state.shares.find(folder_id=folder_id)
    return {**page, "folders": inside, "path": path_of(state, folder), "shared_with": shares}


def _ordered(rows: list[File], order_by: str) -> list[File]:
    rows = sorted(rows, key=lambda row: (row.name.casefold(), row.id))
    if order_by == "modified":
        rows.sort(key=lambda row: row.modified_at, reverse=True)
    if order_by == "size":
        rows.sort(key=lambda row: -row.size_kb)
    return rows


@service.tool()
def search_files(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: FilesState,
    ctx: CallContext,
    query: Query | None = None,
    folder_id: FolderId | None = None,
    kind: Kind | None = None,
    classification: Classification | None = None,
    owner_email: f.Email | None = None,
    modified_from: f.Date | None = None,
    modified_to: f.Date | None = None,
    order_by: FileOrder = "modified",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find files that you can open by words in their name, path or content.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words that must all occur.
        folder_id: Only files in this folder or below it.
        kind: Only files of this kind.
        classification: Only files with this label.
        owner_email: Only files of this owner.
        modified_from: Only files modified on or after this day.
        modified_to: Only files modified on or before this day.
        order_by: Last modified first, by name, or largest first.
        limit: At most so many files.
        cursor: next_cursor of the previous page.
    """
    check_range(modified_from, modified_to)
    found = [
        row
        for row in keep(state.files, kind=kind, classification=classification, owner_email=owner_email)
        if row.trashed_on is None
        and file_rank(state, row) > 0
        and (modified_from or "") <= row.modified_at[:10] <= (modified_to or "9")
        and (folder_id is None or _below(state, row, folder_id))
        and (query is None or matches(query, row.name, path_of(state, state.folders.get(row.folder_id)), row.content))
    ]
    page = cursor_page("files", _ordered(found, order_by), limit, cursor)
    page["files"] = [described(state, row) for row in page["files"]]
    return page


def _below(state: FilesState, file: File, folder_id: str) -> bool:
    return any(row.id == folder_id for row in ancestors(state, state.folders.get(file.folder_id)))


@service.tool()
def get_file_metadata(state: FilesState, ctx: CallContext, file_id: FileId) -> Json:
    """Show a file without its content: path, owner, label, lock, retention, and who it is shared with.

    Errors: `not_found`, `no_access`, `in_trash`.

    Args:
        file_id: Id of the file.
    """
    file = file_with(state, file_id, "viewer")
    return {
        **described(state, file),
        "lines": len(file.content.splitlines()),
        "shared_with": state.shares.find(file_id=file_id),
        "shared_links": state.shared_links.find(file_id=file_id),
    }


@service.tool()
def read_file(
    state: FilesState,
    ctx: CallContext,
    file_id: FileId,
    version: Version | None = None,
    from_line: Line = 1,
    max_lines: Limit = 60,
) -> Json:
    """Read the content of a file, of the present or of an earlier version.

    Errors: `not_found`, `no_access`, `in_trash`, `unknown_version`.

    Args:
        file_id: Id of the file.
        version: Number of the version; the present one, if left out.
        from_line: First line.
        max_lines: At most so many lines.
    """
    file = file_with(state, file_id, "viewer")
    content = file.content
    if version is not None and version != file.version:
        earlier = state.file_versions.first(file_id=file_id, number=version)
        if earlier is None:
            raise ToolError(404, "unknown_version", f"{file.name} has no version {version}; see list_file_versions.")
        content = earlier.content
    lines = content.splitlines()
    part = lines[from_line - 1 : from_line - 1 + max_lines]
    return {
        "file_id": file_id,
        "name": file.name,
        "version": version or file.version,
        "content": "\n".join(part),
        "from_line": from_line,
        "lines": len(lines),
        "has_more": from_line - 1 + max_lines < len(lines),
    }


@service.tool()
def get_storage_usage(state: FilesState, ctx: CallContext, owner_email: f.Email | None = None) -> Json:
    """Show for each drive its quota, what is used, what lies in the trash and the rule on sharing outside.

    Args:
        owner_email: Show also how much the files of this person take up.
    """
    rows = []
    for drive in state.drives:
        folders = {row.id for row in state.folders.find(drive_id=drive.id)}
        used = used_kb(state, drive.id)
        own = [row for row in state.files if row.folder_id in folders]
        rows.append(
            with_fields(
                drive,
                used_kb=used,
                left_kb=max(0, drive.quota_kb - used),
                trash_kb=sum(row.size_kb for row in own if row.trashed_on is not None),
                your_role=next(
                    (row.role for row in state.drive_members.find(drive_id=drive.id) if same(row.email, ME.email)), None
                ),
                owner_kb=sum(row.size_kb for row in own if owner_email and same(row.owner_email, owner_email)),
            )
        )
    return {"drives": rows, "total_used_kb": sum(row["used_kb"] for row in rows)}
