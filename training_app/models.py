"""Datasets and exports, training runs with their metrics, evaluations."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from services_app.models import Identified
from tasks_app.models import Task, Trajectory
from webapp.common.models import Run


class Dataset(Identified):
    """A named selection; what it holds is frozen in its versions."""

    class Kind(models.TextChoices):
        SFT = "sft", _("SFT trajectories")
        RL = "rl", _("RL tasks")

    prefix: ClassVar[str] = "ds"
    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=4, choices=Kind.choices)
    query = models.JSONField(default=dict)
    """The filter it was made from, in the words of the REST API."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("dataset", args=[self.slug])


class DatasetVersion(Identified):
    """A frozen version: members, splits, figures. Never changed."""

    prefix: ClassVar[str] = "dsv"
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    split_seed = models.BigIntegerField(default=0)
    stats = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=["dataset", "number"], name="dataset_version_number"),)

    def __str__(self) -> str:
        return f"{self.dataset.slug} v{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("dataset-version", args=[self.dataset.slug, self.number])


class DatasetMember(models.Model):
    """One row of a version: a trajectory (SFT) or a task (RL), and its split."""

    class Split(models.TextChoices):
        TRAIN = "train", _("Train")
        VALIDATION = "validation", _("Validation")
        TEST = "test", _("Test")

    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.CASCADE, related_name="members")
    position = models.PositiveIntegerField()
    split = models.CharField(max_length=12, choices=Split.choices)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="dataset_members")
    trajectory = models.ForeignKey(Trajectory, null=True, on_delete=models.PROTECT, related_name="dataset_members")

    class Meta:
        ordering = ("dataset_version", "position")
        constraints = (models.UniqueConstraint(fields=["dataset_version", "position"], name="dataset_member_once"),)

    def __str__(self) -> str:
        return f"{self.dataset_version_id} #{self.position}"


class Export(Identified):
    """Files made from a dataset version; complete only when `manifest` is set."""

    prefix: ClassVar[str] = "exp"
    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=12)
    directory = models.CharField(max_length=500)
    manifest = models.JSONField(null=True)
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="exports")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.format} of {self.dataset_version_id}"

    def get_absolute_url(self) -> str:
        return reverse("export", args=[self.pk])


class TrainingRun(Identified):
    """What a run of kind sft or grpo trains: config, data, process, checkpoints."""

    prefix: ClassVar[str] = "trn"
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="training")
    method = models.CharField(max_length=8)
    preset = models.CharField(max_length=40)
    config = models.JSONField()
    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="training_runs")
    start_from = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="continued_by")
    directory = models.CharField(max_length=500)
    process = models.JSONField(null=True)
    """Identity of the trainer process: pid and start time."""
    preflight = models.JSONField(null=True)
    checkpoints = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.method} {self.preset}"


class Metric(models.Model):
    """One value of one metric at one step. After a resume a step may come twice: the last wins."""

    training_run = models.ForeignKey(TrainingRun, on_delete=models.CASCADE, related_name="metrics")
    name = models.CharField(max_length=120)
    step = models.PositiveIntegerField()
    value = models.FloatField()

    class Meta:
        ordering = ("training_run", "name", "step")
        constraints = (models.UniqueConstraint(fields=["training_run", "name", "step"], name="metric_once_per_step"),)

    def __str__(self) -> str:
        return f"{self.name} at {self.step}"


class Evaluation(Identified):
    """A policy or checkpoint judged on the tasks of a frozen split."""

    prefix: ClassVar[str] = "eval"
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="evaluation")
    subject = models.CharField(max_length=200)
    training_run = models.ForeignKey(TrainingRun, null=True, on_delete=models.CASCADE, related_name="evaluations")
    checkpoint = models.CharField(max_length=200, blank=True)
    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="evaluations")
    split = models.CharField(max_length=12)
    rollouts_per_task = models.PositiveIntegerField(default=1)
    results = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.subject
