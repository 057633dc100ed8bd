"""Tools for runs: finding, starting, repeating and cancelling them, and approving deployments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.ci.state import (
    UNFINISHED,
    BranchName,
    CiState,
    Decision,
    JobStatus,
    PipelineId,
    RepoName,
    RunId,
    Trigger,
    service,
)
from services_app.library.ci.status import check_attempts, check_enabled, check_idle, row_of, run_status, start
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)

Note = Annotated[str, f.Semantic("text"), Field(max_length=2000)]
Answer = Annotated[Literal["approved", "rejected"], LABEL]


@service.tool()
def list_runs(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: CiState,
    ctx: CallContext,
    query: Query | None = None,
    pipeline_id: PipelineId | None = None,
    repo: RepoName | None = None,
    branch: BranchName | None = None,
    status: JobStatus | None = None,
    trigger: Trigger | None = None,
    actor_email: f.Email | None = None,
    since: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List runs, newest first.

    Errors: `not_found`, `invalid_date`.

    Args:
        query: Words in the title, branch or commit.
        pipeline_id: Only runs of this pipeline.
        repo: Only runs of this repository.
        branch: Only runs of this branch.
        status: Only runs with this status.
        trigger: Only runs started so.
        actor_email: Only runs started by this person.
        since: Only runs from this day on.
        limit: At most so many runs.
        cursor: next_cursor of the previous page.
    """
    if pipeline_id is not None:
        state.pipelines.get(pipeline_id)
    if since is not None:
        check_date(since)
    found = search(state.runs, query, lambda row: (row.title, row.branch, row.commit))
    found = keep(found, pipeline_id=pipeline_id, branch=branch, trigger=trigger, actor_email=actor_email)
    found = newest_first(found, "created_at")
    rows = [
        row
        for row in (row_of(state, run) for run in found if since is None or run.created_at[:10] >= since)
        if (status is None or row["status"] == status) and (repo is None or same(row["repo"], repo))
    ]
    return cursor_page("runs", rows, limit, cursor)


@service.tool()
def get_run(state: CiState, ctx: CallContext, run_id: RunId) -> Json:
    """Show a run with its jobs, artifacts and approvals.

    Errors: `not_found`.

    Args:
        run_id: Id of the run.
    """
    run = state.runs.get(run_id)
    names = {row.id: row.name for row in state.runners}
    jobs = [
        {**brief(job, "id", "name", "status", "minutes"), "runner": names.get(job.runner_id or "")}
        for job in state.jobs.find(run_id=run_id)
    ]
    artifacts = [brief(row, "id", "name", "size_kb", "expires_on") for row in state.artifacts.find(run_id=run_id)]
    return {**row_of(state, run), "jobs": jobs, "artifacts": artifacts, "approvals": state.gates.find(run_id=run_id)}


@service.tool(phrase="start {pipeline_id} on the branch {branch}")
def run_pipeline(
    state: CiState, ctx: CallContext, pipeline_id: PipelineId, branch: BranchName = "main", note: Note = ""
) -> Json:
    """Start a pipeline by hand; its jobs are queued, and a deployment waits for an approval before its last job.

    Errors: `not_found`, `pipeline_disabled`, `already_running` (this branch has an unfinished run of it).

    Args:
        pipeline_id: Id of the pipeline.
        branch: Branch to run.
        note: Why.
    """
    pipeline = state.pipelines.get(pipeline_id)
    check_enabled(pipeline)
    check_idle(state, pipeline, branch)
    return row_of(state, start(state, ctx, pipeline, branch, f"{pipeline.name} by hand", note))


@service.tool(phrase="repeat the run {run_id}")
def rerun(state: CiState, ctx: CallContext, run_id: RunId, failed_only: bool = False) -> Json:
    """Queue the jobs of a finished run again, as its next attempt.

    Errors: `not_found`, `not_finished`, `pipeline_disabled`, `too_many_attempts` (three), `nothing_failed`,
    `already_running` (another run of the branch).

    Args:
        run_id: Id of the run.
        failed_only: Only jobs that failed or were cancelled.
    """
    run = state.runs.get(run_id)
    if run_status(state, run) in UNFINISHED:
        raise conflict(f"{run_id} is not finished; cancel it first.", type="not_finished")
    pipeline = state.pipelines.get(run.pipeline_id)
    check_enabled(pipeline)
    check_attempts(run)
    jobs = state.jobs.find(run_id=run_id)
    if failed_only:
        jobs = [job for job in jobs if job.status in ("failure", "cancelled")]
    if not jobs:
        raise conflict(f"No job of {run_id} failed; repeat the whole run.", type="nothing_failed")
    check_idle(state, pipeline, run.branch)
    for job in jobs:
        state.jobs.patch(job.id, status="queued", runner_id=None, log="", minutes=None)
        for failure in state.failures.find(job_id=job.id):
            state.failures.delete(failure.id)
    return row_of(state, state.runs.patch(run_id, attempt=run.attempt + 1))


@service.tool(phrase="cancel the run {run_id}")
def cancel_run(state: CiState, ctx: CallContext, run_id: RunId, reason: Note) -> Json:
    """Cancel the unfinished jobs of a run; open approvals are rejected.

    Errors: `not_found`, `already_finished`, `deploying` (a deployment that has begun to write is not cancelled),
    `blank_text`.

    Args:
        run_id: Id of the run.
        reason: Why; added to the note of the run.
    """
    run = state.runs.get(run_id)
    text = check_text(reason, "reason")
    if run_status(state, run) not in UNFINISHED:
        raise conflict(f"{run_id} is {run_status(state, run)}; nothing is left to cancel.", type="already_finished")
    pipeline = state.pipelines.get(run.pipeline_id)
    for job in state.jobs.find(run_id=run_id):
        if pipeline.kind == "deploy" and job.name == pipeline.job_names[-1] and job.status == "in_progress":
            raise conflict(f"{job.id} is writing to customers; wait until it has finished.", type="deploying")
        if job.status in UNFINISHED:
            state.jobs.patch(job.id, status="cancelled")
    for gate in state.gates.find(run_id=run_id, decision="pending"):
        state.gates.patch(gate.id, decision="rejected", decided_by=ME.email, comment=text)
    note = f"{run.note}\n\n{text}" if run.note else text
    return row_of(state, state.runs.patch(run_id, note=note))


@service.tool()
def list_deployment_approvals(
    state: CiState,
    ctx: CallContext,
    decision: Decision | None = None,
    environment: f.Label | None = None,
    mine_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List deployments that wait for an approval, or were decided, newest first, with who may decide.

    Args:
        decision: Only those still pending, approved or rejected.
        environment: Only deployments to production or to staging.
        mine_only: Only those that you may decide.
        limit: At most so many.
        cursor: next_cursor of the previous page.
    """
    rows = []
    for gate in keep(state.gates, decision=decision, environment=environment):
        run = state.runs.get(gate.run_id)
        pipeline = state.pipelines.get(run.pipeline_id)
        if not mine_only or any(same(email, ME.email) for email in pipeline.approver_emails):
            shown = brief(run, "title", "branch", "actor_email", "created_at")
            rows.append(with_fields(gate, **shown, repo=pipeline.repo, approver_emails=pipeline.approver_emails))
    rows = newest_first(rows, "created_at")
    return cursor_page("approvals", rows, limit, cursor)


@service.tool(phrase="decide the deployment {approval_id}: {decision}")
def decide_deployment(
    state: CiState,
    ctx: CallContext,
    approval_id: Annotated[str, f.ref("gates")],
    decision: Answer,
    comment: Note = "",
) -> Json:
    """Approve or reject a deployment; its last job is queued or cancelled.

    Nobody approves what they started. Errors: `not_found`, `not_an_approver`, `own_run`, `already_decided`,
    `build_failed` (an earlier job of the run has not succeeded), `comment_missing` (rejecting needs a reason).

    Args:
        approval_id: Id of the approval, from list_deployment_approvals.
        decision: Your decision.
        comment: Why.
    """
    gate = state.gates.get(approval_id)
    run = state.runs.get(gate.run_id)
    pipeline = state.pipelines.get(run.pipeline_id)
    if not any(same(email, ME.email) for email in pipeline.approver_emails):
        names = ", ".join(pipeline.approver_emails)
        raise forbidden(f"Only {names} may decide deployments of {pipeline.repo}.", type="not_an_approver")
    if gate.decision != "pending":
        raise conflict(f"{approval_id} was {gate.decision} by {gate.decided_by}.", type="already_decided")
    if decision == "approved" and same(run.actor_email, ME.email):
        raise forbidden("You started this run; somebody else has to approve it.", type="own_run")
    if decision == "rejected" and not comment.strip():
        raise invalid("Say in the comment why it is rejected.", type="comment_missing")
    jobs = state.jobs.find(run_id=run.id)
    if decision == "approved" and any(job.status not in ("success", "waiting") for job in jobs):
        raise conflict(f"Not every earlier job of {run.id} has succeeded.", type="build_failed")
    for job in jobs:
        if job.status == "waiting":
            state.jobs.patch(job.id, status="queued" if decision == "approved" else "cancelled")
    changed = state.gates.patch(approval_id, decision=decision, decided_by=ME.email, comment=comment)
    return with_fields(changed, run=row_of(state, run))
