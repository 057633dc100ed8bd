"""EXPLORE: what is mounted, in words and JSON, and calls that leave no trace."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from services_app.builders.model.workspace import WorkError
from services_app.engine.catalogue import Catalogue, ToolInfo
from services_app.engine.protocol import Environment
from tasks_app.engine.profile import ServiceProfile, ToolProfile

ROWS_CHARACTERS = 9_000
OBSERVATION_CHARACTERS = 6_000


def overview(world: Environment, needed: Iterable[str]) -> str:
    """Every mounted service with its tables and tools."""
    wanted = set(needed)
    lines = [f"Now it is {world.now}."]
    for slug, info in world.catalogue.services.items():
        role = "needed" if slug in wanted else "distractor: mounted, never needed"
        tables = ", ".join(f"{table} ({len(world.rows(slug, table))})" for table in info.tables)
        lines += [
            f"\n{slug} ({role}): {info.title}. {info.description}",
            f"  tables: {tables}",
            f"  tools: {', '.join(world.catalogue.tools[slug])}",
        ]
    return "\n".join(lines)


def service_text(world: Environment, slug: str, profiles: Mapping[str, ServiceProfile]) -> str:
    """The tools of a service with their measured effects, and the fields of its tables."""
    check_service(world.catalogue, slug)
    profile = profiles.get(slug)
    lines = [f"{slug}: tools"]
    for name, tool in world.catalogue.tools[slug].items():
        measured = profile.tools.get(name) if profile else None
        lines.append(f"- {name}({', '.join(_parameters(tool))}): {tool.summary} {_effect(measured)}")
    lines.append("Tables:")
    for table, info in world.catalogue.services[slug].tables.items():
        lines.append(f"- {table}: {', '.join(info.schema.get('properties', {}))}")
    return "\n".join(lines)


def tool_text(world: Environment, slug: str, name: str, profiles: Mapping[str, ServiceProfile]) -> str:
    """One tool: description, schema, and what was measured of it."""
    tool = check_tool(world.catalogue, slug, name)
    profile = profiles.get(slug)
    measured = profile.tools.get(name) if profile else None
    effect = measured.model_dump(mode="json", exclude_defaults=True, exclude={"tool", "calls"}) if measured else {}
    return "\n".join(
        [
            f"{slug}.{name}: {tool.description}",
            f"input_schema: {compact(tool.input_schema)}",
            f"effect profile (paths begin at the data of an observation): {compact(effect)}",
        ]
    )


def table_text(world: Environment, slug: str, table: str, first: int) -> str:
    """The record type of a table and its rows from number `first` (from 0) on, as far as they fit."""
    check_service(world.catalogue, slug)
    tables = world.catalogue.services[slug].tables
    if table not in tables:
        raise WorkError(f"{slug} has no table {table!r}{_near(table, tables)}. It has: {', '.join(tables)}.")
    rows = world.rows(slug, table)
    shown: list[str] = []
    room = ROWS_CHARACTERS
    for row in rows[max(0, first) :]:
        line = compact(row)
        if shown and len(line) > room:
            break
        room -= len(line)
        shown.append(line)
    schema = {key: value for key, value in tables[table].schema.items() if key in ("properties", "required", "$defs")}
    head = f"{slug}.{table}: rows {first} to {first + len(shown) - 1} of {len(rows)}; record type {compact(schema)}"
    return "\n".join([head, *shown])


def call_text(world: Environment, slug: str, name: str, arguments: Mapping[str, Any]) -> str:
    """What a call would answer and change; nothing of it stays."""
    check_tool(world.catalogue, slug, name)
    twin = world.fork()
    try:
        envelope = twin.call(slug, name, dict(arguments))
        changes = [change.to_json() for change in twin.changes]
    finally:
        twin.close()
    return f"{observation_text(envelope)}\n{changes_text(changes)}"


def observation_text(envelope: Mapping[str, Any]) -> str:
    """An observation as JSON, cut where it grows too long."""
    text = compact(envelope)
    if len(text) <= OBSERVATION_CHARACTERS:
        return text
    return f"{text[:OBSERVATION_CHARACTERS]} [... {len(text) - OBSERVATION_CHARACTERS:,} characters left out ...]"


def changes_text(changes: Iterable[Mapping[str, Any]]) -> str:
    """Which records a call created, changed and deleted."""
    words = []
    for change in changes:
        verb = "creates" if change["before"] is None else "deletes" if change["after"] is None else "changes"
        words.append(f"{verb} {change['table']} {change['id']}")
    return ", ".join(words) or "changes nothing"


def check_service(catalogue: Catalogue, slug: str) -> None:
    """Raise WorkError when no such service is mounted."""
    if slug not in catalogue.services:
        mounted = ", ".join(catalogue.services)
        raise WorkError(f"{slug!r} is not mounted{_near(slug, catalogue.services)}. Mounted are: {mounted}.")


def check_tool(catalogue: Catalogue, slug: str, name: str) -> ToolInfo:
    """The tool, if a task may use it. Raises WorkError."""
    check_service(catalogue, slug)
    tools = catalogue.tools[slug]
    if name not in tools:
        raise WorkError(f"{slug} has no tool {name!r}{_near(name, tools)}. It has: {', '.join(tools)}.")
    if (slug, name) in catalogue.simulated:
        raise WorkError(f"{slug}.{name} is answered by a world model; a task is proven with the other tools only.")
    return tools[name]


def compact(value: Any) -> str:
    """JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _parameters(tool: ToolInfo) -> list[str]:
    required = set(tool.input_schema.get("required", ()))
    return [name if name in required else f"{name}?" for name in tool.input_schema.get("properties", {})]


def _effect(measured: ToolProfile | None) -> str:
    if measured is None or not measured.works:
        return "[no working call was found]"
    parts = {"creates": measured.creates, "changes": measured.changes, "deletes": measured.deletes}
    said = [f"{verb} {', '.join(names)}" for verb, names in parts.items() if names]
    return f"[{'; '.join(said) or 'reads'}]"


def _near(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" (did you mean {found[0]}?)" if found else ""
