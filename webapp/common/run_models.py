"""`Run`: one execution of a long pipeline; Postgres is the truth, messages only carry its id.

States and who moves them (`runs` is the only writer):

    queued -> starting -> running -> succeeded | failed
                 |           `-> cancelling -> cancelled
                 `-> (worker lost) queued | interrupted | failed
    failed, cancelled, interrupted -> (resume) queued
"""

from collections.abc import Iterable
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.common import clean, ids


class RunState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    STARTING = "starting", _("Starting")
    RUNNING = "running", _("Running")
    CANCELLING = "cancelling", _("Cancelling")
    SUCCEEDED = "succeeded", _("Succeeded")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")
    INTERRUPTED = "interrupted", _("Interrupted")


class CancelMode(models.TextChoices):
    NONE = "", _("Not asked")
    KEEP = "keep", _("Stop and keep")
    NOW = "now", _("Stop now")


# Plain strings, so that constraints in migrations hold values and not enum members.
CLAIMED = ("starting", "running", "cancelling")
TERMINAL = ("succeeded", "failed", "cancelled", "interrupted")
LIVE = ("queued", *CLAIMED)


def _iff(name: str, left: Q, right: Q) -> models.CheckConstraint:
    return models.CheckConstraint(condition=(left & right) | (~left & ~right), name=name)


def _one_of(name: str, field: str, values: Iterable[str]) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(**{f"{field}__in": list(values)}), name=name)


class Run(models.Model):
    State: ClassVar[type[RunState]] = RunState
    prefix: ClassVar[str] = "job"

    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.QUEUED)
    queue = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    result = models.JSONField(default=dict, blank=True)

    phase = models.CharField(max_length=120, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    unit = models.CharField(max_length=40, blank=True)

    failure_kind = models.CharField(max_length=80, blank=True)
    failure_message = models.TextField(blank=True)

    attempt = models.PositiveIntegerField(default=0, help_text="Executions so far.")
    max_attempts = models.PositiveIntegerField(default=1, help_text="Executions before a lost worker ends the run.")
    resumable = models.BooleanField(default=True)
    # The fence grows with every claim: a writer that holds an older number is refused.
    fence = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)
    priority = models.SmallIntegerField(default=0, help_text="Higher comes first in its queue; equals by age.")
    send_at = models.DateTimeField(null=True, blank=True, help_text="When the sweep sends the message again.")
    cancel_mode = models.CharField(max_length=4, choices=CancelMode.choices, blank=True, default=CancelMode.NONE)
    cancel_asked_at = models.DateTimeField(null=True, blank=True)

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="runs")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ("-id",)
        indexes = (
            models.Index(fields=["state", "-id"]),
            models.Index(fields=["kind", "-id"]),
            models.Index(fields=["lease_until"], condition=Q(state__in=CLAIMED), name="run_lease"),
            models.Index(fields=["send_at"], condition=Q(state="queued"), name="run_send"),
        )
        constraints = (
            _one_of("run_state_known", "state", RunState.values),
            _one_of("run_cancel_mode_known", "cancel_mode", CancelMode.values),
            _iff("run_finished_iff_terminal", Q(finished_at__isnull=False), Q(state__in=TERMINAL)),
            _iff("run_lease_iff_claimed", Q(lease_until__isnull=False), Q(state__in=CLAIMED)),
            _iff("run_send_iff_queued", Q(send_at__isnull=False), Q(state="queued")),
            _iff("run_failure_iff_failed", ~Q(failure_kind=""), Q(state__in=("failed", "interrupted"))),
            models.CheckConstraint(
                condition=~Q(state__in=("cancelling", "cancelled")) | ~Q(cancel_mode=""),
                name="run_cancel_was_asked",
            ),
            models.CheckConstraint(condition=Q(attempt__gte=1) | ~Q(state__in=CLAIMED), name="run_claimed_counts"),
            models.CheckConstraint(condition=Q(attempt__lte=F("fence")), name="run_fence_per_attempt"),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def label(self) -> str:
        """The title for places that take plain text only, such as the window's title."""
        return clean.line(self.title, 200)

    def get_absolute_url(self) -> str:
        return reverse("jobs:detail", args=[self.pk])

    @property
    def public_id(self) -> str:
        return ids.show(self.prefix, self.pk)

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_finished(self) -> bool:
        return self.state in TERMINAL

    @property
    def can_cancel(self) -> bool:
        return self.state in ("queued", "starting", "running") or (
            self.state == RunState.CANCELLING and self.cancel_mode == CancelMode.KEEP
        )

    @property
    def can_resume(self) -> bool:
        return self.resumable and self.state in ("failed", "cancelled", "interrupted")

    @property
    def can_move(self) -> bool:
        """Whether its place in the queue can still be changed."""
        return self.state == RunState.QUEUED

    @property
    def can_retry(self) -> bool:
        return self.state in ("failed", "cancelled", "interrupted")

    @property
    def percent(self) -> int | None:
        """Share done in whole percent, or None while the total is unknown."""
        return min(100, self.done * 100 // self.total) if self.total else None


class RunEvent(models.Model):
    class Level(models.TextChoices):
        INFO = "info", _("Info")
        WARNING = "warning", _("Warning")
        ERROR = "error", _("Error")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    level = models.CharField(max_length=8, choices=Level.choices, default=Level.INFO)
    message = models.TextField()
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = (
            "run",
            "seq",
        )
        constraints = (models.UniqueConstraint(fields=["run", "seq"], name="run_event_seq_once"),)

    def __str__(self) -> str:
        return self.message

    @property
    def data_text(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.data.items() if value not in ("", None))
