"""Building everything: shared among workers, carried on after kill -9, nothing twice, nothing for nothing."""

from __future__ import annotations

import json
import os
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Count
from django.utils import timezone

from services_app import actions
from services_app.batch_models import BatchItem
from services_app.models import AdversarialCase, Service, ServiceVersion, Specification, Tool
from services_app.pipelines import batch, build_all
from tests.builders.specs import TEXT, tool
from tests.factories import make_run
from tests.live import wait_for
from webapp.common import runs
from webapp.common.models import Run
from webapp.common.runs import LostLease, RunContext, RunFailed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(400)]

State = BatchItem.State


def specification(name: str, nouns: int = 1) -> Specification:
    tools = [
        each
        for number in range(nouns)
        for each in (
            tool(f"list_animal{number}s", {"name": TEXT}),
            tool(f"get_animal{number}", {f"animal{number}_id": TEXT}, f"animal{number}_id"),
            tool(f"create_animal{number}", {"name": TEXT}, "name"),
        )
    ]
    return actions.import_text(text=json.dumps({"name": name, "tools": tools}), name=f"{name}.json", by=None)[0]


def states(run: Run) -> dict[str, str]:
    return dict(BatchItem.objects.filter(run=run).values_list("name", "state"))


def context_of(run: Run) -> RunContext:
    run.refresh_from_db()
    return RunContext(run, timedelta(seconds=60))


def claimed_run(kind: str = "build-all") -> Run:
    lease = timezone.now() + timedelta(seconds=60)
    run = make_run(kind=kind, queue="build")
    Run.objects.filter(pk=run.pk).update(state="running", attempt=1, fence=1, lease_until=lease, send_at=None)
    run.refresh_from_db()
    return run


@pytest.mark.usefixtures("inline_runs")
def test_everything_is_built_once_and_a_second_time_for_nothing() -> None:
    for name in ("zoo", "farm"):
        specification(name)
    run = actions.start_build_all(by=None, lanes=2)
    run.refresh_from_db()
    assert run.state == "succeeded", run.failure_message
    assert states(run) == {"zoo": "built", "farm": "built"}
    assert run.result["tools"] == 6
    assert run.result["verified"] + run.result["quarantined"] == 6
    assert set(ServiceVersion.objects.values_list("made_with", flat=True)) == {build_all.made_with_of([])}
    again = actions.start_build_all(by=None, lanes=2)
    again.refresh_from_db()
    assert (again.state, states(again)) == ("succeeded", {"zoo": "known", "farm": "known"})
    assert again.result["verified"] == run.result["verified"]
    specification("zoo", nouns=2)
    third = actions.start_build_all(by=None, lanes=1)
    assert states(third) == {"zoo": "built", "farm": "known"}
    assert ServiceVersion.objects.filter(service__slug="zoo").count() == 2


@pytest.mark.usefixtures("inline_runs")
def test_other_code_builds_again(monkeypatch: pytest.MonkeyPatch) -> None:
    specification("zoo")
    actions.start_build_all(by=None, lanes=1)
    monkeypatch.setattr(build_all, "fingerprint", lambda: "other")
    run = actions.start_build_all(by=None, lanes=1)
    assert states(run) == {"zoo": "built"}
    assert ServiceVersion.objects.count() == 1  # the same source is the same version


@pytest.mark.usefixtures("inline_runs")
def test_a_kept_case_is_a_reason_to_judge_again_and_a_models_work_is_left_alone() -> None:
    specification("zoo")
    specification("farm")
    actions.start_build_all(by=None, lanes=1)
    AdversarialCase.objects.create(
        service=Service.objects.get(slug="zoo"), tool="list_animal0s", arguments={}, expected={"outcome": "success"}
    )
    ServiceVersion.objects.filter(service__slug="farm").update(builder="model:some", made_with="")
    run = actions.start_build_all(by=None, lanes=1)
    assert states(run) == {"zoo": "built", "farm": "known"}
    again = actions.start_build_all(by=None, lanes=1)
    assert states(again) == {"zoo": "known", "farm": "known"}


@pytest.mark.usefixtures("inline_runs")
def test_one_that_fails_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("zoo", "farm", "shop"):
        specification(name)
    real = build_all.building.build

    def build(context: RunContext, value: Specification, by: Any) -> Service:
        if value.slug == "zoo":
            raise RunFailed("build:policy", "It opens a socket.")
        if value.slug == "farm":
            raise ZeroDivisionError("division by zero")
        return real(context, value, by)

    monkeypatch.setattr(build_all.building, "build", build)
    run = actions.start_build_all(by=None, lanes=1)
    run.refresh_from_db()
    assert (run.state, states(run)) == ("succeeded", {"zoo": "failed", "farm": "failed", "shop": "built"})
    rows = {row["name"]: row for row in map(batch.row_of, batch.items_of(run.pk))}
    assert rows["zoo"]["failure"] == {"kind": "build:policy", "message": "It opens a socket."}
    assert rows["farm"]["failure"]["kind"] == "internal:ZeroDivisionError"
    assert run.events.filter(level="error").count() == 1
    report = json.loads("".join(batch.report_text(run)))
    assert report["counts"] == {"failed": 2, "built": 1}
    assert len(report["items"]) == 3


def test_an_item_belongs_to_one_lane_and_comes_back_when_that_is_lost() -> None:
    run, lane = claimed_run(), claimed_run("build-lane")
    batch.add_items(run, [BatchItem(name="a"), BatchItem(name="b")])
    first, second = batch.claim(run.pk, run), batch.claim(run.pk, lane)
    assert first is not None
    assert second is not None
    assert (first.name, second.name) == ("a", "b")
    assert batch.claim(run.pk, run) is None
    batch.release_lost(run.pk)
    assert batch.claim(run.pk, run) is None, "both lanes are alive"
    Run.objects.filter(pk=lane.pk).update(fence=2)  # the sweep gave the lane to another worker
    batch.release_lost(run.pk)
    retaken = batch.claim(run.pk, run)
    assert retaken is not None
    assert (retaken.name, retaken.attempts) == ("b", 2)
    with pytest.raises(LostLease):  # the old worker comes back from the dead
        batch.settle(second, lane, batch.Settled(State.BUILT), 1.0)
    batch.settle(retaken, run, batch.Settled(State.BUILT), 1.0)
    assert states(run) == {"a": "working", "b": "built"}


def test_an_item_that_keeps_killing_its_worker_is_given_up() -> None:
    run = claimed_run()
    batch.add_items(run, [BatchItem(name="huge")])
    for fence in range(1, batch.MOST_ATTEMPTS + 1):
        Run.objects.filter(pk=run.pk).update(fence=fence)
        run.refresh_from_db()
        batch.release_lost(run.pk)
        assert batch.claim(run.pk, run) is not None
    Run.objects.filter(pk=run.pk).update(fence=9)
    batch.release_lost(run.pk)
    item = BatchItem.objects.get()
    assert (item.state, item.failure_kind) == ("failed", "worker:lost")
    assert "3 times" in item.message


def test_a_lane_makes_way_for_a_build_that_somebody_waits_for() -> None:
    run, lane = claimed_run(), claimed_run("build-lane")
    Run.objects.filter(pk=lane.pk).update(payload={"batch": str(run.pk)})
    specifications = [specification(name) for name in ("zoo", "farm")]
    batch.add_items(run, [BatchItem(name=one.slug, specification=one) for one in specifications])
    make_run(kind="build", queue="build")
    assert build_all.build_lane(context_of(lane)) == {"built": 1}
    Run.objects.filter(kind="build").delete()
    assert build_all.build_lane(context_of(lane)) == {"built": 1}
    Run.objects.filter(pk=run.pk).update(state="cancelling", cancel_mode="keep")
    assert build_all.build_lane(context_of(lane)) == {"built": 0}


@pytest.fixture
def _empty_queue() -> None:
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge("build")


def pool_of(worker: Any) -> list[int]:
    return [pid for pid in worker.children() if b"celery" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.slow
@pytest.mark.usefixtures("_empty_queue")
def test_killed_workers_cost_no_service_and_make_none_twice(live_worker: Any) -> None:
    names = [f"zoo-{number}" for number in range(6)]
    for name in names:
        specification(name, nouns=4)
    first, second = live_worker(queues="build"), live_worker(queues="build")
    run = actions.start_build_all(by=None, lanes=2)
    wait_for(lambda: BatchItem.objects.filter(run=run, state=State.BUILT).count() >= 2, 120, every=0.02)
    assert Run.objects.filter(kind=build_all.LANE, state="running").exists(), "the second worker helps"
    first.kill()
    os.killpg(second.process.pid, signal.SIGKILL)
    before = dict(ServiceVersion.objects.values_list("pk", "created_at"))
    assert BatchItem.objects.filter(run=run, state=State.WORKING).exists(), "the kill came too late"
    wait_for(lambda: second.process.poll() is not None, 20)
    latest = max(Run.objects.filter(lease_until__isnull=False).values_list("lease_until", flat=True))
    assert runs.sweep(latest + timedelta(seconds=1)).requeued >= 1
    live_worker(queues="build")

    def ended() -> bool:
        run.refresh_from_db()
        return run.is_finished

    wait_for(ended, 240, every=0.3)
    assert (run.state, run.failure_kind) == ("succeeded", "")
    assert set(states(run).values()) == {"built"}
    assert sorted(Service.objects.values_list("slug", flat=True)) == names
    assert ServiceVersion.objects.count() == len(names)
    assert before.items() <= dict(ServiceVersion.objects.values_list("pk", "created_at")).items()
    assert not Tool.objects.values("service", "name").annotate(n=Count("pk")).filter(n__gt=1).exists()
    assert Tool.objects.count() == 12 * len(names)
