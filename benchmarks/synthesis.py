"""From a folder of specifications to judged services: how many, how sure, at what price.

    ./workbench bench synthesis FOLDER [--jobs 2] [--sample N] [--only a,b] [--controls] [--resume FILE] [--json]

Each specification is built and verified exactly as a build of the product does it, in a process of its own, so that
memory is that of one service. `--resume FILE` takes a line for every service that is done; a run that was killed
goes on from there, and services measured with other code are measured again. `--controls` asks the gate about the
same services with tools that only pretend: whatever it verifies of those, it verifies too easily.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks._outcome import Outcome, sentences, summary
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.errors import SpecError
from services_app.specs.files import load_file
from services_app.specs.fingerprint import fingerprint
from services_app.specs.process_tree import descendants
from services_app.verification.controls import CONTROLS
from services_app.verification.gate import seconds_for, verify_service
from services_app.verification.static import static_problems
from workers.sandbox.limits import Limits
from workers.sandbox.process import SandboxProcess

if TYPE_CHECKING:
    from services_app.specs.model import Specification
    from services_app.verification.report import ToolReport, VerificationReport

Say = Callable[[str], None]
LOOK_SECONDS = 0.25  # between two looks at the memory


def measure(path: Path, *, controls: bool = False) -> Outcome:
    """What becomes of one specification. Never raises for what is wrong with it."""
    outcome = Outcome(path.stem)
    try:
        spec = load_file(path)
    except SpecError as error:
        outcome.problems.append(f"{error.kind}: {error.message}")
        return outcome
    outcome.domain, outcome.tools = spec.domain or "other", len(spec.tools)
    outcome.refused = {refusal.name: refusal.code for refusal in spec.refused}
    started = time.perf_counter()
    built = build_with_rules(spec)
    outcome.build_seconds = time.perf_counter() - started
    outcome.left_out = dict(built.left_out)
    outcome.problems += static_problems(built.files, built.module)
    if not outcome.problems and len(built.left_out) < outcome.tools:
        _verify(spec, built, outcome)
        if controls:
            _judge_pretenders(spec, built, outcome)
    return outcome


def _verify(spec: Specification, built: BuiltService, outcome: Outcome) -> None:
    from services_app.pipelines.building import verify_built

    started = time.perf_counter()
    _, report = verify_built(built, spec, lambda done, total, phase: None)
    outcome.verify_seconds = time.perf_counter() - started
    note_report(report, outcome)


def note_report(report: VerificationReport, outcome: Outcome) -> None:
    outcome.problems += report.problems
    outcome.own_tests, outcome.calls = dict(report.own_tests), report.calls
    for tool in report.tools:
        if tool.status == "quarantined":
            outcome.quarantined[tool.name] = tool.reason
        else:
            (outcome.verified if tool.status == "verified" else outcome.simulated).append(tool.name)
            _note_parameters(tool, outcome)


def _note_parameters(tool: ToolReport, outcome: Outcome) -> None:
    """Only tools that agents may use count: a dead parameter of a quarantined tool harms nobody."""
    outcome.live += len(tool.live_parameters)
    outcome.dead += len(tool.dead_parameters)
    outcome.inert += len(tool.inert_parameters)
    outcome.mutants_planted += tool.mutants_planted
    outcome.mutants_killed += tool.mutants_killed


def _judge_pretenders(spec: Specification, built: BuiltService, outcome: Outcome) -> None:
    """How many tools the gate verifies although each only pretends, by kind of pretence."""
    annotations = {tool.name: tool.annotations for tool in spec.tools}
    for name, pretend in CONTROLS.items():
        with SandboxProcess(files=built.packaged(), limits=Limits(wall_seconds=5)) as process:
            host = ServiceHost(process, {built.slug: built.module})
            report = verify_service(
                built.slug,
                "",
                lambda: pretend(host.mount([built.slug], scale="small")),  # noqa: B023 - called within this round
                timer=time.monotonic,
                annotations=annotations,
                seconds=seconds_for(len(spec.tools)),
            )
        outcome.controls[name] = [len(report.tools), len(report.verified)]


@dataclass
class _Working:
    """A process at work on one file, and the most memory that it and its sandboxes were seen to hold."""

    path: Path
    process: Any
    peak_mb: float = 0.0


def measure_all(paths: Sequence[Path], jobs: int, work: Callable[[Path], Outcome] = measure) -> Iterator[Outcome]:
    """Outcomes as they come, `jobs` at a time, the largest files first so that none is left to the end."""
    context = multiprocessing.get_context("fork")
    waiting = sorted(paths, key=lambda path: path.stat().st_size)
    running: dict[Connection, _Working] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            path = waiting.pop()
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_tell, args=(path, theirs, work))
            process.start()
            theirs.close()
            running[ours] = _Working(path, process)
        finished = wait(list(running), timeout=LOOK_SECONDS)
        for working in running.values():
            working.peak_mb = max(working.peak_mb, resident_mb(working.process.pid))
        for ready in finished:
            assert isinstance(ready, Connection)
            yield _received(ready, running.pop(ready))


def resident_mb(pid: int) -> float:
    """Megabytes in memory of a process and everything it started (Linux; 0 elsewhere)."""
    pages = 0
    for one in (pid, *descendants(pid)):
        try:
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except (OSError, IndexError):  # it ended meanwhile
            continue
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def _tell(path: Path, out: Connection, work: Callable[[Path], Outcome]) -> None:
    out.send(work(path))


def _received(channel: Connection, working: _Working) -> Outcome:
    """What the process said; one that died without a word is a problem of its service, not of the others."""
    try:
        outcome: Outcome = channel.recv()
    except EOFError:
        outcome = Outcome(working.path.stem)
    working.process.join()
    channel.close()
    if working.process.exitcode:
        outcome.problems.append(f"the process ended: exit status {working.process.exitcode}")
    outcome.peak_mb = working.peak_mb
    return outcome


class Ledger:
    """A file with a line for every service that is done; None keeps nothing."""

    def __init__(self, file: Path | None, say: Say) -> None:
        self.file, self.code = file, fingerprint()
        self.done: dict[str, Outcome] = {}
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        rows = [row for row in map(_row, lines) if row is not None]
        for row in rows:
            if row.pop("code", "") == self.code:
                self.done[row["slug"]] = Outcome(**row)
        if rows:
            say(f"{len(self.done)} services are done; {len(rows) - len(self.done)} lines of other code do not count.")
        if lines and file is not None:  # a line that a kill cut in two must not swallow the next one
            file.write_text("".join(f"{line}\n" for line in lines if _row(line) is not None))

    def holds(self, slug: str, *, controls: bool) -> bool:
        """Whether a service is done; with controls only if they were judged too, or there was nothing to judge."""
        found = self.done.get(slug)
        return found is not None and (not controls or bool(found.controls) or not found.calls)

    def keep(self, outcome: Outcome) -> None:
        self.done[outcome.slug] = outcome
        if self.file is not None:
            with self.file.open("a") as stream:
                stream.write(json.dumps({**outcome.to_json(), "code": self.code}, ensure_ascii=False) + "\n")


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and "slug" in row else None


def chosen(folder: Path, sample: int, only: str) -> list[Path]:
    """The files asked for, in the order of their names; a sample is drawn with a fixed seed."""
    names = set(only.split(",")) if only else None
    paths = [path for path in sorted(folder.glob("*.json")) if names is None or path.stem in names]
    return sorted(random.Random(1).sample(paths, min(sample, len(paths)))) if sample else paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="JSON files of specifications")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="services measured at the same time")
    parser.add_argument("--sample", type=int, default=0, help="number of services, drawn with a fixed seed; 0 is all")
    parser.add_argument("--only", default="", help="file names without .json, with commas between them")
    parser.add_argument("--controls", action="store_true", help="also judge services whose tools only pretend")
    parser.add_argument("--resume", type=Path, help="file of outcomes: written as they come, read at the start")
    parser.add_argument("--json", action="store_true", help="one JSON document with every outcome")
    options = parser.parse_args()
    paths = chosen(options.folder, options.sample, options.only)
    if not paths:
        parser.error(f"there are no such JSON files in {options.folder}")
    _prepare()
    started = time.perf_counter()
    ledger = Ledger(options.resume, _say)
    todo = [path for path in paths if not ledger.holds(path.stem, controls=options.controls)]
    work = partial(measure, controls=options.controls)
    for number, outcome in enumerate(measure_all(todo, max(1, options.jobs), work), 1):
        ledger.keep(outcome)
        _say(f"{number}/{len(todo)} {outcome.slug}: {len(outcome.verified)} of {outcome.tools} tools verified")
    outcomes = [ledger.done[path.stem] for path in paths]
    figures = {"wall_seconds": round(time.perf_counter() - started, 1), "jobs": options.jobs, **summary(outcomes)}
    if options.json:
        document = {**figures, "outcomes": [outcome.to_json() for outcome in outcomes]}
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        print("\n".join(sentences(figures)))


def _prepare() -> None:
    """Load once what every process needs; a fork is cheap, an import is not."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    import django

    django.setup()
    import services_app.pipelines.building  # noqa: F401


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
