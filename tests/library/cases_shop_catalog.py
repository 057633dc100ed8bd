"""Situations in the shop catalogue; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched

SHOP = "shop-catalog"


def _product(env: Env, **terms: Any) -> Row:
    arguments = {"title": "Test lamp", "product_type": "accessory", "sku": "TL-1", "price": 40.0, **terms}
    product: Row = ok(env, SHOP, "create_product", **arguments)
    return product


@case(SHOP, "add_product_image", "too_many_images")
def _(env: Env) -> Situation:
    product = _product(env)
    for number in range(8):
        url = f"https://img.example/{number}.jpg"
        ok(env, SHOP, "add_product_image", product_id=product["id"], url=url, alt_text="Lamp")
    return env, {"product_id": product["id"], "url": "https://img.example/9.jpg", "alt_text": "Lamp"}


@case(SHOP, "add_product_image", "duplicate_image")
def _(env: Env) -> Situation:
    image = one(env, SHOP, "images")
    return env, {"product_id": image["product_id"], "url": image["url"], "alt_text": "The same"}


@case(SHOP, "add_variant", "too_many_variants")
def _(env: Env) -> Situation:
    product = _product(env)
    more = {"product_id": product["id"], "price": 40.0, "unit_cost": 10.0}
    for number in range(11):
        ok(env, SHOP, "add_variant", sku=f"TL-{number + 2}", option=f"colour {number}", **more)
    return env, {**more, "sku": "TL-99", "option": "one more"}


@case(SHOP, "add_variant", "below_margin")
def _(env: Env) -> Situation:
    more = {"product_id": _product(env)["id"], "sku": "TL-2", "option": "red", "price": 10.0, "unit_cost": 9.0}
    return env, more


@case(SHOP, "schedule_price_change", "already_scheduled")
def _(env: Env) -> Situation:
    variant = _product(env)["variants"][0]["id"]
    change = {"variant_id": variant, "price": 41.0, "effective_on": "2026-06-01", "reason": "Summer"}
    ok(env, SHOP, "schedule_price_change", **change)
    return env, {**change, "price": 42.0}


@case(SHOP, "schedule_price_change", "invalid_date")
def _(env: Env) -> Situation:
    variant = _product(env)["variants"][0]["id"]
    return env, {"variant_id": variant, "price": 41.0, "effective_on": "2026-06-31", "reason": "Summer"}


@case(SHOP, "schedule_price_change", "no_change")
def _(env: Env) -> Situation:
    variant = _product(env)["variants"][0]["id"]
    return env, {"variant_id": variant, "price": 40.0, "effective_on": "2026-06-01", "reason": "Summer"}


@case(SHOP, "schedule_price_change", "step_too_large")
def _(env: Env) -> Situation:
    variant = _product(env)["variants"][0]["id"]
    return env, {"variant_id": variant, "price": 60.0, "effective_on": "2026-03-05", "reason": "Summer"}


@case(SHOP, "schedule_price_change", "blank_text")
def _(env: Env) -> Situation:
    variant = _product(env)["variants"][0]["id"]
    return env, {"variant_id": variant, "price": 41.0, "effective_on": "2026-06-01", "reason": " "}


@case(SHOP, "set_price", "blank_text")
def _(env: Env) -> Situation:
    return env, {"variant_id": _product(env)["variants"][0]["id"], "price": 41.0, "reason": " "}


@case(SHOP, "set_price", "no_change")
def _(env: Env) -> Situation:
    return env, {"variant_id": _product(env)["variants"][0]["id"], "price": 40.0, "reason": "Same"}


@case(SHOP, "set_product_status", "duplicate_title")
def _(env: Env) -> Situation:
    product = one(env, SHOP, "products", status="archived")
    _product(env, title=product["title"])
    return env, {"product_id": product["id"], "status": "draft"}


@case(SHOP, "set_product_status", "price_change_pending")
def _(env: Env) -> Situation:
    product = _product(env)
    change = {"price": 41.0, "effective_on": "2026-06-01", "reason": "Summer"}
    ok(env, SHOP, "schedule_price_change", variant_id=product["variants"][0]["id"], **change)
    return env, {"product_id": product["id"], "status": "archived"}


@case(SHOP, "update_product", "description_needed")
def _(env: Env) -> Situation:
    return env, {"product_id": one(env, SHOP, "products", status="active")["id"], "description": "Short"}


@case(SHOP, "update_variant", "duplicate_barcode")
def _(env: Env) -> Situation:
    used = next(row["barcode"] for row in env.rows(SHOP, "variants") if row["barcode"])
    return env, {"variant_id": _product(env)["variants"][0]["id"], "barcode": used}


@case(SHOP, "update_variant", "duplicate_option")
def _(env: Env) -> Situation:
    first = one(env, SHOP, "variants", option="UK plug")
    return env, {"variant_id": first["id"], "option": "US PLUG"}


@case(SHOP, "delete_variant", "last_variant")
def _(env: Env) -> Situation:
    return env, {"variant_id": _product(env)["variants"][0]["id"]}


@case(SHOP, "set_fixed_price", "below_margin")
def _(env: Env) -> Situation:
    price_list = one(env, SHOP, "price_lists", valid_until=None)
    return env, {"price_list_id": price_list["id"], "variant_id": one(env, SHOP, "variants")["id"], "price": 0.01}


@case(SHOP, "quote_price", "expired")
def _(env: Env) -> Situation:
    price_list = one(env, SHOP, "price_lists", name="Launch offer")
    return env, {"sku": "LF-1100", "price_list_id": price_list["id"]}


@case(SHOP, "reply_to_review", "blank_text")
def _(env: Env) -> Situation:
    review = one(env, SHOP, "reviews")
    env = patched(env, SHOP, "reviews", review["id"], status="published")
    return env, {"review_id": review["id"], "reply": "  "}


@case(SHOP, "quote_price", "not_found")
def _(env: Env) -> Situation:
    return env, {"sku": "LF-1100", "price_list_id": "PRL-9999"}
