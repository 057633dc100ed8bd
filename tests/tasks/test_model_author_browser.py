"""The author's part of the compose page, and the session of a task, in Chromium; axe in both themes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from services_app.batch_models import BatchItem
from services_app.models import ModelSession, ModelTurn
from tests.builders.model_scripts import use
from tests.catalogue import install_services
from tests.factories import make_run
from webapp.common.models import Run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
MODEL = "openai/stub"


def stored_session() -> ModelSession:
    """A session about a task, as a stopped author leaves it."""
    run = make_run(kind="generate", queue="author")
    item = BatchItem.objects.create(run=run, position=0, name="Task 1", state="failed", message="It ended.")
    session = ModelSession.objects.create(
        role="author", state="stopped", ended="The limit of 2 turns was reached.", run=run, item=item, model=MODEL,
        limits={"turns": 2}, turns=2, input_tokens=4_200, output_tokens=311, cost=Decimal("0.0123"),
    )  # fmt: skip
    call = use("design", instruction="Move the booking.", plant=[{"service": "mail", "table": "messages", "id": "m1"}])
    message = call.body["choices"][0]["message"]
    answer = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": "Designed: walk mail > crm."}
    for number, one in enumerate([{"role": "system", "content": "You write one task."}, message, answer]):
        ModelTurn.objects.create(session=session, number=number, message=one)
    return session


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_axe_finds_nothing_and_nothing_is_cut(page_as: Any, settings: Any, theme: str, width: int) -> None:
    settings.WORKBENCH_MODEL = MODEL
    install_services()
    session = stored_session()
    assert session.run is not None
    page = page_as("curator")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    for path in ("/compose/", f"/services/sessions/{session.public_id}/", session.run.get_absolute_url()):
        page.goto(page.url_of(path))
        if path == "/compose/":
            page.click("#author > summary")
            assert page.is_visible("text=A model writes each task in a session of its own")
        found = Axe().run(page)
        assert not found.response["violations"], (path, found.generate_report())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path} scrolls sideways"


def test_a_person_asks_for_a_model_and_the_job_says_so(page_as: Any, settings: Any) -> None:
    settings.WORKBENCH_MODEL = MODEL
    install_services()
    page = page_as("curator")
    page.goto(page.url_of("/compose/"))
    page.fill("#id_count", "1")
    page.fill("#id_k", "2")
    page.fill("#id_distractors", "1")
    page.fill("#id_length_min", "3")
    page.fill("#id_length_max", "4")
    page.click("#author > summary")
    page.check("input[name=author][value=model]")
    assert page.input_value("#id_model") == MODEL
    page.click("button:has-text('Generate tasks')")
    page.wait_for_url("**/jobs/**")
    assert page.is_visible(f"text=Generate 1 tasks over 2 services with {MODEL}")
    assert Run.objects.get(kind="generate").payload["author"] == "model"
