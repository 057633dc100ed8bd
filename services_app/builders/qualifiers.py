"""Words before a noun that say which of its records are meant: `list_archived_notes`, `get_latest_release`."""

from __future__ import annotations

from services_app.builders.entities import Reader, add_field
from services_app.builders.homes import QUALIFIERS
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.builders.state_source import statuses_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_STATES = ("status", "state")
_SEEDED = frozenset(("active", "pending", "completed", "failed"))  # states that seeds give where nothing lists any
_OPPOSITE = {"unread": "read", "unarchived": "archived"}


def plan_qualified(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    """Let only those rows through that the word before the noun in the name of a tool speaks of."""
    if planned.kind not in ("list", "count", "find") or planned.derived:
        return
    for word in words_of(tool.name):
        if word in QUALIFIERS and word not in own.noun.split("_") and not _asked(reader, tool, word):
            field, value = _meant(reader, own, word)
            planned.read.fixed = {**planned.read.fixed, field: value}
            return


def _asked(reader: Reader, tool: ToolSpec, word: str) -> bool:
    """Whether a parameter of the tool says it as well."""
    return any(word in key_of(name) for name in reader.properties(tool))


def _meant(reader: Reader, own: Entity, word: str) -> tuple[str, str | bool]:
    """The field that tells such records apart, with its value in them; a flag of that name where there is none."""
    plain = _OPPOSITE.get(word, word)
    for name, known in own.fields.items():
        if known.type == "bool" and key_of(name).removeprefix("is_") == plain:
            return name, plain == word
    for name, known in own.fields.items():
        if known.type == "str" and (name == own.status or key_of(name) in _STATES):
            listed = statuses_of(own) if name == own.status else known.choices
            value = next((one for one in listed if isinstance(one, str) and key_of(one) == word), "")
            if value or (not listed and word in _SEEDED):
                return name, value or word
    name = plain if plain not in own.fields else f"is_{plain}"
    add_field(reader, own, name, {"type": "boolean"})
    return name, plain == word
