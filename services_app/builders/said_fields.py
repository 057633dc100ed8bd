"""The fields that a text query looks through, where its description names them."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader, add_field
from services_app.builders.plan import Entity
from services_app.builders.roles import key_of

_FIELDS = (
    "name", "title", "subject", "description", "summary", "email", "key", "slug", "code", "username", "login", "label",
    "content", "body", "text", "identifier", "id", "abstract", "tags", "tag", "keywords", "number", "sku", "path",
    "filename", "url", "address", "phone", "domain", "author",
)  # fmt: skip
_ONE = rf"(?:[a-z]+[ -]){{0,2}}?(?:{'|'.join(_FIELDS)})(?:e?s)?(?: address(?:es)?)?(?: match(?:es)?)?"
_OWN = ("name", "title", "subject", "email", "description", "slug", "username", "summary")  # given to who lacks them
_LIST = rf"{_ONE}(?:(?:,? and/or |,? and |,? or |/|, ){_ONE}){{0,5}}"
_NAMED = re.compile(
    rf"\b(?:by|in|against|across|on|of|match(?:es|ing|ed)?|within|whose|substring)\s+"
    rf"(?:the |their |its |a |an |exact )*"
    rf"(?:(?:partial|full|display)\s+)*(?P<list>{_LIST})\b(?P<rest>[^.;\n]*)",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf"\((?:by |in |matches |searches )?(?:the )?(?P<list>{_LIST})(?P<rest>)\)", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:etc|and more|other|any field|all fields|metadata|properties|everything|syntax|operators?)\b", re.I
)
_GOES_ON = re.compile(r"\s*(?:\w+\s+){0,2}(?:,|/|(?:and|or)\b)", re.IGNORECASE)
_SAME = {
    "name": ("name", "display_name", "full_name", "title"), "title": ("title", "name", "subject"),
    "subject": ("subject", "title"), "description": ("description", "summary"), "content": ("content", "body", "text"),
    "body": ("body", "content", "text"), "identifier": ("id",), "filename": ("filename", "file_name", "name"),
    "label": ("label", "labels", "name"), "tag": ("tags", "tag"), "tags": ("tags", "tag"),
}  # fmt: skip


def searched_fields(reader: Reader, own: Entity, said: str) -> str:
    """Their original names with `|` between; "" where the words name none, or say that there are more.

    A name or title that the records lack is given to them.
    """
    named = _NAMED.search(said) or _ASIDE.search(said)
    if named is None or _MORE.search(named["list"] + named["rest"]) or _GOES_ON.match(named["rest"]):
        return ""
    found: list[str] = []
    for word in re.split(r",? and/or |,? and |,? or |/|, ", named["list"].lower()):
        field = _field(reader, own, word.strip())
        if not field:
            return ""
        found.append(field)
    return "|".join(dict.fromkeys(found))


def _field(reader: Reader, own: Entity, words: str) -> str:
    """The field that words such as "display name" mean; "" where nothing tells."""
    words = re.sub(r" match(?:es)?$| address(?:es)?(?: match(?:es)?)?$", "", words)
    parts = [part for part in re.findall(r"[a-z]+", words) if part not in ("partial", "exact", "full", "the", "their")]
    plain = next((one for one in (parts[-1], parts[-1][:-1], parts[-1][:-2]) if one in _FIELDS), "") if parts else ""
    if not plain:
        return ""
    if plain == "id" or (plain == "identifier" and "identifier" not in own.fields):
        return "id"
    keys = {key_of(name): name for name, known in own.fields.items() if known.type in ("str", "tuple[str, ...]")}
    whole = "_".join([*parts[:-1], plain])
    for key in (whole, *_SAME.get(plain, (plain,))):
        if key in keys:
            return keys[key]
    whose = ("display", "full", "first", "user", own.noun, own.noun.rsplit("_", 1)[-1])
    ending = next((keys[key] for start in whose if (key := f"{start}_{plain}") in keys), "")
    if not ending and plain in _OWN:
        add_field(reader, own, plain, {"type": "string"})
        return plain
    return ending
