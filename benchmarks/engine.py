"""Figures of the engine: reads, writes, lists, forks, resets, hashes, verification, memory.

    ./workbench bench engine --json

CPU time, median over repetitions, journal and validation and envelope on, over every shipped service mounted
together. `goal` is the goal of the design; the figures are shown, never asserted.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from services_app.engine import ProductEnvironment
from services_app.library import registry
from tasks_app.engine.rubric import verify
from tasks_app.engine.task import Criterion, WriteScope

REPEATS = 9
GOALS = {
    "read": (12.0, "µs"),
    "list_page": (None, "µs"),
    "write": (30.0, "µs"),
    "fork": (None, "µs"),
    "fork_and_first_write": (None, "µs"),
    "fresh_environment": (20.0, "µs"),
    "reset": (20.0, "µs"),
    "write_and_hash": (None, "µs"),
    "verify_six_criteria": (5000.0, "µs"),
    "memory_per_environment": (0.05, "MB"),
    "import_engine": (600.0, "ms"),
    "load_library": (None, "ms"),
}


def cpu_time(action: Callable[[], Any], count: int) -> float:
    """Median CPU microseconds of one `action`."""
    samples = []
    for _ in range(REPEATS):
        start = time.process_time()
        for _ in range(count):
            action()
        samples.append((time.process_time() - start) / count * 1e6)
    return statistics.median(samples)


def import_time() -> float:
    """CPU milliseconds of a fresh interpreter importing the engine, less those of an empty one."""
    import subprocess

    def run(code: str) -> float:
        script = f"import time\n{code}\nprint(time.process_time())"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        return float(done.stdout)

    pairs = [run("import services_app.engine") - run("pass") for _ in range(3)]
    return statistics.median(pairs) * 1000


def memory_per_environment(template: ProductEnvironment, writes: Callable[[ProductEnvironment], None]) -> float:
    """Megabytes that one more live environment takes after its writes."""
    count = 200
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = []
    for _ in range(count):
        environment = template.fork()
        writes(environment)
        kept.append(environment)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown / len(kept) / 1e6


def criteria() -> tuple[tuple[Criterion, ...], tuple[WriteScope, ...]]:
    expressions = (
        'added.mail.messages.exists(m, m.subject == "Budget")',
        'added.mail.messages.exists(m, "ana@north.example" in m.to)',
        "added.mail.messages.exists(m, has_number(m.body, 1250))",
        "added.mail.messages.size() >= 1",
        "removed.mail.messages.size() == 0",
        'has_text(answer, "sent")',
    )
    rubric = tuple(Criterion(id=f"c{n}", text=text, expression=text) for n, text in enumerate(expressions))
    tables = ("messages", "threads")
    return rubric, tuple(WriteScope(service="mail", table=table, action="create") for table in tables)


def measure() -> dict[str, float]:
    start = time.process_time()
    services = [registry.load(slug) for slug in registry.slugs()]
    load = (time.process_time() - start) * 1000
    template = ProductEnvironment(services, scale="normal")
    template.state_hash()
    message = template.rows("mail", "messages")[0]["id"]
    letter = {"to": ["ana@north.example"], "subject": "Budget", "body": "It is 1,250.00 in all."}

    def write(environment: ProductEnvironment) -> None:
        environment.call("mail", "send_message", letter)

    live = template.fork()
    figures = {
        "read": cpu_time(lambda: live.call("mail", "get_message", {"message_id": message}), 500),
        "list_page": cpu_time(lambda: live.call("mail", "list_messages", {}), 200),
        "write": cpu_time(lambda: write(live), 200),
    }

    def write_and_hash() -> None:
        write(live)
        live.state_hash()

    figures["write_and_hash"] = cpu_time(write_and_hash, 100)
    figures["fork"] = cpu_time(template.fork, 2000)
    figures["fresh_environment"] = cpu_time(template.fork, 2000)
    figures["fork_and_first_write"] = cpu_time(lambda: write(template.fork()), 200)
    figures["reset"] = cpu_time(template.fork().reset, 2000)
    rubric, scope = criteria()
    done = template.fork()
    write(done)
    figures["verify_six_criteria"] = cpu_time(lambda: verify(rubric, scope, done, "The mail was sent."), 100)
    assert verify(rubric, scope, done, "The mail was sent.").passed

    def five_writes(environment: ProductEnvironment) -> None:
        for _ in range(5):
            write(environment)

    figures["memory_per_environment"] = memory_per_environment(template, five_writes)
    figures["import_engine"] = import_time()
    figures["load_library"] = load
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description="Figures of the engine")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure()
    rows = [
        {"name": name, "value": round(figures[name], 4), "unit": unit, "goal": goal}
        for name, (goal, unit) in GOALS.items()
    ]
    report = {
        "machine": f"{platform.machine()} {platform.python_version()}",
        "services": list(registry.slugs()),
        "figures": rows,
    }
    if options.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
        return
    for row in rows:
        goal = f"  (goal {row['goal']} {row['unit']})" if row["goal"] is not None else ""
        print(f"{row['name']:<26} {row['value']:>12} {row['unit']}{goal}")


if __name__ == "__main__":
    main()
