"""Flags that say how a tool works or shows what it found, by their descriptions: they are no values of records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from services_app.builders.plan import Entity
from services_app.builders.prose import about
from services_app.builders.roles import Role, key_of
from services_app.builders.states import is_state, work_said
from services_app.specs.documented import documented_values
from services_app.specs.vocabulary import plural_of, types_of

Schema = Mapping[str, Any]
Manner = Literal["", "markdown", "ids", "short", "full", "include", "validate", "unique", "convert", "other"]

_BEFORE = re.compile(
    r"^\W*(?:(?:optional(?:ly)?|boolean|flag|default \w+)\W+)*"
    r"(?:(?:if|when|set) (?:this (?:is )?)?(?:set )?(?:to )?[`'\"]?(?:true|enabled)[`'\"]?,?\s*(?:to )?|"
    r"whether (?:or not )?to |"
    r"boolean to |whether the (?:response|result) should (?:be )?|flag to |controls whether to )?",
    re.IGNORECASE,
)
_SAYS: tuple[tuple[Manner, re.Pattern[str]], ...] = (
    ("markdown", re.compile(r"(?:convert|format|render|return|output|show|give)\w*\b[^.]*\b(?:markdown|md)\b", re.I)),
    ("ids", re.compile(r"(?:return|list|show|give)s?\b[^.;]*\b(?:only (?:\w+ )?ids|ids only)\b|ids only", re.I)),
    ("validate", re.compile(r"(?:validat|verif)\w*|check (?:the )?(?:signature|checksum)", re.I)),
    ("unique", re.compile(r"de-?dup\w*|(?:remove|drop|collapse|merge|skip) duplicates?", re.I)),
    (
        "short",
        re.compile(
            r"(?:return|show|give|use|output|get)s? (?:a |the )?(?:minimal|short|compact|brief|concise|"
            r"only (?:limited|fewer|basic|minimal|the most important) (?:fields|data|information|properties))",
            re.I,
        ),
    ),
    ("full", re.compile(r"(?:return|show|give|get|fetch)s? (?:the )?full (?!text)", re.I)),
    (
        "include",
        re.compile(
            r"(?:also )?(?:includ(?:e|es|ing)\b|return (?:additional|extra|all fields)|"
            r"(?:return|append)s? [^.]*\bin the (?:response|result)s?\b)",
            re.I,
        ),
    ),
    ("convert", re.compile(r"(?:convert|format|render|translate|simplify|compact|prettif|shorten|replace)\w*\b", re.I)),
)
_CHOOSES = re.compile(
    r"\bonly\b|\bfilter|\bexclusively|\brestrict|\blimit(?:s|ed)? to|\bexclude|\bare\b.*\bor not\b", re.I
)
_WHETHER = re.compile(r"^\W*(?:whether|flag) (?:or not )?to ", re.IGNORECASE)
_CALL = re.compile(r"\bssl\b|\btls\b|\bcertificate|\bcache|without authentication|\bserverless service", re.IGNORECASE)
_STATE = ("is_", "has_", "only_")
_PLACES = frozenset("relays nodes endpoints hosts servers providers".split())
_ASKED = re.compile(r"\bto (?:query|use|connect|ask|contact|search|fetch|read)\b", re.IGNORECASE)
_REACHED = ("base_url", "api_url", "region_url", "server_url", "instance_url", "instance")
_SERVED = re.compile(
    r"\boverrides?\b|\bfor this call\b|\bself-hosted\b|\bomit for (?:the )?default\b|\bserver default\b", re.IGNORECASE
)
_CONTROLS = frozenset("inclusive recursive all nested exact ignore_case case_sensitive".split())

REASONS: dict[Manner, str] = {
    "validate": "presentation: every record of a simulated service is valid, so the check leaves them as they are",
    "unique": "presentation: no record is kept twice, so there are no duplicates to leave out",
    "convert": "presentation: values are shown as they are kept",
    "other": "presentation: it says how the work is done, and the records are the same either way",
}
PLACE = "transport: a simulated service answers from one place, whichever are named"


def manner_of(name: str, schema: Schema) -> Manner:
    """What a flag asks for, by its description; "" for a flag that records have, and for anything but a flag."""
    key, said = key_of(name), about(schema)
    if types_of(schema) - {"null"} != {"boolean"} or key.startswith(_STATE) or key.endswith("_only"):
        return ""
    rest = _BEFORE.sub("", said, count=1)
    first = re.split(r"\.\s|;|\n", rest)[0]
    found: Manner = next((manner for manner, words in _SAYS if words.match(rest)), "")
    if found == "markdown" or found == "ids" or (found == "short" and "limited" in first.lower()):  # noqa: PLR1714 - so that its type is kept
        return found
    if _CHOOSES.search(first):
        return ""
    if found == "include" and key in _CONTROLS:
        return "other"
    return found or ("other" if _WHETHER.match(said) or not is_state(name, schema) else "")


def is_about_call(name: str, schema: Schema) -> bool:
    """Whether a parameter says how a service is reached: which relays to ask, whether to trust a certificate."""
    kinds = types_of(schema) - {"null"}
    if kinds == {"boolean"}:
        return _CALL.search(about(schema)) is not None and manner_of(name, schema) in ("", "other")
    words = key_of(name).removesuffix("_urls").removesuffix("_url")
    if kinds == {"string"} and key_of(name).endswith(_REACHED) and _SERVED.search(about(schema)):
        return True  # a base URL for this call
    return "array" in kinds and words in _PLACES and _ASKED.search(about(schema)) is not None


def role_said(name: str, schema: Schema, *, reads: bool) -> Role:
    """The role of an optional parameter whose name alone says nothing."""
    if not reads and "boolean" not in types_of(schema) and is_about_call(name, schema):
        return "transport"
    if not reads:
        flag = types_of(schema) - {"null"} == {"boolean"}
        done = work_said(schema) if flag else ""
        return "dry_run" if done == "dry_run" else "presentation" if done == "presentation" else "value"
    if is_about_call(name, schema):
        return "transport"
    return "presentation" if manner_of(name, schema) else "value"


_COUNTS = re.compile(r"^\W*(?:the )?(?:max(?:imum)? )?number of\b|^\W*page (?:number|size)\b", re.IGNORECASE)
_WHETHER = re.compile(r"^\W*(?:whether|if true|when (?:true|enabled|set to true)|set to true)\b", re.IGNORECASE)


def with_documented(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with the values that its description lists as its choices, and with the type that its words tell."""
    if schema.get("description") and not types_of(schema) and not set(schema) & {"enum", "const", "$ref", "allOf"}:
        counts = _COUNTS.match(str(schema["description"])) is not None
        said = "boolean" if _WHETHER.match(str(schema["description"])) else "integer" if counts else "string"
        schema = {**schema, "type": said}
    values = documented_values(name, schema)
    if not values:
        return dict(schema)
    if "array" in types_of(schema):
        return {**schema, "items": {**(schema.get("items") or {}), "enum": list(values)}}
    return {**schema, "enum": list(values)}


def shows_more(name: str, schema: Schema, own: Entity) -> bool:
    """Whether a flag brings rows that are hidden without it: "include drill incidents" of a list of incidents."""
    noun, key = plural_of(own.noun.rsplit("_", 1)[-1]), key_of(name)
    said = re.search(rf"\binclud\w* ((?:[\w()-]+ ){{1,4}}?){noun}\b", about(schema), re.IGNORECASE)
    return manner_of(name, schema) == "include" and said is not None and key in said[1].casefold().split()
