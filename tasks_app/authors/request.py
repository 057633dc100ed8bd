"""The instruction of a story over services with phrase books: an opening, the requests one by one, a closing."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tasks_app.authors.naming import capital
from tasks_app.authors.plan import Plan
from tasks_app.authors.realise import PARAGRAPH, Telling, meaning_of, standing
from tasks_app.authors.story import Carried, Goal, Place
from tasks_app.authors.tongue import Tongue
from tasks_app.authors.wording import Wording

STYLES = ("list", "list", "letter")
LETTER = 6  # requests that still go into sentences
REASON_SHARE = 0.4
PURPOSE_SHARE = 0.85  # of the facts that are put somewhere for a reason
MOSTLY, SOME = 0.6, 0.3  # the share of requests that speak of the subject
LINE = 44  # words of two requests that share a line
LONG = 28  # words of a request that gets no reason
LONG_WITH_PURPOSE = 42


def tell(plan: Plan, rng: random.Random, answer: Carried | None, tongue: Tongue) -> Telling:
    """Write the instruction in one language. Every value is described where it is asked for."""
    style = rng.choice(STYLES) if len(plan.goals) <= LETTER else "list"
    wording = Wording(plan, tongue, rng)
    groups = by_record(sorted(plan.goals, key=lambda goal: goal.call))
    lines = _listed(groups, wording, rng) if style == "list" else _told(groups, wording, rng)
    question = ""
    if answer is not None:
        question = rng.choice(tongue.question).format(x=wording.told(answer))
    topic = str(plan.cast["title"])
    opening = rng.choice(_openings(tongue, topic, lines)).format(topic=topic)
    leads = style != "list" or opening.endswith((":", "?", "：", "？"))
    body = lines if leads else f"{rng.choice(tongue.over_a_list)}\n{lines}"
    ending = tongue.space.join(part for part in (question, rng.choice(tongue.closings)) if part)
    text = "\n\n".join(part for part in (opening, body, ending) if part)
    known = [carried.register_name for carried in plan.carried]
    meaning = meaning_of(plan, style, answer, known, known)
    return Telling(text, style, {**meaning, "said": wording.said})


def _openings(tongue: Tongue, topic: str, body: str) -> tuple[str, ...]:
    """Openings that are true of the requests: about one subject, about nothing in common, or a bit of both."""
    lines = [line for line in re.split(r"\n|(?<=[.?。]) ?", body) if len(line) > LONG]
    share = sum(topic in line for line in lines) / max(1, len(lines))
    if share > MOSTLY:
        return tongue.openings
    return tongue.mixed if share > SOME else tongue.unrelated


def _phrase(goal: Goal, wording: Wording, rng: random.Random) -> str:
    phrase = wording.act(goal)
    if goal.present:
        return phrase + rng.choice(wording.tongue.once).format(name=goal.present)
    purpose = wording.serves(goal)
    told = rng.random() < (PURPOSE_SHARE if purpose else REASON_SHARE)
    why = wording.why(goal) if told and len(phrase.split()) <= (LONG_WITH_PURPOSE if purpose else LONG) else ""
    if why.startswith(("so ", "if ", "otherwise ")):
        return f"{phrase}, {why}"
    return phrase + (rng.choice(wording.tongue.because).format(r=why) if why else "")


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
    lines: list[str] = []
    for group in groups:
        joined = False
        for before, goal in zip([None, *group], group, strict=False):
            if before is not None and not joined and _about(goal) is _about(before):
                wording.stay_with(_about(goal))
                phrase = _phrase(goal, wording, rng)
                joined = len(f"{lines[-1]} {phrase}".split()) <= LINE
                lines[-1:] = [wording.tongue.both.format(lines[-1], phrase)] if joined else [lines[-1], phrase]
            else:
                lines.append(_phrase(goal, wording, rng))
                joined = False
    return "\n".join(wording.tongue.item.format(P=capital(line)) for line in lines)


def _told(groups: Sequence[Sequence[Goal]], wording: Wording, rng: random.Random) -> str:
    goals = [goal for group in groups for goal in group]
    paragraphs: list[list[str]] = [[]]
    for index, goal in enumerate(goals):
        stands = standing(goals, index)
        forms: tuple[str, ...] = getattr(wording.tongue, stands)
        if len(paragraphs[-1]) >= PARAGRAPH and stands != "after":
            paragraphs.append([])
        phrase = _phrase(goal, wording, rng)
        short = tuple(form for form in forms if not form.endswith("?") or len(phrase.split()) <= LONG // 2)
        paragraphs[-1].append(rng.choice(short).format(p=phrase))
    return "\n\n".join(wording.tongue.space.join(sentences) for sentences in paragraphs)
