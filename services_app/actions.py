"""Write use cases of the services: import, build, verify. Decisions about tools are in `decisions`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction

from services_app.batch_models import BatchItem
from services_app.models import Specification
from services_app.pipelines import batch, build_all, imports
from services_app.pipelines.model_building import ModelBuild
from services_app.sealed import seal
from services_app.specs.files import load_text
from services_app.specs.live import split_command
from services_app.specs.registry import servers_url
from services_app.specs.secrets import shown_command, shown_url
from webapp.common import activity
from webapp.common.models import Run, User
from webapp.common.run_models import LIVE, RunState
from webapp.common.runs import start_run

MOST_LANES = 16


def import_text(*, text: str | bytes, name: str, by: User | None) -> tuple[Specification, bool]:
    """Import a specification from the text of a file. Raises SpecError in words."""
    value = load_text(text, name)
    with transaction.atomic():
        specification, created = imports.store_specification(value, by)
        if created:
            activity.record(actor=by, verb="specification.imported", target=specification, after={"source": name})
    return specification, created


def start_import(*, by: User | None, stdio: str = "", http: str = "", headers: Mapping[str, str] | None = None) -> Run:
    """Start an import from a live server. Keys in the command, the address and the headers are kept sealed.

    Raises SpecError for a command that cannot be split into words.
    """
    shown = shown_command(split_command(stdio)) if stdio else shown_url(http)
    payload = {
        "kind": "stdio" if stdio else "http",
        "from": shown,
        "headers": sorted(headers or {}),
        "sealed": seal({"stdio": stdio, "http": http, "headers": dict(headers or {})}),
    }
    return start_run(kind="import", title=f"Import from {shown[:120]}", payload=payload, by=by)


def start_import_files(*, files: Iterable[tuple[str, bytes]], by: User | None) -> Run:
    """Start importing many files (name, content) as one batch."""
    with transaction.atomic():
        run = start_run(kind="import-files", title="Import files", payload={}, by=by)
        batch.add_items(run, (BatchItem(name=name, content=content) for name, content in files))
    return run


def start_registry_import(*, url: str, by: User | None) -> Run:
    """Start reading the list of a registry of MCP servers. Raises SpecError for what is no address."""
    servers_url(url)
    return start_run(
        kind="import-registry", title=f"Read the registry {shown_url(url)[:120]}", payload={"url": url.strip()}, by=by
    )


def start_build(*, specification: Specification, by: User | None, by_model: ModelBuild | None = None) -> Run:
    """Start building and verifying a service from a specification: by rules alone, or with a model after them."""
    payload: dict[str, Any] = {"specification": str(specification.pk), "slug": specification.slug}
    title = f"Build {specification.title}"
    if by_model is not None:
        payload["by_model"] = by_model.model_dump(mode="json")
        title += f" with {by_model.model}"
    return start_run(kind="build", title=title, payload=payload, by=by)


def start_build_all(*, by: User | None, lanes: int | None = None) -> Run:
    """Start building every current specification on up to `lanes` workers (default: a worker for each core here).

    One that is at work, or waits for a worker after it lost its own, is given back instead of a second one.
    """
    going = Run.objects.filter(kind=build_all.KIND, state__in=LIVE).exclude(state=RunState.CANCELLING).first()
    if going is not None:
        return going
    payload = {"lanes": lanes or min(os.cpu_count() or 2, MOST_LANES)}
    return start_run(kind=build_all.KIND, title="Build all specifications", payload=payload, by=by)


def start_verification(*, slugs: Iterable[str] = (), by: User | None) -> Run:
    """Start the gate over shipped services (all when none is named)."""
    wanted = list(slugs)
    title = f"Verify {', '.join(wanted)}" if wanted else "Verify the shipped services"
    return start_run(kind="verify", title=title, payload={"slugs": wanted}, by=by)
