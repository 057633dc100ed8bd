import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training_app.engine.advantage import classify_group, group_advantages
from training_app.engine.pool import dead_streaks, replacement, retired
from training_app.engine.reward import check_groups, group_reward, pull


def verdicts(*rows):
    return [dict(zip("ABCDE", map(bool, row), strict=False)) if row is not None else None for row in rows]


def test_dead_rollouts_count_neither_for_themselves_nor_for_their_siblings():
    """RL-2: five valid rollouts of eight; p = (.8, .2), w = (.21, .81)."""
    group = group_reward(verdicts((1, 1), (1, 0), (1, 0), (1, 0), (0, 0), None, None, None))
    assert group.rewards[0] == pytest.approx(1.0)
    assert group.rewards[1:4] == pytest.approx([0.21 / 1.02] * 3)
    assert group.rewards[1] == pytest.approx(0.205882, abs=1e-6)
    assert group.rewards[4] == 0.0
    assert group.rewards[5:] == (None, None, None)
    assert group.valid == (0, 1, 2, 3, 4)
    assert group.weights == pytest.approx({"A": 0.21, "B": 0.81})
    counted_as_failures = group_reward(verdicts((1, 1), (1, 0), (1, 0), (1, 0), (0, 0), (0, 0), (0, 0), (0, 0)))
    assert counted_as_failures.rewards[1] == pytest.approx(0.365591, abs=1e-6)


def test_a_broken_criterion_leaves_the_weights():
    """RL-3: A passes 4 of 8 times, B can never be judged."""
    honest = group_reward([{"A": i < 4, "B": False} for i in range(8)])
    assert honest.rewards[0] == pytest.approx(0.51 / 1.52)
    for broken in (
        group_reward([{"A": i < 4, "B": None} for i in range(8)]),
        group_reward([{"A": i < 4, "B": False} for i in range(8)], broken={"B"}),
    ):
        assert broken.rewards == (1.0,) * 4 + (0.0,) * 4
        assert broken.broken == ("B",)
        assert set(broken.weights) == {"A"}


def test_an_unknown_outcome_leaves_its_rollout_out():
    group = group_reward([{"A": True}, {"A": False}, {"A": None}])
    assert group.rewards == (1.0, 0.0, None)
    assert group.pass_rates == {"A": 0.5}


def test_a_criterion_unknown_everywhere_can_drop_the_group():
    group = group_reward([{"A": True, "B": None}] * 3, unknown_everywhere="drop_group")
    assert group.rewards == (None, None, None)
    assert group.skipped == "no rollout could be judged on B"
    known = group_reward([{"A": True, "B": None}] * 3, unknown_everywhere="drop_group", broken=["B"])
    assert known.rewards == (1.0, 1.0, 1.0)


def test_small_and_unjudgeable_groups_are_skipped():
    assert group_reward([{"A": True}, None]).skipped == "1 valid rollouts, 2 needed"
    assert group_reward([None, None]).skipped == "0 valid rollouts, 2 needed"
    assert group_reward([{"A": None}] * 2).skipped == "every criterion is broken"


@pytest.mark.parametrize(("variant", "expected"), [("equal", (1.0, 2 / 3, 1 / 3)), ("binary", (1.0, 0.0, 0.0))])
def test_other_variants(variant, expected):
    group = group_reward(verdicts((1, 1, 1), (1, 1, 0), (1, 0, 0)), variant=variant)
    assert group.rewards == pytest.approx(expected)


def test_all_met_with_lambda_zero_is_one():
    assert group_reward(verdicts((1, 1), (1, 1)), lam=0.0).rewards == (1.0, 1.0)


def test_criteria_without_signal_are_named():
    group = group_reward(verdicts((1, 0, 1), (1, 0, 0)))
    assert group.no_signal == ("A", "B")


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ([{"A": True}, {"B": True}], {}, "different criteria: A, B"),
        ([{}, {}], {}, "without criteria"),
        ([{"A": True}], {"lam": -1}, "not be negative"),
    ],
)
def test_nonsense_is_refused(rows, options, words):
    with pytest.raises(ValueError, match=words):
        group_reward(rows, **options)


def test_groups_must_be_whole():
    check_groups(["a", "a", "b", "b"], 2)
    with pytest.raises(ValueError, match="group 1 mixes the tasks b, c"):
        check_groups(["a", "a", "b", "c"], 2)
    with pytest.raises(ValueError, match="no whole groups"):
        check_groups(["a", "a", "b"], 2)
    with pytest.raises(ValueError, match="no whole groups"):
        check_groups([], 2)


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=2, max_size=8), st.floats(0.001, 1))
def test_the_centred_reward_is_the_weighted_distance_from_the_pass_rates(rows, lam):
    """R_i − mean R = Σ_j w_j (b_ij − p_j) / Σ_j w_j."""
    group = group_reward(verdicts(*rows), lam=lam)
    mean = math.fsum(group.rewards) / len(rows)
    total = sum(group.weights.values())
    for reward, row in zip(group.rewards, rows, strict=True):
        pull = sum(group.weights[n] * (bit - group.pass_rates[n]) for n, bit in zip("ABC", row, strict=True))
        assert reward - mean == pytest.approx(pull / total, abs=1e-12)
        assert 0 <= reward <= 1 + 1e-12


def test_the_pull_of_a_criterion_peaks_at_a_quarter():
    def pull(p, weight):
        return weight * math.sqrt(p * (1 - p))

    grid = [i / 1000 for i in range(1001)]
    weights = {p: group_reward([{"A": i < p * 1000} for i in range(1000)], lam=0.0).weights["A"] for p in (0.25,)}
    assert weights[0.25] == pytest.approx(0.75)
    assert max(grid, key=lambda p: pull(p, 1 - p)) == pytest.approx(0.25)
    assert max(grid, key=lambda p: pull(p, 1)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "rewards",
    [
        [1.0] * 8,
        [0.0] * 8,
        [0.3655913978 + i * 1e-11 for i in range(8)],
    ],
)
def test_groups_without_variance_give_exactly_nothing(rewards):
    """RL-1: float noise must not be divided by itself."""
    assert group_advantages(rewards) == (0.0,) * 8


def test_one_success_of_eight_stands_out():
    advantages = group_advantages([1.0] + [0.0] * 7)
    deviation = math.sqrt((7 / 8) ** 2 / 7 + 7 * (1 / 8) ** 2 / 7)
    assert advantages[0] == pytest.approx((7 / 8) / (deviation + 1e-4))
    assert sum(advantages) == pytest.approx(0)
    assert group_advantages([1.0, 0.0, None], scale="none") == (0.5, -0.5, 0.0)


def test_a_single_valid_rollout_yields_no_update():
    assert group_advantages([1.0, None, None]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("rewards", "solved", "truncated", "state"),
    [
        ([1.0, 0.0], [True, False], [False, False], "alive"),
        ([1.0, 1.0], [True, True], [False, False], "all_solved"),
        ([0.0, 0.0], [False, False], [True, True], "truncated"),
        ([0.5, 0.5], [False, False], [True, False], "none_solved"),
        ([1.0, None], [True, False], [False, False], "skipped"),
    ],
)
def test_dead_groups_say_why(rewards, solved, truncated, state):
    assert classify_group(rewards, solved=solved, truncated=truncated) == state


def test_tasks_that_stay_dead_leave_the_pool():
    history = [("a", "none_solved"), ("b", "all_solved"), ("a", "skipped"), ("a", "none_solved"), ("b", "alive")]
    assert dead_streaks(history) == {"a": 2, "b": 0}
    assert retired(history, None) == frozenset()
    gone = retired(history, 2)
    assert gone == {"a"}
    assert replacement("a", ["x", "a", "b"], gone) == "b"
    assert replacement("b", ["x", "a", "b"], gone) == "b"
    assert replacement("a", ["a"], gone) == "a"


# Properties ----------------------------------------------------------------------------------------------------

BITS = st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=2, max_size=10)
LAMBDAS = st.floats(0, 1)
VARIANTS = st.sampled_from(["completion_focused", "equal", "binary"])


@given(BITS, LAMBDAS, VARIANTS)
def test_rewards_lie_between_nothing_and_everything(rows, lam, variant):
    group = group_reward(verdicts(*rows), lam=lam, variant=variant)
    for reward, row in zip(group.rewards, rows, strict=True):
        assert 0.0 <= reward <= 1.0
        if all(row):
            assert reward == 1.0
        if not any(row) and (lam > 0 or variant != "completion_focused"):
            assert reward == 0.0


@given(BITS, LAMBDAS, VARIANTS, st.randoms(use_true_random=False))
def test_neither_the_order_of_rollouts_nor_of_criteria_matters(rows, lam, variant, random):
    plain = group_reward(verdicts(*rows), lam=lam, variant=variant)
    order = random.sample(range(len(rows)), len(rows))
    shuffled = group_reward(verdicts(*(rows[i] for i in order)), lam=lam, variant=variant)
    assert shuffled.rewards == tuple(plain.rewards[i] for i in order)
    assert shuffled.weights == plain.weights
    places = random.sample(range(4), 4)
    renamed = group_reward(verdicts(*([row[i] for i in places] for row in rows)), lam=lam, variant=variant)
    assert renamed.rewards == plain.rewards


@given(BITS, LAMBDAS, VARIANTS, st.lists(st.tuples(st.integers(0, 10), st.booleans()), max_size=5))
def test_rollouts_that_could_not_be_judged_change_no_other_weight(rows, lam, variant, lost):
    """RL-2, for any group: a crash, or a verdict with an unknown outcome, wherever it stands."""
    plain = group_reward(verdicts(*rows), lam=lam, variant=variant)
    mixed = verdicts(*rows)
    for place, crashed in lost:
        mixed.insert(place, None if crashed else {"A": True, "B": True, "C": True, "D": None})
    group = group_reward(mixed, lam=lam, variant=variant)
    assert [r for r in group.rewards if r is not None] == list(plain.rewards)
    assert (group.weights, group.pass_rates) == (plain.weights, plain.pass_rates)
    assert len(group.valid) == len(rows)
    known = group_advantages(plain.rewards)
    assert [a for a, r in zip(group_advantages(group.rewards), group.rewards, strict=True) if r is not None] == list(
        known
    )


@given(BITS, LAMBDAS)
def test_doing_more_is_never_worth_less(rows, lam):
    rewards = group_reward(verdicts(*rows), lam=lam).rewards
    for first, row in zip(rewards, rows, strict=True):
        for second, other in zip(rewards, rows, strict=True):
            if all(b or not a for a, b in zip(row, other, strict=True)):
                assert first <= second


@given(BITS)
def test_the_limits_of_lambda(rows):
    """λ → ∞ is the equal reward; with λ = 0 a criterion that all meet weighs nothing."""
    equal = group_reward(verdicts(*rows), variant="equal").rewards
    assert group_reward(verdicts(*rows), lam=1e9).rewards == pytest.approx(equal, abs=1e-8)
    bare = group_reward(verdicts(*rows), lam=0.0)
    assert all(bare.weights[name] == 1 - rate for name, rate in bare.pass_rates.items())


@given(st.lists(st.booleans(), min_size=2, max_size=8), st.floats(0.001, 1))
def test_with_one_criterion_all_variants_agree(bits, lam):
    rows = verdicts(*([bit] for bit in bits))
    for variant in ("completion_focused", "equal", "binary"):
        assert group_reward(rows, lam=lam, variant=variant).rewards == tuple(map(float, bits))


@given(BITS, LAMBDAS)
def test_advantages_are_centred_and_keep_the_order_of_the_rewards(rows, lam):
    rewards = group_reward(verdicts(*rows), lam=lam).rewards
    for scale in ("group", "none"):
        advantages = group_advantages(rewards, scale=scale)
        assert math.fsum(advantages) == pytest.approx(0, abs=1e-9)
        ranked = [a for _, a in sorted(zip(rewards, advantages, strict=True))]
        assert ranked == sorted(ranked)


@given(BITS, LAMBDAS)
def test_a_criterion_without_variance_pulls_nothing(rows, lam):
    group = group_reward(verdicts(*rows), lam=lam)
    for name, rate in group.pass_rates.items():
        force = pull(rate, group.weights[name])
        assert (force == 0) == (name in group.no_signal or group.weights[name] == 0)
