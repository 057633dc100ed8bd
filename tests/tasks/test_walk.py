"""Walks and compositions: exact counts, exact uniformity, refusals in words."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks_app.engine.sampling import sample_composition
from tasks_app.engine.walk import (
    WalkError,
    check_walk,
    composition_count,
    count_walks,
    draw_walk,
    new_compositions,
    revisits,
)


@pytest.mark.parametrize(
    ("length", "count"),
    [(7, 7_800), (8, 42_000), (9, 204_120), (10, 932_400), (11, 4_092_600), (12, 17_490_000)],
)
def test_counts_of_the_paper(length: int, count: int) -> None:
    assert count_walks(5, length) == count


def test_composition_counts_of_the_paper() -> None:
    assert composition_count(448, 5) == 147_055_790_784
    assert composition_count(448, 7) == 685_581_099_291_712
    assert composition_count(449, 5) - composition_count(448, 5) == new_compositions(448, 5)


def brute_force(services: int, length: int) -> set[tuple[int, ...]]:
    return {
        walk
        for walk in itertools.product(range(services), repeat=length)
        if len(set(walk)) == services and all(a != b for a, b in itertools.pairwise(walk))
    }


@pytest.mark.parametrize(("services", "length"), [(1, 1), (2, 2), (2, 5), (3, 3), (3, 5), (4, 6)])
def test_every_walk_and_only_walks_are_drawn(services: int, length: int) -> None:
    names = [str(number) for number in range(services)]
    every = {tuple(map(str, walk)) for walk in brute_force(services, length)}
    assert count_walks(services, length) == len(every)
    rng = random.Random(3)
    drawn = Counter(draw_walk(names, length, rng) for _ in range(len(every) * 60))
    assert set(drawn) == every
    # 60 expected per walk: 20 and 110 lie beyond six standard deviations for at most 1,560 walks
    assert min(drawn.values()) > 20
    assert max(drawn.values()) < 110


@settings(max_examples=200)
@given(services=st.integers(2, 10), extra=st.integers(0, 14), seed=st.integers(0, 10**6))
def test_walks_cover_and_never_stay(services: int, extra: int, seed: int) -> None:
    names = [f"s{number}" for number in range(services)]
    walk = draw_walk(names, services + extra, random.Random(seed))
    assert set(walk) == set(names)
    assert all(a != b for a, b in itertools.pairwise(walk))
    assert len(revisits(walk)) == extra


@pytest.mark.parametrize(
    ("services", "length", "words"),
    [(0, 3, "between 1 and 10"), (11, 12, "between 1 and 10"), (5, 4, "at least 5"), (1, 2, "one service")],
)
def test_impossible_walks_are_refused_in_words(services: int, length: int, words: str) -> None:
    with pytest.raises(WalkError, match=words):
        check_walk(services, length)


def test_composition_is_a_function_of_its_seed() -> None:
    pool = [f"s{number}" for number in range(12)]
    first = sample_composition(pool, needed=5, distractors=5, length=(7, 12), seed=4)
    assert first == sample_composition(pool[::-1], needed=5, distractors=5, length=(7, 12), seed=4)
    assert first != sample_composition(pool, needed=5, distractors=5, length=(7, 12), seed=5)
    assert set(first.mounted) == set(first.needed) | set(first.distractors)
    assert not set(first.needed) & set(first.distractors)
    assert 7 <= len(first.walk) <= 12


def test_mount_order_does_not_tell_needed_services_apart() -> None:
    pool = [f"s{number}" for number in range(10)]
    places: Counter[int] = Counter()
    for seed in range(400):
        drawn = sample_composition(pool, needed=5, distractors=5, length=(7, 7), seed=seed)
        places.update(drawn.mounted.index(slug) for slug in drawn.needed)
    assert min(places.values()) > 140  # 200 expected at each of ten places


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"needed": 5, "distractors": 6}, "11 services"),
        ({"needed": 3, "distractors": 21}, "between 0 and 20"),
        ({"needed": 0, "distractors": 1}, "between 1 and 10"),
        ({"needed": 3, "distractors": 1, "length": (6, 5)}, "empty"),
    ],
)
def test_impossible_compositions_are_refused_in_words(options: dict, words: str) -> None:
    pool = [f"s{number}" for number in range(10)]
    with pytest.raises(WalkError, match=words):
        sample_composition(pool, **{"length": (7, 7), "seed": 1, **options})
