"""Write use cases of the services: import, build, verify, decide, undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from services_app import dependants
from services_app.models import Specification, Tool, ToolDecision
from services_app.pipelines import imports
from services_app.specs.files import load_text
from webapp.common import activity
from webapp.common.models import Run, User
from webapp.common.runs import StateConflict, start_run

DECIDED = {ToolDecision.Kind.APPROVE: Tool.Status.VERIFIED, ToolDecision.Kind.QUARANTINE: Tool.Status.QUARANTINED}


class DecisionError(ValueError):
    """A decision that cannot be taken as asked; the message says what is missing."""


class DecisionConflict(StateConflict):
    """The tool is no longer as the person who decided saw it (409)."""

    def __init__(self, message: str, state: str) -> None:
        super().__init__("decide", state)
        self.args = (message,)


def import_text(*, text: str | bytes, name: str, by: User | None) -> tuple[Specification, bool]:
    """Import a specification from the text of a file. Raises SpecError in words."""
    value = load_text(text, name)
    with transaction.atomic():
        specification, created = imports.store_specification(value, by)
        if created:
            activity.record(actor=by, verb="specification.imported", target=specification, after={"source": name})
    return specification, created


def start_import(*, by: User | None, stdio: str = "", http: str = "", headers: Mapping[str, str] | None = None) -> Run:
    """Start an import from a live server."""
    where = stdio or http
    payload = {"stdio": stdio} if stdio else {"http": http, "headers": dict(headers or {})}
    return start_run(kind="import", title=f"Import from {where[:120]}", payload=payload, by=by)


def start_build(*, specification: Specification, by: User | None) -> Run:
    """Start building and verifying a service from a specification."""
    return start_run(
        kind="build",
        title=f"Build {specification.title}",
        payload={"specification": str(specification.pk), "slug": specification.slug},
        by=by,
    )


def start_verification(*, slugs: Iterable[str] = (), by: User | None) -> Run:
    """Start the gate over shipped services (all when none is named)."""
    wanted = list(slugs)
    title = f"Verify {', '.join(wanted)}" if wanted else "Verify the shipped services"
    return start_run(kind="verify", title=title, payload={"slugs": wanted}, by=by)


def decide(
    *,
    tool: Tool,
    kind: str,
    by: User,
    reason_code: str = "",
    reason: str = "",
    expected_version: int | None = None,
) -> ToolDecision:
    """Approve or quarantine a tool. What stands on a quarantined tool becomes stale.

    Raises DecisionError when the reason is missing, DecisionConflict when somebody else decided meanwhile.
    """
    after = DECIDED[ToolDecision.Kind(kind)]
    if kind == ToolDecision.Kind.QUARANTINE and not reason_code:
        raise DecisionError("Say why the tool is quarantined.")
    needs_text = reason_code == ToolDecision.Reason.OTHER or kind == ToolDecision.Kind.APPROVE
    if needs_text and not reason.strip():
        raise DecisionError("Give the reason in words.")
    with transaction.atomic():
        locked = Tool.objects.select_for_update().get(pk=tool.pk)
        _check_version(locked, expected_version)
        if locked.status == after:
            raise DecisionConflict(f"{locked.exposed} is {locked.get_status_display().lower()} already.", locked.status)
        before = locked.status
        stale: list[str] = []
        if after == Tool.Status.QUARANTINED:
            stale = dependants.mark_stale([locked.pk], f"{locked.exposed} was quarantined")
        _set_status(locked, after, reason or str(ToolDecision.Reason(reason_code).label))
        decision = ToolDecision.objects.create(
            tool=locked, kind=kind, reason_code=reason_code, reason=reason, before=before, after=after,
            stale_tasks=stale, by=by,
        )  # fmt: skip
        _log(locked, by, f"tool.{after}", before, after, reason)
    return decision


def undo(*, decision: ToolDecision, by: User) -> ToolDecision:
    """Take a tool's latest decision back, with exactly what it made stale. Raises DecisionConflict otherwise."""
    with transaction.atomic():
        locked = Tool.objects.select_for_update().get(pk=decision.tool_id)
        latest = locked.decisions.order_by("-id").first()
        if latest is None or latest.pk != decision.pk or decision.kind == ToolDecision.Kind.UNDO:
            raise DecisionConflict("Only the latest decision about a tool can be taken back.", locked.status)
        if locked.status != decision.after:
            raise DecisionConflict(
                f"{locked.exposed} has changed since: it is {locked.get_status_display().lower()} now.", locked.status
            )
        dependants.restore(decision.stale_tasks)
        _set_status(locked, decision.before, "")
        undone = ToolDecision.objects.create(
            tool=locked, kind=ToolDecision.Kind.UNDO, before=decision.after, after=decision.before, by=by,
            undoes=decision,
        )  # fmt: skip
        _log(locked, by, "tool.decision_undone", decision.after, decision.before, "")
    return undone


def _check_version(tool: Tool, expected: int | None) -> None:
    if expected is not None and tool.version != expected:
        raise DecisionConflict(
            f"{tool.exposed} was changed meanwhile: version {tool.version}, not {expected}.", tool.status
        )


def _set_status(tool: Tool, status: str, reason: str) -> None:
    tool.status, tool.reason = status, reason
    tool.version += 1
    tool.save(update_fields=["status", "reason", "version", "updated_at"])


def _log(tool: Tool, by: User, verb: str, before: str, after: str, reason: str) -> None:
    activity.record(actor=by, verb=verb, target=tool, before={"status": before}, after={"status": after}, reason=reason)
