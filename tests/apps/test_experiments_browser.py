"""The pages of experiments in a browser: started in two clicks, every state readable, axe in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.apps.experiment_rows import begin, prepare
from tests.apps.test_training_browser import violations
from training_app.experiments import starting
from training_app.models import Experiment

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


@pytest.fixture
def broken(settings: Any, tmp_path: Path, live_url: str) -> Path:
    """While this file exists, judging fails."""
    path = tmp_path / "broken"
    prepare(settings, tmp_path, "--broken", path)
    return path


def test_started_in_two_clicks(page_as: Any, broken: Path) -> None:
    page = page_as("trainer")
    page.goto(page.url_of("/jobs/"))
    page.get_by_role("link", name="Experiments").click()  # first
    page.get_by_text("No experiment yet").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Start").click()  # second
    page.get_by_role("heading", name="Composed against single-service tasks").wait_for()
    page.get_by_text("Waiting for a worker").wait_for()
    assert violations(page) == []
    plan = Experiment.objects.get().plan
    assert [arm["budget"]["tasks"] for arm in plan["arms"]] == [400, 400]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_likes_every_state(page_as: Any, broken: Path, settings: Any, theme: Any) -> None:
    page = page_as("trainer")
    page.emulate_media(color_scheme=theme)
    settings.WORKBENCH_RUN_INLINE = True
    done = begin()
    broken.touch()
    failed = begin("k")
    settings.WORKBENCH_RUN_INLINE = False
    waiting = starting.start("rewards", by=None)
    for path in (
        "/experiments/",
        *(one.get_absolute_url() for one in (done, failed, waiting)),
        done.run.get_absolute_url(),
    ):
        page.goto(page.url_of(path))
        assert violations(page) == [], path
    page.goto(page.url_of(failed.get_absolute_url()))
    page.get_by_text("The experiment stopped before its end").wait_for()
