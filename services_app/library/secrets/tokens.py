"""Tools for the tokens with which programs read secrets."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.secrets.rights import need, note
from services_app.library.secrets.state import Scope, SecretsState, Token, VaultId, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    same,
    search,
    with_fields,
)

LONGEST_DAYS = {"critical": 90, "standard": 365}
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def token_row(state: SecretsState, ctx: CallContext, token: Token) -> Json:
    live = not token.revoked and token.expires_on >= ctx.today
    vault = state.vaults.get(token.vault_id).name
    return with_fields(token, vault=vault, active=live, days_left=max(0, days_between(ctx.today, token.expires_on)))


@service.tool()
def list_tokens(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    vault_id: VaultId | None = None,
    scope: Scope | None = None,
    owner_email: f.Email | None = None,
    active: bool | None = None,
    expires_before: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List service tokens with what uses them and when they expire, the first to expire first.

    Errors: `not_found`, `invalid_date`.

    Args:
        query: Words in the name or in what uses it.
        vault_id: Only tokens for this vault.
        scope: Only tokens of this scope.
        owner_email: Only tokens of this person.
        active: true for tokens that work, false for the others.
        expires_before: Only tokens that expire before this day.
        limit: At most so many tokens.
        cursor: next_cursor of the previous page.
    """
    if vault_id is not None:
        state.vaults.get(vault_id)
    day = check_date(expires_before) if expires_before else "9999"
    found = keep(search(state.tokens, query, lambda row: (row.name, row.used_by)), vault_id=vault_id, scope=scope)
    found = [row for row in keep(found, owner_email=owner_email) if row.expires_on < day]
    rows = [token_row(state, ctx, row) for row in sorted(found, key=lambda row: (row.expires_on, row.id))]
    return cursor_page("tokens", [row for row in rows if active in (None, row["active"])], limit, cursor)


@service.tool(phrase="issue the service token {name} for {vault_id}")
def issue_token(
    state: SecretsState,
    ctx: CallContext,
    vault_id: VaultId,
    name: Name,
    used_by: Body,
    expires_on: f.Date,
    scope: Scope = "read",
) -> Json:
    """Issue a token with which a program reaches a vault of which you are manager; its value is shown once, here.

    Errors: `not_found`, `no_access`, `duplicate_name` (of a token that works), `in_the_past`, `too_long` (90 days for
    a critical vault, 365 for others), `invalid_date`, `blank_text`.

    Args:
        vault_id: Id of the vault.
        name: Name of the token.
        used_by: What program uses it, and where.
        expires_on: Last day on which it works.
        scope: read, or write for programs that rotate secrets.
    """
    vault = need(state, ctx, vault_id, "manager")
    clean, text = check_text(name, "name"), check_text(used_by, "text")
    for other in state.tokens.find(revoked=False):
        if same(other.name, clean) and other.expires_on >= ctx.today:
            raise conflict(f"{other.id} has this name; revoke it first.", type="duplicate_name")
    days = days_between(ctx.today, check_date(expires_on))
    if days < 1:
        raise invalid(f"{expires_on} is over; choose a day after {ctx.today}.", type="in_the_past")
    if days > LONGEST_DAYS[vault.sensitivity]:
        raise invalid(f"Tokens for {vault.name} last {LONGEST_DAYS[vault.sensitivity]} days at most.", type="too_long")
    value = "lkt_" + "".join(ctx.random.choice(_LETTERS) for _ in range(24))
    token = state.tokens.create(
        name=clean,
        vault_id=vault_id,
        scope=scope,
        used_by=text,
        ends_in=value[-4:],
        expires_on=expires_on,
        owner_email=ME.email,
    )
    note(state, ctx, "token.issue", token.id, clean)
    return {**token_row(state, ctx, token), "value": value}


@service.tool(phrase="revoke the service token {token_id}")
def revoke_token(state: SecretsState, ctx: CallContext, token_id: Annotated[str, f.ref("tokens")]) -> Json:
    """Make a token stop working at once; its owner or a manager of the vault does it.

    Errors: `not_found`, `no_access`, `not_active`.

    Args:
        token_id: Id of the token.
    """
    token = state.tokens.get(token_id)
    if token.owner_email != ME.email:
        need(state, ctx, token.vault_id, "manager")
    if token.revoked or token.expires_on < ctx.today:
        raise conflict(f"{token_id} does not work any more.", type="not_active")
    note(state, ctx, "token.revoke", token_id, token.name)
    return token_row(state, ctx, state.tokens.patch(token_id, revoked=True))
