"""Tasks keep the traits that the figures of a set look at, so that a thousand of them are read at once."""

import json
from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    task_model = apps.get_model("tasks_app", "Task")
    batch: list[Any] = []
    for task in task_model.objects.only("pk", "spec").iterator(chunk_size=100):
        task.traits = _traits(json.loads(task.spec))
        batch.append(task)
        if len(batch) == 100:
            task_model.objects.bulk_update(batch, ["traits"])
            batch = []
    task_model.objects.bulk_update(batch, ["traits"])


def _traits(spec: dict[str, Any]) -> dict[str, Any]:
    calls = [step for step in spec["reference"]["steps"] if step["step"] == "call"]
    return {
        "needed": [service["slug"] for service in spec["services"] if service["role"] == "needed"],
        "edges": [[edge["how"], edge["kind"], edge["revisit"]] for edge in spec["graph"]["edges"]],
        "frame": str(spec["meaning"].get("frame", "")),
        "tags": spec["tags"],
        "length": len(spec["graph"]["walk"]),
        "calls": [[call["service"], call["tool"]] for call in calls],
        "criteria": len(spec["rubric"]),
        "simulated_share": spec["simulated_share"],
    }


class Migration(migrations.Migration):
    dependencies = [("tasks_app", "0001_initial")]

    operations = [
        migrations.AddField("task", "traits", models.JSONField(default=dict)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
