"""Re-grading from the record: the same as judging the live end state, whatever the rubric."""

import time
from typing import Any

import pytest

from tasks_app.engine.regrade import RecordedOutcome, Start, StoredRollout, difference, regrade
from tasks_app.engine.rollout import roll_out
from tasks_app.engine.rubric import outcome_of
from tasks_app.engine.task import Criterion, TaskSpec
from tasks_app.engine.trajectory import Trajectory
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReferencePolicy
from tests.tasks.authored import MOUNTING, build, written

SEEDS = (1, 2, 3)
THIRTY = str(list(range(30)))
HUGE = f"{THIRTY}.all(a, {THIRTY}.all(b, {THIRTY}.all(c, a + b + c >= 0)))"


def recorded(value: Trajectory) -> StoredRollout:
    made = [step for step in value.steps if step.service]
    return StoredRollout(
        changes=tuple(change for step in made for change in step.changes),
        calls=tuple(
            {"service": one.service, "tool": one.tool, "arguments": one.tool_arguments, "success": one.success}
            for one in made
        ),
        answer=value.answer,
        old=value.verdict,
    )


def play(task: TaskSpec, policy: Any) -> Trajectory:
    return roll_out(task, policy, MOUNTING, timer=time.monotonic)


def with_criterion(task: TaskSpec, expression: str) -> TaskSpec:
    changed = task.rubric[0].model_copy(update={"expression": expression})
    return task.model_copy(update={"rubric": (changed, *task.rubric[1:])})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("policy", [ReferencePolicy, NoopPolicy, FaultyPolicy])
def test_the_unchanged_rubric_flips_nothing(seed: int, policy: Any) -> None:
    task = written(seed)
    value = play(task, policy())
    graded = regrade(task, Start.of(task, build(task)), recorded(value))
    assert graded.flips == ()
    assert graded.verdict is not None
    assert graded.verdict.to_json() == value.verdict


@pytest.mark.parametrize("seed", SEEDS)
def test_the_record_gives_every_variable_that_the_live_environment_gives(seed: int) -> None:
    task = written(seed)
    environment = build(task)
    paths = [
        (root, slug.replace("-", "_"), table)
        for root in ("before", "after")
        for slug, info in environment.catalogue.services.items()
        for table in info.tables
    ]
    rollout = recorded(play(task, ReferencePolicy()))
    for call in rollout.calls:
        environment.call(call["service"], call["tool"], call["arguments"])
    live = outcome_of(environment, rollout.answer).data(paths)
    assert RecordedOutcome(Start.of(task, build(task)), rollout).data(paths) == live


def test_a_changed_criterion_flips_exactly_the_rollouts_it_is_about() -> None:
    task = written(1)
    policies = (ReferencePolicy(), NoopPolicy())
    rollouts = [recorded(play(task, policy)) for policy in policies]
    start = Start.of(task, build(task))
    first = task.rubric[0].id
    solved, idle = [regrade(with_criterion(task, "calls.size() == 0"), start, one) for one in rollouts]
    assert [(flip.criterion, flip.old, flip.new) for flip in solved.flips] == [(first, "pass", "fail")]
    assert (solved.old_passed, solved.passed, solved.flipped) == (True, False, True)
    assert [(flip.criterion, flip.old, flip.new) for flip in idle.flips] == [(first, "fail", "pass")]
    assert not idle.flipped
    figures = difference([solved, idle])
    assert (figures.rollouts, figures.flipped, figures.unknown) == (2, 1, 0)
    assert figures.criteria == {first: {"pass to fail": 1, "fail to pass": 1}}


@pytest.mark.parametrize("expression", ["1 / (calls.size() - calls.size()) == 1", HUGE])
def test_what_cannot_be_evaluated_is_unknown_with_its_reason_and_no_fail(expression: str) -> None:
    task = written(1)
    graded = regrade(
        with_criterion(task, expression), Start.of(task, build(task)), recorded(play(task, ReferencePolicy()))
    )
    assert graded.passed is None
    assert graded.why.startswith(f"{task.rubric[0].id}: ")
    assert len(graded.why) > len(task.rubric[0].id) + 5


def test_a_service_of_another_version_leaves_unknown_only_what_reads_its_tables() -> None:
    task = written(1)
    service = task.services[0].model_copy(update={"version_hash": "0" * 32})
    moved = task.model_copy(update={"services": (service, *task.services[1:])})
    rollout = recorded(play(task, ReferencePolicy()))
    start = Start.of(moved, build(task))
    table = next(iter(start.environment.catalogue.services[service.slug].tables))
    reading = with_criterion(moved, f"after.{service.slug}.{table}.size() >= 0")
    graded = regrade(reading, start, rollout)
    assert graded.verdict is not None
    assert service.slug in graded.verdict.results[0].detail
    assert [result.status for result in graded.verdict.results].count("unknown") == 1
    assert graded.passed is None


def test_a_record_that_does_not_fit_the_initial_state_is_unknown() -> None:
    task = written(1)
    rollout = recorded(play(task, ReferencePolicy()))
    change = rollout.changes[0]
    false = {**change, "before": {"id": change["id"], "made": "up"}}
    bent = StoredRollout((false, *rollout.changes[1:]), rollout.calls, rollout.answer, rollout.old)
    expression = f"after.{change['service']}.{change['table']}.size() >= 0"
    graded = regrade(with_criterion(task, expression), Start.of(task, build(task)), bent)
    assert graded.passed is not True
    assert graded.verdict is not None
    assert "do not fit" in graded.verdict.results[0].detail


def test_a_rollout_without_verdict_stays_without_one() -> None:
    task = written(1)
    graded = regrade(task, Start.of(task, build(task)), StoredRollout((), (), "", None))
    assert (graded.passed, graded.score, graded.flipped) == (None, None, False)
    assert "without a verdict" in graded.why


def test_criteria_added_and_taken_away_are_named() -> None:
    task = written(1)
    extra = Criterion(id="c99", text="An answer is given.", kind="answer", expression='answer != ""')
    other = task.model_copy(update={"rubric": (*task.rubric[1:], extra)})
    graded = regrade(other, Start.of(task, build(task)), recorded(play(task, NoopPolicy())))
    assert {(flip.criterion, flip.old, flip.new != "") for flip in graded.flips} >= {
        (task.rubric[0].id, "fail", False),
        ("c99", "", True),
    }
