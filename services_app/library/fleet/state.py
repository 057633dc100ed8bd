"""What a fleet management application holds. Odometers, due dates, consumption and scores are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Kind = Annotated[Literal["car", "van", "lorry"], LABEL]
VehicleStatus = Annotated[Literal["in_service", "out_of_service", "sold"], LABEL]
FuelType = Annotated[Literal["diesel", "petrol"], LABEL]
LicenceClass = Annotated[Literal["B", "C"], LABEL]
Site = Annotated[Literal["London", "Rotterdam", "Lyon"], LABEL]
BookingStatus = Annotated[Literal["booked", "cancelled"], LABEL]
Result = Annotated[Literal["pass", "fail"], LABEL]
Severity = Annotated[Literal["minor", "major", "critical"], LABEL]
IssueStatus = Annotated[Literal["open", "resolved"], LABEL]
WorkStatus = Annotated[Literal["open", "completed", "cancelled"], LABEL]
LineKind = Annotated[Literal["labour", "part"], LABEL]
MeterSource = Annotated[Literal["manual", "fuel", "inspection", "work_order"], LABEL]


class Vehicle(Record):
    about: ClassVar[About] = About("vehicle", "vehicles", prefix="VEH-", key="plate")

    plate: f.Code
    model: f.Title
    kind: Kind
    site: Site
    fuel_type: FuelType
    tank: Annotated[int, f.count("litres")]
    payload: Annotated[int, f.count("kilograms")]
    pool: bool
    """Anybody may book it; the others are assigned to one driver."""
    status: VehicleStatus
    roadworthy_until: f.Date
    """Last day of the official test."""
    insured_with: f.Organisation
    policy_number: f.Code


class Driver(Record):
    about: ClassVar[About] = About("driver", "drivers", prefix="DRV-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    site: Site
    licence_class: LicenceClass
    licence_number: f.Code
    licence_until: f.Date


class Assignment(Record):
    about: ClassVar[About] = About("assignment", "assignments", prefix="ASG-", key="")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    driver_id: Annotated[str, f.ref("drivers")]
    started_on: f.Date
    ended_on: f.Date | None = None


class Booking(Record):
    about: ClassVar[About] = About("vehicle booking", "vehicle bookings", prefix="VBK-", key="number")

    number: f.Code
    vehicle_id: Annotated[str, f.ref("vehicles")]
    driver_id: Annotated[str, f.ref("drivers")]
    starts_on: f.Date
    ends_on: f.Date
    purpose: f.Text
    status: BookingStatus = "booked"


class MeterEntry(Record):
    about: ClassVar[About] = About("odometer reading", "odometer readings", prefix="MTR-", key="")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    odometer: Annotated[int, f.count("kilometres")]
    read_on: f.Date
    source: MeterSource


class FuelEntry(Record):
    about: ClassVar[About] = About("fuel entry", "fuel entries", prefix="FUE-", key="receipt_number")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    driver_id: Annotated[str, f.ref("drivers")]
    filled_on: f.Date
    odometer: Annotated[int, f.count("kilometres")]
    litres: Annotated[float, f.count("litres")]
    cost: f.Money
    station: f.Place
    receipt_number: f.Code


class Inspection(Record):
    about: ClassVar[About] = About("vehicle inspection", "vehicle inspections", prefix="INS-", key="")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    driver_id: Annotated[str, f.ref("drivers")]
    inspected_on: f.Date
    result: Result
    remark: f.Text = ""


class Issue(Record):
    about: ClassVar[About] = About("vehicle issue", "vehicle issues", prefix="VIS-", key="number")

    number: f.Code
    vehicle_id: Annotated[str, f.ref("vehicles")]
    severity: Severity
    summary: f.Title
    status: IssueStatus
    reported_on: f.Date
    resolution: f.Text = ""


class ServicePlan(Record):
    """A service that comes again, by distance and by time, whichever is first."""

    about: ClassVar[About] = About("service reminder", "service reminders", prefix="SPL-", key="task")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    task: f.Title
    every_km: Annotated[int, f.count("kilometres")]
    every_days: Annotated[int, f.duration("days")]
    last_odometer: Annotated[int, f.count("kilometres")]
    last_on: f.Date


class Workshop(Record):
    about: ClassVar[About] = About("workshop", "workshops", prefix="WSH-", key="name")

    name: f.Organisation
    site: Site
    email: f.Email
    hourly_rate: f.Money


class Approver(Record):
    about: ClassVar[About] = About("fleet approver", "fleet approvers", prefix="FAP-", key="email")

    name: f.Person
    email: f.Email
    limit: f.Money


class WorkOrder(Record):
    about: ClassVar[About] = About("work order", "work orders", prefix="WKO-", key="number")

    number: f.Code
    vehicle_id: Annotated[str, f.ref("vehicles")]
    workshop_id: Annotated[str, f.ref("workshops")]
    title: f.Title
    issue_id: Annotated[str | None, f.ref("issues")] = None
    plan_id: Annotated[str | None, f.ref("plans")] = None
    status: WorkStatus
    opened_on: f.Date
    approver_id: Annotated[str | None, f.ref("approvers")] = None
    completed_on: f.Date | None = None


class WorkLine(Record):
    about: ClassVar[About] = About("work order line", "work order lines", prefix="WKL-", key="description")

    work_order_id: Annotated[str, f.ref("work_orders")]
    kind: LineKind
    description: f.Title
    quantity: Annotated[float, f.count("units")]
    """Hours of labour, pieces of parts."""
    unit_cost: f.Money


class Trip(Record):
    about: ClassVar[About] = About("trip", "trips", prefix="TRP-", key="")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    driver_id: Annotated[str, f.ref("drivers")]
    started_at: f.SystemTime
    minutes: Annotated[int, f.duration("minutes")]
    idle_minutes: Annotated[int, f.duration("minutes")]
    distance: Annotated[int, f.count("kilometres")]
    harsh_events: Annotated[int, f.count("events")]
    from_place: f.Place
    to_place: f.Place
    purpose: f.Text


class VehicleNote(Record):
    about: ClassVar[About] = About("vehicle note", "vehicle notes", prefix="VNT-", key="", carrier="note")

    vehicle_id: Annotated[str, f.ref("vehicles")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class FleetPolicy(Record):
    about: ClassVar[About] = About("fleet policy", "fleet policies", prefix="FPO-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class FleetState(State):
    vehicles: Table[Vehicle]
    drivers: Table[Driver]
    assignments: Table[Assignment]
    bookings: Table[Booking]
    meter_entries: Table[MeterEntry]
    fuel_entries: Table[FuelEntry]
    inspections: Table[Inspection]
    issues: Table[Issue]
    plans: Table[ServicePlan]
    workshops: Table[Workshop]
    approvers: Table[Approver]
    work_orders: Table[WorkOrder]
    work_lines: Table[WorkLine]
    trips: Table[Trip]
    notes: Table[VehicleNote]
    policies: Table[FleetPolicy]


service = Service(
    "fleet",
    title="Fleet",
    domain="operations",
    description="Company vehicles: drivers, pool bookings, inspections, issues, maintenance, fuel and trips.",
    state=FleetState,
    files=sources(__file__, "motor_pool.py"),
)
