"""What agents can find out about the mounted services: names, one-liners, schemas.

Works on plain descriptions, so the same code serves services in this process and in a sandbox.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from services_app.engine.errors import EngineError, ToolError
from services_app.engine.naming import SEPARATOR
from services_app.engine.plain import JsonValue
from services_app.engine.service import Service, TableInfo

PAGE = 50


@dataclass(frozen=True, slots=True)
class ToolInfo:
    """One tool as described to agents, and what authors know of it (`phrase`, `semantics`)."""

    name: str
    exposed: str
    title: str
    description: str
    summary: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None
    phrase: str
    semantics: dict[str, dict[str, Any]]
    examples: list[dict[str, Any]]
    inert: dict[str, str] = field(default_factory=dict)
    """Parameter -> why no value of it can change a result or the state."""


@dataclass(frozen=True, slots=True)
class ServiceInfo:
    """One mounted service."""

    slug: str
    title: str
    description: str
    domain: str
    version_hash: str
    tools: dict[str, ToolInfo]
    tables: dict[str, TableInfo]

    def to_json(self) -> dict[str, JsonValue]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        tools = {name: ToolInfo(**tool) for name, tool in data["tools"].items()}
        tables = {name: TableInfo(**table) for name, table in data["tables"].items()}
        return cls(**{**data, "tools": tools, "tables": tables})


def describe(service: Service) -> ServiceInfo:
    """The description of a service in this process."""
    tools = {
        tool.name: ToolInfo(
            name=tool.name,
            exposed=service.exposed[tool.name],
            title=tool.title,
            description=tool.description,
            summary=tool.summary,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
            phrase=tool.phrase,
            semantics={name: asdict(meaning) for name, meaning in tool.semantics.items()},
            examples=[{"arguments": e.arguments, "after": [list(call) for call in e.after]} for e in tool.examples],
            inert=dict(tool.inert),
        )
        for tool in service.tools.values()
    }
    return ServiceInfo(
        service.slug,
        service.title,
        service.description,
        service.domain,
        service.version_hash,
        tools,
        service.table_info,
    )


class Catalogue:
    """The mounted services in mount order, less the tools that are hidden (quarantined)."""

    def __init__(self, services: Iterable[ServiceInfo], hidden: Mapping[str, Iterable[str]] | None = None) -> None:
        hidden = hidden or {}
        self.services: dict[str, ServiceInfo] = {}
        self.tools: dict[str, dict[str, ToolInfo]] = {}
        for info in services:
            if info.slug in self.services:
                raise EngineError(f"service {info.slug} is mounted twice")
            self.services[info.slug] = info
            left_out = set(hidden.get(info.slug, ()))
            self.tools[info.slug] = {name: tool for name, tool in info.tools.items() if name not in left_out}
        self.simulated: frozenset[tuple[str, str]] = frozenset()
        """(service, tool) that a world model answers."""
        self._targets = self._names()

    def with_simulated(self, simulated: Mapping[str, Mapping[str, ToolInfo]]) -> Catalogue:
        """The same services, with tools that a world model answers added or put in place of their own."""
        services = [
            replace(info, tools={**info.tools, **simulated.get(slug, {})}) for slug, info in self.services.items()
        ]
        hidden = {slug: set(info.tools) - set(self.tools[slug]) for slug, info in self.services.items()}
        left_out = {slug: names - set(simulated.get(slug, {})) for slug, names in hidden.items()}
        catalogue = Catalogue(services, left_out)
        catalogue.simulated = frozenset((slug, name) for slug, tools in simulated.items() for name in tools)
        return catalogue

    def _names(self) -> dict[str, tuple[str, str]]:
        """Every accepted name -> (service, tool): exposed, `service.tool`, and bare where unique."""
        bare: dict[str, list[tuple[str, str]]] = {}
        names: dict[str, tuple[str, str]] = {}
        for slug, tools in self.tools.items():
            for tool in tools.values():
                bare.setdefault(tool.name, []).append((slug, tool.name))
                names.setdefault(f"{slug}.{tool.name}", (slug, tool.name))
        names.update({name: found[0] for name, found in bare.items() if len(found) == 1 and name not in names})
        for slug, tools in self.tools.items():
            names.update({tool.exposed: (slug, tool.name) for tool in tools.values()})
        return names

    def resolve(self, name: str) -> tuple[str, str]:
        """(service, tool) of a name; ToolError 404 that says what to do next, with near names."""
        target = self._targets.get(name)
        if target is not None:
            return target
        near = difflib.get_close_matches(
            name, [tool.exposed for tools in self.tools.values() for tool in tools.values()], n=3, cutoff=0.5
        )
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        slug = name.split(SEPARATOR, 1)[0]
        where = f'list_tools with service "{slug}"' if slug in self.services else "list_services, then list_tools,"
        raise ToolError(404, "unknown_tool", f"There is no tool {name!r}.{hint} Use {where} to see what exists.")

    def service(self, slug: str) -> ServiceInfo:
        """A mounted service, or ToolError 404 with near names."""
        info = self.services.get(slug)
        if info is not None:
            return info
        near = difflib.get_close_matches(slug, self.services, n=3, cutoff=0.4)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        raise ToolError(
            404,
            "unknown_service",
            f"There is no service {slug!r}.{hint} Use list_services to see what is mounted.",
        )

    def list_services(self) -> list[JsonValue]:
        return [
            {"name": info.slug, "description": info.description, "tools": len(self.tools[slug])}
            for slug, info in self.services.items()
        ]

    def list_tools(self, slug: str, query: str = "", cursor: str = "") -> JsonValue:
        """One page of tools whose name or summary holds every word of `query`."""
        self.service(slug)
        words = query.lower().split()
        found = [
            tool
            for tool in self.tools[slug].values()
            if all(word in f"{tool.exposed} {tool.summary}".lower() for word in words)
        ]
        if cursor and not cursor.isdecimal():
            raise ToolError(400, "invalid_cursor", f"{cursor!r} is not a cursor; use next_cursor of the previous page.")
        start = int(cursor) if cursor else 0
        page: dict[str, JsonValue] = {
            "tools": [{"name": tool.exposed, "description": tool.summary} for tool in found[start : start + PAGE]],
            "total": len(found),
        }
        if start + PAGE < len(found):
            page["next_cursor"] = str(start + PAGE)
        return page

    def describe_tool(self, name: str) -> JsonValue:
        """The full description of a tool with its self-contained schema."""
        slug, tool_name = self.resolve(name)
        tool = self.tools[slug][tool_name]
        text: dict[str, JsonValue] = {
            "name": tool.exposed,
            "service": slug,
            "original_name": tool.name,
            "description": tool.description,
            "input_schema": tool.input_schema,
        }
        if tool.output_schema is not None:
            text["output_schema"] = tool.output_schema
        return text
