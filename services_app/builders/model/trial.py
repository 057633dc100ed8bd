"""Loading a state of the files in a fresh sandbox and running the tests that it brings along."""

from __future__ import annotations

from services_app.builders.model.candidate import departures
from services_app.builders.rules import BuiltService
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from services_app.verification.own_tests import read_own_tests, run_own_tests
from services_app.verification.report import Check
from services_app.verification.static import static_problems
from workers.sandbox.limits import Limits, SandboxError
from workers.sandbox.process import SandboxProcess

HOST = "services_app.engine.host"
_LIMITS = Limits(wall_seconds=5)
_SHOWN_FAILURES = 12
_SHOWN_OUTPUT = 2_000


def run_tests(built: BuiltService, spec: Specification) -> str:
    """What came of it, in words for whoever wrote the files: policy, loading, each failed test."""
    refused = static_problems(built.files, built.module)
    if refused:
        return "Not run, the static policy refuses the source:\n" + "\n".join(f"ERROR {line}" for line in refused[:20])
    processes: list[SandboxProcess] = []

    def host() -> ServiceHost:
        processes.append(SandboxProcess(HOST, files=built.packaged(), limits=_LIMITS))
        return ServiceHost(processes[-1], {built.slug: built.module})

    try:
        info = host().services[built.slug]
        wrong = departures(spec, info)
        counts, failures = run_own_tests(
            built.slug, lambda: host().mount([built.slug], scale="small"), read_own_tests(built.files)
        )
    except (SandboxError, ServiceDefect, EngineError) as error:
        return f"The service does not load: {_words(error)}\n{_traceback(processes)}".rstrip()
    finally:
        for process in processes:
            process.close()
    missing = [tool.name for tool in spec.tools if tool.name not in info.tools]
    lines = [
        f"The service loads with {len(info.tools)} of {len(spec.tools)} tools.",
        *([f"Not written yet: {', '.join(missing)}."] if missing else []),
        *[f"ERROR {line}" for line in wrong],
        f"Own tests: {counts['passed']} of {counts['expected']} passed.",
        *[_failure(check) for check in failures[:_SHOWN_FAILURES]],
    ]
    return "\n".join(lines)


def _failure(check: Check) -> str:
    return f"{check.name} at {check.tool}: sent {check.sent!r}; expected {check.expected}; got {check.got!r}"


def _words(error: Exception) -> str:
    return f"{error.kind}: {error.message}" if isinstance(error, SandboxError) else str(error)


def _traceback(processes: list[SandboxProcess]) -> str:
    """The end of what the process said about itself; generated code wrote it, so it is only shown."""
    return str(processes[-1].output)[-_SHOWN_OUTPUT:] if processes else ""
