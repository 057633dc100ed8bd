"""Rules for tools that give a verdict and change nothing: check, validate, verify, test, estimate, preview, compare."""

from __future__ import annotations

import hashlib
import hmac
import re

from services_app.builders.body_parts import picked, returned
from services_app.builders.entities import Reader, add_field, entity, key_parameter, names_own, note_key
from services_app.builders.plan import ROWS, Entity, Filter, ToolPlan
from services_app.builders.roles import key_of
from services_app.builders.special.answers import (
    frame,
    id_parents,
    idle,
    known_nouns,
    meaningful,
    named_entity,
    narrowed,
)
from services_app.recipes.verdicts import SECRET
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, types_of, words_of

_MODULE = "services_app.recipes.verdicts"
_CHECKS = frozenset("check validate verify test lint".split())
_VERBS = _CHECKS | {"preview", "estimate", "compare"}
_CONTENT = frozenset(
    (
        "content json xml yaml html schema policy_json policy code markup text jql script document definition "
        "query config configuration css markdown"
    ).split()
)
_SIGNATURES = ("signature", "hmac_header", "signature_header", "hmac", "x_signature")
_BODIES = ("body", "raw_body", "payload", "raw_payload")
_WORDS = {
    "availability": "available", "available": "available", "exists": "exists", "exist": "exists", "existence": "exists",
    "permission": "permitted", "permissions": "permitted", "capability": "permitted", "ability": "permitted",
    "access": "permitted", "restriction": "restricted", "watch": "watching", "enrollment": "enrolled",
    "compatibility": "compatible", "merged": "merged", "relationship": "related", "deprecated": "deprecated",
    "connection": "connected", "health": "healthy",
}  # fmt: skip
_NOT_OURS = frozenset("browser url wallet script formula code case animation auth flow sql".split())
_ASPECTS = frozenset((*_WORDS, "status", "name", "key", "id", "number", "if", "bulk", "info", "details", "is"))


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that judges or shows what would be; None for any other."""
    reading = reader.readings[tool.name]
    words = words_of(tool.name)
    named = next((word for word in (*words[:2], *words[-1:]) if word in _VERBS), "")
    verb = named or (reading.verb if reading.verb in ("check", "verify") and _word(tool) else "")
    other = tool.annotations.get("destructiveHint") is True or set(words) & _NOT_OURS
    if reading.action != "other" or not verb or other:
        return None
    rest = [word for word in words_of(reading.noun or tool.name) if word not in _VERBS]
    names = meaningful(reader, tool)
    if found := _plan_signature(reader, tool):
        return found
    if verb == "compare":
        return _plan_compare(reader, tool, rest)
    if verb == "preview":
        return _plan_preview(reader, tool, rest)
    if verb == "estimate":
        return "it estimates what lies outside the service, which no rule can tell" if names else None
    if verb == "test":
        return None if not _word(tool) else _plan_check(reader, tool, rest, names)
    content = [name for name in names if key_of(name) in _CONTENT]
    others = [name for name in names if name not in content]
    if len(content) == 1 and not set(others) - set(id_parents(reader, tool, others)):
        return _plan_decided(reader, tool, f"examined(args.get({content[0]!r}))", "examined", others)
    return _plan_check(reader, tool, rest, names)


def _plan_check(reader: Reader, tool: ToolSpec, rest: list[str], names: list[str]) -> ToolPlan | str | None:
    """What the store holds, or the form of what was sent, decides; what only an outsider knows is left out."""
    word = _word(tool)
    target = named_entity(reader, tool, [w for w in rest if w not in _ASPECTS]) if rest else None
    own = target is not None and any(names_own(reader, tool, name, target) for name in names)
    if target is not None and (word in ("exists", "available", "merged", "enrolled", "related") or (own and not word)):
        planned = _plan_existence(reader, tool, target, names, word or "valid")
        if planned is not None:
            return planned
    if not word and len(names) == 1 and (form := _form(names[0])):
        return _plan_decided(reader, tool, f"well_formed(args[{names[0]!r}], {form!r})", "well_formed")
    if not word or not names:
        return None
    return f"its verdict ({word}) is known outside the service alone, which no rule can tell"


def _word(tool: ToolSpec) -> str:
    """What a verdict is about: a word of the name, else of the first words of the description; "" for validity."""
    named = [_WORDS[word] for word in words_of(tool.name) if word in _WORDS]
    said = [_WORDS[word] for word in words_of(tool.description[:70]) if word in _WORDS and word not in ("access",)]
    return next(iter([*named, *said]), "")


def _form(name: str) -> str:
    key = key_of(name)
    found = (form for form in ("email", "phone", "url", "domain", "ip", "date") if form in key.split("_"))
    return next(found, "")


def _plan_existence(reader: Reader, tool: ToolSpec, target: Entity, names: list[str], word: str) -> ToolPlan | None:
    """Whether the store holds a record that equals what was sent."""
    base = narrowed(reader, tool, target, target.noun)
    if base is None or not (base.filters or base.lookups):
        return None
    base.derived = False
    base.filters += [Filter(name, "equal", known) for name, known in base.lookups.items()]  # none is no error here
    base.lookups = {}
    base.parents = {name: noun for name, noun in base.parents.items() if noun in known_nouns(reader, tool)}
    planned = frame(reader, tool, f"Whether there is such a {target.noun.replace('_', ' ')}.", base)
    planned.body = (ROWS, returned(planned, f"existence(rows, {word!r})"))
    planned.imports = {_MODULE: ("existence",)}
    planned.inert |= idle(reader, tool)
    return planned


def _plan_decided(
    reader: Reader, tool: ToolSpec, value: str, function: str, ids: list[str] | None = None
) -> ToolPlan | None:
    """A verdict that follows from the arguments; what they name in the service must exist."""
    planned = frame(reader, tool, "A verdict on what was sent; nothing is changed.")
    planned.parents = id_parents(reader, tool, ids or meaningful(reader, tool))
    planned.body = (returned(planned, value),)
    planned.imports = {_MODULE: (function,)}
    planned.inert |= idle(reader, tool)
    return planned


def _plan_preview(reader: Reader, tool: ToolSpec, rest: list[str]) -> ToolPlan | None:
    """A record as it would be after the changes that were sent."""
    words = [word for word in rest if word not in ("create", "update", "charge", "html")]
    noun = "_".join([*words[:-1], singular(words[-1])]) if words else "draft"
    own = named_entity(reader, tool, words) or entity(reader, noun)
    planned = frame(reader, tool, f"A {own.noun.replace('_', ' ')} as it would be; nothing is kept.")
    planned.entity = own.noun
    key = key_parameter(reader, tool, own) if own.noun in known_nouns(reader, tool) else ""
    key = key if key in reader.required(tool) else ""
    changes = [name for name in meaningful(reader, tool) if name != key]
    planned.parents = id_parents(reader, tool, [name for name in reader.required(tool) if name != key])
    lines = []
    if key:
        planned.key, planned.key_field = key, note_key(reader, tool, own, key)
        lines.append(f"record = {picked(planned, own)}")
    record = "record" if key else "None"
    values = ", ".join(f"{name!r}: args.get({name!r})" for name in changes)
    lines.append(returned(planned, f"preview(state.{own.table}, {record}, {{{values}}})"))
    planned.body = tuple(lines)
    planned.imports = {_MODULE: ("preview",)}
    planned.inert |= idle(reader, tool)
    return planned


def _plan_compare(reader: Reader, tool: ToolSpec, rest: list[str]) -> ToolPlan | None:
    """Several records of the service side by side; other things are judged one by one."""
    names = meaningful(reader, tool)
    many = [name for name in names if "array" in types_of(reader.properties(tool)[name])]
    target = named_entity(reader, tool, rest) if rest else None
    if len(many) != 1 or types_of(reader.properties(tool)[many[0]].get("items") or {}) - {"string", "integer"}:
        return None
    if target is None or len(names) > 1:
        return None
    planned = frame(reader, tool, f"Several records of kind {target.noun.replace('_', ' ')} side by side.")
    planned.entity = target.noun
    by = ""
    if not re.search(r"ids?$", key_of(many[0])) and not target.natural_key:
        add_field(reader, target, "name", {"type": "string"})
        by = f", {target.fields['name'].python!r}"
    planned.body = (returned(planned, f"side_by_side(state.{target.table}, args[{many[0]!r}]{by})"),)
    planned.imports = {_MODULE: ("side_by_side",)}
    planned.inert |= idle(reader, tool)
    return planned


def _plan_signature(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """Whether a webhook was signed by who knows the secret."""
    by_key = {key_of(name): name for name in reader.properties(tool)}
    signature = next((by_key[name] for name in _SIGNATURES if name in by_key), "")
    body = next((by_key[name] for name in _BODIES if name in by_key), "")
    if not signature or not body:
        return None
    secret = next((name for key, name in by_key.items() if key in ("secret", "signature_key", "webhook_secret")), "")
    address = next((name for key, name in by_key.items() if key.endswith("url")), "")
    if set(by_key.values()) - {signature, body, secret, address}:
        return None
    planned = frame(reader, tool, "Whether a signature belongs to a body.")
    more = f", args.get({secret!r})" if secret else ", None" if address else ""
    more += f", args.get({address!r})" if address else ""
    planned.body = (returned(planned, f"signed(args[{body!r}], args[{signature!r}]{more})"),)
    planned.imports = {_MODULE: ("signed",)}
    planned.examples = (_signed_example(body, signature, secret, address),)
    return planned


def _signed_example(body: str, signature: str, secret: str, address: str) -> dict[str, str]:
    url, text = "https://north.example/hook", '{"event": "invoice.paid"}'
    message = f"{url if address else ''}{text}"
    made = hmac.new(SECRET.encode(), message.encode(), hashlib.sha256).hexdigest()
    sent = {body: text, signature: made, secret: SECRET, address: url}
    return {name: value for name, value in sent.items() if name}
