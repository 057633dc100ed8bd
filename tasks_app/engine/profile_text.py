"""Effect profiles in words, short enough to stand in the context of a model that writes tasks. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from tasks_app.engine.flows import flow_of
from tasks_app.engine.profile import DerivedFigure, ParameterProfile, ServiceProfile, ToolProfile

_CHOICES = 6


def service_text(profile: ServiceProfile) -> str:
    """A service: what it can give and take, then a paragraph for each tool in the order of the profile."""
    flow = flow_of(profile)
    head = [
        f"{profile.service} (version {profile.version_hash[:12]})",
        f"  shows: {_list(sorted(flow.gives))}",
        f"  takes: {_list(sorted(flow.takes))}",
    ]
    return "\n".join([*head, *(tool_text(tool) for tool in profile.tools.values())])


def tool_text(tool: ToolProfile) -> str:
    """A tool, a line for each kind of fact that was measured; required parameters carry a star."""
    if not tool.works:
        refused = f"; refused with {_list(tool.errors)}" if tool.errors else ""
        return f"{tool.tool}: no call was found to work in {tool.calls}{refused}"
    facts = [
        ("reads", _list(tool.reads)),
        ("creates", _list(tool.creates)),
        ("changes", _list(tool.changes)),
        ("deletes", _list(tool.deletes)),
        ("returns", "; ".join(f"{column} at {path}" for column, path in tool.returns.items())),
        ("computes", "; ".join(map(_figure, tool.derived))),
        ("always writes", "; ".join(f"{column} = {value!r}" for column, value in tool.constants.items())),
        ("fills in", "; ".join(f"{column}{f' at {path}' if path else ''}" for column, path in tool.generated.items())),
        ("only while", "; ".join(f"{column} is {_values(values)}" for column, values in tool.allowed.items())),
        ("refuses with", _list(tool.errors)),
        ("same call again", tool.repeat),
    ]
    lines = [f"{tool.tool}: {'writes' if tool.writes else 'reads only'}"]
    lines += [f"  {_parameter(name, detail)}" for name, detail in tool.parameters.items()]
    return "\n".join([*lines, *(f"  {name}: {text}" for name, text in facts if text)])


def _parameter(name: str, detail: ParameterProfile) -> str:
    type_name = f"list of {detail.type}" if detail.many else detail.type
    told = [f"selects by {column} ({how})" for column, how in detail.selects.items()]
    if detail.target:
        told.append(f"names the record by {detail.target}")
    if detail.must_exist:
        told.append(f"has to occur in {detail.must_exist}")
    if detail.closed:
        told.append("takes only values that exist")
    if detail.when:
        told.append(f"lies in the {detail.when}")
    told += [f"{landing.mode} in {landing.column}" for landing in detail.lands]
    if detail.choices:
        told.append(f"one of {_values(detail.choices)}")
    if detail.default is not None:
        told.append(f"default {detail.default!r}")
    return f"{name}{'*' if detail.required else ''} ({type_name}): {', '.join(told) or 'no effect was seen'}"


def _figure(figure: DerivedFigure) -> str:
    moved = f", moved by {_list(figure.moved_by)}" if figure.moved_by else ""
    return f"{figure.path} from {_list(figure.depends)}{moved}"


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


def _values(values: Iterable[object]) -> str:
    found = [str(value) for value in values]
    return " | ".join(found[:_CHOICES]) + (f" | {len(found) - _CHOICES} more" if len(found) > _CHOICES else "")
