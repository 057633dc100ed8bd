"""Editing the rubric of a task: what is wrong with a draft, how it judges s0 and g, what it changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services_app.engine.catalogue import Catalogue
from services_app.engine.plain import digest
from services_app.engine.protocol import Environment
from tasks_app.engine.program import run_program
from tasks_app.engine.rubric import Verdict, check_expression, paths_of, verify
from tasks_app.engine.task import Criterion, TaskSpec

MAX_CRITERIA = 40
MAX_EXPRESSION = 4_000  # characters
Problems = dict[str, list[str]]
"""Criterion id, or "" for the rubric as a whole -> what is wrong."""


def with_rubric(task: TaskSpec, rubric: Sequence[Criterion]) -> TaskSpec:
    """The task with another rubric and without a proof; what a criterion reads follows from its expression."""
    services = {service.slug.replace("-", "_"): service.slug for service in task.services}
    criteria = tuple(
        one.model_copy(
            update={
                "reads": tuple(
                    dict.fromkeys(f"{services.get(name, name)}.{table}" for _, name, table in paths_of(one.expression))
                )
            }
        )
        for one in rubric
    )
    return type(task).model_validate(
        task.model_dump(exclude={"rubric", "proof", "parent"}) | {"rubric": criteria, "parent": task.task_hash}
    )


def rubric_hash(rubric: Sequence[Criterion]) -> str:
    """Names the content of a draft: equal for two drafts that judge and read alike."""
    return digest([one.model_dump(mode="json", exclude={"reads"}) for one in rubric])


def problems_in(rubric: Sequence[Criterion], catalogue: Catalogue) -> Problems:
    """What is wrong with a draft before anything is evaluated; empty when it can be tried."""
    found: Problems = {}
    whole = list(_of_the_whole(rubric))
    if whole:
        found[""] = whole
    seen: dict[str, str] = {}
    for one in rubric:
        wrong = _of_one(one, catalogue)
        if one.expression in seen:
            wrong.append(f"it checks the same as {seen[one.expression]}")
        seen.setdefault(one.expression, one.id)
        if wrong:
            found[one.id] = wrong
    return found


def _of_the_whole(rubric: Sequence[Criterion]) -> Iterator[str]:
    if not rubric:
        yield "a rubric needs at least one criterion"
    elif not any(one.kind == "goal" for one in rubric):
        yield "at least one criterion has to be of the kind goal"
    if len(rubric) > MAX_CRITERIA:
        yield f"there are {len(rubric)} criteria; at most {MAX_CRITERIA} are allowed"
    ids = [one.id for one in rubric]
    doubled = sorted({name for name in ids if ids.count(name) > 1})
    if doubled:
        yield f"two criteria are called {', '.join(doubled)}"


def _of_one(criterion: Criterion, catalogue: Catalogue) -> list[str]:
    wrong = [] if criterion.text.strip() else ["say in words what it checks"]
    if not criterion.expression.strip():
        return [*wrong, "the expression is empty"]
    if len(criterion.expression) > MAX_EXPRESSION:
        return [*wrong, f"the expression is longer than {MAX_EXPRESSION} characters"]
    return wrong + check_expression(criterion.expression, catalogue)


@dataclass(frozen=True, slots=True)
class Ends:
    """How a rubric judges the two states that every task has."""

    start: Verdict
    """s0, as a run that did nothing leaves it."""
    goal: Verdict
    """g, with the answer of the reference."""

    def problems(self) -> Problems:
        """Criteria that cannot be told on s0 or on g: such a rubric must not be saved."""
        found: Problems = {}
        for name, verdict in (("the initial state", self.start), ("the goal state", self.goal)):
            for result in verdict.results:
                if result.status == "unknown":
                    found.setdefault(result.id, []).append(f"on {name} it cannot be told: {result.detail}")
        return found

    def doubts(self) -> list[str]:
        """What the proof will object to, in words; it may be saved all the same."""
        words = []
        failing = [result.id for result in self.goal.results if result.status == "fail"]
        if failing:
            words.append(f"the reference solution fails {', '.join(failing)}")
        if self.start.passed:
            words.append("a run that does nothing passes")
        return words


def judge_ends(task: TaskSpec, environment: Environment) -> Ends:
    """Judge s0 and g by the rubric of `task`; `environment` is in s0 and is left there.

    Raises ProgramError when the reference does not get through.
    """
    goal = environment.fork()
    try:
        start = verify(task.rubric, task.scope, environment)
        run = run_program(task.reference, goal.call)
        return Ends(start, verify(task.rubric, task.scope, goal, run.answer))
    finally:
        goal.close()


@dataclass(frozen=True, slots=True)
class Edit:
    """What was done to one criterion: before is None for a new one, after for one that was taken away."""

    id: str
    before: Criterion | None
    after: Criterion | None

    @property
    def kind(self) -> str:
        return "added" if self.before is None else "removed" if self.after is None else "changed"


def edits_between(old: Sequence[Criterion], new: Sequence[Criterion]) -> list[Edit]:
    """The criteria that are not the same in both, in the order of the new rubric, removed ones last."""
    was, now = {one.id: one for one in old}, {one.id: one for one in new}
    pairs = [Edit(name, was.get(name), now.get(name)) for name in [*now, *(name for name in was if name not in now)]]
    return [edit for edit in pairs if _content(edit.before) != _content(edit.after)]


def _content(criterion: Criterion | None) -> dict[str, object] | None:
    return criterion.model_dump(exclude={"reads"}) if criterion is not None else None
