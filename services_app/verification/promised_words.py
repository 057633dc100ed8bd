"""What the description of a tool says that its answer holds: "including size, type and timestamps".

Reads prose alone. A list is told where a cue such as "including" or "returns" leads to two things or more; vague words
(details, information) promise nothing that could be missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from services_app.specs.vocabulary import singular, words_of

Item = tuple[str, frozenset[str]]
"""What is promised as the text says it, and the stems of its words."""

_ARGUMENTS = re.compile(
    r"^[ \t>*#-]*(?:args|arguments|parameters|params|inputs?|examples?|usage(?: examples?)?|use (?:this|it)\b.*|"
    r"note|notes|important|errors?|raises|when to use|requires?|requirements|prerequisites|参数)\b"
    r"[^\n]{0,40}(?::|\n|$)",
    re.IGNORECASE | re.MULTILINE,
)
_RETURNS = re.compile(r"^[ \t>*#-]*(?:returns?|output|response)\b\s*:?\**\s*:?", re.IGNORECASE | re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=\s*[-*•])")
_CUE = re.compile(
    r"\b(?:including|includ(?:es?)|containing|contains|such as|consisting of|comprising|along with|"
    r"(?:obtain|provid(?:es?|ing)|returns?|offers?|displays?|shows?)(?: the| an?| its)?|with(?: its| their| the)?)\b:?",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\b(?:statistics|stats|metrics|fields|demographics|analytics|measurements|insights|properties|breakdown)\s*"
    r"(?:\((?!e\.g|i\.e|for example|optional|default|required|see )([^()]{8,200})\)|:\s+([^.\n]{8,200}))",
    re.IGNORECASE,
)
_DASHED = re.compile(r"^[^.:;—–]{4,80}\s[—–]\s+([^.;:—–()]{6,200})")
_JSON = re.compile(
    r"\breturns?\b(?:(?!\b(?:args|parameters|request|input|examples?:)\b).){0,500}?(\{\s*\"\w+\":.{0,900})", re.I | re.S
)
_JSON_NAMES = re.compile(r"\"(\w+)\"\s*:")
# Behind such words stand kinds of rows, or who answers, and not what a row holds.
_KINDS = re.compile(
    r"\b(?:filings?|forms?|changes?|actions?|events?|products?|commodities|reports?|documents?|topics?|categories|types|"
    r"services?|resources?|industries|sectors?|companies|activities|statements?|issues|cases|sites|platforms?|models|"
    r"entities|items|objects|things|tools|formats?)\W*$",
    re.IGNORECASE,
)
_NO_THING = re.compile(
    r"^(?:not|no|never|just|only|e\.g)\b|\b(?:API|tool|endpoint|service|error|null|true|false|status code \d+)$",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"^(?:and|or)\b.*\b(?:more|other)\b|^(?:many |much )?more\b|\.\.\.$|"
    r"\bfirst$|^(?:what|whether|how|which|where|when|who|why|a|an)\b",
    re.IGNORECASE,
)
# What follows such words speaks of what may be asked, or of what the tool is good for.
_ASKED = re.compile(
    r"\b(?:filter\w*|option\w*|support\w*|accept\w*|search\w* (?:by|for|across)|sort\w*|useful|ideal|perfect|helps?|"
    r"can|may|if|when|optional\w*|allow\w*|us(?:e|ed|ing|eful)|require\w*|need\w*|must|should|without|sources?|pagina\w*|"
    r"across|by|not|never|only|or|example|e\.g|unless|except|parameters?|quer(?:y|ies)|match\w*|related to)\b",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"\s*(?:[.;:!?\n(\[{\"“]|\b(?:for|to|that|which|who|whose|making|allow\w*|enabl\w*|help\w*|when|where|while|so|if|"
    r"based|from|using|via|with|by|across|as|is|are|can|will|through|including|such|sorted|filtered|given|"
    r"regarding|about|between|related|during|matching|without|but|not|over|like|offering|providing|ideal|"
    r"used (?:for|to|by|in|when)|into|"
    r"should|may|must|you|it|this|these)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and|or|as well as|plus)?|;|&|/|\b(?:and|or|as well as|plus)\b)\s+|\s*[&/]\s*")
_VAGUE_WORDS = (
    "detail info information metadata data more etc attribute insight overview summary comprehensive result list "
    "field property other object item record entry response content other relevant key all full complete basic "
    "additional specific various available current recent latest setting configuration context statistics metric "
    "everything parameter success pagination filter option support set collection array json format useful both same "
    "page cursor next structure general essential related thing one kind point figure profile access "
    "financial operational fundamental critical important material"
).split()
_SMALL = frozenset(
    (
        "a an the of in on at per and or each every any its their his her this that all both for by with full current "
        "new own no as to is are be overall total individual associated corresponding respective key real"
    ).split()
)
_LONGEST = 6
_BRACES = re.compile(r"(?:\breturns?\b|->|→|\bdata(?:\.\w+)?:)[^\n{}.]{0,80}\{([^\n]*)\}", re.IGNORECASE)
_NESTED = re.compile(r":\s*[\[{].*?[\]}]+(?=,|$)|:[^,{}\[\]]+")
# Around what is returned, by any name: none of it is missed.
_ENVELOPE = frozenset(
    (
        "success ok error errors message result results data iserror items status hint warnings total count page "
        "per_page has_more next_page offset limit total_pages next_cursor pagination meta page_size next_offset"
    ).split()
)
_NAMES = re.compile(r"[A-Za-z_]\w*")
_BULLETS = re.compile(
    r"\b(?:returns|response includes|output includes|result includes|results include)\b"
    r"(?!.{0,60}\b(?:types?|kinds|ways)\b)"
    r"[^\n]{0,90}:\**[ \t]*\n((?:[ \t]*(?:[-*•]|\d+\.)[ \t]+[^\n]+\n?(?:[ \t]{3,}\w[^\n]*\n)?)+)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d+\.)[ \t]+")
_NAME_END = re.compile(r"\s*(?:[:(—–]|\s-\s|\.\s)")


def promised_lists(description: str) -> Iterator[list[Item]]:
    """The lists of what the answer of a read holds, each of two things or more."""
    yield from returned_lists(description)
    for sentence in _sentences(description):
        for cue in _CUE.finditer(sentence):
            before = sentence[max(0, cue.start() - 70) : cue.start()]
            if _ASKED.search(before) or (cue[0][:3].lower() in ("inc", "suc") and _KINDS.search(before)):
                continue
            found = _items(_head(sentence[cue.end() :]))
            if len(found) > 1:
                yield found
                break
        for listed in (*_SHOWN.finditer(sentence), *_DASHED.finditer(sentence)):
            found = _items(next(part for part in listed.groups() if part))
            if len(found) > 1 + (listed.re is _DASHED) and not _ASKED.search(
                sentence[max(0, listed.start() - 70) : listed.start()]
            ):
                yield found


def returned_lists(description: str) -> Iterator[list[Item]]:
    """The lists of what any tool says that it returns: names in braces, or one a line behind `Returns ...:`."""
    for braces in _BRACES.finditer(description):
        yield from _told(_NAMES.findall(_NESTED.sub("", braces[1])))
    for sample in _JSON.finditer(description):
        yield from _told(list(dict.fromkeys(_JSON_NAMES.findall(sample[1].split("```")[0].split("\n\n")[0]))))
    for bullets in _BULLETS.finditer(description):
        lines = [_BULLET.sub("", line).strip() for line in bullets[1].splitlines() if _BULLET.match(line)]
        names = [_NAME_END.split(line, maxsplit=1)[0].strip(" `*\"'") for line in lines]
        if all(len(name.split()) <= _LONGEST for name in names):
            yield from _told([part for name in names for part in re.split(r"[,;/]\s*", name)])


def _told(names: list[str]) -> Iterator[list[Item]]:
    """The names as one list, without those that promise nothing; nothing where fewer than two are left."""
    items = [(name, stems_of(name)) for name in names if not _MORE.search(name) and name.lower() not in _ENVELOPE]
    if len(items) > 1:
        yield items


def _sentences(description: str) -> Iterator[str]:
    """Sentences about the tool and about what it returns, not about its arguments and its use."""
    returns = _RETURNS.search(description)
    first = _ARGUMENTS.search(description)
    head = description[: min([m.start() for m in (first, returns) if m is not None], default=len(description))]
    yield from (" ".join(sentence.split()) for sentence in _SENTENCE.split(head))
    if returns is not None:
        tail = description[returns.end() :]
        stop = _ARGUMENTS.search(tail)
        tail = tail[: stop.start()] if stop is not None else tail
        yield from (f"returns {' '.join(part.split())}" for part in _SENTENCE.split(tail)[:1])


def _head(text: str) -> str:
    stop = _STOPS.search(text)
    return text[: stop.start()] if stop is not None else text


def _items(text: str) -> list[Item]:
    """The things that a text lists; [] where one of them is too long to be the name of a thing."""
    parts = [part.strip(" ,.:*`'\"") for part in _BETWEEN.split(text)]
    parts = [part for part in parts if part and not _MORE.search(part)]
    if any(len(part.split()) > _LONGEST or _NO_THING.search(part) for part in parts):
        return []
    found = [(part, stems_of(part)) for part in parts]
    return [(part, stems) for part, stems in found if stems - VAGUE]


def stems_of(text: str) -> frozenset[str]:
    """The words of a phrase or a key that mean something, without their endings."""
    return frozenset(stem(word) for word in words_of(text) if word not in _SMALL)


def stem(word: str) -> str:
    """A word without plural and the commonest endings: `published`, `publication` and `publishing` are alike."""
    plain = singular(word)
    for ending in (
        "ization",
        "ation",
        "ition",
        "ings",
        "ing",
        "ated",
        "ed",
        "ion",
        "ment",
        "ity",
        "ies",
        "er",
        "e",
        "y",
    ):
        if plain.endswith(ending) and len(plain) - len(ending) >= 4:
            return plain[: -len(ending)]
    return plain


VAGUE = frozenset(stem(word) for word in _VAGUE_WORDS) | frozenset(_VAGUE_WORDS)
"""Stems of words that promise nothing that an answer could lack."""
