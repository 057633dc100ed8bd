"""Which shipped services still have to be verified before tasks can be made on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from services_app.library import registry
from services_app.models import Service
from webapp.common.child_runs import Job

AT_ONCE: Final = 2  # verification jobs side by side, one for each core of a small machine


def verify_missing(wanted: Sequence[str], title: str = "Verify {} shipped services") -> list[Job]:
    """Jobs for those that were never verified, or not in the version that is shipped now."""
    known = dict(Service.objects.filter(origin=Service.Origin.LIBRARY).values_list("slug", "current__version_hash"))
    missing = [slug for slug in wanted if known.get(slug) != registry.load(slug).version_hash]
    shares = [missing[start::AT_ONCE] for start in range(AT_ONCE)]
    return [Job("verify", title.format(len(slugs)), {"slugs": slugs}) for slugs in shares if slugs]
