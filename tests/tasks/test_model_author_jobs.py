"""Tasks written or reworded by a scripted model over HTTP: jobs, resume, pages, REST, verbs, kill -9."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from services_app.batch_models import BatchItem
from services_app.builders.model.limits import Limits
from services_app.models import ModelSession
from services_app.pipelines.model_requests import AskedError
from tasks_app import actions
from tasks_app.authors.batch import GenerateRequest, author_on, first_drawn
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.text import human_label
from tasks_app.model_writing import ModelAuthoring, model_authoring
from tasks_app.models import Task
from tests.builders.model_scripts import use
from tests.catalogue import SLUGS, install_services, mounting, workshop
from tests.live import Worker, wait_for
from tests.pipelines.test_tasks_kill import alive, descendants
from tests.stub_model import Reply, StubModel, error, text
from tests.tasks.model_scripts import written_by_model
from webapp.common import runs
from webapp.common.models import Run

pytestmark = [pytest.mark.timeout(400)]
MODEL = "openai/stub"
POOL = tuple(sorted(SLUGS))
ASKED = GenerateRequest(count=1, needed=2, distractors=1, length=(3, 4), seed=0, services=POOL)


@lru_cache(maxsize=1)
def source() -> tuple[int, TaskSpec]:
    """The first seed whose drawn composition the rules author can write on, with that task: the model's script."""
    for seed in range(1, 40):
        request = GenerateRequest.parse({**wanted(seed), "length": list(ASKED.length)})
        task = author_on(mounting(), workshop(), first_drawn(request, POOL, 0), dict.fromkeys(POOL, 0))
        if isinstance(task, TaskSpec) and plainly_stated(task):
            return seed, task
    raise AssertionError("no composition that can be written on")


def plainly_stated(task: TaskSpec) -> bool:
    """Whether the instruction alone states every choice: a model that writes it has no phrase book to vouch for it."""
    said = task.meaning.get("said", {})
    return all(human_label(value).casefold() in task.instruction.casefold() for value in said)


def wanted(seed: int) -> dict[str, Any]:
    return {
        "count": 1,
        "k": 2,
        "distractors": 1,
        "length": ASKED.length,
        "seed": seed,
        "services": list(POOL),
        "mode": "uniform",
    }


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


Generate = Callable[..., Run]


@pytest.fixture
def generate(settings: Any, db: None, django_capture_on_commit_callbacks: Any) -> Generate:
    """`generate(...)` carries out a generation of one task in this process and returns its run."""

    def make(*, author: str = "model", solver: str = "", limits: Limits | None = None) -> Run:
        settings.WORKBENCH_RUN_INLINE = True
        install_services()
        asked = ModelAuthoring(model=MODEL, solver=solver, limits=limits or Limits())
        with django_capture_on_commit_callbacks(execute=True):
            run = actions.start_generation(**wanted(source()[0]), author=author, by_model=asked, lanes=1, by=None)
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


# Jobs


def test_a_task_written_by_a_model_is_proven_and_stored_with_what_it_took(stub: Any, generate: Generate) -> None:
    replies = written_by_model(source()[1])
    stub(replies)
    run = generate()
    assert run.state == "succeeded", lines(run)
    task = Task.objects.get()
    assert (task.status, task.author, task.instruction) == ("verified", "model", source()[1].instruction)
    session = ModelSession.objects.get()
    signed = task.to_spec().author
    assert signed["model"] == MODEL
    assert signed["session"] == session.public_id
    assert (signed["tokens"], signed["cost_usd"]) == (15 * len(replies), None)
    assert (session.role, session.state, session.ended) == ("author", "done", "The task is proven.")
    assert (session.subject, session.run_id) == ("Task 1", run.pk)
    assert run.result["tokens"] == 15 * len(replies)
    assert [turn.message["role"] for turn in session.transcript.all()][:4] == ["system", "user", "assistant", "tool"]


def test_a_budget_that_ends_says_which_and_what_was_failing(stub: Any, generate: Generate) -> None:
    replies = written_by_model(source()[1])
    bad = [*replies[:2], use("design", instruction="Hello Zora Quennel."), *replies[3:]]
    stub(bad)
    run = generate(limits=Limits(turns=len(bad) - 1))
    assert (run.state, run.failure_kind) == ("failed", "author:none")
    assert f"The limit of {len(bad) - 1} turns was reached." in run.failure_message
    item = BatchItem.objects.get()
    assert (item.state, item.failure_kind) == ("failed", "author:none")
    assert ModelSession.objects.get().state == "stopped"
    assert not Task.objects.exists()


def test_an_outage_stops_the_batch_and_a_resume_goes_on(
    stub: Any, generate: Generate, django_capture_on_commit_callbacks: Any
) -> None:
    replies = written_by_model(source()[1])
    stub([*replies[:2], error(401, "no such key sk-secret")])
    run = generate()
    assert (run.state, run.failure_kind) == ("failed", "model:auth")
    assert "sk-secret" not in run.failure_message
    assert "resume goes on from there" in run.failure_message
    item = BatchItem.objects.get()
    assert (item.state, item.attempts) == ("waiting", 0)
    server = stub(replies[2:])
    resume(run, django_capture_on_commit_callbacks)
    assert run.state == "succeeded", lines(run)
    assert len(server.requests) == len(replies) - 2
    assert len(server.requests[0].json["messages"]) == 6
    assert ModelSession.objects.get().turns == len(replies)
    assert "the author goes on after 2 turns" in lines(run)
    assert Task.objects.get().status == "verified"


def test_an_outage_of_the_solver_is_taken_up_where_it_was(
    stub: Any, generate: Generate, django_capture_on_commit_callbacks: Any
) -> None:
    replies = written_by_model(source()[1])
    stub([*replies, error(401, "no key")])
    run = generate(solver="openai/solver")
    assert (run.state, run.failure_kind) == ("failed", "model:unavailable"), lines(run)
    assert "solver" in run.failure_message
    server = stub([text("I give up."), use("finish", summary="Too hard.")])
    resume(run, django_capture_on_commit_callbacks)
    assert run.failure_kind == "author:none"
    assert "Too hard." in run.failure_message
    assert "another model solves it" in run.failure_message
    assert [one.json["model"] for one in server.requests] == ["solver", "stub"]


def test_rewording_keeps_the_task_and_its_proof(stub: Any, generate: Generate) -> None:
    task = source()[1]
    other = f"Hello, thanks for taking this on. {task.instruction}"
    stub([use("reword", text="Do it."), use("reword", text=other)])
    run = generate(author="rules")
    assert run.state == "succeeded", lines(run)
    stored = Task.objects.get()
    spec = stored.to_spec()
    assert (stored.instruction, stored.author, stored.status) == (other, "rules", "verified")
    assert (spec.author["rephrased_by"], spec.author["tokens"]) == (MODEL, 30)
    assert spec.reference == task.reference
    assert spec.proof.passed
    assert ModelSession.objects.get().role == "rephraser"


def test_a_rewording_that_fails_leaves_the_rules_author_s_words(stub: Any, generate: Generate) -> None:
    stub([use("finish")])
    run = generate(author="rules")
    assert run.state == "succeeded", lines(run)
    assert Task.objects.get().instruction == source()[1].instruction
    assert "rephrased_by" not in Task.objects.get().to_spec().author


# Asking for one


def test_what_cannot_be_asked_is_refused_in_words(settings: Any) -> None:
    settings.WORKBENCH_MODEL = settings.WORKBENCH_MODEL_API_BASE = ""
    cases: list[tuple[str, dict[str, Any], bool, str]] = [
        ("model", {}, False, "not available: no model is configured"),
        ("rules", {}, True, "not available: no model is configured"),
        ("rules", {"model": "x"}, False, "ask for one of them"),
        ("rules", {"model": "x", "solver": "y"}, True, "stands beside the model author"),
        ("model", {"model": "x"}, True, "leave rephrase out"),
        ("model", {"model": "x", "limits": {"turns": 0}}, False, "limits.turns"),
        ("somebody", {}, False, "rules or model"),
    ]
    for author, asked, rephrase, words in cases:
        with pytest.raises(AskedError, match=words):
            model_authoring(author, asked, rephrase=rephrase)
    assert model_authoring("rules", {}) is None


def test_the_verb_writes_with_a_model(stub: Any, settings: Any, tmp_path: Path, transactional_db: None) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    settings.WORKBENCH_HOME = tmp_path / "home"
    settings.WORKBENCH_EMBEDDED_DATABASE = settings.WORKBENCH_EMBEDDED_BROKER = False
    install_services()
    seed, task = source()
    stub(written_by_model(task))
    said = StringIO()
    rules = ("tasks", "generate", "--count", "1", "--k", "2", "--distractors", "1", "--length", "3..4", "--jobs", "1")
    asked = (*rules, "--mode", "uniform", "--seed", str(seed), "--author", "model", "--turns", "40")
    call_command(*asked, "--json", stdout=said, stderr=StringIO())
    answer = json.loads(said.getvalue())
    assert (answer["proven"], answer["turns"]) == (1, len(written_by_model(task)))
    assert ModelSession.objects.get().limits["turns"] == 40
    settings.WORKBENCH_MODEL = ""
    for wrong, words in (
        (asked, "not available: no model is configured"),
        ((*rules, "--solver", "x"), "ask for one of them"),
        ((*asked, "--model", "x", "--cost", "-1"), "cost_usd"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command(*wrong, stdout=StringIO(), stderr=StringIO())


BODY = {"count": 1, "k": 2, "distractors": 1, "length_min": 3, "length_max": 4, "seed": 3}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"author": "model", "limits": {"turns": 0}}, "/limits/turns"),
        ({"author": "rules", "model": "x"}, "/model"),
        ({"author": "model", "rephrase": True}, "/rephrase"),
        ({"author": "nobody"}, "/author"),
    ],
)
def test_rest_refuses_what_it_cannot_do(stub: Any, api_as: Any, db: None, body: dict[str, Any], pointer: str) -> None:
    stub([])
    install_services()
    api = api_as("tasks:write", role="curator")
    answer = api.post("/api/v1/tasks/generate", BODY | body, "json", HTTP_IDEMPOTENCY_KEY="k")
    assert answer.status_code == 422, answer.content
    assert pointer in [each["pointer"] for each in answer.json()["errors"]]
    assert not Run.objects.filter(kind="generate").exists()


def test_rest_and_page_start_the_same_job(stub: Any, api_as: Any, client_as: Any, db: None) -> None:
    stub([])
    install_services()
    body = BODY | {"author": "model", "model": "openai/other", "solver": "openai/second", "limits": {"turns": 7}}
    api = api_as("tasks:write", role="curator")
    assert api.post("/api/v1/tasks/generate", body, "json", HTTP_IDEMPOTENCY_KEY="k").status_code == 202
    form = BODY | {"author": "model", "model": "openai/other", "solver": "openai/second", "turns": 7}
    client = client_as("curator")
    page = client.get("/compose/").content.decode()
    assert "A model writes each task" in page
    assert client.post("/compose/", form).status_code == 302
    assert client.post("/compose/", form | {"turns": 0}).status_code == 422
    assert client.post("/compose/", BODY).status_code == 302
    first, second, third = (run.payload for run in Run.objects.filter(kind="generate").order_by("id"))
    assert first["by_model"] == second["by_model"]
    assert first["author"] == second["author"] == "model"
    assert first["by_model"]["limits"]["turns"] == 7
    assert "by_model" not in third
    rephrased = BODY | {"rephrase": True}
    assert api.post("/api/v1/tasks/generate", rephrased, "json", HTTP_IDEMPOTENCY_KEY="r").status_code == 202
    last = Run.objects.filter(kind="generate").order_by("-id")[0].payload
    assert (last["author"], last["by_model"]["model"]) == ("rules", MODEL)


def test_without_a_model_the_page_says_what_to_configure(settings: Any, client_as: Any, db: None) -> None:
    settings.WORKBENCH_MODEL = settings.WORKBENCH_MODEL_API_BASE = ""
    install_services()
    client = client_as("curator")
    page = client.get("/compose/").content.decode()
    assert "not available: no model is configured" in page
    assert "Set WORKBENCH_MODEL" in page
    assert 'name="solver"' not in page
    assert client.post("/compose/", BODY | {"author": "model"}).status_code == 422
    assert not Run.objects.filter(kind="generate").exists()


# Looking at one


def test_pages_show_the_session_its_job_and_its_task(
    stub: Any, generate: Generate, client_as: Any, api_as: Any, django_assert_max_num_queries: Any
) -> None:
    replies = written_by_model(source()[1])
    stub(replies)
    run = generate()
    session, task = ModelSession.objects.get(), Task.objects.get()
    client = client_as("viewer")
    url = f"/services/sessions/{session.public_id}/"
    for address in (url, run.get_absolute_url(), task.get_absolute_url(), "/services/sessions/?role=author"):
        with django_assert_max_num_queries(12):
            page = client.get(address).content.decode()
        assert "Task" in page
        assert url in page or address == url
    assert "Author: Task 1" in client.get(url).content.decode()
    row = api_as("catalog:read").get(f"/api/v1/sessions/{session.public_id}").json()
    assert (row["role"], row["service"], row["state"], row["turns"]) == ("author", "", "done", len(replies))


# kill -9


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_repeats_no_reply_and_ends_with_one_task(stub: Any, live_worker: Any) -> None:
    from workers.celery_app import app

    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge("author")
    install_services()
    seed, task = source()
    replies = [Reply(reply.body, delay=0.6) for reply in written_by_model(task)]
    waiting = list(replies)
    server = stub(lambda _body: waiting.pop(0))
    settings = {"WORKBENCH_MODEL": MODEL, "WORKBENCH_MODEL_API_BASE": server.base_url}
    worker: Worker = live_worker(queues="author", **settings)
    asked = ModelAuthoring(model=MODEL)
    run = actions.start_generation(**wanted(seed), author="model", by_model=asked, lanes=1, by=None)
    wait_for(lambda: ModelSession.objects.filter(turns__gte=2).exists(), 150, every=0.02)
    below = descendants(worker.process.pid)
    worker.kill()
    wait_for(lambda: not alive(below), 20)
    stored = ModelSession.objects.get().turns
    assert stored < len(replies), "the kill came too late"
    assert len(server.requests) - stored <= 1, "at most the current turn is lost"
    lost = len(server.requests) - stored
    waiting[:] = replies[stored:]
    run.refresh_from_db()
    assert run.state == "running"
    assert run.lease_until is not None
    later = run.lease_until + timedelta(minutes=1)
    wait_for(lambda: runs.sweep(later).requeued == 1, 20)
    live_worker(queues="author", **settings)

    def ended() -> bool:
        run.refresh_from_db()
        return run.is_finished

    wait_for(ended, 240, every=0.3)
    assert (run.state, run.attempt) == ("succeeded", 2), lines(run)
    session = ModelSession.objects.get()
    assert (session.state, session.turns) == ("done", len(replies))
    assert len(server.requests) == len(replies) + lost
    assert Task.objects.count() == 1
