"""Settings that stand for themselves: read, changed, and set back to what they were at first."""

from __future__ import annotations

from typing import Any

from services_app.engine.state import About, Table
from services_app.recipes.records import Json, SpecRecord, key


class KeptSetting(SpecRecord):
    """The value of one setting of one thing, where it is not the default."""

    about = About("setting", "settings", prefix="SET-")

    owner: str
    name: str
    value: Json = None


def setting_of(table: Table[KeptSetting], owner: Any, name: str, default: Any) -> Any:
    """The value of a setting; the default where none was given."""
    kept = table.first(owner=key(owner), name=name)
    return default if kept is None else kept.plain()["value"]


def keep_setting(table: Table[KeptSetting], owner: Any, name: str, value: Any) -> None:
    """Give a setting a value."""
    reset_setting(table, owner, name)
    table.create(owner=key(owner), name=name, value=value)


def reset_setting(table: Table[KeptSetting], owner: Any, name: str) -> None:
    """Set a setting back to its default."""
    for kept in table.find(owner=key(owner), name=name):
        table.delete(kept.id)
