"""Names for fields, records and values in the English of a colleague."""

from __future__ import annotations

import re
from typing import Any

from services_app.engine.service import TableInfo
from tasks_app.engine.columns import Column
from tasks_app.engine.probes import singular
from tasks_app.engine.profile import DerivedFigure
from tasks_app.engine.text import QUOTED_KINDS, human_label, render

_SHORT = {
    "ref": "reference",
    "qty": "quantity",
    "num": "number",
    "desc": "description",
    "no": "number",
    "amt": "amount",
}
_CAPITALS = {
    "po": "PO",
    "sku": "SKU",
    "id": "ID",
    "url": "URL",
    "vat": "VAT",
    "ip": "IP",
    "hs": "HS",
    "kwh": "kWh",
    "api": "API",
    "dns": "DNS",
    "max": "maximum",
    "min": "minimum",
    "avg": "average",
    "iban": "IBAN",
    "crm": "CRM",
    "sql": "SQL",
    "mrr": "MRR",
    "gb": "gigabytes",
    "hr": "HR",
}
_WHOLE = {
    "valid_until": "last valid day",
    "valid_from": "first valid day",
    "deliver_to": "delivery address",
    "ship_to": "delivery address",
    "insured_with": "insurer",
    "starts": "start",
    "ends": "end",
    "starts_at": "start",
    "ends_at": "end",
}
"""Fields whose words are no noun."""
_DATES = {
    "starts": "start date",
    "ends": "end date",
    "closes": "closing date",
    "expires": "expiry date",
    "invoiced": "invoice date",
    "ordered": "order date",
    "written": "date",
    "due": "due date",
    "issued": "issue date",
    "paid": "payment date",
    "held": "date",
    "created": "creation date",
}
_DOERS = {
    "created": "creator",
    "updated": "editor",
    "decided": "decision maker",
    "entered": "person who entered it",
    "edited": "editor",
    "invited": "inviter",
    "moderated": "moderator",
    "authored": "author",
    "supervised": "supervisor",
    "inspected": "inspector",
    "audited": "auditor",
    "translated": "translator",
    "assigned": "assigner",
    "submitted": "submitter",
    "counted": "counter",
    "paid": "payer",
    "made": "author",
    "modified": "editor",
    "changed": "editor",
}
"""Who did something, where the verb with -er would be no word."""
_PEOPLE_TABLES = re.compile(
    r"contact|requester|employee|person|user|member|candidate|driver|guest|patient|attendee|agent|supplier|customer|client"
    r"|student|teacher|subscriber|beneficiary|visitor|tenant|applicant|reader|athlete|instructor|recipient|registrant"
)
PREPOSITIONS = {
    "sender": "from",
    "from": "from",
    "requester": "raised by",
    "reporter": "reported by",
    "organizer": "organised by",
    "organiser": "organised by",
    "host": "hosted by",
    "author": "written by",
    "assignee": "assigned to",
    "assigned": "assigned to",
    "owner": "owned by",
    "technician": "looked after by",
    "manager": "managed by",
    "creator": "created by",
    "customer": "for",
    "client": "for",
    "account": "for",
    "company": "for",
    "attendee": "attended by",
    "supplier": "from",
    "vendor": "from",
    "employee": "of",
    "driver": "driven by",
    "booked": "booked by",
    "contact": "of",
    "recipient": "sent to",
    "to": "sent to",
}


_KINDS_OF_CONTACT = frozenset(
    ["billing", "work", "primary", "main", "support", "sales", "team", "cc", "site", "technical", "escalation"]
)


def pretty(field: str) -> str:
    """`po_number` as "PO number", `due_on` as "due date", `by` as "author"."""
    if field in _WHOLE:
        return _WHOLE[field]
    parts = [part for part in field.split("_") if part]
    if parts in (["by"], ["made", "by"]):
        return "author"
    if parts in (["at"], ["on"]):
        return "date"
    if len(parts) == 2 and parts[1] in ("on", "at"):
        return _DATES.get(parts[0], f"{parts[0]} date")
    if len(parts) == 2 and parts[1] == "by" and not parts[0].endswith("ed"):
        return f"{parts[0]} date"
    return " ".join(_CAPITALS.get(part, _SHORT.get(part, part)) for part in parts)


def role_of(column: Column, table: TableInfo) -> str:
    """What the person or firm in a column is to the record: "sender", "owner", or the record itself ("contact")."""
    parts = [part for part in column.field.split("_") if part not in ("email", "address", "name", "id", "mail", "full")]
    if not parts:
        return noun_of(table)
    word = "_".join(parts)
    if word.endswith("ed_by"):
        return _DOERS.get(word[:-3], pretty(f"{word[:-5]}er"))
    named = {"by": "author", "to": "recipient", "who": "owner", "assigned_to": "assignee", "sent_to": "recipient"}
    role = named.get(word, pretty(singular(word) if word.endswith("s") else word))
    return f"{role} contact" if role in _KINDS_OF_CONTACT else role


_OWN_NAMES = frozenset({"name", "full_name", "title", "subject", "number"})


def names_its_record(column: Column, table: TableInfo) -> bool:
    """Whether people call the record by this field: an invoice by its number, not by the customer's order number."""
    return column.field in (table.key, *_OWN_NAMES)


def noun_of(table: TableInfo) -> str:
    return singular(table.name).replace("_", " ") if table.noun in ("", "record") else table.noun


def plural_of(table: TableInfo) -> str:
    return table.name.replace("_", " ") if table.noun in ("", "record") else table.plural


def speaks_of_people(table: TableInfo) -> bool:
    return bool(_PEOPLE_TABLES.search(f"{table.name} {table.noun}"))


def preposition(column: Column) -> str:
    """How a record stands to the person in a column: "from", "assigned to"; "" when the field does not say."""
    if column.field.startswith("cc"):
        return "copied to"
    done = re.fullmatch(r"([a-z]+ed)_by(?:_email|_name)?", column.field)
    if done:
        return f"{done[1]} by"
    for part in column.field.split("_"):
        word = PREPOSITIONS.get(part) or PREPOSITIONS.get(singular(part))
        if word:
            return word
    return ""


def value_noun(column: Column, table: TableInfo) -> str:
    """A noun for the value in a column: "owner", "due date", "invoice amount"."""
    if column.kind in ("email", "person"):
        role = role_of(column, table)
        return role if role != noun_of(table) else noun_of(table)
    words = pretty(column.field)
    noun = noun_of(table)
    if column.kind == "count" and words.endswith("s"):
        words = f"number of {words}"
    if noun.split()[-1] in words.split() or len(words.split()) > 1:
        return words
    return f"{noun} {words}"


def say(kind: str, value: Any, unit: str = "") -> str:
    """A value as the instruction gives it."""
    if kind in ("count", "duration"):
        return f"{value} {singular(unit) if value == 1 else unit}" if unit else str(value)
    if kind == "free":
        words = str(value).rstrip(".")
        return f"that {words[:1].lower()}{words[1:]}"
    if kind == "label":
        return human_label(str(value))
    return f"“{value}”" if kind in QUOTED_KINDS else render(kind, value)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    return f"an {noun}" if re.match(r"[aeiou](?!ne\b|ni|se)", noun, re.IGNORECASE) else f"a {noun}"


def listing(parts: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(parts) <= 1:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def possessive(noun: str) -> str:
    return f"{noun}'" if noun.endswith("s") else f"{noun}'s"


_STATE = re.compile(r"\w+ed|due|open|net|gross|paid|spent|left|outstanding|remaining")
"""What an amount is rather than what it is called."""


def figure_name(figure: DerivedFigure) -> str:
    """What people call a figure: "number of comments", "outstanding amount", "balance"."""
    name = pretty(figure.path.rsplit(".", 1)[-1])
    if name.endswith(" count"):
        return f"number of {name.removesuffix(' count')}s"
    if figure.whole:
        return f"number of {name}" if name.endswith("s") and not name.startswith(("number", "total")) else name
    return f"{name} amount" if _STATE.fullmatch(name) else name
