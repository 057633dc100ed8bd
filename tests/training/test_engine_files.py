"""Metrics, run directory, masks, observations."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.toy import ToyFactory
from training_app.engine.episodes import error_observation, is_known, load_factory, shorten_observation
from training_app.engine.errors import TrainingError
from training_app.engine.masks import Segment, check_rollout_mask, compare_spans, mask_of, spans, trained_share
from training_app.engine.metrics import LineWriter, latest, read_metrics, read_records, tail
from training_app.engine.rundir import RunDirectory


def writer(path):
    return LineWriter(path, lambda: 12.3456)


def test_the_last_line_of_a_step_wins(tmp_path):
    lines = writer(tmp_path / "m.jsonl")
    for value in (1.0, 2.0):
        lines.write("train", 3, {"loss": value})
    lines.write("rollouts", 3, {"reward": 0.5})
    records = read_metrics(tmp_path / "m.jsonl")
    assert [(r["kind"], r.get("loss")) for r in records] == [("rollouts", None), ("train", 2.0)]
    assert records[0]["at"] == 12.346


def test_what_was_logged_beyond_a_resumed_step_never_happened():
    records = [{"kind": "train", "step": s, "loss": 1} for s in range(1, 7)]
    records += [{"kind": "begin", "step": 3}, {"kind": "train", "step": 4, "loss": 2}]
    assert [(r["step"], r["loss"]) for r in latest(records)] == [(1, 1), (2, 1), (3, 1), (4, 2)]


def test_numbers_that_json_does_not_know_become_null(tmp_path):
    writer(tmp_path / "m.jsonl").write("train", 1, {"loss": math.nan, "gap": math.inf, "ok": 1.0})
    (record,) = read_records(tmp_path / "m.jsonl")
    assert record["loss"] is None
    assert record["nonfinite"] == ["gap", "loss"]
    assert record["ok"] == 1.0


def test_half_lines_wait_and_broken_ones_spoil_only_themselves(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_bytes(b'{"kind": "train", "step": 1}\n{"kind": "train", "st')
    first = tail(path)
    assert [r["step"] for r in first.records] == [1]
    assert tail(path, first.offset).records == ()
    writer(path).write("train", 2, {})
    second = tail(path, first.offset)
    assert [r["step"] for r in second.records] == [2]
    assert second.rejected == 1
    path.write_bytes(b'{"kind": "train", "step": 9}\n[1]\n')  # replaced by a shorter file
    assert [r["step"] for r in tail(path, second.offset).records] == [9]


def test_a_missing_file_gives_nothing_and_a_long_line_is_read_whole(tmp_path):
    path = tmp_path / "m.jsonl"
    assert tail(path).offset == 0
    path.touch()
    writer(path).write("train", 1, {"text": "x" * 1000})
    assert len(tail(path, limit=10).records) == 1


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.lists(st.text(max_size=8), max_size=6))
def test_any_cutting_of_the_file_gives_the_same_records(tmp_path_factory, cuts, texts):
    path = tmp_path_factory.mktemp("tail") / "m.jsonl"
    data = b"".join(json.dumps({"kind": "k", "step": i, "t": t}).encode() + b"\n" for i, t in enumerate(texts))
    seen, offset, end = [], 0, 0
    for cut in [*cuts, len(data)]:
        end = min(len(data), end + cut)
        path.write_bytes(data[:end])
        chunk = tail(path, offset, limit=7)
        while chunk.offset != offset:
            seen += chunk.records
            offset = chunk.offset
            chunk = tail(path, offset, limit=7)
    assert [r["t"] for r in seen] == texts


def test_small_files_of_a_run(tmp_path):
    run = RunDirectory(tmp_path / "run")
    run.create()
    assert run.heartbeat() is None
    run.beat(step=3, at=5.0, pid=7)
    assert run.heartbeat() == {"step": 3, "at": 5.0, "pid": 7}
    assert not run.stop_requested()
    run.request_stop("enough")
    assert run.stop.read_text() == "enough"
    run.clear_stop()
    run.clear_stop()
    assert not run.stop_requested()
    assert run.rollouts(12).name == "step-000012.jsonl"
    assert {p.name for p in (run.config, run.metrics, run.events, run.model)} == {
        "config.json",
        "metrics.jsonl",
        "events.jsonl",
        "model",
    }
    for text in ("{", "[]"):
        (run.root / "status.json").write_text(text)
        with pytest.raises(TrainingError, match=r"status\.json"):
            run.read_json("status.json")


def test_spans_and_shares():
    assert spans([0, 1, 1, 0, 1]) == ((1, 3), (4, 5))
    assert spans([]) == ()
    assert trained_share([[1, 0], [0, 0]]) == 0.25
    assert trained_share([]) == 0.0
    with pytest.raises(ValueError, match="found 2 at 1"):
        spans([0, 2])


def test_trained_text_is_compared_with_the_turns():
    assert compare_spans(["a<end>", "b"], ["a<end>\n", "b"]) == ()
    assert compare_spans([], ["a"]) == ("no token is trained",)
    problems = compare_spans(["b"], ["a", "b"])
    assert problems[0] == "1 trained spans for 2 assistant turns"
    assert "trained span 1 is 'b', the turn is 'a'" in problems[1]
    assert "…" in compare_spans(["x" * 100], ["y"])[0]


def test_rollout_masks_are_checked_against_their_origin():
    segments = [Segment("sampled", 2), Segment("observation", 2), Segment("sampled", 1)]
    assert mask_of(segments) == [1, 1, 0, 0, 1]
    assert check_rollout_mask([1, 1, 0, 0, 1], segments) == ()
    assert check_rollout_mask([1, 1, 1, 0, 0], segments) == (
        "1 observation tokens are trained, first at 2",
        "1 sampled tokens are not trained, first at 4",
    )
    assert "covers 2 tokens" in check_rollout_mask([1, 1], segments)[0]


def test_long_observations_keep_head_and_tail():
    text = "".join(map(str, range(1000)))
    short = shorten_observation(text, 200)
    assert len(short) <= 200
    assert short.startswith(text[:50])
    assert short.endswith(text[-20:])
    assert f"{len(text) - 200} characters left out" in short
    assert shorten_observation("x" * 200, 200) == "x" * 200
    assert "left out" in shorten_observation("x" * 200, 10)
    assert json.loads(error_observation(404, "unknown_tool", "no"))["success"] is False


def test_factories_are_found_by_name():
    factory = load_factory("tests.training.toy:ToyFactory", {"mode": "meta"})
    assert isinstance(factory, ToyFactory)
    assert factory.mode == "meta"
    assert is_known(factory, "toy-1")
    assert not is_known(factory, "other")
    for target in ("tests.nowhere:x", "tests.training.toy:nothing"):
        with pytest.raises(TrainingError, match="cannot load"):
            load_factory(target, {})
    with pytest.raises(TrainingError, match="no episode factory"):
        load_factory("builtins:dict", {})
