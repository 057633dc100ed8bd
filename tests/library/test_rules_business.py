"""The rules of CRM, help desk, invoicing and warehouse, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused

# CRM


def test_a_deal_goes_step_by_step_and_winning_makes_a_customer() -> None:
    env = environment("crm")
    account = ok(env, "crm", "create_account", name="Brandt Tooling", industry="manufacturing", city="Ulm")
    ok(env, "crm", "set_credit_limit", account_id=account["id"], credit_limit=50_000)
    deal = ok(env, "crm", "create_deal", account_id=account["id"], title="Pilot", amount=9000, close_date="2026-05-01")
    shown = ok(env, "crm", "get_account", account_id=account["id"])
    assert (shown["open_deals"], shown["pipeline_value"]) == (1, 9000.0)
    assert refused(env, "crm", "move_deal", deal_id=deal["id"], stage="negotiation") == "stage_skipped"
    for stage in ("discovery", "proposal"):
        ok(env, "crm", "move_deal", deal_id=deal["id"], stage=stage)
    ok(env, "crm", "win_deal", deal_id=deal["id"], order_number="PO-1")
    shown = ok(env, "crm", "get_account", account_id=account["id"])
    assert (shown["status"], shown["pipeline_value"], shown["won_value"]) == ("customer", 0.0, 9000.0)
    assert refused(env, "crm", "update_deal", deal_id=deal["id"], amount=1) == "deal_closed"


def test_large_discounts_need_someone_with_a_higher_limit() -> None:
    env = environment("crm")
    deal = next(row for row in env.rows("crm", "deals") if row["stage"] == "proposal" and row["owner_email"])
    users = env.rows("crm", "users")
    manager = max(users, key=lambda row: row["discount_limit"])
    owner = next(row for row in users if row["email"] != manager["email"])
    env = patched(env, "crm", "deals", deal["id"], owner_email=owner["email"])
    before = ok(env, "crm", "get_deal", deal_id=deal["id"])["items_total"]
    assert refused(env, "crm", "set_discount", deal_id=deal["id"], discount=30) == "approval_needed"
    ok(env, "crm", "set_discount", deal_id=deal["id"], discount=30, approved_by=manager["email"])
    assert ok(env, "crm", "get_deal", deal_id=deal["id"])["items_total"] == pytest.approx(before * 0.7, abs=0.02)


def test_an_account_is_handed_over_with_its_open_deals() -> None:
    env = environment("crm")
    account = next(
        row for row in env.rows("crm", "accounts") if ok(env, "crm", "get_account", account_id=row["id"])["open_deals"]
    )
    other = next(row for row in env.rows("crm", "users") if row["email"] != account["owner_email"])
    count = ok(env, "crm", "get_account", account_id=account["id"])["open_deals"]
    moved = ok(env, "crm", "assign_account", account_id=account["id"], owner_email=other["email"])
    assert moved["deals_moved"] == count
    found = ok(env, "crm", "search_deals", account_id=account["id"], owner_email=other["email"].upper())
    assert found["total"] >= count


# Help desk


def test_a_ticket_is_answered_assigned_solved_and_closed() -> None:
    env = environment("help-desk")
    requester = one(env, "help-desk", "requesters", vip=False)
    opened = {
        "subject": "Scanner",
        "description": "Red light",
        "requester_email": requester["email"],
        "category": "hardware",
    }
    ticket = ok(env, "help-desk", "create_ticket", **opened)
    assert ticket["status"] == "new"
    assert ticket["first_response_due"] > ticket["created_at"]
    ok(env, "help-desk", "add_comment", ticket_id=ticket["id"], body="Please restart it.")
    assert ok(env, "help-desk", "get_ticket", ticket_id=ticket["id"])["status"] == "open"
    assert refused(env, "help-desk", "solve_ticket", ticket_id=ticket["id"], answer="Done") == "no_assignee"
    free = ok(env, "help-desk", "list_agents", team="field hardware", available_only=True)["agents"][0]
    ok(env, "help-desk", "assign_ticket", ticket_id=ticket["id"], agent_email=free["email"])
    after = next(row for row in ok(env, "help-desk", "list_agents")["agents"] if row["id"] == free["id"])
    assert after["free_places"] == free["free_places"] - 1
    ok(env, "help-desk", "solve_ticket", ticket_id=ticket["id"], answer="Replaced.")
    ok(env, "help-desk", "rate_ticket", ticket_id=ticket["id"], score=5)
    ok(env, "help-desk", "close_ticket", ticket_id=ticket["id"])
    assert refused(env, "help-desk", "add_comment", ticket_id=ticket["id"], body="One more") == "ticket_closed"
    shown = ok(env, "help-desk", "get_ticket", ticket_id=ticket["id"])
    assert (shown["rating"], shown["comment_count"]) == (5, 2)


def test_due_times_follow_plan_and_priority() -> None:
    env = environment("help-desk")
    requester = one(env, "help-desk", "requesters", vip=True)
    env = patched(env, "help-desk", "organizations", requester["organization_id"], plan="premium")
    opened = {"subject": "Down", "description": "All of it", "requester_email": requester["email"], "priority": "low"}
    ticket = ok(env, "help-desk", "create_ticket", **opened)
    assert ticket["priority"] == "high"
    assert ticket["first_response_due"] == "2026-03-02T10:00:00Z"
    raised = ok(env, "help-desk", "update_ticket", ticket_id=ticket["id"], priority="urgent")
    assert raised["first_response_due"] == "2026-03-02T09:30:00Z"


def test_merging_moves_comments_and_time() -> None:
    env = environment("help-desk")
    requester = one(env, "help-desk", "requesters")
    ids = []
    for subject in ("First", "Second"):
        arguments = {"subject": subject, "description": "Text", "requester_email": requester["email"]}
        ids.append(ok(env, "help-desk", "create_ticket", **arguments)["id"])
        ok(env, "help-desk", "add_comment", ticket_id=ids[-1], body=subject, visibility="internal")
    agent = one(env, "help-desk", "agents")["email"]
    left = ok(env, "help-desk", "log_time", ticket_id=ids[0], agent_email=agent, minutes=25, work="Call")[
        "minutes_left"
    ]
    assert ok(env, "help-desk", "merge_tickets", ticket_id=ids[0], into_id=ids[1])["comment_count"] == 2
    assert ok(env, "help-desk", "get_ticket", ticket_id=ids[1])["minutes_spent"] == 25
    assert ok(env, "help-desk", "get_ticket", ticket_id=ids[0])["merged_into"] == ids[1]
    company = one(env, "help-desk", "organizations", id=requester["organization_id"])["name"]
    assert ok(env, "help-desk", "get_organization", organization=company.lower())["minutes_left"] == left


# Invoicing


def test_an_invoice_from_draft_to_paid() -> None:
    env = environment("invoicing")
    arguments = {"name": "Brandt Tooling", "billing_email": "ap@brandt.example", "contact_name": "Uwe Brandt"}
    customer = ok(env, "invoicing", "create_customer", **arguments, address="1 Hafen, Ulm")["id"]
    invoice = ok(env, "invoicing", "create_invoice", customer_id=customer, subject="Scanners", order_number="PO-77")[
        "id"
    ]
    added_line = {"invoice_id": invoice, "description": "Scanner", "quantity": 3, "unit_price": 99.99}
    assert ok(env, "invoicing", "add_line", **added_line)["invoice"]["total"] == 359.96
    issued = ok(env, "invoicing", "issue_invoice", invoice_id=invoice)
    assert (issued["due_date"], issued["payment_status"]) == ("2026-04-01", "unpaid")
    assert refused(env, "invoicing", "add_line", **added_line) == "not_draft"
    paid = ok(env, "invoicing", "record_payment", invoice_id=invoice, amount=300)
    assert (paid["invoice"]["balance"], paid["invoice"]["payment_status"]) == (59.96, "partly_paid")
    assert refused(env, "invoicing", "record_payment", invoice_id=invoice, amount=60) == "overpayment"
    ok(env, "invoicing", "create_credit_note", invoice_id=invoice, amount=40, reason="Goodwill")
    assert ok(env, "invoicing", "get_customer", customer_id=customer)["outstanding"] == 19.96
    assert ok(env, "invoicing", "write_off_invoice", invoice_id=invoice, reason="Small rest")["status"] == "written_off"
    assert ok(env, "invoicing", "get_customer", customer_id=customer)["outstanding"] == 0.0


def test_the_credit_limit_holds_back_further_invoices() -> None:
    env = environment("invoicing")
    customer = one(env, "invoicing", "customers", blocked=False)
    draft = ok(env, "invoicing", "create_invoice", customer_id=customer["id"], subject="Large")["id"]
    left = ok(env, "invoicing", "get_customer", customer_id=customer["id"])["available_credit"]
    price = round(max(left, 0) / (1.0 if customer["tax_exempt"] else 1.2) + 1, 2)
    ok(env, "invoicing", "add_line", invoice_id=draft, description="Much", quantity=1, unit_price=price)
    assert refused(env, "invoicing", "issue_invoice", invoice_id=draft) == "over_credit_limit"


def test_reminders_follow_each_other_after_a_week() -> None:
    env = environment("invoicing")
    reminded = {row["invoice_id"] for row in env.rows("invoicing", "reminders")}
    overdue = ok(env, "invoicing", "search_invoices", payment_status="overdue", limit=100)["invoices"]
    late = next(row for row in overdue if row["id"] not in reminded)
    first = ok(env, "invoicing", "send_reminder", invoice_id=late["id"], message="Please pay.")
    assert first["level"] == 1
    assert refused(env, "invoicing", "send_reminder", invoice_id=late["id"], message="Please pay.") == "too_soon"
    env = patched(env, "invoicing", "reminders", first["id"], sent_on="2026-02-20")
    assert ok(env, "invoicing", "send_reminder", invoice_id=late["id"], message="Now.")["level"] == 2


def test_a_refund_makes_the_balance_grow() -> None:
    env = environment("invoicing")
    payment = next(row for row in env.rows("invoicing", "payments") if row["amount"] > 20)
    before = ok(env, "invoicing", "get_invoice", invoice_id=payment["invoice_id"])["balance"]
    shown = ok(env, "invoicing", "refund_payment", payment_id=payment["id"], amount=12.5)["invoice"]
    assert shown["balance"] == pytest.approx(before + 12.5)


# SQL warehouse


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("DELETE FROM orders", "not_a_select"),
        ("PRAGMA table_info(orders)", "not_a_select"),
        ("SELECT 1; DROP TABLE orders", "sql_error"),
        ("WITH t AS (SELECT 1) DELETE FROM orders", "sql_error"),
        ("SELECT * FROM sqlite_master", "sql_error"),
        ("SELECT * FROM customers", "column_restricted"),
        ("SELECT count(*) FROM customers WHERE contact_email LIKE '%a%'", "column_restricted"),
        ("SELECT random()", "function_not_allowed"),
        ("SELECT current_timestamp", "function_not_allowed"),
        ("SELECT load_extension('x')", "function_not_allowed"),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c", "sql_error"),
        ("SELECT count(*) FROM order_lines a, order_lines b, order_lines c, order_lines d", "query_too_heavy"),
        ("SELECT x'00ff'", "unsupported_value"),
        ("SELECT 1e308 * 10", "unsupported_value"),
        ("SELECT 'a\u0000b'", "sql_error"),
        ("SELECT :amount", "missing_parameters"),
    ],
)  # fmt: skip
def test_queries_only_read_and_are_bounded(sql: str, error: str) -> None:
    assert refused(environment("sql-warehouse"), "sql-warehouse", "execute_sql", sql=sql) == error


def test_a_query_answers_with_the_clock_of_the_session() -> None:
    env = environment("sql-warehouse")
    sql = "SELECT date('now') AS today, strftime('%Y-%m', date('now', '-2 days')) AS month, julianday('now') AS day"
    row = ok(env, "sql-warehouse", "execute_sql", sql=sql)["rows"][0]
    assert row == {"today": "2026-03-02", "month": "2026-02", "day": 2461101.5}


def test_values_beyond_what_the_database_holds_are_refused() -> None:
    env = environment("sql-warehouse")
    arguments = {"sql": "SELECT :n AS n", "parameters": {"n": 2**63}}
    assert refused(env, "sql-warehouse", "execute_sql", **arguments) == "sql_error"


def test_an_alert_goes_off_when_its_number_passes_the_threshold() -> None:
    env = environment("sql-warehouse")
    sql = "SELECT coalesce(sum(amount), 0) AS planned FROM targets WHERE month = '2026-06'"
    query = ok(env, "sql-warehouse", "save_query", name="Plan for June", sql=sql)["id"]
    watch = {
        "name": "June planned",
        "query_id": query,
        "comparison": "above",
        "threshold": 9000,
        "recipient_email": ME.email,
    }
    alert = ok(env, "sql-warehouse", "create_alert", **watch)["id"]
    assert ok(env, "sql-warehouse", "check_alert", alert_id=alert)["state"] == "ok"
    ok(env, "sql-warehouse", "set_target", region="north", month="2026-06", amount=9500)
    checked = ok(env, "sql-warehouse", "check_alert", alert_id=alert)
    assert (checked["state"], checked["last_value"], checked["distance"]) == ("triggered", 9500.0, 500.0)
    assert refused(env, "sql-warehouse", "delete_query", query_id=query) == "query_in_use"


def test_rows_and_aggregates_agree_with_sql() -> None:
    env = environment("sql-warehouse")
    order = one(env, "sql-warehouse", "orders")
    found = ok(
        env, "sql-warehouse", "lookup_rows", table="orders", column="order_number", value=order["order_number"].lower()
    )
    assert [row["id"] for row in found["rows"]] == [order["id"]]
    groups = ok(env, "sql-warehouse", "aggregate_rows", table="orders", measure="count", group_by="status")["groups"]
    sql = "SELECT status AS grp, count(*) AS value FROM orders GROUP BY status ORDER BY value DESC, grp"
    assert groups == ok(env, "sql-warehouse", "execute_sql", sql=sql)["rows"]
    assert (
        refused(env, "sql-warehouse", "aggregate_rows", table="products", measure="sum", column="unit_cost")
        == "unknown_column"
    )
