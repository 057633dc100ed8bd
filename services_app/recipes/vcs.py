"""Local git repositories: a working tree, an index, commits, branches, tags, stashes and remotes.

A tree is a tuple of (path, text) pairs sorted by path, so that a commit holds all that is needed to go back to it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.plain import digest
from services_app.engine.state import About, Record, Table

Seen = dict[str, Any]
Tree = tuple[tuple[str, str], ...]
AUTHOR = "Ana Berg <ana.berg@north.example>"


class GitRepository(Record):
    """A repository; its path is the id. `head` is the branch that is checked out, or a commit."""

    about: ClassVar[About] = About("repository", "repositories", key="repo_path")
    repo_path: str
    repo_url: str
    head: str
    index: Tree
    working: Tree
    settings: tuple[tuple[str, str], ...] = ()


class GitCommit(Record):
    """A commit; its hash is the id."""

    about: ClassVar[About] = About("commit", "commits", key="message")
    repo_path: str
    message: str
    author: str
    date: str
    parents: tuple[str, ...] = ()
    tree: Tree = ()


class GitRef(Record):
    """A branch, a branch of a remote, or a tag, with the commit that it points to."""

    about: ClassVar[About] = About("git ref", "git refs", prefix="ref-", width=1, key="branch_name")
    repo_path: str
    kind: str
    branch_name: str
    commit: str
    note: str = ""


class GitStash(Record):
    """Changes that were put aside; the newest has the number 0."""

    about: ClassVar[About] = About("stash", "stashes", prefix="stash-", width=1)
    repo_path: str
    message: str
    index: Tree
    working: Tree


class GitState(Protocol):
    """The tables that repositories need."""

    git_repositories: Table[GitRepository]
    git_commits: Table[GitCommit]
    git_refs: Table[GitRef]
    git_stashes: Table[GitStash]


def repository(state: GitState, place: object) -> GitRepository:
    """The repository at a path or address, or 404."""
    text = str(place).rstrip("/")
    if text in state.git_repositories:
        return state.git_repositories.get(text)
    found = next((one for one in state.git_repositories if text in (one.repo_path, one.repo_url)), None)
    if found is None:
        raise ToolError(404, "not_found", f"{place!r} is no repository; there is {_known(state)}.")
    return found


def _known(state: GitState) -> str:
    return ", ".join(one.repo_path for one in state.git_repositories) or "none"


def ref_of(state: GitState, repo: GitRepository, name: object, kind: str = "") -> GitRef | None:
    """The branch or tag of that name."""
    refs = state.git_refs.find(repo_path=repo.id, branch_name=str(name))
    return next((one for one in refs if not kind or one.kind == kind), None)


def head_commit(state: GitState, repo: GitRepository) -> GitCommit:
    """The commit that is checked out."""
    ref = ref_of(state, repo, repo.head, "branch")
    return state.git_commits.get(ref.commit if ref is not None else repo.head)


def resolved(state: GitState, repo: GitRepository, name: object) -> GitCommit:
    """The commit that a revision names: HEAD, HEAD~2, a branch, a tag, a hash or its beginning. 404 for none."""
    text, _, back = str(name).strip().replace("^", "~1").partition("~")
    ref = ref_of(state, repo, text)
    own = [one for one in state.git_commits if one.repo_path == repo.id]
    if text in ("HEAD", "@"):
        commit = head_commit(state, repo)
    elif ref is not None:
        commit = state.git_commits.get(ref.commit)
    else:
        near = [one for one in own if len(text) >= 4 and one.id.startswith(text)]
        if len(near) != 1:
            raise ToolError(404, "not_found", f"{name!r} names no commit, branch or tag of {repo.repo_path}.")
        commit = near[0]
    for _ in range(int(back) if back.isdecimal() else 1 if back else 0):
        if not commit.parents:
            raise ToolError(404, "not_found", f"{name!r} goes back before the first commit.")
        commit = state.git_commits.get(commit.parents[0])
    return commit


def ancestry(state: GitState, commit: GitCommit) -> list[GitCommit]:
    """A commit and all before it, newest first."""
    found: dict[str, GitCommit] = {}
    waiting = [commit]
    while waiting:
        one = waiting.pop()
        if one.id not in found:
            found[one.id] = one
            waiting += [state.git_commits.get(parent) for parent in one.parents]
    order = {one.id: number for number, one in enumerate(state.git_commits)}
    return sorted(found.values(), key=lambda one: -order[one.id])


def as_tree(files: Mapping[str, str]) -> Tree:
    return tuple(sorted(files.items()))


def add_commit(
    state: GitState, ctx: CallContext, repo: GitRepository, message: str, tree: Tree, parents: tuple[str, ...]
) -> GitCommit:
    """A new commit, to which the branch that is checked out moves."""
    if not message.strip():
        raise invalid("A commit needs a message.", type="no_message")
    identity = digest([repo.id, message, list(map(list, tree)), list(parents), ctx.now])[:40]
    commit = state.git_commits.add(
        GitCommit(
            id=identity, repo_path=repo.id, message=message, author=AUTHOR, date=ctx.now, parents=parents, tree=tree
        )
    )
    move_head(state, repo, commit)
    return commit


def move_head(state: GitState, repo: GitRepository, commit: GitCommit) -> None:
    """Point what is checked out at a commit."""
    ref = ref_of(state, repo, repo.head, "branch")
    if ref is None:
        state.git_repositories.patch(repo.id, head=commit.id)
    else:
        state.git_refs.patch(ref.id, commit=commit.id)


def changes(before: Tree, after: Tree) -> list[tuple[str, str]]:
    """(what, path) of every file that differs: added, modified, deleted."""
    old, new = dict(before), dict(after)
    return [
        ("added" if path not in old else "deleted" if path not in new else "modified", path)
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    ]


def patch(before: Tree, after: Tree, context: Any = None) -> str:
    """The difference of two trees as git shows it."""
    old, new = dict(before), dict(after)
    lines: list[str] = []
    for _, path in changes(before, after):
        lines.append(f"diff --git a/{path} b/{path}")
        sides = old.get(path, "").splitlines(), new.get(path, "").splitlines()
        names = f"a/{path}" if path in old else "/dev/null", f"b/{path}" if path in new else "/dev/null"
        around = 3 if context is None else max(0, int(context))
        lines += difflib.unified_diff(*sides, *names, n=around, lineterm="")
    return "\n".join(lines)


def told(commit: GitCommit) -> Seen:
    """A commit as agents see it."""
    return {"hash": commit.id, "author": commit.author, "date": commit.date, "message": commit.message}


def untracked(repo: GitRepository) -> list[str]:
    """Files of the working tree that the index does not know."""
    known = dict(repo.index)
    return [path for path, _ in repo.working if path not in known]


def dirty(state: GitState, repo: GitRepository) -> bool:
    """Whether tracked files differ from the commit that is checked out."""
    known = dict(repo.index)
    tracked = tuple(pair for pair in repo.working if pair[0] in known)
    return tracked != repo.index or repo.index != head_commit(state, repo).tree


def check_out(state: GitState, repo: GitRepository, head: str, commit: GitCommit) -> GitRepository:
    """Put the tree of a commit into the index and the working tree; untracked files stay."""
    loose = {path: text for path, text in repo.working if path not in dict(repo.index)}
    working = as_tree({**loose, **dict(commit.tree)})
    return state.git_repositories.patch(repo.id, head=head, index=commit.tree, working=working)


def carried(state: GitState, repo: GitRepository, head: str, commit: GitCommit) -> GitRepository:
    """Check a branch out with the changes that are not committed; 409 where its commit has another text for them."""
    before, known = head_commit(state, repo).tree, dict(repo.index)
    tracked = tuple(pair for pair in repo.working if pair[0] in known)
    open_ = {path for _, path in (*changes(before, repo.index), *changes(repo.index, tracked))}
    if open_ & {path for _, path in changes(before, commit.tree)}:
        refuse_changes(state, repo)
    index, working = dict(commit.tree), dict(commit.tree)
    for path in open_:
        for side, old in ((index, known), (working, dict(tracked))):
            side.pop(path, None)
            side.update({path: old[path]} if path in old else {})
    loose = {path: text for path, text in repo.working if path not in known}
    return state.git_repositories.patch(repo.id, head=head, index=as_tree(index), working=as_tree({**loose, **working}))


def refuse_changes(state: GitState, repo: GitRepository) -> None:
    """409 while there are changes that would be lost."""
    if dirty(state, repo):
        raise conflict("There are changes that are not committed; commit or stash them first.", type="dirty")


# Seeds

_STEPS = (
    ("First notes", {"README.md": "# North\n\nNotes of the team.\n"}),
    ("Add the report", {"report.py": "def total():\n    return 2005\n\n\nprint(total())\n"}),
    (
        "Describe the report",
        {"README.md": "# North\n\nNotes of the team.\n\nRun report.py.\n", "data/costs.csv": "a,1\n"},
    ),
)
_LATER = ("Round the total", {"report.py": "def total():\n    return round(2005.4)\n\n\nprint(total())\n"})
_LOOSE = {
    "README.md": "# North\n\nNotes of the whole team.\n\nRun report.py.\n",
    "draft.txt": "Three open points\n",
    "build/out.txt": "2005\n",
}
_PLACES = (("/work/north", "https://git.example/north.git"), ("/work/alder", "https://git.example/alder.git"))
_HEADS = ("main", "release")
_AUTHORS = (AUTHOR, "Jonas Weber <jonas.weber@north.example>")


def history_of(ctx: SeedContext, path: str) -> list[GitCommit]:
    """The commits of a seeded repository: three on main, then one on a branch."""
    found: list[GitCommit] = []
    tree: dict[str, str] = {}
    for number, (message, files) in enumerate((*_STEPS, _LATER)):
        tree |= {name: text.replace("North", path.rsplit("/", 1)[-1].capitalize()) for name, text in files.items()}
        date, parents = ctx.moment(-12 + 2 * number), tuple(one.id for one in found[-1:])
        identity = digest([path, message, ctx.seed])[:40]
        found.append(
            GitCommit(
                id=identity,
                repo_path=path,
                message=message,
                author=_AUTHORS[number % 2],
                date=date,
                parents=parents,
                tree=as_tree(tree),
            )
        )
    return found


def seed_repositories(repositories: Table[GitRepository], ctx: SeedContext) -> None:
    """One with a staged change, one that is not staged and files that are not tracked; the other one is clean."""
    for number, (path, url) in enumerate(_PLACES):
        tree = dict(history_of(ctx, path)[2].tree)
        index = as_tree(tree if number else {**tree, "data/costs.csv": "a,1\nb,2\n"})
        working = index if number else as_tree({**dict(index), **_LOOSE})
        repositories.add(
            GitRepository(id=path, repo_path=path, repo_url=url, head=_HEADS[number], index=index, working=working)
        )


def seed_commits(commits: Table[GitCommit], ctx: SeedContext) -> None:
    """Their commits."""
    for path, _ in _PLACES:
        for commit in history_of(ctx, path):
            commits.add(commit)


def seed_refs(refs: Table[GitRef], ctx: SeedContext) -> None:
    """Their branches, those of the remote, and a tag."""
    for path, _ in _PLACES:
        first, second, third, fourth = (one.id for one in history_of(ctx, path))
        head = (("branch", "release", third),) if path == _PLACES[1][0] else ()
        rows = (*head, ("branch", "main", third), ("branch", "rounding", fourth), ("branch", "old", first))
        for kind, name, commit in (*rows, ("remote", "origin/main", second), ("tag", "v1.0", second)):
            refs.create(repo_path=path, kind=kind, branch_name=name, commit=commit)


def seed_stashes(stashes: Table[GitStash], ctx: SeedContext) -> None:
    """One stash each."""
    for path, _ in _PLACES:
        tree = history_of(ctx, path)[2].tree
        working = as_tree({**dict(tree), "report.py": "print(1)\n"})
        stashes.create(repo_path=path, message="Try another way", index=tree, working=working)
