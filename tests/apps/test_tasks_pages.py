"""Pages of compositions, tasks and trajectories over real proven tasks."""

from typing import Any

import pytest

from services_app import decisions
from services_app.models import Tool
from tasks_app.models import Task, Trajectory
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReferencePolicy
from tests.catalogue import install_services, install_tasks, install_trajectory
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def task(db: None) -> Task:
    return install_tasks()[0]


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.content[:500]
    return str(response.content.decode())


def test_compose_draws_a_preview_and_starts_a_job(client_as: Any) -> None:
    install_services()
    client = client_as("curator")
    text = text_of(client.get("/compose/?count=3&k=2&distractors=1&length_min=3&length_max=4&seed=5"))
    assert "Walk:" in text
    assert "<svg" in text
    data = {"count": 3, "k": 2, "distractors": 1, "length_min": 3, "length_max": 4, "seed": 5}
    assert client.post("/compose/", data).status_code == 302
    assert Run.objects.get(kind="generate").payload["length"] == [3, 4]


def test_impossible_compositions_are_refused_in_words(client_as: Any) -> None:
    install_services()
    data = {"count": 3, "k": 3, "distractors": 9, "length_min": 3, "length_max": 4, "seed": 5}
    response = client_as("curator").post("/compose/", data)
    assert response.status_code == 422
    assert "3 are ready" in response.content.decode()


def test_empty_pages_say_what_to_do(client_as: Any) -> None:
    client = client_as("viewer")
    assert "No tasks yet" in text_of(client.get("/tasks/"))
    assert "No trajectories yet" in text_of(client.get("/trajectories/"))
    assert "No service is ready" in text_of(client.get("/compose/"))


def test_task_page_shows_graph_rubric_proof_and_reference(task: Task, client_as: Any) -> None:
    spec = task.to_spec()
    text = text_of(client_as("viewer").get(f"{task.get_absolute_url()}?edge=0"))
    for piece in ("<svg", 'id="rubric"', 'id="proof"', 'id="reference"', spec.graph.edges[0].source):
        assert piece in text
    assert spec.reference.calls[0].tool in text


def test_trajectory_page_shows_steps_verdict_and_state(task: Task, client_as: Any) -> None:
    client = client_as("viewer")
    good = install_trajectory(task, ReferencePolicy())
    assert good.status == "passed"
    text = text_of(client.get(good.get_absolute_url()))
    assert "discovery" in text
    assert "✓" in text
    bad = install_trajectory(task, FaultyPolicy())
    assert bad.status in ("failed", "partial")
    text_of(client.get(bad.get_absolute_url()))
    idle = install_trajectory(task, NoopPolicy())
    assert idle.passed is False
    assert "called no tool" in text_of(client.get(idle.get_absolute_url()))


def test_lists_filter(task: Task, client_as: Any) -> None:
    client = client_as("viewer")
    install_trajectory(task, ReferencePolicy())
    assert task.public_id in text_of(client.get("/tasks/?status=verified"))
    assert "No task matches" in text_of(client.get("/tasks/?k=9"))
    assert "reference" in text_of(client.get("/trajectories/?status=passed"))
    assert "No trajectory matches" in text_of(client.get("/trajectories/?status=failed"))


def test_quarantine_makes_tasks_stale_and_undo_restores_them(task: Task, client_as: Any) -> None:
    client = client_as("curator")
    tool = Tool.objects.get(pk=task.tool_uses.first().tool_id)
    page = text_of(client.get(tool.get_absolute_url()))
    assert "verified tasks" in page
    response = client.post(
        f"{tool.get_absolute_url()}decide/", {"kind": "quarantine", "reason_code": "not_deterministic"}
    )
    assert response.status_code == 302
    task.refresh_from_db()
    assert task.status == "stale"
    assert tool.exposed in text_of(client.get(task.get_absolute_url()))
    decision = tool.decisions.get()
    decisions.undo(decision=decision, by=decision.by)
    task.refresh_from_db()
    assert task.status == "verified"


def test_prove_and_play_from_the_page(
    task: Task, client_as: Any, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    client = client_as("trainer")
    url = task.get_absolute_url()
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"{url}prove/").status_code == 302
        assert client.post(f"{url}rollout/", {"policy": "reference", "n": 2}).status_code == 302
        assert client.post("/tasks/rollout/?status=verified", {"policy": "noop", "n": 1}).status_code == 302
    assert set(Run.objects.exclude(kind__in=("verify", "generate")).values_list("kind", "state")) == {
        ("prove", "succeeded"),
        ("rollout", "succeeded"),
    }
    assert Trajectory.objects.filter(policy="reference", passed=True).count() == 2
    assert Trajectory.objects.filter(policy="noop", passed=False).count() == 2
    task.refresh_from_db()
    assert task.status == "verified"


def test_viewers_neither_play_nor_generate_nor_retire(task: Task, client_as: Any) -> None:
    viewer, url = client_as("viewer"), task.get_absolute_url()
    data = {"count": 1, "k": 2, "distractors": 0, "length_min": 3, "length_max": 3, "seed": 5}
    assert viewer.post("/compose/", data).status_code == 403
    assert viewer.post(f"{url}rollout/", {"policy": "noop", "n": 1}).status_code == 403
    assert viewer.post(f"{url}prove/").status_code == 403
    assert viewer.post(f"{url}retire/", {"reason": "x"}).status_code == 403
    assert client_as("curator").post(f"{url}retire/", {"reason": "too easy"}).status_code == 302
    task.refresh_from_db()
    assert (task.status, task.status_reason) == ("retired", "too easy")


def test_pages_ask_few_questions(task: Task, client_as: Any, django_assert_max_num_queries: Any) -> None:
    client = client_as("viewer")
    trajectory = install_trajectory(task, ReferencePolicy())
    for url in ("/tasks/", task.get_absolute_url(), "/trajectories/", trajectory.get_absolute_url(), "/compose/"):
        with django_assert_max_num_queries(12):
            assert client.get(url).status_code == 200, url


def test_stored_trajectory_equals_the_rollout(task: Task) -> None:
    trajectory = install_trajectory(task, ReferencePolicy())
    value = trajectory.to_value()
    assert value.passed is True
    assert len(value.steps) == trajectory.step_count
    assert value.task_hash == task.task_hash
    assert {result["status"] for result in value.verdict["results"]} == {"pass"}
    assert any(step.decided for step in value.steps)
