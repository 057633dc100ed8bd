"""Figures over meetings that have been held."""

from __future__ import annotations

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.shared import Json, check_range, minutes_between
from services_app.library.video_meetings.state import MeetingsState, User, service


@service.tool()
def get_usage_report(
    state: MeetingsState, ctx: CallContext, from_day: f.Date, to_day: f.Date, department: f.Label | None = None
) -> Json:
    """Report meetings held per host in some days: meetings, minutes, participants and recorded megabytes.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        from_day: First day.
        to_day: Last day.
        department: Only hosts of this department.
    """
    check_range(from_day, to_day)
    users = [user for user in state.users if department is None or user.department == department]
    rows = [row for row in (_usage(state, user, from_day, to_day) for user in users) if row["meetings"]]
    rows.sort(key=lambda row: (-int(row["minutes"]), str(row["host_email"])))
    return {
        "hosts": rows,
        "total_meetings": sum(row["meetings"] for row in rows),
        "total_minutes": sum(row["minutes"] for row in rows),
        "recorded_mb": sum(row["recorded_mb"] for row in rows),
    }


def _usage(state: MeetingsState, user: User, first: str, last: str) -> Json:
    held = [
        row
        for row in state.meetings.find(host_id=user.id, status="ended")
        if row.started_at and row.ended_at and first <= row.started_at[:10] <= last
    ]
    ids = {row.id for row in held}
    return {
        "host_name": user.name,
        "host_email": user.email,
        "department": user.department,
        "meetings": len(held),
        "minutes": sum(minutes_between(row.started_at or "", row.ended_at or "") for row in held),
        "participants": sum(1 for row in state.participants if row.meeting_id in ids),
        "recorded_mb": sum(row.size_mb for row in state.recordings if row.meeting_id in ids and not row.deleted_on),
    }
