"""What the description of a bare `id` says that it names: "The unique identifier of the incident to modify"."""

from __future__ import annotations

import re
from collections.abc import Callable

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
