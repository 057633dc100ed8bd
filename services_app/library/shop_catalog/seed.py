"""The shop: our own products with their variants, accessories of other makers, prices, collections and reviews."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import goods
from services_app.library.cast import Cast
from services_app.library.shop_catalog import texts
from services_app.library.shop_catalog.state import Product, ShopCatalogState, service


@service.seed
def fill(state: ShopCatalogState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.GUIDELINES:
        state.guidelines.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    for item in cast.products:
        _own(state, ctx, item)
    for accessory in goods.accessories(cast)[: ctx.size(40)]:
        _accessory(state, ctx, accessory)
    _prices(state, ctx, cast)
    _collections(state, ctx)
    _reviews(state, ctx, cast)


def _own(state: ShopCatalogState, ctx: SeedContext, item: people.Product) -> None:
    product = _product(state, ctx, item.name, item.kind, "Larkfield Systems", texts.DESCRIPTIONS[item.name])
    for name, value in texts.SPECS.get(item.name, ()):
        state.specifications.create(product_id=product.id, name=name, value=value)
    share = {"hardware": 0.58, "subscription": 0.2, "service": 0.55}[item.kind]
    for option, suffix, factor in texts.OPTIONS[item.kind]:
        _variant(state, ctx, product, (item.sku + suffix, option), round(item.price * factor, 2), share)


def _product(
    state: ShopCatalogState, ctx: SeedContext, title: str, kind: str, vendor: str, description: str
) -> Product:
    index = len(state.products)
    # Every eighth product is not in the shop yet, every eleventh no longer.
    status = "draft" if index % 8 == 6 else "archived" if index % 11 == 7 else "active"
    made = -ctx.random.randint(40, 700)
    tags = texts.TAGS[kind]
    product = state.products.create(
        title=title,
        handle="-".join("".join(letter if letter.isalnum() else " " for letter in title.lower()).split()),
        product_type=kind,
        vendor=vendor,
        description="To follow." if index % 16 == 14 else description,
        tags=tuple(ctx.random.sample(tags, ctx.random.randint(1, 2))),
        status=status,
        published_on=ctx.date(made + 10) if status == "active" else None,
        created_at=ctx.moment(made, 9, index % 60),
    )
    views = ("front", "in use", "in its box", "size compared with a hand")
    for number in range(0 if index % 16 == 14 else ctx.random.randint(1, 3)):
        url = f"https://img.larkfield.example/{product.handle}/{number + 1}.jpg"
        state.images.create(product_id=product.id, url=url, alt_text=f"{title}, {views[number]}")
    return product


def _variant(
    state: ShopCatalogState, ctx: SeedContext, product: Product, name: tuple[str, str], price: float, share: float
) -> None:
    ware = product.product_type in ("hardware", "accessory")
    state.variants.create(
        product_id=product.id,
        sku=name[0],
        option=name[1],
        barcode=f"57{ctx.random.randint(10**10, 10**11 - 1)}" if ware else "",
        weight_grams=ctx.random.randint(80, 1900) if ware else 0,
        opening_price=price,
        compare_at_price=round(price * 1.15, 2) if ware and ctx.random.random() < 0.15 else None,
        unit_cost=round(price * share, 2),
    )


def _accessory(state: ShopCatalogState, ctx: SeedContext, item: goods.Accessory) -> None:
    product = _product(state, ctx, item.title, "accessory", item.maker.name, item.text)
    for spec, value in ctx.random.sample(texts.ACCESSORY_SPECS, ctx.random.randint(1, 3)):
        state.specifications.create(product_id=product.id, name=spec, value=value.format(product=item.fits.name))
    for option, suffix, factor in texts.OPTIONS["accessory"][: ctx.random.choice((1, 2))]:
        _variant(
            state, ctx, product, (item.sku + suffix, option), round(item.price * factor, 2), item.cost / item.price
        )


def _prices(state: ShopCatalogState, ctx: SeedContext, cast: Cast) -> None:
    """Past, coming and cancelled changes, and the price lists with some fixed prices."""
    live = {row.id for row in state.products if row.status == "active"}
    variants = [row for row in state.variants if row.product_id in live]
    finance = cast.team("finance")
    for index, variant in enumerate(ctx.random.sample(variants, min(len(variants), ctx.size(60)))):
        facts = people.facts(ctx, cast.projects[index])
        day = ctx.random.randint(15, 60) if index % 3 == 0 else -ctx.random.randint(1, 200)
        state.price_changes.create(
            variant_id=variant.id,
            price=round(variant.opening_price * ctx.random.choice((0.95, 1.04, 1.06, 1.1)), 2),
            effective_on=ctx.date(day),
            reason=ctx.random.choice(texts.REASONS).format(**facts),
            author_email=ctx.random.choice(finance).email,
            cancelled=index % 9 == 6,
        )
    for name, currency, discount, start, volume, until in texts.PRICE_LISTS:
        price_list = state.price_lists.create(
            name=name,
            currency=currency,
            discount_percent=discount,
            volume_from=start,
            volume_percent=volume,
            valid_until=None if until is None else ctx.date(until),
        )
        for variant in ctx.random.sample(variants, min(len(variants), ctx.size(12))):
            price = round(variant.opening_price * 0.88, 2)
            state.fixed_prices.create(price_list_id=price_list.id, variant_id=variant.id, price=price)


def _collections(state: ShopCatalogState, ctx: SeedContext) -> None:
    live = [row for row in state.products if row.status == "active"]
    for title, description, field, value in texts.COLLECTIONS:
        collection = state.collections.create(title=title, description=description, rule_field=field, rule_value=value)
        if field is None:
            for position, product in enumerate(ctx.random.sample(live, ctx.random.randint(4, 6)), 1):
                state.placements.create(collection_id=collection.id, product_id=product.id, position=position)


def _reviews(state: ShopCatalogState, ctx: SeedContext, cast: Cast) -> None:
    shown = [row for row in state.products if row.status != "draft"]
    for index in range(ctx.size(130)):
        project = cast.projects[index % len(cast.projects)]
        rating, headline, body = ctx.random.choice(texts.REVIEWS)
        pending = index % 4 == 1
        state.reviews.create(
            product_id=ctx.random.choice(shown).id,
            reviewer_name=project.contact.name,
            reviewer_email=project.contact.email,
            company=project.company.name,
            rating=rating,
            headline=headline,
            body=body.format(**people.facts(ctx, project)),
            reply="Sorry about that. We wrote to you today, Elif"
            if rating < 3 and index % 3 == 0 and not pending
            else "",
            status="pending" if pending else "rejected" if headline == "Call me" else "published",
            written_at=ctx.moment(
                -ctx.random.randint(0, 9) if pending else -ctx.random.randint(10, 240), 9 + index % 9
            ),
        )
