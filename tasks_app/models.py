"""Tasks with their proof, and the trajectories of policies that played them."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from services_app.models import Identified, Service, ServiceVersion, Tool
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.trajectory import Trajectory as TrajectoryValue
from webapp.common.models import Run


class Task(Identified):
    """A task. The artifact is `spec`; the other columns are for finding it."""

    class Status(models.TextChoices):
        SUBMITTED = "submitted", _("Submitted")
        VERIFIED = "verified", _("Verified")
        REJECTED = "rejected", _("Rejected")
        STALE = "stale", _("Stale")
        RETIRED = "retired", _("Retired")

    prefix: ClassVar[str] = "task"
    task_hash = models.CharField(max_length=32, unique=True)
    instruction = models.TextField()
    spec = models.TextField()
    status = models.CharField(max_length=12, choices=Status.choices, db_index=True)
    status_reason = models.TextField(blank=True)
    needed_count = models.PositiveSmallIntegerField()
    walk_length = models.PositiveSmallIntegerField()
    distractor_count = models.PositiveSmallIntegerField()
    call_count = models.PositiveSmallIntegerField()
    criterion_count = models.PositiveSmallIntegerField()
    tags = ArrayField(models.CharField(max_length=60), default=list)
    traits = models.JSONField(default=dict)
    """`tasks_app.engine.diversity.Traits` less the instruction, for the figures of a set of tasks."""
    lineage = models.CharField(max_length=64, db_index=True)
    author = models.CharField(max_length=40)
    seed = models.BigIntegerField(default=0)
    simulated_share = models.FloatField(default=0.0)
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="tasks")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    proved_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    first = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="later_editions")
    """The edition whose rubric was edited first; null for that one itself."""
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="children")
    """The edition that this one was edited from."""
    edition = models.PositiveSmallIntegerField(default=1)
    note = models.TextField(blank=True)
    """Why its rubric was changed, in the words of who did it."""

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=["first", "edition"], name="task_edition_once"),)

    def __str__(self) -> str:
        return self.instruction[:80]

    @property
    def family(self) -> UUID:
        """Id of the first edition, which all editions share."""
        return self.first_id or self.pk

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.pk])

    def to_spec(self) -> TaskSpec:
        return TaskSpec.model_validate_json(self.spec)


class TaskService(models.Model):
    """A service mounted in a task, in mount order."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="mounted")
    service = models.ForeignKey(Service, on_delete=models.PROTECT, related_name="task_uses")
    service_version = models.ForeignKey(ServiceVersion, on_delete=models.PROTECT, related_name="task_uses")
    role = models.CharField(max_length=12)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("task", "position")
        constraints = (models.UniqueConstraint(fields=["task", "service"], name="task_service_once"),)

    def __str__(self) -> str:
        return f"{self.service_id} in {self.task_id}"


class TaskTool(models.Model):
    """A tool that the reference solution of a task calls: the ground of every blast radius."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="tool_uses")
    tool = models.ForeignKey(Tool, on_delete=models.CASCADE, related_name="task_uses")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["task", "tool"], name="task_tool_once"),)

    def __str__(self) -> str:
        return f"{self.tool_id} in {self.task_id}"


class Group(Identified):
    """The rollouts of one task by one policy in one run."""

    prefix: ClassVar[str] = "grp"
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="groups")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="groups")
    policy = models.CharField(max_length=120)
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=["run", "task", "policy"], name="group_once_per_run"),)

    def __str__(self) -> str:
        return f"{self.policy} on {self.task_id}"


class Trajectory(Identified):
    """The record of one rollout. `passed` is null when the outcome could not be told."""

    class Status(models.TextChoices):
        PASSED = "passed", _("Passed")
        PARTIAL = "partial", _("Partial")
        FAILED = "failed", _("Failed")
        ERROR = "error", _("Error")

    prefix: ClassVar[str] = "traj"
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="trajectories")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="trajectories")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="trajectories")
    policy = models.CharField(max_length=120, db_index=True)
    index = models.PositiveIntegerField()
    """Number within the group, from 0: a second delivery of the same job writes no second row."""
    status = models.CharField(max_length=8, choices=Status.choices, db_index=True)
    passed = models.BooleanField(null=True)
    score = models.FloatField(null=True)
    stop_reason = models.CharField(max_length=20)
    step_count = models.PositiveIntegerField()
    service_calls = models.PositiveIntegerField()
    simulated_share = models.FloatField(default=0.0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    cost_usd = models.FloatField(null=True)
    duration_ms = models.FloatField(default=0.0)
    state_hash = models.CharField(max_length=32, blank=True)
    sanitised = models.BooleanField(default=False)
    body = models.TextField()
    """The whole `Trajectory` as JSON text, less its steps."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=["group", "index"], name="trajectory_once_per_group"),
            models.CheckConstraint(
                condition=Q(status="error", passed__isnull=True) | ~Q(status="error"), name="trajectory_error_untold"
            ),
        )

    def __str__(self) -> str:
        return f"{self.policy} #{self.index}"

    def get_absolute_url(self) -> str:
        return reverse("trajectory", args=[self.pk])

    def to_value(self) -> TrajectoryValue:
        """The stored trajectory with all its steps."""
        steps = ",".join(self.steps.order_by("index").values_list("body", flat=True))
        return TrajectoryValue.model_validate_json(f'{self.body[:-1]},"steps":[{steps}]}}')


class TrajectoryStep(models.Model):
    """One step of a trajectory, kept apart so that pages read fifty at a time."""

    trajectory = models.ForeignKey(Trajectory, on_delete=models.CASCADE, related_name="steps")
    index = models.PositiveIntegerField()
    service = models.CharField(max_length=48, blank=True)
    tool = models.CharField(max_length=200, blank=True)
    success = models.BooleanField()
    change_count = models.PositiveIntegerField(default=0)
    body = models.TextField()

    class Meta:
        ordering = ("trajectory", "index")
        constraints = (models.UniqueConstraint(fields=["trajectory", "index"], name="trajectory_step_once"),)

    def __str__(self) -> str:
        return f"{self.trajectory_id} step {self.index}"


class RegradedRollout(models.Model):
    """What a re-grading run made of one stored rollout. The trajectory itself stays as it was judged."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="regraded")
    trajectory = models.ForeignKey(Trajectory, on_delete=models.CASCADE, related_name="regraded")
    old_passed = models.BooleanField(null=True)
    passed = models.BooleanField(null=True)
    old_score = models.FloatField(null=True)
    score = models.FloatField(null=True)
    flips = models.JSONField(default=list)
    """Criteria that come out otherwise: {criterion, old, new}."""
    changed = models.BooleanField()
    """A criterion or the verdict on the whole comes out otherwise."""
    why = models.TextField(blank=True)
    """Why the new outcome cannot be told."""

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["run", "trajectory"], name="regraded_once_per_run"),)
        indexes = (models.Index(fields=["run", "changed"], name="regraded_changed"),)

    def __str__(self) -> str:
        return f"{self.trajectory_id} in {self.run_id}"
