"""The reward lab, the way from a dip to the step that decided, heat maps, runs beside each other."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.apps.rollout_rows import GOOD, group_rows, store_step
from tests.apps.training_rows import launch, split_version, use_stand_in
from training_app import charts, group_summaries, heat, journal, lab, lanes
from training_app.engine.pasted import read_group, write_group
from training_app.models import DatasetVersion, Evaluation, TrainingRun
from training_app.run_files import training_directory
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]
RL2 = "moved reported\n1 1\n1 0\n1 0\n1 0\n0 0\ncrashed\ncrashed\ncrashed"
BAD = [GOOD[0], ("move_lead", {"id": 7, "stage": "lost"})]


@pytest.fixture
def version(db: None, settings: Any, tmp_path: Path) -> DatasetVersion:
    use_stand_in(settings, tmp_path)
    return split_version()


@pytest.fixture
def grpo(version: DatasetVersion) -> TrainingRun:
    """A GRPO run with five steps of two groups; the reward dips at step 3, where one rollout went another way."""
    training = launch(version, "grpo", start="model:org/name")
    task = version.members.first().task.task_hash  # type: ignore[union-attr]
    for step in range(1, 6):
        dip = step == 3
        verdicts = [{"sent": True, "amount": n % 2 == 0 and not dip, "never": False} for n in range(4)]
        calls = [GOOD, BAD, GOOD, BAD]
        store_step(
            training,
            step,
            [
                group_rows(step, 0, "f" * 32, [{"sent": True, "amount": True}] * 4),
                group_rows(step, 1, task, [*verdicts, None], [*calls, GOOD]),
            ],
        )
        numbers = {"reward": 0.2 if dip else 0.6, "success_rate": 0.25, "rubric_score": 0.5, "dead_share": 0.5}
        journal.store_metrics(training, [{"kind": "rollouts", "step": step, **numbers, "groups": {"alive": 1}}])
    return training


def lab_page(client: Any, **given: Any) -> Any:
    return client.get(f"/reward-lab/?{urlencode(given, doseq=True)}")


# The reward lab ------------------------------------------------------------------------------------------------


def test_the_lab_shows_the_exact_numbers_of_crashed_rollouts(client_as: Any) -> None:
    """RL-2: the three crashed ones change nothing; counted as failures, they would."""
    page = lab_page(client_as("viewer"), text=RL2).content.decode()
    for figure in ("0.2100", "0.8100", "0.205882", "1.000000", "5 of 8 rollouts count"):
        assert figure in page, figure
    assert "0.365591" not in page
    wrong = lab_page(client_as("viewer"), text=RL2.replace("crashed", "0 0")).content.decode()
    assert "0.365591" in wrong


def test_a_broken_criterion_is_taken_out_by_its_box(client_as: Any) -> None:
    """RL-3: A passes 4 of 8 times, B never; out of the weights, A alone decides."""
    text = "A B\n" + "1 0\n" * 4 + "0 0\n" * 4
    client = client_as("viewer")
    assert f"{0.51 / 1.52:.6f}" in lab_page(client, text=text).content.decode()
    page = lab_page(client, text=text, broken="B").content.decode()
    assert f"{0.51 / 1.52:.6f}" not in page
    assert "left out of the weights" in page


def test_the_box_of_a_rollout_lets_it_crash() -> None:
    whole = lab.figures(read_group(RL2), lab.Settings())
    ticked = lab.figures(read_group(RL2.replace("crashed", "1 1")), lab.Settings(dead={5, 6, 7}))
    assert ticked.variants == whole.variants
    assert ticked.rollouts[5:] == ["crashed"] * 3


def test_the_three_rewards_stand_beside_each_other() -> None:
    found = lab.figures(read_group("101\n100\n000"), lab.Settings(scale="none"))
    focused, equal, binary = found.variants
    assert equal.rewards == pytest.approx([2 / 3, 1 / 3, 0])
    assert list(binary.rewards) == [0, 0, 0]
    assert sum(focused.advantages) == pytest.approx(0)  # type: ignore[arg-type]
    b = next(line for line in found.criteria if line.name == "B")
    assert b.no_signal
    assert b.pull == 0
    assert found.facts["complete"] == 0
    assert "= 0.333333" not in found.arithmetic[2]


def test_the_arithmetic_on_the_page_is_that_of_the_engine() -> None:
    found = lab.figures(read_group(RL2), lab.Settings())
    assert found.arithmetic[1].startswith("R2 = (0.21) / 1.02 = 0.205882")
    assert f"{found.variants[0].advantages[1]:+.6f}" in found.arithmetic[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"text": "A B\n1 1\n1"}, "line 3 has 1 outcomes"),
        ({"text": "A B\n1 1\n1 maybe"}, "is no outcome"),
        ({"text": '{"a": 3}'}, "a rollout is an object"),
        ({"text": '{"a": true}\n{"b": true}'}, "different criteria"),
        ({"text": "1 1\n" * 80}, "too many"),
        ({"text": RL2, "lam": "2"}, "less than or equal to 1"),
        ({"text": RL2, "lam": "x"}, "Enter a number"),
        ({"text": "<script>alert(1)</script>"}, "yields no update"),
    ],
)
def test_what_is_no_group_is_explained(client_as: Any, given: dict[str, str], words: str) -> None:
    response = lab_page(client_as("viewer"), **given)
    page = response.content.decode()
    assert words in page
    assert "<script>alert" not in page


def test_groups_survive_the_way_through_text() -> None:
    for text in (RL2, "A B\n1 ?\n0 1", '{"two words": true}\nnull\n{"two words": null}'):
        group = read_group(text)
        assert read_group(write_group(group)) == group
    stored = '[{"verdict": {"results": [{"id": "c1", "status": "unknown"}]}}, {"verdict": null}]'
    assert read_group(stored) == [{"c1": None}, None]


def test_a_stored_group_is_picked_with_the_settings_of_its_run(grpo: TrainingRun, client_as: Any) -> None:
    client = client_as("viewer")
    assert "step" in lab_page(client).content.decode()
    page = lab_page(client, run=grpo.public_id, step=2, group=1).content.decode()
    assert "Group 1 of step 2" in page
    assert "4 of 5 rollouts count" in page
    assert "amount never sent" in page
    assert lab_page(client, run="trn_nothing", step=2, group=1).status_code == 200


# From a dip to the step that decided ---------------------------------------------------------------------------


def test_the_way_from_the_chart_to_the_deciding_step(grpo: TrainingRun, client_as: Any) -> None:
    client = client_as("viewer")
    base = f"/training/{grpo.public_id}/rollouts"
    job = client.get(grpo.run.get_absolute_url()).content.decode()
    assert f'data-href="{base}/?step="' in job
    assert f'<a href="{base}/?step=3">' in job  # the same by keyboard, in the table
    step = client.get(f"{base}/?step=3").content.decode()
    assert step.index(f"{base}/3/1/") < step.index(f"{base}/3/0/")  # the worst first
    group = client.get(f"{base}/3/1/").content.decode()
    assert f'href="{base}/3/1/1/#s-2"' in group
    assert "Advantage" in group
    rollout = client.get(f"{base}/3/1/1/").content.decode()
    assert "Leaves the path of rollout" in rollout
    assert "stage&quot;: &quot;won" in rollout  # what the best one did there
    assert 'id="s-2"' in rollout
    assert client.get(f"{base}/3/7/").status_code == 404
    assert client.get(f"{base}/3/1/9/").status_code == 404
    assert client.get(f"{base}/?step=99").status_code == 404


def test_the_first_difference() -> None:
    best = lanes.steps_of({"messages": [*messages_of(GOOD)]})
    assert [step.name for step in best] == ["crm.find_lead", "crm.move_lead", "crm.send", ""]
    assert lanes.first_difference(best, best) is None
    assert lanes.first_difference(lanes.steps_of({"messages": messages_of(BAD)}), best) == 2
    assert lanes.first_difference(best[:2], best) == 2  # it ended too early
    assert lanes.first_difference([], best) is None
    assert (
        lanes.steps_of({"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "x"}}]}]})[0].name
        == "x"
    )


def messages_of(calls: Any) -> Any:
    from tests.apps.rollout_rows import messages

    return messages(calls)


def test_near_misses_are_counted_and_kept_apart(grpo: TrainingRun, client_as: Any) -> None:
    groups = group_summaries.read(training_directory(grpo), 2)
    assert group_summaries.near_misses(groups) == [("never", 2)]
    client = client_as("viewer")
    base = f"/training/{grpo.public_id}/rollouts/"
    kept = client.get(f"{base}?step=2&miss=never").content.decode()
    assert f"{base}2/1/" in kept
    assert f"{base}2/0/" not in kept
    assert "No group of this step" in client.get(f"{base}?step=2&miss=sent").content.decode()


def test_summaries_follow_the_rollouts(grpo: TrainingRun) -> None:
    directory = training_directory(grpo)
    before = group_summaries.read(directory, 2)
    assert [one.complete for one in before] == [1.0, 0.0]
    assert before[1].invalid == 1
    assert (directory.root / "rollouts" / "step-000002.groups.json").exists()
    store_step(grpo, 2, [group_rows(2, 0, "a" * 32, [{"sent": False}] * 3)])
    assert [one.task_hash for one in group_summaries.read(directory, 2)] == ["a" * 32]
    directory.forget_rollouts_after(1)
    assert group_summaries.read(directory, 2) == ()
    assert len(group_summaries.read(directory, 1)) == 2


def test_heat_maps_and_suspect_criteria(grpo: TrainingRun) -> None:
    found = heat.maps(grpo)
    assert found is not None
    assert "never" in str(found.criteria)
    assert f"/training/{grpo.public_id}/rollouts/3/1/" in str(found.tasks)
    assert [one["criterion"] for one in found.suspects] == ["never"]
    one_task = heat.maps(grpo, task="f" * 10)
    assert one_task is not None
    assert "never" not in str(one_task.criteria)
    assert heat.chosen(list(range(100)), 5) == [0, 25, 50, 74, 99]


def test_groups_over_rest(grpo: TrainingRun, api_as: Any) -> None:
    api = api_as("jobs:read")
    url = f"/api/v1/training-runs/{grpo.public_id}/groups"
    body = api.get(f"{url}?step=2").json()
    assert [group["number"] for group in body["data"]] == [1, 0]
    assert (body["step"], body["steps"]) == (2, [1, 2, 3, 4, 5])
    assert body["data"][0]["near_misses"] == {"never": 2}
    assert api.get(url).json()["step"] == 5
    assert api.get(f"{url}?step=99").json()["data"] == []
    assert api.get(f"{url}?step=x").status_code == 400


# Charts --------------------------------------------------------------------------------------------------------


def test_evaluations_stand_in_the_charts(grpo: TrainingRun, version: DatasetVersion, client_as: Any) -> None:
    run = Run.objects.create(
        kind="evaluate", title="E", queue="train", created_at=grpo.created_at, send_at=grpo.created_at
    )
    results = {"score": {"value": 0.73}, "success_rate": {"value": 0.32}, "tasks": 4}
    evaluation = Evaluation.objects.create(
        run=run, training_run=grpo, checkpoint="checkpoint-4", dataset_version=version, split="test", results=results
    )
    mark = charts.evaluation_markers([evaluation], 5)[0]
    assert (mark.x, mark.short) == (4.0, "E1")
    assert "0.73 mean, 32% complete" in mark.label
    page = client_as("viewer").get(grpo.run.get_absolute_url()).content.decode()
    assert 'class="marker-label"' in page


def test_the_reader_chooses_smoothing_and_scale(grpo: TrainingRun, client_as: Any) -> None:
    fragment = {"HX-Request": "true", "HX-Target": "training-live"}
    url = f"/training/{grpo.public_id}/charts/"
    response = client_as("viewer").get(f"{url}?smooth=0.9&log=1", headers=fragment)
    assert "smooth=0.9&amp;log=1" in response.content.decode()
    assert response["HX-Push-Url"].endswith("?smooth=0.9&log=1")
    assert charts.Options.parse({"smooth": "nan"}).smoothing == 0
    assert charts.Options.parse({"smooth": "x"}).smoothing == charts.SMOOTHING
    unchanged = client_as("viewer").get(f"{url}?seen=5", headers=fragment)
    assert unchanged.status_code == 204
    assert client_as("viewer").get(f"{url}?seen=4", headers=fragment).status_code == 200


def test_csv_of_one_chart(grpo: TrainingRun, client_as: Any) -> None:
    url = f"/training/{grpo.public_id}/metrics.csv?names=rollouts/reward"
    rows = b"".join(client_as("viewer").get(url).streaming_content).decode().split()
    assert rows[0] == "step,name,value"
    assert {row.split(",")[1] for row in rows[1:]} == {"rollouts/reward"}


# Runs beside each other ----------------------------------------------------------------------------------------


def test_runs_beside_each_other(grpo: TrainingRun, version: DatasetVersion, client_as: Any) -> None:
    other = launch(version, "grpo", start="model:org/name", overrides={"lam": 0.5})
    journal.store_metrics(
        other,
        [
            {"kind": "rollouts", "step": s, "reward": s / 10, "success_rate": 0.9, "rubric_score": 0.95}
            for s in range(1, 9)
        ],
    )
    client = client_as("viewer")
    page = client.get(f"/training/compare/?ids={grpo.public_id},{other.public_id},trn_x").content.decode()
    assert "lam" in page
    assert "epsilon_high" not in page  # equal, so not shown
    assert "90 %" in page
    assert "no such run" in page
    assert (
        "epsilon_high"
        in client.get(f"/training/compare/?ids={grpo.public_id},{other.public_id}&all=1").content.decode()
    )
    assert other.run.title in client.get("/training/compare/").content.decode()


def test_best_is_the_best_stretch_and_last_the_last() -> None:
    from training_app.comparing import _one

    course = [(step, value) for step, value in enumerate([0.0] * 6 + [1.0] * 6 + [0.5] * 6)]
    assert _one("rollouts/reward", course, "best") == 1.0
    assert _one("rollouts/reward", course, "last") == 0.5
    assert _one("loss", course, "best") == 0.0


def test_new_pages_stay_within_their_query_budget(
    grpo: TrainingRun, client_as: Any, django_assert_max_num_queries: Any
) -> None:
    client = client_as("trainer")
    base = f"/training/{grpo.public_id}/rollouts"
    paths = (
        f"{base}/?step=3",
        f"{base}/3/1/",
        f"{base}/3/1/1/",
        "/reward-lab/",
        f"/training/compare/?ids={grpo.public_id}",
    )
    for path in paths:
        with django_assert_max_num_queries(12):
            assert client.get(path).status_code == 200, path
