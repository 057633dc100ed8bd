"""Names of fields in prose that enumerates what an answer holds: "including total, used and free space in GB"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services_app.specs.vocabulary import id_target, singular

_INFORMATION = (
    "information|info|data|details?|metrics?|fields|attributes|properties|insights?|statistics|stats|figures|"
    "indicators?|metadata|analytics|facts|specifics|characteristics|measures|factors|points|elements|components|breakdown"
)
# Words that say: what follows is in the answer. `such as` and `like` say so only behind a word for information.
_CUE = re.compile(
    rf"(?:\b(?:including|includes?|containing|contains?|comprising|along with|together with|complete with)\b|"
    rf"\b(?:{_INFORMATION})(?: for [a-z ]{{3,30}})?,? (?:such as|like)\b|\bwith (?:their|its|the|each)\b|\bshows\b)"
    r"(?: also)?:?",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"\b(?:returns?|retrieves?|gets?|fetch(?:es)?|access|track|views?|provides?|offers?|delivers?|shows?|displays?|"
    r"lists?|gives?|reads?|looks? up|reports?|obtains?|discover|explore|monitor|each|information|details|result|"
    r"response|overview|summary|breakdown|snapshot|data)\b",
    re.IGNORECASE,
)
_NOT_SHOWN = re.compile(
    r"\b(?:filter\w*|sort\w*|search(?:es|ing)?|supports?|options?|optional|parameters?|paginat\w*|paging|criteria|"
    r"by default|if you|when|based on|according to|ranked by|grouped by|useful for|used to|use this|requires?|"
    r"cannot|does not|doesn't|without|except|excluding|rather than|instead|specify|provide an?)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?:\.\s|[;!?\n]|\.$|\s[-–—]\s|\b(?:for (?:a|an|the|all|any|each|every|your|specific|given|one|more|both|use|"
    r"multiple|various|listed|public\w*)\b|to (?:help|support|gain|make|identify|analy[sz]e|assess|understand|track|"
    r"monitor|stay|see|evaluate|determine|enable|inform|provide|get|ensure|find|compare|guide|optimi[sz]e)\b|"
    r"helping|allowing|enabling|making|which|so that|because|through the|using the|via|within|across|over a|"
    r"during|from the|in order|useful|for [a-z ]{3,20} (?:like|such as)|available|associated|based|related to|"
    r"categorized|sorted|filed|needed|used by|"
    r"in (?:a|an|the|this|your|one|real|JSON|CSV|markdown|structured|chronological)\b))",
    re.IGNORECASE,
)
_SPLIT = re.compile(r",\s*(?:and\s+|or\s+|plus\s+|&\s*)?|\s+(?:and|plus|&|as well as|along with)\s+|/(?=[a-z])")
_LEAD = re.compile(
    r"^(?:(?:the|its|their|a|an|all|any|each|both|current|basic|key|associated|related|full|complete|detailed|"
    r"other|relevant|important|essential|critical|various|also|and|or|such|as|like|corresponding|respective|general|"
    r"exact|specific|real-?time|comprehensive|up-to-date|additional|more|about|on|with|including)\s+)*",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:of|for|at|on|by|with|where|that|who|when|from|to|in|associated|if)\b.*$", re.IGNORECASE)
_OF = re.compile(
    r"^(number|percentage|percent|amount|rate|date|time|name|title|type|status|size|list|value|source|"
    r"level|cost|price|range|length) of (?:the |each |all |its |their |an? )?([a-z-]+)(?: .*)?$"
)
_UNIT = re.compile(
    r"\bin (GB|MB|KB|TB|bytes|meters|metres|kilometers|km|seconds|milliseconds|ms|minutes|hours|USD|EUR|"
    r"celsius|fahrenheit|KB/s|percent)\b",
    re.IGNORECASE,
)
_KINDS = re.compile(
    r"\b(?:types?|kinds?|variants?|values|formats|categories|statuses|states|ones|sources|list|mix|app)\W*$",
    re.IGNORECASE,
)
_COVERED = re.compile(
    r"\b(?:range|variety|selection|array|spectrum|number) of ([a-z -]+?),?\s*$|"
    r"\b(?:various|multiple|many|major) ([a-z -]+?),?\s*$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\b(?:use|call|see) (?:the )?(?:[`'\"]\w|[a-z]+[_-][a-z]|[a-z]+[A-Z])")
_PARENTHESES = re.compile(
    r"(?:(?<=analytics)|(?<=stats)|(?<=statistics)|(?<=metrics)|(?<=details)|(?<=information)|(?<=info)|"
    r"(?<=data)|(?<=metadata)|(?<=figures)) \((?!e\.?g|i\.?e|optional|required|default)([^()]{6,160})\)",
    re.IGNORECASE,
)
_OWN = re.compile(r"^(?:including|with|includes|containing|contains) (?:its|their)\b", re.IGNORECASE)
_INFORMS = re.compile(rf"\b(?:{_INFORMATION}|dates|prices|rates|scores|profile|overview|summary)\b", re.IGNORECASE)
_ARGUMENTS = re.compile(
    r"(?ims)^\s*(?:args?|arguments|parameters|params|inputs?|examples?|usage|## usage)\b[^\n]{0,40}:?\s*\n"
    r".*?(?=^\s*(?:returns?|output|response)\b|\Z)"
)
# Adjectives that stand alone in "total, used and free space": the noun comes last.
_LOOSE = frozenset(
    (
        "total used free available current average avg min max minimum maximum daily weekly monthly yearly annual open "
        "closed previous next first last high low upcoming active inactive pending completed failed overall gross net "
        "public private internal external bid ask opening closing circulating outstanding read unread sent received "
        "positive negative short long base quote estimated actual expected real original creation modification start "
        "end due home away local remote input output incoming outgoing buy sell entry exit estimated reported"
    ).split()
)
_WEAK = frozenset(
    (
        "more other others so on etc one ones it them they this that these those each all any some many most any "
        "information details data metadata info insights them anything everything much what how why where when is are "
        "was were be been has have had can may will not no only if then than so very both them use using used based "
        "list lists array object json csv markdown text format page results result response output items item "
        "record records entries entry example examples value fields tool api endpoint it's you your my our user's "
        "multiple different available supported specified matching relevant optional required filtering sorting paging "
        "pagination search filters filter query its their the like property properties"
    ).split()
)
_FIRST = frozenset("from in as to error no".split())
_LAST = frozenset("id ids identifier".split())


def enumerated_fields(description: str, *, many: bool = False) -> Iterator[str]:
    """Names of fields that enumerations say an answer holds; identifiers as they are, other words joined by `_`.

    "Access essential data such as CIK number, stock symbol and the exchange where it is listed" gives cik_number,
    stock_symbol and exchange. What filters, sorts or is only useful for something is no part of an answer, and
    "events, including conferences" (of `many`) are kinds of events.
    """
    text = _ARGUMENTS.sub("\n\n", f"{description}\n")
    for sentence in re.split(r"(?<=[.;!?])\s+|\n\s*\n|\n\s*[-*•]", text):
        plain = _PARENTHESES.sub(r", including \1", sentence)  # "analytics (reach, saves)"
        plain = " ".join(re.sub(r"\((?!e\.g\.)([^()]{0,60})\)", "", plain).split())
        first = _CUE.search(plain)
        if first is None or _ELSEWHERE.search(plain):
            continue
        shown = _SHOWS.search(plain[: first.start()] or plain[: first.end()])
        for cue in _CUE.finditer(plain) if shown else ():
            before, behind = plain[: cue.start()], plain[cue.end() :].strip(" :")
            if _NOT_SHOWN.search(before[-60:]) or _KINDS.search(before) or re.match("both |all |or ", behind):
                continue
            covered = _COVERED.search(before)
            if covered and not _INFORMS.search(covered[0]):  # "a wide range of commodities, including oil and gold"
                continue
            end = _END.search(behind)
            names = _names(behind[: end.start()] if end else behind)
            owned = _OWN.match(plain[cue.start() :]) is not None
            plain_plurals = many or all(name.endswith("s") for name in names)
            kinds = (
                not owned and plain_plurals and cue[0].lower() != "shows" and not _INFORMS.search(f"{before} {cue[0]}")
            )
            if not kinds and (len(names) > 1 or (names and owned)):
                yield from names


def _names(text: str) -> list[str]:
    """The names of one enumeration; [] for what is none: less than half of its parts are names."""
    if _NOT_SHOWN.search(text):
        return []
    unit = _UNIT.search(text)
    parts = [part.strip(" .:'\"`*") for part in _SPLIT.split(text) if part.strip(" .:'\"`*")]
    words = [_words(part) for part in parts]
    if 2 * sum(map(bool, words)) < len(words) or (len(words) == 2 and not words[1]) or " or all " in text:
        return []
    head = _head(words)
    names = []
    for part, phrase in zip(parts, words, strict=True):
        loose = len(phrase) == 1 and phrase[0] in _LOOSE
        whole = [*phrase, *head] if head and loose else phrase
        if loose and not head and phrase[0] in _WEAK:
            continue
        measured = unit is not None and (unit[0] in part or (head and whole[-1:] == head[-1:]))
        if unit is not None and measured and whole:
            whole = [*whole, re.sub("[^a-z]+", "_per_", unit[1].lower())]
        names.append("_".join(whole))
    return [name for name in names if name]


def _head(words: list[list[str]]) -> list[str]:
    """The noun behind the last adjective of "total, used and free space"; [] where each part has its own."""
    for number in range(len(words) - 1, 0, -1):
        if len(words[number]) == 2 and words[number][0] in _LOOSE and len(words[number - 1]) == 1:
            return words[number][1:] if words[number - 1][0] in _LOOSE else []
    return []


def _words(part: str) -> list[str]:
    """The words of one part without articles and what follows its noun; [] for what is no name."""
    if re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+", part):
        return [part] if id_target(part, "") is None else []
    plain = _LEAD.sub("", part).lower().replace("'s", "").replace("-", " ")
    of = _OF.match(plain)
    if of:
        counted = of[1] == "number"
        plain = of[2] if of[1] in ("list", "value") else f"{singular(of[2]) if counted else of[2]} {of[1]}"
        plain = plain.removesuffix(" number") + " count" if counted else plain
    plain = _TAIL.sub("", re.sub(r"\btime to (?=[a-z]+$)", "time_to_", plain)).strip()
    words = plain.split()
    if len(words) == 1 and words[0] in _LOOSE:
        return words
    if words in (["number"], ["total", "number"]):
        return []
    if not 1 <= len(words) <= 3 or not all(re.fullmatch(r"[a-z][a-z0-9_]*", word) for word in words):
        return []
    if words == ["percentage", "used"]:
        return words
    barred = words[0] in _FIRST or words[-1] in _LAST or words[-1].endswith(("ing", "ly"))
    return [] if barred or (set(words) & _WEAK and words[-1] != "value") else words
