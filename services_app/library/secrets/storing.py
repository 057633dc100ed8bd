"""Tools that find, store, change and rotate secrets. Values are shown by a checkout alone."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.secrets.rights import need, note, role_in, user
from services_app.library.secrets.state import (
    Days,
    Kind,
    Lease,
    Note,
    Secret,
    SecretId,
    SecretsState,
    Username,
    Value,
    VaultId,
    Version,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    plus_days,
    same,
    search,
    some_changes,
    with_fields,
)

SHORTEST = 12
REMEMBERED = 5


def versions(state: SecretsState, secret_id: str) -> list[Version]:
    """Versions of a secret, the current one first."""
    return sorted(state.versions.find(secret_id=secret_id), key=lambda row: -row.number)


def held(state: SecretsState, ctx: CallContext, secret_id: str) -> list[Lease]:
    """Checkouts of a secret that hold now."""
    return [row for row in state.leases.find(secret_id=secret_id, returned_at=None) if row.expires_at > ctx.now]


def secret_row(state: SecretsState, ctx: CallContext, secret: Secret) -> Json:
    """A secret without its value, with its age and whether it is to be rotated."""
    current = versions(state, secret.id)[0]
    due = plus_days(current.created_at, secret.rotation_days) if secret.rotation_days else None
    return with_fields(
        secret,
        vault=state.vaults.get(secret.vault_id).name,
        version=current.number,
        age_days=days_between(current.created_at, ctx.now),
        rotation_due_on=due,
        overdue=due is not None and due < ctx.today,
        checked_out_by=[row.email for row in held(state, ctx, secret.id)],
    )


@service.tool()
def list_secrets(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    vault_id: VaultId | None = None,
    kind: Kind | None = None,
    owner_email: f.Email | None = None,
    overdue: bool | None = None,
    expires_before: f.Date | None = None,
    sort: Annotated[Literal["name", "age_days"], LABEL] = "name",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List secrets by name, user name, address or notes, with their age and rotation; never their values.

    Errors: `not_found`, `invalid_date`.

    Args:
        query: Words in the name, user name, address or notes.
        vault_id: Only secrets of this vault.
        kind: Only secrets of this kind.
        owner_email: Only secrets of this person.
        overdue: true for secrets that should have been rotated, false for the others.
        expires_before: Only secrets that expire before this day.
        sort: name, or age_days for the oldest value first.
        limit: At most so many secrets.
        cursor: next_cursor of the previous page.
    """
    if vault_id is not None:
        state.vaults.get(vault_id)
    day = check_date(expires_before) if expires_before else None
    found = search(state.secrets, query, lambda row: (row.name, row.username, row.url, row.notes))
    found = keep(found, vault_id=vault_id, kind=kind, owner_email=owner_email)
    rows = [secret_row(state, ctx, row) for row in found]
    rows = [row for row in rows if overdue in (None, row["overdue"])]
    rows = [row for row in rows if day is None or (row["expires_on"] or "9999") < day]
    rows.sort(key=lambda row: (-row[sort] if sort == "age_days" else row[sort], row["id"]))
    return cursor_page("secrets", rows, limit, cursor)


@service.tool()
def get_secret(state: SecretsState, ctx: CallContext, secret_id: SecretId) -> Json:
    """Show a secret without its value, with its versions, your role and who has it checked out.

    Errors: `not_found`.

    Args:
        secret_id: Id of the secret.
    """
    secret = state.secrets.get(secret_id)
    return {
        **secret_row(state, ctx, secret),
        "your_role": role_in(state, ctx, ME.email, secret.vault_id),
        "versions": [brief(row, "number", "created_by", "created_at") for row in versions(state, secret_id)],
        "checkouts": held(state, ctx, secret_id),
    }


def check_value(state: SecretsState, kind: str, value: str, secret_id: str = "") -> str:
    """A value that may be stored: 422 `too_short`, 409 `value_used_before`."""
    if kind == "password" and len(value.strip()) < SHORTEST:
        raise invalid(f"A password has {SHORTEST} characters at least.", type="too_short")
    if not value.strip():
        raise invalid("The value is blank.", type="too_short")
    if value in [row.value for row in versions(state, secret_id)[:REMEMBERED]]:
        raise conflict(f"One of the last {REMEMBERED} versions has this value.", type="value_used_before")
    return value


@service.tool(phrase="store the secret {name} in {vault_id}")
def create_secret(  # noqa: PLR0913, PLR0917 - what a secret consists of
    state: SecretsState,
    ctx: CallContext,
    vault_id: VaultId,
    name: Name,
    value: Value,
    kind: Kind = "password",
    username: Username = "",
    url: Annotated[str, f.Semantic("url")] = "",
    notes: Note = "",
    rotation_days: Days | None = None,
    expires_on: f.Date | None = None,
    exclusive: bool = False,
) -> Json:
    """Store a secret that you own in a vault of which you are editor.

    Errors: `not_found`, `no_access`, `duplicate_name` (in the vault), `too_short` (passwords have 12 characters),
    `rotation_missing` (a password in a critical vault needs rotation_days of at most 90), `in_the_past`,
    `invalid_date`, `blank_text`.

    Args:
        vault_id: Id of the vault.
        name: Name of the secret.
        value: What is secret.
        kind: What it is.
        username: User name that goes with it.
        url: Where it is used.
        notes: What people should know.
        rotation_days: After how many days it is to be replaced.
        expires_on: Day on which it stops working.
        exclusive: true lets one person at a time check it out.
    """
    vault = need(state, ctx, vault_id, "editor")
    clean = check_text(name, "name")
    for other in state.secrets.find(vault_id=vault_id):
        if same(other.name, clean):
            raise conflict(f"{other.id} has this name; rotate that one.", type="duplicate_name")
    check_value(state, kind, value)
    if vault.sensitivity == "critical" and kind == "password" and not 1 <= (rotation_days or 0) <= 90:
        raise invalid(f"Passwords in {vault.name} need rotation_days of at most 90.", type="rotation_missing")
    if expires_on is not None and check_date(expires_on) <= ctx.today:
        raise invalid(f"{expires_on} is over; choose a day after {ctx.today}.", type="in_the_past")
    secret = state.secrets.create(
        vault_id=vault_id,
        name=clean,
        kind=kind,
        username=username,
        url=url,
        notes=notes,
        owner_email=ME.email,
        rotation_days=rotation_days,
        expires_on=expires_on,
        exclusive=exclusive,
    )
    state.versions.create(secret_id=secret.id, number=1, value=value, created_by=ME.email, created_at=ctx.now)
    note(state, ctx, "secret.create", secret.id, clean)
    return secret_row(state, ctx, secret)


@service.tool(phrase="update the secret {secret_id}")
def update_secret(  # noqa: PLR0913, PLR0917 - what of a secret may change
    state: SecretsState,
    ctx: CallContext,
    secret_id: SecretId,
    name: Name | Unset = UNSET,
    username: Username | Unset = UNSET,
    notes: Note | Unset = UNSET,
    owner_email: f.Email | Unset = UNSET,
    rotation_days: Days | Unset | None = UNSET,
    exclusive: bool | Unset = UNSET,
) -> Json:
    """Change what is known about a secret; its value is changed by rotate_secret.

    Errors: `not_found`, `no_access`, `nothing_to_change`, `duplicate_name`, `unknown_user`, `suspended`, `blank_text`.

    Args:
        secret_id: Id of the secret.
        name: New name.
        username: New user name.
        notes: New notes.
        owner_email: New owner.
        rotation_days: After how many days it is to be replaced; null for never.
        exclusive: Whether one person at a time may check it out.
    """
    secret = state.secrets.get(secret_id)
    need(state, ctx, secret.vault_id, "editor")
    changes = some_changes(
        given(
            name=name,
            username=username,
            notes=notes,
            owner_email=owner_email,
            rotation_days=rotation_days,
            exclusive=exclusive,
        )
    )
    if "name" in changes:
        changes["name"] = check_text(changes["name"], "name")
        for other in state.secrets.find(vault_id=secret.vault_id):
            if other.id != secret_id and same(other.name, changes["name"]):
                raise conflict(f"{other.id} has this name; choose another.", type="duplicate_name")
    if "owner_email" in changes:
        changes["owner_email"] = user(state, changes["owner_email"]).email
    note(state, ctx, "secret.update", secret_id, ", ".join(sorted(changes)))
    return secret_row(state, ctx, state.secrets.patch(secret_id, **changes))


@service.tool(phrase="rotate the secret {secret_id}")
def rotate_secret(
    state: SecretsState, ctx: CallContext, secret_id: SecretId, value: Value, expires_on: f.Date | None = None
) -> Json:
    """Give a secret a new value, and a new day of expiry if it has one; nobody else may have it checked out.

    Errors: `not_found`, `no_access`, `checked_out`, `too_short`, `value_used_before` (in the last five versions),
    `expiry_missing` (it expires: say until when the new value works), `in_the_past`, `invalid_date`.

    Args:
        secret_id: Id of the secret.
        value: The new value.
        expires_on: Day on which the new value stops working.
    """
    secret = state.secrets.get(secret_id)
    need(state, ctx, secret.vault_id, "editor")
    others = [row.email for row in held(state, ctx, secret_id) if not same(row.email, ME.email)]
    if others:
        raise conflict(f"{', '.join(others)} has it checked out; wait for the return.", type="checked_out")
    check_value(state, secret.kind, value, secret_id)
    if secret.expires_on is not None and expires_on is None:
        raise invalid(f"{secret_id} expires; send expires_on for the new value.", type="expiry_missing")
    if expires_on is not None and check_date(expires_on) <= ctx.today:
        raise invalid(f"{expires_on} is over; choose a day after {ctx.today}.", type="in_the_past")
    number = versions(state, secret_id)[0].number + 1
    state.versions.create(secret_id=secret_id, number=number, value=value, created_by=ME.email, created_at=ctx.now)
    note(state, ctx, "secret.rotate", secret_id, f"version {number}")
    return secret_row(state, ctx, state.secrets.patch(secret_id, expires_on=expires_on))


@service.tool(phrase="delete the secret {secret_id}")
def delete_secret(state: SecretsState, ctx: CallContext, secret_id: SecretId) -> Json:
    """Delete a secret with its versions and checkouts; you have to be manager of its vault.

    Errors: `not_found`, `no_access`, `checked_out`.

    Args:
        secret_id: Id of the secret.
    """
    secret = state.secrets.get(secret_id)
    need(state, ctx, secret.vault_id, "manager")
    if held(state, ctx, secret_id):
        raise conflict(f"{secret_id} is checked out; have it checked in first.", type="checked_out")
    for version in state.versions.find(secret_id=secret_id):
        state.versions.delete(version.id)
    for lease in state.leases.find(secret_id=secret_id):
        state.leases.delete(lease.id)
    note(state, ctx, "secret.delete", secret_id, secret.name)
    state.secrets.delete(secret_id)
    return {"deleted": secret_id, "left_in_vault": state.secrets.count(vault_id=secret.vault_id)}
