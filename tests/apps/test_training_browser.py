"""Launch and watch a run in a real browser: preview and charts follow by themselves, axe finds nothing."""

import threading
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import connection

from tests.apps.training_rows import split_version, use_stand_in
from training_app import actions, exporting
from training_app.models import Export, TrainingRun
from webapp.common import runs

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


@pytest.fixture
def complaints(page: Any) -> list[str]:
    """Script errors, and whatever the content policy refused."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    return found


@pytest.fixture
def version(settings: Any, tmp_path: Path, live_url: str) -> Any:
    use_stand_in(settings, tmp_path, "--steps", 40, "--seconds", 0.1)
    return split_version()


def work(run_id: Any) -> threading.Thread:
    """A worker for one run, in a thread with a connection of its own."""

    def execute() -> None:
        try:
            runs.execute(run_id)
        finally:
            connection.close()

    thread = threading.Thread(target=execute)
    thread.start()
    return thread


def violations(page: Any) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found]


def test_launch_and_watch(page_as: Any, version: Any, complaints: list[str]) -> None:
    page = page_as("trainer")
    page.goto(page.url_of(f"/jobs/new/?kind=sft&dataset={version.dataset.slug}@{version.number}"))
    page.fill("#set-learning_rate", "0.002")
    page.locator("#set-learning_rate").dispatch_event("change")
    page.locator("#launch-command", has_text="learning_rate=0.002").wait_for(timeout=30_000)
    assert page.input_value("#set-learning_rate") == "0.002"
    assert violations(page) == []
    page.click("button[name=launch]")
    page.wait_for_url("**/jobs/job_*/")
    training = TrainingRun.objects.get()
    assert training.overrides == {"learning_rate": 0.002}
    worker = work(training.run_id)
    page.locator("#training-live svg.line-chart").first.wait_for(timeout=30_000)
    page.locator("#job-live").get_by_text("Succeeded").first.wait_for(timeout=60_000)
    worker.join()
    page.reload()
    assert page.locator("#training-live svg.line-chart").count() >= 1
    assert page.locator("select[name=checkpoint] option").first.inner_text() == "model"
    assert violations(page) == []
    assert complaints == []


def test_export_comes_to_its_end_on_the_page(page_as: Any, version: Any, complaints: list[str]) -> None:
    page = page_as("curator")
    page.goto(page.url_of("/datasets/"))
    assert violations(page) == []
    page.click(f"text={version.dataset.title}")
    page.click("a[data-row-link]")
    page.wait_for_url("**/v1/")
    assert violations(page) == []
    page.select_option("select[name=form]", "wire")
    page.click("form[action$='/export/'] button")
    page.wait_for_url("**/exports/exp_*/")
    worker = work(Export.objects.get().run_id)
    page.get_by_text("train.jsonl").first.wait_for(timeout=30_000)
    worker.join()
    assert violations(page) == []
    with page.expect_download() as download:  # through the real ASGI server
        page.click("text=train.jsonl")
    export = Export.objects.get()
    assert Path(download.value.path()).read_bytes() == (exporting.directory_of(export) / "train.jsonl").read_bytes()
    assert complaints == []


def test_an_evaluation_reads_well(page_as: Any, version: Any, settings: Any) -> None:
    evaluation = actions.evaluate(version=version, split="train", policy="reference", by=None)
    runs.execute(evaluation.run_id)
    page = page_as("viewer")
    page.goto(page.url_of(evaluation.get_absolute_url()))
    assert page.get_by_text("Success rate").first.is_visible()
    assert violations(page) == []
