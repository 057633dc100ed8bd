"""What descriptions say that arguments must be like: one of several, never together, not too long, required when.

Only sentences that leave no doubt count: every name in them is a parameter, and nothing limits them further.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of, scalar_choices
from services_app.specs.documented import chooses_word, documented_values
from services_app.specs.figures import whole
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, types_of, words_of

Check = tuple[Any, ...]
_NAME = r"[`'\"]?[\w-]+[`'\"]?(?: parameter)?"
_LIST = rf"((?:{_NAME})(?:(?:, (?:or |and )?|/| or | and )(?:{_NAME}))*)"
_MUST = r"(?:is|are|must be|has to be|have to be) (?:required|provided|given|supplied|specified|set|passed|present)"
_GIVE = r"(?:provide|specify|pass|give|supply|send)"
_EITHER = re.compile(rf"\b(?:either|at least one of:?|exactly one of:?) {_LIST} {_MUST}\b", re.I)
_CHOOSE = re.compile(
    rf"\b{_GIVE} (?:either|exactly one of:?|at least one of:?|one of:?) {_LIST}(?=\s*(?:$|[(,—-]))", re.I
)
_APART = re.compile(
    r"\b(?:mutually exclusive with|cannot be (?:used|combined|specified)(?: together)? with|can't be used with) "
    rf"(?:the )?{_LIST}(?: parameters?)?(?=\s*(?:$|[()—]|- |on the same|in the same))",
    re.I,
)
_BOTH = re.compile(rf"^(?:\W|note:|important:)*{_LIST} are mutually exclusive\b", re.I)
_NEEDED = re.compile(
    r"\brequired (if|when|unless) (?:the )?[`'\"]?([\w-]+)[`'\"]?(?: parameter| is|'s)? ?([^.;)\n]*)", re.I
)
_FOR = re.compile(r"(?<!not )\brequired (?:only )?(?:for|with)(?: an?| the)? ([^.;:()\n]+)", re.I)
_AROUND = frozenset("type kind mode and or item order the only value a".split())
_ABSENT = re.compile(r"^(?:is |isn't |not |also )*(?:provided|given|set|specified|passed|present|supplied|used)$", re.I)
_LONG = re.compile(
    r"\b(?:max(?:imum)?(?: length)?(?: of| is|:)?|up to|at most|limited to|no more than|"
    r"(?:can't|cannot|must not) exceed) ([\d,]{1,9})[- ]char(?:acter)?s?\b|"
    r"\b([\d,]{1,9})[- ]char(?:acter)?s? max(?:imum)?\b",
    re.I,
)
_MANY = re.compile(
    r"\b(?:max(?:imum)?(?: of)?|up to|at most|limited to|no more than) (\d{1,3},\d{3}|\d{1,5}) (\w+)", re.I
)
_UNITS = frozenset("items item ids entries elements values records keys".split())
_CLOSED = re.compile(
    r"(?<!at least )(?<!e\.g\. )\bone of\b|\b(?:valid|allowed|accepted|possible|supported) (?:values|options)\b|"
    r"\bmust be (?:one of|either)\b|\beither ['\"`]|\bchoose from\b",
    re.I,
)
_OPEN = re.compile(
    r"\be\.?g\b|\bsuch as\b|\bfor example\b|\betc\b|\bor (?:any|an?|other|another|custom)\b|\bcustom\b|\bnumeric\b|"
    r"\bmust be provided\b|\bcomma|\bvaries\b|\bdepend|\bincluding\b|\bexamples?\b|\bcommon\b|"
    r"\bmay (?:also )?include\b|\bid of\b|\bpath\b|\burl\b",
    re.I,
)
_FEW_WORDS = 6
_TEXTS = frozenset("body text content message comment caption description".split())


def stated_checks(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> Iterator[Check]:
    """(recipe, its arguments) for what the descriptions ask of the arguments of one tool."""
    yield from _lengths(reader, tool, planned)
    yield from _closed(reader, tool, planned)
    if planned.origin:  # what is said of the whole tool need not hold for each of its actions
        for name, schema in reader.properties(tool).items() if planned.kind in ("create", "update") else ():
            yield from (check for check in _needed(reader, tool, name, about(schema)) if check[0] == "needed_when")
        return
    found: list[Check] = []
    for name, text in (("", tool.description), *((n, about(s)) for n, s in reader.properties(tool).items())):
        for sentence in _sentences(text):
            found += _together(reader, tool, name, sentence)
        if name:
            found += _needed(reader, tool, name, text)
    yield from dict.fromkeys(found)


def _closed(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> Iterator[Check]:
    """What a record may hold where the words list it and the schema does not: "One of: draft, sent"."""
    for name in planned.fields if planned.kind in ("create", "update") else ():
        schema = reader.properties(tool).get(name, {})
        said, own = about(schema), tool.properties.get(name, schema)
        plain = types_of(schema) - {"null"} == {"string"} and not own.get("enum") and name not in planned.parents
        values = _listed(name, schema) if plain and not _OPEN.search(said) else ()
        values = () if key_of(name) in map(key_of, values) else values  # "State/province" tells no values
        if len(values) > 1 and (_CLOSED.search(said) or (chooses_word(name) and _bare_list(said, values))):
            yield ("keeps_to", name, values)


def _bare_list(said: str, values: tuple[str, ...]) -> bool:
    """Whether a description says little but the values."""
    rest = said.casefold()
    for value in sorted(values, key=len, reverse=True):
        rest = rest.replace(value.casefold(), " ")
    return len(re.findall(r"[a-z]{3,}", rest)) <= _FEW_WORDS


def _sentences(text: str) -> Iterator[str]:
    yield from (part.strip() for part in re.split(r"[.;]\s|[.;]$|\n", text.replace("``", "`")) if part.strip())


def _together(reader: Reader, tool: ToolSpec, name: str, sentence: str) -> Iterator[Check]:
    said = _EITHER.search(sentence) or _CHOOSE.search(sentence)
    names = _names(reader, tool, name, said[1]) if said else ()
    if said and _conditional(sentence):
        return
    if said and len(names) > 1:
        alone = re.search(r"exactly one of|not both", sentence, re.I)
        if alone and name and not _EITHER.search(sentence):  # "provide either this or that, but not both"
            yield ("apart", tuple(sorted(names)))
        else:
            yield ("one_of", tuple(sorted(names)), bool(alone))
    said = _APART.search(sentence)
    whole = said is not None and "=" not in sentence[: said.start()]  # not where only one value is meant
    others = _names(reader, tool, name, said[1]) if said and whole and name else ()
    yield from (("apart", tuple(sorted((name, other)))) for other in others if other != name)
    said = _BOTH.search(sentence)
    both = _names(reader, tool, name, said[1]) if said else ()
    if len(both) > 1:
        yield ("apart", tuple(sorted(both)))


def _conditional(sentence: str) -> bool:
    return re.search(r"\b(?:if|when|unless|each|neither)\b", sentence, re.I) is not None


def _names(reader: Reader, tool: ToolSpec, this: str, said: str) -> tuple[str, ...]:
    """The parameters that a list names; () when one of its words is no parameter, or all must be sent anyway."""
    known = {key_of(name): name for name in reader.properties(tool)}
    found = []
    for word in re.split(r", (?:or |and )?|/| or | and ", said):
        plain = word.replace(" parameter", "").strip("`'\" ")
        name = this if plain.lower() == "this" else known.get(key_of(plain), "")
        if not name:
            return ()
        found.append(name)
    required = set(reader.required(tool))
    return () if required >= set(found) else tuple(dict.fromkeys(found))


def _needed(reader: Reader, tool: ToolSpec, name: str, text: str) -> Iterator[Check]:
    """Required when another parameter is sent, is not sent, or has a value."""
    properties = reader.properties(tool)
    known = {key_of(other): other for other in properties}
    yield from _needed_for(reader, tool, name, text)
    said = _NEEDED.search(text)
    other = known.get(key_of(said[2]), "") if said else ""
    if said is None or not other or other == name or name in reader.required(tool):
        return
    rest, unless = said[3].strip(), said[1].lower() == "unless"
    if _ABSENT.match(rest):
        absent = bool(re.search(r"\bnot\b|n't", rest)) or re.search(r"(?:isn't|is not)", said[0]) is not None
        if unless != absent:
            instead = re.compile(rf"\binstead of [`'\"]?{re.escape(name)}\b")
            more = [third for third, schema in properties.items() if instead.search(about(schema))]
            yield ("one_of", tuple(sorted({name, other, *more})), False)
        elif not unless:
            yield ("needed_with", name, other)
        return
    values = _values(properties[other], rest)
    if values and unless:
        yield ("needed_unless", name, other, values)
    elif values:
        yield ("needed_when", name, other, values)


def _needed_for(reader: Reader, tool: ToolSpec, name: str, text: str) -> Iterator[Check]:
    """Required for 'link' and 'file' items: the words are values of one other parameter, and say nothing else."""
    said = _FOR.search(text)
    words = re.findall(r"[\w.-]*\w", said[1]) if said else []
    if not words or name in reader.required(tool):
        return
    for other, schema in reader.properties(tool).items():
        choices = {key_of(value): value for value in _listed(other, schema)}
        values = tuple(choices[key_of(word)] for word in words if key_of(word) in choices)
        about_it = {singular(part) for part in (*words_of(other), *words_of(tool.name))}
        rest = {singular(word.lower()) for word in words if key_of(word) not in choices}
        if other != name and values and rest <= about_it | _AROUND:
            yield ("needed_when", name, other, tuple(dict.fromkeys(values)))
            return


def _listed(name: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    chosen = tuple(choice for choice in scalar_choices(schema) if isinstance(choice, str))
    return chosen or documented_values(name, schema)


def _values(schema: Mapping[str, Any], rest: str) -> tuple[str, ...]:
    """The values that "is 'a' or 'b'" names; () when the words say more than that."""
    plain = re.sub(r"^(?:is|=|equals|set to)+ ?", "", rest.strip(), flags=re.I)
    words = [word.strip("`'\" ") for word in re.split(r", (?:or )?| or |/", plain)]
    if "boolean" in types_of(schema):
        return (words[0].capitalize(),) if words in (["true"], ["false"]) else ()
    choices = {str(choice) for choice in scalar_choices(schema)}
    return tuple(words) if words and choices >= set(words) else ()


def _lengths(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> Iterator[Check]:
    """How long a text and how many items of a list may be, where only the words say it."""
    properties = reader.properties(tool)
    texts = [name for name, s in properties.items() if key_of(name) in _TEXTS and types_of(s) == {"string"}]
    overall = _LONG.search(tool.description) if len(texts) == 1 and not planned.origin else None
    for name, schema in properties.items():
        kinds, said = types_of(schema), _LONG.search(about(schema)) or (overall if name in texts else None)
        if said and "string" in kinds and "maxLength" not in schema and "array" not in kinds:
            yield ("at_most", name, whole(said[1] or said[2]), "characters")
        many = _MANY.search(about(schema))
        if many and "array" in kinds and "maxItems" not in schema and _counts(name, many[2]):
            yield ("at_most", name, whole(many[1]), "items")


def _counts(name: str, unit: str) -> bool:
    """Whether a unit counts the items of a list: items, or what the parameter is called."""
    return unit.lower() in _UNITS or unit.lower().rstrip("s") == key_of(name).rsplit("_", 1)[-1].rstrip("s")
