"""Tools for what leaves the laboratory: critical values by phone, reports to those who may have them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.lab_results.catalogue import PatientId
from services_app.library.lab_results.figures import (
    check_open,
    consents_of,
    flag_of,
    order_shown,
    result_shown,
    untold,
)
from services_app.library.lab_results.orders import OrderId
from services_app.library.lab_results.state import Consent, LabState, service
from services_app.library.lab_results.values import ResultId
from services_app.library.shared import Cursor, Json, Limit, check_date, check_text, cursor_page, minutes_between, same

ConsentId = Annotated[str, f.ref("consents")]
TELL_WITHIN = 60  # minutes from entry to the call


@service.tool()
def list_critical_results(
    state: LabState,
    ctx: CallContext,
    include_told: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List critical results that nobody was told of, the oldest first, with minutes waited and the phone to call.

    Args:
        include_told: Also those that were told.
        limit: At most so many results.
        cursor: next_cursor of the previous page.
    """
    rows = []
    for row in sorted(state.results, key=lambda row: (row.entered_at, row.id)):
        patient = state.patients.get(state.lab_orders.get(row.lab_order_id).patient_id)
        critical = flag_of(state.analytes.get(row.analyte_id), patient, row.value).startswith("critical")
        if critical and (include_told or row.told_at is None):
            waited = minutes_between(row.entered_at, row.told_at or ctx.now)
            rows.append(
                {
                    **result_shown(state, row),
                    "phone": patient.phone,
                    "minutes_waited": waited,
                    "overdue": waited > TELL_WITHIN,
                }
            )
    return cursor_page("results", rows, limit, cursor)


@service.tool(phrase="note that {told_to} was told of the critical result {result_id}")
def acknowledge_critical_result(
    state: LabState,
    ctx: CallContext,
    result_id: ResultId,
    told_to: Annotated[str, f.Semantic("person"), Field(min_length=2, max_length=120)],
) -> Json:
    """Note who was told of a critical value by phone and read it back.

    Errors: `not_found`, `not_critical`, `already_told`, `blank_text`.

    Args:
        result_id: Id of the result.
        told_to: Person who read the value back.
    """
    row = state.results.get(result_id)
    if not str(result_shown(state, row)["flag"]).startswith("critical"):
        raise conflict(f"{result_id} is not critical; there is nobody to call.", type="not_critical")
    if row.told_at is not None:
        raise conflict(f"{row.told_to} was told at {row.told_at}.", type="already_told")
    changed = state.results.patch(row.id, told_to=check_text(told_to, "name"), told_at=ctx.now)
    return result_shown(state, changed)


@service.tool(phrase="record that {recipient_email} may get the reports of {patient_id} until {valid_until}")
def record_consent(
    state: LabState, ctx: CallContext, patient_id: PatientId, recipient_email: f.Email, valid_until: f.Date
) -> Consent:
    """Record that a patient lets somebody have the reports until a day.

    Errors: `not_found`, `invalid_date`, `in_the_past`, `consent_exists`.

    Args:
        patient_id: Id of the patient.
        recipient_email: Address of the one who may have the reports.
        valid_until: Last day of the consent.
    """
    patient = state.patients.get(patient_id)
    if check_date(valid_until) < ctx.today:
        raise invalid(f"{valid_until} is over; a consent ends today or later.", type="in_the_past")
    for row in consents_of(state, ctx, patient.id):
        if row["active"] and same(row["recipient_email"], recipient_email) and row["valid_until"] >= valid_until:
            raise conflict(f"{row['id']} holds until {row['valid_until']} already.", type="consent_exists")
    return state.consents.create(
        patient_id=patient.id, recipient_email=recipient_email, valid_until=valid_until, recorded_at=ctx.now
    )


@service.tool(phrase="withdraw the consent {consent_id}")
def withdraw_consent(state: LabState, ctx: CallContext, consent_id: ConsentId) -> Consent:
    """Record that a patient withdrew a consent; nothing more is shared on it.

    Errors: `not_found`, `already_withdrawn`.

    Args:
        consent_id: Id of the consent.
    """
    row = state.consents.get(consent_id)
    if row.withdrawn:
        raise conflict(f"{consent_id} is withdrawn already.", type="already_withdrawn")
    return state.consents.patch(row.id, withdrawn=True)


@service.tool(phrase="share the report of {lab_order_id} with {recipient_email}")
def share_report(state: LabState, ctx: CallContext, lab_order_id: OrderId, recipient_email: f.Email) -> Json:
    """Share the final report of an order with the patient, or with somebody the patient has consented to.

    Errors: `not_found`, `restricted_record`, `not_verified`, `critical_not_told`, `no_consent`, `already_shared`.

    Args:
        lab_order_id: Id of the order.
        recipient_email: Address of the patient or of the other person.
    """
    order = state.lab_orders.get(lab_order_id)
    patient = check_open(state.patients.get(order.patient_id))
    if order.status != "verified":
        raise conflict(f"{order.number} is {order.status}; verify its results first.", type="not_verified")
    waiting = untold(state, order)
    if waiting:
        raise conflict(f"{waiting[0].id} is critical and nobody was told; call first.", type="critical_not_told")
    allowed = [row["recipient_email"] for row in consents_of(state, ctx, patient.id) if row["active"]]
    if not any(same(email, recipient_email) for email in (patient.email, *allowed)):
        raise forbidden(f"{patient.name} has not consented to {recipient_email}.", type="no_consent")
    if any(same(row.recipient_email, recipient_email) for row in state.shared_reports.find(lab_order_id=order.id)):
        raise conflict(f"{recipient_email} has the report of {order.number}.", type="already_shared")
    row = state.shared_reports.create(lab_order_id=order.id, recipient_email=recipient_email, shared_at=ctx.now)
    return {**row.plain(), "order": order_shown(state, order)}
