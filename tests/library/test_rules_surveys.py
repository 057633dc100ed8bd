"""The rules of surveys, as short stories."""

from __future__ import annotations

from typing import Any

import pytest

from tests.library.cases_surveys import GUEST, fresh, mailing
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "surveys"


def test_questions_are_fixed_once_people_can_answer() -> None:
    env = environment(S)
    survey = fresh(env)
    moved = ok(env, S, "update_question", question_id=survey["text"], position=1)
    assert moved["position"] == 1
    shown = ok(env, S, "get_survey", survey_id=survey["id"])["questions"]
    assert [(row["id"], row["position"]) for row in shown] == [(survey["text"], 1), (survey["choice"], 2)]
    ok(env, S, "publish_survey", survey_id=survey["id"])
    assert refused(env, S, "update_question", question_id=survey["text"], prompt="How?") == "survey_live"
    copy = ok(env, S, "create_survey", title="Fresh again", source_survey_id=survey["id"])
    assert [row["prompt"] for row in copy["questions"]] == [row["prompt"] for row in shown]
    assert copy["status"] == "draft"


def test_nobody_is_asked_twice_within_two_weeks() -> None:
    env = environment(S)
    first = mailing(env)
    ok(env, S, "invite_recipient", collector_id=first, **GUEST)
    assert refused(env, S, "invite_recipient", collector_id=first, **GUEST) == "already_invited"
    survey = fresh(env, title="Second")["id"]
    second = ok(env, S, "create_collector", survey_id=survey, name="Mail", type="email")["id"]
    assert refused(env, S, "invite_recipient", collector_id=second, **GUEST) == "not_collecting"
    ok(env, S, "publish_survey", survey_id=survey)
    assert refused(env, S, "invite_recipient", collector_id=second, **GUEST) == "recently_invited"
    guest = one(env, S, "recipients", email=GUEST["email"])["id"]
    env = patched(env, S, "recipients", guest, invited_at="2026-02-10T09:00:00Z")
    ok(env, S, "invite_recipient", collector_id=second, **GUEST)
    assert ok(env, S, "send_reminders", collector_id=first)["reminded"] == [GUEST["email"]]


def test_an_anonymous_survey_shows_no_names_and_no_small_groups() -> None:
    env = environment(S)
    survey = one(env, S, "surveys", anonymous=True)["id"]
    found = ok(env, S, "list_responses", survey_id=survey, limit=100)["responses"]
    assert found
    assert {(row["name"], row["email"]) for row in found} == {(None, None)}
    people = ok(env, S, "list_recipients", survey_id=survey, limit=100)["recipients"]
    assert {row["progress"] for row in people} <= {None, "opted_out"}
    by, other = rows(env, S, "questions", survey_id=survey)[:2]
    compared = ok(env, S, "compare_results", question_id=other["id"], by_question_id=by["id"])
    for group in compared["groups"]:
        assert (group["results"] is None) == (group["responses"] < 5)


def test_flagged_responses_do_not_count_and_figures_add_up() -> None:
    env = environment(S)
    question = one(env, S, "questions", type="nps")
    survey = question["survey_id"]

    def result() -> Any:
        found = ok(env, S, "get_results", survey_id=survey)
        return next(row for row in found["questions"] if row["question_id"] == question["id"])

    before = result()
    assert sum(before["distribution"].values()) == before["answered"] > 1
    promoters, detractors = (
        sum(before["distribution"][str(score)] for score in span) for span in (range(9, 11), range(7))
    )
    assert before["nps"] == pytest.approx(100 * (promoters - detractors) / before["answered"], abs=0.05)
    answer = next(
        row
        for row in rows(env, S, "answers", question_id=question["id"])
        if one(env, S, "responses", id=row["response_id"])["flagged"] is False
        and one(env, S, "responses", id=row["response_id"])["status"] == "complete"
    )
    ok(env, S, "flag_response", response_id=answer["response_id"], reason="A joke")
    after = result()
    assert after["answered"] == before["answered"] - 1
    assert after["distribution"][str(answer["score"])] == before["distribution"][str(answer["score"])] - 1
