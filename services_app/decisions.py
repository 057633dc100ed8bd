"""What curators decide about tools: one at a time, or everything that matches a filter, each with its undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from services_app import dependants
from services_app.dependants import Impact
from services_app.filters import ToolFilter
from services_app.models import BulkDecision, Tool, ToolDecision
from services_app.simulating import simulation_problem
from webapp.common import activity
from webapp.common.models import User
from webapp.common.runs import StateConflict

Kind = ToolDecision.Kind
DECIDED = {
    Kind.APPROVE: Tool.Status.VERIFIED,
    Kind.QUARANTINE: Tool.Status.QUARANTINED,
    Kind.SIMULATE: Tool.Status.SIMULATED,
}
MOST = 20_000  # tools that one decision may touch
SAMPLE = 10


class DecisionError(ValueError):
    """A decision that cannot be taken as asked; the message says what is missing."""


class DecisionConflict(StateConflict):
    """The tool is no longer as the person who decided saw it (409)."""

    def __init__(self, message: str, state: str) -> None:
        super().__init__("decide", state)
        self.args = (message,)


def check_reason(kind: str, reason_code: str, reason: str, status: str = "") -> None:
    """Raise DecisionError unless the decision can be taken and says why: agreeing with a good verdict needs no why."""
    if kind == Kind.SIMULATE and simulation_problem():
        raise DecisionError(simulation_problem())
    if kind == Kind.APPROVE and status == Tool.Status.VERIFIED:
        return
    if kind in (Kind.QUARANTINE, Kind.APPROVE) and not reason_code and not reason.strip():
        words = "is quarantined" if kind == Kind.QUARANTINE else "can be trusted against the gate"
        raise DecisionError(f"Say why the tool {words}.")
    if (reason_code == ToolDecision.Reason.OTHER or kind == Kind.CHANGES) and not reason.strip():
        raise DecisionError("Give the reason in words.")


def decide(
    *,
    tool: Tool,
    kind: str,
    by: User,
    reason_code: str = "",
    reason: str = "",
    expected_version: int | None = None,
) -> ToolDecision:
    """Approve, quarantine or simulate a tool, or ask for changes. What stands on a quarantined tool becomes stale.

    Deciding what the gate said confirms it: the tool leaves the queue. Raises DecisionError when the reason is
    missing, DecisionConflict when somebody else decided meanwhile.
    """
    with transaction.atomic():
        locked = Tool.objects.select_for_update().get(pk=tool.pk)
        _check_version(locked, expected_version)
        check_reason(kind, reason_code, reason, locked.status)
        before = locked.status
        after = DECIDED.get(Kind(kind), before)
        if after == before and _decided_already(locked, kind, tool.service.current_id):
            raise DecisionConflict(f"{locked.exposed} is {locked.get_status_display().lower()} already.", before)
        stale: list[str] = []
        if after == Tool.Status.QUARANTINED != before:
            stale = dependants.mark_stale([locked.pk], f"{locked.exposed} was quarantined")
        text = reason or (str(ToolDecision.Reason(reason_code).label) if reason_code else locked.reason)
        _set_status(locked, after, text if after != before else locked.reason)
        decision = ToolDecision.objects.create(
            tool=locked, kind=kind, reason_code=reason_code, reason=reason, before=before, after=after,
            stale_tasks=stale, seen=tool.service.current, by=by,
        )  # fmt: skip
        _log(locked, by, "tool.changes_asked" if kind == Kind.CHANGES else f"tool.{after}", before, after, reason)
    return decision


def undo(*, decision: ToolDecision, by: User) -> ToolDecision:
    """Take a tool's latest decision back, with exactly what it made stale. Raises DecisionConflict otherwise."""
    with transaction.atomic():
        locked = Tool.objects.select_for_update().get(pk=decision.tool_id)
        latest = locked.decisions.order_by("-id").first()
        if latest is None or latest.pk != decision.pk or decision.kind == Kind.UNDO:
            raise DecisionConflict("Only the latest decision about a tool can be taken back.", locked.status)
        if locked.status != decision.after:
            raise DecisionConflict(
                f"{locked.exposed} has changed since: it is {locked.get_status_display().lower()} now.", locked.status
            )
        _set_status(locked, decision.before, "")
        dependants.restore(decision.stale_tasks)
        undone = ToolDecision.objects.create(
            tool=locked, kind=Kind.UNDO, before=decision.after, after=decision.before, by=by, undoes=decision,
        )  # fmt: skip
        _log(locked, by, "tool.decision_undone", decision.after, decision.before, "")
    return undone


def _decided_already(tool: Tool, kind: str, current: UUID | None) -> bool:
    """Whether a curator took the same decision about this version already."""
    latest = tool.decisions.order_by("-id").values_list("kind", "seen").first()
    return latest == (kind, current) and kind != Kind.CHANGES


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


# Everything that matches a filter


@dataclass(frozen=True, slots=True)
class Selection:
    """Tools chosen by id, or all that match a query of the tool list, less some."""

    ids: tuple[UUID, ...] = ()
    query: Mapping[str, str] | None = None
    exclude: tuple[UUID, ...] = ()

    def tools(self) -> QuerySet[Tool]:
        """Raises DecisionError for a query that the list would refuse."""
        known = Tool.objects.exclude(status=Tool.Status.RETIRED)
        if self.query is None:
            return known.filter(pk__in=self.ids)
        filters = ToolFilter(dict(self.query), queryset=known)
        if not filters.is_valid():
            raise DecisionError(f"The filter cannot be read: {filters.errors.as_text()}")
        found: QuerySet[Tool] = filters.qs.exclude(pk__in=self.exclude)
        return found

    def to_json(self) -> dict[str, Any]:
        asked = {"ids": [str(pk) for pk in self.ids]} if self.query is None else {"query": dict(self.query)}
        return {**asked, "exclude": [str(pk) for pk in self.exclude]}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a decision over a selection would do."""

    matched: int
    changing: int
    """Tools that do not have the status yet."""
    sample: tuple[Tool, ...]
    impact: tuple[Impact, ...]


def preview(selection: Selection, kind: str) -> Preview:
    """Count, a sample and the consequences, without changing anything. Raises DecisionError."""
    tools = selection.tools()
    changing = tools.exclude(status=_after(kind))
    count = changing.count()
    if count > MOST:
        raise DecisionError(f"{count} tools match; one decision touches at most {MOST}. Narrow the filter.")
    sample = changing.select_related("service").defer("evidence", "schema_text", "description").order_by("exposed")
    touched = dependants.impact(changing.values_list("pk", flat=True)) if kind == Kind.QUARANTINE else []
    return Preview(tools.count(), count, tuple(sample[:SAMPLE]), tuple(touched))


def _after(kind: str) -> str:
    after = DECIDED.get(Kind(kind)) if kind in Kind.values else None
    if after is None:
        raise DecisionError("Only approve, quarantine and simulate can be decided for many tools at once.")
    return str(after)


def decide_many(
    *, selection: Selection, kind: str, by: User, reason_code: str = "", reason: str = "", expected: int | None = None
) -> BulkDecision:
    """Decide about everything selected, as one decision with one undo.

    `expected` is the count that was shown: another one now is a conflict, so that nobody decides about what they
    did not see. Raises DecisionError and DecisionConflict.
    """
    after = _after(kind)
    check_reason(kind, reason_code, reason)
    with transaction.atomic():
        chosen = selection.tools().exclude(status=after).order_by("pk").select_for_update(of=("self",))
        rows = list(chosen.values_list("pk", "status", "service__current")[: MOST + 1])
        if expected is not None and len(rows) != expected:
            raise DecisionConflict(f"{len(rows)} tools match now, not {expected}. Look at them again.", "changed")
        if not rows:
            raise DecisionError("Nothing to decide: no tool is selected that is not so already.")
        if len(rows) > MOST:
            raise DecisionError(f"One decision touches at most {MOST} tools. Narrow the filter.")
        ids = [pk for pk, _, _ in rows]
        words = f"{len(ids)} tools were quarantined at once"
        bulk = BulkDecision.objects.create(
            kind=kind, reason_code=reason_code, reason=reason, filter=selection.to_json(), count=len(ids), by=by,
            stale=dependants.mark_stale(ids, words) if after == Tool.Status.QUARANTINED else [],
        )  # fmt: skip
        ToolDecision.objects.bulk_create(
            ToolDecision(
                tool_id=pk, kind=kind, reason_code=reason_code, reason=reason, before=before, after=after, by=by,
                seen_id=seen, bulk=bulk,
            )
            for pk, before, seen in rows
        )  # fmt: skip
        text = reason or str(ToolDecision.Reason(reason_code).label)
        Tool.objects.filter(pk__in=ids).update(
            status=after, reason=text, version=F("version") + 1, updated_at=timezone.now()
        )
        activity.record(
            actor=by, verb=f"tools.{after}", target=bulk, after={"status": after, "count": len(ids)}, reason=reason
        )
    return bulk


def undo_many(*, bulk: BulkDecision, by: User) -> tuple[int, int]:
    """Take a decision over many tools back: (restored, left because somebody decided about them since)."""
    with transaction.atomic():
        locked = BulkDecision.objects.select_for_update().get(pk=bulk.pk)
        if locked.undone_at is not None:
            raise DecisionConflict("This decision was taken back already.", "undone")
        latest = ToolDecision.objects.filter(tool=OuterRef("tool")).order_by("-id").values("pk")[:1]
        mine = locked.decisions.select_for_update(of=("self",)).filter(pk=Subquery(latest)).order_by("pk")
        rows = list(mine.filter(tool__status=F("after")).values_list("pk", "tool", "before", "after"))
        for before in {before for _, _, before, _ in rows}:
            ids = [tool for _, tool, status, _ in rows if status == before]
            Tool.objects.filter(pk__in=ids).update(
                status=before, reason="", version=F("version") + 1, updated_at=timezone.now()
            )
        ToolDecision.objects.bulk_create(
            ToolDecision(tool_id=tool, kind=Kind.UNDO, before=after, after=before, by=by, undoes_id=pk)
            for pk, tool, before, after in rows
        )
        dependants.restore(locked.stale)
        locked.undone_at = timezone.now()
        locked.save(update_fields=["undone_at"])
        activity.record(actor=by, verb="tools.decision_undone", target=locked, after={"count": len(rows)})
    return len(rows), locked.count - len(rows)


def waiting(tools: QuerySet[Tool]) -> QuerySet[Tool]:
    """Quarantined tools whose current version nobody has decided about."""
    latest = ToolDecision.objects.filter(tool=OuterRef("pk"), seen=OuterRef("service__current")).order_by("-id")
    undone = ToolDecision.objects.filter(tool=OuterRef("pk")).order_by("-id").values("kind")[:1]
    found = tools.filter(status=Tool.Status.QUARANTINED)
    found = found.annotate(decided=Subquery(latest.values("pk")[:1]), last_kind=Subquery(undone))
    return found.filter(Q(decided=None) | Q(last_kind=Kind.UNDO))


def latest_of(tool: Tool, decisions: Iterable[ToolDecision]) -> ToolDecision | None:
    """The decision that can be taken back: the latest, when it is no undo itself and the tool is still so."""
    latest = next(iter(decisions), None)
    return latest if latest and latest.kind != Kind.UNDO and latest.after == tool.status else None
