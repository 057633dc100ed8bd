"""Tools: a function with a signature and a docstring, or with an imported schema.

The schema of a library tool comes from its signature; of a tool made from a specification, the imported
schema is the truth. Arguments are validated against that schema before the function runs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from services_app.engine.errors import ServiceDefect, ToolError
from services_app.engine.fields import Semantic, semantic_of
from services_app.engine.plain import JsonValue, NotJsonError, digest, parse_object, to_plain
from services_app.engine.schema import SchemaValidator, compile_schema


class Unset:
    """Type of UNSET, the default of an argument that was not sent (null is a value of its own)."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET: Final = Unset()


def given(**arguments: object) -> dict[str, Any]:
    """The arguments that were sent: `state.items.patch(id, **given(title=title, due=due))`."""
    return {name: value for name, value in arguments.items() if value is not UNSET}


@dataclass(frozen=True)
class Arguments:
    """Checked arguments and the paths whose JSON text was decoded on the way."""

    values: dict[str, JsonValue]
    coerced: tuple[str, ...] = ()


@dataclass(frozen=True)
class Example:
    """A call that its author says works on the small seed 0, after the calls before it. Verification tries it."""

    arguments: dict[str, JsonValue]
    after: tuple[tuple[str, dict[str, JsonValue]], ...] = ()


@dataclass(frozen=True)
class Tool:
    """One tool of a service. `phrase` is a verb phrase for the task author: "reply to {message_id}"."""

    name: str
    function: Callable[..., Any]
    description: str
    input_schema: dict[str, Any]
    title: str = ""
    output_schema: dict[str, Any] | None = None
    phrase: str = ""
    semantics: Mapping[str, Semantic] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    inert: Mapping[str, str] = field(default_factory=dict)
    """Parameter -> why no value of it can change a result or the state."""
    by_keyword: bool = True  # library style: one keyword per parameter; otherwise one mapping
    _adapters: Mapping[str, TypeAdapter[Any]] = field(default_factory=dict)

    @cached_property
    def validator(self) -> SchemaValidator:
        return compile_schema(self.input_schema)

    @property
    def summary(self) -> str:
        """The first sentence of the description, at most 160 characters."""
        first = re.split(r"(?<=[.!?])\s|\n", self.description.strip(), maxsplit=1)[0]
        return first if len(first) <= 160 else first[:159] + "…"

    def prepare(self, arguments: object) -> Arguments:
        """Validate what the agent sent.

        null, "" and a missing value mean {}; an object sent as JSON text is decoded; a parameter sent as JSON
        text is decoded only where the schema wants an array or object and refuses the text. Raises
        ToolError 400 with every problem and its path.
        """
        values, coerced = _as_object(arguments)
        if not self.validator.is_valid(values):
            coerced += _decode_text(values, self.input_schema)
            problems = self.validator.problems(values)
            if problems:
                names = ", ".join(sorted({problem.path.split(".")[0] or "arguments" for problem in problems}))
                raise ToolError(
                    400,
                    "invalid_arguments",
                    f"The arguments of {self.name} do not fit its schema: see {names}. Fix them and call again.",
                    [problem.to_json() for problem in problems],
                )
        for name, value in values.items():
            if type(value) is float and name in self.integers:
                values[name] = int(value)  # JSON Schema takes 5.0 for an integer; functions should get one
        return Arguments(values, coerced)

    @cached_property
    def integers(self) -> frozenset[str]:
        """Parameters that hold whole numbers and nothing else."""
        properties: Mapping[str, Any] = self.input_schema.get("properties") or {}
        return frozenset(
            name for name, schema in properties.items() if isinstance(schema, Mapping) and _is_integer(schema)
        )

    def run(self, state: Any, context: Any, values: dict[str, JsonValue]) -> object:
        """Call the function with checked arguments."""
        if not self.by_keyword:
            return self.function(state, context, values)
        if self._adapters:
            for name in self._adapters.keys() & values.keys():
                values[name] = self._adapters[name].validate_python(values[name])
        return self.function(state, context, **values)


def _is_integer(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    found = set(kinds if isinstance(kinds, list) else [kinds]) - {"null"}
    branches = [
        branch for name in ("anyOf", "oneOf") for branch in schema.get(name) or () if branch != {"type": "null"}
    ]
    if branches:
        return all(isinstance(branch, Mapping) and _is_integer(branch) for branch in branches)
    return found == {"integer"}


def _as_object(arguments: object) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
    coerced: tuple[str, ...] = ()
    if isinstance(arguments, str) and arguments.strip() not in ("", "null"):
        decoded = parse_object(arguments)
        if decoded is None:
            raise ToolError(400, "invalid_arguments", "`arguments` is text that holds no JSON object; send an object.")
        arguments, coerced = decoded, ("",)
    if arguments is None or isinstance(arguments, str):
        return {}, coerced
    if not isinstance(arguments, Mapping):
        raise ToolError(400, "invalid_arguments", f"`arguments` must be an object, not {type(arguments).__name__}.")
    try:
        return to_plain(dict(arguments)), coerced
    except NotJsonError as error:
        raise ToolError(400, "invalid_arguments", f"`arguments` cannot be read as JSON: {error}.") from error


def _decode_text(values: dict[str, JsonValue], schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Decode JSON text in place where the parameter is an array or object and takes no text."""
    decoded = []
    for name, value in values.items():
        wanted = _types(schema.get("properties", {}).get(name, {}), schema)
        if isinstance(value, str) and wanted & {"array", "object"} and "string" not in wanted:
            parsed = parse_object(f'{{"v": {value}}}')
            inner = parsed.get("v") if parsed else None
            if (isinstance(inner, list) and "array" in wanted) or (isinstance(inner, dict) and "object" in wanted):
                decoded.append((name, inner))
    values.update(decoded)
    return tuple(name for name, _ in decoded)


def _types(schema: Any, root: Mapping[str, Any], depth: int = 0) -> set[str]:
    """JSON types that a schema admits; empty when it does not say."""
    if not isinstance(schema, Mapping) or depth > 8:
        return set()
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        return _types(target, root, depth + 1)
    kind = schema.get("type")
    found = set(kind) if isinstance(kind, list) else {kind} if isinstance(kind, str) else set()
    for word in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(word, ()):
            found |= _types(branch, root, depth + 1)
    return found


_ADAPTERS: dict[Any, tuple[TypeAdapter[Any], Mapping[str, Any]]] = {}


def tool_from_function(function: Callable[..., Any], *, phrase: str = "", examples: tuple[Example, ...] = ()) -> Tool:
    """A library tool: `def name(state, ctx, parameter: type = default) -> ...` with a docstring.

    The text before "Args:" is the description (with "Errors:" kept), the "Args:" entries describe parameters.
    Raises ServiceDefect when a parameter has no annotation or the docstring is missing.
    """
    name = function.__name__
    text, parameter_texts = _split_docstring(inspect.getdoc(function) or "")
    if not text:
        raise ServiceDefect(f"tool {name} has no docstring")
    hints = get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    definitions: dict[str, Any] = {}
    adapters: dict[str, TypeAdapter[Any]] = {}
    semantics: dict[str, Semantic] = {}
    for parameter in list(inspect.signature(function).parameters.values())[2:]:
        annotation = hints.get(parameter.name)
        if annotation is None:
            raise ServiceDefect(f"parameter {parameter.name} of tool {name} has no annotation")
        annotation = _without_unset(annotation)
        adapter, made = _adapter_of(annotation)
        schema = dict(made)
        local = schema.pop("$defs", {})
        if local:
            definitions.update(local)
            adapters[parameter.name] = adapter
        if parameter.name in parameter_texts:
            schema["description"] = parameter_texts[parameter.name]
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
        elif parameter.default is not UNSET:
            schema["default"] = to_plain(parameter.default)
        properties[parameter.name] = schema
        meaning = semantic_of(annotation)
        if meaning is not None:
            semantics[parameter.name] = meaning
    unknown = parameter_texts.keys() - properties.keys()
    if unknown:
        raise ServiceDefect(f"the docstring of tool {name} describes unknown parameters: {sorted(unknown)}")
    return Tool(
        name=name,
        function=function,
        description=text,
        input_schema=_object_schema(properties, required, definitions),
        phrase=phrase,
        semantics=semantics,
        examples=examples,
        _adapters=adapters,
    )


def _adapter_of(annotation: Any) -> tuple[TypeAdapter[Any], Mapping[str, Any]]:
    """How a parameter is read, and its schema. Most annotations are used by many tools, and making one is slow."""
    try:
        known = _ADAPTERS.get(annotation)
    except TypeError:  # an annotation that cannot be compared
        return _make_adapter(annotation)
    if known is None:
        known = _ADAPTERS[annotation] = _make_adapter(annotation)
    return known


def _make_adapter(annotation: Any) -> tuple[TypeAdapter[Any], Mapping[str, Any]]:
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    return adapter, _untitled(adapter.json_schema(ref_template="#/$defs/{model}"))


def _object_schema(properties: dict[str, Any], required: list[str], definitions: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    if definitions:
        schema["$defs"] = definitions
    return schema


def _without_unset(annotation: Any) -> Any:
    """`str | None | Unset` -> `str | None`, keeping Annotated parts."""
    parts = get_args(annotation)
    if Unset not in parts or get_origin(annotation) is Annotated:
        return annotation
    return Union[tuple(part for part in parts if part is not Unset)]  # noqa: UP007 - built at run time


def _untitled(schema: Any) -> Any:
    """Pydantic's titles repeat the names; agents do not need them."""
    if isinstance(schema, dict):
        return {
            key: {name: _untitled(item) for name, item in value.items()}
            if key in ("properties", "$defs")
            else _untitled(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    return schema


_ARGUMENT = re.compile(r"^\s{0,8}(\w+):\s*(.*)$")


def _split_docstring(doc: str) -> tuple[str, dict[str, str]]:
    """Description and parameter texts of a docstring with an optional "Args:" block."""
    head, _, tail = doc.partition("\nArgs:\n")
    texts: dict[str, str] = {}
    rest: list[str] = []
    current = ""
    in_block = True
    for line in tail.splitlines():
        match = _ARGUMENT.match(line)
        if line and not line.startswith(" "):
            in_block = False
        if in_block and match:
            current = match[1]
            texts[current] = match[2].strip()
        elif in_block and line.strip() and current:
            texts[current] += f" {line.strip()}"
        elif not in_block:
            rest.append(line)
    return "\n\n".join(part for part in (head.strip(), "\n".join(rest).strip()) if part), texts


def tool_hash(tool: Tool) -> str:
    """Hash of what an agent is told about a tool."""
    return digest({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema})
