"""An evaluation of a model behind an endpoint, over real HTTP: what is asked, what is counted, what an outage is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.apps.training_rows import freeze, install_passed, make_lineages_differ
from tests.stub_model import StubModel, error, message
from training_app import actions
from training_app.models import DatasetVersion, Evaluation
from webapp.common import runs

pytestmark = pytest.mark.django_db
Answer = Callable[[int], Any]


def turns_of(row: Any) -> list[dict[str, Any]]:
    """What the reference policy said in its trajectory, turn by turn."""
    return [one for one in row.to_value().messages if one["role"] == "assistant"]


def script(playbook: Mapping[str, Answer]) -> Callable[[dict[str, Any]], Any]:
    """Instruction -> what is answered in which turn."""

    def answer(request: dict[str, Any]) -> Any:
        said = next(one["content"] for one in request["messages"] if one["role"] == "user")
        return playbook[said](sum(one["role"] == "assistant" for one in request["messages"]))

    return answer


def play(version: DatasetVersion, stub: StubModel, settings: Any) -> Evaluation:
    settings.WORKBENCH_MODEL_API_BASE, settings.WORKBENCH_MODEL_API_KEY = stub.base_url, "x"
    made = actions.evaluate(version=version, split="test", policy="openai/stub", temperature=0.3, seed=2, by=None)
    runs.execute(made.run_id)
    evaluation = Evaluation.objects.select_related("run").get(pk=made.pk)
    assert (evaluation.run.state, evaluation.run.failure_message) == ("succeeded", "")
    return evaluation


def test_a_model_behind_an_endpoint_is_played_and_an_outage_is_no_failure(
    settings: Any, tmp_path: Path, client_as: Any
) -> None:
    settings.WORKBENCH_FILES, settings.WORKBENCH_RUN_INLINE = tmp_path / "files", True
    rows = install_passed()
    make_lineages_differ([row.task for row in rows])
    version = freeze(test=0.75)
    held = set(version.members.filter(split="test").values_list("task", flat=True))
    solver, lazy, dead = (row for row in rows if row.task_id in held)
    turns = turns_of(solver)
    playbook: dict[str, Answer] = {
        solver.task.to_spec().instruction: lambda turn: message(
            turns[turn].get("content"), tool_calls=turns[turn].get("tool_calls")
        ),
        lazy.task.to_spec().instruction: lambda _turn: "I would rather not.",
        dead.task.to_spec().instruction: lambda _turn: error(400, "the model is not there"),
    }
    with StubModel(script(playbook)) as stub:
        evaluation = play(version, stub, settings)
    results = evaluation.results
    assert results is not None
    assert (results["attempts"], results["valid"], results["tasks"]) == (3, 2, 2)
    assert (results["success_rate"]["value"], results["success_rate"]["n"]) == (0.5, 2)
    assert results["invalid"] == {"bad_request": 1}
    assert results["provenance"]["temperature"] == 0.3
    asked = [one.json for one in stub.requests]
    assert {one["temperature"] for one in asked} == {0.3}
    names = {tool["function"]["name"] for tool in asked[0]["tools"]}
    assert "call_tool" in names
    assert len(asked) == len(turns) + 2
    page = client_as("viewer").get(evaluation.get_absolute_url()).content.decode()
    assert "openai/stub" in page
    assert "bad_request: 1" in page
    assert "had all of them failed" in page
