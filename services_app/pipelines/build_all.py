"""Building every current specification: the batch's own run and its lanes share the work among the workers."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from services_app.batch_models import BatchItem
from services_app.models import AdversarialCase, Service, ServiceVersion, Specification, Tool
from services_app.pipelines import batch, building
from services_app.pipelines.lanes import Shared
from services_app.specs.fingerprint import fingerprint
from webapp.common.models import Run, User
from webapp.common.runs import Cancelled, RunContext, RunFailed

KIND, LANE = "build-all", "build-lane"
SHARED = Shared(KIND, LANE, phase="building", unit="services")
FIGURES = (Tool.Status.VERIFIED.value, Tool.Status.SIMULATED.value, Tool.Status.QUARANTINED.value)
State = BatchItem.State


class ItemContext(RunContext):
    """A lane's context for one service: its steps would flood the lane's log, and its verdicts lie with its tools."""

    def __init__(self, lane: RunContext) -> None:
        super().__init__(lane.run, lane.lease)
        self._lane = lane

    def progress(self, *_: Any, **__: Any) -> None:
        return None

    def log(self, *_: Any, **__: Any) -> None:
        return None

    def checkpoint(self) -> None:
        self._lane.checkpoint()


def current_specifications() -> QuerySet[Specification]:
    """The newest content of each slug, without the content itself."""
    return Specification.objects.defer("content").order_by("slug", "-id").distinct("slug")


def build_one(context: RunContext, specification: Specification, by: User | None) -> Service:
    """Build, verify and store one service, with the score of its specification and the code that made it."""
    return mark_made(building.build(context, specification, by), specification)


def mark_made(service: Service, specification: Specification) -> Service:
    """Note on a fresh version which code made it, and on its tools the score of the specification."""
    assert service.current_id is not None
    with transaction.atomic():
        made_with = made_with_of(kept_case_ids(service.slug).get(service.slug, []))
        ServiceVersion.objects.filter(pk=service.current_id).update(made_with=made_with)
        scores = {name: found["score"] for name, found in specification.lint.get("tools", {}).items()}
        tools = list(service.tools.filter(name__in=scores).only("name"))
        for tool in tools:
            tool.lint_score = scores[tool.name]
        Tool.objects.bulk_update(tools, ["lint_score"], batch_size=500)
    return service


def build_all(context: RunContext) -> dict[str, Any]:
    """Carry out the batch: plan it once, take items like any lane, wait for the others, sum up."""
    run = context.run
    _plan(run)
    try:
        SHARED.together(context, partial(_build_item, context))
    except Cancelled as stop:
        raise Cancelled(stop.mode, summary(run.pk)) from None
    return summary(run.pk)


def build_lane(context: RunContext) -> dict[str, Any]:
    """Help a batch: take its items until none waits, it ends, or somebody else's build wants this worker."""
    return {"built": SHARED.help_out(context, partial(_build_item, context))}


def _plan(run: Run) -> None:
    """Write the items once, the largest specification first so that no lane is left with it at the end."""
    if BatchItem.objects.filter(run=run).exists():
        return
    figures = {service.specification_id: figures_of(service) for service in with_figures(_up_to_date())}
    specifications = sorted(current_specifications(), key=lambda one: -one.tool_count)
    batch.add_items(run, (_item(one, figures.get(one.pk)) for one in specifications))


def _up_to_date() -> QuerySet[Service]:
    """Services whose current version this code has built and judged, with the cases that are kept today.

    What a model has improved is not replaced in passing either: that takes a rebuild asked for by name.
    """
    cases = kept_case_ids()
    built = Service.objects.filter(origin=Service.Origin.BUILT, specification__isnull=False, current__isnull=False)
    rows = built.values_list("pk", "slug", "current__made_with", "current__builder")
    today = made_with_of([])
    return Service.objects.filter(
        pk__in=[
            pk
            for pk, slug, made_with, builder in rows
            if made_with == (made_with_of(cases[slug]) if slug in cases else today) or builder.startswith("model:")
        ]
    )


def kept_case_ids(*slugs: str) -> dict[str, list[str]]:
    """Ids of the adversarial cases that curators keep, by service; of these services only, if any are named."""
    rows = AdversarialCase.objects.filter(**({"service__slug__in": slugs} if slugs else {})).order_by("pk")
    found: dict[str, list[str]] = {}
    for slug, pk in rows.values_list("service__slug", "pk"):
        found.setdefault(slug, []).append(str(pk))
    return found


def made_with_of(cases: list[str]) -> str:
    """What decides a build beside its content: the code, and the cases that the gate has to run."""
    text = " ".join((fingerprint(), *cases))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _item(specification: Specification, figures: dict[str, int] | None) -> BatchItem:
    """The item of a specification; there is nothing to do where this code has built this content already."""
    item = BatchItem(name=specification.slug, specification=specification)
    item.result = {"tools": specification.tool_count}
    if figures is not None:
        item.state, item.result = State.KNOWN, {**item.result, **figures}
    return item


def _build_item(context: RunContext, item: BatchItem) -> batch.Settled:
    if item.specification is None:
        raise RunFailed("build:gone", "The specification was taken away meanwhile.")
    service = build_one(ItemContext(context), item.specification, context.run.created_by)
    figures = figures_of(with_figures(Service.objects.filter(pk=service.pk)).get())
    return batch.Settled(State.BUILT, result={**item.result, **figures})


def with_figures(services: QuerySet[Service]) -> QuerySet[Service]:
    """Services with their tools by status, those that the builder left out among the quarantined ones."""
    return services.annotate(**{name: Count("tools", filter=Q(tools__status=name)) for name in FIGURES})


def figures_of(service: Service) -> dict[str, int]:
    return {name: getattr(service, name) for name in FIGURES}


def summary(batch_id: UUID) -> dict[str, Any]:
    """Items by state, and the tools of all services together."""
    results = BatchItem.objects.filter(run=batch_id).values_list("result", flat=True)
    totals = {name: sum(row.get(name, 0) for row in results) for name in ("tools", *FIGURES)}
    return {**batch.counts(batch_id), **totals}
