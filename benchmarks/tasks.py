"""Tasks over the shipped services: how many a minute, what stops the others, how varied the set is.

    ./workbench bench tasks [--count 100] [--k 5] [--distractors 5] [--length 7..12] [--seed 7] [--jobs 2]
                            [--services a,b] [--out FILE] [--json]

Exactly what a generation of the product does, without its database: the same draws, author and proof. `--out` takes
each proven task as a line of JSON, in the order of their numbers.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from services_app.engine.protocol import LocalMounting
from services_app.library import registry
from tasks_app.authors.batch import SCALE, GenerateRequest, walk_length, write_task
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.audit import audit_figures
from tasks_app.engine.diversity import diversity
from tasks_app.engine.profile import ServiceProfile, profile_service
from tasks_app.engine.task import TaskSpec

Done = tuple[int, str | None, int, dict[str, int], float, float]
AUDITED = ("cheater: ", "skips discovery: ", "canary: ")  # in the words of the claim that nothing leaks
_workshops: list[Workshop] = []  # one for each process, made when it starts


@cache
def _mounting(pool: tuple[str, ...]) -> LocalMounting:
    return LocalMounting([registry.load(slug) for slug in pool])


def _profile(slug: str) -> tuple[str, ServiceProfile]:
    return slug, profile_service(_mounting((slug,)).mount([slug], seed=0, scale=SCALE), slug)


def _start(profiles: dict[str, ServiceProfile]) -> None:
    _workshops.append(Workshop(_mounting(tuple(profiles)), profiles))


def _write(job: tuple[GenerateRequest, int]) -> Done:
    """One task: number, artifact, compositions tried, what stopped the others, seconds, megabytes of the process."""
    request, number = job
    started = time.perf_counter()
    written = write_task(_mounting(request.services), _workshops[0], request, request.services, number)
    text = written.task.model_dump_json() if written.task is not None else None
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return number, text, written.tried, dict(written.reasons), time.perf_counter() - started, megabytes


def measure(request: GenerateRequest, *, jobs: int) -> tuple[list[TaskSpec], dict[str, Any]]:
    """The proven tasks in order of their numbers, and the figures."""
    context = multiprocessing.get_context("forkserver")
    with context.Pool(jobs) as pool:
        started = time.perf_counter()
        profiles = dict(pool.imap(_profile, request.services))
        profiled = time.perf_counter() - started
    with context.Pool(jobs, initializer=_start, initargs=(profiles,)) as pool:
        started = time.perf_counter()
        done: list[Done] = []
        for one in pool.imap_unordered(_write, [(request, number) for number in range(request.count)]):
            done.append(one)
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(done)}/{request.count}, {sum(bool(row[1]) for row in done)} proven ")
        seconds = time.perf_counter() - started
    done.sort()
    tasks = [TaskSpec.model_validate_json(text) for _, text, *_ in done if text is not None]
    return tasks, _figures(request, tasks, done, profiled=profiled, seconds=seconds)


def _figures(
    request: GenerateRequest, tasks: Sequence[TaskSpec], done: Sequence[Done], *, profiled: float, seconds: float
) -> dict[str, Any]:
    reasons: Counter[str] = Counter()
    for row in done:
        reasons.update(row[3])
    services = [registry.load(slug) for slug in request.services]
    mutants = [claim.evidence for task in tasks for claim in task.proof.claims if claim.number == 5]
    edges = [edge for task in tasks for claim in task.proof.claims for edge in claim.evidence.get("edges", ())]
    return {
        "wanted": request.count,
        "proven": len(tasks),
        "profile_seconds": round(profiled, 1),
        "seconds": round(seconds, 1),
        "tasks_per_minute": round(60 * len(tasks) / seconds, 1),
        "seconds_per_task": round(sum(row[4] for row in done) / max(len(tasks), 1), 2),
        "compositions_tried": sum(row[2] for row in done),
        "stopped_by": dict(reasons.most_common(25)),
        "mutants": sum(int(evidence.get("mutants", 0)) for evidence in mutants),
        "mutant_kill_rate": _killed(mutants),
        "edges": len(edges),
        "edges_necessary": _share(sum(bool(edge["necessary"]) for edge in edges), len(edges)),
        "audit": {
            **audit_figures(tasks),
            "refused": sum(count for reason, count in reasons.items() if any(kind in reason for kind in AUDITED)),
        },
        "peak_mb": round(max((row[5] for row in done), default=0.0), 1),
        **diversity(
            tasks,
            domains={service.slug: service.domain for service in services},
            tools={service.slug: tuple(service.tools) for service in services},
        ),
    }


def _killed(claims: Sequence[dict[str, Any]]) -> float | None:
    """Share of the mutants that end differently from the reference and are rejected."""
    outcomes = Counter(mutant["outcome"] for evidence in claims for mutant in evidence.get("each", ()))
    counted = outcomes.total() - outcomes["equivalent"]
    return _share(outcomes["rejected"], counted)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def main() -> None:
    parser = argparse.ArgumentParser("./workbench bench tasks", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--distractors", type=int, default=5)
    parser.add_argument("--length", type=walk_length, default=(7, 12), metavar="A..B")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--services", default="", metavar="A,B", help="draw only from these")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the proven tasks, a line of JSON each")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pool = tuple(sorted(options.services.split(",") if options.services else registry.slugs()))
    request = GenerateRequest(options.count, options.k, options.distractors, options.length, options.seed, pool)
    tasks, figures = measure(request, jobs=options.jobs)
    if options.out:
        options.out.write_text("".join(f"{task.model_dump_json()}\n" for task in tasks), "utf-8")
    if options.json:
        sys.stdout.write(json.dumps(figures, indent=1) + "\n")
        return
    for name, value in figures.items():
        sys.stdout.write(f"{name:<24}{_words(value)}\n")


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    if isinstance(value, list):
        return f"{len(value)}: {', '.join(value)}" if value else "none"
    return str(value)
