"""One thing, one table: what tools call by a longer, a shorter or another name than the tools that list it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from services_app.builders.homes import synonyms
from services_app.builders.natural_keys import is_natural_key
from services_app.builders.prose import about
from services_app.builders.roles import scalar_choices
from services_app.specs.model import ToolSpec
from services_app.specs.said_ids import names_kin, spoken_nouns
from services_app.specs.vocabulary import Reading, id_target, singular, types_of, words_of

if TYPE_CHECKING:
    from services_app.builders.entities import Reader
    from services_app.builders.plan import Entity

Required = Callable[[ToolSpec], Sequence[str]]
TAKES = frozenset(("get", "update", "delete", "status"))
_SHOWS = frozenset(("list", "search"))
# Front words of ids that name another record than the tool's own.
_ASIDE = frozenset(
    "parent source target new old from to related linked original default previous next other owner child".split()
)
# Words before ids that somebody else gives.
_OTHERS = frozenset("client external custom remote foreign legacy vendor merchant".split())


def settle_takers(tools: Sequence[ToolSpec], readings: dict[str, Reading], required: Required) -> None:
    """`get_override` beside the list of schedule overrides is about these, where nothing lists or makes overrides."""
    uses: dict[str, list[ToolSpec]] = defaultdict(list)
    for tool in tools:
        if readings[tool.name].action != "other" and readings[tool.name].noun:
            uses[readings[tool.name].noun].append(tool)
    homes = {}
    common = set.intersection(*(set(words_of(tool.name)) for tool in tools)) if tools else set()
    for noun, mine in uses.items():
        takes = {readings[tool.name].action for tool in mine} <= TAKES
        if takes and all(any(id_target(name, noun) == noun for name in required(tool)) for tool in mine):
            apart = {word for tool in mine for word in _qualifiers(tool, readings[tool.name])} - common
            homes[noun] = _listed_as(noun, uses, readings, apart) or _told_home(noun, uses, readings)
    for noun, home in homes.items():
        for tool in uses[noun] if home else ():
            reading = readings[tool.name]
            readings[tool.name] = Reading(reading.verb, reading.action, home, reading.plural)


def _qualifiers(tool: ToolSpec, reading: Reading) -> set[str]:
    """Words of a name beside its verb and noun: `kanban` of `kanban_move_card`, which is no other card."""
    return {singular(word) for word in words_of(tool.name)} - {reading.verb, *reading.noun.split("_")}


def _listed_as(noun: str, uses: Mapping[str, list[ToolSpec]], readings: Mapping[str, Reading], apart: set[str]) -> str:
    """The one noun under which such records are listed; "" where there is none, or several.

    `apart`: words that tell them from others; a noun without one of them is another kind.
    """
    does = {other: {readings[tool.name].action for tool in uses[other]} for other in uses}
    found = [other for other in uses if other != noun and does[other] & _SHOWS and alike(noun, other)]
    found = [other for other in found if not apart or apart & set(other.split("_"))]
    longer = [other for other in found if len(other) > len(noun)]
    takers = [other for other in uses if other.endswith(f"_{noun.rpartition('_')[2]}") and does[other] <= TAKES]
    found = longer or (found if takers == [noun] else [])
    spoken = [other for other in found if all(_speaks(tool, other) for tool in uses[noun])]
    if len(found) == 1 and (spoken or not does[noun] & does[found[0]]):
        return found[0]
    return spoken[0] if len(spoken) == 1 else ""


def _told_home(noun: str, uses: Mapping[str, list[ToolSpec]], readings: Mapping[str, Reading]) -> str:
    """`delete_hook(hook_id)`, "the identifier of the webhook subscription": the noun with a list that all ids name."""
    does = {other: {readings[tool.name].action for tool in uses[other]} for other in uses if other != noun}
    listed = {other for other in does if does[other] & {*_SHOWS, "get"}}
    said = [about(s) for tool in uses[noun] for name, s in tool.properties.items() if id_target(name, "") == noun]
    told = {next((other for other in spoken_nouns(noun, words) if other in {*listed, noun}), "") for words in said}
    return told.pop() if len(told) == 1 and not told & {noun} else ""


def alike(noun: str, other: str) -> bool:
    """Whether one noun only says more than the other: `override` and `schedule_override`."""
    one, two = noun.split("_"), other.split("_")
    return one[-1] == two[-1] and (set(one) < set(two) or noun.endswith(f"_{other}"))


def _speaks(tool: ToolSpec, noun: str) -> bool:
    """Whether a tool or one of its parameters speaks of something by these words."""
    said = " ".join([tool.description, *(str(about(schema)) for schema in tool.properties.values())])
    return f" {noun.replace('_', ' ')} " in f" {' '.join(map(singular, words_of(said)))} "


def note_other_names(reader: Reader) -> None:
    """get_pass(token_id): an id that names what no tool is about names the record, and takes the ids that lists show.

    So it is where it is all that the tool requires, or where no other tool takes it and its words speak of the record.
    """
    claims: dict[str, set[str]] = defaultdict(set)
    for own in dict.fromkeys(id(known) for known in reader.by_noun.values()):
        for target, noun in _claimed(reader, next(k for k in reader.by_noun.values() if id(k) == own)):
            claims[target].add(noun)
    for target, nouns in claims.items():
        if len(nouns) == 1 and target not in reader.by_noun:
            reader.by_noun[target] = reader.by_noun[nouns.pop()]


def _claimed(reader: Reader, own: Entity) -> list[tuple[str, str]]:
    if own.noun not in reader.kept():
        return []
    tools = [tool for tool in reader.spec.tools if reader.entity_of(tool) is own]
    others = [t for t in tools if reader.readings[t.name].action not in TAKES or reader.readings[t.name].plural]
    kept = {name for tool in others for name in tool.properties}
    found = []
    for tool in tools:
        required = [name for name in reader.required(tool) if name in reader.values(tool)]
        named = any(id_target(name, own.noun) == own.noun or is_natural_key(name, own) for name in required)
        if tool in others or named:
            continue
        unknown = [name for name in required if name not in kept and _is_unknown(reader, name)]
        unknown = [name for name in unknown if _is_free(reader, tool, name, own)]
        alone = [name for name in unknown if len(required) == 1 or _only_here(reader, tool, name, own)]
        if len(alone) == 1:
            found.append((str(id_target(alone[0], "")), own.noun))
    return found


def _is_free(reader: Reader, tool: ToolSpec, name: str, own: Entity) -> bool:
    """Whether an id may be another name for the record's: no listed value, no `..._by_team`, no part of the noun."""
    target = str(id_target(name, ""))
    spoken = set(target.split("_")) <= {singular(word) for word in words_of(tool.name)} - set(own.noun.split("_"))
    return not (scalar_choices(reader.properties(tool)[name]) or spoken or own.noun.endswith(f"_{target}"))


def _is_unknown(reader: Reader, name: str) -> bool:
    """Whether an id names what no tool is about, by any of its words."""
    target = id_target(name, "")
    if not target or target.split("_")[0] in _ASIDE:
        return False
    return not any(noun in reader.by_noun for noun in (target, target.rpartition("_")[2], *synonyms(target)))


def _only_here(reader: Reader, tool: ToolSpec, name: str, own: Entity) -> bool:
    """Whether only tools about such records take a parameter, and its words speak of one."""
    takers = [other for other in reader.spec.tools if name in reader.properties(other)]
    target, words = str(id_target(name, "")), set(map(singular, words_of(about(reader.properties(tool)[name]))))
    part = target in own.noun or own.noun.rpartition("_")[2].startswith(target)
    return all(reader.entity_of(other) is own for other in takers) and (part or own.noun.rpartition("_")[2] in words)


def names_alike(reader: Reader, tool: ToolSpec, parameter: str, target: str, own: Entity) -> bool:
    """`messageRuleId` of a tool about mail rules: another front word before what the record is called at last.

    So is an id that names such a record by its words, where no other that is required does by its name.
    """
    said = about(reader.properties(tool)[parameter])
    apart = names_kin(parameter, said) or bool(_OTHERS & set(target.split("_")))
    if not apart and parameter in reader.required(tool) and _takes_one(reader, tool, own):
        told = _spoken_noun(reader, target, said)
        if told and reader.by_noun[told] is own:
            return True
    front, _, last = target.rpartition("_")
    if not front or front.split("_")[0] in _ASIDE or own.noun.rpartition("_")[2] != last or own.noun == last:
        return False
    if reader.readings[tool.name].action not in TAKES or own.noun not in reader.kept():
        return False
    targets = [id_target(name, own.noun) for name in reader.required(tool)]
    others = [other for other in targets if other and other.rpartition("_")[2] == last]
    return others == [target]


def refers_back(reader: Reader, tool: ToolSpec, name: str) -> bool:
    """Whether what a tool makes or changes names another record of its kind: the page above a page."""
    reading, schema = reader.readings[tool.name], reader.properties(tool)[name]
    back = names_kin(name, about(schema)) and name != "id" and reading.noun in reader.kept()
    return back and reading.action in ("create", "update") and "array" not in types_of(schema)


def _takes_one(reader: Reader, tool: ToolSpec, own: Entity) -> bool:
    """Whether a tool works on a record that is listed, and none of its parameters is called the id of one."""
    named = any(id_target(name, own.noun) == own.noun for name in reader.required(tool))
    return reader.entity_of(tool) is own and reader.readings[tool.name].action in TAKES and not named


def told_noun(reader: Reader, tool: ToolSpec, parameter: str, target: str) -> str:
    """The noun of the records that an id names where none is called just so, by its words or the tool's; "" for none.

    "The ID of the discussion topic" as `topic_id`, "user ID of the assignee", `field_id` of lane field options.
    """
    known = reader.by_noun.get(target)
    if known is not None and not known.implied and is_shown(reader, target):
        return ""
    spoken = " ".join(
        singular(word) for word in (*words_of(tool.name), "of", *words_of(reader.readings[tool.name].noun))
    )
    found = [noun for noun in sorted(reader.kept()) if noun in reader.by_noun and alike(target, noun)]
    named = [noun for noun in found if f" {noun.replace('_', ' ')} " in f" {spoken} "]
    named = [noun for noun in named if noun != reader.readings[tool.name].noun]
    best = max((len(noun.split("_")) for noun in named), default=0)
    named = [noun for noun in named if len(noun.split("_")) == best]
    if len(named) == 1:
        return named[0]
    said = about(reader.properties(tool).get(parameter, {}))
    told = _spoken_noun(reader, target, said)
    if told == reader.readings[tool.name].noun and parameter != "id" and not names_kin(parameter, said):
        told = ""
    return told or (found[0] if len(found) == 1 else _told_once(reader, target))


def _told_once(reader: Reader, target: str) -> str:
    """The noun that the words of such an id name in any tool, where they name one."""
    if target not in reader.told:
        told = {
            noun
            for tool in reader.spec.tools
            for name, schema in reader.properties(tool).items()
            if id_target(name, "") == target and (noun := _spoken_noun(reader, target, about(schema)))
        }
        reader.told[target] = told.pop() if len(told) == 1 else ""
    return reader.told[target]


def is_shown(reader: Reader, noun: str) -> bool:
    """Whether some tool lists, gets or makes records of just this noun."""
    own = reader.by_noun[noun]
    does = {reader.readings[tool.name].action for tool in reader.spec.tools if reader.entity_of(tool) is own}
    return bool(does & {"list", "search", "get", "create", "copy"})


def _spoken_noun(reader: Reader, target: str, said: str) -> str:
    """The noun with tools of its own that a description says the id is one of."""
    known = (noun for noun in spoken_nouns(target, said) if noun in reader.by_noun)
    return next((noun for noun in known if not reader.by_noun[noun].implied and is_shown(reader, noun)), "")
