"""Tools for repositories and who may do what in them."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import DOMAIN, ME, outside
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)
from services_app.library.source_control.state import (
    RANK,
    Collaborator,
    RepoId,
    Repository,
    Role,
    SourceState,
    service,
)
from services_app.library.source_control.trees import branch_of, needs, role_in, tree

Sort = Annotated[Literal["name", "updated"], LABEL]


def last_push(state: SourceState, repository: Repository) -> str:
    """When the default branch last changed."""
    head = branch_of(state, repository.id, None).head
    return state.commits.get(head).committed_at


@service.tool()
def search_repositories(
    state: SourceState,
    ctx: CallContext,
    query: Query | None = None,
    language: f.Label | None = None,
    archived: bool | None = None,
    sort: Sort = "name",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find repositories by name or description.

    Args:
        query: Words in the name or description.
        language: Only repositories mostly written in this language.
        archived: true for archived repositories only, false for live ones only.
        sort: name from A to Z, or updated for the latest push first.
        limit: At most so many repositories.
        cursor: next_cursor of the previous page.
    """
    found = search(state.repositories, query, lambda row: (row.name, row.description))
    found = keep(found, language=language, archived=archived)
    rows = [
        with_fields(row, pushed_at=last_push(state, row), open_pull_requests=_open_pulls(state, row.id))
        for row in sorted(found, key=lambda row: row.name)
    ]
    if sort == "updated":
        rows.sort(key=lambda row: str(row["pushed_at"]), reverse=True)
    return cursor_page("repositories", rows, limit, cursor)


def _open_pulls(state: SourceState, repo: str) -> int:
    return state.pull_requests.count(repo=repo, state="open")


@service.tool()
def get_repository(state: SourceState, ctx: CallContext, repo: RepoId) -> Json:
    """Show a repository: default branch and its protection, number of files, open pull requests, and your role.

    Errors: `not_found`.

    Args:
        repo: Name of the repository.
    """
    repository = state.repositories.get(repo)
    branch = branch_of(state, repo, None)
    return with_fields(
        repository,
        pushed_at=last_push(state, repository),
        files=len(tree(state, branch.head)),
        branches=state.branches.count(repo=repo),
        open_pull_requests=_open_pulls(state, repo),
        protected=branch.protected,
        required_approvals=branch.required_approvals,
        code_owner_review=branch.code_owner_review,
        your_role=role_in(state, repo),
    )


@service.tool()
def list_collaborators(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    query: Query | None = None,
    role: Role | None = None,
) -> Json:
    """List who has access to a repository, strongest role first.

    Errors: `not_found`.

    Args:
        repo: Name of the repository.
        query: Words in the name or address.
        role: Only people with this role.
    """
    state.repositories.get(repo)
    found = search(state.collaborators.find(repo=repo), query, lambda row: (row.name, row.email))
    found = keep(found, role=role)
    found.sort(key=lambda row: (-RANK[row.role], row.name))
    return {"collaborators": found, "total": len(found)}


@service.tool(phrase="give {email} {role} access to {repo}")
def add_collaborator(
    state: SourceState, ctx: CallContext, repo: RepoId, email: f.Email, role: Role = "write", name: f.Person = ""
) -> Collaborator:
    """Give a colleague access to a repository, or change the role they have; you must be an admin of it.

    Errors: `not_found`, `no_permission`, `repository_archived`, `outside_company` (only addresses of the company),
    `same_role`, `own_role` (nobody changes their own).

    Args:
        repo: Name of the repository.
        email: Address of the colleague.
        role: The role they get.
        name: Their name; taken from other repositories if left out.
    """
    needs(state, repo, "admin")
    if outside(email):
        raise forbidden(f"{email} is not an address of the company; use one at {DOMAIN}.", type="outside_company")
    if same(email, ME.email):
        raise forbidden("You cannot change your own role; ask another admin.", type="own_role")
    known = [row for row in state.collaborators if same(row.email, email)]
    present = next((row for row in known if row.repo == repo), None)
    if present is None:
        shown = name.strip() or (known[0].name if known else "")
        return state.collaborators.create(repo=repo, name=shown, email=email.lower(), role=role)
    if present.role == role and (not name.strip() or name == present.name):
        raise conflict(f"{email} has {role} access to {repo} already.", type="same_role")
    return state.collaborators.patch(present.id, role=role, name=name.strip() or present.name)
