"""The test bench: a live environment, the calls that work, and bounds on time and number of calls."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from services_app.engine.catalogue import ToolInfo
from services_app.engine.environment import Defect
from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.engine.schema import SchemaValidator, compile_schema
from services_app.specs.vocabulary import READS, Reading, id_target, read_name, shared_prefix, types_of, words_of
from services_app.verification.arguments import example, resolve, variants
from services_app.verification.pool import Pool, ordered

Json = Any
ATTEMPTS = 260
EARLY_ATTEMPTS = 40  # while the pool is still being filled
MIXES = 240
CALLS_PER_TOOL = 300
WRITERS = 8  # writes after which a tool is tried again
PATIENCE = 24  # attempts in which a reading tool may still find something
TURNS = 12  # as many as the pool keeps values for a key


class BoundHitError(Exception):
    """Verification used up its time or its calls."""


@dataclass
class Subject:
    """One tool under test: what the specification says, and a call that works once one is found."""

    info: ToolInfo
    reading: Reading
    validator: SchemaValidator
    working: dict[str, Json] | None = None
    observation: Observation | None = None
    last_error: Json = None
    broke: str = ""
    """How the service broke in the last attempt, with the bound where one was hit; "" while it only refuses."""
    changed: bool = False
    before: tuple[tuple[str, dict[str, Json]], ...] = ()
    """Calls that lead from the seeded state to the one in which `working` succeeds."""
    start: Environment | None = None

    @property
    def schema(self) -> Mapping[str, Any]:
        return self.info.input_schema


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

    def __post_init__(self) -> None:
        self.started = self.timer()
        self._early = False
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

    def fork(self, subject: Subject) -> Environment:
        """A copy of the state in which the subject's working call succeeds (the base state if there is none)."""
        return (subject.start or self.base).fork()

    def replay(self, subject: Subject, environment: Environment) -> Environment:
        """The same state made in another environment, from its seed."""
        trial = environment.fork()
        for tool, arguments in subject.before:
            self.call(trial, tool, arguments)
        return trial

    def remount(self) -> None:
        """After the sandbox died: a fresh environment, with what was set up before."""
        fresh = self.mount()
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
            if other.working is not None and other.changed and other is not subject and _related(other, subject)
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
        for number, arguments in enumerate(itertools.islice(self._attempts(subject), most)):
            if self._try(subject, state, before, arguments):
                if number >= PATIENCE or not self._says_nothing(subject):
                    return True
                empty, subject.working = empty or arguments, None
            elif empty is not None and number >= PATIENCE:
                break
        return empty is not None and not self._early and self._try(subject, state, before, empty)

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

    def _attempts(self, subject: Subject) -> Iterator[dict[str, Json]]:
        """Arguments to try: required ones alone, then all, then each optional one, over the pool's values."""
        schema = subject.schema
        properties: Mapping[str, Any] = schema.get("properties") or {}
        required = [name for name in schema.get("required") or () if name in properties]
        optional = [name for name in properties if name not in required]
        sets = [required, [*required, *optional], *([*required, name] for name in optional)]
        if subject.reading.action == "create":  # full records first: they give later tools more to work on
            sets = [sets[1], sets[0], *sets[2:]]
        tried: list[dict[str, Json]] = []
        ordered_attempts = (
            {name: self.value(subject, name, turn) for name in names}
            for turn in range(TURNS)
            for names in sets[: 2 if turn else None]
        )
        for arguments in itertools.chain(
            itertools.islice(ordered_attempts, 2 * len(sets)),
            self._from_rows(subject, required),
            ordered_attempts,
            self.mixes(subject),
        ):
            if arguments not in tried and subject.validator.is_valid(arguments):
                tried.append(arguments)
                yield arguments

    def _from_rows(self, subject: Subject, required: list[str]) -> Iterator[dict[str, Json]]:
        """Required values that belong together: all from one record that was shown."""
        noun = subject.reading.noun
        for row in self.pool.rows(noun) if len(required) > 1 or required == ["id"] else ():
            by_key = {"_".join(words_of(name)): value for name, value in row.items()}
            found: dict[str, Json] = {}
            for name in required:
                key = "_".join(words_of(name))
                own = id_target(name, noun) == noun and key != "id"
                value = by_key.get(key, by_key.get("id") if own else None)
                found[name] = self.value(subject, name) if value is None else value
            yield found
            parents = [by_key.get(f"{'_'.join(noun.split('_')[:end])}_id") for end in range(1, len(noun.split("_")))]
            owner = next((value for value in (*parents, by_key.get(f"{noun}_owner_id")) if value is not None), None)
            if "id" in required and owner is not None:
                yield {**found, "id": owner}

    def mixes(self, subject: Subject) -> Iterator[dict[str, Json]]:
        """Seeded mixtures: each parameter's value drawn on its own, each optional one there or not."""
        properties: Mapping[str, Any] = subject.schema.get("properties") or {}
        required = [name for name in subject.schema.get("required") or () if name in properties]
        optional = [name for name in properties if name not in required]
        rng = random.Random(subject.info.name)  # noqa: S311 - reproducible test data
        choices = {name: self.choices(subject, name) for name in (*required, *optional)}
        for _ in range(MIXES):
            names = [*required, *(name for name in optional if rng.random() < 0.5)]
            yield {name: rng.choice(choices[name]) for name in names}

    def choices(self, subject: Subject, name: str) -> list[Json]:
        """Everything worth trying for one parameter: what was seen, and what the schema allows."""
        schema = subject.schema
        plain = resolve((schema.get("properties") or {}).get(name, {}), schema)
        found = [value for value in self.pool.candidates(name, subject.reading.noun) if _fits(value, plain)]
        if "array" in types_of(plain):
            items = resolve(plain.get("items", {}), schema)
            found += [[v] for v in self.pool.candidates(name, subject.reading.noun) if _fits(v, items)]
        found += variants(plain, schema, name)
        return found or [None]

    def value(self, subject: Subject, name: str, turn: int = 0) -> Json:
        """A fitting value for one parameter: seen values first where the type allows, else from the schema."""
        schema = subject.schema
        plain = resolve((schema.get("properties") or {}).get(name, {}), schema)
        if not plain.get("enum"):
            seen = [value for value in self.pool.candidates(name, subject.reading.noun) if _fits(value, plain)]
            creates = subject.reading.action == "create" and id_target(name, subject.reading.noun) is None
            if seen and not creates:
                return seen[turn % len(seen)]
            if "array" in types_of(plain):
                inner = [
                    value
                    for value in self.pool.candidates(name, subject.reading.noun)
                    if _fits(value, resolve(plain.get("items", {}), schema))
                ]
                if inner:
                    return inner[:1]
            if name.lower() in ("q", "query", "search", "term", "keyword", "keywords") and self.pool.words():
                return self.pool.words()[turn % len(self.pool.words())]
        return example(plain, schema, full=turn > 0, name=name)


def _is_empty(data: Json) -> bool:
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        return bool(lists) and not any(lists)
    return data is None or data in ([], "")


def breakage(defect: Defect) -> str:
    """A sentence about code that broke: the bound of the sandbox that it hit, or its own fault."""
    if defect.kind == "MemoryError":
        return "it hit the sandbox's memory bound"
    if defect.kind in ("PermissionError", "OSError", "BlockingIOError"):
        return f"the sandbox refused what it tried: {defect.message}"
    return f"it breaks: {defect.kind}: {defect.message}"


def _related(writer: Subject, subject: Subject) -> bool:
    """Whether a write may prepare the ground: both names share a word of their nouns."""
    return bool(set(writer.reading.noun.split("_")) & set(subject.reading.noun.split("_"))) or not subject.reading.noun


def _fits(value: Json, schema: Mapping[str, Any]) -> bool:
    kinds = types_of(schema)
    if isinstance(value, bool) or not kinds:
        return not isinstance(value, bool)
    if isinstance(value, str):
        return "string" in kinds
    return "number" in kinds or ("integer" in kinds and float(value).is_integer())
