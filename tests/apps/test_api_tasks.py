"""REST of compositions, tasks, trajectories and groups over real proven tasks."""

import json
from typing import Any
from uuid import uuid4

import pytest

from services_app.models import Tool
from tasks_app.engine.program import run_program
from tasks_app.models import Task, Trajectory, TrajectoryStep
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReferencePolicy
from tests.apps.problems import assert_problem
from tests.catalogue import SLUGS, install_services, install_tasks, install_trajectory, mounting
from webapp.common.models import Activity, Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]

API = "/api/v1"
SMALL = {"k": 2, "distractors": 1, "length_min": 3, "length_max": 4, "seed": 5}


@pytest.fixture
def tasks(db: None) -> list[Task]:
    return install_tasks()


@pytest.fixture
def task(tasks: list[Task]) -> Task:
    return tasks[0]


@pytest.fixture
def reader(api_as: Any) -> Any:
    return api_as("catalog:read", role="viewer")


def key() -> dict[str, str]:
    return {"HTTP_IDEMPOTENCY_KEY": uuid4().hex}


def part(client: Any, task: Task, name: str) -> Any:
    response = client.get(f"{API}/tasks/{task.public_id}/{name}")
    assert response.status_code == 200, response.content
    return response.json()


# Compositions


def test_preview_is_the_draw_of_the_seed(reader: Any) -> None:
    install_services()
    first = reader.post(f"{API}/compositions/preview", SMALL, format="json").json()
    assert reader.post(f"{API}/compositions/preview", SMALL, format="json").json() == first
    assert set(first["needed"]) | set(first["distractors"]) == set(first["mounted"]) == set(SLUGS)
    assert first["counts"] == {"pool": 3, "compositions": 3, "one_more": 3, "walks": 4, "used": 0}
    assert first["mode"] == "compatible"
    assert first["unmeasured"] == 3
    assert first["likelihood"] == pytest.approx(1 / 3)  # nothing is measured, so all weigh the same
    assert first["even_likelihood"] == pytest.approx(1 / 3)
    assert [edge["source"] for edge in first["graph"]["edges"]] == first["walk"][:-1]
    assert {node["slug"]: node["role"] for node in first["graph"]["nodes"]}[first["distractors"][0]] == "distractor"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"k": 3, "distractors": 9}, ""),
        ({"length_min": 5}, ""),
        ({"length_max": 1, "length_min": 1}, ""),
        ({"k": 99}, "/k"),
        ({"services": ["mail", "nope"]}, "/services/1"),
        ({"length": 3}, "/length"),
    ],
)
def test_impossible_compositions_are_refused_in_words(reader: Any, change: dict[str, Any], pointer: str) -> None:
    install_services()
    response = reader.post(f"{API}/compositions/preview", SMALL | change, format="json")
    problem = assert_problem(response, 422, "validation-failed")
    assert problem["errors"][0]["pointer"] == pointer
    assert problem["errors"][0]["detail"]


def test_generate_starts_one_job_per_key(api_as: Any) -> None:
    install_services()
    client = api_as("tasks:write", role="trainer")
    body = {"count": 3, **SMALL, "services": list(SLUGS)}
    path = f"{API}/tasks/generate"
    assert_problem(client.post(path, body, format="json"), 422, "validation-failed")
    first = client.post(path, body, format="json", HTTP_IDEMPOTENCY_KEY="g")
    again = client.post(path, body, format="json", HTTP_IDEMPOTENCY_KEY="g")
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert again["Location"] == f"{API}/operations/{first.json()['id']}"
    run = Run.objects.get(kind="generate")
    assert (run.payload["length"], run.payload["k"], run.payload["count"]) == ([3, 4], 2, 3)
    other = client.post(path, body | {"count": 4}, format="json", HTTP_IDEMPOTENCY_KEY="g")
    assert_problem(other, 422, "idempotency-key-reused")
    impossible = client.post(path, body | {"distractors": 9}, format="json", **key())
    assert_problem(impossible, 422, "validation-failed")


# Tasks


def test_task_list_has_the_filters_of_the_page(tasks: list[Task], reader: Any) -> None:
    install_trajectory(tasks[0], ReferencePolicy())
    install_trajectory(tasks[0], NoopPolicy())
    rows = reader.get(f"{API}/tasks").json()["data"]
    assert [row["id"] for row in rows] == [task.public_id for task in reversed(tasks)]
    figures = {row["id"]: row["figures"] for row in rows}
    assert figures[tasks[0].public_id] | {"mean_score": None} == {"rollouts": 2, "passes": 1, "mean_score": None}
    assert figures[tasks[1].public_id] == {"rollouts": 0, "passes": 0, "mean_score": None}
    needed = tasks[0].to_spec().needed[0]
    for query, expected in [
        ("k=9", []),
        ("status=stale", []),
        (f"length={tasks[0].walk_length}&service={needed}&limit=1&sort=created_at", [tasks[0].public_id]),
    ]:
        found = reader.get(f"{API}/tasks?{query}").json()["data"]
        assert [row["id"] for row in found] == expected, query
    counted = reader.get(f"{API}/tasks?count=exact&limit=1").json()["page"]
    assert counted["count"] == {"value": 2, "kind": "exact"}
    assert counted["next"]


def test_task_detail_and_artifact(task: Task, reader: Any) -> None:
    path = f"{API}/tasks/{task.public_id}"
    response = reader.get(path)
    assert response["ETag"] == '"v1"'
    assert reader.get(path, HTTP_IF_NONE_MATCH='"v1"').status_code == 304
    spec = task.to_spec()
    mounted = response.json()["services"]
    assert [one["slug"] for one in mounted] == [one.slug for one in spec.services]
    assert response.json()["task_hash"] == spec.task_hash
    assert reader.get(f"{path}/artifact").content.decode() == task.spec


def test_parts_of_a_task(task: Task, reader: Any) -> None:
    spec = json.loads(task.spec)
    graph = part(reader, task, "graph")
    assert graph["walk"] == spec["graph"]["walk"]
    assert [edge["value"] for edge in graph["edges"]] == [edge["value"] for edge in spec["graph"]["edges"]]
    assert all(edge["necessary"] is True for edge in graph["edges"])
    assert len(graph["nodes"]) == len(spec["services"])
    assert part(reader, task, "rubric") == {"criteria": spec["rubric"], "scope": spec["scope"]}
    assert part(reader, task, "reference-solution") == {"program": spec["reference"], "answer": spec["answer"]}
    assert part(reader, task, "initial-state") == spec["initial"]
    assert part(reader, task, "goal-state") == spec["goal"]
    proof = part(reader, task, "proof")
    assert proof["passed"] is True
    assert proof["claims"] == spec["proof"]["claims"]
    assert proof["audit"] == spec["proof"]["audit"]
    assert {solver["kind"] for solver in proof["audit"]["solvers"]} == {"cheater", "skips discovery"}
    assert proof["proved_at"]


def test_tables_of_both_states(task: Task, reader: Any) -> None:
    spec = task.to_spec()
    environment = spec.environment(mounting())
    change = spec.goal.changes[0]
    service, table = change["service"], change["table"]
    before = environment.rows(service, table)
    run_program(spec.reference, environment.call)
    after = environment.rows(service, table)
    assert before != after
    where = f"{service}/{table}?limit=500"
    assert part(reader, task, f"initial-state/{where}")["data"] == before
    assert part(reader, task, f"goal-state/{where}")["data"] == after
    first = part(reader, task, f"goal-state/{service}/{table}?limit=1")
    rest = part(reader, task, f"goal-state/{service}/{table}?limit=500&cursor={first['page']['next']}")
    assert first["data"] + rest["data"] == after
    assert rest["page"]["next"] is None
    assert_problem(reader.get(f"{API}/tasks/{task.public_id}/goal-state/{service}/nope"), 404, "not-found")


def test_states_of_another_version_are_a_conflict(task: Task, reader: Any) -> None:
    spec = task.to_spec()
    services = tuple(one.model_copy(update={"version_hash": "x"}) for one in spec.services)
    old = spec.model_copy(update={"services": services})
    Task.objects.filter(pk=task.pk).update(spec=old.model_dump_json())
    response = reader.get(f"{API}/tasks/{task.public_id}/initial-state/mail/messages")
    assert "another version" in assert_problem(response, 409, "state-conflict")["detail"]


def test_retire_needs_the_version_and_happens_once(task: Task, api_as: Any) -> None:
    client = api_as("review:write", "catalog:read", role="curator")
    path = f"{API}/tasks/{task.public_id}"
    body = {"reason": "too easy"}
    assert_problem(client.post(f"{path}/retire", body, format="json"), 428, "version-required")
    assert_problem(client.post(f"{path}/retire", {}, format="json"), 422, "validation-failed")
    done = client.post(f"{path}/retire", body, format="json", HTTP_IF_MATCH='"v1"')
    assert (done.status_code, done["ETag"]) == (200, '"v2"')
    assert (done.json()["status"], done.json()["status_reason"]) == ("retired", "too easy")
    assert_problem(client.post(f"{path}/retire", body, format="json", HTTP_IF_MATCH='"v1"'), 412, "stale-version")
    assert_problem(client.post(f"{path}/retire", body, format="json", HTTP_IF_MATCH='"v2"'), 409, "state-conflict")
    entry = Activity.objects.get(verb="task.retired")
    assert (entry.target_id, entry.source, entry.reason) == (task.public_id, "token", "too easy")


def test_prove_and_play(
    tasks: list[Task], api_as: Any, inline_runs: None, django_capture_on_commit_callbacks: Any
) -> None:
    client = api_as("tasks:write", "jobs:write", "catalog:read", role="trainer")
    task = tasks[0]
    assert_problem(client.post(f"{API}/tasks/{task.public_id}/verify"), 422, "validation-failed")
    with django_capture_on_commit_callbacks(execute=True):
        proof = client.post(f"{API}/tasks/{task.public_id}/verify", **key())
        named = {"tasks": [task.public_id], "policy": "reference", "n": 2}
        play = client.post(f"{API}/rollouts", named, format="json", **key())
        matching = {"filter": {"k": "2", "status": "verified"}, "policy": "noop"}
        more = client.post(f"{API}/rollouts", matching, format="json", **key())
    assert [response.status_code for response in (proof, play, more)] == [202, 202, 202]
    assert set(Run.objects.filter(kind__in=("prove", "rollout")).values_list("state", flat=True)) == {"succeeded"}
    assert Trajectory.objects.filter(policy="reference", passed=True).count() == 2
    rows = client.get(f"{API}/trajectories?run={more.json()['id']}").json()["data"]
    assert {row["task"] for row in rows} == {one.public_id for one in tasks}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"policy": "noop"}, ""),
        ({"tasks": [], "policy": "noop"}, "/tasks"),
        ({"tasks": [f"task_{'0' * 32}"], "policy": "noop"}, "/tasks/0"),
        ({"tasks": ["job_1"], "policy": "noop"}, "/tasks/0"),
        ({"filter": {"stat": "x"}, "policy": "noop"}, "/filter/stat"),
        ({"filter": {"status": "odd"}, "policy": "noop"}, "/filter/status"),
        ({"filter": {"k": "9"}, "policy": "noop"}, ""),
        ({"filter": {}, "policy": "noop", "n": 65}, "/n"),
        ({"filter": {}, "tasks": ["x"], "policy": "noop"}, ""),
        ({"filter": {}}, "/policy"),
    ],
)
def test_rollouts_that_cannot_start(tasks: list[Task], api_as: Any, body: dict[str, Any], pointer: str) -> None:
    client = api_as("jobs:write", role="curator")
    response = client.post(f"{API}/rollouts", body, format="json", **key())
    assert assert_problem(response, 422, "validation-failed")["errors"][0]["pointer"] == pointer
    assert not Run.objects.filter(kind="rollout").exists()


def test_a_quarantine_shows_on_its_tasks(task: Task, api_as: Any) -> None:
    client = api_as("review:write", "catalog:read", role="curator")
    tool = Tool.objects.get(pk=task.tool_uses.first().tool_id)
    path = f"{API}/tools/{tool.public_id}"
    impact = {entry["label"]: entry for entry in client.get(f"{path}/impact").json()["impact"]}
    assert impact["verified tasks"]["count"] >= 1
    assert task.get_absolute_url() in [sample["url"] for sample in impact["verified tasks"]["samples"]]
    body = {"kind": "quarantine", "reason_code": "outside_system"}
    made = client.post(f"{path}/decisions", body, format="json", HTTP_IF_MATCH="*").json()
    assert made["stale_count"] == impact["verified tasks"]["count"]
    assert client.get(f"{API}/tasks/{task.public_id}").json()["status"] == "stale"
    client.post(f"{API}/decisions/{made['id']}/undo")
    assert client.get(f"{API}/tasks/{task.public_id}").json()["status"] == "verified"


# Trajectories


def test_trajectory_with_steps_and_messages(task: Task, reader: Any) -> None:
    stored = install_trajectory(task, ReferencePolicy())
    path = f"{API}/trajectories/{stored.public_id}"
    detail = reader.get(path).json()
    value = stored.to_value()
    assert detail["verdict"] == value.verdict
    assert (detail["passed"], detail["mode"], detail["message_count"]) == (True, "meta", len(value.messages))
    assert "messages" not in detail
    steps: list[Any] = []
    cursor = ""
    while True:
        page = reader.get(f"{path}/steps?limit=3{cursor}").json()
        steps += page["data"]
        if page["page"]["next"] is None:
            break
        cursor = f"&cursor={page['page']['next']}"
    assert steps == [step.model_dump(mode="json") for step in value.steps]
    assert reader.get(f"{path}/steps/1").json() == steps[1]
    assert reader.get(f"{path}/messages?limit=500").json()["data"] == list(value.messages)
    back = reader.get(f"{path}/steps?limit=3&cursor=3").json()["page"]["prev"]
    assert back == "0"
    assert_problem(reader.get(f"{path}/steps/999"), 404, "not-found")
    assert_problem(reader.get(f"{path}/steps?cursor=-1"), 400, "bad-request")
    assert_problem(reader.get(f"{path}/steps?limit=0"), 400, "bad-request")


def test_a_page_of_large_steps_ends_early(task: Task, reader: Any) -> None:
    stored = install_trajectory(task, ReferencePolicy())
    body = json.loads(stored.steps.get(index=1).body)
    body["observation"] = {"success": True, "data": "ü" * (3 << 20)}
    TrajectoryStep.objects.filter(trajectory=stored, index=1).update(body=json.dumps(body, ensure_ascii=False))
    path = f"{API}/trajectories/{stored.public_id}/steps"
    pages = [reader.get(f"{path}?cursor={first}").json() for first in (0, 1, 2)]
    assert [len(page["data"]) for page in pages[:2]] == [1, 1]
    assert [page["page"]["next"] for page in pages[:2]] == ["1", "2"]
    assert len(pages[2]["data"]) == stored.step_count - 2


def test_trajectory_list_has_the_filters_of_the_page(task: Task, reader: Any) -> None:
    good, bad = install_trajectory(task, ReferencePolicy()), install_trajectory(task, FaultyPolicy())
    for query, expected in [
        ("", [bad, good]),
        ("status=passed", [good]),
        (f"task={task.public_id}&policy={bad.policy}", [bad]),
        ("score__gte=1", [good]),
        (f"group=grp_{good.group_id.hex}", [good]),
        ("sort=step_count&status__in=passed", [good]),
    ]:
        rows = reader.get(f"{API}/trajectories?{query}").json()["data"]
        assert [row["id"] for row in rows] == [one.public_id for one in expected], query


def test_group_shows_every_result_of_every_rollout(
    task: Task, api_as: Any, inline_runs: None, django_capture_on_commit_callbacks: Any
) -> None:
    client = api_as("jobs:write", "catalog:read", role="trainer")
    with django_capture_on_commit_callbacks(execute=True):
        body = {"tasks": [task.public_id], "policy": "faulty", "n": 3}
        run = client.post(f"{API}/rollouts", body, format="json", **key()).json()
    row = client.get(f"{API}/groups?task={task.public_id}&run={run['id']}").json()["data"][0]
    assert (row["size"], row["rollouts"]) == (3, 3)
    group = client.get(f"{API}/groups/{row['id']}").json()
    assert [criterion["id"] for criterion in group["criteria"]] == [one.id for one in task.to_spec().rubric]
    assert [result["index"] for result in group["results"]] == [0, 1, 2]
    for result in group["results"]:
        verdict = Trajectory.objects.get(group__pk=row["id"][4:], index=result["index"]).to_value().verdict
        assert result["results"] == [one["status"] for one in verdict["results"]]
        assert len(result["results"]) == task.criterion_count


# Refusals


def test_scopes_and_roles(task: Task, api_as: Any, client: Any) -> None:
    one = f"{API}/tasks/{task.public_id}"
    assert_problem(client.get(one), 401, "authentication-required")
    assert_problem(client.post(f"{API}/rollouts"), 401, "authentication-required")
    writes = [
        (f"{API}/tasks/generate", "tasks:write", ("viewer", "annotator")),
        (f"{one}/verify", "tasks:write", ("viewer",)),
        (f"{one}/retire", "review:write", ("viewer", "annotator", "trainer")),
        (f"{API}/rollouts", "jobs:write", ("viewer", "annotator")),
    ]
    for path, scope, roles in writes:
        without = api_as("catalog:read", role="admin").post(path, {}, format="json", **key())
        assert scope in assert_problem(without, 403, "permission-denied")["detail"], path
        for role in roles:
            response = api_as(scope, role=role).post(path, {}, format="json", **key())
            assert "Curator" in assert_problem(response, 403, "permission-denied")["detail"], path
    assert_problem(api_as("jobs:read").get(f"{API}/trajectories"), 403, "permission-denied")
    assert api_as("tasks:write", role="annotator").post(f"{one}/verify", **key()).status_code == 202


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (f"tasks/task_{'0' * 32}", 404, "not-found"),
        (f"tasks/traj_{'0' * 32}", 404, "not-found"),
        (f"tasks/task_{'0' * 32}/graph", 404, "not-found"),
        (f"tasks/task_{'0' * 32}/initial-state/mail/messages", 404, "not-found"),
        (f"trajectories/traj_{'0' * 32}", 404, "not-found"),
        (f"trajectories/traj_{'0' * 32}/steps", 404, "not-found"),
        (f"trajectories/traj_{'0' * 32}/steps/0", 404, "not-found"),
        (f"trajectories/traj_{'0' * 32}/messages", 404, "not-found"),
        (f"groups/grp_{'0' * 32}", 404, "not-found"),
        ("tasks?statsu=verified", 400, "unsupported-filter"),
        ("tasks?sort=instruction", 400, "unsupported-filter"),
        ("trajectories?polic=x", 400, "unsupported-filter"),
        ("groups?status=passed", 400, "unsupported-filter"),
        ("tasks?status=odd", 422, "validation-failed"),
        ("tasks?k=many", 422, "validation-failed"),
        ("trajectories?score__gte=NaN", 422, "validation-failed"),
        ("groups?cursor=xx", 400, "bad-request"),
    ],
)
def test_refusals_are_problems(reader: Any, path: str, status: int, code: str) -> None:
    problem = assert_problem(reader.get(f"{API}/{path}"), status, code)
    if "statsu" in path:
        assert "'status'" in problem["detail"]


def test_reads_stay_within_their_query_budget(task: Task, reader: Any, django_assert_max_num_queries: Any) -> None:
    trajectory = install_trajectory(task, ReferencePolicy())
    one, played = f"tasks/{task.public_id}", f"trajectories/{trajectory.public_id}"
    names = ("artifact", "graph", "rubric", "reference-solution", "initial-state", "goal-state", "proof")
    tables = [f"{one}/{state}-state/mail/messages" for state in ("initial", "goal")]
    for path in [
        *("tasks", "trajectories", "groups", one, *(f"{one}/{name}" for name in names), *tables),
        *(played, f"{played}/steps", f"{played}/steps/0", f"{played}/messages"),
        f"groups/grp_{trajectory.group_id.hex}",
    ]:
        with django_assert_max_num_queries(8):
            assert reader.get(f"{API}/{path}").status_code == 200, path
