"""What special rules share: the frame of a function, rows of a table under a list's filters, parameters by role."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from services_app.builders.around import plan_around
from services_app.builders.entities import Reader, referred
from services_app.builders.homes import synonyms
from services_app.builders.outputs import wrap_of
from services_app.builders.plan import Entity, Fixture, ToolPlan
from services_app.builders.reads import plan_list
from services_app.builders.roles import is_format, key_of, role_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import Reading, id_target, plural_of, singular, types_of

TRANSPORT = "transport: taken and checked, without effect on a simulated service"
LANGUAGE = "the texts of a simulated service exist in one language"
ZONE = "all times of a simulated service are kept and shown in UTC"
_LANGUAGES = frozenset("lang language locale hl gl accept_language".split())
_ZONES = frozenset("timezone time_zone tz utc_offset".split())
_SECRETS = ("password", "passphrase", "secret_key", "api_key", "apikey", "token", "private_key", "username")


def frame(reader: Reader, tool: ToolSpec, about: str, base: ToolPlan | None = None) -> ToolPlan:
    """A plan of kind "written" without a body, with what every function needs: wrappers, headers, rendering.

    `base` is the plan of a list (`narrowed`): its entity, parents and filters are kept.
    """
    planned = base or ToolPlan(tool.name, "written", "")
    planned.name, planned.kind, planned.about, planned.select = tool.name, "written", about, ""
    planned.wrap = wrap_of(tool)
    planned.unwraps = reader.unwraps(tool)
    plan_around(reader, tool, planned)
    if planned.wrap in ("", "text"):
        planned.format = next((name for name in reader.properties(tool) if is_format(name)), "")
    return planned


def role(reader: Reader, tool: ToolSpec, name: str) -> str:
    """The role of a parameter of a tool that reads, whatever its name says; secrets count as transport."""
    key = key_of(name)
    if key in _SECRETS or key.endswith(("_api_key", "_secret", "_password")):
        return "transport"
    return role_of(name, reader.properties(tool)[name], reads=True)


def idle(reader: Reader, tool: ToolSpec, used: Collection[str] = ()) -> dict[str, str]:
    """Parameters that cannot change a result, each with the reason; those in `used` can.

    What is said about the call itself (headers, waiting times) is settled by `frame`.
    """
    found = {}
    for name in reader.properties(tool):
        key = key_of(name)
        if name in used or reader.role(tool, name) in ("transport", "header"):
            continue
        if role(reader, tool, name) in ("transport", "header"):
            found[name] = TRANSPORT
        elif key in _LANGUAGES or key in _ZONES:
            found[name] = LANGUAGE if key in _LANGUAGES else ZONE
    return found


def meaningful(reader: Reader, tool: ToolSpec) -> list[str]:
    """Parameters that are about the application, not about transport, language or rendering."""
    still = idle(reader, tool)
    about_call = {name for name in reader.properties(tool) if role(reader, tool, name) in ("transport", "header")}
    return [
        name for name in reader.properties(tool) if name not in still and name not in about_call and not is_format(name)
    ]


def narrowed(reader: Reader, tool: ToolSpec, own: Entity, noun: str, *, without: Iterable[str] = ()) -> ToolPlan | None:
    """The plan of the list of `own` under the tool's parameters, apart from `without`; None when no rule fits."""
    gone = set(without)
    kept = {name: schema for name, schema in reader.properties(tool).items() if name not in gone}
    required = [name for name in reader.required(tool) if name in kept]
    twin = tool.model_copy(
        update={
            "name": f"rows of {tool.name}",
            "input_schema": {**tool.input_schema, "properties": kept, "required": required},
        }
    )
    reader.readings[twin.name] = Reading("list", "list", noun, True)
    planned = plan_list(reader, twin, own)
    del reader.readings[twin.name]
    return None if isinstance(planned, str) else planned


def known_nouns(reader: Reader, tool: ToolSpec, *, listed: bool = False) -> dict[str, Entity]:
    """Nouns of the records that other tools of the specification read or make; with `listed` those of lists only."""
    found = {}
    for other in reader.spec.tools:
        reading = reader.readings[other.name]
        wanted = reading.action in ("list", "search") or (reading.action not in ("other", "count") and not listed)
        if other.name != tool.name and reading.noun and wanted:
            found[reading.noun] = reader.by_noun[reading.noun]
    return found


def named_entity(
    reader: Reader, tool: ToolSpec, words: list[str], about: str = "", *, listed: bool = False
) -> Entity | None:
    """The known entity that words name by their end, else the longest one that the description `about` mentions."""
    known = known_nouns(reader, tool, listed=listed)
    if words:
        parts = [*words[:-1], singular(words[-1])]
        for start in range(len(parts)):
            tail = "_".join(parts[start:])
            exact = [noun for noun in (tail, *synonyms(tail)) if noun in known]
            ending = [noun for noun in known if noun.endswith(f"_{tail}")]
            if exact or ending:
                return known[exact[0] if exact else _mentioned(ending, about) or min(ending)]
    found = _mentioned(known, about)
    return known[found] if found else None


def _mentioned(nouns: Iterable[str], about: str) -> str:
    text = about.lower()
    for noun in sorted(nouns, key=lambda noun: (-len(noun), noun)):
        words = noun.split("_")
        forms = (noun.replace("_", " "), " ".join([*words[:-1], plural_of(words[-1])]))
        if len(noun) > 3 and any(re.search(rf"\b{re.escape(form)}\b", text) for form in forms):
            return noun
    return ""


def id_parents(reader: Reader, tool: ToolSpec, names: Iterable[str]) -> dict[str, str]:
    """Id parameters -> the noun of the known entity that they name; ids of what no tool is about are left out."""
    known = known_nouns(reader, tool)
    found = {}
    for name in names:
        target = id_target(name, "")
        if target and "array" not in types_of(reader.properties(tool)[name]):
            entity = referred(reader, target) if target in reader.by_noun else known.get(target)
            if entity is not None and not entity.implied:
                found[name] = entity.noun
    return found


def add_fixture(reader: Reader, fixture: Fixture) -> None:
    """Give the service a table of fixed shape, once."""
    if fixture not in reader.plan.fixtures:
        reader.plan.fixtures.append(fixture)
