"""Bodies of the REST API around importing: sources, differences, rules of the linter."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from services_app.api_parts import AnyValueField, StrictSerializer, WordField
from services_app.import_forms import MAX_FILE, MOST_FILES, HeaderError, read_headers
from services_app.serializers import ImpactSerializer

SOURCES = ("text", "files", "stdio", "http", "registry")
EXACTLY_ONE = f"Give exactly one source: {', '.join(SOURCES[:-1])} or {SOURCES[-1]}."


class FileSerializer(StrictSerializer):
    name = serializers.CharField(max_length=255, help_text="File name; gives title and slug where the text does not.")
    text = serializers.CharField(max_length=MAX_FILE, trim_whitespace=False, allow_blank=True)


class ImportSerializer(StrictSerializer):
    """Exactly one source."""

    text = serializers.CharField(
        required=False,
        max_length=MAX_FILE,
        trim_whitespace=False,
        help_text="JSON of a tools/list result, or an OpenAPI 3 document as JSON or YAML.",
    )
    name = serializers.CharField(
        default="specification.json", max_length=200, help_text="File name of `text`; gives title and slug."
    )
    files = serializers.ListField(
        child=FileSerializer(), required=False, allow_empty=False, max_length=MOST_FILES, help_text="Imported as a job."
    )
    stdio = serializers.CharField(required=False, max_length=2_000, help_text="Command of a server, run without shell.")
    http = serializers.URLField(required=False, max_length=2_000, help_text="URL of a streamable HTTP server.")
    headers = serializers.DictField(
        child=serializers.CharField(max_length=8_000),
        required=False,
        help_text="Sent to `http`, such as an Authorization header. They are kept sealed and never shown.",
    )
    registry = serializers.URLField(
        required=False, max_length=2_000, help_text="Address of a registry of MCP servers; only its list is read."
    )

    def validate_http(self, value: str) -> str:
        return _web_address(value)

    def validate_registry(self, value: str) -> str:
        return _web_address(value)

    def validate_headers(self, value: dict[str, str]) -> dict[str, str]:
        try:
            return read_headers(f"{name}: {text}" for name, text in value.items())
        except HeaderError as error:
            raise serializers.ValidationError(str(error), "header") from error

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if sum(name in data for name in SOURCES) != 1:
            raise serializers.ValidationError(EXACTLY_ONE, "one_source")
        if data.get("headers") and "http" not in data:
            raise serializers.ValidationError({"headers": "Headers are sent to a server at a URL only."}, "header")
        return data


def _web_address(value: str) -> str:
    if not value.lower().startswith(("http://", "https://")):
        raise serializers.ValidationError("Use an address that begins with http:// or https://.")
    return value


class FieldChangeSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField(help_text="JSON Pointer inside the tool.")
    kind = WordField("FieldChangeKind", ("added", "removed", "changed"))
    before = AnyValueField()
    after = AnyValueField()
    breaking = serializers.BooleanField(help_text="Whether calls that were right may be refused now.")


class ToolChangeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    breaking = serializers.BooleanField()
    more = serializers.IntegerField(help_text="Changed places beyond those listed.")
    fields = FieldChangeSerializer(many=True)  # type: ignore[assignment] # a field of the answer


class SpecificationDiffSerializer(serializers.Serializer[Any]):
    replaces = serializers.CharField(allow_null=True, help_text="Id of the content before; null for the first import.")
    added = serializers.ListField(child=serializers.CharField())
    removed = serializers.ListField(child=serializers.CharField())
    changed = ToolChangeSerializer(many=True)
    same = serializers.IntegerField(help_text="Tools that are as they were.")
    is_built = serializers.BooleanField(help_text="Whether the service is built from this content.")
    impact = ImpactSerializer(many=True, help_text="What becomes stale when the service is built from this content.")


class LintRuleSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    severity = WordField("LintSeverity", ("info", "warning"))
    cost = serializers.IntegerField(help_text="Points that a tool loses, once.")
    title = serializers.CharField()
    why = serializers.CharField()
    example = serializers.CharField()
