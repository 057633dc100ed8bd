"""The rules of continuous integration, as short stories."""

from __future__ import annotations

from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "ci"


def test_a_red_run_is_repeated_three_times_at_most() -> None:
    env = environment(S)
    failure = one(env, S, "failures")
    job = one(env, S, "jobs", id=failure["job_id"])
    assert failure["test"] in "\n".join(row["text"] for row in ok(env, S, "get_job_log", job_id=job["id"])["lines"])
    run = ok(env, S, "rerun", run_id=job["run_id"], failed_only=True)
    assert (run["status"], run["attempt"], run["failed_jobs"]) == ("queued", 2, [])
    assert not rows(env, S, "failures", job_id=job["id"])
    assert refused(env, S, "rerun", run_id=job["run_id"]) == "not_finished"
    assert refused(env, S, "get_job_log", job_id=job["id"]) == "no_log"
    assert ok(env, S, "cancel_run", run_id=job["run_id"], reason="Enough")["status"] == "cancelled"
    ok(env, S, "rerun", run_id=job["run_id"])
    ok(env, S, "cancel_run", run_id=job["run_id"], reason="Enough")
    assert refused(env, S, "rerun", run_id=job["run_id"]) == "too_many_attempts"


def test_a_deployment_goes_on_only_when_another_person_approves_it() -> None:
    env = environment(S)
    run = ok(env, S, "run_pipeline", pipeline_id="customer-config-deploy", branch="pilot")
    gate = one(env, S, "gates", run_id=run["id"])
    assert gate["environment"] == "staging"
    assert refused(env, S, "run_pipeline", pipeline_id="customer-config-deploy", branch="pilot") == "already_running"
    assert refused(env, S, "decide_deployment", approval_id=gate["id"], decision="approved") == "own_run"
    assert gate["id"] in [row["id"] for row in ok(env, S, "list_deployment_approvals", mine_only=True)["approvals"]]
    for job in rows(env, S, "jobs", run_id=run["id"], status="queued"):
        env = patched(env, S, "jobs", job["id"], status="success")
    env = patched(env, S, "runs", run["id"], actor_email="someone@larkfield.example")
    assert refused(env, S, "decide_deployment", approval_id=gate["id"], decision="rejected") == "comment_missing"
    decided = ok(env, S, "decide_deployment", approval_id=gate["id"], decision="approved")
    assert (decided["decision"], decided["run"]["status"]) == ("approved", "queued")


def test_a_muted_test_counts_again_after_its_last_day() -> None:
    env = environment(S)
    tests = ok(env, S, "list_failing_tests", limit=100)["tests"]
    for row in rows(env, S, "muted"):
        shown = next(test for test in tests if (test["repo"], test["test"]) == (row["repo"], row["test"]))
        assert shown["muted"] == (row["until"] >= "2026-03-02")
    assert {test["muted"] for test in tests} == {True, False}
    assert sum(test["failures"] for test in tests) == len(env.rows(S, "failures"))


def test_secrets_are_never_shown() -> None:
    env = environment(S)
    secret = one(env, S, "variables", secret=True)
    shown = ok(env, S, "list_variables", repo=secret["repo"])["variables"]
    assert secret["value"] not in [row["value"] for row in shown]
    again = ok(env, S, "set_variable", repo=secret["repo"], name=secret["name"], value="a-new-one", secret=True)
    assert again["value"] == "********"
    change = {"repo": secret["repo"], "name": secret["name"], "value": "open"}
    assert refused(env, S, "set_variable", **change) == "stays_secret"
    assert refused(env, S, "delete_variable", variable_id=secret["id"]) == "needed_by_deployment"
