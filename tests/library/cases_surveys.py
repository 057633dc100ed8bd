"""Situations in surveys; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.driver import SPECIAL, Driver
from tests.library.world import Row, ok, one, patched

S = "surveys"
PEOPLE += [(S, "recipients")]
GUEST = {"email": "guest@fresh.example", "name": "New Guest"}
AGREE = {"type": "single_choice", "prompt": "Do you agree?", "choices": ["Yes", "No"]}


def _own_choice(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A choice of a question of a draft."""
    drafts = {row["id"] for row in driver.env.rows(S, "surveys") if row["status"] == "draft"}
    for row in driver.env.rows(S, "questions"):
        if row["survey_id"] in drafts and row["type"] == "single_choice":
            return {"question_id": row["id"], "choice": row["choices"][0], "to_question_id": None}
    return {}


def _pair(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """Two questions of one survey, the second a choice."""
    rows = driver.env.rows(S, "questions")
    by = next(row for row in rows if row["choices"])
    other = next(row for row in rows if row["survey_id"] == by["survey_id"] and row["id"] != by["id"])
    return {"question_id": other["id"], "by_question_id": by["id"]}


SPECIAL[S, "set_skip_rule"] = _own_choice
SPECIAL[S, "compare_results"] = _pair


def fresh(env: Env, **more: Any) -> Row:
    """A new draft of mine with a single choice under `choice` and a text question under `text`."""
    survey: Row = ok(env, S, "create_survey", **{"title": "Fresh", "introduction": "Two questions.", **more})
    choice = ok(env, S, "add_question", survey_id=survey["id"], **AGREE)
    text = ok(env, S, "add_question", survey_id=survey["id"], prompt="Why?")
    return {**survey, "choice": choice["id"], "text": text["id"]}


def mailing(env: Env) -> str:
    """An email collector of a new open survey."""
    survey = fresh(env)["id"]
    ok(env, S, "publish_survey", survey_id=survey)
    return str(ok(env, S, "create_collector", survey_id=survey, name="Mail", type="email")["id"])


@case(S, "add_question", "duplicate_choice")
def _(env: Env) -> Situation:
    return env, {"survey_id": fresh(env)["id"], **AGREE, "choices": ["Yes", "yes"]}


@case(S, "add_question", "choices_missing")
def _(env: Env) -> Situation:
    return env, {"survey_id": fresh(env)["id"], "type": "single_choice", "prompt": "Do you agree?"}


@case(S, "add_question", "choices_not_used")
def _(env: Env) -> Situation:
    return env, {"survey_id": fresh(env)["id"], **AGREE, "type": "rating"}


@case(S, "add_question", "second_nps")
def _(env: Env) -> Situation:
    values = {"survey_id": fresh(env)["id"], "prompt": "Would you recommend us?", "type": "nps"}
    ok(env, S, "add_question", **values)
    return env, values


@case(S, "add_question", "too_many_questions")
def _(env: Env) -> Situation:
    survey = fresh(env)["id"]
    for number in range(23):
        ok(env, S, "add_question", survey_id=survey, prompt=f"Question {number}?")
    return env, {"survey_id": survey, "prompt": "One more?"}


@case(S, "update_question", "blank_text")
def _(env: Env) -> Situation:
    return env, {"question_id": fresh(env)["text"], "prompt": "  "}


@case(S, "update_question", "choices_not_used")
def _(env: Env) -> Situation:
    return env, {"question_id": fresh(env)["text"], "choices": ["Yes", "No"]}


@case(S, "update_question", "duplicate_choice")
def _(env: Env) -> Situation:
    return env, {"question_id": fresh(env)["choice"], "choices": ["No", "no"]}


@case(S, "update_question", "used_by_skip_rule")
def _(env: Env) -> Situation:
    survey = fresh(env)
    ok(env, S, "set_skip_rule", question_id=survey["choice"], choice="No")
    return env, {"question_id": survey["choice"], "choices": ["Yes", "Maybe"]}


@case(S, "delete_question", "used_by_skip_rule")
def _(env: Env) -> Situation:
    survey = fresh(env)
    ok(env, S, "set_skip_rule", question_id=survey["choice"], choice="No", to_question_id=survey["text"])
    return env, {"question_id": survey["text"]}


@case(S, "set_skip_rule", "not_later")
def _(env: Env) -> Situation:
    survey = fresh(env)
    return env, {"question_id": survey["choice"], "choice": "No", "to_question_id": survey["choice"]}


@case(S, "set_skip_rule", "other_survey")
def _(env: Env) -> Situation:
    survey, other = fresh(env), fresh(env, title="Other")
    return env, {"question_id": survey["choice"], "choice": "No", "to_question_id": other["text"]}


@case(S, "set_skip_rule", "unknown_choice")
def _(env: Env) -> Situation:
    return env, {"question_id": fresh(env)["choice"], "choice": "Perhaps"}


@case(S, "set_skip_rule", "not_single_choice")
def _(env: Env) -> Situation:
    return env, {"question_id": fresh(env)["text"], "choice": "Perhaps"}


@case(S, "get_results", "group_too_small")
def _(env: Env) -> Situation:
    response = one(env, S, "responses", survey_id=one(env, S, "surveys", anonymous=True)["id"])
    env = patched(env, S, "responses", response["id"], tags=["alone"], flagged=False, status="complete")
    return env, {"survey_id": response["survey_id"], "tag": "alone"}


@case(S, "update_survey", "anonymity_promised")
def _(env: Env) -> Situation:
    survey = one(env, S, "surveys", anonymous=True)["id"]
    return patched(env, S, "surveys", survey, owner_email=ME.email), {"survey_id": survey, "anonymous": False}


@case(S, "publish_survey", "no_introduction")
def _(env: Env) -> Situation:
    return env, {"survey_id": fresh(env, introduction="")["id"]}


@case(S, "publish_survey", "no_questions")
def _(env: Env) -> Situation:
    return env, {"survey_id": ok(env, S, "create_survey", title="Empty")["id"]}


@case(S, "invite_recipient", "opted_out")
def _(env: Env) -> Situation:
    collector = mailing(env)
    recipient = one(env, S, "recipients")
    return patched(env, S, "recipients", recipient["id"], opted_out=True), {
        "collector_id": collector,
        **GUEST,
        "email": recipient["email"],
    }


@case(S, "invite_recipient", "recently_invited")
def _(env: Env) -> Situation:
    ok(env, S, "invite_recipient", collector_id=mailing(env), **GUEST)
    survey = fresh(env, title="Second")["id"]
    ok(env, S, "publish_survey", survey_id=survey)
    second = ok(env, S, "create_collector", survey_id=survey, name="Mail", type="email")["id"]
    return env, {"collector_id": second, **GUEST}


@case(S, "invite_recipient", "already_invited")
def _(env: Env) -> Situation:
    values = {"collector_id": mailing(env), **GUEST}
    ok(env, S, "invite_recipient", **values)
    return env, values


@case(S, "create_collector", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"survey_id": fresh(env)["id"], "name": "Late", "closes_on": "2026-02-30"}


@case(S, "update_collector", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"collector_id": mailing(env), "closes_on": "2026-02-30"}


@case(S, "update_collector", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"collector_id": mailing(env), "closes_on": "2026-02-20"}


@case(S, "send_reminders", "nobody_to_remind")
def _(env: Env) -> Situation:
    collector = mailing(env)
    ok(env, S, "invite_recipient", collector_id=collector, **GUEST)
    return env, {"collector_id": collector}


@case(S, "update_collector", "below_collected")
def _(env: Env) -> Situation:
    survey = one(env, S, "surveys", status="open")["id"]
    env = patched(env, S, "surveys", survey, owner_email=ME.email)
    collector = one(env, S, "collectors", survey_id=survey, type="email")["id"]
    return env, {"collector_id": collector, "response_limit": 1}
