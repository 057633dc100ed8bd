"""What the services show on Home: how much can be trusted, and what a curator should look at."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Min, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from services_app import selectors
from services_app.models import Service, Tool
from webapp.common import panels
from webapp.common.models import User
from webapp.common.roles import Role


def _services(_request: HttpRequest) -> dict[str, Any]:
    """One row per origin: services, tools, and the tools by provenance."""
    trusted = (Tool.Status.VERIFIED, Tool.Status.SIMULATED, Tool.Status.QUARANTINED)
    counted = {status.value: Count("tools", filter=Q(tools__status=status)) for status in trusted}
    rows = (
        Service.objects.filter(current__isnull=False)
        .values("origin")
        .annotate(services=Count("pk", distinct=True), **counted)
        .order_by("-origin")
    )
    labels = dict(Service.Origin.choices)
    found: list[dict[str, Any]] = [dict(row) for row in rows]
    for row in found:
        row["label"], row["tools"] = labels[row["origin"]], sum(row[status] for status in counted)
    return {"rows": found}


def _turns(user: User) -> list[panels.Turn]:
    """Tools that the gate quarantined and nobody has looked at."""
    if not user.has_role(Role.CURATOR):
        return []
    found = selectors.tools_to_review().aggregate(count=Count("pk"), oldest=Min("updated_at"))
    return [panels.Turn(_("Quarantined tools to look at"), found["count"], reverse("review-next"), found["oldest"])]


def _any_service() -> bool:
    return Service.objects.filter(current__isnull=False).exists()


panels.register_card(panels.Card("services", _("Services"), "home/card_services.html", _services, 20))
panels.register_turn("services", _turns)
panels.register_step(
    panels.Step("services", _("Verify the shipped services, or import one"), "/services/", _any_service, 10)
)
