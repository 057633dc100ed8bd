"""The instruction of a story over services with phrase books: an opening, the requests one by one, a closing."""

from __future__ import annotations

import random
import re

from tasks_app.authors.naming import capital
from tasks_app.authors.plan import Plan
from tasks_app.authors.realise import PARAGRAPH, Telling, meaning_of, standing
from tasks_app.authors.story import Carried, Goal
from tasks_app.authors.tongue import Tongue
from tasks_app.authors.wording import Wording

STYLES = ("list", "list", "letter")
LETTER = 6  # requests that still go into sentences
REASON_SHARE = 0.5
MOSTLY, SOME = 0.6, 0.3  # the share of requests that speak of the subject
LONG = 28  # words of a request that gets no reason


def tell(plan: Plan, rng: random.Random, answer: Carried | None, tongue: Tongue) -> Telling:
    """Write the instruction in one language. Every value is described where it is asked for."""
    style = rng.choice(STYLES) if len(plan.goals) <= LETTER else "list"
    wording = Wording(plan, tongue, rng)
    goals = sorted(plan.goals, key=lambda goal: goal.call)
    lines = _listed(goals, wording, rng) if style == "list" else _told(goals, wording, rng)
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
    why = wording.why(goal) if rng.random() < REASON_SHARE and len(phrase.split()) <= LONG else ""
    if why.startswith(("so ", "if ", "otherwise ")):
        return f"{phrase}, {why}"
    return phrase + (rng.choice(wording.tongue.because).format(r=why) if why else "")


def _listed(goals: list[Goal], wording: Wording, rng: random.Random) -> str:
    items = [wording.tongue.item.format(P=capital(_phrase(goal, wording, rng))) for goal in goals]
    return "\n".join(items)


def _told(goals: list[Goal], wording: Wording, rng: random.Random) -> str:
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
