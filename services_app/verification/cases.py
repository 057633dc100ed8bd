"""Adversarial cases that curators keep and model sessions write: a call, and what must come of it.

    {"tool": "get_item", "before": [["create_item", {"title": "A"}]], "arguments": {"item_id": "nope"},
     "expected": {"outcome": "refused", "code": 404, "contains": "nope", "unchanged": true}}

Each runs on the seeded state of its own. A case that fails quarantines its tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from services_app.verification.report import Check, cut
from workers.sandbox.limits import SandboxError

Json = Any
Case = Mapping[str, Any]
OUTCOMES = ("success", "refused")


def run_cases(slug: str, mount: Callable[[], Environment], cases: Sequence[Case]) -> list[Check]:
    """A check `case:<number>` per case, counted from one; cases of tools that are gone are left out."""
    base = mount() if cases else None
    found: list[Check] = []
    for number, case in enumerate(cases, 1):
        assert base is not None
        if case.get("tool") not in base.catalogue.tools[slug]:
            continue  # a case outlives versions of its service
        try:
            problem = _problem(slug, base.fork(), case)
        except (SandboxError, ServiceDefect, EngineError) as error:
            problem, base = str(error), mount()
        found.append(
            Check(
                tool=str(case["tool"]),
                name=f"case:{number}",
                outcome="fail" if problem else "pass",
                sent=cut(case.get("arguments")) if problem else None,
                expected=str(cut(case.get("expected"))),
                got=cut(problem) if problem else None,
            )
        )
    return found


def _problem(slug: str, environment: Environment, case: Case) -> Json:
    """What is wrong with the outcome of a case; None when it is as expected."""
    expected = case.get("expected")
    if not isinstance(expected, Mapping) or expected.get("outcome") not in OUTCOMES:
        return f"the case says no outcome: one of {', '.join(OUTCOMES)}"
    for tool, arguments in case.get("before") or ():
        observation = environment.call(slug, tool, arguments)
        if not observation["success"]:
            return f"{tool} before it: {observation['error']['message']}"
    before = environment.state_hash()
    observation = environment.call(slug, str(case["tool"]), case.get("arguments"))
    code = None if observation["success"] else observation["error"]["code"]
    refused = code is not None and code != 500
    wrong = (
        observation["success"] != (expected["outcome"] == "success")
        or (expected["outcome"] == "refused" and not refused)
        or (expected.get("code") not in (None, code))
        or (
            "contains" in expected
            and not contains(observation.get("data", observation.get("error")), expected["contains"])
        )
    )
    if wrong:
        return observation
    changed = environment.state_hash() != before
    return "the state changed" if changed and expected.get("unchanged") is True else None


def contains(value: Json, wanted: Json) -> bool:
    """Whether a value holds another: itself, as a part, as some fields of an object, as a piece of text."""
    if value == wanted and type(value) is type(wanted):
        return True
    if isinstance(value, str) and isinstance(wanted, str):
        return wanted in value
    both = isinstance(value, Mapping) and isinstance(wanted, Mapping)
    if both and all(name in value and contains(value[name], part) for name, part in wanted.items()):
        return True
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(contains(part, wanted) for part in parts)
