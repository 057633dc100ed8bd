"""The compose page in a browser: a change of any control draws anew, without a reload; axe likes the pages."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.catalogue import install_tasks

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


def test_a_change_of_seed_or_mode_draws_anew(page_as: Any) -> None:
    install_tasks()
    page = page_as("trainer")
    page.goto(page.url_of("/compose/"))
    page.evaluate("window.sameDocument = true")
    page.fill("#id_k", "2")
    page.fill("#id_distractors", "1")
    page.fill("#id_length_min", "3")
    with page.expect_response(lambda answer: "length_max=6" in answer.url):  # or the walk seen is an earlier one
        page.fill("#id_length_max", "6")
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)
    page.locator("#preview .stat", has_text="Service sets").get_by_text("3", exact=True).wait_for()
    walk = page.locator("#preview dd").first
    drawn = {walk.inner_text()}
    for seed in ("8", "9", "10"):  # two seeds may well draw the same
        with page.expect_response(lambda answer, seed=seed: f"seed={seed}&" in answer.url) as answered:
            page.fill("#id_seed", seed)
        found = re.search(r'<dd class="mono">(.*?)</dd>', answered.value.text())
        assert found is not None
        expect(walk).to_have_text(found[1])
        drawn.add(found[1])
    assert len(drawn) > 1
    page.select_option("#id_mode", "failures")
    page.get_by_text("name the policy whose failures direct the draw").wait_for()
    page.select_option("#id_mode", "domain")
    page.locator("#preview .stat", has_text="This set is drawn").wait_for()
    page.fill("#id_length_max", "2")
    page.get_by_text("the length range 3..2 is empty").wait_for()
    assert page.evaluate("window.sameDocument") is True


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_likes_the_pages(page_as: Any, theme: Any) -> None:
    install_tasks()
    page = page_as("trainer")
    page.emulate_media(color_scheme=theme)
    for path in ("/compose/?count=3&k=2&distractors=1&length_min=3&length_max=4&seed=5", "/tasks/diversity/"):
        page.goto(page.url_of(path))
        found = Axe().run(page).response["violations"]
        assert found == [], [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]
