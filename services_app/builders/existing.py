"""Creations by their verb that work on a record which is there: `send_draft(draft_id)`, `submit_assignment`."""

from __future__ import annotations

from services_app.builders.entities import Reader, names_own
from services_app.builders.plan import Entity
from services_app.builders.writes import ANSWERS, upserts
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_STEPS = frozenset("send schedule publish post launch issue dispatch".split())
_CHANGES = frozenset(("save", "set", "put", "store"))


def done_to_one(reader: Reader, tool: ToolSpec, own: Entity) -> str:
    """What such a tool does to the record that its required id names: a "step", a "change", or "other".

    "" for a tool that makes a record, as where nothing else does: then the caller chooses the id of the new one.
    """
    reading = reader.readings[tool.name]
    makes = upserts(reader, tool) or set(words_of(tool.name)) & {*ANSWERS, "create", "new", "generate", "duplicate"}
    names = reading.action == "create" and not makes and _names_own(reader, tool, own)
    if not names or not _made_elsewhere(reader, tool, own):
        return ""
    return "step" if reading.verb in _STEPS else "change" if reading.verb in _CHANGES else "other"


def _names_own(reader: Reader, tool: ToolSpec, own: Entity) -> bool:
    return any(names_own(reader, tool, name, own) for name in reader.required(tool))


def _made_elsewhere(reader: Reader, tool: ToolSpec, own: Entity) -> bool:
    """Whether another tool makes such records and gives them their ids."""
    return any(
        (reader.readings[other.name].action == "create" or reader.readings[other.name].verb in _CHANGES)
        and other is not tool
        and reader.entity_of(other) is own
        and not _names_own(reader, other, own)
        for other in reader.spec.tools
    )
