"""Tools for loss adjusters and their inspections."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.insurance_claims.claims import ClaimId
from services_app.library.insurance_claims.figures import in_status, inspection_row, policy_of
from services_app.library.insurance_claims.state import ClaimsState, InspectionStatus, Line, Slot, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    is_weekend,
    keep,
    search,
    with_fields,
    within,
)

AdjusterId = Annotated[str, f.ref("adjusters")]
InspectionId = Annotated[str, f.ref("inspections")]


@service.tool()
def list_adjusters(state: ClaimsState, ctx: CallContext, query: Query | None = None, line: Line | None = None) -> Json:
    """List loss adjusters with the half days on which they are booked, and the claims approvers with their limits.

    Args:
        query: Words in the name, company, e-mail address or region.
        line: Only adjusters for this line.
    """
    found = search(state.adjusters, query, lambda row: (row.name, row.company, row.email, row.region))
    rows = [
        with_fields(
            row,
            booked=sorted(
                f"{item.inspect_on} {item.slot}"
                for item in state.inspections.find(adjuster_id=row.id, status="scheduled")
                if item.inspect_on >= ctx.today
            ),
        )
        for row in found
        if line in (None, *row.lines)
    ]
    return {"adjusters": rows, "total": len(rows), "claims_approvers": list(state.approvers)}


@service.tool(phrase="send {adjuster_id} to inspect the loss of {claim_id} on {inspect_on}")
def schedule_inspection(
    state: ClaimsState, ctx: CallContext, claim_id: ClaimId, adjuster_id: AdjusterId, inspect_on: f.Date, slot: Slot
) -> Json:
    """Send an adjuster to look at the loss of a submitted claim, on a working day after today.

    Errors: `not_found`, `wrong_status`, `invalid_date`, `too_soon`, `weekend`, `wrong_line` (the adjuster does not
    know such losses), `adjuster_busy`, `already_scheduled`.

    Args:
        claim_id: Id of the claim.
        adjuster_id: Id of the adjuster.
        inspect_on: Day, Monday to Friday.
        slot: Morning or afternoon.
    """
    claim, adjuster = in_status(state, claim_id, "submitted"), state.adjusters.get(adjuster_id)
    day = check_date(inspect_on)
    if day <= ctx.today:
        raise invalid(f"Adjusters come from tomorrow on; {day} is too soon.", type="too_soon")
    if is_weekend(day):
        raise invalid(f"{day} is a weekend; choose Monday to Friday.", type="weekend")
    line = policy_of(state, claim).line
    if line not in adjuster.lines:
        raise conflict(f"{adjuster.name} does not inspect {line} losses; see list_adjusters.", type="wrong_line")
    if state.inspections.first(claim_id=claim_id, status="scheduled") is not None:
        raise conflict(f"An inspection of {claim.number} is scheduled; cancel it first.", type="already_scheduled")
    if state.inspections.first(adjuster_id=adjuster_id, inspect_on=day, slot=slot, status="scheduled") is not None:
        raise conflict(f"{adjuster.name} is booked then; choose another slot or adjuster.", type="adjuster_busy")
    row = state.inspections.create(claim_id=claim_id, adjuster_id=adjuster_id, inspect_on=day, slot=slot)
    return inspection_row(state, row)


@service.tool(phrase="cancel the loss inspection {inspection_id}")
def cancel_inspection(state: ClaimsState, ctx: CallContext, inspection_id: InspectionId) -> Json:
    """Call off an inspection that has not taken place.

    Errors: `not_found`, `not_scheduled`.

    Args:
        inspection_id: Id of the inspection.
    """
    _scheduled(state, inspection_id)
    return inspection_row(state, state.inspections.patch(inspection_id, status="cancelled"))


def _scheduled(state: ClaimsState, inspection_id: str) -> None:
    row = state.inspections.get(inspection_id)
    if row.status != "scheduled":
        raise conflict(f"The inspection is {row.status}, not scheduled.", type="not_scheduled")


@service.tool(phrase="enter the adjuster's report of the inspection {inspection_id}")
def record_inspection_report(state: ClaimsState, ctx: CallContext, inspection_id: InspectionId, findings: Body) -> Json:
    """Enter what an adjuster found, also when it came early; the items of the claim can be assessed then.

    Errors: `not_found`, `not_scheduled`, `blank_text`.

    Args:
        inspection_id: Id of the inspection.
        findings: What was found, and which amounts are right.
    """
    _scheduled(state, inspection_id)
    text = check_text(findings, "findings")
    return inspection_row(state, state.inspections.patch(inspection_id, status="done", findings=text))


@service.tool()
def list_loss_inspections(  # noqa: PLR0913, PLR0917 - one per filter
    state: ClaimsState,
    ctx: CallContext,
    query: Query | None = None,
    adjuster_id: AdjusterId | None = None,
    status: InspectionStatus | None = None,
    inspect_from: f.Date | None = None,
    inspect_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List inspections by adjusters in the order of their days.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the claim number, adjuster's name, place or findings.
        adjuster_id: Only inspections of this adjuster.
        status: Only inspections in this status.
        inspect_from: Only inspections on this day or later.
        inspect_to: Only inspections on this day or earlier.
        limit: At most so many inspections.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.inspections, adjuster_id=adjuster_id, status=status)
    found = within(found, "inspect_on", inspect_from, inspect_to)
    rows = [inspection_row(state, row) for row in sorted(found, key=lambda row: (row.inspect_on, row.id))]
    names = ("claim_number", "adjuster_name", "place", "findings")
    rows = search(rows, query, lambda row: [row[name] for name in names])
    return cursor_page("inspections", rows, limit, cursor)
