"""`tasks regrade` over stored rollouts: a job, its score diff, and refusals in words."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tasks_app.models import Task, Trajectory
from tasks_app.policies.rules import NoopPolicy, ReferencePolicy
from tests.catalogue import install_tasks, install_trajectory
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]


@pytest.fixture(autouse=True)
def _on_the_test_services(settings: Any, tmp_path: Path) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    settings.WORKBENCH_HOME = tmp_path / "home"
    settings.WORKBENCH_EMBEDDED_DATABASE = settings.WORKBENCH_EMBEDDED_BROKER = False


def regrade(task: Task, criterion: str, expression: str) -> Any:
    out = StringIO()
    call_command(
        "tasks", "regrade", task.public_id, "--criterion", criterion, "--expression", expression, "--json",
        stdout=out, stderr=StringIO(),
    )  # fmt: skip
    return json.loads(out.getvalue())


def test_stored_rollouts_are_judged_anew_and_what_flips_is_named() -> None:
    task = install_tasks(1)[0]
    solved, idle = (install_trajectory(task, policy) for policy in (ReferencePolicy(), NoopPolicy()))
    first = task.to_spec().rubric[0]
    unchanged = regrade(task, first.id, first.expression)
    assert unchanged["flips"] == []
    assert unchanged["difference"]["rollouts"] == 2
    found = regrade(task, first.id, "calls.size() == 0")
    assert {flip["trajectory"] for flip in found["flips"]} == {solved.public_id, idle.public_id}
    assert [(flip["old_passed"], flip["passed"]) for flip in found["flips"]] == [(True, False), (False, False)]
    assert found["difference"]["flipped"] == 1
    assert Trajectory.objects.get(pk=solved.pk).passed is True  # what was judged when it was played stays


def test_what_cannot_be_told_is_unknown_with_its_reason() -> None:
    task = install_tasks(1)[0]
    solved = install_trajectory(task, ReferencePolicy())
    found = regrade(task, task.to_spec().rubric[0].id, "1 / (calls.size() - calls.size()) == 1")
    assert [one["trajectory"] for one in found["unknown"]] == [solved.public_id]
    assert found["unknown"][0]["why"]


@pytest.mark.parametrize(
    ("criterion", "expression", "message"),
    [
        ("c99", "true", "no criterion c99"),
        ("c1", "calls.size( ==", "line 1, column 13"),
        ("c1", "after.nowhere.things.size() == 0", "no such service is mounted"),
        ("c1", "calls.size()", "not a yes or no"),
    ],
)
def test_bad_expressions_are_refused_in_words(criterion: str, expression: str, message: str) -> None:
    task = install_tasks(1)[0]
    with pytest.raises(CommandError, match=message):
        regrade(task, criterion, expression)
    assert not Run.objects.filter(kind="regrade", state="succeeded").exists()
