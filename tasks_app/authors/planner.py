"""One pass over the walk: at each visit take in the value that came, act on it, and show what the next one needs.

The role of the next visit is drawn when the present one is planned (late binding): what it needs is then known,
and a way to show just that is looked for; another role is drawn when there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tasks_app.authors.access import Payload, payloads_of
from tasks_app.authors.acting import Actor
from tasks_app.authors.focus import PULL
from tasks_app.authors.naming import names_its_record, noun_of, pretty, value_noun
from tasks_app.authors.plan import Plan
from tasks_app.authors.reveal import Revealer
from tasks_app.authors.story import Carried, Goal, Need, Place, Rejection
from tasks_app.authors.ways import RIGHT_AFTER_ITS_WRITE, Option
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile
from tasks_app.engine.program import Call, Constant

DRAWS = 14
MAX_DEPTH = 3
JOIN_SHARE = 0.5
STRAND_SHARE = 0.5
WRITE_SHARE = 0.35  # of the records found, those that something is done to
_KEY_WEIGHTS = {"email": 4.0, "code": 5.0, "organisation": 2.0, "person": 1.5, "title": 2.0, "product": 1.5}
_START_WEIGHTS = {"organisation": 4.0, "person": 3.0, "title": 3.0, "code": 2.0, "email": 1.0, "product": 2.0}
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
_TEXT_PAYLOADS = ("money", "date", "email", "person", "code", "money")


@dataclass(frozen=True, slots=True)
class Role:
    """What the value that comes in does at a visit: finds a record, goes into a write, decides by a policy."""

    kind: str
    column: Column | None = None
    tool: ToolProfile | None = None
    payload: Payload | None = None


class Way(NamedTuple):
    """One way to show the value needed; `show` plans it."""

    weight: float
    how: str
    show: Callable[[], Carried]


class Planner:
    """Plans a story, visit by visit. Raises Rejection where it leads nowhere."""

    def __init__(self, plan: Plan, *, stale_at: int | None = None) -> None:
        """`stale_at`: the visit that has to move a figure which the next visit then uses; None: none has to."""
        self.plan = plan
        self._stale_at = stale_at
        self.revealer = Revealer(plan)
        self.actor = Actor(plan)
        self._role: Role | None = None
        self._incoming: Carried | None = None

    def visit(self, visit: int) -> None:
        """Plan one visit: the next one, or the first."""
        service, last = self.plan.walk[visit], len(self.plan.walk) - 1
        place, goal = self._take_in(visit, service, final=visit == last)
        if visit < last:
            self._show(visit, service, place, goal)

    def close(self) -> None:
        """Settle whether the visits make a story."""
        written = {goal.service for goal in self.plan.goals}
        if len(written) < min(2, len(set(self.plan.walk))):
            raise Rejection("fewer than two services are written to")
        if any(not carried.used for carried in self.plan.carried):
            raise Rejection("a value is never used")

    # Taking in

    def _take_in(self, visit: int, service: str, *, final: bool) -> tuple[Place | None, Goal | None]:
        role, incoming = self._role, self._incoming
        if role is None:
            place = self._start(visit, service)
            writes = self.plan.focus.writer(service) is not None
            return place, self._act_on(visit, service, place, must=False) if writes else None
        if role.kind == "policy":
            assert role.column is not None
            return self.plan.locate(visit, service, role.column), None
        if role.kind == "key":
            assert role.column is not None
            place = self.plan.locate(visit, service, role.column, incoming)
            return place, self._act_on(visit, service, place, must=final)
        assert role.tool is not None
        assert role.payload is not None
        goal = self.actor.act(
            visit, service, role.tool, carried=incoming, parameter=role.payload.name, pool=self._earlier()
        )
        places = [slot for slot in goal.slots.values() if isinstance(slot, Place)]
        return (places[0] if places else None), goal

    def _earlier(self) -> list[Carried]:
        """Earlier values, most recent first, for use beside the incoming one."""
        return self.plan.carried[:-1][-3:][::-1]

    def _start(self, visit: int, service: str) -> Place:
        keys = self._nameable(service)
        if not keys:
            raise Rejection("no record can be named to start with")
        pulls = [self.plan.focus.pull_of_column(service, key) for key in keys]
        weights = [
            _START_WEIGHTS[key.kind] * self._declared(service, key) * pull
            for key, pull in zip(keys, pulls, strict=True)
        ]
        return self.plan.locate(visit, service, self.plan.rng.choices(keys, weights)[0])

    def _declared(self, service: str, column: Column) -> float:
        """The field by which people call a record is preferred over others by which it can be found."""
        weight = 4.0 if self.plan.table(service, column.table).key == column.field else 1.0
        return weight / (1 + self._blame(service, column))

    def _blame(self, service: str, column: Column) -> int:
        chain = self.plan.reaches[service].chain(column.key, (f"{column.table}.id",))
        return 0 if chain is None else sum(self.plan.blamed.get((service, step.tool), 0) for step in chain.steps)

    def _nameable(self, service: str) -> list[Column]:
        """Keys by which the instruction may name a record, in tables that show something."""
        return [key for key in self.plan.trials.key_columns(service) if key.kind in _START_WEIGHTS and not key.many]

    def _act_on(self, visit: int, service: str, place: Place, *, must: bool) -> Goal | None:
        tools = [
            tool
            for tool in self.plan.reaches[service].writers
            if place.table in self.plan.trials.concerned(service, tool)
            and self.actor.suits(tool, place)
            and self.plan.trials.usable(service, tool)
        ]
        focus = self.plan.focus.writer(service)
        tools = [focus] if focus is not None and focus in tools else tools
        if not tools or (not must and focus not in tools and self.plan.rng.random() > WRITE_SHARE):
            if must:
                raise Rejection("the last visit cannot write")
            return None
        pool = self._earlier()
        self.plan.rng.shuffle(pool)
        weights = [self._write_weight(service, tool) for tool in tools]
        tool = self.plan.rng.choices(tools, weights)[0]
        return self.actor.act(visit, service, tool, place=place, pool=pool[:2])

    def _write_weight(self, service: str, tool: ToolProfile) -> float:
        """Writes with a verb phrase read better; the same write twice reads worse."""
        info = self.plan.environment.catalogue.services[service].tools[tool.tool]
        again = any(goal.tool == tool.tool and goal.service == service for goal in self.plan.goals)
        blame = self.plan.blamed.get((service, tool.tool), 0)
        weight = self.plan.focus.pull_of_tool(service, tool) * (0.5 if tool.deletes else 1.0)
        weight *= self.plan.trials.share(service, tool)
        return weight * (2.0 if info.phrase else 1.0) * (0.25 if again else 1.0) / (1 + 2 * blame)

    # Showing

    def _show(self, visit: int, service: str, place: Place | None, goal: Goal | None) -> None:
        policy = self._role is not None and self._role.kind == "policy"
        for _ in range(DRAWS):
            role = self._draw(visit + 1)
            need = self._need(visit + 1, role)
            if policy:
                assert place is not None
                assert self._incoming is not None
                if self._policy_gives(need):
                    self._role, self._incoming = role, self.revealer.show_policy(place, need, visit, self._incoming)
                    return
                continue
            ways = self._ways(visit, service, place, goal, need)
            if visit == self._stale_at:
                ways = [way for way in ways if way.how == "derived" and way.weight >= RIGHT_AFTER_ITS_WRITE]
            if ways:
                self._role, self._incoming = role, self._pick(ways).show()
                return
        raise Rejection(f"nothing in {service} can feed {self.plan.walk[visit + 1]}")

    @staticmethod
    def _policy_gives(need: Need) -> bool:
        return need.kind in ("email", "date", "money", "label", "person", "code") and not need.names_record

    def _ways(self, visit: int, service: str, place: Place | None, goal: Goal | None, need: Need) -> list[Way]:
        """All ways in which this visit can show what is needed: here, at a parent, elsewhere, or by what was made."""
        key_role = self._role is not None and self._role.kind == "key"
        found: list[Way] = []
        if place is not None and not place.gone and (key_role or not place.shown):
            for option in self.revealer.ways.options(place, need):
                weight = option.weight * self._detour(place, option)
                found.append(Way(weight, option.how, self._shower(place, need, option, visit)))
            found += self._over_references(place, need, visit)
        if goal is not None and not need.known:
            found += self._generated(goal, need, visit)
        # A record of its own is fine only when the incoming value has done its work; else that edge is idle.
        if visit > 0 and (goal is not None or not key_role):
            found += self._elsewhere(visit, service, need)
        return found

    def _detour(self, place: Place, option: Option) -> float:
        """How much the story likes an option for being shown by the read that it is to make use of."""
        if not place.via or option.how == "derived":
            return self.plan.focus.pull_of_tool(place.service, option.detail[0]) if place.via else 1.0
        columns = option.detail[: 2 if option.how == "ranked" else 1]
        chain = self.plan.chain(place, *(column.key for column in columns))
        return PULL if chain is not None and any(step.tool == place.via for step in chain.steps) else 1.0

    def _over_references(self, place: Place, need: Need, visit: int) -> Iterator[Way]:
        """What the parents of the record could show."""
        if place.depth >= MAX_DEPTH:
            return
        for column in self.plan.joinable(place):
            identity = f"{column.target}.id"
            parent = Place(
                place.service, column.target, "", "", visit, identity, Constant(value=""), "", depth=place.depth + 1
            )
            for option in self.revealer.ways.options(parent, need):
                if option.how != "text":
                    yield Way(option.weight * JOIN_SHARE, option.how, self._joiner(place, column, need, option, visit))

    def _elsewhere(self, visit: int, service: str, need: Need) -> Iterator[Way]:
        """What another record, named in the instruction, could show: a second strand."""
        for column in self._nameable(service):
            place = Place(service, column.table, "", "", visit, column.key, Constant(value=""), "")
            share = STRAND_SHARE * self._declared(service, column) / 4
            for option in self.revealer.ways.options(place, need):
                yield Way(option.weight * share, option.how, self._namer(column, need, option, visit, service))

    def _shower(self, place: Place, need: Need, option: Option, visit: int) -> Callable[[], Carried]:
        return lambda: self.revealer.show(place, need, option, visit)

    def _joiner(self, place: Place, column: Column, need: Need, option: Option, visit: int) -> Callable[[], Carried]:
        return lambda: self.revealer.show(self.plan.join(place, column, visit), need, option, visit)

    def _namer(self, column: Column, need: Need, option: Option, visit: int, service: str) -> Callable[[], Carried]:
        def show() -> Carried:
            self.plan.tags.add("second strand")
            return self.revealer.show(self.plan.locate(visit, service, column), need, option, visit)

        return show

    def _generated(self, goal: Goal, need: Need, visit: int) -> Iterator[Way]:
        reach = self.plan.reaches[goal.service]
        tool = reach.profile.tools[goal.tool]
        call = next(step for step in self.plan.steps if isinstance(step, Call) and step.number == goal.call)
        for key, path in tool.generated.items():
            column = reach.columns[key]
            fits = column.kind == need.kind == "code" or (column.kind == "id" and need.kind == "code" and need.any_kind)
            if fits and path and "[" not in path and column.table in tool.creates and not need.names_record:
                yield Way(6.0, "generated", self._generator(need, visit, call, column, path))

    def _generator(self, need: Need, visit: int, call: Call, column: Column, path: str) -> Callable[[], Carried]:
        return lambda: self.revealer.show_generated(need, visit, call, column, path)

    def _pick(self, ways: Sequence[Way]) -> Way:
        """First how, then where: a table with many columns does not crowd out the rest."""
        by_how: dict[str, list[Way]] = {}
        for way in ways:
            by_how.setdefault(way.how, []).append(way)
        best = [max(way.weight for way in group) / self._worn(how) for how, group in by_how.items()]
        group = self.plan.rng.choices(list(by_how.values()), best)[0]
        return self.plan.rng.choices(group, [way.weight for way in group])[0]

    def _worn(self, how: str) -> float:
        """Ways that the story has used already are used less."""
        return 1.0 + 0.8 * sum(carried.how == how for carried in self.plan.carried)

    # Roles

    def _draw(self, visit: int) -> Role:
        """A role for the visit, from everything that its service can do with a value."""
        service, final = self.plan.walk[visit], visit == len(self.plan.walk) - 1
        options = [*self._key_roles(service, final), *self._payload_roles(service, final)]
        if not final and (self._role is None or self._role.kind != "policy"):  # a rule after a rule is a riddle
            options += self._policy_roles(service)
        if visit == self._stale_at:
            options = [(weight, role) for weight, role in options if self._moves_a_figure(service, role)]
        elif self._stale_at is not None and visit == self._stale_at + 1:
            options = [(weight, role) for weight, role in options if self._takes_a_figure(role)]
        if not options:
            raise Rejection(f"{service} can take nothing in")
        shares = {"key": 5.0, "payload": 4.5 if visit > 1 else 3.0, "policy": 1.4}
        totals: dict[str, float] = {}
        for weight, role in options:
            totals[role.kind] = totals.get(role.kind, 0.0) + weight
        weights = [
            weight / totals[role.kind] * shares[role.kind] * self._pull(service, role) for weight, role in options
        ]
        return self.plan.rng.choices([role for _, role in options], weights)[0]

    def _pull(self, service: str, role: Role) -> float:
        if role.kind == "key" and role.column is not None:
            return self.plan.focus.pull_of_column(service, role.column)
        return self.plan.focus.pull_of_tool(service, role.tool)

    def _moves_a_figure(self, service: str, role: Role) -> bool:
        if role.tool is None:
            return False
        tables = [d.target.partition(".")[0] for d in role.tool.parameters.values() if d.target]
        return any(self.plan.reaches[service].moving(role.tool, table) for table in tables)

    @staticmethod
    def _takes_a_figure(role: Role) -> bool:
        return role.payload is not None and role.payload.kind in ("text", "money")

    def _key_roles(self, service: str, final: bool) -> list[tuple[float, Role]]:
        reach = self.plan.reaches[service]
        source = None if self._incoming is None else self._incoming.source
        if source is not None and source.depth >= MAX_DEPTH and not final:
            return []
        found = []
        for column in self.plan.trials.key_columns(service):
            acts = any(
                self.plan.trials.concerned(service, tool) == [column.table] and self.plan.trials.usable(service, tool)
                for tool in reach.writers
            )
            if not final or acts:
                weight = _KEY_WEIGHTS[column.kind] / (1 + self._blame(service, column))
                found.append((weight, Role("key", column=column)))
        return found

    def _payload_roles(self, service: str, final: bool) -> list[tuple[float, Role]]:
        reach = self.plan.reaches[service]
        met = {place.table for place in self.plan.places if place.service == service}
        found = []
        for tool in reach.writers:
            tables = [d.target.partition(".")[0] for d in tool.parameters.values() if d.target]
            if not self.plan.trials.usable(service, tool):
                continue
            for payload in payloads_of(reach, tool):
                if payload.kind not in _PAYLOAD_KINDS or (payload.kind == "label" and not payload.choices):
                    continue
                if payload.detail.closed:
                    continue
                weight = self._write_weight(service, tool) * (0.8 if payload.kind == "text" else 1.2)
                weight *= 1.0 if final or tables else 0.5
                if not final and tables and reach.moving(tool, tables[0]):
                    weight *= 6.0 if tables[0] in met else 3.0
                found.append((weight, Role("payload", tool=tool, payload=payload)))
        return found

    def _policy_roles(self, service: str) -> list[tuple[float, Role]]:
        found = []
        for column in self.plan.trials.key_columns(service):
            table = self.plan.table(service, column.table)
            if table.carrier == "document" and column.kind == "title":
                found.append((3.0, Role("policy", column=column)))
        return found

    def _need(self, visit: int, role: Role) -> Need:
        service = self.plan.walk[visit]
        if role.kind == "policy":
            return Need("money", noun="amount", numbers=())
        if role.kind == "key":
            assert role.column is not None
            table = self.plan.table(service, role.column.table)
            like = self.plan.sample(service, role.column) if role.column.kind == "code" else None
            named = role.column.kind != "email" and names_its_record(role.column, table)
            noun = noun_of(table) if named else value_noun(role.column, table)
            return Need(role.column.kind, like=like, names_record=named, noun=noun)
        assert role.payload is not None
        return self._payload_need(visit, role.payload)

    def _payload_need(self, visit: int, payload: Payload) -> Need:
        service, kind = self.plan.walk[visit], payload.kind
        if kind == "text":
            figures = self._stale_at is not None and visit == self._stale_at + 1
            kinds = ("money", "count") if figures else (*_TEXT_PAYLOADS, "count")
            return Need(self.plan.rng.choice(kinds), known=False, any_kind=True, noun="reference")
        table = self.plan.table(service, payload.column.table)
        return Need(
            kind=kind,
            unit=payload.detail.unit or payload.column.unit,
            choices=payload.choices,
            like=self.plan.sample(service, payload.column) if kind == "code" else None,
            noun=value_noun(payload.column, table),
            short=pretty(payload.column.field),
            known=bool(payload.detail.must_exist) or payload.detail.when == "past",
            numbers=payload.detail.worked[:8],
            when=payload.detail.when,
        )
