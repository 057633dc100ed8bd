"""The proof of a task: claims that are checked by running things, each with its evidence.

Numbers follow the design: 1 valid, 2 replays, 3 accepted, 4 nothing for nothing, 5 criteria can fail, 6 edges are
necessary, 7 alternatives pass, 8 collateral fails, 9 reachable, 10 no leak, 11 length, 12 reads commute,
13 the instruction closes. Any failing claim means that the task is rejected. The audit for short cuts belongs to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services_app.engine import EngineError, ServiceDefect
from tasks_app.engine.audit import audit
from tasks_app.engine.claims import ForeignCall, Prover, claim, through_meta_tools
from tasks_app.engine.mutants import Build, Survey, prune_rubric, survey_mutants
from tasks_app.engine.program import ProgramError, ProgramRun, TieError, run_program
from tasks_app.engine.task import Audit, ClaimResult, Proof, TaskSpec

__all__ = ["Build", "ForeignCall", "holds_afresh", "prove", "prune_rubric", "submit", "survey", "through_meta_tools"]

Check = Callable[[], ClaimResult]


def prove(
    task: TaskSpec,
    build: Build,
    *,
    foreign: Sequence[ForeignCall] = (),
    known: Survey | None = None,
) -> Proof:
    """Check every claim. `build(task)` gives a fresh environment in s0; most claims work on forks of one.

    `foreign` are writes that work and that the task has no business making; `known` is a survey of the mutants
    of this very task, if one was made before. A task that cannot be built or solved fails claims 1 and 2 and
    nothing else is looked at.
    """
    opened = _open(task, build, foreign)
    if isinstance(opened, Proof):
        return opened
    prover, run, claims = opened
    claims += [check() for check in _of_the_story(prover, run)]
    claims += [check() for check in _of_the_rubric(prover, run, known)]
    audited = _audit(prover, run, claims)
    prover.close()
    return _proof(claims, audited)


def submit(task: TaskSpec, build: Build, *, foreign: Sequence[ForeignCall] = ()) -> TaskSpec:
    """The task without criteria that no mutant fails, with its proof, which stops at the first claim that fails.

    For authors: what a bad story costs is kept low. Whether the task is good is in its `proof.passed`.
    """
    opened = _open(task, build, foreign)
    if isinstance(opened, Proof):
        return task.with_proof(opened)
    prover, run, claims = opened
    if not _until_one_fails(_of_the_story(prover, run), claims):
        return task.with_proof(_proof(claims))
    judged = survey_mutants(task, run, prover.build)
    task = prune_rubric(task, judged)
    prover.task = task
    audited = None
    if _until_one_fails(_of_the_rubric(prover, run, judged), claims):
        audited = _audit(prover, run, claims)
    prover.close()
    return task.with_proof(_proof(claims, audited))


def holds_afresh(task: TaskSpec, build: Build) -> bool:
    """Whether the proof of a task holds in environments that `build` makes, from the records on.

    It does where the environment starts from the state that it was proven in, and the reference reaches the goal:
    all that the claims look at follows from the services and that state.
    """
    environment = build(task)
    proven = next(result for result in task.proof.claims if result.number == 1).evidence["state_hash"]
    try:
        if environment.state_hash() != proven:
            return False
        run_program(task.reference, through_meta_tools(environment))
        return environment.state_hash() == task.goal.state_hash
    except ProgramError:
        return False
    finally:
        environment.close()


def _open(
    task: TaskSpec, build: Build, foreign: Sequence[ForeignCall]
) -> Proof | tuple[Prover, ProgramRun, list[ClaimResult]]:
    try:
        start = build(task)
    except (ServiceDefect, EngineError, KeyError) as error:
        return Proof(claims=(claim(1, "valid", False, why=f"s0 is not valid: {error}"),))
    prover = Prover(task, build, start, foreign)
    valid = prover.valid()
    try:
        replays, run = prover.replays()
    except ProgramError as error:
        failed = [claim(2, "replays", False, why=f"the reference fails: {error}")]
        if isinstance(error, TieError):
            failed.append(claim(9, "reachable", False, why=f"a tie cannot be decided: {error}"))
        return Proof(claims=(valid, *failed))
    if not replays.passed:
        return Proof(claims=(valid, replays))
    return prover, run, [valid, replays]


def _of_the_story(prover: Prover, run: ProgramRun) -> list[Check]:
    """Claims that do not depend on the rubric, cheap ones first."""
    return [
        prover.closes,
        lambda: prover.length(run),
        prover.no_leak,
        lambda: prover.reachable(run),
        lambda: prover.reads_commute(run),
        lambda: prover.edges_necessary(run),
    ]


def _of_the_rubric(prover: Prover, run: ProgramRun, known: Survey | None) -> list[Check]:
    return [
        lambda: prover.accepted(run),
        lambda: prover.nothing_for_nothing(run),
        lambda: prover.criteria_can_fail(run, known),
        lambda: prover.alternatives(run),
        lambda: prover.collateral_fails(run),
    ]


def _audit(prover: Prover, run: ProgramRun, claims: list[ClaimResult]) -> Audit:
    """The audit; a short cut that it finds fails the claim that nothing leaks, what it could not tell does not."""
    audited = audit(prover.task, run, prover.start)
    place = next(place for place, result in enumerate(claims) if result.number == 10)
    leaks = claims[place].evidence["why"]
    why = leaks or "; ".join(f"{finding.kind}: {finding.what}" for finding in audited.findings)
    evidence = {**claims[place].evidence, "why": why, "audit": audited.outcome}
    claims[place] = claim(10, "no leak", not why, **evidence)
    return audited


def _until_one_fails(checks: Sequence[Check], claims: list[ClaimResult]) -> bool:
    for check in checks:
        claims.append(check())
        if not claims[-1].passed:
            return False
    return True


def _proof(claims: Sequence[ClaimResult], audited: Audit | None = None) -> Proof:
    return Proof(claims=tuple(sorted(claims, key=lambda result: result.number)), audit=audited)


def survey(task: TaskSpec, build: Build) -> Survey:
    """The mutants of a task, judged. Raises ProgramError when the reference does not solve it."""
    environment = build(task)
    run = run_program(task.reference, environment.call)
    environment.close()
    return survey_mutants(task, run, build)
