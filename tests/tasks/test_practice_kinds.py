"""Practice tasks over one to three services and two to five calls: proven, different, as K and L say."""

from __future__ import annotations

import time

import pytest

from services_app.engine.protocol import LocalMounting
from services_app.library import registry
from tasks_app.authors.practice_kinds import KINDS, write_kind
from tasks_app.engine.rollout import roll_out
from tasks_app.policies.rules import RULE_POLICIES

SERVICES = ("mail", "notes", "shop-catalog")


@pytest.fixture(scope="module")
def mounting() -> LocalMounting:
    return LocalMounting([registry.load(slug) for slug in SERVICES])


@pytest.mark.parametrize("name", sorted(KINDS))
def test_each_kind_has_its_services_and_length_and_only_the_reference_passes(
    name: str, mounting: LocalMounting
) -> None:
    kind = KINDS[name]
    tasks = list(write_kind(kind, 3, seed=1, mounting=mounting, services=SERVICES))
    assert len({task.task_hash for task in tasks}) == 3
    for task in tasks:
        assert task.proof.passed
        assert set(task.needed) == set(kind.services)
        assert set(task.distractors) == set(SERVICES) - set(kind.services)
        assert len(task.graph.walk) == len(task.reference.calls) == kind.length
    passed = {
        policy: roll_out(tasks[0], make(), mounting, timer=time.monotonic, mode="direct").passed
        for policy, make in RULE_POLICIES.items()
    }
    assert passed == dict.fromkeys(RULE_POLICIES, False) | {"reference": True}


def test_a_kind_is_the_same_everywhere(mounting: LocalMounting) -> None:
    first, second = (
        [task.task_hash for task in write_kind(KINDS["pair-2"], 2, seed=4, mounting=mounting, services=SERVICES)]
        for _ in range(2)
    )
    assert first == second
    other = next(write_kind(KINDS["pair-2"], 1, seed=5, mounting=mounting, services=SERVICES))
    assert other.task_hash not in first


def test_services_of_all_kinds_offer_the_same_tools(mounting: LocalMounting) -> None:
    """Otherwise arms would differ in their prompts and not in their tasks alone."""
    made = [next(write_kind(kind, 1, seed=1, mounting=mounting, services=SERVICES)) for kind in KINDS.values()]
    assert len({tuple(mounted.slug for mounted in task.services) for task in made}) == 1
