"""Prices on a day, margins, ratings and the products of a collection: all that follows from other records."""

from __future__ import annotations

from services_app.engine import CallContext, forbidden
from services_app.library.shared import Json, grouped, mean, same
from services_app.library.shop_catalog.state import (
    Collection,
    Image,
    PriceChange,
    PriceList,
    Product,
    ShopCatalogState,
    Variant,
)

MARGIN_PERCENT = 15.0


class Prices:
    """Prices of all variants on one day; the changes are sorted by variant once."""

    def __init__(self, state: ShopCatalogState, day: str) -> None:
        self.day = day
        self._changes = grouped(state.price_changes.find(cancelled=False), lambda row: row.variant_id)
        self._variants = grouped(state.variants, lambda row: row.product_id)

    def of(self, variant: Variant) -> float:
        """The price in force: that of the last change up to the day, or the opening price."""
        past = [row for row in self._changes.get(variant.id, ()) if row.effective_on <= self.day]
        return max(past, key=lambda row: (row.effective_on, row.id)).price if past else variant.opening_price

    def next_change(self, variant: Variant) -> PriceChange | None:
        later = [row for row in self._changes.get(variant.id, ()) if row.effective_on > self.day]
        return min(later, key=lambda row: (row.effective_on, row.id), default=None)

    def described(self, variant: Variant) -> Json:
        """A variant with its price, margin and the next change."""
        price, following = self.of(variant), self.next_change(variant)
        return {
            **variant.plain(),
            "price": price,
            "on_sale": variant.compare_at_price is not None and variant.compare_at_price > price,
            "margin_percent": margin(price, variant.unit_cost),
            "next_price": following.price if following else None,
            "next_price_on": following.effective_on if following else None,
        }

    def variants(self, product: Product) -> list[Variant]:
        return self._variants.get(product.id, [])

    def lowest(self, product: Product) -> float:
        return min((self.of(row) for row in self.variants(product)), default=0.0)

    def summary(self, product: Product) -> Json:
        """A product as lists show it."""
        prices = [self.of(row) for row in self.variants(product)]
        return {
            **{name: value for name, value in product.plain().items() if name != "description"},
            "variants": len(prices),
            "price_from": min(prices, default=None),
            "price_to": max(prices, default=None),
        }


def margin(price: float, cost: float) -> float:
    """Share of the price that is left after the cost, in per cent."""
    return round(100 * (price - cost) / price, 1)


def keep_margin(variant: Variant, price: float) -> None:
    """403 `below_margin` for a price that leaves less than 15 per cent."""
    if margin(price, variant.unit_cost) < MARGIN_PERCENT:
        raise forbidden(
            f"{price:.2f} leaves {margin(price, variant.unit_cost):g} % over the cost of {variant.sku}; "
            f"at least {MARGIN_PERCENT:g} % is required.",
            type="below_margin",
        )


def in_list(state: ShopCatalogState, prices: Prices, price_list: PriceList, variant: Variant, quantity: int) -> float:
    """Unit price of a variant in a price list: the fixed price, or the shop price less the discounts."""
    fixed = state.fixed_prices.first(price_list_id=price_list.id, variant_id=variant.id)
    if fixed is not None:
        return fixed.price
    price = prices.of(variant) * (1 - price_list.discount_percent / 100)
    if quantity >= price_list.volume_from:
        price *= 1 - price_list.volume_percent / 100
    return round(price, 2)


def members(state: ShopCatalogState, prices: Prices, collection: Collection) -> list[Product]:
    """The products of a collection that are not archived, in the order of the shop."""
    if collection.rule_field is None:
        rows = sorted(state.placements.find(collection_id=collection.id), key=lambda row: (row.position, row.id))
        return [state.products.get(row.product_id) for row in rows]
    found = [row for row in state.products if row.status != "archived" and _fits(prices, collection, row)]
    return sorted(found, key=lambda row: (row.title, row.id))


def _fits(prices: Prices, collection: Collection, product: Product) -> bool:
    wanted = collection.rule_value
    if collection.rule_field == "tag":
        return any(same(tag, wanted) for tag in product.tags)
    if collection.rule_field == "price_below":
        return 0 < prices.lowest(product) < float(wanted)
    return same(product.vendor if collection.rule_field == "vendor" else product.product_type, wanted)


def missing(state: ShopCatalogState, product: Product) -> list[str]:
    """What a product lacks before it can be published."""
    images: list[Image] = state.images.find(product_id=product.id)
    found = []
    if len(product.description) < 40:
        found.append("a description of at least 40 characters")
    if not images:
        found.append("an image")
    if product.product_type in ("hardware", "accessory") and not state.specifications.count(product_id=product.id):
        found.append("a specification")
    return found


def rating(state: ShopCatalogState, product: Product) -> Json:
    """Average and number of the published reviews."""
    stars = [row.rating for row in state.reviews.find(product_id=product.id, status="published")]
    return {"reviews": len(stars), "average_rating": mean(stars, 2)}


def today(state: ShopCatalogState, ctx: CallContext) -> Prices:
    return Prices(state, ctx.today)
