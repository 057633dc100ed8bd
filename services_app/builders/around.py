"""What parameters say about the call itself: headers, waiting times, versions, and what has no effect here at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services_app.builders.entities import Reader, Schema
from services_app.builders.manners import PLACE, is_about_call
from services_app.builders.plan import ToolPlan
from services_app.builders.prose import accepted_values, media_types
from services_app.builders.roles import is_credential, is_media, is_version, is_wait, key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of

_IDLE = "transport: no call of a simulated service is repeated, cached or logged"
_ALONE = "transport: nobody outside of a simulated service is told of a change"


def plan_around(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Give each parameter about the call its check, or say why no value of it has an effect."""
    headers, waits, versions = [], [], []
    for name, schema in reader.properties(tool).items():
        role, key, kinds = reader.role(tool, name), key_of(name), types_of(schema)
        if role not in ("header", "transport") or name in (planned.brief, planned.headers_shown):
            continue
        accepted = accepted_values(schema, media=is_media(name)) if "string" in kinds else ()
        if accepted and is_media(name) and not _says_media(schema):
            accepted = tuple(dict.fromkeys([*accepted, *_media_of_others(reader, key)]))
        if key == "exclude_response" and "boolean" in kinds:
            planned.brief = name
        elif key == "include_headers" and "boolean" in kinds:
            planned.headers_shown = name
        elif accepted and "const" not in schema and not schema.get("enum"):
            headers.append(name)
            planned.accepted[name] = accepted
        elif is_wait(name) and kinds & {"integer", "number", "string"} and not schema.get("enum"):
            waits.append(name)
        elif is_version(name) and "string" in kinds and not schema.get("enum"):
            versions.append(name)
        elif is_credential(name):
            planned.inert.setdefault(name, "credential: every caller of a simulated service is known")
        elif is_about_call(name, schema) and "boolean" not in kinds:
            planned.inert.setdefault(name, PLACE)
        elif "const" in schema or len(schema.get("enum") or ()) == 1:
            planned.inert.setdefault(name, "transport: the schema takes one value and refuses all others")
        else:
            planned.inert.setdefault(name, _ALONE if {"notify", "send"} & set(key.split("_")) else _IDLE)
    planned.headers, planned.waits, planned.versions = tuple(headers), tuple(waits), tuple(versions)


def _says_media(schema: Schema) -> bool:
    return "const" in schema or bool(schema.get("enum") or media_types(schema))


def _media_of_others(reader: Reader, key: str) -> list[str]:
    """Media types that other tools name for the same header: "the JSON format of version 2" is spelled out there."""
    return [
        media
        for other in reader.spec.tools
        for name, schema in other.properties.items()
        if isinstance(schema, Mapping) and key_of(name) == key
        for media in media_types(schema)
    ]


def around_lines(tool: ToolPlan) -> Iterator[str]:
    """Lines that check what is said about the call, before anything is done."""
    for name in tool.headers:
        yield f"checked_header(args, {name!r}, {tool.accepted.get(name, ('application/json',))!r})"
    if tool.waits:
        yield f"checked_waits(args, {tool.waits!r})"
    for name in tool.versions:
        yield f"checked_version(args, {name!r})"
