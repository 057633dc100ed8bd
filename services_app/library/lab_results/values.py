"""Tools for results: entering, verifying, amending, and how values went over time."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.lab_results.catalogue import PatientId
from services_app.library.lab_results.figures import (
    check_open,
    live_order,
    missing_analytes,
    open_specimen,
    order_shown,
    result_shown,
    tests_of,
)
from services_app.library.lab_results.orders import OrderId
from services_app.library.lab_results.state import LabState, Result, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    check_range,
    check_text,
    cursor_page,
    mean,
    newest_first,
    plus_minutes,
    same,
    within,
)

AnalyteId = Annotated[str, f.ref("analytes")]
ResultId = Annotated[str, f.ref("results")]
Value = Annotated[float, f.Semantic("count", unit="lab value"), Field(ge=0, le=100_000)]
Flag = Annotated[Literal["normal", "low", "high", "critical_low", "critical_high"], LABEL]


@service.tool(phrase="enter {value} for {analyte_id} of the laboratory order {lab_order_id}")
def enter_result(state: LabState, ctx: CallContext, lab_order_id: OrderId, analyte_id: AnalyteId, value: Value) -> Json:
    """Enter a measured value; the answer says whether it is critical and has to be told at once.

    Errors: `not_found`, `order_not_open`, `not_ordered`, `already_entered`, `no_specimen`, `specimen_expired`.

    Args:
        lab_order_id: Id of the order.
        analyte_id: What was measured.
        value: The value, in the unit of the analyte.
    """
    order, analyte = live_order(state, lab_order_id), state.analytes.get(analyte_id)
    tests = [test for test in tests_of(state, order) if analyte.id in test.analyte_ids]
    if not tests:
        raise conflict(f"No test of {order.number} measures {analyte.name}.", type="not_ordered")
    if analyte.id not in missing_analytes(state, order):
        raise conflict(f"{order.number} has a value for {analyte.name}; amend that one.", type="already_entered")
    specimen = open_specimen(state, order, tests[0].specimen)
    if specimen is None:
        raise conflict(f"{order.number} has no accepted {tests[0].specimen} specimen.", type="no_specimen")
    if plus_minutes(specimen.collected_at, 60 * tests[0].stability) < ctx.now:
        raise conflict(
            f"{specimen.barcode} is older than {tests[0].stability} hours; reject it and have it taken again.",
            type="specimen_expired",
        )
    row = state.results.create(
        lab_order_id=order.id, analyte_id=analyte.id, specimen_id=specimen.id, value=value, entered_at=ctx.now
    )
    return result_shown(state, row)


@service.tool(phrase="verify the results of {lab_order_id}")
def verify_results(state: LabState, ctx: CallContext, lab_order_id: OrderId) -> Json:
    """Verify the results of an order when all are there, which makes its report final.

    Errors: `not_found`, `order_not_open`, `results_missing`.

    Args:
        lab_order_id: Id of the order.
    """
    order = live_order(state, lab_order_id)
    names = [state.analytes.get(identity).name for identity in missing_analytes(state, order)]
    if names:
        raise conflict(f"{order.number} lacks {', '.join(names[:6])}.", type="results_missing")
    changed = state.lab_orders.patch(order.id, status="verified", verified_at=ctx.now)
    results = [result_shown(state, row) for row in state.results.find(lab_order_id=order.id)]
    return {**order_shown(state, changed), "results": results}


@service.tool(phrase="amend the result {result_id} to {value} because {reason}")
def amend_result(
    state: LabState,
    ctx: CallContext,
    result_id: ResultId,
    value: Value,
    reason: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=2000)],
) -> Json:
    """Correct a value; the old one stays on record, and a critical value has to be told again.

    Errors: `not_found`, `same_value`, `blank_text`.

    Args:
        result_id: Id of the result.
        value: The right value.
        reason: What went wrong.
    """
    row = state.results.get(result_id)
    if row.value == value:
        raise conflict(f"{result_id} is {value} already.", type="same_value")
    text = check_text(reason, "reason")
    state.amendments.create(result_id=row.id, old_value=row.value, new_value=value, reason=text, amended_at=ctx.now)
    changed = state.results.patch(row.id, value=value, told_to="", told_at=None)
    return {**result_shown(state, changed), "amendments": state.amendments.find(result_id=row.id)}


@service.tool()
def search_results(  # noqa: PLR0913, PLR0917 - one per filter
    state: LabState,
    ctx: CallContext,
    patient_id: PatientId | None = None,
    analyte: Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=80)] | None = None,
    flag: Flag | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find results with low and high limit and flag, the latest first; restricted records are left out.

    Errors: `restricted_record` (the patient asked for), `not_found`, `invalid_date`, `invalid_range`.

    Args:
        patient_id: Only results of this patient.
        analyte: Name or code of what was measured.
        flag: Only results with this flag.
        from_date: Only results entered on this day or later.
        to_date: Only results entered on this day or earlier.
        limit: At most so many results.
        cursor: next_cursor of the previous page.
    """
    if patient_id is not None:
        check_open(state.patients.get(patient_id))
    found = [row for row in within(state.results, "entered_at", from_date, to_date) if _visible(state, row, patient_id)]
    if analyte is not None:
        ids = {row.id for row in state.analytes if same(row.name, analyte) or same(row.code, analyte)}
        found = [row for row in found if row.analyte_id in ids]
    found = newest_first(found, "entered_at")
    rows = [result_shown(state, row) for row in found]
    return cursor_page("results", [row for row in rows if flag is None or row["flag"] == flag], limit, cursor)


def _visible(state: LabState, row: Result, patient_id: str | None) -> bool:
    owner = state.patients.get(state.lab_orders.get(row.lab_order_id).patient_id)
    return not owner.restricted and patient_id in (None, owner.id)


@service.tool()
def get_result_trend(
    state: LabState,
    ctx: CallContext,
    patient_id: PatientId,
    analyte_id: AnalyteId,
    since: f.Date | None = None,
) -> Json:
    """Show how a value of a patient went over time, with the change since the first and the mean.

    Errors: `not_found`, `restricted_record`, `invalid_date`.

    Args:
        patient_id: Id of the patient.
        analyte_id: What was measured.
        since: Leave out values entered before this day.
    """
    check_range(since, None)
    patient, analyte = check_open(state.patients.get(patient_id)), state.analytes.get(analyte_id)
    found = [row for row in state.results.find(analyte_id=analyte.id) if _visible(state, row, patient.id)]
    found = sorted(within(found, "entered_at", since, None), key=lambda row: (row.entered_at, row.id))
    values = [row.value for row in found]
    return {
        "patient_name": patient.name,
        "analyte": analyte.name,
        "unit": analyte.unit,
        "points": [result_shown(state, row) for row in found],
        "change": round(values[-1] - values[0], 2) if len(values) > 1 else None,
        "mean": mean(values, 2),
    }
