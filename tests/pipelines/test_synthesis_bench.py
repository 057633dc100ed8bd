"""The figures of synthesis: true totals, one process per service, and a run that goes on after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import synthesis
from benchmarks._outcome import Outcome, sentences, summary
from services_app.specs.fingerprint import fingerprint
from tests.builders.specs import TEXT, tool

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three small specifications of two domains, and a file that is none."""
    made = tmp_path / "specifications"
    made.mkdir()
    for number, domain in enumerate(("zoo", "zoo", "farm")):
        tools = [
            tool("list_animals", {"name": TEXT}),
            tool("get_animal", {"animal_id": TEXT}, "animal_id"),
            tool("create_animal", {"name": TEXT}, "name"),
            tool("animal", {"name": TEXT}),
        ]
        text = json.dumps({"name": f"animals-{number}", "domain": domain, "tools": tools})
        (made / f"animals-{number}.json").write_text(text)
    (made / "broken.json").write_text('{"tools": [')
    return made


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.synthesis", str(folder), *more]


def run(folder: Path, *more: str) -> dict[str, object]:
    done = subprocess.run(command(folder, "--json", *more), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def test_totals_by_domain_with_reasons(folder: Path) -> None:
    document = run(folder, "--jobs", "2")
    assert document["services"] == 4
    assert document["tools"] == 12
    assert document["verified"] + document["quarantined"] == 12  # type: ignore[operator]
    assert document["verified"] >= 9  # type: ignore[operator]
    assert set(document["domains"]) == {"zoo", "farm", "other"}  # type: ignore[call-overload]
    assert document["domains"]["zoo"]["services"] == 2  # type: ignore[index]
    assert document["problems"] == {"file:not-json": 1}
    assert any("left out" in reason for reason in document["reasons"])  # type: ignore[attr-defined]
    assert document["peak_mb"] > 20  # type: ignore[operator]


def test_tools_that_only_pretend_are_found_out(folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "outcomes.jsonl"
    plain = run(folder, "--only", "animals-0", "--resume", str(ledger))
    assert plain["controls"] == {}
    document = run(folder, "--only", "animals-0", "--resume", str(ledger), "--controls")
    controls = document["controls"]
    assert set(controls) == {"echo", "ignore", "seeds"}  # type: ignore[call-overload]
    assert all(row["tools"] and not row["verified"] for row in controls.values()), controls  # type: ignore[attr-defined]


def test_a_killed_run_goes_on_and_counts_nothing_twice(folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "outcomes.jsonl"
    process = subprocess.Popen(command(folder, "--jobs", "1", "--resume", str(ledger)), cwd=ROOT)
    deadline = time.monotonic() + 60
    while not (ledger.exists() and ledger.read_text().count("\n")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    first = [json.loads(line)["slug"] for line in ledger.read_text().splitlines()]
    assert 1 <= len(first) < 4
    with ledger.open("a") as stream:
        stream.write('{"slug": "cut off in the mid')
    document = run(folder, "--resume", str(ledger))
    assert document["services"] == 4
    slugs = [json.loads(line)["slug"] for line in ledger.read_text().splitlines()]
    assert sorted(slugs) == ["animals-0", "animals-1", "animals-2", "broken"]
    assert slugs[: len(first)] == first


def test_lines_of_other_code_do_not_count(tmp_path: Path) -> None:
    ledger = tmp_path / "outcomes.jsonl"
    rows = [{**Outcome("old").to_json(), "code": "0"}, {**Outcome("new").to_json(), "code": fingerprint()}]
    ledger.write_text("".join(json.dumps(row) + "\n" for row in rows))
    said: list[str] = []
    assert set(synthesis.Ledger(ledger, said.append).done) == {"new"}
    assert said == ["1 services are done; 1 lines of other code do not count."]


def test_a_process_that_dies_is_a_problem_of_its_service_alone(folder: Path) -> None:
    def work(path: Path) -> Outcome:
        if path.stem == "broken":
            os.kill(os.getpid(), signal.SIGKILL)
        return Outcome(path.stem)

    outcomes = {outcome.slug: outcome for outcome in synthesis.measure_all(sorted(folder.glob("*")), 2, work)}
    assert len(outcomes) == 4
    assert outcomes["broken"].problems == ["the process ended: exit status -9"]
    assert not outcomes["animals-0"].problems


def test_shares_say_nothing_where_there_is_nothing() -> None:
    figures = {"wall_seconds": 0, **summary([Outcome("empty")])}
    assert figures["verified_share"] is None
    assert figures["mutants_killed_share"] is None
    assert "other" in "\n".join(sentences(figures))
    full = summary([Outcome("a", tools=2, verified=["x"], quarantined={"y": "live: no"}, live=3, inert=1)])
    assert (full["verified_share"], full["live_share"], full["reasons"]) == (0.5, 0.75, {"live": 1})
