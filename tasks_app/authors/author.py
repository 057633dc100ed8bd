"""The rules author: EXPLORE gave profiles; DESIGN plans a story, PROBE solves it, SUBMIT proves and freezes it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.access import Reach
from tasks_app.authors.focus import Focus, tools_in_turn
from tasks_app.authors.foreign import foreign_calls
from tasks_app.authors.frames import FRAMES
from tasks_app.authors.guide import lay_down_rules, subject
from tasks_app.authors.plan import Plan
from tasks_app.authors.planner import Planner
from tasks_app.authors.realise import Telling, realise
from tasks_app.authors.request import tell
from tasks_app.authors.roles import moves_figures, takes_figures
from tasks_app.authors.search import ROUNDS, Search
from tasks_app.authors.story import Carried, Rejected, Rejection, Unfed
from tasks_app.authors.tongue import TONGUES, Language
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.ablation import texts_of
from tasks_app.engine.criteria import build_rubric, goal_of, write_scope
from tasks_app.engine.profile import ToolProfile
from tasks_app.engine.program import Call, Constant, Program, ProgramError, ProgramRun, Register, Template, run_program
from tasks_app.engine.proof import submit
from tasks_app.engine.task import (
    ClaimResult,
    Graph,
    GraphEdge,
    InitialState,
    Scale,
    TaskSpec,
    mounted_services,
)
from tasks_app.engine.text import days_in
from tasks_app.engine.values import Values

ATTEMPTS = 10
GUIDED_ATTEMPTS = 4  # over phrase books another walk is found sooner than another story for the same
GUIDED_PATIENCE = 4  # what a book lists for the next service is not more after another try
STALE_ATTEMPTS = 3
STALE_SHARE = 0.06  # of stories over phrase books, those that have to read a figure again after moving it
ANSWER_SHARE = 0.2
SHORT = 60
UNNOTICED = 10  # how often a tool counts as broken down whose slips a rubric did not notice
_SEEN_ANYWAY = frozenset({"text", "note", "policy"})  # who knows where it is written does not ask for it
_ANSWERED = frozenset({"money", "code", "date", "count", "duration", "email", "person"})


class RulesAuthor:
    """Writes tasks over the services mounted in `environment`, in their final mount order.

    `environment` is fresh and seeded with `state_seed` at `scale`. Services that a walk does not visit are
    distractors. One author writes any number of tasks; nothing is kept between them but what the workshop holds.
    """

    def __init__(
        self,
        environment: Environment,
        workshop: Workshop,
        *,
        state_seed: int,
        scale: Scale = "small",
        language: Language = "en",
    ) -> None:
        self._environment = environment
        self._reaches = workshop.reaches(environment.catalogue.services)
        self._books = workshop.books(environment.catalogue.services)
        self._language: Language = language
        self._state_seed = state_seed
        self._scale: Scale = scale
        self._taken, self._texts = _texts_in(environment)
        self._trials = workshop.trials(seed=state_seed, scale=scale)
        self.reasons: Counter[str] = Counter()
        """What stopped the attempts of the last task, whether it succeeded in the end or not."""

    def write(
        self, walk: Sequence[str], *, seed: int, turns: Mapping[str, int] | None = None, attempts: int = ATTEMPTS
    ) -> TaskSpec | Rejected:
        """A proven task for `walk`, or why every attempt failed. The same arguments give the same task, anywhere.

        `turns` says for each service how often stories visited it before, so that each has other tools in focus.
        """
        reasons = self.reasons = Counter()
        blamed: Counter[tuple[str, str]] = Counter()
        if self._language != "en" and not self._guided(walk):
            return Rejected(0, Counter({"a service has no phrase book in this language": 1}))
        idle = self._idle_step(walk)
        if idle:
            return Rejected(0, Counter({idle: 1}))
        stale = self._stale_visits(walk)
        tools = {
            slug: tools_in_turn(slug, self._reaches[slug], self._trials, (turns or {}).get(slug, seed), visits)
            for slug, visits in sorted(Counter(walk).items())
        }
        guided = self._guided(walk)
        for attempt in range(min(attempts, GUIDED_ATTEMPTS) if guided else attempts):
            try:
                return self._attempt(walk, seed, attempt, stale if attempt < STALE_ATTEMPTS else [], blamed, tools)
            except Unfed as unfed:
                reasons[unfed.reason] += 1
                if guided:  # what a book lists for the next service does not change from attempt to attempt
                    return Rejected(attempt + 1, reasons)
            except Rejection as rejection:
                reasons[rejection.reason] += 1
            except (ProgramError, ServiceDefect, EngineError) as error:
                reasons[_short(error)] += 1
        return Rejected(attempts, reasons)

    def _guided(self, walk: Sequence[str]) -> bool:
        """Whether phrase books speak of all that a walk visits."""
        return all(slug in self._books for slug in walk)

    def _idle_step(self, walk: Sequence[str]) -> str:
        """The first step of a walk over phrase books along which nothing can be carried; "" for none."""
        if not self._guided(walk):
            return ""
        steps = [(one, other) for one, other in pairwise(walk) if not self._rules(other)]
        return next((f"{other} can take nothing in" for one, other in steps if not self._trials.feeds(one, other)), "")

    def _rules(self, service: str) -> bool:
        """Whether a service holds documents that lay down rules: one of them may be looked up."""
        return any(lay_down_rules(words) for words in self._books[service].records.values())

    def _stale_visits(self, walk: Sequence[str]) -> list[int]:
        """Visits that can move a figure by a write whose successor can make use of it."""
        found = []
        for visit in range(1, len(walk) - 1):
            service, after = walk[visit], walk[visit + 1]
            if self._has(service, moves_figures) and self._has(after, takes_figures):
                found.append(visit)
        return found

    def _has(self, service: str, can: Callable[[Reach, ToolProfile], bool]) -> bool:
        reach = self._reaches[service]
        return any(can(reach, tool) and self._trials.usable(service, tool) for tool in reach.writers)

    def _attempt(
        self,
        walk: Sequence[str],
        seed: int,
        attempt: int,
        stale_visits: Sequence[int],
        blamed: Counter[tuple[str, str]],
        tools: Mapping[str, Sequence[str]],
    ) -> TaskSpec:
        key = f"task:{seed}:{attempt}"
        rng = random.Random(key)  # noqa: S311 - a reproducible story
        stale = bool(stale_visits) and (rng.random() < STALE_SHARE or not self._guided(walk))
        stale_at = rng.choice(stale_visits) if stale else None
        frame = rng.choice(FRAMES)

        def planner(rng: random.Random) -> Planner:
            focus = Focus(wanted, self._reaches, self._trials)
            values = Values(rng, self._taken)
            plan = Plan(self._environment, self._reaches, walk, frame, rng, values, self._trials, focus)
            plan.books = self._books
            if plan.guided:
                plan.cast["title"] = subject(plan)
            plan.blamed = earlier
            return Planner(plan, stale_at=stale_at)

        earlier = Counter(blamed)
        wanted = {slug: [t for t in names if blamed[slug, t] < UNNOTICED] for slug, names in tools.items()}
        patience = GUIDED_PATIENCE if self._guided(walk) else ROUNDS
        search = Search(planner, key, len(walk), self._texts, patience)
        try:
            plan = search.run()
        finally:
            blamed.update(search.broken)
        answer = self._answer(plan, rng)
        program = Program(steps=tuple(plan.steps), answer=_answer_template(answer))
        world = self._environment.edited(edit.to_edit() for edit in plan.draft.edits())
        solved = world.fork()
        try:
            run = run_program(program, solved.call)
            _settle_computed(plan, run)
            telling = tell(plan, rng, answer, TONGUES[self._language]) if plan.guided else realise(plan, rng, answer)
            task = self._freeze(plan, program, run, solved, telling, seed, attempt)
            return self._submit(task, world, blamed)
        finally:
            solved.close()
            world.close()

    def _submit(self, task: TaskSpec, world: Environment, blamed: Counter[tuple[str, str]]) -> TaskSpec:
        def build(_: TaskSpec) -> Environment:
            return world.fork()

        profiles = {slug: reach.profile for slug, reach in self._reaches.items()}
        proven = submit(task, build, foreign=foreign_calls(task, profiles))
        if not proven.proof.passed:
            failing = next(claim for claim in proven.proof.claims if not claim.passed)
            for call in _unnoticed(task, failing):
                blamed[call.service, call.tool] += UNNOTICED
            raise Rejection(f"claim {failing.number} fails: {failing.evidence.get('why', failing.name)}")
        return proven

    @staticmethod
    def _answer(plan: Plan, rng: random.Random) -> Carried | None:
        asked = [v for v in plan.carried if v.kind in _ANSWERED and not v.choices and not v.names_record]
        asked = [v for v in asked if not plan.guided or v.how not in _SEEN_ANYWAY]
        return asked[-1] if asked and rng.random() < ANSWER_SHARE else None

    def _freeze(
        self,
        plan: Plan,
        program: Program,
        run: ProgramRun,
        solved: Environment,
        telling: Telling,
        seed: int,
        attempt: int,
    ) -> TaskSpec:
        needed = set(plan.walk)
        shape = ">".join(f"{value.how}:{value.kind}" for value in plan.carried)
        return TaskSpec(
            instruction=telling.text,
            services=mounted_services(self._environment, needed),
            initial=InitialState(
                seed=self._state_seed, scale=self._scale, clock=self._environment.clock, edits=plan.draft.edits()
            ),
            graph=Graph(walk=plan.walk, edges=tuple(_edges(plan, run))),
            reference=program,
            answer=run.answer,
            goal=goal_of(solved),
            rubric=build_rubric(program, run, solved),
            scope=write_scope(solved),
            meaning=telling.meaning,
            tags=tuple(sorted(plan.tags | _tags(plan, program))),
            author={
                "backend": "rules",
                "model": "",
                "seed": seed,
                "attempt": attempt,
                "style": telling.style,
                "language": self._language,
            },
            lineage=f"{'+'.join(sorted(needed))}|{shape}|{plan.frame.name}",
        )


def _unnoticed(task: TaskSpec, claim: ClaimResult) -> list[Call]:
    """The calls in which the rubric accepted a slip, if that is what the claim fails by."""
    names = re.findall(r"^\w+ (\d+) ", "\n".join(claim.evidence.get("alive", ())), re.MULTILINE)
    return [call for call in task.reference.calls if str(call.number) in names]


def _texts_in(environment: Environment) -> tuple[tuple[str, ...], dict[str, str]]:
    """All short texts and days of the seeded state, so that invented ones are new; for each service all its texts."""
    short: dict[str, None] = {}
    whole = {}
    for service, tables in environment.state().items():
        cells = [value for rows in tables.values() for row in rows for value in row.values()]
        short.update((value, None) for value in cells if isinstance(value, str) and len(value) < SHORT)
        whole[service] = "\n".join(texts_of(cells)).casefold()
        short.update((day, None) for day in days_in(whole[service]))
    return tuple(short), whole


def _answer_template(answer: Carried | None) -> Template | None:
    if answer is None:
        return None
    words = Constant(value=f"Done. The {answer.noun}: ", origin="constant")
    end = Constant(value=".", origin="constant")
    return Template(parts=(words, Register(name=answer.register_name, style=answer.kind), end))


def _settle_computed(plan: Plan, run: ProgramRun) -> None:
    """Values that only the run could tell."""
    for value in plan.carried:
        if value.value is None:
            value.value = run.registers[value.register_name]


def _edges(plan: Plan, run: ProgramRun) -> list[GraphEdge]:
    seen: set[str] = set()
    edges = []
    for position, value in enumerate(plan.carried):
        source, target = plan.walk[value.visit], plan.walk[value.visit + 1]
        seen.add(source)
        edges.append(
            GraphEdge(
                position=position,
                source=source,
                target=target,
                name=value.noun,
                kind=value.kind,
                how=value.how,
                value=run.registers[value.register_name],
                alternative=value.alternative,
                revisit=target in seen,
                stale=value.stale,
                register_name=value.register_name,
                ablation=tuple(value.ablation),
            )
        )
    return edges


def _tags(plan: Plan, program: Program) -> set[str]:
    tags = {"sequential dependency"} if len(plan.carried) > 1 else set()
    if any(value.kind in ("date", "timestamp", "money") and value.how in ("text", "note") for value in plan.carried):
        tags.add("data transformation")
    if len({goal.service for goal in plan.goals}) > 1:
        tags.add("cross-service constraint")
    if program.answer is not None:
        tags.add("question")
    return tags


def _short(error: Exception) -> str:
    """A countable reason: without ids and values."""
    text = str(error).split(": ", 1)[-1]
    words: list[Any] = [
        word for word in text.split() if not any(letter.isdigit() or letter in "'\"“" for letter in word)
    ]
    return f"{type(error).__name__}: {' '.join(words)[:70]}"
