"""The one place that maps a state to its word, hue, icon and shape."""

from enum import Enum
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Look(NamedTuple):
    """How a state is shown. `shape` holds CSS classes, so colour is never the only signal."""

    word: str | Promise
    hue: str
    icon: str
    shape: str


LOOKS: dict[str, Look] = {
    # provenance of tools, services, calls
    "verified": Look(_("Verified"), "ok", "shield-check", "solid"),
    "simulated": Look(_("Simulated"), "sim", "waves", "dashed"),
    "quarantined": Look(_("Quarantined"), "quar", "lock", "hatch"),
    "in_validation": Look(_("In validation"), "idle", "flask", "dotted"),
    "needs_review": Look(_("Needs review"), "idle", "eye", "dotted"),
    # work that waits or runs
    "queued": Look(_("Queued"), "idle", "clock", "outline"),
    "draft": Look(_("Draft"), "idle", "pencil", "outline"),
    "starting": Look(_("Starting"), "run", "loader", "progress spin"),
    "running": Look(_("Running"), "run", "loader", "progress spin"),
    "cancelling": Look(_("Cancelling"), "run", "hand", "progress"),
    "exploring": Look(_("Exploring"), "run", "loader", "progress spin"),
    "designing": Look(_("Designing"), "run", "loader", "progress spin"),
    "probing": Look(_("Probing"), "run", "loader", "progress spin"),
    # outcomes
    "succeeded": Look(_("Succeeded"), "ok", "check-circle", "solid"),
    "passed": Look(_("Passed"), "ok", "check-circle", "solid"),
    "ready": Look(_("Ready"), "ok", "check-circle", "solid"),
    "approved": Look(_("Approved"), "ok", "check-circle", "solid"),
    "agreed": Look(_("Agreed"), "ok", "check-circle", "solid"),
    "adjudicated": Look(_("Adjudicated"), "ok", "check-circle", "solid"),
    "partial": Look(_("Partial"), "quar", "circle-half", "half"),
    "failed": Look(_("Failed"), "fail", "x-circle", "solid bold"),
    "rejected": Look(_("Rejected"), "fail", "x-circle", "solid bold"),
    "error": Look(_("Error"), "fail", "plug-off", "outline"),
    "cancelled": Look(_("Cancelled"), "idle", "slash", "struck"),
    "skipped": Look(_("Skipped"), "idle", "slash", "struck"),
    "interrupted": Look(_("Interrupted"), "quar", "pause", "outline"),
    "stale": Look(_("Stale"), "quar", "history", "dotted"),
    "disputed": Look(_("Disputed"), "quar", "compare", "dotted"),
    "changes_requested": Look(_("Changes requested"), "quar", "undo", "outline"),
    # groups of rollouts, and rollouts themselves
    "alive": Look(_("With a gradient"), "ok", "dot", "solid"),
    "all_solved": Look(_("All solved"), "ok", "check-circle", "dotted"),
    "none_solved": Look(_("None solved"), "quar", "x-circle", "outline"),
    "truncated": Look(_("Truncated"), "quar", "slash", "outline"),
    "completed": Look(_("Played to its end"), "idle", "check-circle", "outline"),
    # ends and rests
    "published": Look(_("Published"), "ok", "check-circle", "outline"),
    "frozen": Look(_("Frozen"), "ok", "lock", "outline"),
    "retired": Look(_("Retired"), "idle", "archive", "outline"),
    "archived": Look(_("Archived"), "idle", "archive", "outline"),
    "open": Look(_("Open"), "idle", "dot", "outline"),
    "reserved": Look(_("Reserved"), "idle", "user", "outline"),
    "submitted": Look(_("Submitted"), "idle", "arrow", "outline"),
    "never_run": Look(_("Never run"), "idle", "dot", "outline"),
    "online": Look(_("Online"), "ok", "dot", "outline"),
    "offline": Look(_("Offline"), "idle", "plug-off", "outline"),
    "expired": Look(_("Expired"), "idle", "history", "outline"),
    "revoked": Look(_("Revoked"), "idle", "slash", "struck"),
    "unknown": Look(_("Unknown"), "idle", "help", "outline"),
}

# Other spellings of the same state.
_SAME = {
    "in_progress": "running",
    "pending": "queued",
    "success": "succeeded",
    "done": "succeeded",
    "ok": "passed",
    "pass": "passed",
    "proven": "verified",
    "valid": "passed",
    "fail": "failed",
    "failure": "failed",
    "invalid": "failed",
    "canceled": "cancelled",
    "quarantine": "quarantined",
    "simulate": "simulated",
    "approve": "approved",
    "reject": "rejected",
    "request_changes": "changes_requested",
    "skip": "skipped",
    "new": "draft",
    "validating": "in_validation",
    "in_review": "needs_review",
    "active": "online",
    "": "unknown",
}
_FIELDS = ("status", "state", "provenance")


def state_key(value: object) -> str:
    """The lower-case word of an enum member, of an object's status, state or provenance, or of the text itself."""
    if isinstance(value, Enum):
        value = value.value
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "passed" if value else "failed"
    if not isinstance(value, str):
        for name in _FIELDS:
            found = getattr(value, name, None) if not isinstance(value, dict) else value.get(name)
            if isinstance(found, str):
                return state_key(found)
        return "unknown"
    key = str(value).strip().lower().replace(" ", "_").replace("-", "_")
    return _SAME.get(key, key)


def look(value: object) -> tuple[str, Look]:
    """The key and the look of a state; a word outside the vocabulary is shown plainly, as itself."""
    key = state_key(value)
    if key in LOOKS:
        return key, LOOKS[key]
    return key, Look(key.replace("_", " ").capitalize(), "idle", "dot", "outline")
