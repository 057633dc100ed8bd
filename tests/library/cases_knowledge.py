"""Situations in documents and the warehouse; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import MANY, Env, Situation, case
from tests.library.world import ok, one, patched

# documents


def _own_document(env: Env, title: str = "Own plan", **more: Any) -> dict[str, Any]:
    folder = one(env, "documents", "folders", name="Own notes")["id"]
    arguments = {"folder_id": folder, "title": title, "body": "One line. One line.", **more}
    return dict(ok(env, "documents", "create_document", **arguments))


@case("documents", "create_from_template", "unknown_slots")
def _(env: Env) -> Situation:
    template = one(env, "documents", "templates", name="Status report")
    values = {"project": "A", "status": "B", "done": "C", "next": "D", "colour": "E"}
    folder = one(env, "documents", "folders")["id"]
    return env, {"template_id": template["id"], "folder_id": folder, "title": "Report", "values": values}


def _long(env: Env) -> str:
    document = _own_document(env)
    for _number in range(3):
        ok(env, "documents", "append_text", document_id=document["id"], text="word " * 3900)
    return str(document["id"])


@case("documents", "append_text", "too_long")
def _(env: Env) -> Situation:
    return env, {"document_id": _long(env), "text": "word " * 3900}


@case("documents", "replace_text", "too_long")
def _(env: Env) -> Situation:
    return env, {"document_id": _long(env), "find": "One", "replacement": "x" * 1900, "all_occurrences": True}


@case("documents", "replace_text", "ambiguous")
def _(env: Env) -> Situation:
    return env, {"document_id": _own_document(env)["id"], "find": "One", "replacement": "Two"}


@case("documents", "replace_text", "same_text")
def _(env: Env) -> Situation:
    arguments = {"find": "One", "replacement": "One", "all_occurrences": True}
    return env, {"document_id": _own_document(env)["id"], **arguments}


@case("documents", "update_details", "blank_text")
def _(env: Env) -> Situation:
    return env, {"document_id": _own_document(env)["id"], "title": " "}


@case("documents", "update_details", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"document_id": _own_document(env)["id"], "review_by": "2026-02-30"}


@case("documents", "update_details", "duplicate_title")
def _(env: Env) -> Situation:
    _own_document(env, "First")
    return env, {"document_id": _own_document(env, "Second")["id"], "title": "first"}


@case("documents", "move_document", "duplicate_title")
def _(env: Env) -> Situation:
    folder = one(env, "documents", "folders", name="Guides")["id"]
    _own_document(env, folder_id=folder)
    return env, {"document_id": _own_document(env)["id"], "folder_id": folder}


def _in_review(env: Env, reviewer: str = "ana.reviewer@larkfield.example") -> dict[str, Any]:
    document = _own_document(env)
    arguments = {"document_id": document["id"], "reviewer_email": reviewer, "due_date": "2026-05-04"}
    ok(env, "documents", "request_review", **arguments)
    return arguments


@case("documents", "archive_document", "reviews_pending")
def _(env: Env) -> Situation:
    return env, {"document_id": _in_review(env)["document_id"]}


@case("documents", "reopen_document", "duplicate_title")
def _(env: Env) -> Situation:
    old = _own_document(env)
    ok(env, "documents", "archive_document", document_id=old["id"])
    _own_document(env)
    return env, {"document_id": old["id"]}


@case("documents", "create_folder", "too_deep")
def _(env: Env) -> Situation:
    parent = None
    for level in range(5):
        parent = ok(env, "documents", "create_folder", name=f"Level {level}", parent_id=parent)["id"]
    return env, {"name": "One more", "parent_id": parent}


@case("documents", "share_document", "same_role")
def _(env: Env) -> Situation:
    arguments = {"document_id": _own_document(env)["id"], "email": "ana.reader@larkfield.example"}
    ok(env, "documents", "share_document", **arguments)
    return env, arguments


@case("documents", "share_document", "contract_restricted")
def _(env: Env) -> Situation:
    return env, {"document_id": _own_document(env, kind="contract")["id"], "email": MANY[0]}


@case("documents", "remove_share", "review_pending")
def _(env: Env) -> Situation:
    arguments = _in_review(env)
    return env, {"document_id": arguments["document_id"], "email": arguments["reviewer_email"]}


@case("documents", "transfer_ownership", "outside_company")
def _(env: Env) -> Situation:
    arguments = {"document_id": _own_document(env)["id"], "email": MANY[0]}
    ok(env, "documents", "share_document", **arguments)
    return env, arguments


@case("documents", "request_review", "duplicate_review")
def _(env: Env) -> Situation:
    return env, _in_review(env)


@case("documents", "request_review", "invalid_date")
def _(env: Env) -> Situation:
    document = _own_document(env)
    arguments = {"reviewer_email": "ana.reviewer@larkfield.example", "due_date": "2026-02-30"}
    return env, {"document_id": document["id"], **arguments}


@case("documents", "decide_review", "not_in_review")
def _(env: Env) -> Situation:
    review = one(env, "documents", "reviews", reviewer_email=ME.email)
    env = patched(env, "documents", "documents", review["document_id"], status="draft")
    return env, {"review_id": review["id"], "decision": "approved"}


@case("documents", "approve_document", "comments_open")
def _(env: Env) -> Situation:
    identity = _in_review(env)["document_id"]
    ok(env, "documents", "add_comment", document_id=identity, text="Is this right?")
    review = one(env, "documents", "reviews", document_id=identity)
    return patched(env, "documents", "reviews", review["id"], decision="approved"), {"document_id": identity}


# SQL warehouse


RESTRICTED = "SELECT contact_email FROM customers"
BROKEN_SQL = {
    "column_restricted": RESTRICTED,
    "function_not_allowed": "SELECT random()",
    "query_too_heavy": "SELECT count(*) FROM order_lines a, order_lines b, order_lines c, orders d",
    "sql_error": "SELECT nothing FROM nowhere",
    "unsupported_value": "SELECT 9e999",
}


def _query(env: Env, sql: str) -> tuple[Env, str]:
    """An environment in which a query of yours has this SQL, whatever would be accepted."""
    saved = ok(env, "sql-warehouse", "save_query", name="Mine", sql="SELECT 1 AS one")
    return patched(env, "sql-warehouse", "saved_queries", saved["id"], sql=sql), saved["id"]


def _sql_case(tool: str, error: str, sql: str) -> None:
    @case("sql-warehouse", tool, error)
    def _(env: Env) -> Situation:
        if tool == "execute_sql":
            return env, {"sql": sql}
        if tool == "save_query":
            return env, {"name": "New", "sql": sql}
        if tool == "update_query":
            env, identity = _query(env, "SELECT 1")
            return env, {"query_id": identity, "sql": sql}
        env, identity = _query(env, sql)
        return env, {"query_id": identity}


for _error, _sql in BROKEN_SQL.items():
    for _tool in ("execute_sql", "save_query", "update_query"):
        _sql_case(_tool, _error, _sql)
for _error in ("column_restricted", "sql_error"):
    for _tool in ("preview_query", "run_query"):
        _sql_case(_tool, _error, BROKEN_SQL[_error])


def _alert_case(error: str, sql: str) -> None:
    @case("sql-warehouse", "check_alert", error)
    def _(env: Env) -> Situation:
        alert = one(env, "sql-warehouse", "alerts", state="unchecked")
        return patched(env, "sql-warehouse", "saved_queries", alert["query_id"], sql=sql), {"alert_id": alert["id"]}


_alert_case("column_restricted", RESTRICTED)
_alert_case("sql_error", BROKEN_SQL["sql_error"])
_alert_case("needs_parameters", "SELECT count(*) FROM orders WHERE status = :status")
_alert_case("not_a_number", "SELECT name FROM products LIMIT 1")


@case("sql-warehouse", "update_query", "blank_text")
def _(env: Env) -> Situation:
    env, identity = _query(env, "SELECT 1")
    return env, {"query_id": identity, "name": " "}


@case("sql-warehouse", "update_query", "breaks_alert")
def _(env: Env) -> Situation:
    env, identity = _query(env, "SELECT 1")
    watch = {"name": "Watch", "query_id": identity, "comparison": "above", "threshold": 5, "recipient_email": MANY[0]}
    ok(env, "sql-warehouse", "create_alert", **watch)
    return env, {"query_id": identity, "sql": "SELECT name FROM products"}


@case("sql-warehouse", "add_tile", "dashboard_full")
def _(env: Env) -> Situation:
    board = ok(env, "sql-warehouse", "create_dashboard", name="Full")["id"]
    plain = [row["id"] for row in env.rows("sql-warehouse", "saved_queries") if ":" not in row["sql"]]
    pairs = [(query, chart) for query in plain for chart in ("bar", "line")]
    for query, chart in pairs[:12]:
        arguments = {"dashboard_id": board, "query_id": query, "title": "Tile", "chart": chart}
        ok(env, "sql-warehouse", "add_tile", **arguments)
    return env, {"dashboard_id": board, "query_id": pairs[12][0], "title": "Tile", "chart": pairs[12][1]}


@case("sql-warehouse", "write_definition", "same_text")
def _(env: Env) -> Situation:
    row = one(env, "sql-warehouse", "definitions")
    return env, {"term": row["term"], "body": row["body"]}


@case("sql-warehouse", "set_target", "same_target")
def _(env: Env) -> Situation:
    arguments = {"region": "north", "month": "2026-06", "amount": 5000.0}
    ok(env, "sql-warehouse", "set_target", **arguments)
    return env, arguments
