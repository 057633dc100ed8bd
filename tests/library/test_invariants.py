"""What always holds in a service's state: in the seed, and after hundreds of drawn calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from tests.library.driver import Driver, environment
from tests.library.world import Row, ok

State = dict[str, list[Row]]


def wander(slug: str, seed: int, calls: int = 250) -> ProductEnvironment:
    """An environment in which many drawn calls have been made."""
    env = environment(slug, seed=seed)
    driver = Driver(env, slug, seed)
    tools = list(driver.info.tools)
    for number in range(calls):
        if number % 60 == 0:
            driver.refresh()
        tool = driver.rng.choice(tools)
        env.call(slug, tool, driver.arguments(tool, wild=0.02))
    assert not env.defects
    return env


def by_id(rows: list[Row]) -> dict[str, Row]:
    return {row["id"]: row for row in rows}


def mail(state: State) -> None:
    names = [row["name"].lower() for row in state["labels"]]
    assert len(names) == len(set(names))
    addresses = [row["email"].lower() for row in state["contacts"]]
    assert len(addresses) == len(set(addresses))
    for message in state["messages"]:
        assert (message["send_at"] is not None) == (message["folder"] == "scheduled"), message
        assert message["to"] or message["folder"] in ("drafts", "trash")
        assert len(message["to"]) <= 50


def calendar(state: State) -> None:
    rooms, heads = by_id(state["rooms"]), Counter(row["event_id"] for row in state["attendees"])
    live = [row for row in state["events"] if row["status"] != "cancelled"]
    for row in state["events"]:
        assert row["start"] < row["end"]
        assert row["status"] != "cancelled" or row["room_id"] is None
        assert row["room_id"] is None or heads[row["id"]] <= rooms[row["room_id"]]["capacity"]
    for kind in ("room_id", "organizer_email"):
        for first in live:
            for second in live:
                if first["id"] < second["id"] and first[kind] is not None and first[kind] == second[kind]:
                    assert first["end"] <= second["start"] or second["end"] <= first["start"], (first, second)
    pairs = [(row["event_id"], row["email"].lower()) for row in state["attendees"]]
    assert len(pairs) == len(set(pairs))


def chat(state: State) -> None:
    pairs = [(row["channel_id"], row["user_id"]) for row in state["memberships"]]
    assert len(pairs) == len(set(pairs))
    names = [row["name"] for row in state["channels"]]
    assert len(names) == len(set(names))
    messages = by_id(state["messages"])
    for row in state["messages"]:
        if row["thread_id"] is not None:
            first = messages[row["thread_id"]]
            assert first["thread_id"] is None
            assert first["channel_id"] == row["channel_id"]
            assert first["posted_at"] <= row["posted_at"]
    polls = by_id(state["polls"])
    for vote in state["votes"]:
        assert vote["option"] in polls[vote["poll_id"]]["options"]
    open_polls = Counter(row["channel_id"] for row in state["polls"] if not row["closed"])
    assert max(open_polls.values(), default=0) <= 1


def crm(state: State) -> None:
    primary = Counter(row["account_id"] for row in state["contacts"] if row["primary"])
    assert max(primary.values()) == 1
    contacts, accounts = by_id(state["contacts"]), by_id(state["accounts"])
    for deal in state["deals"]:
        assert deal["stage"] != "won" or deal["order_number"]
        assert deal["stage"] == "lost" or not deal["lost_reason"]
        assert deal["contact_id"] is None or contacts[deal["contact_id"]]["account_id"] == deal["account_id"]
        assert accounts[deal["account_id"]]
    addresses = [row["email"].lower() for row in state["contacts"]]
    assert len(addresses) == len(set(addresses))
    for task in state["tasks"]:
        assert (task["status"] == "done") == (task["completed_at"] is not None)


def help_desk(state: State) -> None:
    agents = by_id(state["agents"])
    for ticket in state["tickets"]:
        assert ticket["assignee_id"] is None or agents[ticket["assignee_id"]]["team_id"] == ticket["team_id"]
        assert ticket["status"] != "solved" or ticket["solved_at"]
        assert len(ticket["tags"]) == len(set(ticket["tags"])) <= 8
        assert ticket["merged_into"] is None or ticket["status"] == "closed"
    rated = [row["ticket_id"] for row in state["ratings"]]
    assert len(rated) == len(set(rated))


def documents(state: State) -> None:
    newest: dict[str, Row] = {}
    for revision in sorted(state["revisions"], key=lambda row: row["version"]):
        newest[revision["document_id"]] = revision
    for document in state["documents"]:
        assert newest[document["id"]]["version"] == document["version"]
        assert newest[document["id"]]["body"] == document["body"]
    titles = [(row["folder_id"], row["title"].lower()) for row in state["documents"] if row["status"] != "archived"]
    assert len(titles) == len(set(titles))
    pairs = [(row["document_id"], row["email"].lower()) for row in state["shares"]]
    assert len(pairs) == len(set(pairs))


def invoicing(state: State) -> None:
    numbers = [row["number"] for row in state["invoices"]]
    assert len(numbers) == len(set(numbers))
    orders = [row["order_number"] for row in state["invoices"] if row["order_number"] and row["status"] != "void"]
    assert len(orders) == len(set(orders))
    for payment in state["payments"]:
        assert 0 <= payment["refunded"] <= payment["amount"]
    for invoice in state["invoices"]:
        settled = settled_of(state, invoice)
        assert settled <= total_of(state, invoice) + 0.005
        assert invoice["status"] != "void" or settled == 0
        assert (invoice["due_date"] is None) == (invoice["issue_date"] is None)


def total_of(state: State, invoice: Row) -> float:
    """Total of an invoice, computed here and not by the service."""
    amount = 0.0
    for line in state["lines"]:
        if line["invoice_id"] == invoice["id"]:
            net = round(line["quantity"] * line["unit_price"], 2)
            amount += net + round(net * line["tax_rate"] / 100, 2)
    return round(amount, 2)


def settled_of(state: State, invoice: Row) -> float:
    paid = [row["amount"] - row["refunded"] for row in state["payments"] if row["invoice_id"] == invoice["id"]]
    credited = [row["amount"] for row in state["credit_notes"] if row["invoice_id"] == invoice["id"]]
    return round(sum(paid) + sum(credited), 2)


def sql_warehouse(state: State) -> None:
    for kind in ("saved_queries", "dashboards", "alerts"):
        names = [row["name"].lower() for row in state[kind]]
        assert len(names) == len(set(names))
    targets = [(row["region"], row["month"]) for row in state["targets"]]
    assert len(targets) == len(set(targets))
    pairs = [(row["query_id"], row["cadence"]) for row in state["schedules"]]
    assert len(pairs) == len(set(pairs))
    numbers = [row["order_number"] for row in state["orders"]]
    assert len(numbers) == len(set(numbers))
    orders = by_id(state["orders"])
    for shipment in state["shipments"]:
        assert (
            shipment["shipped_on"] > orders[shipment["order_id"]]["ordered_on"]
            or shipment["shipped_on"] >= "2026-03-01"
        )
        assert shipment["delivered_on"] is None or shipment["shipped_on"] <= shipment["delivered_on"]


CHECKS: dict[str, Callable[[State], None]] = {
    "mail": mail,
    "calendar": calendar,
    "chat": chat,
    "crm": crm,
    "help-desk": help_desk,
    "documents": documents,
    "invoicing": invoicing,
    "sql-warehouse": sql_warehouse,
}


@pytest.mark.parametrize("slug", CHECKS)
def test_seeds_keep_the_invariants(slug: str) -> None:
    for scale in ("small", "normal"):
        CHECKS[slug](environment(slug, scale=scale, seed=11).state()[slug])


@pytest.mark.parametrize("slug", CHECKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_calls_keep_the_invariants(slug: str, seed: int) -> None:
    CHECKS[slug](wander(slug, seed).state()[slug])


def test_invoice_figures_are_those_of_the_records() -> None:
    """Totals, balances, statements, the aging report and the credit left agree with an independent sum."""
    env = wander("invoicing", 3)
    state: State = env.state()["invoicing"]
    owed: dict[str, float] = {}
    for invoice in state["invoices"]:
        shown = ok(env, "invoicing", "get_invoice", invoice_id=invoice["id"])
        assert shown["total"] == pytest.approx(total_of(state, invoice), abs=0.005)
        assert shown["balance"] == pytest.approx(total_of(state, invoice) - settled_of(state, invoice), abs=0.005)
        if invoice["status"] == "issued":
            owed[invoice["customer_id"]] = owed.get(invoice["customer_id"], 0.0) + shown["balance"]
    for customer in state["customers"]:
        shown = ok(env, "invoicing", "get_customer", customer_id=customer["id"])
        expected = owed.get(customer["id"], 0.0)
        assert shown["outstanding"] == pytest.approx(expected, abs=0.005)
        assert shown["available_credit"] == pytest.approx(customer["credit_limit"] - expected, abs=0.005)
        statement = ok(env, "invoicing", "customer_statement", customer_id=customer["id"])
        assert statement["total_balance"] == pytest.approx(expected, abs=0.005)
    report = ok(env, "invoicing", "aging_report")
    assert report["total_outstanding"] == pytest.approx(sum(owed.values()), abs=0.01)
    parts: list[Any] = [report[name]["amount"] for name in ("not_due", "days_1_30", "days_31_60", "over_60")]
    assert sum(parts) == pytest.approx(report["total_outstanding"], abs=0.01)


def test_pipeline_figures_are_those_of_the_deals() -> None:
    env = wander("crm", 4)
    deals = env.rows("crm", "deals")
    open_deals = [row for row in deals if row["stage"] not in ("won", "lost")]
    summary = ok(env, "crm", "pipeline_summary")
    assert summary["total_amount"] == pytest.approx(sum(row["amount"] for row in open_deals))
    assert sum(row["deals"] for row in summary["stages"]) == len(open_deals)
    for account in env.rows("crm", "accounts"):
        shown = ok(env, "crm", "get_account", account_id=account["id"])
        own = [row["amount"] for row in open_deals if row["account_id"] == account["id"]]
        assert (shown["open_deals"], shown["pipeline_value"]) == (len(own), pytest.approx(sum(own)))


def test_targets_agree_with_sql() -> None:
    """Two independent ways to the same sales: the glossary tool and a query."""
    env = wander("sql-warehouse", 5, calls=120)
    sql = (
        "SELECT c.region AS region, strftime('%Y-%m', o.ordered_on) AS month, sum(l.quantity * l.unit_price) AS sales "
        "FROM orders o JOIN customers c ON c.id = o.customer_id JOIN order_lines l ON l.order_id = o.id "
        "WHERE o.status NOT IN ('cancelled', 'returned') GROUP BY 1, 2"
    )
    rows = ok(env, "sql-warehouse", "execute_sql", sql=sql, limit=100)["rows"]
    sales = {(row["region"], row["month"]): row["sales"] for row in rows}
    compared = ok(env, "sql-warehouse", "list_targets")["targets"]
    assert any(row["sales"] for row in compared)
    for row in compared:
        assert row["sales"] == pytest.approx(sales.get((row["region"], row["month"]), 0.0), abs=0.01)
