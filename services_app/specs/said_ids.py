"""What the description of a bare `id` says that it names: "The unique identifier of the incident to modify"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from services_app.specs.vocabulary import singular, words_of

_NAMES = re.compile(
    r"\b(?:ids?|identifier|uuid|guid)(?: or (?:key|name|slug))?(?: \([^)]*\))? (?:of|for) (?:the |an? |this )?"
    r"((?:[\w'-]+ ){0,3}[\w'-]+)"
)
_BEFORE = re.compile(r"^(?:the |an? )?(?:unique )?((?:[\w'-]+ ){1,3})(?:ids?|identifier)\b")
_ENDS = re.compile(
    r"\b(?:to|whose|that|which|from|for|in|into|containing|being|where|you|used|on|within|at|by|and|or|under|as|with)\b"
)
_KINDS = frozenset("parent specific existing given specified custom source target".split())
_FOREIGN = re.compile(
    r"\b(?:external|sis|integration|remote|third[- ]party|erp|vendor'?s?|your (?:own )?system)\b", re.I
)
_BARE = r"^\W*(?:optional\W+)?(?:the |an? )?(?:unique |numeric |internal |comma-separated |list of |array of )*"
_SPOKEN = (
    re.compile(rf"{_BARE}((?:[\w-]+ ){{1,3}})(?:ids?|identifiers?|uuids?)\b", re.I),
    re.compile(rf"{_BARE}(?:account )?(?:ids?|identifiers?|uuids?) of (?:the |an? )?((?:[\w-]+ ){{0,3}}[\w-]+)", re.I),
)
_STOPS = re.compile(rf"{_ENDS.pattern}|\bwho\b", re.I)
_WHICH = _KINDS - {"custom"} | frozenset("new destination optional numeric".split())
# Words of parameters that name another record of the same kind.
_KIN = frozenset(
    (
        "parent source original related linked previous next prerequisite predecessor successor replaced duplicate "
        "blocked blocking root ancestor"
    ).split()
)


def spoken_nouns(target: str, said: str) -> Iterator[str]:
    """Nouns of which an id names one by its words, likeliest first: `user` for "user ID of the assignee".

    `target` is what its name says. An id that another system gave names no record here.
    """
    if _FOREIGN.search(f"{target.replace('_', ' ')} {said}"):
        return
    plain = re.sub(r"\b[\w-]+'s | ?\([^)]*\)", "", said)
    for pattern in _SPOKEN:
        found = pattern.match(plain)
        words = [singular(word) for word in words_of(_STOPS.split(found[1])[0])] if found else []
        while len(words) > 1 and words[0] in _WHICH:
            words.pop(0)
        yield from ("_".join(words[start:]) for start in range(len(words)))


def names_kin(name: str, said: str) -> bool:
    """Whether a parameter names another record of the tool's own kind: its parent, its source."""
    return bool(_KIN & set(words_of(name))) and not _FOREIGN.search(said)


def said_target(said: str, own: str, known: Callable[[str], bool]) -> str:
    """The noun, other than the tool's own, of which the description says that the id names one; "" for none.

    `known` says whether tools are about a noun.
    """
    named = _NAMES.search(said.lower())
    found = named or _BEFORE.search(said.lower())
    if found is None:
        return ""
    words = [singular(word) for word in words_of(_ENDS.split(found[1])[0])]
    while len(words) > 1 and words[0] in _KINDS:
        words.pop(0)
    mine = own.split("_")
    if not words or mine[-1] == words[-1] or (mine[-1] in words and not known("_".join(words))):
        return ""
    # an "Email message ID" may be known as one of a message, or of an email
    nouns = ("_".join(words),) if named else ("_".join(words), words[-1], words[0])
    return next((noun for noun in nouns if known(noun)), "")
