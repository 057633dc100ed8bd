"""The source of a service's tools: one short function per tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services_app.builders.bodies import body_of
from services_app.builders.plan import Plan, ToolPlan
from services_app.builders.state_source import import_lines, one_line, state_class
from services_app.specs.vocabulary import words_of

_MODULES: dict[str, tuple[str, ...]] = {
    "services_app.recipes.records": (
        "Arguments", "added", "confirmed", "copied", "equal", "first_of", "key", "keys_in", "move", "only", "pick",
        "refuse_duplicate", "refuse_there", "require", "show", "show_written", "take", "without", "without_blanks",
        "unwrapped",
    ),
    "services_app.recipes.references": ("aliased", "resolved"),
    "services_app.recipes.steps": ("standing",),
    "services_app.recipes.rows": (
        "between", "flagged", "matching", "ordered", "page", "scoped", "selected", "unflagged", "visible",
    ),
    "services_app.recipes.instants": ("checked_moments", "during"),
    "services_app.recipes.narrow": ("cut", "holding", "lately", "omitted", "span_of", "unlike", "way_up"),
    "services_app.recipes.formats": ("in_format",),
    "services_app.recipes.jobs": ("Runs",),
    "services_app.recipes.journal": ("logged",),
    "services_app.recipes.made": ("address", "caller", "token", "unique_name"),
    "services_app.recipes.conditions": ("fitting",),
    "services_app.recipes.lookups": ("derived", "derived_each"),
    "services_app.recipes.blocks": (
        "known_parts", "wants", "with_fields", "with_parts", "with_record", "with_rows", "without_fields",
        "without_total",
    ),
    "services_app.recipes.presenting": (
        "as_markdown", "compact", "detailed", "ids_only", "in_language", "in_units", "in_zone", "rendered",
    ),
    "services_app.recipes.transport": ("checked_header", "checked_version", "checked_waits"),
    "services_app.recipes.changing": (
        "count_up", "grown", "named", "needed", "once", "owned", "pick_within", "refuse_used",
        "remove_with_parts", "renamed", "repoint", "something", "spread", "unique", "unknown_action",
    ),
    "services_app.recipes.envelope": ("brief", "refuse_stale", "with_headers"),
    "services_app.recipes.links": ("chosen", "linked", "tie", "unlinked", "untie"),
    "services_app.recipes.states": ("all_in", "flag", "refuse_locked", "toggled", "transition"),
    "services_app.recipes.provisos": (
        "agreed", "apart", "at_most", "existing", "expected", "filled", "in_state", "keeps_to", "needed_unless",
        "needed_when", "needed_with", "one_of", "spared", "token_of", "with_reason",
    ),
    "services_app.recipes.trash": ("bring_back", "refuse_barred", "throw_away"),
}  # fmt: skip
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
    "update_many": "Changes records of kind {noun}, each to what was sent for it.",
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
    "update_each": "Changes several records of kind {noun}.",
    "clear": "Removes every {noun} that fits what was sent.",
    "restore": "Brings a removed {noun} back.",
    "flag": "Sets or takes away a flag of a {noun}.",
    "status_all": "Sets every {noun} that can take it to {value}.",
    "actions": "Does to the {noun} what {value} says.",
}


def tools_source(plan: Plan, package: str) -> Iterator[str]:
    """Lines of tools.py."""
    taken: set[str] = set()
    functions = [line for tool in plan.tools for line in _function(plan, tool, taken)]
    text = "\n".join(functions)
    modules = {module for tool in plan.every() for module in tool.imports}
    yield '"""The tools: each does to the state what its name and parameters say."""'
    yield ""
    if "json.dumps(" in text:
        yield "import json"
    yield "from typing import Any"
    yield ""
    yield f"from {package} import service"
    yield f"from {package}.spec import TOOLS"
    yield f"from {package}.state import {state_class(plan.slug)}"
    shown = ", Example" if any(tool.examples or tool.prepared for tool in plan.tools) else ""
    yield f"from services_app.engine import CallContext{shown}"
    for module in sorted(modules | set(_MODULES)):
        names = {name for tool in plan.every() for name in tool.imports.get(module, ())}
        names |= {name for name in _MODULES.get(module, ()) if _is_used(name, text)}
        yield from import_lines(module, sorted(names))
    if re.search(r"\bfit\(", text):
        yield "from services_app.engine.shaping import fit"
    yield from functions
    yield ""


def _is_used(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.'\"]){name}\(|map\({name},|args: {name}\b", text) is not None


def _function(plan: Plan, tool: ToolPlan, taken: set[str]) -> Iterator[str]:
    parts = {value: f"{_function_name(part.name, taken)}" for value, part in tool.parts.items()}
    for value, part in tool.parts.items():
        yield from _part(plan, part, parts[value])
    yield ""
    yield ""
    inert = f", inert={tool.inert!r}" if tool.inert else ""
    shown = "".join(f"Example({arguments!r}), " for arguments in tool.examples)
    shown += "".join(f"Example({arguments!r}, after={before!r}), " for arguments, before in tool.prepared)
    examples = f", examples=({shown.rstrip()})" if shown else ""
    yield f"@service.spec_tool({tool.name!r}, **TOOLS[{tool.name!r}]{inert}{examples})"
    name, state = _function_name(tool.name, taken), state_class(plan.slug)
    yield f"def {name}(state: {state}, ctx: CallContext, args: Arguments) -> Any:"
    yield f'    """{_about(plan, tool)}"""'
    for line in _dispatch(tool, parts) if parts else body_of(plan, tool):
        yield f"    {line}"


def _part(plan: Plan, part: ToolPlan, name: str) -> Iterator[str]:
    """The function of one action of a tool that does several things."""
    yield ""
    yield ""
    yield f"def {name}(state: {state_class(plan.slug)}, ctx: CallContext, args: Arguments) -> Any:"
    yield f'    """{_about(plan, part)}"""'
    for line in body_of(plan, part):
        yield f"    {line}"


def _dispatch(tool: ToolPlan, parts: dict[str, str]) -> Iterator[str]:
    by_function: dict[str, list[str]] = {}
    for value, function in parts.items():
        by_function.setdefault(function, []).append(value)
    yield f"action = args.get({tool.switch!r}{f', {tool.value!r}' if tool.value else ''})"
    for function, values in by_function.items():
        yield f"if action == {values[0]!r}:"
        yield f"    return {function}(state, ctx, args)"
    yield f"raise unknown_action({tool.switch!r}, action, {tuple(parts)!r})"


def _about(plan: Plan, tool: ToolPlan) -> str:
    if tool.about:
        return one_line(tool.about)
    value = tool.switch if tool.kind == "actions" else tool.value
    return _WHAT[tool.kind].format(noun=plan.entity_of(tool).noun.replace("_", " "), value=value)


def _function_name(name: str, taken: set[str]) -> str:
    base = "tool_" + ("_".join(words_of(name)) or "x")
    while base in taken:
        base += "_"
    taken.add(base)
    return base
