"""Runs with a real worker process, broker and database: kills, double delivery, commit, cancel."""

import time
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.apps import platform_kinds
from tests.factories import make_run
from tests.live import wait_for
from webapp.common import runs
from webapp.common.models import Run
from webapp.common.run_queue import send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(300)]

MODULE = platform_kinds.__name__


@pytest.fixture
def notes(tmp_path):
    """What handlers wrote, as words: the real side effects."""
    path = tmp_path / "notes"

    def read():
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    read.path = str(path)
    return read


@pytest.fixture(autouse=True)
def empty_queue():
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge("default")


def start(kind, notes) -> Run:
    return runs.start_run(kind=kind, title=kind, payload={"file": notes.path}, by=None)


def state_of(run) -> str:
    return Run.objects.values_list("state", flat=True).get(pk=run.pk)


def lease_over() -> object:
    return timezone.now() + timedelta(seconds=5)


def test_a_killed_worker_is_found_and_its_run_goes_on_where_it_was(live_worker, notes):
    worker = live_worker(module=MODULE)
    run = start("test-steps", notes)
    wait_for(lambda: ["waiting", "1"] in [line[:2] for line in notes()])
    assert state_of(run) == "running"
    worker.kill()
    # While the lease lasts nobody may take the run: its worker could be alive.
    assert runs.sweep(timezone.now()).requeued == 0
    report = runs.sweep(lease_over())
    assert (report.requeued, report.sent) == (1, 1)
    live_worker(module=MODULE)
    wait_for(lambda: state_of(run) == "succeeded")
    words = [line[0] for line in notes() if line[0] != "waiting"]
    assert words == ["step-1", "step-2", "step-3", "step-4", "step-5"]
    run.refresh_from_db()
    assert (run.attempt, run.result) == (2, {"steps": 5})
    assert run.events.filter(message__startswith="Worker lost").count() == 1


def test_a_killed_pool_process_leaves_the_worker_and_is_not_redelivered_at_once(live_worker, notes):
    import os
    import signal

    worker = live_worker(module=MODULE)
    run = start("test-once", notes)
    line = wait_for(notes)[0]
    os.kill(int(line[2]), signal.SIGKILL)
    # The broker gives the message back; the claim makes the second delivery do nothing.
    quick = start("test-quick", notes)
    wait_for(lambda: state_of(quick) == "succeeded")
    assert worker.process.poll() is None
    assert state_of(run) == "running"
    runs.sweep(lease_over())
    run.refresh_from_db()
    assert (run.state, run.failure_kind) == ("failed", "worker:lost")
    assert [line[0] for line in notes()] == ["waiting", "quick"]


def test_the_heartbeat_keeps_a_long_run_and_cancel_ends_it(live_worker, notes):
    live_worker(module=MODULE)
    run = start("test-wait", notes)
    wait_for(notes)
    time.sleep(4.5)  # longer than the lease of four seconds
    assert runs.sweep(timezone.now()) == (0, 0, 0)
    assert state_of(run) == "running"
    runs.request_cancel(run, None, "now")
    wait_for(lambda: state_of(run) == "cancelled", 20)


def test_a_handler_that_ignores_stop_now_loses_its_process_and_the_worker_goes_on(live_worker, notes):
    worker = live_worker(module=MODULE)
    run = start("test-stubborn", notes)
    wait_for(notes)
    runs.request_cancel(run, None, "keep")
    time.sleep(1.5)
    assert state_of(run) == "cancelling"  # "keep" waits for the handler as long as it takes
    runs.request_cancel(run, None, "now")
    wait_for(lambda: state_of(run) == "cancelled", 30)
    quick = start("test-quick", notes)
    wait_for(lambda: state_of(quick) == "succeeded")
    assert worker.process.poll() is None
    assert run.events.filter(message__contains="process was ended").exists()
    assert [line[0] for line in notes()] == ["waiting", "quick"]


def test_many_deliveries_execute_once(live_worker, notes):
    run = start("test-quick", notes)
    for _ in range(5):
        assert send(run.pk, "default")
    live_worker(module=MODULE)
    wait_for(lambda: state_of(run) == "succeeded")
    last = start("test-quick", notes)
    wait_for(lambda: state_of(last) == "succeeded")
    assert [line[0] for line in notes()] == ["quick", "quick"]
    run.refresh_from_db()
    assert run.attempt == 1


def queue_length() -> int:
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        return connection.default_channel.queue_declare("default", passive=False).message_count


def test_a_rolled_back_transaction_queues_nothing(notes):
    before = queue_length()

    def request_that_fails():
        with transaction.atomic():
            start("test-quick", notes)
            assert queue_length() == before
            raise RuntimeError("after queueing")

    with pytest.raises(RuntimeError, match="after queueing"):
        request_that_fails()
    assert queue_length() == before
    assert not Run.objects.exists()
    with transaction.atomic():
        start("test-quick", notes)
        assert queue_length() == before
    assert queue_length() == before + 1


def test_a_broker_that_is_away_costs_no_run(notes, monkeypatch):
    from workers.celery_app import app

    with monkeypatch.context() as away:
        away.setattr(app.amqp, "_producer_pool", None)
        away.setattr(app, "_pool", None)
        away.setattr(app.conf, "broker_write_url", "redis://127.0.0.1:1/0")
        run = start("test-quick", notes)
        assert state_of(run) == "queued"
        assert run.events.filter(message__contains="queue did not answer").exists()
    app.amqp._producer_pool = None
    app._pool = None
    assert runs.sweep(timezone.now()).sent == 1
    assert queue_length() == 1


def test_queued_runs_whose_message_was_lost_are_sent_again(notes):
    run = make_run(kind="test-quick", payload={"file": notes.path})
    assert runs.sweep(timezone.now()).sent == 0
    assert runs.sweep(timezone.now() + timedelta(minutes=6)).sent == 1
    assert runs.sweep(timezone.now() + timedelta(minutes=6)).sent == 0
    assert queue_length() == 1
    run.refresh_from_db()
    assert run.state == "queued"


def test_no_request_code_queues_by_itself():
    """All queueing goes through `run_queue`: `.delay(` and `.apply_async(` appear nowhere else."""
    from tests.live import ROOT

    found = [
        str(path.relative_to(ROOT))
        for package in ("webapp", "services_app", "tasks_app", "training_app")
        for path in (ROOT / package).rglob("*.py")
        if any(call in path.read_text() for call in (".delay(", ".apply_async(", ".send_task("))
    ]
    assert found == ["webapp/common/run_queue.py"]
