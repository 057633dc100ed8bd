"""A product environment some of whose tools a world model answers.

An answer is kept under (version of the service, hash of its state, tool, arguments), so that the same call on the
same state is answered the same for ever and a replay asks nobody. `Limits` bounds how often the model is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from services_app.engine.catalogue import Catalogue, ToolInfo
from services_app.engine.environment import Defect, Edit
from services_app.engine.errors import ToolError
from services_app.engine.meta import call_meta
from services_app.engine.observation import Observation, failure
from services_app.engine.plain import JsonValue, digest
from services_app.engine.protocol import CallRecord, Environment, JsonRecord, Mounting
from services_app.engine.schema import compile_schema
from services_app.engine.store import CLOCK_START
from services_app.engine.tool import Tool
from services_app.simulation.world import NO_USAGE, Answer, BadAnswerError, Question, SimulationError, WorldModel
from workers.llm.client import Usage

Simulated = Mapping[str, Mapping[str, ToolInfo]]
"""Service -> tool -> its description, for every tool that the world model answers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the world model."""

    attempts: int = 3
    """Replies asked for one call before it counts as unanswered."""
    calls: int = 200
    """Calls of one mounting that are not in the cache."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer with what it is an answer to."""

    key: str
    slug: str
    version_hash: str
    tool: str
    state_hash: str
    arguments: Mapping[str, Any]
    answer: Answer
    attempts: int


class Cache(Protocol):
    """Where answers are kept."""

    def get(self, key: str) -> Answer | None: ...
    def put(self, kept: Kept) -> Answer:
        """Keep an answer; the one that holds, which is the older one when somebody was faster."""
        ...


@dataclass
class World:
    """The world model of one mounting: shared by all environments made from it."""

    model: WorldModel
    cache: Cache
    simulated: Simulated
    limits: Limits = Limits()
    asked: int = 0
    usage: Usage = NO_USAGE
    _definitions: dict[tuple[str, str], Tool] = field(default_factory=dict)

    def definition(self, service: str, info: ToolInfo) -> Tool:
        """What checks the arguments of a simulated tool."""
        key = (service, info.name)
        if key not in self._definitions:
            self._definitions[key] = Tool(info.name, _never, info.description, info.input_schema, by_keyword=False)
        return self._definitions[key]


class SimulatingMounting:
    """A `Mounting` whose environments have simulated tools."""

    def __init__(self, mounting: Mounting, world: World) -> None:
        self._mounting, self._world = mounting, world

    def mount(
        self, slugs: Sequence[str], *, seed: int = 0, scale: str = "small", clock: str = CLOCK_START
    ) -> SimulatingEnvironment:
        inner = self._mounting.mount(slugs, seed=seed, scale=scale, clock=clock)
        here = {slug: self._world.simulated[slug] for slug in slugs if slug in self._world.simulated}
        return SimulatingEnvironment(inner, self._world, inner.catalogue.with_simulated(here))


class SimulatingEnvironment:
    """Same behaviour as the environment inside, apart from the calls of simulated tools."""

    def __init__(self, inner: Environment, world: World, catalogue: Catalogue) -> None:
        self._inner, self._world, self.catalogue = inner, world, catalogue

    def call(self, service: str, tool: str, arguments: object = None) -> Observation:
        """Make one call. Raises SimulationError when the world model gives no usable answer."""
        if (service, tool) not in self.catalogue.simulated:
            return self._inner.call(service, tool, arguments)
        info = self.catalogue.tools[service][tool]
        try:
            prepared = self._world.definition(service, info).prepare(arguments)
        except ToolError as error:
            refused = failure(error)
            self._inner.record_answer(service, tool, arguments, refused)
            return refused
        return self._simulate(service, info, prepared.values)

    def _simulate(self, service: str, info: ToolInfo, arguments: dict[str, Any]) -> Observation:
        version, state = self.catalogue.services[service].version_hash, self._inner.service_hash(service)
        key = digest([version, state, info.name, arguments])
        answer = self._world.cache.get(key)
        if answer is None:
            answer, attempts = self._ask(service, info, arguments)
            kept = Kept(key, service, version, info.name, state, arguments, answer, attempts)
            answer = self._world.cache.put(kept)
        problems = self._inner.record_answer(service, info.name, arguments, answer.observation, answer.edits)
        if problems:
            raise SimulationError(f"the kept answer of {info.exposed} no longer fits the state: {problems[0]}")
        return answer.observation

    def _ask(self, service: str, info: ToolInfo, arguments: dict[str, Any]) -> tuple[Answer, int]:
        """An answer whose changes pass the state model, tried on a copy, and how many replies it took."""
        world = self._world
        if world.asked >= world.limits.calls:
            raise SimulationError(f"the bound of {world.limits.calls} simulated calls is used up")
        world.asked += 1
        here = self.catalogue.services[service]
        question = Question(here, info, arguments, self._inner.state()[service], self._inner.now)
        usage, cost = NO_USAGE, 0.0
        problems: tuple[str, ...] = ()
        for attempt in range(1, world.limits.attempts + 1):
            try:
                answer = world.model.answer(replace(question, problems=problems))
            except BadAnswerError as error:
                problems = (str(error),)
                usage, cost = usage + error.usage, cost + (error.cost_usd or 0.0)
                continue
            usage, cost = usage + answer.usage, cost + (answer.cost_usd or 0.0)
            problems = self._problems(service, info, arguments, answer)
            if not problems:
                world.usage += usage
                return replace(answer, usage=usage, cost_usd=None if answer.cost_usd is None else cost), attempt
        world.usage += usage
        raise SimulationError(
            f"{info.exposed}: the world model gave no usable answer in {world.limits.attempts} attempts: {problems[0]}"
        )

    def _problems(self, service: str, info: ToolInfo, arguments: dict[str, Any], answer: Answer) -> tuple[str, ...]:
        if answer.observation["success"] and info.output_schema is not None:
            found = compile_schema(info.output_schema).problems(answer.observation["data"])
            if found:
                return tuple(f"data{problem.path}: {problem.message}" for problem in found[:5])
        trial = self._inner.fork()
        problems = trial.record_answer(service, info.name, arguments, answer.observation, answer.edits)
        trial.close()
        return tuple(problems)

    def record_answer(
        self, service: str, tool: str, arguments: object, observation: Observation, edits: Iterable[Edit] = ()
    ) -> list[str]:
        return self._inner.record_answer(service, tool, arguments, observation, edits)

    def meta(self, name: str, arguments: Any = None) -> Observation:
        return call_meta(self, name, arguments)

    def _with(self, inner: Environment) -> SimulatingEnvironment:
        return SimulatingEnvironment(inner, self._world, self.catalogue)

    def fork(self) -> SimulatingEnvironment:
        return self._with(self._inner.fork())

    def edited(self, edits: Iterable[Edit]) -> SimulatingEnvironment:
        return self._with(self._inner.edited(edits))

    @property
    def changes(self) -> Sequence[JsonRecord]:
        return self._inner.changes

    @property
    def calls(self) -> Sequence[CallRecord]:
        return self._inner.calls

    @property
    def defects(self) -> Sequence[Defect]:
        return self._inner.defects

    @property
    def now(self) -> str:
        return self._inner.now

    @property
    def clock(self) -> str:
        return self._inner.clock

    def reset(self) -> None:
        self._inner.reset()

    def rewind(self, calls: int) -> None:
        self._inner.rewind(calls)

    def rows(self, service: str, table: str) -> list[dict[str, JsonValue]]:
        return self._inner.rows(service, table)

    def record(self, service: str, table: str, identity: str) -> dict[str, JsonValue] | None:
        return self._inner.record(service, table, identity)

    def state(self) -> dict[str, dict[str, list[JsonValue]]]:
        return self._inner.state()

    def state_hash(self) -> str:
        return self._inner.state_hash()

    def service_hash(self, service: str) -> str:
        return self._inner.service_hash(service)

    def close(self) -> None:
        self._inner.close()


def _never(*_arguments: object) -> None:
    raise AssertionError("a simulated tool has no function")
