"""The rules of the issue tracker, as short stories."""

from __future__ import annotations

from services_app.engine import ProductEnvironment
from services_app.library.cast import ME
from services_app.library.registry import load
from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows

S = "issues"


def test_an_issue_goes_step_by_step_and_keeps_its_history() -> None:
    env = environment(S)
    issue = ok(env, S, "create_issue", project="RTE", summary="Late routes", issue_type="bug")
    move = {"issue_id": issue["id"]}
    assert refused(env, S, "transition_issue", **move, status="done") == "invalid_transition"
    assert refused(env, S, "transition_issue", **move, status="in_progress") == "needs_assignee"
    ok(env, S, "assign_issue", **move, assignee_email=ME.email)
    for status in ("in_progress", "in_review", "done"):
        ok(env, S, "transition_issue", **move, status=status)
    ok(env, S, "log_work", **move, minutes=90)
    shown = ok(env, S, "get_issue", **move)
    assert (shown["status"], shown["logged_minutes"], shown["resolved_at"] is None) == ("done", 90, False)
    history = ok(env, S, "get_issue_history", **move)["transitions"]
    assert [row["to_status"] for row in history] == ["in_progress", "in_review", "done"]
    assert refused(env, S, "update_issue", **move, priority="high") == "issue_closed"


def test_work_waits_until_what_blocks_it_is_finished() -> None:
    env = environment(S)
    first, second = (ok(env, S, "create_issue", project="RTE", summary=name)["id"] for name in ("One", "Two"))
    ok(env, S, "link_issues", source_id=first, target_id=second, link_type="blocks")
    ok(env, S, "assign_issue", issue_id=second, assignee_email=ME.email)
    assert ok(env, S, "get_issue", issue_id=second)["blocked_by"] == [first]
    assert refused(env, S, "transition_issue", issue_id=second, status="in_progress") == "blocked"
    assert refused(env, S, "transition_issue", issue_id=first, status="wont_do") == "reason_missing"
    ok(env, S, "transition_issue", issue_id=first, status="wont_do", comment="Not needed.")
    ok(env, S, "transition_issue", issue_id=second, status="in_progress")


def test_points_of_a_sprint_add_up_and_what_is_open_moves_on() -> None:
    env = environment(S, scale="normal")
    for sprint in ok(env, S, "list_sprints", limit=100)["sprints"]:
        points = [row["story_points"] or 0 for row in rows(env, S, "issues", sprint_id=sprint["id"])]
        assert (sprint["planned_points"], sprint["free_points"]) == (sum(points), sprint["capacity"] - sum(points))
        assert sprint["free_points"] >= 0
    active = one(env, S, "sprints", state="active")
    report = ok(env, S, "get_sprint_report", sprint_id=active["id"])
    left = [issue for status in ("to_do", "in_progress", "in_review") for issue in report["by_status"][status]]
    closed = ok(env, S, "complete_sprint", sprint_id=active["id"])
    assert sorted(closed["moved"]) == sorted(left)
    assert all(one(env, S, "issues", id=issue)["sprint_id"] is None for issue in left)
    assert refused(env, S, "complete_sprint", sprint_id=active["id"]) == "not_active"


def test_the_seed_keeps_the_flow() -> None:
    env = environment(S, scale="normal")
    issues = {row["id"]: row for row in env.rows(S, "issues")}
    projects = {row["id"]: row for row in env.rows(S, "projects")}
    doing: dict[tuple[str, str], int] = {}
    for row in issues.values():
        assert (row["resolved_at"] is not None) == (row["status"] in ("done", "wont_do"))
        if row["status"] == "in_progress":
            place = (row["project"], row["assignee_email"])
            doing[place] = doing.get(place, 0) + 1
    assert all(count <= projects[project]["wip_limit"] for (project, _), count in doing.items())


def test_the_same_work_is_known_to_every_service_of_engineering() -> None:
    """An issue has one title and one author in source control, CI, releases and the tracker."""
    slugs = ("issues", "source-control", "ci", "releases", "incidents")
    state = ProductEnvironment([load(slug) for slug in slugs], seed=7, scale="small").state()
    issues = {row["id"]: row for row in state["issues"]["issues"]}
    met = 0
    for pull in state["source-control"]["pull_requests"]:
        key, _, title = pull["title"].partition(" ")
        if key in issues:
            met += 1
            assert issues[key]["summary"] == title
            assert issues[key]["assignee_email"] == pull["author_email"]
    for change in state["releases"]["changes"]:
        if change["issue"] in issues:
            met += 1
            assert issues[change["issue"]]["summary"] == change["title"]
    assert met > 30
    runs = {row["title"].split()[0] for row in state["ci"]["runs"]}
    assert len(runs & issues.keys()) > 10
    causes = {row["related_issue"] for row in state["incidents"]["incidents"]} - {""}
    assert len(causes & issues.keys()) >= 8
    repositories = {row["id"] for row in state["source-control"]["repositories"]}
    assert {row["repo"] for row in state["ci"]["pipelines"]} <= repositories
    assert {row["id"] for row in state["releases"]["components"]} <= repositories
    assert {row["id"] for row in state["incidents"]["services"]} <= repositories
