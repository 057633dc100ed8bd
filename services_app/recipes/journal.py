"""The journal of an application: who did what to which record, and when. Its writes append, its history tools read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError
from services_app.engine.fields import format_timestamp, parse_timestamp
from services_app.engine.state import About, Record, Table
from services_app.recipes.records import Json, SpecRecord, key

_SEEDED = 5
_ACTORS = ("operator", "assistant", "importer")


class EventRecord(SpecRecord):
    """One thing that happened."""

    about = About("event", prefix="EVT-", width=5)
    time: str
    actor: str
    action: str
    entity: str
    entity_id: str
    data: Json = None


def seed_journal(journal: Table[EventRecord], ctx: SeedContext) -> None:
    """The records that the application starts with were created in the days before, by several people."""
    service, own = journal._key
    tables = [(name, rows) for (of, name), rows in journal._store.rows.items() if of == service and name != own]
    count = 0
    for name, rows in tables:
        for record in list(rows.values())[:_SEEDED]:
            moment = ctx.moment(-(count * 5 % 9), 5 + count % 3, count % 60)
            actor = _ACTORS[count % len(_ACTORS)]
            noun = record.about.noun.replace(" ", "_") or name
            for action in ("created", "updated")[: 1 + (count % 3 == 0)]:
                journal.create(
                    time=moment, actor=actor, action=action, entity=noun, entity_id=record.id, data=record.plain()
                )
            count += 1


def logged(journal: Table[EventRecord], ctx: CallContext, action: str, noun: str, record: Record) -> None:
    """Append that `record` was created, changed or removed just now."""
    journal.create(time=ctx.now, actor=_ACTORS[0], action=action, entity=noun, entity_id=record.id, data=record.plain())


def history(  # noqa: PLR0913 - every argument is a parameter that such tools have
    journal: Table[EventRecord],
    now: str,
    *,
    since: Any = None,
    until: Any = None,
    days: float | None = None,
    record: Any = None,
    nouns: Iterable[str] = (),
    actor: Any = None,
    action: Any = None,
    text: Any = None,
    overview: Any = None,
    oldest_first: Any = None,
) -> list[dict[str, Any]]:
    """Events as agents see them, newest first: about a record (or by whom it names), of some kinds, in some window.

    An event is about a record when it happened to it, or to a record that refers to it. An `overview` leaves updates
    out.

    `days` is how far back to look when neither bound is given. 400 for a bound that is no time.
    """
    first, last = _bound(since), _bound(until, end=True)
    if not first and not last and days is not None:
        first = format_timestamp(parse_timestamp(now) - dt.timedelta(days=days))
    kinds = set(nouns)
    found = [
        event
        for event in journal
        if (not first or event.time >= first)
        and (not last or event.time <= last)
        and (not kinds or event.entity in kinds)
        and _is_about(event, record)
        and (overview is not True or event.action != "updated")
        and _is_one_of(event.actor, actor)
        and _is_one_of(f"{event.action} {event.entity}", action)
        and (not text or str(text).casefold() in str(shown(event)).casefold())
    ]
    found.sort(key=lambda event: (event.time, event.id), reverse=str(oldest_first).lower() not in ("true", "asc"))
    return [shown(event, fields=4) for event in found]


def shown(event: EventRecord, fields: int = 100) -> dict[str, Any]:
    """An event with a type and a sentence, whoever acted as a record of its own, and the first fields of the record."""
    data = event.plain()["data"]
    noun = event.entity.replace("_", " ")
    return {
        "id": event.id,
        "type": f"{event.entity}_{event.action}",
        "created_at": event.time,
        "action": event.action,
        "summary": f"{event.actor} {event.action} the {noun} {event.entity_id}",
        "actor": event.actor,
        "agent": {"id": event.actor, "type": "user", "summary": event.actor},
        "entity": event.entity,
        "entity_id": event.entity_id,
        "details": dict(list(data.items())[:fields]) if isinstance(data, dict) else data,
    }


def _is_about(event: EventRecord, record: Any) -> bool:
    wanted = [key(one) for one in (record if isinstance(record, list) else [record]) if one is not None]
    data = event.plain()["data"]
    held = [str(value) for value in data.values()] if isinstance(data, dict) else []
    return not wanted or any(one in (event.entity_id, event.actor, *held) for one in wanted)


def _is_one_of(value: str, wanted: Any) -> bool:
    options = wanted if isinstance(wanted, list) else [wanted]
    words = [str(option).casefold().replace("_", " ") for option in options if option not in (None, "", "all")]
    return not words or any(word in value.casefold().replace("_", " ") for word in words)


def _bound(value: Any, *, end: bool = False) -> str:
    """A bound as an instant; "" for none. A date stands for its first moment, or with `end` for its last."""
    if value in (None, ""):
        return ""
    text = str(value)
    if text.isdecimal() and len(text) >= 9:
        return format_timestamp(dt.datetime.fromtimestamp(int(text[:10]), dt.UTC))
    try:
        found = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as error:
        raise ToolError(400, "invalid_time", f"{value!r} is no time; use YYYY-MM-DD or an instant.") from error
    if len(text) == 10 and end:
        found += dt.timedelta(days=1, seconds=-1)
    return format_timestamp(found if found.tzinfo else found.replace(tzinfo=dt.UTC))


def chosen_nouns(arguments: Mapping[str, Any], name: str) -> list[str]:
    """The kinds of records that an argument names, singular or plural, in words or not."""
    wanted = arguments.get(name)
    values = wanted if isinstance(wanted, list) else [wanted] if wanted else []
    plain = [str(value).lower().replace(" ", "_") for value in values]
    return [*plain, *(value.removesuffix("s") for value in plain)]
