"""The command line on data: import, build, services, tasks, rollout; each with --json."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tasks_app.models import Task
from tests.apps.test_services_pages import DESK
from tests.catalogue import install_services, install_tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]


@pytest.fixture(autouse=True)
def _on_the_test_services(settings: Any, tmp_path: Path) -> None:
    """As against a production database: the command neither starts nor stops anything."""
    settings.WORKBENCH_RUN_INLINE = True
    settings.WORKBENCH_HOME = tmp_path / "home"
    settings.WORKBENCH_EMBEDDED_DATABASE = settings.WORKBENCH_EMBEDDED_BROKER = False


def answer(*words: str) -> Any:
    """What a command prints with --json, parsed: nothing else may be on standard output."""
    out = StringIO()
    call_command(*words, "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def words(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_import_build_and_list(tmp_path: Path) -> None:
    (tmp_path / "desk.json").write_text(json.dumps(DESK))
    (tmp_path / "bad.json").write_text("{oops")
    (tmp_path / "empty.json").write_text('{"tools": []}')
    rows = {row["file"]: row for row in answer("import", str(tmp_path))}
    assert rows["desk.json"]["tools"] == 4
    assert "broken" in rows["desk.json"]["refused"]
    assert rows["bad.json"]["error"]["message"]
    assert rows["empty.json"]["error"]["message"]
    assert answer("import", str(tmp_path / "desk.json"))[0]["created"] is False
    built = answer("build", rows["desk.json"]["slug"])
    assert (built[0]["verified"], built[0]["version"]) == (3, 1)
    (again,) = answer("build", "--all")
    assert (again["state"], again["result"]["verified"]) == ("known", 3)  # nothing has changed
    services = answer("services")
    assert [(row["slug"], row["verified"], row["quarantined"]) for row in services] == [("desk", 3, 1)]
    assert "1 services, 4 tools" in words("services")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("import",), "Give at least one file"),
        (("import", "/no/such/file.json"), "does not exist"),
        (("build",), "Name at least one"),
        (("build", "nothing"), "import it first"),
        (("build", "--all", "--builder", "model"), "not available"),
        (("tasks", "generate", "--k", "3"), "0 are ready"),
        (("tasks", "generate", "--length", "x"), "A..B"),
        (("tasks", "generate", "--author", "model"), "not available"),
        (("tasks", "prove"), "Name at least one task"),
        (("rollout", "--policy", "noop", "--tasks", "task_nonsense"), "task_"),
        (("rollout", "--policy", "noop"), "no such task"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command(*arguments, stdout=StringIO(), stderr=StringIO())


def test_generate_and_play() -> None:
    install_services()
    made = answer(
        "tasks", "generate", "--count", "2", "--k", "2", "--distractors", "1", "--length", "3..4", "--seed", "5"
    )
    assert made["proven"] == len(made["tasks"]) == 2
    assert len({task["hash"] for task in made["tasks"]}) == 2
    assert answer("rollout", "--policy", "reference")["passed"] == 2
    assert answer("rollout", "--policy", "noop", "--n", "2")["passed"] == 0
    assert answer("rollout", "--policy", "readonly")["passed"] == 0
    cheated = answer("rollout", "--policy", "cheater", "--n", "3")
    assert (cheated["rollouts"], cheated["passed"], cheated["error"]) == (6, 0, 0)


def test_prove_and_list() -> None:
    tasks = install_tasks()
    assert answer("tasks", "prove", "--all") == {"verified": 2}
    assert answer("tasks", "prove", tasks[0].public_id) == {"verified": 1}
    assert {row["id"] for row in answer("tasks", "list")} == {task.public_id for task in tasks}


def test_task_of_another_version_becomes_stale() -> None:
    task = install_tasks()[0]
    spec = task.to_spec()
    services = tuple(service.model_copy(update={"version_hash": "older"}) for service in spec.services)
    Task.objects.filter(pk=task.pk).update(spec=spec.model_copy(update={"services": services}).model_dump_json())
    assert answer("tasks", "prove", task.public_id) == {"stale": 1}
    task.refresh_from_db()
    assert "another version" in task.status_reason
