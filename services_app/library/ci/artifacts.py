"""Tools for what runs leave behind."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError, conflict, invalid
from services_app.engine import fields as f
from services_app.library.ci.state import Artifact, ArtifactId, CiState, RepoName, RunId, service
from services_app.library.ci.status import run_status
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_date,
    cursor_page,
    days_between,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)


def _row(state: CiState, ctx: CallContext, artifact: Artifact) -> Json:
    run = state.runs.get(artifact.run_id)
    shown = brief(artifact, "id", "run_id", "name", "size_kb", "expires_on")
    repo = state.pipelines.get(run.pipeline_id).repo
    return {**shown, "repo": repo, "created_at": run.created_at, "expired": artifact.expires_on < ctx.today}


@service.tool()
def list_artifacts(
    state: CiState,
    ctx: CallContext,
    run_id: RunId | None = None,
    repo: RepoName | None = None,
    query: Query | None = None,
    include_expired: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List packages and reports of runs, newest first, with the space they take.

    Errors: `not_found`.

    Args:
        run_id: Only those of this run.
        repo: Only those of this repository.
        query: Words in the name or text.
        include_expired: Also those that can no longer be read.
        limit: At most so many artifacts.
        cursor: next_cursor of the previous page.
    """
    if run_id is not None:
        state.runs.get(run_id)
    found = search(keep(state.artifacts, run_id=run_id), query, lambda row: (row.name, row.content))
    rows = [_row(state, ctx, row) for row in found]
    rows = [row for row in rows if include_expired or not row["expired"]]
    rows = [row for row in rows if repo is None or same(row["repo"], repo)]
    rows = newest_first(rows, "created_at")
    return {**cursor_page("artifacts", rows, limit, cursor), "total_kb": sum(row["size_kb"] for row in rows)}


@service.tool()
def get_artifact(state: CiState, ctx: CallContext, artifact_id: ArtifactId) -> Json:
    """Read an artifact: the text of a report, or the manifest of a package.

    Errors: `not_found`, `artifact_expired`.

    Args:
        artifact_id: Id of the artifact.
    """
    artifact = state.artifacts.get(artifact_id)
    if artifact.expires_on < ctx.today:
        raise ToolError(404, "artifact_expired", f"{artifact_id} expired on {artifact.expires_on}; repeat its run.")
    return {**_row(state, ctx, artifact), "content": artifact.content}


@service.tool(phrase="keep the artifact {artifact_id} until {expires_on}")
def extend_artifact(state: CiState, ctx: CallContext, artifact_id: ArtifactId, expires_on: f.Date) -> Json:
    """Keep an artifact longer.

    Errors: `not_found`, `artifact_expired`, `not_later`, `too_long` (at most 365 days from now), `invalid_date`.

    Args:
        artifact_id: Id of the artifact.
        expires_on: Last day on which it can be read.
    """
    artifact = state.artifacts.get(artifact_id)
    if artifact.expires_on < ctx.today:
        raise conflict(f"{artifact_id} expired on {artifact.expires_on}; repeat its run.", type="artifact_expired")
    if check_date(expires_on) <= artifact.expires_on:
        raise invalid(f"It is kept until {artifact.expires_on} anyway; name a later day.", type="not_later")
    if days_between(ctx.today, expires_on) > 365:
        raise invalid("Artifacts are kept for 365 days at most; name an earlier day.", type="too_long")
    return _row(state, ctx, state.artifacts.patch(artifact_id, expires_on=expires_on))


@service.tool(phrase="delete the artifact {artifact_id}")
def delete_artifact(state: CiState, ctx: CallContext, artifact_id: ArtifactId) -> Json:
    """Delete an artifact; the packages of the newest successful run of a pipeline stay.

    Errors: `not_found`, `run_not_finished`, `newest_package`.

    Args:
        artifact_id: Id of the artifact.
    """
    artifact = state.artifacts.get(artifact_id)
    run = state.runs.get(artifact.run_id)
    if run_status(state, run) in ("queued", "in_progress", "waiting"):
        raise conflict(f"{run.id} is not finished and may need it; wait for it.", type="run_not_finished")
    others = [row for row in state.runs.find(pipeline_id=run.pipeline_id) if run_status(state, row) == "success"]
    newest = max(others, key=lambda row: (row.created_at, row.id), default=None)
    if newest is not None and newest.id == run.id and artifact.name.endswith(".tar.gz"):
        raise conflict(f"{artifact.name} is the newest package of {run.pipeline_id}.", type="newest_package")
    state.artifacts.delete(artifact_id)
    left = sum(row.size_kb for row in state.artifacts.find(run_id=run.id))
    return with_fields(run, deleted=artifact_id, kilobytes_left=left)
