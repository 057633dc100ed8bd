"""What the catalogue of a shop holds. Present prices, margins and automatic collections are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

ProductStatus = Annotated[Literal["draft", "active", "archived"], LABEL]
ProductType = Annotated[Literal["hardware", "subscription", "service", "accessory"], LABEL]
RuleField = Annotated[Literal["tag", "vendor", "product_type", "price_below"], LABEL]
ReviewStatus = Annotated[Literal["pending", "published", "rejected"], LABEL]
Currency = Annotated[Literal["EUR", "GBP", "USD"], LABEL]
Rating = Annotated[int, f.count("stars")]


class Product(Record):
    about: ClassVar[About] = About("product", "products", prefix="PRD-", key="title")

    title: f.Product
    handle: f.Code
    """Last part of its address in the shop."""
    product_type: ProductType
    vendor: f.Organisation
    description: f.Text
    tags: tuple[f.Label, ...] = ()
    status: ProductStatus
    published_on: f.Date | None = None
    created_at: f.SystemTime


class Variant(Record):
    about: ClassVar[About] = About("variant", "variants", prefix="VAR-", key="sku")

    product_id: Annotated[str, f.ref("products")]
    sku: f.Code
    option: f.Label
    """What tells it from its siblings: "EU plug", "yearly"."""
    barcode: f.Code = ""
    weight_grams: Annotated[int, f.count("grams")]
    opening_price: f.Money
    """Price before the first price change."""
    compare_at_price: f.Money | None = None
    unit_cost: f.Money


class PriceChange(Record):
    about: ClassVar[About] = About("price change", "price changes", prefix="PCH-", key="")

    variant_id: Annotated[str, f.ref("variants")]
    price: f.Money
    effective_on: f.Date
    reason: f.Text
    author_email: f.Email
    cancelled: bool = False


class PriceList(Record):
    about: ClassVar[About] = About("price list", "price lists", prefix="PRL-", key="name")

    name: f.Title
    currency: Currency
    discount_percent: f.Percent
    """Off the shop price, where no fixed price is set."""
    volume_from: Annotated[int, f.count("units")]
    volume_percent: f.Percent
    """Further discount from volume_from units on."""
    valid_until: f.Date | None = None


class FixedPrice(Record):
    about: ClassVar[About] = About("fixed price", "fixed prices", prefix="FXP-", key="")

    price_list_id: Annotated[str, f.ref("price_lists")]
    variant_id: Annotated[str, f.ref("variants")]
    price: f.Money


class Collection(Record):
    about: ClassVar[About] = About("collection", "collections", prefix="COL-", key="title")

    title: f.Title
    description: f.Text = ""
    rule_field: RuleField | None = None
    """Set for automatic collections; manual ones list their products."""
    rule_value: f.Label = ""


class Placement(Record):
    """A product in a manual collection."""

    about: ClassVar[About] = About("collection entry", "collection entries", prefix="PLC-", key="")

    collection_id: Annotated[str, f.ref("collections")]
    product_id: Annotated[str, f.ref("products")]
    position: Annotated[int, f.count("positions")]


class Image(Record):
    about: ClassVar[About] = About("product image", "product images", prefix="IMG-", key="alt_text")

    product_id: Annotated[str, f.ref("products")]
    url: f.Url
    alt_text: f.Title


class Specification(Record):
    about: ClassVar[About] = About("specification", "specifications", prefix="SPC-", key="name", carrier="note")

    product_id: Annotated[str, f.ref("products")]
    name: f.Label
    value: f.Text


class Review(Record):
    about: ClassVar[About] = About("product review", "product reviews", prefix="REV-", key="headline", carrier="note")

    product_id: Annotated[str, f.ref("products")]
    reviewer_name: f.Person
    reviewer_email: f.Email
    company: f.Organisation
    rating: Rating
    headline: f.Title
    body: f.Text
    reply: f.Text = ""
    status: ReviewStatus
    written_at: f.SystemTime


class Guideline(Record):
    about: ClassVar[About] = About("shop guideline", "shop guidelines", prefix="GDL-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class ShopCatalogState(State):
    products: Table[Product]
    variants: Table[Variant]
    price_changes: Table[PriceChange]
    price_lists: Table[PriceList]
    fixed_prices: Table[FixedPrice]
    collections: Table[Collection]
    placements: Table[Placement]
    images: Table[Image]
    specifications: Table[Specification]
    reviews: Table[Review]
    guidelines: Table[Guideline]


service = Service(
    "shop-catalog",
    title="Shop catalogue",
    domain="commerce",
    description="Products of the web shop with variants, prices, price lists, collections, images and reviews.",
    state=ShopCatalogState,
    files=sources(__file__, "goods.py"),
)
