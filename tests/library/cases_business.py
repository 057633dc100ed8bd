"""Situations in CRM, help desk and invoicing; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import MANY, Env, Situation, case
from tests.library.world import added, ok, one, patched, rows

# crm


@case("crm", "create_deal", "former_customer")
def _(env: Env) -> Situation:
    account = one(env, "crm", "accounts")
    env = patched(env, "crm", "accounts", account["id"], status="former")
    return env, {"account_id": account["id"], "title": "New", "amount": 100, "close_date": "2026-05-01"}


@case("crm", "win_deal", "over_credit_limit")
def _(env: Env) -> Situation:
    deal = one(env, "crm", "deals", stage="negotiation")
    env = patched(env, "crm", "deals", deal["id"], amount=900_000)
    env = patched(env, "crm", "accounts", deal["account_id"], status="customer")
    return env, {"deal_id": deal["id"], "order_number": "PO-1"}


@case("crm", "reopen_deal", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"deal_id": one(env, "crm", "deals", stage="lost")["id"], "close_date": "2026-02-30"}


@case("crm", "set_discount", "approver_limit")
def _(env: Env) -> Situation:
    deal = one(env, "crm", "deals", stage="proposal")
    return env, {"deal_id": deal["id"], "discount": 50, "approved_by": ME.email}


@case("crm", "log_activity", "do_not_contact")
def _(env: Env) -> Situation:
    contact = one(env, "crm", "contacts")
    env = patched(env, "crm", "contacts", contact["id"], do_not_contact=True)
    arguments = {"account_id": contact["account_id"], "contact_id": contact["id"]}
    return env, {**arguments, "kind": "call", "subject": "Hello", "text": "Talked."}


# help desk


def _ticket(env: Env, **wanted: Any) -> dict[str, Any]:
    return next(
        row
        for row in env.rows("help-desk", "tickets")
        if row["status"] not in ("solved", "closed") and all(row[name] == value for name, value in wanted.items())
    )


def _colleague(env: Env, ticket: dict[str, Any]) -> dict[str, Any]:
    """An agent of the ticket's team who does not have it and is there."""
    return next(
        row
        for row in env.rows("help-desk", "agents")
        if row["team_id"] == ticket["team_id"] and row["id"] != ticket["assignee_id"] and not row["away"]
    )


@case("help-desk", "set_agent_away", "no_change")
def _(env: Env) -> Situation:
    return env, {"agent_email": one(env, "help-desk", "agents", away=False)["email"], "away": False}


@case("help-desk", "create_ticket", "blank_text")
def _(env: Env) -> Situation:
    requester = one(env, "help-desk", "requesters")
    return env, {"subject": "Help", "description": "  ", "requester_email": requester["email"]}


@case("help-desk", "create_ticket", "duplicate_ticket")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    requester = one(env, "help-desk", "requesters", id=ticket["requester_id"])
    return env, {"subject": ticket["subject"], "description": "Again", "requester_email": requester["email"]}


@case("help-desk", "add_tag", "already_tagged")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    ok(env, "help-desk", "add_tag", ticket_id=ticket["id"], tag="one-more")
    return env, {"ticket_id": ticket["id"], "tag": "one-more"}


@case("help-desk", "add_tag", "too_many_tags")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    env = patched(env, "help-desk", "tickets", ticket["id"], tags=[f"t{number}" for number in range(8)])
    return env, {"ticket_id": ticket["id"], "tag": "one-more"}


@case("help-desk", "assign_ticket", "agent_away")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    agent = _colleague(env, ticket)
    env = patched(env, "help-desk", "agents", agent["id"], away=True)
    return env, {"ticket_id": ticket["id"], "agent_email": agent["email"]}


@case("help-desk", "assign_ticket", "agent_full")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    agent = _colleague(env, ticket)
    env = patched(env, "help-desk", "agents", agent["id"], max_open=0)
    return env, {"ticket_id": ticket["id"], "agent_email": agent["email"]}


@case("help-desk", "assign_ticket", "already_assigned")
def _(env: Env) -> Situation:
    ticket = _ticket(env, status="open")
    agent = one(env, "help-desk", "agents", id=ticket["assignee_id"])
    return env, {"ticket_id": ticket["id"], "agent_email": agent["email"]}


@case("help-desk", "reopen_ticket", "blank_text")
def _(env: Env) -> Situation:
    ticket = one(env, "help-desk", "tickets", status="solved")
    env = patched(env, "help-desk", "tickets", ticket["id"], solved_at="2026-03-01T10:00:00Z")
    return env, {"ticket_id": ticket["id"], "reason": "   "}


@case("help-desk", "escalate_ticket", "no_lead")
def _(env: Env) -> Situation:
    ticket = _ticket(env, escalated=False)
    lead = one(env, "help-desk", "agents", team_id=ticket["team_id"], lead=True)
    env = patched(env, "help-desk", "agents", lead["id"], lead=False)
    return env, {"ticket_id": ticket["id"], "reason": "Late"}


@case("help-desk", "merge_tickets", "same_ticket")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    return env, {"ticket_id": ticket["id"], "into_id": ticket["id"]}


def _time(env: Env) -> tuple[dict[str, Any], dict[str, Any]]:
    ticket = _ticket(env)
    agent = one(env, "help-desk", "agents")
    return ticket, {"ticket_id": ticket["id"], "agent_email": agent["email"], "minutes": 30, "work": "Looked at it."}


@case("help-desk", "log_time", "blank_text")
def _(env: Env) -> Situation:
    return env, {**_time(env)[1], "work": "  "}


@case("help-desk", "log_time", "no_hours_left")
def _(env: Env) -> Situation:
    ticket, arguments = _time(env)
    requester = one(env, "help-desk", "requesters", id=ticket["requester_id"])
    return patched(env, "help-desk", "organizations", requester["organization_id"], support_hours=0), arguments


@case("help-desk", "move_to_team", "same_team")
def _(env: Env) -> Situation:
    ticket = _ticket(env)
    return env, {"ticket_id": ticket["id"], "team": one(env, "help-desk", "teams", id=ticket["team_id"])["name"]}


# invoicing


def _issued(env: Env) -> dict[str, Any]:
    return one(env, "invoicing", "invoices", status="issued")


@case("invoicing", "add_line", "blank_text")
def _(env: Env) -> Situation:
    draft = one(env, "invoicing", "invoices", status="draft")
    return env, {"invoice_id": draft["id"], "description": " ", "quantity": 1, "unit_price": 5}


@case("invoicing", "update_invoice", "duplicate_order")
def _(env: Env) -> Situation:
    used = next(
        row["order_number"] for row in rows(env, "invoicing", "invoices", status="issued") if row["order_number"]
    )
    return env, {"invoice_id": one(env, "invoicing", "invoices", status="draft")["id"], "order_number": used}


def _draft(env: Env, **changes: Any) -> tuple[Env, dict[str, Any]]:
    draft = one(env, "invoicing", "invoices", status="draft")
    return patched(env, "invoicing", "customers", draft["customer_id"], **changes), {"invoice_id": draft["id"]}


@case("invoicing", "issue_invoice", "customer_blocked")
def _(env: Env) -> Situation:
    return _draft(env, blocked=True)


@case("invoicing", "issue_invoice", "over_credit_limit")
def _(env: Env) -> Situation:
    return _draft(env, blocked=False, credit_limit=1)


@case("invoicing", "issue_invoice", "no_lines")
def _(env: Env) -> Situation:
    customer = one(env, "invoicing", "customers", blocked=False)
    draft = ok(env, "invoicing", "create_invoice", customer_id=customer["id"], subject="Empty")
    return env, {"invoice_id": draft["id"]}


def _owed(env: Env) -> dict[str, Any]:
    """An issued invoice on which nothing has been paid."""
    paid = {row["invoice_id"] for row in env.rows("invoicing", "payments")}
    return next(row for row in rows(env, "invoicing", "invoices", status="issued") if row["id"] not in paid)


@case("invoicing", "record_payment", "duplicate_payment")
def _(env: Env) -> Situation:
    arguments = {"invoice_id": _owed(env)["id"], "amount": 1.0, "reference": "RF1"}
    ok(env, "invoicing", "record_payment", **arguments)
    return env, arguments


@case("invoicing", "refund_payment", "not_issued")
def _(env: Env) -> Situation:
    payment = one(env, "invoicing", "payments")
    env = patched(env, "invoicing", "invoices", payment["invoice_id"], status="written_off")
    return env, {"payment_id": payment["id"], "amount": 1.0}


@case("invoicing", "write_off_invoice", "blank_text")
def _(env: Env) -> Situation:
    draft = one(env, "invoicing", "invoices", status="draft")
    line = {"invoice_id": draft["id"], "description": "Bank charge", "quantity": 1, "unit_price": 5.0, "tax_rate": 0.0}
    for old in rows(env, "invoicing", "lines", invoice_id=draft["id"]):
        ok(env, "invoicing", "remove_line", line_id=old["id"])
    ok(env, "invoicing", "add_line", **line)
    env = patched(env, "invoicing", "invoices", draft["id"], status="issued", due_date="2026-04-01")
    return env, {"invoice_id": draft["id"], "reason": " "}


@case("invoicing", "send_reminder", "final_reminder_sent")
def _(env: Env) -> Situation:
    invoice = _owed(env)
    env = patched(env, "invoicing", "invoices", invoice["id"], due_date="2026-01-02")
    reminder = {
        "id": "RMD-9000",
        "invoice_id": invoice["id"],
        "level": 3,
        "sent_to": MANY[0],
        "message": "Final",
        "sent_on": "2026-02-01",
    }
    return added(env, "invoicing", "reminders", reminder), {"invoice_id": invoice["id"], "message": "Pay"}
