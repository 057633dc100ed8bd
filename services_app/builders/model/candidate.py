"""One state of the files as a service: what it lacks, whether it kept to the specification, how the gate judged it."""

from __future__ import annotations

import json
import pprint
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.catalogue import ServiceInfo
from services_app.specs.model import Specification
from services_app.verification.report import VerificationReport

NOT_WRITTEN = "no function was written for it"
Judged = tuple[ServiceInfo | None, VerificationReport]
Judge = Callable[[BuiltService], Judged]
"""The gate on a service, in fresh sandboxes; the info is None when it does not even load."""

_SKELETON = {
    "state.py": '''"""State of the service."""

from services_app.engine import State


class {state}(State):
    """Annotate each collection: `tickets: Table[Ticket]`."""
''',
    "tools.py": '''"""The tools: each does to the state what its name and parameters say."""
''',
    "seed.py": '''"""Seed data: linked records, the same for the same seed."""

from {package} import service
from {package}.state import {state}
from services_app.engine import SeedContext


@service.seed
def fill(state: {state}, ctx: SeedContext) -> None:
    """Fill every table, the ones that are referred to first."""
''',
    "tests.json": '{{"tests": []}}\n',
}


class Best(BaseModel):
    """The version that would be stored now."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    builder: str
    files: dict[str, str]
    left_out: dict[str, str]
    verified: tuple[str, ...]


def with_every_tool(spec: Specification, built: BuiltService) -> dict[str, str]:
    """The files of the rules builder, with those tools in `spec.py` too that no rule covers."""
    missing = {tool.name: _definition(spec, tool.name) for tool in spec.tools if tool.name in built.left_out}
    if not missing:
        return dict(built.files)
    text = pprint.pformat(missing, width=110, sort_dicts=False)
    more = f"\n\n# Tools that no rule covers.\nTOOLS |= {text}\n"
    return {**built.files, "spec.py": built.files["spec.py"].rstrip("\n") + more}


def from_scratch(spec: Specification) -> dict[str, str]:
    """Only what the specification gives: its tools, and files with nothing in them."""
    built = build_with_rules(spec)
    files = with_every_tool(spec, built)
    state = files["__init__.py"].split("state=", 1)[1].split(",", 1)[0]
    names = {"package": built.module, "state": state}
    kept = {name: files[name] for name in ("__init__.py", "spec.py")}
    return kept | {name: text.format(**names) for name, text in _SKELETON.items()}


def candidate(spec: Specification, files: Mapping[str, str], builder: str) -> BuiltService:
    """These files as a service, before it is known which tools they hold."""
    rules = build_with_rules(spec)
    return rules.model_copy(update={"files": dict(files), "left_out": {}, "builder": builder})


def left_out(spec: Specification, info: ServiceInfo | None, reasons: Mapping[str, str]) -> dict[str, str]:
    """The tools of the specification that a loaded service lacks, with the reason."""
    present = info.tools if info is not None else {}
    return {tool.name: reasons.get(tool.name, NOT_WRITTEN) for tool in spec.tools if tool.name not in present}


def departures(spec: Specification, info: ServiceInfo) -> list[str]:
    """Where a service does not offer what was imported: the imported schema is the truth."""
    wanted = {tool.name: _definition(spec, tool.name) for tool in spec.tools}
    found: list[str] = []
    for name, tool in info.tools.items():
        if name not in wanted:
            found.append(f"{name} is no tool of the specification; register only those in TOOLS")
        elif tool.description != wanted[name]["description"] or tool.input_schema != wanted[name]["input_schema"]:
            found.append(f"{name} has another description or schema than the specification; use **TOOLS[{name!r}]")
    return found


def _definition(spec: Specification, name: str) -> dict[str, Any]:
    """A tool as `spec_tool` takes it."""
    tool = spec.tool(name)
    more = {"title": tool.title, "output_schema": tool.output_schema}
    needed = {"description": tool.description or tool.title or tool.name, "input_schema": tool.input_schema}
    return needed | {key: value for key, value in more.items() if value}


def failing_text(report: VerificationReport, tools: frozenset[str], most: int = 4, characters: int = 500) -> str:
    """The failing checks of these tools (all when there are none), short: what was sent, expected and got."""
    lines = [f"PROBLEM {problem}" for problem in report.problems]
    for tool in report.tools:
        if tool.status == "verified" or (tools and tool.name not in tools):
            continue
        failing = [check for check in tool.checks if check.outcome == "fail"]
        lines.append(f"{tool.name}: {len(failing)} failing checks")
        for check in failing[:most]:
            parts = {"sent": check.sent, "expected": check.expected, "got": check.got, "note": check.note}
            said = "; ".join(f"{key} {_short(value, characters)}" for key, value in parts.items() if value)
            lines.append(f"  {check.name}: {said}")
        if len(failing) > most:
            lines.append(f"  and {len(failing) - most} more")
    return "\n".join(lines)


def _short(value: Any, characters: int) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= characters else text[: characters - 1] + "…"
