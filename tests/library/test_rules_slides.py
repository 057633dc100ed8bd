"""The rules of slides, as short stories."""

from __future__ import annotations

from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows

SLUG = "slides"


def test_a_proposal_is_filled_in_reviewed_and_published_and_a_change_voids_the_approval() -> None:
    env = environment(SLUG)
    made = ok(env, SLUG, "create_presentation", title="Offer", template="Customer proposal", audience="customer")
    deck, slides = made["id"], made["slides"]
    assert [row["layout"] for row in slides] == ["title", "content", "content", "content", "content", "closing"]
    send = {"presentation_id": deck, "reviewer_email": "brand@larkfield.example"}
    assert refused(env, SLUG, "submit_for_review", **send) == "not_ready"
    problems = ok(env, SLUG, "check_presentation", presentation_id=deck)["problems"]
    assert [row["rule"] for row in problems] == ["open_placeholder"]
    ok(env, SLUG, "replace_all_text", presentation_id=deck, find="{{customer}}", replacement="Acme")
    assert refused(env, SLUG, "publish_presentation", presentation_id=deck) == "not_approved"
    ok(env, SLUG, "submit_for_review", **send)
    assert refused(env, SLUG, "update_slide", slide_id=slides[1]["id"], notes="Hello") == "in_review"
    assert refused(env, SLUG, "decide_review", presentation_id=deck, decision="approve") == "not_reviewer"


def test_you_decide_what_was_sent_to_you_and_a_change_voids_an_approval() -> None:
    env = environment(SLUG)
    me = one(env, SLUG, "presentations", id="DECK-0001")["owner_email"]
    sent = one(env, SLUG, "presentations", status="in_review", reviewer_email=me)["id"]
    assert ok(env, SLUG, "decide_review", presentation_id=sent, decision="approve")["status"] == "approved"
    assert refused(env, SLUG, "publish_presentation", presentation_id=sent) == "read_only"
    mine = one(env, SLUG, "presentations", owner_email=me, status="approved")
    slide = one(env, SLUG, "slides", presentation_id=mine["id"], position=2)
    ok(env, SLUG, "update_slide", slide_id=slide["id"], notes="Slower.")
    assert one(env, SLUG, "presentations", id=mine["id"])["status"] == "draft"


def test_limits_of_words_time_and_images_are_checked() -> None:
    env = environment(SLUG)
    deck = ok(env, SLUG, "create_presentation", title="Talk", template="Team briefing", slot_minutes=3)["id"]
    slide = one(env, SLUG, "slides", presentation_id=deck, position=2)["id"]
    ok(env, SLUG, "add_text", slide_id=slide, text="word " * 95)
    ok(env, SLUG, "update_slide", slide_id=slide, notes="word " * 300)
    image = one(env, SLUG, "images", filename="margin-by-product.png")["id"]
    ok(env, SLUG, "add_image", slide_id=slide, image_id=image)
    expired = one(env, SLUG, "images", filename="cold-chain-truck.jpg")["id"]
    ok(env, SLUG, "add_image", slide_id=slide, image_id=expired, alt_text="Truck")
    found = [row["rule"] for row in ok(env, SLUG, "check_presentation", presentation_id=deck)["problems"]]
    assert found == ["too_many_words", "no_alt_text", "licence_over", "too_long"]
    ok(env, SLUG, "update_presentation", presentation_id=deck, audience="public")
    found = [row["rule"] for row in ok(env, SLUG, "check_presentation", presentation_id=deck)["problems"]]
    assert "internal_image" in found
    ok(env, SLUG, "update_slide", slide_id=slide, skipped=True)
    assert ok(env, SLUG, "check_presentation", presentation_id=deck)["ready"]


def test_slides_keep_their_order_and_internal_ones_stay_inside() -> None:
    env = environment(SLUG)
    deck = ok(env, SLUG, "create_presentation", title="Inside", template="Team briefing")["id"]
    last = one(env, SLUG, "slides", presentation_id=deck, position=4)["id"]
    ok(env, SLUG, "move_slide", slide_id=last, position=2)
    ok(env, SLUG, "add_slide", presentation_id=deck, title="New", position=1)
    shown = ok(env, SLUG, "get_presentation", presentation_id=deck)["slides"]
    assert [row["position"] for row in shown] == [1, 2, 3, 4, 5]
    assert [row["title"] for row in shown][:3] == ["New", "Inside", "Questions"]
    other = ok(env, SLUG, "create_presentation", title="Out", template="Conference talk", audience="public")["id"]
    assert refused(env, SLUG, "import_slide", slide_id=last, presentation_id=other) == "internal_only"
    share = {"presentation_id": deck, "email": "ana@north.example"}
    assert refused(env, SLUG, "share_presentation", **share) == "internal_only"
    ok(env, SLUG, "update_presentation", presentation_id=deck, audience="customer")
    assert refused(env, SLUG, "share_presentation", **share) == "not_published"
    assert rows(env, SLUG, "collaborators", presentation_id=deck) == []


def test_a_copy_knows_its_source_as_long_as_that_exists() -> None:
    env = environment(SLUG)
    deck = ok(env, SLUG, "create_presentation", title="Inside", template="Team briefing")["id"]
    source = one(env, SLUG, "slides", presentation_id=deck, position=4)["id"]
    copy = ok(env, SLUG, "import_slide", slide_id=source, presentation_id=deck)["id"]
    assert ok(env, SLUG, "get_slide", slide_id=copy)["copied_from"] == source
    ok(env, SLUG, "delete_slide", slide_id=source)
    assert ok(env, SLUG, "get_slide", slide_id=copy)["copied_from"] is None
