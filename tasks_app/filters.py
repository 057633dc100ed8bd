"""Filter sets of this app, used by pages and API alike."""

import django_filters  # type: ignore[import-untyped] # the library has no types
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tasks_app.models import Task, Trajectory
from webapp.common.filters import ListFilter, PublicIdFilter


class TaskFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    q = django_filters.CharFilter(label=_("Search"), field_name="instruction", lookup_expr="icontains")
    status = django_filters.ChoiceFilter(label=_("Status"), choices=Task.Status.choices)
    status__in = ListFilter(field_name="status", lookup_expr="in")
    k = django_filters.NumberFilter(label=_("K"), field_name="needed_count")
    length = django_filters.NumberFilter(label=_("L"), field_name="walk_length")
    tag = django_filters.CharFilter(label=_("Tag"), method="by_tag")
    service = django_filters.CharFilter(label=_("Service"), method="by_service")
    run = PublicIdFilter(label=_("Job"), field_name="run_id", prefix="job")
    id = PublicIdFilter(label=_("Task"), field_name="id", prefix="task")

    class Meta:
        model = Task
        fields = ()

    def by_tag(self, queryset: "QuerySet[Task]", _name: str, value: str) -> "QuerySet[Task]":
        return queryset.filter(tags__contains=[value])

    def by_service(self, queryset: "QuerySet[Task]", _name: str, value: str) -> "QuerySet[Task]":
        return queryset.filter(mounted__service__slug=value, mounted__role="needed")


class TrajectoryFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    status = django_filters.ChoiceFilter(label=_("Outcome"), choices=Trajectory.Status.choices)
    status__in = ListFilter(field_name="status", lookup_expr="in")
    policy = django_filters.CharFilter(label=_("Policy"))
    stop_reason = django_filters.CharFilter(label=_("Stopped by"))
    task__status = django_filters.ChoiceFilter(label=_("Task"), choices=Task.Status.choices)
    score__gte = django_filters.NumberFilter(field_name="score", lookup_expr="gte")
    task = PublicIdFilter(label=_("Task"), field_name="task_id", prefix="task")
    run = PublicIdFilter(label=_("Job"), field_name="run_id", prefix="job")
    group = PublicIdFilter(label=_("Group"), field_name="group_id", prefix="grp")

    class Meta:
        model = Trajectory
        fields = ()
