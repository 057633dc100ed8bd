"""Django's admin at /staff/, for emergencies: the product's own pages never send anybody there."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.common.models import Activity, ApiToken, Run

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:  # the class takes no parameter at run time
    Base = admin.ModelAdmin


class ReadOnly(Base):
    """To look, not to touch: runs move by their own rules, and the log is never rewritten."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(ReadOnly):
    list_display = ("title", "kind", "state", "attempt", "fence", "heartbeat_at", "worker")
    list_filter = ("state", "kind")


@admin.register(Activity)
class ActivityAdmin(ReadOnly):
    list_display = ("at", "actor_name", "verb", "target_label", "source")


@admin.register(ApiToken)
class TokenAdmin(ReadOnly):
    list_display = ("name", "user", "expires_at", "last_used_at", "revoked_at")
    exclude = ("secret_hash",)
