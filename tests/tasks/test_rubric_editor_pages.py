"""The rubric editor, versions of a task, and re-grading pages, over real proven tasks and stored rollouts."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tasks_app import editions
from tasks_app.engine.task import Criterion
from tasks_app.models import RegradedRollout, Task, Trajectory
from tasks_app.policies.rules import NoopPolicy, ReferencePolicy
from tests.catalogue import install_tasks, install_trajectory
from webapp.common.models import Activity, Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]

HUGE = "[1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, [{0}].all(b, [{0}].all(c, a + b + c > 0)))".format(
    ", ".join(str(number) for number in range(40))
)


@pytest.fixture
def task(db: None) -> Task:
    return install_tasks(1)[0]


def draft(task: Task, **changes: str) -> dict[str, str]:
    """The form of the editor as it stands, with other expressions for some criteria by id."""
    rubric = task.to_spec().rubric
    data = {"criterion-TOTAL_FORMS": str(len(rubric)), "criterion-INITIAL_FORMS": str(len(rubric))}
    for number, one in enumerate(rubric):
        values = {"id": one.id, "text": one.text, "kind": one.kind, "weight": str(one.weight),
                  "expression": changes.get(one.id, one.expression)}  # fmt: skip
        data |= {f"criterion-{number}-{name}": value for name, value in values.items()}
    return data


def post(client: Any, task: Task, data: dict[str, str], action: str = "try", **more: str) -> Any:
    return client.post(f"{task.get_absolute_url()}rubric/", data | {action: "1"} | more)


def tried(client: Any, task: Task, data: dict[str, str]) -> str:
    """The digest that the page sends back once a draft was tried."""
    response = post(client, task, data)
    assert response.status_code == 200, response.content.decode()[:3000]
    return str(response.context["trial"].digest)


def looser(task: Task) -> dict[str, str]:
    """The first criterion also passes for a run that made no call at all."""
    first = task.to_spec().rubric[0]
    return draft(task, **{first.id: f"({first.expression}) || calls.size() == 0"})


def test_a_try_shows_both_ends_the_rollout_and_what_flips(task: Task, client_as: Any) -> None:
    install_trajectory(task, ReferencePolicy())
    idle = install_trajectory(task, NoopPolicy())
    response = post(client_as("annotator"), task, looser(task), rollout=idle.public_id)
    first = task.to_spec().rubric[0].id
    trial = response.context["trial"]
    row = next(row for row in trial.rows if row["criterion"].id == first)
    assert [row[name].status for name in ("start", "goal", "chosen")] == ["pass", "pass", "pass"]
    assert trial.difference.criteria == {first: {"fail to pass": 1}}
    assert [one.trajectory.pk for one in trial.changed] == [idle.pk]
    text = response.content.decode()
    assert "0 of 2 verdicts flip" in text
    assert "Save as a new version" in text
    assert Task.objects.count() == 1


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("calls.size( ==", "line 1, column 13"),
        ("", "the expression is empty"),
        ("after.mial.messages.size() == 0", "no such service is mounted. Did you mean mail?"),
        ("after.mail.mesages.size() == 0", "mail has no table mesages. Did you mean messages?"),
        ("after.mail.messages.exists(m, m.subjct == 'x')", "has no field subjct. Did you mean subject?"),
        ("after.mail.messages.exists(m, m.subject == 3)", "is text, and it is compared with a number"),
        ("calls.size()", "not a yes or no"),
        ("1 / 0 == 1", "it divides by zero"),
        ("1 / (calls.size() - calls.size()) == 1", "on the initial state it cannot be told: it divides by zero"),
        (HUGE, "it takes too many steps"),
    ],
)
def test_a_check_that_cannot_be_used_is_refused_in_words(
    task: Task, client_as: Any, expression: str, words: str
) -> None:
    first = task.to_spec().rubric[0].id
    client = client_as("curator")
    for action in ("try", "save"):
        response = post(client, task, draft(task, **{first: expression}), action, reason="x", tried="0")
        assert response.status_code == 422
        assert words in str(response.context["forms"].forms[0].errors["expression"].as_data())
    assert Task.objects.count() == 1


def test_a_bound_that_was_hit_is_named(task: Task, client_as: Any, monkeypatch: Any) -> None:
    from tasks_app import rubric_trial

    for policy in (ReferencePolicy(), NoopPolicy()):
        install_trajectory(task, policy)
    client = client_as("curator")
    monkeypatch.setattr(rubric_trial, "MOST_ROLLOUTS", 1)
    response = post(client, task, looser(task))
    assert (response.context["trial"].bound, response.context["trial"].difference.rollouts) == ("rollouts", 1)
    assert "the oldest 1 of 2 rollouts" in response.content.decode()
    found = rubric_trial.try_rubric(task, task.to_spec().rubric, seconds=0)
    assert found.bound == "seconds"


def test_saving_makes_a_proven_version_and_the_old_one_stale(
    task: Task, client_as: Any, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    before = task.spec
    client = client_as("annotator")
    first = task.to_spec().rubric[0]
    data = draft(task, **{first.id: f"({first.expression}) && calls.size() > 0"})
    with django_capture_on_commit_callbacks(execute=True):
        response = post(client, task, data, "save", reason="Calls count.", tried=tried(client, task, data))
    made = Task.objects.exclude(pk=task.pk).get()
    assert (response.status_code, response["Location"]) == (302, made.get_absolute_url())
    task.refresh_from_db()
    assert (made.edition, made.first, made.parent, made.note) == (2, task, task, "Calls count.")
    assert (made.status, made.created_by) == ("verified", client.user)
    assert made.to_spec().proof.passed
    assert made.to_spec().parent == task.task_hash
    assert (task.status, task.status_reason) == ("stale", f"version 2 ({made.public_id}) stands in its place")
    assert task.spec == before
    entry = Activity.objects.get(verb="task.rubric_changed")
    assert (entry.actor, entry.reason, list(entry.after or ())) == (client.user, "Calls count.", [first.id])
    text = client.get(made.get_absolute_url()).content.decode()
    for piece in ('id="versions"', "Calls count.", client.user.username):
        assert piece in text


def test_a_version_whose_proof_fails_leaves_the_old_one_in_use(
    task: Task, client_as: Any, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    client = client_as("curator")
    data = draft(task, **{task.to_spec().rubric[0].id: "calls.size() >= 0"})
    with django_capture_on_commit_callbacks(execute=True):
        post(client, task, data, "save", reason="Never fails.", tried=tried(client, task, data))
    made = Task.objects.exclude(pk=task.pk).get()
    task.refresh_from_db()
    assert (made.status, task.status) == ("rejected", "verified")
    assert "nothing for nothing" in made.status_reason


def save(task: Task, expression: str, by: Any = None) -> Task:
    rubric = task.to_spec().rubric
    changed = [rubric[0].model_copy(update={"expression": expression}), *rubric[1:]]
    made, _ = editions.save_edition(task=task, rubric=changed, reason="A reason.", by=by)
    return made


def proven(task: Task) -> Task:
    """As its proof leaves it, without running it."""
    spec = task.to_spec().with_proof(Task.objects.get(pk=task.family).to_spec().proof)
    status, reason = editions.after_proof(task, "verified", "")
    Task.objects.filter(pk=task.pk).update(
        status=status, status_reason=reason, spec=spec.model_dump_json(), proved_at=task.created_at
    )
    task.refresh_from_db()
    return task


def test_going_back_puts_the_earlier_version_in_use_and_keeps_the_later_one(task: Task, client_as: Any) -> None:
    second = proven(save(task, "calls.size() > 0"))
    client = client_as("annotator")
    assert client.post(f"{task.get_absolute_url()}use/", {"reason": "Too loose."}).status_code == 302
    task.refresh_from_db()
    second.refresh_from_db()
    assert (task.status, second.status) == ("verified", "retired")
    assert client.post(f"{second.get_absolute_url()}use/", {"reason": "It was right."}).status_code == 302
    task.refresh_from_db()
    second.refresh_from_db()
    assert (task.status, second.status) == ("stale", "verified")
    assert client.post(f"{second.get_absolute_url()}use/").status_code == 409


def test_proving_a_superseded_version_again_does_not_take_its_place_back(task: Task) -> None:
    second = proven(save(task, "calls.size() > 0"))
    task.refresh_from_db()
    assert editions.after_proof(task, "verified", "") == ("stale", editions.superseded_by(second))


def test_a_version_that_was_never_proven_cannot_be_gone_back_to(task: Task, client_as: Any) -> None:
    second = save(task, "calls.size() > 0")
    response = client_as("curator").post(f"{second.get_absolute_url()}use/")
    assert response.status_code == 409
    assert "never proven" in response.content.decode()


def test_the_second_of_two_editors_sees_both_and_loses_nothing(task: Task, client_as: Any, user: Any) -> None:
    data = looser(task)
    client = client_as("curator")
    digest = tried(client, task, data)
    somebody = user("curator")
    theirs = save(task, "calls.size() > 0", by=somebody)
    response = post(client, task, data, "save", reason="Mine.", tried=digest)
    assert response.status_code == 409
    text = response.content.decode()
    for piece in ("calls.size() &gt; 0", "|| calls.size() == 0", somebody.username, "A reason."):
        assert piece in text
    assert f'action="{theirs.get_absolute_url()}rubric/"' in text
    again = post(client, theirs, data, "save", reason="Mine.", tried=tried(client, theirs, data))
    assert again.status_code == 302
    assert Task.objects.get(edition=3).parent == theirs


def test_what_was_not_tried_or_has_no_reason_or_no_change_is_not_saved(task: Task, client_as: Any) -> None:
    client = client_as("curator")
    data = looser(task)
    untried = post(client, task, data, "save", reason="x", tried="0")
    assert (untried.status_code, "after it was tried" in untried.content.decode()) == (422, True)
    silent = post(client, task, data, "save", reason="  ", tried=tried(client, task, data))
    assert (silent.status_code, "Say why" in silent.content.decode()) == (422, True)
    same = draft(task)
    response = post(client, task, same, "save", reason="x", tried=tried(client, task, same))
    assert (response.status_code, "Nothing is changed" in response.content.decode()) == (409, True)
    assert Task.objects.count() == 1


def test_criteria_are_added_and_taken_out(task: Task, client_as: Any) -> None:
    client = client_as("curator")
    count = len(task.to_spec().rubric)
    added = post(client, task, draft(task), "add").context["forms"]
    assert [form["id"].value() for form in added.forms][-1] == f"c{count + 1}"
    data = draft(task) | {
        "criterion-TOTAL_FORMS": str(count + 1), f"criterion-{count}-id": "c99", f"criterion-{count}-kind": "answer",
        f"criterion-{count}-text": "An answer is given.", f"criterion-{count}-weight": "2",
        f"criterion-{count}-expression": 'answer != ""', "criterion-0-DELETE": "on",
    }  # fmt: skip
    trial = post(client, task, data).context["trial"]
    names = [one.id for one in trial.rubric]
    assert names == [*(one.id for one in task.to_spec().rubric[1:]), "c99"]
    empty = {f"criterion-{number}-DELETE": "on" for number in range(count)}
    refused = post(client, task, draft(task) | empty)
    assert (refused.status_code, "at least one criterion" in refused.content.decode()) == (422, True)


def test_rollouts_of_an_earlier_version_are_compared_with_the_present_rubric(task: Task, client_as: Any) -> None:
    install_trajectory(task, NoopPolicy())
    first = task.to_spec().rubric[0]
    second = save(task, f"({first.expression}) || calls.size() == 0")
    trial = post(client_as("curator"), second, draft(second)).context["trial"]
    assert (trial.difference.rollouts, trial.difference.criteria) == (1, {})
    back = post(client_as("curator"), second, draft(second, **{first.id: first.expression})).context["trial"]
    assert back.difference.criteria == {first.id: {"pass to fail": 1}}


def test_viewers_and_trainers_neither_edit_nor_go_back_nor_regrade(task: Task, client_as: Any) -> None:
    install_trajectory(task, NoopPolicy())
    for role in ("viewer", "trainer"):
        client = client_as(role)
        url = task.get_absolute_url()
        assert client.get(f"{url}rubric/").status_code == 403
        assert post(client, task, looser(task), "save", reason="x").status_code == 403
        assert client.post(f"{url}use/").status_code == 403
        assert client.post("/tasks/regrading/", {"expression": "true"}).status_code == 403
        assert "Edit the rubric" not in client.get(url).content.decode()
    assert "Edit the rubric" in client_as("annotator").get(task.get_absolute_url()).content.decode()
    assert Task.objects.count() == 1


def test_hostile_text_is_escaped(task: Task, client_as: Any) -> None:
    data = draft(task) | {"criterion-0-text": "<script>alert(1)</script>\u202e"}
    text = post(client_as("curator"), task, data).content.decode()
    assert "<script>alert(1)" not in text
    made, _ = editions.save_edition(
        task=task, reason="<img src=x>", by=None,
        rubric=[task.to_spec().rubric[0].model_copy(update={"text": "<b>x</b>"}), *task.to_spec().rubric[1:]],
    )  # fmt: skip
    page = client_as("viewer").get(made.get_absolute_url()).content.decode()
    assert "<img src=x>" not in page
    assert "<b>x</b>" not in page


# Re-grading


@pytest.fixture
def regraded(task: Task, client_as: Any, settings: Any, django_capture_on_commit_callbacks: Any) -> Run:
    """A run that puts another check in the place of c1, over two rollouts."""
    settings.WORKBENCH_RUN_INLINE = True
    for policy in (ReferencePolicy(), NoopPolicy()):
        install_trajectory(task, policy)
    first = task.to_spec().rubric[0].id
    with django_capture_on_commit_callbacks(execute=True):
        data = {"criterion": first, "expression": "calls.size() == 0", "editions": "on"}
        response = client_as("annotator").post(f"/tasks/regrading/?id={task.public_id}", data)
    assert response.status_code == 302, response.content.decode()[:2000]
    return Run.objects.get(kind="regrade")


def test_a_run_shows_exactly_what_flips(regraded: Run, task: Task, client_as: Any) -> None:
    assert regraded.state == "succeeded"
    first = task.to_spec().rubric[0].id
    client = client_as("viewer")
    url = f"/tasks/regrading/{regraded.public_id}/"
    response = client.get(url)
    assert regraded.result["difference"]["criteria"] == {first: {"pass to fail": 1, "fail to pass": 1}}
    assert [row.flips for row in response.context["page"].rows] == [
        [{"criterion": first, "old": "pass", "new": "fail"}], [{"criterion": first, "old": "fail", "new": "pass"}],
    ]  # fmt: skip
    assert not client.get(f"{url}?show=unknown").context["page"].rows
    assert len(client.get(f"{url}?show=all&criterion={first}").context["page"].rows) == 2
    assert not client.get(f"{url}?show=all&criterion=c77").context["page"].rows
    assert regraded.title in client.get("/tasks/regrading/").content.decode()
    assert Trajectory.objects.get(policy="reference").passed is True


def test_the_rows_of_a_run_as_csv(regraded: Run, client_as: Any) -> None:
    response = client_as("viewer").get(f"/tasks/regrading/{regraded.public_id}/rollouts.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
    assert [(row["policy"], row["old_passed"], row["passed"]) for row in rows] == [
        ("reference", "yes", "no"), ("noop", "no", "no"),
    ]  # fmt: skip
    assert rows[0]["flips"].endswith("pass > fail")


def test_a_run_over_tasks_leaves_out_the_ones_it_does_not_fit(
    client_as: Any, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    tasks = install_tasks(2)
    for one in tasks:
        install_trajectory(one, NoopPolicy())
    longest = max(tasks, key=lambda one: len(one.to_spec().rubric))
    only = longest.to_spec().rubric[-1].id
    fits = [one for one in tasks if only in {criterion.id for criterion in one.to_spec().rubric}]
    with django_capture_on_commit_callbacks(execute=True):
        client_as("curator").post("/tasks/regrading/", {"criterion": only, "expression": "calls.size() == 0"})
    run = Run.objects.get(kind="regrade")
    assert run.state == "succeeded"
    assert run.result["difference"]["rollouts"] == len(fits)
    assert set(run.result["refused"]) == {one.public_id for one in tasks if one not in fits}


def test_a_check_beside_the_others_and_bad_forms(task: Task, client_as: Any) -> None:
    client = client_as("curator")
    assert "Play a task first" in client.get("/tasks/regrading/").content.decode()
    install_trajectory(task, NoopPolicy())
    bad = client.post("/tasks/regrading/", {"criterion": "c77", "expression": "true"})
    assert (bad.status_code, "no criterion c77" in bad.content.decode()) == (422, True)
    assert client.post("/tasks/regrading/", {"criterion": "c1"}).status_code == 422
    assert client.post("/tasks/regrading/", {"expression": "calls.size() > 0"}).status_code == 302
    assert Run.objects.get(kind="regrade").payload["added"] == "calls.size() > 0"


def test_a_run_that_lost_its_worker_judges_nothing_twice(regraded: Run) -> None:
    from types import SimpleNamespace

    from tasks_app import regrading

    context: Any = SimpleNamespace(
        run=regraded, payload=regraded.payload, checkpoint=lambda: None, progress=lambda **_: None, log=lambda *_: None
    )
    before = set(RegradedRollout.objects.values_list("pk", flat=True))
    RegradedRollout.objects.filter(pk=min(before)).delete()
    assert regrading.regrade_stored(context)["difference"]["rollouts"] == 2
    assert set(RegradedRollout.objects.values_list("pk", flat=True)) > before - {min(before)}


def test_pages_ask_few_questions(regraded: Run, task: Task, client_as: Any, django_assert_max_num_queries: Any) -> None:
    save(task, "calls.size() > 0")
    client = client_as("curator")
    pages = (
        "/tasks/regrading/", f"/tasks/regrading/{regraded.public_id}/", f"{task.get_absolute_url()}rubric/",
        task.get_absolute_url(),
    )  # fmt: skip
    for url in pages:
        with django_assert_max_num_queries(12):
            assert client.get(url).status_code == 200, url


# REST


def criteria(task: Task, expression: str | None = None) -> list[dict[str, Any]]:
    found = [one.model_dump(mode="json", exclude={"reads"}) for one in task.to_spec().rubric]
    if expression is not None:
        found[0]["expression"] = expression
    return found


def send(api: Any, url: str, body: Any, key: str = "k1", **headers: str) -> Any:
    return api.post(f"/api/v1{url}", body, format="json", headers={"Idempotency-Key": key, **headers})


def test_rest_tries_completes_saves_and_goes_back(task: Task, api_as: Any) -> None:
    install_trajectory(task, NoopPolicy())
    api = api_as("tasks:write", "catalog:read", role="annotator")
    url = f"/tasks/{task.public_id}"
    first = task.to_spec().rubric[0]
    body = {"criteria": criteria(task, f"({first.expression}) || calls.size() == 0")}
    tried_draft = send(api, f"{url}/rubric/trial", body).json()
    assert tried_draft["problems"] == {}
    assert tried_draft["difference"]["criteria"] == {first.id: {"fail to pass": 1}}
    assert [flip["criteria"] for flip in tried_draft["flips"]] == [
        [{"criterion": first.id, "old": "fail", "new": "pass"}]
    ]
    found = api.get(f"/api/v1{url}/rubric/completions", {"expression": "after.mail.mess"}).json()["data"]
    assert found[0] == {"text": "messages", "label": "messages", "detail": "table", "replaces": 4}
    assert send(api, f"{url}/rubric", body | {"reason": "x"}).status_code == 428
    saved = send(api, f"{url}/rubric", body | {"reason": "x"}, "k2", **{"If-Match": f'"v{task.version}"'})
    assert saved.status_code == 202, saved.json()
    assert saved.json()["job"]["kind"] == "prove"
    made = Task.objects.get(edition=2)
    assert saved.json()["task"]["id"] == made.public_id
    listed = api.get(f"/api/v1{url}/editions").json()["data"]
    assert [(one["edition"], one["status"]) for one in listed] == [(1, "verified"), (2, "submitted")]
    clash = send(api, f"{url}/rubric", body | {"reason": "x"}, "k3", **{"If-Match": "*"})
    assert (clash.status_code, clash.json()["newest"]) == (409, made.public_id)
    proven(made)
    task.refresh_from_db()
    back = send(api, f"{url}/use", {"reason": "undo"}, "k4", **{"If-Match": f'"v{task.version}"'})
    assert (back.status_code, back.json()["status"]) == (200, "verified")


def test_rest_refuses_bad_checks_with_pointers_and_wrong_roles(task: Task, api_as: Any) -> None:
    api = api_as("tasks:write", "catalog:read", role="curator")
    url = f"/tasks/{task.public_id}/rubric"
    body = {"criteria": criteria(task, "after.mail.mesages.size() == 0"), "reason": "x"}
    refused = send(api, url, body, **{"If-Match": "*"})
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert error["pointer"] == "/criteria/0/expression"
    assert "Did you mean messages?" in error["detail"]
    viewer = api_as("tasks:write", "catalog:read", role="viewer")
    assert send(viewer, url, body, **{"If-Match": "*"}).status_code == 403
    assert send(viewer, f"{url}/trial", {"criteria": criteria(task)}).status_code == 403
    assert send(viewer, "/regradings", {"tasks": [task.public_id]}).status_code == 403
    assert send(api_as("catalog:read", role="curator"), "/regradings", {"tasks": [task.public_id]}).status_code == 403


def test_rest_regrades_and_lists_rows(regraded: Run, task: Task, api_as: Any) -> None:
    api = api_as("tasks:write", "catalog:read", role="curator")
    url = f"/api/v1/regradings/{regraded.public_id}"
    assert api.get(url).json()["difference"]["rollouts"] == 2
    assert [one["id"] for one in api.get("/api/v1/regradings").json()["data"]] == [regraded.public_id]
    rows = api.get(f"{url}/rollouts", {"changed": "true"}).json()["data"]
    assert {row["policy"] for row in rows} == {"reference", "noop"}
    made = send(api, "/regradings", {"tasks": [task.public_id], "expression": "calls.size() > 0"})
    assert made.status_code == 202, made.json()
    bad = send(api, "/regradings", {"tasks": [task.public_id], "criterion": "c77", "expression": "true"}, "k5")
    assert bad.status_code == 422


def test_a_new_criterion_reads_what_its_expression_names(task: Task) -> None:
    extra = Criterion(id="c99", text="x", kind="constraint", expression="after.mail.messages.size() > 0")
    made, _ = editions.save_edition(task=task, rubric=[*task.to_spec().rubric, extra], reason="x", by=None)
    assert made.to_spec().rubric[-1].reads == ("mail.messages",)
    assert made.criterion_count == task.criterion_count + 1
