"""Filter sets of this app: what may enter a dataset, and the lists of datasets, exports and runs."""

from typing import Any

import django_filters  # type: ignore[import-untyped] # the library has no types
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tasks_app.filters import TaskFilter, TrajectoryFilter
from tasks_app.models import Task, Trajectory
from training_app.models import Dataset, Evaluation, Experiment, Export, TrainingRun
from webapp.common.filters import PublicIdFilter
from webapp.common.run_models import RunState


class TrajectorySelection(TrajectoryFilter):
    """Which trajectories enter a dataset of kind sft."""

    policy__contains = django_filters.CharFilter(field_name="policy", lookup_expr="contains")
    simulated_share__lte = django_filters.NumberFilter(field_name="simulated_share", lookup_expr="lte")
    k = django_filters.NumberFilter(field_name="task__needed_count")
    length = django_filters.NumberFilter(field_name="task__walk_length")
    service = django_filters.CharFilter(method="by_service")
    tag = django_filters.CharFilter(method="by_tag")

    class Meta:
        model = Trajectory
        fields = ()

    def by_service(self, queryset: "QuerySet[Trajectory]", _name: str, value: str) -> "QuerySet[Trajectory]":
        tasks = Task.objects.filter(mounted__service__slug=value, mounted__role="needed")
        return queryset.filter(task__in=tasks)

    def by_tag(self, queryset: "QuerySet[Trajectory]", _name: str, value: str) -> "QuerySet[Trajectory]":
        return queryset.filter(task__tags__contains=[value])


class TaskSelection(TaskFilter):
    """Which tasks enter a dataset of kind rl."""

    simulated_share__lte = django_filters.NumberFilter(field_name="simulated_share", lookup_expr="lte")
    author = django_filters.CharFilter()

    class Meta:
        model = Task
        fields = ()


SELECTIONS: dict[str, Any] = {Dataset.Kind.SFT: TrajectorySelection, Dataset.Kind.RL: TaskSelection}


class DatasetFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    q = django_filters.CharFilter(label=_("Search"), method="search")
    kind = django_filters.ChoiceFilter(label=_("Kind"), choices=Dataset.Kind.choices)

    class Meta:
        model = Dataset
        fields = ()

    def search(self, queryset: "QuerySet[Dataset]", _name: str, value: str) -> "QuerySet[Dataset]":
        return queryset.filter(Q(slug__icontains=value) | Q(title__icontains=value))


class ExportFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    format = django_filters.ChoiceFilter(choices=Export.Format.choices)
    dataset = django_filters.CharFilter(field_name="dataset_version__dataset__slug")

    class Meta:
        model = Export
        fields = ()


class TrainingFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    method = django_filters.ChoiceFilter(choices=TrainingRun.Method.choices)
    preset = django_filters.CharFilter()
    state = django_filters.ChoiceFilter(field_name="run__state", choices=RunState.choices)
    dataset = django_filters.CharFilter(field_name="dataset_version__dataset__slug")

    class Meta:
        model = TrainingRun
        fields = ()


class ExperimentFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    preset = django_filters.CharFilter()
    state = django_filters.ChoiceFilter(field_name="run__state", choices=RunState.choices)

    class Meta:
        model = Experiment
        fields = ()


class EvaluationFilter(django_filters.FilterSet):  # type: ignore[misc] # no types
    training_run = PublicIdFilter(field_name="training_run_id", prefix="trn")
    dataset = django_filters.CharFilter(field_name="dataset_version__dataset__slug")
    split = django_filters.CharFilter()

    class Meta:
        model = Evaluation
        fields = ()
