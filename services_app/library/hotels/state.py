"""What the booking site for hotels holds. Rates of a night, free rooms, fees and scores follow from the records."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Amenity = Annotated[
    Literal["wifi", "breakfast", "parking", "gym", "meeting_room", "ev_charging", "restaurant", "late_check_in"], LABEL
]
BedType = Annotated[Literal["single", "double", "twin", "suite"], LABEL]
LateFee = Annotated[Literal["first_night", "full_stay"], LABEL]
BookingStatus = Annotated[Literal["confirmed", "cancelled", "no_show"], LABEL]
Sender = Annotated[Literal["guest", "property"], LABEL]


class Property(Record):
    about: ClassVar[About] = About("property", "properties", prefix="PRO-", key="name")

    name: f.Organisation
    chain: f.Organisation
    city: f.Place
    country: f.Place
    address: f.Place
    stars: Annotated[int, f.count("stars")]
    amenities: tuple[Amenity, ...]
    check_in_from: f.Time
    check_out_until: f.Time
    description: f.Text
    house_rules: f.Text


class RoomType(Record):
    about: ClassVar[About] = About("room type", "room types", prefix="ROOM-", key="name")

    property_id: Annotated[str, f.ref("properties")]
    name: f.Title
    beds: BedType
    sleeps: Annotated[int, f.count("guests")]
    rooms: Annotated[int, f.count("rooms")]
    """Rooms of this type that can be booked here, taken or free."""
    base_rate: f.Money


class RatePlan(Record):
    about: ClassVar[About] = About("rate plan", "rate plans", prefix="RATE-", key="name")

    property_id: Annotated[str, f.ref("properties")]
    name: f.Title
    adjustment: f.Percent
    """What is added to the rate of the night; negative for discounts."""
    breakfast: bool
    min_nights: Annotated[int, f.count("nights")]
    refundable: bool
    free_until_days: Annotated[int, f.duration("days")]
    """Days before the first night up to which cancelling is free."""
    late_fee: LateFee


class Season(Record):
    """Nights on which a property is dearer or cheaper."""

    about: ClassVar[About] = About("season", "seasons", prefix="SEA-", key="")

    property_id: Annotated[str, f.ref("properties")]
    name: f.Title
    first_night: f.Date
    last_night: f.Date
    adjustment: f.Percent


class Guest(Record):
    about: ClassVar[About] = About("guest", "guests", prefix="GST-", width=3, key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    preferences: f.Text


class Booking(Record):
    about: ClassVar[About] = About("booking", "bookings", prefix="BKG-", key="confirmation_number")

    confirmation_number: f.Code
    guest_id: Annotated[str, f.ref("guests")]
    property_id: Annotated[str, f.ref("properties")]
    room_type_id: Annotated[str, f.ref("room_types")]
    rate_plan_id: Annotated[str, f.ref("rate_plans")]
    check_in: f.Date
    check_out: f.Date
    rooms: Annotated[int, f.count("rooms")]
    guests: Annotated[int, f.count("guests")]
    status: BookingStatus
    price: f.Money
    """Agreed for the whole stay, when it was booked or changed."""
    fee: f.Money = 0.0
    """Charged after a cancellation or when nobody came."""
    reference: f.Code = ""
    """Order number of the project that pays."""
    arrival_time: f.Time | None = None
    special_request: f.Text = ""
    booked_at: f.SystemTime


class Message(Record):
    about: ClassVar[About] = About("message", "messages", prefix="MSG-", key="", carrier="note")

    booking_id: Annotated[str, f.ref("bookings")]
    sender: Sender
    text: f.Text
    sent_at: f.SystemTime


class Review(Record):
    about: ClassVar[About] = About("review", "reviews", prefix="REV-", key="", carrier="note")

    property_id: Annotated[str, f.ref("properties")]
    booking_id: Annotated[str, f.ref("bookings")] | None
    """Null for reviews of travelers who are not on this account."""
    author: f.Person
    score: Annotated[int, f.count("points")]
    title: f.Title
    text: f.Text
    posted_on: f.Date


class SavedList(Record):
    about: ClassVar[About] = About("saved list", "saved lists", prefix="LST-", width=3, key="name")

    name: f.Title
    property_ids: Annotated[tuple[str, ...], f.ref("properties")] = ()


class TravelCredit(Record):
    """Money of the site that pays for a booking; used whole or not at all."""

    about: ClassVar[About] = About("travel credit", "travel credits", prefix="CRD-", width=3, key="code")

    code: f.Code
    amount: f.Money
    valid_until: f.Date
    reason: f.Text
    booking_id: Annotated[str, f.ref("bookings")] | None = None


class HotelsState(State):
    properties: Table[Property]
    room_types: Table[RoomType]
    rate_plans: Table[RatePlan]
    seasons: Table[Season]
    guests: Table[Guest]
    bookings: Table[Booking]
    messages: Table[Message]
    reviews: Table[Review]
    saved_lists: Table[SavedList]
    travel_credits: Table[TravelCredit]


service = Service(
    "hotels",
    title="Hotels",
    domain="travel and places",
    description="Hotel booking: rates by night and plan, free rooms, cancellation terms, messages, reviews and credit.",
    state=HotelsState,
    files=sources(__file__),
)
