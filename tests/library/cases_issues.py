"""Situations in the issue tracker; see cases.py."""

from __future__ import annotations

import itertools
from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched, refused, rows

S = "issues"
PEOPLE += [(S, "members")]


def _new(env: Env, summary: str = "Something new", **more: Any) -> Row:
    found: Row = ok(env, S, "create_issue", project="FLT", summary=summary, **more)
    return found


def _sprint(env: Env, **more: Any) -> Row:
    dates = {"start_date": "2026-06-01", "end_date": "2026-06-10"}
    found: Row = ok(env, S, "create_sprint", project="FLT", name="Summer", capacity=10, **{**dates, **more})
    return found


def _estimated(env: Env, points: int = 8, **more: Any) -> Row:
    issue = _new(env, **more)
    found: Row = ok(env, S, "update_issue", issue_id=issue["id"], story_points=points)
    return found


@case(S, "update_issue", "over_capacity")
def _(env: Env) -> Situation:
    issue, sprint = _estimated(env), _sprint(env)
    ok(env, S, "move_issue_to_sprint", issue_id=issue["id"], sprint_id=sprint["id"])
    return env, {"issue_id": issue["id"], "story_points": 11}


@case(S, "move_issue_to_sprint", "over_capacity")
def _(env: Env) -> Situation:
    return env, {"issue_id": _estimated(env, 11)["id"], "sprint_id": _sprint(env)["id"]}


@case(S, "move_issue_to_sprint", "sprint_closed")
def _(env: Env) -> Situation:
    closed = one(env, S, "sprints", project="FLT", state="closed")
    return env, {"issue_id": _estimated(env, 1)["id"], "sprint_id": closed["id"]}


@case(S, "move_issue_to_sprint", "not_estimated")
def _(env: Env) -> Situation:
    return env, {"issue_id": _new(env)["id"], "sprint_id": _sprint(env)["id"]}


def _active(env: Env) -> tuple[Env, Row]:
    sprint = one(env, S, "sprints", project="FLT", state="active")
    return patched(env, S, "sprints", sprint["id"], capacity=200), sprint


@case(S, "complete_sprint", "over_capacity")
def _(env: Env) -> Situation:
    env, sprint = _active(env)
    issue, other = _estimated(env, 21), _sprint(env)
    ok(env, S, "move_issue_to_sprint", issue_id=issue["id"], sprint_id=sprint["id"])
    return env, {"sprint_id": sprint["id"], "move_open_to_sprint_id": other["id"]}


@case(S, "start_sprint", "active_sprint_exists")
def _(env: Env) -> Situation:
    return env, {"sprint_id": one(env, S, "sprints", project="FLT", state="future")["id"]}


@case(S, "start_sprint", "empty_sprint")
def _(env: Env) -> Situation:
    env, sprint = _active(env)
    ok(env, S, "complete_sprint", sprint_id=sprint["id"])
    return env, {"sprint_id": _sprint(env)["id"]}


@case(S, "create_sprint", "blank_text")
def _(env: Env) -> Situation:
    return env, {"project": "FLT", "name": "  ", "start_date": "2026-06-01", "end_date": "2026-06-10"}


@case(S, "create_sprint", "duplicate_name")
def _(env: Env) -> Situation:
    _sprint(env)
    return env, {"project": "FLT", "name": "summer", "start_date": "2026-07-01", "end_date": "2026-07-10"}


@case(S, "create_sprint", "overlapping_sprint")
def _(env: Env) -> Situation:
    _sprint(env)
    return env, {"project": "FLT", "name": "Later", "start_date": "2026-06-09", "end_date": "2026-06-20"}


def _busy(env: Env) -> tuple[Env, Row]:
    """A project in which nobody may have more than one issue in progress, and one in progress of mine."""
    env = patched(env, S, "projects", "FLT", wip_limit=1)
    for issue in rows(env, S, "issues", project="FLT", status="in_progress"):
        env = patched(env, S, "issues", issue["id"], assignee_email="other@larkfield.example")
    issue = _new(env, assignee_email=ME.email)
    ok(env, S, "transition_issue", issue_id=issue["id"], status="in_progress")
    return env, issue


@case(S, "transition_issue", "wip_limit")
def _(env: Env) -> Situation:
    env, _first = _busy(env)
    return env, {"issue_id": _new(env, "Another", assignee_email=ME.email)["id"], "status": "in_progress"}


@case(S, "assign_issue", "wip_limit")
def _(env: Env) -> Situation:
    env, _first = _busy(env)
    other = next(row for row in rows(env, S, "members", active=True) if row["email"] != ME.email)
    second = _new(env, "Another", assignee_email=other["email"])
    ok(env, S, "transition_issue", issue_id=second["id"], status="in_progress")
    return env, {"issue_id": second["id"], "assignee_email": ME.email}


@case(S, "assign_issue", "needs_assignee")
def _(env: Env) -> Situation:
    env, issue = _busy(env)
    return env, {"issue_id": issue["id"]}


@case(S, "transition_issue", "blocked")
def _(env: Env) -> Situation:
    first, second = _new(env, "First"), _new(env, "Second", assignee_email=ME.email)
    ok(env, S, "link_issues", source_id=first["id"], target_id=second["id"], link_type="blocks")
    return env, {"issue_id": second["id"], "status": "in_progress"}


@case(S, "transition_issue", "open_subtasks")
def _(env: Env) -> Situation:
    story = _new(env, issue_type="story", assignee_email=ME.email)
    _new(env, "A part", parent_id=story["id"])
    for status in ("in_progress", "in_review"):
        ok(env, S, "transition_issue", issue_id=story["id"], status=status)
    return env, {"issue_id": story["id"], "status": "done"}


@case(S, "link_issues", "duplicate_link")
def _(env: Env) -> Situation:
    link = one(env, S, "links")
    return env, {name: link[name] for name in ("source_id", "target_id", "link_type")}


@case(S, "link_issues", "circular_block")
def _(env: Env) -> Situation:
    issues = [_new(env, f"Number {number}")["id"] for number in range(3)]
    for source, target in itertools.pairwise(issues):
        ok(env, S, "link_issues", source_id=source, target_id=target, link_type="blocks")
    arguments = {"source_id": issues[2], "target_id": issues[0], "link_type": "blocks"}
    assert refused(env, S, "link_issues", **arguments) == "circular_block"
    return env, arguments


@case(S, "log_work", "day_full")
def _(env: Env) -> Situation:
    issue = one(env, S, "issues", status="in_progress")
    ok(env, S, "log_work", issue_id=issue["id"], minutes=700)
    return env, {"issue_id": issue["id"], "minutes": 30}


@case(S, "close_as_duplicate", "duplicate_of_duplicate")
def _(env: Env) -> Situation:
    first, second, third = (_new(env, f"Number {number}")["id"] for number in range(3))
    ok(env, S, "close_as_duplicate", issue_id=first, duplicate_of=second)
    return env, {"issue_id": third, "duplicate_of": first}


@case(S, "create_issue", "invalid_parent")
def _(env: Env) -> Situation:
    return env, {"project": "FLT", "summary": "Part", "parent_id": _new(env, issue_type="bug")["id"]}


@case(S, "create_issue", "issue_closed")
def _(env: Env) -> Situation:
    return env, {"project": "FLT", "summary": "Part", "parent_id": one(env, S, "issues", status="done")["id"]}


@case(S, "transfer_issues", "same_person")
def _(env: Env) -> Situation:
    return env, {"from_email": ME.email, "to_email": ME.email.upper(), "reason": "Holiday"}


@case(S, "transfer_issues", "nothing_to_hand_over")
def _(env: Env) -> Situation:
    for issue in rows(env, S, "issues", assignee_email=ME.email):
        env = patched(env, S, "issues", issue["id"], assignee_email=None)
    other = next(row for row in rows(env, S, "members", active=True) if row["email"] != ME.email)
    return env, {"from_email": ME.email, "to_email": other["email"], "reason": "Holiday"}


@case(S, "create_issue", "duplicate_issue")
def _(env: Env) -> Situation:
    return env, {"project": "FLT", "summary": _new(env)["summary"].upper()}


@case(S, "delete_comment", "not_your_comment")
def _(env: Env) -> Situation:
    comment = one(env, S, "comments")
    env = patched(env, S, "comments", comment["id"], author_email="other@larkfield.example")
    return env, {"comment_id": comment["id"]}


@case(S, "update_issue", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"issue_id": _new(env)["id"], "due_date": "2026-02-30"}


@case(S, "close_as_duplicate", "same_issue")
def _(env: Env) -> Situation:
    issue = _new(env)["id"]
    return env, {"issue_id": issue, "duplicate_of": issue}


@case(S, "complete_sprint", "sprint_closed")
def _(env: Env) -> Situation:
    env, sprint = _active(env)
    closed = one(env, S, "sprints", project="FLT", state="closed")
    return env, {"sprint_id": sprint["id"], "move_open_to_sprint_id": closed["id"]}


@case(S, "complete_sprint", "other_project")
def _(env: Env) -> Situation:
    env, sprint = _active(env)
    other = one(env, S, "sprints", project="RTE", state="future")
    return env, {"sprint_id": sprint["id"], "move_open_to_sprint_id": other["id"]}
