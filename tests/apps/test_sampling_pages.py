"""Modes of drawing, measured effects and the diversity of a set, on pages and over REST."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from services_app.models import EffectProfile, Service, Tool
from tasks_app import actions, composing, varieties
from tasks_app.composing import Asked
from tasks_app.engine.walk import WalkError
from tasks_app.models import Task
from tasks_app.policies.rules import NoopPolicy, ReferencePolicy
from tests.catalogue import SLUGS, install_services, install_tasks, install_trajectory, profiles

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]
SMALL = {"count": 3, "k": 2, "distractors": 1, "length_min": 3, "length_max": 4, "seed": 5}
API = "/api/v1"


def measure() -> None:
    for slug, profile in profiles().items():
        version_hash = Service.objects.get(slug=slug).current.version_hash  # type: ignore[union-attr]
        EffectProfile.objects.create(version_hash=version_hash, slug=slug, profile=profile.model_dump(mode="json"))


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.content[:500]
    return str(response.content.decode())


def reader() -> Any:
    from tests.factories import make_user

    client = APIClient()
    client.force_login(make_user("viewer"))
    return client


def test_the_preview_says_how_likely_the_set_is_and_what_is_not_measured(client_as: Any) -> None:
    install_services()
    client = client_as("curator")
    url = "/compose/?" + "&".join(f"{name}={value}" for name, value in SMALL.items())
    text = text_of(client.get(url))
    assert "The effects of 3 services are not measured yet" in text
    measure()
    measured = text_of(client.get(url))
    assert "not measured yet" not in measured
    shown = composing.one_draw(Asked(2, 1, (3, 4), SLUGS), 5)
    assert f"1 in {round(1 / shown.likelihood)}" in measured
    assert all(kinds for kinds in shown.feeds), "in a compatible draw of two, each has something for the other"
    assert text_of(client.get(url + "&mode=uniform")).count("1.00 times as often") == 1


def test_the_odometer_counts_service_sets_that_have_a_task() -> None:
    tasks = install_tasks()
    sets = {frozenset(task.to_spec().needed) for task in tasks}
    assert composing.odometer(Asked(2, 0, (3, 4), SLUGS)).used == len(sets)
    assert composing.odometer(Asked(2, 0, (3, 4), SLUGS[:1])).used == 0
    assert composing.odometer(Asked(3, 0, (3, 4), SLUGS)).used == 0


def test_failures_direct_the_draw_and_their_weights_are_kept_with_the_run(client_as: Any) -> None:
    task = install_tasks()[0]
    client = client_as("trainer")
    asked = {**SMALL, "k": 1, "length_min": 1, "length_max": 1, "mode": "failures"}
    assert "name the policy" in client.post("/compose/", asked).content.decode()
    install_trajectory(task, ReferencePolicy())
    assert "failed on these services" in client.post("/compose/", asked | {"policy": "reference"}).content.decode()
    install_trajectory(task, NoopPolicy(), index=1)
    assert client.post("/compose/", asked | {"policy": "noop"}).status_code == 302
    from webapp.common.models import Run

    payload = Run.objects.filter(kind="generate").latest("pk").payload
    needed = set(task.to_spec().needed)
    assert payload["mode"] == "failures"
    assert payload["policy"] == "noop"
    assert payload["weights"] == {slug: 67 if slug in needed else 50 for slug in SLUGS}


def test_impossible_modes_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    install_services()
    with pytest.raises(WalkError, match="mode failures only"):
        actions.check_request(count=1, k=2, distractors=0, length=(3, 3), services=(), policy="noop")
    from tasks_app.engine.flows import Flow

    apart = {slug: Flow(frozenset({slug}), frozenset({slug})) for slug in SLUGS}
    monkeypatch.setattr(composing, "known_flows", lambda pool: apart)
    monkeypatch.setattr(composing, "book_of", lambda slug: None)  # what phrase books know would join them
    composing._compatible.cache_clear()
    problem = reader().post(f"{API}/compositions/preview", {k: v for k, v in SMALL.items() if k != "count"}, "json")
    assert problem.status_code == 422
    assert "share no information" in problem.json()["errors"][0]["detail"]


def test_effects_are_on_the_tool_page_and_in_the_api(client_as: Any) -> None:
    install_services()
    tool = next(
        tool for tool in Tool.objects.filter(service__slug="crm").order_by("name")
        if tool.name in profiles()["crm"].tools and profiles()["crm"].tools[tool.name].creates
    )  # fmt: skip
    client = client_as("viewer")
    page = f"/services/crm/tools/{tool.exposed}/"
    assert "Not measured yet" in text_of(client.get(tool.get_absolute_url() or page))
    assert reader().get(f"{API}/services/crm/effect-profile").status_code == 404
    measure()
    text = text_of(client.get(tool.get_absolute_url() or page))
    measured = profiles()["crm"].tools[tool.name]
    assert "Measured effects" in text
    assert all(f'<span class="tag">{table}</span>' in text for table in measured.creates)
    found = reader().get(f"{API}/services/crm/effect-profile").json()
    assert found["profile"]["tools"][tool.name]["creates"] == list(measured.creates)
    assert f"{tool.name}: writes" in found["text"]
    assert "email" in found["shows"]


def test_diversity_of_a_list_and_of_one_job(client_as: Any, django_assert_max_num_queries: Any) -> None:
    tasks = install_tasks()
    install_trajectory(tasks[0], NoopPolicy())
    client = client_as("viewer")
    client.get("/tasks/")
    with django_assert_max_num_queries(12):
        text = text_of(client.get("/tasks/diversity/"))
    for piece in ("All 2 tasks that match", "Graph shapes", "Near-duplicates", "sequential dependency", "noop"):
        assert piece in text
    run = tasks[0].run
    assert run is not None
    assert "All 2 tasks" in text_of(client.get(f"/tasks/diversity/?run={run.public_id}"))
    assert "No task matches" in text_of(client.get("/tasks/diversity/?k=9"))
    assert "/tasks/diversity/?k=2" in text_of(client.get("/tasks/?k=2"))


def test_diversity_over_rest_agrees_with_the_artifacts() -> None:
    from tasks_app.engine.diversity import figures_of, traits_of

    tasks = install_tasks()
    found = reader().get(f"{API}/tasks/diversity?k=2").json()
    specs = [task.to_spec() for task in tasks]
    expected = figures_of([traits_of(spec) for spec in specs], domains={}, tools={})
    for name in ("tasks", "service_sets", "shapes", "skeletons", "kinds", "ways", "tags", "lengths", "calls"):
        assert found[name] == expected[name], name
    assert found["tools_used"] + len(found["unused_tools"]) == found["tools"] > 0
    assert reader().get(f"{API}/tasks/diversity?kk=2").status_code == 400


def test_traits_of_older_tasks_are_filled_in_by_the_migration() -> None:
    from importlib import import_module

    from django.apps import apps

    task = install_tasks()[0]
    kept = task.traits
    Task.objects.update(traits={})
    import_module("tasks_app.migrations.0002_task_traits").fill(apps, None)
    task.refresh_from_db()
    assert task.traits == kept != {}


def test_only_the_newest_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    install_tasks()
    monkeypatch.setattr(varieties, "MOST", 1)
    found = varieties.figures(Task.objects.all())
    assert (found["tasks"], found["matching"]) == (1, 2)
