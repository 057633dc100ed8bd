"""Rules for tools about the service itself: whether it is up, its version, which tools there are."""

from __future__ import annotations

import re

from services_app.builders.body_parts import returned
from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.roles import key_of
from services_app.builders.special.answers import add_fixture, frame, idle, known_nouns, meaningful
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_MODULE = "services_app.recipes.facts"
_ALIVE = re.compile(
    r"(^|_)(ping|health|healthcheck|healthz|liveness|readiness|heartbeat|connectivity|is_alive|is_connected)(_|$)|"
    r"(^|_)(check|test|verify|validate)_(\w+_)?(connection|health|status|setup|auth|authentication|credentials?)$|"
    r"^(\w+_)?(version|server_info|get_version|server_status|connection_status|verify)$"
)
_HELP = re.compile(r"(^|_)(list|get|show|find)_(available_)?tools$|^(get_|show_|mcp_)?(help|tool_list|usage_guide)$")
_DETAILS = frozenset("deep detailed verbose details full include_details".split())
_TOPICS = frozenset("topic tool tool_name query command category name filter search keyword section".split())
_FIXTURE = Fixture("server_info", "ServerRecord", _MODULE, "seed_server")


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a health, version or help tool; None for any other."""
    reading = reader.readings[tool.name]
    name = "_".join(words_of(tool.name))
    if reading.noun in known_nouns(reader, tool):
        return None
    if _HELP.search(name):
        return _plan_help(reader, tool)
    if not _ALIVE.search(name) or any(given in reader.values(tool) for given in reader.required(tool)):
        return None
    return _plan_health(reader, tool)


def _plan_health(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    details = [name for name in meaningful(reader, tool) if key_of(name) in _DETAILS]
    if set(meaningful(reader, tool)) - set(details[:1]):
        return None
    planned = frame(reader, tool, "Whether the service is up, and what it holds.")
    detailed = f", detailed=bool(args.get({details[0]!r}))" if details else ""
    value = f"health(state, ctx, state.server_info{detailed})"
    planned.body = (returned(planned, value),)
    planned.imports = {_MODULE: ("health",)}
    planned.inert |= idle(reader, tool)
    add_fixture(reader, _FIXTURE)
    return planned


def _plan_help(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    names = meaningful(reader, tool)
    topics = [name for name in names if key_of(name) in _TOPICS and "string" in types_of(reader.properties(tool)[name])]
    if set(names) - set(topics[:1]):
        return None
    planned = frame(reader, tool, "The tools of this service, with what each does.")
    words = f"args.get({topics[0]!r})" if topics else "None"
    planned.body = (returned(planned, f"tool_list(TOOLS, state.server_info, {words})"),)
    planned.imports = {_MODULE: ("tool_list",)}
    planned.inert |= idle(reader, tool)
    add_fixture(reader, _FIXTURE)
    return planned
