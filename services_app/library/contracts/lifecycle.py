"""Tools for signed agreements: give notice, renew."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.contracts.drafting import AgreementId, Months
from services_app.library.contracts.state import Agreement, ContractsState, service
from services_app.library.contracts.terms import (
    add_months,
    agreement_json,
    agreement_shown,
    clauses_of,
    comment,
    new_number,
    owned,
    phase,
)
from services_app.library.shared import Body, Json, check_date, check_text, plus_days

Uplift = Annotated[float, f.Semantic("percent"), Field(ge=-50, le=50)]
MOST_UPLIFT = 8.0


def _running(state: ContractsState, ctx: CallContext, agreement_id: str) -> Agreement:
    agreement = owned(state, agreement_id)
    if phase(agreement, ctx.today) not in ("active", "expiring", "upcoming") or agreement.terminated_on:
        raise conflict(f"{agreement.number} is not running, or notice was given already.", type="not_running")
    return agreement


@service.tool(phrase="terminate the agreement {agreement_id} with effect from {terminates_on}")
def terminate_agreement(
    state: ContractsState, ctx: CallContext, agreement_id: AgreementId, terminates_on: f.Date, reason: Body
) -> Json:
    """Give notice on a running agreement of yours; the days of notice must pass before it ends.

    Errors: `not_found`, `not_owner`, `not_running`, `invalid_date`, `notice_too_short`, `after_end`, `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        terminates_on: Last day, not after the agreed one.
        reason: Why; it becomes a comment.
    """
    agreement, day = _running(state, ctx, agreement_id), check_date(terminates_on)
    first = plus_days(ctx.today, agreement.notice_days)
    if day < first:
        raise invalid(
            f"{agreement.notice_days} days of notice are agreed; {first} is the earliest day.", type="notice_too_short"
        )
    if day > agreement.end_date:
        raise invalid(f"{agreement.number} ends on {agreement.end_date}; use that day or earlier.", type="after_end")
    comment(state, ctx, agreement_id, check_text(reason, "reason"))
    state.agreements.patch(agreement_id, status="terminated", terminated_on=day, auto_renew=False)
    return agreement_shown(state, ctx, agreement_id)


@service.tool(phrase="draft the renewal of the agreement {agreement_id} for {term_months} months")
def renew_agreement(
    state: ContractsState,
    ctx: CallContext,
    agreement_id: AgreementId,
    term_months: Months = 12,
    uplift_percent: Uplift = 0.0,
) -> Json:
    """Draft the renewal of a running agreement of yours: same clauses, from the day after it ends, value changed.

    Errors: `not_found`, `not_owner`, `not_running`, `already_renewed`, `uplift_too_high` (more than 8 %).

    Args:
        agreement_id: Id of the agreement to renew.
        term_months: Months that the renewal runs.
        uplift_percent: By how many per cent the value changes.
    """
    old = _running(state, ctx, agreement_id)
    if uplift_percent > MOST_UPLIFT:
        raise invalid(f"Renewals rise by {MOST_UPLIFT:.0f} % at most; send no more.", type="uplift_too_high")
    known = state.agreements.first(renews_id=agreement_id)
    if known is not None:
        raise conflict(f"{known.number} renews {old.number} already.", type="already_renewed")
    start = plus_days(old.end_date, 1)
    renewal = state.agreements.create(
        number=new_number(state, ctx),
        title=f"Renewal of {old.title}",
        kind=old.kind,
        counterparty_id=old.counterparty_id,
        template_id=old.template_id,
        owner_email=old.owner_email,
        value=round(old.value * (1 + uplift_percent / 100), 2),
        currency=old.currency,
        effective_on=start,
        end_date=add_months(start, term_months),
        notice_days=old.notice_days,
        auto_renew=old.auto_renew,
        renews_id=old.id,
        created_at=ctx.now,
    )
    for row in clauses_of(state, old.id):
        copied = {name: value for name, value in row.plain().items() if name not in ("id", "agreement_id")}
        state.agreement_clauses.create(agreement_id=renewal.id, **copied)
    return {**agreement_json(state, renewal, ctx.today), "renews_number": old.number}
