"""People, tokens and the activity log. Runs live in `run_models`, imported here so that Django finds them."""

from datetime import datetime
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from webapp.common import ids
from webapp.common.roles import Role, Scope
from webapp.common.run_models import Run, RunEvent

__all__ = ["Activity", "ApiToken", "IdempotentReply", "Run", "RunEvent", "User"]


class Theme(models.TextChoices):
    AUTO = "auto", _("Same as system")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Density(models.TextChoices):
    COMPACT = "compact", _("Compact")
    COMFORTABLE = "comfortable", _("Comfortable")


class Language(models.TextChoices):
    ENGLISH = "en", "English"
    CHINESE = "zh-hans", "简体中文"


def default_roles() -> list[str]:
    return [Role.VIEWER.value]


class User(AbstractUser):
    prefix: ClassVar[str] = "usr"

    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)
    roles = ArrayField(models.CharField(max_length=16, choices=Role.choices), default=default_roles)
    language = models.CharField(max_length=10, choices=Language.choices, default=Language.ENGLISH)
    theme = models.CharField(max_length=8, choices=Theme.choices, default=Theme.AUTO)
    density = models.CharField(max_length=12, choices=Density.choices, default=Density.COMPACT)
    shortcuts_enabled = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=1)

    class Meta(AbstractUser.Meta):
        constraints = (models.CheckConstraint(condition=Q(roles__contained_by=Role.values), name="user_roles_known"),)

    @property
    def public_id(self) -> str:
        return ids.show(self.prefix, self.pk)

    @property
    def label(self) -> str:
        return self.get_full_name() or self.username

    @property
    def preferences(self) -> dict[str, str]:
        """What the page shell reads where the browser has no cookie of its own."""
        keys = "on" if self.shortcuts_enabled else "off"
        return {"theme": self.theme, "density": self.density, "keys": keys}

    def has_role(self, *wanted: str) -> bool:
        """Whether the user holds one of the wanted roles; admins hold all of them."""
        return self.is_active and (Role.ADMIN in self.roles or any(role in self.roles for role in wanted))


def default_scopes() -> list[str]:
    return [Scope.CATALOG_READ.value, Scope.JOBS_READ.value]


class ApiToken(models.Model):
    """A bearer token. Only a peppered hash of the secret is kept; see `tokens`."""

    prefix: ClassVar[str] = "tok"

    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    secret_hash = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=24, choices=Scope.choices), default=default_scopes)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(condition=Q(scopes__contained_by=Scope.values), name="token_scopes_known"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def public_id(self) -> str:
        return ids.show(self.prefix, self.pk)

    def is_usable(self, now: datetime) -> bool:
        return self.revoked_at is None and self.expires_at > now


class Activity(models.Model):
    """One mutation: who, what, before, after, why, and from where. Written by `activity.record` only."""

    class Source(models.TextChoices):
        BROWSER = "browser", _("Browser")
        TOKEN = "token", _("Token")
        JOB = "job", _("Job")
        COMMAND = "command", _("Command")

    prefix: ClassVar[str] = "act"

    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)
    at = models.DateTimeField(db_index=True)
    actor = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    actor_name = models.CharField(max_length=150, blank=True)
    token = models.ForeignKey(ApiToken, null=True, on_delete=models.SET_NULL, related_name="+")
    source = models.CharField(max_length=8, choices=Source.choices)
    verb = models.CharField(max_length=60)
    target_type = models.CharField(max_length=60)
    target_id = models.CharField(max_length=80)
    target_label = models.CharField(max_length=200)
    target_url = models.CharField(max_length=400, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("-id",)
        indexes = (
            models.Index(fields=["target_type", "target_id", "-id"]),
            models.Index(fields=["actor", "-id"]),
        )

    def __str__(self) -> str:
        return f"{self.verb} {self.target_label}"

    @property
    def public_id(self) -> str:
        return ids.show(self.prefix, self.pk)


class IdempotentReply(models.Model):
    """First reply to a POST that carried an Idempotency-Key; kept for 24 hours per caller and path."""

    id = models.UUIDField(primary_key=True, default=ids.uuid7, editable=False)
    caller = models.CharField(max_length=80)
    path = models.CharField(max_length=400)
    key = models.CharField(max_length=255)
    body_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_index=True)
    # Empty while the first request is still being answered.
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    headers = models.JSONField(default=dict)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["caller", "path", "key"], name="idempotent_reply_once"),)

    def __str__(self) -> str:
        return f"{self.path} {self.key}"
