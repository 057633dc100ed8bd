"""The four meta-tools through which an agent meets every product environment."""

from __future__ import annotations

from typing import Any, Protocol

from services_app.engine.catalogue import Catalogue
from services_app.engine.errors import ToolError
from services_app.engine.observation import Observation, failure, success
from services_app.engine.schema import SchemaValidator, compile_schema


class Callable(Protocol):
    """What the meta-tools need of an environment."""

    catalogue: Catalogue

    def call(self, service: str, tool: str, arguments: object) -> Observation: ...


def _function(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    parameters: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        parameters["required"] = required
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


META_TOOLS: tuple[dict[str, Any], ...] = (
    _function("list_services", "List the applications you can work with: name, one line, number of tools.", {}, []),
    _function(
        "list_tools",
        "List the tools of one application, one line each.",
        {
            "service": {"type": "string", "description": "Name of the application, from list_services."},
            "query": {
                "type": "string",
                "description": "Only tools whose name or line holds all these words.",
            },
            "cursor": {"type": "string", "description": "next_cursor of the previous page."},
        },
        ["service"],
    ),
    _function(
        "describe_tool",
        "Describe one tool: what it does and the JSON Schema of its arguments.",
        {"tool": {"type": "string", "description": "Name of the tool, from list_tools."}},
        ["tool"],
    ),
    _function(
        "call_tool",
        "Call a tool and get its result.",
        {
            "tool": {"type": "string", "description": "Name of the tool, from list_tools."},
            "arguments": {
                "type": ["object", "string", "null"],
                "description": "Arguments that fit the tool's schema, as an object (or JSON text of one).",
            },
        },
        ["tool"],
    ),
)
META_NAMES: tuple[str, ...] = tuple(tool["function"]["name"] for tool in META_TOOLS)
_VALIDATORS: dict[str, SchemaValidator] = {
    tool["function"]["name"]: compile_schema(tool["function"]["parameters"]) for tool in META_TOOLS
}


def call_meta(environment: Callable, name: str, arguments: Any) -> Observation:
    """Perform one meta-tool call. `arguments` is an object (None means {}); never raises for bad input."""
    validator = _VALIDATORS.get(name)
    arguments = {} if arguments is None else arguments
    try:
        if validator is None:
            raise ToolError(404, "unknown_tool", f"There is no tool {name!r} here; use {', '.join(META_NAMES)}.")
        problems = [] if validator.is_valid(arguments) else validator.problems(arguments)
        if problems:
            details = [problem.to_json() for problem in problems]
            raise ToolError(400, "invalid_arguments", f"The arguments of {name} do not fit its schema.", details)
        if name == "call_tool":
            service, tool = environment.catalogue.resolve(arguments["tool"])
            return environment.call(service, tool, arguments.get("arguments"))
        return success(getattr(environment.catalogue, name)(*_positional(name, arguments)))
    except ToolError as error:
        return failure(error)


def _positional(name: str, arguments: dict[str, Any]) -> tuple[Any, ...]:
    if name == "list_tools":
        return (arguments["service"], arguments.get("query", ""), arguments.get("cursor", ""))
    return (arguments["tool"],) if name == "describe_tool" else ()


def direct_tools(catalogue: Catalogue) -> list[dict[str, Any]]:
    """All mounted tools as OpenAI function schemas, for models and trainers that want no meta-tools."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.exposed,
                "description": tool.description,
                "parameters": tool.input_schema,
            },
        }
        for tools in catalogue.tools.values()
        for tool in tools.values()
    ]
