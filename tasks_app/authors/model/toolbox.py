"""The four phases as tools of a model: it explores, designs, probes and submits until a task is proven."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from services_app.builders.model.conversation import Answer
from services_app.builders.model.dispatch import Operation, cut, dispatch
from services_app.builders.model.limits import Spent
from services_app.builders.model.workspace import WorkError
from services_app.engine import EngineError, ServiceDefect
from services_app.engine.plain import digest
from services_app.engine.protocol import Environment
from tasks_app.authors.foreign import foreign_calls
from tasks_app.authors.model import exploring
from tasks_app.authors.model.draft import Brief, Draft, check_design, problems_of, read_edges, read_edits
from tasks_app.authors.model.freezing import freeze
from tasks_app.authors.model.probing import read_steps, rehearse, told
from tasks_app.authors.model.schemas import AUTHOR_TOOLS
from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.program import Call, Template
from tasks_app.engine.proof import prove, submit
from tasks_app.engine.rubric import check_expression, paths_of
from tasks_app.engine.task import ClaimResult, Criterion, Proof, TaskSpec

PROVEN = "The task is proven."
INSTRUCTION_CHARACTERS = 6_000
MOST_STEPS = 200
MOST_PLANTED = 200
EVIDENCE_CHARACTERS = 1_500


@dataclass(frozen=True, slots=True)
class Solved:
    """What a second model made of a proven task: `words` say where it failed, "" when it passed."""

    words: str
    spent: Spent


Solve = Callable[[TaskSpec, int], Solved]
"""Play a task, given how many were submitted before. Raises when nothing can be told of it."""


class AuthorToolbox:
    """Answers an author's calls and keeps its draft.

    `environment` is fresh, in s0 before anything is planted. With `solve` a proven task has to be solved by another
    model too. Raises only what `solve` raises.
    """

    schemas: Sequence[Mapping[str, Any]] = AUTHOR_TOOLS

    def __init__(
        self,
        environment: Environment,
        profiles: Mapping[str, ServiceProfile],
        brief: Brief,
        *,
        solve: Solve | None = None,
    ) -> None:
        self.brief = brief
        self.draft = Draft(walk=brief.walk)
        self.task: TaskSpec | None = None
        """The proven task, once there is one."""
        self.failing: tuple[str, ...] = ()
        """Claims that failed at the last submission."""
        self.submissions = 0
        self._environment = environment
        self._profiles = profiles
        self._solve = solve
        self._operations: dict[str, Operation] = {
            "explore": self._explore,
            "design": self._design,
            "probe": self._probe,
            "submit": self._submit,
            "finish": _finish,
        }

    def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """One call; what is wrong with it is the answer."""
        return dispatch(AUTHOR_TOOLS, self._operations, name, arguments)

    def fingerprint(self) -> str:
        return digest(self.draft.model_dump(mode="json"))

    def to_json(self) -> dict[str, Any]:
        return {
            "draft": self.draft.model_dump(mode="json"),
            "task": None if self.task is None else self.task.model_dump(mode="json"),
            "failing": list(self.failing),
            "submissions": self.submissions,
        }

    def restore(self, work: Mapping[str, Any]) -> None:
        """Go on from what `to_json` gave."""
        self.draft = Draft.model_validate(work["draft"])
        self.task = None if work["task"] is None else TaskSpec.model_validate(work["task"])
        self.failing, self.submissions = tuple(work["failing"]), int(work["submissions"])

    @contextlib.contextmanager
    def _world(self, draft: Draft) -> Iterator[Environment]:
        """The designed world. Raises WorkError when what was planted does not fit the state models."""
        try:
            world = self._environment.edited([edit.to_edit() for edit in draft.plant])
        except (EngineError, ServiceDefect) as error:
            raise WorkError(f"What is planted does not fit the state: {error}") from error
        try:
            yield world
        finally:
            world.close()

    # EXPLORE

    def _explore(
        self,
        service: str = "",
        tool: str = "",
        table: str = "",
        arguments: Mapping[str, Any] | None = None,
        first: int = 0,
    ) -> str:
        with self._world(self.draft) as world:
            if not service:
                return exploring.overview(world, self.brief.needed)
            if table:
                return exploring.table_text(world, service, table, first)
            if not tool:
                return exploring.service_text(world, service, self._profiles)
            if arguments is not None:
                return exploring.call_text(world, service, tool, arguments)
            return exploring.tool_text(world, service, tool, self._profiles)

    # DESIGN

    def _design(
        self,
        walk: Sequence[str] | None = None,
        plant: Sequence[Any] | None = None,
        edges: Sequence[Any] | None = None,
        instruction: str | None = None,
    ) -> str:
        changes: dict[str, Any] = {}
        if walk is not None:
            check_design(walk, self.brief)
            changes["walk"] = tuple(walk)
        if plant is not None:
            changes["plant"] = read_edits(plant)
            if len(changes["plant"]) > MOST_PLANTED:
                raise WorkError(f"At most {MOST_PLANTED} records are planted.")
        if edges is not None:
            changes["edges"] = read_edges(edges)
        if instruction is not None:
            if len(instruction) > INSTRUCTION_CHARACTERS:
                raise WorkError(f"The instruction has {len(instruction):,} of {INSTRUCTION_CHARACTERS:,} characters.")
            changes["instruction"] = instruction.strip()
        draft = self.draft.model_copy(update=changes)
        with self._world(draft) as world:
            rehearsal = rehearse(world, draft.steps)
        self.draft = draft if rehearsal.error else draft.model_copy(update={"steps": rehearsal.steps})
        broken = "" if rehearsal.error is None else f"\nIn this world the reference ends at {rehearsal.error}"
        return f"{self._standing()}{broken}"

    def _standing(self) -> str:
        draft = self.draft
        missing = [
            *([] if draft.instruction else ["an instruction"]),
            *([] if len(draft.edges) == len(draft.walk) - 1 else [f"{len(draft.walk) - 1} edges in all"]),
            *([] if draft.steps else ["a reference program (probe)"]),
        ]
        said = [
            f"walk {' > '.join(draft.walk)}",
            f"{len(draft.plant)} edits of the state",
            f"{len(draft.edges)} edges",
            f"an instruction of {len(draft.instruction)} characters",
            f"{len(draft.steps)} steps of the reference",
        ]
        open_ones = f"Missing: {', '.join(missing)}" if missing else "Ready to submit"
        return f"Designed: {'; '.join(said)}. {open_ones}."

    # PROBE

    def _probe(self, steps: Sequence[Any], keep: int | None = None) -> str:
        kept = self.draft.steps if keep is None else self.draft.steps[:keep]
        made = sum(isinstance(step, Call) for step in kept)
        new = read_steps(steps, self._environment.catalogue, made)
        if len(kept) + len(new) > MOST_STEPS:
            raise WorkError(f"A reference has at most {MOST_STEPS} steps.")
        with self._world(self.draft) as world:
            rehearsal = rehearse(world, (*kept, *new))
        text = told(rehearsal, len(kept))
        if rehearsal.error is not None:
            again = "" if rehearsal.error.step >= len(kept) else " It is one of the steps that you kept."
            return f"{text}\nNothing was kept of these steps.{again}"
        self.draft = self.draft.model_copy(update={"steps": rehearsal.steps})
        return f"{text}\nThe reference has {len(rehearsal.steps)} steps now."

    # SUBMIT

    def _submit(self, criteria: Sequence[Any] = (), answer: Sequence[Any] = ()) -> Answer:
        if not self.draft.instruction or not self.draft.steps:
            raise WorkError(self._standing())
        given, template = self._criteria(criteria), _answer(answer)
        with self._world(self.draft) as world:
            task = freeze(self.draft, self.brief, world, self._profiles, answer=template, criteria=given)
            self.submissions += 1
            proven, proof = self._proven(task, world)
        self.failing = proof.failing
        if not proof.passed:
            return Answer(cut(_report(proof, proven)))
        solved = self._solve(proven, self.submissions - 1) if self._solve is not None else None
        if solved is not None and solved.words:
            self.failing = ("another model solves it",)
            return Answer(
                cut(f"Every claim of the proof holds, but another model failed. {solved.words}"), "", solved.spent
            )
        self.task = proven
        return Answer(PROVEN, ends=PROVEN, spent=None if solved is None else solved.spent)

    def _criteria(self, given: Sequence[Any]) -> tuple[Criterion, ...]:
        found, problems = [], []
        for number, one in enumerate(given, 1):
            reads = dict.fromkeys(f"{service}.{table}" for _, service, table in paths_of(one["expression"]))
            found.append(Criterion(id=f"c{number}", reads=tuple(reads), **one))
            wrong = check_expression(one["expression"], self._environment.catalogue)
            problems += [f"criterion {number}: {problem}" for problem in wrong]
        if problems:
            raise WorkError("; ".join(problems))
        return tuple(found)

    def _proven(self, task: TaskSpec, world: Environment) -> tuple[TaskSpec, Proof]:
        """The task as `submit` leaves it, and every claim that fails, not only the first."""

        def build(_: TaskSpec) -> Environment:
            return world.fork()

        foreign = foreign_calls(task, self._profiles)
        try:
            proven = submit(task, build, foreign=foreign)
            return proven, proven.proof if proven.proof.passed else prove(proven, build, foreign=foreign)
        except (TypeError, ValueError) as error:  # a program that meets values it cannot take in an altered world
            raise WorkError(f"The reference breaks in an altered world: {error}") from error


def _answer(parts: Sequence[Any]) -> Template | None:
    if not parts:
        return None
    try:
        return Template.model_validate({"parts": list(parts)})
    except ValidationError as error:
        raise WorkError(f"answer: {problems_of(error)}") from error


def _finish(summary: str = "") -> Answer:
    return Answer("The work is over.", ends=f"The model gave up: {summary or 'it gave no reason'}")


def _report(proof: Proof, task: TaskSpec) -> str:
    """The failing claims with their evidence, and the criteria as they are."""
    lines = [f"{len(proof.failing)} claims of the proof fail."]
    lines += [_claim_text(claim) for claim in proof.claims if not claim.passed]
    lines.append("The criteria are:")
    lines += [f"{criterion.id} ({criterion.kind}): {criterion.expression}" for criterion in task.rubric]
    return "\n".join(lines)


def _claim_text(claim: ClaimResult) -> str:
    evidence = {name: value for name, value in claim.evidence.items() if name != "why"}
    return (
        f"Claim {claim.number}, {claim.name}: {claim.evidence.get('why', '')}\n  {exploring.compact(evidence)[:1500]}"
    )
