"""What follows from the resources: processors in use, prices, forecasts, and who may change what."""

from __future__ import annotations

from services_app.engine import conflict, forbidden
from services_app.library.cast import ME
from services_app.library.cloud.state import (
    GB_MONTH,
    HOURS_OF_A_MONTH,
    SNAPSHOT_GB_MONTH,
    Account,
    CloudState,
    Instance,
    Volume,
)
from services_app.library.shared import Json, total, with_fields


def changeable(state: CloudState, account_id: str) -> Account:
    """The account if the signed-in user may change its resources; 403 `no_permission`."""
    account = state.accounts.get(account_id)
    if ME.email not in account.operator_emails:
        raise forbidden(
            f"You are no operator of {account.name}; ask its owner {account.owner_email}.", type="no_permission"
        )
    return account


def live_instance(state: CloudState, instance_id: str) -> Instance:
    """An instance that the signed-in user may change; 409 `terminated`."""
    instance = state.instances.get(instance_id)
    changeable(state, instance.account)
    if instance.state == "terminated":
        raise conflict(f"{instance_id} is terminated; launch a new one.", type="terminated")
    return instance


def vcpus_in_use(state: CloudState, account: str, region: str) -> int:
    """Processors of the running instances of an account in a region."""
    running = state.instances.find(account=account, region=region, state="running")
    return sum(state.instance_types.get(row.instance_type).vcpus for row in running)


def check_quota(state: CloudState, account: str, region: str, more: int) -> None:
    """409 `quota_exceeded` when so many more processors are too many."""
    quota = state.quotas.first(account=account, region=region)
    limit = quota.vcpu_limit if quota else 0
    used = vcpus_in_use(state, account, region)
    if used + more > limit:
        raise conflict(
            f"{account} uses {used} of {limit} vCPUs in {region}; {more} more do not fit. Stop something or call "
            "request_quota_increase.",
            type="quota_exceeded",
        )


def instance_month(state: CloudState, instance_type: str) -> float:
    """What an instance of this type costs in a month without a stop."""
    return total([state.instance_types.get(instance_type).hourly_price * HOURS_OF_A_MONTH])


def volume_month(volume: Volume) -> float:
    return total([volume.size_gb * GB_MONTH[volume.volume_type]])


def forecast(state: CloudState, account: str) -> float:
    """A month of everything that an account has now: running instances, volumes and snapshots."""
    return total(
        [
            *(
                instance_month(state, row.instance_type)
                for row in state.instances.find(account=account, state="running")
            ),
            *(volume_month(row) for row in state.volumes.find(account=account)),
            *(row.size_gb * SNAPSHOT_GB_MONTH for row in state.snapshots.find(account=account)),
        ]
    )


def check_budget(state: CloudState, account: str, more: float) -> None:
    """409 `over_budget` when a budget that blocks launches would be exceeded by so much more a month."""
    for budget in state.budgets.find(account=account, blocks_launches=True):
        coming = forecast(state, account) + more
        if coming > budget.monthly_limit:
            raise conflict(
                f"{budget.name} allows {budget.monthly_limit:,.2f} a month; it would be {coming:,.2f}. Stop something "
                "or have the budget raised.",
                type="over_budget",
            )


def instance_row(state: CloudState, instance: Instance) -> Json:
    """An instance with its size and what it costs in a month as it is."""
    kind = state.instance_types.get(instance.instance_type)
    volumes = state.volumes.find(instance_id=instance.id)
    running = instance_month(state, instance.instance_type) if instance.state == "running" else 0.0
    return with_fields(
        instance,
        vcpus=kind.vcpus,
        memory_gb=kind.memory_gb,
        volume_gb=sum(row.size_gb for row in volumes),
        monthly_cost=total([running, *(volume_month(row) for row in volumes)]),
    )


def volume_row(volume: Volume) -> Json:
    state = "in-use" if volume.instance_id else "available"
    return with_fields(volume, state=state, monthly_cost=volume_month(volume))
