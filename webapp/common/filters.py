"""Filter sets: one per list, used by the page and the API alike, so that "Copy API call" is exact."""

from urllib.parse import urlencode

import django_filters  # type: ignore[import-untyped] # the library has no types
from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from webapp.common import ids
from webapp.common.models import Activity, Run
from webapp.common.run_models import LIVE, TERMINAL, RunState


class ListFilter(django_filters.BaseInFilter, django_filters.CharFilter):  # type: ignore[misc] # no types
    """`name__in=a,b`."""


class PublicIdFilter(django_filters.CharFilter):  # type: ignore[misc] # no types
    """`parent=job_…`: a prefixed id; a text that is none matches nothing."""

    def __init__(self, *, prefix: str, **options: object) -> None:
        super().__init__(**options)
        self.prefix = prefix

    def filter(self, qs: QuerySet, value: str) -> QuerySet:  # type: ignore[type-arg] # any model
        if not value:
            return qs
        try:
            return qs.filter(**{self.field_name: ids.parse(self.prefix, value)})
        except ids.IdError:
            return qs.none()


class RunFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    q = django_filters.CharFilter(label=_("Search"), method="search")
    state = django_filters.ChoiceFilter(label=_("State"), choices=RunState.choices)
    state__in = ListFilter(field_name="state", lookup_expr="in")
    live = django_filters.BooleanFilter(label=_("Live"), method="by_life")
    kind = django_filters.CharFilter(label=_("Kind"))
    kind__in = ListFilter(field_name="kind", lookup_expr="in")
    parent = PublicIdFilter(field_name="parent_id", prefix="job")
    created_by = PublicIdFilter(field_name="created_by_id", prefix="usr")
    created_at__gte = django_filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="gte")
    created_at__lt = django_filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = Run
        fields = ()

    def search(self, queryset: "QuerySet[Run]", _name: str, value: str) -> "QuerySet[Run]":
        return queryset.filter(Q(title__icontains=value) | Q(failure_message__icontains=value))

    def by_life(self, queryset: "QuerySet[Run]", _name: str, value: bool) -> "QuerySet[Run]":
        return queryset.filter(state__in=LIVE if value else TERMINAL)


class ActivityFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    q = django_filters.CharFilter(label=_("Search"), method="search")
    actor = django_filters.CharFilter(label=_("Who"), field_name="actor_name")
    verb = django_filters.CharFilter(label=_("What"))
    verb__contains = django_filters.CharFilter(field_name="verb", lookup_expr="contains")
    source = django_filters.ChoiceFilter(label=_("From"), choices=Activity.Source.choices)
    target = django_filters.CharFilter(field_name="target_id")
    target_type = django_filters.CharFilter()
    at__gte = django_filters.IsoDateTimeFilter(field_name="at", lookup_expr="gte")
    at__lt = django_filters.IsoDateTimeFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = Activity
        fields = ()

    def search(self, queryset: "QuerySet[Activity]", _name: str, value: str) -> "QuerySet[Activity]":
        return queryset.filter(Q(target_label__icontains=value) | Q(reason__icontains=value) | Q(verb__icontains=value))


def chips(filters: django_filters.FilterSet, query: "dict[str, str]") -> list[dict[str, str]]:
    """The active filters as removable chips: label, value, and the query string without each."""
    found = []
    for name, value in query.items():
        if not value or name not in filters.filters:
            continue
        rest = {key: text for key, text in query.items() if key not in (name, "cursor") and text}
        field = filters.filters[name].field
        shown = _word(field, value) if isinstance(field, forms.ChoiceField) else value
        found.append({"label": str(field.label or name), "value": str(shown), "remove_url": f"?{urlencode(rest)}"})
    return found


def _word(field: forms.ChoiceField, value: str) -> str:
    """The choice's own word for `value`."""
    words = {str(key): str(word) for key, word in field.widget.choices}
    return words.get(value, value)
