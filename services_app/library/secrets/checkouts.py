"""Tools that check secrets out and in: the one way to see a value."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.secrets.rights import need, note, role_in
from services_app.library.secrets.state import Lease, SecretId, SecretsState, VaultId, service
from services_app.library.secrets.storing import held, versions
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_minutes,
    same,
    search,
    with_fields,
)

LONGEST_CRITICAL_MINUTES = 60


def lease_row(state: SecretsState, ctx: CallContext, lease: Lease) -> Json:
    secret = state.secrets.get(lease.secret_id)
    active = lease.returned_at is None and lease.expires_at > ctx.now
    return with_fields(lease, secret=secret.name, vault_id=secret.vault_id, active=active)


@service.tool()
def list_checkouts(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    secret_id: SecretId | None = None,
    vault_id: VaultId | None = None,
    email: f.Email | None = None,
    active: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List who checked out which secret and why, newest first.

    Errors: `not_found`.

    Args:
        query: Words in the reason.
        secret_id: Only checkouts of this secret.
        vault_id: Only checkouts of secrets of this vault.
        email: Only checkouts by this person.
        active: true for those that hold now, false for the others.
        limit: At most so many checkouts.
        cursor: next_cursor of the previous page.
    """
    if secret_id is not None:
        state.secrets.get(secret_id)
    if vault_id is not None:
        state.vaults.get(vault_id)
    found = keep(search(state.leases, query, lambda row: (row.reason,)), secret_id=secret_id, email=email)
    found = newest_first(found, "checked_out_at")
    rows = [lease_row(state, ctx, row) for row in found]
    rows = [row for row in rows if vault_id in (None, row["vault_id"]) and active in (None, row["active"])]
    return cursor_page("checkouts", rows, limit, cursor)


@service.tool(phrase="check out the secret {secret_id}")
def checkout_secret(
    state: SecretsState,
    ctx: CallContext,
    secret_id: SecretId,
    reason: Body,
    minutes: Annotated[int, f.duration("minutes"), Field(ge=5, le=480)] = 60,
) -> Json:
    """See the value of a secret for some time; everybody can read in the log that you had it, and why.

    Errors: `not_found`, `no_access`, `already_yours`, `checked_out` (an exclusive secret that somebody else has),
    `too_long` (60 minutes in a critical vault), `expired`, `blank_text`.

    Args:
        secret_id: Id of the secret.
        reason: What it is needed for.
        minutes: For how long.
    """
    secret = state.secrets.get(secret_id)
    vault = need(state, ctx, secret.vault_id, "viewer")
    text = check_text(reason, "reason")
    for row in held(state, ctx, secret_id):
        if same(row.email, ME.email):
            raise conflict(f"You have it until {row.expires_at} ({row.id}).", type="already_yours")
        if secret.exclusive:
            raise conflict(f"{row.email} has it until {row.expires_at}.", type="checked_out")
    if vault.sensitivity == "critical" and minutes > LONGEST_CRITICAL_MINUTES:
        raise forbidden(f"{vault.name} allows {LONGEST_CRITICAL_MINUTES} minutes at most.", type="too_long")
    if secret.expires_on is not None and secret.expires_on < ctx.today:
        raise conflict(f"{secret_id} expired on {secret.expires_on}; rotate it first.", type="expired")
    lease = state.leases.create(
        secret_id=secret_id,
        email=ME.email,
        reason=text,
        checked_out_at=ctx.now,
        expires_at=plus_minutes(ctx.now, minutes),
    )
    note(state, ctx, "secret.checkout", secret_id, text)
    current = versions(state, secret_id)[0]
    value = {"value": current.value, "version": current.number, "username": secret.username, "url": secret.url}
    return {**lease_row(state, ctx, lease), **value}


@service.tool(phrase="check in {checkout_id}")
def checkin_secret(state: SecretsState, ctx: CallContext, checkout_id: Annotated[str, f.ref("leases")]) -> Json:
    """Give a secret back before its time is over; managers of the vault do it for others, too.

    Errors: `not_found`, `not_yours`, `checked_in`.

    Args:
        checkout_id: Id of the checkout.
    """
    lease = state.leases.get(checkout_id)
    secret = state.secrets.get(lease.secret_id)
    if not same(lease.email, ME.email) and role_in(state, ctx, ME.email, secret.vault_id) != "manager":
        raise forbidden(f"{lease.email} has {checkout_id}; only a manager ends it.", type="not_yours")
    if lease.returned_at is not None or lease.expires_at <= ctx.now:
        raise conflict(f"{checkout_id} is over.", type="checked_in")
    note(state, ctx, "secret.checkin", secret.id)
    return lease_row(state, ctx, state.leases.patch(checkout_id, returned_at=ctx.now))
