"""The language of instructions: asked for on the page and by REST, kept with the run, refused in words."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from services_app.pipelines.model_requests import AskedError
from tasks_app import actions
from tasks_app.engine.walk import WalkError
from tasks_app.model_writing import model_authoring
from tests.catalogue import SLUGS, install_services
from tests.factories import make_user
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]
SMALL = {"count": 3, "k": 2, "distractors": 1, "length_min": 3, "length_max": 4, "seed": 5}
CHINESE = "zh-hans"


def test_the_compose_page_offers_languages_and_keeps_the_one_chosen(client_as: Any) -> None:
    install_services()
    client = client_as("curator")
    assert "Chinese (Simplified)" in client.get("/compose/").content.decode()
    assert client.post("/compose/", SMALL | {"language": CHINESE}).status_code == 302
    run = Run.objects.filter(kind="generate").latest("pk")
    assert run.payload["language"] == CHINESE
    assert set(run.payload["services"]) == set(SLUGS)
    assert "Chinese (Simplified)" in client.get(run.get_absolute_url()).content.decode()
    assert client.post("/compose/", SMALL | {"language": "latin"}).status_code == 422


def test_rest_takes_a_language_and_refuses_others() -> None:
    install_services()
    client: Any = APIClient()
    client.force_login(make_user("curator"))
    url = "/api/v1/tasks/generate"
    answer = client.post(url, SMALL | {"language": CHINESE}, "json", headers={"Idempotency-Key": "language-1"})
    assert answer.status_code == 202, answer.content
    assert Run.objects.get(kind="generate").payload["language"] == CHINESE
    refused = client.post(url, SMALL | {"language": "latin"}, "json", headers={"Idempotency-Key": "language-2"})
    assert refused.status_code == 422


def test_a_service_without_a_phrase_book_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    install_services()
    silent = SLUGS[0]
    monkeypatch.setattr(actions, "book_of", lambda slug: None if slug == silent else object())
    wanted: dict[str, Any] = {"count": 1, "k": 1, "distractors": 0, "length": (1, 1), "mode": "uniform"}
    with pytest.raises(WalkError, match=f"there is none of {silent}"):
        actions.check_request(**wanted, services=list(SLUGS), language=CHINESE)
    drawn_from = actions.check_request(**wanted, services=(), language=CHINESE)
    assert set(drawn_from.pool) == set(SLUGS) - {silent}
    assert set(actions.check_request(**wanted, services=()).pool) == set(SLUGS)


def test_models_are_asked_for_english_only() -> None:
    for author, rephrase in (("model", False), ("rules", True)):
        with pytest.raises(AskedError, match="English only"):
            model_authoring(author, {}, rephrase=rephrase, language=CHINESE)
    assert model_authoring("rules", {}, language=CHINESE) is None
