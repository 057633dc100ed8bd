"""The test bench: a live environment, the calls that work, and bounds on time and number of calls."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.engine.schema import compile_schema
from services_app.specs.vocabulary import READS, id_target, read_name, shared_prefix
from services_app.verification.attempts import amended, attempts
from services_app.verification.pool import Pool, ordered
from services_app.verification.states import OtherStates, other_states
from services_app.verification.subject import Outcome, Subject, breakage, related

Json = Any
ATTEMPTS = 260
EARLY_ATTEMPTS = 40  # while the pool is still being filled
CALLS_PER_TOOL = 1_200
SECONDS_PER_TOOL = 3.0
AMENDS = 3  # failed attempts whose errors are answered
WRITERS = 8  # writes after which a tool is tried again
PATIENCE = 24  # attempts in which a reading tool may still find something


class BoundHitError(Exception):
    """Verification used up its time or its calls."""


@dataclass
class Bench:
    """Mounts the service and finds a working call for every tool, using observations only.

    `mount` gives a fresh environment of the service alone. `timer` is in seconds, from any start.
    """

    slug: str
    mount: Callable[[], Environment]
    timer: Callable[[], float]
    seconds: float = 120.0
    max_calls: int = 60_000
    calls: int = 0
    pool: Pool = field(default_factory=Pool)
    setup: list[tuple[str, dict[str, Json]]] = field(default_factory=list)
    shown_state: bool = False
    """Whether the pool holds values that only the state showed."""

    wrap: Callable[[Environment], Environment] | None = None
    """Plants a fault in every state; None: the service as it is."""

    def __post_init__(self) -> None:
        self.started = self.timer()
        self._early = False
        self._wrapped: dict[int, Environment] = {}
        self._faulty: set[int] = set()
        self._states: dict[int, OtherStates] = {}
        self._probes: dict[int, tuple[Environment, dict[str, Outcome]]] = {}
        self.base = self.mount()
        self.base.state_hash()  # computed once here, copied by every fork
        tools = self.base.catalogue.tools[self.slug]
        self.max_calls = max(self.max_calls, CALLS_PER_TOOL * len(tools))
        prefix = shared_prefix(tools)
        self.subjects = {
            name: Subject(
                tools[name], read_name(name, prefix, tools[name].description), compile_schema(tools[name].input_schema)
            )
            for name in ordered(tools, prefix)
        }

    def call(self, environment: Environment, tool: str, arguments: Json) -> Observation:
        """One call within the bounds. Raises BoundHitError, and whatever the sandbox raises."""
        if self.calls >= self.max_calls:
            raise BoundHitError(f"verification made {self.max_calls} calls without an end")
        if self.timer() - self.started > self.seconds:
            raise BoundHitError(f"verification took longer than {self.seconds:g} seconds")
        self.calls += 1
        return environment.call(self.slug, tool, arguments)

    def probe(self, subject: Subject, arguments: dict[str, Json], start: Environment | None = None) -> Outcome:
        """What a call does in the subject's state (or in `start`), on a fork; the same call is made once."""
        origin = self.wrapped(start or subject.start or self.base)
        _, known = self._probes.setdefault(id(origin), (origin, {}))
        key = f"{subject.info.name} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"
        if key not in known:
            trial = origin.fork()
            mark, defects = len(origin.changes), len(origin.defects)
            observation = self.call(trial, subject.info.name, arguments)
            broke = breakage(trial.defects[-1]) if len(trial.defects) > defects else ""
            changes = [change.to_json() for change in trial.changes[mark:]]
            known[key] = Outcome(observation, changes, trial.now, broke)
            if start is None and observation["success"]:
                subject.showed.append((len(repr(observation["data"])), arguments))
            if broke and start is None and subject.crash is None:
                subject.crash = arguments, broke
            trial.close()
        return known[key]

    @cached_property
    def tables(self) -> dict[str, list[dict[str, Json]]]:
        """The records of the state in which tools are judged, by table."""
        return {name: list(rows) for name, rows in self.base.state().get(self.slug, {}).items()}

    @cached_property
    def known(self) -> Pool:
        """Ids and values of every record, also of those that no tool shows."""
        pool = Pool()
        for name, rows in self.tables.items():
            pool.harvest({"success": True, "data": rows}, self.noun_of(name))
        return pool

    def states(self, origin: Environment) -> OtherStates:
        """Other states made from one, once."""
        if id(origin) not in self._states:
            self._states[id(origin)] = other_states(self.slug, origin)
        return self._states[id(origin)]

    def noun_of(self, table: str) -> str:
        """What the records of a table are, words joined by `_`."""
        info = self.base.catalogue.services[self.slug].tables.get(table)
        return (info.noun if info else table).replace(" ", "_")

    def records_of(self, subject: Subject) -> list[dict[str, Json]]:
        """Records that a tool is about: of its noun, of one that shares its last word, or of one that an id names."""
        noun = subject.reading.noun
        by_noun = {self.noun_of(name): rows for name, rows in self.tables.items()}
        last = noun.rsplit("_", 1)[-1]
        near = [rows for other, rows in by_noun.items() if noun and other.rsplit("_", 1)[-1] == last]
        named = [by_noun.get(id_target(name, noun) or "", []) for name in subject.schema.get("properties") or {}]
        rows = next((rows for rows in (by_noun.get(noun, []), *near, *named) if rows), [])
        return [*self.pool.rows(noun)[:8], *rows[:12]]

    def fork(self, subject: Subject) -> Environment:
        """A copy of the state in which the subject's working call succeeds (the base state if there is none)."""
        return self.origin(subject).fork()

    def origin(self, subject: Subject) -> Environment:
        """The state in which the subject's working call succeeds, not to be called itself."""
        return self.wrapped(subject.start or self.base)

    def wrapped(self, state: Environment) -> Environment:
        """The state with the planted fault, if there is one."""
        if self.wrap is None or id(state) in self._faulty:
            return state
        found = self._wrapped.get(id(state))
        if found is None:
            found = self._wrapped[id(state)] = self.wrap(state)
            self._faulty.add(id(found))
        return found

    def mutated(self, wrap: Callable[[Environment], Environment]) -> Bench:
        """The same bench, with all that it knows, over a service with a planted fault."""
        other = copy.copy(self)
        other.wrap, other._wrapped, other._faulty = wrap, {}, set()
        other._probes, other._states = {}, {}
        return other

    def replay(self, subject: Subject, environment: Environment) -> Environment:
        """The same state made in another environment, from its seed."""
        trial = environment.fork()
        for tool, arguments in subject.before:
            self.call(trial, tool, arguments)
        return trial

    def remount(self) -> None:
        """After the sandbox died: a fresh environment, with what was set up before."""
        fresh = self.mount()
        self._probes.clear()
        self._states.clear()
        for subject in self.subjects.values():
            if subject.start is not None:
                subject.start = fresh.fork()
                for tool, arguments in subject.before:
                    subject.start.call(self.slug, tool, arguments)
        self.base = fresh.fork()
        for tool, arguments in self.setup:
            self.base.call(self.slug, tool, arguments)

    def find_working_call(self, subject: Subject, *, early: bool = False) -> bool:
        """Try arguments until the tool succeeds: from the base state, then after one working write of another tool.

        Creations are kept in the base state, so that later tools have records to work on. An `early` search uses
        only what tools have shown, and takes no empty list for an answer.
        """
        self._early = True
        if subject.working is not None or self._works_from(subject, self.base, tuple(self.setup)):
            return True
        if early:
            return False
        self._early = False
        if not self.shown_state:
            self._harvest_state()
        if self._works_from(subject, self.base, tuple(self.setup)):
            return True
        writers = [
            other
            for other in self.subjects.values()
            if other.working is not None and other.changed and other is not subject and related(other, subject)
        ]
        for other in writers[:WRITERS]:
            trial = self.fork(other)
            self.pool.harvest(self.call(trial, other.info.name, other.working), other.reading.noun)
            before = (*other.before, (other.info.name, other.working or {}))
            if self._works_from(subject, trial, before):
                return True
        return self._works_as_shown(subject)

    def _harvest_state(self) -> None:
        """What an instruction could name though no tool shows it: ids and values of the seeded records."""
        self.shown_state = True
        nouns = {name: info.noun for name, info in self.base.catalogue.services[self.slug].tables.items()}
        for table, rows in self.base.state().get(self.slug, {}).items():
            self.pool.harvest({"success": True, "data": rows}, nouns.get(table, table).replace(" ", "_"))

    def _works_as_shown(self, subject: Subject) -> bool:
        """Try the calls that the service's author gives as examples, from the seeded state."""
        for example_call in subject.info.examples:
            trial = self.mount()
            before = tuple((tool, arguments) for tool, arguments in example_call["after"])
            for tool, arguments in before:
                self.call(trial, tool, arguments)
            if self._try(subject, trial, before, dict(example_call["arguments"])):
                return True
        return False

    def _works_from(
        self, subject: Subject, state: Environment, before: tuple[tuple[str, dict[str, Json]], ...]
    ) -> bool:
        empty: dict[str, Json] | None = None
        most = EARLY_ATTEMPTS if self._early else ATTEMPTS
        amends = 0
        for number, arguments in enumerate(itertools.islice(attempts(self.pool, subject), most)):
            if self._try(subject, state, before, arguments):
                if number >= PATIENCE or not self._says_nothing(subject):
                    return True
                empty, subject.working = empty or arguments, None
            elif empty is not None and number >= PATIENCE:
                break
            elif empty is None and amends < AMENDS and not self._early:
                amends += 1
                if self._works_amended(subject, state, before, arguments):
                    return True
        return empty is not None and not self._early and self._try(subject, state, before, empty)

    def _works_amended(
        self,
        subject: Subject,
        state: Environment,
        before: tuple[tuple[str, dict[str, Json]], ...],
        arguments: dict[str, Json],
        depth: int = 3,
    ) -> bool:
        """Calls that put ids of the right kind where the last error says that none of this kind was named."""
        error = subject.last_error
        for other in amended(self.pool, subject, arguments, error) if error and depth else ():
            if self._try(subject, state, before, other):
                return True
            if subject.last_error != error and self._works_amended(subject, state, before, other, depth - 1):
                return True
        return False

    def _says_nothing(self, subject: Subject) -> bool:
        """Whether a reading tool answered with an empty list: other arguments may tell more about it."""
        reads = subject.reading.action in READS and not subject.changed
        return reads and subject.observation is not None and _is_empty(subject.observation["data"])

    def _try(
        self,
        subject: Subject,
        state: Environment,
        before: tuple[tuple[str, dict[str, Json]], ...],
        arguments: dict[str, Json],
    ) -> bool:
        """One attempt on a fork of `state`; what succeeds is remembered as the subject's working call."""
        trial = state.fork()
        observation = self.call(trial, subject.info.name, arguments)
        if not observation["success"]:
            subject.last_error = observation["error"]
            subject.broke = breakage(trial.defects[-1]) if observation["error"]["code"] == 500 and trial.defects else ""
            trial.close()
            return False
        subject.working, subject.observation = arguments, observation
        subject.changed = len(trial.changes) > len(state.changes)
        subject.start, subject.before = state, before
        self.pool.harvest(observation, subject.reading.noun)
        if subject.reading.action == "create" and state is self.base:
            self.base = trial
            self.base.state_hash()
            self.setup.append((subject.info.name, arguments))
        return True


def _is_empty(data: Json) -> bool:
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        return bool(lists) and not any(lists)
    return data is None or data in ([], "")
