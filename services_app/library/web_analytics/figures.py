"""What reports show: computed from the traffic that the filters leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services_app.engine import forbidden, invalid
from services_app.library.cast import ME
from services_app.library.shared import Json, check_range, days_between, keep, percent, total, within
from services_app.library.web_analytics.state import RANK, Goal, Segment, Traffic, WebProperty, WebState

LONGEST_DAYS = 400


def need(state: WebState, property_id: str, role: str) -> WebProperty:
    """The property if the signed-in user has this role or a higher one; 403 `no_permission`."""
    found = state.properties.get(property_id)
    mine = state.users.first(property_id=property_id, email=ME.email)
    if mine is None or RANK[mine.role] < RANK[role]:
        have = mine.role if mine else "none"
        admins = [row.email for row in state.users.find(property_id=property_id, role="admin")]
        raise forbidden(
            f"You need the role {role} for {found.domain} and have {have}; ask {' or '.join(admins)}.",
            type="no_permission",
        )
    return found


def check_period(start: str, end: str) -> int:
    """Days of a period; 422 `invalid_date`, `invalid_range` for one that makes no sense or is too long."""
    check_range(start, end)
    days = days_between(start, end) + 1
    if days > LONGEST_DAYS:
        raise invalid(f"The period has {days} days; ask for {LONGEST_DAYS} at most.", type="invalid_range")
    return days


def paths(state: WebState) -> dict[str, str]:
    return {page.id: page.path for page in state.pages}


def counted(state: WebState, property_id: str | None) -> list[Traffic]:
    """Traffic that no active filter takes out."""
    rows = list(state.traffic) if property_id is None else state.traffic.find(property_id=property_id)
    out = {(row.property_id, row.field, row.value.lower()) for row in state.filters.find(active=True)}
    return [
        row
        for row in rows
        if not out
        & {
            (row.property_id, "source", row.source.lower()),
            (row.property_id, "country", row.country.lower()),
            (row.property_id, "campaign", row.campaign.lower()),
        }
    ]


def in_segment(state: WebState, rows: Iterable[Traffic], segment: Segment | None) -> list[Traffic]:
    if segment is None:
        return list(rows)
    found = keep(rows, source=segment.source, medium=segment.medium, country=segment.country, device=segment.device)
    where = paths(state)
    return [row for row in found if where[row.page_id].startswith(segment.path_prefix or "")]


def in_period(rows: Iterable[Traffic], start: str | None, end: str | None) -> list[Traffic]:
    return within(rows, "date", start, end)


def conversions(rows: Iterable[Traffic], goal: Goal, where: dict[str, str]) -> int:
    """How often a goal was reached: visits of its pages, or events of its name."""
    mine = [row for row in rows if row.property_id == goal.property_id]
    if goal.kind == "event":
        return sum(row.event_count for row in mine if row.event_name == goal.match)
    return sum(row.sessions for row in mine if where[row.page_id].startswith(goal.match))


def metrics(state: WebState, rows: Sequence[Traffic], goals: Sequence[Goal]) -> Json:
    """The figures of some traffic."""
    sessions = sum(row.sessions for row in rows)
    where = paths(state)
    reached = {goal.id: conversions(rows, goal, where) for goal in goals}
    count = sum(reached.values())
    return {
        "users": sum(row.users for row in rows),
        "sessions": sessions,
        "pageviews": sum(row.pageviews for row in rows),
        "bounce_rate": share(sum(row.bounces for row in rows), sessions),
        "avg_seconds": round(sum(row.seconds for row in rows) / sessions) if sessions else 0,
        "conversions": count,
        "conversion_rate": share(count, sessions),
        "value": total(reached[goal.id] * goal.value for goal in goals),
    }


def share(part: int, whole: int) -> float:
    """A percentage with one decimal; 0 of nothing."""
    return percent(part, whole) or 0.0
