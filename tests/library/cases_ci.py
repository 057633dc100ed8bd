"""Situations in continuous integration; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched

S = "ci"


def _red(env: Env) -> Row:
    """A failed job of a run in which nothing goes on."""
    failure = one(env, S, "failures")
    return one(env, S, "jobs", id=failure["job_id"])


@case(S, "extend_artifact", "too_long")
def _(env: Env) -> Situation:
    artifact = one(env, S, "artifacts")
    env = patched(env, S, "artifacts", artifact["id"], expires_on="2026-04-01")
    return env, {"artifact_id": artifact["id"], "expires_on": "2028-01-01"}


@case(S, "retry_job", "too_many_attempts")
def _(env: Env) -> Situation:
    job = _red(env)
    return patched(env, S, "runs", job["run_id"], attempt=3), {"job_id": job["id"]}


@case(S, "rerun", "too_many_attempts")
def _(env: Env) -> Situation:
    job = _red(env)
    return patched(env, S, "runs", job["run_id"], attempt=3), {"run_id": job["run_id"]}


def _disabled(env: Env, job: Row) -> Env:
    run = one(env, S, "runs", id=job["run_id"])
    return patched(env, S, "pipelines", run["pipeline_id"], enabled=False)


@case(S, "retry_job", "pipeline_disabled")
def _(env: Env) -> Situation:
    job = _red(env)
    return _disabled(env, job), {"job_id": job["id"]}


@case(S, "retry_job", "not_finished")
def _(env: Env) -> Situation:
    job = _red(env)
    other = next(row for row in env.rows(S, "jobs") if row["run_id"] == job["run_id"] and row["id"] != job["id"])
    return patched(env, S, "jobs", other["id"], status="in_progress"), {"job_id": job["id"]}


@case(S, "rerun", "pipeline_disabled")
def _(env: Env) -> Situation:
    job = _red(env)
    return _disabled(env, job), {"run_id": job["run_id"]}


@case(S, "rerun", "already_running")
def _(env: Env) -> Situation:
    job = _red(env)
    run = one(env, S, "runs", id=job["run_id"])
    for other in env.rows(S, "runs"):
        if other["id"] != run["id"] and other["branch"] == run["branch"]:
            env = patched(env, S, "runs", other["id"], branch="elsewhere")
    ok(env, S, "run_pipeline", pipeline_id=run["pipeline_id"], branch=run["branch"])
    return env, {"run_id": run["id"]}


@case(S, "rerun", "nothing_failed")
def _(env: Env) -> Situation:
    gate = one(env, S, "gates", decision="approved")
    return env, {"run_id": gate["run_id"], "failed_only": True}


def _failing(env: Env, muted: bool = False) -> dict[str, Any]:
    tests = ok(env, S, "list_failing_tests", muted=muted)["tests"]
    return {"repo": tests[0]["repo"], "test": tests[0]["test"], "issue": "FLT-1"}


@case(S, "mute_test", "already_muted")
def _(env: Env) -> Situation:
    return env, {**_failing(env, muted=True), "until": "2026-03-10"}


@case(S, "mute_test", "in_the_past")
def _(env: Env) -> Situation:
    return env, {**_failing(env), "until": "2026-02-10"}


@case(S, "mute_test", "invalid_date")
def _(env: Env) -> Situation:
    return env, {**_failing(env), "until": "2026-02-30"}


@case(S, "mute_test", "too_long")
def _(env: Env) -> Situation:
    return env, {**_failing(env), "until": "2026-05-10"}


@case(S, "create_schedule", "too_many_schedules")
def _(env: Env) -> Situation:
    place = {"pipeline_id": "route-planner-deploy", "weekday": "monday"}
    for hour in range(5):
        ok(env, S, "create_schedule", **place, time=f"{10 + hour}:00")
    return env, {**place, "time": "20:00"}


@case(S, "cancel_run", "deploying")
def _(env: Env) -> Situation:
    gate = one(env, S, "gates", decision="approved")
    job = one(env, S, "jobs", run_id=gate["run_id"], name="deploy")
    return patched(env, S, "jobs", job["id"], status="in_progress"), {"run_id": gate["run_id"], "reason": "Stop"}


def _started(env: Env) -> str:
    """An approval that waits for a deployment of mine, which I am asked to decide."""
    run = ok(env, S, "run_pipeline", pipeline_id="customer-config-deploy", branch="mine")
    return str(one(env, S, "gates", run_id=run["id"])["id"])


@case(S, "decide_deployment", "own_run")
def _(env: Env) -> Situation:
    return env, {"approval_id": _started(env), "decision": "approved"}


@case(S, "decide_deployment", "comment_missing")
def _(env: Env) -> Situation:
    return env, {"approval_id": _started(env), "decision": "rejected"}


def _foreign(env: Env) -> tuple[Env, Row]:
    """A pending approval of somebody else's deployment, which I may decide."""
    gate = one(env, S, "gates")
    run = one(env, S, "runs", id=gate["run_id"])
    env = patched(env, S, "gates", gate["id"], decision="pending", decided_by=None)
    env = patched(env, S, "pipelines", run["pipeline_id"], approver_emails=[ME.email])
    return env, gate


@case(S, "decide_deployment", "build_failed")
def _(env: Env) -> Situation:
    env, gate = _foreign(env)
    job = one(env, S, "jobs", run_id=gate["run_id"])
    env = patched(env, S, "jobs", job["id"], status="failure")
    return env, {"approval_id": gate["id"], "decision": "approved"}


@case(S, "decide_deployment", "already_decided")
def _(env: Env) -> Situation:
    env, gate = _foreign(env)
    env = patched(env, S, "gates", gate["id"], decision="approved", decided_by=ME.email)
    return env, {"approval_id": gate["id"], "decision": "approved"}


@case(S, "set_variable", "no_change")
def _(env: Env) -> Situation:
    variable = one(env, S, "variables", secret=False)
    return env, {name: variable[name] for name in ("repo", "name", "value")}


@case(S, "set_runner_paused", "last_runner")
def _(env: Env) -> Situation:
    return env, {"runner_id": one(env, S, "runners", platform="macos")["id"]}
