"""Storing what was imported."""

from __future__ import annotations

from services_app.models import Specification
from services_app.specs.model import Specification as SpecificationValue
from webapp.common import clean
from webapp.common.models import User


def store_specification(value: SpecificationValue, by: User | None) -> tuple[Specification, bool]:
    """The row of a specification and whether it is new; the same content is stored once."""
    fields = {
        "title": clean.line(value.title, 200),
        "source_kind": value.source.kind,
        "source_locator": clean.line(value.source.locator, 500),
        "content": clean.text(value.model_dump_json()),
        "tool_count": len(value.tools),
        "refused_count": len(value.refused),
        "imported_by": by,
    }
    return Specification.objects.get_or_create(slug=value.slug, content_hash=value.content_hash, defaults=fields)
