"""The tools of both roles as OpenAI functions, and the check of what a model sends them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from services_app.engine.schema import SchemaValidator, compile_schema

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def tool_schema(name: str, description: str, required: str = "", /, **properties: Schema) -> Schema:
    """A tool as an OpenAI function; `required` are names of properties, with spaces between them."""
    parameters = {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def described(schema: Schema, description: str) -> Schema:
    """The schema of a property, with what is said about it."""
    return {**schema, "description": description}


_READ_SPEC = tool_schema(
    "read_spec",
    "Read the specification: all tools in one line each, or one tool with its schemas.",
    tool=described(TEXT, "Original name of a tool; leave it out for the list."),
)
_FINISH = tool_schema(
    "finish", "Say that the work is done.", summary=described(TEXT, "What was done, in one or two sentences.")
)

BUILDER_TOOLS: tuple[Schema, ...] = (
    _READ_SPEC,
    tool_schema("read_recipes", "Show the functions of a module of services_app.recipes.", "module", module=TEXT),
    tool_schema("list_files", "List the files of the service."),
    tool_schema(
        "read_file",
        "Read a file, or some of its lines. Lines count from 1.",
        "name",
        name=described(TEXT, "Such as tools.py."),
        first={"type": "integer", "minimum": 1},
        last={"type": "integer", "minimum": 1},
    ),
    tool_schema(
        "write_file",
        "Make a file or replace the whole of it. For a small change use replace_in_file.",
        "name text",
        name=described(TEXT, "Such as tools.py."),
        text=described(TEXT, "The whole text of the file, without Markdown around it."),
    ),
    tool_schema(
        "replace_in_file",
        "Replace a passage that occurs exactly once in a file.",
        "name old new",
        name=described(TEXT, "Such as tools.py."),
        old=described(TEXT, "The passage as it is, with its whitespace."),
        new=described(TEXT, "What stands there instead."),
    ),
    tool_schema("run_tests", "Check the static policy, load the service in a fresh sandbox and run tests.json."),
    tool_schema(
        "run_gate",
        "Judge every tool by the adversarial suite. Takes longer than run_tests. The best version is kept.",
        tools={"type": "array", "items": TEXT, "description": "Show the failures of these tools only."},
    ),
    _FINISH,
)

_CASE: Schema = {
    "type": "object",
    "properties": {
        "tool": described(TEXT, "Original name of the tool under attack."),
        "before": {
            "type": "array",
            "description": "Calls made first, each [tool, arguments].",
            "items": {"prefixItems": [TEXT, {"type": "object"}], "type": "array", "minItems": 2, "maxItems": 2},
        },
        "arguments": {"type": "object"},
        "expected": {
            "type": "object",
            "properties": {
                "outcome": {"enum": ["success", "refused"]},
                "code": {"enum": [400, 403, 404, 409, 422, 429]},
                "contains": {"description": "A JSON value that must stand somewhere in the result."},
                "unchanged": {"type": "boolean", "description": "Whether the state must be as before."},
            },
            "required": ["outcome"],
            "additionalProperties": False,
        },
        "note": described(TEXT, "Which sentence of the specification this follows from."),
    },
    "required": ["tool", "arguments", "expected"],
    "additionalProperties": False,
}

ADVERSARY_TOOLS: tuple[Schema, ...] = (
    _READ_SPEC,
    tool_schema(
        "add_cases",
        "Add test cases. Each is checked; those that cannot be used are named in the answer.",
        "cases",
        cases={"type": "array", "items": {"type": "object"}, "description": "Cases as described at the start."},
    ),
    _FINISH,
)


@lru_cache(maxsize=64)
def _validator(schema: bytes) -> SchemaValidator:
    return compile_schema(orjson.loads(schema))


def check_arguments(tools: Sequence[Mapping[str, Any]], name: str, arguments: Mapping[str, Any]) -> str:
    """What is wrong with the arguments of a call of the tool `name`, "" when they fit."""
    schema = next(tool["function"]["parameters"] for tool in tools if tool["function"]["name"] == name)
    problems = _validator(orjson.dumps(schema)).problems(arguments)
    said = "; ".join(f"{problem.path or 'arguments'}: {problem.message}" for problem in problems[:5])
    return f"The arguments of {name} do not fit: {said}." if said else ""


def check_case(case: object) -> str:
    """What is wrong with the form of an adversarial case, "" when it is one."""
    problems = _validator(orjson.dumps(_CASE)).problems(case)
    return "; ".join(f"{problem.path or 'case'}: {problem.message}" for problem in problems[:3])
