"""What a parameter schema becomes in a record: its Python type, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.builders.plan import Entity, Field
from services_app.builders.world import VALUES
from services_app.specs.vocabulary import id_target, singular, types_of, words_of

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
# Kinds of values that everybody writes alike.
_OF_THE_WORLD = frozenset(
    "color country currency language status severity priority symbol exchange timezone gender".split()
)
# Words of numbers that have fractions; any other number is counted, or names something.
_MEASURES = frozenset(
    (
        "rate ratio score weight height width distance radius temperature humidity speed confidence threshold volume "
        "discount factor average avg mean change percent percentage probability value measure opacity scale rating "
        "latitude longitude lat lng lon altitude elevation depth length size area price amount cost total balance "
        "fee tax open close high low x y z top left right bottom margin padding tolerance progress hours duration "
        "spread yield return alpha beta gamma delta sigma frequency power energy voltage pressure intensity number"
    ).split()
)
_NUMBERS = frozenset(
    "money percent latitude longitude size integer number epoch digits epoch_text flag first year quarter month hour "
    "port".split()
)
# Last words of whole numbers, and of texts of a certain look -> their kind of value.
_WHOLE = {"year": "year", "quarter": "quarter", "month": "month", "port": "port", "hour": "hour"}
_WORDS = {
    "username": "username", "login": "username", "slug": "slug", "uri": "url", "homepage": "url", "website": "url",
    "version": "version", "sha": "hash", "commit": "hash", "hash": "hash", "token": "hash", "barcode": "digits",
    "year": "year_text", "locale": "locale", "license": "license", "region": "region", "instructions": "text",
    "reason": "text", "creator": "person", "reporter": "person", "host": "domain", "hostname": "domain",
    "domain": "domain", "branch": "branch", "platform": "platform", "department": "department", "role": "role",
    "namespace": "namespace", "method": "method", "firstname": "first_name", "lastname": "last_name",
    "surname": "last_name", "permalink": "url", "checksum": "hash", "etag": "hash", "md5": "hash", "handle": "username",
    "nickname": "username", "cik": "digits", "phone1": "phone", "email1": "email", "password": "hash",
}  # fmt: skip
_PERSONAL = {
    f"{which} name": f"{kind}_name"
    for kind, those in (("first", ("first", "given")), ("last", ("last", "family")))
    for which in those
}
_FIGURES = frozenset(
    (
        "amount price cost total subtotal balance fee tax quantity count limit offset position width height length "
        "size attempts points seconds minutes hours days months years age percent percentage opacity mb gb kb bytes ms "
        "rate duration weight ratio threshold budget rating popularity used pos"
    ).split()
)
_BY_WORD = {
    "email": "f.Email",
    "phone": "f.Phone",
    "url": "f.Url",
    "link": "f.Url",
    "city": "f.Place",
    "country": "f.Place",
    "location": "f.Place",
    "address": "f.Place",
    "company": "f.Organisation",
    "organization": "f.Organisation",
    "body": "f.Text",
    "content": "f.Text",
    "description": "f.Text",
    "notes": "f.Text",
    "note": "f.Text",
    "comment": "f.Text",
    "text": "f.Text",
    "message": "f.Text",
    "summary": "f.Text",
    "title": "f.Title",
    "subject": "f.Title",
    "name": "f.Title",
    "code": "f.Code",
    "number": "f.Code",
    "sku": "f.Code",
    "reference": "f.Code",
    "assignee": "f.Person",
    "author": "f.Person",
    "owner": "f.Person",
}


def type_of(schema: Mapping[str, Any]) -> str:
    """Python type of a field; anything but a scalar or a list of scalars is kept as JSON."""
    kinds = types_of(schema) - {"null"}
    if len(kinds) == 1:
        (kind,) = kinds
        if kind in _SCALARS:
            return _SCALARS[kind]
        if kind == "array":
            inner = types_of(schema.get("items") or {}) - {"null"}
            return (
                f"tuple[{_SCALARS[next(iter(inner))]}, ...]" if len(inner) == 1 and inner <= set(_SCALARS) else "Json"
            )
    if kinds and kinds <= {"integer", "number"}:
        return "float"
    return "Json"


def meaning_of(name: str, kind: str, schema: Mapping[str, Any]) -> str:
    """Meaning of a text field in the source of the state, or "": dates by format, others by their last word."""
    if kind != "str":
        return ""
    words = words_of(name)
    if schema.get("enum"):
        return "f.Label"
    mailed = words[-1:] in (["email"], ["mail"]) or words[-2:] == ["email", "address"]
    if schema.get("format") == "email" or mailed:
        return "f.Email" if "pattern" not in schema else ""
    if id_target(name, "") or not words:
        return ""
    if words[-1] == "name" and len(words) > 1 and words[0] in ("first", "last", "full", "contact", "customer", "user"):
        return "f.Person"
    return _BY_WORD.get(words[-1], "").replace("f.Email", "")


_PEOPLE = frozenset(
    (
        "user member person contact employee author customer candidate attendee participant collaborator student "
        "teacher instructor guest recipient subscriber assignee owner follower reviewer approver patient driver "
        "resident colleague invitee reporter signer agent player lead"
    ).split()
)
# What is named in small letters with hyphens.
_TECHNICAL = frozenset(
    "package crate gem repository repo container pod deployment namespace bucket cluster droplet vm".split()
)
_CALLED = ("name", "display_name", "full_name", "real_name", "sortable_name")


def name_people(known: Entity) -> None:
    """People are called like people, packages like packages: the seeded names of records of such nouns."""
    last = known.noun.rsplit("_", 1)[-1]
    for item in known.fields.values() if last in _TECHNICAL else ():
        if (
            "_".join(words_of(item.name)) in ("name", f"{last}_name")
            and item.type == "str"
            and item.kind in ("", "title")
        ):
            item.kind = "slug" if not item.choices and not item.target and not item.samples else item.kind
    if last not in _PEOPLE:
        return
    for item in known.fields.values():
        if "_".join(words_of(item.name)) in _CALLED and item.type == "str" and item.name != known.natural_key:
            item.kind = "person" if item.kind in ("", "title") and not item.choices and not item.target else item.kind


def inner_kind(name: str) -> str:
    """Which kind of seed value each of several texts is: `emails` are addresses, `members` people, `scores` numbers."""
    *front, last = words_of(name) or [name]
    word = singular(last)
    if word in _PEOPLE:
        return "person"
    if word in ("score", "count", "total", "grade", "number", "amount", "price", "size"):
        return "digits"
    single = "_".join([*front, word])
    kind = VALUES.get(word, "") or seed_kind(single, "str", meaning_of(single, "str", {}))
    return (
        "word" if kind in ("text", "flag", "money", "percent", "latitude", "longitude", "integer", "number") else kind
    )


# Words of moments that lie behind: nothing is created tomorrow.
_PAST = frozenset(
    (
        "created updated modified published added joined sent received submitted completed paid posted uploaded seen "
        "committed merged pushed edited changed installed registered captured commented reviewed hired accessed used "
        "viewed visited played logged recorded indexed observed detected resolved acknowledged creation modification"
    ).split()
)


def kind_of(item: Field) -> str:
    """Which kind of seed value a field holds; a number never holds what only a text can."""
    kind = item.kind or seed_kind(item.name, item.type, item.meaning, item.format)
    if item.type == "str" and kind in ("word", "place") and not item.kind:
        kind = _text_kind(item, kind)
    if item.type in ("int", "float") and kind not in _NUMBERS:
        return "epoch" if kind in ("timestamp", "date") else seed_kind(item.name, item.type, item.meaning)
    return f"past_{kind}" if kind in ("timestamp", "date") and _PAST & set(words_of(item.name)) else kind


def _text_kind(item: Field, kind: str) -> str:
    """An amount as text is a figure, an email address no place."""
    words = words_of(item.name)
    if words[-2:-1] in (["email"], ["mail"]) and words[-1:] == ["address"]:
        return "email"
    if words[-2:] == ["time", "zone"]:
        return "timezone"
    if words[-1:] == ["by"] and words[-2:-1] and set(words[-2:-1]) & _PAST:
        return "person"
    if words[-1:] == ["used"] and words[0] == "last":
        return "timestamp"
    figures = set(words[-1:]) & _FIGURES and not item.choices and not item.samples and not item.format
    return "figure" if figures and kind == "word" else kind


def seed_kind(name: str, kind: str, meaning: str, schema_format: str = "") -> str:
    """Which kind of seed value suits a field (`services_app.recipes.values.value_for`)."""
    words = words_of(name)
    last = words[-1] if words else ""
    if kind in ("bool", "int"):
        return "flag" if kind == "bool" else _WHOLE.get(last, "integer")
    if kind == "float":
        return _number_kind(words, last)
    if last in ("date", "due", "day", "deadline", "birthday", "birthdate", "dob") or schema_format == "date":
        return "date"
    if last in ("at", "time", "start", "end", "timestamp", "since", "until") or schema_format == "date-time":
        return "timestamp"
    looks = "path" if last in ("path", "file", "folder", "directory", "filename") else _WORDS.get(last, "")
    looks = looks or _PERSONAL.get(" ".join(words[-2:]), "")
    if looks == "path" or (looks and not schema_format and meaning in ("", "f.Text", "f.Person", "f.Title")):
        return looks
    shown = "color" if last in ("color", "colour") else VALUES.get(last, "")
    if shown in _OF_THE_WORLD and not schema_format:
        return shown
    by_meaning = {
        "f.Email": "email", "f.Phone": "phone", "f.Url": "url", "f.Place": "place", "f.Organisation": "title",
        "f.Text": "text", "f.Title": "title", "f.Code": "code", "f.Person": "person", "f.Label": "word",
    }  # fmt: skip
    return by_meaning.get(meaning, "email" if last in ("email", "mail") else "word")


def _number_kind(words: list[str], last: str) -> str:
    """The kind of a number: an amount, a place on earth, a measure with fractions, else a whole number."""
    shown = VALUES.get(last, "")
    if shown in ("money", "percent", "latitude", "longitude"):
        return shown
    if last in _WHOLE or (last == "number" and len(words) > 1):
        return _WHOLE.get(last, "integer")
    return "money" if last in ("budget", "salary") else "number" if _MEASURES & set(words) else "integer"
