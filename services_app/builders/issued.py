"""What a new record gets from the server and no caller sends: its address, a token, a secret, a key."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, add_field
from services_app.builders.plan import Entity, Plan, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import words_of

_ADDRESSES = frozenset("url link uri permalink".split())
_SECRETS = frozenset("token secret password key".split())
# Before such a word: the address or token is the record's own, and not that of a picture or of a receiver.
_OWN = frozenset(
    (
        "web html api self public share shared sharing shareable short view download upload edit join invite "
        "invitation checkout payment portal access refresh client signing session embed embedded preview hosted "
        "monitor presigned signed meeting permanent guest deep authentication auth initialization full new routing "
        "integration webhook one time once page secure side bearer"
    ).split()
)
_OWN_TEXT = "|".join(sorted(_OWN))
_TOLD = re.compile(
    rf"(?<!to )\b(?:returns?|returning|generates?|get|includes?|shows?)\b[^.;\n]{{0,60}}?\b"
    rf"(?P<whose>{_OWN_TEXT}) (?P<thing>url|link|token|secret|key)\b(?! (?:is|must|to use|of the|from)\b)",
    re.IGNORECASE,
)
_MANNERS = frozenset("full new secure time once side one page presigned signed permanent".split())
_AND_LINK = re.compile(r"\breturns? (?:the )?\w+ (?:details|data|id)? ?(?:and|with) an? (?P<thing>link|url)\b", re.I)
_LINKS = frozenset(
    "public share shared sharing payment download upload checkout invite invitation portal meeting join preview".split()
)


def give_issued(reader: Reader) -> None:
    """Let creations fill what only the server knows, where the words, the noun or the records speak of it."""
    specs = {tool.name: tool for tool in reader.spec.tools}
    for planned in reader.plan.every():
        own = reader.plan.entities.get(planned.entity)
        if planned.kind != "create" or own is None or planned.name not in specs:
            continue
        _note_told(reader, specs[planned.name], planned, own)
        sent = _sent(reader.plan, own)
        planned.write.issued = {
            name: "url" if words_of(name)[-1] in _ADDRESSES else "token"
            for name, known in own.fields.items()
            if known.type == "str" and not known.target and not known.choices and name not in sent
            if _is_issued(name, own)
        }


def _note_told(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    """Give the records the field for what the description or the noun of a creation speaks of."""
    name = _told_name(tool, own)
    thing = words_of(name)[-1:]
    asked_keys = {key_of(other) for other in reader.properties(tool)}
    asked = {key.rsplit("_", 1)[-1] for key in asked_keys}
    same = asked & (_ADDRESSES if thing and thing[0] in _ADDRESSES else {*thing})
    if not thing or (same and len(words_of(name)) == 1) or key_of(name) in asked_keys or "symbol" in asked:
        return
    sent = _sent(reader.plan, own)
    if any(words_of(known)[-1:] == thing and _is_issued(known, own) and known not in sent for known in own.fields):
        return
    if key_of(name) not in {key_of(known) for known in own.fields}:
        add_field(reader, own, name, {"type": "string"})
        own.fields[name].kind = "url" if thing[0] in _ADDRESSES else "hash"


def _told_name(tool: ToolSpec, own: Entity) -> str:
    found = _TOLD.search(tool.description)
    if found is not None:
        whose, thing = found["whose"].lower(), found["thing"].lower()
        return thing if whose in _MANNERS else f"{whose}_{thing}"
    linked = _AND_LINK.search(tool.description)
    if linked is not None:
        return linked["thing"].lower()
    *front, last = own.noun.split("_")
    if last in ("token", "password"):
        return last
    return "url" if last == "link" and set(front) & _LINKS else ""


def _is_issued(name: str, own: Entity) -> bool:
    """url, web_url, token, signing_secret, ticket_url of a ticket: not avatar_url, next_link or password_hint."""
    *front, last = words_of(name) or [""]
    if last in _ADDRESSES:
        return set(front) <= _OWN | set(own.noun.split("_"))
    if last not in _SECRETS:
        return False
    if last == "key":
        return bool(front) and front[-1] in ("routing", "integration", "signing")
    return set(front) <= _OWN and (bool(front) or last == "token" or own.noun.endswith(last))


def _sent(plan: Plan, own: Entity) -> set[str]:
    """Fields of an entity that some tool lets a caller set."""
    found = {own.natural_key, own.serial}
    for tool in plan.every():
        if tool.entity == own.noun:
            found |= {*tool.fields.values(), tool.write.once}
            found |= {*tool.write.keyed, *tool.write.adds.values(), *tool.write.constants}
    return found
