"""What a value that comes in can do at a visit: find a record, go into a write, decide by a policy."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from services_app.engine.service import TableInfo
from tasks_app.authors.access import Payload, Reach, payloads_of
from tasks_app.authors.guide import SAID, fitting_acts, rules, taken_in, takes
from tasks_app.authors.joined import goes_with, has_room, open_goals
from tasks_app.authors.naming import names_its_record, noun_of, pretty, role_of, value_noun
from tasks_app.authors.phrasebook import Act
from tasks_app.authors.plan import Plan
from tasks_app.authors.sense import plain_key, tells
from tasks_app.authors.story import Carried, Goal, Need, Unfed
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile

MAX_DEPTH = 2
SHARES = {"key": 2.5, "payload": 6.0, "policy": 0.5}
GUIDED_SHARES = {"key": 0.6, "payload": 7.0, "policy": 0.3, "join": 28.0}
MET_PULL = 4.0  # of doing something to a record that the story speaks of already
RETURN_SHARE = 20.0  # of telling something where the walk comes back to tell more
TYPED = defaultdict(lambda: 1.5, email=0.6, code=0.6)
"""Of a value that goes into a field of its own over one that is told in a text; less where lists get dull."""
_KEY_WEIGHTS = {"email": 4.0, "code": 5.0, "organisation": 2.0, "person": 1.5, "title": 2.0, "product": 1.5}
_PAYLOAD_KINDS = frozenset(
    [
        "email",
        "code",
        "money",
        "count",
        "duration",
        "date",
        "timestamp",
        "person",
        "organisation",
        "text",
        "label",
        "phone",
    ]
)
FIGURES = frozenset({"text", "money"})
_UPDATES = re.compile(r"update|set|change|edit|rename|correct|revise")
_TEXT_PAYLOADS = ("money", "date", "email", "person", "code", "money")


@dataclass(frozen=True, slots=True)
class Role:
    """What the value that comes in does at a visit: finds a record, goes into a write, decides by a policy."""

    kind: str
    column: Column | None = None
    tool: ToolProfile | None = None
    payload: Payload | None = None
    act: Act | None = None
    """What a phrase book calls what is done with the value."""
    joins: Goal | None = None
    """An earlier request that takes the value as well."""


def open_payloads(reach: Reach, tool: ToolProfile) -> list[Payload]:
    """The parameters of a writer that can take a value which comes in."""
    return [
        payload
        for payload in payloads_of(reach, tool)
        if payload.kind in _PAYLOAD_KINDS and (payload.kind != "label" or payload.choices) and not payload.detail.closed
    ]


def takes_figures(reach: Reach, tool: ToolProfile) -> bool:
    """Whether a writer can take a figure which a write before it moved."""
    return any(payload.kind in FIGURES for payload in open_payloads(reach, tool))


def moves_figures(reach: Reach, tool: ToolProfile) -> bool:
    """Whether a writer that takes a value in moves a figure which can be read afterwards."""
    tables = [detail.target.partition(".")[0] for detail in tool.parameters.values() if detail.target]
    return bool(open_payloads(reach, tool)) and any(reach.moving(tool, table) for table in tables)


class Roles:
    """Draws roles for the visits of a plan. `stale_at`: the visit that moves a figure which the next one uses."""

    def __init__(self, plan: Plan, stale_at: int | None) -> None:
        self.plan = plan
        self._stale_at = stale_at

    def draw(self, visit: int, present: Role | None, incoming: Carried | None) -> Role:
        """A role for the visit, from everything that its service can do with a value. Raises Rejection at none.

        `present` and `incoming` are role and value of the visit before it.
        """
        service, final = self.plan.walk[visit], visit == len(self.plan.walk) - 1
        source = None if incoming is None else incoming.source
        deep = source is not None and source.depth >= MAX_DEPTH
        options = self._payload_roles(visit, service, final)
        if self._stale_at is None:
            options += self._join_roles(visit)
        if not deep or not options:
            options += self._key_roles(service, final)
        if not final and (present is None or present.kind != "policy"):  # a rule after a rule is a riddle
            options += self._policy_roles(service)
        if visit == self._stale_at:
            options = [(weight, role) for weight, role in options if self._moves_a_figure(service, role)]
        elif self._stale_at is not None and visit == self._stale_at + 1:
            options = [(weight, role) for weight, role in options if self._takes_a_figure(role)]
        if not options:
            raise Unfed(f"{service} can take nothing in")
        totals: dict[str, float] = {}
        for weight, role in options:
            totals[role.kind] = totals.get(role.kind, 0.0) + weight
        shares = GUIDED_SHARES if service in self.plan.books else SHARES
        weights = [
            weight / totals[role.kind] * shares[role.kind] * self._pull(service, role) for weight, role in options
        ]
        return self.plan.rng.choices([role for _, role in options], weights)[0]

    def need(self, visit: int, role: Role) -> Need:
        """The value that the visit has to be fed with in that role."""
        service = self.plan.walk[visit]
        if role.kind == "policy":
            return Need("money", noun="amount", numbers=(), ruled=True)
        if role.kind == "key":
            assert role.column is not None
            table = self.plan.table(service, role.column.table)
            like = self.plan.sample(service, role.column) if role.column.kind == "code" else None
            named = role.column.kind != "email" and names_its_record(role.column, table)
            noun = noun_of(table) if named else value_noun(role.column, table)
            return Need(role.column.kind, like=like, names_record=named, noun=noun)
        assert role.payload is not None
        assert role.tool is not None
        return self._payload_need(visit, role.tool, role.payload, role.act)

    def readable(self, service: str, column: Column) -> float:
        """How readily people would name a record by this column; less where earlier attempts broke down at it."""
        table = self.plan.table(service, column.table)
        return plain_key(column, table) / (1 + self._blame(service, column))

    def write_weight(self, service: str, tool: ToolProfile, act: Act | None = None) -> float:
        """Writes with a verb phrase read better; the same write twice reads worse."""
        info = self.plan.environment.catalogue.services[service].tools[tool.tool]
        again = any(goal.tool == tool.tool and goal.service == service for goal in self.plan.goals)
        blame = self.plan.blamed.get((service, tool.tool), 0)
        weight = self.plan.focus.pull_of_tool(service, tool) * (0.5 if tool.deletes else 1.0)
        weight *= self.plan.trials.share(service, tool) if act is None else self.plan.trials.goes(service, act)
        worn = (0.01 if service in self.plan.books else 0.25) if again else 1.0
        return weight * (2.0 if info.phrase else 1.0) * worn / (1 + 2 * blame)

    def _blame(self, service: str, column: Column) -> int:
        chain = self.plan.reaches[service].chain(column.key, (f"{column.table}.id",))
        return 0 if chain is None else sum(self.plan.blamed.get((service, step.tool), 0) for step in chain.steps)

    def _pull(self, service: str, role: Role) -> float:
        if role.kind == "key" and role.column is not None:
            return self.plan.focus.pull_of_column(service, role.column)
        return self.plan.focus.pull_of_tool(service, role.tool)

    def _moves_a_figure(self, service: str, role: Role) -> bool:
        return role.tool is not None and moves_figures(self.plan.reaches[service], role.tool)

    @staticmethod
    def _takes_a_figure(role: Role) -> bool:
        return role.payload is not None and role.payload.kind in FIGURES

    def _asked(self, visit: int) -> list[tuple[float, Role]]:
        """What the phrase book of a service takes values in for."""
        service, source = self.plan.walk[visit], self.plan.walk[visit - 1]
        reach, found = self.plan.reaches[service], []
        met = {place.table for place in self.plan.places if place.service == service and not place.gone}
        for act in fitting_acts(self.plan, service):
            tool = reach.profile.tools[act.tool]
            known = MET_PULL if met.intersection(self.plan.trials.concerned(service, tool)[:1]) else 1.0
            for payload, shown in taken_in(self.plan.books, self.plan.trials, reach, source, service, act):
                weight = self.write_weight(service, tool, act) * shown * known
                weight *= 1.0 if payload.name == act.tells else TYPED[payload.kind]
                weight *= RETURN_SHARE ** self._returns(visit, act, payload)
                found.append((weight, Role("payload", tool=tool, payload=payload, act=act)))
        return found

    def _returns(self, visit: int, act: Act, payload: Payload) -> int:
        """How many later visits to the service could add to an act that takes a value into a parameter now."""
        service, reach = self.plan.walk[visit], self.plan.reaches[self.plan.walk[visit]]
        sources = [one for one, other in pairwise(self.plan.walk[visit + 1 :]) if other == service]
        return sum(
            any(
                shown >= SAID and goes_with(act, payload.name, other.name)
                for other, shown in taken_in(self.plan.books, self.plan.trials, reach, source, service, act)
            )
            for source in sources
        )

    def _join_roles(self, visit: int) -> list[tuple[float, Role]]:
        """The requests made at the service before that have room for a value."""
        service, source = self.plan.walk[visit], self.plan.walk[visit - 1]
        reach, found = self.plan.reaches[service], []
        for goal in open_goals(self.plan, service):
            assert goal.act is not None
            tool = reach.profile.tools[goal.tool]
            for payload, shown in taken_in(self.plan.books, self.plan.trials, reach, source, service, goal.act):
                alike = payload.name not in goal.texts or self.plan.walk[goal.texts[payload.name].visit] == source
                if alike and has_room(goal, payload.name):  # two things from two places have no reason in common
                    found.append((shown, Role("join", tool=tool, payload=payload, act=goal.act, joins=goal)))
        return found

    def _key_roles(self, service: str, final: bool) -> list[tuple[float, Role]]:
        if service in self.plan.books:  # what is told of a record that a value leads to reads like a riddle
            return []
        reach = self.plan.reaches[service]
        found = []
        for column in self.plan.trials.key_columns(service):
            acts = any(
                self.plan.trials.concerned(service, tool) == [column.table] and self.plan.trials.usable(service, tool)
                for tool in reach.writers
            )
            if not final or acts:
                found.append((_KEY_WEIGHTS[column.kind] * self.readable(service, column), Role("key", column=column)))
        return found

    def _payload_roles(self, visit: int, service: str, final: bool) -> list[tuple[float, Role]]:
        if service in self.plan.books:
            return self._asked(visit)
        reach = self.plan.reaches[service]
        met = {place.table for place in self.plan.places if place.service == service}
        found = []
        for tool in reach.writers:
            tables = [d.target.partition(".")[0] for d in tool.parameters.values() if d.target]
            if not self.plan.trials.usable(service, tool):
                continue
            for payload in open_payloads(reach, tool):
                weight = self.write_weight(service, tool) * (
                    0.8 * tells(payload.column) if payload.kind == "text" else 1.2
                )
                weight *= 1.0 if final or tables else 0.5
                if not final and tables and reach.moving(tool, tables[0]):
                    weight *= 6.0 if tables[0] in met else 3.0
                found.append((weight, Role("payload", tool=tool, payload=payload)))
        return found

    def _policy_roles(self, service: str) -> list[tuple[float, Role]]:
        found = []
        for column in self.plan.trials.key_columns(service):
            table = self.plan.table(service, column.table)
            words = self.plan.words(service, column.table)
            ruling = service not in self.plan.books or (words is not None and rules(words, column))
            if table.carrier == "document" and column.kind == "title" and ruling:
                found.append((3.0, Role("policy", column=column)))
        return found

    def _payload_need(self, visit: int, tool: ToolProfile, payload: Payload, act: Act | None) -> Need:
        service, kind = self.plan.walk[visit], payload.kind
        meanings: tuple[str, ...] = ()
        facts: frozenset[str] | None = None
        if act is not None:
            meanings = takes(act, payload.name)
            facts = act.listed(payload.name)
            if payload.name == act.tells:
                return Need("", known=False, any_kind=True, noun="reference", meanings=meanings, facts=facts)
        if kind == "text":
            figures = self._stale_at is not None and visit == self._stale_at + 1
            kinds = ("money", "count") if figures else (*_TEXT_PAYLOADS, "count")
            return Need(self.plan.rng.choice(kinds), known=False, any_kind=True, noun="reference")
        table = self.plan.table(service, payload.column.table)
        return Need(
            kind=kind,
            unit=payload.detail.unit or payload.column.unit,
            choices=payload.choices,
            like=self.plan.sample(service, payload.column) if kind in ("code", "money") else None,
            noun=value_noun(payload.column, table),
            short=pretty(payload.column.field),
            known=bool(payload.detail.must_exist) or payload.detail.when == "past",
            numbers=payload.detail.worked[:8],
            when=payload.detail.when,
            meanings=meanings,
            facts=facts,
            own=act is None and bool(_UPDATES.match(tool.tool)) and self._own(payload.column, kind, table),
        )

    @staticmethod
    def _own(column: Column, kind: str, table: TableInfo) -> bool:
        return kind in ("email", "person") and role_of(column, table) == noun_of(table)
