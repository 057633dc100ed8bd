"""The rules of the dashboards, as short stories."""

from __future__ import annotations

import pytest

from tests.library.cases_bi_dashboards import BOARD, board, chart
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "bi-dashboards"


def test_groups_add_up_to_the_value() -> None:
    env = environment(S)
    whole = sum(row["amount"] for row in rows(env, S, "facts", dataset="orders"))
    for group_by in ("month", "company", "country", "product", "owner_email"):
        found = ok(env, S, "query_dataset", dataset="orders", group_by=group_by, limit=100)
        assert found["value"] == pytest.approx(whole, abs=0.01)
        assert sum(row["value"] for row in found["groups"]) == pytest.approx(whole, abs=0.01)
    company = ok(env, S, "query_dataset", dataset="orders", group_by="company")["groups"][0]
    made = chart(env, company=company["company"], chart_type="number")
    assert made["value"] == company["value"]
    assert ok(env, S, "run_chart", chart_id=made["id"])["data"] == []


def test_tiles_stand_in_a_row_without_gaps() -> None:
    env = environment(S)
    made = board(env)
    charts = [chart(env, f"Part {number}")["id"] for number in range(4)]
    for name in charts[:3]:
        ok(env, S, "add_tile", dashboard_id=made["id"], chart_id=name)
    shown = ok(env, S, "add_tile", dashboard_id=made["id"], chart_id=charts[3], position=1)["tiles"]
    assert [row["chart_id"] for row in shown] == [charts[3], *charts[:3]]
    moved = ok(env, S, "move_tile", tile_id=shown[0]["tile_id"], position=9)["tiles"]
    assert [row["chart_id"] for row in moved] == [*charts[:3], charts[3]]
    left = ok(env, S, "remove_tile", tile_id=moved[1]["tile_id"])["tiles"]
    assert [(row["position"], row["chart_id"]) for row in left] == [(1, charts[0]), (2, charts[2]), (3, charts[3])]


def test_a_certificate_goes_when_what_is_shown_changes() -> None:
    env = environment(S)
    made, shown = board(env), chart(env)
    ok(env, S, "add_tile", dashboard_id=made["id"], chart_id=shown["id"])
    assert refused(env, S, "certify_dashboard", dashboard_id=made["id"], note="Checked.") == "own_dashboard"
    ok(env, S, "update_dashboard", dashboard_id=made["id"], owner_email="ana@larkfield.example")
    assert ok(env, S, "certify_dashboard", dashboard_id=made["id"], note="Checked.")["certified"]
    assert ok(env, S, "update_chart", chart_id=shown["id"], title="Other words")["certificates_lost"] == []
    lost = ok(env, S, "update_chart", chart_id=shown["id"], aggregation="max")["certificates_lost"]
    assert lost == [made["id"]]
    assert not ok(env, S, "get_dashboard", dashboard_id=made["id"])["certified"]


def test_people_outside_get_certified_dashboards_of_open_collections_only() -> None:
    env = environment(S)
    guest = {"frequency": "weekly", "recipient_emails": ["ana@elsewhere.example"]}
    made = board(env)
    assert refused(env, S, "create_subscription", dashboard_id=made["id"], **guest) == "external_recipient"
    env = environment(S)
    secret = one(env, S, "dashboards", collection_id=BOARD)
    for row in rows(env, S, "subscriptions", dashboard_id=secret["id"]):
        env = patched(env, S, "subscriptions", row["id"], frequency="daily")
    env = patched(env, S, "dashboards", secret["id"], certified_by="ana@larkfield.example", archived=False)
    assert refused(env, S, "create_subscription", dashboard_id=secret["id"], **guest) == "external_recipient"
    open_one = next(row for row in env.rows(S, "dashboards") if row["collection_id"] != BOARD and not row["archived"])
    for row in rows(env, S, "subscriptions", dashboard_id=open_one["id"]):
        env = patched(env, S, "subscriptions", row["id"], frequency="daily")
    env = patched(env, S, "dashboards", open_one["id"], certified_by="ana@larkfield.example")
    assert ok(env, S, "create_subscription", dashboard_id=open_one["id"], **guest)["external_recipients"] == 1


def test_a_chart_that_is_used_stays() -> None:
    env = environment(S)
    made, shown = board(env), chart(env, chart_type="number")
    tile = ok(env, S, "add_tile", dashboard_id=made["id"], chart_id=shown["id"])["tiles"][0]
    limit = {"condition": "above", "threshold": shown["value"] - 1, "notify_emails": ["ana@larkfield.example"]}
    alert = ok(env, S, "create_data_alert", chart_id=shown["id"], **limit)
    assert alert["triggered"]
    assert refused(env, S, "archive_chart", chart_id=shown["id"]) == "in_use"
    ok(env, S, "remove_tile", tile_id=tile["tile_id"])
    ok(env, S, "delete_data_alert", alert_id=alert["id"])
    assert ok(env, S, "archive_chart", chart_id=shown["id"])["archived"]
    assert refused(env, S, "run_chart", chart_id=shown["id"]) == "archived"
