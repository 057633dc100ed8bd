"""Messages, pairing, training records, streams, splits, manifests."""

import gzip
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.toy import trajectory
from training_app.engine.errors import TrainingError
from training_app.exports.manifest import (
    FileEntry,
    Manifest,
    mean_simulated_share,
    merge_left_out,
    read_manifest,
    verify_files,
    write_manifest,
)
from training_app.exports.messages import content_text, json_text, parse_json, to_training, to_wire
from training_app.exports.ndjson import file_sha256, read_ndjson, stream_ndjson, write_ndjson
from training_app.exports.pairing import check_pairing
from training_app.exports.sft import (
    RECORD_KEYS,
    Selection,
    SFTOptions,
    prompt_record,
    sft_records,
    trajectory_records,
    wire_record,
)
from training_app.exports.splits import (
    Item,
    assign,
    families,
    instruction_shape,
    lineage_key,
    overlap,
)


def call(arguments, id="c1", name="call_tool"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def assistant(*calls, content=None):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def answer(id="c1", content="{}"):
    return {"role": "tool", "tool_call_id": id, "name": "call_tool", "content": content}


def test_arguments_become_an_object_and_back():
    """TRAJ-1."""
    wire = assistant(call('{"city": "Ulm"}'), content="")
    training = to_training(wire)
    assert training["tool_calls"][0]["function"]["arguments"] == {"city": "Ulm"}
    assert to_wire(training) == wire
    assert to_training(training) == training


@pytest.mark.parametrize("arguments", ["[1]", "null", "", "{", '{"a": NaN}', '{"a": 1, "a": 2}', None, 3])
def test_arguments_that_are_no_object_are_refused(arguments):
    with pytest.raises(TrainingError, match="trajectory 7, turn 2, call of call_tool"):
        to_training(assistant(call(arguments)), "trajectory 7, turn 2")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_any_arguments_survive_both_ways(arguments):
    wire = assistant(call(json_text(arguments)), content="")
    assert to_wire(to_training(wire)) == wire
    assert to_training(wire)["tool_calls"][0]["function"]["arguments"] == arguments


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        (" ", " "),
        ([{"type": "text", "text": "x"}, {"type": "text", "text": "y"}], "xy"),
        ({"b": 1, "a": "é"}, '{"b": 1, "a": "é"}'),
        ([], "[]"),
        ([1], "[1]"),
        (0, "0"),
    ],
)
def test_content_is_always_text(content, text):
    """TRAJ-6: null never shows up as a word."""
    assert content_text(content) == text
    assert to_training({"role": "assistant", "content": content})["content"] == text
    assert to_training({"role": "assistant"})["content"] == ""


def test_other_bad_messages():
    with pytest.raises(TrainingError, match="unknown role"):
        to_training({"role": "robot"})
    with pytest.raises(TrainingError, match="without a name"):
        to_training(assistant(call("{}", name="")))
    assert "id" not in to_training(assistant(call("{}", id=None)))["tool_calls"][0]
    assert json.loads(json_text("\ud800")) == "\ud800"
    assert parse_json("9223372036854775808") == 2**63


GOOD = [
    {"role": "user", "content": "hi"},
    assistant(call("{}", "a"), call("{}", "b")),
    answer("a"),
    answer("b"),
    {"role": "assistant", "content": "Done."},
]


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (GOOD[:3], "turn 2: call b has no answer before the end"),
        ([*GOOD[:3], GOOD[4]], "turn 4: call b of turn 2 has no answer"),
        (GOOD[2:], "turn 1: the answer to a belongs to no open call"),
        ([*GOOD[:2], GOOD[3], GOOD[2]], "turn 3: the answer to b comes before the answer to a"),
        ([*GOOD[:4], GOOD[3]], "turn 5: the answer to b belongs to no open call"),
        ([assistant(call("{}", "a"), call("{}", "a"))], "turn 1: two tool calls share an id"),
        ([assistant(call("{}", ""))], "turn 1: a tool call has no id"),
        ([answer(None)], "turn 1: the answer to no id belongs to no open call"),
    ],
)
def test_pairing_is_checked_in_both_directions(messages, words):
    """TRAJ-4."""
    check_pairing("t9", GOOD)
    with pytest.raises(TrainingError, match=words) as error:
        check_pairing("t9", messages)
    assert "trajectory t9" in error.value.message


def select(trajectories, **options):
    selection = Selection()
    return list(sft_records(trajectories, SFTOptions(**options), selection)), selection


def test_records_hold_objects_and_tools_as_text():
    ((record,), selection) = select([trajectory("toy-1")])
    assert set(record) == set(RECORD_KEYS)
    assert record["messages"][1]["tool_calls"][0]["function"]["arguments"]["name"]
    assert json.loads(record["tools"])[0]["type"] == "function"
    assert record["score"] == 1.0
    assert (selection.trajectories, selection.records) == (1, 1)
    wire = wire_record(trajectory("toy-1"))
    assert isinstance(wire["messages"][1]["tool_calls"][0]["function"]["arguments"], str)
    assert isinstance(wire["tools"], list)


def test_only_verified_complete_trajectories_enter():
    base = trajectory("toy-1")
    bad = [
        {**base, "status": "truncated"},
        {**base, "status": "aborted"},
        {**base, "verdict": {"passed": False}},
        {**base, "verdict": {"passed": None}},
        {**base, "simulated_share": 0.5},
    ]
    records, selection = select([*bad, base], max_simulated_share=0.2)
    assert len(records) == 1
    assert selection.left_out == {
        "truncated": 1,
        "aborted": 1,
        "not passed": 1,
        "unknown": 1,
        "too much simulated": 1,
    }
    assert len(select(bad[:1], allow_truncated=True)[0]) == 1
    assert len(select(bad[2:4], only_passed=False)[0]) == 2


def reasoning_trajectory():
    base = trajectory("toy-1")
    number = 0
    messages = []
    for message in base["messages"]:
        if message["role"] == "assistant":
            number += 1
            messages.append({**message, "reasoning_content": f"r{number}"})
        else:
            messages.append(message)
    return {**base, "messages": messages}


def test_reasoning_is_kept_by_an_explicit_policy():
    """TRAJ-5."""
    source = reasoning_trajectory()

    def reasons(messages):
        return [m["reasoning_content"] for m in messages if "reasoning_content" in m]

    (none,) = trajectory_records(source, "none")
    assert reasons(none["messages"]) == []
    (everything,) = trajectory_records(source, "all")
    assert reasons(everything["messages"]) == ["r1", "r2", "r3", "r4"]
    turns = trajectory_records(source, "per_turn")
    assert [reasons(turn["completion"]) for turn in turns] == [["r1"], ["r2"], ["r3"], ["r4"]]
    assert all(reasons(turn["prompt"]) == [] for turn in turns)
    assert turns[2]["prompt"] == none["messages"][:5]


def test_a_trajectory_without_an_assistant_turn_is_refused():
    with pytest.raises(TrainingError, match="no assistant turn"):
        trajectory_records({"id": 1, "task_id": 1, "messages": [{"role": "user", "content": "x"}]}, "none")


def test_prompt_records():
    record = prompt_record({"task_id": 4, "instruction": "Do it.", "family": "f"}, "Be brief.")
    assert record["task_id"] == "4"
    assert [m["role"] for m in record["prompt"]] == ["system", "user"]
    assert len(prompt_record({"task_id": 4, "instruction": "Do it."})["prompt"]) == 1


def test_files_appear_only_when_complete(tmp_path):
    path = tmp_path / "out.jsonl"
    counts = []
    written = write_ndjson(path, ({"n": n, "t": "é\ud800"} for n in range(450)), progress=counts.append)
    assert counts == [200, 400, 450]
    assert written.records == 450
    assert written.sha256 == file_sha256(path)
    assert written.size == path.stat().st_size
    assert list(read_ndjson(path))[3] == {"n": 3, "t": "é\ud800"}

    def broken():
        yield {"n": 1}
        raise RuntimeError("cancelled")

    with pytest.raises(RuntimeError):
        write_ndjson(tmp_path / "half.jsonl", broken())
    with pytest.raises(ValueError, match="JSON compliant"):
        write_ndjson(path, [{"n": float("nan")}])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.jsonl"]
    assert file_sha256(path) == written.sha256


def test_compressed_files_are_the_same_every_time(tmp_path):
    first = write_ndjson(tmp_path / "a.jsonl.gz", [{"a": 1}], compress=True)
    second = write_ndjson(tmp_path / "b.jsonl.gz", [{"a": 1}], compress=True)
    assert first.sha256 == second.sha256
    assert json.loads(gzip.decompress(first.path.read_bytes())) == {"a": 1}
    assert list(read_ndjson(first.path)) == [{"a": 1}]


def test_lines_that_are_no_object_are_named(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n[1]\n')
    with pytest.raises(ValueError, match=r"x\.jsonl, line 2"):
        list(read_ndjson(path))


def test_streams_say_that_they_are_complete():
    *lines, end = list(stream_ndjson([{"a": 1}, {"a": 2}]))
    assert json.loads(end)["_end"]["records"] == 2
    import hashlib

    assert json.loads(end)["_end"]["sha256"] == hashlib.sha256(b"".join(lines)).hexdigest()


def test_memory_stays_constant(tmp_path):
    """OPS-6 in small: 60 MB pass through, a few MB are held."""
    tracemalloc.start()
    write_ndjson(tmp_path / "big.jsonl", ({"n": n, "text": "x" * 30_000} for n in range(2000)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "big.jsonl").stat().st_size > 60e6
    assert peak < 5e6


def items():
    same = [Item(f"r{i}", "one-task", "Pay 5") for i in range(10)]
    renamed = [
        Item(f"n{i}", lineage_key(["mail", "crm"], [("crm", "mail")]), f'Write to "{name}" about it')
        for i, name in enumerate(["Ana", "Bo", "Cy", "Di", "Ed"])
    ]
    number = [Item("d1", "", "Order 12 lamps for the office"), Item("d2", "", "Order 13 lamps for the office")]
    others = [Item(f"o{i}", f"other-{i}") for i in range(12)]
    return [*same, *renamed, *number, *others]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_relatives_stay_on_one_side(seed):
    """EXPORT-5."""
    family_of = families(items())
    assert len({family_of[f"r{i}"] for i in range(10)}) == 1
    assert len({family_of[f"n{i}"] for i in range(5)}) == 1
    assert family_of["d1"] == family_of["d2"]
    split_of = assign(family_of, {"train": 0.8, "test": 0.2}, seed)
    assert overlap(family_of, split_of) == 0
    assert split_of == assign(dict(reversed(family_of.items())), {"test": 0.2, "train": 0.8}, seed)
    assert set(split_of.values()) == {"train", "test"}
    assert overlap(family_of, {**split_of, "r0": "train", "r1": "test"}) == 1


def test_seeds_differ_and_shares_are_met():
    family_of = {f"i{n}": f"f{n}" for n in range(100)}
    splits = [assign(family_of, {"train": 0.8, "test": 0.2}, seed) for seed in (1, 2)]
    assert splits[0] != splits[1]
    assert sum(s == "test" for s in splits[0].values()) == 20


def test_keys_and_shapes():
    assert lineage_key(["b", "a", "a"], [("a", "b")]) == lineage_key(["a", "b"], [("a", "b")])
    assert lineage_key(["a", "b"], [("a", "b")]) != lineage_key(["a", "b"], [("b", "a")])
    assert lineage_key(["a"], [], "x") != lineage_key(["a"], [], "y")
    assert instruction_shape('Mail "Bo"  12 lamps') == instruction_shape("Mail 'Ana' 7 lamps")


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ({"a": 0.5}, "add up to 1"),
        ({}, "add up"),
        ({"a": 1.5, "b": -0.5}, "positive"),
        ({"a": 0.5, "b": 0.5}, "1 families"),
    ],
)
def test_impossible_splits_are_refused(shares, words):
    with pytest.raises(ValueError, match=words):
        assign({"x": "f", "y": "f"}, shares, 0)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.text("ab1 ", max_size=6)), min_size=8, max_size=40),
    st.integers(0, 99),
)
def test_no_split_shares_a_family(rows, seed):
    family_of = families([Item(str(i), str(line), text) for i, (line, text) in enumerate(rows)])
    shares = {"train": 0.7, "dev": 0.1, "test": 0.2}
    if len(set(family_of.values())) < 3:
        return
    split_of = assign(family_of, shares, seed)
    assert overlap(family_of, split_of) == 0
    assert set(split_of.values()) == set(shares)


def manifest(files, **changes):
    values = {
        "format": "sft/1",
        "dataset": "d",
        "dataset_version": "h",
        "created_at": "2026-01-01T00:00:00Z",
        "files": files,
        "split_rule": "r",
        "split_seed": 1,
        "overlap": 0,
        "simulated_share": mean_simulated_share([0.0, 0.5]),
    }
    return Manifest(**{**values, **changes})


def test_manifests_prove_their_files(tmp_path):
    files = [
        FileEntry.of(write_ndjson(tmp_path / f"{split}-{n}.jsonl", [{"a": n}] * 3), split)
        for split in ("train", "test")
        for n in range(2)
    ]
    write_manifest(tmp_path, manifest(files))
    read = read_manifest(tmp_path)
    assert read.counts() == {"train": 6, "test": 6}
    assert read.simulated_share == 0.25
    assert verify_files(tmp_path, read) == ()
    (tmp_path / "train-0.jsonl").write_text("{}")
    (tmp_path / "test-1.jsonl").unlink()
    assert verify_files(tmp_path, read) == (
        "train-0.jsonl was changed after the export",
        "test-1.jsonl is missing",
    )
    with pytest.raises(ValueError, match="more than one split"):
        write_manifest(tmp_path, manifest(files, overlap=1))
    assert mean_simulated_share([]) == 0.0
    assert merge_left_out([{"a": 1}, {"b": 1, "a": 2}]) == {"a": 3, "b": 1}
