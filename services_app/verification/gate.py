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
from services_app.verification import checks, facts
from services_app.verification.bench import Bench, BoundHitError, Subject
from services_app.verification.own_tests import OwnTest, run_own_tests
from services_app.verification.report import Check, ToolReport, VerificationReport
from workers.sandbox.limits import SandboxError

Progress = Callable[[int, int, str], None]


def verify_service(  # noqa: PLR0913 - one call says all that a judgement depends on
    slug: str,
    version_hash: str,
    mount: Callable[[], Environment],
    *,
    timer: Callable[[], float],
    twin: Callable[[], Environment] | None = None,
    read_only: Mapping[str, bool] | None = None,
    seconds: float = 120.0,
    progress: Progress | None = None,
    own_tests: Sequence[OwnTest] | None = None,
) -> VerificationReport:
    """Judge one version of a service.

    `mount` gives a fresh environment of it; `twin` one in another process with another hash seed, if wanted.
    `read_only` holds what the specification's annotations claim. `own_tests` are the tests that the service brings
    along (None: it is not expected to). They run first; a failed one counts against the tool that disappointed.
    Never raises for what a service does.
    """
    started = timer()
    try:
        bench = Bench(slug, mount, timer, seconds)
        other = twin() if twin is not None else None
        counts, failures = run_own_tests(slug, mount, own_tests or ())
    except (SandboxError, ServiceDefect, EngineError) as error:
        return VerificationReport(
            slug=slug, version_hash=version_hash, tools=(), problems=(_sentence(error),), seconds=timer() - started
        )
    report = _judge_all(bench, other, version_hash, read_only or {}, progress or _silent)
    if own_tests is None:
        return report
    problems = report.problems if own_tests else (*report.problems, "the service brings no tests of its own")
    tools = tuple(_with_own_tests(tool, failures) for tool in report.tools)
    return report.model_copy(update={"own_tests": counts, "problems": problems, "tools": tools})


def _with_own_tests(report: ToolReport, failures: Sequence[Check]) -> ToolReport:
    mine = tuple(check for check in failures if check.tool == report.name)
    if not mine:
        return report
    checks_ = (*mine, *report.checks)
    reason = _reason([check for check in checks_ if check.outcome == "fail"])
    return report.model_copy(update={"status": "quarantined", "reason": reason, "checks": checks_})


def _judge_all(
    bench: Bench, twin: Environment | None, version_hash: str, read_only: Mapping[str, bool], progress: Progress
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
        reports.append(_judge(bench, subject, twin, read_only.get(subject.info.name, False), stopped))
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
    bench: Bench, subject: Subject, twin: Environment | None, read_only: bool, stopped: dict[str, str]
) -> ToolReport:
    if subject.info.name in stopped:
        return _unjudged(subject, stopped[subject.info.name])
    found: list[Check] = []
    live: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def run_all() -> list[Check]:
        nonlocal live
        for check in (
            checks.works(bench, subject),
            checks.refuses_bad_arguments(bench, subject),
            checks.refuses_unknown_ids(bench, subject),
            checks.is_deterministic(bench, subject, twin),
            checks.reads_do_not_write(bench, subject, read_only),
            checks.writes_show(bench, subject, read_only),
            checks.keeps_shape(bench, subject),
            checks.no_defects(bench, subject),
            checks.round_trip(bench, subject),
            facts.filters_hold(bench, subject),
            facts.limit_holds(bench, subject),
            facts.writes_stick(bench, subject),
            facts.created_is_listed(bench, subject),
            facts.refuses_unknown_parents(bench, subject),
        ):
            found.extend(check)
        live = checks.live_parameters(bench, subject)
        return found

    _guarded(bench, subject, stopped, run_all)
    if subject.info.name in stopped:
        return _unjudged(subject, stopped[subject.info.name], tuple(found))
    found.append(_any_live(subject, live))
    failing = [check for check in found if check.outcome == "fail"]
    return ToolReport(
        name=subject.info.name,
        status="quarantined" if failing else "verified",
        reason=_reason(failing),
        checks=tuple(sorted(found, key=lambda check: check.outcome != "fail")),
        live_parameters=live[0],
        dead_parameters=live[1],
    )


def _any_live(subject: Subject, live: tuple[tuple[str, ...], tuple[str, ...]]) -> Check:
    """A tool none of whose parameters does anything gives placeholder answers."""
    if not live[0] and not live[1]:
        return Check(tool=subject.info.name, name="live", outcome="untold", note="there is no parameter to vary")
    return Check(
        tool=subject.info.name,
        name="live",
        outcome="pass" if live[0] else "fail",
        expected="at least one parameter that changes the result",
        got=None if live[0] else f"no effect of {', '.join(live[1])}",
    )


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
