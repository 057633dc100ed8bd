"""Tools that bring a release out: freezing, approving, shipping, rolling back."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.releases.state import Answer, Area, Freeze, ReleaseId, ReleasesState, service
from services_app.library.releases.trains import (
    Notes,
    check_day,
    described,
    in_status,
    missing_areas,
    note_audit,
)
from services_app.library.shared import Json, check_date, check_range, check_text, days_between, same, with_fields


@service.tool(phrase="freeze the release {release_id}")
def freeze_release(state: ReleasesState, ctx: CallContext, release_id: ReleaseId, unfreeze: bool = False) -> Json:
    """Close a planned release for further changes, or open it again.

    Errors: `not_found`, `wrong_status`, `no_changes` (an empty release is not frozen).

    Args:
        release_id: Id of the release.
        unfreeze: true opens a frozen release again.
    """
    in_status(state, release_id, "frozen" if unfreeze else "planned")
    if not unfreeze and not state.changes.find(release_id=release_id):
        raise conflict(f"{release_id} contains nothing; add a change first.", type="no_changes")
    note_audit(state, ctx, release_id, "unfrozen" if unfreeze else "frozen")
    return described(state, state.releases.patch(release_id, status="planned" if unfreeze else "frozen"))


@service.tool(phrase="answer for {area} on {release_id}: {answer}")
def submit_approval(
    state: ReleasesState, ctx: CallContext, release_id: ReleaseId, area: Area, answer: Answer, comment: Notes = ""
) -> Json:
    """Approve or refuse a frozen release for an area; the newest answer counts.

    The manager of a release does not approve it. Errors: `not_found`, `wrong_status`, `own_release`, `same_answer`,
    `comment_missing` (a refusal needs a reason).

    Args:
        release_id: Id of the release.
        area: Area that you answer for.
        answer: Your answer.
        comment: Why.
    """
    release = in_status(state, release_id, "frozen")
    if answer == "approved" and same(release.manager_email, ME.email):
        raise forbidden("You manage this release; somebody else has to approve it.", type="own_release")
    if answer == "refused" and not comment.strip():
        raise invalid("Say in the comment what has to change.", type="comment_missing")
    earlier = state.approvals.find(release_id=release_id, area=area)
    if earlier and earlier[-1].answer == answer:
        raise conflict(f"{area} has {answer} {release_id} already.", type="same_answer")
    state.approvals.create(
        release_id=release_id, area=area, answer=answer, by_email=ME.email, comment=comment, given_at=ctx.now
    )
    return described(state, release)


@service.tool(phrase="ship the release {release_id}")
def ship_release(state: ReleasesState, ctx: CallContext, release_id: ReleaseId, hotfix: bool = False) -> Json:
    """Bring a frozen release with all approvals to customers, on its day or later.

    Errors: `not_found`, `wrong_status`, `approvals_missing`, `too_early` (its day is still to come), `frozen_day`,
    `not_a_hotfix` (only bugs), `notes_missing` (customers are told nothing).

    Args:
        release_id: Id of the release.
        hotfix: true ships at once, also in a freeze, if it only repairs bugs.
    """
    release = in_status(state, release_id, "frozen")
    missing = missing_areas(state, release)
    if missing:
        raise forbidden(f"{', '.join(missing)} has not approved {release_id}.", type="approvals_missing")
    if not release.notes.strip():
        raise conflict(f"{release_id} has no notes; write them first.", type="notes_missing")
    if hotfix and any(row.kind != "bug" for row in state.changes.find(release_id=release_id)):
        raise conflict(f"{release_id} holds more than bugs and is no hotfix.", type="not_a_hotfix")
    if not hotfix:
        if release.planned_on > ctx.today:
            raise conflict(f"It is planned for {release.planned_on}; move the day first.", type="too_early")
        check_day(state, ctx, ctx.today)
    note_audit(state, ctx, release_id, "shipped as a hotfix" if hotfix else "shipped")
    return described(state, state.releases.patch(release_id, status="shipped", shipped_at=ctx.now))


@service.tool(phrase="roll back the release {release_id}")
def roll_back_release(state: ReleasesState, ctx: CallContext, release_id: ReleaseId, reason: Notes) -> Json:
    """Take back the newest shipped release of a component; within 14 days only.

    Errors: `not_found`, `wrong_status`, `not_newest`, `too_late`, `blank_text`.

    Args:
        release_id: Id of the release.
        reason: Why.
    """
    release = in_status(state, release_id, "shipped")
    text = check_text(reason, "reason")
    others = state.releases.find(component=release.component, status="shipped")
    newest = max(others, key=lambda row: row.shipped_at or "")
    if newest.id != release_id:
        raise conflict(f"{newest.version} came later; roll that back first.", type="not_newest")
    shipped = release.shipped_at or ctx.now
    if days_between(shipped[:10], ctx.today) > 14:
        raise conflict(f"It has been out since {shipped[:10]}; ship a new release instead.", type="too_late")
    note_audit(state, ctx, release_id, "rolled back")
    left = [row for row in others if row.id != release_id]
    now = max(left, key=lambda row: row.shipped_at or "").version if left else None
    return {
        **described(state, state.releases.patch(release_id, status="rolled_back", reason=text)),
        "live_version": now,
    }


@service.tool(phrase="cancel the release {release_id}")
def cancel_release(state: ReleasesState, ctx: CallContext, release_id: ReleaseId, reason: Notes) -> Json:
    """Cancel a release that is not out yet; its changes can go into another one.

    Errors: `not_found`, `wrong_status`, `blank_text`.

    Args:
        release_id: Id of the release.
        reason: Why.
    """
    in_status(state, release_id, "planned", "frozen")
    text = check_text(reason, "reason")
    note_audit(state, ctx, release_id, "cancelled")
    return described(state, state.releases.patch(release_id, status="cancelled", reason=text))


@service.tool()
def list_components(state: ReleasesState, ctx: CallContext, owner_email: f.Email | None = None) -> Json:
    """List components with the version that customers have and the next one.

    Args:
        owner_email: Only components of this owner.
    """
    rows = []
    for component in state.components:
        if owner_email is None or same(component.owner_email, owner_email):
            releases = state.releases.find(component=component.id)
            out = [row for row in releases if row.status == "shipped"]
            coming = [row for row in releases if row.status in ("planned", "frozen")]
            live = max(out, key=lambda row: row.shipped_at or "", default=None)
            following = min(coming, key=lambda row: row.planned_on, default=None)
            more = {"live_version": live.version if live else None}
            more["next_version"] = following.version if following else None
            rows.append(with_fields(component, **more, next_on=following.planned_on if following else None))
    return {"components": rows, "total": len(rows)}


@service.tool()
def list_freezes(state: ReleasesState, ctx: CallContext, on: f.Date | None = None) -> Json:
    """List the periods in which nothing is shipped.

    Errors: `invalid_date`.

    Args:
        on: Only periods that cover this day.
    """
    day = check_date(on) if on else None
    rows = [row for row in state.freezes if day is None or row.first_day <= day <= row.last_day]
    return {"freezes": sorted(rows, key=lambda row: (row.first_day, row.id)), "total": len(rows)}


@service.tool(phrase="ship nothing from {first_day} to {last_day}")
def create_freeze(state: ReleasesState, ctx: CallContext, reason: Notes, first_day: f.Date, last_day: f.Date) -> Freeze:
    """Announce a period in which nothing is shipped.

    Errors: `invalid_range`, `in_the_past`, `too_long` (at most 21 days), `releases_planned` (move those first),
    `invalid_date`, `blank_text`.

    Args:
        reason: Why.
        first_day: First day.
        last_day: Last day.
    """
    check_range(first_day, last_day)
    text = check_text(reason, "reason")
    if first_day < ctx.today:
        raise invalid(f"{first_day} is over; today is {ctx.today}.", type="in_the_past")
    if days_between(first_day, last_day) > 20:
        raise invalid("A freeze lasts 21 days at most; choose an earlier end.", type="too_long")
    planned = [
        row.id for row in state.releases
        if row.status in ("planned", "frozen") and first_day <= row.planned_on <= last_day
    ]  # fmt: skip
    if planned:
        raise conflict(f"{', '.join(planned)} is planned for these days; move it first.", type="releases_planned")
    return state.freezes.create(reason=text, first_day=first_day, last_day=last_day, created_by=ME.email)


@service.tool(phrase="end the freeze {freeze_id}")
def delete_freeze(state: ReleasesState, ctx: CallContext, freeze_id: Annotated[str, f.ref("freezes")]) -> Json:
    """Withdraw a freeze that you announced.

    Errors: `not_found`, `not_your_freeze`.

    Args:
        freeze_id: Id of the freeze.
    """
    freeze = state.freezes.get(freeze_id)
    if not same(freeze.created_by, ME.email):
        raise forbidden(f"{freeze_id} was announced by {freeze.created_by}; ask them.", type="not_your_freeze")
    state.freezes.delete(freeze_id)
    return {"deleted": freeze_id, "reason": freeze.reason}
