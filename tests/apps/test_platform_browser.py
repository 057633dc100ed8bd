"""The platform's pages in a real browser: sign in, watch a job end, cancel it; nothing breaks the content policy."""

import re

import pytest

from tests.factories import make_run, make_user
from webapp.common import run_store
from webapp.common.models import Run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


@pytest.fixture
def complaints(page):
    """What the browser complained about: script errors, and whatever the content policy refused."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    return found


def test_sign_in_and_come_to_the_wanted_page(page, live_url, complaints):
    make_user(username="ada")
    page.goto(f"{live_url}/jobs/?state=failed")
    page.fill("input[name=username]", "ada")
    page.fill("input[name=password]", "correct horse 9 staple")
    page.click("main button.primary")
    page.wait_for_url(f"{live_url}/jobs/?state=failed")
    assert page.locator("h1").inner_text() == "Jobs"
    assert complaints == []


def test_a_job_page_follows_its_job_to_the_end_without_reload(page_as, complaints):
    page = page_as("viewer")
    run = make_run(state="running", title="Build mail", phase="writing tools", done=1, total=4, unit="tools")
    run_store.add_event(run.pk, "tool 1 written")
    page.goto(page.url_of(run.get_absolute_url()))
    page.evaluate("window.sameDocument = true")
    page.get_by_text("tool 1 written").wait_for()
    run_store.add_event(run.pk, "tool 2 written")
    run_store.write(run, done=2)
    page.get_by_text("tool 2 written").wait_for(timeout=30_000)
    run_store.finish(run, "succeeded")
    run_store.add_event(run.pk, "Finished: succeeded")
    page.get_by_text("Finished: succeeded").wait_for(timeout=30_000)
    page.locator("#job-live").get_by_text("Succeeded").first.wait_for(timeout=30_000)
    page.wait_for_timeout(2_500)
    assert page.locator("[hx-trigger='every 2s']").count() == 0
    assert page.locator(".log li", has_text="tool 1 written").count() == 1
    assert page.evaluate("window.sameDocument") is True
    assert complaints == []


def test_stop_and_keep_takes_one_click(page_as, complaints):
    page = page_as("trainer")
    run = make_run(state="running", title="Long run")
    page.goto(page.url_of(run.get_absolute_url()))
    page.click("text=Stop and keep")
    page.locator("#job-live").get_by_text("Cancelling").first.wait_for(timeout=30_000)
    assert Run.objects.get(pk=run.pk).cancel_mode == "keep"
    assert complaints == []


def test_filters_change_the_address_and_the_table(page_as, complaints):
    page = page_as("viewer")
    make_run(state="failed", title="Broken build")
    make_run(title="Waiting build")
    page.goto(page.url_of("/jobs/"))
    page.select_option("select[name=state]", "failed")
    page.wait_for_url(re.compile("state=failed"))
    page.locator("#table").get_by_text("Waiting build").wait_for(state="detached")
    page.click("text=Broken build")
    page.wait_for_url(re.compile("/jobs/job_"))
    page.go_back()
    page.locator("#table").get_by_text("Broken build").wait_for()
    assert "state=failed" in page.url
    assert page.locator("html").count() == 1
    assert complaints == []


def test_home_loads_its_cards(page_as, complaints):
    page = page_as("viewer")
    make_run(title="A visible job")
    page.goto(page.url_of("/"))
    page.locator("#card-jobs").get_by_text("A visible job").wait_for()
    page.locator("#card-activity").get_by_text("Nothing has changed yet").wait_for()
    assert complaints == []


def test_the_api_docs_draw_themselves_under_the_policy(page_as, complaints):
    page = page_as("viewer")
    page.goto(page.url_of("/api/docs/"))
    page.locator(".opblock").first.wait_for(timeout=20_000)
    assert [text for text in complaints if "script" in text.lower()] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_is_accessible(page_as, theme):
    from axe_playwright_python.sync_playwright import Axe

    page = page_as("admin")
    page.user.theme = theme
    page.user.save()
    failed = make_run(state="failed", title="Broken build", created_by=page.user, payload={"slug": "mail"})
    run_store.add_event(failed.pk, "It broke here", "error")
    live = make_run(state="running", phase="writing tools", done=3, total=10, unit="tools")
    found = {}
    for path in (
        "/",
        "/jobs/",
        failed.get_absolute_url(),
        live.get_absolute_url(),
        "/activity/",
        "/settings/appearance/",
        "/settings/tokens/",
        "/manage/users/",
        "/manage/users/new/",
        "/help/problems/",
        "/nowhere/",
    ):
        page.goto(page.url_of(path))
        for violation in Axe().run(page).response["violations"]:
            found[f"{path} {violation['id']}"] = [node["html"][:160] for node in violation["nodes"][:3]]
    assert found == {}
