"""Tools for volumes."""

from __future__ import annotations

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.library.cloud.figures import changeable, live_instance, volume_row
from services_app.library.cloud.state import (
    AccountId,
    CloudState,
    Gigabytes,
    InstanceId,
    Region,
    SnapshotId,
    Volume,
    VolumeId,
    VolumeType,
    service,
)
from services_app.library.shared import Cursor, Json, Limit, Name, Query, check_text, cursor_page, keep, search, total

MOST_VOLUMES = 4


def own_volume(state: CloudState, volume_id: str) -> Volume:
    """A volume that the signed-in user may change; 403 `no_permission`."""
    volume = state.volumes.get(volume_id)
    changeable(state, volume.account)
    return volume


@service.tool()
def describe_volumes(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: CloudState,
    ctx: CallContext,
    query: Query | None = None,
    account: AccountId | None = None,
    region: Region | None = None,
    instance_id: InstanceId | None = None,
    volume_type: VolumeType | None = None,
    unattached_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List volumes with size, the instance they belong to and monthly cost, the largest first.

    Errors: `not_found`.

    Args:
        query: Words in the name.
        account: Only volumes of this account.
        region: Only volumes in this region.
        instance_id: Only volumes of this instance.
        volume_type: Only volumes of this type.
        unattached_only: true for volumes that no instance has.
        limit: At most so many volumes.
        cursor: next_cursor of the previous page.
    """
    if account is not None:
        state.accounts.get(account)
    if instance_id is not None:
        state.instances.get(instance_id)
    found = keep(search(state.volumes, query, lambda row: (row.name,)), account=account, region=region)
    found = keep(found, instance_id=instance_id, volume_type=volume_type)
    found = [row for row in found if row.instance_id is None or not unattached_only]
    found.sort(key=lambda row: (-row.size_gb, row.id))
    page = cursor_page("volumes", [volume_row(row) for row in found], limit, cursor)
    return {**page, "total_gb": sum(row.size_gb for row in found)}


@service.tool(phrase="create the volume {name} in {account}")
def create_volume(
    state: CloudState,
    ctx: CallContext,
    name: Name,
    account: AccountId,
    region: Region,
    size_gb: Gigabytes,
    volume_type: VolumeType = "gp3",
    snapshot_id: SnapshotId | None = None,
) -> Json:
    """Create an encrypted volume, empty or from a snapshot of the same region.

    Errors: `not_found`, `no_permission`, `other_region`, `too_small` (smaller than its snapshot, or an st1 below
    125 GB), `blank_text`.

    Args:
        name: Name of the volume.
        account: Id of the account.
        region: Where it lies.
        size_gb: Size.
        volume_type: gp3 for most, io2 for databases, st1 for archives.
        snapshot_id: Snapshot whose content it gets.
    """
    changeable(state, account)
    clean = check_text(name, "name")
    if volume_type == "st1" and size_gb < 125:
        raise invalid("A volume of type st1 has 125 GB at least.", type="too_small")
    if snapshot_id is not None:
        snapshot = state.snapshots.get(snapshot_id)
        if snapshot.region != region:
            raise conflict(f"{snapshot_id} lies in {snapshot.region}; create the volume there.", type="other_region")
        if snapshot.size_gb > size_gb:
            raise invalid(f"{snapshot_id} needs {snapshot.size_gb} GB at least.", type="too_small")
    volume = state.volumes.create(
        name=clean, account=account, region=region, size_gb=size_gb, volume_type=volume_type, created_at=ctx.now
    )
    return {**volume_row(volume), "from_snapshot": snapshot_id}


@service.tool(phrase="attach the volume {volume_id} to {instance_id}")
def attach_volume(state: CloudState, ctx: CallContext, volume_id: VolumeId, instance_id: InstanceId) -> Json:
    """Attach a free volume to an instance of the same account and region; an instance has four at most.

    Errors: `not_found`, `no_permission`, `terminated`, `volume_in_use`, `other_region` (or another account),
    `too_many_volumes`.

    Args:
        volume_id: Id of the volume.
        instance_id: Id of the instance.
    """
    volume = own_volume(state, volume_id)
    instance = live_instance(state, instance_id)
    if volume.instance_id is not None:
        raise conflict(f"{volume_id} is attached to {volume.instance_id}; detach it first.", type="volume_in_use")
    if (volume.account, volume.region) != (instance.account, instance.region):
        raise conflict(f"{volume_id} lies in {volume.account}, {volume.region}.", type="other_region")
    if state.volumes.count(instance_id=instance_id) >= MOST_VOLUMES:
        raise conflict(f"{instance_id} has {MOST_VOLUMES} volumes; detach one first.", type="too_many_volumes")
    return volume_row(state.volumes.patch(volume_id, instance_id=instance_id))


@service.tool(phrase="detach the volume {volume_id}", examples=(Example({"volume_id": "vol-0b000020", "force": True}),))
def detach_volume(state: CloudState, ctx: CallContext, volume_id: VolumeId, force: bool = False) -> Json:
    """Take a volume off its instance; while that runs, only with force.

    Errors: `not_found`, `no_permission`, `not_attached`, `root_volume`, `instance_running`.

    Args:
        volume_id: Id of the volume.
        force: true detaches from a running instance.
    """
    volume = own_volume(state, volume_id)
    if volume.instance_id is None:
        raise conflict(f"{volume_id} is not attached.", type="not_attached")
    if volume.root:
        raise forbidden(f"{volume_id} is the root volume of {volume.instance_id}.", type="root_volume")
    if state.instances.get(volume.instance_id).state == "running" and not force:
        raise conflict(f"{volume.instance_id} is running; stop it or send force.", type="instance_running")
    return volume_row(state.volumes.patch(volume_id, instance_id=None))


@service.tool(phrase="change the volume {volume_id}")
def modify_volume(
    state: CloudState,
    ctx: CallContext,
    volume_id: VolumeId,
    size_gb: Gigabytes | None = None,
    volume_type: VolumeType | None = None,
) -> Json:
    """Make a volume larger or of another type; none ever gets smaller.

    Errors: `not_found`, `no_permission`, `nothing_to_change`, `too_small`.

    Args:
        volume_id: Id of the volume.
        size_gb: New size, larger than now.
        volume_type: New type.
    """
    volume = own_volume(state, volume_id)
    if size_gb is None and volume_type in (None, volume.volume_type):
        raise invalid(f"{volume_id} is of this type; send a larger size or another type.", type="nothing_to_change")
    if size_gb is not None and size_gb <= volume.size_gb:
        raise invalid(f"{volume_id} has {volume.size_gb} GB; ask for more than that.", type="too_small")
    before = volume_row(volume)["monthly_cost"]
    row = volume_row(
        state.volumes.patch(volume_id, size_gb=size_gb or volume.size_gb, volume_type=volume_type or volume.volume_type)
    )
    return {**row, "more_a_month": total([row["monthly_cost"], -before])}


@service.tool(phrase="delete the volume {volume_id}")
def delete_volume(state: CloudState, ctx: CallContext, volume_id: VolumeId) -> Json:
    """Delete a free volume for good; in production, there has to be a snapshot of it.

    Errors: `not_found`, `no_permission`, `volume_in_use`, `no_snapshot`.

    Args:
        volume_id: Id of the volume.
    """
    volume = own_volume(state, volume_id)
    if volume.instance_id is not None:
        raise conflict(f"{volume_id} is attached to {volume.instance_id}; detach it first.", type="volume_in_use")
    production = state.accounts.get(volume.account).environment == "production"
    if production and state.snapshots.first(volume_id=volume_id) is None:
        raise forbidden(f"{volume_id} is in production; create a snapshot first.", type="no_snapshot")
    state.volumes.delete(volume_id)
    return {"deleted": volume_id, "saved_a_month": volume_row(volume)["monthly_cost"]}
