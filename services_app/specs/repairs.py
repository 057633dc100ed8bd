"""Repairs at every schema of a tool, wherever it is nested. Meaning is kept; every change leaves a note."""

from __future__ import annotations

from typing import Any

from services_app.specs import values
from services_app.specs.keywords import KNOWN, LISTS, MAPS, NULL_VALUES, Slot, escape, slots
from services_app.specs.model import Notebook
from services_app.specs.typenames import repair_type, type_name

MODERN = "2020-12"


def repair_tree(root: dict[str, Any], key: str, pointer: str, dialect: str, book: Notebook) -> set[str]:
    """Repair the schema at `root[key]` and all below it in place; the pointers of the schemas visited."""
    visited: set[str] = set()
    stack = [Slot(root, key, pointer)]
    while stack:
        container, name, at = stack.pop()
        schema = as_schema(container[name], at, book)
        container[name] = schema
        visited.add(at)
        if isinstance(schema, dict):
            repair_schema(schema, at, dialect, book)
            if at != pointer and "$schema" in schema:
                del schema["$schema"]
                book.info(f"{at}/$schema", "schema:nested-dialect", "A $schema below the root was removed.")
            stack.extend(reversed(list(slots(schema, at))))
    return visited


def as_schema(value: Any, pointer: str, book: Notebook) -> dict[str, Any] | bool:
    """A schema in place of whatever was served where one belongs."""
    if isinstance(value, dict | bool):
        return value
    if value is None:
        book.info(pointer, "schema:null", "null stood where a schema belongs; it was read as “anything”.")
        return {}
    if isinstance(value, str):
        name = type_name(value)
        if name:
            book.info(pointer, "schema:shorthand", f'The shorthand "{value}" was read as a type.')
            return {"type": name}
        book.warning(pointer, "schema:text", "Text stood where a schema belongs; it was kept as the description.")
        return {"description": value}
    book.warning(
        pointer, "schema:wrong-kind", f"{type(value).__name__} stood where a schema belongs; any value is accepted."
    )
    return {}


def repair_schema(schema: dict[str, Any], pointer: str, dialect: str, book: Notebook) -> None:
    """Repair the keywords of one schema in place; schemas inside it are left to the caller."""
    _drop_nulls(schema, pointer, book)
    hoist_nested(schema, pointer, book)
    _repair_maps(schema, pointer, book)
    _lift_required(schema, pointer, book)
    values.repair_required(schema, pointer, book)
    repair_type(schema, pointer, book)
    _repair_lists(schema, pointer, book)
    values.repair_enum(schema, pointer, book)
    _rewrite_nullable(schema, pointer, book)
    values.repair_numbers(schema, pointer, book)
    values.repair_flags(schema, pointer, book)
    values.repair_texts(schema, pointer, book)
    if dialect == MODERN:
        _rewrite_tuple(schema, pointer, book)
        _rewrite_dependencies(schema, pointer, book)


def _drop_nulls(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    for word in [word for word, value in schema.items() if value is None and word in KNOWN - NULL_VALUES]:
        del schema[word]
        book.info(f"{pointer}/{word}", "null:dropped", f"“{word}” was null; it was removed.")


def hoist_nested(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """A whole schema under `properties`, one level too deep, goes up to where it belongs."""
    for _ in range(5):
        inner = schema.get("properties")
        if not isinstance(inner, dict) or inner.get("type") != "object":
            return
        if not isinstance(inner.get("properties"), dict) and not inner.keys() <= KNOWN:
            return
        outer_required = schema.get("required")
        del schema["properties"]
        schema.update(inner)
        if isinstance(outer_required, list) and isinstance(inner.get("required"), list):
            names = [name for name in outer_required if name in inner.get("properties", {})]
            schema["required"] = list(dict.fromkeys([*names, *inner["required"]]))
        book.warning(
            f"{pointer}/properties",
            "schema:nested",
            "The whole schema stood inside “properties”; it was moved up one level.",
        )


def _repair_maps(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    for word in MAPS:
        inner = schema.get(word)
        if word not in schema or isinstance(inner, dict):
            continue
        named = named_list(inner)
        if word == "properties" and named is not None:
            schema[word] = named
            book.warning(
                f"{pointer}/{word}",
                "properties:list",
                "“properties” was a list; its entries were taken by their names.",
            )
        else:
            del schema[word]
            book.warning(
                f"{pointer}/{word}",
                "keyword:invalid",
                f"“{word}” was {type(inner).__name__}, not an object; it was removed.",
            )


def named_list(value: Any) -> dict[str, Any] | None:
    """`[{"name": "x", ...}]` as `{"x": {...}}`, or None if it is no such list. OpenAPI gives `schema`."""
    if not isinstance(value, list) or not all(
        isinstance(item, dict) and isinstance(item.get("name"), str) for item in value
    ):
        return None
    named: dict[str, Any] = {}
    for item in value:
        rest = {word: part for word, part in item.items() if word not in ("name", "in", "schema")}
        inner = item.get("schema")
        named[item["name"]] = {**rest, **inner} if isinstance(inner, dict) else rest
    return named


def _lift_required(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """`required: true` on a property (the third draft, and OpenAPI parameters) belongs to its parent."""
    names = []
    for name, item in schema.get("properties", {}).items():
        if not isinstance(item, dict) or not isinstance(item.get("required"), bool | str):
            continue
        word = item["required"]
        if isinstance(word, str) and word.lower() not in ("true", "false"):
            continue
        del item["required"]
        if word is True or str(word).lower() == "true":
            names.append(name)
        book.info(
            f"{pointer}/properties/{escape(name)}/required",
            "required:on-property",
            f"“required” of “{name}” was moved to its parent.",
        )
    if names:
        present = schema.get("required")
        schema["required"] = list(dict.fromkeys([*(present if isinstance(present, list) else []), *names]))


def _repair_lists(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    for word in LISTS:
        branches = schema.get(word)
        if word not in schema or (isinstance(branches, list) and branches):
            continue
        if isinstance(branches, dict) and branches:
            schema[word] = [branches]
            book.warning(f"{pointer}/{word}", "keyword:not-a-list", f"“{word}” was one schema; it was put into a list.")
        else:
            del schema[word]
            book.warning(f"{pointer}/{word}", "keyword:empty", f"“{word}” has no branches; it was removed.")


def _rewrite_nullable(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """OpenAPI's `nullable: true` as JSON Schema."""
    for word in ("nullable", "x-nullable"):
        flag = schema.get(word)
        if not isinstance(flag, bool):
            continue
        del schema[word]
        if flag:
            _admit_null(schema)
        book.info(
            f"{pointer}/{word}", "nullable:rewritten", f"“{word}: {str(flag).lower()}” was written as JSON Schema."
        )


def _admit_null(schema: dict[str, Any]) -> None:
    kind = schema.get("type")
    if isinstance(kind, str | list):
        names = [kind] if isinstance(kind, str) else kind
        schema["type"] = names if "null" in names else [*names, "null"]
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if isinstance(branches, list) and not any(_admits_only_null(branch) for branch in branches):
            schema[word] = [*branches, {"type": "null"}]
    strict = {word: schema.pop(word) for word in ("$ref", "allOf") if word in schema}
    if strict and "anyOf" in schema:
        schema["anyOf"] = [{**strict, "anyOf": schema["anyOf"]}, {"type": "null"}]
    elif strict:
        schema["anyOf"] = [strict, {"type": "null"}]


def _admits_only_null(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "null"


def _rewrite_tuple(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    items = schema.get("items")
    if not isinstance(items, list):
        return
    del schema["items"]
    rest = schema.pop("additionalItems", None)
    if rest is not None:
        schema["items"] = rest
    if items and "prefixItems" not in schema:
        schema["prefixItems"] = items
    book.info(f"{pointer}/items", "items:tuple", "“items” was a list, as in older drafts; it became “prefixItems”.")


def _rewrite_dependencies(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    dependencies = schema.get("dependencies")
    if not isinstance(dependencies, dict):
        return
    del schema["dependencies"]
    for name, item in dependencies.items():
        word = "dependentRequired" if isinstance(item, list) else "dependentSchemas"
        schema.setdefault(word, {}).setdefault(name, item)
    book.info(
        f"{pointer}/dependencies",
        "dependencies:rewritten",
        "“dependencies”, as in older drafts, was written in the present form.",
    )
