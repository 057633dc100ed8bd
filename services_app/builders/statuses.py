"""What a status verb does: the state it leads to, in the spelling of the specification, and from where it may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_AFTER = {
    "cancel": "cancelled", "publish": "published", "unpublish": "draft", "complete": "completed", "finish": "completed",
    "close": "closed", "reopen": "open", "open": "open", "approve": "approved", "reject": "rejected",
    "decline": "declined", "accept": "accepted", "activate": "active", "enable": "active", "resume": "active",
    "reactivate": "active", "deactivate": "inactive", "disable": "inactive", "suspend": "suspended",
    "unsuspend": "active", "pause": "paused", "start": "running", "launch": "running", "stop": "stopped",
    "end": "stopped", "archive": "archived", "unarchive": "active", "restore": "active", "untrash": "active",
    "acknowledge": "acknowledged", "resolve": "resolved", "void": "voided", "finalize": "open", "revoke": "revoked",
    "expire": "expired", "snooze": "snoozed", "dismiss": "dismissed", "mark": "marked", "ship": "shipped",
    "deliver": "delivered", "pay": "paid", "refund": "refunded", "confirm": "confirmed", "hold": "on_hold",
    "release": "open", "submit": "submitted", "send": "sent", "tentatively_accept": "tentative", "unpause": "active",
    "abort": "aborted", "terminate": "terminated", "withdraw": "withdrawn", "silence": "silenced",
    "unresolve": "acknowledged", "unschedule": "draft", "deny": "denied", "authorize": "authorized",
    "deauthorize": "unauthorized", "kill": "killed", "skip": "skipped", "unskip": "scheduled",
}  # fmt: skip
_ENDED = (
    "completed", "complete", "done", "cancelled", "canceled", "filled", "delivered", "expired", "voided", "void",
    "refunded", "rejected", "fulfilled", "succeeded", "failed", "merged",
)  # fmt: skip
_ONLY = {
    "finalize": ("draft",),
    "reopen": ("closed", "resolved", "completed", "done", "cancelled", "canceled", "solved"),
    "resume": ("paused", "suspended", "inactive", "stopped", "on_hold", "snoozed"),
    "unsuspend": ("suspended",),
    "reactivate": ("inactive", "suspended", "cancelled", "canceled", "deactivated", "archived", "paused", "disabled"),
    "unarchive": ("archived",),
    "unpublish": ("published", "active", "live", "public"),
    "unpause": ("paused", "suspended", "inactive"),
    "unresolve": ("resolved", "closed", "completed"),
    "unschedule": ("scheduled",),
    "unskip": ("skipped",),
    "refund": ("paid", "completed", "succeeded", "captured"),
}
_NEVER = {
    "cancel": _ENDED,
    "pause": (*_ENDED, "draft"),
    "suspend": _ENDED,
    "start": ("completed", "cancelled", "canceled", "done"),
    "launch": ("completed", "cancelled", "canceled", "done"),
    "stop": _ENDED,
    "end": _ENDED,
    "abort": _ENDED,
    "terminate": _ENDED,
    "withdraw": _ENDED,
    "deny": ("approved", "accepted", "cancelled", "canceled", "expired"),
    "approve": ("rejected", "declined", "cancelled", "canceled", "expired"),
    "reject": ("approved", "accepted", "cancelled", "canceled", "expired"),
    "decline": ("approved", "accepted", "cancelled", "canceled", "expired"),
    "accept": ("rejected", "declined", "cancelled", "canceled", "expired"),
    "acknowledge": ("resolved", "closed"),
    "snooze": ("resolved", "closed"),
    "complete": ("cancelled", "canceled"),
    "finish": ("cancelled", "canceled"),
    "void": ("paid", "draft", "refunded"),
    "pay": ("void", "voided", "draft", "cancelled", "canceled", "refunded"),
    "ship": ("cancelled", "canceled", "delivered"),
    "deliver": ("cancelled", "canceled"),
}
_FIRST = {
    "finalize": "draft", "publish": "draft", "approve": "pending", "reject": "pending", "accept": "pending",
    "decline": "pending", "submit": "draft", "start": "pending", "launch": "draft", "acknowledge": "triggered",
    "deactivate": "active", "suspend": "active", "pause": "active", "ship": "pending", "pay": "open",
    "confirm": "pending", "revoke": "active", "expire": "active", "send": "draft",
}  # fmt: skip
# Verbs that set a flag beside the status: what is locked or pinned is open or closed all the same.
FLAGS = {
    "lock": ("locked", True), "unlock": ("locked", False), "hide": ("hidden", True), "unhide": ("hidden", False),
    "mute": ("muted", True), "unmute": ("muted", False), "pin": ("pinned", True), "unpin": ("pinned", False),
    "block": ("blocked", True), "unblock": ("blocked", False), "star": ("starred", True), "unstar": ("starred", False),
    "watch": ("watched", True), "unwatch": ("watched", False), "follow": ("followed", True),
    "unfollow": ("followed", False), "like": ("liked", True), "unlike": ("liked", False),
    "favorite": ("favorite", True), "unfavorite": ("favorite", False), "favourite": ("favourite", True),
    "unfavourite": ("favourite", False), "subscribe": ("subscribed", True), "unsubscribe": ("subscribed", False),
    "vote": ("voted", True), "unvote": ("voted", False), "join": ("joined", True), "leave": ("joined", False),
    "bookmark": ("bookmarked", True), "unbookmark": ("bookmarked", False),
    "cordon": ("unschedulable", True), "uncordon": ("unschedulable", False), "freeze": ("frozen", True),
    "unfreeze": ("frozen", False),
}  # fmt: skip


_STATES = frozenset(
    "done completed incomplete open spam paid resolved sent void ready uncollectible synced reviewed delivered".split()
)


@dataclass(frozen=True)
class Step:
    """Where a status verb leads, and from where: `only` the states that allow it, `never` those that do not."""

    value: str
    first: str
    """State of a new record, "" where the verb says nothing about it."""
    only: tuple[str, ...]
    never: tuple[str, ...]


def step_of(verb: str, choices: Sequence[Any]) -> Step:
    """The step of a verb, spelled as the choices of the status field are; usual words where it has none."""
    value = status_after(verb, choices)
    only = _spelled(_ONLY.get(verb, ()), choices)
    never = tuple(state for state in _spelled(_NEVER.get(verb, ()), choices) if _stem(state) != _stem(value))
    first = _FIRST.get(verb, "")
    if choices and first:
        first = next((str(choice) for choice in choices if _stem(str(choice)) == _stem(first)), "")
    return Step(value, first, only, never)


def _spelled(states: Sequence[str], choices: Sequence[Any]) -> tuple[str, ...]:
    if not choices:
        return tuple(states)
    stems = {_stem(state) for state in states}
    return tuple(choice for choice in choices if isinstance(choice, str) and _stem(choice) in stems)


def status_after(verb: str, choices: Sequence[Any]) -> str:
    """The status for a verb: the choice spelled most like it, else the usual word."""
    usual = _AFTER.get(verb, verb if verb in _STATES else f"{verb}d" if verb.endswith("e") else f"{verb}ed")
    for choice in choices:
        if isinstance(choice, str) and _stem(choice) == _stem(usual):
            return choice
    stem = verb[:5].lower()
    return next((choice for choice in choices if isinstance(choice, str) and choice.lower().startswith(stem)), usual)


def _stem(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_").replace("ll", "l").removesuffix("ed")
