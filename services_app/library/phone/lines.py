"""Tools for lines, queues and what was used."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.phone.access import (
    LineId,
    PhoneNumber,
    check_number,
    me,
    own_line_ids,
    same_number,
    usable,
    user_by,
)
from services_app.library.phone.messages import segments, used_segments
from services_app.library.phone.state import AfterHours, Line, LineKind, PhoneState, Queue, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_range,
    cursor_page,
    keep,
    minutes_between,
    search,
    some_changes,
    with_fields,
)


@service.tool()
def list_lines(
    state: PhoneState,
    ctx: CallContext,
    query: Query | None = None,
    kind: LineKind | None = None,
    mine_only: bool = False,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the company's phone lines with number, owner, hours and call handling.

    Args:
        query: Words in the label, number or owner.
        kind: Only lines of this kind.
        mine_only: Only your direct line and the shared lines, which you may use.
        limit: At most so many lines.
        cursor: next_cursor of the previous page.
    """
    own = own_line_ids(state)
    found = keep(search(state.lines, query, lambda row: (row.label, row.number, _owner(state, row))), kind=kind)
    found = [row for row in found if row.id in own or not mine_only]
    page = cursor_page("lines", found, limit, cursor)
    page["lines"] = [_shown(state, ctx, row) for row in page["lines"]]
    return page


def _owner(state: PhoneState, line: Line) -> str:
    owner = state.users.first(id=line.owner_id) if line.owner_id else None
    return f"{owner.name} {owner.email} {owner.extension}" if owner else ""


def _shown(state: PhoneState, ctx: CallContext, line: Line) -> Json:
    owner = state.users.first(id=line.owner_id) if line.owner_id else None
    return with_fields(
        line,
        owner_name=owner.name if owner else None,
        owner_email=owner.email if owner else None,
        open_now=line.opens <= ctx.now[11:16] < line.closes,
        sms_segments_left=max(0, line.sms_allowance - used_segments(state, line.id, ctx.now[:7])),
    )


@service.tool(phrase="change the call handling of {line_id}")
def update_call_handling(
    state: PhoneState,
    ctx: CallContext,
    line_id: LineId,
    after_hours: AfterHours | Unset = UNSET,
    forward_to: PhoneNumber | Unset = UNSET,
    greeting: f.Text | Unset = UNSET,
    opens: f.Time | Unset = UNSET,
    closes: f.Time | Unset = UNSET,
) -> Json:
    """Change when a line of yours is open and what callers meet outside these hours; what is left out stays.

    Errors: `not_found`, `not_your_line`, `nothing_to_change`, `invalid_hours` (closes before it opens),
    `invalid_number`, `forward_number_missing`, `forward_loop` (to the line itself).

    Args:
        line_id: Id of the line.
        after_hours: Voicemail, forwarding, or only an announcement.
        forward_to: Number to forward to.
        greeting: What callers hear first.
        opens: Time of day from which calls ring, UTC.
        closes: Time of day until which calls ring, UTC.
    """
    line = usable(state, line_id)
    changes = some_changes(
        given(after_hours=after_hours, forward_to=forward_to, greeting=greeting, opens=opens, closes=closes)
    )
    after = {**line.plain(), **changes}
    if str(after["closes"]) <= str(after["opens"]):
        raise invalid(
            f"The line cannot close at {after['closes']}; it opens at {after['opens']}.", type="invalid_hours"
        )
    if "forward_to" in changes and same_number(check_number(changes["forward_to"]), line.number):
        raise invalid("A line cannot be forwarded to itself.", type="forward_loop")
    if after["after_hours"] == "forward" and not after["forward_to"]:
        raise invalid("Forwarding needs forward_to.", type="forward_number_missing")
    return _shown(state, ctx, state.lines.patch(line_id, **changes))


@service.tool()
def list_call_queues(state: PhoneState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the call queues with their line, supervisor, members and who is available.

    Args:
        query: Words in the name, the overflow rule or the names of members.
    """
    rows = [_queue(state, queue) for queue in state.queues]
    found = search(rows, query, lambda row: (row["name"], row["overflow"], *(each["name"] for each in row["members"])))
    return {"queues": found, "total": len(found)}


def _queue(state: PhoneState, queue: Queue) -> Json:
    supervisor = state.users.get(queue.supervisor_id)
    members = [(state.users.get(row.user_id), row) for row in state.queue_members.find(queue_id=queue.id)]
    return with_fields(
        queue,
        number=state.lines.get(queue.line_id).number,
        supervisor=supervisor.name,
        supervisor_email=supervisor.email,
        members=[
            {"name": user.name, "email": user.email, "extension": user.extension, "available": row.available}
            for user, row in members
        ],
        available=sum(1 for _, row in members if row.available),
    )


@service.tool(
    phrase="set the availability in the queue {queue_id} to {available}",
    examples=(Example({"queue_id": "Q-01", "available": False}),),
)
def set_queue_availability(
    state: PhoneState,
    ctx: CallContext,
    queue_id: Annotated[str, f.ref("queues")],
    available: bool,
    email: f.Email | None = None,
) -> Json:
    """Take part in a call queue or step out of it; supervisors do so for others.

    One member stays available as long as the line is open. Errors: `not_found`, `unknown_user`, `not_supervisor`,
    `not_a_member`, `no_change`, `last_available`.

    Args:
        queue_id: Id of the queue.
        available: Whether calls of the queue ring.
        email: Whose; yours, if left out.
    """
    queue = state.queues.get(queue_id)
    user = me(state) if email is None else user_by(state, email)
    if user.id != me(state).id and queue.supervisor_id != me(state).id:
        raise forbidden(f"Only the supervisor of {queue.name} sets the availability of others.", type="not_supervisor")
    member = state.queue_members.first(queue_id=queue_id, user_id=user.id)
    if member is None:
        raise conflict(f"{user.name} is not a member of {queue.name}.", type="not_a_member")
    if member.available == available:
        raise conflict(f"{user.name} is {'available' if available else 'out'} already.", type="no_change")
    line = state.lines.get(queue.line_id)
    others = state.queue_members.count(queue_id=queue_id, available=True) - 1
    if not available and others == 0 and line.opens <= ctx.now[11:16] < line.closes:
        raise conflict(f"{user.name} is the last one available until {line.closes}.", type="last_available")
    state.queue_members.patch(member.id, available=available)
    return _queue(state, queue)


@service.tool()
def get_usage(
    state: PhoneState, ctx: CallContext, from_day: f.Date, to_day: f.Date, line_id: LineId | None = None
) -> Json:
    """Report calls, minutes and text message segments per line over some days.

    Errors: `invalid_range`, `invalid_date`, `not_found`.

    Args:
        from_day: First day.
        to_day: Last day.
        line_id: Only this line.
    """
    check_range(from_day, to_day)
    lines = [state.lines.get(line_id)] if line_id else list(state.lines)
    rows = [_usage(state, line, from_day, to_day) for line in lines]
    return {
        "lines": [row for row in rows if row["calls"] or row["sms_segments"]],
        "total_calls": sum(row["calls"] for row in rows),
        "total_minutes": sum(row["minutes"] for row in rows),
        "total_sms_segments": sum(row["sms_segments"] for row in rows),
    }


def _usage(state: PhoneState, line: Line, first: str, last: str) -> Json:
    calls = [row for row in state.calls.find(line_id=line.id) if first <= row.started_at[:10] <= last]
    sent = [row for row in state.messages.find(line_id=line.id, status="sent") if first <= row.at[:10] <= last]
    return {
        "line_id": line.id,
        "label": line.label,
        "calls": len(calls),
        "missed": sum(1 for row in calls if row.result in ("missed", "voicemail")),
        "minutes": sum(minutes_between(row.started_at, row.ended_at) for row in calls if row.ended_at),
        "sms_segments": sum(segments(row.text) for row in sent),
    }
