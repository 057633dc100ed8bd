"""Where schemas are inside a schema. Data (defaults, enums, examples) is never mistaken for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

TYPE_NAMES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})

MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLES = (
    "items",
    "additionalItems",
    "additionalProperties",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
)
DEFINITIONS = ("$defs", "definitions")
IN_PLACE_SINGLES = ("not", "if", "then", "else")
IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")

LENGTHS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
)
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
TEXTS = ("title", "description", "format", "pattern", "$comment", "contentEncoding", "contentMediaType")
NULL_VALUES = frozenset({"default", "const", "example"})  # keywords where null is a value like any other
KNOWN = frozenset(
    {*MAPS, *LISTS, *SINGLES, *LENGTHS, *NUMBERS, *TEXTS, *NULL_VALUES}
    | {
        "type",
        "required",
        "enum",
        "examples",
        "$ref",
        "$schema",
        "$id",
        "uniqueItems",
        "nullable",
        "dependencies",
        "dependentRequired",
    }
    | {"$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "readOnly", "writeOnly", "deprecated"}
)


class Place(NamedTuple):
    """A schema inside a schema and its JSON pointer."""

    pointer: str
    schema: Any


def escape(name: str) -> str:
    """One step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


class Slot(NamedTuple):
    """Where a schema is stored: `container[key]`, so that it can be replaced."""

    container: Any
    key: Any
    pointer: str


def slots(schema: dict[str, Any], pointer: str, *, definitions: bool = True) -> Iterator[Slot]:
    """The schemas directly inside `schema`; without those kept only to be referred to, if asked."""
    for word in MAPS:
        inner = schema.get(word)
        if isinstance(inner, dict) and (definitions or word not in DEFINITIONS):
            for name in inner:
                yield Slot(inner, name, f"{pointer}/{word}/{escape(name)}")
    for word in SINGLES:
        if word in schema and not isinstance(schema[word], list):
            yield Slot(schema, word, f"{pointer}/{word}")
    for word in (*LISTS, "items"):
        inner = schema.get(word)
        if isinstance(inner, list):
            for index in range(len(inner)):
                yield Slot(inner, index, f"{pointer}/{word}/{index}")
    dependencies = schema.get("dependencies")
    if isinstance(dependencies, dict):
        for name, item in dependencies.items():
            if not isinstance(item, list):
                yield Slot(dependencies, name, f"{pointer}/dependencies/{escape(name)}")


def places(root: Any, pointer: str = "", *, definitions: bool = True) -> Iterator[Place]:
    """Every schema at and below `root`, in document order, without recursion."""
    stack = [Place(pointer, root)]
    while stack:
        place = stack.pop()
        yield place
        if isinstance(place.schema, dict):
            inside = [
                Place(at, holder[key])
                for holder, key, at in slots(place.schema, place.pointer, definitions=definitions)
            ]
            stack.extend(reversed(inside))


def target_of(reference: str) -> str:
    """The JSON pointer in a local reference: `#/$defs/a%20b` -> `/$defs/a b`."""
    return unquote(reference[1:])


def reference_to(pointer: str) -> str:
    """The local reference for a JSON pointer, with everything escaped that a URI cannot hold."""
    return "#" + quote(pointer, safe="/~!$&'()*+,;=:@?")


def resolve(root: Any, pointer: str) -> tuple[bool, Any]:
    """Follow a JSON pointer ('' is the root): whether it leads anywhere, and where."""
    value = root
    for part in pointer.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return False, None
    return True, value
