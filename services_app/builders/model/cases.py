"""The adversary's tools and what makes a case usable: checked against the specification, bounded in number."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from services_app.builders.model.conversation import Answer
from services_app.builders.model.dispatch import Operation, dispatch
from services_app.builders.model.schemas import ADVERSARY_TOOLS, check_case
from services_app.engine.plain import digest
from services_app.engine.schema import compile_schema
from services_app.specs.model import Specification
from services_app.specs.storable import storable

Case = dict[str, Any]
CASES_PER_TOOL = 6
MOST_CASES = 300
MOST_BEFORE = 6
CASE_CHARACTERS = 8_000
MOST_LEVELS = 20


class AdversaryToolbox:
    """Answers an adversary's calls and keeps its usable cases. It is given the specification and nothing else."""

    schemas: Sequence[Mapping[str, Any]] = ADVERSARY_TOOLS

    def __init__(self, spec: Specification) -> None:
        self.spec = spec
        self.cases: list[Case] = []
        self._tools = {tool.name: tool for tool in spec.tools}
        self._operations: dict[str, Operation] = {
            "read_spec": self._read_spec,
            "add_cases": self._add_cases,
            "finish": self._finish,
        }

    def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """One call; what is wrong with it is the answer."""
        return dispatch(ADVERSARY_TOOLS, self._operations, name, arguments)

    def fingerprint(self) -> str:
        return str(len(self.cases))

    def to_json(self) -> dict[str, Any]:
        return {"cases": self.cases}

    def restore(self, work: Mapping[str, Any]) -> None:
        """Go on from what `to_json` gave."""
        self.cases = list(work["cases"])

    def problem(self, case: Any) -> str:
        """Why a case cannot be used, "" when it can."""
        if len(json.dumps(case)) > CASE_CHARACTERS or not _is_shallow(case):
            return f"a case has at most {CASE_CHARACTERS} characters and {MOST_LEVELS} levels"
        if storable(case)[1]:
            return "it holds a NUL, half a surrogate pair or a number out of range"
        wrong = check_case(case)
        if wrong:
            return wrong
        before = case.get("before", [])
        if len(before) > MOST_BEFORE:
            return f"at most {MOST_BEFORE} calls come before"
        expected = case["expected"]
        if expected["outcome"] == "success" and "code" in expected:
            return "a success has no code"
        must_fit = [*before, *([(case["tool"], case["arguments"])] if expected["outcome"] == "success" else [])]
        unknown = [name for name, _ in [*before, (case["tool"], {})] if name not in self._tools]
        if unknown:
            return f"the specification has no tool {unknown[0]!r}"
        return next(filter(None, (self._misfit(name, arguments) for name, arguments in must_fit)), "")

    def _misfit(self, name: str, arguments: Any) -> str:
        problems = compile_schema(self._tools[name].input_schema).problems(arguments)
        first = problems[0] if problems else None
        return f"the arguments of {name} do not fit its schema: {first.path} {first.message}" if first else ""

    def _read_spec(self, tool: str = "") -> Answer:
        if not tool:
            covered = {case["tool"] for case in self.cases}
            lines = [f"{name}{'' if name in covered else ' (no case yet)'}" for name in self._tools]
            return Answer("\n".join(lines))
        if tool not in self._tools:
            return Answer(f"ERROR The specification has no tool {tool!r}; read_spec without a name lists them.")
        found = self._tools[tool].model_dump(mode="json", exclude={"raw"}, exclude_defaults=True)
        return Answer(json.dumps(found, ensure_ascii=False, indent=1)[:14_000])

    def _add_cases(self, cases: Sequence[Any]) -> Answer:
        known = {digest([case["tool"], case["before"], case["arguments"]]) for case in self.cases}
        refused: list[str] = []
        before = len(self.cases)
        for number, case in enumerate(cases):
            problem = self.problem(case) or self._no_room(case)
            if problem:
                refused.append(f"case {number} is not used: {problem}")
                continue
            whole = {"before": [], "note": "", **case}
            key = digest([whole["tool"], whole["before"], whole["arguments"]])
            if key not in known:
                known.add(key)
                self.cases.append(whole)
        head = f"{len(self.cases) - before} of {len(cases)} cases added, {len(self.cases)} in all."
        return Answer("\n".join([head, *refused[:20]]))

    def _no_room(self, case: Mapping[str, Any]) -> str:
        if len(self.cases) >= MOST_CASES:
            return f"there are {MOST_CASES} cases already"
        mine = sum(1 for other in self.cases if other["tool"] == case["tool"])
        return f"{case['tool']} has {mine} cases already" if mine >= CASES_PER_TOOL else ""

    def _finish(self, summary: str = "") -> Answer:
        return Answer("Done.", ends=f"Finished by the model with {len(self.cases)} usable cases.")


def _is_shallow(value: Any, depth: int = 0) -> bool:
    if depth > MOST_LEVELS:
        return False
    deeper = partial(_is_shallow, depth=depth + 1)
    if isinstance(value, dict):
        return all(map(deeper, value.values()))
    return not isinstance(value, list) or all(map(deeper, value))
