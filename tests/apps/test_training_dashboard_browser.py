"""The ways through the dashboard in a real browser, counted in clicks; axe on every new page in both themes."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.apps.rollout_rows import GOOD, group_rows, store_step
from tests.apps.test_training_browser import violations
from tests.apps.training_rows import launch, split_version, use_stand_in
from training_app import journal
from training_app.models import TrainingRun
from webapp.common.models import Run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
BAD = [GOOD[0], ("move_lead", {"id": 7, "stage": "lost"})]


@pytest.fixture
def version(settings: Any, tmp_path: Path, live_url: str) -> Any:
    use_stand_in(settings, tmp_path)
    return split_version()


@pytest.fixture
def grpo(version: Any) -> TrainingRun:
    """Twenty steps with a dip of the reward at step 10."""
    training = launch(version, "grpo", start="model:org/name")
    lines = []
    for step in range(1, 21):
        worse = [{"sent": n == 0, "amount": n == 0 or step != 10} for n in range(4)]
        groups = [group_rows(step, 0, "a" * 32, [{"sent": True, "amount": n < 3} for n in range(4)])]
        groups.append(group_rows(step, 1, "b" * 32, worse, [GOOD, BAD, BAD, BAD]))
        store_step(training, step, groups)
        level = 0.1 if step == 10 else 0.7
        lines.append(
            {"kind": "rollouts", "step": step, "reward": level, "success_rate": level / 2, "rubric_score": level}
        )
    journal.store_metrics(training, lines)
    return training


def test_from_a_dip_to_the_deciding_step_in_four_clicks(page_as: Any, grpo: TrainingRun) -> None:
    page = page_as("viewer")
    page.goto(page.url_of("/jobs/"))
    page.click(f"a[href^='{grpo.run.get_absolute_url()}']")  # the job: first click
    chart = page.locator("svg[data-chart]").first
    chart.wait_for()
    left, top, width, height = map(float, (chart.get_attribute("data-plot") or "").split())
    scale = chart.bounding_box()["width"] / 480
    at = {"x": (left + width * 9 / 19) * scale, "y": (top + height / 2) * scale}
    chart.hover(position=at)
    page.locator(".chart-tip", has_text="10").first.wait_for()
    others = page.locator("svg[data-chart] .crosshair")
    assert {others.nth(n).get_attribute("visibility") for n in range(others.count())} == {"visible"}
    chart.click(position=at)  # second: the point
    page.wait_for_url("**/rollouts/?step=10")
    page.locator("tbody tr").first.locator("a").first.click()  # third: the worst group
    page.wait_for_url("**/rollouts/10/1/")
    page.locator(".chip-step.first").first.click()  # fourth: where it left the best one's path
    page.wait_for_url("**/rollouts/10/1/1/#s-2")
    assert page.locator("#s-2 details").get_attribute("open") is not None
    assert "won" in page.locator(".banner").inner_text()


def test_moving_lambda_redraws_every_figure(page_as: Any, version: Any) -> None:
    page = page_as("viewer")
    page.goto(page.url_of("/reward-lab/"))
    figures = page.locator("#lab-figures")
    assert "0.205882" in figures.inner_text()
    slider = page.locator("[data-mirror]")
    slider.focus()
    slider.fill("0.5")
    page.locator("#lab-figures", has_text="0.350000").wait_for()  # (0.5 + 0.2) / (0.5 + 0.2 + 0.5 + 0.8)
    assert page.input_value("#id_lam") == "0.5"
    assert "lam=0.5" in page.url
    page.check("input[name=dead][value='0']")
    page.locator("#lab-figures", has_text="4 of 8 rollouts count").wait_for()
    page.reload()
    assert "4 of 8 rollouts count" in figures.inner_text()


def test_launch_in_three_clicks_stop_and_resume_in_two(page_as: Any, version: Any) -> None:
    page = page_as("trainer")
    page.goto(page.url_of("/"))
    page.click("nav a[href='/jobs/']")
    page.click("a[href='/jobs/new/']")
    page.click("button[name=launch]")
    page.wait_for_url("**/jobs/job_*/")
    training = TrainingRun.objects.get()
    page.get_by_role("button", name="Stop and keep").click()
    page.locator("#job-live").get_by_text("Cancelled").first.wait_for()
    page.get_by_role("button", name="Resume").click()
    page.locator("#job-live").get_by_text("Queued").first.wait_for()
    assert Run.objects.get(pk=training.run_id).state == "queued"


def test_zoom_survives_a_refresh_of_the_charts(page_as: Any, grpo: TrainingRun) -> None:
    page = page_as("viewer")
    page.goto(page.url_of(grpo.run.get_absolute_url()))
    chart = page.locator("svg[data-chart]").first
    box = chart.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    stretched = chart.locator("[data-lines]").get_attribute("transform")
    assert "scale" in (stretched or "")
    page.locator("input[name=log]").check()
    page.wait_for_url("**log=1**")
    lines = page.locator("svg[data-chart]").first.locator("[data-lines]")
    expect(lines).to_have_attribute("transform", stretched or "")  # the address changes before the charts do


def test_axe_finds_nothing_in_either_theme(page_as: Any, grpo: TrainingRun) -> None:
    page = page_as("trainer")
    base = f"/training/{grpo.public_id}/rollouts"
    paths = [grpo.run.get_absolute_url(), f"{base}/?step=10", f"{base}/10/1/", f"{base}/10/1/1/", "/reward-lab/"]
    paths += [f"/training/compare/?ids={grpo.public_id}", f"/jobs/new/?clone={grpo.public_id}"]
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for path in paths:
            page.goto(page.url_of(path))
            assert violations(page) == [], (theme, path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
