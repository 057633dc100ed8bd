"""What a task's row holds beside its artifact."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from tasks_app.engine.diversity import traits_of
from tasks_app.engine.task import TaskSpec
from tasks_app.models import Task
from webapp.common import clean


def columns_of(spec: TaskSpec) -> dict[str, Any]:
    """The columns of the row of a task that follow from its artifact."""
    return {
        "instruction": clean.text(spec.instruction),
        "spec": clean.text(spec.model_dump_json()),
        "status": Task.Status.VERIFIED if spec.proof.passed else Task.Status.REJECTED,
        "status_reason": "" if spec.proof.passed else ", ".join(spec.proof.failing),
        "needed_count": len(spec.needed),
        "walk_length": len(spec.graph.walk),
        "distractor_count": len(spec.distractors),
        "call_count": len(spec.reference.calls),
        "criterion_count": len(spec.rubric),
        "tags": list(spec.tags),
        "traits": clean.json_value(traits_of(spec).model_dump(mode="json", exclude={"instruction"})),
        "lineage": spec.lineage[:64],
        "author": str(spec.author.get("backend", "rules"))[:40],
        "simulated_share": spec.simulated_share,
        "proved_at": timezone.now(),
    }
