"""Importing through jobs: many files, updates with their differences, registries, and secrets that stay sealed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from services_app import actions
from services_app.batch_models import BatchItem
from services_app.models import Specification
from services_app.pipelines import batch, imports
from services_app.sealed import SealError, seal, unseal
from tests.pipelines.test_build_all import context_of
from tests.specs.test_registry import REMOTE, Registry, entry, page
from webapp.common.models import Activity, Run
from webapp.common.runs import LostLease, RunFailed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]

KEY = "harbour-key-4711"


def tool(name: str, *parameters: str, **more: Any) -> dict[str, Any]:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    return {"name": name, "description": more.pop("description", "Of the zoo, whichever is open now."),
            "inputSchema": {"type": "object", "properties": properties, **more}}  # fmt: skip


def zoo(*tools: dict[str, Any], name: str = "zoo") -> bytes:
    return json.dumps({"name": name, "tools": list(tools)}).encode()


OLD = zoo(tool("list_animals"), tool("get_animal", "animal_id"), tool("feed_animal", "animal_id"))
NEW = zoo(
    tool("list_animals"),
    tool("get_animal", "animal_id", "fields", required=["animal_id"]),
    tool("create_animal", "name"),
)


@pytest.mark.usefixtures("inline_runs")
def test_many_files_are_one_job_with_a_report() -> None:
    actions.import_text(text=OLD, name="zoo.json", by=None)
    broken = tool("broken", properties={"x": {"$ref": "#/$defs/Gone"}})
    files = [
        ("farm.json", zoo(tool("list_cows"), broken, name="farm")),
        ("again.json", OLD),
        ("zoo.json", NEW),
        ("bad.json", b"{oops"),
        ("wide.json", '{"tools": []}'.encode("utf-16")),
        ("<b>.json", b"\x00\xff"),
    ]
    run = actions.start_import_files(files=files, by=None)
    run.refresh_from_db()
    assert (run.state, run.result) == ("succeeded", {"imported": 1, "known": 1, "updated": 1, "failed": 3, "tools": 7})
    rows = {row["name"]: row for row in map(batch.row_of, batch.items_of(run.pk))}
    assert rows["farm.json"]["result"]["refused"] == {"broken": rows["farm.json"]["result"]["refused"]["broken"]}
    assert rows["farm.json"]["result"]["score"] < 100
    assert rows["zoo.json"]["message"] == "Tools: 1 added, 1 removed, 1 changed."
    assert rows["bad.json"]["failure"]["kind"] == "file:not-json"
    assert "UTF-16" in rows["wide.json"]["message"]
    assert not BatchItem.objects.exclude(content=b"").exists(), "contents are not kept twice"


@pytest.mark.usefixtures("inline_runs")
def test_a_retry_of_an_import_says_that_the_files_are_gone() -> None:
    run = Run.objects.create(**{**_row(), "kind": "import-files"})
    with pytest.raises(RunFailed, match="Import them again"):
        imports.import_files(context_of(run))


def _row() -> dict[str, Any]:
    from tests.factories import make_run

    made = make_run(state="running", queue="build")
    fields = {field.attname: getattr(made, field.attname) for field in Run._meta.concrete_fields if field.name != "id"}
    made.delete()
    return fields


def test_an_update_links_to_what_it_replaces_and_shows_the_difference(client_as: Any, api_as: Any) -> None:
    first, _ = actions.import_text(text=OLD, name="zoo.json", by=None)
    second, created = actions.import_text(text=NEW, name="zoo.json", by=None)
    assert (created, second.replaces, first.replaces) == (True, first, None)
    assert actions.import_text(text=NEW, name="zoo.json", by=None) == (second, False)
    answer = api_as("catalog:read").get(f"/api/v1/specifications/{second.public_id}/diff").json()
    assert (answer["added"], answer["removed"], answer["same"]) == (["create_animal"], ["feed_animal"], 1)
    (change,) = answer["changed"]
    assert (change["name"], change["breaking"]) == ("get_animal", True)
    assert {field["pointer"] for field in change["fields"]} == {
        "/inputSchema/properties/fields", "/inputSchema/required",
    }  # fmt: skip
    assert (answer["replaces"], answer["is_built"], answer["impact"]) == (first.public_id, False, [])
    alone = api_as("catalog:read").get(f"/api/v1/specifications/{first.public_id}/diff").json()
    assert (alone["replaces"], alone["same"]) == (None, 3)
    client = client_as("viewer")
    body = client.get(reverse("specification", args=[second.pk])).content.decode()
    assert "What is new" in body
    assert "feed_animal" in body
    assert "There is newer content" in client.get(reverse("specification", args=[first.pk])).content.decode()
    listed = client.get(reverse("specifications")).content.decode()
    assert listed.count("<tr data-row>") == 2


@pytest.mark.usefixtures("inline_runs")
def test_an_update_shows_what_it_would_make_stale_before_it_is_built(client_as: Any) -> None:
    from services_app import dependants
    from services_app.dependants import Impact

    first, _ = actions.import_text(text=OLD, name="zoo.json", by=None)
    actions.start_build(specification=first, by=None)
    second, _ = actions.import_text(text=NEW, name="zoo.json", by=None)
    marked: list[str] = []
    known = list(dependants._registered)
    dependants._registered.append(
        dependants.Dependants(
            lambda tools: [Impact("tasks of this test", len(list(tools)))],
            lambda tools, reason: marked.append(reason) or [],  # type: ignore[func-returns-value]
            lambda ids: 0,
        )
    )
    try:
        page_of = reverse("specification", args=[second.pk])
        assert "3 tasks of this test" in client_as("viewer").get(page_of).content.decode()
        actions.start_build(specification=second, by=None)
        assert marked == ["zoo has a new version"]
        assert "tasks of this test" not in client_as("viewer").get(page_of).content.decode()
    finally:
        dependants._registered[:] = known


@pytest.fixture
def registry() -> Iterator[Registry]:
    made = Registry()
    yield made
    made.server.shutdown()
    made.server.server_close()


PAGES = {
    "": page([entry("a/one", remotes=[REMOTE]), entry("a/two", packages=[{"identifier": "two"}]), 7], "p2"),
    "p2": page([entry("a/three", remotes=[REMOTE])], None),
}


@pytest.mark.usefixtures("inline_runs")
def test_a_registry_is_listed_and_nothing_else_is_fetched(registry: Registry, client_as: Any) -> None:
    registry.answer = lambda cursor, number: PAGES[cursor]
    run = actions.start_registry_import(url=registry.url, by=None)
    run.refresh_from_db()
    assert (run.state, run.result) == ("succeeded", {"listed": 2, "failed": 2}), run.failure_message
    assert {seen["path"] for seen in registry.seen} == {"/v0/servers"}
    assert not Specification.objects.exists()
    body = client_as("curator").get(reverse("batch", args=[run.pk])).content.decode()
    link = reverse("service-new") + "?http=https%3A//one.example/mcp"
    assert link in body
    assert "start it yourself" in body
    assert 'value="https://one.example/mcp"' in client_as("curator").get(link).content.decode()


def test_a_registry_that_fails_is_read_on_from_the_last_whole_page(registry: Registry) -> None:
    registry.answer = lambda cursor, number: PAGES[cursor] if number != 2 else (404, {}, b"")
    run = Run.objects.create(**{**_row(), "kind": "import-registry", "payload": {"url": registry.url}})
    with pytest.raises(RunFailed) as caught:
        imports.import_registry(context_of(run), sleep=lambda seconds: None)
    assert caught.value.kind == "registry:status"
    assert BatchItem.objects.filter(run=run).count() == 3
    assert imports.import_registry(context_of(run), sleep=lambda seconds: None) == {"listed": 2, "failed": 2}
    assert [seen.get("cursor", "") for seen in registry.seen] == ["", "p2", "p2"]
    assert imports.import_registry(context_of(run), sleep=lambda seconds: None) == {"listed": 2, "failed": 2}
    assert len(registry.seen) == 3, "what is read whole is not asked for again"


def test_a_reading_that_lost_its_lease_writes_nothing_more(registry: Registry) -> None:
    registry.answer = lambda cursor, number: PAGES[cursor]
    run = Run.objects.create(**{**_row(), "kind": "import-registry", "payload": {"url": registry.url}})
    context = context_of(run)
    Run.objects.filter(pk=run.pk).update(fence=5)
    with pytest.raises(LostLease):
        imports.import_registry(context, sleep=lambda seconds: None)
    assert not BatchItem.objects.exists()


SECRET = f"Bearer {KEY}"


def everything_kept() -> str:
    rows = [*Run.objects.values(), *Activity.objects.values(), *Specification.objects.values()]
    events = [list(run.events.values_list("message", "data")) for run in Run.objects.all()]
    return json.dumps([rows, events], default=str)


@pytest.mark.usefixtures("inline_runs")
@pytest.mark.parametrize(
    "source",
    [
        {"http": f"http://me:{KEY}@127.0.0.1:9/mcp?api_key={KEY}", "headers": {"Authorization": SECRET}},
        {"stdio": f"/no/such/program --api-key {KEY}"},
    ],
)
def test_no_secret_of_a_live_import_is_kept_in_plain(source: dict[str, Any], client_as: Any, user: Any) -> None:
    run = actions.start_import(by=user("curator"), **source)
    run.refresh_from_db()
    assert run.state == "failed", run.failure_message
    assert KEY not in everything_kept()
    assert KEY not in client_as("admin").get(run.get_absolute_url()).content.decode()
    opened = unseal(run.payload["sealed"])
    assert KEY in json.dumps(opened)
    assert run.payload["headers"] == sorted(source.get("headers", {}))


def test_a_seal_opens_with_its_own_key_only(settings: Any) -> None:
    sealed = seal({"a": KEY})
    assert unseal(sealed) == {"a": KEY}
    settings.SECRET_KEY = "another"
    with pytest.raises(SealError, match="SECRET_KEY"):
        unseal(sealed)


def test_headers_from_the_page_and_over_rest(client_as: Any, api_as: Any, tmp_path: Path) -> None:
    client, address = client_as("curator"), reverse("service-new")
    form = {"http": "https://mcp.example/mcp", "headers": f"Authorization: {SECRET}\nX-Team: zoo"}
    assert client.post(address, form).status_code == 302
    run = Run.objects.get()
    assert run.payload["headers"] == ["Authorization", "X-Team"]
    assert unseal(run.payload["sealed"])["headers"]["Authorization"] == SECRET
    for wrong in ("no colon", "Bad Name: x", "A: b\x00", "A:", "Ü: x"):
        assert client.post(address, {**form, "headers": wrong}).status_code == 422
    assert client.post(address, {"stdio": "server", "headers": "A: b"}).status_code == 422
    assert client.post(address, {"http": form["http"], "registry": form["http"]}).status_code == 422
    api = api_as("review:write", role="curator")
    path = "/api/v1/specifications"
    body = {"http": form["http"], "headers": {"Authorization": SECRET}}
    assert api.post(path, body, format="json", HTTP_IDEMPOTENCY_KEY="a").status_code == 202
    wrong_header = {**body, "headers": {"A\r\nB": "x"}}
    assert api.post(path, wrong_header, format="json", HTTP_IDEMPOTENCY_KEY="b").status_code == 422
    assert api.post(path, {"stdio": "a 'b"}, format="json", HTTP_IDEMPOTENCY_KEY="c").status_code == 422
    assert Run.objects.count() == 2


def test_several_files_from_the_page_and_over_rest(client_as: Any, api_as: Any) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    client, address = client_as("curator"), reverse("service-new")
    files = [SimpleUploadedFile("a.json", OLD), SimpleUploadedFile("b.json", b"{oops")]
    response = client.post(address, {"file": files})
    run = Run.objects.get(kind="import-files")
    assert (response.status_code, response["Location"]) == (302, run.get_absolute_url())
    assert list(BatchItem.objects.values_list("name", flat=True)) == ["a.json", "b.json"]
    one = client.post(address, {"file": SimpleUploadedFile("a.json", OLD)})
    assert one["Location"] == reverse("specification", args=[Specification.objects.get().pk])
    api = api_as("review:write", "catalog:read", role="curator")
    body = {"files": [{"name": "a.json", "text": NEW.decode()}, {"name": "empty.json", "text": ""}]}
    answer = api.post("/api/v1/specifications", body, format="json", HTTP_IDEMPOTENCY_KEY="a")
    assert answer.status_code == 202
    items = api.get(f"/api/v1/batches/{answer.json()['id']}/items").json()["data"]
    assert [item["state"] for item in items] == ["waiting", "waiting"]
    empty = {"files": []}
    assert api.post("/api/v1/specifications", empty, format="json", HTTP_IDEMPOTENCY_KEY="b").status_code == 422


def test_the_rules_of_the_linter_are_public_in_the_workbench(client_as: Any, api_as: Any) -> None:
    from services_app.specs.lint_rules import RULES

    body = client_as("viewer").get(reverse("lint-rules")).content.decode()
    rows = api_as("catalog:read").get("/api/v1/lint-rules").json()
    assert {row["code"] for row in rows} == set(RULES)
    assert all(f'id="{code}"' in body for code in RULES)


@pytest.mark.usefixtures("inline_runs")
def test_lint_scores_are_kept_with_specifications_and_tools(client_as: Any) -> None:
    from services_app.models import Tool

    specification, _ = actions.import_text(text=OLD, name="zoo.json", by=None)
    assert set(specification.lint["tools"]) == {"list_animals", "get_animal", "feed_animal"}
    actions.start_build(specification=specification, by=None)
    scores = dict(Tool.objects.values_list("name", "lint_score"))
    assert scores == {name: found["score"] for name, found in specification.lint["tools"].items()}
    shown = client_as("viewer").get(Tool.objects.get(name="list_animals").get_absolute_url()).content.decode()
    assert f"lint score {scores['list_animals']} of 100" in shown
