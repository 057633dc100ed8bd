"""`start_scan(target)`, "Start a new scan": something that is not there yet is begun, so a record is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from services_app.builders.plan import Plan
from services_app.builders.roles import key_of
from services_app.builders.statuses import step_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import Reading, id_target

VERBS = frozenset("start open launch begin".split())
# Work that runs by itself once it is set going: the rule of jobs keeps its phases.
_JOBS = frozenset("job run build deployment export import migration".split())
_NEW = re.compile(
    r"^\W*(?:starts?|opens?|launch(?:es)?|begins?|creates?|initiates?)\b "
    r"(?:(?:up )?an? (?!draft |paused |stopped )|new )|"
    r"\bby creating an? ",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^\W*(?:re-?)?opens?\b(?!.{0,80}\b(?:details|returns?)\b)", re.IGNORECASE)


def begun(tool: ToolSpec, reading: Reading, required: Iterable[str], readings: Mapping[str, Reading]) -> Reading:
    """The reading of a tool that begins something new or opens what another tool closes; else the one given."""
    if reading.action == "status" and reading.verb in VERBS and _NEW.search(tool.description[:200]):
        there = _names_it(reading.noun, required) or reading.noun.rsplit("_", 1)[-1] in _JOBS
        return reading if there else _as(reading, "create")
    closes = Reading("close", "status", reading.noun, reading.plural)
    if list(required) and reading.verb == "open" and reading.action == "get" and closes in readings.values():
        return _as(reading, "status") if _OPENS.match(tool.description) else reading
    return reading


def note_begun(readings: Mapping[str, Reading], plan: Plan) -> None:
    """What was begun is running: the status of a new record, where its kind has one."""
    for planned in plan.every():
        own, reading = plan.entities.get(planned.entity), readings.get(planned.name)
        if planned.kind != "create" or own is None or reading is None or reading.verb not in VERBS:
            continue
        name = own.status or next((name for name in own.fields if key_of(name) in ("status", "state")), "")
        known = own.fields.get(name)
        if known is None or known.type != "str" or known.target or name in planned.fields.values():
            continue
        value = step_of(reading.verb, known.choices).value
        if known.choices and value not in known.choices:
            continue
        if own.status == name:
            own.initial = value
        elif known.usual is None:
            known.usual = value


def _as(reading: Reading, action: str) -> Reading:
    return Reading(reading.verb, "create" if action == "create" else "status", reading.noun, reading.plural)


def _names_it(noun: str, required: Iterable[str]) -> bool:
    """Whether a required parameter names a thing of that noun that is there already."""
    last = noun.rsplit("_", 1)[-1]
    return any({id_target(name, noun), key_of(name)} & {noun, last, "name"} for name in required)
