"""Tools that find and launch instances."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.cloud.figures import (
    changeable,
    check_budget,
    check_quota,
    instance_month,
    instance_row,
    volume_row,
)
from services_app.library.cloud.state import (
    GB_MONTH,
    AccountId,
    CloudState,
    CostCenter,
    Gigabytes,
    GroupId,
    Instance,
    InstanceId,
    InstanceState,
    InstanceType,
    Region,
    SecurityGroup,
    TypeName,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)

Whole = Annotated[int, Field(ge=0, le=512)]


@service.tool()
def describe_instance_types(
    state: CloudState,
    ctx: CallContext,
    min_vcpus: Whole = 0,
    min_memory_gb: Whole = 0,
    include_retired: bool = False,
) -> Json:
    """List instance types with vCPUs, memory and price, the cheapest first.

    Args:
        min_vcpus: Only types with at least so many vCPUs.
        min_memory_gb: Only types with at least so much memory.
        include_retired: true adds types that are not launched any more.
    """
    rows = [
        with_fields(row, monthly_price=instance_month(state, row.id))
        for row in sorted(state.instance_types, key=lambda row: (row.hourly_price, row.id))
        if row.vcpus >= min_vcpus and row.memory_gb >= min_memory_gb and (include_retired or not row.retired)
    ]
    return {"instance_types": rows, "total": len(rows)}


@service.tool()
def describe_instances(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: CloudState,
    ctx: CallContext,
    query: Query | None = None,
    account: AccountId | None = None,
    region: Region | None = None,
    instance_type: TypeName | None = None,
    instance_state: InstanceState | None = None,
    owner_email: f.Email | None = None,
    cost_center: CostCenter | None = None,
    sort: Annotated[Literal["name", "monthly_cost", "launched_at"], LABEL] = "name",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List instances with owner, purpose, size and monthly cost.

    Errors: `not_found`.

    Args:
        query: Words in the name, address or purpose.
        account: Only instances of this account.
        region: Only instances in this region.
        instance_type: Only instances of this type.
        instance_state: Only instances in this state.
        owner_email: Only instances of this person.
        cost_center: Only instances charged to this cost centre.
        sort: name, monthly_cost for the dearest first, or launched_at for the oldest first.
        limit: At most so many instances.
        cursor: next_cursor of the previous page.
    """
    if account is not None:
        state.accounts.get(account)
    if instance_type is not None:
        state.instance_types.get(instance_type)
    found = search(state.instances, query, lambda row: (row.name, row.private_ip, row.purpose))
    found = keep(found, account=account, region=region, instance_type=instance_type, state=instance_state)
    rows = [instance_row(state, row) for row in keep(found, owner_email=owner_email, cost_center=cost_center)]
    rows.sort(key=lambda row: (-row[sort] if sort == "monthly_cost" else row[sort], row["id"]))
    return cursor_page("instances", rows, limit, cursor)


@service.tool()
def get_instance(state: CloudState, ctx: CallContext, instance_id: InstanceId) -> Json:
    """Show an instance with its volumes and the ingress rules that hold for it.

    Errors: `not_found`.

    Args:
        instance_id: Id of the instance.
    """
    instance = state.instances.get(instance_id)
    group = state.security_groups.get(instance.security_group_id)
    return {
        **instance_row(state, instance),
        "volumes": [volume_row(row) for row in state.volumes.find(instance_id=instance_id)],
        "security_group": group.name,
        "ingress_rules": state.ingress_rules.find(group_id=group.id),
    }


@service.tool(phrase="launch the instance {name} in {account}")
def run_instance(  # noqa: PLR0913, PLR0917 - what an instance consists of
    state: CloudState,
    ctx: CallContext,
    name: Name,
    account: AccountId,
    instance_type: TypeName,
    cost_center: CostCenter,
    purpose: Body,
    region: Region = "eu-west-2",
    security_group_id: GroupId | None = None,
    volume_gb: Gigabytes = 30,
    termination_protection: bool = False,
) -> Json:
    """Launch an instance that you own, with an encrypted root volume; it runs at once.

    Errors: `not_found`, `no_permission`, `duplicate_name` (in the account), `type_retired`, `other_account` (the
    security group belongs to another account), `protection_required` (in production), `quota_exceeded`, `over_budget`,
    `blank_text`.

    Args:
        name: Name of the instance.
        account: Id of the account.
        instance_type: Name of the type.
        cost_center: Who pays, such as CC-400.
        purpose: What it is for, and until when.
        region: Where it runs.
        security_group_id: Id of the security group; the first one of the account, if left out.
        volume_gb: Size of the root volume.
        termination_protection: true protects it from termination.
    """
    where = changeable(state, account)
    kind = state.instance_types.get(instance_type)
    own_group = state.security_groups.find(account=account)[0]  # every account has one
    group = state.security_groups.get(security_group_id) if security_group_id else own_group
    clean, text = check_text(name, "name"), check_text(purpose, "purpose")
    if where.environment == "production" and not termination_protection:
        raise forbidden("Production instances need termination_protection.", type="protection_required")
    _check_launch(state, account, clean, kind, group)
    check_quota(state, account, region, kind.vcpus)
    check_budget(state, account, instance_month(state, instance_type) + volume_gb * GB_MONTH["gp3"])
    what = {
        "name": clean,
        "account": account,
        "region": region,
        "instance_type": instance_type,
        "cost_center": cost_center,
        "purpose": text,
        "termination_protection": termination_protection,
        "security_group_id": group.id,
    }
    return instance_row(state, _launched(state, ctx, volume_gb, what))


def _launched(state: CloudState, ctx: CallContext, volume_gb: int, what: Json) -> Instance:
    """A new instance with its root volume."""
    number = len(state.instances) + 4
    ip = f"10.20.{number // 250}.{number % 250}"
    times = {"launched_at": ctx.now, "state_changed_at": ctx.now}
    instance = state.instances.create(**what, **times, private_ip=ip, owner_email=ME.email)
    place = brief(instance, "account", "region")
    root = {"size_gb": volume_gb, "volume_type": "gp3", "root": True, "created_at": ctx.now}
    state.volumes.create(name=f"{instance.name} root", **place, **root, instance_id=instance.id)
    return instance


def _check_launch(state: CloudState, account: str, name: str, kind: InstanceType, group: SecurityGroup) -> None:
    """409 `type_retired` or `duplicate_name`, 422 `other_account`."""
    if group.account != account:
        raise invalid(f"{group.id} belongs to {group.account}; choose one of {account}.", type="other_account")
    if kind.retired:
        raise conflict(f"{kind.id} is retired; describe_instance_types shows the others.", type="type_retired")
    for other in state.instances.find(account=account):
        if other.state != "terminated" and same(other.name, name):
            raise conflict(f"{other.id} has this name; choose another.", type="duplicate_name")
