"""What the fields of a service's records mean, for authors: declared meaning first, seeded values second."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services_app.engine.catalogue import ServiceInfo
from services_app.engine.protocol import Environment

EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[a-z]+$")
DATE = re.compile(r"^\d{4}-\d\d-\d\d$")
TIMESTAMP = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
TIME = re.compile(r"^([01]\d|2[0-3]):[0-5]\d$")
CODE = re.compile(r"^(?=.*\d)[A-Z][A-Z0-9]*(?:[-/][A-Z0-9]+)*$")
PHONE = re.compile(r"^\+?[\d() -]{7,}$")
_TEXT_NAMES = re.compile(
    r"^(body|description|notes?|text|memo|content|comment|summary|details|message|bio|reason|remarks)$"
)
_SYSTEM_NAMES = re.compile(r"^(created|updated|sent|modified|opened|posted|logged|added|last_\w+)_(at|on)$|^version$")
_UNITS = re.compile(r"^(minutes|hours|days|weeks|months|seats|units|people|nights|pages|items|guests)$")
KEY_KINDS = frozenset({"email", "code", "title", "person", "organisation", "product"})


@dataclass(frozen=True, slots=True)
class Column:
    """One field of one table."""

    table: str
    field: str
    kind: str
    """A kind of `services_app.engine.fields.Semantic`, or "object" for what authors leave alone."""
    unit: str = ""
    target: str = ""
    """Table of the same service that a ref points to."""
    choices: tuple[str, ...] = ()
    many: bool = False
    nullable: bool = False
    unique: bool = False
    system: bool = False

    @property
    def key(self) -> str:
        return f"{self.table}.{self.field}"

    @property
    def class_name(self) -> str:
        """Values are carried only between columns of one class."""
        return f"{self.kind}:{self.unit}" if self.unit else self.kind


@dataclass(frozen=True, slots=True)
class Shape:
    """JSON type of a property: the base type, the enum, whether null and lists are allowed."""

    type: str
    choices: tuple[Any, ...] = ()
    many: bool = False
    nullable: bool = False


def shape_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Shape:
    """The shape of a property schema, looking through `$ref`, null unions and arrays of scalars."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return shape_of(root.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {}), root)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            branches = [branch for branch in schema[word] if branch.get("type") != "null"]
            inner = shape_of(branches[0], root) if branches else Shape("null")
            return Shape(inner.type, inner.choices, inner.many, len(branches) < len(schema[word]))
    kinds = schema.get("type", "object")
    names = [kind for kind in kinds if kind != "null"] if isinstance(kinds, list) else [kinds]
    nullable = isinstance(kinds, list) and "null" in kinds
    if names and names[0] == "array":
        items = schema.get("items")
        inner = shape_of(items, root) if isinstance(items, Mapping) else Shape("object")
        return Shape("object" if inner.many else inner.type, inner.choices, True, nullable)
    choices = tuple(schema.get("enum", ())) or ((schema["const"],) if "const" in schema else ())
    kind = names[0] if names else "object"
    return Shape("string" if choices and "type" not in schema else kind, choices, False, nullable)


def columns_of(environment: Environment, slug: str) -> dict[str, Column]:
    """All columns of a service by `table.field`, in the order of its tables."""
    info = environment.catalogue.services[slug]
    rows = {table: environment.rows(slug, table) for table in info.tables}
    return columns_from(info, rows)


def columns_from(info: ServiceInfo, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Column]:
    """`columns_of` for rows that are at hand."""
    identities = {table: frozenset(row["id"] for row in found) for table, found in rows.items()}
    columns = {}
    for table, table_info in info.tables.items():
        for field, schema in table_info.schema.get("properties", {}).items():
            values = [row.get(field) for row in rows[table]]
            column = _column(info, table, field, shape_of(schema, table_info.schema), values, identities)
            columns[column.key] = column
    return columns


def _column(
    info: ServiceInfo,
    table: str,
    field: str,
    shape: Shape,
    values: Sequence[Any],
    identities: Mapping[str, frozenset[str]],
) -> Column:
    meaning = info.tables[table].semantics.get(field, {})
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    present = [value for value in flat if value not in (None, "") and not isinstance(value, dict)]
    target = _own_table(info, str(meaning.get("target", "")))
    kind = str(meaning.get("kind", "")) or _kind(field, shape, present)
    if not target and kind in ("text", "code", "title", "ref") and field != "id":
        target = _guess_target(present, identities)
    if field == "id":
        kind = "id"
    elif target:
        kind = "ref"
    distinct = {str(value) for value in present}
    return Column(
        table=table,
        field=field,
        kind=kind if shape.type != "object" else "object",
        unit=str(meaning.get("unit", "")) or _unit(field, kind),
        target=target,
        choices=tuple(str(choice) for choice in shape.choices if choice is not None),
        many=shape.many,
        nullable=shape.nullable,
        unique=len(distinct) == len(present) > 1,
        system=bool(meaning.get("system")) or (not meaning and bool(_SYSTEM_NAMES.match(field))),
    )


def _own_table(info: ServiceInfo, target: str) -> str:
    name = target.removeprefix(f"{info.slug}.")
    return name if name in info.tables else ""


def _guess_target(present: Sequence[Any], identities: Mapping[str, frozenset[str]]) -> str:
    for table, known in identities.items():
        if len(present) > 1 and all(value in known for value in present):
            return table
    return ""


def _unit(field: str, kind: str) -> str:
    if kind not in ("count", "duration"):
        return ""
    return next((word for word in field.split("_") if _UNITS.match(word)), "")


def _kind(field: str, shape: Shape, present: Sequence[Any]) -> str:
    if shape.choices:
        return "label"
    if shape.type in ("boolean", "number", "integer"):
        return {"boolean": "flag", "number": "money", "integer": "count"}[shape.type]
    if shape.type != "string":
        return "object"
    texts = [value for value in present if isinstance(value, str)]
    return _text_kind(field, texts)


def _text_kind(field: str, texts: Sequence[str]) -> str:
    if not texts:
        return "text"
    for pattern, kind in (
        (EMAIL, "email"),
        (TIMESTAMP, "timestamp"),
        (DATE, "date"),
        (TIME, "time"),
        (CODE, "code"),
        (PHONE, "phone"),
    ):
        if all(pattern.match(text) for text in texts):
            return kind
    if _TEXT_NAMES.match(field) or sum(len(text.split()) for text in texts) / len(texts) >= 5:
        return "text"
    if len(set(texts)) <= max(3, len(texts) // 6) and all(len(text.split()) <= 2 for text in texts):
        return "label"
    return "title"
