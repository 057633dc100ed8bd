"""The instruction of a story over services with phrase books: an opening, the requests one by one, a closing."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tasks_app.authors.naming import capital
from tasks_app.authors.plan import Plan
from tasks_app.authors.realise import PARAGRAPH, Telling, meaning_of, standing
from tasks_app.authors.story import Carried, Goal, Place, Stated
from tasks_app.authors.tongue import Tongue
from tasks_app.authors.wording import Wording

STYLES = ("list", "letter")
LETTER = 8  # requests that still go into sentences
TOLD_SHARE = 0.5  # of the requests that a phrase book can put in sentences of their own
REASON_SHARE = 0.3
PURPOSE_SHARE = 0.6  # of the facts that are put somewhere for a reason
MOSTLY, SOME = 0.75, 0.3  # the share of requests that belong to the subject
LINE = 34  # words of two requests that share a line
ASKED = 14  # words of a request that is put as a question
LONG = 28  # words of a request that gets no reason
LONG_WITH_PURPOSE = 42
_ENDS = (".", "?", "!", "。", "？", "！")


class Request(NamedTuple):
    """What is asked for: a verb phrase, or sentences of its own, without the last full stop."""

    text: str
    told: bool


def tell(plan: Plan, rng: random.Random, answer: Carried | None, tongue: Tongue) -> Telling:
    """Write the instruction in one language. Every value is described where it is asked for."""
    wording = Wording(plan, tongue, rng)
    parts = _parts(plan, by_record(sorted(plan.goals, key=lambda goal: goal.call)))
    style = rng.choice(STYLES) if len(plan.goals) <= LETTER and len(parts) == 1 else "list"
    write = _listed if style == "list" else _told
    bodies = [write(groups, wording, rng) for groups in parts]
    question = ""
    if answer is not None:
        question = rng.choice(tongue.question).format(x=wording.told(answer))
    opening = _opening(plan, parts, tongue, rng, leads=style == "list")
    body = f"\n\n{rng.choice(tongue.besides)}\n".join(bodies)
    ending = tongue.space.join(part for part in (question, rng.choice(tongue.closings)) if part)
    glue = "\n" if style == "list" else "\n\n"
    text = "\n\n".join(part for part in (f"{opening}{glue}{body}", ending) if part)
    known = [carried.register_name for carried in plan.carried]
    meaning = meaning_of(plan, style, answer, known, known)
    return Telling(text, style, {**meaning, "said": wording.said})


def _parts(plan: Plan, groups: list[list[Goal]]) -> list[list[list[Goal]]]:
    """The requests about the subject, then the others; in one part where nearly all or hardly any are about it."""
    near: list[list[Goal]] = []
    others: list[list[Goal]] = []
    for group in groups:
        (near if _topical(plan, group) else others).append(group)
    if not SOME <= len(near) / len(groups) < MOSTLY:
        return [_by_service(groups)]
    return [_by_service(near), _by_service(others)]


def _by_service(groups: Sequence[list[Goal]]) -> list[list[Goal]]:
    """What is to be done in one place, together."""
    services = [group[0].service for group in groups]
    return sorted(groups, key=lambda group: services.index(group[0].service))


def _topical(plan: Plan, group: Iterable[Goal]) -> bool:
    """Whether requests speak of something that belongs to the subject of the story."""
    slots = [slot for goal in group for slot in (*goal.slots.values(), *goal.texts.values(), *goal.also)]
    named = {slot.value for slot in slots if isinstance(slot, Stated)}
    named |= {slot.key_value for slot in slots if isinstance(slot, Place)}
    named |= {slot.source.key_value for slot in slots if isinstance(slot, Carried) and slot.source is not None}
    return any(name in plan.topical for name in named if isinstance(name, str))


def _opening(plan: Plan, parts: Sequence[object], tongue: Tongue, rng: random.Random, *, leads: bool) -> str:
    """An opening that is true of the requests: about one subject, or about nothing in common; with what leads in."""
    about = sum(_topical(plan, [goal]) for goal in plan.goals)
    topical = len(parts) > 1 or about >= SOME * len(plan.goals)
    opening = rng.choice(tongue.openings if topical else tongue.unrelated).format(topic=plan.cast["title"])
    if not leads or opening.endswith((":", "?", "：", "？")):
        return opening
    return f"{opening}{tongue.space}{rng.choice(tongue.over_a_list)}"


def _request(goal: Goal, wording: Wording, rng: random.Random) -> Request:
    told = (
        goal.act is not None and bool(goal.act.told) and not (goal.present or goal.also) and rng.random() < TOLD_SHARE
    )
    text = wording.act(goal, told=told)
    if goal.present:
        return Request(text + rng.choice(wording.tongue.once).format(name=goal.present), told)
    purpose = wording.serves(goal)
    reasoned = rng.random() < (PURPOSE_SHARE if purpose else REASON_SHARE)
    why = wording.why(goal) if reasoned and len(text.split()) <= (LONG_WITH_PURPOSE if purpose else LONG) else ""
    if not why:
        return Request(text, told)
    if why.startswith(("so ", "if ", "otherwise ")):
        return Request(f"{text}, {why}", told)
    return Request(text + rng.choice(wording.tongue.because).format(r=why, R=capital(why)), told)


def by_record(goals: Sequence[Goal]) -> list[list[Goal]]:
    """What is asked about one record, together; requests that make use of what the one before did stay behind it.

    The order is free otherwise: the proof has seen that no figure which a request uses is moved by another.
    """
    groups: list[list[Goal]] = []
    latest: list[Goal] = []
    for index, goal in enumerate(goals):
        about = _about(goal)
        if standing(goals, index) != "after":
            latest = next((group for group in groups if about is not None and _about(group[0]) is about), [])
        if not latest:
            groups.append(latest)
        latest.append(goal)
    return groups


def _about(goal: Goal) -> Place | None:
    """The record that a request is about."""
    return next((slot for slot in goal.slots.values() if isinstance(slot, Place)), None)


def _listed(groups: Sequence[Sequence[Goal]], wording: Wording, rng: random.Random) -> str:
    """A line for each request; two short ones about one record share a line."""
    lines: list[Request] = []
    for group in groups:
        joined = False
        for before, goal in zip([None, *group], group, strict=False):
            together = before is not None and not joined and _about(goal) is _about(before)
            if together:
                wording.stay_with(_about(goal))
            request = _request(goal, wording, rng)
            joined = together and _fit(lines[-1], request)
            if joined:
                request = Request(wording.tongue.both.format(lines.pop().text, request.text), told=False)
            lines.append(request)
    return "\n".join(wording.tongue.item.format(P=_sentence(line.text, wording.tongue)) for line in lines)


def _fit(one: Request, other: Request) -> bool:
    """Whether two requests can share a line."""
    whole = f"{one.text} {other.text}"
    return not (one.told or other.told or ". " in whole or "。" in whole) and len(whole.split()) <= LINE


def _sentence(text: str, tongue: Tongue) -> str:
    return capital(text) if text.endswith(_ENDS) else f"{capital(text)}{tongue.stop}"


def _told(groups: Sequence[Sequence[Goal]], wording: Wording, rng: random.Random) -> str:
    goals = [goal for group in groups for goal in group]
    paragraphs: list[list[str]] = [[]]
    for index, goal in enumerate(goals):
        stands = standing(goals, index)
        if len(paragraphs[-1]) >= PARAGRAPH and stands != "after":
            paragraphs.append([])
        request = _request(goal, wording, rng)
        paragraphs[-1].append(_sentence(_put(request, stands, wording.tongue, rng), wording.tongue))
    return "\n\n".join(wording.tongue.space.join(sentences) for sentences in paragraphs)


def _put(request: Request, stands: str, tongue: Tongue, rng: random.Random) -> str:
    """A request as a sentence of a letter."""
    if request.told:
        return request.text
    forms: tuple[str, ...] = getattr(tongue, stands)
    short = len(request.text.split()) <= ASKED and not any(mark in request.text for mark in (". ", "; ", "。"))
    return rng.choice([form for form in forms if short or not form.endswith("?")]).format(p=request.text)
