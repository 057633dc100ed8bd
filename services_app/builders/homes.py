"""The noun that a tool is about, apart from what only narrows it: `list_rubrics_course` is about rubrics."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import READS, WRITES, Reading, id_target, plural_of, singular, words_of

Required = Callable[[ToolSpec], Sequence[str]]
_PREPOSITIONS = "in|within|for|of|under|from|on|to|at|by|belonging|associated"
_REACH = frozenset(("global", "personal", "experimental", "existing"))
# What records of many kinds lie in.
_CONTEXTS = frozenset("account course group user section organization team project workspace space board".split())
# Words that say of anything what it is like: two tools that end so are about two things.
_ASPECTS = frozenset(
    (
        "status state history statistics stats count setting settings detail details item type record result list "
        "value option version metric metrics analytics summary report info data property field link event permission "
        "config configuration preference change log entry content activity usage"
    ).split()
)


_SYNONYMS = tuple(
    frozenset(words.split())
    for words in (
        "repository repo", "organization organisation org", "document doc", "directory folder", "channel conversation",
        "pull_request merge_request pr mr", "email message mail", "member user person", "label tag", "note comment",
        "catalogue catalog", "picture photo image", "entry item record", "commit log",
    )
)  # fmt: skip
# Words before a noun for some of its records: for those of a state, and for the latest.
QUALIFIERS = frozenset(
    (
        "active archived open closed pending unread overdue completed draft published enabled disabled failed favorite "
        "liked starred expired approved rejected cancelled inactive resolved flagged featured trending refunded"
    ).split()
)
RECENT = frozenset(("recent", "latest", "newest", "my", "available", "upcoming"))


def synonyms(noun: str) -> list[str]:
    """Other words for the same thing."""
    return [word for group in _SYNONYMS if noun in group for word in sorted(group) if word != noun]


def names_more(noun: str, target: str) -> bool:
    """Whether an id speaks of a noun with a word more between: `plannerTaskChatMessageId` of a planner task message."""
    words, longer = noun.split("_"), target.split("_")
    return len(words) > 1 and words[-1] == longer[-1] and set(words) < set(longer)


def settle_nouns(tools: Sequence[ToolSpec], readings: dict[str, Reading], required: Required) -> None:
    """Take from the nouns of readings what only narrows them, and give one thing one noun."""
    spoken = {reading.noun for reading in readings.values() if reading.action != "other"}
    for tool in tools:
        readings[tool.name] = _without_scope(tool, readings[tool.name], required, spoken)
    nouns = {reading.noun for reading in readings.values() if reading.action != "other"}
    for name, reading in readings.items():
        whole, _, reach = reading.noun.rpartition("_")
        if reach in _REACH and whole in nouns:
            readings[name] = _about(reading, whole)
        first, _, rest = readings[name].noun.partition("_")
        made = any(other.noun == readings[name].noun and other.action in WRITES for other in readings.values())
        if first in QUALIFIERS | RECENT and rest in nouns and reading.action in READS and not made:
            readings[name] = _about(readings[name], rest)
    _spell_alike(readings)
    uses: dict[str, list[ToolSpec]] = defaultdict(list)
    for tool in tools:
        if readings[tool.name].action != "other" and readings[tool.name].noun:
            uses[readings[tool.name].noun].append(tool)
    homes = {noun: _home(noun, uses, readings, required) for noun in uses}
    for noun, home in homes.items():
        if home and not homes.get(home):
            for tool in uses[noun]:
                readings[tool.name] = _about(readings[tool.name], home)


def _spell_alike(readings: dict[str, Reading]) -> None:
    """`automation_actions_runner` and `automation_action_runner` are one thing: the first spelling stands."""
    spelled: dict[str, str] = {}
    for name, reading in readings.items():
        if reading.action != "other" and "_" in reading.noun:
            plain = "_".join(map(singular, reading.noun.split("_")))
            noun = spelled.setdefault(plain, reading.noun)
            readings[name] = reading if noun == reading.noun else _about(reading, noun)


def _about(reading: Reading, noun: str) -> Reading:
    return Reading(reading.verb, reading.action, noun, reading.plural)


def _says_verb(tool: ToolSpec, reading: Reading) -> bool:
    """Whether the verb stands in the name: of `visualize_portfolio` a word of the noun is one that we do not know."""
    return reading.verb != "add" and reading.verb in words_of(tool.name)


def _targets(tool: ToolSpec, required: Required) -> set[str]:
    return {target for name in required(tool) if (target := id_target(name, ""))}


def _without_scope(tool: ToolSpec, reading: Reading, required: Required, spoken: Collection[str]) -> Reading:
    """`get_course_account(account_id, id)`, "a course within an account": the noun is course.

    So it is where other tools are about courses (`spoken`).
    """
    words = reading.noun.split("_")
    if len(words) < 2 or reading.action in ("other", "link", "copy") or not _says_verb(tool, reading):
        return reading
    *front, scope = words
    many = singular(front[-1]) != front[-1]
    noun = "_".join([*front[:-1], singular(front[-1])])
    targets = _targets(tool, required)
    if scope not in targets or noun in targets or reading.plural:
        return reading
    listed = many and reading.action in ("list", "search")
    named = reading.action == "create" or "id" in required(tool)
    named = named or (reading.action in ("update", "delete", "status") and noun in spoken)
    known = scope in _CONTEXTS and noun in spoken and _is_about(tool.description, noun, scope)
    within = known or _said_within(tool.description, noun, scope)
    if not listed and not (named and within):
        return reading
    action = "list" if many and reading.action == "get" else reading.action
    return Reading(reading.verb, action, noun, many)


def _is_about(description: str, noun: str, scope: str) -> bool:
    """Whether a description names the noun before the scope, and does not put both in one phrase: an incident note."""
    said = description.lower()
    front = re.search(rf"\b{re.escape(noun.replace('_', ' '))}\b", said)
    behind = re.search(rf"\b{re.escape(scope)}", said)
    return front is not None and (behind is None or front.end() + 2 < behind.start())


def _said_within(description: str, noun: str, scope: str) -> bool:
    """Whether the description speaks first of the noun, then of the scope in, for or of which it is."""
    *front, last = map(re.escape, noun.split("_"))
    said = "[ _-]".join([*front, f"(?:{last}|{re.escape(plural_of(noun.rsplit('_', 1)[-1]))})"])
    other = rf"(?:(?!\b{re.escape(scope)})[^.])"
    pattern = rf"^{other}*?\b{said}\b{other}*?\b(?:{_PREPOSITIONS})\b{other}*\b{re.escape(scope)}"
    return re.search(pattern, description[:200].lower()) is not None


def _home(noun: str, uses: Mapping[str, list[ToolSpec]], readings: Mapping[str, Reading], required: Required) -> str:
    """The noun under which the records of this one are kept; "" for itself."""
    does = {readings[tool.name].action for tool in uses[noun]}
    if does <= {"delete", "update", "status"} and all(_takes_id(tool, noun, required) for tool in uses[noun]):
        return _longer(noun, uses, readings, required)
    item = uses.get(f"{noun}_item", ())  # add_text_to_board beside get_text_item, update_text_item
    done = {readings[tool.name].action for tool in item}
    if does == {"create"} and "create" not in done and done & {"get", "update", "delete"}:
        return f"{noun}_item"
    front, _, last = noun.rpartition("_")
    if not front or last in _ASPECTS or not all(_says_verb(tool, readings[tool.name]) for tool in uses[noun]):
        return ""
    words = noun.split("_")
    for start in range(1, len(words)):
        shorter, of = "_".join(words[start:]), "_".join(words[:start])
        if shorter not in uses:
            continue
        known = {readings[tool.name].action for tool in uses[shorter]}
        longer = [other for other in uses if other.endswith(f"_{shorter}") and other != noun]
        made = all({readings[tool.name].action for tool in uses[other]} == {"create"} for other in longer)
        alone = not longer or (made and bool(known & {"get", "list", "search"}))  # stock orders beside option orders
        taken = any(_takes_id(tool, shorter, required) for tool in uses[shorter])
        if does == {"create"} and alone and taken and "create" not in known:
            return shorter
        kept = bool(known & {"create", "delete", "update"}) or {"get", "list"} <= known
        if kept and does <= {"list", "search"} and all(of in _targets(tool, required) for tool in uses[noun]):
            return shorter
    return ""


def _takes_id(tool: ToolSpec, noun: str, required: Required) -> bool:
    return any(id_target(name, noun) == noun for name in required(tool))


def _longer(noun: str, uses: Mapping[str, list[ToolSpec]], readings: Mapping[str, Reading], required: Required) -> str:
    """`delete_override` beside planner overrides, of which its description speaks."""
    found = [
        other
        for other in uses
        if other.endswith(f"_{noun}")
        and all(readings[tool.name].verb in words_of(tool.name) for tool in uses[other])
        and any(readings[tool.name].action == "create" or _takes_id(tool, other, required) for tool in uses[other])
    ]
    spoken = [o for o in found if all(set(o.split("_")) <= _said(tool) for tool in uses[noun])]
    return spoken[0] if len(spoken) == 1 else ""


def _said(tool: ToolSpec) -> set[str]:
    return {singular(word) for word in words_of(tool.description)}


def known_front(nouns: Collection[str], front: str) -> str:
    """`candidates` of a `candidates_action`: the noun that tools are about, in the singular."""
    *words, last = front.split("_")
    single = "_".join([*words, singular(last)])
    return single if front not in nouns and single in nouns else front


def listed_elsewhere(
    tool: ToolSpec, reading: Reading, readings: Mapping[str, Reading], tools: Sequence[ToolSpec]
) -> bool:
    """Whether another tool lists such records without any key: `business_units_get(id)` then gets one of them."""
    return any(
        other is not tool and readings[other.name].noun == reading.noun and not other.required
        for other in tools
        if readings[other.name].action in ("list", "search")
    )
