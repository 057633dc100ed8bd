"""Tools for what a release contains."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.releases.state import (
    Area,
    ChangeKind,
    IssueKey,
    Release,
    ReleaseId,
    ReleasesState,
    ReleaseStatus,
    Version,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    some_changes,
    with_fields,
)

ComponentId = Annotated[str, f.ref("components")]
Risk = Annotated[Literal["low", "high"], LABEL]
Notes = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]


def note_audit(state: ReleasesState, ctx: CallContext, subject: str, action: str) -> None:
    """Keep who did what; the audit log is never edited."""
    state.audit.create(subject=subject, action=action, by_email=ME.email, at=ctx.now)


def missing_areas(state: ReleasesState, release: Release) -> list[str]:
    """Areas that have not agreed; high-risk changes add operations."""
    needed: list[Area] = list(state.components.get(release.component).approvals_needed)
    if any(row.risk == "high" for row in state.changes.find(release_id=release.id)) and "operations" not in needed:
        needed.append("operations")
    latest = {row.area: row.answer for row in state.approvals.find(release_id=release.id)}
    return [area for area in needed if latest.get(area) != "approved"]


def described(state: ReleasesState, release: Release) -> Json:
    changes = state.changes.find(release_id=release.id)
    return with_fields(
        release,
        changes=len(changes),
        high_risk_changes=sum(row.risk == "high" for row in changes),
        missing_approvals=missing_areas(state, release),
    )


def in_status(state: ReleasesState, release_id: str, *wanted: str) -> Release:
    """The release if it is in one of these states; 409 `wrong_status`."""
    release = state.releases.get(release_id)
    if release.status not in wanted:
        raise conflict(f"{release_id} is {release.status}; this needs {' or '.join(wanted)}.", type="wrong_status")
    return release


@service.tool()
def list_releases(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: ReleasesState,
    ctx: CallContext,
    component: ComponentId | None = None,
    status: ReleaseStatus | None = None,
    query: Query | None = None,
    planned_from: f.Date | None = None,
    planned_until: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List releases, latest planned first.

    Errors: `not_found`, `invalid_date`.

    Args:
        component: Only releases of this component.
        status: Only releases with this status.
        query: Words in the version or notes.
        planned_from: Only those planned on or after this day.
        planned_until: Only those planned on or before this day.
        limit: At most so many releases.
        cursor: next_cursor of the previous page.
    """
    if component is not None:
        state.components.get(component)
    first = check_date(planned_from) if planned_from else ""
    last = check_date(planned_until) if planned_until else "9999"
    found = keep(
        search(state.releases, query, lambda row: (row.version, row.notes)), component=component, status=status
    )
    found = [row for row in found if first <= row.planned_on <= last]
    found = newest_first(found, "planned_on")
    return cursor_page("releases", [described(state, row) for row in found], limit, cursor)


@service.tool()
def get_release(state: ReleasesState, ctx: CallContext, release_id: ReleaseId) -> Json:
    """Show a release with its changes, approvals and freezes that cover its day.

    Errors: `not_found`.

    Args:
        release_id: Id of the release.
    """
    release = state.releases.get(release_id)
    freezes = [row for row in state.freezes if row.first_day <= release.planned_on <= row.last_day]
    return {
        **described(state, release),
        "contents": state.changes.find(release_id=release_id),
        "approvals": state.approvals.find(release_id=release_id),
        "freezes": freezes,
    }


@service.tool()
def find_change(
    state: ReleasesState,
    ctx: CallContext,
    query: Query | None = None,
    issue: IssueKey | None = None,
    kind: ChangeKind | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find in which release a change was or will be shipped.

    Args:
        query: Words in the title or note.
        issue: Key of the issue, such as FLT-104.
        kind: Only features, bugs or chores.
        limit: At most so many changes.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.changes, query, lambda row: (row.title, row.note)), issue=issue, kind=kind)
    rows = []
    for row in found:
        release = state.releases.get(row.release_id)
        more = {"component": release.component, "version": release.version, "status": release.status}
        rows.append(with_fields(row, **more, planned_on=release.planned_on))
    return cursor_page("changes", rows, limit, cursor)


@service.tool(phrase="plan the release {version} of {component} for {planned_on}")
def create_release(
    state: ReleasesState,
    ctx: CallContext,
    component: ComponentId,
    version: Version,
    planned_on: f.Date,
    notes: Notes = "",
) -> Json:
    """Plan a release; you become its manager.

    Errors: `not_found`, `duplicate_version`, `version_too_low` (the newest shipped one is higher), `in_the_past`,
    `frozen_day`, `invalid_date`.

    Args:
        component: Id of the component, like `fleet-tracker`.
        version: Version such as 4.12.0.
        planned_on: Day on which it is to be shipped.
        notes: What customers are told.
    """
    state.components.get(component)
    present = state.releases.find(component=component)
    if any(row.version == version for row in present):
        raise conflict(f"{component} has a release {version} already.", type="duplicate_version")
    shipped = [row.version for row in present if row.status in ("shipped", "rolled_back")]
    highest = max(shipped, key=_number, default="0.0.0")
    if _number(version) <= _number(highest):
        raise invalid(f"{highest} is out; choose a higher version.", type="version_too_low")
    check_day(state, ctx, planned_on)
    release = state.releases.create(
        component=component, version=version, planned_on=planned_on, manager_email=ME.email, notes=notes
    )
    note_audit(state, ctx, release.id, f"planned {version} for {planned_on}")
    return described(state, release)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def check_day(state: ReleasesState, ctx: CallContext, day: str) -> None:
    """A day to come outside of every freeze: 422 `in_the_past`, 409 `frozen_day`."""
    if check_date(day) < ctx.today:
        raise invalid(f"{day} is over; today is {ctx.today}.", type="in_the_past")
    for freeze in state.freezes:
        if freeze.first_day <= day <= freeze.last_day:
            raise conflict(f"Nothing is shipped until {freeze.last_day}: {freeze.reason}.", type="frozen_day")


@service.tool(phrase="update the release {release_id}")
def update_release(
    state: ReleasesState,
    ctx: CallContext,
    release_id: ReleaseId,
    planned_on: f.Date | Unset = UNSET,
    notes: Notes | Unset = UNSET,
    manager_email: f.Email | Unset = UNSET,
) -> Json:
    """Change day, notes or manager of a release that is not out yet.

    Errors: `not_found`, `wrong_status`, `nothing_to_change`, `in_the_past`, `frozen_day`, `invalid_date`.

    Args:
        release_id: Id of the release.
        planned_on: New day.
        notes: New notes.
        manager_email: Who is responsible from now on.
    """
    in_status(state, release_id, "planned", "frozen")
    changes = some_changes(given(planned_on=planned_on, notes=notes, manager_email=manager_email))
    if "planned_on" in changes:
        check_day(state, ctx, changes["planned_on"])
    note_audit(state, ctx, release_id, f"changed {', '.join(sorted(changes))}")
    return described(state, state.releases.patch(release_id, **changes))


@service.tool(phrase="add {issue} to the release {release_id}")
def add_change(
    state: ReleasesState,
    ctx: CallContext,
    release_id: ReleaseId,
    issue: IssueKey,
    title: Name,
    kind: ChangeKind = "bug",
    risk: Risk = "low",
    note: Notes = "",
) -> Json:
    """Add a change to a planned release; earlier approvals are void.

    Errors: `not_found`, `wrong_status` (frozen releases take no more), `duplicate_change` (it is in this or another
    coming release), `blank_text`.

    Args:
        release_id: Id of the release.
        issue: Key of the issue.
        title: One line.
        kind: What it is.
        risk: high needs an approval by operations.
        note: What else has to be known.
    """
    in_status(state, release_id, "planned")
    for row in state.changes.find(issue=issue):
        if state.releases.get(row.release_id).status in ("planned", "frozen"):
            raise conflict(f"{issue} is in {row.release_id}; move it from there.", type="duplicate_change")
    clean = check_text(title, "title")
    made = state.changes.create(
        release_id=release_id, issue=issue, title=clean, kind=kind, risk=risk, author_email=ME.email, note=note
    )
    _void(state, release_id)
    return with_fields(made, release=described(state, state.releases.get(release_id)))


def _void(state: ReleasesState, release_id: str) -> None:
    for approval in state.approvals.find(release_id=release_id):
        state.approvals.delete(approval.id)


_PLAN = {"component": "runbooks", "planned_on": "2026-03-12"}


@service.tool(
    phrase="move the change {change_id} to {release_id}",
    examples=(
        Example(
            {"change_id": "CHG-0037", "release_id": "REL-0042"},
            after=(
                ("create_release", {**_PLAN, "version": "98.0.0"}),
                ("create_release", {**_PLAN, "version": "99.0.0"}),
                ("add_change", {"release_id": "REL-0041", "issue": "OPS-999", "title": "A page"}),
            ),
        ),
    ),
)
def move_change(
    state: ReleasesState, ctx: CallContext, change_id: Annotated[str, f.ref("changes")], release_id: ReleaseId
) -> Json:
    """Move a change to another planned release of the same component; approvals of that one are void.

    Errors: `not_found`, `wrong_status` (both have to be planned), `already_there`, `other_component`.

    Args:
        change_id: Id of the change.
        release_id: Release that takes it.
    """
    change = state.changes.get(change_id)
    target = state.releases.get(release_id)
    if change.release_id == release_id:
        raise conflict(f"{change.issue} is in {release_id} already.", type="already_there")
    source = in_status(state, change.release_id, "planned")
    in_status(state, release_id, "planned")
    if source.component != target.component:
        raise conflict(f"{release_id} belongs to {target.component}, not {source.component}.", type="other_component")
    moved = state.changes.patch(change_id, release_id=release_id)
    _void(state, release_id)
    return with_fields(moved, release=described(state, target))
