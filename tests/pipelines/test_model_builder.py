"""From a specification to a verified version with a scripted model over HTTP: rows, pages, REST, verbs, kill -9."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from services_app import actions
from services_app.builders.model.limits import Limits
from services_app.models import ModelSession, Service, ServiceVersion, Specification
from services_app.pipelines import model_building
from services_app.pipelines.model_building import ModelBuild, model_build
from services_app.pipelines.model_requests import AskedError
from services_app.pipelines.sessions import RowRecorder
from tests.builders.model_scripts import CASES, FUNCTION, LEFT_OUT, TOOLS, Script, attack, last_answer, use, write_it
from tests.live import Worker, wait_for
from tests.pipelines.test_tasks_kill import alive, descendants
from tests.stub_model import Reply, StubModel, error, message, text
from webapp.common import runs
from webapp.common.models import Run

pytestmark = [pytest.mark.timeout(400)]
MODEL = "openai/stub"

Build = Callable[..., Run]


@pytest.fixture
def stub(settings: Any) -> Iterator[Callable[[Any], StubModel]]:
    """`stub(script)` starts a scripted server and makes it the configured one."""
    servers: list[StubModel] = []

    def start(script: Any) -> StubModel:
        server = StubModel(script)
        server.__enter__()
        servers.append(server)
        settings.WORKBENCH_MODEL, settings.WORKBENCH_MODEL_API_BASE = MODEL, server.base_url
        settings.WORKBENCH_MODEL_API_KEY = "sk-secret"
        return server

    yield start
    for server in servers:
        server.__exit__()


def specification() -> Specification:
    content = json.dumps({"name": "desk", "tools": TOOLS})
    return actions.import_text(text=content, name="desk.json", by=None)[0]


@pytest.fixture
def build(settings: Any, db: None, django_capture_on_commit_callbacks: Any) -> Build:
    """`build(**request)` carries out a build in this process and returns its run."""

    def make(**asked: Any) -> Run:
        settings.WORKBENCH_RUN_INLINE = True
        request = ModelBuild(**{"model": MODEL, "adversary": False, **asked})
        with django_capture_on_commit_callbacks(execute=True):
            run = actions.start_build(specification=specification(), by=None, by_model=request)
        run.refresh_from_db()
        return run

    return make


def resume(run: Run, callbacks: Any) -> Run:
    with callbacks(execute=True):
        runs.resume(run, None)
    run.refresh_from_db()
    return run


def lines(run: Run) -> str:
    return "\n".join(run.events.order_by("seq").values_list("message", flat=True))


# Builds


def test_a_quarantined_tool_becomes_a_verified_one(stub: Any, build: Build) -> None:
    script = Script(write_it(), attack())
    stub(script)
    run = build(adversary=True)
    assert run.state == "succeeded", lines(run)
    service = Service.objects.get()
    assert service.current is not None
    assert service.current.builder == "model:openai/stub"
    assert set(service.tools.values_list("status", flat=True)) == {"verified"}
    assert service.tools.get(name=LEFT_OUT).status == "verified"
    assert run.result["verified"] == 4
    builder = ModelSession.objects.get(role="builder")
    assert (builder.state, builder.ended) == ("done", "Every tool of the specification is verified.")
    assert (builder.turns, builder.input_tokens, builder.output_tokens) == (4, 40, 20)
    assert builder.cost is None  # the price of the stub is not known, and no figure is made up
    assert [turn.message["role"] for turn in builder.transcript.all()] == ["system", "user", *["assistant", "tool"] * 4]
    assert builder.transcript.get(number=2).raw["tool_calls"]
    adversary = ModelSession.objects.get(role="adversary")
    assert (adversary.state, adversary.work["work"]["cases"][0]["tool"]) == ("done", "get_ticket")
    assert "3 of 4 tools verified" in lines(run)
    assert script.asked == {"builder": 4, "adversary": 2}


def test_a_resume_after_the_last_turn_asks_for_nothing(
    stub: Any, build: Build, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    def lost(**_: Any) -> Service:
        raise runs.RunFailed("test:lost", "The database went away.")

    script = Script(write_it(), attack())
    stub(script)
    monkeypatch.setattr(model_building, "store_version", lost)
    run = build(adversary=True)
    assert (run.state, run.failure_kind) == ("failed", "test:lost")
    monkeypatch.undo()
    settings_stay = stub(script)
    resume(run, django_capture_on_commit_callbacks)
    assert run.state == "succeeded", lines(run)
    assert script.asked == {"builder": 4, "adversary": 2}
    assert settings_stay.requests == []
    assert ModelSession.objects.count() == 2
    assert run.result["tokens"] == 6 * 15
    assert run.result["cost_usd"] is None


def test_building_everything_does_not_replace_what_a_model_improved(
    stub: Any, build: Build, django_capture_on_commit_callbacks: Any
) -> None:
    stub(Script(write_it()))
    build()
    ServiceVersion.objects.update(made_with="older code")
    with django_capture_on_commit_callbacks(execute=True):
        actions.start_build_all(by=None, lanes=1)
    service = Service.objects.get()
    assert (service.versions.count(), service.current and service.current.builder) == (1, "model:openai/stub")


STRICT = {
    "tool": "create_ticket",
    "arguments": {"title": ""},
    "expected": {"outcome": "refused", "unchanged": True},
    "note": "A ticket has a title.",
}


def refuse_empty_titles(body: dict[str, Any]) -> Reply:
    """After `read_file`: the tool under attack refuses what the case sends."""
    whole = last_answer(body).partition("\n")[2]
    head, found, tail = whole.partition("create_ticket(state")
    signature, end, rest = tail.partition(":\n")
    check = "    if not args['title']:\n        raise ToolError(422, 'empty', 'Give a title.')\n"
    assert found
    assert end
    docstring, _, code = rest.partition('"""\n')
    new = f'from services_app.engine import ToolError\n{head}{found}{signature}{end}{docstring}"""\n{check}{code}'
    return use("write_file", name="tools.py", text=new + FUNCTION)


def test_a_case_of_the_adversary_counts_and_is_kept(stub: Any, build: Build) -> None:
    replies = [use("read_file", name="tools.py"), refuse_empty_titles, use("run_gate")]
    script = Script(replies, attack([STRICT, *CASES]))
    stub(script)
    run = build(adversary=True)
    assert run.state == "succeeded", lines(run)
    assert "The rules builder's version has 2 of 4 tools verified." in lines(run)
    service = Service.objects.get()
    assert set(service.tools.values_list("status", flat=True)) == {"verified"}
    builder = ModelSession.objects.get(role="builder")
    opening = builder.transcript.get(number=1).message["content"]
    assert "case:1" in opening  # the builder is told what failed, the adversary was not told what exists
    kept = list(service.cases.order_by("id"))
    assert [case.tool for case in kept] == ["create_ticket", "get_ticket", "list_tickets"]
    assert kept[0].note == f"Written by {MODEL}, which saw the specification only. A ticket has a title."
    assert kept[0].by is None


def test_a_model_that_makes_it_worse_leaves_the_rules_version(stub: Any, build: Build) -> None:
    empty = use("write_file", name="tools.py", text='"""Nothing."""\n')
    stub([empty, use("finish")])
    run = build()
    service = Service.objects.get()
    assert (run.state, service.current and service.current.builder) == ("succeeded", "rules")
    assert "the rules builder's is stored" in lines(run)
    assert service.tools.get(name=LEFT_OUT).reason.startswith("left out by the builder")


def test_a_limit_ends_it_in_words_and_keeps_the_best(stub: Any, build: Build) -> None:
    stub(lambda _: use("list_files"))
    run = build(limits=Limits(turns=2))
    session = ModelSession.objects.get()
    assert (run.state, session.state) == ("succeeded", "stopped")
    assert session.ended == "The limit of 2 turns was reached."
    assert session.finished_at
    assert Service.objects.get().tools.filter(status="verified").count() == 3


def test_an_outage_fails_the_job_truthfully_and_a_resume_goes_on(
    stub: Any, build: Build, django_capture_on_commit_callbacks: Any
) -> None:
    replies = write_it()
    first = Script([*replies[:2], error(401, "no such key sk-secret")])
    stub(first)
    run = build()
    assert (run.state, run.failure_kind) == ("failed", "model:auth")
    assert "sk-secret" not in run.failure_message
    assert "resume goes on from there" in run.failure_message
    assert not Service.objects.exists()  # nothing half made is stored
    session = ModelSession.objects.get()
    assert (session.state, session.turns) == ("failed", 2)
    second = Script(replies[2:])
    server = stub(second)
    resume(run, django_capture_on_commit_callbacks)
    assert run.state == "succeeded", lines(run)
    assert first.asked["builder"] == 3
    assert second.asked["builder"] == 2
    assert len(server.requests[0].json["messages"]) == 6
    session.refresh_from_db()
    assert (session.state, session.turns, session.input_tokens) == ("done", 4, 40)
    assert Service.objects.get().tools.get(name=LEFT_OUT).status == "verified"


@pytest.mark.parametrize(
    "adversary",
    [
        [use("add_cases", cases=[{"tool": "nothing"}]), use("finish")],
        [text("I found no problem.")] * 3,
        [use("finish")],
    ],
)
def test_no_usable_case_is_a_failure_in_words(stub: Any, build: Build, adversary: list[Reply]) -> None:
    script = Script(write_it(), adversary)
    stub(script)
    run = build(adversary=True)
    assert (run.state, run.failure_kind) == ("failed", "adversary:no-cases")
    assert "No usable test case was written" in run.failure_message
    assert ModelSession.objects.get().state == "failed"
    assert script.asked["builder"] == 0


def test_a_second_adversary_may_try_after_one_without_cases(
    stub: Any, build: Build, django_capture_on_commit_callbacks: Any
) -> None:
    stub(Script([], [use("finish")]))
    run = build(adversary=True)
    script = Script(write_it(), attack())
    stub(script)
    resume(run, django_capture_on_commit_callbacks)
    assert run.state == "succeeded", lines(run)
    assert list(ModelSession.objects.order_by("id").values_list("role", "state")) == [
        ("adversary", "failed"),
        ("adversary", "done"),
        ("builder", "done"),
    ]


def test_what_no_database_takes_is_stored_and_marked(stub: Any, build: Build) -> None:
    stub([message("a\x00b\ud83d", tool_calls=calls_of(use("list_files"))), use("finish")])
    run = build()
    assert run.state == "succeeded"
    turn = ModelSession.objects.get().transcript.get(number=2)
    assert turn.message["content"] == "a\ufffdb\ufffd"
    assert "sanitised" in turn.note


def calls_of(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reply.body["choices"][0]["message"]["tool_calls"]
    return found


def test_a_stop_keeps_the_session_and_a_resume_goes_on(
    stub: Any, build: Build, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    checkpoint = RowRecorder.checkpoint

    def stopped_after_two_turns(recorder: RowRecorder) -> None:
        if recorder.session.turns == 2 and Run.objects.get().attempt == 1:
            runs.request_cancel(Run.objects.get(), None)
        checkpoint(recorder)

    monkeypatch.setattr(RowRecorder, "checkpoint", stopped_after_two_turns)
    script = Script(write_it())
    stub(script)
    run = build()
    assert run.state == "cancelled", lines(run)
    session = ModelSession.objects.get()
    assert (session.state, session.turns) == ("stopped", 2)
    assert "stopped by a person" in session.ended
    resume(run, django_capture_on_commit_callbacks)
    assert run.state == "succeeded", lines(run)
    session.refresh_from_db()
    assert (session.state, session.turns) == ("done", 4)
    assert script.asked["builder"] == 4


# Asking for one


def test_without_a_model_it_says_so_everywhere(settings: Any, client_as: Any, api_as: Any, db: None) -> None:
    settings.WORKBENCH_MODEL = settings.WORKBENCH_MODEL_API_BASE = ""
    spec = specification()
    words = "not available: no model is configured"
    client = client_as("curator")
    page = client.get(f"/services/specifications/{spec.public_id}/model/").content.decode()
    assert words in page
    assert 'type="submit">Start' not in page
    assert words in client.get("/services/sessions/").content.decode()
    with pytest.raises(AskedError, match=words):
        model_build({})
    answer = api_as("jobs:write", role="curator").post(
        f"/api/v1/specifications/{spec.public_id}/build", {"builder": "model"}, "json", HTTP_IDEMPOTENCY_KEY="k"
    )
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/model"
    assert words in answer.content.decode()
    assert not Run.objects.exists()


def test_the_verb_builds_with_a_model(stub: Any, settings: Any, tmp_path: Path, transactional_db: None) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    settings.WORKBENCH_HOME = tmp_path / "home"
    settings.WORKBENCH_EMBEDDED_DATABASE = settings.WORKBENCH_EMBEDDED_BROKER = False
    spec = specification()
    said = StringIO()
    stub(Script(write_it()))
    asked = ("build", spec.slug, "--builder", "model", "--no-adversary", "--turns", "9")
    call_command(*asked, "--json", stdout=said, stderr=StringIO())
    (answer,) = json.loads(said.getvalue())
    assert (answer["slug"], answer["verified"]) == ("desk", 4)
    assert ModelSession.objects.get().limits["turns"] == 9
    settings.WORKBENCH_MODEL = ""
    for wrong, words in (
        (asked, "not available: no model is configured"),
        (("build", spec.slug, "--model", "x"), "--model needs --builder model"),
        (("build", "--all", "--builder", "model", "--model", "x"), "--all builds by rules"),
        ((*asked, "--model", "x", "--cost", "-1"), "cost_usd"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command(*wrong, stdout=StringIO(), stderr=StringIO())


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"builder": "model", "limits": {"turns": 0}}, "/limits/turns"),
        ({"builder": "model", "limits": {"seconds": -1}}, "/limits/seconds"),
        ({"builder": "model", "nonsense": 1}, "/nonsense"),
        ({"builder": "rules", "scratch": True}, ""),
    ],
)
def test_rest_refuses_what_it_cannot_do(stub: Any, api_as: Any, db: None, body: dict[str, Any], pointer: str) -> None:
    stub([])
    url = f"/api/v1/specifications/{specification().public_id}/build"
    answer = api_as("jobs:write", role="curator").post(url, body, "json", HTTP_IDEMPOTENCY_KEY="k")
    assert answer.status_code == 422
    assert pointer in [each["pointer"] for each in answer.json()["errors"]]
    assert not Run.objects.exists()


def test_rest_and_page_start_the_same_build(stub: Any, api_as: Any, client_as: Any, db: None) -> None:
    stub([])
    spec = specification()
    body = {"builder": "model", "model": "openai/other", "limits": {"turns": 7}, "adversary": False}
    url = f"/api/v1/specifications/{spec.public_id}/build"
    answer = api_as("jobs:write", role="curator").post(url, body, "json", HTTP_IDEMPOTENCY_KEY="k")
    assert answer.status_code == 202
    form = {"start": "rules", "model": "openai/other", "turns": 7, "tokens": 2_000_000, "minutes": 60, "cost_usd": ""}
    page = f"/services/specifications/{spec.public_id}/model/"
    assert client_as("curator").post(page, form).status_code == 302
    assert client_as("curator").post(page, form | {"turns": 0}).status_code == 422
    assert client_as("viewer").get(page).status_code == 403
    first, second = (run.payload["by_model"] for run in Run.objects.order_by("id"))
    assert first == second
    assert first["limits"] == {"turns": 7, "tokens": 2_000_000, "cost_usd": None, "seconds": 3600.0}
    plain = api_as("jobs:write", role="curator").post(url, {}, "json", HTTP_IDEMPOTENCY_KEY="rules")
    assert plain.status_code == 202
    assert "by_model" not in Run.objects.order_by("-id")[0].payload


# Looking at one


def test_pages_and_rest_show_cost_tokens_and_transcript(
    stub: Any, build: Build, client_as: Any, api_as: Any, django_assert_max_num_queries: Any
) -> None:
    markup = message("<script>alert(1)</script>", tool_calls=calls_of(use("list_files")))
    stub(Script([markup, *write_it()]))
    run = build()
    session = ModelSession.objects.get()
    client = client_as("viewer")
    url = f"/services/sessions/{session.public_id}/"
    with django_assert_max_num_queries(12):
        page = client.get(url).content.decode()
    assert "75" in page
    assert "50 sent, 25 received" in page
    assert "price of this model is not known" in page
    assert "Every tool of the specification is verified." in page
    assert "<script>alert" not in page
    assert "frobnicate_ticket" in page
    assert client.get(f"{url}?limit=3").content.decode().count('id="turn-') == 3
    assert url in client.get(run.get_absolute_url()).content.decode()
    versions = client.get("/services/desk/?tab=versions").content.decode()
    assert "/services/sessions/?service=desk" in versions
    assert url in client.get("/services/sessions/?service=desk&role=builder").content.decode()
    assert url not in client.get("/services/sessions/?role=adversary").content.decode()
    api = api_as("catalog:read")
    (row,) = api.get("/api/v1/sessions?service=desk").json()["data"]
    assert (row["id"], row["state"], row["turns"], row["cost_usd"]) == (session.public_id, "done", 5, None)
    assert api.get(f"/api/v1/sessions/{session.public_id}").json() == row
    turns = api.get(f"/api/v1/sessions/{session.public_id}/turns?limit=4").json()
    assert [turn["number"] for turn in turns["data"]] == [0, 1, 2, 3]
    rest = api.get(f"/api/v1/sessions/{session.public_id}/turns?cursor={turns['page']['next']}").json()
    assert len(rest["data"]) == 8
    assert rest["page"]["next"] is None


def test_a_session_whose_worker_was_lost_is_not_shown_as_running(stub: Any, build: Build, client_as: Any) -> None:
    stub([use("list_files"), use("finish")])
    run = build()
    ModelSession.objects.update(state="running", ended="", finished_at=None)
    session = ModelSession.objects.get()
    Run.objects.filter(pk=run.pk).update(state="interrupted", failure_kind="worker:lost", failure_message="gone")
    page = client_as("viewer").get(f"/services/sessions/{session.public_id}/").content.decode()
    assert 'data-status="interrupted"' in page
    assert "goes on from the last stored message" in page
    assert "every 3s" not in page


# kill -9


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_repeats_no_reply_and_ends_with_one_version(stub: Any, live_worker: Any) -> None:
    replies = write_it()
    held = [reply if callable(reply) else Reply(reply.body, delay=0.5) for reply in replies]
    script = Script(held)
    server = stub(script)
    settings = {"WORKBENCH_MODEL": MODEL, "WORKBENCH_MODEL_API_BASE": server.base_url}
    purge()
    worker: Worker = live_worker(queues="build", **settings)
    request = ModelBuild(model=MODEL, adversary=False)
    run = actions.start_build(specification=specification(), by=None, by_model=request)
    wait_for(lambda: ModelSession.objects.filter(turns__gte=2).exists(), 150, every=0.02)
    below = descendants(worker.process.pid)
    worker.kill()
    wait_for(lambda: not alive(below), 20)
    session = ModelSession.objects.get()
    stored = session.turns
    assert session.state == "running"
    assert not Service.objects.exists()
    asked = script.asked["builder"]
    assert asked - stored <= 1, "at most the current turn is lost"
    script.forget_unstored(replies, stored)
    run.refresh_from_db()
    assert run.state == "running", "the kill came too late"
    assert run.lease_until is not None
    later = run.lease_until + timedelta(minutes=1)
    # The database may hold the row for a moment longer than the killed process lived.
    wait_for(lambda: runs.sweep(later).requeued == 1, 20)
    live_worker(queues="build", **settings)

    def ended() -> bool:
        run.refresh_from_db()
        return run.is_finished

    wait_for(ended, 240, every=0.3)
    assert (run.state, run.attempt) == ("succeeded", 2), lines(run)
    session.refresh_from_db()
    assert (session.state, session.turns) == ("done", len(replies))
    assert script.asked["builder"] == len(replies) + (asked - stored)
    assert ServiceVersion.objects.count() == 1
    assert Service.objects.get().tools.get(name=LEFT_OUT).status == "verified"
    roles = [turn.message["role"] for turn in session.transcript.order_by("number")]
    assert roles == ["system", "user", *["assistant", "tool"] * len(replies)]
    assert f"goes on after {stored} turns" in lines(run)


def purge() -> None:
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge("build")
