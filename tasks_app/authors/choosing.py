"""Which parameters of a write a story gives: what it requires, what its phrase speaks of, and some of the others."""

from __future__ import annotations

import re

from tasks_app.authors.access import Payload, payloads_of
from tasks_app.authors.plan import Plan
from tasks_app.authors.sense import tells
from tasks_app.authors.story import Goal, Place
from tasks_app.engine.profile import ToolProfile

IDENTITIES = frozenset({"email", "person"})
OPTIONAL_SHARE = 0.25
_OWN_NAMES = frozenset({"name", "full_name", "display_name"})


def chosen_payloads(plan: Plan, tool: ToolProfile, parameter: str, goal: Goal) -> list[Payload]:
    """The parameters that the write is given, in its order; `parameter` takes the value that comes in.

    What the tool's phrase speaks of is among them where it can be given: a phrase with a hole is not understood.
    """
    payloads = payloads_of(plan.reaches[goal.service], tool)
    if goal.act is not None:  # just what its words speak of
        return [payload for payload in payloads if payload.name in (*goal.act.slots, *goal.act.says)]
    phrase = plan.environment.catalogue.services[goal.service].tools[tool.tool].phrase
    spoken = set(re.findall(r"\{(\w+)\}", phrase))
    required = [p for p in payloads if p.detail.required or p.name == parameter]
    optional = [p for p in payloads if p not in required and _can_be_given(plan, tool, goal, p)]
    if any(p.name == parameter and p.kind in IDENTITIES for p in required):
        optional = [p for p in optional if p.kind not in IDENTITIES]  # the name of one, the address of another
    chosen = required + [p for p in optional if p.name in spoken]
    chosen += [p for p in optional if p not in chosen and plan.rng.random() < OPTIONAL_SHARE][:2]
    if not chosen and not tool.constants and not tool.creates:
        texts = [p for p in payloads if p.kind == "text" and _is_open(plan, goal, p)]
        texts = [p for p in texts if tells(p.column) == 1] or texts
        chosen = [plan.rng.choice(optional or texts)] if optional or texts else []
    return [payload for payload in payloads if payload in chosen]


def _can_be_given(plan: Plan, tool: ToolProfile, goal: Goal, payload: Payload) -> bool:
    if payload.column.kind in ("ref", "id") or payload.kind in ("flag", "text", "object"):
        return False
    if payload.kind == "label" and not payload.choices:
        return False
    if payload.kind == "person" and payload.name in _OWN_NAMES and not tool.creates:  # nobody is called otherwise
        return False
    return _is_open(plan, goal, payload)


def _is_open(plan: Plan, goal: Goal, payload: Payload) -> bool:
    """Whether no other goal of the story has settled what the parameter replaces."""
    return all(
        plan.draft.writable(goal.service, place.table, place.id, payload.column.field)
        for place in goal.slots.values()
        if isinstance(place, Place) and place.table == payload.column.table and not payload.member
    )
