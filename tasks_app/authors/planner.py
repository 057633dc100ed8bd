"""One pass over the walk: at each visit take in the value that came, act on it, and show what the next one needs.

The role of the next visit is drawn when the present one is planned (late binding): what it needs is then known,
and a way to show just that is looked for; another role is drawn when there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tasks_app.authors.acting import Actor
from tasks_app.authors.focus import PULL
from tasks_app.authors.guide import facts_for, fitting_acts, met_by, nameable, settled
from tasks_app.authors.phrasebook import Fact
from tasks_app.authors.plan import Plan
from tasks_app.authors.reveal import Revealer
from tasks_app.authors.roles import MAX_DEPTH, Role, Roles
from tasks_app.authors.story import Carried, Goal, Need, Place, Rejection, Unfed
from tasks_app.authors.ways import Option
from tasks_app.engine.columns import Column
from tasks_app.engine.program import Call, Constant

DRAWS = 14
PICKY_DRAWS = 9  # the first of them, in which only ways that people would think of count
PICKY_WHEN_GUIDED = 4  # there, only what records show counts at first, and what texts say afterwards
PLAIN = 1.0  # the weight from which they do
JOIN_SHARE = 0.5
FOUND_SHARE = 0.4  # of a record that had to be found itself over one that is named
STRAND_SHARE = 3.0  # of a record of its own over one that is known already: several short strands
KNOWN_SHARE = 12.0  # of a record that the story speaks of already, where phrase books are followed
GUIDED_MADE = 100.0  # of what a request of the story has just made
WRITE_SHARE = 0.6  # of the records found, those that something is done to
_START_WEIGHTS = {"organisation": 4.0, "person": 3.0, "title": 3.0, "code": 2.0, "email": 1.0, "product": 2.0}


class Way(NamedTuple):
    """One way to show the value needed; `show` plans it."""

    weight: float
    how: str
    show: Callable[[], Carried]
    moved: bool = False
    """A figure that a write of the story has just moved."""


class Planner:
    """Plans a story, visit by visit. Raises Rejection where it leads nowhere."""

    def __init__(self, plan: Plan, *, stale_at: int | None = None) -> None:
        """`stale_at`: the visit that has to move a figure which the next visit then uses; None: none has to."""
        self.plan = plan
        self._stale_at = stale_at
        self.revealer = Revealer(plan)
        self.actor = Actor(plan)
        self.roles = Roles(plan, stale_at)
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
        goal = self._told_or_done(visit, service, role, incoming)
        places = [slot for slot in goal.slots.values() if isinstance(slot, Place)]
        return (places[0] if places else None), goal

    def _told_or_done(self, visit: int, service: str, role: Role, incoming: Carried | None) -> Goal:
        """The request that takes the value in: one made before that has room for it, or a new one."""
        assert role.tool is not None
        assert role.payload is not None
        if role.joins is not None:
            assert incoming is not None
            self.actor.add(role.joins, role.payload, incoming, visit)
            return role.joins
        name, pool = role.payload.name, self._earlier()
        return self.actor.act(visit, service, role.tool, carried=incoming, parameter=name, pool=pool, act=role.act)

    def _earlier(self) -> list[Carried]:
        """Earlier values, most recent first, for use beside the incoming one."""
        return self.plan.carried[:-1][-3:][::-1]

    def _start(self, visit: int, service: str) -> Place:
        keys = self._nameable(service)
        if not keys:
            raise Rejection("no record can be named to start with")
        book = self.plan.books.get(service)
        if book is not None:  # what nothing is told of is no place to start from
            telling = {fact.of for fact in book.facts} | {table for table, words in book.records.items() if words.news}
            keys = [key for key in keys if key.table in telling] or keys
        pulls = [self.plan.focus.pull_of_column(service, key) for key in keys]
        weights = [
            _START_WEIGHTS[key.kind] * self.roles.readable(service, key) * pull
            for key, pull in zip(keys, pulls, strict=True)
        ]
        return self.plan.locate(visit, service, self.plan.rng.choices(keys, weights)[0])

    def _nameable(self, service: str) -> list[Column]:
        """Keys by which the instruction may name a record, in tables that show something."""
        keys = [key for key in self.plan.trials.key_columns(service) if key.kind in _START_WEIGHTS and not key.many]
        book = self.plan.books.get(service)
        return keys if book is None else [key for key in keys if nameable(self.plan, book, key)]

    def _act_on(self, visit: int, service: str, place: Place, *, must: bool) -> Goal | None:
        if service in self.plan.books:
            return self._asked_of(visit, service, place, must=must)
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
        weights = [self.roles.write_weight(service, tool) for tool in tools]
        tool = self.plan.rng.choices(tools, weights)[0]
        return self.actor.act(visit, service, tool, place=place, pool=pool[:2])

    def _asked_of(self, visit: int, service: str, place: Place, *, must: bool) -> Goal | None:
        """One of the acts that the phrase book of the service knows about such a record, and that tell no fact."""
        reach = self.plan.reaches[service]
        acts = []
        for act in fitting_acts(self.plan, service):
            tool = reach.profile.tools[act.tool]
            concerned = self.plan.trials.concerned(service, tool)
            if not act.tells and concerned and concerned[0] == place.table and self.actor.suits(tool, place):
                acts.append((self.roles.write_weight(service, tool, act), act, tool))
        if not acts or (not must and self.plan.rng.random() > WRITE_SHARE):
            if must:
                raise Rejection("the last visit cannot write")
            return None
        _, act, tool = self.plan.rng.choices(acts, [weight for weight, _, _ in acts])[0]
        return self.actor.act(visit, service, tool, place=place, act=act)

    # Showing

    def _show(self, visit: int, service: str, place: Place | None, goal: Goal | None) -> None:
        policy = self._role is not None and self._role.kind == "policy"
        for draw in range(DRAWS):
            role = self.roles.draw(visit + 1, self._role, self._incoming)
            need = self.roles.need(visit + 1, role)
            need = need if need.kind or service in self.plan.books else settled(self.plan, need)
            if policy:
                need = settled(self.plan, need)
                assert place is not None
                assert self._incoming is not None
                if self._policy_gives(need, guided=service in self.plan.books):
                    self._role, self._incoming = role, self.revealer.show_policy(place, need, visit, self._incoming)
                    return
                continue
            ways = self._ways(visit, service, place, goal, need)
            if visit == self._stale_at:
                ways = [way for way in ways if way.moved]
            elif draw < (PICKY_WHEN_GUIDED if service in self.plan.books else PICKY_DRAWS):
                ways = [way for way in ways if way.weight >= PLAIN]
            if ways:
                self._role, self._incoming = role, self._pick(ways).show()
                return
        raise Unfed(f"nothing in {service} can feed {self.plan.walk[visit + 1]}")

    @staticmethod
    def _policy_gives(need: Need, *, guided: bool) -> bool:
        if guided:
            return need.kind in ("email", "money")
        return need.kind in ("email", "date", "money", "label", "person") and not (need.names_record or need.own)

    def _ways(self, visit: int, service: str, place: Place | None, goal: Goal | None, need: Need) -> list[Way]:
        """All ways in which this visit can show what is needed: here, at a parent, elsewhere, or by what was made."""
        key_role = self._role is not None and self._role.kind == "key"
        found: list[Way] = []
        guided = service in self.plan.books
        plain = not guided or (place is not None and place.depth == 1)  # one description inside another is a riddle
        if place is not None and plain and not place.gone and (key_role or not place.shown):
            for option in self.revealer.ways.options(place, need):
                weight = option.weight * self._detour(place, option) * (1.0 if place.depth == 1 else FOUND_SHARE)
                found.append(Way(weight, option.how, self._shower(place, need, option, visit), option.moved))
            found += () if guided else self._over_references(place, need, visit)
        if goal is not None and not need.known:
            found += self._generated(goal, need, visit)
        if guided:
            found += self._of_known(visit, service, place, need)
        # A record of its own is fine only when the incoming value has done its work; else that edge is idle.
        if visit > 0 and (goal is not None or not key_role):
            found += self._elsewhere(visit, service, need)
        return found

    def _of_known(self, visit: int, service: str, place: Place | None, need: Need) -> Iterator[Way]:
        """What the records that the story speaks of already could show."""
        for other in self.plan.places:
            named = other.found_by is None and other.reached_from is None and not other.gone
            if other.service == service and other is not place and named:
                for option in self.revealer.ways.options(other, need):
                    show = self._shower(other, need, option, visit)
                    yield Way(option.weight * KNOWN_SHARE, option.how, show, option.moved)

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
                place.service,
                column.target,
                "",
                "",
                visit,
                identity,
                Constant(value=""),
                "",
                depth=place.depth + 1,
                reached_from=place,
            )
            for option in self.revealer.ways.options(parent, need):
                if option.how != "text":
                    show = self._joiner(place, column, need, option, visit)
                    yield Way(option.weight * JOIN_SHARE, option.how, show, option.moved)

    def _elsewhere(self, visit: int, service: str, need: Need) -> Iterator[Way]:
        """What another record, named in the instruction, could show: a second strand."""
        for column in self._nameable(service):
            place = Place(service, column.table, "", "", visit, column.key, Constant(value=""), "")
            share = STRAND_SHARE * self.roles.readable(service, column)
            for option in self.revealer.ways.options(place, need):
                yield Way(option.weight * share, option.how, self._namer(column, need, option, visit, service))

    def _shower(self, place: Place, need: Need, option: Option, visit: int) -> Callable[[], Carried]:
        return lambda: self.revealer.show(place, need, option, visit)

    def _joiner(self, place: Place, column: Column, need: Need, option: Option, visit: int) -> Callable[[], Carried]:
        return lambda: self.revealer.show(self.plan.join(place, column, visit), need, option, visit)

    def _namer(self, column: Column, need: Need, option: Option, visit: int, service: str) -> Callable[[], Carried]:
        def show() -> Carried:
            self.plan.tags.add("second strand")
            holds = (option.need or need).kind if option.how in ("text", "note") else ""
            place = self.plan.locate(visit, service, column, holds=holds)
            return self.revealer.show(place, need, option, visit)

        return show

    def _generated(self, goal: Goal, need: Need, visit: int) -> Iterator[Way]:
        reach = self.plan.reaches[goal.service]
        tool = reach.profile.tools[goal.tool]
        book = self.plan.books.get(goal.service)
        call = next(step for step in self.plan.steps if isinstance(step, Call) and step.number == goal.call)
        for key, path in tool.generated.items():
            column = reach.columns[key]
            if book is not None and self._alone(goal, column.table):
                facts = facts_for(goal.service, book, column.table, need)
                fact = next((fact for fact in facts if fact.show == column.field), None)
                if fact is not None and path and "[" not in path and column.table in tool.creates:
                    met = met_by(need, column, None)
                    if met is not None:
                        yield Way(GUIDED_MADE, "generated", self._generator(met, visit, call, column, path, fact))
            if book is not None:
                continue
            fits = column.kind == need.kind == "code" or (column.kind == "id" and need.kind == "code" and need.any_kind)
            if fits and path and "[" not in path and column.table in tool.creates and not need.names_record:
                yield Way(6.0, "generated", self._generator(need, visit, call, column, path))

    def _alone(self, goal: Goal, table: str) -> bool:
        """Whether no other request makes such a record: it is called "the new one"."""
        tools = self.plan.reaches[goal.service].profile.tools
        others = (other for other in self.plan.goals if other is not goal and other.service == goal.service)
        return not any(table in tools[other.tool].creates for other in others)

    def _generator(
        self, need: Need, visit: int, call: Call, column: Column, path: str, fact: Fact | None = None
    ) -> Callable[[], Carried]:
        return lambda: self.revealer.show_generated(need, visit, call, column, path, fact)

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
