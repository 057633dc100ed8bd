"""Tools for pipelines and what they do regularly."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.ci.state import BranchName, CiState, Kind, Pipeline, PipelineId, RepoName, Weekday, service
from services_app.library.ci.status import check_enabled, row_of
from services_app.library.shared import (
    WEEKDAYS,
    Json,
    Query,
    keep,
    mean,
    newest_first,
    percent,
    same,
    search,
    with_fields,
)


def _figures(state: CiState, pipeline: Pipeline) -> Json:
    """Success rate and usual duration of the finished runs."""
    runs = [row_of(state, run) for run in state.runs.find(pipeline_id=pipeline.id)]
    finished = [run for run in runs if run["status"] in ("success", "failure")]
    good = [run for run in finished if run["status"] == "success"]
    return {
        "runs": len(runs),
        "success_rate": percent(len(good), len(finished)),
        "average_minutes": mean([run["minutes"] for run in good]),
        "last_status": max(runs, key=lambda run: (run["created_at"], run["id"]))["status"] if runs else None,
    }


@service.tool()
def list_pipelines(
    state: CiState,
    ctx: CallContext,
    query: Query | None = None,
    repo: RepoName | None = None,
    kind: Kind | None = None,
    enabled: bool | None = None,
) -> Json:
    """List pipelines with their success rate and the status of the newest run.

    Args:
        query: Words in the name, repository or description.
        repo: Only pipelines of this repository.
        kind: build for tests and packages, deploy for bringing them to customers.
        enabled: true for enabled pipelines only, false for disabled ones only.
    """
    found = search(state.pipelines, query, lambda row: (row.name, row.repo, row.description))
    found = keep(found, repo=repo, kind=kind, enabled=enabled)
    return {"pipelines": [with_fields(row, **_figures(state, row)) for row in found], "total": len(found)}


@service.tool()
def get_pipeline(state: CiState, ctx: CallContext, pipeline_id: PipelineId) -> Json:
    """Show a pipeline with its jobs, schedules, figures and newest runs.

    Errors: `not_found`.

    Args:
        pipeline_id: Id of the pipeline.
    """
    pipeline = state.pipelines.get(pipeline_id)
    runs = newest_first(state.runs.find(pipeline_id=pipeline_id), "created_at")
    schedules = state.schedules.find(pipeline_id=pipeline_id)
    newest = [row_of(state, run) for run in runs[:5]]
    return with_fields(pipeline, **_figures(state, pipeline), schedules=schedules, newest_runs=newest)


@service.tool(phrase="switch the pipeline {pipeline_id} on or off")
def set_pipeline_enabled(state: CiState, ctx: CallContext, pipeline_id: PipelineId, enabled: bool) -> Pipeline:
    """Enable or disable a pipeline; one with schedules cannot be disabled.

    Errors: `not_found`, `no_change`, `has_schedules` (delete them first).

    Args:
        pipeline_id: Id of the pipeline.
        enabled: false stops new runs.
    """
    pipeline = state.pipelines.get(pipeline_id)
    if pipeline.enabled == enabled:
        raise conflict(f"{pipeline.name} is {'enabled' if enabled else 'disabled'} already.", type="no_change")
    if not enabled and state.schedules.find(pipeline_id=pipeline_id):
        raise conflict(f"{pipeline.name} has schedules; delete them first.", type="has_schedules")
    return state.pipelines.patch(pipeline_id, enabled=enabled)


@service.tool()
def list_schedules(
    state: CiState, ctx: CallContext, weekday: Weekday | None = None, owner_email: f.Email | None = None
) -> Json:
    """List when pipelines run by themselves, in the order of the week.

    Args:
        weekday: Only schedules of this day.
        owner_email: Only schedules of this person.
    """
    found = keep(state.schedules, weekday=weekday, owner_email=owner_email)
    found.sort(key=lambda row: (WEEKDAYS.index(row.weekday), row.time, row.id))
    rows = [with_fields(row, pipeline=state.pipelines.get(row.pipeline_id).name) for row in found]
    return {"schedules": rows, "total": len(rows)}


@service.tool(phrase="run {pipeline_id} every {weekday} at {time}")
def create_schedule(
    state: CiState,
    ctx: CallContext,
    pipeline_id: PipelineId,
    weekday: Weekday,
    time: f.Time,
    branch: BranchName = "main",
) -> Json:
    """Run an enabled pipeline once a week by itself.

    Errors: `not_found`, `pipeline_disabled`, `duplicate_schedule` (same pipeline, day and time), `too_many_schedules`
    (five for one pipeline).

    Args:
        pipeline_id: Id of the pipeline.
        weekday: Day of the week.
        time: Time of the day, UTC.
        branch: Branch that is run.
    """
    pipeline = state.pipelines.get(pipeline_id)
    check_enabled(pipeline)
    present = state.schedules.find(pipeline_id=pipeline_id)
    if any((row.weekday, row.time) == (weekday, time) for row in present):
        raise conflict(f"{pipeline.name} runs on {weekday} at {time} already.", type="duplicate_schedule")
    if len(present) >= 5:
        raise conflict(f"{pipeline.name} has five schedules; delete one first.", type="too_many_schedules")
    made = state.schedules.create(
        pipeline_id=pipeline_id, weekday=weekday, time=time, branch=branch, owner_email=ME.email
    )
    return with_fields(made, pipeline=pipeline.name)


@service.tool(phrase="delete the schedule {schedule_id}")
def delete_schedule(state: CiState, ctx: CallContext, schedule_id: Annotated[str, f.ref("schedules")]) -> Json:
    """Delete a schedule that you own.

    Errors: `not_found`, `not_your_schedule`.

    Args:
        schedule_id: Id of the schedule.
    """
    schedule = state.schedules.get(schedule_id)
    if not same(schedule.owner_email, ME.email):
        raise forbidden(f"{schedule_id} belongs to {schedule.owner_email}; ask them.", type="not_your_schedule")
    state.schedules.delete(schedule_id)
    return {"deleted": schedule_id, "pipeline_id": schedule.pipeline_id}
