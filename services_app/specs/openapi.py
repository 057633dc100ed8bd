"""OpenAPI 3 documents as lists of tools: one tool for every operation.

Only the document itself is read. Schemas that an operation uses travel with its tool, so that each stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from services_app.specs.errors import SpecError
from services_app.specs.keywords import resolve, target_of
from services_app.specs.model import Notebook

_METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_SCHEMAS = "#/components/schemas/"
# What a client sends by itself is no argument of a tool.
_OWN_HEADERS = frozenset({"authorization", "accept", "content-type", "cookie", "host", "user-agent"})
_BODY_TYPES = ("application/json", "multipart/form-data", "application/x-www-form-urlencoded")
_SINGLE_FORM = frozenset({"allOf", "anyOf", "oneOf", "additionalProperties"})


class _Operation(NamedTuple):
    path: str
    method: str
    item: Mapping[str, Any]
    body: Mapping[str, Any]


def is_openapi(value: Any) -> bool:
    """Whether a JSON value is an OpenAPI (or Swagger) document."""
    return isinstance(value, dict) and ("openapi" in value or "swagger" in value)


def tools_of(document: dict[str, Any], book: Notebook) -> list[dict[str, Any]]:
    """The operations of a document as tools in the form of tools/list.

    Raises SpecError with kind `file:openapi` for versions before 3 and for documents without operations.
    """
    if not str(document.get("openapi", "")).startswith("3."):
        raise SpecError("file:openapi", "This API document is older than OpenAPI 3.", "Convert it to OpenAPI 3 first.")
    tools = [_tool(document, operation, book) for operation in _operations(document)]
    if not tools:
        raise SpecError("file:openapi", "The OpenAPI document has no operations.")
    return tools


def _operations(document: dict[str, Any]) -> Iterator[_Operation]:
    paths = document.get("paths")
    for path, served in (paths if isinstance(paths, dict) else {}).items():
        item = _followed(document, served)
        for method in _METHODS:
            body = item.get(method)
            if isinstance(body, dict):
                yield _Operation(path, method, item, body)


def _followed(document: dict[str, Any], value: Any) -> dict[str, Any]:
    """`value`, or what it refers to inside the document; an empty object for anything else."""
    for _ in range(10):
        if not isinstance(value, dict):
            return {}
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return value
        value = resolve(document, target_of(reference))[1] if reference.startswith("#") else None
    return {}


def _tool(document: dict[str, Any], operation: _Operation, book: Notebook) -> dict[str, Any]:
    name = operation.body.get("operationId")
    texts = [operation.body.get(word) for word in ("summary", "description")]
    tool = {
        "name": name if isinstance(name, str) and name.strip() else _invented_name(operation),
        "description": "\n\n".join(
            dict.fromkeys(text.strip() for text in texts if isinstance(text, str) and text.strip())
        ),
        "inputSchema": _with_components(document, _input_schema(document, operation, book)),
        "annotations": {
            "readOnlyHint": operation.method in ("get", "head", "options"),
            "destructiveHint": operation.method == "delete",
        },
        "_meta": {"method": operation.method, "path": operation.path},
    }
    result = _result_schema(document, operation)
    if result is not None:
        tool["outputSchema"] = _with_components(document, result)
    return tool


def _invented_name(operation: _Operation) -> str:
    words = re.sub(r"[^A-Za-z0-9]+", "_", operation.path).strip("_")
    return f"{operation.method}_{words}" if words else operation.method


def _input_schema(document: dict[str, Any], operation: _Operation, book: Notebook) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in _parameters(document, operation):
        name = parameter["name"]
        if name in properties:
            name = f"{name}_{parameter['in']}"
        properties[name] = _parameter_schema(document, parameter)
        if parameter.get("required") is True or parameter["in"] == "path":
            required.append(name)
    _add_body(document, operation, properties, required, book)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(dict.fromkeys(required))
    return schema


def _parameters(document: dict[str, Any], operation: _Operation) -> list[dict[str, Any]]:
    """The parameters of an operation; its own replace those of the path."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for holder in (operation.item, operation.body):
        listed = holder.get("parameters")
        for served in listed if isinstance(listed, list) else []:
            parameter = _followed(document, served)
            name, place = parameter.get("name"), parameter.get("in")
            if isinstance(name, str) and place in ("path", "query", "header") and name.lower() not in _OWN_HEADERS:
                found[name, str(place)] = parameter
    return list(found.values())


def _parameter_schema(document: dict[str, Any], parameter: Mapping[str, Any]) -> dict[str, Any]:
    schema = parameter.get("schema")
    if not isinstance(schema, dict):
        schema = _content_schema(document, parameter) or {}
    description = parameter.get("description")
    return {**schema, **({"description": description} if isinstance(description, str) else {})}


def _content_schema(document: dict[str, Any], holder: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema of a body or answer: JSON if there is a choice."""
    content = holder.get("content")
    if not isinstance(content, dict) or not content:
        return None
    kinds = (
        [kind for kind in _BODY_TYPES if kind in content]
        or [kind for kind in content if "json" in kind]
        or list(content)
    )
    schema = _followed(document, content[kinds[0]]).get("schema")
    return schema if isinstance(schema, dict) else None


def _add_body(
    document: dict[str, Any], operation: _Operation, properties: dict[str, Any], required: list[str], book: Notebook
) -> None:
    """The fields of a plain object body become parameters; every other body is the parameter `body`."""
    body = _followed(document, operation.body.get("requestBody"))
    schema = _content_schema(document, body)
    if schema is None:
        return
    plain = _followed(document, schema)
    fields = plain.get("properties")
    if not isinstance(fields, dict) or plain.keys() & _SINGLE_FORM or fields.keys() & properties.keys():
        properties["body"] = schema
        if body.get("required") is True:
            required.append("body")
        return
    properties.update(fields)
    names = plain.get("required")
    if body.get("required") is True and isinstance(names, list):
        required.extend(name for name in names if isinstance(name, str))
    elif isinstance(names, list) and names:
        book.info(
            "",
            "openapi:optional-body",
            f"The body of {operation.method} {operation.path} is optional, and so are its fields.",
        )


def _result_schema(document: dict[str, Any], operation: _Operation) -> dict[str, Any] | None:
    responses = operation.body.get("responses")
    for status, served in sorted(responses.items()) if isinstance(responses, dict) else ():
        if not str(status).startswith("2"):
            continue
        schema = _content_schema(document, _followed(document, served))
        if schema is not None:
            whole = _followed(document, schema)
            return (
                schema
                if whole.get("type") == "object" or "properties" in whole
                else {"type": "object", "properties": {"result": schema}}
            )
    return None


def _with_components(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema together with the shared schemas it uses, directly or through others."""
    shared: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for name in _used(waiting.pop()):
            found, value = resolve(document, target_of(_SCHEMAS + name))
            step = target_of(_SCHEMAS + name).rpartition("/")[2]
            if found and step not in shared:
                shared[step] = value
                waiting.append(value)
    return _local({**schema, "$defs": shared}) if shared else schema


def _local(value: Any) -> Any:
    """A copy in which references to shared schemas lead to the tool's own definitions."""
    if isinstance(value, dict):
        return {
            word: "#/$defs/" + part[len(_SCHEMAS) :]
            if word == "$ref" and isinstance(part, str) and part.startswith(_SCHEMAS)
            else _local(part)
            for word, part in value.items()
        }
    return [_local(part) for part in value] if isinstance(value, list) else value


def _used(schema: Any) -> set[str]:
    """Names of the shared schemas that are referred to anywhere in a value."""
    names: set[str] = set()
    stack = [schema]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            reference = item.get("$ref")
            if isinstance(reference, str) and reference.startswith(_SCHEMAS):
                names.add(reference[len(_SCHEMAS) :].partition("/")[0])
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return names
