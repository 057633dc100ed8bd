"""Tools for access requests."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.secrets.rights import note, role_in, user
from services_app.library.secrets.state import (
    APPROVALS,
    RANK,
    AccessRequest,
    Days,
    Decision,
    Note,
    RequestStatus,
    Role,
    SecretsState,
    VaultId,
    service,
)
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
    plus_days,
    same,
    search,
    with_fields,
)

RequestId = Annotated[str, f.ref("requests")]
LONGEST_CRITICAL_DAYS = 30


def request_row(state: SecretsState, request: AccessRequest) -> Json:
    """A request with the decisions on it and how many approvals are missing."""
    vault = state.vaults.get(request.vault_id)
    decisions = state.approvals.find(request_id=request.id)
    approved = sum(row.decision == "approve" for row in decisions)
    missing = APPROVALS[vault.sensitivity] - approved if request.status == "pending" else 0
    return with_fields(
        request,
        vault=vault.name,
        approver_emails=vault.approver_emails,
        decisions=decisions,
        approvals_missing=missing,
    )


def pending(state: SecretsState, request_id: str) -> AccessRequest:
    """A request that waits; 409 `not_pending`."""
    request = state.requests.get(request_id)
    if request.status != "pending":
        raise conflict(f"{request_id} is {request.status} already.", type="not_pending")
    return request


@service.tool()
def list_access_requests(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    status: RequestStatus | None = None,
    vault_id: VaultId | None = None,
    requester_email: f.Email | None = None,
    role: Role | None = None,
    waiting_for_you: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List access requests with their reasons and decisions, newest first.

    Errors: `not_found`.

    Args:
        query: Words in the reason.
        status: Only requests with this status.
        vault_id: Only requests for this vault.
        requester_email: Only requests of this person.
        role: Only requests for this role.
        waiting_for_you: true for requests that you can decide now.
        limit: At most so many requests.
        cursor: next_cursor of the previous page.
    """
    if vault_id is not None:
        state.vaults.get(vault_id)
    found = keep(search(state.requests, query, lambda row: (row.reason,)), status=status, vault_id=vault_id, role=role)
    found = keep(found, requester_email=requester_email)
    found = newest_first(found, "created_at")
    rows = [request_row(state, row) for row in found]
    return cursor_page("requests", [row for row in rows if not waiting_for_you or _waits(row)], limit, cursor)


def _waits(row: Json) -> bool:
    decided = any(one.by_email == ME.email for one in row["decisions"])
    mine = ME.email in row["approver_emails"] and row["requester_email"] != ME.email
    return bool(row["status"] == "pending" and mine and not decided)


@service.tool(phrase="ask for the role {role} in {vault_id}")
def request_access(
    state: SecretsState,
    ctx: CallContext,
    vault_id: VaultId,
    role: Role,
    reason: Body,
    days: Days = 30,
    for_email: f.Email | None = None,
) -> Json:
    """Ask for a role in a vault for some days, for yourself or a colleague.

    Errors: `not_found`, `unknown_user`, `suspended`, `has_access` (with this role or a higher one),
    `already_requested`, `too_long` (30 days in a critical vault), `blank_text`.

    Args:
        vault_id: Id of the vault.
        role: viewer, editor or manager.
        reason: What it is needed for.
        days: For how many days.
        for_email: Who needs it; you, if left out.
    """
    vault = state.vaults.get(vault_id)
    person = user(state, for_email or ME.email)
    text = check_text(reason, "reason")
    have = role_in(state, ctx, person.email, vault_id)
    if have is not None and RANK[have] >= RANK[role]:
        raise conflict(f"{person.name} is {have} of {vault.name} already.", type="has_access")
    waiting = state.requests.first(vault_id=vault_id, requester_email=person.email, status="pending")
    if waiting is not None:
        raise conflict(f"{waiting.id} waits for a decision; cancel it first.", type="already_requested")
    if vault.sensitivity == "critical" and days > LONGEST_CRITICAL_DAYS:
        raise invalid(f"{vault.name} is critical: {LONGEST_CRITICAL_DAYS} days at most.", type="too_long")
    request = state.requests.create(
        vault_id=vault_id, requester_email=person.email, role=role, days=days, reason=text, created_at=ctx.now
    )
    note(state, ctx, "request.create", request.id, text)
    return request_row(state, request)


@service.tool(phrase="{decision} the access request {request_id}")
def decide_request(
    state: SecretsState, ctx: CallContext, request_id: RequestId, decision: Decision, comment: Note = ""
) -> Json:
    """Approve or deny an access request; the last approval that is needed gives the access, one denial ends it.

    Errors: `not_found`, `not_pending`, `own_request`, `not_an_approver`, `decided_already`, `comment_missing` (a
    denial says why).

    Args:
        request_id: Id of the request.
        decision: approve or deny.
        comment: Why.
    """
    request = pending(state, request_id)
    vault = state.vaults.get(request.vault_id)
    if same(request.requester_email, ME.email):
        raise forbidden("Nobody decides on their own request.", type="own_request")
    if ME.email not in vault.approver_emails:
        raise forbidden(f"{' or '.join(vault.approver_emails)} decides on {vault.name}.", type="not_an_approver")
    if state.approvals.first(request_id=request_id, by_email=ME.email):
        raise conflict("You have approved it; another approver is needed.", type="decided_already")
    if decision == "deny" and not comment.strip():
        raise invalid("Say in the comment why it is denied.", type="comment_missing")
    state.approvals.create(request_id=request_id, by_email=ME.email, decision=decision, comment=comment, at=ctx.now)
    note(state, ctx, f"request.{decision}", request_id, comment)
    approved = state.approvals.count(request_id=request_id, decision="approve")
    grant = None
    if decision == "deny":
        request = state.requests.patch(request_id, status="denied")
    elif approved >= APPROVALS[vault.sensitivity]:
        request = state.requests.patch(request_id, status="approved")
        grant = state.grants.create(
            vault_id=vault.id,
            email=request.requester_email,
            role=request.role,
            expires_on=plus_days(ctx.today, request.days),
            granted_by=ME.email,
            reason=f"{request_id}: {request.reason}",
        )
    return {**request_row(state, request), "grant": grant}


@service.tool(phrase="cancel the access request {request_id}")
def cancel_request(state: SecretsState, ctx: CallContext, request_id: RequestId) -> Json:
    """Take back a request of yours that is not decided.

    Errors: `not_found`, `not_pending`, `not_yours`.

    Args:
        request_id: Id of the request.
    """
    request = pending(state, request_id)
    if not same(request.requester_email, ME.email):
        raise forbidden(f"{request.requester_email} has to cancel {request_id}.", type="not_yours")
    note(state, ctx, "request.cancel", request_id)
    return request_row(state, state.requests.patch(request_id, status="cancelled"))
