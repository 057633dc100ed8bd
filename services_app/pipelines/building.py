"""From a specification to a verified version, and the gate over the shipped library."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.catalogue import ServiceInfo, describe
from services_app.engine.environment import ProductEnvironment
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.environments import HOST
from services_app.library import registry
from services_app.models import AdversarialCase, Service, Specification
from services_app.pipelines.storing import store_built, store_version
from services_app.specs.model import Specification as SpecificationValue
from services_app.verification.cases import Case
from services_app.verification.gate import seconds_for, verify_service
from services_app.verification.own_tests import read_own_tests
from services_app.verification.report import VerificationReport
from services_app.verification.static import static_problems
from webapp.common.models import User
from webapp.common.runs import RunContext, RunFailed
from workers.sandbox.limits import Limits, SandboxError
from workers.sandbox.process import SandboxProcess

SCALE = "small"


def build(context: RunContext, specification: Specification, by: User | None) -> Service:
    """Specification -> source -> static policy -> sandboxed verification -> stored version."""
    spec = specification.value()
    context.progress(phase="writing the source", done=0, total=len(spec.tools), unit="tools")
    built = build_with_rules(spec)
    context.log(f"The rules builder wrote {len(built.files)} files; {len(built.left_out)} tools are left out.")
    for name, reason in built.left_out.items():
        context.log(f"{name} is left out: {reason}", level="warning")
    refused = static_problems(built.files, built.module)
    if refused:
        raise RunFailed("build:policy", "The source breaks the static policy: " + "; ".join(refused[:5]))
    context.checkpoint()
    info, report = verify_built(built, spec, on_progress(context), kept_cases(built.slug))
    if info is None:
        raise RunFailed("build:load", "The service does not load: " + "; ".join(report.problems))
    log_report(context, report)
    return store_built(built, info, report, specification, context)


def verify_built(
    built: BuiltService,
    spec: SpecificationValue,
    progress: Callable[[int, int, str], None],
    cases: Sequence[Case] = (),
) -> tuple[ServiceInfo | None, VerificationReport]:
    """Run the gate on built source in fresh sandboxes; None when the service does not even load."""
    processes: list[SandboxProcess] = []
    infos: list[ServiceInfo] = []

    def mount(hash_seed: int) -> Environment:
        process = SandboxProcess(HOST, files=built.packaged(), limits=Limits(wall_seconds=5), hash_seed=hash_seed)
        processes.append(process)
        host = ServiceHost(process, {built.slug: built.module})
        infos.append(host.services[built.slug])
        return host.mount([built.slug], scale=SCALE)

    try:
        report = verify_service(
            built.slug,
            "",
            lambda: mount(0),
            timer=time.monotonic,
            twin=lambda: mount(1),
            annotations={tool.name: tool.annotations for tool in spec.tools},
            progress=progress,
            own_tests=read_own_tests(built.files),
            seconds=seconds_for(len(spec.tools)),
            cases=cases,
        )
    finally:
        for process in processes:
            process.close()
    info = infos[0] if infos else None
    return info, report.model_copy(update={"version_hash": info.version_hash if info else ""})


def kept_cases(slug: str) -> list[Case]:
    """The adversarial cases that curators keep for a service, oldest first."""
    fields = ("tool", "before", "arguments", "expected")
    return list(AdversarialCase.objects.filter(service__slug=slug).values(*fields))


def verify_library(context: RunContext, slug: str) -> Service:
    """Load one shipped service, judge it by the same gate and store it."""
    service = registry.load(slug)
    report = verify_service(
        slug,
        service.version_hash,
        lambda: ProductEnvironment([service], scale=SCALE),
        timer=time.monotonic,
        progress=on_progress(context),
        cases=kept_cases(slug),
    )
    log_report(context, report)
    return store_version(
        origin=Service.Origin.LIBRARY,
        info=describe(service),
        files=service.files,
        report=report,
        builder="hand",
        left_out={},
        specification=None,
        context=context,
    )


def log_report(context: RunContext, report: VerificationReport) -> None:
    for problem in report.problems:
        context.log(problem, level="error")
    for tool in report.tools:
        if tool.status == "quarantined":
            context.log(f"{tool.name} is quarantined: {tool.reason}", level="warning")
    if report.own_tests:
        context.log(f"Own tests: {report.own_tests['passed']} of {report.own_tests['expected']} passed.")
    context.progress(done=len(report.tools), total=len(report.tools), unit="tools", phase="storing the verdicts")
    context.log(f"{len(report.verified)} of {len(report.tools)} tools verified in {report.calls} calls.")


def on_progress(context: RunContext) -> Callable[[int, int, str], None]:
    def progress(done: int, total: int, phase: str) -> None:
        context.progress(done=done, total=total, unit="tools", phase=f"verifying {phase}")
        if done % 5 == 0:
            context.checkpoint()

    return progress


def sandbox_words(error: Exception) -> RunFailed:
    """The failure of a run for an error of the sandbox or the engine, with the bound that was hit."""
    if isinstance(error, SandboxError):
        return RunFailed(f"sandbox:{error.kind}", error.message)
    assert isinstance(error, EngineError | ServiceDefect)
    return RunFailed(f"engine:{type(error).__name__}", str(error))
