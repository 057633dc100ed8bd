"""The builder's tools: the specification, the files, the tests, the gate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.builders.model import recipe_texts
from services_app.builders.model.candidate import Best, Judge, candidate, departures, failing_text, left_out
from services_app.builders.model.conversation import Answer
from services_app.builders.model.dispatch import Operation, cut, dispatch
from services_app.builders.model.schemas import BUILDER_TOOLS
from services_app.builders.model.trial import run_tests
from services_app.builders.model.workspace import WorkError, Workspace
from services_app.engine.plain import digest
from services_app.specs.model import Specification

ALL_VERIFIED = "Every tool of the specification is verified."


class BuilderToolbox:
    """Answers a builder's calls and keeps the best version that the gate has seen.

    `best` is replaced only by a version with more verified tools. `reasons` are those of the rules builder for the
    tools it left out. Raises only what `judge` raises to stop.
    """

    schemas: Sequence[Mapping[str, Any]] = BUILDER_TOOLS

    def __init__(
        self,
        spec: Specification,
        workspace: Workspace,
        judge: Judge,
        best: Best,
        *,
        builder: str,
        reasons: Mapping[str, str],
    ) -> None:
        self.spec = spec
        self.workspace = workspace
        self.best = best
        self.judged: dict[str, str] = {}
        """Tool -> "" when it is verified, else why not; of the last run of the gate."""
        self.gates = 0
        self._judge = judge
        self._judged_files = ""
        self._report = ""
        self._builder = builder
        self._reasons = reasons

    def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """One call; what is wrong with it is the answer."""
        return dispatch(BUILDER_TOOLS, self._operations, name, arguments)

    def fingerprint(self) -> str:
        return digest(self.workspace.files)

    def to_json(self) -> dict[str, Any]:
        return {
            "files": self.workspace.files,
            "best": self.best.model_dump(mode="json"),
            "judged": self.judged,
            "judged_files": self._judged_files,
            "report": self._report,
            "gates": self.gates,
        }

    def restore(self, work: Mapping[str, Any]) -> None:
        """Go on from what `to_json` gave."""
        self.workspace.files = dict(work["files"])
        self.best = Best.model_validate(work["best"])
        self.judged, self.gates = dict(work["judged"]), int(work["gates"])
        self._judged_files, self._report = str(work["judged_files"]), str(work["report"])

    @property
    def _operations(self) -> dict[str, Operation]:
        space = self.workspace
        return {
            "read_spec": self._read_spec,
            "read_recipes": _read_recipes,
            "list_files": space.listing,
            "read_file": space.read,
            "write_file": space.write,
            "replace_in_file": space.replace,
            "run_tests": lambda: run_tests(self._candidate(), self.spec),
            "run_gate": self._run_gate,
            "finish": self._finish,
        }

    def _candidate(self) -> Any:
        return candidate(self.spec, self.workspace.files, self._builder)

    def _read_spec(self, tool: str = "") -> str:
        if not tool:
            return "\n".join(f"{one.name}: {self._state_of(one.name)}" for one in self.spec.tools)
        if tool not in {one.name for one in self.spec.tools}:
            raise WorkError(f"The specification has no tool {tool!r}; read_spec without a name lists them.")
        found = self.spec.tool(tool).model_dump(mode="json", exclude={"raw"}, exclude_defaults=True)
        return f"{tool}: {self._state_of(tool)}\n{json.dumps(found, ensure_ascii=False, indent=1)}"

    def _state_of(self, name: str) -> str:
        reason = self.judged.get(name, "not judged yet")
        return f"not verified: {reason}"[:300] if reason else "verified"

    def _run_gate(self, tools: Sequence[str] = ()) -> Answer | str:
        unknown = sorted(set(tools) - {tool.name for tool in self.spec.tools})
        if unknown:
            raise WorkError(f"The specification has no tool {', '.join(unknown)}.")
        self._judge_now(frozenset(tools))
        if not any(self.judged.values()):
            return Answer(f"{ALL_VERIFIED} The work is done.", ends=ALL_VERIFIED)
        return self._report

    def _judge_now(self, tools: frozenset[str]) -> None:
        """Run the gate on the files as they are; the best version so far is kept."""
        self.gates += 1
        self._judged_files = digest(self.workspace.files)
        refused = self.workspace.problems()
        if refused:
            self._refuse("the static policy refuses the source", refused)
            return
        built = self._candidate()
        info, report = self._judge(built)
        wrong = departures(self.spec, info) if info is not None else []
        if info is None or wrong:
            self._refuse("it does not load" if info is None else "it departs from the specification", wrong)
            self._report += f"\n{failing_text(report, tools)}"
            return
        missing = left_out(self.spec, info, self._reasons)
        self.judged = {name: f"not written: {reason}" for name, reason in missing.items()}
        self.judged |= {tool.name: tool.reason for tool in report.tools}
        if len(report.verified) > len(self.best.verified):
            self.best = Best(
                builder=self._builder, files=self.workspace.files, left_out=missing, verified=report.verified
            )
        self._report = self._summary(len(report.verified), missing) + failing_text(report, tools)

    def _refuse(self, why: str, lines: Sequence[str]) -> None:
        self.judged = {tool.name: why for tool in self.spec.tools}
        self._report = "\n".join([f"No tool is verified: {why}.", *(f"ERROR {line}" for line in lines[:20])])

    def _summary(self, verified: int, missing: Mapping[str, str]) -> str:
        head = (
            f"{verified} of {len(self.spec.tools)} tools are verified; the best so far is {len(self.best.verified)}.\n"
        )
        return head + (f"Not written: {', '.join(missing)}.\n" if missing else "")

    def _finish(self, summary: str = "") -> Answer:
        if self._judged_files != digest(self.workspace.files):
            self._judge_now(frozenset())
        open_tools = sum(1 for reason in self.judged.values() if reason)
        words = f"Finished by the model; {open_tools} tools are not verified." if open_tools else ALL_VERIFIED
        return Answer(cut(f"{words}\n{self._report}"), ends=words)


def _read_recipes(module: str) -> str:
    name = module.removeprefix("services_app.recipes.")
    if name not in recipe_texts.module_names():
        raise WorkError(f"There is no module {module!r}. The modules are: {', '.join(recipe_texts.module_names())}.")
    return recipe_texts.functions_of(name)
