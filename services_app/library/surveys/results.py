"""Tools for responses and what they say together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    grouped,
    keep,
    newest_first,
    same,
    search,
    with_fields,
    within,
)
from services_app.library.surveys.access import FEWEST, counted, editable, figures, questions_of, recommendation
from services_app.library.surveys.state import (
    Answer,
    CollectorId,
    FollowUp,
    QuestionId,
    Response,
    ResponseId,
    ResponseStatus,
    Survey,
    SurveyId,
    SurveysState,
    Tag,
    service,
)

Months = Annotated[int, f.duration("months"), Field(ge=1, le=24)]
Folder = Annotated[str, f.Semantic("label"), Field(max_length=60)]


def _person(state: SurveysState, survey: Survey, response: Response) -> Json:
    """Who answered, where that may be known."""
    if survey.anonymous or response.recipient_id is None:
        return {"name": None, "email": None, "company": None}
    row = state.recipients.get(response.recipient_id)
    return {"name": row.name, "email": row.email, "company": row.company}


def _shown(state: SurveysState, response: Response) -> Json:
    shown = with_fields(response, **_person(state, state.surveys.get(response.survey_id), response))
    del shown["recipient_id"]
    return shown


@service.tool()
def list_responses(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SurveysState,
    ctx: CallContext,
    survey_id: SurveyId | None = None,
    query: Query | None = None,
    status: ResponseStatus | None = None,
    tag: Tag | None = None,
    submitted_from: f.Date | None = None,
    submitted_until: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List responses, newest first, with who gave them unless the survey is anonymous.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        survey_id: Only responses to this survey.
        query: Words in the name, address or company of the person.
        status: Only complete, partial or disqualified ones.
        tag: Only responses with this tag.
        submitted_from: Only those given on or after this day.
        submitted_until: Only those given on or before this day.
        limit: At most so many responses.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.responses, survey_id=survey_id, status=status)
    found = within(found, "submitted_at", submitted_from, submitted_until)
    if tag is not None:
        found = [row for row in found if any(same(own, tag) for own in row.tags)]
    rows = search(
        [_shown(state, row) for row in found],
        query,
        lambda row: (row["name"] or "", row["email"] or "", row["company"] or ""),
    )
    rows = newest_first(rows, "submitted_at")
    return cursor_page("responses", rows, limit, cursor)


@service.tool()
def get_response(state: SurveysState, ctx: CallContext, response_id: ResponseId) -> Json:
    """Show one response with every answer in the order of the questions, and the follow-up notes.

    Errors: `not_found`.

    Args:
        response_id: Id of the response.
    """
    response = state.responses.get(response_id)
    answers = {row.question_id: row for row in state.answers.find(response_id=response_id)}
    rows = []
    for question in questions_of(state, response.survey_id):
        answer = answers.get(question.id)
        said = None if answer is None else answer.text or answer.score if not answer.choices else list(answer.choices)
        rows.append({"question_id": question.id, "prompt": question.prompt, "answer": said})
    return {
        **_shown(state, response),
        "survey": state.surveys.get(response.survey_id).title,
        "answers": rows,
        "follow_ups": state.follow_ups.find(response_id=response_id),
    }


def _enough(survey: Survey, responses: list[Response]) -> None:
    """403 `group_too_small` where an anonymous survey would show what single people said."""
    if survey.anonymous and 0 < len(responses) < FEWEST:
        raise forbidden(
            f"{survey.title!r} is anonymous and only {len(responses)} answered; {FEWEST} are needed. Widen the filter.",
            type="group_too_small",
        )


def _by_question(state: SurveysState, responses: Iterable[Response]) -> dict[str, list[Answer]]:
    wanted = {row.id for row in responses}
    return grouped((row for row in state.answers if row.response_id in wanted), lambda row: row.question_id)


@service.tool()
def get_results(
    state: SurveysState,
    ctx: CallContext,
    survey_id: SurveyId,
    collector_id: CollectorId | None = None,
    tag: Tag | None = None,
    submitted_from: f.Date | None = None,
    submitted_until: f.Date | None = None,
    include_partial: bool = True,
) -> Json:
    """Show the results of every question: distribution, average, recommendation score; flagged answers do not count.

    Errors: `not_found`, `group_too_small`, `invalid_date`, `invalid_range`.

    Args:
        survey_id: Id of the survey.
        collector_id: Only answers that came by this collector.
        tag: Only responses with this tag.
        submitted_from: Only answers given on or after this day.
        submitted_until: Only answers given on or before this day.
        include_partial: False leaves out responses that were not finished.
    """
    survey = state.surveys.get(survey_id)
    found = within(counted(state, survey_id), "submitted_at", submitted_from, submitted_until)
    found = [
        row
        for row in keep(found, collector_id=collector_id)
        if (tag is None or any(same(own, tag) for own in row.tags)) and (include_partial or row.status == "complete")
    ]
    _enough(survey, found)
    answers = _by_question(state, found)
    return {
        "survey_id": survey_id,
        "title": survey.title,
        "responses": len(found),
        "complete": sum(1 for row in found if row.status == "complete"),
        "questions": [
            {
                "question_id": row.id,
                "prompt": row.prompt,
                "type": row.type,
                **figures(row, answers.get(row.id, [])),
            }
            for row in questions_of(state, survey_id)
        ],
    }


@service.tool()
def compare_results(state: SurveysState, ctx: CallContext, question_id: QuestionId, by_question_id: QuestionId) -> Json:
    """Show the results of one question apart for each choice of another question of the same survey.

    In anonymous surveys, choices that fewer than five made are shown without figures.

    Errors: `not_found`, `other_survey`, `not_a_choice`.

    Args:
        question_id: Question whose results are wanted.
        by_question_id: Choice question that makes the groups.
    """
    question, by = state.questions.get(question_id), state.questions.get(by_question_id)
    if question.survey_id != by.survey_id:
        raise invalid(f"{by_question_id} belongs to another survey; choose one of this survey.", type="other_survey")
    if not by.choices or by.id == question.id:
        raise invalid(f"{by_question_id} cannot make groups; name another choice question.", type="not_a_choice")
    survey = state.surveys.get(question.survey_id)
    answers = _by_question(state, counted(state, survey.id))
    groups = []
    for choice in by.choices:
        members = {row.response_id for row in answers.get(by.id, []) if choice in row.choices}
        own = [row for row in answers.get(question.id, []) if row.response_id in members]
        hidden = survey.anonymous and len(members) < FEWEST
        groups.append(
            {"choice": choice, "responses": len(members), "results": None if hidden else figures(question, own)}
        )
    return {"question": question.prompt, "by": by.prompt, "groups": groups}


@service.tool()
def search_answers(
    state: SurveysState,
    ctx: CallContext,
    query: Query | None = None,
    survey_id: SurveyId | None = None,
    question_id: QuestionId | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find what people wrote in their own words, newest first, with who wrote it unless the survey is anonymous.

    Args:
        query: Words in the answer.
        survey_id: Only answers to this survey.
        question_id: Only answers to this question.
        limit: At most so many answers.
        cursor: next_cursor of the previous page.
    """
    rows = []
    for row in search([row for row in state.answers if row.text], query, lambda row: (row.text,)):
        response = state.responses.get(row.response_id)
        if survey_id in (None, response.survey_id) and question_id in (None, row.question_id):
            survey = state.surveys.get(response.survey_id)
            more = {"survey_id": survey.id, "submitted_at": response.submitted_at, "flagged": response.flagged}
            named = _person(state, survey, response)
            rows.append(
                {"text": row.text, "response_id": row.response_id, "question_id": row.question_id, **more, **named}
            )
    rows.sort(key=lambda row: (row["submitted_at"], row["response_id"], row["question_id"]), reverse=True)
    return cursor_page("answers", rows, limit, cursor)


@service.tool()
def get_nps_trend(state: SurveysState, ctx: CallContext, folder: Folder | None = None, months: Months = 6) -> Json:
    """Show the recommendation score over all surveys month by month, with promoters, passives and detractors.

    Args:
        folder: Only surveys in this folder.
        months: How many months back, this one included.
    """
    year, month = int(ctx.today[:4]), int(ctx.today[5:7])
    wanted = []
    for back in range(int(months)):
        place = year * 12 + month - 1 - back
        wanted.append(f"{place // 12}-{place % 12 + 1:02d}")
    asked = {row.id for row in state.questions.find(type="nps")}
    scores: dict[str, list[int]] = {name: [] for name in reversed(wanted)}
    surveys = keep(state.surveys, folder=folder)
    moments = {row.id: row.submitted_at[:7] for survey in surveys for row in counted(state, survey.id)}
    for answer in state.answers:
        when = moments.get(answer.response_id)
        if answer.question_id in asked and when in scores and answer.score is not None:
            scores[when].append(answer.score)
    rows = [
        {
            "month": name,
            "answers": len(own),
            "promoters": sum(score >= 9 for score in own),
            "passives": sum(score in (7, 8) for score in own),
            "detractors": sum(score <= 6 for score in own),
            "nps": recommendation(own),
        }
        for name, own in scores.items()
    ]
    return {"months": rows, "nps": recommendation([score for own in scores.values() for score in own])}


def _known(state: SurveysState, response_id: str) -> Response:
    response = state.responses.get(response_id)
    editable(state, response.survey_id)
    return response


@service.tool(phrase="tag the response {response_id} as {tag}")
def tag_response(
    state: SurveysState, ctx: CallContext, response_id: ResponseId, tag: Tag, remove: bool = False
) -> Json:
    """Put a tag on a response, or take it off.

    Errors: `not_found`, `view_only`, `no_change`.

    Args:
        response_id: Id of the response.
        tag: The tag.
        remove: True to take it off.
    """
    response = _known(state, response_id)
    left = [own for own in response.tags if not same(own, tag)]
    if remove == (len(left) == len(response.tags)):
        raise conflict(f"{response_id} is tagged {', '.join(response.tags) or 'with nothing'}.", type="no_change")
    return _shown(state, state.responses.patch(response_id, tags=tuple(left if remove else [*left, tag])))


@service.tool(phrase="leave the response {response_id} out of the results")
def flag_response(
    state: SurveysState, ctx: CallContext, response_id: ResponseId, reason: Body, flagged: bool = True
) -> Json:
    """Leave a response out of the results because it is not meant seriously, or count it again; the reason is noted.

    Errors: `not_found`, `view_only`, `no_change`, `blank_text`.

    Args:
        response_id: Id of the response.
        reason: Why.
        flagged: False to count it again.
    """
    response = _known(state, response_id)
    check_text(reason, "reason")
    if response.flagged == flagged:
        raise conflict(f"{response_id} is {'left out' if flagged else 'counted'} already.", type="no_change")
    state.follow_ups.create(response_id=response_id, text=reason, author_email=ME.email, written_at=ctx.now)
    return _shown(state, state.responses.patch(response_id, flagged=flagged))


@service.tool(phrase="note what was done about the response {response_id}")
def add_follow_up(state: SurveysState, ctx: CallContext, response_id: ResponseId, text: Body) -> FollowUp:
    """Note what was done about a response: a call, an excuse, a promise.

    Errors: `not_found`, `view_only`, `blank_text`.

    Args:
        response_id: Id of the response.
        text: The note.
    """
    _known(state, response_id)
    check_text(text, "note")
    return state.follow_ups.create(response_id=response_id, text=text, author_email=ME.email, written_at=ctx.now)
