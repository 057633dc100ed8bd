"""Runs: claimed once, fenced, recorded in one place, queued on commit, cancelled, swept."""

import logging
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.factories import make_run, make_user
from webapp.common import run_kinds, run_store, runs
from webapp.common.log import CleanFormatter
from webapp.common.models import Activity, Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def kind(monkeypatch, settings):
    """Register a handler for one test: `kind(handler, resumable=...)` gives the kind's name."""
    settings.WORKBENCH_RUN_INLINE = True
    monkeypatch.setattr(run_kinds, "_kinds", {})

    def add(handler, **options):
        runs.register("test", **{"queue": "default", **options})(handler)
        return "test"

    return add


@pytest.fixture
def start(kind, django_capture_on_commit_callbacks):
    def run(handler, payload=None, **options):
        name = kind(handler, **options)
        with django_capture_on_commit_callbacks(execute=True):
            run = runs.start_run(kind=name, title="A test job", payload=payload or {}, by=make_user("trainer"))
        run.refresh_from_db()
        return run

    return run


def test_a_run_succeeds_with_progress_log_and_result(start):
    def handler(ctx):
        ctx.progress(done=1, total=2, unit="tools", phase="build")
        ctx.log("half way", level="warning", tool="mail.send")
        ctx.progress(done=2)
        return {"built": ctx.payload["slug"]}

    run = start(handler, {"slug": "mail"})
    assert (run.state, run.result, run.done, run.total, run.unit) == ("succeeded", {"built": "mail"}, 2, 2, "tools")
    assert run.finished_at
    assert run.lease_until is None
    assert [(e.level, e.data.get("tool")) for e in run.events.filter(message="half way")] == [("warning", "mail.send")]
    assert Activity.objects.filter(verb="job.started", target_id=run.public_id).exists()


def test_an_expected_failure_shows_kind_and_words_without_a_traceback(start):
    def handler(ctx):
        raise runs.RunFailed("sandbox:timeout", "Ten seconds were not enough.")

    run = start(handler)
    assert (run.state, run.failure_kind) == ("failed", "sandbox:timeout")
    assert run.failure_message == "Ten seconds were not enough."
    assert not run.events.filter(message__contains="Traceback").exists()


def test_an_unexpected_exception_is_internal_with_a_bounded_traceback(start):
    def handler(ctx):
        raise ZeroDivisionError("x" * 50_000 + "\x00\ud83d")

    run = start(handler)
    assert (run.state, run.failure_kind) == ("failed", "internal:ZeroDivisionError")
    trace = run.events.get(message__contains="Traceback").message
    assert len(trace) < 8_001
    assert "\x00" not in run.failure_message
    assert len(run.failure_message) < 8_001


def test_text_that_postgres_refuses_is_kept_cleaned(start):
    def handler(ctx):
        ctx.log("half \ud83d whole \ud83d\ude00 nul \x00", value=float("nan"))
        return {"text": "ok \x00 end", "number": float("inf")}

    run = start(handler)
    assert run.state == "succeeded"
    assert run.result == {"text": "ok \ufffd end", "number": "inf"}
    assert run.events.filter(message="half \ufffd whole \U0001f600 nul \ufffd").count() == 1


def test_a_result_that_is_not_json_fails_the_run(start):
    run = start(lambda ctx: {"f": object()})
    assert (run.state, run.failure_kind) == ("failed", "internal:TypeError")


def test_a_second_delivery_does_nothing(start):
    calls = []
    run = start(lambda ctx: calls.append(1))
    assert runs.execute(run.pk) is False
    assert calls == [1]
    claimed = make_run(state="running")
    assert runs.execute(claimed.pk) is False


def test_a_kind_the_worker_does_not_know_fails_by_name(kind):
    run = make_run(kind="nobody")
    assert runs.execute(run.pk) is True
    run.refresh_from_db()
    assert (run.state, run.failure_kind) == ("failed", "worker:unknown-kind")


def test_an_old_fence_is_refused_everywhere(kind):
    run = make_run()
    old = run_store.claim(run.pk, lease=timedelta(seconds=60))
    runs.sweep(timezone.now() + timedelta(seconds=61))
    Run.objects.filter(pk=run.pk).update(state="queued", finished_at=None, failure_kind="", send_at=timezone.now())
    new = run_store.claim(run.pk, lease=timedelta(seconds=60))
    assert new.fence > old.fence
    context = runs.RunContext(old, timedelta(seconds=60))
    with pytest.raises(runs.LostLease):
        context.progress(done=5)
    with pytest.raises(runs.LostLease):
        context.checkpoint()
    with pytest.raises(runs.LostLease):
        run_store.finish(old, "succeeded")
    run.refresh_from_db()
    assert (run.state, run.done, run.fence) == ("starting", 0, new.fence)


def test_a_handler_that_lost_its_lease_leaves_the_new_owner_alone(start):
    def handler(ctx):
        Run.objects.filter(pk=ctx.run.pk).update(fence=99)
        ctx.checkpoint()

    run = start(handler)
    assert (run.state, run.fence) == ("running", 99)


def test_cancel_while_queued_ends_the_run_at_once(kind):
    by = make_user("trainer")
    run = runs.request_cancel(make_run(), by)
    assert (run.state, run.send_at) == ("cancelled", None)
    assert runs.execute(run.pk) is False
    assert Activity.objects.get(verb="job.cancelled").before == {"state": "queued"}


def test_cancel_while_running_is_seen_at_the_next_checkpoint(start):
    def handler(ctx):
        cancelling = runs.request_cancel(ctx.run, None, "keep")
        assert cancelling.state == "cancelling"
        assert ctx.cancel_requested() == "keep"
        try:
            ctx.checkpoint()
        except runs.Cancelled as stop:
            stop.result["checkpoint"] = 7
            raise
        raise AssertionError("not reached")

    run = start(handler)
    assert (run.state, run.cancel_mode, run.result) == ("cancelled", "keep", {"checkpoint": 7})


def test_keep_can_become_now_but_not_the_other_way(kind):
    run = runs.request_cancel(make_run(state="running"), None, "keep")
    assert runs.request_cancel(run, None, "keep").version == run.version
    run = runs.request_cancel(run, None, "now")
    assert run.cancel_mode == "now"
    with pytest.raises(runs.StateConflict):
        runs.request_cancel(run, None, "keep")


@pytest.mark.parametrize("state", ["succeeded", "failed", "cancelled", "interrupted"])
def test_a_finished_run_cannot_be_cancelled(kind, state):
    with pytest.raises(runs.StateConflict) as refusal:
        runs.request_cancel(make_run(state=state), None)
    assert refusal.value.state == state


@pytest.mark.parametrize("state", ["queued", "running", "succeeded"])
def test_only_a_stopped_run_resumes(kind, state):
    with pytest.raises(runs.StateConflict):
        runs.resume(make_run(state=state), None)


def test_resume_keeps_the_attempt_number_and_clears_the_failure(start, django_capture_on_commit_callbacks):
    seen = []

    def handler(ctx):
        seen.append(ctx.attempt)
        if ctx.attempt == 1:
            raise runs.RunFailed("model:timeout", "No answer.")
        return {"resumed": True}

    run = start(handler)
    assert run.state == "failed"
    with django_capture_on_commit_callbacks(execute=True):
        runs.resume(run, None)
    run.refresh_from_db()
    assert (run.state, run.failure_kind, seen) == ("succeeded", "", [1, 2])


def test_retry_makes_a_new_run_with_the_same_inputs(start, django_capture_on_commit_callbacks):
    def handler(ctx):
        raise runs.RunFailed("a:b", "No.")

    run = start(handler, {"n": 3})
    with django_capture_on_commit_callbacks(execute=True):
        again = runs.retry(run, make_user("trainer"))
    assert (again.pk != run.pk, again.payload, again.parent_id) == (True, {"n": 3}, run.pk)


@pytest.mark.parametrize(
    ("state", "options", "expected"),
    [
        ("running", {"attempt": 1, "fence": 1, "max_attempts": 3}, "queued"),
        ("running", {"attempt": 3, "fence": 3, "max_attempts": 3}, "interrupted"),
        ("running", {"resumable": False, "max_attempts": 1}, "failed"),
        ("cancelling", {"cancel_mode": "now"}, "cancelled"),
    ],
)
def test_the_sweep_settles_a_silent_run_once(kind, state, options, expected):
    now = timezone.now()
    run = make_run(state=state, **options)
    assert runs.sweep(now) == (0, 0, 0)
    report = runs.sweep(now + timedelta(minutes=2))
    assert report.requeued + report.closed == 1
    again = runs.sweep(now + timedelta(minutes=2))
    assert (again.requeued, again.closed) == (0, 0)
    run.refresh_from_db()
    assert run.state == expected
    assert run.failure_kind == ("worker:lost" if expected in ("failed", "interrupted") else "")
    assert run.events.filter(message__contains="Worker lost").count() == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "succeeded", "finished_at": None},
        {"state": "queued", "finished_at": timezone.now()},
        {"state": "running", "lease_until": None},
        {"state": "failed", "failure_kind": ""},
        {"state": "cancelled", "cancel_mode": ""},
        {"state": "lost"},
    ],
)
def test_the_database_refuses_a_row_that_contradicts_itself(fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_run(**fields)


def test_the_log_is_bounded_and_says_so(kind, monkeypatch):
    monkeypatch.setattr(run_store, "MAX_EVENTS", 3)
    run = make_run(state="running")
    for number in range(6):
        run_store.add_event(run.pk, f"line {number}")
    run_store.add_event(run.pk, "an error", "error")
    messages = list(run.events.values_list("message", flat=True))
    assert messages[:3] == ["line 0", "line 1", "line 2"]
    assert "full" in messages[3]
    assert messages[4:] == ["an error"]


def test_two_handlers_for_one_kind_are_refused(kind):
    kind(lambda ctx: None)

    def other(ctx):
        return None

    with pytest.raises(ValueError, match="registered twice"):
        kind(other)


def test_log_lines_never_hold_what_utf8_cannot_write():
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "half %s and NUL \x00", ("\ud83d",), None)
    line = CleanFormatter("%(message)s").format(record)
    assert line.encode() == "half \ufffd and NUL \ufffd".encode()
