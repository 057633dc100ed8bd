"""Tools for snapshots."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cloud.figures import changeable
from services_app.library.cloud.state import (
    SNAPSHOT_GB_MONTH,
    AccountId,
    CloudState,
    Region,
    Snapshot,
    SnapshotId,
    VolumeId,
    service,
)
from services_app.library.cloud.volumes import own_volume
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    total,
    with_fields,
)


def snapshot_row(state: CloudState, row: Snapshot) -> Json:
    """A snapshot with the name of its volume, None if that is gone, and its monthly cost."""
    volume = state.volumes.get(row.volume_id).name if row.volume_id in state.volumes else None
    return with_fields(row, volume_name=volume, monthly_cost=total([row.size_gb * SNAPSHOT_GB_MONTH]))


@service.tool()
def describe_snapshots(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: CloudState,
    ctx: CallContext,
    query: Query | None = None,
    account: AccountId | None = None,
    region: Region | None = None,
    volume_id: Annotated[str, f.Semantic("code")] | None = None,
    created_before: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List snapshots with description, lock and monthly cost, newest first.

    Errors: `not_found`, `invalid_date`.

    Args:
        query: Words in the description.
        account: Only snapshots of this account.
        region: Only snapshots in this region.
        volume_id: Only snapshots of this volume, which may be deleted.
        created_before: Only snapshots from before this day.
        limit: At most so many snapshots.
        cursor: next_cursor of the previous page.
    """
    if account is not None:
        state.accounts.get(account)
    day = check_date(created_before) if created_before else "9999"
    found = keep(search(state.snapshots, query, lambda row: (row.description,)), account=account, region=region)
    found = [row for row in keep(found, volume_id=volume_id) if row.created_at < day]
    found = newest_first(found, "created_at")
    return cursor_page("snapshots", [snapshot_row(state, row) for row in found], limit, cursor)


@service.tool(phrase="take a snapshot of {volume_id}")
def create_snapshot(
    state: CloudState,
    ctx: CallContext,
    volume_id: VolumeId,
    description: Body,
    locked_until: f.Date | None = None,
) -> Json:
    """Take a snapshot of a volume, if wanted with a lock until which nobody can delete it.

    Errors: `not_found`, `no_permission`, `in_the_past`, `invalid_date`, `blank_text`.

    Args:
        volume_id: Id of the volume.
        description: What it is kept for.
        locked_until: Day until which it cannot be deleted.
    """
    volume = own_volume(state, volume_id)
    text = check_text(description, "description")
    if locked_until is not None and check_date(locked_until) <= ctx.today:
        raise invalid(f"The lock ends on {locked_until}; choose a day after {ctx.today}.", type="in_the_past")
    row = state.snapshots.create(
        volume_id=volume_id,
        account=volume.account,
        region=volume.region,
        size_gb=volume.size_gb,
        description=text,
        locked_until=locked_until,
        created_at=ctx.now,
    )
    return snapshot_row(state, row)


@service.tool(phrase="delete the snapshot {snapshot_id}")
def delete_snapshot(state: CloudState, ctx: CallContext, snapshot_id: SnapshotId) -> Json:
    """Delete a snapshot for good, unless it is locked.

    Errors: `not_found`, `no_permission`, `snapshot_locked`.

    Args:
        snapshot_id: Id of the snapshot.
    """
    snapshot = state.snapshots.get(snapshot_id)
    changeable(state, snapshot.account)
    if snapshot.locked_until is not None and snapshot.locked_until >= ctx.today:
        raise forbidden(f"{snapshot_id} is locked until {snapshot.locked_until}.", type="snapshot_locked")
    state.snapshots.delete(snapshot_id)
    return {"deleted": snapshot_id, "saved_a_month": total([snapshot.size_gb * SNAPSHOT_GB_MONTH])}
