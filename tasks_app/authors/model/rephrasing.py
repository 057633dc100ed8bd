"""Another wording of a proven task: every name, value and date stays as written, and nothing is given away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from services_app.builders.model.conversation import Answer
from services_app.builders.model.dispatch import Operation, dispatch
from services_app.engine.plain import digest
from tasks_app.authors.model.meaning import figures_in, names_in, stated_values
from tasks_app.authors.model.schemas import REPHRASE_TOOLS
from tasks_app.engine.task import Proof, TaskSpec
from tasks_app.engine.text import human_date, human_label, plain_form

REWORDED = "The instruction is reworded; the proof holds with it."
LONGEST = 2.5  # times the length of the original
SHORTEST = 0.4
_SHORT_GOLD = 3  # characters; what is shorter occurs anywhere by chance
_TELLING = re.compile(r"[\d@ ]")  # a word such as "closed" may be said


class RephraseToolbox:
    """Takes new wordings until one keeps the meaning and the proof. `task` is that one then, the original before.

    `prove(task)` checks every claim on services as they are.
    """

    schemas: Sequence[Mapping[str, Any]] = REPHRASE_TOOLS

    def __init__(self, task: TaskSpec, prove: Callable[[TaskSpec], Proof]) -> None:
        self.original = task
        self.task = task
        self._prove = prove
        self._operations: dict[str, Operation] = {"reword": self._reword, "finish": _finish}

    def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """One call; what is wrong with it is the answer."""
        return dispatch(REPHRASE_TOOLS, self._operations, name, arguments)

    def fingerprint(self) -> str:
        return digest(self.task.instruction)

    def to_json(self) -> dict[str, Any]:
        return {"task": self.task.model_dump(mode="json")}

    def restore(self, work: Mapping[str, Any]) -> None:
        """Go on from what `to_json` gave."""
        self.task = TaskSpec.model_validate(work["task"])

    def _reword(self, text: str) -> Answer:
        text = text.strip()
        problems = problems_of(self.original, text)
        if problems:
            return Answer("\n".join(["Not taken:", *problems[:20]]))
        other = self.original.model_copy(update={"instruction": text})
        proof = self._prove(other)
        if not proof.passed:
            failing = [claim for claim in proof.claims if not claim.passed]
            return Answer("\n".join(["Not taken:", *(f"{one.name}: {one.evidence.get('why', '')}" for one in failing)]))
        self.task = other.with_proof(proof)
        return Answer(REWORDED, ends=REWORDED)


def _finish(summary: str = "") -> Answer:
    return Answer("The wording stays.", ends=f"The model left the wording as it is. {summary}".strip())


def kept_verbatim(task: TaskSpec) -> tuple[str, ...]:
    """Every name, value and date of the instruction, as it is written there."""
    text = task.instruction
    meaning = task.meaning
    values = [form for value in stated_values(task.reference) for form in _forms(value)]
    nouns = [edge.name for edge in task.graph.edges]
    cast = [str(name) for name in meaning.get("cast", {}).values()]
    found = [*names_in(text), *figures_in(text), *(_as_written(text, item) for item in (*values, *nouns, *cast))]
    return tuple(dict.fromkeys(item for item in found if item))


def problems_of(task: TaskSpec, text: str) -> list[str]:
    """Why another wording cannot be taken, in words; empty when it keeps the meaning."""
    old = task.instruction
    if not SHORTEST * len(old) <= len(text) <= LONGEST * len(old):
        return [f"It has {len(text)} characters; the original has {len(old)}. Say the same, no more and no less."]
    problems = [f"{item!r} is missing; keep it exactly." for item in kept_verbatim(task) if not _occurs(item, text)]
    added = [item for item in (*names_in(text), *figures_in(text)) if not _occurs(_core(item), old)]
    problems += [f"{item!r} is not in the original." for item in added]
    told, known = text.casefold(), old.casefold()
    shown = [gold for gold in _gold(task) if gold in told and gold not in known]
    return [*problems, *(f"{gold!r} is what the agent has to find out." for gold in shown)]


def _forms(value: Any) -> Iterator[str]:
    """How an instruction may write a stated value."""
    yield str(value)
    yield human_label(str(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield plain_form("money", value)
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
        yield human_date(value)


def _as_written(text: str, item: str) -> str:
    """`item` with the case in which the text has it; "" when it does not occur."""
    match = _match(item, text) if len(item) > 1 else None
    return match[0] if match else ""


def _occurs(item: str, text: str) -> bool:
    return _match(item, text) is not None


def _match(item: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(item)}(?!\w)", text, re.IGNORECASE)


def _core(name: str) -> str:
    """A name without a first word that may only begin its sentence."""
    first, _, rest = name.partition(" ")
    return rest if first[:1].isupper() and rest[:1].isupper() else name


def _gold(task: TaskSpec) -> tuple[str, ...]:
    """What only the walk shows: carried values, their alternatives, and what the reference writes."""
    found: dict[str, None] = {}
    for edge in task.graph.edges:
        for value in (edge.value, edge.alternative):
            forms = [] if value is None else [str(value), plain_form(edge.kind, value)]
            found.update(dict.fromkeys(form.casefold() for form in forms))
    for change in task.goal.changes:
        after = change["after"] or {}
        texts = (value for value in after.values() if isinstance(value, str) and _TELLING.search(value))
        found.update(dict.fromkeys(text.casefold() for text in texts))
    return tuple(gold for gold in found if len(gold) > _SHORT_GOLD)
