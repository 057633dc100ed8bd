"""How much of a folder of specifications the rules builder can build and the gate lets through.

    python -m benchmarks.builder FOLDER [--sample N] [--json FILE] [--batch 8]

Each specification is built, checked against the static policy and verified in two sandboxed processes with
different hash seeds, as in the product; `--batch` services share a pair of processes to save start-up time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.specs.errors import SpecError
from services_app.specs.files import load_file
from services_app.specs.model import Specification
from services_app.verification.gate import seconds_for, verify_service
from services_app.verification.own_tests import read_own_tests
from services_app.verification.static import static_problems
from workers.sandbox.limits import Limits
from workers.sandbox.process import SandboxProcess

HOST = "services_app.engine.host"


@dataclass
class Outcome:
    """What became of one specification."""

    slug: str
    tools: int = 0
    planned: int = 0
    verified: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    quarantined: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    own_tests: dict[str, int] = field(default_factory=dict)
    live_share: float = 0.0
    calls: int = 0
    build_seconds: float = 0.0
    verify_seconds: float = 0.0


class Processes:
    """A sandboxed process per hash seed for a batch of services; a dead one is replaced."""

    def __init__(self, built: Iterable[BuiltService]) -> None:
        self._files = {name: text for service in built for name, text in service.packaged().items()}
        self._open: dict[int, SandboxProcess] = {}

    def mount(self, service: BuiltService, hash_seed: int) -> Environment:
        process = self._open.get(hash_seed)
        if process is None or not process.alive:
            process = SandboxProcess(HOST, files=self._files, limits=Limits(wall_seconds=5), hash_seed=hash_seed)
            self._open[hash_seed] = process
        return ServiceHost(process, {service.slug: service.module}).mount([service.slug], scale="small")

    def close(self) -> None:
        for process in self._open.values():
            process.close()


def measure(folder: Path, sample: int, batch: int, say: Callable[[str], None], only: str = "") -> list[Outcome]:
    """Outcomes of the specifications in `folder`, of those named in `only`, or of `sample` drawn with a fixed seed."""
    paths = sorted(path for path in folder.glob("*.json") if not only or path.stem in only.split(","))
    if sample:
        paths = sorted(random.Random(1).sample(paths, min(sample, len(paths))))
    outcomes = []
    for start in range(0, len(paths), batch):
        outcomes += _measure_batch(paths[start : start + batch])
        verified, tools = sum(len(o.verified) for o in outcomes), sum(o.tools for o in outcomes)
        say(f"{min(start + batch, len(paths))}/{len(paths)} servers, {verified}/{tools} tools verified")
    return outcomes


def _measure_batch(paths: Sequence[Path]) -> list[Outcome]:
    outcomes, pairs = [], []
    for path in paths:
        try:
            spec = load_file(path)
        except SpecError as error:
            outcomes.append(Outcome(path.stem, problems=[f"{error.kind}: {error.message}"]))
            continue
        started = time.perf_counter()
        built = build_with_rules(spec)
        outcome = Outcome(path.stem, tools=len(spec.tools), left_out=dict(built.left_out))
        outcome.build_seconds = time.perf_counter() - started
        outcome.planned = outcome.tools - len(built.left_out)
        outcome.problems += static_problems(built.files, built.module)
        outcomes.append(outcome)
        pairs.append((spec, built, outcome))
    processes = Processes(built for _, built, outcome in pairs if not outcome.problems)
    try:
        for spec, built, outcome in pairs:
            if not outcome.problems and outcome.planned:
                _verify(spec, built, outcome, processes)
    finally:
        processes.close()
    return outcomes


def _verify(spec: Specification, built: BuiltService, outcome: Outcome, processes: Processes) -> None:
    report = verify_service(
        built.slug,
        "",
        lambda: processes.mount(built, 0),
        timer=time.monotonic,
        twin=lambda: processes.mount(built, 1),
        own_tests=read_own_tests(built.files),
        seconds=seconds_for(len(spec.tools)),
        annotations={tool.name: tool.annotations for tool in spec.tools},
    )
    outcome.verified = list(report.verified)
    outcome.quarantined = {tool.name: tool.reason for tool in report.tools if tool.status == "quarantined"}
    outcome.problems += report.problems
    outcome.own_tests = report.own_tests
    outcome.calls, outcome.verify_seconds, outcome.live_share = report.calls, report.seconds, report.live_share


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Totals, and the most frequent reasons in words without names."""
    tools, planned = sum(o.tools for o in outcomes), sum(o.planned for o in outcomes)
    verified = sum(len(o.verified) for o in outcomes)
    return {
        "servers": len(outcomes),
        "servers_with_a_verified_tool": sum(bool(o.verified) for o in outcomes),
        "servers_complete": sum(bool(o.tools) and len(o.verified) == o.tools for o in outcomes),
        "tools": tools,
        "planned": planned,
        "verified": verified,
        "verified_share": round(verified / tools, 4) if tools else 0.0,
        "own_tests": {
            name: sum(o.own_tests.get(name, 0) for o in outcomes) for name in ("expected", "ran", "passed", "failed")
        },
        "calls": sum(o.calls for o in outcomes),
        "build_seconds": round(sum(o.build_seconds for o in outcomes), 1),
        "verify_seconds": round(sum(o.verify_seconds for o in outcomes), 1),
        "left_out": _frequent(reason for o in outcomes for reason in o.left_out.values()),
        "quarantined": _frequent(reason.split(":")[0] for o in outcomes for reason in o.quarantined.values()),
        "problems": _frequent(problem.split(":")[0] for o in outcomes for problem in o.problems),
    }


def _frequent(reasons: Iterable[str]) -> dict[str, int]:
    return dict(Counter(reasons).most_common(25))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="number of servers, drawn with a fixed seed; 0 is all")
    parser.add_argument("--only", default="", help="file names without .json, with commas between them")
    parser.add_argument("--batch", type=int, default=8, help="services that share a pair of sandboxed processes")
    parser.add_argument("--json", type=Path, help="write every outcome to this file")
    options = parser.parse_args()
    outcomes = measure(
        options.folder, options.sample, options.batch, lambda line: print(line, file=sys.stderr), options.only
    )
    if options.json:
        options.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], ensure_ascii=False, indent=1))
    print(json.dumps(summary(outcomes), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
