"""Figures, journal, runs, verdicts and markets, built from a specification of our own and called in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., dict[str, Any]]
PARCEL = {
    "receiver": TEXT,
    "status": {"type": "string", "enum": ["open", "sent", "lost"]},
    "weight": {"type": "number"},
}


@pytest.fixture(scope="module")
def depot() -> BuiltService:
    stats = {"status": TEXT, "group_by": TEXT, "days": WHOLE, "include_details": {"type": "boolean"}}
    periods = dict.fromkeys(("a_start", "a_end", "b_start", "b_end"), TEXT)
    series = {"symbol": TEXT, "interval": TEXT, "start_date": TEXT, "end_date": TEXT, "limit": WHOLE}
    return build_with_rules(
        spec_of(
            tool("create_parcel", PARCEL, "receiver"),
            tool("get_parcel", {"parcel_id": TEXT}, "parcel_id"),
            tool("list_parcels", {"status": TEXT, "limit": WHOLE}),
            tool("update_parcel", {"parcel_id": TEXT, **PARCEL}, "parcel_id"),
            tool("delete_parcel", {"parcel_id": TEXT}, "parcel_id"),
            tool("get_parcel_stats", stats),
            tool("compare_periods", periods, " ".join(periods)),
            tool("list_audit_logs", {"since": TEXT, "until": TEXT, "action": TEXT, "limit": WHOLE}),
            tool("check_parcel_exists", {"receiver": TEXT}, "receiver"),
            tool("list_sort_runs", {"limit": WHOLE}),
            tool("trigger_sort", {"lane": TEXT}, "lane"),
            tool("health_check", description="Answers when the server is up."),
            tool("get_candles", series, "symbol interval"),
            tool("get_exchange_rate", {"from": TEXT, "to": TEXT, "amount": {"type": "number"}}, "from to"),
            name="depot",
        )
    )


@pytest.fixture(scope="module")
def host(depot: BuiltService) -> Iterator[ServiceHost]:
    with SandboxProcess("services_app.engine.host", files=depot.packaged()) as process:
        yield ServiceHost(process, {depot.slug: depot.module})


@pytest.fixture
def environment(host: ServiceHost, depot: BuiltService) -> Environment:
    return host.mount([depot.slug])


@pytest.fixture
def ask(environment: Environment, depot: BuiltService) -> Call:
    def make(name: str, **arguments: object) -> Any:
        observation = environment.call(depot.slug, name, arguments)
        return observation["data"] if observation["success"] else observation["error"]

    return make


def test_everything_is_planned(depot: BuiltService) -> None:
    assert depot.left_out == {}


def test_statistics_are_those_of_the_list_and_follow_writes(ask: Call) -> None:
    rows = ask("list_parcels", limit=100)["parcels"]
    before = ask("get_parcel_stats")
    assert before["total"] == len(rows)
    assert before["by_status"] == {s: sum(r["status"] == s for r in rows) for s in sorted({r["status"] for r in rows})}
    assert before["weight"]["sum"] == pytest.approx(sum(row["weight"] for row in rows))
    ask("create_parcel", receiver="Ida", status="lost", weight=1000)
    after = ask("get_parcel_stats")
    assert (after["total"], after["weight"]["maximum"]) == (before["total"] + 1, 1000)
    assert ask("get_parcel_stats", status="lost")["total"] == after["by_status"]["lost"]


def test_groups_add_up_and_an_unknown_field_is_refused(ask: Call) -> None:
    found = ask("get_parcel_stats", group_by="status")
    assert sum(group["count"] for group in found["groups"]) == found["total"]
    counts = [group["count"] for group in found["groups"]]
    assert counts == sorted(counts, reverse=True)
    assert ask("get_parcel_stats", group_by="wheels")["type"] == "unknown_group"
    assert len(ask("get_parcel_stats", include_details=True)["details"]) == found["total"]


def test_equal_periods_do_not_differ_and_bad_dates_are_refused(ask: Call) -> None:
    same = ask("compare_periods", a_start="2026-01-01", a_end="2026-12-31", b_start="2026-01-01", b_end="2026-12-31")
    assert {metric["change"] for metric in same["metrics"].values()} == {0}
    other = ask("compare_periods", a_start="2026-01-01", a_end="2026-12-31", b_start="2030-01-01", b_end="today")
    assert any(metric["change"] != 0 for metric in other["metrics"].values())
    assert ask("compare_periods", a_start="x", a_end="today", b_start="today", b_end="today")["code"] == 400


def test_writes_append_to_the_journal_and_failures_do_not(ask: Call) -> None:
    seeded = ask("list_audit_logs", limit=1000)["total"]
    made = ask("create_parcel", receiver="Ida")
    ask("update_parcel", parcel_id=made["id"], receiver="Ole")
    ask("delete_parcel", parcel_id=made["id"])
    assert ask("delete_parcel", parcel_id=made["id"])["code"] == 404
    events = ask("list_audit_logs", limit=1000)
    assert events["total"] == seeded + 3
    assert [event["action"] for event in events["events"][:3]] == ["deleted", "updated", "created"]
    assert {event["entity_id"] for event in events["events"][:3]} == {made["id"]}
    assert {event["action"] for event in ask("list_audit_logs", action="deleted")["events"]} == {"deleted"}
    assert ask("list_audit_logs", since="2099-01-01")["events"] == []
    assert ask("list_audit_logs", until="2000-01-01")["events"] == []
    assert ask("list_audit_logs", since="soon")["code"] == 400


def test_existence_is_read_from_the_store(ask: Call) -> None:
    made = ask("create_parcel", receiver="Nobody Else")
    assert ask("check_parcel_exists", receiver="Nobody Else")["exists"] is True
    ask("delete_parcel", parcel_id=made["id"])
    assert ask("check_parcel_exists", receiver="Nobody Else")["exists"] is False


def test_a_run_is_queued_then_runs_then_is_done_as_writes_pass(ask: Call) -> None:
    def status() -> str:
        rows = ask("list_sort_runs", limit=100)["sort_runs"]
        return str(next(row for row in rows if row["lane"] == "north 9")["status"])

    assert ask("trigger_sort", lane="north 9")["status"] == "queued"
    assert (status(), status()) == ("running", "running")
    ask("create_parcel", receiver="Ida")
    assert status() == "completed"


def test_the_service_says_what_it_holds(ask: Call) -> None:
    before = ask("health_check")
    ask("create_parcel", receiver="Ida")
    after = ask("health_check")
    assert (before["status"], after["tables"]["parcels"]) == ("ok", before["tables"]["parcels"] + 1)


def test_candles_fit_into_each_other(ask: Call) -> None:
    day = ask("get_candles", symbol="ACME", interval="1d", start_date="2026-02-10", end_date="2026-02-10")["data"]
    hours = ask("get_candles", symbol="ACME", interval="1h", start_date="2026-02-10", end_date="2026-02-10")["data"]
    assert (len(day), len(hours)) == (1, 24)
    assert (hours[0]["open"], hours[-1]["close"]) == (day[0]["open"], day[0]["close"])
    assert all(row["low"] <= row["open"] <= row["high"] and row["low"] <= row["close"] <= row["high"] for row in hours)
    assert ask("get_candles", symbol="NORTH", interval="1d", limit=3) != ask(
        "get_candles", symbol="ACME", interval="1d", limit=3
    )
    assert ask("get_candles", symbol="ACME", interval="often")["type"] == "invalid_interval"


def test_exchange_rates_invert(ask: Call) -> None:
    there, back = (ask("get_exchange_rate", **{"from": a, "to": b}) for a, b in (("EUR", "JPY"), ("JPY", "EUR")))
    assert there["rate"] * back["rate"] == pytest.approx(1)
    assert ask("get_exchange_rate", **{"from": "EUR", "to": "EUR", "amount": 7})["result"] == 7
