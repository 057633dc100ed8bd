"""Tools for who has access."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.secrets.rights import active, need, note, user
from services_app.library.secrets.state import Grant, GroupId, Note, Role, SecretsState, VaultId, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    check_date,
    cursor_page,
    keep,
    with_fields,
)


def grant_row(state: SecretsState, ctx: CallContext, grant: Grant) -> Json:
    """A grant with the names of its vault and group, and whether it holds."""
    group = state.groups.get(grant.group_id).name if grant.group_id else None
    vault = state.vaults.get(grant.vault_id).name
    return with_fields(grant, vault=vault, group=group, active=active(ctx, grant))


@service.tool()
def list_grants(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    vault_id: VaultId | None = None,
    email: f.Email | None = None,
    group_id: GroupId | None = None,
    role: Role | None = None,
    expires_before: f.Date | None = None,
    active_only: bool = False,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List who or which group has which role in which vault, the first to expire first.

    Errors: `not_found`, `invalid_date`.

    Args:
        vault_id: Only grants in this vault.
        email: Only grants to this person, not those by a group.
        group_id: Only grants to this group.
        role: Only grants of this role.
        expires_before: Only grants that end before this day.
        active_only: true leaves out grants that are over.
        limit: At most so many grants.
        cursor: next_cursor of the previous page.
    """
    if vault_id is not None:
        state.vaults.get(vault_id)
    if group_id is not None:
        state.groups.get(group_id)
    day = check_date(expires_before) if expires_before else None
    found = keep(state.grants, vault_id=vault_id, email=email, group_id=group_id, role=role)
    found = [row for row in found if day is None or (row.expires_on or "9999") < day]
    found.sort(key=lambda row: (row.expires_on or "9999", row.id))
    rows = [grant_row(state, ctx, row) for row in found if active(ctx, row) or not active_only]
    return cursor_page("grants", rows, limit, cursor)


@service.tool(phrase="give {email} the role {role} in {vault_id}")
def grant_access(
    state: SecretsState,
    ctx: CallContext,
    vault_id: VaultId,
    email: f.Email,
    role: Role,
    expires_on: f.Date | None = None,
    reason: Note = "",
) -> Json:
    """Give somebody a role in a vault of which you are manager, in place of the one that was given before.

    Errors: `not_found`, `no_access`, `unknown_user`, `suspended`, `has_access`, `expiry_missing` (in a critical
    vault), `in_the_past`, `invalid_date`.

    Args:
        vault_id: Id of the vault.
        email: Who gets it.
        role: viewer, editor or manager.
        expires_on: Last day.
        reason: Why.
    """
    vault = need(state, ctx, vault_id, "manager")
    person = user(state, email)
    if vault.sensitivity == "critical" and expires_on is None:
        raise invalid(f"{vault.name} is critical; say until when.", type="expiry_missing")
    if expires_on is not None and check_date(expires_on) < ctx.today:
        raise invalid(f"{expires_on} is over; today is {ctx.today}.", type="in_the_past")
    before = state.grants.first(vault_id=vault_id, email=person.email)
    if before is not None:
        if (before.role, before.expires_on) == (role, expires_on):
            raise conflict(f"{before.id} says so already.", type="has_access")
        state.grants.delete(before.id)
    grant = state.grants.create(
        vault_id=vault_id, email=person.email, role=role, expires_on=expires_on, granted_by=ME.email, reason=reason
    )
    note(state, ctx, "grant.create", grant.id, f"{person.email} {role}")
    return grant_row(state, ctx, grant)


@service.tool(phrase="revoke the access grant {grant_id}")
def revoke_access(
    state: SecretsState, ctx: CallContext, grant_id: Annotated[str, f.ref("grants")], reason: Note = ""
) -> Json:
    """Take a grant back; a vault keeps one manager, and what was checked out by it is checked in.

    Errors: `not_found`, `no_access`, `last_manager`.

    Args:
        grant_id: Id of the grant.
        reason: Why.
    """
    grant = state.grants.get(grant_id)
    need(state, ctx, grant.vault_id, "manager")
    managers = [row for row in state.grants.find(vault_id=grant.vault_id, role="manager") if active(ctx, row)]
    if managers == [grant]:
        raise conflict(f"{grant_id} is the last manager of the vault; name another first.", type="last_manager")
    ended = []
    for lease in state.leases.find(email=grant.email, returned_at=None):
        if state.secrets.get(lease.secret_id).vault_id == grant.vault_id and lease.expires_at > ctx.now:
            ended.append(state.leases.patch(lease.id, returned_at=ctx.now).id)
    state.grants.delete(grant_id)
    note(state, ctx, "grant.revoke", grant_id, reason)
    return {"revoked": grant_id, "checked_in": ended}
