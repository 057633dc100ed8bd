"""Tools for variants, their prices and price changes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    days_between,
    newest_first,
    same,
    search,
    some_changes,
    within,
)
from services_app.library.shop_catalog.figures import Prices, keep_margin, today
from services_app.library.shop_catalog.products import ProductId, Sku, unused_sku
from services_app.library.shop_catalog.state import PriceChange, ShopCatalogState, Variant, service

VariantId = Annotated[str, f.ref("variants")]
Option = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]
Grams = Annotated[int, f.count("grams"), Field(ge=0, le=500_000)]
Barcode = Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{0,14}$")]
ChangeState = Annotated[Literal["upcoming", "applied", "cancelled"], LABEL]
STEP_PERCENT = 20.0
NOTICE_DAYS = 14
MAX_VARIANTS = 12


@service.tool()
def search_variants(
    state: ShopCatalogState,
    ctx: CallContext,
    query: Query | None = None,
    product_id: ProductId | None = None,
    on_sale: bool | None = None,
    max_margin_percent: f.Percent | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find variants by SKU, barcode, option or product, with price, margin and the next price change.

    Args:
        query: Words in the SKU, barcode, option or product title.
        product_id: Only variants of this product.
        on_sale: Only variants with a struck-through price above their own, or only the others.
        max_margin_percent: Only variants with a margin of at most so many per cent.
        limit: At most so many variants.
        cursor: next_cursor of the previous page.
    """
    titles = {row.id: row.title for row in state.products}
    rows = state.variants.find(product_id=product_id) if product_id else list(state.variants)
    rows = search(rows, query, lambda row: (row.sku, row.barcode, row.option, titles[row.product_id]))
    prices = today(state, ctx)
    priced: list[Json] = [{**prices.described(row), "product_title": titles[row.product_id]} for row in rows]
    found = [
        row
        for row in priced
        if on_sale in (None, row["on_sale"])
        and (max_margin_percent is None or row["margin_percent"] <= max_margin_percent)
    ]
    found.sort(key=lambda row: (row["sku"], row["id"]))
    return cursor_page("variants", found, limit, cursor)


@service.tool(phrase="add the variant {option} with the SKU {sku} to {product_id}")
def add_variant(
    state: ShopCatalogState,
    ctx: CallContext,
    product_id: ProductId,
    sku: Sku,
    option: Option,
    price: Amount,
    unit_cost: Annotated[float, f.Semantic("money"), Field(ge=0, le=1_000_000)],
    weight_grams: Grams = 0,
) -> Json:
    """Add a variant to a product that is not archived; SKUs are unique in the shop, options in the product.

    Errors: `not_found`, `archived`, `duplicate_sku`, `duplicate_option`, `too_many_variants`, `below_margin` (less
    than 15 per cent over the cost), `blank_text`.

    Args:
        product_id: Id of the product.
        sku: Stock keeping unit.
        option: What tells it from the others, such as UK plug.
        price: Shop price.
        unit_cost: What one costs us.
        weight_grams: Weight with its packing.
    """
    product = state.products.get(product_id)
    if product.status == "archived":
        raise conflict(f"{product.title} is archived; use set_product_status first.", type="archived")
    unused_sku(state, sku)
    own = state.variants.find(product_id=product_id)
    if any(same(row.option, option) for row in own):
        raise conflict(f"{product.title} has the option {option} already.", type="duplicate_option")
    if len(own) >= MAX_VARIANTS:
        raise conflict(f"A product has at most {MAX_VARIANTS} variants.", type="too_many_variants")
    variant = state.variants.create(
        product_id=product_id,
        sku=check_text(sku, "SKU"),
        option=check_text(option, "option"),
        weight_grams=weight_grams,
        opening_price=price,
        unit_cost=unit_cost,
    )
    keep_margin(variant, variant.opening_price)
    return today(state, ctx).described(variant)


@service.tool(phrase="update the variant {variant_id}")
def update_variant(
    state: ShopCatalogState,
    ctx: CallContext,
    variant_id: VariantId,
    option: Option | Unset = UNSET,
    barcode: Barcode | Unset = UNSET,
    weight_grams: Grams | Unset = UNSET,
    compare_at_price: Amount | Unset | None = UNSET,
    unit_cost: Annotated[float, f.Semantic("money"), Field(ge=0, le=1_000_000)] | Unset = UNSET,
) -> Json:
    """Change a variant, but for its price (set_price) and SKU.

    Errors: `not_found`, `nothing_to_change`, `duplicate_option`, `duplicate_barcode`, `not_above_price` (the
    struck-through price must be above the present one).

    Args:
        variant_id: Id of the variant.
        option: New name of the option.
        barcode: New barcode, digits only.
        weight_grams: New weight with packing.
        compare_at_price: Struck-through price; null takes the sale away.
        unit_cost: What one costs us now.
    """
    variant, prices = state.variants.get(variant_id), today(state, ctx)
    changes = some_changes(
        given(
            option=option,
            barcode=barcode,
            weight_grams=weight_grams,
            compare_at_price=compare_at_price,
            unit_cost=unit_cost,
        )
    )
    others = [row for row in state.variants if row.id != variant_id]
    for row in others:
        if changes.get("barcode") and row.barcode == changes["barcode"]:
            raise conflict(f"{row.sku} has this barcode already.", type="duplicate_barcode")
        if row.product_id == variant.product_id and same(row.option, changes.get("option", "")):
            raise conflict(f"{row.sku} has this option already.", type="duplicate_option")
    if changes.get("compare_at_price") and changes["compare_at_price"] <= prices.of(variant):
        raise invalid(f"The price is {prices.of(variant):.2f}; send a higher one.", type="not_above_price")
    return prices.described(state.variants.patch(variant_id, **changes))


@service.tool(phrase="delete the variant {variant_id}")
def delete_variant(state: ShopCatalogState, ctx: CallContext, variant_id: VariantId) -> Json:
    """Delete a variant with its price changes and fixed prices; a product keeps at least one.

    Errors: `not_found`, `last_variant`.

    Args:
        variant_id: Id of the variant.
    """
    variant = state.variants.get(variant_id)
    if state.variants.count(product_id=variant.product_id) == 1:
        raise conflict(f"{variant.sku} is the only variant; archive the product instead.", type="last_variant")
    for change in state.price_changes.find(variant_id=variant_id):
        state.price_changes.delete(change.id)
    for fixed in state.fixed_prices.find(variant_id=variant_id):
        state.fixed_prices.delete(fixed.id)
    state.variants.delete(variant_id)
    return {"deleted": variant.sku, "left": state.variants.find(product_id=variant.product_id)}


@service.tool(phrase="set the price of {variant_id} to {price}")
def set_price(state: ShopCatalogState, ctx: CallContext, variant_id: VariantId, price: Amount, reason: Body) -> Json:
    """Change the shop price from today on, by at most 20 per cent up or down.

    Errors: `not_found`, `no_change`, `step_too_large` (use schedule_price_change), `below_margin`, `blank_text`.

    Args:
        variant_id: Id of the variant.
        price: New price.
        reason: Why; kept in the price history.
    """
    variant = state.variants.get(variant_id)
    _record(state, ctx, variant, price, ctx.today, reason)
    return today(state, ctx).described(variant)


@service.tool(phrase="change the price of {variant_id} to {price} on {effective_on}")
def schedule_price_change(
    state: ShopCatalogState, ctx: CallContext, variant_id: VariantId, price: Amount, effective_on: f.Date, reason: Body
) -> Json:
    """Schedule a price change; steps of more than 20 per cent need 14 days of notice.

    Errors: `not_found`, `invalid_date`, `not_in_future`, `already_scheduled` (one change a day), `no_change`,
    `step_too_large`, `below_margin`, `blank_text`.

    Args:
        variant_id: Id of the variant.
        price: New price.
        effective_on: First day of the new price.
        reason: Why; kept in the price history.
    """
    variant = state.variants.get(variant_id)
    if check_date(effective_on) <= ctx.today:
        raise invalid(f"{effective_on} is not in the future; use set_price for today.", type="not_in_future")
    if state.price_changes.first(variant_id=variant_id, effective_on=effective_on, cancelled=False):
        raise conflict(f"{variant.sku} has a change on {effective_on} already.", type="already_scheduled")
    change = _record(state, ctx, variant, price, effective_on, reason)
    return {"change": change, "variant": today(state, ctx).described(variant)}


def _record(
    state: ShopCatalogState, ctx: CallContext, variant: Variant, price: float, day: str, reason: str
) -> PriceChange:
    before = Prices(state, day).of(variant)
    if price == before:
        raise conflict(f"{variant.sku} costs {price:.2f} then anyway.", type="no_change")
    keep_margin(variant, price)
    step = 100 * abs(price - before) / before
    if step > STEP_PERCENT and days_between(ctx.today, day) < NOTICE_DAYS:
        raise conflict(
            f"From {before:.2f} to {price:.2f} is more than {STEP_PERCENT:g} %; schedule it {NOTICE_DAYS} days ahead.",
            type="step_too_large",
        )
    return state.price_changes.create(
        variant_id=variant.id,
        price=price,
        effective_on=day,
        reason=check_text(reason, "reason"),
        author_email=ME.email,
    )


@service.tool(phrase="cancel the price change {change_id}")
def cancel_price_change(
    state: ShopCatalogState, ctx: CallContext, change_id: Annotated[str, f.ref("price_changes")]
) -> Json:
    """Cancel a price change that is not in force yet.

    Errors: `not_found`, `already_applied`, `already_cancelled`.

    Args:
        change_id: Id of the price change.
    """
    change = state.price_changes.get(change_id)
    if change.cancelled:
        raise conflict(f"Price change {change_id} is cancelled already.", type="already_cancelled")
    if change.effective_on <= ctx.today:
        raise conflict(f"It is in force since {change.effective_on}; use set_price.", type="already_applied")
    state.price_changes.patch(change_id, cancelled=True)
    return today(state, ctx).described(state.variants.get(change.variant_id))


@service.tool()
def list_price_changes(  # noqa: PLR0913, PLR0917 - one per filter
    state: ShopCatalogState,
    ctx: CallContext,
    query: Query | None = None,
    variant_id: VariantId | None = None,
    status: ChangeState | None = None,
    effective_from: f.Date | None = None,
    effective_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List price changes, the latest day first, with SKU and reason.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the SKU or the reason.
        variant_id: Only changes of this variant.
        status: Only changes that are upcoming, applied or cancelled.
        effective_from: Only changes on this day or later.
        effective_to: Only changes on this day or earlier.
        limit: At most so many changes.
        cursor: next_cursor of the previous page.
    """
    skus = {row.id: row.sku for row in state.variants}
    found = search(state.price_changes, query, lambda row: (skus[row.variant_id], row.reason))
    found = within(found, "effective_on", effective_from, effective_to)
    rows = [
        {**row.plain(), "sku": skus[row.variant_id], "status": _status(row, ctx.today)}
        for row in found
        if variant_id in (None, row.variant_id)
    ]
    rows = [row for row in rows if status in (None, row["status"])]
    rows = newest_first(rows, "effective_on")
    return cursor_page("price_changes", rows, limit, cursor)


def _status(change: PriceChange, today_: str) -> str:
    if change.cancelled:
        return "cancelled"
    return "applied" if change.effective_on <= today_ else "upcoming"
