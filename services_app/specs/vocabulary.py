"""Reading tool names: what a tool does (verb), to what (noun), and which parameters are ids.

Both the rules builder and the adversarial suite read names this way; neither sees the other's work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

Action = Literal["get", "list", "search", "count", "create", "update", "delete", "status", "link", "copy", "other"]

_WORDS: dict[Action, str] = {
    "get": "get read retrieve describe show fetch view load lookup inspect open download export",
    "list": "list browse enumerate all ls",
    "search": "search find query filter discover",
    "count": "count",
    "create": (
        "create add new insert register place book make post submit schedule log record write save store upload append "
        "upsert draft send reply forward broadcast import enroll reserve"
    ),
    "update": (
        "update edit modify change rename patch set adjust configure move transfer replace reschedule put revise rate "
        "grade"
    ),
    "delete": "delete remove destroy purge erase drop trash uninstall unregister unset",
    "status": (
        "cancel publish unpublish complete finish close reopen approve reject decline accept activate enable resume "
        "reactivate deactivate disable suspend pause start stop end lock unlock archive unarchive restore acknowledge "
        "resolve void finalize revoke expire snooze dismiss mark ship deliver pay refund confirm unsuspend untrash "
        "hide unhide mute unmute block unblock launch hold release pin unpin unpause abort terminate withdraw silence "
        "unresolve unschedule deny authorize deauthorize kill skip unskip cordon uncordon freeze unfreeze"
    ),
    "link": (
        "link unlink assign unassign attach detach share unshare follow unfollow star unstar tag untag grant invite "
        "associate disassociate subscribe unsubscribe like unlike favorite unfavorite favourite unfavourite bookmark "
        "unbookmark watch unwatch join leave vote"
    ),
    "copy": "copy clone duplicate fork",
    # Verbs that no rule covers: known, so that the noun after them is not taken for a verb.
    "other": (
        "run execute trigger merge compute calculate convert validate check manage generate format verify analyze "
        "navigate click evaluate preview test parse extract import compare estimate transform render deploy sync wait"
    ),
}
ACTION_OF: dict[str, Action] = {word: action for action, words in _WORDS.items() for word in words.split()}
# Nouns as often as verbs: they count as verbs only when no other verb is in the name.
_WEAK = frozenset(
    (
        "record", "log", "post", "all", "tag", "star", "share", "order", "store", "open", "book", "filter", "draft",
        "reply", "view", "import", "export", "download", "upload", "copy", "follow", "vote", "like", "watch", "pin",
        "hold", "release", "block", "end", "start", "test", "check", "format", "render", "place", "new",
        "count", "query", "search", "schedule", "link", "lock", "invite", "report", "run", "merge", "set", "group",
        "preview", "estimate", "deploy", "sync", "transfer", "move", "launch", "favorite", "trash", "archive",
        "favourite", "bookmark",
    )
)  # fmt: skip
# Nouns, or parts of them, wherever they do not come first: an exchange rate.
_FIRST_ONLY = frozenset(("rate", "grade", "reserve", "fork", "silence", "skip", "abort", "kill", "enroll"))
# What such a verb makes is not what its name speaks of: enroll_user_in_course makes an enrollment.
_MADE = {"enroll": "enrollment", "reserve": "reservation"}
# Words that no rule covers and that do something all the same: alone they would be taken for a part of a noun.
_DOES = frozenset(
    (
        "reorder rearrange reload refresh install swap clear dispatch bulk batch transition summarize "
        "summarise identify recommend screenshot setup pull inject split combine flush rotate regenerate "
        "rebuild reindex migrate reprocess promote demote undo redo retry requeue fire trigger toggle switch "
        "connect disconnect login logout capture simulate optimize predict detect recalculate refactor "
        "scaffold bootstrap initialize seed truncate"
    ).split()
)
_IRREGULAR = {
    "movies": "movie", "cookies": "cookie", "calories": "calorie", "shelves": "shelf", "leaves": "leaf",
    "people": "person", "children": "child", "indices": "index", "vertices": "vertex", "matrices": "matrix",
    "halves": "half", "lives": "life", "men": "man", "women": "woman", "feet": "foot", "analyses": "analysis",
}  # fmt: skip
_PLURALS = {one: many for many, one in _IRREGULAR.items()}
UNLINKS = frozenset(
    (
        "unlink unassign detach unshare unfollow unstar untag disassociate unsubscribe unlike unfavorite unfavourite "
        "unbookmark unwatch leave"
    ).split()
)
READS: frozenset[Action] = frozenset({"get", "list", "search", "count"})
WRITES: frozenset[Action] = frozenset({"create", "update", "delete", "status", "link", "copy"})
_STOP = frozenset(
    (
        "by for from in of with to on at a an the and my into using via within without through associated assigned"
    ).split()
)
# `add` is arithmetic, not a creation, when numbers are added.
_COMPUTES = re.compile(
    r"\badd(s|ing)? (two|any number of|all|a list of)\b[^.]*\b(numbers|vectors|matrices|tensors)\b", re.I
)
_ID = re.compile(
    r"^(?:(?P<of>.+?)(?<!_or)_)?(?P<kind>ids?(?:_or_(?:keys?|names?|slugs?|alias|emails?|numbers?|iids?|codes?))?|"
    r"(?:keys?|names?|slugs?)_or_ids?|uuids?|guids?|uids?|arns?|iids?|urns?)$"
)
_GLUED_ID = re.compile(r"^(?P<of>(?:.+_)?[a-z]{3,})id$")  # `userid`
_NOT_IDS = frozenset(
    (
        "grid", "paid", "valid", "invalid", "void", "avoid", "android", "fluid", "solid", "hybrid", "rapid", "said",
        "raid", "unpaid", "prepaid", "covid", "liquid", "acid", "humid", "vivid", "plaid", "braid", "mermaid",
    )
)  # fmt: skip
# Words that end like a plural and are none.
_SINGULAR = frozenset(
    (
        "settings", "details", "statistics", "stats", "news", "series", "analytics", "metrics", "dns", "sms", "aws",
        "status", "address", "access", "process", "progress", "basis", "analysis", "canvas", "kubernetes", "os",
        "preferences", "permissions", "credentials", "this", "has", "is", "as", "css", "js", "https", "gas",
        "business", "class",
    )
)  # fmt: skip


_FILLER = frozenset(("list", "details", "detail", "info", "information", "all", "tool", "bulk", "batch", "controller"))


@dataclass(frozen=True, slots=True)
class Reading:
    """A tool name as read: `create_calendar_event` is create / event, in words calendar event."""

    verb: str
    action: Action
    noun: str
    """Singular, words joined by `_`; "" when the name has none."""
    plural: bool


def words_of(name: str) -> list[str]:
    """Lower-case words of an identifier in any convention."""
    return list(_words(name))


@lru_cache(maxsize=65_536)  # names are read again by each rule
def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return [word for word in re.split(r"[^A-Za-z0-9]+", spaced.lower().replace("_", " ")) if word] or re.findall(
        r"[a-z0-9]+", name.lower()
    )


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """English singular of a plural noun, by ending."""
    if word in _SINGULAR:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, replacement in (
        ("ies", "y"),
        ("sses", "ss"),
        ("shes", "sh"),
        ("ches", "ch"),
        ("xes", "x"),
        ("uses", "us"),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + replacement
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def plural_of(word: str) -> str:
    """English plural of a noun, by ending."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word in _SINGULAR and not word.endswith("ss") and word not in ("status", "basis", "analysis", "canvas"):
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def shared_prefix(names: Iterable[str]) -> str:
    """A first word that at least half of three or more tools share and that is no verb; "" if there is none."""
    firsts = Counter(words[0] for words in map(words_of, names) if len(words) > 1)
    total = sum(firsts.values())
    if not firsts:
        return ""
    word, uses = firsts.most_common(1)[0]
    return word if total >= 3 and uses * 2 >= total and word not in ACTION_OF else ""


# `open` is a verb of state where the description says so: "Mark a fulfillment as open".
_STATE = re.compile(r"\s*(?:marks?|sets?|transitions?|re-?opens?)\b", re.IGNORECASE)
_TO_DEFAULT = re.compile(r"\breset\w*\b[^.]*\bto (?:its|the|their) default", re.IGNORECASE)


def read_name(name: str, prefix: str = "", description: str = "") -> Reading:
    """Read one tool name; `prefix` is the server's shared first word, which is skipped.

    A name without a verb is read by the first words of the description, else as a list when its noun is plural.
    """
    words = words_of(name)
    if prefix and len(words) > 1 and words[0] == prefix:
        words = words[1:]
    if words[:1] == ["reset"] and len(words) > 1 and _TO_DEFAULT.search(description):
        return Reading("reset", "update", _noun(words[1:])[0], plural=False)
    at = _verb_position(words)
    if len(words) == 1 and words[0] in _WEAK:  # git_log: a noun, if the description has a verb
        described = _read_without_verb(words, description)
        at = None if described.verb not in ("", *words) else at
    if at is None:
        return _read_without_verb(words, description)
    # boond_contacts_get, but also database_get_by_id: the noun stands before a verb that only a key follows.
    answers = words[at : at + 2] == ["reply", "to"] and at + 2 < len(words)
    follows = answers or (at + 1 < len(words) and words[at + 1] not in _STOP)
    rest = words[at + 1 :] if follows else words[:at] or words[at + 1 :]
    noun, plural = _noun(rest)
    verb, action = words[at], ACTION_OF[words[at]]
    if verb in _MADE:
        return Reading(verb, "create", _MADE[verb], plural=False)
    if action in WRITES and _COMPUTES.search(description):
        return Reading(verb, "other", noun, plural)
    if verb == "open" and _STATE.match(description):
        return Reading("open", "status", noun, plural=False)
    if action == "get" and len(rest) > 1 and rest[-1] in ("count", "total"):
        action = "count"
        noun, plural = _noun(rest[:-1])
    elif action == "get" and (plural or rest[-1:] == ["list"]):
        action = "list"
    return Reading(verb, action, noun, plural)


def _read_without_verb(words: list[str], description: str) -> Reading:
    noun, plural = _noun(words)
    for at, word in enumerate(words_of(description[:60])[:2]):
        verb = word if word in ACTION_OF else singular(word)
        if at and verb in _WEAK and verb != word:  # "Remaining posts", "Aggregate records"
            continue
        if verb in ACTION_OF and verb not in ("all", "new", "import", *_FIRST_ONLY):
            action = "other" if _COMPUTES.search(description) else ACTION_OF[verb]
            return Reading(verb, "list" if action == "get" and plural else action, noun, plural)
    does = {*words[:1], *map(singular, words_of(description[:60])[:1])} & _DOES
    return Reading("", "list" if plural and not does else "other", noun, plural)


def _verb_position(words: list[str]) -> int | None:
    weak = [
        index
        for index, word in enumerate(words)
        if word in ACTION_OF
        and not (index and word in _FIRST_ONLY)
        and not (word == "store" and 0 < index < len(words) - 1)  # app_store_search
    ]
    strong = [index for index in weak if words[index] not in _WEAK]
    if strong:
        return strong[0] if strong[0] == 0 else strong[-1] if strong[-1] == len(words) - 1 else strong[0]
    return weak[0] if weak and (weak[0] == 0 or len(weak) == 1) else None


def _noun(words: list[str]) -> tuple[str, bool]:
    """The noun phrase before the first preposition; a list's own word ("list", "details") is dropped."""
    kept: list[str] = []
    for word in words:
        if word in _STOP:
            if kept:
                break
            continue
        kept.append(word)
    if kept[:1] == ["force"]:  # force_terminate
        kept.pop(0)
    if len(kept) > 2 and kept[0] == "or":  # create_or_update_route
        kept = kept[2:]
    while len(kept) > 1 and kept[-1] in _FILLER:
        kept.pop()
    while len(kept) > 1 and kept[0] in ("all", "new", "single", "specific", "bulk", "batch", "multiple"):
        kept.pop(0)
    if not kept:
        return "", False
    last = singular(kept[-1])
    return "_".join([*kept[:-1], last]), last != kept[-1]


def id_target(parameter: str, noun: str) -> str | None:
    """The entity that an id parameter names: `ticket_id` -> ticket, `id` -> the tool's own noun, others None."""
    key = "_".join(words_of(parameter))
    match = _ID.match(key)
    if match is None and key.rsplit("_", 1)[-1] not in _NOT_IDS:
        match = _GLUED_ID.match(key)
    if match is None:
        return None
    of = match["of"]
    return noun if not of else "_".join([*words_of(of)[:-1], singular(words_of(of)[-1])])


def types_of(schema: Mapping[str, Any]) -> set[str]:
    """JSON types that a parameter schema names, also inside anyOf and oneOf."""
    kind = schema.get("type")
    found = set(kind) if isinstance(kind, list) else {kind} if isinstance(kind, str) else set()
    for word in ("anyOf", "oneOf"):
        for branch in schema.get(word) or ():
            if isinstance(branch, Mapping):
                found |= types_of(branch)
    return found


_TOLD_APART = re.compile(r"^(?P<base>[a-z_]+_id)_[A-Z][A-Za-z]+$")


def base_name(parameter: str) -> str:
    """`board_id` for `board_id_PlatformFileUpload`: what is behind it only tells it from others of that name."""
    found = _TOLD_APART.match(parameter)
    return found["base"] if found else parameter
