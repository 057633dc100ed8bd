"""The modes in which compositions are drawn: what they prefer, how likely each set is, what is refused."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from tasks_app.authors.batch import GenerateRequest, drawn
from tasks_app.authors.quota import Quota, shares
from tasks_app.engine.chances import (
    SPOKEN,
    ByDomain,
    Chances,
    Compatible,
    Uniform,
    Weighted,
    draw_set,
    failure_weights,
    likelihood,
)
from tasks_app.engine.flows import Flow, exchanged, flow_of
from tasks_app.engine.profile_text import service_text, tool_text
from tasks_app.engine.sampling import sample_composition
from tasks_app.engine.walk import WalkError
from tests.tasks.authored import profiles

KINDS = {"a": "x y", "b": "x y", "c": "x", "d": "y z", "e": "z"}
FLOWS = {slug: Flow(frozenset(kinds.split()), frozenset(kinds.split())) for slug, kinds in KINDS.items()}
DOMAINS = {"a": "one", "b": "one", "c": "one", "d": "two", "e": "three"}
MODES: dict[str, Chances] = {
    "uniform": Uniform(tuple(FLOWS)),
    "compatible": Compatible(FLOWS, 3),
    "domain": ByDomain(DOMAINS),
    "failures": Weighted({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}),
}


@pytest.mark.parametrize("mode", sorted(MODES))
def test_how_likely_a_set_is_told_exactly(mode: str) -> None:
    """Over all sets the likelihoods add up to one, and 6,000 draws agree with each within five deviations."""
    expected = {chosen: likelihood(MODES[mode], chosen) for chosen in itertools.combinations("abcde", 3)}
    assert sum(expected.values()) == pytest.approx(1)
    rng = random.Random(5)
    seen = Counter(tuple(sorted(draw_set(MODES[mode], 3, rng))) for _ in range(6_000))
    for chosen, chance in expected.items():
        deviation = (6_000 * chance * (1 - chance)) ** 0.5
        assert abs(seen[chosen] - 6_000 * chance) <= 5 * deviation, chosen


def test_uniform_chances_are_one_over_the_number_of_sets() -> None:
    assert likelihood(Uniform(tuple("abcde")), "ace") == pytest.approx(1 / 10)
    assert likelihood(Uniform([str(n) for n in range(448)]), [str(n) for n in range(10)]) > 0


def test_compatible_prefers_services_that_can_feed_each_other() -> None:
    chances = MODES["compatible"]
    assert likelihood(chances, "abc") > 1 / 10 > likelihood(chances, "cde")
    assert likelihood(chances, "ace") == 0, "e can exchange nothing with a or c"


def test_domains_weigh_the_same_however_large() -> None:
    assert likelihood(MODES["domain"], "d") == pytest.approx(1 / 3)
    assert likelihood(MODES["domain"], "a") == pytest.approx(1 / 9)
    assert likelihood(MODES["domain"], "abc") == 0, "the other domains come first"


def test_a_service_that_always_fails_is_drawn_most_and_an_unknown_one_by_half() -> None:
    weights = failure_weights("abc", {"a": (18, 18), "b": (18, 0)})
    assert weights == {"a": 95, "b": 5, "c": 50}


def test_services_that_share_no_information_are_refused_in_words() -> None:
    apart = {slug: Flow(frozenset({slug}), frozenset({slug})) for slug in "abc"}
    with pytest.raises(WalkError, match="share no information"):
        Compatible(apart, 2)
    with pytest.raises(WalkError, match="at most 2 do"):
        Compatible({**apart, "d": apart["a"]}, 3)


def test_services_that_were_not_measured_get_the_benefit_of_the_doubt() -> None:
    chances = Compatible({"a": None, "b": None, "c": None}, 2)
    assert likelihood(chances, "ab") == pytest.approx(1 / 3)


def test_too_few_services_are_refused_in_words() -> None:
    with pytest.raises(WalkError, match="only 1 services can be drawn"):
        draw_set(Weighted({"a": 1, "b": 0}), 2, random.Random(1))


@pytest.mark.parametrize("mode", sorted(MODES))
def test_a_composition_is_a_function_of_mode_and_seed(mode: str) -> None:
    first, second, other = (
        sample_composition("abcde", needed=3, distractors=2, length=(4, 6), seed=seed, chances=MODES[mode])
        for seed in (4, 4, 5)
    )
    assert first == second != other
    assert set(first.mounted) == set("abcde")


def test_flows_of_measured_services() -> None:
    flows = {slug: flow_of(profile) for slug, profile in profiles().items()}
    assert "money" in flows["ledger"].takes
    assert "email" in exchanged(flows["workshop"], flows["halls"])
    assert not any({"id", "ref", "text"} & (flow.gives | flow.takes) for flow in flows.values())


def test_a_profile_in_words_names_what_was_measured() -> None:
    text = tool_text(profiles()["ledger"].tools["pay"])
    for piece in ("pay: writes", "bill_no* (string): names the record by bills.bill_no", "set in payments.amount",
                  "creates: payments", "too_much"):  # fmt: skip
        assert piece in text
    assert "$.outstanding from" in tool_text(profiles()["ledger"].tools["bill"])
    whole = service_text(profiles()["ledger"])
    assert whole.startswith("ledger (version ")
    assert len(whole) < 6_000
    broken = profiles()["ledger"].tools["pay"].model_copy(update={"base": None})
    assert tool_text(broken).startswith("pay: no call was found to work")


def quota_of(request: GenerateRequest, pool: tuple[str, ...]) -> Quota:
    most_sets, most_walks = shares(request.count, pool, request.needed, request.length)
    return Quota(
        lambda number, attempt: drawn(request, pool, number, attempt),
        attempts=12, most_sets=most_sets, most_walks=most_walks,
    )  # fmt: skip


def test_no_set_is_drawn_more_than_its_share_whoever_asks_in_which_order() -> None:
    pool = tuple("abcde")
    request = GenerateRequest(200, 3, 1, (4, 6), 9, pool, "compatible", (), MODES["compatible"])
    alone, helper = quota_of(request, pool), quota_of(request, pool)
    first = [alone.order(number)[0] for number in range(200)]
    assert [helper.order(number)[0] for number in reversed(range(200))] == first[::-1]
    sets = Counter(frozenset(drawn(request, pool, number, attempt).needed) for number, attempt in enumerate(first))
    free = Counter(frozenset(drawn(request, pool, number, 0).needed) for number in range(200))
    assert max(free.values()) > 50
    assert max(sets.values()) <= 41  # ten sets: 40 is twice an even share, one more when no draw is within it
    assert sorted(alone.order(7)) == list(range(12))


def test_a_quota_that_is_not_reached_changes_nothing() -> None:
    pool = tuple(f"s{number}" for number in range(40))
    request = GenerateRequest(100, 5, 5, (7, 12), 3, pool)
    assert all(quota_of(request, pool).order(number)[0] == 0 for number in range(100))


def test_a_service_whose_single_facts_are_passed_on_comes_first() -> None:
    """Of two that go with those drawn, the one of which people are known to pass something on weighs far more."""
    plain = Flow(frozenset(), frozenset(), tells=frozenset({"due date"}), asks=frozenset({"due date"}))
    known = Flow(
        frozenset(),
        frozenset(),
        tells=frozenset({"due date"}),
        asks=frozenset({"due date"}),
        named=frozenset({"due date"}),
    )
    chances = Compatible({"a": plain, "b": plain, "c": known}, 2, dict.fromkeys("abc", "sales"))
    weights = chances.weights(["a"])
    assert weights["c"] == SPOKEN * weights["b"]
