"""What a curator reads about a tool beside its checks: its code, and what changed since the last decision."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass

from services_app.models import ServiceVersion, ToolDecision


@dataclass(frozen=True, slots=True)
class Code:
    """The function of one tool: where it stands and its text."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One text before and now."""

    title: str
    before: str
    after: str


def code_of(files: Mapping[str, str], tool: str) -> Code | None:
    """The function that implements a tool in the source of its service; None when it cannot be found."""
    for name, text in sorted(files.items()):
        if not name.endswith(".py") or tool not in text:
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and _implements(node, tool):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                lines = text.split("\n")[first - 1 : node.end_lineno]
                return Code(name, first, "\n".join(lines))
    return None


def _implements(node: ast.FunctionDef, tool: str) -> bool:
    """`@service.spec_tool("name", ...)` of built services; `@service.tool()` over a function of that name otherwise."""
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if call is None or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr == "spec_tool" and call.args and isinstance(call.args[0], ast.Constant):
            return call.args[0].value == tool
        if call.func.attr == "tool":
            return node.name == tool
    return False


def changes_since(decision: ToolDecision | None, current: ServiceVersion | None, tool: str) -> list[Difference]:
    """Code, schema and description of a tool, where they differ from the version that was decided on."""
    seen = decision.seen if decision else None
    if seen is None or current is None or seen.pk == current.pk:
        return []
    pairs = [
        ("code", _code(seen, tool), _code(current, tool)),
        ("schema", _part(seen, tool, "input_schema"), _part(current, tool, "input_schema")),
        ("description", _part(seen, tool, "description"), _part(current, tool, "description")),
    ]
    return [Difference(title, before, after) for title, before, after in pairs if before != after]


def _code(version: ServiceVersion, tool: str) -> str:
    found = code_of(version.files, tool)
    return found.text if found else ""


def _part(version: ServiceVersion, tool: str, name: str) -> str:
    value = version.description.get("tools", {}).get(tool, {}).get(name, "")
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
