"""Tools for price lists, collections, reviews and the shop's guidelines."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid, not_found
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)
from services_app.library.shop_catalog.figures import Prices, in_list, keep_margin, margin, members, today
from services_app.library.shop_catalog.products import ProductId
from services_app.library.shop_catalog.state import (
    Collection,
    Guideline,
    Product,
    Review,
    ReviewStatus,
    RuleField,
    ShopCatalogState,
    Variant,
    service,
)
from services_app.library.shop_catalog.variants import VariantId

CollectionId = Annotated[str, f.ref("collections")]
PriceListId = Annotated[str, f.ref("price_lists")]
Stars = Annotated[int, f.count("stars"), Field(ge=1, le=5)]


@service.tool()
def list_price_lists(state: ShopCatalogState, ctx: CallContext, valid_on: f.Date | None = None) -> Json:
    """List the price lists of customer groups, with their discounts and how many fixed prices each has.

    Errors: `invalid_date`.

    Args:
        valid_on: Only price lists that are valid on this day.
    """
    day = check_date(valid_on) if valid_on else None
    found = [row for row in state.price_lists if day is None or row.valid_until is None or row.valid_until >= day]
    rows = [with_fields(row, fixed_prices=state.fixed_prices.count(price_list_id=row.id)) for row in found]
    return {"price_lists": rows, "total": len(rows)}


@service.tool(phrase="fix the price of {variant_id} in the price list {price_list_id} at {price}")
def set_fixed_price(
    state: ShopCatalogState, ctx: CallContext, price_list_id: PriceListId, variant_id: VariantId, price: Amount
) -> Json:
    """Fix the price of a variant in a price list; it then gets no further discount there.

    Errors: `not_found`, `expired` (the price list), `above_shop_price`, `below_margin`.

    Args:
        price_list_id: Id of the price list.
        variant_id: Id of the variant.
        price: Fixed price, at most the shop price.
    """
    price_list, variant = state.price_lists.get(price_list_id), state.variants.get(variant_id)
    if price_list.valid_until is not None and price_list.valid_until < ctx.today:
        raise conflict(f"{price_list.name} ended on {price_list.valid_until}.", type="expired")
    shop = today(state, ctx).of(variant)
    if price > shop:
        raise invalid(f"The shop price is {shop:.2f}; a fixed price cannot be above it.", type="above_shop_price")
    keep_margin(variant, price)
    old = state.fixed_prices.first(price_list_id=price_list_id, variant_id=variant_id)
    if old is None:
        fixed = state.fixed_prices.create(price_list_id=price_list_id, variant_id=variant_id, price=price)
    else:
        fixed = state.fixed_prices.patch(old.id, price=price)
    return with_fields(fixed, sku=variant.sku, margin_percent=margin(price, variant.unit_cost))


@service.tool()
def quote_price(
    state: ShopCatalogState,
    ctx: CallContext,
    sku: f.Code,
    quantity: Annotated[int, f.count("units"), Field(ge=1, le=100_000)] = 1,
    price_list_id: PriceListId | None = None,
    on_date: f.Date | None = None,
) -> Json:
    """Say what a customer pays for a quantity of a SKU, on a day and under a price list.

    Errors: `unknown_sku`, `not_found`, `expired` (the price list ends before that day), `invalid_date`.

    Args:
        sku: Stock keeping unit.
        quantity: How many units.
        price_list_id: The customer's price list; the shop price counts, if left out.
        on_date: Day of the purchase; today, if left out.
    """
    day = check_date(on_date) if on_date else ctx.today
    variant, prices = _by_sku(state, sku), Prices(state, day)
    price = prices.of(variant)
    if price_list_id is not None:
        price_list = state.price_lists.get(price_list_id)
        if price_list.valid_until is not None and price_list.valid_until < day:
            raise conflict(f"{price_list.name} ends on {price_list.valid_until}.", type="expired")
        price = in_list(state, prices, price_list, variant, quantity)
    return {
        "sku": variant.sku,
        "product_title": state.products.get(variant.product_id).title,
        "on_date": day,
        "shop_price": prices.of(variant),
        "unit_price": price,
        "quantity": quantity,
        "amount": round(price * quantity, 2),
    }


def _by_sku(state: ShopCatalogState, sku: str) -> Variant:
    for row in state.variants:
        if same(row.sku, sku):
            return row
    raise invalid(f"There is no SKU {sku}; see search_variants.", type="unknown_sku")


@service.tool()
def list_collections(
    state: ShopCatalogState, ctx: CallContext, query: Query | None = None, automatic: bool | None = None
) -> Json:
    """List the collections of the shop with the number of their products.

    Args:
        query: Words in the title or description.
        automatic: true for collections with a rule, false for manual ones.
    """
    prices = today(state, ctx)
    found = search(state.collections, query, lambda row: (row.title, row.description))
    rows = [
        with_fields(row, products=len(members(state, prices, row)))
        for row in found
        if automatic in (None, row.rule_field is not None)
    ]
    return {"collections": rows, "total": len(rows)}


@service.tool()
def get_collection(state: ShopCatalogState, ctx: CallContext, collection_id: CollectionId) -> Json:
    """Show a collection with its products in the order of the shop.

    Errors: `not_found`.

    Args:
        collection_id: Id of the collection.
    """
    collection, prices = state.collections.get(collection_id), today(state, ctx)
    rows = members(state, prices, collection)
    return with_fields(collection, products=[prices.summary(row) for row in rows[:100]], total=len(rows))


@service.tool(phrase="create the collection {title}")
def create_collection(
    state: ShopCatalogState,
    ctx: CallContext,
    title: Name,
    description: Annotated[str, f.Semantic("text"), Field(max_length=2000)] = "",
    rule_field: RuleField | None = None,
    rule_value: Annotated[str, f.Semantic("label"), Field(max_length=100)] = "",
) -> Json:
    """Create a collection: with a rule its products follow by themselves, without one they are added by hand.

    Errors: `duplicate_title`, `rule_value_needed`, `not_an_amount` (price_below needs an amount), `blank_text`.

    Args:
        title: Title in the shop.
        description: Text above the products.
        rule_field: What the rule looks at.
        rule_value: What it has to be; an amount for price_below.
    """
    clean = check_text(title, "title")
    if any(same(row.title, clean) for row in state.collections):
        raise conflict(f"There is a collection {clean} already.", type="duplicate_title")
    if rule_field is not None and not rule_value.strip():
        raise invalid("A rule needs a rule_value.", type="rule_value_needed")
    if rule_field == "price_below" and not rule_value.replace(".", "", 1).isdecimal():
        raise invalid("Send the amount of price_below as digits, such as 100.", type="not_an_amount")
    collection = state.collections.create(
        title=clean, description=description, rule_field=rule_field, rule_value=rule_value.strip() if rule_field else ""
    )
    return get_collection(state, ctx, collection.id)


def _manual(state: ShopCatalogState, collection_id: str) -> Collection:
    collection = state.collections.get(collection_id)
    if collection.rule_field is not None:
        raise conflict(f"{collection.title} fills itself by its rule; change the products.", type="automatic")
    return collection


@service.tool(phrase="add the product {product_id} to the collection {collection_id}")
def add_to_collection(
    state: ShopCatalogState,
    ctx: CallContext,
    collection_id: CollectionId,
    product_id: ProductId,
    position: Annotated[int, f.count("positions"), Field(ge=1, le=1000)] | None = None,
) -> Json:
    """Put a product into a manual collection; the ones from that position on move down.

    Errors: `not_found`, `automatic`, `archived`, `already_in_collection`.

    Args:
        collection_id: Id of the collection.
        product_id: Id of the product.
        position: Place in the order, from 1; the end, if left out.
    """
    collection, product = _manual(state, collection_id), state.products.get(product_id)
    if product.status == "archived":
        raise conflict(f"{product.title} is archived; it cannot be shown.", type="archived")
    rows = members(state, today(state, ctx), collection)
    if product in rows:
        raise conflict(f"{product.title} is in {collection.title} already.", type="already_in_collection")
    place = len(rows) if position is None else min(position - 1, len(rows))
    _reorder(state, collection_id, [*rows[:place], product, *rows[place:]])
    return get_collection(state, ctx, collection_id)


@service.tool(phrase="take the product {product_id} out of the collection {collection_id}")
def take_from_collection(
    state: ShopCatalogState, ctx: CallContext, collection_id: CollectionId, product_id: ProductId
) -> Json:
    """Take a product out of a manual collection.

    Errors: `not_found` (no such product, or not in this collection), `automatic`.

    Args:
        collection_id: Id of the collection.
        product_id: Id of the product.
    """
    collection, product = _manual(state, collection_id), state.products.get(product_id)
    rows = members(state, today(state, ctx), collection)
    if product not in rows:
        raise not_found(f"product in {collection.title}", product_id)
    state.placements.delete(_placement(state, collection_id, product_id))
    _reorder(state, collection_id, [row for row in rows if row.id != product_id])
    return get_collection(state, ctx, collection_id)


def _placement(state: ShopCatalogState, collection_id: str, product_id: str) -> str:
    row = state.placements.first(collection_id=collection_id, product_id=product_id)
    return row.id if row else ""


def _reorder(state: ShopCatalogState, collection_id: str, products: list[Product]) -> None:
    """Number the products of a collection from 1 in the given order."""
    for position, product in enumerate(products, 1):
        known = _placement(state, collection_id, product.id)
        if known:
            state.placements.patch(known, position=position)
        else:
            state.placements.create(collection_id=collection_id, product_id=product.id, position=position)


@service.tool()
def list_reviews(
    state: ShopCatalogState,
    ctx: CallContext,
    query: Query | None = None,
    product_id: ProductId | None = None,
    status: ReviewStatus | None = None,
    max_rating: Stars | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List product reviews, newest first.

    Args:
        query: Words in the headline, text, reviewer or company.
        product_id: Only reviews of this product.
        status: Only reviews in this status.
        max_rating: Only reviews with at most so many stars.
        limit: At most so many reviews.
        cursor: next_cursor of the previous page.
    """
    found = search(state.reviews, query, lambda row: (row.headline, row.body, row.reviewer_name, row.company))
    found = keep(found, product_id=product_id, status=status)
    found = [row for row in found if max_rating is None or row.rating <= max_rating]
    found = newest_first(found, "written_at")
    titles = {row.id: row.title for row in state.products}
    page = cursor_page("reviews", found, limit, cursor)
    page["reviews"] = [with_fields(row, product_title=titles[row.product_id]) for row in page["reviews"]]
    return page


@service.tool(phrase="decide about the review {review_id}")
def moderate_review(
    state: ShopCatalogState,
    ctx: CallContext,
    review_id: Annotated[str, f.ref("reviews")],
    decision: Annotated[Literal["publish", "reject"], LABEL],
) -> Review:
    """Publish or reject a review that is pending.

    Errors: `not_found`, `not_pending`.

    Args:
        review_id: Id of the review.
        decision: What happens with it.
    """
    review = state.reviews.get(review_id)
    if review.status != "pending":
        raise conflict(f"Review {review_id} is {review.status} already.", type="not_pending")
    return state.reviews.patch(review_id, status="published" if decision == "publish" else "rejected")


@service.tool(phrase="reply to the review {review_id}")
def reply_to_review(
    state: ShopCatalogState, ctx: CallContext, review_id: Annotated[str, f.ref("reviews")], reply: Body
) -> Review:
    """Answer a published review in public; a second reply replaces the first.

    Errors: `not_found`, `not_published`, `blank_text`.

    Args:
        review_id: Id of the review.
        reply: What customers read below it.
    """
    review = state.reviews.get(review_id)
    if review.status != "published":
        raise conflict(f"Review {review_id} is {review.status}; publish it first.", type="not_published")
    return state.reviews.patch(review_id, reply=check_text(reply, "reply"))


@service.tool()
def search_guidelines(state: ShopCatalogState, ctx: CallContext, query: Query | None = None) -> Json:
    """Read the shop's guidelines that hold the words: pricing, naming, images, reviews.

    Args:
        query: Words that must all occur in the title or text.
    """
    found: list[Guideline] = search(state.guidelines, query, lambda row: (row.title, row.body))
    return {"guidelines": found, "total": len(found)}
