"""Tools for accounts, quotas and policies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.cloud.figures import changeable, forecast, vcpus_in_use
from services_app.library.cloud.state import AccountId, CloudState, Environment, QuotaRequest, Region, service
from services_app.library.shared import (
    Body,
    Json,
    Limit,
    Offset,
    Query,
    check_text,
    guide_pages,
    keep,
    offset_page,
    search,
)
from services_app.library.shared import with_fields as plus


@service.tool()
def list_accounts(
    state: CloudState, ctx: CallContext, query: Query | None = None, environment: Environment | None = None
) -> Json:
    """List cloud accounts with their owner, operators, running instances and the forecast for a month.

    Args:
        query: Words in the name or description.
        environment: Only accounts for this environment.
    """
    found = search(state.accounts, query, lambda row: (row.id, row.name, row.description))
    rows = [
        plus(
            row,
            running_instances=state.instances.count(account=row.id, state="running"),
            monthly_forecast=forecast(state, row.id),
            yours_to_change=ME.email in row.operator_emails,
        )
        for row in keep(found, environment=environment)
    ]
    return {"accounts": rows, "total": len(rows)}


@service.tool()
def list_quotas(
    state: CloudState, ctx: CallContext, account: AccountId | None = None, region: Region | None = None
) -> Json:
    """List vCPU quotas by account and region with what is used, and the requests for more.

    Errors: `not_found`.

    Args:
        account: Only this account.
        region: Only this region.
    """
    if account is not None:
        state.accounts.get(account)
    rows = []
    for row in keep(state.quotas, account=account, region=region):
        used = vcpus_in_use(state, row.account, row.region)
        rows.append(plus(row, vcpus_used=used, vcpus_free=row.vcpu_limit - used))
    return {"quotas": rows, "requests": keep(state.quota_requests, account=account, region=region)}


@service.tool(phrase="ask for {wanted_vcpus} vCPUs for {account} in {region}")
def request_quota_increase(
    state: CloudState,
    ctx: CallContext,
    account: AccountId,
    region: Region,
    wanted_vcpus: Annotated[int, f.count("vcpus"), Field(ge=1, le=2048)],
    reason: Body,
) -> QuotaRequest:
    """Ask the provider for a higher vCPU limit; nothing changes before it is granted.

    Errors: `not_found`, `no_permission`, `not_an_increase`, `already_requested` (one pending request for an account
    and region), `too_much` (more than four times the limit), `blank_text`.

    Args:
        account: Id of the account.
        region: Region of the quota.
        wanted_vcpus: The new limit.
        reason: What it is needed for.
    """
    changeable(state, account)
    text = check_text(reason, "reason")
    quota = state.quotas.first(account=account, region=region)
    limit = quota.vcpu_limit if quota else 0
    if wanted_vcpus <= limit:
        raise invalid(f"The limit is {limit} already; ask for more than that.", type="not_an_increase")
    if wanted_vcpus > 4 * max(limit, 16):
        raise invalid(f"The limit is {limit}; ask for at most four times as much.", type="too_much")
    pending = state.quota_requests.first(account=account, region=region, status="pending")
    if pending:
        raise conflict(f"{pending.id} is pending; wait for its answer.", type="already_requested")
    return state.quota_requests.create(
        account=account,
        region=region,
        wanted_vcpus=wanted_vcpus,
        reason=text,
        requested_by=ME.email,
        requested_at=ctx.now,
    )


@service.tool()
def list_policies(
    state: CloudState,
    ctx: CallContext,
    query: Query | None = None,
    superseded: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Read the rules for cloud resources, the newest first.

    Args:
        query: Words in the title or text.
        superseded: false for rules in force, true for those that a newer one has replaced.
        limit: At most so many policies.
        offset: How many to skip.
    """
    found = guide_pages(state.policies, query, superseded=superseded)
    return offset_page("policies", found, limit, offset)
