"""Situations in source control; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from services_app.library.engineering import sha
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.driver import SPECIAL, Driver
from tests.library.world import Row, ok, one, patched, rows

S = "source-control"
PEOPLE += [(S, "collaborators")]


def _blob_of(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A file on a branch that is not protected, with its sha."""
    free = [row for row in driver.env.rows(S, "branches") if not row["protected"]]
    if not free:
        return {}
    place = {"repo": (branch := driver.rng.choice(free))["repo"], "branch": branch["branch"]}
    shown = driver.env.fork().call(S, "get_file_contents", {**place, "path": "README.md"})
    return {**place, "path": "README.md", "sha": shown["data"]["sha"]} if shown["success"] else place


def _place(name: str) -> Any:
    def fill(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
        branch = driver.rng.choice(driver.env.rows(S, "branches"))
        return {"repo": branch["repo"], name: branch["branch"]}

    return fill


def _file(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    branch = driver.rng.choice(driver.env.rows(S, "branches"))
    return {"repo": branch["repo"], "branch": branch["branch"], "path": "README.md"}


SPECIAL[S, "delete_file"] = SPECIAL[S, "create_or_update_file"] = _blob_of
SPECIAL[S, "delete_branch"] = SPECIAL[S, "update_branch_protection"] = _place("branch")
SPECIAL[S, "create_branch"] = _place("from_branch")
SPECIAL[S, "get_file_contents"] = _file
SPECIAL[S, "compare_commits"] = lambda driver, values: {
    **_place("base")(driver, values),
    "head": "main",
}


def _pull(env: Env, **wanted: Any) -> Row:
    return one(env, S, "pull_requests", state="open", draft=False, **wanted)


def _in(env: Env, repo: str, role: str) -> Env:
    mine = one(env, S, "collaborators", repo=repo, email=ME.email)
    return patched(env, S, "collaborators", mine["id"], role=role)


def _mergeable(env: Env) -> tuple[Env, Row]:
    """An open pull request against which nothing stands."""
    pull = _pull(env)
    env = _in(env, pull["repo"], "admin")
    main = one(env, S, "branches", repo=pull["repo"], branch="main")
    env = patched(env, S, "branches", main["id"], required_approvals=0, code_owner_review=False)
    for comment in rows(env, S, "comments", pull_request_id=pull["id"]):
        env = patched(env, S, "comments", comment["id"], resolved=True)
    for review in rows(env, S, "reviews", pull_request_id=pull["id"]):
        env = patched(env, S, "reviews", review["id"], verdict="comment")
    return env, pull


@case(S, "merge_pull_request", "approvals_missing")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    ok(env, S, "update_branch_protection", repo=pull["repo"], branch="main", required_approvals=6)
    return env, {"pull_request_id": pull["id"]}


@case(S, "merge_pull_request", "code_owner_missing")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    ok(env, S, "update_branch_protection", repo=pull["repo"], branch="main", code_owner_review=True)
    return patched(env, S, "pull_requests", pull["id"], author_email="someone@larkfield.example"), {
        "pull_request_id": pull["id"]
    }


@case(S, "merge_pull_request", "no_permission")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    return _in(env, pull["repo"], "read"), {"pull_request_id": pull["id"]}


def _archived(env: Env, repo: str) -> Env:
    return patched(env, S, "repositories", repo, archived=True)


for _tool, _more in (
    ("merge_pull_request", {}),
    ("update_pull_request_branch", {}),
    ("update_pull_request", {"title": "New"}),
    ("submit_review", {"verdict": "comment", "body": "Good."}),
    ("request_review", {"reviewer_email": ME.email}),
    ("add_pull_request_comment", {"body": "Good."}),
):

    def _archived_pull(env: Env, more: dict[str, Any] = _more) -> Situation:
        pull = _pull(env)
        return _archived(env, pull["repo"]), {"pull_request_id": pull["id"], **more}

    case(S, _tool, "repository_archived")(_archived_pull)


def _comment(env: Env, **changes: Any) -> tuple[Env, Row, Row]:
    """A comment on an open pull request."""
    comment = one(env, S, "comments")
    pull = _pull(env)
    env = patched(env, S, "comments", comment["id"], pull_request_id=pull["id"], **changes)
    return env, comment, pull


@case(S, "resolve_comment", "repository_archived")
def _(env: Env) -> Situation:
    env, comment, pull = _comment(env)
    return _archived(env, pull["repo"]), {"comment_id": comment["id"]}


def _free(env: Env, branch: str = "wip", repo: str = "runbooks") -> dict[str, Any]:
    """A new branch that may be written to."""
    ok(env, S, "create_branch", repo=repo, branch=branch)
    return {"repo": repo, "branch": branch}


def _written(env: Env, path: str = "draft.md", content: str = "# Draft\n", **more: Any) -> dict[str, Any]:
    place = _free(env, **more)
    ok(env, S, "create_or_update_file", **place, path=path, content=content, message="A draft")
    return place


def _opened(env: Env, **more: Any) -> Row:
    """A pull request of mine that adds a page to the runbooks."""
    place = _written(env, **more)
    pull: Row = ok(env, S, "create_pull_request", repo=place["repo"], head=place["branch"], title="A draft")
    return pull


@case(S, "update_branch_protection", "repository_archived")
def _(env: Env) -> Situation:
    return _archived(env, "runbooks"), {"repo": "runbooks", "branch": "main", "required_approvals": 2}


@case(S, "add_collaborator", "repository_archived")
def _(env: Env) -> Situation:
    return _archived(env, "runbooks"), {"repo": "runbooks", "email": "new@larkfield.example"}


@case(S, "add_collaborator", "own_role")
def _(env: Env) -> Situation:
    return env, {"repo": "runbooks", "email": ME.email, "role": "read"}


@case(S, "create_or_update_file", "is_folder")
def _(env: Env) -> Situation:
    return env, {**_free(env), "path": "policies", "content": "x", "message": "x"}


@case(S, "create_or_update_file", "no_change")
def _(env: Env) -> Situation:
    return env, {**_written(env), **_draft(), "content": "# Draft\n"}


def _draft() -> dict[str, Any]:
    return {"path": "draft.md", "message": "x", "sha": sha("blob", "draft.md", "# Draft\n")}


@case(S, "delete_file", "sha_missing")
def _(env: Env) -> Situation:
    return env, {**_written(env), **_draft(), "sha": ""}


@case(S, "create_pull_request", "blank_text")
def _(env: Env) -> Situation:
    return env, {"repo": "runbooks", "head": _written(env)["branch"], "title": "  "}


@case(S, "create_pull_request", "duplicate_pull_request")
def _(env: Env) -> Situation:
    return env, {"repo": "runbooks", "head": _opened(env)["head"], "title": "Again"}


@case(S, "create_pull_request", "no_commits")
def _(env: Env) -> Situation:
    return env, {"repo": "runbooks", "head": _free(env)["branch"], "title": "Nothing"}


def _unprotected(env: Env) -> None:
    ok(
        env,
        S,
        "update_branch_protection",
        repo="runbooks",
        branch="main",
        required_approvals=0,
        code_owner_review=False,
    )


def _clashing(env: Env) -> Row:
    """Two pull requests add the same file with different text; one is merged, the other returned."""
    _unprotected(env)
    first, second = _opened(env, branch="one"), _opened(env, branch="two", content="# Other\n")
    ok(env, S, "merge_pull_request", pull_request_id=first["id"])
    return second


@case(S, "update_pull_request_branch", "merge_conflict")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _clashing(env)["id"]}


@case(S, "merge_pull_request", "merge_conflict")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _clashing(env)["id"]}


@case(S, "merge_pull_request", "blank_text")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    return env, {"pull_request_id": pull["id"], "commit_title": "   "}


@case(S, "merge_pull_request", "no_commits")
def _(env: Env) -> Situation:
    """What the branch holds has come into main by way of another branch."""
    _unprotected(env)
    first = _opened(env)
    ok(env, S, "create_branch", repo="runbooks", branch="copy", from_branch="wip")
    copy = ok(env, S, "create_pull_request", repo="runbooks", head="copy", title="The same")
    ok(env, S, "merge_pull_request", pull_request_id=copy["id"], merge_method="merge")
    return env, {"pull_request_id": first["id"]}


@case(S, "merge_pull_request", "branch_in_use")
def _(env: Env) -> Situation:
    _unprotected(env)
    first = _opened(env)
    ok(env, S, "create_branch", repo="runbooks", branch="other")
    ok(env, S, "create_pull_request", repo="runbooks", head="wip", base="other", title="Elsewhere")
    return env, {"pull_request_id": first["id"], "delete_branch": True}


@case(S, "request_review", "already_requested")
def _(env: Env) -> Situation:
    pull = _opened(env)
    person = next(row for row in rows(env, S, "collaborators", repo="runbooks") if row["email"] != ME.email)
    ok(env, S, "request_review", pull_request_id=pull["id"], reviewer_email=person["email"])
    return env, {"pull_request_id": pull["id"], "reviewer_email": person["email"]}


@case(S, "request_review", "too_many_reviewers")
def _(env: Env) -> Situation:
    pull = _opened(env)
    people = [row["email"] for row in rows(env, S, "collaborators", repo="runbooks") if row["email"] != ME.email]
    for email in people[:6]:
        ok(env, S, "request_review", pull_request_id=pull["id"], reviewer_email=email)
    return env, {"pull_request_id": pull["id"], "reviewer_email": people[6]}


@case(S, "submit_review", "is_author")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _opened(env)["id"], "verdict": "approve"}


@case(S, "submit_review", "same_verdict")
def _(env: Env) -> Situation:
    pull = _pull(env)
    env = _in(env, pull["repo"], "write")
    ok(env, S, "submit_review", pull_request_id=pull["id"], verdict="approve")
    return env, {"pull_request_id": pull["id"], "verdict": "approve"}


@case(S, "add_pull_request_comment", "blank_text")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _opened(env)["id"], "body": "   "}


@case(S, "add_pull_request_comment", "no_permission")
def _(env: Env) -> Situation:
    pull = _pull(env)
    mine = one(env, S, "collaborators", repo=pull["repo"], email=ME.email)
    env = patched(env, S, "collaborators", mine["id"], email="other@larkfield.example", name="Someone Else")
    return env, {"pull_request_id": pull["id"], "body": "Good."}


@case(S, "update_branch_protection", "default_branch")
def _(env: Env) -> Situation:
    return env, {"repo": "runbooks", "branch": "main", "protected": False}


@case(S, "update_pull_request", "branch_not_found")
def _(env: Env) -> Situation:
    pull = _opened(env)
    ok(env, S, "update_pull_request", pull_request_id=pull["id"], pull_state="closed")
    ok(env, S, "delete_branch", repo="runbooks", branch=pull["head"])
    return env, {"pull_request_id": pull["id"], "pull_state": "open"}


@case(S, "request_review", "is_author")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _opened(env)["id"], "reviewer_email": ME.email}


@case(S, "add_pull_request_comment", "unknown_line")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _opened(env)["id"], "body": "Here.", "path": "draft.md", "line": 9}


@case(S, "add_pull_request_comment", "file_not_changed")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _opened(env)["id"], "body": "Here.", "path": "README.md"}


@case(S, "merge_pull_request", "is_draft")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    return patched(env, S, "pull_requests", pull["id"], draft=True), {"pull_request_id": pull["id"]}


@case(S, "merge_pull_request", "unresolved_comments")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    ok(env, S, "add_pull_request_comment", pull_request_id=pull["id"], body="Why?")
    return env, {"pull_request_id": pull["id"]}


@case(S, "merge_pull_request", "changes_requested")
def _(env: Env) -> Situation:
    env, pull = _mergeable(env)
    ok(env, S, "submit_review", pull_request_id=pull["id"], verdict="request_changes", body="Not yet.")
    return env, {"pull_request_id": pull["id"]}


@case(S, "create_branch", "branch_not_found")
def _(env: Env) -> Situation:
    return env, {"repo": "runbooks", "branch": "wip", "from_branch": "nowhere"}


@case(S, "update_pull_request", "blank_text")
def _(env: Env) -> Situation:
    return env, {"pull_request_id": _opened(env)["id"], "title": "   "}
