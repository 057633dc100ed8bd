"""From the plan to the instruction: opening, goals with their definitions, rules, closing."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tasks_app.authors.frames import CLOSINGS
from tasks_app.authors.naming import capital
from tasks_app.authors.phrasing import Phraser, as_told
from tasks_app.authors.plan import Plan
from tasks_app.authors.reasons import Reasons
from tasks_app.authors.story import Carried, Goal, Place, Rejection
from tasks_app.authors.telling import Teller

_FIRST = ("Please {p}.", "{P}, please.", "Could you {p}?", "I would like you to {p}.", "We need to {p}.")
_FIRST_LONG = ("Please {p}.", "I would like you to {p}.", "We need to {p}.")
_NEXT = (
    "Also, please {p}.",
    "And please {p}.",
    "Please {p} as well.",
    "Please {p}.",
    "I also need you to {p}.",
    "We should also {p}.",
    "Next, {p}.",
    "Separately, {p}.",
    "While you are at it, {p}.",
)
_AFTER = ("After that, {p}.", "Then {p}.", "Once that is done, {p}.", "With that in place, {p}.")
_LAST = ("Finally, {p}.", "Last, {p}.", "And one more thing: {p}.")
_QUESTIONS = (
    "When you are done, tell me {x}.",
    "Let me know {x} in your reply.",
    "In your answer, please tell me {x}.",
)
_BEFORE_A_LIST = ("Some background first.", "Here is where things stand.", "")
_OVER_A_LIST = ("Please do these things:", "What I need from you:", "To do:", "Could you please:", "Please:")
Standing = Literal["first", "after", "last", "following"]
PARAGRAPH = 3  # goals after which a new paragraph may start
STYLES = ("explain", "explain", "lead", "list", "list")


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
        shown = as_told(answer, teller.value(answer))
        asked = f"who {shown} is" if answer.kind == "person" and not answer.own else shown
        question = rng.choice(_QUESTIONS).format(x=asked)
        question = " ".join([*lead, question, *teller.settle()])
    loose = [name for name in teller.mentioned if name not in teller.defined]
    if loose:
        raise Rejection("something mentioned is not defined")
    body = "\n\n".join(part for part in paragraphs if part)
    if question:
        body = ("\n\n" if style == "list" else " ").join((body, question))
    text = _framed(plan, rng, body, style)
    return Telling(text, style, meaning_of(plan, style, answer, list(teller.mentioned), list(teller.defined)))


def _told(goals: list[Goal], phraser: Phraser, teller: Teller, rng: random.Random, style: str) -> list[str]:
    """Goals as sentences, each with the definitions that it rests on before it or after it."""
    paragraphs: list[list[str]] = [[]]
    told = 0
    reasons = Reasons(rng)
    for index, goal in enumerate(goals):
        ahead = teller.introduce(teller.grounds(goal, plain=style == "lead"))
        pool = _pool(goals, index)
        phrase, rest = _phrased(goal, phraser, teller, reasons)
        if index == 0 and len(phrase.split()) > 14:
            pool = _FIRST_LONG
        after = pool is _AFTER
        if len(phrase.split()) > 10:
            pool = tuple(form for form in pool if form != "Please {p} as well.")
        form = "{P}." if phrase.startswith("for ") else rng.choice(pool)
        if told >= PARAGRAPH and not after:
            paragraphs.append([])
            told = 0
        told += 1
        paragraphs[-1] += [*ahead, form.format(p=phrase, P=capital(phrase)), *rest]
    return [" ".join(sentences) for sentences in paragraphs]


def _pool(goals: list[Goal], index: int) -> tuple[str, ...]:
    return {"first": _FIRST, "after": _AFTER, "last": _LAST, "following": _NEXT}[standing(goals, index)]


def standing(goals: Sequence[Goal], index: int) -> Standing:
    """How a goal is joined to the one before: as its consequence only where it makes use of what that one did."""
    if index == 0:
        return "first"
    slots = [*goals[index].slots.values(), *goals[index].texts.values(), *goals[index].also]
    if any(isinstance(slot, Carried) and (slot.stale or slot.how == "generated") for slot in slots):
        return "after"
    return "last" if index == len(goals) - 1 and len(goals) > 2 else "following"


def _phrased(goal: Goal, phraser: Phraser, teller: Teller, reasons: Reasons) -> tuple[str, list[str]]:
    """The phrase of a goal with what fits into its sentence, and the sentences that have to follow it."""
    phrase = teller.attach(phraser.phrase(goal))
    aside = teller.aside()
    if aside:
        return f"{phrase}; {aside}", teller.settle()
    rest = teller.settle()
    return f"{phrase}{reasons.clause(goal, phrase) if not rest else ''}", rest


def _listed(goals: list[Goal], phraser: Phraser, teller: Teller, rng: random.Random) -> list[str]:
    """What is to be known first, then the goals as a list, each with what it needs."""
    background = teller.introduce([carried for goal in goals for carried in teller.grounds(goal)])
    reasons = Reasons(rng)
    items = []
    for goal in goals:
        phrase, rest = _phrased(goal, phraser, teller, reasons)
        items.append(" ".join([f"- {capital(phrase)}.", *rest]))
    if background:
        background.insert(0, rng.choice(_BEFORE_A_LIST))
    return [" ".join(background).strip(), "\n".join([rng.choice(_OVER_A_LIST), *items])]


def _framed(plan: Plan, rng: random.Random, body: str, style: str) -> str:
    opening = _opening(plan, rng, body)
    closing = rng.choice((*plan.frame.endings, *CLOSINGS))
    glue = "\n\n" if style == "list" else " "
    text = glue.join(part for part in (opening, body, closing) if part)
    text = re.sub(r"\bthe (that|the) ", r"\1 ", text)
    text = re.sub(r"\b([Aa]) (?=[aeio](?!ne\b))", r"\1n ", text)
    text = re.sub(r"\b(\w{3,}) (the|that) \1\b", r"\2 \1", text)
    text = re.sub(r"\b([a-z]{3,}) (\d[\d.,]*) \1\b", r"\1 \2", text)
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


def meaning_of(
    plan: Plan, style: str, answer: Carried | None, mentioned: list[str], defined: list[str]
) -> dict[str, Any]:
    """The instruction as data."""
    return {
        "frame": plan.frame.name,
        "style": style,
        "cast": plan.cast,
        "goals": [_goal_data(plan, goal) for goal in sorted(plan.goals, key=lambda goal: goal.call)],
        "values": {carried.register_name: _value_data(plan, carried) for carried in plan.carried},
        "places": [_place_data(place) for place in plan.places],
        "answer": answer.register_name if answer else "",
        "mentioned": mentioned,
        "defined": defined,
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
    texts: dict[str, dict[str, Any]] = {name: {"states": carried.register_name} for name, carried in goal.texts.items()}
    if goal.also and goal.act is not None:
        texts[goal.act.tells]["and"] = [carried.register_name for carried in goal.also]
    data = {"service": goal.service, "tool": goal.tool, "call": goal.call, "slots": {**slots, **texts}}
    return data | ({"present": goal.present} if goal.present else {})


def _value_data(plan: Plan, carried: Carried) -> dict[str, Any]:
    return {
        "noun": carried.noun,
        "kind": carried.kind,
        "how": carried.how,
        "source": None if carried.source is None else plan.places.index(carried.source),
        "stale": carried.stale,
        "fact": carried.fact,
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
