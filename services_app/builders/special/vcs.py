"""Servers that drive a local git: a repository by its path or address, on trees, commits and branches."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.calls import Model, Operation, call_plan, keys_of
from services_app.recipes import vcs_reads, vcs_writes
from services_app.specs.model import ToolSpec

_R, _W = vcs_reads, vcs_writes
_REPO = "repo_(path|url)|repository_path|local_path"
VOCABULARY = {
    "repo": _REPO,
    "context": "context_lines",
    "target": "target(_branch)?",
    "source": "source(_branch)?",
    "message": "message",
    "files": "files|file_patterns",
    "limit": "max_count|limit",
    "since": "since|start_timestamp",
    "until": "until|end_timestamp",
    "author": "author",
    "grep": "grep",
    "branch": "branch(_name)?",
    "diffs": "include_diff",
    "revision": "revision|rev",
    "kind": "branch_type",
    "contains": "contains",
    "lacks": "not_contains",
    "paths": "file_paths",
    "pattern": "pattern",
    "case": "case_sensitive",
    "path": "file_path",
    "show_patch": "show_patch",
    "name": "branch_name|tag_name",
    "base": "base_branch|start_point",
    "create": "create",
    "force": "force",
    "no_forward": "no_fast_forward",
    "mode": "mode",
    "to": "to",
    "commit": "commit",
    "no_commit": "no_commit",
    "action": "action",
    "index": "index",
    "annotated": "annotated",
    "remote": "remote",
    "dry_run": "dry_run",
    "directories": "directories",
    "key": "key",
    "value": "value",
    "scope": "scope",
    "onto": "onto",
}
_CLEAN = {"repo": ("/work/alder",)}
OPERATIONS = (
    Operation("_git_status_$", _R.git_status),
    Operation("_git_diff_unstaged_", _R.diff_unstaged),
    Operation("_git_diff_staged_", _R.diff_staged),
    Operation("_git_branch_diff_", _R.diff_branches),
    Operation("_git_diff_$", _R.diff_with),
    Operation("_git_(local_changes|uncommitted_changes)_", _R.local_changes),
    Operation("_git_(commits_details|commit_details)_", _R.commit_details, passes=_R.git_log),
    Operation("_git_(log|commit_history|history)_$", _R.git_log),
    Operation("_git_commit_$", _W.git_commit),
    Operation("_git_(add|track|stage)_", _W.git_add),
    Operation("_git_reset_", _W.git_reset),
    Operation("_git_create_branch_", _W.create_branch),
    Operation(
        "_git_checkout(_branch)?_",
        _W.git_checkout,
        needs="branch_name",
        samples={"name": ("fresh", "rounding"), "create": (True, False), "base": ("rounding",)},
    ),
    Operation("_git_delete_branch_", _W.delete_branch),
    Operation("_git_merge(_branch)?_", _W.merge_branch, samples=_CLEAN),
    Operation("_git_show_", _R.git_show),
    Operation("_git_(branch|list_branches)_$", _R.list_branches),
    Operation("_git_directory_structure_", _R.tree_of),
    Operation("_git_read_files_", _R.read_committed),
    Operation("_git_search_code_", _R.search_code),
    Operation("_git_blame_", _R.git_blame),
    Operation("_git_stash_", _W.git_stash),
    Operation("_git_create_tag_", _W.create_tag),
    Operation("_git_push_", _W.git_push),
    Operation(
        "_git_clean_", _W.git_clean, samples={"dry_run": (False, True), "force": (True,), "directories": (True,)}
    ),
    Operation("_git_config_", _W.set_config),
    Operation("_git_rebase_", _W.rebase, samples=_CLEAN),
    Operation("_git_revert_", _W.git_revert, samples=_CLEAN),
)
_MODULE = "services_app.recipes.vcs"
GIT = Model(
    operations=OPERATIONS,
    vocabulary=VOCABULARY,
    fixtures=(
        Fixture("git_repositories", "GitRepository", _MODULE, "seed_repositories"),
        Fixture("git_commits", "GitCommit", _MODULE, "seed_commits"),
        Fixture("git_refs", "GitRef", _MODULE, "seed_refs"),
        Fixture("git_stashes", "GitStash", _MODULE, "seed_stashes"),
    ),
    steady=(("interactive", "there is nobody to ask"),),
    noun="repository",
    samples={
        "repo": ("/work/north",),
        "repo_url": ("https://git.example/north.git",),
        "files": (["."], ["draft.txt"]),
        "file_patterns": (["*.py"],),
        "target": ("rounding",),
        "source": ("rounding",),
        "target_branch": ("main",),
        "branch": ("main", "rounding"),
        "message": ("Add the draft",),
        "revision": ("HEAD", "HEAD:README.md"),
        "kind": ("local", "all"),
        "contains": ("v1.0",),
        "lacks": ("rounding",),
        "paths": (["README.md"],),
        "pattern": ("TEAM|TOTAL|REPORT|NOTES",),
        "path": ("README.md",),
        "since": ("2026-02-20",),
        "until": ("2026-02-25",),
        "author": ("Jonas",),
        "grep": ("report",),
        "name": ("rounding", "old", "fresh"),
        "tag_name": ("v2.0",),
        "key": ("user.name",),
        "value": ("Ana Berg",),
        "onto": ("rounding",),
        "to": ("HEAD~1",),
        "mode": ("hard", "mixed"),
        "commit": ("HEAD",),
    },
)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that drives git; None where the server, or the tool, is of another kind."""
    operation = GIT.operation_of(tool, keys_of(reader, tool))
    if operation is None or not any(re.fullmatch(_REPO, key) for key in keys_of(reader, tool)):
        return None
    own = [name for name in GIT.covered(reader) if "git" in name]
    return call_plan(reader, tool, GIT, operation) if len(own) >= 4 else None
