"""What follows from the jobs of a run, and how runs are shown and started."""

from __future__ import annotations

from services_app.engine import CallContext, conflict
from services_app.library.cast import ME
from services_app.library.ci.state import MOST_ATTEMPTS, UNFINISHED, CiState, Job, Pipeline, Run
from services_app.library.engineering import sha
from services_app.library.shared import Json, with_fields


def status_of(jobs: list[Job]) -> str:
    """The status that the jobs of a run give it."""
    found = [job.status for job in jobs]
    for status in ("in_progress", "queued", "failure", "waiting", "cancelled"):
        if status in found:
            return status
    return "success"


def run_status(state: CiState, run: Run) -> str:
    return status_of(state.jobs.find(run_id=run.id))


def row_of(state: CiState, run: Run) -> Json:
    """A run as lists show it."""
    pipeline = state.pipelines.get(run.pipeline_id)
    jobs = state.jobs.find(run_id=run.id)
    return with_fields(
        run,
        pipeline=pipeline.name,
        repo=pipeline.repo,
        status=status_of(jobs),
        minutes=sum(job.minutes or 0 for job in jobs),
        failed_jobs=[job.name for job in jobs if job.status == "failure"],
    )


def check_enabled(pipeline: Pipeline) -> None:
    """409 `pipeline_disabled` for one that is switched off."""
    if not pipeline.enabled:
        raise conflict(f"{pipeline.name} is disabled; enable it first.", type="pipeline_disabled")


def check_idle(state: CiState, pipeline: Pipeline, branch: str) -> None:
    """409 `already_running` when this branch has an unfinished run of the pipeline."""
    for run in state.runs.find(pipeline_id=pipeline.id, branch=branch):
        if run_status(state, run) in UNFINISHED:
            raise conflict(f"{run.id} is not finished; wait for it or cancel it.", type="already_running")


def check_attempts(run: Run) -> None:
    """409 `too_many_attempts` after the last one."""
    if run.attempt >= MOST_ATTEMPTS:
        raise conflict(f"{run.id} was tried {run.attempt} times; start a new run.", type="too_many_attempts")


def start(state: CiState, ctx: CallContext, pipeline: Pipeline, branch: str, title: str, note: str) -> Run:
    """A new manual run; a deployment waits for an approval before its last job."""
    run: Run = state.runs.create(
        pipeline_id=pipeline.id,
        title=title,
        branch=branch,
        commit=sha(pipeline.id, branch, ctx.now),
        trigger="manual",
        actor_email=ME.email,
        note=note,
        created_at=ctx.now,
    )
    for name in pipeline.job_names:
        waits = pipeline.kind == "deploy" and name == pipeline.job_names[-1]
        state.jobs.create(run_id=run.id, name=name, status="waiting" if waits else "queued")
    if pipeline.kind == "deploy":
        state.gates.create(run_id=run.id, environment=environment_of(branch))
    return run


def environment_of(branch: str) -> str:
    """The main branch goes to production, everything else to staging."""
    return "production" if branch == "main" else "staging"
