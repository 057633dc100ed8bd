"""Tools for what the others stand on: employees, categories, rates and policies."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.expenses.state import ExpensesState, Policy, service
from services_app.library.shared import Cursor, Json, Limit, Query, brief, cursor_page, guide_pages, keep, search


@service.tool()
def search_employees(
    state: ExpensesState,
    ctx: CallContext,
    query: Query | None = None,
    team: f.Label | None = None,
    approvers_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find employees by name, address or cost center, with their manager and approval limit.

    Args:
        query: Words in the name, address or cost center.
        team: Only this team.
        approvers_only: true leaves out those who may approve nothing.
        limit: At most so many employees.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.employees, query, lambda row: (row.name, row.email, row.cost_center)), team=team)
    found = [row for row in found if row.approval_limit > 0 or not approvers_only]
    found.sort(key=lambda row: (row.name, row.id))
    return cursor_page("employees", found, limit, cursor)


@service.tool()
def list_categories(
    state: ExpensesState, ctx: CallContext, query: Query | None = None, include_archived: bool = False
) -> Json:
    """List expense categories with their limits and ledger codes.

    Args:
        query: Words in the name or ledger code.
        include_archived: true shows categories that can no longer be used.
    """
    found = search(state.categories, query, lambda row: (row.name, row.ledger_code))
    found = [row for row in found if include_archived or not row.archived]
    return {"categories": found, "total": len(found)}


@service.tool()
def list_exchange_rates(state: ExpensesState, ctx: CallContext) -> Json:
    """List the rates at which foreign currencies are converted to GBP."""
    return {"ledger_currency": "GBP", "exchange_rates": list(state.exchange_rates)}


@service.tool()
def search_policies(
    state: ExpensesState, ctx: CallContext, query: Query | None = None, include_superseded: bool = False
) -> Json:
    """Find expense policies by words in title or text, newest first; get_policy has the full text.

    Args:
        query: Words that must all occur.
        include_superseded: true shows versions that no longer count.
    """
    found = guide_pages(state.policies, query, superseded=None if include_superseded else False)
    return {"policies": [brief(row, "id", "title", "valid_from", "superseded") for row in found], "total": len(found)}


@service.tool()
def get_policy(state: ExpensesState, ctx: CallContext, policy_id: Annotated[str, f.ref("policies")]) -> Policy:
    """Read an expense policy.

    Errors: `not_found`.

    Args:
        policy_id: Id of the policy.
    """
    return state.policies.get(policy_id)
