import pytest

from training_app.evaluation.attempts import Attempt, read_attempts
from training_app.evaluation.config import EvaluationConfig
from training_app.evaluation.paired import compare
from training_app.evaluation.summary import first_divergence, summarise


def attempt(task, index=0, outcomes=(True, True), **more):
    verdict = dict(zip("abc", outcomes, strict=False)) if outcomes is not None else None
    return Attempt(task_id=task, index=index, verdict=verdict, **more)


def test_figures_of_one_attempt_per_task():
    attempts = [
        attempt("t1", turns=2, prompt_tokens=10, completion_tokens=5, cost_usd=0.5),
        attempt("t2", outcomes=(True, False), turns=4),
        attempt("t3", outcomes=(False, False), status="truncated"),
        attempt("t4", outcomes=(True, None)),
        attempt("t5", outcomes=None, status="error", detail="OSError: gone"),
    ]
    figures = summarise(attempts, seed=0, facts={"t1": {"K": 2}, "t2": {"K": 3}, "t3": {"K": 3}})
    assert (figures["attempts"], figures["valid"], figures["tasks"]) == (5, 3, 3)
    assert figures["success_rate"]["value"] == pytest.approx(1 / 3)
    assert figures["success_rate"]["n"] == 3
    assert figures["score"]["value"] == pytest.approx(0.5)
    assert figures["criteria"]["a"]["value"] == pytest.approx(2 / 3)
    assert figures["near_misses"] == [{"task_id": "t2", "index": 0, "missed": "b"}]
    assert figures["invalid"] == {"unknown outcome": 1, "OSError": 1}
    assert figures["truncated"] == 1
    assert (figures["tokens"], figures["cost_usd"]) == (15, 0.5)
    assert {k: v["n"] for k, v in figures["breakdowns"]["K"].items()} == {"2": 1, "3": 2}
    assert figures["pass_at_k"] == {"1": figures["success_rate"]}
    assert figures["near_misses_by_criterion"] == {"b": 1}
    assert figures["tasks_without_outcome"] == 2
    assert figures["bounds"] == {"low": pytest.approx(1 / 5), "high": pytest.approx(3 / 5)}


def test_several_attempts_are_not_independent():
    attempts = [attempt(f"t{t}", i, (t < 2 or i == 0,)) for t in range(4) for i in range(4)]
    figures = summarise(attempts, seed=1)
    assert figures["success_rate"]["value"] == pytest.approx(10 / 16)
    assert {k: one["value"] for k, one in figures["pass_at_k"].items()} == {"1": 0.625, "2": 0.75, "4": 1.0}
    assert {k: one["value"] for k, one in figures["avg_at_k"].items()} == {"1": 1.0, "2": 0.75, "4": 0.625}
    assert figures["pass_at_k"]["1"]["n"] == 4  # tasks, not attempts
    assert figures["pass_at_k"]["1"]["low"] < 0.625 < figures["pass_at_k"]["1"]["high"]
    assert figures["cost_usd"] is None
    assert figures["near_misses"] == []


def test_nothing_valid_is_said_so():
    figures = summarise([attempt("t", outcomes=None, detail="X: y")], seed=0)
    assert figures == {"attempts": 1, "valid": 0, "tasks": 0, "tasks_without_outcome": 1, "invalid": {"X": 1}}


def test_comparisons_are_paired_by_task():
    first = [attempt(f"t{i}", outcomes=(False,)) for i in range(8)]
    second = [attempt(f"t{i}", outcomes=(i > 1,)) for i in range(1, 9)]
    result = compare(first, second, seed=0)
    assert (result["tasks"], result["only_first"], result["only_second"]) == (7, 1, 1)
    assert result["success_rate"]["test"] == "McNemar, exact"
    assert result["success_rate"]["p_value"] == pytest.approx(2 / 2**6)
    assert result["gained"] == [f"t{i}" for i in range(2, 8)]
    assert result["lost"] == []
    many = compare([*first, attempt("t1", 1, (True,))], second, seed=0)
    assert "permutation" in many["success_rate"]["test"]
    assert many["table"] is None
    with pytest.raises(ValueError, match="no task in common"):
        compare(first, [attempt("x")], seed=0)


def test_a_comparison_holds_both_sides_differences_and_their_parts():
    first = [attempt(f"t{i}", outcomes=(True, i % 2 == 0)) for i in range(10)]
    second = [attempt(f"t{i}", outcomes=(i != 3, True)) for i in range(10)]
    second += [attempt("t0", 1, outcomes=(True, None)), attempt("t9", 1, outcomes=None, detail="X: y")]
    facts = {f"t{i}": {"K": 2 + i // 5} for i in range(10)}
    result = compare(first, second, seed=0, facts=facts)
    success = result["success_rate"]
    assert (success["first"]["value"], success["second"]["value"]) == (0.5, 0.9)
    assert success["difference"] == pytest.approx(0.4)
    assert success["low"] < 0.4 < success["high"]
    assert result["table"] == {"both": 5, "gained": 4, "lost": 0, "neither": 1}
    assert (result["unknown_first"], result["unknown_second"]) == (0, 2)  # counted, and in no figure
    assert result["criteria"]["a"]["difference"] == pytest.approx(-0.1)
    assert result["criteria"]["b"]["difference"] == pytest.approx(0.5)
    assert {k: (v["n"], v["difference"]) for k, v in result["breakdowns"]["K"].items()} == {
        "2": (5, pytest.approx(0.2)),
        "3": (5, pytest.approx(0.6)),
    }
    assert compare(first, second, seed=0, facts=facts) == result


def test_the_first_diverging_call():
    reference = [("a", "{}"), ("b", '{"x": 1}')]
    assert first_divergence(reference, reference) is None
    assert first_divergence([("a", "{}"), ("b", '{"x": 2}')], reference) == 1
    assert first_divergence(reference[:1], reference) == 1
    assert first_divergence([*reference, ("c", "{}")], reference) == 2


def test_stored_attempts_and_configurations_are_read_back():
    source = attempt("t", calls=(("a", "{}"),))
    assert read_attempts([{"kind": "attempt", "step": 0, **source.model_dump()}]) == [source]
    config = EvaluationConfig(model="m", dataset="d", episodes="a.b:c")
    assert EvaluationConfig.from_json(config.to_json()) == config
