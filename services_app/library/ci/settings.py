"""Tools for runners and variables."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.ci.state import CiState, Platform, RepoName, Runner, RunnerStatus, Variable, service
from services_app.library.shared import Json, Query, keep, matches, same, with_fields

VariableName = Annotated[str, f.Semantic("code"), Field(max_length=60, pattern=r"^[A-Z][A-Z0-9_]*$")]
Value = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=2000)]


@service.tool()
def list_runners(
    state: CiState, ctx: CallContext, platform: Platform | None = None, status: RunnerStatus | None = None
) -> Json:
    """List the machines that work on jobs, with what they are doing and how many jobs wait for their platform.

    Args:
        platform: Only runners of this platform.
        status: Only runners with this status.
    """
    needs = {pipeline.id: pipeline.platform for pipeline in state.pipelines}
    runs = {run.id: needs[run.pipeline_id] for run in state.runs if run.pipeline_id in needs}
    waiting = [runs.get(job.run_id) for job in state.jobs.find(status="queued")]
    rows = []
    for runner in keep(state.runners, platform=platform, status=status):
        busy = [job.id for job in state.jobs.find(runner_id=runner.id, status="in_progress")]
        rows.append(with_fields(runner, busy_with=busy, waiting_for_platform=waiting.count(runner.platform)))
    return {"runners": rows, "total": len(rows)}


@service.tool(phrase="take the runner {runner_id} out of work or back")
def set_runner_paused(
    state: CiState,
    ctx: CallContext,
    runner_id: Annotated[str, f.ref("runners")],
    paused: bool = True,
    note: f.Text = "",
) -> Runner:
    """Pause a runner so that it takes no new jobs, or let it work again; a platform keeps one runner online.

    Errors: `not_found`, `no_change`, `runner_offline`, `last_runner`.

    Args:
        runner_id: Id of the runner.
        paused: false lets it work again.
        note: Why.
    """
    runner = state.runners.get(runner_id)
    if runner.status == "offline":
        raise conflict(f"{runner.name} is offline; it has to come back by itself.", type="runner_offline")
    if (runner.status == "paused") == paused:
        raise conflict(f"{runner.name} is {runner.status} already.", type="no_change")
    others = [row for row in state.runners.find(platform=runner.platform, status="online") if row.id != runner_id]
    if paused and not others:
        raise conflict(f"{runner.name} is the last one online for {runner.platform}.", type="last_runner")
    return state.runners.patch(runner_id, status="paused" if paused else "online", note=note)


def _shown(variable: Variable) -> Json:
    """A variable, with the value of a secret hidden."""
    return {**variable.plain(), "value": "********" if variable.secret else variable.value}


@service.tool()
def list_variables(state: CiState, ctx: CallContext, repo: RepoName | None = None, query: Query | None = None) -> Json:
    """List the variables that jobs can read; secrets are hidden.

    Args:
        repo: Only variables of this repository.
        query: Words in the name.
    """
    rows = [_shown(row) for row in keep(state.variables, repo=repo) if query is None or matches(query, row.name)]
    return {"variables": rows, "total": len(rows)}


@service.tool(phrase="set the variable {name} of {repo}")
def set_variable(
    state: CiState, ctx: CallContext, repo: RepoName, name: VariableName, value: Value, secret: bool = False
) -> Json:
    """Set a variable of a repository, new or not; a secret stays one.

    Errors: `unknown_repo` (it has no pipeline), `no_change`, `stays_secret`.

    Args:
        repo: Name of the repository.
        name: Name in capital letters.
        value: Its value.
        secret: true hides the value in lists and logs.
    """
    if not any(same(row.repo, repo) for row in state.pipelines):
        raise invalid(f"{repo} has no pipeline; list_pipelines shows the repositories.", type="unknown_repo")
    present = state.variables.first(repo=repo, name=name)
    values = {"value": value, "secret": secret, "updated_by": ME.email, "updated_at": ctx.now}
    if present is None:
        return _shown(state.variables.create(repo=repo, name=name, **values))
    if present.secret and not secret:
        raise conflict(f"{name} is a secret; set it as one, or delete it first.", type="stays_secret")
    if (present.value, present.secret) == (value, secret):
        raise conflict(f"{name} has this value already.", type="no_change")
    return _shown(state.variables.patch(present.id, **values))


@service.tool(phrase="delete the variable {variable_id}")
def delete_variable(state: CiState, ctx: CallContext, variable_id: Annotated[str, f.ref("variables")]) -> Json:
    """Delete a variable; secrets that a deployment needs stay.

    Errors: `not_found`, `needed_by_deployment`.

    Args:
        variable_id: Id of the variable, from list_variables.
    """
    variable = state.variables.get(variable_id)
    if variable.secret and state.pipelines.first(repo=variable.repo, kind="deploy", enabled=True):
        raise conflict(f"Deployments of {variable.repo} need it; set it anew.", type="needed_by_deployment")
    state.variables.delete(variable_id)
    return {"deleted": variable_id, "name": variable.name, "repo": variable.repo}
