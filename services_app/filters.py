"""Filter sets of this app, used by pages and API alike."""

import django_filters  # type: ignore[import-untyped] # the library has no types
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from services_app.models import ModelSession, Service, Tool
from webapp.common.filters import ListFilter, PublicIdFilter


class ServiceFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    q = django_filters.CharFilter(label=_("Search"), method="search")
    domain = django_filters.CharFilter(label=_("Domain"))
    origin = django_filters.ChoiceFilter(label=_("Origin"), choices=Service.Origin.choices)
    tool_status = django_filters.ChoiceFilter(label=_("Has tools"), choices=Tool.Status.choices, method="by_tools")

    class Meta:
        model = Service
        fields = ()

    def search(self, queryset: "QuerySet[Service]", _name: str, value: str) -> "QuerySet[Service]":
        return queryset.filter(Q(slug__icontains=value) | Q(title__icontains=value) | Q(description__icontains=value))

    def by_tools(self, queryset: "QuerySet[Service]", _name: str, value: str) -> "QuerySet[Service]":
        return queryset.filter(pk__in=Tool.objects.filter(status=value).values("service"))


class ToolFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    q = django_filters.CharFilter(label=_("Search"), method="search")
    status = django_filters.ChoiceFilter(label=_("Status"), choices=Tool.Status.choices)
    status__in = ListFilter(field_name="status", lookup_expr="in")
    service = django_filters.CharFilter(label=_("Service"), field_name="service__slug")
    reason = django_filters.CharFilter(label=_("Reason holds"), lookup_expr="icontains")
    name__contains = django_filters.CharFilter(field_name="name", lookup_expr="contains")

    class Meta:
        model = Tool
        fields = ()

    def search(self, queryset: "QuerySet[Tool]", _name: str, value: str) -> "QuerySet[Tool]":
        return queryset.filter(Q(exposed__icontains=value) | Q(summary__icontains=value))


class SessionFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    service = django_filters.CharFilter(label=_("Service"), field_name="slug")
    role = django_filters.ChoiceFilter(label=_("Role"), choices=ModelSession.Role.choices)
    state = django_filters.ChoiceFilter(label=_("State"), choices=ModelSession.State.choices)
    run = PublicIdFilter(label=_("Job"), field_name="run_id", prefix="job")

    class Meta:
        model = ModelSession
        fields = ()
