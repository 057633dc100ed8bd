"""The rules of source control, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "source-control"


def test_a_change_reaches_main_only_by_a_pull_request_that_its_owners_approve() -> None:
    env = environment(S)
    text = {"repo": "runbooks", "path": "steps/new.md", "content": "# New\n", "message": "OPS-1 A page"}
    assert refused(env, S, "create_or_update_file", **text, branch="main") == "protected_branch"
    ok(env, S, "create_branch", repo="runbooks", branch="ops-1")
    ok(env, S, "create_or_update_file", **text, branch="ops-1")
    pull = ok(env, S, "create_pull_request", repo="runbooks", head="ops-1", title="OPS-1 A page")
    assert [row["reason"] for row in pull["blocked_by"]] == ["approvals_missing"]  # its author owns steps/
    assert refused(env, S, "merge_pull_request", pull_request_id=pull["id"]) == "approvals_missing"
    ok(env, S, "update_branch_protection", repo="runbooks", branch="main", required_approvals=0)
    ok(env, S, "merge_pull_request", pull_request_id=pull["id"], delete_branch=True)
    assert ok(env, S, "get_file_contents", repo="runbooks", path="steps/new.md")["content"] == "# New\n"
    assert refused(env, S, "create_or_update_file", **text, branch="ops-1") == "branch_not_found"


def test_an_approval_counts_for_the_commit_it_was_given_to() -> None:
    env = environment(S)
    pull = one(env, S, "pull_requests", state="open", draft=False)
    mine = one(env, S, "collaborators", repo=pull["repo"], email=ME.email)
    env = patched(env, S, "collaborators", mine["id"], role="write")
    shown = ok(env, S, "submit_review", pull_request_id=pull["id"], verdict="approve")
    assert ME.email in shown["approved_by"]
    place = {"repo": pull["repo"], "branch": pull["head"]}
    ok(env, S, "create_or_update_file", **place, path="more.md", content="More\n", message="More")
    assert ME.email not in ok(env, S, "get_pull_request", pull_request_id=pull["id"])["approved_by"]


def test_edits_of_different_lines_are_merged_and_of_the_same_line_conflict() -> None:
    env = environment(S)
    ok(
        env,
        S,
        "update_branch_protection",
        repo="runbooks",
        branch="main",
        required_approvals=0,
        code_owner_review=False,
    )
    lines = "one\n\ntwo\n\nthree\n"

    def branch(name: str, content: str, start: str = "main") -> str:
        ok(env, S, "create_branch", repo="runbooks", branch=name, from_branch=start)
        sha = env.fork().call(S, "get_file_contents", {"repo": "runbooks", "path": "list.md", "branch": name})
        known = {"sha": sha["data"]["sha"]} if sha["success"] else {}
        place = {"repo": "runbooks", "branch": name, "path": "list.md", "message": name}
        ok(env, S, "create_or_update_file", **place, content=content, **known)
        pull = ok(env, S, "create_pull_request", repo="runbooks", head=name, title=name)
        return str(pull["id"])

    ok(env, S, "merge_pull_request", pull_request_id=branch("start", lines))
    first = branch("first", lines.replace("one", "1"))
    third = branch("third", lines.replace("three", "3"))
    other = branch("other", lines.replace("one", "eins"))
    for pull in (first, third):
        ok(env, S, "merge_pull_request", pull_request_id=pull)
    assert ok(env, S, "get_file_contents", repo="runbooks", path="list.md")["content"] == "1\n\ntwo\n\n3\n"
    assert refused(env, S, "merge_pull_request", pull_request_id=other) == "merge_conflict"


def test_every_branch_of_the_seed_has_a_readable_tree_and_merged_work_is_in_main() -> None:
    env = environment(S, scale="normal")
    for pull in rows(env, S, "pull_requests", state="merged"):
        commit = ok(env, S, "get_commit", commit_id=pull["merge_commit"])
        assert "main" in commit["branches"]
        assert commit["files"]
    for pull in rows(env, S, "pull_requests", state="open"):
        files = ok(env, S, "get_pull_request_files", pull_request_id=pull["id"])
        assert files["additions"] >= 1
