"""Tools of the person who decides on requisitions."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.cast import ME
from services_app.library.procurement.requisitions import RequisitionId, shown
from services_app.library.procurement.state import Approval, ProcurementState, service
from services_app.library.shared import Body, Json, check_text, same


def _my_step(state: ProcurementState, requisition_id: str) -> Approval:
    """The step that waits, if it is mine; 409 `not_pending`, 403 `not_your_turn`."""
    row = state.requisitions.get(requisition_id)
    waiting = state.approvals.find(requisition_id=requisition_id, decision="pending")
    if row.status != "pending_approval" or not waiting:
        raise conflict(f"Requisition {row.number} is {row.status}; nothing to decide.", type="not_pending")
    step = min(waiting, key=lambda item: item.step)
    if not same(step.approver_email, ME.email):
        raise forbidden(f"Requisition {row.number} waits for {step.approver_email} now.", type="not_your_turn")
    return step


@service.tool(phrase="approve the requisition {requisition_id}")
def approve_requisition(state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId) -> Json:
    """Approve the step of a requisition that waits for you; after the last step it can be ordered.

    Errors: `not_found`, `not_pending`, `not_your_turn`.

    Args:
        requisition_id: Id of the requisition.
    """
    step = _my_step(state, requisition_id)
    state.approvals.patch(step.id, decision="approved", decided_on=ctx.today)
    if state.approvals.first(requisition_id=requisition_id, decision="pending") is None:
        state.requisitions.patch(requisition_id, status="approved")
    return shown(state, requisition_id)


@service.tool(phrase="reject the requisition {requisition_id} because {reason}")
def reject_requisition(state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId, reason: Body) -> Json:
    """Reject a requisition whose step waits for you; the reason becomes a comment and the requester may change it.

    Errors: `not_found`, `not_pending`, `not_your_turn`, `blank_text`.

    Args:
        requisition_id: Id of the requisition.
        reason: What is wrong with it.
    """
    step = _my_step(state, requisition_id)
    text = check_text(reason, "reason")
    state.approvals.patch(step.id, decision="rejected", decided_on=ctx.today)
    state.comments.create(requisition_id=requisition_id, author_email=ME.email, text=text, written_at=ctx.now)
    state.requisitions.patch(requisition_id, status="rejected")
    return shown(state, requisition_id)
