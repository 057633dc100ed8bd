"""Going through many files, specifications or tasks: claims, lanes, and what became of each.

A batch is one run with an item for each piece of work. The run and its lanes (runs of their own, on other workers)
take items until none is left. An item belongs to whoever still holds its lane with the same fence, so what a killed
worker had begun is taken again, and a worker that comes back from the dead can settle nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import Count, F, QuerySet

from services_app.batch_models import SETTLED, BatchItem
from services_app.models import Specification
from services_app.specs.errors import SpecError
from webapp.common import clean
from webapp.common.models import Run
from webapp.common.run_models import CLAIMED
from webapp.common.runs import Cancelled, LostLease, RunContext, RunFailed

State = BatchItem.State
KINDS = ("build-all", "import-files", "import-registry", "generate")
MOST_ATTEMPTS = 3
"""Workers that may be lost over one item before it is given up."""
LOOK_SECONDS = 1.0
WRITTEN_TOGETHER = 100
_LOST = "The worker was lost {n} times over this; it may need more memory than there is."


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of an item."""

    state: str
    message: str = ""
    failure_kind: str = ""
    specification: Specification | None = None
    result: Mapping[str, Any] = field(default_factory=dict)


class Outage(RunFailed):
    """What stops an item would stop every other: the batch ends, and the item waits for it to be taken up again."""


Work = Callable[[BatchItem], Settled]


def claim(batch: UUID, lane: Run) -> BatchItem | None:
    """Take the next item for this lane; None when nothing waits."""
    with transaction.atomic():
        waiting = BatchItem.objects.filter(run=batch, state=State.WAITING).order_by("position")
        item = waiting.select_for_update(of=("self",), skip_locked=True).first()
        if item is None:
            return None
        item.state, item.lane, item.fence = State.WORKING, lane, lane.fence
        item.attempts += 1
        item.save(update_fields=["state", "lane", "fence", "attempts", "updated_at"])
    return item


def release_lost(batch: UUID) -> None:
    """Give back what lost workers had taken; an item that keeps losing its worker is given up."""
    working = BatchItem.objects.filter(run=batch, state=State.WORKING)
    lost = list(working.exclude(lane__state__in=CLAIMED, lane__fence=F("fence")).values_list("pk", flat=True))
    # The state is asked for again: its worker may have settled one in this very moment.
    taken = BatchItem.objects.filter(pk__in=lost, state=State.WORKING)
    taken.filter(attempts__gte=MOST_ATTEMPTS).update(
        state=State.FAILED, failure_kind="worker:lost", message=_LOST.format(n=MOST_ATTEMPTS)
    )
    taken.update(state=State.WAITING, lane=None)


def settle(item: BatchItem, lane: Run, outcome: Settled, seconds: float) -> None:
    """Record what became of an item. Raises LostLease when it was taken over meanwhile."""
    mine = BatchItem.objects.filter(pk=item.pk, state=State.WORKING, lane=lane, fence=lane.fence)
    written = mine.update(
        state=outcome.state,
        message=clean.text(outcome.message, 4_000),
        failure_kind=clean.text(outcome.failure_kind, 80),
        specification=outcome.specification or item.specification,
        result=clean.json_value(outcome.result),
        seconds=round(seconds, 3),
        content=b"",
    )
    if not written:
        raise LostLease(str(lane.pk))


def work_through(context: RunContext, batch: UUID, work: Work, after: Callable[[BatchItem], bool]) -> None:
    """Take items and settle them until none waits, or until `after` an item says to stop."""
    release_lost(batch)
    while (item := claim(batch, context.run)) is not None:
        started = time.monotonic()
        outcome = _guarded(context, item, work)
        context.checkpoint()
        settle(item, context.run, outcome, time.monotonic() - started)
        if not after(item):
            return


def _guarded(context: RunContext, item: BatchItem, work: Work) -> Settled:
    """One item must not end the batch: whatever is wrong with it becomes its own sentence."""
    try:
        return work(item)
    except (LostLease, Cancelled, DatabaseError):  # these are about the run, not about the item
        raise
    except Outage:
        mine = BatchItem.objects.filter(pk=item.pk, state=State.WORKING, lane=context.run, fence=context.run.fence)
        mine.update(state=State.WAITING, lane=None, attempts=F("attempts") - 1)
        raise
    except SpecError as error:
        return Settled(State.FAILED, f"{error.message} {error.hint}".strip(), error.kind)
    except RunFailed as error:
        return Settled(State.FAILED, error.message, error.kind)
    except Exception as error:  # noqa: BLE001 - a defect that one item brings out; the log keeps it
        context.log(f"{item.name}: {type(error).__name__}: {error}", level="error")
        return Settled(State.FAILED, str(error) or "No message was given.", f"internal:{type(error).__name__}")


def show_progress(context: RunContext, batch: UUID, phase: str, unit: str) -> None:
    """How many items of the batch are settled; for the run that owns it."""
    found = counts(batch)
    total = sum(found.values())
    context.progress(done=sum(found.get(state, 0) for state in SETTLED), total=total, unit=unit, phase=phase)


def counts(batch: UUID) -> dict[str, int]:
    """Items by state."""
    rows = BatchItem.objects.filter(run=batch).order_by().values_list("state").annotate(n=Count("pk"))
    return {str(state): n for state, n in rows}


def items_of(batch: UUID, state: str = "") -> QuerySet[BatchItem]:
    """The items of a batch in their order, for lists; of one state if wanted."""
    items = BatchItem.objects.filter(run=batch, **({"state": state} if state else {}))
    return items.select_related("specification").defer("content", "specification__content", "specification__lint")


def counted(batch: UUID) -> list[tuple[str, str, int]]:
    """Items by state for pages: (state, its name, how many), in the order in which they come about."""
    found = counts(batch)
    return [(state, str(State(state).label), found[state]) for state in State.values if state in found]


def report_context(run: Run, _request: object) -> dict[str, Any]:
    """What services/job_batch.html shows of a batch on the page of its job."""
    return {"states": counted(run.pk)}


def row_of(item: BatchItem) -> dict[str, Any]:
    """An item as JSON, the same in the API, in the report and on the command line."""
    return {
        "name": item.name,
        "state": item.state,
        "specification": item.specification.public_id if item.specification else None,
        "slug": item.specification.slug if item.specification else None,
        "failure": {"kind": item.failure_kind, "message": item.message} if item.failure_kind else None,
        "message": item.message,
        "result": item.result,
        "seconds": item.seconds,
    }


def report_text(run: Run) -> Iterator[str]:
    """The whole report as JSON text, in pieces: batches may have thousands of items."""
    head = {"job": run.public_id, "kind": run.kind, "state": run.state, "counts": counts(run.pk)}
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "items": ['
    for number, item in enumerate(items_of(run.pk).order_by("position").iterator(chunk_size=200)):
        yield (",\n" if number else "\n") + json.dumps(row_of(item), ensure_ascii=False)
    yield "\n]}\n"


def add_items(run: Run, items: Iterable[BatchItem], first: int = 0) -> None:
    """Write the items of a batch in their order, from position `first` on."""
    rows: list[BatchItem] = []
    for position, item in enumerate(items, first):
        item.run, item.position, item.name = run, position, clean.line(item.name, 255)
        rows.append(item)
        if len(rows) == WRITTEN_TOGETHER:  # files may be large: never hold all of them
            BatchItem.objects.bulk_create(rows)
            rows = []
    BatchItem.objects.bulk_create(rows)
