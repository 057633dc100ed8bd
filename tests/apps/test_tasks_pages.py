"""Pages of compositions, tasks and trajectories over real proven tasks."""

from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

from services_app import decisions
from services_app.engine.catalogue import describe
from services_app.library import registry
from services_app.models import Service, Tool
from services_app.pipelines import storing
from tasks_app.engine.task import AuditFinding, Proof
from tasks_app.models import Task, Trajectory
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReferencePolicy
from tests.catalogue import install_services, install_tasks, install_trajectory, report_of
from tests.factories import make_run
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


def test_task_page_shows_each_claim_mutant_ablation_and_solver(task: Task, client_as: Any) -> None:
    spec = task.to_spec()
    text = unescape(text_of(client_as("viewer").get(task.get_absolute_url())))
    evidence = {claim.number: claim.evidence for claim in spec.proof.claims}
    assert all(f'id="claim-{number}"' in text for number in range(1, 14))
    ablation, mutants, audit = (text.partition(f'id="{name}"')[2] for name in ("ablation", "mutants", "audit"))
    assert len(evidence[6]["edges"]) == len(spec.graph.edges)
    for edge in evidence[6]["edges"]:
        assert edge["edge"] in ablation
        assert str(edge["alternative"])[:40] in ablation
    assert len(evidence[5]["each"]) == evidence[5]["mutants"] > 5
    assert all(mutant["mutant"] in mutants for mutant in evidence[5]["each"])
    assert spec.proof.audit is not None
    assert all(solver.solver in audit for solver in spec.proof.audit.solvers)
    assert "Nothing gives a value away" in audit


def store_proof(task: Task, proof: Proof) -> None:
    Task.objects.filter(pk=task.pk).update(spec=task.to_spec().with_proof(proof).model_dump_json())


def test_task_page_shows_what_the_audit_found(task: Task, client_as: Any) -> None:
    proof = task.to_spec().proof
    assert proof.audit is not None
    lucky, sure = (
        solver.model_copy(update={"passed": True}) for solver in (proof.audit.solvers[-1], proof.audit.solvers[0])
    )
    finding = AuditFinding(kind="cheater", what="takes the <first>")
    found = proof.audit.model_copy(
        update={"outcome": "fail", "findings": (finding,), "solvers": (sure, lucky), "why": "one is not told"}
    )
    store_proof(task, proof.model_copy(update={"audit": found}))
    text = text_of(client_as("viewer").get(task.get_absolute_url())).partition('id="audit"')[2]
    for piece in ("takes the &lt;first&gt;", "by chance", "yes", "one is not told"):
        assert piece in text
    store_proof(task, proof.model_copy(update={"audit": None}))
    assert "before there was an audit" in text_of(client_as("viewer").get(task.get_absolute_url()))
    store_proof(task, Proof())
    assert "No proof is stored" in text_of(client_as("viewer").get(task.get_absolute_url()))


def test_a_new_version_of_any_mounted_service_makes_the_task_stale(task: Task, client_as: Any) -> None:
    spec = task.to_spec()
    (distractor,) = spec.distractors
    info = replace(describe(registry.load(distractor)), version_hash="0" * 32)
    context: Any = SimpleNamespace(run=make_run(kind="verify", state="succeeded"))
    storing.store_version(
        origin=Service.Origin.LIBRARY,
        info=info,
        files=registry.load(distractor).files,
        report=report_of(distractor),
        builder="hand",
        left_out={},
        specification=None,
        context=context,
    )
    task.refresh_from_db()
    assert (task.status, task.status_reason) == ("stale", f"{distractor} has a new version")
    assert f"{distractor} has a new version" in text_of(client_as("viewer").get(task.get_absolute_url()))


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
