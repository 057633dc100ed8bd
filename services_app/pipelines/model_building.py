"""Building with a model: adversary, baseline by rules, coding agent; the version with most verified tools is stored.

Everything can be taken up again after a kill: what a session has stored is not asked for again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from services_app.builders.model import agents
from services_app.builders.model.candidate import Best, Judged, candidate
from services_app.builders.model.limits import Ending
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.catalogue import ServiceInfo
from services_app.engine.plain import digest
from services_app.models import AdversarialCase, ModelSession, Service, Specification
from services_app.pipelines import sessions
from services_app.pipelines.building import kept_cases, log_report, verify_built
from services_app.pipelines.model_requests import ModelRequest, read_request
from services_app.pipelines.storing import store_version
from services_app.specs.model import Specification as SpecificationValue
from services_app.verification.cases import Case
from services_app.verification.report import VerificationReport
from services_app.verification.static import static_problems
from webapp.common import clean
from webapp.common.runs import RunContext, RunFailed

Role = ModelSession.Role
BUILDER_NAME = 40  # characters of a version's builder
MOST_KEPT = 100  # cases of a service


class ModelBuild(ModelRequest):
    """What is asked of a build with a model. The limits are those of the builder; the adversary has the same."""

    scratch: bool = False
    """Begin with empty files and not with what the rules builder made."""
    adversary: bool = True
    """Let a second session, which sees the specification only, write test cases first."""


def model_build(asked: Mapping[str, Any]) -> ModelBuild:
    """The build that is asked for. Raises AskedError in words."""
    return read_request(ModelBuild, asked)


@dataclass
class Bench:
    """The gate for one build: the same cases for every version, and no version judged twice by one worker."""

    context: RunContext
    spec: SpecificationValue
    cases: Sequence[Case]

    def __post_init__(self) -> None:
        self._known: dict[str, Judged] = {}

    def judge(self, built: BuiltService) -> Judged:
        key = digest(built.files)
        if key not in self._known:
            self._known[key] = self._judged(built)
        return self._known[key]

    def _judged(self, built: BuiltService) -> Judged:
        refused = tuple(static_problems(built.files, built.module))
        if refused:
            return None, VerificationReport(slug=built.slug, version_hash="", tools=(), problems=refused)
        return verify_built(built, self.spec, self._progress, [*kept_cases(built.slug), *self.cases])

    def _progress(self, done: int, total: int, phase: str) -> None:
        self.context.progress(phase=f"verifying {phase}")
        if done % 5 == 0:
            self.context.checkpoint()


def build_with_model(context: RunContext, specification: Specification, request: ModelBuild) -> Service:
    """Specification -> stored version. Raises RunFailed when a model gives no answer; the run can be resumed."""
    spec = specification.value()
    written = _attack(context, specification, spec, request) if request.adversary else []
    kept = kept_cases(spec.slug)
    known = {_key(case) for case in kept}
    new = [case for case in written if _key(case) not in known]
    bench = Bench(context, spec, [*kept, *new])
    best = _improve(context, specification, spec, request, bench)
    info, report = _judged_once_more(context, spec, best, bench)
    with transaction.atomic():
        service = store_version(
            origin=Service.Origin.BUILT,
            info=info,
            files=best.files,
            report=report,
            builder=best.builder,
            left_out=best.left_out,
            specification=specification,
            context=context,
        )
        _keep(service, new[: max(0, MOST_KEPT - len(kept))], request.model)
    return service


def _key(case: Case) -> str:
    return digest([case["tool"], case["before"], case["arguments"]])


def _keep(service: Service, cases: Sequence[Case], model: str) -> None:
    """Later verifications run the adversary's cases too; a curator sees them with the tool and may remove one."""
    note = clean.text(f"Written by {model}, which saw the specification only.")
    for case in cases:
        words = f"{note} {case['note']}".strip()
        values = {name: clean.json_value(case[name]) for name in ("before", "arguments", "expected")}
        AdversarialCase.objects.create(service=service, tool=case["tool"], note=clean.text(words, 2_000), **values)


def _attack(
    context: RunContext, specification: Specification, spec: SpecificationValue, request: ModelBuild
) -> list[dict[str, Any]]:
    """Test cases by a session that sees the specification only. Raises RunFailed when it has none to give."""
    session = sessions.last_session(context.run, Role.ADVERSARY)
    if session is None or (sessions.is_over(session) and not _cases_of(session)):
        session = sessions.open_session(context.run, Role.ADVERSARY, request, specification=specification)
    if not sessions.is_over(session):
        with sessions.at_work(session):
            conversation, toolbox = agents.adversary(
                spec, sessions.means_of(context, session, request), sessions.earlier_of(session)
            )
            ending = conversation.run()
            if ending.state != "failed" and not toolbox.cases:
                ending = Ending(state="failed", words=f"No usable test case was written. {ending.words}", kind="cases")
            sessions.close_as(session, ending)
        sessions.log_ending(context, session)
        if ending.state == "failed":
            raise _failure(ending)
    cases = _cases_of(session)
    context.log(f"The adversary wrote {len(cases)} test cases for {len({case['tool'] for case in cases})} tools.")
    return cases


def _improve(
    context: RunContext,
    specification: Specification,
    spec: SpecificationValue,
    request: ModelBuild,
    bench: Bench,
) -> Best:
    """The best version that the builder's session has made, the rules builder's at least."""
    session = sessions.last_session(context.run, Role.BUILDER)
    if session is None:
        session = sessions.open_session(context.run, Role.BUILDER, request, specification=specification)
    if not sessions.is_over(session):
        with sessions.at_work(session):
            ending = _build(context, session, spec, request, bench)
            sessions.close_as(session, ending)
        sessions.log_ending(context, session)
        if ending.state == "failed":
            raise _failure(ending)
    return Best.model_validate(session.work["work"]["best"])


def _build(
    context: RunContext, session: ModelSession, spec: SpecificationValue, request: ModelBuild, bench: Bench
) -> Ending:
    """Carry the builder's conversation to its end."""
    earlier = sessions.earlier_of(session)
    rules = build_with_rules(spec)
    report = _unjudged(spec) if earlier is not None else _baseline(context, spec, rules, bench)
    start = agents.Start(rules, report, scratch=request.scratch)
    name = clean.line(f"model:{request.model}", BUILDER_NAME)
    conversation, _ = agents.builder(
        spec, start, bench.judge, name, sessions.means_of(context, session, request), earlier
    )
    if earlier is not None:
        context.log(f"The builder goes on after {conversation.standing.spent.turns} turns.")
    return conversation.run()


def _baseline(context: RunContext, spec: SpecificationValue, rules: BuiltService, bench: Bench) -> VerificationReport:
    """The gate on what the rules make of the specification."""
    _, report = bench.judge(rules)
    context.log(f"The rules builder's version has {len(report.verified)} of {len(spec.tools)} tools verified.")
    return report


def _unjudged(spec: SpecificationValue) -> VerificationReport:
    return VerificationReport(slug=spec.slug, version_hash="", tools=())


def _judged_once_more(
    context: RunContext, spec: SpecificationValue, best: Best, bench: Bench
) -> tuple[ServiceInfo, VerificationReport]:
    """The gate's report on the version that will be stored. Raises RunFailed when it does not load."""
    info, report = bench.judge(candidate(spec, best.files, best.builder))
    if info is None:
        raise RunFailed("build:load", "The service does not load: " + "; ".join(report.problems))
    by_rules = best.builder == "rules"
    said = "no version of the model has more verified tools, so the rules builder's is stored" if by_rules else "stored"
    context.log(f"Best version, by {best.builder}: {len(report.verified)} of {len(spec.tools)} tools verified; {said}.")
    log_report(context, report)
    return info, report


def _cases_of(session: ModelSession) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = session.work.get("work", {}).get("cases", [])
    return cases


def _failure(ending: Ending) -> RunFailed:
    if ending.kind == "cases":
        words = "Resume the job to let it try again, or build without the adversarial session."
        return RunFailed("adversary:no-cases", f"{ending.words} {words}")
    return RunFailed(f"model:{ending.kind}", f"{ending.words} What was made so far is kept; resume goes on from there.")
