"""The rules of tasks, as short stories."""

from __future__ import annotations

import pytest

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows

SLUG = "tasks"


def test_a_project_from_a_template_is_worked_off_in_its_order() -> None:
    env = environment(SLUG)
    template = one(env, SLUG, "templates", name="Stocktaking")["id"]
    started = ok(
        env,
        SLUG,
        "create_project_from_template",
        template_id=template,
        name="Stocktaking autumn",
        start_on="2026-09-01",
    )
    assert (started["due_on"], started["tasks"], started["percent_complete"]) == ("2026-09-10", 4, 0)
    tasks = {row["name"]: row["id"] for row in rows(env, SLUG, "tasks", project_id=started["id"])}
    approve = {"task_id": tasks["Release of corrections"], "decision": "approved"}
    assert refused(env, SLUG, "respond_to_approval", **approve) == "task_blocked"
    done = ok(env, SLUG, "complete_task", task_id=tasks["Count aisles G to M"])
    assert done["no_longer_blocked"] == [approve["task_id"]]
    assert refused(env, SLUG, "complete_task", task_id=approve["task_id"]) == "is_approval"
    assert refused(env, SLUG, "complete_task", task_id=tasks["Correct the stock"]) == "task_blocked"
    assert refused(env, SLUG, "archive_project", project_id=started["id"]) == "approval_pending"
    ok(env, SLUG, "respond_to_approval", **approve)
    ok(env, SLUG, "complete_task", task_id=tasks["Correct the stock"])
    assert ok(env, SLUG, "get_project", project_id=started["id"])["percent_complete"] == 75
    assert ok(env, SLUG, "archive_project", project_id=started["id"])["archived"]


def test_asking_for_changes_leaves_an_approval_open_and_says_why() -> None:
    env = environment(SLUG)
    project = ok(env, SLUG, "create_project", name="Bays")["id"]
    task = ok(env, SLUG, "create_task", project_id=project, name="Budget", kind="approval", assignee_email=ME.email)[
        "id"
    ]
    answer = {"task_id": task, "decision": "changes_requested"}
    assert refused(env, SLUG, "respond_to_approval", **answer) == "comment_missing"
    asked = ok(env, SLUG, "respond_to_approval", **answer, comment="The offer is missing.")
    assert (asked["approval"], asked["completed_at"]) == ("changes_requested", None)
    assert [row["text"] for row in ok(env, SLUG, "list_comments", task_id=task)["comments"]] == [
        "The offer is missing."
    ]
    assert ok(env, SLUG, "respond_to_approval", task_id=task, decision="approved")["completed_at"]
    assert ok(env, SLUG, "reopen_task", task_id=task)["approval"] == "pending"


def test_a_column_holds_no_more_open_tasks_than_its_limit() -> None:
    env = environment(SLUG)
    project = ok(env, SLUG, "create_project", name="Bays")["id"]
    column = ok(env, SLUG, "create_section", project_id=project, name="Now", wip_limit=1)["id"]
    first = ok(env, SLUG, "create_task", project_id=project, name="One", section_id=column)["id"]
    second = ok(env, SLUG, "create_task", project_id=project, name="Two")["id"]
    assert refused(env, SLUG, "move_task", task_id=second, section_id=column) == "wip_limit_reached"
    ok(env, SLUG, "complete_task", task_id=first)
    ok(env, SLUG, "move_task", task_id=second, section_id=column)
    assert refused(env, SLUG, "reopen_task", task_id=first) == "wip_limit_reached"


def test_private_projects_are_closed_and_hidden() -> None:
    env = environment(SLUG, scale="normal")
    mine = {row["project_id"] for row in rows(env, SLUG, "project_members", user_id="WU-001")}
    hidden = next(
        row
        for row in rows(env, SLUG, "projects", private=True)
        if row["owner_id"] != "WU-001" and row["id"] not in mine
    )
    task = one(env, SLUG, "tasks", project_id=hidden["id"])
    assert refused(env, SLUG, "get_task", task_id=task["id"]) == "private_project"
    assert ok(env, SLUG, "search_tasks", project_id=hidden["id"])["total"] == 0
    assert ok(env, SLUG, "list_projects", query=hidden["name"])["total"] == 0


def test_workload_is_the_sum_of_the_open_tasks() -> None:
    env = environment(SLUG, scale="normal")
    report = ok(env, SLUG, "get_workload", from_day="2026-03-01", to_day="2026-03-31")
    due = [
        row
        for row in rows(env, SLUG, "tasks", completed_at=None)
        if row["assignee_id"] and row["due_on"] and "2026-03-01" <= row["due_on"] <= "2026-03-31"
    ]
    assert report["total_planned_hours"] == pytest.approx(sum(row["estimate_hours"] or 0 for row in due))
    assert sum(row["open_tasks"] for row in report["people"]) == len(due)
    assert all(
        (row["email"] in report["over_capacity"]) == (row["planned_hours"] > row["capacity_hours"])
        for row in report["people"]
    )


def test_a_deleted_task_takes_its_comments_and_dependencies_along() -> None:
    env = environment(SLUG)
    project = ok(env, SLUG, "create_project", name="Bays")["id"]
    first, second = (ok(env, SLUG, "create_task", project_id=project, name=name)["id"] for name in ("One", "Two"))
    ok(env, SLUG, "add_dependency", task_id=second, waits_for_id=first)
    ok(env, SLUG, "add_comment", task_id=first, text="Hello")
    assert ok(env, SLUG, "get_task", task_id=second)["blocked"]
    ok(env, SLUG, "delete_task", task_id=first)
    assert not ok(env, SLUG, "get_task", task_id=second)["blocked"]
    assert not rows(env, SLUG, "comments", task_id=first)
