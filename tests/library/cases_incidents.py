"""Situations in incident response; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, added, ok, one, patched, rows

S = "incidents"
PEOPLE += [(S, "responders")]


def _new(env: Env, **more: Any) -> Row:
    values = {"title": "Something broke", "service": "runbooks", "severity": "sev3"}
    found: Row = ok(env, S, "create_incident", **{**values, **more})
    return found


def _led(env: Env) -> tuple[Env, Row]:
    """An incident that I lead, and no other."""
    for row in rows(env, S, "assignments", role="commander", email=ME.email):
        env = patched(env, S, "assignments", row["id"], role="scribe")
    incident = _new(env)
    ok(env, S, "acknowledge_incident", incident_id=incident["id"])
    return env, incident


def _other(env: Env) -> str:
    return str(next(row["email"] for row in env.rows(S, "responders") if row["email"] != ME.email))


def _days(env: Env) -> dict[str, Any]:
    days = {"first_day": "2026-07-01", "last_day": "2026-07-03"}
    ok(env, S, "create_override", schedule_id="SCH-01", email=ME.email, **days)
    return days


@case(S, "create_override", "on_call_elsewhere")
def _(env: Env) -> Situation:
    return env, {"schedule_id": "SCH-02", "email": ME.email, **_days(env)}


@case(S, "create_override", "overlapping_override")
def _(env: Env) -> Situation:
    return env, {"schedule_id": "SCH-01", "email": _other(env), **_days(env)}


@case(S, "resolve_incident", "open_alerts")
def _(env: Env) -> Situation:
    env, incident = _led(env)
    alert = one(env, S, "alerts", status="firing", incident_id=None)
    ok(env, S, "attach_alert", alert_id=alert["id"], incident_id=incident["id"])
    ok(env, S, "mitigate_incident", incident_id=incident["id"], what_was_done="Restarted.")
    return env, {"incident_id": incident["id"], "cause": "A full disk."}


@case(S, "resolve_incident", "issue_missing")
def _(env: Env) -> Situation:
    env, incident = _led(env)
    ok(env, S, "update_incident", incident_id=incident["id"], severity="sev1")
    ok(env, S, "mitigate_incident", incident_id=incident["id"], what_was_done="Restarted.")
    return env, {"incident_id": incident["id"], "cause": "A full disk."}


@case(S, "assign_role", "commands_another")
def _(env: Env) -> Situation:
    env, _incident = _led(env)
    second = _new(env, title="Something else")
    return env, {"incident_id": second["id"], "role": "commander", "email": ME.email}


@case(S, "assign_role", "has_role")
def _(env: Env) -> Situation:
    env, incident = _led(env)
    return env, {"incident_id": incident["id"], "role": "commander", "email": ME.email.upper()}


@case(S, "add_affected_customer", "already_noted")
def _(env: Env) -> Situation:
    arguments = {"incident_id": _new(env)["id"], "company": "Brandt Tooling", "contact_email": "ana@brandt.example"}
    ok(env, S, "add_affected_customer", **arguments)
    return env, arguments


@case(S, "post_update", "nobody_affected")
def _(env: Env) -> Situation:
    env, incident = _led(env)
    return env, {"incident_id": incident["id"], "message": "We are on it."}


@case(S, "post_update", "same_update")
def _(env: Env) -> Situation:
    env, incident = _led(env)
    place = {"incident_id": incident["id"]}
    ok(env, S, "add_affected_customer", **place, company="Brandt Tooling", contact_email="ana@brandt.example")
    ok(env, S, "post_update", **place, message="We are on it.")
    return env, {**place, "message": "We are on it."}


def _review(env: Env, reviewer: str) -> tuple[Env, Row]:
    """A postmortem in review, of an incident without action items."""
    written = {row["incident_id"] for row in env.rows(S, "postmortems")}
    incident = next(row for row in rows(env, S, "incidents", status="resolved") if row["id"] not in written)
    row = {
        "id": "PM-9000",
        "incident_id": incident["id"],
        "status": "in_review",
        "author_email": "author@larkfield.example",
        "what_happened": "It stopped.",
        "root_cause": "A full disk.",
        "reviewer_email": reviewer,
    }
    return added(env, S, "postmortems", row), row


@case(S, "publish_postmortem", "no_action_items")
def _(env: Env) -> Situation:
    env, row = _review(env, ME.email)
    return env, {"postmortem_id": row["id"]}


@case(S, "publish_postmortem", "not_the_reviewer")
def _(env: Env) -> Situation:
    env, row = _review(env, "author@larkfield.example")
    return env, {"postmortem_id": row["id"]}


@case(S, "update_postmortem", "is_author")
def _(env: Env) -> Situation:
    postmortem = one(env, S, "postmortems")
    env = patched(env, S, "postmortems", postmortem["id"], author_email=ME.email, status="draft")
    return env, {"postmortem_id": postmortem["id"], "reviewer_email": ME.email}


@case(S, "create_action_item", "duplicate_item")
def _(env: Env) -> Situation:
    arguments = {"incident_id": _new(env)["id"], "title": "Write a test", "owner_email": ME.email}
    ok(env, S, "create_action_item", **arguments, due_date="2026-04-01")
    return env, {**arguments, "due_date": "2026-04-02"}


@case(S, "create_incident", "duplicate_incident")
def _(env: Env) -> Situation:
    incident = _new(env)
    return env, {name: incident[name] for name in ("title", "service", "severity")}


@case(S, "close_alert", "note_missing")
def _(env: Env) -> Situation:
    return env, {"alert_id": one(env, S, "alerts", status="firing", incident_id=None)["id"]}


@case(S, "attach_alert", "already_attached")
def _(env: Env) -> Situation:
    env, incident = _led(env)
    alert = one(env, S, "alerts", status="firing", incident_id=None)
    arguments = {"alert_id": alert["id"], "incident_id": incident["id"]}
    ok(env, S, "attach_alert", **arguments)
    return env, arguments


@case(S, "reopen_incident", "postmortem_published")
def _(env: Env) -> Situation:
    postmortem = one(env, S, "postmortems")
    env = patched(env, S, "postmortems", postmortem["id"], status="published")
    return env, {"incident_id": postmortem["incident_id"], "reason": "Again"}


@case(S, "update_incident", "reason_missing")
def _(env: Env) -> Situation:
    return env, {"incident_id": _new(env)["id"], "severity": "sev4"}


@case(S, "delete_override", "already_over")
def _(env: Env) -> Situation:
    override = one(env, S, "overrides")
    env = patched(env, S, "overrides", override["id"], first_day="2026-02-01", last_day="2026-02-02")
    return env, {"override_id": override["id"]}


@case(S, "update_incident", "blank_text")
def _(env: Env) -> Situation:
    return env, {"incident_id": _new(env)["id"], "title": "  "}
