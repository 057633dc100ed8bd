"""Tools for travelers, the policy and what travel costs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, given
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_date,
    check_range,
    keep,
    offset_page,
    search,
    some_changes,
    total,
    with_fields,
)
from services_app.library.travel.costs import airport_of, cost_of, phase_of
from services_app.library.travel.state import Policy, PolicyStatus, Traveler, TravelState, Trip, service

TravelerId = Annotated[str, f.ref("travelers")]
Place = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=60)]
GroupBy = Annotated[Literal["traveler", "cost_center", "destination", "project"], LABEL]


@service.tool()
def list_travelers(
    state: TravelState, ctx: CallContext, query: Query | None = None, limit: Limit = 25, offset: Offset = 0
) -> Json:
    """Find travelers by words in the name, address, employee number or cost center, by name.

    Args:
        query: Words that must all occur.
        limit: At most so many people.
        offset: Skip so many people.
    """
    found = search(state.travelers, query, lambda row: (row.name, row.email, row.employee_number, row.cost_center))
    found.sort(key=lambda row: (row.name, row.id))
    return offset_page("travelers", found, limit, offset)


@service.tool()
def get_traveler(state: TravelState, ctx: CallContext, traveler_id: TravelerId) -> Json:
    """Show a travel profile with the trips that are planned or under way.

    Errors: `not_found`.

    Args:
        traveler_id: Id of the traveler.
    """
    traveler = state.travelers.get(traveler_id)
    trips = [row for row in state.trips.find(traveler_id=traveler_id, status="open") if row.ends_on >= ctx.today]
    return with_fields(
        traveler,
        passport_valid=traveler.passport_expires_on >= ctx.today,
        trips=[{**row.plain(), "phase": phase_of(row, ctx.today)} for row in trips],
    )


@service.tool(phrase="update the travel profile {traveler_id}")
def update_traveler(
    state: TravelState,
    ctx: CallContext,
    traveler_id: TravelerId,
    phone: f.Phone | Unset = UNSET,
    home_airport: Place | Unset = UNSET,
    passport_expires_on: f.Date | Unset = UNSET,
) -> Traveler:
    """Change the phone number, home airport or passport of a traveler.

    Errors: `not_found` (traveler or airport), `nothing_to_change`, `invalid_date`.

    Args:
        traveler_id: Id of the traveler.
        phone: New phone number.
        home_airport: Code or city of the airport.
        passport_expires_on: Last day of the passport.
    """
    state.travelers.get(traveler_id)
    changes = some_changes(given(phone=phone, home_airport=home_airport, passport_expires_on=passport_expires_on))
    if "home_airport" in changes:
        changes["home_airport"] = airport_of(state, changes["home_airport"]).code
    if "passport_expires_on" in changes:
        changes["passport_expires_on"] = check_date(changes["passport_expires_on"])
    return state.travelers.patch(traveler_id, **changes)


@service.tool()
def search_travel_policies(
    state: TravelState, ctx: CallContext, query: Query | None = None, status: PolicyStatus | None = None
) -> Json:
    """Find travel policies by words in the title or text; get_travel_policy has the full text.

    Args:
        query: Words that must all occur.
        status: Only policies that are current, or superseded.
    """
    found = keep(search(state.policies, query, lambda row: (row.title, row.body)), status=status)
    return {"policies": [brief(row, "id", "title", "status", "valid_from") for row in found], "total": len(found)}


@service.tool()
def get_travel_policy(state: TravelState, ctx: CallContext, policy_id: Annotated[str, f.ref("policies")]) -> Policy:
    """Read a travel policy.

    Errors: `not_found`.

    Args:
        policy_id: Id of the policy.
    """
    return state.policies.get(policy_id)


@service.tool()
def get_spend_report(
    state: TravelState, ctx: CallContext, from_date: f.Date, to_date: f.Date, group_by: GroupBy = "destination"
) -> Json:
    """Sum up the cost of trips that start in a range of days, the dearest group first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        from_date: First day.
        to_date: Last day.
        group_by: What the rows are.
    """
    check_range(from_date, to_date)
    groups: dict[str, list[float]] = {}
    for trip in state.trips:
        if from_date <= trip.starts_on <= to_date:
            groups.setdefault(_group(state, trip, group_by), []).append(cost_of(state, trip.id))
    rows = [{group_by: name, "trips": len(costs), "cost": total(costs)} for name, costs in groups.items()]
    rows.sort(key=lambda row: (-float(str(row["cost"])), str(row[group_by])))
    everything = total(cost for costs in groups.values() for cost in costs)
    return {"rows": rows[:100], "trips": sum(len(costs) for costs in groups.values()), "total_cost": everything}


def _group(state: TravelState, trip: Trip, group_by: str) -> str:
    traveler = state.travelers.get(trip.traveler_id)
    names = {"traveler": traveler.email, "cost_center": traveler.cost_center, "destination": trip.destination_city}
    return names.get(group_by, trip.project_code or "none")
