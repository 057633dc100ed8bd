"""The proof of a task: claims that are checked by running things, each with its evidence.

Numbers follow the design: 1 valid, 2 replays, 3 accepted, 4 nothing for nothing, 5 criteria can fail, 6 edges are
necessary, 7 alternatives pass, 8 collateral fails, 9 reachable, 10 no leak, 11 length, 12 reads commute,
13 the instruction closes. Any failing claim means that the task is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services_app.engine import EngineError, ServiceDefect
from tasks_app.engine.claims import ForeignCall, Prover, claim, through_meta_tools
from tasks_app.engine.mutants import Build, Survey, prune_rubric, survey_mutants
from tasks_app.engine.program import ProgramError, run_program
from tasks_app.engine.task import ClaimResult, Proof, TaskSpec

__all__ = ["Build", "ForeignCall", "prove", "prune_rubric", "survey", "through_meta_tools"]


def prove(
    task: TaskSpec,
    build: Build,
    *,
    foreign: Sequence[ForeignCall] = (),
    known: Survey | None = None,
    quick: bool = False,
) -> Proof:
    """Check every claim. `build(task)` gives a fresh environment in s0 each time.

    `foreign` are writes that work and that the task has no business making; `known` is a survey of the mutants
    of this very task, if one was made before. `quick` stops at the first claim that fails. A task that cannot
    be built or solved fails claims 1 and 2 and nothing else is looked at.
    """
    try:
        start = build(task)
    except (ServiceDefect, EngineError, KeyError) as error:
        return Proof(claims=(claim(1, "valid", False, why=f"s0 is not valid: {error}"),))
    prover = Prover(task, build, start, foreign)
    valid = prover.valid()
    try:
        replays, run = prover.replays()
    except ProgramError as error:
        return Proof(claims=(valid, claim(2, "replays", False, why=f"the reference fails: {error}")))
    if not replays.passed:
        return Proof(claims=(valid, replays))
    checks: list[Callable[[], ClaimResult]] = [  # cheap ones first: `quick` stops at the first that fails
        prover.closes,
        lambda: prover.length(run),
        prover.no_leak,
        lambda: prover.reachable(run),
        lambda: prover.accepted(run),
        lambda: prover.nothing_for_nothing(run),
        lambda: prover.reads_commute(run),
        lambda: prover.criteria_can_fail(run, known),
        lambda: prover.alternatives(run),
        lambda: prover.collateral_fails(run),
        lambda: prover.edges_necessary(run),
    ]
    claims = [valid, replays]
    for check in checks:
        claims.append(check())
        if quick and not claims[-1].passed:
            break
    start.close()
    return Proof(claims=tuple(sorted(claims, key=lambda claim: claim.number)))


def survey(task: TaskSpec, build: Build) -> Survey:
    """The mutants of a task, judged. Raises ProgramError when the reference does not solve it."""
    environment = build(task)
    run = run_program(task.reference, environment.call)
    environment.close()
    return survey_mutants(task, run, build)
