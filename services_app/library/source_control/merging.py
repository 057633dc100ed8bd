"""What has to be true before a pull request can be merged, and how it is shown."""

from __future__ import annotations

from services_app.engine import conflict
from services_app.library.shared import Json, same
from services_app.library.source_control.branches import ahead_of
from services_app.library.source_control.state import Branch, PullRequest, Review, SourceState
from services_app.library.source_control.trees import branch_of, merge, owners_of, tree, work_of


def verdicts(state: SourceState, pull: PullRequest) -> dict[str, Review]:
    """Reviewer -> latest approval or request for changes; remarks do not replace one."""
    found: dict[str, Review] = {}
    for review in state.reviews.find(pull_request_id=pull.id):
        if review.verdict != "comment":
            found[review.author_email.lower()] = review
    return found


def approvers(state: SourceState, pull: PullRequest) -> list[str]:
    """Who has approved the present head of an open pull request, or the last one of a finished one."""
    live = state.branches.first(repo=pull.repo, branch=pull.head) if pull.state == "open" else None
    return [
        email
        for email, review in verdicts(state, pull).items()
        if review.verdict == "approve" and (live is None or review.commit == live.head)
    ]


def blockers(state: SourceState, pull: PullRequest) -> list[tuple[str, str]]:
    """(error, sentence) for everything that stands against merging."""
    base, head = branch_of(state, pull.repo, pull.base), branch_of(state, pull.repo, pull.head)
    found: list[tuple[str, str]] = []
    if pull.draft:
        found.append(("is_draft", f"{pull.id} is a draft; mark it ready for review first."))
    if ahead_of(state, base.head, head.head) == 0:
        found.append(("no_commits", f"{pull.head} has no commit that {pull.base} lacks."))
    clashing = merge(state, base.head, head.head).conflicts
    if clashing:
        found.append(("merge_conflict", f"Both changed {', '.join(clashing)}; resolve that on {pull.head}."))
    refused = [email for email, review in verdicts(state, pull).items() if review.verdict == "request_changes"]
    if refused:
        found.append(("changes_requested", f"{', '.join(refused)} asked for changes and has not approved since."))
    found += _missing_approvals(state, pull, base, head)
    open_comments = state.comments.count(pull_request_id=pull.id, resolved=False)
    if open_comments:
        found.append(("unresolved_comments", f"{open_comments} comment(s) are not resolved."))
    return found


def _missing_approvals(state: SourceState, pull: PullRequest, base: Branch, head: Branch) -> list[tuple[str, str]]:
    approved = approvers(state, pull)
    found = []
    if len(approved) < base.required_approvals:
        need = (
            f"{pull.base} needs {base.required_approvals} approval(s) of the newest commit; there are {len(approved)}."
        )
        found.append(("approvals_missing", need))
    if base.code_owner_review:
        owners = owners_of(tree(state, base.head), work_of(state, base.head, head.head))
        if owners and not owners & {*approved, pull.author_email.lower()}:
            found.append(("code_owner_missing", f"One of {', '.join(sorted(owners))} has to approve."))
    return found


def open_pull(state: SourceState, pull_request_id: str) -> PullRequest:
    """The pull request if it is open; 409 `not_open` otherwise."""
    pull = state.pull_requests.get(pull_request_id)
    if pull.state != "open":
        raise conflict(f"{pull_request_id} is {pull.state}, not open.", type="not_open")
    return pull


def described(state: SourceState, pull: PullRequest) -> Json:
    """A pull request with what follows from its reviews and branches."""
    shown: Json = pull.plain()
    shown["approved_by"] = approvers(state, pull)
    shown["changes_requested_by"] = [
        email for email, review in verdicts(state, pull).items() if review.verdict == "request_changes"
    ]
    shown["comments"] = state.comments.count(pull_request_id=pull.id)
    shown["unresolved_comments"] = state.comments.count(pull_request_id=pull.id, resolved=False)
    if pull.state == "open":
        found = blockers(state, pull)
        shown["mergeable"] = not found
        shown["blocked_by"] = [{"reason": reason, "detail": detail} for reason, detail in found]
    waiting = [email for email in pull.reviewers if not any(same(email, one) for one in verdicts(state, pull))]
    shown["waiting_for"] = waiting
    return shown
