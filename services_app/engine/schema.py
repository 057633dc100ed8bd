"""JSON Schema validation: one compiled validator per schema, offline, bounded, all errors at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jsonschema_rs
import orjson

MESSAGE_LIMIT = 300
ERROR_LIMIT = 20
_BACKTRACK_LIMIT = 100_000


class SchemaError(ValueError):
    """A schema that no validator can be built from; the message says why."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why arguments do not fit: `path` such as `slot.room.code` ('' is the whole object)."""

    path: str
    message: str
    kind: str

    def to_json(self) -> dict[str, str]:
        return {"path": self.path, "message": self.message}


class SchemaValidator:
    """A compiled schema. Build it with `compile_schema`."""

    __slots__ = ("_validator", "is_valid")

    def __init__(self, validator: Any) -> None:
        self._validator = validator
        self.is_valid = validator.is_valid

    def problems(self, value: object) -> list[Problem]:
        """At most 20 problems of `value`, required properties named by their own path."""
        errors = (inner for error in self._validator.iter_errors(value) for inner in _innermost(error))
        return [_problem(error) for error in itertools.islice(errors, ERROR_LIMIT)]


def _innermost(error: Any) -> Iterator[Any]:
    """The errors of the one branch of anyOf/oneOf that was meant: the branch whose own type fits the value.

    `list[Part] | None` sent as a list with a bad part should complain of the part, not of the whole list.
    """
    if error.kind.name in ("anyOf", "oneOfNotValid"):
        here = list(error.instance_path)
        meant = [
            branch
            for branch in error.kind.context
            if not any(inner.kind.name == "type" and list(inner.instance_path) == here for inner in branch)
        ]
        if len(meant) == 1 and meant[0]:
            for inner in meant[0]:
                yield from _innermost(inner)
            return
    yield error


def _problem(error: Any) -> Problem:
    path = ".".join(str(part) for part in error.instance_path)
    if error.kind.name == "required":
        path = f"{path}.{error.kind.property}" if path else str(error.kind.property)
    return Problem(path, _cut(error.message), error.kind.name)


def _cut(message: str) -> str:
    return message if len(message) <= MESSAGE_LIMIT else message[: MESSAGE_LIMIT - 1] + "…"


def compile_schema(schema: Mapping[str, Any]) -> SchemaValidator:
    """The validator of `schema`, from a cache keyed by its content.

    Raises SchemaError when the schema is invalid, refers outside itself or is nested too deep.
    """
    return _compile(orjson.dumps(schema, option=orjson.OPT_SORT_KEYS))


@lru_cache(maxsize=2048)
def _compile(text: bytes) -> SchemaValidator:
    try:
        validator = jsonschema_rs.validator_for(
            orjson.loads(text),
            offline=True,
            validate_formats=False,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACK_LIMIT),
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise SchemaError(_cut(str(error).split("\n", 1)[0])) from error
    return SchemaValidator(validator)
