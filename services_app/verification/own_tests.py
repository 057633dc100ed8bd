"""Running the tests that a service brings along, on this side of the sandbox.

The service answers calls and nothing else: it cannot say that a test passed. How many tests there ought to be is
counted here, so that tests that were never run are missed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from services_app.verification.report import Check, cut
from workers.sandbox.limits import SandboxError

Json = Any
OwnTest = Mapping[str, Any]
FILE = "tests.json"
_MOST = 400


class NotATestError(ValueError):
    """A file of own tests that cannot be read as one."""


def read_own_tests(files: Mapping[str, str]) -> list[OwnTest]:
    """The tests in `tests.json` of a service; [] when there is none. Raises NotATestError for anything else."""
    text = files.get(FILE)
    if text is None:
        return []
    try:
        tests = json.loads(text)["tests"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotATestError(f"{FILE} holds no tests") from error
    if not isinstance(tests, list) or not all(isinstance(test, dict) and test.get("steps") for test in tests):
        raise NotATestError(f"{FILE} holds a test without steps")
    return tests[:_MOST]


def run_own_tests(
    slug: str, mount: Callable[[], Environment], tests: Sequence[OwnTest]
) -> tuple[dict[str, int], list[Check]]:
    """Counts (expected, ran, passed, failed) and one check per failed test, under the tool that disappointed."""
    counts = {"expected": len(tests), "ran": 0, "passed": 0, "failed": 0}
    failures: list[Check] = []
    base = mount() if tests else None
    for test in tests:
        assert base is not None
        try:
            problem = _run(slug, base.fork(), test)
        except (SandboxError, ServiceDefect, EngineError) as error:
            problem = _failed(test, test["steps"][0], str(error))
            base = mount()
        counts["ran"] += 1
        counts["failed" if problem else "passed"] += 1
        if problem:
            failures.append(problem)
    return counts, failures


def _run(slug: str, environment: Environment, test: OwnTest) -> Check | None:
    kept: dict[str, Json] = {}
    for step in test["steps"]:
        arguments = _filled(step["arguments"], kept)
        observation = environment.call(slug, step["tool"], arguments)
        expect = step["expect"]
        if observation["success"] != expect["success"]:
            return _failed(test, step, observation)
        if "holds" in expect and not _holds(observation.get("data"), _filled(expect["holds"], kept)):
            return _failed(test, step, observation)
        for name, path in (step.get("keep") or {}).items():
            try:
                kept[name] = _at(observation.get("data"), path)
            except (LookupError, TypeError):
                return _failed(test, step, observation)
    environment.close()
    return None


def _holds(value: Json, wanted: Json) -> bool:
    if isinstance(value, dict | list):
        return any(_holds(item, wanted) for item in (value.values() if isinstance(value, dict) else value))
    in_text = isinstance(value, str) and isinstance(wanted, str) and wanted != "" and wanted in value
    return bool(value == wanted) or in_text


def _at(value: Json, path: Sequence[Any]) -> Json:
    for part in path:
        value = value[part]
    return value


def _filled(value: Json, kept: Mapping[str, Json]) -> Json:
    if isinstance(value, dict):
        if "kept" in value and set(value) <= {"kept", "text"} and value["kept"] in kept:
            return str(kept[value["kept"]]) if value.get("text") else kept[value["kept"]]
        return {name: _filled(item, kept) for name, item in value.items()}
    return [_filled(item, kept) for item in value] if isinstance(value, list) else value


def _failed(test: OwnTest, step: Mapping[str, Any], got: Json) -> Check:
    return Check(
        tool=str(step["tool"]),
        name=f"own_test:{test.get('name', '')}"[:120],
        outcome="fail",
        sent=cut(step.get("arguments")),
        expected=json.dumps(step["expect"], ensure_ascii=False),
        got=cut(got),
    )
