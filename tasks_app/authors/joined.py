"""One request that makes use of several values: a later visit to a service adds to what an earlier one asks for.

The write moves behind the reads that the later visit needs; nothing may depend on what it gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks_app.authors.naming import capital
from tasks_app.authors.phrasebook import Act
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, Goal, Place, Stated
from tasks_app.engine.program import Call, Constant, Expression, Get, Register, Sequenced, Template

_TELLING = re.compile(
    r"\b(?:mentions?|know|know about|tell (?:them|him|her|everybody)|gives?|states?|quotes?|includes?|names?"
    r"|(?:put|write|note)(?: down)?|with) $"
)
MOST_TOLD = 3  # values in one text; with more it is a list of its own


def told_as(value: Carried) -> tuple[Constant, Register, Constant]:
    """The parts of a text that state a value."""
    return (
        Constant(value=f"{capital(value.noun)}: ", origin="constant"),
        Register(name=value.register_name, style=value.kind),
        Constant(value=".", origin="constant"),
    )


def open_goals(plan: Plan, service: str) -> Iterator[Goal]:
    """The requests of a story at a service that may still be added to: nothing rests on what they did."""
    used = {step.call for step in plan.steps if isinstance(step, Get)}
    for goal in plan.goals:
        gone = any(isinstance(slot, Place) and slot.gone for slot in goal.slots.values())
        if goal.service == service and goal.act is not None and goal.call not in used and not gone and not goal.present:
            yield goal


def has_room(goal: Goal, parameter: str) -> bool:
    """Whether a value can still go into a parameter: a text tells it, too, or it replaces what was only stated."""
    assert goal.act is not None
    if parameter == goal.act.tells and parameter in goal.texts:
        return len(goal.also) + 1 < MOST_TOLD and can_tell_more(goal)
    return isinstance(goal.slots.get(parameter), Stated) and parameter in goal.act.slots


def goes_with(act: Act, first: str, second: str) -> bool:
    """Whether an act that takes a value into one parameter has room for a later one in a second."""
    return first == second == act.tells or (first != second and second in act.slots and second != act.tells)


def can_tell_more(goal: Goal) -> bool:
    """Whether the words for a request can speak of several values."""
    assert goal.act is not None
    return any(lists(way[0], goal.act.tells) for way in (goal.act.say, *goal.act.also))


def lists(words: str, parameter: str) -> bool:
    """Whether several things may go into a parameter: "mention {text}", but not "we arrive after {text}"."""
    return bool(_TELLING.search(words.partition(f"{{{parameter}}}")[0])) and f"{{{parameter}}}" in words


def tell_too(plan: Plan, goal: Goal, value: Carried, visit: int) -> None:
    """Let the text of a request tell a value as well."""
    assert goal.act is not None
    name = goal.act.tells
    anew(plan, goal, name, _longer(argument_of(plan, goal, name), value), visit)
    goal.also.append(value)
    value.used = True


def argument_of(plan: Plan, goal: Goal, parameter: str) -> Expression:
    return _call_of(plan, goal).arguments[parameter]


def anew(plan: Plan, goal: Goal, parameter: str, argument: Expression, visit: int) -> None:
    """Make the write of a request now, with another argument."""
    old = _call_of(plan, goal)
    plan.steps.remove(old)
    goal.call = plan.call(goal.service, goal.tool, {**old.arguments, parameter: argument}, visit, write=True)


def _call_of(plan: Plan, goal: Goal) -> Call:
    return next(step for step in plan.steps if isinstance(step, Call) and step.number == goal.call)


def _longer(text: Expression, value: Carried) -> Expression:
    if isinstance(text, Sequenced):
        first = text.items[0]
        assert isinstance(first, Template)
        return Sequenced(items=(_stated(first, value), *text.items[1:]))
    assert isinstance(text, Template)
    return _stated(text, value)


def _stated(text: Template, value: Carried) -> Template:
    return Template(parts=(*text.parts, Constant(value=" ", origin="constant"), *told_as(value)))
