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
    shares = models.JSONField(default=dict)
    """Split -> wanted share of the rows."""
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
    family = models.CharField(max_length=16)
    """Tasks of one family never lie in two splits."""
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="dataset_members")
    trajectory = models.ForeignKey(Trajectory, null=True, on_delete=models.PROTECT, related_name="dataset_members")

    class Meta:
        ordering = ("dataset_version", "position")
        constraints = (models.UniqueConstraint(fields=["dataset_version", "position"], name="dataset_member_once"),)
        indexes = (models.Index(fields=["dataset_version", "split", "position"], name="dataset_member_split"),)

    def __str__(self) -> str:
        return f"{self.dataset_version_id} #{self.position}"


class Export(Identified):
    """Files made from a dataset version; complete only when `manifest` is set."""

    class Format(models.TextChoices):
        SFT = "sft", _("SFT records, NDJSON")
        SFT_PARQUET = "sft-parquet", _("SFT records, Parquet")
        WIRE = "wire", _("Chat messages as APIs take them, NDJSON")
        TRAJECTORIES = "trajectories", _("Whole trajectories with their steps, NDJSON")
        TASKS = "tasks", _("Task artifacts, NDJSON")
        PROMPTS = "prompts", _("Prompts for reinforcement learning, NDJSON")

    prefix: ClassVar[str] = "exp"
    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=12, choices=Format.choices)
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


class Supervised(Identified):
    """A process that works in a run directory under a run, and how far its files were read."""

    process = models.JSONField(null=True, blank=True)
    """Identity of the process while it may be running: pid, start time, boot."""
    tailed = models.JSONField(default=dict, blank=True)
    """File name -> bytes that were read into the database."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Identified.Meta):
        abstract = True


class TrainingRun(Supervised):
    """What a run of kind sft or grpo trains: config, data, process, checkpoints."""

    class Method(models.TextChoices):
        SFT = "sft", _("Supervised fine-tuning")
        GRPO = "grpo", _("Reinforcement learning (GRPO)")

    prefix: ClassVar[str] = "trn"
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="training")
    method = models.CharField(max_length=8, choices=Method.choices)
    preset = models.CharField(max_length=40)
    overrides = models.JSONField(default=dict)
    """Fields that differ from the preset."""
    config = models.JSONField(default=dict)
    """The whole configuration as it was launched."""
    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="training_runs")
    base = models.CharField(max_length=500)
    """Where the weights come from: "tiny", a directory or hub name, or "run"."""
    start_from = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="continued_by")
    start_checkpoint = models.CharField(max_length=60, blank=True)
    mode = models.CharField(max_length=8, default="meta")
    """How tools are offered: meta or direct."""
    hours = models.FloatField(null=True)
    """Stop and keep after so long; null = no limit."""
    preflight = models.JSONField(null=True)
    checkpoints = models.JSONField(default=list)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.get_method_display()}, {self.preset}"

    def get_absolute_url(self) -> str:
        return self.run.get_absolute_url()


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


class Evaluation(Supervised):
    """A checkpoint or policy judged on the tasks of a frozen split."""

    prefix: ClassVar[str] = "eval"
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="evaluation")
    subject = models.CharField(max_length=200)
    """Name of a policy or model, or "checkpoint"."""
    training_run = models.ForeignKey(TrainingRun, null=True, on_delete=models.CASCADE, related_name="evaluations")
    checkpoint = models.CharField(max_length=60, blank=True)
    dataset_version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="evaluations")
    split = models.CharField(max_length=12, choices=DatasetMember.Split.choices)
    rollouts_per_task = models.PositiveIntegerField(default=1)
    temperature = models.FloatField(default=0.0)
    seed = models.BigIntegerField(default=0)
    mode = models.CharField(max_length=8, default="meta")
    seen_tasks = models.PositiveIntegerField(default=0)
    """Tasks of the split whose family the checkpoint was trained on."""
    results = models.JSONField(null=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("evaluation", args=[self.pk])

    @property
    def name(self) -> str:
        """What was judged, in words."""
        if self.training_run is None:
            return self.subject
        return f"{self.training_run} · {self.checkpoint or 'model'}"


class Experiment(Identified):
    """One question, asked of several arms that differ in one thing: plan, frozen data and what came of it."""

    prefix: ClassVar[str] = "xpt"
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="experiment")
    preset = models.CharField(max_length=20)
    plan = models.JSONField()
    """`engine.experiment.Plan`: arms, budgets, pairs, held-out tasks, seeds. Decided before anything runs."""
    data = models.JSONField(default=dict)
    """Once frozen: "dataset" (slug), "held_out" (version number), "arms" (name -> version number)."""
    results = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.run.title

    def get_absolute_url(self) -> str:
        return reverse("experiment", args=[self.pk])
