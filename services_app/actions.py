"""Write use cases of the services: import, build, verify. Decisions about tools are in `decisions`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from services_app.models import Specification
from services_app.pipelines import imports
from services_app.specs.files import load_text
from webapp.common import activity
from webapp.common.models import Run, User
from webapp.common.runs import start_run


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
