"""Who may see and change what. A role comes from the drive, from a folder above, or from the file itself."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.files.state import Drive, File, FilesState, Folder
from services_app.library.shared import Json, check_text, same

FolderId = Annotated[str, f.ref("folders")]
FileId = Annotated[str, f.ref("files")]
RANK = {"viewer": 1, "editor": 2, "manager": 3}


def ancestors(state: FilesState, folder: Folder) -> list[Folder]:
    """A folder and those above it, from the inside out."""
    found = [folder]
    while found[-1].parent_id is not None:
        found.append(state.folders.get(found[-1].parent_id))
    return found


def folder_rank(state: FilesState, folder: Folder) -> int:
    """Your rank in a folder: 0 none, 1 viewer, 2 editor, 3 manager."""
    chain = ancestors(state, folder)
    ids = {row.id for row in chain}
    ranks = [RANK[row.role] for row in state.shares if row.folder_id in ids and same(row.email, ME.email)]
    if not any(row.restricted for row in chain):
        members = state.drive_members.find(drive_id=folder.drive_id)
        ranks += [RANK[row.role] for row in members if same(row.email, ME.email)]
    return max(ranks, default=0)


def file_rank(state: FilesState, file: File) -> int:
    """Your rank for a file; its owner is a manager."""
    if same(file.owner_email, ME.email):
        return RANK["manager"]
    own = [RANK[row.role] for row in state.shares.find(file_id=file.id) if same(row.email, ME.email)]
    return max([*own, folder_rank(state, state.folders.get(file.folder_id))])


def drive_of(state: FilesState, folder_id: str) -> Drive:
    return state.drives.get(state.folders.get(folder_id).drive_id)


def folder_with(state: FilesState, folder_id: str, role: str) -> Folder:
    """A folder in which you have at least this role; 403 `no_access` | `no_permission` otherwise."""
    folder = state.folders.get(folder_id)
    _check(folder_rank(state, folder), role, folder.name, state.drives.get(folder.drive_id).contact_email)
    return folder


def file_with(state: FilesState, file_id: str, role: str) -> File:
    """A file, not in the trash, for which you have at least this role; 403, or 409 `in_trash`, otherwise."""
    file = state.files.get(file_id)
    _check(file_rank(state, file), role, file.name, file.owner_email)
    if file.trashed_on is not None:
        raise conflict(f"{file_id} is in the trash since {file.trashed_on}; restore it first.", type="in_trash")
    return file


def _check(rank: int, role: str, name: str, contact: str) -> None:
    if rank == 0:
        raise forbidden(f"You have no access; ask {contact}.", type="no_access")
    if rank < RANK[role]:
        raise forbidden(f"You are not {role} of {name}; ask {contact}.", type="no_permission")


def changeable(state: FilesState, file_id: str) -> File:
    """A file that you may change now: editor, and not locked by somebody else (409 `file_locked`)."""
    file = file_with(state, file_id, "editor")
    if file.locked_by_email is not None and not same(file.locked_by_email, ME.email):
        raise conflict(f"{file.name} is locked by {file.locked_by_email}: {file.lock_reason}", type="file_locked")
    return file


def new_name(state: FilesState, folder_id: str, name: str, own: str = "") -> str:
    """A name that nothing else in a folder has; 422 `invalid_name`, 409 `name_taken` otherwise."""
    clean = check_text(name, "name")
    if any(char in clean for char in '/\\:*?"|'):
        raise invalid(f'The name {clean!r} has one of / \\ : * ? " | in it.', type="invalid_name")
    files = [row for row in state.files.find(folder_id=folder_id) if row.trashed_on is None and row.id != own]
    folders = state.folders.find(parent_id=folder_id)
    if any(same(other, clean) for other in [*(row.name for row in files), *(row.name for row in folders)]):
        raise conflict(f"The folder has {clean!r} already; choose another name.", type="name_taken")
    return clean


def used_kb(state: FilesState, drive_id: str) -> int:
    """What files, their versions and the trash take up in a drive."""
    folders = {row.id for row in state.folders.find(drive_id=drive_id)}
    files = {row.id: row.size_kb for row in state.files if row.folder_id in folders}
    return sum(files.values()) + sum(row.size_kb for row in state.file_versions if row.file_id in files)


def check_quota(state: FilesState, drive: Drive, size_kb: int) -> None:
    """409 `quota_exceeded` when a drive has no room for so much more."""
    left = drive.quota_kb - used_kb(state, drive.id)
    if size_kb > left:
        raise conflict(
            f"{drive.name} has {max(0, left)} KB left, {size_kb} are needed; empty its trash or use another drive.",
            type="quota_exceeded",
        )


def path_of(state: FilesState, folder: Folder) -> str:
    names = [row.name for row in reversed(ancestors(state, folder))]
    return "/".join(["", state.drives.get(folder.drive_id).name, *names])


def described(state: FilesState, file: File) -> Json:
    """A file as answers show it: without its content, with path and your role."""
    shown = file.plain()
    del shown["content"]
    folder = state.folders.get(file.folder_id)
    rank = file_rank(state, file)
    return {
        **shown,
        "path": f"{path_of(state, folder)}/{file.name}",
        "drive": state.drives.get(folder.drive_id).name,
        "your_role": next((role for role, value in RANK.items() if value == rank), None),
        "shares": state.shares.count(file_id=file.id),
        "links": state.shared_links.count(file_id=file.id),
    }
