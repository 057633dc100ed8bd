"""The parts of a batch: one row for each file or specification that a long run goes through."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from webapp.common import ids
from webapp.common.models import Run


class BatchItem(models.Model):
    """One file, specification, registry entry or task of a batch: who works on it, and what became of it.

    `pipelines.batch` is the only writer. An item belongs to a worker while `lane` is still held with `fence`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        WORKING = "working", _("At work")
        BUILT = "built", _("Built")
        PROVEN = "proven", _("Proven")
        IMPORTED = "imported", _("Imported")
        UPDATED = "updated", _("Updated")
        KNOWN = "known", _("Known already")
        LISTED = "listed", _("Can be imported")
        FAILED = "failed", _("Refused")

    prefix: ClassVar[str] = "item"
    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=255)
    """File name, slug, or name in the registry."""
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    content = models.BinaryField(default=bytes)
    """Bytes of a file, until it is imported."""
    lane = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    failure_kind = models.CharField(max_length=80, blank=True)
    message = models.TextField(blank=True)
    specification = models.ForeignKey(
        "services_app.Specification", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    result = models.JSONField(default=dict)
    """Figures: tools, verified, quarantined, refused tools with their reasons, addresses of a registry entry."""
    seconds = models.FloatField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("run", "position")
        indexes = (models.Index(fields=["run", "state", "position"], name="batch_item_state"),)
        constraints = (models.UniqueConstraint(fields=["run", "position"], name="batch_item_once"),)

    def __str__(self) -> str:
        return self.name

    @property
    def public_id(self) -> str:
        return ids.show(self.prefix, self.pk)


# States in which nothing more happens to an item.
SETTLED = ("built", "proven", "imported", "updated", "known", "listed", "failed")
