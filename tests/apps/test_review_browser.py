"""A curator at the keyboard: thirty tools decided, a filter quarantined and taken back, pages that axe likes."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from services_app.models import Tool, ToolDecision
from tests.catalogue import install_services
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REASON_KEYS = ("3", "4", "5")


@pytest.fixture
def curator(page: Any, live_url: str) -> Any:
    """A page signed in as a curator, with thirty-two quarantined tools and the rest verified."""
    install_services()
    Tool.objects.update(status="verified", gate_status="verified")
    ids = list(Tool.objects.order_by("pk").values_list("pk", flat=True)[:32])
    Tool.objects.filter(pk__in=ids).update(status="quarantined", gate_status="quarantined", reason="writes: no change")
    user = make_user("curator")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_url}/login/")
    page.fill("input[name=username]", user.username)
    page.fill("input[name=password]", "correct horse 9 staple")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_url}/")
    page.curator = user
    return page


def press_until_the_next(page: Any, *keys: str) -> None:
    """Press keys and wait until the heading is another one."""
    before = page.locator("h1").inner_text()
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("h1")).not_to_have_text(before)


def test_thirty_tools_by_keyboard_alone(curator: Any) -> None:
    page = curator
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/review/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("#focus")
    for number in range(30):
        keys = ("a", "1") if number % 5 == 4 else ("q", REASON_KEYS[number % 3])
        press_until_the_next(page, *keys)
    decided = ToolDecision.objects.filter(by=page.curator)
    assert decided.count() == 30
    assert decided.filter(kind="approve", after="verified").count() == 6
    press_until_the_next(page, "z")  # the last decision comes back, and its tool is on the page again
    assert ToolDecision.objects.filter(kind="undo").count() == 1
    assert Tool.objects.filter(status="quarantined").count() == 32 - 5


def test_everything_that_matches_in_four_clicks_and_one_undo(curator: Any, live_url: str) -> None:
    page = curator
    before = dict(Tool.objects.values_list("pk", "status"))
    wanted = set(Tool.objects.filter(service__slug="crm", status="verified").values_list("pk", flat=True))
    page.goto(f"{live_url}/tools/?service=crm&limit=10")
    page.click("[data-select-all]")
    page.click("[data-selection-all]")
    page.click("button[name=action][value=quarantine]")
    page.click("button[name=confirm]")
    page.wait_for_selector("text=decided at once")
    after = dict(Tool.objects.values_list("pk", "status"))
    assert len(wanted) > 10
    assert {pk for pk in after if after[pk] != before[pk]} == wanted
    page.keyboard.press("z")
    page.wait_for_selector("text=as they were")
    assert dict(Tool.objects.values_list("pk", "status")) == before


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_of_review(curator: Any, live_url: str, theme: str) -> None:
    page = curator
    page.emulate_media(color_scheme=theme)
    tool = Tool.objects.order_by("pk")[0]
    for path in ("/review/", f"/review/{tool.public_id}/", "/tools/?service=mail", tool.get_absolute_url()):
        page.goto(live_url + path, wait_until="networkidle")
        found = Axe().run(page).response["violations"]
        assert [(path, one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    page.goto(f"{live_url}/review/{tool.public_id}/", wait_until="networkidle")
    page.keyboard.press("q")
    assert Axe().run(page).response["violations"] == []
