"""Specifications, the services made from them, their tools and what was decided about them."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from services_app.batch_models import BatchItem  # noqa: F401 - Django finds models here
from services_app.specs.model import Specification as SpecificationValue
from webapp.common import ids
from webapp.common.models import Run


class Identified(models.Model):
    """Base: a time-ordered id, shown outside with the prefix of its kind."""

    prefix: ClassVar[str] = ""
    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)

    class Meta:
        abstract = True

    @property
    def public_id(self) -> str:
        return ids.show(self.prefix, self.pk)


class Specification(Identified):
    """One imported specification. Never changed: importing other content makes another row."""

    prefix: ClassVar[str] = "spec"
    slug = models.SlugField(max_length=48, db_index=True)
    title = models.CharField(max_length=200)
    source_kind = models.CharField(max_length=8)
    source_locator = models.CharField(max_length=500, blank=True)
    content_hash = models.CharField(max_length=32)
    # Text, not jsonb: the order of properties matters to readers and builders.
    content = models.TextField()
    tool_count = models.PositiveIntegerField()
    refused_count = models.PositiveIntegerField()
    lint = models.JSONField(default=dict)
    """Report of the linter: score of the whole, findings by tool."""
    replaces = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="replaced_by")
    """What was known under this slug before."""
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=["slug", "content_hash"], name="specification_content_once"),)

    def __str__(self) -> str:
        return self.title

    def value(self) -> SpecificationValue:
        return SpecificationValue.model_validate_json(self.content)


class Service(Identified):
    """A simulated application. What it is now is its current version."""

    class Origin(models.TextChoices):
        LIBRARY = "library", _("Shipped library")
        BUILT = "built", _("Built from a specification")

    prefix: ClassVar[str] = "svc"
    slug = models.SlugField(max_length=48, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    domain = models.CharField(max_length=60, db_index=True)
    origin = models.CharField(max_length=8, choices=Origin.choices)
    specification = models.ForeignKey(Specification, null=True, on_delete=models.PROTECT, related_name="services")
    current = models.ForeignKey("ServiceVersion", null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("service", args=[self.slug])


class ServiceVersion(Identified):
    """One immutable version: source text, state schema, verification report."""

    prefix: ClassVar[str] = "svcv"
    service = models.ForeignKey(Service, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    version_hash = models.CharField(max_length=32, db_index=True)
    builder = models.CharField(max_length=40)
    made_with = models.CharField(max_length=16, blank=True)
    """Fingerprint of builder and gate: the same content with the same code needs no second build."""
    files = models.JSONField(default=dict)
    """File name -> source text."""
    description = models.JSONField(default=dict)
    """`ServiceInfo` as JSON: tools and tables as agents and authors see them."""
    report = models.JSONField(default=dict)
    """VerificationReport as JSON."""
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=["service", "number"], name="service_version_number"),
            models.UniqueConstraint(fields=["service", "version_hash"], name="service_version_once"),
        )

    def __str__(self) -> str:
        return f"{self.service.slug} v{self.number}"


class Tool(Identified):
    """One tool of a service's current version, and how far it can be trusted."""

    class Status(models.TextChoices):
        IN_VALIDATION = "in_validation", _("In validation")
        VERIFIED = "verified", _("Verified")
        SIMULATED = "simulated", _("Simulated")
        QUARANTINED = "quarantined", _("Quarantined")
        RETIRED = "retired", _("Retired")

    prefix: ClassVar[str] = "tool"
    service = models.ForeignKey(Service, on_delete=models.CASCADE, related_name="tools")
    name = models.CharField(max_length=200)
    exposed = models.CharField(max_length=64)
    position = models.PositiveIntegerField(default=0)
    summary = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    schema_text = models.TextField(default="{}")
    """Input schema as JSON text (jsonb would lose the order of properties)."""
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.IN_VALIDATION, db_index=True)
    gate_status = models.CharField(max_length=16, choices=Status.choices, default=Status.IN_VALIDATION)
    """What the gate said; `status` may differ after a curator's decision."""
    reason = models.TextField(blank=True)
    evidence = models.JSONField(default=dict)
    """Checks of the last verification: counts, failing cases first."""
    lint_score = models.PositiveSmallIntegerField(null=True)
    """0 to 100, of the specification of this tool; null for shipped services."""
    live = models.PositiveSmallIntegerField(default=0)
    """Parameters whose change was seen to change the observation or the state."""
    dead = models.PositiveSmallIntegerField(default=0)
    """Parameters without any effect and without a stated reason."""
    inert = models.PositiveSmallIntegerField(default=0)
    """Parameters that the builder declares to have no effect, with the reason."""
    mutants_planted = models.PositiveSmallIntegerField(default=0)
    mutants_killed = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("service", "position", "name")
        constraints = (
            models.UniqueConstraint(fields=["service", "name"], name="tool_name_once"),
            models.UniqueConstraint(fields=["service", "exposed"], name="tool_exposed_once"),
        )

    def __str__(self) -> str:
        return self.exposed

    def get_absolute_url(self) -> str:
        return reverse("tool", args=[self.service.slug, self.exposed])

    @property
    def tried(self) -> int:
        """Parameters whose effect could be tried."""
        return self.live + self.dead + self.inert

    @property
    def input_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = json.loads(self.schema_text)
        return schema


class ToolDecision(Identified):
    """A curator's decision about a tool. Undo is a decision too, pointing at what it took back."""

    class Kind(models.TextChoices):
        APPROVE = "approve", _("Approve")
        QUARANTINE = "quarantine", _("Quarantine")
        SIMULATE = "simulate", _("Simulate")
        CHANGES = "changes", _("Request changes")
        UNDO = "undo", _("Undo")

    class Reason(models.TextChoices):
        WRONG_CHANGE = "wrong_state_change", _("Wrong state change")
        SCHEMA = "schema_mismatch", _("Schema or type mismatch")
        NOT_DETERMINISTIC = "not_deterministic", _("Not deterministic")
        ERROR_HANDLING = "missing_error_handling", _("Missing error handling")
        OUTSIDE = "outside_system", _("Depends on an outside system")
        STRICT = "check_too_strict", _("The check asks for too much")
        SPECIFICATION = "specification_unclear", _("The specification allows it")
        HARMLESS = "harmless", _("True, but harmless")
        OTHER = "other", _("Other")

    prefix: ClassVar[str] = "dec"
    tool = models.ForeignKey(Tool, on_delete=models.CASCADE, related_name="decisions")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    reason_code = models.CharField(max_length=24, choices=Reason.choices, blank=True)
    reason = models.TextField(blank=True)
    before = models.CharField(max_length=16)
    after = models.CharField(max_length=16)
    stale_tasks = models.JSONField(default=list)
    """Ids of the tasks that this decision made stale, so that undo restores exactly those."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    seen = models.ForeignKey(ServiceVersion, null=True, on_delete=models.SET_NULL, related_name="+")
    """Version that the decision was about: what changed since is shown at the next one."""
    bulk = models.ForeignKey("BulkDecision", null=True, on_delete=models.CASCADE, related_name="decisions")
    undoes = models.OneToOneField("self", null=True, on_delete=models.CASCADE, related_name="undone_by")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.kind} {self.tool_id}"


class BulkDecision(Identified):
    """One decision over everything that matched a filter; taken back as a whole."""

    prefix: ClassVar[str] = "bulk"
    kind = models.CharField(max_length=12, choices=ToolDecision.Kind.choices)
    reason_code = models.CharField(max_length=24, choices=ToolDecision.Reason.choices, blank=True)
    reason = models.TextField(blank=True)
    filter = models.JSONField(default=dict)
    """What was asked for: the query of the list, and ids that were taken out of it."""
    count = models.PositiveIntegerField()
    stale = models.JSONField(default=list)
    """Ids of what this decision made stale, so that undo restores exactly those."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    undone_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.kind} {self.count} tools"


class AdversarialCase(Identified):
    """A call with what must come of it, kept by a curator: every later verification runs it too."""

    prefix: ClassVar[str] = "case"
    service = models.ForeignKey(Service, on_delete=models.CASCADE, related_name="cases")
    tool = models.CharField(max_length=200)
    """Original name, which outlives versions."""
    before = models.JSONField(default=list)
    """Calls made first: [[tool, arguments], ...]."""
    arguments = models.JSONField()
    expected = models.JSONField()
    """{"outcome": "success" | "refused", "code"?: int, "contains"?: JSON value, "unchanged"?: bool}."""
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.tool}: {self.expected.get('outcome', '')}"


class ModelSession(Identified):
    """One conversation of a model at work, whatever its role. Its turns are the transcript."""

    class Role(models.TextChoices):
        BUILDER = "builder", _("Builder")
        ADVERSARY = "adversary", _("Adversary")
        SIMULATOR = "simulator", _("World model")
        AUTHOR = "author", _("Author")
        REPHRASER = "rephraser", _("Rephraser")

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        STOPPED = "stopped", _("Stopped by a limit")
        FAILED = "failed", _("Failed")

    prefix: ClassVar[str] = "sess"
    role = models.CharField(max_length=12, choices=Role.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    ended = models.TextField(blank=True)
    """Why it ended, in words."""
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    slug = models.SlugField(max_length=48, db_index=True, blank=True)
    """Service that it is about; "" when it is about an item of a batch."""
    item = models.ForeignKey("services_app.BatchItem", null=True, on_delete=models.SET_NULL, related_name="sessions")
    """Item of a batch that it is about: a task to be written."""
    specification = models.ForeignKey(Specification, null=True, on_delete=models.SET_NULL, related_name="sessions")
    model = models.CharField(max_length=200)
    limits = models.JSONField(default=dict)
    turns = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    """In US dollars; null when the price of the model is not known."""
    work = models.JSONField(default=dict)
    """What it has made so far, so that it can go on: files, results of the gate."""
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.role} {self.subject}"

    @property
    def subject(self) -> str:
        """Name of what it is about."""
        return self.slug or (self.item.name if self.item else "")


class ModelTurn(models.Model):
    """One message of a session, as sent or received."""

    session = models.ForeignKey(ModelSession, on_delete=models.CASCADE, related_name="transcript")
    number = models.PositiveIntegerField()
    message = models.JSONField()
    """OpenAI form: role, content, tool_calls or tool_call_id."""
    raw = models.JSONField(null=True)
    """The reply as the provider sent it, where it differs."""
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    note = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("session", "number")
        constraints = (models.UniqueConstraint(fields=["session", "number"], name="model_turn_once"),)

    def __str__(self) -> str:
        return f"{self.session_id} {self.number}"


class SimulatedCall(Identified):
    """What a world model answered once: the same call on the same state is answered the same for ever."""

    prefix: ClassVar[str] = "sim"
    key = models.CharField(max_length=64, unique=True)
    """Hash of (version of the service, hash of its state, tool, arguments)."""
    slug = models.SlugField(max_length=48, db_index=True)
    version_hash = models.CharField(max_length=32, db_index=True)
    tool = models.CharField(max_length=200)
    state_hash = models.CharField(max_length=64)
    arguments = models.JSONField()
    observation = models.JSONField()
    update = models.JSONField(default=list)
    """Changes of the state: [[table, id, fields | null], ...]."""
    model = models.CharField(max_length=200)
    attempts = models.PositiveSmallIntegerField(default=1)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    uses = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.slug} {self.tool}"


class EffectProfile(Identified):
    """Measured effects of a service's tools, cached by the content hash of the service."""

    prefix: ClassVar[str] = "prof"
    version_hash = models.CharField(max_length=32, unique=True)
    slug = models.SlugField(max_length=48)
    profile = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug
