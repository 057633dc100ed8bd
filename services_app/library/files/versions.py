"""Tools for versions and locks."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.files.access import (
    RANK,
    FileId,
    changeable,
    check_quota,
    described,
    drive_of,
    file_rank,
    file_with,
)
from services_app.library.files.browsing import Version
from services_app.library.files.state import File, FilesState, service
from services_app.library.shared import Body, Json, check_text, same


def size_of(content: str) -> int:
    """Kilobytes of a text, at least one."""
    return max(1, -(-len(content.encode()) // 1024))


def save(state: FilesState, ctx: CallContext, file: File, content: str) -> File:
    """Give a file a new content; the former one is kept as a version."""
    check_text(content, "content")
    state.file_versions.create(
        file_id=file.id,
        number=file.version,
        content=file.content,
        size_kb=file.size_kb,
        saved_at=file.modified_at,
        saved_by_email=file.modified_by_email,
    )
    return state.files.patch(
        file.id,
        content=content,
        size_kb=size_of(content),
        version=file.version + 1,
        modified_at=ctx.now,
        modified_by_email=ME.email,
    )


@service.tool(phrase="save a new version of the file {file_id}")
def update_file_content(state: FilesState, ctx: CallContext, file_id: FileId, content: Body) -> Json:
    """Replace the content of a text file as a new version.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `file_locked`, `not_text`, `quota_exceeded`,
    `blank_text`.

    Args:
        file_id: Id of the file.
        content: The new text, whole.
    """
    file = changeable(state, file_id)
    if file.kind != "text":
        raise conflict(f"{file.name} is a {file.kind}; only text files are edited here.", type="not_text")
    check_quota(state, drive_of(state, file.folder_id), size_of(content))
    return described(state, save(state, ctx, file, content))


@service.tool()
def list_file_versions(state: FilesState, ctx: CallContext, file_id: FileId) -> Json:
    """List the present and the earlier versions of a file, newest first; read_file shows what is in them.

    Errors: `not_found`, `no_access`, `in_trash`.

    Args:
        file_id: Id of the file.
    """
    file = file_with(state, file_id, "viewer")
    rows = [
        {
            "version": file.version,
            "size_kb": file.size_kb,
            "saved_at": file.modified_at,
            "saved_by_email": file.modified_by_email,
        }
    ]
    for row in sorted(state.file_versions.find(file_id=file_id), key=lambda row: -row.number):
        rows.append(
            {
                "version": row.number,
                "size_kb": row.size_kb,
                "saved_at": row.saved_at,
                "saved_by_email": row.saved_by_email,
            }
        )
    return {"file_id": file_id, "name": file.name, "versions": rows, "total": len(rows)}


@service.tool(phrase="restore version {version} of the file {file_id}")
def restore_file_version(state: FilesState, ctx: CallContext, file_id: FileId, version: Version) -> Json:
    """Make an earlier version the present one again; this saves a new version.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `file_locked`, `unknown_version`, `quota_exceeded`.

    Args:
        file_id: Id of the file.
        version: Number of the earlier version.
    """
    file = changeable(state, file_id)
    earlier = state.file_versions.first(file_id=file_id, number=version)
    if earlier is None:
        raise ToolError(404, "unknown_version", f"{file.name} has no earlier version {version}.")
    check_quota(state, drive_of(state, file.folder_id), earlier.size_kb)
    save(state, ctx, file, earlier.content)
    return described(state, state.files.patch(file_id, size_kb=earlier.size_kb))


@service.tool(phrase="lock the file {file_id}")
def lock_file(state: FilesState, ctx: CallContext, file_id: FileId, reason: f.Text = "") -> Json:
    """Lock a file of which you are editor, so that nobody else changes it.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `file_locked`.

    Args:
        file_id: Id of the file.
        reason: Why, for the others.
    """
    file = file_with(state, file_id, "editor")
    if file.locked_by_email is not None:
        raise conflict(f"{file.name} is locked by {file.locked_by_email}; unlock it first.", type="file_locked")
    return described(state, state.files.patch(file_id, locked_by_email=ME.email, lock_reason=reason))


@service.tool(phrase="unlock the file {file_id}")
def unlock_file(state: FilesState, ctx: CallContext, file_id: FileId) -> Json:
    """Unlock a file that you have locked; managers also unlock what others have locked.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `not_locked`, `not_your_lock`.

    Args:
        file_id: Id of the file.
    """
    file = file_with(state, file_id, "editor")
    if file.locked_by_email is None:
        raise conflict(f"{file.name} is not locked.", type="not_locked")
    if not same(file.locked_by_email, ME.email) and file_rank(state, file) < RANK["manager"]:
        raise forbidden(f"{file.name} is locked by {file.locked_by_email}; ask them.", type="not_your_lock")
    return described(state, state.files.patch(file_id, locked_by_email=None, lock_reason=""))
