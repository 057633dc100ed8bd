"""kill -9 in the middle of real work: the job ends truthfully after a restart, and nothing is stored twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Count
from django.utils import timezone

from services_app import actions as service_actions
from services_app.models import Service, ServiceVersion, Specification, Tool
from tasks_app import actions as task_actions
from tasks_app.models import Group, Trajectory, TrajectoryStep
from tests.catalogue import install_tasks
from tests.live import Worker, wait_for
from webapp.common import runs
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(400)]

QUEUES = "build,author,rollout"
NOUNS = ("ticket", "customer", "invoice", "project", "meeting", "supplier", "contract", "vehicle")


@pytest.fixture(autouse=True)
def empty_queues() -> None:
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        for queue in QUEUES.split(","):
            connection.default_channel.queue_purge(queue)


def large_specification() -> Specification:
    """A specification that takes seconds to verify: five tools for each noun."""
    text, number = {"type": "string"}, {"type": "integer"}
    shapes: dict[str, tuple[dict[str, Any], list[str]]] = {
        "create_{}": ({"title": text, "amount": number}, ["title"]),
        "get_{}": ({"{}_id": text}, ["{}_id"]),
        "list_{}s": ({"limit": number}, []),
        "update_{}": ({"{}_id": text, "title": text}, ["{}_id"]),
        "delete_{}": ({"{}_id": text}, ["{}_id"]),
    }
    tools = [
        {
            "name": name.format(noun),
            "description": f"{name.format(noun).replace('_', ' ').capitalize()}.",
            "inputSchema": {
                "type": "object",
                "properties": {key.format(noun): schema for key, schema in properties.items()},
                "required": [key.format(noun) for key in required],
            },
        }
        for noun in NOUNS
        for name, (properties, required) in shapes.items()
    ]
    content = json.dumps({"name": "Back office", "tools": tools})
    return service_actions.import_text(text=content, name="back-office.json", by=None)[0]


def descendants(pid: int) -> set[int]:
    """All processes below one, however they changed their sessions."""
    found: set[int] = set()
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, file.read_text().split()):
            found |= {child} | descendants(child)
    return found


def alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if Path(f"/proc/{pid}/stat").exists() and _state(pid) != "Z"}


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def kill_in_the_middle(worker: Worker, run: Run, is_middle: Callable[[], bool]) -> None:
    """Kill the worker while the run is at work, and see that it is neither lost nor called finished."""
    wait_for(is_middle, 120, every=0.02)
    below = descendants(worker.process.pid)
    assert below, "the worker has no pool process"
    worker.kill()
    run.refresh_from_db()
    assert run.state == "running", "the kill came too late; make the work longer"
    wait_for(lambda: not alive(below), 20)  # neither pool processes nor sandboxes go on without their worker


def restart(start: Callable[..., Any], run: Run) -> None:
    """What happens by itself under `up`: the sweep finds the silent run, a fresh worker takes it."""
    assert runs.sweep(timezone.now()).requeued == 0, "a lease that still runs belongs to its worker"
    run.refresh_from_db()
    assert run.lease_until is not None
    assert runs.sweep(run.lease_until + timedelta(seconds=1)).requeued == 1
    start(queues=QUEUES)

    def ended() -> bool:
        run.refresh_from_db()
        return run.is_finished

    wait_for(ended, 240, every=0.3)


@pytest.fixture
def worker(live_worker: Any) -> Worker:
    started: Worker = live_worker(queues=QUEUES)
    return started


def test_a_build_that_lost_its_worker_is_built_once(worker: Worker, live_worker: Any) -> None:
    specification = large_specification()
    run = service_actions.start_build(specification=specification, by=None)

    def middle() -> bool:
        run.refresh_from_db()
        return run.phase.startswith("verifying") and run.done >= 3

    kill_in_the_middle(worker, run, middle)
    assert not Service.objects.exists()  # a version is stored whole or not at all
    restart(live_worker, run)
    assert (run.state, run.attempt, run.failure_kind) == ("succeeded", 2, "")
    service = Service.objects.get()
    assert ServiceVersion.objects.count() == 1
    names = list(Tool.objects.filter(service=service).values_list("name", flat=True))
    assert len(names) == len(set(names)) == len(specification.value().tools) == 5 * len(NOUNS)
    assert run.result["verified"] + run.result["quarantined"] == len(names)
    assert run.events.filter(message__startswith="Worker lost").count() == 1


def test_rollouts_that_lost_their_worker_are_each_stored_once(worker: Worker, live_worker: Any) -> None:
    tasks = install_tasks()
    wanted = 20
    run = task_actions.start_rollouts(tasks=tasks, policy="reference", count=wanted, by=None)
    kill_in_the_middle(worker, run, lambda: Trajectory.objects.count() >= 3)
    before = dict(Trajectory.objects.values_list("pk", "created_at"))
    restart(live_worker, run)
    assert (run.state, run.attempt) == ("succeeded", 2)
    assert Group.objects.count() == len(tasks)
    after = dict(Trajectory.objects.values_list("pk", "created_at"))
    assert len(after) == wanted * len(tasks)
    assert before.items() <= after.items(), "what was stored before the kill is kept, not played again"
    assert not Trajectory.objects.values("group", "index").annotate(rows=Count("pk")).filter(rows__gt=1).exists()
    for trajectory in Trajectory.objects.annotate(stored=Count("steps")):
        assert trajectory.stored == trajectory.step_count
        assert trajectory.passed is True
    assert TrajectoryStep.objects.count() == sum(Trajectory.objects.values_list("step_count", flat=True))
    assert run.result["passed"] == wanted * len(tasks)


def test_a_run_that_loses_every_worker_says_so_and_can_be_resumed(worker: Worker, live_worker: Any) -> None:
    run = service_actions.start_build(specification=large_specification(), by=None)

    def middle() -> bool:
        run.refresh_from_db()
        return run.phase.startswith("verifying") and run.done >= 1

    kill_in_the_middle(worker, run, middle)
    Run.objects.filter(pk=run.pk).update(max_attempts=1)
    assert run.lease_until is not None
    assert runs.sweep(run.lease_until + timedelta(seconds=1)).closed == 1
    run.refresh_from_db()
    assert (run.state, run.failure_kind) == ("interrupted", "worker:lost")
    assert run.failure_message
    assert not Service.objects.exists()
    runs.resume(run, None)
    live_worker(queues=QUEUES)

    def ended() -> bool:
        run.refresh_from_db()
        return run.is_finished

    wait_for(ended, 240, every=0.3)
    assert (run.state, run.failure_kind, ServiceVersion.objects.count()) == ("succeeded", "", 1)
