"""The status that a verb leads to, in the spelling that the specification uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_AFTER = {
    "cancel": "cancelled", "publish": "published", "unpublish": "draft", "complete": "completed", "finish": "completed",
    "close": "closed", "reopen": "open", "approve": "approved", "reject": "rejected", "decline": "declined",
    "accept": "accepted", "activate": "active", "enable": "active", "resume": "active", "reactivate": "active",
    "deactivate": "inactive", "disable": "inactive", "suspend": "suspended", "pause": "paused", "start": "running",
    "stop": "stopped", "end": "stopped", "lock": "locked", "unlock": "unlocked", "archive": "archived",
    "unarchive": "active", "restore": "active", "acknowledge": "acknowledged", "resolve": "resolved", "void": "voided",
    "finalize": "open", "revoke": "revoked", "expire": "expired", "snooze": "snoozed", "dismiss": "dismissed",
    "mark": "marked", "ship": "shipped", "deliver": "delivered", "pay": "paid", "refund": "refunded",
    "confirm": "confirmed",
}  # fmt: skip


def status_after(verb: str, choices: Sequence[Any]) -> str:
    """The status for a verb: the choice spelled most like it, else the usual word."""
    usual = _AFTER.get(verb, f"{verb}ed")
    for choice in choices:
        if isinstance(choice, str) and _stem(choice) == _stem(usual):
            return choice
    stem = verb[:5].lower()
    return next((choice for choice in choices if isinstance(choice, str) and choice.lower().startswith(stem)), usual)


def _stem(word: str) -> str:
    return word.lower().replace("-", "_").replace("ll", "l").removesuffix("ed")
