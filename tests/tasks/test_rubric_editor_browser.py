"""The rubric editor in Chromium, by keyboard alone: edit, see what flips, save, and the new version is proven."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tasks_app import editions
from tasks_app.models import Task
from tasks_app.policies.rules import NoopPolicy, ReferencePolicy
from tests.catalogue import install_tasks, install_trajectory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


@pytest.fixture
def task(transactional_db: None) -> Task:
    made = install_tasks(1)[0]
    for policy in (ReferencePolicy(), NoopPolicy()):
        install_trajectory(made, policy)
    return made


def test_a_rubric_is_edited_tried_and_saved_by_keyboard(task: Task, page_as: Any, settings: Any) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    page = page_as("annotator")
    page.goto(page.url_of(task.get_absolute_url()))
    page.keyboard.press("e")
    page.wait_for_url("**/rubric/")
    check = page.get_by_label("Check (CEL)").first
    page.get_by_label("What it checks, in words").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Control+End")
    page.keyboard.type(" && cal")
    offered = page.locator(".completions:visible [role=option]")
    offered.first.wait_for()
    assert check.get_attribute("aria-activedescendant") == offered.first.get_attribute("id")
    page.keyboard.press("Enter")
    page.keyboard.type(".si")
    offered.first.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type(" > 99")
    assert check.input_value().endswith(" && calls.size() > 99")
    page.keyboard.press("Control+Enter")
    page.get_by_text("the reference solution fails").wait_for()
    assert page.locator("#trial-title").evaluate("one => one === document.activeElement")
    assert page.locator("#flips").get_by_text("1 of 2 verdicts flip").is_visible()
    check.focus()
    page.keyboard.press("Control+End")
    for _ in "99":
        page.keyboard.press("Backspace")
    page.keyboard.type("0")
    page.keyboard.press("Control+Enter")
    page.get_by_text("0 of 2 verdicts flip").wait_for()
    reason = page.get_by_label("Why it is changed")
    for _ in range(12):  # from the heading of the results to the reason, by Tab alone
        page.keyboard.press("Tab")
        if reason.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.type("A run without calls must not pass.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: task.public_id not in url and "/tasks/task_" in url)
    made = Task.objects.get(edition=2)
    task.refresh_from_db()
    assert (made.status, task.status) == ("verified", "stale")
    versions = page.locator("#versions")
    assert versions.get_by_text("A run without calls must not pass.").is_visible()
    assert page.locator("h1").get_by_text("Verified").is_visible()


def test_completion_by_key_and_by_mouse_and_a_fault_beside_its_field(task: Task, page_as: Any) -> None:
    page = page_as("curator")
    page.goto(page.url_of(f"{task.get_absolute_url()}rubric/"))
    check = page.get_by_label("Check (CEL)").first
    check.fill("")
    page.keyboard.press("Control+Space")
    offered = page.locator(".completions:visible [role=option]")
    offered.get_by_text("after", exact=True).click()
    page.keyboard.type(".")
    offered.first.wait_for()
    page.keyboard.press("ArrowDown")
    assert offered.nth(1).get_attribute("aria-selected") == "true"
    page.keyboard.press("Escape")
    assert not offered.count()
    page.keyboard.type("mial.messages.size() == 0")
    page.keyboard.press("Control+Enter")
    page.get_by_text("no such service is mounted. Did you mean mail?").wait_for()
    assert page.get_by_label("Check (CEL)").first.get_attribute("aria-invalid") == "true"
    assert not page.locator("#save").count()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_axe_finds_nothing_and_nothing_is_cut(task: Task, page_as: Any, settings: Any, theme: str, width: int) -> None:
    page = page_as("curator")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)

    def look(what: str) -> None:
        found = Axe().run(page)
        assert not found.response["violations"], (what, found.generate_report())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{what} scrolls sideways"

    page.goto(page.url_of(f"{task.get_absolute_url()}rubric/"))
    check = page.get_by_label("Check (CEL)").first
    text = check.input_value()
    check.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" && calls.")
    page.locator(".completions:visible [role=option]").first.wait_for()
    look("editor with completions")
    page.keyboard.press("Escape")
    check.fill(f"({text}) || calls.size() == 0")
    page.keyboard.press("Control+Enter")
    page.locator("#save").wait_for()
    look("tried")
    rubric = task.to_spec().rubric
    other = [rubric[0].model_copy(update={"expression": "calls.size() > 0"}), *rubric[1:]]
    editions.save_edition(task=task, rubric=other, reason="Theirs.", by=None)
    page.get_by_label("Why it is changed").fill("Mine.")
    page.get_by_role("button", name="Save as a new version").click()
    page.locator("#conflict").wait_for()
    look("conflict")
    settings.WORKBENCH_RUN_INLINE = True
    page.goto(page.url_of("/tasks/regrading/"))
    look("re-grading")
    page.fill("#id_expression", "calls.size() == 0")
    page.get_by_role("button", name="Re-grade").click()
    page.get_by_text("Verdicts that flip").wait_for()
    look("a re-grading run")
