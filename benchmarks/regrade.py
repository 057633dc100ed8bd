"""How long a changed criterion takes over stored rollouts, and whether exactly the right verdicts flip.

    ./workbench bench regrade [--rollouts 1000] [--database] [--json]

One proven task over shipped services is played by three policies; their records are repeated as JSON text, as they
lie in the database, and read and judged one by one. With --database the same rollouts are stored in a PostgreSQL of
their own, and a re-grading run reads, judges and writes them, as a worker does.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from typing import Any

from services_app.engine.protocol import LocalMounting
from services_app.library import registry
from tasks_app.authors.batch import GenerateRequest, write_task
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.profile import profile_service
from tasks_app.engine.regrade import Start, StoredRollout, difference, regrade
from tasks_app.engine.rollout import roll_out
from tasks_app.engine.task import TaskSpec
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReferencePolicy
from workers.embedded.throwaway import Throwaway

SERVICES = ("mail", "calendar", "crm")


def written(mounting: LocalMounting) -> TaskSpec:
    """The first task of seed 1 over the three services."""
    profiles = {slug: profile_service(mounting.mount([slug]), slug) for slug in SERVICES}
    request = GenerateRequest.parse({"count": 1, "k": 3, "distractors": 0, "length": [5, 7], "seed": 1})
    task = write_task(mounting, Workshop(mounting, profiles), request, list(SERVICES), 0).task
    if task is None:
        raise SystemExit("No task could be proven.")
    return task


def record(task: TaskSpec, policy: Any, mounting: LocalMounting) -> str:
    value = roll_out(task, policy, mounting, timer=time.monotonic)
    made = [step.model_dump(mode="json") for step in value.steps if step.service]
    return json.dumps({"steps": made, "answer": value.answer, "verdict": value.verdict})


def stored(text: str) -> StoredRollout:
    body = json.loads(text)
    return StoredRollout.of(body["steps"], answer=body["answer"], old=body["verdict"])


def measure(rollouts: int) -> dict[str, Any]:
    mounting = LocalMounting([registry.load(slug) for slug in SERVICES])
    task = written(mounting)
    policies = (ReferencePolicy(), NoopPolicy(), FaultyPolicy())
    texts = [record(task, policy, mounting) for policy in policies]
    changed = task.rubric[0].model_copy(update={"expression": "calls.size() == 0"})
    asked = task.model_copy(update={"rubric": (changed, *task.rubric[1:])})
    started = time.perf_counter()
    start = Start.of(asked, asked.environment(mounting))
    graded = [regrade(asked, start, stored(texts[number % len(texts)])) for number in range(rollouts)]
    seconds = time.perf_counter() - started
    flips = Counter(flip.criterion for one in graded for flip in one.flips)
    return {"rollouts": rollouts, "seconds": round(seconds, 3), "criteria": len(task.rubric),
            "only_the_changed_criterion_flips": set(flips) <= {changed.id},
            "difference": difference(graded).to_json()}  # fmt: skip


def through_postgres(rollouts: int) -> dict[str, Any]:
    """The same through the run of a worker, on a database that is made for this and removed again."""
    services = Throwaway.start()
    try:
        os.environ |= {
            "DATABASE_URL": services.home.database_url, "CELERY_BROKER_URL": services.home.broker_url,
            "SECRET_KEY": "only-for-this-measurement-" + "x" * 50, "WORKBENCH_HOME": str(services.home.root),
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
        }  # fmt: skip
        import django

        django.setup()
        from benchmarks._regrade_stored import measure_stored

        return measure_stored(SERVICES, written, rollouts)
    finally:
        services.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="./workbench bench regrade", description=__doc__)
    parser.add_argument("--rollouts", type=int, default=1000)
    parser.add_argument("--database", action="store_true", help="through PostgreSQL, as a worker does it")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = through_postgres(options.rollouts) if options.database else measure(options.rollouts)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{found['rollouts']} rollouts by {found['criteria']} criteria in {found['seconds']} s")
    print(f"only the changed criterion flips: {'yes' if found['only_the_changed_criterion_flips'] else 'NO'}")
    print(json.dumps(found["difference"]))


if __name__ == "__main__":
    main()
