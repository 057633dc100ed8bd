"""What a property portal holds for someone who looks for a home."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Kind = Annotated[Literal["house", "flat", "studio", "plot"], LABEL]
Tenure = Annotated[Literal["sale", "rent"], LABEL]
ListingStatus = Annotated[Literal["active", "under_offer", "sold", "withdrawn"], LABEL]
Currency = Annotated[Literal["GBP", "EUR"], LABEL]
Energy = Annotated[Literal["A", "B", "C", "D", "E", "F", "G"], LABEL]
ViewingStatus = Annotated[Literal["confirmed", "done", "cancelled"], LABEL]
OfferStatus = Annotated[Literal["submitted", "countered", "accepted", "rejected", "withdrawn"], LABEL]
DocumentAccess = Annotated[Literal["open", "after_viewing"], LABEL]


class Agent(Record):
    about: ClassVar[About] = About("estate agent", "estate agents", prefix="AGT-", width=2, key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    agency: f.Organisation
    city: f.Place
    notice_hours: Annotated[int, f.duration("hours")]
    """Viewings are booked at least so long before."""


class Listing(Record):
    about: ClassVar[About] = About("property listing", "property listings", prefix="LST-", key="reference")

    reference: f.Code
    title: f.Title
    kind: Kind
    tenure: Tenure
    address: f.Place
    city: f.Place
    bedrooms: Annotated[int, f.count("bedrooms")]
    area_m2: Annotated[int, f.count("square metres")]
    price: f.Money
    """Asking price, or rent of a month."""
    currency: Currency
    service_charge: f.Money = 0.0
    """Paid each month for the building."""
    energy_rating: Energy
    status: ListingStatus
    agent_id: Annotated[str, f.ref("agents")]
    description: f.Text
    listed_on: f.Date
    sold_on: f.Date | None = None
    sold_price: f.Money | None = None


class PriceChange(Record):
    about: ClassVar[About] = About("price change", "price changes", prefix="PC-", key="")

    listing_id: Annotated[str, f.ref("listings")]
    old_price: f.Money
    new_price: f.Money
    changed_on: f.Date


class Document(Record):
    about: ClassVar[About] = About(
        "property document", "property documents", prefix="DOC-", key="title", carrier="document"
    )

    listing_id: Annotated[str, f.ref("listings")]
    title: f.Title
    body: f.Text
    access: DocumentAccess
    dated: f.Date


class Favorite(Record):
    about: ClassVar[About] = About("favorite home", "favorite homes", prefix="FAV-", key="", carrier="note")

    listing_id: Annotated[str, f.ref("listings")]
    note: f.Text = ""
    saved_on: f.Date


class SavedSearch(Record):
    about: ClassVar[About] = About("saved search", "saved searches", prefix="SRCH-", width=2, key="name")

    name: f.Title
    tenure: Tenure
    city: f.Place | None = None
    kind: Kind | None = None
    max_price: f.Money | None = None
    min_bedrooms: Annotated[int | None, f.count("bedrooms")] = None
    created_on: f.Date


class Slot(Record):
    about: ClassVar[About] = About("viewing slot", "viewing slots", prefix="SLOT-", key="")

    listing_id: Annotated[str, f.ref("listings")]
    start: f.Timestamp
    minutes: Annotated[int, f.duration("minutes")]
    taken_by_others: bool = False


class Viewing(Record):
    about: ClassVar[About] = About("viewing", "viewings", prefix="VIEW-", key="", carrier="note")

    slot_id: Annotated[str, f.ref("slots")]
    listing_id: Annotated[str, f.ref("listings")]
    status: ViewingStatus
    questions: f.Text = ""
    """What the agent should be ready to answer."""
    feedback: f.Text = ""
    booked_at: f.SystemTime


class Preapproval(Record):
    about: ClassVar[About] = About(
        "mortgage pre-approval", "mortgage pre-approvals", prefix="PRE-", width=2, key="lender"
    )

    lender: f.Organisation
    reference: f.Code
    max_loan: f.Money
    currency: Currency
    yearly_rate: f.Percent
    years: Annotated[int, f.duration("years")]
    expires_on: f.Date
    conditions: f.Text


class Offer(Record):
    about: ClassVar[About] = About("offer", "offers", prefix="OFR-", key="", carrier="note")

    listing_id: Annotated[str, f.ref("listings")]
    preapproval_id: Annotated[str, f.ref("preapprovals")]
    amount: f.Money
    deposit: f.Money
    conditions: f.Text = ""
    status: OfferStatus
    counter_amount: f.Money | None = None
    reply: f.Text = ""
    """What the seller answered."""
    valid_until: f.Date
    submitted_at: f.SystemTime


class Message(Record):
    about: ClassVar[About] = About("message with an agent", "messages with agents", prefix="MSG-", key="",
                                   carrier="note")  # fmt: skip

    listing_id: Annotated[str, f.ref("listings")]
    author_name: f.Person
    author_email: f.Email
    text: f.Text
    sent_at: f.SystemTime


class RealEstateState(State):
    agents: Table[Agent]
    listings: Table[Listing]
    price_changes: Table[PriceChange]
    documents: Table[Document]
    favorites: Table[Favorite]
    saved_searches: Table[SavedSearch]
    slots: Table[Slot]
    viewings: Table[Viewing]
    preapprovals: Table[Preapproval]
    offers: Table[Offer]
    messages: Table[Message]


service = Service(
    "real-estate",
    title="Real estate",
    domain="home and leisure",
    description="Homes for sale and for rent with documents, viewings, mortgage pre-approvals and offers.",
    state=RealEstateState,
    files=sources(__file__),
)
