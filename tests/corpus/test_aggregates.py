"""Tools of public servers that count, keep a journal, set work going or tell of markets, called in the sandbox."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.files import load_file
from workers.sandbox.process import SandboxProcess

CORPUS = Path(__file__).parents[3] / "shared/data/mcp"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public specifications are not here")
PAGER = {"Accept": "application/vnd.pagerduty+json;version=2", "Content-Type": "application/json"}


class Server:
    """One mounted server: `call(tool, **arguments)` gives the data or the error."""

    def __init__(self, environment: Any, slug: str) -> None:
        self.environment, self.slug = environment, slug

    def call(self, tool: str, **arguments: object) -> Any:
        observation = self.environment.call(self.slug, tool, arguments)
        return observation["data"] if observation["success"] else observation["error"]


@contextmanager
def served(name: str) -> Iterator[Server]:
    built = build_with_rules(load_file(CORPUS / f"{name}.json"))
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield Server(ServiceHost(process, {built.slug: built.module}).mount([built.slug]), built.slug)


def test_countries_count_follows_the_list() -> None:
    with served("mcparmory-shopify-admin") as shop:
        before = shop.call("get_countries_count")["count"]
        assert before == shop.call("list_countries")["total"] > 0
        gone = shop.call("list_countries")["countries"][0]["id"]
        shop.call("delete_country", country_id=gone)
        assert shop.call("get_countries_count")["count"] == shop.call("list_countries")["total"] == before - 1


def test_audit_records_of_a_user_are_newest_first_in_a_window() -> None:
    with served("mcparmory-pagerduty") as pager:
        user = pager.call("list_users", **PAGER)["users"][0]["id"]
        found = pager.call("list_user_audit_records", **PAGER, id=user, since="2026-02-01")["events"]
        times = [event["created_at"] for event in found]
        assert times == sorted(times, reverse=True) != []
        assert pager.call("list_user_audit_records", **PAGER, id=user, since="2099-01-01")["events"] == []
        early = pager.call("list_user_audit_records", **PAGER, id=user, since="2026-02-01", until=times[-1])["events"]
        assert len(early) > 0
        assert max(event["created_at"] for event in early) == times[-1]
        assert pager.call("list_user_audit_records", **PAGER, id="nobody")["code"] == 404


def test_log_entries_tell_of_a_write_first_and_of_the_last_week_unasked() -> None:
    with served("pagerduty-mcp") as pager:
        before = pager.call("list_log_entries", query_model={"limit": 99})["response"]
        pager.call("create_team", create_model={"team": {"type": "team", "name": "Pumps"}})
        after = pager.call("list_log_entries", query_model={"limit": 99})["response"]
        old = pager.call("list_log_entries", query_model={"limit": 9, "until": "2026-02-22T23:00:00Z"})["response"]
        assert (after[0]["type"], before[0]["type"] == "team_created") == ("team_created", False)
        assert min(event["created_at"] for event in after) >= "2026-02-23"
        assert old[0]["created_at"] < "2026-02-23"
        assert after[1:2] == pager.call("list_log_entries", query_model={"limit": 1, "offset": 1})["response"]
        assert pager.call("get_log_entry", log_entry_id=after[0]["id"])["summary"] == after[0]["summary"]


def test_klines_step_by_the_interval_and_keep_their_bounds() -> None:
    with served("snjyor-binance-mcp-data") as market:
        hours = market.call("get_klines", symbol="BTCUSDT", interval="1h", limit=30)["data"]
        starts = [row["open_time"] for row in hours]
        assert {later - earlier for later, earlier in itertools.pairwise(starts)} == {3_600_000}
        assert len(hours) == 30
        assert all(row["low"] <= min(row["open"], row["close"]) for row in hours)
        assert all(row["high"] >= max(row["open"], row["close"]) for row in hours)
        window = {"startTime": starts[9], "endTime": starts[4]}
        cut = market.call("get_klines", symbol="BTCUSDT", interval="1h", **window)["data"]
        assert cut == hours[4:10][::-1]
        assert market.call("get_klines", symbol="ETHUSDT", interval="1h", limit=30)["data"] != hours
        assert market.call("get_klines", symbol="BTCUSDT", interval="fortnight")["code"] == 400
        assert (
            market.call("get_klines", symbol="BTCUSDT", interval="1h", startTime=starts[0], endTime=1e9)["code"] == 400
        )


def test_equal_periods_have_no_change() -> None:
    with served("whoop-mcp-server") as band:
        one = {"period_a_start": "2026-02-10", "period_a_end": "2026-02-20"}
        same = band.call("compare_periods", **one, period_b_start="2026-02-10", period_b_end="2026-02-20")["metrics"]
        assert {metric["change"] for metric in same.values()} <= {0, None}
        other = band.call("compare_periods", **one, period_b_start="2026-02-21", period_b_end="yesterday")["metrics"]
        assert any(metric["change"] for metric in other.values())
        assert band.call("compare_periods", **one, period_b_start="soon", period_b_end="today")["code"] == 400


def test_blocking_ingredients_roll_up_by_variant_or_order() -> None:
    with served("katana-mcp-server") as factory:
        active = factory.call("list_blocking_ingredients")
        everything = ["NOT_STARTED", "BLOCKED", "IN_PROGRESS", "PARTIALLY_COMPLETED", "DONE"]
        whole = factory.call("list_blocking_ingredients", mo_status=everything)
        by_order = factory.call("list_blocking_ingredients", mo_status=everything, group_by="mo")
        assert 0 < active["rows"] < whole["rows"] == by_order["rows"]
        assert sum(group["count"] for group in whole["groups"]) == sum(group["count"] for group in by_order["groups"])
        assert {"variant", "mo"} == {next(iter(found["groups"][0])) for found in (whole, by_order)}
        late = factory.call("list_blocking_ingredients", mo_status=everything, production_deadline_after="2026-03-01")
        assert late["rows"] < whole["rows"]
        assert len(factory.call("list_blocking_ingredients", mo_status=everything, limit=1)["groups"]) == 1


def test_a_triggered_run_is_listed_and_goes_on_with_the_clock() -> None:
    with served("astro-airflow-mcp") as airflow:
        assert "queued" in str(airflow.call("trigger_dag", dag_id="DAG-0001"))
        assert "running" in str(airflow.call("list_dag_runs", dag_id="DAG-0001"))


def test_existence_of_a_namespace_is_read_from_the_store() -> None:
    with served("zereight-mcp-gitlab") as gitlab:
        rows = gitlab.call("list_namespaces")["namespaces"]
        assert gitlab.call("verify_namespace", path=rows[0]["path"])["exists"] is True
        assert gitlab.call("verify_namespace", path="no/such/path")["exists"] is False


def test_health_and_version_say_what_the_service_holds() -> None:
    with served("devlimelabs-meilisearch-ts-mcp") as search:
        assert search.call("health")["status"] == "ok"
        assert search.call("version")["version"].startswith("1.")
        assert search.call("health")["records"] == sum(search.call("health")["tables"].values()) > 0
    with served("heht571-ops-mcp-server") as operations:
        tools = operations.call("_list_available_tools")
        assert "_list_available_tools" in [tool["name"] for tool in tools["tools"]]
