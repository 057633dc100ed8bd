"""Plans of experiments: exact arms, budgets and pairs; families on one side only; refusals in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training_app.engine.experiment import Candidate, Kind, PlanError, World, choose, holm, plan, read_sizes


def kind(name: str, needed: int, length: int = 3) -> Kind:
    return Kind(name=name, services=(), needed=(needed, needed), length=(length, length))


PAIRS = tuple(kind(f"pair-{length}", 2, length) for length in (2, 3, 4))
WORLD = World(source="practice", kinds=(kind("mail-3", 1), kind("shop-3", 1), *PAIRS), most_needed=2)
THREE = World(source="practice", kinds=(*WORLD.kinds, kind("three-3", 3)), most_needed=3)
SMALL = {"tasks": 9, "held_out": 7, "steps": 10, "batch": 4, "seed": 5}


def portions(data: Any) -> list[tuple[str, int]]:
    return [(portion.kind.name, portion.count) for portion in data]


def test_composed_against_single_service_at_equal_budget() -> None:
    made = plan("composed", read_sizes(SMALL), WORLD)
    single, composed = made.arms
    assert portions(single.data) == [("mail-3", 5), ("shop-3", 4)]
    assert portions(composed.data) == [("pair-3", 9)]
    assert single.budget == composed.budget == {"tasks": 9, "steps": 10, "sequences": 40}
    assert single.overrides == composed.overrides
    assert single.overrides == {
        "max_steps": 10, "epochs": 6.0, "global_batch": 4, "fill_batches": True, "stop_loss": None,
        "overlong": "refuse", "save_every": 10, "micro_batch": 4, "max_length": 2048,
    }  # fmt: skip
    assert portions(made.held_out) == [("pair-3", 4), ("mail-3", 2), ("shop-3", 1)]
    assert made.pairs == (("single-service", "composed"),)
    assert (made.seeds, made.temperature, made.attempts, made.base) == ((5,), 0.0, 1, None)
    assert (made.needed("mail-3"), made.needed("pair-3"), made.needed("pair-2")) == (5, 9, 0)
    assert [k.name for k in made.kinds] == ["mail-3", "pair-3", "shop-3"]


def test_scaling_changes_the_number_of_tasks_and_nothing_else() -> None:
    made = plan("scaling", read_sizes({**SMALL, "tasks": 80, "repeats": 2}), WORLD)
    assert [arm.name for arm in made.arms] == ["10 tasks", "20 tasks", "40 tasks", "80 tasks"]
    assert [arm.budget for arm in made.arms] == [
        {"tasks": count, "steps": 10, "sequences": 40} for count in (10, 20, 40, 80)
    ]
    assert made.pairs == (("10 tasks", "20 tasks"), ("20 tasks", "40 tasks"), ("40 tasks", "80 tasks"))
    assert made.seeds == (5, 6)
    assert made.needed("pair-3") == 80
    own = plan("scaling", read_sizes({**SMALL, "values": [3, 9]}), WORLD)
    assert [arm.budget["tasks"] for arm in own.arms] == [3, 9]


def test_rewards_start_from_the_same_weights_and_are_judged_as_they_sample() -> None:
    made = plan("rewards", read_sizes({**SMALL, "grpo_steps": 3, "groups_per_step": 2, "group_size": 4}), WORLD)
    assert made.base is not None
    assert made.base.overrides["stop_loss"] == 0.05
    assert [arm.overrides["reward"] for arm in made.arms] == ["completion_focused", "equal", "binary"]
    assert {tuple(sorted(arm.budget.items())) for arm in made.arms} == {(("rollouts", 24), ("steps", 3), ("tasks", 9))}
    assert {arm.overrides["micro_batch"] for arm in made.arms} == {8}
    assert made.pairs == (("equal", "completion_focused"), ("binary", "completion_focused"))
    assert (made.temperature, made.attempts) == (1.0, 2)


def test_sweeps_hold_out_equally_many_tasks_of_each_point() -> None:
    made = plan("k", read_sizes(SMALL), THREE)
    assert [(arm.name, portions(arm.data)) for arm in made.arms] == [
        ("K = 1", [("mail-3", 5), ("shop-3", 4)]), ("K = 2", [("pair-3", 9)]), ("K = 3", [("three-3", 9)]),
    ]  # fmt: skip
    assert portions(made.held_out) == [("mail-3", 2), ("shop-3", 1), ("pair-3", 2), ("three-3", 2)]
    longer = plan("length", read_sizes({**SMALL, "values": [2, 4]}), WORLD)
    assert [(arm.name, portions(arm.data)) for arm in longer.arms] == [
        ("L = 2", [("pair-2", 9)]), ("L = 4", [("pair-4", 9)]),
    ]  # fmt: skip
    assert longer.pairs == (("L = 2", "L = 4"),)


@pytest.mark.parametrize(
    ("preset", "sizes", "words"),
    [
        ("k", {"values": [1, 4]}, "K = 4 is larger than the 2 services that these tasks can join: choose from 1, 2"),
        ("length", {"values": [2, 9]}, "There are no tasks with L = 9: choose from 2, 3, 4"),
        ("length", {"values": [2]}, "A sweep needs two points or more"),
        ("scaling", {"values": [5, 500]}, "500 training tasks are asked for and `tasks` is 400: raise it"),
        ("composed", {"values": [2]}, "has no points of a sweep"),
        ("composed", {"held_out": 2}, "leave a kind of task without any"),
        ("soup", {}, "There is no experiment 'soup'"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_words(preset: str, sizes: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        plan(preset, read_sizes(sizes), WORLD)


def test_sizes_say_which_field_is_wrong() -> None:
    with pytest.raises(PlanError, match="tasks: Input should be greater than or equal to 2"):
        read_sizes({"tasks": 1})
    with pytest.raises(PlanError, match="in rising order"):
        read_sizes({"values": [3, 1]})
    with pytest.raises(PlanError, match="There are no tasks of a kind"):
        plan("composed", read_sizes({}), World(source="catalogue", kinds=(), most_needed=0))


@given(st.integers(0, 2**16), st.integers(1, 6), st.integers(1, 4))
def test_no_family_lies_on_both_sides_and_smaller_choices_begin_larger_ones(seed: int, train: int, held: int) -> None:
    many = [Candidate(id=f"{k}{n}", kind=k, family=f"f{n % 11}") for k in "ab" for n in range(44)]
    training, outside = choose(many, {"a": train, "b": train}, {"a": held}, seed)
    families = {one.id: one.family for one in many}
    inside = {families[pk] for ids in training.values() for pk in ids}
    assert not inside & {families[pk] for pk in outside["a"]}
    assert [len(training[k]) for k in "ab"] == [train, train]
    larger, same = choose(many, {"a": train + 2, "b": train}, {"a": held}, seed)
    assert larger["a"][:train] == training["a"]
    assert same == outside


def test_too_few_tasks_are_told_with_the_numbers() -> None:
    few = [Candidate(id=str(n), kind="a", family="one") for n in range(4)]
    with pytest.raises(
        PlanError, match=r"Of the kind a there are 0 training tasks that share no family .* and 2 are wanted"
    ):
        choose(few, {"a": 2}, {"a": 1}, 0)
    with pytest.raises(PlanError, match="Of the kind b there are 0 held-out tasks"):
        choose(few, {"a": 2}, {"b": 1}, 0)


def test_p_values_are_adjusted_for_their_number() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9]) == [0.9]
    assert holm([0.6, 0.6]) == [1.0, 1.0]
