"""What the restaurant booking service holds. Free tables, fees, totals and ratings follow from the records.

All times are UTC, opening hours as well.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Cuisine = Annotated[
    Literal["italian", "french", "japanese", "indian", "seafood", "steakhouse", "vegetarian", "local"], LABEL
]
Diet = Annotated[Literal["vegetarian", "vegan", "gluten_free", "halal", "nut_free"], LABEL]
Area = Annotated[Literal["main", "terrace", "bar", "private"], LABEL]
Course = Annotated[Literal["starter", "main", "dessert", "drink"], LABEL]
Weekday = Annotated[
    Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], f.Semantic("label")
]
Occasion = Annotated[Literal["none", "business", "birthday", "team", "farewell"], LABEL]
ReservationStatus = Annotated[Literal["booked", "cancelled", "no_show"], LABEL]
Answer = Annotated[Literal["invited", "accepted", "declined"], LABEL]
WaitlistStatus = Annotated[Literal["waiting", "booked", "left"], LABEL]
Sender = Annotated[Literal["guest", "restaurant"], LABEL]
Heads = Annotated[int, f.count("guests")]
Minutes = Annotated[int, f.duration("minutes")]


class Restaurant(Record):
    about: ClassVar[About] = About("restaurant", "restaurants", prefix="RST-", width=3, key="name")

    name: f.Organisation
    cuisine: Cuisine
    price_level: Annotated[int, f.Semantic("count")]
    city: f.Place
    address: f.Place
    phone: f.Phone
    opens: f.Time
    closes: f.Time
    closed_on: tuple[Weekday, ...]
    sitting: Minutes
    """How long a table is kept."""
    large_party: Heads
    """Parties of so many and more pay a deposit."""
    deposit: f.Money
    """Per guest of a large party."""
    cancel_hours: Annotated[int, f.duration("hours")]
    late_fee: f.Money
    """Per guest when a reservation is cancelled later than that."""
    private_minimum: f.Money
    """What has to be spent in the private room."""
    description: f.Text
    policy: f.Text


class DiningTable(Record):
    about: ClassVar[About] = About("table", "tables", prefix="TBL-", key="")

    restaurant_id: Annotated[str, f.ref("restaurants")]
    name: f.Label
    area: Area
    seats: Heads


class Closure(Record):
    about: ClassVar[About] = About("closure", "closures", prefix="CLO-", width=3, key="")

    restaurant_id: Annotated[str, f.ref("restaurants")]
    date: f.Date
    reason: f.Text


class MenuItem(Record):
    about: ClassVar[About] = About("menu item", "menu items", prefix="DISH-", key="name")

    restaurant_id: Annotated[str, f.ref("restaurants")]
    name: f.Title
    course: Course
    price: f.Money
    diets: tuple[Diet, ...]
    """For whom it is suitable."""
    available: bool
    description: f.Text


class Diner(Record):
    about: ClassVar[About] = About("diner", "diners", prefix="DIN-", width=3, key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    diets: tuple[Diet, ...]


class Reservation(Record):
    about: ClassVar[About] = About("reservation", "reservations", prefix="RES-", key="code")

    code: f.Code
    restaurant_id: Annotated[str, f.ref("restaurants")]
    table_id: Annotated[str, f.ref("tables")]
    diner_id: Annotated[str, f.ref("diners")]
    starts_at: f.Timestamp
    party_size: Heads
    status: ReservationStatus
    occasion: Occasion
    special_request: f.Text = ""
    reference: f.Code = ""
    """Order number of the project that pays."""
    deposit: f.Money = 0.0
    """Paid for a large party."""
    fee: f.Money = 0.0
    """Charged after a late cancellation or when nobody came."""
    booked_at: f.SystemTime


class Invitation(Record):
    about: ClassVar[About] = About("invitation", "invitations", prefix="INV-", key="")

    reservation_id: Annotated[str, f.ref("reservations")]
    name: f.Person
    email: f.Email
    diets: tuple[Diet, ...]
    answer: Answer


class PreorderItem(Record):
    about: ClassVar[About] = About("preordered dish", "preordered dishes", prefix="PRE-", key="")

    reservation_id: Annotated[str, f.ref("reservations")]
    menu_item_id: Annotated[str, f.ref("menu_items")]
    quantity: Annotated[int, f.count("portions")]
    unit_price: f.Money
    remark: f.Text = ""


class Message(Record):
    about: ClassVar[About] = About("message", "messages", prefix="MSG-", key="", carrier="note")

    reservation_id: Annotated[str, f.ref("reservations")]
    sender: Sender
    text: f.Text
    sent_at: f.SystemTime


class WaitlistEntry(Record):
    about: ClassVar[About] = About("waitlist entry", "waitlist entries", prefix="WTL-", width=3, key="")

    restaurant_id: Annotated[str, f.ref("restaurants")]
    diner_id: Annotated[str, f.ref("diners")]
    date: f.Date
    from_time: f.Time
    to_time: f.Time
    party_size: Heads
    status: WaitlistStatus
    reservation_id: Annotated[str, f.ref("reservations")] | None = None


class DiningReview(Record):
    about: ClassVar[About] = About("dining review", "dining reviews", prefix="DRV-", key="", carrier="note")

    restaurant_id: Annotated[str, f.ref("restaurants")]
    reservation_id: Annotated[str, f.ref("reservations")] | None
    author: f.Person
    stars: Annotated[int, f.count("stars")]
    title: f.Title
    text: f.Text
    posted_on: f.Date


class Favorite(Record):
    about: ClassVar[About] = About("favorite", "favorites", prefix="FAV-", width=3, key="")

    restaurant_id: Annotated[str, f.ref("restaurants")]
    note: f.Text


class RestaurantsState(State):
    restaurants: Table[Restaurant]
    tables: Table[DiningTable]
    closures: Table[Closure]
    menu_items: Table[MenuItem]
    diners: Table[Diner]
    reservations: Table[Reservation]
    invitations: Table[Invitation]
    preorder_items: Table[PreorderItem]
    messages: Table[Message]
    waitlist_entries: Table[WaitlistEntry]
    dining_reviews: Table[DiningReview]
    favorites: Table[Favorite]


service = Service(
    "restaurants",
    title="Restaurants",
    domain="travel and places",
    description="Table reservations: free times, menus, deposits, guests and diets, preorders, waitlist and reviews.",
    state=RestaurantsState,
    files=sources(__file__),
)
