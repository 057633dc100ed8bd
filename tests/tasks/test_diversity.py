"""Figures of a set of tasks, over tasks of the test worlds."""

from __future__ import annotations

from tasks_app.engine.diversity import ALIKE, diversity, likeness, shape, skeleton, traits_of
from tests.tasks.authored import written
from tests.tasks.worlds import WORLDS

DOMAINS = {slug: service.domain for slug, service in WORLDS.items()}
TOOLS = {slug: tuple(service.tools) for slug, service in WORLDS.items()}


def test_a_skeleton_has_no_names_and_no_numbers() -> None:
    first = skeleton("Please pay Mill Lane 1,250.00 by 13 April 2026 and tell ana@north.example about “Spring audit”.")
    second = skeleton("Please pay Delta Couriers 7.50 by 2 May 2025 and tell bo@south.example about “Harbour move”.")
    assert first == second == "Please pay _ _ by _ and tell _ about “_”."


def test_other_words_are_another_skeleton() -> None:
    assert skeleton("Pay the bill B-17.") != skeleton("Settle the bill B-17.")


def test_likeness_finds_the_twin_whatever_its_names() -> None:
    pay = "Please pay {} the open amount of the bill {} and then write a short letter to the supplier about it."
    texts = [pay.format("Mill Lane", "B-1"), pay.format("Delta Couriers", "B-2"), "Book the north hall for Ada Arden."]
    first, second, third = likeness(texts)
    assert first == second == 1.0
    assert third < ALIKE


def test_a_single_instruction_is_like_no_other() -> None:
    assert likeness(["Book the north hall for the choir on Monday."]) == [0.0]
    assert likeness([]) == []


def test_the_figures_of_a_set() -> None:
    tasks = [written(1), written(2), written(1)]
    found = diversity(tasks, domains=DOMAINS, tools=TOOLS)
    assert found["tasks"] == 3
    assert found["skeletons"] == 2
    assert found["largest_skeleton_share"] == 0.6667
    assert found["near_duplicates"] == 2
    assert found["shapes"] == len({shape(traits_of(task)) for task in tasks})
    assert sum(found["kinds"].values()) == sum(len(task.graph.edges) for task in tasks)
    used = {f"{call.service}.{call.tool}" for task in tasks for call in task.reference.calls}
    assert found["tools_used"] == len(used)
    assert not used & set(found["unused_tools"])
    assert found["tools_used"] + len(found["unused_tools"]) == found["tools"] == sum(map(len, TOOLS.values()))


def test_an_empty_set_has_no_shares() -> None:
    found = diversity([], domains=DOMAINS, tools={})
    assert found["largest_skeleton_share"] is None
    assert found["tools_used_share"] is None
