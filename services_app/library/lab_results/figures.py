"""What follows from the records of the laboratory: flags, prices, what is missing, and how things are shown."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.lab_results.state import Analyte, LabOrder, LabState, LabTest, Patient, Result, Specimen
from services_app.library.shared import Json, brief, total, with_fields

APPROVAL_ABOVE = 200.0
STAT_SURCHARGE = 25.0


def price_of(state: LabState, order: LabOrder) -> float:
    """What an order costs in pounds: its tests, and a surcharge when the result is wanted at once."""
    tests = total(state.lab_tests.get(identity).price for identity in order.test_ids)
    return total((tests, STAT_SURCHARGE if order.priority == "stat" else 0.0))


def flag_of(analyte: Analyte, patient: Patient, value: float) -> str:
    """`normal`, `low`, `high`, `critical_low` or `critical_high` for this patient."""
    if analyte.critical_low is not None and value <= analyte.critical_low:
        return "critical_low"
    if analyte.critical_high is not None and value >= analyte.critical_high:
        return "critical_high"
    high = analyte.high_male if patient.sex == "male" and analyte.high_male is not None else analyte.high
    return "low" if value < analyte.low else "high" if value > high else "normal"


def open_specimen(state: LabState, order: LabOrder, kind: str) -> Specimen | None:
    """The accepted specimen of an order of this type that was taken last."""
    rows = state.specimens.find(lab_order_id=order.id, type=kind, status="accepted")
    return max(rows, key=lambda row: (row.collected_at, row.id), default=None)


def tests_of(state: LabState, order: LabOrder) -> list[LabTest]:
    return [state.lab_tests.get(identity) for identity in order.test_ids]


def missing_analytes(state: LabState, order: LabOrder) -> list[str]:
    """Ids of what still has to be measured."""
    known = {row.analyte_id for row in state.results.find(lab_order_id=order.id)}
    wanted = dict.fromkeys(identity for test in tests_of(state, order) for identity in test.analyte_ids)
    return [identity for identity in wanted if identity not in known]


def missing_specimens(state: LabState, order: LabOrder) -> list[str]:
    """Types of specimens that still have to be taken."""
    kinds = dict.fromkeys(test.specimen for test in tests_of(state, order))
    return [kind for kind in kinds if open_specimen(state, order, kind) is None]


def progress_of(state: LabState, order: LabOrder) -> str:
    """Where an order is: its status, or what an order under way waits for."""
    if order.status != "ordered":
        return order.status
    if missing_specimens(state, order):
        return "to_collect"
    return "to_measure" if missing_analytes(state, order) else "to_verify"


def untold(state: LabState, order: LabOrder) -> list[Result]:
    """Critical results of an order that nobody was told of."""
    patient = state.patients.get(order.patient_id)
    rows = state.results.find(lab_order_id=order.id, told_at=None)
    return [
        row for row in rows if flag_of(state.analytes.get(row.analyte_id), patient, row.value).startswith("critical")
    ]


def check_open(patient: Patient) -> Patient:
    """The patient, whose results the desk may see; 403 `restricted_record` otherwise."""
    if patient.restricted:
        raise forbidden(
            f"The results of {patient.name} are restricted; ask the head of the laboratory.", type="restricted_record"
        )
    return patient


def live_order(state: LabState, order_id: str) -> LabOrder:
    """An order that is under way; 409 `order_not_open` otherwise."""
    order = state.lab_orders.get(order_id)
    if order.status != "ordered":
        raise conflict(f"{order.number} is {order.status}; it has to be an order under way.", type="order_not_open")
    return order


def order_shown(state: LabState, order: LabOrder) -> Json:
    """An order with names, price and progress."""
    patient = state.patients.get(order.patient_id)
    return with_fields(
        order,
        patient_name=patient.name,
        tests=[brief(test, "id", "code", "name", "specimen") for test in tests_of(state, order)],
        price=price_of(state, order),
        progress=progress_of(state, order),
    )


def result_shown(state: LabState, result: Result) -> Json:
    """A result with its range, its flag and the patient."""
    order = state.lab_orders.get(result.lab_order_id)
    patient, analyte = state.patients.get(order.patient_id), state.analytes.get(result.analyte_id)
    male = patient.sex == "male" and analyte.high_male is not None
    return with_fields(
        result,
        order_number=order.number,
        patient_name=patient.name,
        analyte=analyte.name,
        unit=analyte.unit,
        low=analyte.low,
        high=analyte.high_male if male else analyte.high,
        flag=flag_of(analyte, patient, result.value),
        verified=order.status == "verified",
        amended=state.amendments.first(result_id=result.id) is not None,
    )


def consents_of(state: LabState, ctx: CallContext, patient_id: str) -> list[Json]:
    """Who may get reports of a patient, and whether that still holds."""
    return [
        with_fields(row, active=not row.withdrawn and row.valid_until >= ctx.today)
        for row in state.consents.find(patient_id=patient_id)
    ]
