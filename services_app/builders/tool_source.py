"""The source of a service's tools: one short function per tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services_app.builders.bodies import body_of
from services_app.builders.plan import Plan, ToolPlan
from services_app.builders.state_source import import_lines, one_line, state_class
from services_app.specs.vocabulary import words_of

_RECIPES = (
    "Arguments", "added", "between", "checked_media", "confirmed", "copied", "derived", "equal", "first_of", "key",
    "matching", "move", "only", "ordered", "page", "pick", "refuse_duplicate", "rendered", "require", "selected",
    "show", "take", "without", "unwrapped",
)  # fmt: skip
_WHAT = {
    "get": "One {noun}, by what names it.",
    "get_many": "Several records of kind {noun}, with those that are missing.",
    "get_or_list": "One {noun} by what names it; all of them, filtered, when nothing does.",
    "find": "The {noun} that the arguments describe.",
    "list": "Records of kind {noun}, filtered, sorted and paged.",
    "count": "How many records of kind {noun} there are.",
    "graph": "Records of several kinds together.",
    "create": "A new {noun}.",
    "create_many": "New records of kind {noun}; one that exists already is left as it is.",
    "append_many": "Adds values to records of kind {noun}; what is there already is not added twice.",
    "strip_many": "Takes values away from records of kind {noun}.",
    "update": "Changes what was sent, nothing else.",
    "delete": "Removes a {noun}.",
    "delete_many": "Removes several records of kind {noun}.",
    "delete_equal": "Removes the records of kind {noun} that equal what was sent.",
    "status": "Sets a {noun} to {value}.",
    "copy": "A new {noun} with the fields of another.",
    "link": "Makes a {noun} pair, once.",
    "unlink": "Takes a {noun} pair away.",
}


def tools_source(plan: Plan, package: str) -> Iterator[str]:
    """Lines of tools.py."""
    taken: set[str] = set()
    functions = [line for tool in plan.tools for line in _function(plan, tool, taken)]
    text = "\n".join(functions)
    used = [name for name in _RECIPES if re.search(rf"\b{name}\b", text)]
    modules = {module for tool in plan.tools for module in tool.imports}
    yield '"""The tools: each does to the state what its name and parameters say."""'
    yield ""
    if "json.dumps(" in text:
        yield "import json"
    yield "from typing import Any"
    yield ""
    yield f"from {package} import service"
    yield f"from {package}.spec import TOOLS"
    yield f"from {package}.state import {state_class(plan.slug)}"
    yield "from services_app.engine import CallContext"
    yield from import_lines("services_app.recipes.records", used)
    for module in sorted(modules):
        names = {name for tool in plan.tools for name in tool.imports.get(module, ())}
        yield from import_lines(module, sorted(names))
    if re.search(r"\bfit\(", text):
        yield "from services_app.engine.shaping import fit"
    yield from functions
    yield ""


def _function(plan: Plan, tool: ToolPlan, taken: set[str]) -> Iterator[str]:
    yield ""
    yield ""
    inert = f", inert={tool.inert!r}" if tool.inert else ""
    yield f"@service.spec_tool({tool.name!r}, **TOOLS[{tool.name!r}]{inert})"
    name, state = _function_name(tool.name, taken), state_class(plan.slug)
    yield f"def {name}(state: {state}, ctx: CallContext, args: Arguments) -> Any:"
    yield f'    """{_about(plan, tool)}"""'
    for line in body_of(plan, tool):
        yield f"    {line}"


def _about(plan: Plan, tool: ToolPlan) -> str:
    if tool.about:
        return one_line(tool.about)
    return _WHAT[tool.kind].format(noun=plan.entity_of(tool).noun.replace("_", " "), value=tool.value)


def _function_name(name: str, taken: set[str]) -> str:
    base = "tool_" + ("_".join(words_of(name)) or "x")
    while base in taken:
        base += "_"
    taken.add(base)
    return base
