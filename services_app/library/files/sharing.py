"""Tools for shares and links."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.files.access import (
    FileId,
    FolderId,
    drive_of,
    file_with,
    folder_with,
)
from services_app.library.files.state import Audience, FilesState, Share, SharedLink, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_future,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)

Given = Annotated[Literal["viewer", "editor"], LABEL]
Password = Annotated[str, f.Semantic("code"), Field(min_length=6, max_length=40)]


def _check_outside(state: FilesState, folder_id: str, email: str, role: str) -> None:
    """Refuse what may not leave the company: 403 `external_sharing_off`, `outside_view_only`."""
    drive = drive_of(state, folder_id)
    if outside(email) and not drive.external_sharing:
        raise forbidden(
            f"Nothing in {drive.name} is shared outside; ask {drive.contact_email}.", type="external_sharing_off"
        )
    if outside(email) and role == "editor":
        raise forbidden(f"{email} is outside the company and may only view.", type="outside_view_only")


@service.tool(phrase="share the file {file_id} with {email}")
def share_file(
    state: FilesState, ctx: CallContext, file_id: FileId, email: f.Email, role: Given = "viewer", message: f.Text = ""
) -> Share:
    """Share a file of which you are editor; a share with the same person is replaced.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`, `own_address`, `external_sharing_off`,
    `outside_view_only`, `confidential_file` (never outside).

    Args:
        file_id: Id of the file.
        email: Who gets it.
        role: What they may do.
        message: A word to them.
    """
    file = file_with(state, file_id, "editor")
    if same(email, file.owner_email) or same(email, ME.email):
        raise conflict(f"{email} has the file already.", type="own_address")
    _check_outside(state, file.folder_id, email, role)
    if outside(email) and file.classification == "confidential":
        raise forbidden(f"{file.name} is confidential; it stays inside.", type="confidential_file")
    for row in state.shares.find(file_id=file_id):
        if same(row.email, email):
            return state.shares.patch(row.id, role=role, message=message)
    return state.shares.create(file_id=file_id, email=email, role=role, message=message)


@service.tool(phrase="share the folder {folder_id} with {email}")
def share_folder(
    state: FilesState,
    ctx: CallContext,
    folder_id: FolderId,
    email: f.Email,
    role: Given = "viewer",
    message: f.Text = "",
) -> Share:
    """Share a folder that you manage, with all that is in it; a share with the same person is replaced.

    Errors: `not_found`, `no_access`, `no_permission`, `own_address`, `external_sharing_off`, `outside_view_only`.

    Args:
        folder_id: Id of the folder.
        email: Who gets it.
        role: What they may do.
        message: A word to them.
    """
    folder_with(state, folder_id, "manager")
    if same(email, ME.email):
        raise conflict("You have the folder already; name somebody else.", type="own_address")
    _check_outside(state, folder_id, email, role)
    for row in state.shares.find(folder_id=folder_id):
        if same(row.email, email):
            return state.shares.patch(row.id, role=role, message=message)
    return state.shares.create(folder_id=folder_id, email=email, role=role, message=message)


@service.tool(phrase="take back the share {share_id}")
def remove_share(state: FilesState, ctx: CallContext, share_id: Annotated[str, f.ref("shares")]) -> Json:
    """Take back a share of a file of which you are editor, or of a folder that you manage.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`.

    Args:
        share_id: Id of the share, from get_file_metadata or list_folder_contents.
    """
    row = state.shares.get(share_id)
    if row.file_id is not None:
        file_with(state, row.file_id, "editor")
    else:
        folder_with(state, row.folder_id or "", "manager")
    state.shares.delete(share_id)
    return {"removed": share_id, "email": row.email, "file_id": row.file_id, "folder_id": row.folder_id}


@service.tool(phrase="make a link to the file {file_id}")
def create_shared_link(
    state: FilesState,
    ctx: CallContext,
    file_id: FileId,
    audience: Audience = "company",
    allow_download: bool = True,
    expires_on: f.Date | None = None,
    password: Password | None = None,
) -> SharedLink:
    """Make a link to a file of which you are editor; a file has one link per audience.

    Links for anyone end within 90 days and are never made for confidential files. Errors: `not_found`, `no_access`,
    `no_permission`, `in_trash`, `link_exists`, `external_sharing_off`, `confidential_file`, `end_date_needed`,
    `too_long`, `in_the_past`, `invalid_time`.

    Args:
        file_id: Id of the file.
        audience: Colleagues only, or anyone who has the link.
        allow_download: Whether the file can be downloaded or only viewed.
        expires_on: Last day; required for anyone.
        password: Asked for when the link is opened.
    """
    file = file_with(state, file_id, "editor")
    if state.shared_links.first(file_id=file_id, audience=audience):
        raise conflict(f"{file.name} has a link for {audience}; revoke it first.", type="link_exists")
    if expires_on is not None:
        check_future(ctx, f"{expires_on}T23:59:59Z", "last day")
    if audience == "anyone":
        _check_outside(state, file.folder_id, "anyone@outside.example", "viewer")
        if file.classification == "confidential":
            raise forbidden(f"{file.name} is confidential; make a link for the company.", type="confidential_file")
        if expires_on is None:
            raise conflict("A link for anyone needs expires_on.", type="end_date_needed")
        if expires_on > ctx.in_days(90):
            raise conflict(f"Links for anyone end by {ctx.in_days(90)} at the latest.", type="too_long")
    return state.shared_links.create(
        file_id=file_id,
        url=f"https://files.larkfield.example/s/{ctx.random.randrange(16**10):010x}",
        audience=audience,
        allow_download=allow_download,
        expires_on=expires_on,
        password=password or "",
        created_by_email=ME.email,
        created_on=ctx.today,
    )


@service.tool()
def list_shared_links(
    state: FilesState,
    ctx: CallContext,
    query: Query | None = None,
    audience: Audience | None = None,
    created_by_email: f.Email | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List shared links, the latest first, and whether they still work.

    Args:
        query: Words in the name of the file or in the link.
        audience: Only links for this audience.
        created_by_email: Only links made by this person.
        limit: At most so many links.
        cursor: next_cursor of the previous page.
    """
    rows = keep(state.shared_links, audience=audience, created_by_email=created_by_email)
    found = search(rows, query, lambda row: (state.files.get(row.file_id).name, row.url))
    found = newest_first(found, "created_on")
    page = cursor_page("links", found, limit, cursor)
    page["links"] = [
        with_fields(
            row,
            file_name=state.files.get(row.file_id).name,
            active=row.expires_on is None or row.expires_on >= ctx.today,
        )
        for row in page["links"]
    ]
    return page


@service.tool(phrase="revoke the shared link {link_id}")
def revoke_shared_link(state: FilesState, ctx: CallContext, link_id: Annotated[str, f.ref("shared_links")]) -> Json:
    """Revoke a shared link of a file of which you are editor.

    Errors: `not_found`, `no_access`, `no_permission`, `in_trash`.

    Args:
        link_id: Id of the link.
    """
    link = state.shared_links.get(link_id)
    file = file_with(state, link.file_id, "editor")
    state.shared_links.delete(link_id)
    return {"revoked": link.url, "file": file.name, "links_left": state.shared_links.count(file_id=file.id)}
