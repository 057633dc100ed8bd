"""The rules of the shop catalogue, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from tests.library.driver import environment
from tests.library.world import ok, one, refused

SHOP = "shop-catalog"
LAMP = {"title": "Test lamp", "product_type": "accessory", "sku": "TL-1", "price": 100.0}


def test_a_scheduled_price_counts_from_its_day_on() -> None:
    env = environment(SHOP)
    product = ok(env, SHOP, "create_product", **LAMP)
    variant = product["variants"][0]["id"]
    change = {"variant_id": variant, "price": 130.0, "effective_on": "2026-06-01", "reason": "Summer"}
    assert refused(env, SHOP, "set_price", variant_id=variant, price=130.0, reason="Now") == "step_too_large"
    made = ok(env, SHOP, "schedule_price_change", **change)["change"]
    assert ok(env, SHOP, "quote_price", sku="TL-1", on_date="2026-05-31")["unit_price"] == 100.0
    assert ok(env, SHOP, "quote_price", sku="tl-1", on_date="2026-06-01", quantity=3)["amount"] == 390.0
    assert refused(env, SHOP, "set_product_status", product_id=product["id"], status="archived")
    ok(env, SHOP, "cancel_price_change", change_id=made["id"])
    assert ok(env, SHOP, "quote_price", sku="TL-1", on_date="2026-07-01")["unit_price"] == 100.0


def test_price_lists_give_fixed_prices_or_discounts_by_quantity() -> None:
    env = environment(SHOP)
    product = ok(env, SHOP, "create_product", **LAMP)
    retail = one(env, SHOP, "price_lists", name="Retail partners")["id"]
    quote = {"sku": "TL-1", "price_list_id": retail}
    assert ok(env, SHOP, "quote_price", **quote, quantity=19)["unit_price"] == 88.0
    assert ok(env, SHOP, "quote_price", **quote, quantity=20)["unit_price"] == pytest.approx(100 * 0.88 * 0.97)
    fix = {"price_list_id": retail, "variant_id": product["variants"][0]["id"]}
    assert refused(env, SHOP, "set_fixed_price", **fix, price=61.0) == "below_margin"
    assert refused(env, SHOP, "set_fixed_price", **fix, price=101.0) == "above_shop_price"
    ok(env, SHOP, "set_fixed_price", **fix, price=80.0)
    assert ok(env, SHOP, "quote_price", **quote, quantity=50)["unit_price"] == 80.0


def test_only_a_complete_product_is_published_and_automatic_collections_follow() -> None:
    env = environment(SHOP)
    product = ok(env, SHOP, "create_product", **LAMP)
    status = {"product_id": product["id"], "status": "active"}
    assert refused(env, SHOP, "set_product_status", **status) == "not_ready"
    text = "A lamp that stands on the desk and lights the keys of the scanner."
    ok(env, SHOP, "update_product", product_id=product["id"], description=text, tags=["night"])
    picture = {"url": "https://img.example/lamp.jpg", "alt_text": "A lamp on a desk"}
    ok(env, SHOP, "add_product_image", product_id=product["id"], **picture)
    assert refused(env, SHOP, "set_product_status", **status) == "not_ready"
    ok(env, SHOP, "set_specification", product_id=product["id"], name="Power", value="5 W")
    ok(env, SHOP, "set_product_status", **status)
    found = ok(env, SHOP, "create_collection", title="For the night", rule_field="tag", rule_value="Night")
    assert [row["id"] for row in found["products"]] == [product["id"]]
    add = {"collection_id": found["id"], "product_id": product["id"]}
    assert refused(env, SHOP, "add_to_collection", **add) == "automatic"
    ok(env, SHOP, "update_product", product_id=product["id"], tags=[])
    assert ok(env, SHOP, "get_collection", collection_id=found["id"])["total"] == 0


def test_positions_of_a_manual_collection_stay_without_gaps() -> None:
    env = environment(SHOP)
    start = one(env, SHOP, "collections", title="Start page")["id"]
    before = [row["id"] for row in ok(env, SHOP, "get_collection", collection_id=start)["products"]]
    new = next(row["id"] for row in env.rows(SHOP, "products") if row["status"] == "active" and row["id"] not in before)
    after = ok(env, SHOP, "add_to_collection", collection_id=start, product_id=new, position=2)["products"]
    assert [row["id"] for row in after] == [before[0], new, *before[1:]]
    ok(env, SHOP, "take_from_collection", collection_id=start, product_id=before[0])
    left = [row["position"] for row in env.rows(SHOP, "placements") if row["collection_id"] == start]
    assert sorted(left) == list(range(1, len(before) + 1))
