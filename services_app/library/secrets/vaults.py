"""Tools that show vaults and users."""

from __future__ import annotations

from services_app.engine import CallContext
from services_app.library.cast import ME
from services_app.library.secrets.rights import active, holds, role_in
from services_app.library.secrets.state import APPROVALS, Role, SecretsState, Sensitivity, Vault, VaultId, service
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, search, with_fields


def vault_row(state: SecretsState, ctx: CallContext, vault: Vault) -> Json:
    return with_fields(
        vault,
        your_role=role_in(state, ctx, ME.email, vault.id),
        approvals_needed=APPROVALS[vault.sensitivity],
        secrets=state.secrets.count(vault_id=vault.id),
    )


@service.tool()
def list_vaults(
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    sensitivity: Sensitivity | None = None,
    accessible_only: bool = False,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List vaults with your role, the number of secrets and who approves access.

    Args:
        query: Words in the name or description.
        sensitivity: standard, or critical for vaults whose requests need two approvals.
        accessible_only: true for vaults in which you have a role.
        limit: At most so many vaults.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.vaults, query, lambda row: (row.name, row.description)), sensitivity=sensitivity)
    rows = [vault_row(state, ctx, row) for row in sorted(found, key=lambda row: (row.name, row.id))]
    rows = [row for row in rows if row["your_role"] is not None or not accessible_only]
    return cursor_page("vaults", rows, limit, cursor)


@service.tool()
def get_vault(state: SecretsState, ctx: CallContext, vault_id: VaultId) -> Json:
    """Show a vault with its grants, the names of its secrets and the requests that wait.

    Errors: `not_found`.

    Args:
        vault_id: Id of the vault.
    """
    vault = state.vaults.get(vault_id)
    return {
        **vault_row(state, ctx, vault),
        "grants": [with_fields(row, active=active(ctx, row)) for row in state.grants.find(vault_id=vault_id)],
        "secret_names": {row.id: row.name for row in state.secrets.find(vault_id=vault_id)},
        "pending_requests": [row.id for row in state.requests.find(vault_id=vault_id, status="pending")],
    }


@service.tool()
def list_users(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    team: str | None = None,
    vault_id: VaultId | None = None,
    role: Role | None = None,
    suspended: bool | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List users with their groups and how many vaults they reach.

    Errors: `not_found`.

    Args:
        query: Words in the name or address.
        team: Only users of this team.
        vault_id: Only users with a role in this vault.
        role: Only users who were given this role, in that vault or in any.
        suspended: true for users who are suspended, false for the others.
        limit: At most so many users.
        cursor: next_cursor of the previous page.
    """
    if vault_id is not None:
        state.vaults.get(vault_id)
    rows = []
    for person in keep(search(state.users, query, lambda row: (row.name, row.email)), team=team, suspended=suspended):
        grants = [row for row in state.grants if active(ctx, row) and holds(state, row, person.email)]
        here = [row for row in grants if vault_id in (None, row.vault_id)]
        if (vault_id is not None and not here) or (role is not None and role not in [row.role for row in here]):
            continue
        groups = [row.name for row in state.groups if person.email in row.member_emails]
        have = role_in(state, ctx, person.email, vault_id) if vault_id is not None else None
        reached = {row.vault_id for row in grants}
        rows.append(with_fields(person, groups=groups, vaults=len(reached), role=have))
    return cursor_page("users", rows, limit, cursor)
