"""Situations in the dashboards; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

S = "bi-dashboards"
OPERATIONS, BOARD = "COL-01", "COL-04"
WRONG = {"start_date": "2026-02-01", "end_date": "2025-11-30"}


def chart(env: Env, title: str = "Probe", **more: Any) -> Row:
    """A new chart of mine."""
    values = {"title": title, "collection_id": OPERATIONS, "dataset": "orders", **more}
    found: Row = ok(env, S, "create_chart", **values)
    return found


def board(env: Env, title: str = "Probe", collection_id: str = OPERATIONS) -> Row:
    """A new dashboard of mine, empty."""
    found: Row = ok(env, S, "create_dashboard", title=title, collection_id=collection_id)
    return found


@case(S, "create_chart", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"title": "Probe", "collection_id": OPERATIONS, "dataset": "orders", **WRONG}


@case(S, "create_chart", "not_by_month")
def _(env: Env) -> Situation:
    line = {"chart_type": "line", "group_by": "company"}
    return env, {"title": "Probe", "collection_id": OPERATIONS, "dataset": "orders", **line}


@case(S, "create_chart", "duplicate_title")
def _(env: Env) -> Situation:
    chart(env)
    return env, {"title": "PROBE", "collection_id": OPERATIONS, "dataset": "orders"}


@case(S, "update_chart", "not_by_month")
def _(env: Env) -> Situation:
    return env, {"chart_id": chart(env, chart_type="line")["id"], "group_by": "company"}


@case(S, "update_chart", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"chart_id": chart(env)["id"], **WRONG}


@case(S, "update_chart", "duplicate_title")
def _(env: Env) -> Situation:
    chart(env)
    return env, {"chart_id": chart(env, "Second")["id"], "title": "probe"}


@case(S, "run_chart", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"chart_id": chart(env)["id"], **WRONG}


@case(S, "run_dashboard", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"dashboard_id": "DB-0001", **WRONG}


@case(S, "query_dataset", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"dataset": "orders", **WRONG}


@case(S, "archive_chart", "duplicate_title")
def _(env: Env) -> Situation:
    first = chart(env)
    ok(env, S, "archive_chart", chart_id=first["id"])
    chart(env)
    return env, {"chart_id": first["id"], "restore": True}


@case(S, "archive_chart", "archived")
def _(env: Env) -> Situation:
    first = chart(env)
    ok(env, S, "archive_chart", chart_id=first["id"])
    return env, {"chart_id": first["id"]}


@case(S, "archive_dashboard", "duplicate_title")
def _(env: Env) -> Situation:
    first = board(env)
    ok(env, S, "archive_dashboard", dashboard_id=first["id"])
    board(env)
    return env, {"dashboard_id": first["id"], "restore": True}


@case(S, "update_dashboard", "duplicate_title")
def _(env: Env) -> Situation:
    board(env)
    return env, {"dashboard_id": board(env, "Second")["id"], "title": "probe"}


@case(S, "update_dashboard", "restricted")
def _(env: Env) -> Situation:
    return env, {"dashboard_id": board(env, "Secret", BOARD)["id"], "collection_id": OPERATIONS}


@case(S, "certify_dashboard", "own_dashboard")
def _(env: Env) -> Situation:
    return env, {"dashboard_id": board(env)["id"], "note": "Checked."}


def _foreign(env: Env) -> Row:
    """A dashboard of a colleague, empty."""
    made = board(env, "Secret", BOARD)
    ok(env, S, "update_dashboard", dashboard_id=made["id"], owner_email="ana@larkfield.example")
    return made


@case(S, "certify_dashboard", "no_tiles")
def _(env: Env) -> Situation:
    return env, {"dashboard_id": _foreign(env)["id"], "note": "Checked."}


@case(S, "certify_dashboard", "untrusted_data")
def _(env: Env) -> Situation:
    guess = chart(env, collection_id=BOARD, dataset="renewals")
    made = _foreign(env)
    ok(env, S, "add_tile", dashboard_id=made["id"], chart_id=guess["id"])
    return env, {"dashboard_id": made["id"], "note": "Checked."}


@case(S, "certify_dashboard", "certified")
def _(env: Env) -> Situation:
    env = patched(env, S, "dashboards", "DB-0001", certified_by="ana@larkfield.example")
    return env, {"dashboard_id": "DB-0001", "note": "Checked."}


@case(S, "add_tile", "restricted")
def _(env: Env) -> Situation:
    return env, {"dashboard_id": board(env)["id"], "chart_id": chart(env, collection_id=BOARD)["id"]}


@case(S, "add_tile", "too_many_tiles")
def _(env: Env) -> Situation:
    made = board(env)
    for number in range(12):
        ok(env, S, "add_tile", dashboard_id=made["id"], chart_id=chart(env, f"Part {number}")["id"])
    return env, {"dashboard_id": made["id"], "chart_id": chart(env)["id"]}


@case(S, "add_tile", "on_dashboard")
def _(env: Env) -> Situation:
    arguments = {"dashboard_id": board(env)["id"], "chart_id": chart(env)["id"]}
    ok(env, S, "add_tile", **arguments)
    return env, arguments


def _subscription(env: Env) -> dict[str, Any]:
    return {"dashboard_id": board(env)["id"], "frequency": "daily", "recipient_emails": [ME.email]}


@case(S, "create_subscription", "duplicate_subscription")
def _(env: Env) -> Situation:
    arguments = _subscription(env)
    ok(env, S, "create_subscription", **arguments)
    return env, arguments


@case(S, "update_subscription", "archived")
def _(env: Env) -> Situation:
    arguments = _subscription(env)
    made = ok(env, S, "create_subscription", **arguments)
    ok(env, S, "archive_dashboard", dashboard_id=arguments["dashboard_id"])
    return env, {"subscription_id": made["id"], "paused": False}


@case(S, "update_subscription", "external_recipient")
def _(env: Env) -> Situation:
    made = ok(env, S, "create_subscription", **_subscription(env))
    return env, {"subscription_id": made["id"], "recipient_emails": ["ana@elsewhere.example"]}


@case(S, "delete_subscription", "not_yours")
def _(env: Env) -> Situation:
    row = rows(env, S, "subscriptions")[0]
    env = patched(env, S, "subscriptions", row["id"], owner_email="ana@larkfield.example")
    env = patched(env, S, "dashboards", row["dashboard_id"], owner_email="ana@larkfield.example")
    return env, {"subscription_id": row["id"]}


def _alert(env: Env, chart_type: str = "number") -> dict[str, Any]:
    made = chart(env, chart_type=chart_type)
    return {"chart_id": made["id"], "condition": "above", "threshold": 5.0, "notify_emails": [ME.email]}


@case(S, "create_data_alert", "duplicate_alert")
def _(env: Env) -> Situation:
    arguments = _alert(env)
    ok(env, S, "create_data_alert", **arguments)
    return env, arguments


@case(S, "create_data_alert", "not_a_number")
def _(env: Env) -> Situation:
    return env, _alert(env, "bar")


@case(S, "create_data_alert", "external_recipient")
def _(env: Env) -> Situation:
    return env, {**_alert(env), "notify_emails": ["ana@elsewhere.example"]}


@case(S, "delete_data_alert", "not_yours")
def _(env: Env) -> Situation:
    alert = one(env, S, "alerts")
    env = patched(env, S, "alerts", alert["id"], owner_email="ana@larkfield.example")
    return env, {"alert_id": alert["id"]}


@case(S, "update_dashboard", "blank_text")
def _(env: Env) -> Situation:
    return env, {"dashboard_id": board(env)["id"], "title": " "}
