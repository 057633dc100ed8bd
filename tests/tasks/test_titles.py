"""Titles: the subject of a story in full, by its last word, or left out, and never a broken phrase."""

from __future__ import annotations

import random

import pytest

from tasks_app.authors.titles import filled, shortened


def forms(template: str) -> set[str]:
    drawn = {shortened(template, random.Random(seed)) for seed in range(60)}
    return {filled(form, "Spring move", "Northgate Labs") for form in drawn}


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("Statement of work, {topic}", {"Statement of work, Spring move", "Statement of work"}),
        ("{topic} kick-off", {"Spring move kick-off", "Kick-off"}),
        ("{topic}: walk through the plan", {"Spring move: walk through the plan", "Walk through the plan"}),
        ("Plan for the {topic}", {"Plan for the Spring move", "Plan for the move"}),
        ("Talks on the {topic}", {"Talks on the move", "Talks on the Spring move"}),
        ("Contract talks, {topic}", {"Contract talks", "Contract talks, Spring move"}),
        ("Minutes of the {topic} kick-off", {"Minutes of the Spring move kick-off", "Minutes of the kick-off"}),
        ("Where are we with the {topic}?", {"Where are we with the Spring move?", "Where are we with the move?"}),
        ("Offer to {company}", {"Offer to Northgate Labs"}),
    ],
)  # fmt: skip
def test_a_title_is_shortened_as_people_would(template: str, wanted: set[str]) -> None:
    assert forms(template) == wanted
