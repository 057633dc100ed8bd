"""Tools for policies, covers and the guidelines."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.insurance_claims.figures import claim_row, cover_row, payable
from services_app.library.insurance_claims.state import ClaimsState, Line, service
from services_app.library.shared import (
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    days_between,
    keep,
    search,
    with_fields,
)

PolicyId = Annotated[str, f.ref("policies")]
CoverId = Annotated[str, f.ref("covers")]


@service.tool()
def search_insurance_policies(
    state: ClaimsState,
    ctx: CallContext,
    query: Query | None = None,
    line: Line | None = None,
    in_force_on: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find insurance policies by number, vehicle, address or insurer, with their covers and what is left of them.

    Errors: `invalid_date`.

    Args:
        query: Words in the policy number, insured object, insurer, broker or the names of covers.
        line: Only policies of this line.
        in_force_on: Only policies that cover this day.
        limit: At most so many policies.
        cursor: next_cursor of the previous page.
    """
    day = check_date(in_force_on) if in_force_on else None
    found = [row for row in keep(state.policies, line=line) if day is None or row.starts_on <= day <= row.ends_on]
    covers = {row.id: state.covers.find(policy_id=row.id) for row in found}
    found = search(
        found,
        query,
        lambda row: (
            row.policy_number,
            row.insured_object,
            row.insurer,
            row.broker,
            *(cover.name for cover in covers[row.id]),
        ),
    )
    page = cursor_page("policies", found, limit, cursor)
    page["policies"] = [
        with_fields(row, covers=[cover_row(state, cover) for cover in covers[row.id]]) for row in page["policies"]
    ]
    return page


@service.tool()
def get_insurance_policy(state: ClaimsState, ctx: CallContext, policy_id: PolicyId) -> Json:
    """Show a policy with its covers, what is left of their yearly limits, and the claims made under it.

    Errors: `not_found`.

    Args:
        policy_id: Id of the policy.
    """
    policy = state.policies.get(policy_id)
    covers = state.covers.find(policy_id=policy_id)
    claims = [row for cover in covers for row in state.claims.find(cover_id=cover.id)]
    return with_fields(
        policy,
        covers=[cover_row(state, cover) for cover in covers],
        claims=[claim_row(state, row) for row in claims],
    )


@service.tool()
def check_coverage(state: ClaimsState, ctx: CallContext, cover_id: CoverId, loss_on: f.Date, amount: Amount) -> Json:
    """Work out whether a cover was in force on a day and what it would pay of a loss.

    Errors: `not_found`, `invalid_date`.

    Args:
        cover_id: Id of the cover.
        loss_on: Day of the loss.
        amount: Amount of the loss.
    """
    cover = state.covers.get(cover_id)
    policy, day = state.policies.get(cover.policy_id), check_date(loss_on)
    in_force = policy.starts_on <= day <= policy.ends_on
    found = payable(state, cover, amount)
    return {
        "policy_number": policy.policy_number,
        "cover_name": cover.name,
        "in_force": in_force,
        **found,
        "payable": found["payable"] if in_force else 0.0,
        "days_left_to_report": policy.report_within - days_between(day, ctx.today),
    }


@service.tool()
def search_claims_guidelines(
    state: ClaimsState, ctx: CallContext, query: Query | None = None, limit: Limit = 5, cursor: Cursor = ""
) -> Json:
    """Find the claims guidelines: deadlines, documents, inspections, authority, reserves, recoveries.

    Args:
        query: Words in the title or text.
        limit: At most so many guidelines.
        cursor: next_cursor of the previous page.
    """
    found = search(state.guidelines, query, lambda row: (row.title, row.body))
    return cursor_page("guidelines", found, limit, cursor)
