"""What the instruction states where no value of the story goes: sums, dates, choices, titles, plain words."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from tasks_app.authors.access import Payload
from tasks_app.authors.guide import said_by, seeded_like
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Goal, Place, Rejection, Stated
from tasks_app.authors.ways import likely_numbers
from tasks_app.engine.columns import Column
from tasks_app.engine.probes import RANGE_START

FREE_TEXTS = ("It is taken care of.", "We are on it.", "It was agreed with the team.", "It has been checked.")
_HEADINGS = re.compile(r"(?:^|_)(?:name|title|subject|heading|label|headline|value)$")
_SUFFIXES = (": next steps", ": follow-up", ": summary", ": open points", ": decision", " (update)")
_NUMBERS = ("count", "duration", "money", "percent")


class Stater:
    """Makes up what is stated. Raises Rejection where nothing can be."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def existing(self, service: str, column: Column) -> Stated:
        """A value that some record has."""
        rows = self.plan.environment.rows(service, column.table)
        values = sorted({row[column.field] for row in rows if isinstance(row.get(column.field), str)})
        if not values:
            raise Rejection("nothing to name")
        return Stated(self.plan.rng.choice(values), "title" if column.kind == "label" else column.kind)

    def words(self, goal: Goal, payload: Payload) -> Stated:
        """Words that state no value: a heading for what is called something, any will do elsewhere."""
        said = said_by(self.plan, goal.act, payload.name)
        if said is not None:
            return Stated(said, "free")
        if goal.act is not None:
            raise Rejection("a text has nothing to tell")
        if _HEADINGS.search(payload.column.field):
            return Stated(f"{self.plan.cast['title']}{self.plan.rng.choice(_SUFFIXES)}", "title")
        return Stated(self.plan.rng.choice(FREE_TEXTS), "free")

    def value(self, goal: Goal, payload: Payload) -> Stated:
        """A value for a parameter."""
        plan, column = self.plan, payload.column
        kind, unit = payload.kind, payload.column.unit or payload.detail.unit
        said = said_by(plan, goal.act, payload.name)
        if said is not None:
            own = "title" if kind == "label" and not payload.choices else kind
            return Stated(float(said) if kind == "money" else said, own, unit)
        if column.kind in ("object", "ref", "id") or kind in ("flag", "text", "object", "ref", "id"):
            raise Rejection("no value for a required argument")
        if payload.detail.must_exist or payload.detail.closed:
            return Stated(self.existing(goal.service, self._referred(goal.service, payload)).value, kind)
        if payload.detail.when == "past" and kind in ("date", "timestamp"):
            return Stated(plan.values.past(kind, plan.environment.clock), kind)
        if payload.choices:
            now = self._now(goal, payload)
            return Stated(plan.draft.fresh(Column("", "", "label", choices=payload.choices), now), kind)
        number = self._number(goal, payload)
        return Stated(number, kind, unit) if number is not None else self._made_up(goal, payload, kind, unit)

    def _number(self, goal: Goal, payload: Payload) -> Any:
        """A number of the size that such a record has, or one that was seen to be accepted; None where none is."""
        plan, kind = self.plan, payload.kind
        if kind not in _NUMBERS:
            return None
        if goal.act is not None and kind == "money":
            sized = seeded_like(plan, kind, plan.sample(goal.service, payload.column))
            if sized is not None:
                return sized
        if not payload.detail.worked:
            return None
        number = plan.rng.choice(likely_numbers(kind, payload.detail.worked) or payload.detail.worked[:1])
        return int(number) if payload.detail.type == "integer" else number

    def _made_up(self, goal: Goal, payload: Payload, kind: str, unit: str) -> Stated:
        plan, column = self.plan, payload.column
        if kind in ("label", "place", "count", "duration"):
            cells = [row.get(column.field) for row in plan.draft.rows(goal.service, column.table).values()]
            items = [item for cell in cells for item in (cell if isinstance(cell, list) else [cell])]
            values = sorted({item for item in items if item not in (None, "")}, key=str)
            if not values:
                raise Rejection("nothing to name")
            return Stated(plan.rng.choice(values), "title" if kind == "label" else kind, unit)
        if kind == "title":
            title = f"{plan.cast['title']}{plan.rng.choice(_SUFFIXES)}" if plan.rng.random() < 0.7 else None
            return Stated(title or plan.draft.fresh(column), kind)
        value = self._beside(goal, payload) or self._same_person(goal, payload)
        like = plan.sample(goal.service, column) if kind == "code" else None
        return Stated(value or plan.draft.fresh(Column("", "", kind), like), kind, unit)

    def _beside(self, goal: Goal, payload: Payload) -> str | None:
        """For the second end of a range: a day some days after the first, or before the last."""
        if payload.kind not in ("date", "timestamp"):
            return None
        for other in goal.slots.values():
            if isinstance(other, Place) or other.kind != payload.kind or not isinstance(other.value, str):
                continue
            days = self.plan.rng.randint(2, 9) * (-1 if RANGE_START.search(payload.name) else 1)
            day = dt.date.fromisoformat(other.value[:10]) + dt.timedelta(days=days)
            return f"{day.isoformat()}{other.value[10:]}"
        return None

    def _same_person(self, goal: Goal, payload: Payload) -> str | None:
        """A name and an address in one call belong to one person."""
        for other in goal.slots.values():
            if not isinstance(other, Stated) or {other.kind, payload.kind} != {"email", "person"}:
                continue
            if payload.kind == "person":
                return " ".join(part.capitalize() for part in other.value.partition("@")[0].split("."))
            domain = self.plan.draft.fresh(Column("", "", "email")).partition("@")[2]
            return f"{other.value.lower().replace(' ', '.')}@{domain}"
        return None

    def _referred(self, service: str, payload: Payload) -> Column:
        key = payload.detail.must_exist
        return self.plan.reaches[service].columns[key] if key else payload.column

    def _now(self, goal: Goal, payload: Payload) -> Any:
        for place in goal.slots.values():
            if isinstance(place, Place) and place.table == payload.column.table:
                return self.plan.draft.row(goal.service, place.table, place.id).get(payload.column.field)
        return None
