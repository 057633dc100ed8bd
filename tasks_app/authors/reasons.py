"""Why somebody wants one thing done: a clause behind a goal, fitting the verb and what the write is given."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tasks_app.authors.story import Carried, Goal, Place

_TOLD = re.compile(r"\b(?:say|saying|mention|mentioning|include|because)\b|with a word on")  # one tail is enough
REASON_SHARE = 0.55
LONG = 24  # words of a goal that gets no reason
_BY_FIELD: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"owner|assignee|manager|approver|reviewer|host", ("they take it over now", "it changes hands this week")),
    (r"phone|mobile", ("the old number no longer works", "the number we have is dead", "they have a new line")),
    (r"e?mail|address", ("mails to the old address come back", "the address we have is out of date")),
    (r"due|deadline|date|until", ("the plan has shifted", "the date on file is wrong", "the dates have moved")),
    (r"company|organi[sz]ation|vendor|supplier", ("they trade under that name now", "the name on file is wrong")),
    (r"price|amount|budget|limit|salary|fee|cost", ("the figure on file is last year's", "that is what we settled on")),
)
_BY_VERB: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"delete|remove|take .+ off|retire|discard",
        ("nobody needs it any more", "it is a leftover", "it only causes confusion"),
    ),
    (
        r"cancel|withdraw|void|decline|reject|call off",
        ("that plan is off the table", "they changed their mind", "it is not needed after all"),
    ),
    (r"archive|close|resolve|complete|tick|settle|solve|finish", ("that one is done", "nothing is left to do there")),
    (r"reopen|restore|resume|restart", ("it turned out not to be finished", "we stopped too early")),
    (r"approve|accept|publish|release|confirm|verify", ("everything has been checked", "nothing speaks against it")),
    (r"escalate|urge|chase|remind", ("it has been waiting for too long", "we have heard nothing so far")),
    (r"refund|pay|credit|(?:move|transfer) \d[\d.,]*", ("it is overdue", "that was promised")),
    (r"move|reschedule|postpone|shift", ("it does not fit where it is now", "that suits everybody better")),
    (r"block|suspend|lock|freeze|pause|hold|mute", ("we want to be on the safe side", "it should wait for now")),
    (
        r"send|tell|write to|message|notify|announce|forward|reply|answer",
        ("they asked for it yesterday", "they are waiting for it", "I promised it for today"),
    ),
    (
        r"comment|note|log|mention|remark|write|add an? (?:\w+ )?(?:note|comment|remark|paragraph)",
        ("the others should see it", "I want it on record"),
    ),
    (
        r"invite|register|enrol|sign up|share|add [\w.-]+@[\w.-]+|add [A-Z]\w+ [A-Z]\w+",
        ("they would like to be part of it", "they were left out by mistake"),
    ),
    (
        r"create|draft|plan|schedule|book|set up|store|save|start the|make",
        ("it is missing so far", "we will need it next week", "I did not get round to it"),
    ),
    (r"change|set|update", ("it has changed since", "that is what we settled on")),
)
_FRAMES = (" because {r}", ", as {r}", "; {r}", " ({r})", " since {r}")


class Reasons:
    """Gives each reason once."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._given: set[str] = set()

    def clause(self, goal: Goal, phrase: str) -> str:
        """A clause that follows the phrase of a goal; "" where none is due or none fits."""
        if self._rng.random() > REASON_SHARE or len(phrase.split()) > LONG or _TOLD.search(phrase):
            return ""
        left = [reason for reason in fitting(goal, phrase) if reason not in self._given]
        if not left:
            return ""
        reason = self._rng.choice(left)
        self._given.add(reason)
        return self._rng.choice(_FRAMES).format(r=reason)


def fitting(goal: Goal, phrase: str) -> Sequence[str]:
    """Reasons for a goal, from the field that it changes or from the verb of its phrase; none where nothing fits."""
    changed = [name for name, slot in goal.slots.items() if not isinstance(slot, Place)]
    if len(changed) == 1 and re.match(r"(?:change|set|update|for) ", phrase):
        slot = goal.slots[changed[0]]
        if not (isinstance(slot, Carried) and slot.how in ("field", "ranked", "total", "derived")):
            for pattern, reasons in _BY_FIELD:
                if re.search(pattern, changed[0]):
                    return reasons
    for pattern, reasons in _BY_VERB:
        if re.match(rf"(?:{pattern})\b", phrase):
            return reasons
    return ()
