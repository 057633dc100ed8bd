"""Who may do what, and what every change leaves behind."""

from __future__ import annotations

from services_app.engine import CallContext, forbidden, invalid
from services_app.library.cast import ME
from services_app.library.secrets.state import RANK, Grant, SecretsState, User, Vault
from services_app.library.shared import same


def active(ctx: CallContext, grant: Grant) -> bool:
    return grant.expires_on is None or grant.expires_on >= ctx.today


def holds(state: SecretsState, grant: Grant, email: str) -> bool:
    """Whether a grant is for this person, by itself or by a group."""
    if grant.group_id is not None:
        return any(same(member, email) for member in state.groups.get(grant.group_id).member_emails)
    return grant.email is not None and same(grant.email, email)


def role_in(state: SecretsState, ctx: CallContext, email: str, vault_id: str) -> str | None:
    """The highest role that a person has in a vault now."""
    found = [row.role for row in state.grants.find(vault_id=vault_id) if active(ctx, row) and holds(state, row, email)]
    return max(found, key=lambda role: RANK[role], default=None)


def need(state: SecretsState, ctx: CallContext, vault_id: str, role: str) -> Vault:
    """The vault if the signed-in user has this role or a higher one; 403 `no_access`."""
    vault = state.vaults.get(vault_id)
    have = role_in(state, ctx, ME.email, vault_id)
    if have is None or RANK[have] < RANK[role]:
        raise forbidden(
            f"You need the role {role} in {vault.name} and have {have or 'none'}; call request_access.",
            type="no_access",
        )
    return vault


def user(state: SecretsState, email: str) -> User:
    """An active user by address; 422 `unknown_user`, 403 `suspended`."""
    found = next((row for row in state.users if same(row.email, email)), None)
    if found is None:
        raise invalid(f"{email} is no user; list_users shows who is.", type="unknown_user")
    if found.suspended:
        raise forbidden(f"{found.name} is suspended; nothing can be given.", type="suspended")
    return found


def note(state: SecretsState, ctx: CallContext, action: str, subject: str, detail: str = "") -> None:
    """Add to the audit log."""
    state.audit.create(at=ctx.now, by_email=ME.email, action=action, subject=subject, detail=detail)
