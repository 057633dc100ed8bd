"""From the plan to the instruction: opening, goals with their definitions, rules, closing."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

from tasks_app.authors.frames import CLOSINGS
from tasks_app.authors.naming import capital
from tasks_app.authors.phrasing import Phraser
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, Goal, Place, Rejection, Stated
from tasks_app.authors.telling import Teller

_FIRST = ("Please {p}.", "{P}, please.", "Could you {p}?", "I would like you to {p}.", "We need to {p}.")
_FIRST_LONG = ("Please {p}.", "I would like you to {p}.", "We need to {p}.")
_NEXT = ("Then {p}.", "Also, please {p}.", "After that, {p}.", "Next, {p}.", "{P}.", "And please {p}.")
_LAST = ("Finally, {p}.", "Last, {p}.", "And then {p}.")
_QUESTIONS = (
    "When you are done, tell me {x}.",
    "Let me know {x} in your reply.",
    "In your answer, please give me {x}.",
)
_BEFORE_A_LIST = (
    "First, where to find what you need.",
    "Some background first.",
    "What you need to know for this:",
    "Here is where things stand.",
    "",
)
_OVER_A_LIST = ("Please do these things:", "What I need from you:", "To do:", "Could you please:", "Please:")
STYLES = ("explain", "explain", "lead", "list")


@dataclass(frozen=True, slots=True)
class Telling:
    """The instruction and its meaning as data."""

    text: str
    style: str
    meaning: dict[str, Any]


def realise(plan: Plan, rng: random.Random, answer: Carried | None) -> Telling:
    """Write the instruction. Raises Rejection when something mentioned would stay undefined."""
    style = rng.choice(STYLES)
    teller = Teller(plan, rng)
    phraser = Phraser(plan, teller, rng)
    goals = sorted(plan.goals, key=lambda goal: goal.call)
    paragraphs = _listed(goals, phraser, teller, rng) if style == "list" else _told(goals, phraser, teller, rng, style)
    question = ""
    if answer is not None:
        lead = teller.introduce(teller.needs(answer))
        question = rng.choice(_QUESTIONS).format(x=teller.value(answer))
        question = " ".join([*lead, question, *teller.settle()])
    loose = [name for name in teller.mentioned if name not in teller.defined]
    if loose:
        raise Rejection("something mentioned is not defined")
    body = (
        "\n\n".join(part for part in [*paragraphs, question] if part)
        if style == "list"
        else " ".join(part for part in [*paragraphs, question] if part)
    )
    text = _framed(plan, rng, body, style)
    return Telling(text, style, _meaning(plan, teller, style, answer))


def _needed(goal: Goal, teller: Teller) -> list[Carried]:
    slots: list[Place | Carried | Stated] = [*goal.slots.values(), *goal.texts.values()]
    return [carried for slot in slots for carried in teller.needs(slot)]


def _told(goals: list[Goal], phraser: Phraser, teller: Teller, rng: random.Random, style: str) -> list[str]:
    """Goals as sentences, each with the definitions that it rests on before it or after it."""
    sentences: list[str] = []
    for index, goal in enumerate(goals):
        needed = _needed(goal, teller)
        if style == "explain":  # what is easy to explain afterwards waits; what that rests on does not
            needed = [c for c in needed if c.source is None or c.source.depth > 1 or c.how not in ("text", "note")]
        sentences += teller.introduce(needed)
        phrase = phraser.phrase(goal)
        pool = _FIRST if index == 0 else _LAST if index == len(goals) - 1 and len(goals) > 2 else _NEXT
        if index == 0 and len(phrase.split()) > 14:
            pool = _FIRST_LONG
        form = "{P}." if phrase.startswith("for ") else rng.choice(pool)
        sentence = form.format(p=phrase, P=capital(phrase))
        aside = teller.aside() if style == "explain" and sentence.endswith(".") else ""
        sentences.append(f"{sentence[:-1]}; {aside}." if aside else sentence)
        sentences += teller.settle()
    return sentences


def _listed(goals: list[Goal], phraser: Phraser, teller: Teller, rng: random.Random) -> list[str]:
    """What is to be known first, then the goals as a list."""
    background = teller.introduce([carried for goal in goals for carried in _needed(goal, teller)])
    items = [f"- {capital(phraser.phrase(goal))}." for goal in goals]
    loose = teller.settle()
    if background:
        background.insert(0, rng.choice(_BEFORE_A_LIST))
    lead = rng.choice(_OVER_A_LIST)
    return [" ".join(background).strip(), "\n".join([lead, *items]), " ".join(loose)]


def _framed(plan: Plan, rng: random.Random, body: str, style: str) -> str:
    opening = _opening(plan, rng, body)
    closing = rng.choice((*plan.frame.endings, *CLOSINGS))
    glue = "\n\n" if style == "list" else " "
    text = glue.join(part for part in (opening, body, closing) if part)
    text = re.sub(r"\bthe (that|the) ", r"\1 ", text)
    text = re.sub(r"\b([Aa]) (?=[aeio](?!ne\b))", r"\1n ", text)
    text = re.sub(r" +([.,;?])", r"\1", text)
    return re.sub(r"([.?!])\.", r"\1", text).strip()


def _opening(plan: Plan, rng: random.Random, body: str) -> str:
    """An opening of the frame of which the body has whom and what it speaks of; one of a frame speaks of neither."""
    who = next((plan.cast[kind] for kind in ("organisation", "person") if plan.cast[kind] in body), "")
    topic = plan.cast["title"] if plan.cast["title"] in body else ""
    fitting = [
        opening
        for opening in plan.frame.openings
        if (who or "{who}" not in opening) and (topic or "{topic}" not in opening)
    ]
    return capital(rng.choice(fitting).format(who=who, topic=topic))


def _meaning(plan: Plan, teller: Teller, style: str, answer: Carried | None) -> dict[str, Any]:
    return {
        "frame": plan.frame.name,
        "style": style,
        "cast": plan.cast,
        "goals": [_goal_data(plan, goal) for goal in sorted(plan.goals, key=lambda goal: goal.call)],
        "values": {carried.register_name: _value_data(plan, carried) for carried in plan.carried},
        "places": [_place_data(place) for place in plan.places],
        "answer": answer.register_name if answer else "",
        "mentioned": list(teller.mentioned),
        "defined": list(teller.defined),
    }


def _goal_data(plan: Plan, goal: Goal) -> dict[str, Any]:
    slots: dict[str, Any] = {}
    for name, slot in goal.slots.items():
        if isinstance(slot, Place):
            slots[name] = {"place": plan.places.index(slot)}
        elif isinstance(slot, Carried):
            slots[name] = {"value": slot.register_name}
        else:
            slots[name] = {"stated": slot.value}
    texts = {name: {"states": carried.register_name} for name, carried in goal.texts.items()}
    return {"service": goal.service, "tool": goal.tool, "call": goal.call, "slots": {**slots, **texts}}


def _value_data(plan: Plan, carried: Carried) -> dict[str, Any]:
    return {
        "noun": carried.noun,
        "kind": carried.kind,
        "how": carried.how,
        "source": None if carried.source is None else plan.places.index(carried.source),
        "stale": carried.stale,
    }


def _place_data(place: Place) -> dict[str, Any]:
    return {
        "service": place.service,
        "table": place.table,
        "id": place.id,
        "double": place.decoy,
        "key": place.key,
        "by": place.found_by.register_name if place.found_by else "",
        "stated": place.key_value if place.found_by is None and place.reached_from is None else None,
    }
