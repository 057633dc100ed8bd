"""What the travel booking system holds. Costs, free seats and missing approvals follow from the bookings."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Cabin = Annotated[Literal["economy", "business"], LABEL]
FlightStatus = Annotated[Literal["scheduled", "delayed", "cancelled"], LABEL]
TripStatus = Annotated[Literal["open", "rejected", "cancelled"], LABEL]
FlightBookingStatus = Annotated[Literal["held", "ticketed", "checked_in", "cancelled"], LABEL]
HotelBookingStatus = Annotated[Literal["confirmed", "cancelled"], LABEL]
ApproverRole = Annotated[Literal["manager", "finance"], LABEL]
PolicyStatus = Annotated[Literal["current", "superseded"], LABEL]


class Traveler(Record):
    about: ClassVar[About] = About("traveler", "travelers", prefix="TRV-", width=3, key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    employee_number: f.Code
    cost_center: f.Code
    manager_email: f.Email | None
    home_airport: f.Code
    passport_expires_on: f.Date


class Airport(Record):
    about: ClassVar[About] = About("airport", "airports", prefix="APT-", width=2, key="code")

    code: f.Code
    city: f.Place
    country: f.Place


class Flight(Record):
    about: ClassVar[About] = About("flight", "flights", prefix="FLT-", key="number")

    number: f.Code
    airline: f.Organisation
    origin: f.Code
    destination: f.Code
    route: f.Code
    """Origin and destination, such as LHR-OPO."""
    departs_at: f.Timestamp
    arrives_at: f.Timestamp
    status: FlightStatus
    economy_fare: f.Money
    business_fare: f.Money
    economy_seats: Annotated[int, f.count("seats")]
    """Seats that we may book, taken or free."""
    business_seats: Annotated[int, f.count("seats")]


class Trip(Record):
    about: ClassVar[About] = About("trip", "trips", prefix="TRIP-", key="purpose")

    traveler_id: Annotated[str, f.ref("travelers")]
    purpose: f.Title
    destination_city: f.Place
    starts_on: f.Date
    ends_on: f.Date
    project_code: f.Code = ""
    """Order number that pays for it."""
    status: TripStatus
    rejection_reason: f.Text = ""


class Approval(Record):
    """Agreement to a trip at what it cost at that time."""

    about: ClassVar[About] = About("trip approval", "trip approvals", prefix="APR-", key="")

    trip_id: Annotated[str, f.ref("trips")]
    approver_email: f.Email
    role: ApproverRole
    amount: f.Money
    given_at: f.SystemTime


class FlightBooking(Record):
    about: ClassVar[About] = About("flight booking", "flight bookings", prefix="FB-", key="locator")

    locator: f.Code
    trip_id: Annotated[str, f.ref("trips")]
    flight_id: Annotated[str, f.ref("flights")]
    route: f.Code
    """What was sold: the flight can be changed, the route cannot."""
    cabin: Cabin
    price: f.Money
    """What it costs now; after a cancellation, what is not refunded."""
    status: FlightBookingStatus
    seat: f.Code = ""
    justification: f.Text = ""


class Hotel(Record):
    about: ClassVar[About] = About("hotel", "hotels", prefix="HTL-", width=3, key="name")

    name: f.Organisation
    city: f.Place
    address: f.Place
    nightly_rate: f.Money
    rooms: Annotated[int, f.count("rooms")]
    notes: f.Text


class HotelBooking(Record):
    about: ClassVar[About] = About("hotel booking", "hotel bookings", prefix="HB-", key="")

    trip_id: Annotated[str, f.ref("trips")]
    hotel_id: Annotated[str, f.ref("hotels")]
    check_in: f.Date
    check_out: f.Date
    nightly_rate: f.Money
    status: HotelBookingStatus
    fee: f.Money = 0.0
    """What is charged after a late cancellation."""
    justification: f.Text = ""


class TripNote(Record):
    about: ClassVar[About] = About("trip note", "trip notes", prefix="TN-", key="", carrier="note")

    trip_id: Annotated[str, f.ref("trips")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Policy(Record):
    about: ClassVar[About] = About("travel policy", "travel policies", prefix="TP-", key="title", carrier="document")

    title: f.Title
    status: PolicyStatus
    body: f.Text
    valid_from: f.Date


class TravelState(State):
    travelers: Table[Traveler]
    airports: Table[Airport]
    flights: Table[Flight]
    trips: Table[Trip]
    approvals: Table[Approval]
    flight_bookings: Table[FlightBooking]
    hotels: Table[Hotel]
    hotel_bookings: Table[HotelBooking]
    trip_notes: Table[TripNote]
    policies: Table[Policy]


service = Service(
    "travel",
    title="Travel",
    domain="travel and places",
    description="Business trips: flights and hotels within policy, holds, approvals by cost, seats and check-in.",
    state=TravelState,
    files=sources(__file__),
)
