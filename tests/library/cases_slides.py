"""Situations in slides; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import ok, one, patched, rows

SLUG = "slides"


def _own(env: Env, **arguments: Any) -> str:
    """A fresh presentation of yours, from the briefing template."""
    deck = ok(env, SLUG, "create_presentation", **{"title": "Fresh", "template": "Team briefing", **arguments})
    return str(deck["id"])


def _slide(env: Env, deck: str, position: int = 2) -> str:
    return str(one(env, SLUG, "slides", presentation_id=deck, position=position)["id"])


@case(SLUG, "update_presentation", "blank_text")
def _(env: Env) -> Situation:
    return env, {"presentation_id": _own(env), "title": " "}


@case(SLUG, "update_presentation", "shared_outside")
def _(env: Env) -> Situation:
    deck = _own(env)
    ok(env, SLUG, "publish_presentation", presentation_id=deck)
    ok(env, SLUG, "update_presentation", presentation_id=deck, audience="customer")
    ok(env, SLUG, "share_presentation", presentation_id=deck, email="ana@north.example")
    return env, {"presentation_id": deck, "audience": "internal"}


@case(SLUG, "share_presentation", "already_shared")
def _(env: Env) -> Situation:
    arguments = {"presentation_id": _own(env), "email": "new.colleague@larkfield.example"}
    ok(env, SLUG, "share_presentation", **arguments)
    return env, arguments


@case(SLUG, "share_presentation", "outside_view_only")
def _(env: Env) -> Situation:
    deck = _own(env, audience="customer")
    return env, {"presentation_id": deck, "email": "ana@north.example", "role": "editor"}


def _full(env: Env) -> str:
    slide = _slide(env, _own(env))
    for number in range(4):
        ok(env, SLUG, "add_text", slide_id=slide, text=f"Line {number}")
    return slide


@case(SLUG, "add_text", "slide_full")
def _(env: Env) -> Situation:
    return env, {"slide_id": _full(env), "text": "One more"}


@case(SLUG, "add_image", "slide_full")
def _(env: Env) -> Situation:
    return env, {"slide_id": _full(env), "image_id": rows(env, SLUG, "images")[0]["id"]}


@case(SLUG, "add_table", "slide_full")
def _(env: Env) -> Situation:
    return env, {"slide_id": _full(env), "rows": [["a"]]}


@case(SLUG, "submit_for_review", "already_approved")
def _(env: Env) -> Situation:
    approved = patched(env, SLUG, "presentations", "DECK-0001", status="approved")
    return approved, {"presentation_id": "DECK-0001", "reviewer_email": "brand@larkfield.example"}


@case(SLUG, "publish_presentation", "nothing_new")
def _(env: Env) -> Situation:
    arguments = {"presentation_id": _own(env)}
    ok(env, SLUG, "publish_presentation", **arguments)
    return env, arguments


@case(SLUG, "decide_review", "blank_text")
def _(env: Env) -> Situation:
    me = one(env, SLUG, "presentations", id=_own(env))["owner_email"]
    deck = one(env, SLUG, "presentations", status="in_review", reviewer_email=me)
    return env, {"presentation_id": deck["id"], "decision": "request_changes", "remarks": " "}


def _many(env: Env) -> str:
    deck = _own(env)
    for number in range(60 - len(rows(env, SLUG, "slides", presentation_id=deck))):
        ok(env, SLUG, "add_slide", presentation_id=deck, title=f"Slide {number}")
    return deck


@case(SLUG, "add_slide", "too_many_slides")
def _(env: Env) -> Situation:
    return env, {"presentation_id": _many(env), "title": "One more"}


@case(SLUG, "import_slide", "too_many_slides")
def _(env: Env) -> Situation:
    deck = _many(env)
    return env, {"presentation_id": deck, "slide_id": _slide(env, deck)}


@case(SLUG, "delete_slide", "last_slide")
def _(env: Env) -> Situation:
    deck = _own(env)
    for row in rows(env, SLUG, "slides", presentation_id=deck)[1:]:
        ok(env, SLUG, "delete_slide", slide_id=row["id"])
    return env, {"slide_id": _slide(env, deck, 1)}
