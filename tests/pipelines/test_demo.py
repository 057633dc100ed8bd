"""The demo world: made by the real pipeline, made once, and made to the end after its worker was killed."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Count
from django.utils import timezone

from services_app.models import Service, Specification, Tool
from tasks_app.models import Task, Trajectory
from tasks_app.policies.rules import RULE_POLICIES
from tests.live import Worker, wait_for
from training_app.models import Dataset, DatasetVersion, Export
from webapp import demo
from webapp.common import panels, runs
from webapp.common.models import Run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(500)]

SIZES: dict[str, Any] = {"tasks": 1, "services": ["mail", "crm", "help-desk", "chat"]}
LONG = "build,author,rollout,export"


def ended(run: Run) -> bool:
    run.refresh_from_db()
    return run.is_finished


def check_world(run: Run) -> None:
    """Everything is there once, and the pieces fit each other."""
    assert (run.state, run.failure_message) == ("succeeded", "")
    assert set(Service.objects.filter(origin="library").values_list("slug", flat=True)) == set(SIZES["services"])
    parcels = Service.objects.get(origin="built")
    assert parcels.specification == Specification.objects.get()
    assert [refusal.name for refusal in parcels.specification.value().refused] == ["file_claim"]
    uncovered = Tool.objects.get(service=parcels, status="quarantined")
    assert uncovered.name == "estimate_delivery"
    task = Task.objects.get()
    assert task.status == "verified"
    counts = Counter(Trajectory.objects.values_list("policy", flat=True))
    assert counts == {policy: demo.ROLLOUTS.get(policy, 1) for policy in RULE_POLICIES}
    assert list(Trajectory.objects.filter(passed=True).values_list("policy", flat=True)) == ["reference"]
    assert not Trajectory.objects.values("group", "index").annotate(rows=Count("pk")).filter(rows__gt=1).exists()
    version = DatasetVersion.objects.get()
    assert version.members.count() == 1
    assert Export.objects.get().manifest
    assert run.result["tasks"] == 1
    assert run.result["trajectories"] == sum(counts.values())


@pytest.mark.django_db(transaction=True)
def test_the_world_is_made_and_a_second_demo_reuses_it(inline_runs: None, client_as: Any) -> None:
    run = demo.start(None, **SIZES)
    run.refresh_from_db()
    check_world(run)
    assert set(run.children.values_list("state", flat=True)) == {"succeeded"}
    assert all(child.title.startswith("Demo: ") for child in run.children.all())
    before = Run.objects.count()
    again = demo.start(None, **SIZES)
    again.refresh_from_db()
    check_world(again)
    assert not again.children.exists()
    assert Run.objects.count() == before + 1
    check_home(client_as)


def check_home(client_as: Any) -> None:
    """Home says what there is and what waits."""
    client = client_as("curator")
    cards = {key: client.get(f"/home/cards/{key}/").content.decode() for key in ("services", "tasks", "trajectories")}
    assert "Built from a specification" in cards["services"]
    assert "100 %" in cards["tasks"]
    assert all(policy in cards["trajectories"] for policy in RULE_POLICIES)
    assert {step.key for step in panels.steps() if step.done()} >= {"services", "tasks", "rollouts"}
    waiting = {str(turn.label): turn.count for turn in panels.turns(client.user)}
    gated = Tool.objects.filter(status="quarantined").count()
    assert waiting == {"Quarantined tools to look at": gated}
    assert panels.turns(client_as("viewer").user) == []


@pytest.fixture
def empty_queues() -> None:
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        for queue in ("default", *LONG.split(",")):
            connection.default_channel.queue_purge(queue)


@pytest.mark.django_db(transaction=True)
def test_a_killed_demo_goes_on_where_it_was(empty_queues: None, live_worker: Any) -> None:
    live_worker(queues=LONG)
    first: Worker = live_worker(queues="default")
    run = demo.start(None, **SIZES)
    wait_for(lambda: run.children.filter(kind="generate", state="running").exists(), 240)
    first.kill()
    run.refresh_from_db()
    assert run.state == "running"
    assert run.lease_until is not None
    assert runs.sweep(timezone.now()).requeued == 0
    assert runs.sweep(run.lease_until + timedelta(seconds=1)).requeued == 1
    live_worker(queues="default")
    wait_for(lambda: ended(run), 300, every=0.5)
    check_world(run)
    assert run.attempt == 2
    kinds = Counter(run.children.values_list("kind", flat=True))
    assert kinds == {"verify": 2, "build": 1, "generate": 1, "rollout": 5, "export": 1}


@pytest.mark.django_db(transaction=True)
def test_cancelling_the_demo_cancels_its_children(empty_queues: None, live_worker: Any) -> None:
    live_worker(queues="default")  # nobody takes the children's queues: they wait
    run = demo.start(None, **SIZES)
    wait_for(lambda: run.children.count() == 2, 60)
    runs.request_cancel(run, None, "keep")
    wait_for(lambda: ended(run), 60)
    assert run.state == "cancelled"
    assert set(run.children.values_list("state", flat=True)) == {"cancelled"}
    assert not Dataset.objects.exists()
