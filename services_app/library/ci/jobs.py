"""Tools for jobs, their logs, and tests that fail."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, ToolError, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.ci.state import UNFINISHED, CiState, JobId, MutedTest, RepoName, service
from services_app.library.ci.status import check_attempts, check_enabled, row_of, run_status
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_date,
    cursor_page,
    days_between,
    matches,
    same,
    search,
    with_fields,
)

Lines = Annotated[int, f.count("lines"), Field(ge=1, le=500)]
IssueKey = Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Z]{2,5}-\d{1,5}$")]
TestName = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=200)]


@service.tool()
def get_job_log(
    state: CiState, ctx: CallContext, job_id: JobId, query: Query | None = None, last_lines: Lines | None = None
) -> Json:
    """Read the log of a job, with the tests that failed in it.

    Errors: `not_found`, `no_log` (it has not started).

    Args:
        job_id: Id of the job.
        query: Only lines that hold these words.
        last_lines: Only so many lines at the end.
    """
    job = state.jobs.get(job_id)
    if not job.log:
        raise ToolError(404, "no_log", f"{job_id} is {job.status} and has no log; look again later.")
    lines = [{"line": number, "text": text} for number, text in enumerate(job.log.splitlines(), 1)]
    if query is not None:
        lines = [row for row in lines if matches(query, str(row["text"]))]
    if last_lines is not None:
        lines = lines[-last_lines:]
    failures = [brief(row, "test", "message") for row in state.failures.find(job_id=job_id)]
    shown = brief(job, "id", "run_id", "name", "status", "minutes")
    return {**shown, "lines": lines, "total_lines": len(job.log.splitlines()), "failed_tests": failures}


@service.tool(phrase="repeat the job {job_id}")
def retry_job(state: CiState, ctx: CallContext, job_id: JobId) -> Json:
    """Queue one failed or cancelled job of a finished run again.

    Errors: `not_found`, `not_failed`, `not_finished` (other jobs of the run still go on), `pipeline_disabled`,
    `too_many_attempts` (three).

    Args:
        job_id: Id of the job.
    """
    job = state.jobs.get(job_id)
    if job.status not in ("failure", "cancelled"):
        raise conflict(f"{job_id} is {job.status}; only failed or cancelled jobs are repeated.", type="not_failed")
    run = state.runs.get(job.run_id)
    if any(other.status in UNFINISHED for other in state.jobs.find(run_id=run.id)):
        raise conflict(f"{run.id} is {run_status(state, run)}; wait until it has finished.", type="not_finished")
    check_enabled(state.pipelines.get(run.pipeline_id))
    check_attempts(run)
    state.jobs.patch(job_id, status="queued", runner_id=None, log="", minutes=None)
    for failure in state.failures.find(job_id=job_id):
        state.failures.delete(failure.id)
    return {**row_of(state, state.runs.patch(run.id, attempt=run.attempt + 1)), "job_id": job_id}


def _repo_of(state: CiState, job_id: str) -> str:
    run = state.runs.get(state.jobs.get(job_id).run_id)
    return state.pipelines.get(run.pipeline_id).repo


@service.tool()
def list_failing_tests(
    state: CiState,
    ctx: CallContext,
    repo: RepoName | None = None,
    query: Query | None = None,
    muted: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List tests that failed, the most frequent first, with the newest message and whether they are muted.

    Args:
        repo: Only tests of this repository.
        query: Words in the name or message.
        muted: true for muted tests only, false for the others only.
        limit: At most so many tests.
        cursor: next_cursor of the previous page.
    """
    groups: dict[tuple[str, str], list[dict[str, str]]] = {}
    for failure in search(state.failures, query, lambda row: (row.test, row.message)):
        run = state.runs.get(state.jobs.get(failure.job_id).run_id)
        shown = {"message": failure.message, "job_id": failure.job_id, "failed_at": run.created_at}
        groups.setdefault((_repo_of(state, failure.job_id), failure.test), []).append(shown)
    rows: list[Json] = []
    for (where, test), found in groups.items():
        newest = max(found, key=lambda row: (row["failed_at"], row["job_id"]))
        silent = _muted(state, ctx, where, test)
        row = {"repo": where, "test": test, "failures": len(found), "newest": newest, "muted": silent is not None}
        if (repo is None or same(where, repo)) and (muted is None or row["muted"] == muted):
            rows.append({**row, "muted_for": silent.issue if silent else None})
    rows.sort(key=lambda row: (-row["failures"], row["repo"], row["test"]))
    return cursor_page("tests", rows, limit, cursor)


def _muted(state: CiState, ctx: CallContext, repo: str, test: str) -> MutedTest | None:
    return next((row for row in state.muted.find(repo=repo, test=test) if row.until >= ctx.today), None)


@service.tool(phrase="mute the test {test} of {repo} until {until}")
def mute_test(state: CiState, ctx: CallContext, repo: RepoName, test: TestName, issue: IssueKey, until: f.Date) -> Json:
    """Let a test fail without failing its job for a while, under an issue in which it is repaired.

    Errors: `unknown_test` (it has not failed in this repository), `already_muted`, `in_the_past`, `too_long` (at most
    30 days), `invalid_date`.

    Args:
        repo: Name of the repository.
        test: Full name of the test, from list_failing_tests.
        issue: Key of the issue, such as FLT-104.
        until: Last day.
    """
    known = any(row.test == test and _repo_of(state, row.job_id) == repo for row in state.failures)
    if not known:
        raise ToolError(404, "unknown_test", f"No test {test!r} has failed in {repo}; see list_failing_tests.")
    if _muted(state, ctx, repo, test):
        raise conflict(f"{test} is muted already; unmute it first.", type="already_muted")
    if check_date(until) < ctx.today:
        raise invalid(f"{until} is over; today is {ctx.today}.", type="in_the_past")
    if days_between(ctx.today, until) > 30:
        raise invalid("Tests are muted for 30 days at most; choose an earlier day.", type="too_long")
    row: MutedTest = state.muted.create(repo=repo, test=test, issue=issue, muted_by=ME.email, until=until)
    return with_fields(row, days=days_between(ctx.today, until))


@service.tool(phrase="let the test {test} of {repo} count again")
def unmute_test(state: CiState, ctx: CallContext, repo: RepoName, test: TestName) -> Json:
    """Let a muted test count again.

    Errors: `not_muted`.

    Args:
        repo: Name of the repository.
        test: Full name of the test.
    """
    row = _muted(state, ctx, repo, test)
    if row is None:
        raise conflict(f"{test} of {repo} is not muted; list_failing_tests shows what is.", type="not_muted")
    state.muted.delete(row.id)
    return {"unmuted": test, "repo": repo, "issue": row.issue}
