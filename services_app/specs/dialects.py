"""Which draft a schema is written in, and the last resort when a validator still refuses it."""

from __future__ import annotations

import itertools
from typing import Any

import jsonschema_rs

from services_app.engine.schema import SchemaError, compile_schema
from services_app.specs.errors import RefusedError
from services_app.specs.keywords import MAPS, resolve
from services_app.specs.model import Notebook
from services_app.specs.repairs import MODERN

DRAFT7 = "http://json-schema.org/draft-07/schema#"
_KEPT = {
    "json-schema.org/draft/2020-12/schema": MODERN,
    "json-schema.org/draft/2019-09/schema": "2019-09",
    "json-schema.org/draft-07/schema": "draft-07",
    "json-schema.org/draft-06/schema": "draft-06",
}
_OLD = ("json-schema.org/draft-04/schema", "json-schema.org/draft-03/schema")
_MOST_REMOVALS = 20


def settle_dialect(schema: dict[str, Any], pointer: str, book: Notebook) -> str:
    """Leave a `$schema` that validators know, or none, in place; the dialect to repair by.

    A schema without `$schema` is read as 2020-12; drafts 3 and 4 are rewritten as draft 7.
    """
    if "$schema" not in schema:
        return MODERN
    declared = schema["$schema"]
    plain = (
        declared.strip().rstrip("#").removeprefix("http://").removeprefix("https://")
        if isinstance(declared, str)
        else ""
    )
    if plain in _KEPT:
        return _KEPT[plain]
    if plain in _OLD:
        schema["$schema"] = DRAFT7
        book.info(f"{pointer}/$schema", "schema:draft4", "An early draft was declared; it was rewritten as draft 7.")
        return "draft-07"
    del schema["$schema"]
    book.info(
        f"{pointer}/$schema",
        "schema:unknown-dialect",
        f"The dialect {declared!r:.80} is unknown; the schema is read as 2020-12.",
    )
    return MODERN


def settle_validity(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Remove, one by one, the keywords that make the schema invalid. Raises RefusedError when that does not help."""
    for _ in range(_MOST_REMOVALS):
        try:
            compile_schema(schema)
            return
        except SchemaError as error:
            _remove_offender(schema, error, pointer, book)
        except (TypeError, UnicodeEncodeError) as error:
            raise RefusedError("schema:unusable", pointer, f"The schema cannot be written as JSON: {error}.") from error
    raise RefusedError("schema:unusable", pointer, f"More than {_MOST_REMOVALS} keywords of the schema are invalid.")


def _remove_offender(schema: dict[str, Any], error: SchemaError, pointer: str, book: Notebook) -> None:
    cause = error.__cause__
    path = [str(step) for step in cause.instance_path] if isinstance(cause, jsonschema_rs.ValidationError) else []
    for length in range(len(path), 0, -1):
        steps = [step.replace("~", "~0").replace("/", "~1") for step in path[:length]]
        _, holder = resolve(schema, "".join(f"/{step}" for step in steps[:-1]))
        if path[length - 1] in MAPS:
            break  # a whole set of properties is never thrown away
        if isinstance(holder, dict) and path[length - 1] in holder and _is_keyword_position(path[:length]):
            del holder[path[length - 1]]
            at = pointer + "".join(f"/{step}" for step in steps)
            book.warning(at, "keyword:invalid", f"“{path[length - 1]}” was invalid ({error}); it was removed.")
            return
    raise RefusedError("schema:unusable", pointer, f"No validator can be built from the schema: {error}")


def _is_keyword_position(path: list[str]) -> bool:
    """Whether the last step names a keyword, and not a property or definition that happens to be at fault."""
    inside = False
    for parent, _ in itertools.pairwise(path):
        inside = parent in MAPS and not inside
    return not inside
