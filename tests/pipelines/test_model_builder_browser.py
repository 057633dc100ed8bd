"""The pages of a build with a model in Chromium: the form, the job, the session; axe in both themes."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from services_app import actions
from services_app.models import ModelSession, ModelTurn
from services_app.pipelines.model_building import ModelBuild
from tests.builders.model_scripts import FUNCTION, write_it
from tests.pipelines.test_model_builder import MODEL, specification
from webapp.common.models import Run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def session(settings: Any) -> ModelSession:
    """A stored session, as a stopped builder leaves it."""
    settings.WORKBENCH_MODEL = MODEL
    spec = specification()
    run = actions.start_build(specification=spec, by=None, by_model=ModelBuild(model=MODEL))
    Run.objects.update(state="queued")
    session = ModelSession.objects.create(
        role="builder", state="stopped", ended="The limit of 2 turns was reached.", run=run, slug=spec.slug,
        specification=spec, model=MODEL, limits={"turns": 2, "cost_usd": None}, turns=2, input_tokens=4_200,
        output_tokens=311, cost=Decimal("0.0123"),
    )  # fmt: skip
    call = write_it()[0].body["choices"][0]["message"]
    write = {"name": "write_file", "arguments": json.dumps({"name": "tools.py", "text": FUNCTION})}
    messages = [
        {"role": "system", "content": "You write one simulated application.\n" * 30},
        {"role": "user", "content": "The service is 'desk'."},
        call,
        {"role": "tool", "tool_call_id": call["tool_calls"][0]["id"], "content": "tools.py, lines 1 to 2 of 2:\na\nb"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "w", "type": "function", "function": write}]},
        {"role": "tool", "tool_call_id": "w", "content": "tools.py written, 8 lines."},
    ]
    for number, message in enumerate(messages):
        asked = message["role"] == "assistant"
        ModelTurn.objects.create(
            session=session, number=number, message=message, input_tokens=2_100 * asked, seconds=1.5 * asked,
            note="attempt 1: the provider limits the rate of requests" if number == 2 else "",
        )  # fmt: skip
    return session


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_source_reads_as_source(page_as: Any, session: ModelSession, theme: str) -> None:
    page = page_as("curator")
    page.emulate_media(color_scheme=theme)
    assert session.specification is not None
    assert session.run is not None
    paths = (
        f"/services/specifications/{session.specification.public_id}/model/",
        session.run.get_absolute_url(),
        "/services/sessions/?service=desk",
        f"/services/sessions/{session.public_id}/",
    )
    for path in paths:
        page.goto(page.url_of(path))
        found = Axe().run(page)
        assert not found.response["violations"], (path, found.generate_report())
    page.locator("#turn-4 summary").click()
    assert "def frobnicate_ticket" in page.locator("#turn-4 .code").inner_text()
    assert page.get_by_text("The limit of 2 turns was reached.").is_visible()
