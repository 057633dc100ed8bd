"""Adversarial cases that curators keep: made from a call by hand, run by every later verification."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction

from services_app.models import AdversarialCase, Tool
from webapp.common import activity, clean
from webapp.common.models import Run, User
from webapp.common.runs import start_run

MOST = 100  # cases of one service
MAX_BYTES = 64 * 1024
OUTCOMES = ("success", "refused")


class CaseError(ValueError):
    """A case that cannot be kept; the message says why."""


def save(
    *, tool: Tool, arguments: Any, outcome: str, contains: Any = None, note: str = "", by: User
) -> AdversarialCase:
    """Keep "this call must succeed (and its result hold `contains`)" or "this call must be refused".

    Raises CaseError when the case is too large or there are too many.
    """
    if outcome not in OUTCOMES:
        raise CaseError(f"Say what must come of the call: {' or '.join(OUTCOMES)}.")
    expected: dict[str, Any] = {"outcome": outcome}
    if outcome == "refused":
        expected["unchanged"] = True
    elif contains is not None:
        expected["contains"] = contains
    if len(json.dumps([arguments, expected])) > MAX_BYTES:
        raise CaseError(f"A case holds at most {MAX_BYTES // 1024} KB.")
    with transaction.atomic():
        if tool.service.cases.select_for_update().count() >= MOST:
            raise CaseError(f"A service keeps at most {MOST} cases. Remove one first.")
        case = AdversarialCase.objects.create(
            service=tool.service, tool=tool.name, arguments=clean.json_value(arguments),
            expected=clean.json_value(expected), note=clean.text(note, 2_000), by=by,
        )  # fmt: skip
        activity.record(actor=by, verb="case.saved", target=tool, after={"case": case.public_id, "outcome": outcome})
    return case


def remove(*, case: AdversarialCase, by: User) -> None:
    """Later verifications run without it."""
    with transaction.atomic():
        activity.record(actor=by, verb="case.removed", target=case, before={"arguments": case.arguments})
        case.delete()


def start_revalidation(*, slug: str, by: User | None) -> Run:
    """Run the gate on the current version of a service again, with the cases kept since."""
    return start_run(kind="verify", title=f"Verify {slug} again", payload={"slugs": [slug]}, by=by)
