"""Tools for what is learnt: postmortems, action items, figures."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.incidents.handling import described
from services_app.library.incidents.oncall import responder
from services_app.library.incidents.state import (
    ActionStatus,
    IncidentId,
    IncidentsState,
    PostmortemStatus,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)

PostmortemId = Annotated[str, f.ref("postmortems")]


@service.tool()
def list_postmortems(
    state: IncidentsState,
    ctx: CallContext,
    query: Query | None = None,
    incident_id: IncidentId | None = None,
    status: PostmortemStatus | None = None,
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """List postmortems with their text and open action items, newest first.

    Args:
        query: Words in the text or in the title of the incident.
        incident_id: Only that of this incident.
        status: Only postmortems with this status.
        limit: At most so many.
        cursor: next_cursor of the previous page.
    """
    titles = {row.id: row.title for row in state.incidents}
    found = search(
        state.postmortems, query, lambda row: (row.what_happened, row.root_cause, titles.get(row.incident_id, ""))
    )
    found = keep(found, incident_id=incident_id, status=status)
    rows = [
        with_fields(
            row,
            title=titles.get(row.incident_id),
            open_action_items=state.action_items.count(incident_id=row.incident_id, status="open"),
        )
        for row in sorted(found, key=lambda row: row.id, reverse=True)
    ]
    return cursor_page("postmortems", rows, limit, cursor)


@service.tool(phrase="write the postmortem of {incident_id}")
def create_postmortem(
    state: IncidentsState, ctx: CallContext, incident_id: IncidentId, what_happened: Body, root_cause: Body
) -> Json:
    """Write the postmortem of a resolved incident, as a draft.

    Errors: `not_found`, `not_resolved`, `duplicate_postmortem`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        what_happened: The story.
        root_cause: Why it happened.
    """
    incident = state.incidents.get(incident_id)
    if incident.status != "resolved":
        raise conflict(f"{incident_id} is {incident.status}; resolve it first.", type="not_resolved")
    if state.postmortems.first(incident_id=incident_id):
        raise conflict(f"{incident_id} has a postmortem; update that.", type="duplicate_postmortem")
    row = state.postmortems.create(
        incident_id=incident_id,
        author_email=ME.email,
        what_happened=check_text(what_happened, "story"),
        root_cause=check_text(root_cause, "root cause"),
    )
    return with_fields(row, incident=described(state, ctx, incident))


@service.tool(phrase="update the postmortem {postmortem_id}")
def update_postmortem(
    state: IncidentsState,
    ctx: CallContext,
    postmortem_id: PostmortemId,
    what_happened: Body | Unset = UNSET,
    root_cause: Body | Unset = UNSET,
    reviewer_email: f.Email | Unset = UNSET,
) -> Json:
    """Change an unpublished postmortem; naming a reviewer puts it in review.

    Errors: `not_found`, `published`, `nothing_to_change`, `unknown_responder`, `is_author`, `blank_text`.

    Args:
        postmortem_id: Id of the postmortem.
        what_happened: New story.
        root_cause: New root cause.
        reviewer_email: Who looks at it.
    """
    row = state.postmortems.get(postmortem_id)
    changes = some_changes(given(what_happened=what_happened, root_cause=root_cause, reviewer_email=reviewer_email))
    if row.status == "published":
        raise conflict(f"{postmortem_id} is published and stays as it is.", type="published")
    for name in ("what_happened", "root_cause"):
        if name in changes:
            changes[name] = check_text(changes[name], name.replace("_", " "))
    if "reviewer_email" in changes:
        changes |= {"reviewer_email": responder(state, changes["reviewer_email"]).email, "status": "in_review"}
        if same(changes["reviewer_email"], row.author_email):
            raise conflict("Authors do not review their own text; name somebody else.", type="is_author")
    return with_fields(state.postmortems.patch(postmortem_id, **changes))


@service.tool(phrase="publish the postmortem {postmortem_id}")
def publish_postmortem(state: IncidentsState, ctx: CallContext, postmortem_id: PostmortemId) -> Json:
    """Publish a postmortem that is in review; only its reviewer can, and there has to be an action item.

    Errors: `not_found`, `not_in_review`, `not_the_reviewer`, `no_action_items`.

    Args:
        postmortem_id: Id of the postmortem.
    """
    row = state.postmortems.get(postmortem_id)
    if row.status != "in_review":
        raise conflict(f"{postmortem_id} is {row.status}, not in review.", type="not_in_review")
    if not same(row.reviewer_email or "", ME.email):
        raise forbidden(f"{row.reviewer_email} reviews it; ask them.", type="not_the_reviewer")
    items = state.action_items.find(incident_id=row.incident_id)
    if not items:
        raise conflict(f"{row.incident_id} has no action item; add one first.", type="no_action_items")
    changed = state.postmortems.patch(postmortem_id, status="published", published_at=ctx.now)
    return with_fields(changed, action_items=[brief(item, "id", "title", "status") for item in items])


@service.tool()
def list_action_items(
    state: IncidentsState,
    ctx: CallContext,
    incident_id: IncidentId | None = None,
    owner_email: f.Email | None = None,
    status: ActionStatus | None = None,
    overdue_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List what has to be done after incidents, next due first.

    Args:
        incident_id: Only items of this incident.
        owner_email: Only items of this person.
        status: Only open or done items.
        overdue_only: Only open items whose day is over.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.action_items, incident_id=incident_id, owner_email=owner_email, status=status)
    rows = [with_fields(row, overdue=row.status == "open" and row.due_date < ctx.today) for row in found]
    rows = [row for row in rows if row["overdue"] or not overdue_only]
    rows.sort(key=lambda row: (row["due_date"], row["id"]))
    return cursor_page("action_items", rows, limit, cursor)


@service.tool(phrase="ask {owner_email} for {title} after {incident_id}")
def create_action_item(
    state: IncidentsState,
    ctx: CallContext,
    incident_id: IncidentId,
    title: Name,
    owner_email: f.Email,
    due_date: f.Date,
) -> Json:
    """Add something that has to be done because of an incident.

    Errors: `not_found`, `unknown_responder`, `duplicate_item`, `in_the_past`, `invalid_date`, `blank_text`.

    Args:
        incident_id: Id of the incident.
        title: One line.
        owner_email: Who does it.
        due_date: By when.
    """
    state.incidents.get(incident_id)
    clean = check_text(title, "title")
    owner = responder(state, owner_email)
    if check_date(due_date) < ctx.today:
        raise invalid(f"{due_date} is over; today is {ctx.today}.", type="in_the_past")
    rows = state.action_items.find(incident_id=incident_id)
    if any(same(row.title, clean) for row in rows):
        raise conflict(f"{incident_id} has this item already.", type="duplicate_item")
    item = state.action_items.create(incident_id=incident_id, title=clean, owner_email=owner.email, due_date=due_date)
    return with_fields(item, items_of_incident=len(rows) + 1)


@service.tool(phrase="tick off the action item {item_id}")
def complete_action_item(
    state: IncidentsState, ctx: CallContext, item_id: Annotated[str, f.ref("action_items")], reopen: bool = False
) -> Json:
    """Mark an action item as done, or take that back.

    Errors: `not_found`, `no_change`.

    Args:
        item_id: Id of the action item.
        reopen: true opens a finished item again.
    """
    item = state.action_items.get(item_id)
    wanted = "open" if reopen else "done"
    if item.status == wanted:
        raise conflict(f"{item_id} is {wanted} already.", type="no_change")
    changed = state.action_items.patch(item_id, status=wanted)
    return with_fields(changed, open_items=state.action_items.count(incident_id=item.incident_id, status="open"))
