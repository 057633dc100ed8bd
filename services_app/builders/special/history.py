"""Rules for tools that read what happened, audit records and log entries: they read the service's own journal."""

from __future__ import annotations

import re

from services_app.builders.body_parts import returned
from services_app.builders.entities import Reader, bare_parent
from services_app.builders.journal_lines import JOURNAL
from services_app.builders.plan import ToolPlan
from services_app.builders.roles import is_order, is_text_query, key_of, page_kind, range_kind
from services_app.builders.special.answers import add_fixture, frame, id_parents, idle, meaningful
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, types_of

_MODULE = "services_app.recipes.journal"
_NOUNS = re.compile(
    r"(^|_)(audit(_(log|record|trail|event|entry))?|activity_(log|feed|stream|history)|log_entry|change_?log|"
    r"recent_activity|event_log|access_log|change_history|edit_history)$"
)
_CHANGES = re.compile(r"\b(change|action|update|log|audit)s?\b", re.IGNORECASE)
_ACTORS = frozenset("actor actor_id user user_id username author by performed_by initiator actor_email".split())
_ACTIONS = frozenset(
    "action actions event event_type event_types type activity_type operation method_type events".split()
)
_KINDS = frozenset(
    "entity_type resource_type entity object_type resource target_type root_resource_types element_type".split()
)
_SLOTS = {"actor": _ACTORS, "action": _ACTIONS, "nouns": _KINDS}
_CARRIED = "an event always carries the record that it is about"
_IDLE = {"include": _CARRIED, "expand": _CARRIED, "include_details": _CARRIED, "total": "the total is always shown"}
_OLDEST = re.compile(r"\boldest (?:to newest|first)|\bstarting from the oldest", re.IGNORECASE)
_PAGES = {"limit": "limit", "offset": "offset", "page": "number", "cursor": "cursor"}


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that lists events; None for any other."""
    reading = reader.readings[tool.name]
    plain = reading.noun.endswith("activity") and _CHANGES.search(tool.description) is not None
    if reading.action not in ("get", "list", "search") or not (plain or _NOUNS.search(reading.noun)):
        return None
    writers = any(known.written for known in reader.by_noun.values())
    made = any(r.action == "create" and r.noun == reading.noun for r in reader.readings.values())
    taken = any(known.table == JOURNAL.table for known in reader.plan.entities.values())
    if made or taken or not writers:
        return None
    own = [name for name in reader.required(tool) if id_target(name, "") == reading.noun]
    return _plan_event(reader, tool, own[0]) if own else _plan_history(reader, tool)


def _plan_event(reader: Reader, tool: ToolSpec, key: str) -> ToolPlan | None:
    """One event by its id."""
    if meaningful(reader, tool) != [key]:
        return None
    planned = frame(reader, tool, "One thing that happened, by its id.")
    planned.body = (f"event = pick(state.journal, args[{key!r}])", returned(planned, "shown(event)"))
    planned.imports = {_MODULE: ("shown",)}
    planned.examples = ({key: "EVT-00001"},)
    planned.inert = idle(reader, tool)
    add_fixture(reader, JOURNAL)
    return planned


def _plan_history(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    planned = frame(reader, tool, "What happened, newest first.")
    sent: list[str] = []
    pages = []
    for name in meaningful(reader, tool):
        paging = page_kind(name)
        parent = _parent(reader, tool, name)
        if paging is not None:
            pages.append(f"{_PAGES[paging]}={_limit(reader, tool, name, paging)}")
        elif parent:
            planned.parents |= {name: parent} if name in reader.required(tool) else {}
            sent.append(f"record=args.get({name!r})")
        elif key_of(name) in _IDLE:
            planned.inert[name] = _IDLE[key_of(name)]
        elif slot := _slot(reader, tool, name):
            sent.append(f"nouns=chosen_nouns(args, {name!r})" if slot == "nouns" else f"{slot}=args.get({name!r})")
        else:
            return None  # some parameter has no work: the events are of another kind
    names = [item.split("=")[0] for item in sent]
    if len(names) != len(set(names)):
        return None
    days = _usual_days(tool)
    sent += [f"days={days}"] if days and {"since", "until"} & set(names) else []
    sent += ["oldest_first=True"] if _OLDEST.search(tool.description) and "oldest_first" not in names else []
    lines = [f"events = history(state.journal, {', '.join(['ctx.now', *sent])})"]
    lines.append(f"part = page(events, {', '.join([*pages, 'usual=100'])})")
    lines.append(returned(planned, '{"events": part.rows, "total": len(events), "next": part.following}'))
    planned.body = tuple(lines)
    extra = ("chosen_nouns",) if "nouns" in names else ()
    planned.imports = {_MODULE: (*extra, "history")}
    planned.inert |= idle(reader, tool)
    add_fixture(reader, JOURNAL)
    return planned


def _slot(reader: Reader, tool: ToolSpec, name: str) -> str:
    """The argument of `history` that a parameter is; "" for none."""
    key = key_of(name)
    bounds = range_kind(name, types_of(reader.properties(tool)[name]) | {"string"})
    if bounds is not None and bounds[0] in ("from", "until"):
        return "since" if bounds[0] == "from" else "until"
    if is_text_query(name) or is_order(name):
        return "text" if is_text_query(name) else "oldest_first"
    if key in ("sorting", "order_by", "sort") and "string" in types_of(reader.properties(tool)[name]):
        return "oldest_first"
    if key in ("is_overview", "overview"):
        return "overview"
    return next((slot for slot, names in _SLOTS.items() if key in names), "")


def _parent(reader: Reader, tool: ToolSpec, name: str) -> str:
    """The noun of the record whose history an id asks for; "" when it is no such id."""
    if name == "id":
        noun = bare_parent(reader, tool)
        return noun if noun in reader.by_noun else ""
    if key_of(name) in _ACTORS and name not in reader.required(tool):
        return ""
    return id_parents(reader, tool, [name]).get(name, "") or (id_target(name, "") or "" if name.endswith("s") else "")


def _limit(reader: Reader, tool: ToolSpec, name: str, paging: str) -> str:
    default = reader.properties(tool)[name].get("default")
    known = paging == "limit" and isinstance(default, int) and default > 0
    return f"args.get({name!r}, {default!r})" if known else f"args.get({name!r})"


def _usual_days(tool: ToolSpec) -> int:
    """How far back a tool looks when it is not told, by what its descriptions say; 0 when they say nothing."""
    said = " ".join([tool.description, *(str(schema.get("description", "")) for schema in tool.properties.values())])
    found = re.search(r"defaults? to (?:the )?(?:last |past )?(\d{1,3}) (hour|day|week)s?", said, re.IGNORECASE)
    if not found:
        return 0
    size = {"hour": 1 / 24, "day": 1, "week": 7}[found[2].lower()]
    return max(1, round(int(found[1]) * size))
