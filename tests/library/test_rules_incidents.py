"""The rules of incident response, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "incidents"


def test_an_incident_goes_from_page_to_postmortem() -> None:
    env = environment(S)
    for row in rows(env, S, "assignments", role="commander", email=ME.email):
        env = patched(env, S, "assignments", row["id"], role="scribe")
    declared = ok(env, S, "create_incident", title="Maps are blank", service="fleet-tracker", severity="sev2")
    place = {"incident_id": declared["id"]}
    shown = ok(env, S, "get_incident", **place)
    assert [row["email"] for row in shown["roles"]] == [shown["on_call_email"]]
    assert refused(env, S, "mitigate_incident", **place, what_was_done="Nothing") == "not_acknowledged"
    assert ok(env, S, "acknowledge_incident", **place)["commander_email"] == ME.email
    ok(env, S, "mitigate_incident", **place, what_was_done="Rolled back.")
    assert refused(env, S, "resolve_incident", **place, cause="A setting") == "issue_missing"
    done = ok(env, S, "resolve_incident", **place, cause="A setting", related_issue="FLT-104")
    assert (done["status"], done["minutes_to_acknowledge"], done["acknowledged_late"]) == ("resolved", 1, False)
    assert [row["kind"] for row in ok(env, S, "get_timeline", **place)["entries"]] == ["page", *["status"] * 3]
    ok(env, S, "create_postmortem", **place, what_happened="Maps were blank.", root_cause="A setting.")
    assert refused(env, S, "add_affected_customer", **place, company="X", contact_email="x@x.example") == (
        "incident_resolved"
    )


def test_only_commander_or_communications_write_to_customers() -> None:
    env = environment(S)
    incident = ok(env, S, "create_incident", title="No labels", service="runbooks", severity="sev3")
    place = {"incident_id": incident["id"]}
    ok(env, S, "add_affected_customer", **place, company="Brandt Tooling", contact_email="ana@brandt.example")
    assert refused(env, S, "post_update", **place, message="We are on it.") == "no_permission"
    ok(env, S, "assign_role", **place, role="communications", email=ME.email)
    assert ok(env, S, "post_update", **place, message="We are on it.")["sent_to"] == ["ana@brandt.example"]


def test_an_override_stands_before_the_rotation() -> None:
    env = environment(S)
    days = {"schedule_id": "SCH-01", "first_day": "2026-07-06", "last_day": "2026-07-12"}
    before = ok(env, S, "get_schedule", **days)["days"]
    assert len({row["email"] for row in before}) <= 2
    override = ok(env, S, "create_override", schedule_id="SCH-01", email=ME.email, first_day="2026-07-07",
                  last_day="2026-07-08")  # fmt: skip
    after = ok(env, S, "get_schedule", **days)["days"]
    changed = [new["day"] for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ["2026-07-07", "2026-07-08"]
    ok(env, S, "delete_override", override_id=override["id"])
    assert ok(env, S, "get_schedule", **days)["days"] == before


def test_nobody_leads_two_open_incidents() -> None:
    env = environment(S)
    first, second = (
        ok(env, S, "create_incident", title=title, service="runbooks", severity="sev3")["id"] for title in ("A", "B")
    )
    free = next(row for row in env.rows(S, "responders") if not rows(env, S, "assignments", email=row["email"]))
    ok(env, S, "assign_role", incident_id=first, role="commander", email=free["email"])
    role = {"role": "commander", "email": free["email"]}
    assert refused(env, S, "assign_role", incident_id=second, **role) == "commands_another"
    assert one(env, S, "incidents", id=second)["status"] == "triggered"
