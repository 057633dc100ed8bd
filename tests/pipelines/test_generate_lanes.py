"""Generating with helpers: the same tasks whoever writes them, and nothing twice after a lost worker."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from services_app.batch_models import BatchItem
from services_app.pipelines import batch
from tasks_app import actions
from tasks_app.jobs import generate, generate_lane
from tasks_app.models import Task
from tests.catalogue import SLUGS, install_services
from tests.factories import make_run
from webapp.common.models import Run
from webapp.common.runs import RunContext, RunFailed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(400)]

ASKED = {"count": 3, "k": 2, "distractors": 1, "length": [3, 4], "seed": 11, "services": list(SLUGS)}


def claimed(kind: str, **payload: object) -> Run:
    run = make_run(kind=kind, queue="author")
    lease = timezone.now() + timedelta(seconds=300)
    Run.objects.filter(pk=run.pk).update(
        state="running", attempt=1, fence=1, lease_until=lease, send_at=None, payload=payload
    )
    run.refresh_from_db()
    return run


def context_of(run: Run) -> RunContext:
    run.refresh_from_db()
    return RunContext(run, timedelta(seconds=300))


def hashes(run: Run) -> dict[int, str]:
    return dict(Task.objects.filter(run=run).values_list("seed", "task_hash"))


def test_a_helper_writes_the_tasks_that_the_run_would_write() -> None:
    install_services()
    alone = claimed("generate", **ASKED)
    result = generate(context_of(alone))
    expected = hashes(alone)
    assert result["proven"] == len(result["tasks"]) == len(expected) == 3
    Task.objects.all().delete()

    shared = claimed("generate", **ASKED)
    lane = claimed("generate-lane", batch=str(shared.pk))
    batch.add_items(shared, (BatchItem(name=f"Task {number + 1}") for number in range(3)))
    lost = batch.claim(shared.pk, claimed("generate-lane", batch=str(shared.pk)))
    assert lost is not None  # a worker took the first one and is killed
    assert generate_lane(context_of(lane)) == {"written": 2}
    Run.objects.filter(pk=lost.lane_id).update(fence=2)
    assert generate(context_of(shared))["tasks"] == [
        task.public_id for task in Task.objects.filter(run=shared).order_by("seed")
    ]
    assert hashes(shared) == expected, "whoever writes a task, it is the same"


def test_a_run_that_has_ended_is_not_helped() -> None:
    install_services()
    run = claimed("generate", **ASKED)
    batch.add_items(run, [BatchItem(name="Task 1")])
    Run.objects.filter(pk=run.pk).update(state="cancelling", cancel_mode="keep")
    assert generate_lane(context_of(claimed("generate-lane", batch=str(run.pk)))) == {"written": 0}
    assert not Task.objects.exists()


def test_what_cannot_be_written_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    install_services()
    monkeypatch.setattr("tasks_app.authors.batch.COMPOSITIONS_PER_TASK", 0)
    run = claimed("generate", **ASKED)
    with pytest.raises(RunFailed, match="No task could be proven"):
        generate(context_of(run))
    assert set(BatchItem.objects.filter(run=run).values_list("state", "failure_kind")) == {("failed", "author:none")}


@pytest.mark.usefixtures("inline_runs")
def test_the_request_keeps_its_pool() -> None:
    install_services()
    run = actions.start_generation(count=1, k=2, distractors=0, length=(3, 3), seed=3, by=None)
    run.refresh_from_db()
    assert run.state == "succeeded", run.failure_message
    assert run.payload["services"] == sorted(SLUGS)
    assert run.payload["lanes"] >= 1
