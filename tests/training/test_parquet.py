import random

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.test_exports import JSON
from tests.training.toy import trajectory
from training_app.engine.errors import TrainingError
from training_app.exports.parquet import COLUMNS, read_parquet, schema, write_parquet, write_shards
from training_app.exports.sft import prompt_record, trajectory_records


def row(n, messages, **more):
    return {"id": str(n), "task_id": f"t{n}", "family": "f", "messages": messages, **more}


def roundtrip(path, records, kind="trajectories"):
    written = write_parquet(path, records, kind)
    assert written.records == len(records)
    return list(read_parquet(path))


def exact(value):
    """Equality that tells 1, 1.0, True and "1" apart; columns come back in the order of the schema."""
    if isinstance(value, list):
        return [exact(v) for v in value]
    return sorted((k, repr(v)) for k, v in value.items()) if isinstance(value, dict) else repr(value)


def test_schemas_of_different_tools_stay_apart(tmp_path):
    """EXPORT-1."""
    rows = [
        row(0, [], tools=[{"name": "a", "parameters": {"city": {"type": "string"}}}]),
        row(1, [], tools=[{"name": "b", "parameters": {"qty": {"type": "integer"}}}]),
    ]
    assert exact(roundtrip(tmp_path / "x.parquet", rows)) == exact(rows)


def test_values_keep_their_type(tmp_path):
    """EXPORT-2 and EXPORT-3."""
    values = [
        {"a": {"id": "00123"}},
        {"a": {"id": 12}},
        {"a": "true", "b": True},
        {"content": "2026-01-02"},
        {"n": 2**63},
        [1, 2.5, 1.0],
        {},
        [],
        None,
        "\ud800",
    ]
    rows = [row(n, value) for n, value in enumerate(values)]
    back = roundtrip(tmp_path / "x.parquet", rows)
    assert [exact(r["messages"]) for r in back] == [exact(v) for v in values]
    assert all("verdict" not in r for r in back)


@settings(max_examples=40)
@given(st.lists(JSON, max_size=6))
def test_any_json_survives(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("p") / "x.parquet"
    rows = [row(n, value) for n, value in enumerate(values)]
    assert exact(roundtrip(path, rows)) == exact(rows)


def test_the_first_rows_do_not_decide_the_schema(tmp_path):
    """EXPORT-4: shards of one schema, alone, together, in any order."""
    rows = [row(n, None, status="x" * 50) for n in range(3000)]
    rows += [row(3000, {"k": 1}), row(3001, "plain"), {"id": "3002", "task_id": "t", "family": "f"}]
    shards = write_shards(tmp_path, "part", rows, "trajectories", 1000)
    assert [s.records for s in shards] == [1000, 1000, 1000, 3]
    assert [s.path.name for s in shards][-1] == "part-00003.parquet"
    tables = [pq.read_table(s.path) for s in shards]
    assert all(t.schema.equals(schema("trajectories")) for t in tables)
    for order in (shards, shards[::-1]):
        back = [r for s in order for r in read_parquet(s.path)]
        assert exact(sorted(back, key=lambda r: int(r["id"]))) == exact(rows)


def test_training_records_and_prompts(tmp_path):
    source = trajectory("toy-5")
    for kind, policy in (("sft", "none"), ("sft_turns", "per_turn")):
        records = trajectory_records(source, policy)
        assert roundtrip(tmp_path / f"{kind}.parquet", records, kind) == records
        assert set(records[0]) == {c.name for c in COLUMNS[kind]}
    prompts = [prompt_record({"task_id": "a", "instruction": "b"})]
    assert roundtrip(tmp_path / "prompts.parquet", prompts, "prompts") == prompts


def test_empty_sets_still_give_a_file(tmp_path):
    (shard,) = write_shards(tmp_path, "none", [], "sft", 10)
    assert list(read_parquet(shard.path)) == []
    assert (
        len(write_shards(tmp_path, "even", [prompt_record({"task_id": "a", "instruction": ""})] * 4, "prompts", 2)) == 2
    )


def test_unknown_columns_are_refused_and_leave_no_file(tmp_path):
    with pytest.raises(TrainingError, match="no column extra"):
        write_parquet(tmp_path / "x.parquet", [row(1, [], extra=1)], "trajectories")
    assert list(tmp_path.iterdir()) == []


def test_a_row_that_reads_back_differently_leaves_no_file(tmp_path):
    """score is a float column: an integer would come back as 1.0."""
    (record,) = trajectory_records(trajectory("toy-5"), "none")
    with pytest.raises(TrainingError, match="reads back differently"):
        write_parquet(tmp_path / "x.parquet", [{**record, "score": 1}], "sft")
    assert list(tmp_path.iterdir()) == []


def test_the_order_of_rows_is_kept(tmp_path):
    rows = [row(n, n) for n in random.Random(0).sample(range(1000), 700)]
    assert [r["id"] for r in roundtrip(tmp_path / "x.parquet", rows)] == [r["id"] for r in rows]
