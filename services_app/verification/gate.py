"""The gate: run every check on every tool, decide each tool on its own, keep the evidence.

A tool is verified when it works and no check fails. A tool that hangs, floods or kills its sandbox is
quarantined with the bound that was hit; its siblings go on in a fresh sandbox.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from services_app.verification.bench import SECONDS_PER_TOOL, Bench, BoundHitError
from services_app.verification.cases import Case, run_cases
from services_app.verification.liveness import Finding
from services_app.verification.mutation import Mutation, mutate
from services_app.verification.own_tests import OwnTest, run_own_tests
from services_app.verification.report import Check, ToolReport, VerificationReport
from services_app.verification.subject import Subject
from services_app.verification.suite import run_suite
from workers.sandbox.limits import SandboxError

Progress = Callable[[int, int, str], None]


def seconds_for(tools: int) -> float:
    """The time that judging a service with so many tools may take, in seconds: a bound, not an estimate."""
    return max(120.0, SECONDS_PER_TOOL * tools)


def verify_service(  # noqa: PLR0913 - one call says all that a judgement depends on
    slug: str,
    version_hash: str,
    mount: Callable[[], Environment],
    *,
    timer: Callable[[], float],
    twin: Callable[[], Environment] | None = None,
    annotations: Mapping[str, Mapping[str, Any]] | None = None,
    seconds: float = 120.0,
    progress: Progress | None = None,
    own_tests: Sequence[OwnTest] | None = None,
    cases: Sequence[Case] = (),
) -> VerificationReport:
    """Judge one version of a service.

    `mount` gives a fresh environment of it; `twin` one in another process with another hash seed, if wanted.
    `annotations` are the specification's claims about each tool, such as readOnlyHint. `own_tests` are the tests that
    the service brings along (None: it is not expected to). They run first; a failed one counts against the tool that
    disappointed. `cases` are adversarial cases kept by curators, and tests of the same form.
    Never raises for what a service does.
    """
    started = timer()
    try:
        bench = Bench(slug, mount, timer, seconds)
        other = twin() if twin is not None else None
        counts, failures = run_own_tests(slug, mount, own_tests or ())
        judged = run_cases(slug, mount, cases)
    except (SandboxError, ServiceDefect, EngineError) as error:
        return VerificationReport(
            slug=slug, version_hash=version_hash, tools=(), problems=(_sentence(error),), seconds=timer() - started
        )
    report = _judge_all(bench, other, version_hash, annotations or {}, progress or _silent)
    report = report.model_copy(
        update={"tools": tuple(_with_checks(tool, (*failures, *judged)) for tool in report.tools)}
    )
    if own_tests is None:
        return report
    problems = report.problems if own_tests else (*report.problems, "the service brings no tests of its own")
    return report.model_copy(update={"own_tests": counts, "problems": problems})


def _with_checks(report: ToolReport, more: Sequence[Check]) -> ToolReport:
    """The verdict with what own tests and kept cases say about the tool."""
    mine = [check for check in more if check.tool == report.name]
    if not mine:
        return report
    checks = (*mine, *report.checks)
    failing = [check for check in checks if check.outcome == "fail"]
    update: dict[str, Any] = {"checks": tuple(sorted(checks, key=lambda check: check.outcome != "fail"))}
    if any(check.outcome == "fail" for check in mine):
        update |= {"status": "quarantined", "reason": _reason(failing)}
    return report.model_copy(update=update)


def _judge_all(
    bench: Bench,
    twin: Environment | None,
    version_hash: str,
    annotations: Mapping[str, Mapping[str, Any]],
    progress: Progress,
) -> VerificationReport:
    subjects = list(bench.subjects.values())
    stopped: dict[str, str] = {}
    for early in (True, False):  # lists fill the pool, creations make records, a second round uses both
        for subject in subjects:
            if subject.info.name not in stopped:
                _guarded(bench, subject, stopped, partial(bench.find_working_call, subject, early=early))
    reports, problems = [], []
    for number, subject in enumerate(subjects):
        progress(number, len(subjects), subject.info.name)
        reports.append(_judge(bench, subject, twin, annotations.get(subject.info.name, {}), stopped))
        if stopped.get(subject.info.name, "").startswith("verification "):
            problems.append(stopped[subject.info.name])
            reports += [_unjudged(later, stopped[subject.info.name]) for later in subjects[number + 1 :]]
            break
    by_name = {report.name: report for report in reports}
    in_order = tuple(by_name[name] for name in bench.base.catalogue.tools[bench.slug])
    return VerificationReport(
        slug=bench.slug,
        version_hash=version_hash,
        tools=in_order,
        problems=tuple(problems),
        calls=bench.calls,
        seconds=round(bench.timer() - bench.started, 3),
    )


def _judge(
    bench: Bench, subject: Subject, twin: Environment | None, annotations: Mapping[str, Any], stopped: dict[str, str]
) -> ToolReport:
    if subject.info.name in stopped:
        return _unjudged(subject, stopped[subject.info.name])
    found: list[Check] = []
    findings: list[Finding] = []

    def run_all() -> None:
        for check in run_suite(bench, subject, twin, annotations, findings):
            found.append(check)

    _guarded(bench, subject, stopped, run_all)
    if subject.info.name in stopped:
        return _unjudged(subject, stopped[subject.info.name], tuple(found))
    failing = [check for check in found if check.outcome == "fail"]
    mutation = Mutation(0, 0, ())

    def run_mutants() -> None:
        nonlocal mutation
        mutation = mutate(bench, subject, findings, found)

    if not failing:
        _guarded(bench, subject, {}, run_mutants)
    return ToolReport(
        name=subject.info.name,
        status="quarantined" if failing else "verified",
        reason=_reason(failing),
        checks=tuple(sorted(found, key=lambda check: check.outcome != "fail")),
        live_parameters=_named(findings, "live"),
        dead_parameters=_named(findings, "dead"),
        inert_parameters={f.parameter.name: f.reason for f in findings if f.verdict == "inert"},
        mutants_planted=mutation.planted,
        mutants_killed=mutation.killed,
        survivors=mutation.survivors,
    )


def _named(findings: Sequence[Finding], verdict: str) -> tuple[str, ...]:
    return tuple(finding.parameter.name for finding in findings if finding.verdict == verdict)


def _guarded(bench: Bench, subject: Subject, stopped: dict[str, str], run: Callable[[], Any]) -> None:
    """Run checks; note a bound that was hit and put a fresh sandbox in place."""
    try:
        run()
    except BoundHitError as error:
        stopped[subject.info.name] = str(error)
    except SandboxError as error:
        stopped[subject.info.name] = f"sandbox {error.kind}: {error.message}"
        if not error.alive:
            bench.setup = [entry for entry in bench.setup if entry[0] != subject.info.name]
            bench.remount()


def _unjudged(subject: Subject, reason: str, found: tuple[Check, ...] = ()) -> ToolReport:
    note = Check(tool=subject.info.name, name="bound", outcome="fail", expected="an end within the bounds", got=reason)
    return ToolReport(name=subject.info.name, status="quarantined", reason=reason, checks=(note, *found))


def _reason(failing: list[Check]) -> str:
    if not failing:
        return ""
    first = failing[0]
    more = f" (and {len(failing) - 1} more checks)" if len(failing) > 1 else ""
    return f"{first.name}: {first.note or f'expected {first.expected}'}{more}"


def _sentence(error: Exception) -> str:
    return f"{error.kind}: {error.message}" if isinstance(error, SandboxError) else str(error)


def _silent(done: int, total: int, phase: str) -> None:
    return None
