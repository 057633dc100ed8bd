"""Pages and REST of batches, and the lists with 500 services and 13,000 tools."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from services_app.batch_models import BatchItem
from services_app.models import Service, ServiceVersion, Tool
from services_app.pipelines import batch
from tests.factories import make_run
from webapp.common.models import Run

pytestmark = pytest.mark.django_db

MOST_QUERIES = 12
UNTRUSTED = '<script>alert("x")</script>'


def many(rows: int = 500) -> Run:
    run = make_run(kind="build-all", title="Build all", state="succeeded")
    batch.add_items(run, [BatchItem(name=f"service-{number:03}", state="built") for number in range(rows)])
    BatchItem.objects.filter(position=0).update(
        name=UNTRUSTED, state="failed", failure_kind="build:policy", message=UNTRUSTED
    )
    return run


def test_the_report_is_paged_filtered_and_whole_as_json(client_as: Any) -> None:
    run, client = many(), client_as("viewer")
    page = reverse("batch", args=[run.pk])
    with CaptureQueriesContext(
        connection,
    ) as queries:
        body = client.get(page).content.decode()
    assert len(queries) <= MOST_QUERIES
    assert body.count("<tr>") == 51
    assert UNTRUSTED not in body
    failed = client.get(page, {"state": "failed"}).content.decode()
    assert "build:policy" in failed
    assert failed.count("<tr>") == 2
    assert client.get(page, {"state": "nonsense"}).status_code == 404
    assert client.get(page, {"cursor": "?"}).status_code == 400
    assert client.get(reverse("batch", args=[make_run(state="succeeded").pk])).status_code == 404
    report = json.loads(b"".join(client.get(reverse("batch-report", args=[run.pk])).streaming_content))
    assert (len(report["items"]), report["counts"]) == (500, {"built": 499, "failed": 1})
    assert 'href="' + page in client.get(run.get_absolute_url()).content.decode()


def test_items_over_rest(api_as: Any) -> None:
    run, api = many(3), api_as("catalog:read")
    answer = api.get(f"/api/v1/batches/{run.public_id}/items", {"state": "failed"})
    assert answer.status_code == 200
    (row,) = answer.json()["data"]
    assert (row["name"], row["failure_kind"], row["specification"]) == (UNTRUSTED, "build:policy", None)
    assert api.get(f"/api/v1/batches/{make_run().public_id}/items").status_code == 404


def test_building_everything_is_one_job_at_a_time(client_as: Any, api_as: Any) -> None:
    assert client_as("viewer").post(reverse("build-all")).status_code == 403
    first = client_as("curator").post(reverse("build-all"))
    run = Run.objects.get(kind="build-all")
    assert (first.status_code, first["Location"]) == (302, run.get_absolute_url())
    api = api_as("catalog:read", "jobs:write", role="curator")
    path = "/api/v1/specifications/build-all"
    assert api.post(path, {}, format="json").status_code == 422  # without a key
    answer = api.post(path, {"lanes": 2}, format="json", HTTP_IDEMPOTENCY_KEY="a")
    assert (answer.status_code, answer.json()["id"]) == (202, run.public_id)
    assert api.post(path, {"lanes": 0}, format="json", HTTP_IDEMPOTENCY_KEY="b").status_code == 422
    assert api.post(path, {"line": 2}, format="json", HTTP_IDEMPOTENCY_KEY="c").status_code == 422
    assert Run.objects.filter(kind="build-all").count() == 1


def fill(services: int, tools: int) -> None:
    rows = [
        Service(slug=f"service-{n:03}", title=f"Service {n}", domain=f"domain {n % 13}", origin="built")
        for n in range(services)
    ]
    Service.objects.bulk_create(rows)
    source = {"tools.py": "x = 1\n" * 10_000}
    versions = [ServiceVersion(service=row, number=1, version_hash="h", builder="rules", files=source) for row in rows]
    for row, version in zip(rows, ServiceVersion.objects.bulk_create(versions), strict=True):
        row.current = version
    Service.objects.bulk_update(rows, ["current"])
    made = (
        Tool(service=row, name=f"tool {n}", exposed=f"{row.slug}__{n}", position=n, status=Tool.Status.VERIFIED)
        for row in rows
        for n in range(tools)
    )
    Tool.objects.bulk_create(made, batch_size=5_000)


def test_lists_stay_fast_with_thirteen_thousand_tools(client_as: Any) -> None:
    fill(500, 26)
    client = client_as("curator")
    client.get(reverse("services"))
    with CaptureQueriesContext(connection) as queries:
        started = time.perf_counter()
        body = client.get(reverse("services")).content.decode()
        seconds = time.perf_counter() - started
    assert len(queries) <= MOST_QUERIES
    assert seconds < 2
    assert body.count("<tr data-row>") == 50
    # What a list does not show it does not load: the source of fifty versions is megabytes.
    assert not any('"files"' in query["sql"] for query in queries)
