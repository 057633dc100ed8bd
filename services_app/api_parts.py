"""What the REST views of this app and of the apps above share: bodies in, stored JSON out, words for the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any, Final

import orjson
from django.db.models import TextChoices
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from webapp.common import ids
from webapp.common.cursors import MAX_LIMIT, CursorError, read_limit
from webapp.common.problems import ApiProblem

MAX_SEED: Final = 2**31 - 1
PAGE_BYTES: Final = 4 << 20  # a page of stored JSON ends before it grows beyond this, after one row at least

IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, required=True, description='The ETag that you have seen, such as `"v3"`.'
)
CURSOR = OpenApiParameter("cursor", str, description="From `page.next` or `page.prev`.")
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 50},
    description="Rows per page, at most.",
)


def idempotency_key(*, required: bool = True) -> OpenApiParameter:
    """The header as the schema shows it; `webapp.common.idempotency` carries it out."""
    text = "At most 255 characters. The same key with the same body starts one job and gets the same answer."
    return OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, required=required, description=text)


class JsonBody(JSONParser):
    """JSON whose nesting is more than the parser can follow is refused, not a crash."""

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply.")) from error


class StrictSerializer(serializers.Serializer[Any]):
    """A request body: a field it does not know is an error, never ignored."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = ErrorDetail(_("There is no such field."), "unknown")
            errors = {str(name): [unknown] for name in data if name not in self.fields}
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)


class LimitsSerializer(StrictSerializer):
    """What a session of a model may take."""

    turns = serializers.IntegerField(required=False, min_value=1, max_value=500)
    tokens = serializers.IntegerField(required=False, min_value=1)
    cost_usd = serializers.FloatField(required=False, allow_null=True, help_text="Needs a model of known price.")
    seconds = serializers.FloatField(required=False)


class ModelAskedSerializer(StrictSerializer):
    """A model at work: which one, and what it may take."""

    model = serializers.CharField(required=False, max_length=200, help_text="Default: the model of the settings.")
    limits = LimitsSerializer(required=False, help_text="Bounds of each session.")
    reply_tokens = serializers.IntegerField(required=False, min_value=256, max_value=200_000)


class WordField(serializers.ChoiceField):
    """A closed vocabulary that has one name in the whole schema; the same word means the same set everywhere."""

    def __init__(self, name: str, choices: type[TextChoices] | Sequence[str], **options: Any) -> None:
        self.component = name
        super().__init__(choices=choices.choices if isinstance(choices, type) else list(choices), **options)


class WordFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # the library has no types here
    target_class = WordField

    def get_name(self) -> str:
        return str(self.target.component)

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "enum": [key for key in self.target.choices if key]}


class ReferenceField(serializers.Field[Any, Any, Any, Any]):
    """A foreign key as the public id of its row, null when there is none; costs no query."""

    def __init__(self, prefix: str, **options: Any) -> None:
        self.prefix = prefix
        super().__init__(read_only=True, **options)

    def to_representation(self, value: Any) -> str:
        return ids.show(self.prefix, value)


class ReferenceFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # no types
    target_class = ReferenceField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": ["string", "null"], "pattern": f"^{self.target.prefix}_[0-9a-f]{{32}}$"}


class AnyValueField(serializers.JSONField):
    """Any JSON value, null too. (The generator describes a plain nullable JSONField so that null fits it twice.)"""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)


class AnyValueFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # no types
    target_class = AnyValueField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": ["object", "array", "string", "number", "boolean"]}  # "null" is added, as for every nullable


def read(body: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The checked body of a request. Raises ValidationError (422 with JSON Pointers)."""
    asked = body(data=request.data)
    asked.is_valid(raise_exception=True)
    checked: dict[str, Any] = asked.validated_data
    return checked


def invalid(pointer: str, code: str, words: str) -> ApiProblem:
    """422 for one value of the body."""
    error = {"pointer": pointer, "code": code, "detail": words}
    return ApiProblem("validation-failed", _("Some values are not valid."), errors=[error])


def stored_json(text: str) -> HttpResponse:
    """Stored JSON as it is; it was checked when it was written."""
    return HttpResponse(text.encode(), content_type="application/json")


def json_with_parts(body: Mapping[str, Any]) -> HttpResponse:
    """JSON in which `orjson.Fragment` values stand for stored text."""
    return HttpResponse(orjson.dumps(body), content_type="application/json")


def numbered_page(
    request: Request, sizes: Callable[[int, int], Sequence[int]], rows: Callable[[int, int], Iterable[Any]]
) -> HttpResponse:
    """A page of rows that are numbered from 0 and may be large.

    `sizes(first, count)` gives the bytes of the rows from `first` on, at most `count`; `rows(first, count)` the rows
    themselves. The page ends early where it would grow beyond PAGE_BYTES. Raises CursorError.
    """
    first, limit = _first(request.query_params.get("cursor", "")), read_limit(request.query_params.get("limit"))
    found = sizes(first, limit + 1)
    count = _fitting(found[:limit])
    page = {
        "next": str(first + count) if len(found) > count else None,
        "prev": str(max(0, first - limit)) if first else None,
        "limit": limit,
    }
    return json_with_parts({"data": list(rows(first, count)), "page": page})


def _first(cursor: str) -> int:
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10):
        raise CursorError(_("The cursor is damaged."))
    return int(cursor)


def _fitting(sizes: Sequence[int]) -> int:
    total = 0
    for number, size in enumerate(sizes):
        total += size
        if total > PAGE_BYTES:
            return max(1, number)
    return len(sizes)
