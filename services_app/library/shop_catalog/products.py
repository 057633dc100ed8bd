"""Tools for products: find, create, describe, publish and archive them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_text,
    cursor_page,
    fold,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.shop_catalog.figures import members, missing, rating, today
from services_app.library.shop_catalog.state import (
    Image,
    Product,
    ProductStatus,
    ProductType,
    ShopCatalogState,
    Specification,
    service,
)

ProductId = Annotated[str, f.ref("products")]
ProductTitle = Annotated[str, f.Semantic("product"), Field(min_length=1, max_length=120)]
Vendor = Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=120)]
Description = Annotated[str, f.Semantic("text"), Field(max_length=10_000)]
Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=40)]], f.Semantic("label"), Field(max_length=15)]
Sku = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)]
Sort = Annotated[Literal["title", "newest", "cheapest", "dearest"], LABEL]
MAX_IMAGES = 8


@service.tool()
def search_products(  # noqa: PLR0913, PLR0917 - one per filter
    state: ShopCatalogState,
    ctx: CallContext,
    query: Query | None = None,
    status: ProductStatus | None = None,
    product_type: ProductType | None = None,
    vendor: f.Organisation | None = None,
    tag: f.Label | None = None,
    sort: Sort = "title",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find products by title, SKU, vendor, tag or words of the description, with their price range.

    Args:
        query: Words in the title, description, vendor, tags or SKUs.
        status: Only products in this status.
        product_type: Only this type.
        vendor: Only products of this vendor.
        tag: Only products with this tag.
        sort: Order of the list.
        limit: At most so many products.
        cursor: next_cursor of the previous page.
    """
    prices = today(state, ctx)
    found = search(
        state.products,
        query,
        lambda row: (row.title, row.description, row.vendor, *row.tags, *(v.sku for v in prices.variants(row))),
    )
    found = keep(found, status=status, product_type=product_type, vendor=vendor)
    found = [row for row in found if tag is None or any(same(tag, own) for own in row.tags)]
    found.sort(key=lambda row: (fold(row.title), row.id))
    if sort == "newest":
        found.sort(key=lambda row: row.created_at, reverse=True)
    elif sort != "title":
        found.sort(key=prices.lowest, reverse=sort == "dearest")
    page = cursor_page("products", found, limit, cursor)
    page["products"] = [prices.summary(row) for row in page["products"]]
    return page


@service.tool()
def get_product(state: ShopCatalogState, ctx: CallContext, product_id: ProductId) -> Json:
    """Show a product with variants, prices, images, specifications, collections, rating and what it lacks.

    Errors: `not_found`.

    Args:
        product_id: Id of the product.
    """
    product, prices = state.products.get(product_id), today(state, ctx)
    inside = [row for row in state.collections if product in members(state, prices, row)]
    return with_fields(
        product,
        variants=[prices.described(row) for row in prices.variants(product)],
        images=state.images.find(product_id=product_id),
        specifications=state.specifications.find(product_id=product_id),
        collections=[brief(row, "id", "title") for row in inside],
        missing_for_publication=missing(state, product),
        **rating(state, product),
    )


@service.tool(phrase="create the product {title} with the SKU {sku}")
def create_product(
    state: ShopCatalogState,
    ctx: CallContext,
    title: ProductTitle,
    product_type: ProductType,
    sku: Sku,
    price: Amount,
    vendor: Vendor = "Larkfield Systems",
    description: Description = "",
) -> Json:
    """Create a draft product with one variant; its cost is taken as 60 per cent of the price until it is known.

    Errors: `duplicate_title`, `duplicate_sku`, `blank_text`.

    Args:
        title: Name in the shop.
        product_type: What kind of product it is.
        sku: SKU of the first variant.
        price: Shop price of the first variant.
        vendor: Who makes it.
        description: Text of the product page.
    """
    clean = check_text(title, "title")
    unused_title(state, clean)
    unused_sku(state, sku)
    product = state.products.create(
        title=clean,
        handle=_handle(state, clean),
        product_type=product_type,
        vendor=check_text(vendor, "vendor"),
        description=description,
        status="draft",
        created_at=ctx.now,
    )
    state.variants.create(
        product_id=product.id,
        sku=check_text(sku, "SKU"),
        option="standard",
        weight_grams=0,
        opening_price=price,
        unit_cost=round(price * 0.6, 2),
    )
    return get_product(state, ctx, product.id)


def unused_title(state: ShopCatalogState, title: str, own: str = "") -> None:
    for row in state.products:
        if row.id != own and row.status != "archived" and same(row.title, title):
            raise conflict(f"Product {row.id} has the title {row.title}; choose another.", type="duplicate_title")


def unused_sku(state: ShopCatalogState, sku: str) -> None:
    for row in state.variants:
        if same(row.sku, sku):
            raise conflict(f"The SKU {row.sku} belongs to {row.id}; choose another.", type="duplicate_sku")


def _handle(state: ShopCatalogState, title: str) -> str:
    """Words of the title joined by hyphens; a number is added when the handle is taken."""
    plain = "".join(letter if letter.isalnum() else " " for letter in fold(title))
    handle = "-".join(plain.split()) or "product"
    taken = {row.handle for row in state.products}
    number = 2
    free = handle
    while free in taken:
        free = f"{handle}-{number}"
        number += 1
    return free


@service.tool(phrase="update the product {product_id}")
def update_product(
    state: ShopCatalogState,
    ctx: CallContext,
    product_id: ProductId,
    title: ProductTitle | Unset = UNSET,
    description: Description | Unset = UNSET,
    vendor: Vendor | Unset = UNSET,
    tags: Tags | Unset = UNSET,
) -> Json:
    """Change a product; what is not sent stays as it is. The handle stays, so that links keep working.

    Errors: `not_found`, `archived`, `nothing_to_change`, `duplicate_title`, `description_needed` (active products
    keep at least 40 characters).

    Args:
        product_id: Id of the product.
        title: New name.
        description: New text of the product page.
        vendor: New vendor.
        tags: All tags it has from now on.
    """
    product = _not_archived(state, product_id)
    changes = some_changes(given(title=title, description=description, vendor=vendor, tags=tags))
    if "title" in changes:
        unused_title(state, changes["title"], own=product_id)
    if product.status == "active" and len(changes.get("description", product.description)) < 40:
        raise conflict("An active product needs a description of 40 characters.", type="description_needed")
    state.products.patch(product_id, **changes)
    return get_product(state, ctx, product_id)


def _not_archived(state: ShopCatalogState, product_id: str) -> Product:
    product = state.products.get(product_id)
    if product.status == "archived":
        raise conflict(f"{product.title} is archived; use set_product_status first.", type="archived")
    return product


@service.tool(phrase="set the product {product_id} to {status}")
def set_product_status(state: ShopCatalogState, ctx: CallContext, product_id: ProductId, status: ProductStatus) -> Json:
    """Publish a product, take it back to draft, or archive it; archiving takes it out of manual collections.

    Errors: `not_found`, `no_change`, `not_ready` (the message lists what is missing), `duplicate_title` (another
    live product has the title of the archived one), `price_change_pending` (cancel it before archiving).

    Args:
        product_id: Id of the product.
        status: New status; active means published.
    """
    product, prices = state.products.get(product_id), today(state, ctx)
    if product.status == status:
        raise conflict(f"{product.title} is {status} already.", type="no_change")
    if product.status == "archived":
        unused_title(state, product.title, own=product_id)
    gaps = missing(state, product) if status == "active" else []
    if gaps:
        raise conflict(f"{product.title} lacks {', '.join(gaps)}.", type="not_ready")
    if status == "archived":
        if any(prices.next_change(row) for row in prices.variants(product)):
            raise conflict("A price change is scheduled; use cancel_price_change first.", type="price_change_pending")
        for row in state.placements.find(product_id=product_id):
            state.placements.delete(row.id)
    state.products.patch(product_id, status=status, published_on=ctx.today if status == "active" else None)
    return get_product(state, ctx, product_id)


@service.tool(phrase="add an image to the product {product_id}")
def add_product_image(
    state: ShopCatalogState,
    ctx: CallContext,
    product_id: ProductId,
    url: Annotated[str, f.Semantic("url"), Field(pattern=r"^https://\S+$", max_length=300)],
    alt_text: Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=200)],
) -> Image:
    """Add an image to a product; at most eight, each address once.

    Errors: `not_found`, `duplicate_image`, `too_many_images`, `blank_text`.

    Args:
        product_id: Id of the product.
        url: Address of the picture, https only.
        alt_text: What it shows, for those who cannot see it.
    """
    state.products.get(product_id)
    own = state.images.find(product_id=product_id)
    if any(row.url == url for row in own):
        raise conflict("The product has this image already.", type="duplicate_image")
    if len(own) >= MAX_IMAGES:
        raise conflict(f"A product has at most {MAX_IMAGES} images.", type="too_many_images")
    return state.images.create(product_id=product_id, url=url, alt_text=check_text(alt_text, "alt text"))


@service.tool(phrase="set the specification {name} of {product_id} to {value}")
def set_specification(
    state: ShopCatalogState,
    ctx: CallContext,
    product_id: ProductId,
    name: Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)],
    value: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=500)],
) -> Specification:
    """Set one line of a product's data sheet; a line of the same name is replaced.

    Errors: `not_found`, `archived`, `blank_text`.

    Args:
        product_id: Id of the product.
        name: Name of the line, such as Battery or Operating temperature.
        value: What stands there.
    """
    _not_archived(state, product_id)
    clean, text = check_text(name, "name"), check_text(value, "value")
    for row in state.specifications.find(product_id=product_id):
        if same(row.name, clean):
            return state.specifications.patch(row.id, value=text)
    return state.specifications.create(product_id=product_id, name=clean, value=text)
