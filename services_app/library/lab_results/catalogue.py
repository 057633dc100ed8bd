"""Tools for what the laboratory offers, where, to whom, and by which procedures."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.lab_results.figures import consents_of, order_shown
from services_app.library.lab_results.state import LabState, PolicyStatus, SpecimenType, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_date,
    cursor_page,
    guide_pages,
    keep,
    search,
    with_fields,
)

PatientId = Annotated[str, f.ref("patients")]
TestId = Annotated[str, f.ref("lab_tests")]
Place = Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=80)]


@service.tool()
def search_test_catalog(
    state: LabState,
    ctx: CallContext,
    query: Query | None = None,
    specimen: SpecimenType | None = None,
    max_price: Annotated[float, f.Semantic("money"), Field(ge=0, le=10_000)] | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find tests by name, code, what they measure or guidance, with specimen, price and hours to the result.

    Args:
        query: Words that must all occur.
        specimen: Only tests of this kind of specimen.
        max_price: Only tests that cost no more, in pounds.
        limit: At most so many tests.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: f"{row.name} {row.code}" for row in state.analytes}
    found = search(
        state.lab_tests, query, lambda row: (row.name, row.code, row.guidance, *(names[one] for one in row.analyte_ids))
    )
    found = [row for row in keep(found, specimen=specimen) if max_price is None or row.price <= max_price]
    found.sort(key=lambda row: row.name)
    page = cursor_page("tests", found, limit, cursor)
    page["tests"] = [
        brief(row, "id", "code", "name", "specimen", "price", "fasting", "turnaround") for row in page["tests"]
    ]
    return page


@service.tool()
def get_test(state: LabState, ctx: CallContext, test_id: TestId) -> Json:
    """Show a test with the analytes it measures, their ranges, how long a specimen keeps and when it may be repeated.

    Errors: `not_found`.

    Args:
        test_id: Id of the test.
    """
    test = state.lab_tests.get(test_id)
    return with_fields(test, analytes=[state.analytes.get(identity) for identity in test.analyte_ids])


@service.tool()
def list_collection_sites(
    state: LabState, ctx: CallContext, city: Place | None = None, date: f.Date | None = None
) -> Json:
    """List where specimens are taken, with opening hours, and how many bookings there are on a day.

    Errors: `invalid_date`.

    Args:
        city: Only sites in this city.
        date: Day whose bookings are counted; today when left out.
    """
    day = check_date(date or ctx.today)
    rows = []
    for site in keep(state.sites, city=city):
        booked = [row.starts_at for row in state.collection_bookings.find(site_id=site.id) if row.starts_at[:10] == day]
        full = sorted({start[11:16] for start in booked if booked.count(start) >= site.chairs})
        rows.append(with_fields(site, date=day, bookings=len(booked), full_times=full))
    return {"sites": rows}


@service.tool()
def search_patients(
    state: LabState,
    ctx: CallContext,
    query: Query | None = None,
    employer: Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=120)] | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find patients by words of name, email, phone or record number, by name.

    Args:
        query: Words that must all occur.
        employer: Only people of this company.
        limit: At most so many patients.
        cursor: next_cursor of the previous page.
    """
    found = search(state.patients, query, lambda row: (row.name, row.email, row.phone, row.record_number))
    found = sorted(keep(found, employer=employer), key=lambda row: (row.name, row.id))
    page = cursor_page("patients", found, limit, cursor)
    page["patients"] = [with_fields(row, orders=state.lab_orders.count(patient_id=row.id)) for row in page["patients"]]
    return page


@service.tool()
def get_patient(state: LabState, ctx: CallContext, patient_id: PatientId) -> Json:
    """Show a patient with consents and laboratory orders, the latest first; results are not shown here.

    Errors: `not_found`.

    Args:
        patient_id: Id of the patient.
    """
    patient = state.patients.get(patient_id)
    orders = sorted(state.lab_orders.find(patient_id=patient_id), key=lambda row: (row.ordered_at, row.id))
    return with_fields(
        patient,
        consents=consents_of(state, ctx, patient_id),
        orders=[order_shown(state, row) for row in reversed(orders)],
    )


@service.tool()
def search_procedures(
    state: LabState,
    ctx: CallContext,
    query: Query | None = None,
    status: PolicyStatus = "current",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """Find written procedures of the laboratory with their full text, the latest first.

    Args:
        query: Words that must all occur in title or text.
        status: Procedures that hold now, or those that were replaced.
        limit: At most so many procedures.
        cursor: next_cursor of the previous page.
    """
    found = guide_pages(state.procedures, query, status=status)
    return cursor_page("procedures", found, limit, cursor)
