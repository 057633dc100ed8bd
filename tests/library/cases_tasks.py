"""Situations in tasks; see cases.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, one, patched, rows

SLUG = "tasks"
PEOPLE += [(SLUG, "users")]


def _project(env: Env, **arguments: Any) -> str:
    """A new project of yours."""
    return str(ok(env, SLUG, "create_project", **{"name": "New bays", "due_on": "2026-06-30", **arguments})["id"])


def _task(env: Env, project: str, **arguments: Any) -> str:
    return str(ok(env, SLUG, "create_task", **{"project_id": project, "name": "Measure", **arguments})["id"])


def _archived(env: Env) -> tuple[Env, str, str, str]:
    """An archived project of yours with two tasks, and its first column."""
    project = one(env, SLUG, "projects", name="Stocktaking spring")["id"]
    first, second = (row["id"] for row in rows(env, SLUG, "tasks", project_id=project, kind="task")[:2])
    return patched(env, SLUG, "projects", project, archived=True), project, first, second


ON_TASK: dict[str, dict[str, Any]] = {
    "add_comment": {"text": "Hello"},
    "add_followers": {"emails": [ME.email]},
    "assign_task": {"assignee_email": ME.email},
    "complete_task": {},
    "create_subtask": {"name": "Part"},
    "delete_task": {},
    "reopen_task": {},
    "respond_to_approval": {"decision": "approved"},
    "update_task": {"name": "New"},
}
ON_PROJECT: dict[str, dict[str, Any]] = {
    "add_project_member": {"email": ME.email},
    "archive_project": {},
    "create_section": {"name": "More"},
    "create_task": {"name": "Task"},
    "post_status_update": {"health": "at_risk", "title": "Late", "text": "Late"},
    "set_project_due_date": {"due_on": "2026-06-01"},
}


def _on_archived(wanted: Callable[[str, str, str], dict[str, Any]]) -> Callable[[Env], Situation]:
    def situation(env: Env) -> Situation:
        env, project, first, second = _archived(env)
        return env, wanted(project, first, second)

    return situation


for tool, more in ON_TASK.items():
    case(SLUG, tool, "project_archived")(
        _on_archived(lambda project, first, second, more=more: {"task_id": first, **more})  # type: ignore[misc]
    )
for tool, more in ON_PROJECT.items():
    case(SLUG, tool, "project_archived")(
        _on_archived(lambda project, first, second, more=more: {"project_id": project, **more})  # type: ignore[misc]
    )
for tool in ("add_dependency", "remove_dependency"):
    case(SLUG, tool, "project_archived")(
        _on_archived(lambda project, first, second: {"task_id": first, "waits_for_id": second})
    )


@case(SLUG, "move_task", "project_archived")
def _(env: Env) -> Situation:
    env, project, _, _ = _archived(env)
    task = _task(env, _project(env))
    return env, {"task_id": task, "section_id": one(env, SLUG, "sections", project_id=project)["id"]}


@case(SLUG, "add_dependency", "dependency_cycle")
def _(env: Env) -> Situation:
    project = _project(env)
    first, second, third = (_task(env, project) for _ in range(3))
    ok(env, SLUG, "add_dependency", task_id=second, waits_for_id=first)
    ok(env, SLUG, "add_dependency", task_id=third, waits_for_id=second)
    return env, {"task_id": first, "waits_for_id": third}


@case(SLUG, "add_dependency", "duplicate_dependency")
def _(env: Env) -> Situation:
    project = _project(env)
    pair = {"task_id": _task(env, project), "waits_for_id": _task(env, project)}
    ok(env, SLUG, "add_dependency", **pair)
    return env, pair


@case(SLUG, "add_followers", "already_following")
def _(env: Env) -> Situation:
    task = _task(env, _project(env))
    ok(env, SLUG, "add_followers", task_id=task, emails=[ME.email])
    return env, {"task_id": task, "emails": [ME.email]}


def _colleague(env: Env) -> str:
    return str(env.rows(SLUG, "users")[3]["email"])


@case(SLUG, "add_followers", "not_a_member")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env, private=True)), "emails": [_colleague(env)]}


def _private_of_other(env: Env) -> tuple[Env, str]:
    """A private project of a colleague of which you are a member."""
    project = _project(env, private=True)
    ok(env, SLUG, "add_project_member", project_id=project, email=_colleague(env))
    row = one(env, SLUG, "projects", id=project)
    member = next(item for item in rows(env, SLUG, "project_members", project_id=project))
    env = _kept(env, "projects", {**row, "owner_id": member["user_id"]})
    return _kept(env, "project_members", {**member, "user_id": "WU-001"}), project


def _kept(env: Env, table: str, row: dict[str, Any]) -> Env:
    return added(env, SLUG, table, row)


@case(SLUG, "add_project_member", "not_owner")
def _(env: Env) -> Situation:
    env, project = _private_of_other(env)
    return env, {"project_id": project, "email": ME.email}


@case(SLUG, "assign_task", "assignee_missing")
def _(env: Env) -> Situation:
    task = _task(env, _project(env), kind="approval", assignee_email=ME.email)
    return env, {"task_id": task, "assignee_email": None}


@case(SLUG, "assign_task", "same_assignee")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env), assignee_email=ME.email), "assignee_email": ME.email}


@case(SLUG, "create_task", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"project_id": _project(env), "name": "Task", "due_on": "2026-02-30"}


@case(SLUG, "create_task", "other_project")
def _(env: Env) -> Situation:
    section = env.rows(SLUG, "sections")[0]["id"]
    return env, {"project_id": _project(env), "name": "Task", "section_id": section}


@case(SLUG, "create_subtask", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env)), "name": "Part", "due_on": "2026-02-30"}


@case(SLUG, "create_subtask", "after_parent")
def _(env: Env) -> Situation:
    task = _task(env, _project(env), due_on="2026-04-01")
    return env, {"task_id": task, "name": "Part", "due_on": "2026-04-02"}


@case(SLUG, "create_subtask", "too_deep")
def _(env: Env) -> Situation:
    part = ok(env, SLUG, "create_subtask", task_id=_task(env, _project(env)), name="Part")
    return env, {"task_id": part["id"], "name": "Part of a part"}


@case(SLUG, "create_subtask", "blank_text")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env)), "name": " "}


@case(SLUG, "create_subtask", "after_project_end")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env)), "name": "Part", "due_on": "2026-07-01"}


def _full(env: Env) -> tuple[str, str]:
    """A project of yours and its column that holds the one task it may."""
    project = _project(env)
    column = ok(env, SLUG, "create_section", project_id=project, name="One at a time", wip_limit=1)["id"]
    _task(env, project, section_id=column)
    return project, column


@case(SLUG, "create_task", "wip_limit_reached")
def _(env: Env) -> Situation:
    project, column = _full(env)
    return env, {"project_id": project, "name": "Task", "section_id": column}


@case(SLUG, "move_task", "wip_limit_reached")
def _(env: Env) -> Situation:
    project, column = _full(env)
    return env, {"task_id": _task(env, project), "section_id": column}


@case(SLUG, "reopen_task", "wip_limit_reached")
def _(env: Env) -> Situation:
    project, column = _full(env)
    task = one(env, SLUG, "tasks", section_id=column)["id"]
    ok(env, SLUG, "complete_task", task_id=task)
    _task(env, project, section_id=column)
    return env, {"task_id": task}


@case(SLUG, "reopen_task", "parent_completed")
def _(env: Env) -> Situation:
    task = _task(env, _project(env))
    part = ok(env, SLUG, "create_subtask", task_id=task, name="Part")["id"]
    for identity in (part, task):
        ok(env, SLUG, "complete_task", task_id=identity)
    return env, {"task_id": part}


@case(SLUG, "post_status_update", "not_a_member")
def _(env: Env) -> Situation:
    project = _project(env)
    row = one(env, SLUG, "projects", id=project)
    env = _kept(env, "projects", {**row, "owner_id": "WU-002"})
    return env, {"project_id": project, "health": "at_risk", "title": "Late", "text": "Late"}


@case(SLUG, "respond_to_approval", "not_assignee")
def _(env: Env) -> Situation:
    project = _project(env)
    ok(env, SLUG, "add_project_member", project_id=project, email=_colleague(env))
    task = _task(env, project, kind="approval", assignee_email=_colleague(env))
    return env, {"task_id": task, "decision": "approved"}


@case(SLUG, "respond_to_approval", "comment_missing")
def _(env: Env) -> Situation:
    task = _task(env, _project(env), kind="approval", assignee_email=ME.email)
    return env, {"task_id": task, "decision": "rejected"}


@case(SLUG, "respond_to_approval", "task_blocked")
def _(env: Env) -> Situation:
    project = one(env, SLUG, "projects", name="Stocktaking spring")["id"]
    approval = one(env, SLUG, "tasks", project_id=project, kind="approval")
    return env, {"task_id": approval["id"], "decision": "approved"}


@case(SLUG, "update_task", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env)), "due_on": "2026-02-30"}


@case(SLUG, "update_task", "blank_text")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env)), "name": " "}


@case(SLUG, "set_project_due_date", "tasks_due_later")
def _(env: Env) -> Situation:
    project = _project(env)
    _task(env, project, due_on="2026-06-20")
    return env, {"project_id": project, "due_on": "2026-06-10"}


@case(SLUG, "archive_project", "approval_pending")
def _(env: Env) -> Situation:
    project = _project(env)
    _task(env, project, kind="approval", assignee_email=ME.email)
    return env, {"project_id": project}


@case(SLUG, "add_dependency", "same_task")
def _(env: Env) -> Situation:
    task = _task(env, _project(env))
    return env, {"task_id": task, "waits_for_id": task}


@case(SLUG, "create_task", "not_a_member")
def _(env: Env) -> Situation:
    return env, {"project_id": _project(env), "name": "Task", "assignee_email": _colleague(env)}


@case(SLUG, "create_subtask", "not_a_member")
def _(env: Env) -> Situation:
    return env, {"task_id": _task(env, _project(env)), "name": "Part", "assignee_email": _colleague(env)}


def _elsewhere(env: Env, **task: Any) -> Situation:
    """A task of one project and a column of another one of yours, which ends in March."""
    other = _project(env, name="Short", due_on="2026-03-20")
    section = one(env, SLUG, "sections", project_id=other)["id"]
    project = _project(env)
    ok(env, SLUG, "add_project_member", project_id=project, email=_colleague(env))
    return env, {"task_id": _task(env, project, **task), "section_id": section}


@case(SLUG, "move_task", "after_project_end")
def _(env: Env) -> Situation:
    return _elsewhere(env, due_on="2026-04-01")


@case(SLUG, "move_task", "not_a_member")
def _(env: Env) -> Situation:
    return _elsewhere(env, assignee_email=_colleague(env))


@case(SLUG, "move_task", "is_subtask")
def _(env: Env) -> Situation:
    env, arguments = _elsewhere(env)
    part = ok(env, SLUG, "create_subtask", task_id=arguments["task_id"], name="Part")
    return env, {**arguments, "task_id": part["id"]}


@case(SLUG, "post_status_update", "not_on_track")
def _(env: Env) -> Situation:
    project = _project(env)
    _task(env, project, priority="high", due_on="2026-02-20")
    return env, {"project_id": project, "health": "on_track", "title": "Fine", "text": "All well."}


@case(SLUG, "complete_task", "open_subtasks")
def _(env: Env) -> Situation:
    task = _task(env, _project(env))
    ok(env, SLUG, "create_subtask", task_id=task, name="Part")
    return env, {"task_id": task}


@case(SLUG, "complete_task", "task_blocked")
def _(env: Env) -> Situation:
    project = _project(env)
    first, second = _task(env, project), _task(env, project)
    ok(env, SLUG, "add_dependency", task_id=second, waits_for_id=first)
    return env, {"task_id": second}
