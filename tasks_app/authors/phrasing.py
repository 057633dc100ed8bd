"""Verb phrases for writes: the tool's own phrase with its slots, or its description, and what is left over."""

from __future__ import annotations

import random
import re

from services_app.engine.catalogue import ToolInfo
from tasks_app.authors.naming import capital, listing, noun_of, pretty, role_of
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, Goal, Place, Stated
from tasks_app.authors.telling import Teller
from tasks_app.engine.columns import Column
from tasks_app.engine.probes import singular

_SLOT = re.compile(r"\{(\w+)\}")
_SAYING = re.compile(r"\b(saying|says|say|telling|stating|tell)\s*$")
_ADDRESS = re.compile(r"\b(?:address|e?-?mail)\b")
_UPDATE = re.compile(r"(?:update|change|set|edit|adjust|correct|amend)\b")
_LASTS = re.compile(r"(?:duration|length|minutes|hours|days|weeks|months|nights)(?:_minutes|_hours|_days)?")
_MANY = re.compile(r"quantity|units|count|seats|guests|people|party|number")
_THAT = re.compile(r" that $")
_PREPOSITION = re.compile(
    r"\b(to|of|for|on|with|in|at|by|as|from|about|against|into|over|and|before|after|when|than|if)\b"
)
_MENTIONS = ("and mention {x}", "mentioning {x}", "and include {x}", "with a word on {x}")
_SELF_EVIDENT = frozenset({"message", "email", "letter", "comment", "remark", "note", "reply", "body", "text"})


class Phraser:
    """Makes the verb phrase of a goal."""

    def __init__(self, plan: Plan, teller: Teller, rng: random.Random) -> None:
        self._plan = plan
        self._teller = teller
        self._rng = rng

    def phrase(self, goal: Goal) -> str:
        """What is to be done, as it follows "Please": "record a payment of 120.00 against invoice INV-204"."""
        if goal.act is not None:
            return self._teller.wording.act(goal)
        info = self._plan.environment.catalogue.services[goal.service].tools[goal.tool]
        spoken = set(_SLOT.findall(info.phrase))
        rest = [name for name in [*goal.slots, *goal.texts] if name not in spoken]
        if rest and self._only_changes(goal) and not self._payload_used(goal, spoken) and not self._does_more(goal):
            changed = self._change(goal, [name for name in rest if not isinstance(goal.slots.get(name), Place)])
            if changed:
                return changed
        filled, used = self._own_phrase(info, goal)
        if not filled:
            filled, used = self._from_summary(info, goal)
        rest = [name for name in [*goal.slots, *goal.texts] if name not in used]
        return re.sub(r"\b(\w{3,}) \1\b", r"\1", _joined(filled, [self._tail(goal, name) for name in rest]))

    def _own_phrase(self, info: ToolInfo, goal: Goal) -> tuple[str, set[str]]:
        names = _SLOT.findall(info.phrase)
        if not info.phrase or any(name not in goal.slots and name not in goal.texts for name in names):
            return "", set()
        text, literal, unit = "", "", ""
        for index, part in enumerate(_SLOT.split(info.phrase)):
            if index % 2 == 0:
                literal = part.removeprefix(f" {unit}") if unit else part
                continue
            slot = goal.slots.get(part)
            shown = self._slot(goal, part, text + literal)
            if part in goal.texts and literal.endswith(" because "):  # a value is no sentence
                text += f"{literal.removesuffix('because ')}and give {shown} as the {pretty(part)}"
            elif part in goal.texts:
                text += _fit(_THAT.sub(" ", literal), shown, slot)
            else:
                text += _fit(literal, shown, slot)
            unit = (
                "per cent" if shown.endswith("%") else getattr(slot, "unit", "")
            )  # "30 minutes" and "the slot length" bring their unit along
        text += literal
        return text, set(names)

    def _slot(self, goal: Goal, name: str, before: str) -> str:
        if name in goal.texts:
            carried = goal.texts[name]
            value = as_told(carried, self._teller.value(carried))
            question = "who" if carried.kind == "person" else "what"
            return f"{question} {value} is" if _SAYING.search(before) or _THAT.search(before) else value
        slot = goal.slots[name]
        if isinstance(slot, Stated) and slot.kind == "free":
            return said(self._teller.slot(slot), before)
        return self._teller.person(slot) if isinstance(slot, Place) else self._teller.slot(slot)

    def _tool(self, goal: Goal) -> tuple[tuple[str, ...], tuple[str, ...]]:
        tool = self._plan.reaches[goal.service].profile.tools[goal.tool]
        return tool.creates, tool.changes

    def _only_changes(self, goal: Goal) -> bool:
        creates, changes = self._tool(goal)
        return bool(changes) and not creates

    def _does_more(self, goal: Goal) -> bool:
        """Whether the write sets something by itself, which only the tool's own phrase tells: it puts on hold."""
        tool = self._plan.reaches[goal.service].profile.tools[goal.tool]
        info = self._plan.environment.catalogue.services[goal.service].tools[goal.tool]
        return bool(tool.constants and info.phrase) and not _UPDATE.match(info.phrase)

    @staticmethod
    def _payload_used(goal: Goal, used: set[str]) -> bool:
        return any(name in goal.texts or not isinstance(goal.slots.get(name), Place) for name in used)

    def _change(self, goal: Goal, rest: list[str]) -> str:
        """ "change the due date to 3 May 2026 and the priority to high on the ticket ..." for plain updates."""
        places = [slot for slot in goal.slots.values() if isinstance(slot, Place)]
        if len(places) != 1 or not rest:
            return ""
        slots = goal.slots.items()
        stated = [name for name, slot in slots if name in rest and not isinstance(slot, Place) and slot.kind != "free"]
        texts = [name for name in rest if name in goal.texts]
        if not stated and texts:
            shown = as_told(goal.texts[texts[0]], self._teller.value(goal.texts[texts[0]]))
            return f"put {shown} into the {pretty(texts[0])} of {self._teller.place(places[0])}"
        if not stated:
            return ""
        place = self._teller.place(places[0])
        if len(stated) == 1 and not texts:
            name = stated[0]
            verb = self._rng.choice(("change", "set", "update"))
            return f"{verb} the {pretty(name)} of {place} to {self._new_value(name, goal.slots[name])}"
        parts = [f"the {pretty(name)} to {self._new_value(name, goal.slots[name])}" for name in stated]
        told = {name: as_told(goal.texts[name], self._teller.value(goal.texts[name])) for name in texts}
        puts = [f"put {shown} into the {pretty(name)}" for name, shown in told.items()]
        return f"for {place}, {' and '.join([f'set {listing(parts)}', *puts])}"

    def _new_value(self, name: str, slot: Place | Carried | Stated) -> str:
        shown = self._teller.slot(slot)
        if shown == f"the agreed {pretty(name)}":
            return self._rng.choice(("the one agreed", "what was agreed"))
        words = pretty(name)
        if isinstance(slot, Stated) and slot.unit and words.endswith(slot.unit):  # "set the openings to 5"
            return shown.removesuffix(slot.unit).rstrip()
        named = isinstance(slot, Carried) and slot.kind == "person" and slot.detail.get("own")
        return f"the name of {shown}" if named else shown

    def _from_summary(self, info: ToolInfo, goal: Goal) -> tuple[str, set[str]]:
        """The description as a verb phrase, with "a <noun>" replaced by the record that is meant."""
        text = re.split(r"[.;,]| that | which | given | and ", info.summary)[0].strip()
        text = text[:1].lower() + text[1:]
        used = set()
        for name, slot in goal.slots.items():
            if not isinstance(slot, Place):
                continue
            noun = re.escape(noun_of(self._plan.table(slot.service, slot.table)))
            pattern = re.compile(rf"\b(?:an?|the|one) (?:[a-z]+ )?{noun}\b")
            place = self._teller.place(slot)
            if pattern.search(text):
                text = pattern.sub(lambda _, place=place: place, text, count=1)
            else:
                text += f" for {place}"
            used.add(name)
        return self._people(goal, text, used), used

    def _people(self, goal: Goal, text: str, used: set[str]) -> str:
        """ "for a technician" becomes "for the site contact", "for an occasion" becomes “Spring review”."""
        for name, slot in goal.slots.items():
            if name in used or isinstance(slot, Place) or slot.kind == "free":
                continue
            words = {re.escape(pretty(name)), re.escape(singular(pretty(name)))}
            if slot.kind in ("email", "person"):
                words |= {"person", "recipient", "user", "colleague", "member", "agent"}
            noun = "|".join(sorted(words, key=len, reverse=True))
            pattern = re.compile(rf"\b(?:an?|one|another|the|one or more) (?:{noun})s?\b")
            if pattern.search(text):
                shown = self._teller.slot(slot)
                text = pattern.sub(lambda _, shown=shown: shown, text, count=1)  # type: ignore[misc]
                used.add(name)
        return re.sub(r" in whole or in part", "", text)

    def _tail(self, goal: Goal, name: str) -> str:
        if name in goal.texts:
            value = as_told(goal.texts[name], self._teller.value(goal.texts[name]))
            if goal.texts[name].names_record and goal.texts[name].kind not in ("email", "person"):
                value = f"which {value.removeprefix('the ').removeprefix('that ')} it is about"
            if self._only_changes(goal) and name not in _SELF_EVIDENT:
                return f"and put {value} into the {pretty(name)}"
            return self._rng.choice(_MENTIONS).format(x=value)
        slot = goal.slots[name]
        shown = self._teller.slot(slot)
        if isinstance(slot, Place):
            return f"for {shown}"
        if slot.kind == "free":
            return self._rng.choice(("and say {x}", "saying {x}")).format(x=shown)
        return self._payload_tail(goal, name, slot, shown)

    def _payload_tail(self, goal: Goal, name: str, slot: Carried | Stated, shown: str) -> str:
        if slot.kind == "email":
            return self._email_tail(goal, name, slot, shown)
        return _known_tail(name, slot, shown) or _plain_tail(pretty(name), slot, shown)

    def _email_tail(self, goal: Goal, name: str, slot: Carried | Stated, shown: str) -> str:
        if name in ("to", "recipient", "recipients"):
            return f"to {shown}"
        if name in ("email", "address", "email_address"):
            return f"with the address {'of ' if isinstance(slot, Carried) else ''}{shown}"
        tool = self._plan.reaches[goal.service].profile.tools[goal.tool]
        table = tool.parameters[name].lands[0].column.partition(".")[0] if tool.parameters[name].lands else ""
        info = self._plan.environment.catalogue.services[goal.service].tables
        column = Column(table, name, "email")
        return f"with {shown} as the {role_of(column, info[table]) if table else pretty(name)}"


def as_told(carried: Carried, shown: str) -> str:
    """A value that a text or an answer has to state: of somebody known by an address just that, and not the name."""
    if carried.kind == "person" and carried.detail.get("own"):
        return f"the name of {shown}"
    return f"the address of {shown}" if carried.kind == "email" and not _ADDRESS.search(shown) else shown


def said(words: str, before: str) -> str:
    """A sentence that states no value, as the words before it take it: "saying that ...", "because ...", “...”."""
    if _SAYING.search(before):
        return words
    sentence = words.removeprefix("that ")
    return sentence if before.endswith((" that ", "because ", ": ")) else f"“{capital(sentence)}”"


def _known_tail(name: str, slot: Carried | Stated, shown: str) -> str:
    """The usual turn for a parameter that everybody has: "titled ...", "for 120.00"; "" for others."""
    carried = isinstance(slot, Carried)
    if slot.kind == "title" and name in ("title", "name", "subject", "summary", "topic"):
        return {"subject": f"with the subject {shown}", "title": f"titled {shown}"}.get(name, f"named {shown}")
    if slot.kind == "person" and name == "name":
        return f"under the name {'of ' if carried else ''}{shown}"
    if slot.kind == "timestamp":
        return f"starting at {shown}" if "start" in name else f"from {shown}" if "from" in name else f"at {shown}"
    lasts = slot.kind == "duration" and bool(_LASTS.fullmatch(name))
    if lasts and not carried:
        return f"lasting {shown}"
    amount = slot.kind == "money" and name in ("amount", "total", "price", "value")
    many = slot.kind == "count" and bool(slot.unit) and bool(_MANY.search(name))
    return f"for {shown}" if amount or lasts or many else ""


def _plain_tail(words: str, slot: Carried | Stated, shown: str) -> str:
    if not isinstance(slot, Carried):
        unit = getattr(slot, "unit", "")
        return f"with {words} {shown.removesuffix(unit).rstrip() if unit and words.endswith(unit) else shown}"
    return f"with {shown}" if shown.endswith(words) else f"with {shown} as the {words}"


def _fit(before: str, shown: str, slot: Place | Carried | Stated | None) -> str:
    """Join a phrase and what fills its next slot, so that "the ticket {x}" and "that ticket" do not pile up."""
    if before.endswith("#"):
        before = before[:-1]
        return before + shown
    if re.search(r"\bthat $", before) and shown.startswith("that "):
        return f"{before}the {shown.removeprefix('that ')}"
    if re.search(r"\d $", before) and isinstance(slot, Carried) and slot.kind == "label":
        return f"{before}in {shown}"
    match = re.search(r"\b(?:the|an?|your) ((?:\w+ ){0,3})$", before)
    if match and match[1] and match[0].startswith("a"):
        return before + shown
    if match is None or _PREPOSITION.search(match[1]) or not shown.startswith(("the ", "that ")):
        return before + shown
    words, head = match[1].strip(), before[: match.start()]
    article, _, body = shown.partition(" ")
    if not words or all(word in body.split()[:5] for word in words.split()):
        return head + shown
    if isinstance(slot, Place):
        return f"{head}{article} {words} {body}"
    return f"{head}{shown} as the {words}"


def _joined(text: str, tails: list[str]) -> str:
    """The phrase with its tails: "with a, b and c" rather than "with a and with b and with c"."""
    last = [tail for tail in tails if tail.startswith(("and ", "mentioning ", "saying "))]
    plain = [tail for tail in tails if tail not in last]
    withs = [tail.removeprefix("with ") for tail in plain if tail.startswith("with ")]
    others = [tail for tail in plain if not tail.startswith("with ")]
    parts = [text, *others, *([f"with {listing(withs)}"] if withs else []), *last]
    return " ".join(parts)
