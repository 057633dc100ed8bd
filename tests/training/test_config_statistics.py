import random

import pytest
from pydantic import TypeAdapter, ValidationError

from training_app.engine.config import PRESETS, AnyConfig, GRPOConfig, SFTConfig, grpo_preset, sft_preset
from training_app.engine.statistics import (
    bootstrap_difference,
    bootstrap_mean,
    fourfold,
    mcnemar,
    paired_permutation,
    pass_at_k,
    wilson,
)

GRPO = {"model": "m", "dataset": "d", "episodes": "a.b:c"}


def test_the_paper_presets_hold_the_papers_numbers():
    sft = sft_preset("paper", model="m", dataset="d")
    assert (sft.epochs, sft.global_batch, sft.learning_rate) == (3.0, 32, 1e-4)
    grpo = grpo_preset("paper", **GRPO)
    assert (grpo.group_size, grpo.learning_rate, grpo.epsilon, grpo.epsilon_high) == (8, 1e-5, 0.2, 0.28)
    assert (grpo.beta, grpo.entropy_coef, grpo.lam, grpo.reward) == (0.0, 0.0, 0.01, "completion_focused")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_travel_as_json(name):
    for config in (sft_preset(name, model="m", dataset="d"), grpo_preset(name, **GRPO)):
        assert type(config).from_json(config.to_json()) == config
        assert TypeAdapter(AnyConfig).validate_json(config.to_json()) == config
        assert config.preset == name


def test_every_field_is_explained():
    for model in (SFTConfig, GRPOConfig):
        silent = [n for n, f in model.model_fields.items() if not f.description and n != "kind"]
        assert silent == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"device": "cpu", "precision": "bfloat16"}, "choose precision float32"),
        ({"groups_per_step": 3, "micro_batch": 16}, "no multiple of micro_batch"),
        ({"min_valid": 9}, "larger than group_size"),
        ({"epsilon_high": 0.1}, "epsilon_high must not be smaller"),
        ({"max_completion_length": 100}, "covers the whole episode"),
        ({"vllm": "colocate", "device": "cpu", "precision": "float32"}, "needs device cuda"),
        ({"episodes": "no target"}, "episodes"),
        ({"unknown_field": 1}, "unknown_field"),
        ({"learning_rate": 0}, "learning_rate"),
    ],
)
def test_contradictions_are_refused_in_words(change, words):
    with pytest.raises(ValidationError, match=words):
        grpo_preset("paper", **GRPO | change)


def test_other_refusals():
    with pytest.raises(ValidationError, match="whole micro batches"):
        sft_preset("paper", model="m", dataset="d", micro_batch=5)
    with pytest.raises(ValueError, match="choose one of paper, cpu-proof"):
        sft_preset("fast")


def test_wilson_against_known_values():
    interval = wilson(8, 10)
    assert (interval.low, interval.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10).low == 0.0
    assert wilson(10, 10).high == 1.0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)
    with pytest.raises(ValueError, match="make no sense"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, level=1)


def test_bootstrap_is_seeded_and_covers_the_mean():
    rng = random.Random(1)
    values = [rng.random() for _ in range(50)]
    first = bootstrap_mean(values, seed=3)
    assert first == bootstrap_mean(values, seed=3)
    assert first != bootstrap_mean(values, seed=4)
    assert first.low < first.value < first.high
    assert bootstrap_mean([0.5] * 5, seed=0).high == 0.5
    with pytest.raises(ValueError, match="no values"):
        bootstrap_mean([], seed=0)


def test_mcnemar_counts_only_the_tasks_that_differ():
    result = mcnemar([False] * 6 + [True] * 4, [True] * 6 + [True] * 4)
    assert result.p_value == pytest.approx(2 / 2**6)
    assert result.difference == pytest.approx(0.6)
    assert mcnemar([True, False], [True, False]).p_value == 1.0
    with pytest.raises(ValueError, match="same tasks"):
        mcnemar([True], [])


def test_the_permutation_test_is_exact_for_few_and_drawn_for_many():
    few = paired_permutation([0.0] * 5, [1.0] * 5, seed=0)
    assert few.p_value == pytest.approx(2 / 32)
    many = paired_permutation([0.0] * 30, [1.0] * 30, seed=0, resamples=500)
    assert many.p_value == pytest.approx(1 / 501)
    assert "seed 0" in many.test
    assert paired_permutation([1.0, 2.0], [1.0, 2.0], seed=0).p_value == 1.0


def test_pass_at_k():
    assert pass_at_k(4, 1, 1) == pytest.approx(0.25)
    assert pass_at_k(4, 1, 4) == 1.0
    assert pass_at_k(4, 2, 2) == pytest.approx(1 - 1 / 6)
    for wrong in ((2, 1, 3), (2, 3, 1), (0, 0, 1)):
        with pytest.raises(ValueError, match="needs 1"):
            pass_at_k(*wrong)


def test_paired_differences_have_intervals_and_a_table():
    first, second = [False] * 20 + [True] * 20, [True] * 12 + [False] * 8 + [True] * 18 + [False] * 2
    table = fourfold(first, second)
    assert (table.both, table.gained, table.lost, table.neither) == (18, 12, 2, 8)
    assert mcnemar(first, second).difference == pytest.approx(10 / 40)
    interval = bootstrap_difference([float(x) for x in first], [float(x) for x in second], seed=0)
    assert interval.value == pytest.approx(0.25)
    # Pairs are drawn whole: the deviation of a mean of 40 differences of deviation .54 is .085.
    assert interval.low == pytest.approx(0.25 - 1.96 * 0.085, abs=0.03)
    assert interval.high == pytest.approx(0.25 + 1.96 * 0.085, abs=0.03)
    same = bootstrap_difference([0.25, 0.75], [0.5, 1.0], seed=0)
    assert (same.low, same.high) == (0.25, 0.25)
    with pytest.raises(ValueError, match="the same tasks"):
        bootstrap_difference([1.0], [], seed=0)
