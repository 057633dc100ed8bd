"""Bodies of the REST API of services, tools and specifications."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from services_app.api_parts import MAX_SEED, AnyValueField, ReferenceField, StrictSerializer, WordField
from services_app.models import Service, ServiceVersion, Specification, Tool, ToolDecision
from webapp.common.rest import PublicIdField


class SourceSerializer(serializers.Serializer[Any]):
    kind = WordField("SourceKind", ("file", "stdio", "http"), source="source_kind")
    locator = serializers.CharField(source="source_locator", help_text="File name, command or URL.")


class SpecificationSerializer(serializers.ModelSerializer[Specification]):
    id = PublicIdField()
    source = SourceSerializer(source="*")  # type: ignore[assignment] # a field, not the attribute
    lint_score = serializers.IntegerField(source="lint.score", default=None, allow_null=True, help_text="0 to 100.")
    replaces = ReferenceField("spec", source="replaces_id")
    imported_by = serializers.CharField(source="imported_by.username", default=None, allow_null=True)
    url = serializers.SerializerMethodField(help_text="The page for people.")

    class Meta:
        model = Specification
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "slug",
            "title",
            "source",
            "content_hash",
            "tool_count",
            "refused_count",
            "lint_score",
            "replaces",
            "imported_by",
            "created_at",
            "url",
        )
        read_only_fields = fields

    def get_url(self, specification: Specification) -> str:
        return reverse("specification", args=[specification.pk])


class SpecificationToolSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    lint_score = serializers.IntegerField(help_text="0 to 100.")
    title = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)


class RefusedToolSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(help_text="From 0, in the list as served.")
    code = serializers.CharField()
    pointer = serializers.CharField(allow_blank=True, help_text="JSON Pointer inside the tool.")
    message = serializers.CharField()


class NoteSerializer(serializers.Serializer[Any]):
    tool = serializers.CharField(allow_null=True, help_text="Null for the specification as a whole.")
    pointer = serializers.CharField(help_text="JSON Pointer inside the tool.")
    code = serializers.CharField()
    severity = WordField("NoteSeverity", ("info", "warning", "refused"))
    message = serializers.CharField()


class RemarksSerializer(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    shown = NoteSerializer(many=True, help_text="The first 1,000.")


class SpecificationDetailSerializer(SpecificationSerializer):
    description = serializers.CharField()
    domain = serializers.CharField(allow_null=True)
    service = serializers.CharField(allow_null=True, help_text="Slug of the service that was built from this slug.")
    tools = SpecificationToolSerializer(many=True)
    refused = RefusedToolSerializer(many=True)
    notes = RemarksSerializer(help_text="Repairs made on import.")
    lint = RemarksSerializer(help_text="What will confuse agents or builders, although nothing is broken.")

    class Meta(SpecificationSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (
            *SpecificationSerializer.Meta.fields,
            "description",
            "domain",
            "service",
            "tools",
            "refused",
            "notes",
            "lint",
        )
        read_only_fields = fields


class ToolCountsSerializer(serializers.Serializer[Any]):
    total = serializers.IntegerField(source="tool_count")
    verified = serializers.IntegerField()
    simulated = serializers.IntegerField()
    quarantined = serializers.IntegerField()


class CurrentVersionSerializer(serializers.ModelSerializer[ServiceVersion]):
    class Meta:
        model = ServiceVersion
        fields = ("number", "version_hash", "builder", "created_at")
        read_only_fields = fields


class ServiceSerializer(serializers.ModelSerializer[Service]):
    id = PublicIdField()
    origin = WordField("ServiceOrigin", Service.Origin)
    specification = ReferenceField("spec", source="specification_id")
    current = CurrentVersionSerializer(allow_null=True)
    tools = ToolCountsSerializer(source="*", help_text="Tools by status; retired ones are not counted.")
    url = serializers.CharField(source="get_absolute_url", help_text="The page for people.")

    class Meta:
        model = Service
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "slug",
            "title",
            "description",
            "domain",
            "origin",
            "specification",
            "current",
            "tools",
            "created_at",
            "updated_at",
            "url",
        )
        read_only_fields = fields


class ServiceVersionSerializer(serializers.ModelSerializer[ServiceVersion]):
    id = PublicIdField()
    report = serializers.JSONField(help_text="Summary of the verification.")
    run = ReferenceField("job", source="run_id")

    class Meta:
        model = ServiceVersion
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "number",
            "version_hash",
            "builder",
            "report",
            "run",
            "created_at",
        )
        read_only_fields = fields


class ServiceVersionDetailSerializer(ServiceVersionSerializer):
    files = serializers.DictField(child=serializers.CharField(), help_text="File name -> source text.")

    class Meta(ServiceVersionSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*ServiceVersionSerializer.Meta.fields, "files")
        read_only_fields = fields


class TableSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    noun = serializers.CharField()
    schema = serializers.DictField(help_text="JSON Schema of one record.")
    semantics = serializers.DictField(help_text="Field -> what its value means.")


class StateSchemaSerializer(serializers.Serializer[Any]):
    service = serializers.CharField()
    version_hash = serializers.CharField()
    tables = TableSerializer(many=True)


class VerifySerializer(StrictSerializer):
    slugs = serializers.ListField(
        child=serializers.SlugField(max_length=48), default=list, max_length=1_000, help_text="None means all shipped."
    )


class SampleSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    url = serializers.CharField()


class ImpactSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment] # a field, not the attribute
    count = serializers.IntegerField()
    samples = serializers.SerializerMethodField()

    @extend_schema_field(SampleSerializer(many=True))
    def get_samples(self, impact: Any) -> list[dict[str, str]]:
        return [{"text": text, "url": url} for text, url in impact.samples]


class DependantsSerializer(serializers.Serializer[Any]):
    impact = ImpactSerializer(many=True)


class ToolSerializer(serializers.ModelSerializer[Tool]):
    id = PublicIdField()
    service = serializers.CharField(source="service.slug")
    status = WordField("ToolStatus", Tool.Status)
    gate_status = WordField("ToolStatus", Tool.Status, help_text="What the gate said, before any decision.")
    url = serializers.CharField(source="get_absolute_url", help_text="The page for people.")

    class Meta:
        model = Tool
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "service",
            "name",
            "exposed",
            "position",
            "summary",
            "status",
            "gate_status",
            "reason",
            "version",
            "updated_at",
            "url",
        )
        read_only_fields = fields


class ToolDetailSerializer(ToolSerializer):
    input_schema = serializers.DictField(help_text="JSON Schema of the arguments.")

    class Meta(ToolSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*ToolSerializer.Meta.fields, "description", "input_schema")
        read_only_fields = fields


class ListingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    description = serializers.CharField()


class AgentViewSerializer(serializers.Serializer[Any]):
    visible = serializers.BooleanField(help_text="Whether agents are shown the tool at all.")
    listing = ListingSerializer(help_text="The line of `list_tools`.")
    description = serializers.DictField(help_text="The answer of `describe_tool`.")


class CheckCountsSerializer(serializers.Serializer[Any]):
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    untold = serializers.IntegerField(help_text="Checks that could not be made.")


class CheckSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    outcome = WordField("CheckOutcome", ("pass", "fail", "untold"))
    sent = AnyValueField()
    expected = serializers.CharField()
    got = AnyValueField()
    note = serializers.CharField()


class ValidationsSerializer(serializers.Serializer[Any]):
    status = WordField("ToolStatus", Tool.Status)
    gate_status = WordField("ToolStatus", Tool.Status)
    reason = serializers.CharField()
    service_version = serializers.CharField(allow_null=True, help_text="Hash of the version that was verified.")
    counts = CheckCountsSerializer()
    checks = CheckSerializer(many=True, help_text="Failing ones first, at most 60.")
    live = serializers.ListField(child=serializers.CharField(), help_text="Parameters that were seen to matter.")
    dead = serializers.ListField(child=serializers.CharField(), help_text="Parameters that changed nothing.")


class DecisionSerializer(serializers.ModelSerializer[ToolDecision]):
    id = PublicIdField()
    tool = ReferenceField("tool", source="tool_id")
    kind = WordField("DecisionKind", ToolDecision.Kind)
    before = WordField("ToolStatus", Tool.Status)
    after = WordField("ToolStatus", Tool.Status)
    stale_count = serializers.SerializerMethodField(help_text="Tasks that became stale by this decision.")
    by = serializers.CharField(source="by.username", default=None, allow_null=True)
    undoes = ReferenceField("dec", source="undoes_id")
    reason_code = serializers.CharField(help_text="Empty when none was needed.")

    class Meta:
        model = ToolDecision
        fields: ClassVar[tuple[str, ...]] = (
            "id",
            "tool",
            "kind",
            "reason_code",
            "reason",
            "before",
            "after",
            "stale_count",
            "by",
            "undoes",
            "created_at",
        )
        read_only_fields = fields

    def get_stale_count(self, decision: ToolDecision) -> int:
        return len(decision.stale_tasks)


class DecideSerializer(StrictSerializer):
    kind = WordField("DecisionAsked", ("approve", "quarantine", "simulate", "changes"))
    reason_code = WordField(
        "DecisionReason", ToolDecision.Reason, required=False, help_text="Required for a quarantine."
    )
    reason = serializers.CharField(
        default="", allow_blank=True, max_length=2_000, help_text="Required for an approval and for `other`."
    )


class TrySerializer(StrictSerializer):
    arguments = AnyValueField(default=dict, help_text="Sent as they are, valid or not.")
    seed = serializers.IntegerField(default=0, min_value=0, max_value=MAX_SEED, help_text="Seed of the fresh state.")


class TrialSerializer(serializers.Serializer[Any]):
    outcome = WordField("TrialOutcome", ("passed", "failed", "error"), source="state")
    sent = AnyValueField()
    observation = serializers.DictField(allow_null=True, help_text="What an agent sees; null for `error`.")
    changes = serializers.ListField(child=serializers.DictField(), help_text="Journal of the state.")
    coerced = serializers.ListField(child=serializers.CharField(), help_text="Arguments decoded from JSON text.")
    trouble = serializers.CharField(help_text="Why the call could not be made at all.")


class EffectProfileSerializer(serializers.Serializer[Any]):
    service_version = serializers.CharField()
    measured_at = serializers.DateTimeField()
    profile = serializers.DictField()
