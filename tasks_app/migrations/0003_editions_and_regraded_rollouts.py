"""Editions of a task, and a row for each rollout that a re-grading run judged."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0002_run_priority"),
        ("tasks_app", "0002_task_traits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RegradedRollout",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("old_passed", models.BooleanField(null=True)),
                ("passed", models.BooleanField(null=True)),
                ("old_score", models.FloatField(null=True)),
                ("score", models.FloatField(null=True)),
                ("flips", models.JSONField(default=list)),
                ("changed", models.BooleanField()),
                ("why", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.AddField(
            model_name="task",
            name="edition",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="task",
            name="first",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="later_editions",
                to="tasks_app.task",
            ),
        ),
        migrations.AddField(
            model_name="task",
            name="note",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="task",
            name="parent",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="children", to="tasks_app.task"
            ),
        ),
        migrations.AlterField(
            model_name="task",
            name="status",
            field=models.CharField(
                choices=[
                    ("submitted", "Submitted"),
                    ("verified", "Verified"),
                    ("rejected", "Rejected"),
                    ("stale", "Stale"),
                    ("retired", "Retired"),
                ],
                db_index=True,
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(fields=("first", "edition"), name="task_edition_once"),
        ),
        migrations.AddField(
            model_name="regradedrollout",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="regraded", to="common.run"
            ),
        ),
        migrations.AddField(
            model_name="regradedrollout",
            name="trajectory",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="regraded", to="tasks_app.trajectory"
            ),
        ),
        migrations.AddIndex(
            model_name="regradedrollout",
            index=models.Index(fields=["run", "changed"], name="regraded_changed"),
        ),
        migrations.AddConstraint(
            model_name="regradedrollout",
            constraint=models.UniqueConstraint(fields=("run", "trajectory"), name="regraded_once_per_run"),
        ),
    ]
