"""Practice tasks: small, alike on purpose, and proven like any other."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tasks_app.authors import practice
from tasks_app.engine.rollout import roll_out
from tasks_app.policies.rules import RULE_POLICIES
from training_app.exports.splits import Item, assign, families


def test_every_claim_is_checked_and_holds() -> None:
    task = practice.write(practice.draw(7, 0), practice.local_mounting())
    assert sorted(claim.number for claim in task.proof.claims) == list(range(1, 14))
    assert task.proof.passed
    assert task.proof.audit is not None
    assert task.proof.audit.outcome == "pass"
    assert (len(task.needed), len(task.graph.walk), task.simulated_share) == (2, 3, 0.0)
    assert task.tags == ("practice",)


def test_only_the_reference_passes() -> None:
    mounting = practice.local_mounting()
    task = practice.write(practice.draw(7, 1), mounting)
    passed = {
        name: roll_out(task, policy(), mounting, timer=time.monotonic, mode="direct").passed
        for name, policy in RULE_POLICIES.items()
    }
    assert passed == dict.fromkeys(RULE_POLICIES, False) | {"reference": True}


def test_a_series_is_the_same_everywhere_and_has_no_task_twice() -> None:
    first, second = (list(practice.write_many(12, seed=3, mounting=practice.local_mounting())) for _ in range(2))
    assert [task.task_hash for task in first] == [task.task_hash for task in second]
    assert len({task.task_hash for task in first}) == 12
    other = practice.write(practice.draw(4, 0), practice.local_mounting())
    assert other.task_hash != first[0].task_hash


def test_held_out_tasks_pair_what_training_never_saw_together() -> None:
    stories = [practice.draw(7, number) for number in range(400)]
    items = [
        Item(str(n), f"practice|{story.person}|{story.topic}", story.instruction) for n, story in enumerate(stories)
    ]
    family_of = families(items)
    pairs = {(story.person, story.topic) for story in stories}
    assert len(set(family_of.values())) == len(pairs)
    split_of = assign(family_of, {"train": 0.75, "test": 0.25}, 0)
    sides = {
        side: {(s.person, s.topic) for n, s in enumerate(stories) if split_of[str(n)] == side}
        for side in ("train", "test")
    }
    assert not sides["train"] & sides["test"]
    seen = {word for pair in sides["train"] for word in pair}
    assert {word for pair in sides["test"] for word in pair} <= seen


def test_what_cannot_be_proven_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    story = practice.draw(7, 0)
    pointless = replace(story, other_price=story.price)  # whoever takes the other item is right as well
    monkeypatch.setattr(practice, "draw", lambda _seed, _number: pointless)
    with pytest.raises(ValueError, match="practice task 1 is not proven: edges are necessary"):
        next(practice.write_many(1, seed=0, mounting=practice.local_mounting()))
