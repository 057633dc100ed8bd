"""What source control holds. Trees, differences and mergeability follow from the commits and are never stored."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Role = Annotated[Literal["read", "triage", "write", "admin"], LABEL]
PullState = Annotated[Literal["open", "closed", "merged"], LABEL]
Verdict = Annotated[Literal["approve", "request_changes", "comment"], LABEL]
MergeMethod = Annotated[Literal["merge", "squash"], LABEL]

RANK = {"none": -1, "read": 0, "triage": 1, "write": 2, "admin": 3}

RepoId = Annotated[str, f.ref("repositories")]
PullId = Annotated[str, f.ref("pull_requests")]
CommitId = Annotated[str, f.ref("commits")]
BranchName = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=100, pattern=r"^[\w./-]+$")]
FilePath = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=200, pattern=r"^[\w.-]+(/[\w.-]+)*$")]


class Repository(Record):
    about: ClassVar[About] = About("repository", "repositories", prefix="repo-", key="name")

    name: f.Code
    """The name; also the id."""
    description: f.Text
    language: f.Label
    default_branch: f.Code = "main"
    archived: bool = False
    created_at: f.SystemTime


class Collaborator(Record):
    about: ClassVar[About] = About("collaborator", "collaborators", prefix="COL-", key="email")

    repo: RepoId
    name: f.Person
    email: f.Email
    role: Role


class Branch(Record):
    about: ClassVar[About] = About("branch", "branches", prefix="BR-", key="branch")

    repo: RepoId
    branch: f.Code
    head: Annotated[str, f.ref("commits")]
    """The newest commit."""
    required_approvals: Annotated[int, f.count("approvals"), Field(ge=0, le=6)] = 0
    code_owner_review: bool = False
    """Whether someone named in CODEOWNERS for a changed file has to approve."""
    protected: bool = False


class FileChange(Record):
    """One path of a commit: `id` is the path, `content` None when the file was deleted."""

    about: ClassVar[About] = About("file change", "file changes", prefix="FC-")

    content: f.Text | None


class Commit(Record):
    about: ClassVar[About] = About("commit", "commits", prefix="c0-", key="message")

    repo: RepoId
    parent: Annotated[str | None, f.ref("commits")]
    merged: Annotated[str | None, f.ref("commits")] = None
    """The second parent of a merge commit."""
    message: f.Title
    author_email: f.Email
    committed_at: f.SystemTime
    files: Annotated[tuple[FileChange, ...], f.Semantic("text")]


class PullRequest(Record):
    about: ClassVar[About] = About("pull request", "pull requests", prefix="PR-", key="title")

    repo: RepoId
    number: Annotated[int, f.count("pull requests", system=True)]
    title: f.Title
    body: f.Text
    head: f.Code
    base: f.Code
    state: PullState = "open"
    draft: bool = False
    author_email: f.Email
    reviewers: tuple[f.Email, ...] = ()
    """People who have been asked for a review."""
    merge_commit: Annotated[str | None, f.ref("commits")] = None
    opened_at: f.SystemTime
    closed_at: f.SystemTime | None = None


class Review(Record):
    about: ClassVar[About] = About("review", "reviews", prefix="RVW-", key="", carrier="note")

    pull_request_id: PullId
    author_email: f.Email
    verdict: Verdict
    body: f.Text = ""
    commit: CommitId
    """The head that was looked at; an approval of an older head no longer counts."""
    submitted_at: f.SystemTime


class ReviewComment(Record):
    about: ClassVar[About] = About("comment", "comments", prefix="CMT-", key="", carrier="note")

    pull_request_id: PullId
    author_email: f.Email
    body: f.Text
    path: f.Code = ""
    line: Annotated[int | None, f.count("lines")] = None
    resolved: bool = False
    written_at: f.SystemTime


class SourceState(State):
    repositories: Table[Repository]
    collaborators: Table[Collaborator]
    commits: Table[Commit]
    branches: Table[Branch]
    pull_requests: Table[PullRequest]
    reviews: Table[Review]
    comments: Table[ReviewComment]


service = Service(
    "source-control",
    title="Source Control",
    domain="engineering",
    description="Repositories with files, branches and commits, protected branches, pull requests and reviews.",
    state=SourceState,
    files=sources(__file__, "engineering.py"),
)
