"""What makes sense to people: which fields hold facts, which remarks carry news, by what a record is called.

All figures are factors for the weights of a plan: 1 for what anybody would do, little for what only a riddle does.
Nothing is ruled out, so that services with few fields still make stories.
"""

from __future__ import annotations

import re

from services_app.engine.service import TableInfo
from tasks_app.authors.naming import noun_of, preposition, pretty, role_of, speaks_of_people
from tasks_app.authors.story import Need
from tasks_app.engine.columns import Column

ODD = 0.04  # what is left to a way that reads like a riddle
_PROSE = re.compile(
    r"^(?:\w+_)?(?:body|content|text|message|description|notes?|comment|summary|details|agenda|memo|brief|remarks?"
    r"|instructions|minutes|requirements|terms|special_request|handover|scope|reply|announcement|agenda_notes)$"
)
_REMARKS = re.compile(
    r"note|comment|remark|message|review|histor|annotation|feedback|timeline|correspondence|repl|post|update"
    r"|log_|discussion|approval|mail"
)
_VAGUE = frozenset({"date", "time", "number", "amount", "value", "total", "day", "new"})
_NEVER_PROSE = re.compile(r"alt_text|sms_text|button|greeting|sql|query|script|subject_text|value")


def prose(column: Column, table: TableInfo) -> float:
    """How likely somebody writes down a fact about something else in this text."""
    if _NEVER_PROSE.search(column.field):
        return ODD
    if _PROSE.match(column.field):
        return 1.0
    return 0.2 if table.carrier == "document" else ODD


def tells(column: Column) -> float:
    """How likely somebody is asked to tell a fact in this text, rather than to give a reason or a title there."""
    return 1.0 if _PROSE.match(column.field) else 0.15


def remarks(table: TableInfo) -> float:
    """How likely the child records of a table are where people leave news."""
    return 1.0 if _REMARKS.search(f"{table.name} {table.noun}") else ODD


def plain_key(column: Column, table: TableInfo) -> float:
    """How readily people name a record of a table by this column: by its name, or by who has to do with it."""
    if table.key == column.field:
        return 1.0
    if column.kind == "email":
        own = speaks_of_people(table) and role_of(column, table) == noun_of(table)
        return 0.6 if own else 0.2 if preposition(column) else ODD
    if column.kind in ("organisation", "person"):
        return 0.3 if preposition(column) or role_of(column, table) == noun_of(table) else ODD
    return ODD


def akin(column: Column, need: Need) -> float:
    """How much a field is about what the write wants: a due date for a due date, never a price for a salary."""
    if need.names_record or need.choices or need.kind in ("phone", "organisation", "email", "person"):
        return 1.0
    if need.any_kind:  # a message may tell anything, but rarely what stands in some field
        return 0.4
    wanted = set(f"{need.short} {need.noun}".lower().split())
    own = {word for word in pretty(column.field).lower().split() if len(word) > 2}
    if (own - _VAGUE or own) & wanted:
        return 1.0
    return 0.3 if need.kind in ("date", "timestamp") else ODD


def ranks(column: Column) -> float:
    """How naturally people speak of the record with the most or the latest of this: a date, an amount, not a ratio."""
    words = pretty(column.field).split()
    return 1.0 if len(words) <= 2 and column.kind in ("money", "date", "timestamp") else 0.2
