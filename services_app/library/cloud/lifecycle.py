"""Tools that start, stop, change and terminate instances."""

from __future__ import annotations

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.cloud.figures import check_budget, check_quota, instance_month, instance_row, live_instance
from services_app.library.cloud.state import CloudState, CostCenter, GroupId, InstanceId, TypeName, service
from services_app.library.shared import Body, Json, Name, check_text, same, some_changes


@service.tool(phrase="start the instance {instance_id}")
def start_instance(state: CloudState, ctx: CallContext, instance_id: InstanceId) -> Json:
    """Start a stopped instance, if the quota of its account and region allows.

    Errors: `not_found`, `no_permission`, `terminated`, `already_running`, `quota_exceeded`, `over_budget`.

    Args:
        instance_id: Id of the instance.
    """
    instance = live_instance(state, instance_id)
    if instance.state == "running":
        raise conflict(f"{instance_id} is running.", type="already_running")
    check_quota(state, instance.account, instance.region, state.instance_types.get(instance.instance_type).vcpus)
    check_budget(state, instance.account, instance_month(state, instance.instance_type))
    return instance_row(state, state.instances.patch(instance_id, state="running", state_changed_at=ctx.now))


@service.tool(phrase="stop the instance {instance_id}")
def stop_instance(state: CloudState, ctx: CallContext, instance_id: InstanceId) -> Json:
    """Stop a running instance; its volumes stay and are paid for.

    Errors: `not_found`, `no_permission`, `terminated`, `already_stopped`, `not_the_owner` (in production, its owner
    alone stops it).

    Args:
        instance_id: Id of the instance.
    """
    instance = live_instance(state, instance_id)
    if instance.state == "stopped":
        raise conflict(f"{instance_id} is stopped already.", type="already_stopped")
    production = state.accounts.get(instance.account).environment == "production"
    if production and instance.owner_email != ME.email:
        raise forbidden(f"{instance_id} is in production; ask {instance.owner_email}.", type="not_the_owner")
    return instance_row(state, state.instances.patch(instance_id, state="stopped", state_changed_at=ctx.now))


_CHANGE = {
    "instance_id": "i-0a000014",
    "name": "evidence-1",
    "instance_type": "m5.xlarge",
    "owner_email": ME.email,
    "cost_center": "CC-400",
    "purpose": "Evidence for an audit.",
    "termination_protection": True,
}


@service.tool(phrase="change the instance {instance_id}", examples=(Example({**_CHANGE}),))
def modify_instance(  # noqa: PLR0913, PLR0917 - what of an instance may change
    state: CloudState,
    ctx: CallContext,
    instance_id: InstanceId,
    name: Name | Unset = UNSET,
    instance_type: TypeName | Unset = UNSET,
    owner_email: f.Email | Unset = UNSET,
    cost_center: CostCenter | Unset = UNSET,
    purpose: Body | Unset = UNSET,
    security_group_id: GroupId | Unset = UNSET,
    termination_protection: bool | Unset = UNSET,
) -> Json:
    """Change an instance; its type only while it is stopped.

    Errors: `not_found`, `no_permission`, `terminated`, `nothing_to_change`, `duplicate_name`, `not_stopped`,
    `type_retired`, `other_account`, `not_the_owner` (the owner alone lifts termination protection), `blank_text`.

    Args:
        instance_id: Id of the instance.
        name: New name.
        instance_type: New type.
        owner_email: New owner.
        cost_center: Who pays from now on.
        purpose: New purpose.
        security_group_id: New security group, of the same account.
        termination_protection: Whether it is protected from termination.
    """
    instance = live_instance(state, instance_id)
    changes = some_changes(
        given(
            name=name,
            instance_type=instance_type,
            owner_email=owner_email,
            cost_center=cost_center,
            purpose=purpose,
            security_group_id=security_group_id,
            termination_protection=termination_protection,
        )
    )
    for key in ("name", "purpose"):
        if key in changes:
            changes[key] = check_text(changes[key], key)
    if "name" in changes:
        for other in state.instances.find(account=instance.account):
            if other.id != instance_id and other.state != "terminated" and same(other.name, changes["name"]):
                raise conflict(f"{other.id} has this name; choose another.", type="duplicate_name")
    if "instance_type" in changes:
        if state.instance_types.get(changes["instance_type"]).retired:
            raise conflict(f"{changes['instance_type']} is retired; choose another.", type="type_retired")
        if instance.state != "stopped":
            raise conflict(f"{instance_id} is running; stop it first.", type="not_stopped")
    if "security_group_id" in changes:
        account = state.security_groups.get(changes["security_group_id"]).account
        if account != instance.account:
            raise conflict(f"{changes['security_group_id']} belongs to {account}.", type="other_account")
    lifted = instance.termination_protection and changes.get("termination_protection") is False
    if lifted and instance.owner_email != ME.email:
        raise forbidden(f"Only {instance.owner_email} lifts the protection of {instance_id}.", type="not_the_owner")
    return instance_row(state, state.instances.patch(instance_id, **changes))


@service.tool(phrase="terminate the instance {instance_id}")
def terminate_instance(state: CloudState, ctx: CallContext, instance_id: InstanceId) -> Json:
    """Terminate a stopped instance for good: its root volume is deleted, other volumes are detached.

    Errors: `not_found`, `no_permission`, `terminated`, `termination_protected`, `not_stopped`.

    Args:
        instance_id: Id of the instance.
    """
    instance = live_instance(state, instance_id)
    if instance.termination_protection:
        raise forbidden(f"{instance_id} is protected; modify_instance lifts that.", type="termination_protected")
    if instance.state != "stopped":
        raise conflict(f"{instance_id} is running; stop it first.", type="not_stopped")
    kept = []
    for volume in state.volumes.find(instance_id=instance_id):
        if volume.root:
            state.volumes.delete(volume.id)
        else:
            kept.append(state.volumes.patch(volume.id, instance_id=None).id)
    changed = state.instances.patch(instance_id, state="terminated", state_changed_at=ctx.now)
    return {**instance_row(state, changed), "detached_volumes": kept}
