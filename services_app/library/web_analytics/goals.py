"""Tools for goals."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Json,
    Name,
    Query,
    check_text,
    keep,
    same,
    search,
    some_changes,
    total,
    with_fields,
)
from services_app.library.web_analytics.figures import check_period, conversions, counted, in_period, need, paths
from services_app.library.web_analytics.state import Goal, GoalId, GoalKind, Note, PropertyId, Value, WebState, service

MOST_GOALS = 20
Match = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=120)]


def goal_row(state: WebState, goal: Goal, start: str | None = None, end: str | None = None) -> Json:
    """A goal with how often it was reached and what that was worth."""
    rows = in_period(counted(state, goal.property_id), start, end)
    count = conversions(rows, goal, paths(state))
    return with_fields(goal, conversions=count, total_value=total([count * goal.value]))


def check_goal(state: WebState, property_id: str, name: str, own_id: str = "") -> str:
    """A name that no other goal of the property has; 409 `duplicate_name`, 422 `blank_text`."""
    clean = check_text(name, "name")
    for other in state.goals.find(property_id=property_id):
        if other.id != own_id and same(other.name, clean):
            raise conflict(f"{other.id} has this name; choose another.", type="duplicate_name")
    return clean


@service.tool()
def list_goals(
    state: WebState,
    ctx: CallContext,
    query: Query | None = None,
    property_id: PropertyId | None = None,
    kind: GoalKind | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
) -> Json:
    """List goals with their conversions and value, the most valuable first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the name or description.
        property_id: Only goals of this property.
        kind: Only goals that are visits of pages, or events.
        start_date: First day that counts.
        end_date: Last day that counts.
    """
    if property_id is not None:
        state.properties.get(property_id)
    if start_date is not None and end_date is not None:
        check_period(start_date, end_date)
    found = search(state.goals, query, lambda row: (row.name, row.description))
    found = keep(found, property_id=property_id, kind=kind)
    rows = [goal_row(state, row, start_date, end_date) for row in found]
    rows.sort(key=lambda row: (-row["total_value"], row["id"]))
    return {"goals": rows, "total": len(rows)}


@service.tool(phrase="create the goal {name} for {property_id}")
def create_goal(
    state: WebState,
    ctx: CallContext,
    property_id: PropertyId,
    name: Name,
    kind: GoalKind,
    match: Match,
    value: Value = 0.0,
    description: Note = "",
) -> Json:
    """Create a goal: visits of some pages or events of a name count as conversions, those of the past included.

    Errors: `not_found`, `no_permission` (editors), `duplicate_name`, `duplicate_match`, `invalid_path` (it starts with
    a slash), `unknown_event` (never seen on the site), `too_many_goals` (20), `blank_text`.

    Args:
        property_id: Id of the property.
        name: Name of the goal.
        kind: page or event.
        match: Beginning of the path, such as /thanks, or the name of the event.
        value: What one conversion is worth, in GBP.
        description: Why it matters.
    """
    need(state, property_id, "editor")
    clean = check_goal(state, property_id, name)
    present = state.goals.find(property_id=property_id)
    if kind == "page" and not match.startswith("/"):
        raise invalid(f"{match} is no path; start with a slash.", type="invalid_path")
    if kind == "event" and state.traffic.first(property_id=property_id, event_name=match) is None:
        raise invalid(f"No event {match} was seen; run_report by event_name shows those.", type="unknown_event")
    for other in present:
        if (other.kind, other.match) == (kind, match):
            raise conflict(f"{other.id} counts that already.", type="duplicate_match")
    if len(present) >= MOST_GOALS:
        raise conflict(f"There are {MOST_GOALS} goals; delete one first.", type="too_many_goals")
    goal = state.goals.create(
        property_id=property_id, name=clean, kind=kind, match=match, value=value, description=description
    )
    return goal_row(state, goal)


@service.tool(phrase="change the goal {goal_id}")
def update_goal(
    state: WebState,
    ctx: CallContext,
    goal_id: GoalId,
    name: Name | Unset = UNSET,
    value: Value | Unset = UNSET,
    description: Note | Unset = UNSET,
) -> Json:
    """Change name, value or description of a goal; a new value holds for past conversions, too.

    Errors: `not_found`, `no_permission`, `nothing_to_change`, `duplicate_name`, `blank_text`.

    Args:
        goal_id: Id of the goal.
        name: New name.
        value: What one conversion is worth, in GBP.
        description: New description.
    """
    goal = state.goals.get(goal_id)
    need(state, goal.property_id, "editor")
    changes = some_changes(given(name=name, value=value, description=description))
    if "name" in changes:
        changes["name"] = check_goal(state, goal.property_id, changes["name"], goal_id)
    return goal_row(state, state.goals.patch(goal_id, **changes))


@service.tool(phrase="delete the goal {goal_id}")
def delete_goal(state: WebState, ctx: CallContext, goal_id: GoalId) -> Json:
    """Delete a goal; reports do not show its conversions any more.

    Errors: `not_found`, `no_permission`, `last_goal`.

    Args:
        goal_id: Id of the goal.
    """
    goal = state.goals.get(goal_id)
    need(state, goal.property_id, "editor")
    if state.goals.count(property_id=goal.property_id) == 1:
        raise conflict(f"{goal_id} is the last goal of its property; create another first.", type="last_goal")
    state.goals.delete(goal_id)
    return {"deleted": goal_id, "goals_left": state.goals.count(property_id=goal.property_id)}
