"""Datasets frozen by family, exports equal to what is stored, pages and REST of both, and who may do what."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from tasks_app.models import Task, Trajectory
from tests.apps.problems import assert_problem
from tests.apps.training_rows import freeze, install_passed, make_lineages_differ
from training_app import actions, datasets, exporting, records, selectors
from training_app.datasets import DatasetError
from training_app.engine.errors import TrainingError
from training_app.exports.manifest import read_manifest, verify_files
from training_app.exports.messages import to_training, to_wire
from training_app.exports.parquet import read_parquet
from training_app.models import Dataset, DatasetMember, DatasetVersion, Export
from webapp.common.models import Activity, Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def passed(db: None, settings: Any, tmp_path: Path) -> list[Trajectory]:
    settings.WORKBENCH_FILES = tmp_path / "files"
    return install_passed()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# Freezing ------------------------------------------------------------------------------------------------------


def test_only_passed_trajectories_of_verified_tasks_enter(passed: list[Trajectory]) -> None:
    Task.objects.filter(pk=passed[0].task_id).update(status="stale")
    version = freeze(test=0.0)
    chosen = set(version.members.values_list("trajectory", flat=True))
    assert chosen == {row.pk for row in passed if row.task_id != passed[0].task_id}


def test_a_frozen_version_says_how_many_of_its_tasks_became_stale(passed: list[Trajectory], client_as: Any) -> None:
    version = freeze(test=0.0)
    client = client_as("viewer")
    assert b"task of this version is stale" not in client.get(version.get_absolute_url()).content
    Task.objects.filter(pk=passed[0].task_id).update(status="stale", status_reason="mail__get was quarantined")
    assert b"1 task of this version is stale" in client.get(version.get_absolute_url()).content
    assert selectors.versions_of(version.dataset)[0].stale_tasks == 1
    assert b"mail__get was quarantined" in client.get(passed[0].get_absolute_url()).content


def test_the_same_task_never_lies_in_two_splits(passed: list[Trajectory]) -> None:
    """Ten attempts at one task, and a family of renamed twins, stay together for every seed."""
    make_lineages_differ([row.task for row in passed])
    Task.objects.filter(pk__in=[row.task_id for row in passed[:2]]).update(lineage="twins")
    for index in range(1, 6):
        copy = Trajectory.objects.get(pk=passed[2].pk)
        copy.pk, copy.index = None, index
        copy.save(force_insert=True)
    for seed in range(6):
        version = freeze(test=0.34, slug=f"seed-{seed}", seed=seed)
        assert datasets.leakage(version) == {"families": 0, "tasks": 0}
        assert version.stats["overlap"] == 0
        of_twins = set(version.members.filter(task__lineage="twins").values_list("split", flat=True))
        assert len(of_twins) == 1
        assert set(version.members.values_list("split", flat=True)) == {"train", "test"}


def test_leakage_is_counted_from_the_rows_not_believed(passed: list[Trajectory]) -> None:
    make_lineages_differ([row.task for row in passed])
    version = freeze()
    member = version.members.filter(split="train").first()
    assert member is not None
    DatasetMember.objects.create(
        dataset_version=version, position=99, split="test", family=member.family, task=member.task,
        trajectory=member.trajectory,
    )  # fmt: skip
    assert datasets.leakage(version) == {"families": 1, "tasks": 1}


def test_freezing_is_repeatable_and_not_repeated(passed: list[Trajectory]) -> None:
    make_lineages_differ([row.task for row in passed])
    first, other = freeze(slug="one"), freeze(slug="two")
    assert first.content_hash == other.content_hash
    again, created = actions.freeze(dataset=first.dataset, shares=first.shares, seed=0, by=None)
    assert (again, created) == (first, False)
    changed, created = actions.freeze(dataset=first.dataset, shares={"train": 1.0}, seed=0, by=None)
    assert created
    assert changed.number == 2
    assert changed.content_hash != first.content_hash


def test_what_cannot_be_frozen_is_said_in_words(passed: list[Trajectory]) -> None:
    Task.objects.update(lineage="one")
    with pytest.raises(DatasetError, match="1 families of tasks, which cannot fill 2 splits"):
        freeze()
    dataset = actions.create_dataset(title="None", kind="sft", query={"policy": "nobody"}, by=None)
    with pytest.raises(DatasetError, match="Nothing matches"):
        actions.freeze(dataset=dataset, shares={"train": 1}, seed=0, by=None)
    for wrong in ({"train": 0.5, "test": 0.6}, {"test": 1.0}, {"train": 1.2, "test": -0.2}, {"odd": 1.0}):
        with pytest.raises(DatasetError):
            datasets.check_shares(wrong)
    with pytest.raises(DatasetError, match="Unknown in the query"):
        actions.create_dataset(title="Odd", kind="sft", query={"colour": "red"}, by=None)


# Exports -------------------------------------------------------------------------------------------------------


def test_each_exported_line_is_the_stored_trajectory(passed: list[Trajectory], run_now: Any) -> None:
    make_lineages_differ([row.task for row in passed])
    version = freeze()
    export = run_now(actions.start_export, version=version, form="sft", by=None)
    export.refresh_from_db()
    assert export.run.state == "succeeded", list(export.run.events.values_list("message", flat=True))
    directory = exporting.directory_of(export)
    manifest = read_manifest(directory)
    assert verify_files(directory, manifest) == ()
    assert any(name.startswith("service crm ") for name in manifest.versions)
    read = {
        row["id"]: (file["split"], row) for file in export.manifest["files"] for row in lines(directory / file["name"])
    }
    assert set(read) == {row.public_id for row in passed}
    for trajectory in passed:
        value = trajectory.to_value()
        split, row = read[trajectory.public_id]
        assert row["messages"] == [to_training(message) for message in value.messages]
        assert [to_wire(message) for message in row["messages"]] == [to_wire(message) for message in value.messages]
        assert json.loads(row["tools"]) == list(value.tools)
        assert row["task_id"] == value.task_hash
        assert row["score"] == value.score
        member = version.members.get(trajectory=trajectory)
        assert (split, row["family"]) == (member.split, member.family)


def test_formats_agree_with_each_other(passed: list[Trajectory], run_now: Any) -> None:
    version = freeze(test=0.0)
    files: dict[str, Path] = {}
    for form in actions.FORMATS[Dataset.Kind.SFT]:
        export = run_now(actions.start_export, version=version, form=form, by=None)
        export.refresh_from_db()
        assert export.run.state == "succeeded", export.run.failure_message
        files[form] = exporting.directory_of(export) / export.manifest["files"][0]["name"]
    plain = lines(files["sft"])
    assert list(read_parquet(files["sft-parquet"])) == plain
    assert [row["id"] for row in lines(files["wire"])] == [row["id"] for row in plain]
    whole = lines(files["trajectories"])
    assert [row["trajectory"]["steps"] for row in whole] == [
        json.loads(row.to_value().model_dump_json())["steps"] for row in passed
    ]
    assert {row["instruction"] for row in lines(files["tasks"])} == {row.task.instruction for row in passed}
    assert lines(files["prompts"])[0]["prompt"][-1]["role"] == "user"


def test_an_empty_argument_object_stays_one(passed: list[Trajectory], run_now: Any) -> None:
    export = run_now(actions.start_export, version=freeze(test=0.0), form="sft-parquet", by=None)
    export.refresh_from_db()
    rows = read_parquet(exporting.directory_of(export) / export.manifest["files"][0]["name"])
    calls = [call for row in rows for message in row["messages"] for call in message.get("tool_calls", ())]
    empty = [call["function"]["arguments"] for call in calls if call["function"]["name"] == "list_services"]
    assert empty
    assert all(arguments == {} for arguments in empty)


def test_a_broken_history_is_refused_by_name_and_leaves_no_file(passed: list[Trajectory], run_now: Any) -> None:
    broken = passed[1]
    body = json.loads(broken.body)
    body["messages"] = [message for message in body["messages"] if message["role"] != "tool"]
    Trajectory.objects.filter(pk=broken.pk).update(body=json.dumps(body))
    export = run_now(actions.start_export, version=freeze(test=0.0), form="sft", by=None)
    export.refresh_from_db()
    assert export.run.state == "failed"
    assert export.run.failure_kind == "data:pairing"
    assert broken.public_id in export.run.failure_message
    assert export.manifest is None
    assert not exporting.directory_of(export).exists()


def test_a_cancelled_export_leaves_no_file(passed: list[Trajectory], monkeypatch: Any) -> None:
    version = freeze(test=0.0)
    export = actions.start_export(version=version, form="sft", by=None)
    from webapp.common import runs

    seen = records.members

    def cancel_on_the_way(*arguments: Any) -> Any:
        for number, member in enumerate(seen(*arguments)):
            if number == 1:
                runs.request_cancel(Run.objects.get(pk=export.run_id), None, "now")
            yield member

    monkeypatch.setattr(records, "members", cancel_on_the_way)
    monkeypatch.setattr(records, "PAGE", 1)
    runs.execute(export.run_id)
    assert Run.objects.get(pk=export.run_id).state == "cancelled"
    assert not exporting.directory_of(export).exists()
    assert Export.objects.get(pk=export.pk).manifest is None


def test_an_equal_export_is_not_written_twice(passed: list[Trajectory], run_now: Any) -> None:
    version = freeze(test=0.0)
    first = run_now(actions.start_export, version=version, form="wire", by=None)
    assert run_now(actions.start_export, version=version, form="wire", by=None) == first
    with pytest.raises(DatasetError):
        actions.start_export(version=freeze("rl", slug="tasks", test=0.0), form="sft", by=None)


def test_a_large_export_needs_little_memory(passed: list[Trajectory], run_now: Any) -> None:
    """160 trajectories of 1 MB each: held together they would be far above the bound."""
    body = json.loads(passed[0].body)
    body["messages"][-1]["content"] = "x" * 1_000_000
    text = json.dumps(body)
    big = Trajectory.objects.get(pk=passed[0].pk)
    for index in range(100, 260):
        big.pk, big.index, big.body = None, index, text
        big.save(force_insert=True)
    version = freeze(test=0.0)
    tracemalloc.start()
    export = run_now(actions.start_export, version=version, form="sft", by=None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    export.refresh_from_db()
    assert export.run.state == "succeeded"
    assert export.manifest["files"][0]["size"] > 160_000_000
    assert peak < 120_000_000, f"{peak / 1e6:.0f} MB"


# Pages ---------------------------------------------------------------------------------------------------------


def test_from_a_filter_to_a_download_in_the_browser(passed: list[Trajectory], run_now: Any, client_as: Any) -> None:
    make_lineages_differ([row.task for row in passed])
    client = client_as("curator")
    form = {"title": "My <b>set</b>", "kind": "sft", "query": "?policy=reference&limit=5"}
    response = client.post("/datasets/", form)
    assert response.status_code == 302
    page = client.get(response["Location"]).content.decode()
    assert "4 rows match now" in page
    assert "<b>set" not in page
    dataset = Dataset.objects.get()
    assert dataset.query == {"status": "passed", "policy": "reference"}
    response = client.post(f"{dataset.get_absolute_url()}freeze/", {"test": 0.25, "validation": 0, "seed": 1})
    version = DatasetVersion.objects.get()
    assert response["Location"] == version.get_absolute_url() == f"/datasets/{dataset.slug}/v1/"
    page = client.get(version.get_absolute_url()).content.decode()
    assert "Leakage check" in page
    assert passed[0].get_absolute_url() in page
    response = run_now(client.post, path=f"{version.get_absolute_url()}export/", data={"form": "sft"})
    export = Export.objects.get()
    page = client.get(response["Location"]).content.decode()
    name = export.manifest["files"][0]["name"]
    assert export.manifest["files"][0]["sha256"] in page
    assert "curl -fC -" in page
    whole = b"".join(client.get(f"/exports/{export.public_id}/files/{name}").streaming_content)
    path = exporting.directory_of(export) / name
    assert whole == path.read_bytes()
    part = client.get(f"/exports/{export.public_id}/files/{name}", headers={"Range": "bytes=100-"})
    assert part.status_code == 206
    assert b"".join(part.streaming_content) == whole[100:]
    assert client.get(f"/exports/{export.public_id}/files/..%2Fsecret_key").status_code == 404
    assert set(Activity.objects.values_list("verb", flat=True)) >= {"dataset.created", "dataset.frozen", "job.started"}


def test_roles_of_datasets_and_exports(passed: list[Trajectory], run_now: Any, client_as: Any) -> None:
    version = freeze(test=0.0)
    export = run_now(actions.start_export, version=version, form="sft", by=None)
    export.refresh_from_db()
    file = f"/exports/{export.public_id}/files/{export.manifest['files'][0]['name']}"
    for role, allowed in (
        ("viewer", False),
        ("annotator", False),
        ("curator", True),
        ("trainer", True),
        ("admin", True),
    ):
        client = client_as(role)
        for page in (
            "/datasets/",
            version.dataset.get_absolute_url(),
            version.get_absolute_url(),
            export.get_absolute_url(),
        ):
            assert client.get(page).status_code == 200, page
        assert (client.get(file).status_code == 200) is allowed, role
        for path, data in (
            ("/datasets/", {"title": f"Of {role}", "kind": "rl"}),
            (f"{version.dataset.get_absolute_url()}freeze/", {"test": 0, "validation": 0, "seed": 1}),
            (f"{version.get_absolute_url()}export/", {"form": "wire"}),
        ):
            assert (client.post(path, data).status_code == 302) is allowed, (role, path)


def test_pages_stay_within_their_query_budget(
    passed: list[Trajectory], run_now: Any, client_as: Any, django_assert_max_num_queries: Any
) -> None:
    version = freeze(test=0.0)
    export = run_now(actions.start_export, version=version, form="sft", by=None)
    client = client_as("curator")
    for page in (
        "/datasets/",
        version.dataset.get_absolute_url(),
        version.get_absolute_url(),
        export.get_absolute_url(),
    ):
        with django_assert_max_num_queries(12):
            assert client.get(page).status_code == 200


def test_what_is_wrong_is_said_in_the_form(passed: list[Trajectory], client_as: Any) -> None:
    client = client_as("curator")
    wrong = client.post("/datasets/", {"title": "x", "kind": "sft", "query": "colour=red"})
    assert wrong.status_code == 422
    assert "Unknown: colour" in wrong.content.decode()
    dataset = actions.create_dataset(title="Small", kind="sft", by=None)
    again = client.post("/datasets/", {"title": "Small", "kind": "sft"})
    assert again.status_code == 422
    assert "There is a dataset small already" in again.content.decode()
    Task.objects.update(lineage="one")
    refused = client.post(f"{dataset.get_absolute_url()}freeze/", {"test": 0.5, "validation": 0, "seed": 0})
    assert refused.status_code == 422
    assert "cannot fill 2 splits" in refused.content.decode()


# REST ----------------------------------------------------------------------------------------------------------


def test_datasets_and_exports_over_rest(passed: list[Trajectory], run_now: Any, api_as: Any) -> None:
    make_lineages_differ([row.task for row in passed])
    client = api_as("catalog:read", "datasets:write", "exports:read", "jobs:read", role="curator")
    made = client.post("/api/v1/datasets", {"title": "Over REST", "kind": "sft"}, format="json")
    assert made.status_code == 201
    assert made.json()["query"] == {"status": "passed"}
    path = f"/api/v1/datasets/{made.json()['slug']}"
    frozen = client.post(f"{path}/versions", {"train": 0.75, "test": 0.25}, format="json")
    assert frozen.status_code == 201
    assert client.post(f"{path}/versions", {"train": 0.75, "test": 0.25}, format="json").status_code == 200
    assert client.get(f"{path}/versions/1/leakage").json() == {"families": 0, "tasks": 0}
    rows = client.get(f"{path}/versions/1/rows?limit=3").json()
    assert len(rows["data"]) == 3
    rest = client.get(f"{path}/versions/1/rows?limit=3&cursor={rows['page']['next']}").json()
    assert [row["position"] for row in (*rows["data"], *rest["data"])] == [0, 1, 2, 3]
    body = {"dataset": made.json()["slug"], "format": "sft"}
    assert_problem(client.post("/api/v1/exports", body, format="json"), 422, "validation-failed")
    started = run_now(client.post, path="/api/v1/exports", data=body, format="json", headers={"Idempotency-Key": "k1"})
    assert started.status_code == 202
    assert started["Location"].startswith("/api/v1/operations/job_")
    export = client.get("/api/v1/exports").json()["data"][0]
    assert export["complete"]
    manifest = client.get(f"/api/v1/exports/{export['id']}/manifest").json()
    assert manifest["overlap"] == 0
    file = client.get(export["links"][manifest["files"][0]["name"]])
    assert len(b"".join(file.streaming_content)) == manifest["files"][0]["size"]
    assert_problem(client.get(f"/api/v1/exports/{export['id']}/files/manifest.yaml"), 404, "not-found")


def test_scopes_and_roles_of_rest(passed: list[Trajectory], api_as: Any) -> None:
    version = freeze(test=0.0)
    body = {"title": "No", "kind": "sft"}
    for client in (api_as("catalog:read", role="curator"), api_as("catalog:read", "datasets:write", role="viewer")):
        assert client.get("/api/v1/datasets").status_code == 200
        assert_problem(client.post("/api/v1/datasets", body, format="json"), 403, "permission-denied")
    assert_problem(api_as("catalog:read", role="curator").get("/api/v1/exports"), 403, "permission-denied")
    assert_problem(api_as("exports:read", role="viewer").get("/api/v1/exports"), 403, "permission-denied")
    unknown = api_as("datasets:write", role="curator").post(
        "/api/v1/exports", {"dataset": version.dataset.slug, "version": 9, "format": "sft"}, format="json",
        headers={"Idempotency-Key": "k"},
    )  # fmt: skip
    assert assert_problem(unknown, 422, "validation-failed")["errors"][0]["pointer"] == "/dataset"


def test_a_member_whose_body_is_broken_is_named(passed: list[Trajectory]) -> None:
    version = freeze(test=0.0)
    body = json.loads(passed[0].body)
    body["messages"][2]["tool_calls"][0]["function"]["arguments"] = "{oops"
    Trajectory.objects.filter(pk=passed[0].pk).update(body=json.dumps(body))
    with pytest.raises(TrainingError, match=passed[0].public_id):
        list(records.sft(version, "train"))


def test_all_passed_trajectories_are_frozen_once(passed: list[Trajectory]) -> None:
    version = actions.passed_trajectories(by=None)
    assert set(version.members.values_list("trajectory", flat=True)) == {row.pk for row in passed}
    assert actions.passed_trajectories(by=None) == version


def test_a_tools_blast_radius_names_frozen_versions(passed: list[Trajectory], client_as: Any) -> None:
    version = freeze(test=0.0)
    used = passed[0].task.tool_uses.first()
    assert used is not None
    page = client_as("curator").get(used.tool.get_absolute_url()).content.decode()
    assert "dataset versions" in page
    assert version.get_absolute_url() in page
