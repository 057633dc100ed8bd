"""Tools for what agreements oblige us to."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.contracts.drafting import AgreementId
from services_app.library.contracts.state import ContractsState, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    search,
    with_fields,
    within,
)


@service.tool()
def list_obligations(  # noqa: PLR0913, PLR0917 - one per filter
    state: ContractsState,
    ctx: CallContext,
    query: Query | None = None,
    agreement_id: AgreementId | None = None,
    responsible_email: f.Email | None = None,
    done: bool | None = None,
    due_from: f.Date | None = None,
    due_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List what agreements oblige us to, earliest due day first, with whether it is overdue.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the title, evidence or number of the agreement.
        agreement_id: Only obligations of this agreement.
        responsible_email: Only those of this colleague.
        done: Only fulfilled ones, or only open ones.
        due_from: Only those due on this day or later.
        due_to: Only those due on this day or earlier.
        limit: At most so many obligations.
        cursor: next_cursor of the previous page.
    """
    numbers = {row.id: row.number for row in state.agreements}
    found = search(state.obligations, query, lambda row: (row.title, row.evidence, numbers[row.agreement_id]))
    found = keep(found, agreement_id=agreement_id, responsible_email=responsible_email)
    found = [row for row in within(found, "due_on", due_from, due_to) if done in (None, row.done_on is not None)]
    found.sort(key=lambda row: (row.due_on, row.id))
    rows = [
        with_fields(
            row,
            agreement_number=numbers[row.agreement_id],
            overdue=row.done_on is None and row.due_on < ctx.today,
        )
        for row in found
    ]
    return {**cursor_page("obligations", rows, limit, cursor), "overdue": sum(row["overdue"] for row in rows)}


@service.tool(phrase="mark the obligation {obligation_id} as fulfilled")
def complete_obligation(
    state: ContractsState, ctx: CallContext, obligation_id: Annotated[str, f.ref("obligations")], evidence: Body
) -> Json:
    """Mark an obligation of a signed agreement as fulfilled today.

    Errors: `not_found`, `already_done`, `not_signed`, `blank_text`.

    Args:
        obligation_id: Id of the obligation.
        evidence: What shows that it was fulfilled.
    """
    row = state.obligations.get(obligation_id)
    agreement = state.agreements.get(row.agreement_id)
    if row.done_on is not None:
        raise conflict(f"It was fulfilled on {row.done_on} already.", type="already_done")
    if agreement.status not in ("signed", "terminated"):
        raise invalid(f"{agreement.number} is not signed; nothing is owed yet.", type="not_signed")
    changed = state.obligations.patch(obligation_id, done_on=ctx.today, evidence=check_text(evidence, "evidence"))
    return with_fields(changed, agreement_number=agreement.number)
