"""Importing: storing a specification with its lint report, many files as one batch, the list of a registry."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction

from services_app.batch_models import BatchItem
from services_app.models import Specification
from services_app.pipelines import batch
from services_app.sealed import SealError, unseal
from services_app.specs import registry
from services_app.specs.diff import SpecDiff, diff
from services_app.specs.errors import SpecError
from services_app.specs.files import load_text
from services_app.specs.lint_score import lint_report
from services_app.specs.live import import_http, import_stdio
from services_app.specs.model import Specification as SpecificationValue
from webapp.common import clean, run_store
from webapp.common.models import User
from webapp.common.runs import RunContext, RunFailed

State = BatchItem.State


class Stored(NamedTuple):
    """A stored specification; `created` is False for content that was known already."""

    specification: Specification
    created: bool

    @property
    def state(self) -> str:
        if not self.created:
            return State.KNOWN
        return State.UPDATED if self.specification.replaces_id else State.IMPORTED


def store_specification(value: SpecificationValue, by: User | None) -> Stored:
    """The row of a specification; the same content is stored once, other content replaces what the slug had before."""
    fields = {
        "title": clean.line(value.title, 200),
        "source_kind": value.source.kind,
        "source_locator": clean.line(value.source.locator, 500),
        "content": clean.text(value.model_dump_json()),
        "tool_count": len(value.tools),
        "refused_count": len(value.refused),
        "lint": clean.json_value(lint_report(value).to_json()),
        "imported_by": by,
    }
    with transaction.atomic():
        before = Specification.objects.filter(slug=value.slug).only("pk").order_by("-id").first()
        row, created = Specification.objects.get_or_create(
            slug=value.slug, content_hash=value.content_hash, defaults={**fields, "replaces": before}
        )
    return Stored(row, created)


def changes_of(specification: Specification) -> SpecDiff | None:
    """What is different from the content that it replaced; None where it replaced nothing."""
    before = specification.replaces
    return diff(before.value(), specification.value()) if before is not None else None


def changes_in_words(changes: SpecDiff) -> str:
    """One sentence, such as `2 tools added, 1 removed, 3 changed.`"""
    counted = ((changes.added, "added"), (changes.removed, "removed"), (changes.changed, "changed"))
    parts = [f"{len(tools)} {word}" for tools, word in counted if tools]
    words = f"Tools: {', '.join(parts)}." if parts else "No tool is different; its notes or texts are."
    return words + (" Hardly a tool is the same: is this another server of the same name?" if changes.unrelated else "")


def live_specification(payload: dict[str, Any]) -> SpecificationValue:
    """Ask the live server of a job's payload for its tools. Raises RunFailed in words."""
    try:
        sealed = unseal(payload["sealed"])
        if payload["kind"] == "stdio":
            return import_stdio(str(sealed["stdio"]))
        return import_http(str(sealed["http"]), headers=sealed["headers"] or None)
    except SealError as error:
        raise RunFailed("import:sealed", f"{error} Start the import again.") from error
    except SpecError as error:
        raise RunFailed(error.kind, f"{error.message} {error.hint}".strip()) from error


def import_files(context: RunContext) -> dict[str, Any]:
    """Import the files of a batch one after the other; a broken one does not stop the others."""
    run = context.run
    if not BatchItem.objects.filter(run=run).exists():
        raise RunFailed("import:gone", "The files of the first try are not kept. Import them again.")

    def after(_item: BatchItem) -> bool:
        batch.show_progress(context, run.pk, "importing", "files")
        return True

    batch.work_through(context, run.pk, partial(_import_item, run.created_by), after)
    batch.show_progress(context, run.pk, "importing", "files")
    results = BatchItem.objects.filter(run=run).values_list("result", flat=True)
    return {**batch.counts(run.pk), "tools": sum(result.get("tools", 0) for result in results)}


def _import_item(by: User | None, item: BatchItem) -> batch.Settled:
    value = load_text(bytes(item.content), item.name)
    stored = store_specification(value, by)
    changes = changes_of(stored.specification) if stored.state == State.UPDATED else None
    result: dict[str, Any] = {
        "tools": len(value.tools),
        "score": stored.specification.lint.get("score"),
        "refused": {refusal.name or str(refusal.position): refusal.message for refusal in value.refused},
    }
    if changes is not None:
        result["changes"] = {
            "added": len(changes.added), "removed": len(changes.removed), "changed": len(changes.changed),
        }  # fmt: skip
    message = changes_in_words(changes) if changes is not None else ""
    return batch.Settled(stored.state, message, specification=stored.specification, result=result)


def import_registry(context: RunContext, sleep: Callable[[float], None] | None = None) -> dict[str, Any]:
    """Keep the entries of a registry as items, page by page; a job that was ended goes on after the last whole page."""
    run = context.run
    position = BatchItem.objects.filter(run=run).count()
    try:
        pages = registry.read_registry(
            str(context.payload["url"]), sleep=sleep or partial(_wait, context), cursor=run.result.get("cursor", "")
        )
        if run.result.get("whole"):
            pages = iter(())
        for page in pages:
            context.checkpoint()
            with transaction.atomic():
                items = [_entry_item(entry) for entry in page.entries]
                batch.add_items(run, items, first=position)
                run_store.write(run, result={"cursor": page.cursor, "whole": not page.cursor})
            position += len(items)
            context.progress(done=position, unit="servers", phase="reading the registry")
    except SpecError as error:
        raise RunFailed(error.kind, f"{error.message} {error.hint}".strip()) from error
    return batch.counts(run.pk)


def _entry_item(entry: registry.Entry) -> BatchItem:
    usable = registry.live_remotes(entry.remotes)
    item = BatchItem(name=entry.name, state=State.FAILED if entry.problem else State.LISTED)
    item.message = clean.text(entry.problem or entry.description, 1_000)
    item.result = clean.json_value({**entry.to_json(), "url": usable[0].url if usable else None})
    return item


def _wait(context: RunContext, seconds: float) -> None:
    """Wait in small steps, so that a cancel is heard meanwhile."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 1.0))
        context.checkpoint()
