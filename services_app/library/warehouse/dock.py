"""Tools for the four dock doors: appointments that never overlap, and trucks that check in."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_future,
    cursor_page,
    keep,
    plus_minutes,
    search,
    with_fields,
    within,
)
from services_app.library.warehouse.state import (
    Appointment,
    AppointmentStatus,
    Direction,
    Door,
    WarehouseState,
    service,
)

AppointmentId = Annotated[str, f.ref("appointments")]
Slot = Annotated[int, f.duration("minutes"), Field(ge=15, le=240)]
OPENS, CLOSES = "06:00", "20:00"


def _described(row: Appointment) -> Json:
    return with_fields(row, ends_at=plus_minutes(row.starts_at, row.minutes))


@service.tool()
def list_dock_appointments(  # noqa: PLR0913, PLR0917 - one per filter
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    door: Door | None = None,
    direction: Direction | None = None,
    status: AppointmentStatus | None = None,
    date_from: f.Date | None = None,
    date_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List appointments of trucks at the dock doors in the order of time.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the reference or carrier name.
        door: Only this door.
        direction: Only trucks that bring, or only trucks that fetch goods.
        status: Only appointments in this status.
        date_from: Only appointments on this day or later.
        date_to: Only appointments on this day or earlier.
        limit: At most so many appointments.
        cursor: next_cursor of the previous page.
    """
    found = search(state.appointments, query, lambda row: (row.reference, row.carrier_name))
    found = within(keep(found, door=door, direction=direction, status=status), "starts_at", date_from, date_to)
    found.sort(key=lambda row: (row.starts_at, row.door, row.id))
    return cursor_page("appointments", [_described(row) for row in found], limit, cursor)


@service.tool(phrase="book the door {door} at {starts_at} for {carrier_name} ({reference})")
def book_dock_appointment(
    state: WarehouseState,
    ctx: CallContext,
    door: Door,
    starts_at: f.Timestamp,
    carrier_name: Annotated[f.Organisation, Field(min_length=2, max_length=120)],
    reference: Annotated[f.Code, Field(min_length=2, max_length=40)],
    minutes: Slot = 60,
) -> Json:
    """Book a door for a truck; the number of an inbound shipment as reference makes it a delivery, else a pickup.

    Errors: `invalid_time`, `in_the_past`, `outside_hours` (06:00 to 20:00), `door_taken`, `booked_already` (the
    inbound shipment has an appointment), `inbound_closed`.

    Args:
        door: Which door.
        starts_at: When the truck comes, UTC.
        carrier_name: Who drives.
        reference: ASN number of the inbound shipment, or the registration of the truck.
        minutes: How long the door is needed.
    """
    start = _slot(state, ctx, door, starts_at, minutes, None)
    shipment = state.inbounds.first(number=reference.strip())
    if shipment is not None and shipment.status == "closed":
        raise conflict(f"{shipment.number} is closed; nothing comes any more.", type="inbound_closed")
    if shipment is not None:
        old = state.appointments.where(lambda row: row.inbound_id == shipment.id and row.status != "cancelled")
        if old:
            raise conflict(f"{shipment.number} has the appointment {old[0].id}; reschedule it.", type="booked_already")
    return _described(
        state.appointments.create(
            reference=reference,
            direction="outbound" if shipment is None else "inbound",
            door=door,
            carrier_name=carrier_name,
            starts_at=start,
            minutes=minutes,
            inbound_id=None if shipment is None else shipment.id,
        )
    )


def _slot(state: WarehouseState, ctx: CallContext, door: str, starts_at: str, minutes: int, but: str | None) -> str:
    """The start of a free slot at a door; an error that says what is wrong with it otherwise."""
    start = check_future(ctx, starts_at, "appointment")
    end = plus_minutes(start, minutes)
    if start[11:16] < OPENS or end[11:16] > CLOSES or end[:10] != start[:10]:
        raise invalid(f"The doors are open from {OPENS} to {CLOSES}; choose another time.", type="outside_hours")
    for row in state.appointments.find(door=door):
        meets = row.starts_at < end and plus_minutes(row.starts_at, row.minutes) > start
        if meets and row.id != but and row.status != "cancelled":
            raise conflict(
                f"{row.carrier_name} has {door} from {row.starts_at} for {row.minutes} minutes; choose another.",
                type="door_taken",
            )
    return start


@service.tool(phrase="move the dock appointment {appointment_id} to {starts_at}")
def reschedule_dock_appointment(
    state: WarehouseState,
    ctx: CallContext,
    appointment_id: AppointmentId,
    starts_at: f.Timestamp,
    door: Door | None = None,
) -> Json:
    """Move a booked appointment to another time or door; it stays as long as it was.

    Errors: `not_found`, `not_booked`, `invalid_time`, `in_the_past`, `outside_hours`, `door_taken`.

    Args:
        appointment_id: Id of the appointment.
        starts_at: New start, UTC.
        door: New door; the same one, if left out.
    """
    row = _booked(state, appointment_id)
    new = door or row.door
    start = _slot(state, ctx, new, starts_at, row.minutes, row.id)
    return _described(state.appointments.patch(appointment_id, starts_at=start, door=new))


def _booked(state: WarehouseState, appointment_id: str) -> Appointment:
    row = state.appointments.get(appointment_id)
    if row.status != "booked":
        raise conflict(f"The appointment of {row.reference} is {row.status}, not booked.", type="not_booked")
    return row


@service.tool(phrase="cancel the dock appointment {appointment_id}")
def cancel_dock_appointment(state: WarehouseState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Cancel a booked appointment; its door is free again.

    Errors: `not_found`, `not_booked`.

    Args:
        appointment_id: Id of the appointment.
    """
    _booked(state, appointment_id)
    return _described(state.appointments.patch(appointment_id, status="cancelled"))


@service.tool(phrase="check in the truck of the dock appointment {appointment_id}")
def check_in_truck(state: WarehouseState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Note that a truck stands at its door; an inbound shipment has arrived with it and can be received.

    Errors: `not_found`, `not_booked`, `wrong_day` (the appointment is on another day; reschedule it).

    Args:
        appointment_id: Id of the appointment.
    """
    row = _booked(state, appointment_id)
    if row.starts_at[:10] != ctx.today:
        raise conflict(
            f"The appointment is on {row.starts_at[:10]}; use reschedule_dock_appointment.", type="wrong_day"
        )
    if row.inbound_id is not None:
        state.inbounds.patch(row.inbound_id, status="arrived")
    return _described(state.appointments.patch(appointment_id, status="checked_in", checked_in_at=ctx.now))
