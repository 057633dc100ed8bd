"""What a new record has where nobody can send it: its first state, counts of nothing, flags that are off, addresses."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, add_field
from services_app.builders.plan import Entity, Field, Plan, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_MAKES = frozenset(("create", "create_many", "link", "copy"))
_STATES = ("status", "state")
# The states in which things begin, the surest first.
_FIRST = (
    "draft new created open opened todo to_do pending queued unstarted not_started backlog planned scheduled waiting "
    "submitted active enabled available running in_progress ready online published"
).split()
_WORK = frozenset(
    (
        "job run build task import export migration order payment transfer request invitation deployment scan crawl "
        "upload download review approval submission issue ticket refund payout"
    ).split()
)
_NOTHING = frozenset(
    (
        "count views likes dislikes stars forks comments replies votes upvotes downvotes clicks opens downloads "
        "watchers followers subscribers shares retries attempts progress percent"
    ).split()
)
_ADDRESSES = frozenset("url link href permalink uri".split())
_TOKENS = frozenset("token secret uuid guid".split())
_CALLERS = frozenset("author sender creator owner uploader submitter reporter requester organizer publisher".split())


def give_first_values(plan: Plan) -> None:
    """Let every kind of record that some tool makes begin as such things begin."""
    for own in plan.entities.values():
        makers = [tool for tool in plan.every() if tool.entity == own.noun and tool.kind in _MAKES]
        if not makers:
            continue
        sent = {field for tool in plan.every() if tool.entity == own.noun for field in _written(tool)}
        given = {field for tool in makers for field in _written(tool)}
        for known in own.fields.values():
            if known.target or known.linked or known.usual is not None or known.name == own.natural_key:
                continue
            _begin(own, known)
            if known.name not in given:
                _begin_empty(known)
            if known.name not in sent and not known.filtered and not known.choices:
                _give_made(known, makers)


def _written(tool: ToolPlan) -> set[str]:
    """Fields whose values callers send."""
    write = tool.write
    return {
        *tool.fields.values(), *tool.lookups.values(), *write.adds.values(), *write.strips.values(), *write.constants,
        write.flag, write.once, tool.key_field,
    }  # fmt: skip


def _begin(own: Entity, known: Field) -> None:
    """A state begins with the first of its states; a flag that says what was done with a record is off."""
    words = words_of(known.name)
    if known.type == "str" and words[-1:] and words[-1] in _STATES and known.name != own.status:
        rest = {*words[:-1]} - {"current", "overall", "workflow", *own.noun.split("_")}
        if not rest:
            known.usual = first_state(own, known)
    elif known.type == "str" and known.name == own.status and not own.initial:
        own.initial = first_state(own, known) if known.choices else own.initial


def first_state(own: Entity, known: Field) -> str:
    """The state of a new record among the choices of its field; the usual word where there are none."""
    choices = [choice for choice in known.choices if isinstance(choice, str) and choice.lower() not in ("all", "any")]
    if not choices:
        return "pending" if own.noun.rsplit("_", 1)[-1] in _WORK else "active"
    by_key = {key_of(choice): choice for choice in reversed(choices)}
    return next((by_key[word] for word in _FIRST if word in by_key), choices[0])


def _begin_empty(known: Field) -> None:
    """A flag is off, nothing is counted yet."""
    if known.type == "bool":
        known.usual = False
    elif known.type in ("int", "float") and set(words_of(known.name)[-1:]) & _NOTHING:
        known.usual = 0 if known.type == "int" else 0.0


def _give_made(known: Field, makers: list[ToolPlan]) -> None:
    """What the service makes itself for a new record."""
    words = words_of(known.name)
    whose = [word for word in words if word not in ("name", "username", "user")]
    by = words[-1:] == ["by"] and len(words) > 1 and words[0] in ("created", "uploaded", "submitted", "posted", "sent")
    word = whose[0] if len(whose) == 1 and whose[0] in _CALLERS else "author" if by else (words or [""])[-1]
    if known.type == "str" and word in _ADDRESSES | _TOKENS | _CALLERS and not known.format:
        for tool in makers:
            if tool.kind == "create":
                tool.write.makes[known.name] = _recipe(word)


def unset_fields(plan: Plan, own: Entity) -> list[Field]:
    """Fields that no caller can set: a new record shows them once they hold something, not as so many nulls."""
    mine = [tool for tool in plan.every() if tool.entity == own.noun]
    if (
        own.described
        or any(tool.write.opens for tool in mine)
        or not any(tool.kind in _MAKES or tool.kind == "written" for tool in mine)
    ):
        return []
    sent = {field for tool in mine for field in _written(tool)} | {own.natural_key, own.status, own.serial}
    ties = {tie[2] for tool in plan.every() for tie in tool.write.ties}
    free = [known for known in own.fields.values() if known.name not in sent | ties and known.usual is None]
    return [known for known in free if not known.linked]


def _recipe(word: str) -> str:
    if word in _CALLERS:
        return "caller"
    return "address" if word in _ADDRESSES else "unique_name" if word in ("uuid", "guid") else "token"


_MADE = re.compile(
    r"\b(?:return|give|generat|creat)(?:s|es|ing)? (?:the |an? |its )?(?:new |unique |secure |temporary |one-time )?"
    r"(?:public |share(?:able)? |sharing |download(?:able)? |upload |pre-?signed |session |access |signed |client |"
    r"api |portal |checkout |payment |invite |invitation |embed )*(url|link|token|uuid|secret)\b",
    re.IGNORECASE,
)


def note_made(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """Keep what the service makes for a new record by the description: the link that is returned, a token."""
    said = _MADE.search(tool.description)
    word = said[1].lower() if said else ""
    held = [name for name in own.fields if words_of(name)[-1:] == [word]]
    if word and not held and not any(word in words_of(name) for name in reader.properties(tool)):
        add_field(reader, own, word, {"type": "string"})
        planned.write.makes[word] = _recipe(word)
