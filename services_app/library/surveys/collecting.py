"""Tools that open and close surveys, and for collectors, invitations and reminders."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    days_between,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.surveys.access import collected, collector_open, described, editable, questions_of
from services_app.library.surveys.state import (
    Collector,
    CollectorId,
    CollectorStatus,
    CollectorType,
    Recipient,
    SurveyId,
    SurveysState,
    service,
)

PersonName = Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)]
MostResponses = Annotated[int, f.count("responses"), Field(ge=1, le=10_000)]
Progress = Annotated[Literal["answered", "waiting", "opted_out"], LABEL]
REST_DAYS = 14  # between two invitations of the same person, whatever the survey
REMIND_DAYS = 3


@service.tool(phrase="publish the survey {survey_id}")
def publish_survey(state: SurveysState, ctx: CallContext, survey_id: SurveyId) -> Json:
    """Publish a draft to take answers, after which its questions are fixed, or publish a closed survey again.

    Errors: `not_found`, `view_only`, `already_open`, `no_questions`, `no_introduction`.

    Args:
        survey_id: Id of the survey.
    """
    survey = editable(state, survey_id)
    if survey.status == "open":
        raise conflict(f"{survey.title!r} is open since {survey.opened_at}.", type="already_open")
    if not questions_of(state, survey_id):
        raise conflict(f"{survey.title!r} asks nothing; add questions first.", type="no_questions")
    if not survey.introduction.strip():
        raise conflict("People have to be told what it is for; write an introduction first.", type="no_introduction")
    opened = state.surveys.patch(survey_id, status="open", opened_at=ctx.now, closed_at=None)
    return described(state, opened)


@service.tool(phrase="close the survey {survey_id}")
def close_survey(state: SurveysState, ctx: CallContext, survey_id: SurveyId) -> Json:
    """Close an open survey and all its collectors.

    Errors: `not_found`, `view_only`, `not_open`.

    Args:
        survey_id: Id of the survey.
    """
    survey = editable(state, survey_id)
    if survey.status != "open":
        raise conflict(f"{survey.title!r} is {survey.status}; only open surveys are closed.", type="not_open")
    for row in state.collectors.find(survey_id=survey_id):
        if row.status != "closed":
            state.collectors.patch(row.id, status="closed")
    return described(state, state.surveys.patch(survey_id, status="closed", closed_at=ctx.now))


@service.tool()
def list_collectors(
    state: SurveysState,
    ctx: CallContext,
    query: Query | None = None,
    survey_id: SurveyId | None = None,
    taking_answers: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the ways in which surveys are handed out, with invitations, answers and whether they take more now.

    Args:
        query: Words in the name, web address or title of the survey.
        survey_id: Only collectors of this survey.
        taking_answers: Only those that take answers now, or that do not.
        limit: At most so many collectors.
        cursor: next_cursor of the previous page.
    """
    found = search(state.collectors, query, lambda row: (row.name, row.url, state.surveys.get(row.survey_id).title))
    rows = [
        _collector(state, ctx, row)
        for row in found
        if survey_id in (None, row.survey_id) and taking_answers in (None, collector_open(state, ctx, row))
    ]
    return cursor_page("collectors", rows, limit, cursor)


def _collector(state: SurveysState, ctx: CallContext, collector: Collector) -> Json:
    return with_fields(
        collector,
        survey=state.surveys.get(collector.survey_id).title,
        taking_answers=collector_open(state, ctx, collector),
        invited=state.recipients.count(collector_id=collector.id),
        responses=collected(state, collector),
    )


def _closing_day(ctx: CallContext, day: str | None) -> str | None:
    if day is not None and check_date(day) < ctx.today:
        raise invalid(f"{day} is over; it is {ctx.today}.", type="in_the_past")
    return day


@service.tool(phrase="make the collector {name} for the survey {survey_id}")
def create_collector(
    state: SurveysState,
    ctx: CallContext,
    survey_id: SurveyId,
    name: Name,
    type: CollectorType = "web_link",
    closes_on: f.Date | None = None,
    response_limit: MostResponses | None = None,
) -> Json:
    """Make a web link or an email invitation for a survey that is not closed.

    Errors: `not_found`, `view_only`, `survey_closed`, `duplicate_name`, `in_the_past`, `invalid_date`, `blank_text`.

    Args:
        survey_id: Id of the survey.
        name: Name of the collector, unique in the survey.
        type: A link for everybody, or invitations by mail.
        closes_on: Last day on which it takes answers.
        response_limit: After so many answers it takes no more.
    """
    survey = editable(state, survey_id)
    if survey.status == "closed":
        raise conflict(f"{survey.title!r} is closed; publish it again first.", type="survey_closed")
    clean = check_text(name, "name")
    present = state.collectors.find(survey_id=survey_id)
    if any(same(row.name, clean) for row in present):
        raise conflict(f"There is a collector {clean!r} already; choose another name.", type="duplicate_name")
    made = state.collectors.create(
        survey_id=survey_id,
        name=clean,
        type=type,
        closes_on=_closing_day(ctx, closes_on),
        response_limit=response_limit,
        url=f"https://survey.larkfield.example/{survey_id.lower()}/{len(present) + 1}",
    )
    return _collector(state, ctx, made)


@service.tool(phrase="change the collector {collector_id}")
def update_collector(
    state: SurveysState,
    ctx: CallContext,
    collector_id: CollectorId,
    status: CollectorStatus | Unset = UNSET,
    closes_on: f.Date | Unset | None = UNSET,
    response_limit: MostResponses | Unset | None = UNSET,
) -> Json:
    """Pause, go on with or close a collector, or change its end; a closed one stays closed.

    Errors: `not_found`, `view_only`, `collector_closed`, `nothing_to_change`, `below_collected`, `in_the_past`,
    `invalid_date`.

    Args:
        collector_id: Id of the collector.
        status: Open, paused or closed for good.
        closes_on: New last day; null for none.
        response_limit: New limit; null for none.
    """
    collector = state.collectors.get(collector_id)
    editable(state, collector.survey_id)
    if collector.status == "closed":
        raise conflict(f"{collector.name!r} is closed; make a new collector.", type="collector_closed")
    changes = some_changes(given(status=status, closes_on=closes_on, response_limit=response_limit))
    if "closes_on" in changes:
        _closing_day(ctx, changes["closes_on"])
    most = changes.get("response_limit")
    if most is not None and most < collected(state, collector):
        raise invalid(f"{collected(state, collector)} have answered; set no lower limit.", type="below_collected")
    return _collector(state, ctx, state.collectors.patch(collector_id, **changes))


def _inviting(state: SurveysState, ctx: CallContext, collector_id: str) -> Collector:
    """An email collector that takes answers, of a survey that you may change."""
    collector = state.collectors.get(collector_id)
    editable(state, collector.survey_id)
    if collector.type != "email":
        raise conflict(f"{collector.name!r} is a link for everybody; nobody is invited.", type="not_an_email_collector")
    if not collector_open(state, ctx, collector):
        raise conflict(f"{collector.name!r} takes no answers now; see its end and limit.", type="not_collecting")
    return collector


@service.tool(phrase="invite {email} to the survey of the collector {collector_id}")
def invite_recipient(
    state: SurveysState,
    ctx: CallContext,
    collector_id: CollectorId,
    email: f.Email,
    name: PersonName,
    company: f.Organisation = "",
) -> Recipient:
    """Invite somebody by mail; nobody gets two invitations, of whatever survey, within fourteen days.

    Errors: `not_found`, `view_only`, `not_an_email_collector`, `not_collecting`, `opted_out`, `already_invited`,
    `recently_invited`, `blank_text`.

    Args:
        collector_id: An email collector that takes answers.
        email: Address of the person.
        name: Full name.
        company: Where they work.
    """
    collector = _inviting(state, ctx, collector_id)
    check_text(name, "name")
    for row in [row for row in state.recipients if same(row.email, email)]:
        survey_id = state.collectors.get(row.collector_id).survey_id
        if row.opted_out:
            raise forbidden(f"{email} wants no more surveys since {row.invited_at[:10]}.", type="opted_out")
        if survey_id == collector.survey_id:
            raise conflict(f"{email} was invited on {row.invited_at[:10]}; remind instead.", type="already_invited")
        if days_between(row.invited_at[:10], ctx.today) < REST_DAYS:
            raise conflict(
                f"{email} was invited to {survey_id} on {row.invited_at[:10]}; wait {REST_DAYS} days.",
                type="recently_invited",
            )
    return state.recipients.create(
        collector_id=collector_id, email=email, name=name, company=company, invited_at=ctx.now
    )


def _answered(state: SurveysState, rows: list[Recipient]) -> set[str]:
    wanted = {row.id for row in rows}
    return {row.recipient_id for row in state.responses if row.recipient_id in wanted and row.recipient_id}


@service.tool(phrase="remind those who have not answered {collector_id}")
def send_reminders(state: SurveysState, ctx: CallContext, collector_id: CollectorId) -> Json:
    """Remind everybody who was invited at least three days ago, has not answered and has not been reminded yet.

    Errors: `not_found`, `view_only`, `not_an_email_collector`, `not_collecting`, `nobody_to_remind`.

    Args:
        collector_id: An email collector that takes answers.
    """
    _inviting(state, ctx, collector_id)
    rows = state.recipients.find(collector_id=collector_id, opted_out=False, reminded_at=None)
    answered = _answered(state, rows)
    due = [
        row for row in rows if row.id not in answered and days_between(row.invited_at[:10], ctx.today) >= REMIND_DAYS
    ]
    if not due:
        raise conflict("Everybody has answered, been reminded or been invited just now.", type="nobody_to_remind")
    for row in due:
        state.recipients.patch(row.id, reminded_at=ctx.now)
    return {"collector_id": collector_id, "reminded": [row.email for row in due], "reminders": len(due)}


@service.tool()
def list_recipients(
    state: SurveysState,
    ctx: CallContext,
    query: Query | None = None,
    survey_id: SurveyId | None = None,
    collector_id: CollectorId | None = None,
    progress: Progress | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List invited people, the last invited first, with what has come of it; anonymous surveys do not say who answered.

    Args:
        query: Words in the name, address or company.
        survey_id: Only people invited to this survey.
        collector_id: Only people invited by this collector.
        progress: Only people who answered, whose answer is awaited, or who want no more surveys.
        limit: At most so many people.
        cursor: next_cursor of the previous page.
    """
    found = search(state.recipients, query, lambda row: (row.name, row.email, row.company))
    answered = _answered(state, found)
    rows = []
    for row in found:
        survey = state.surveys.get(state.collectors.get(row.collector_id).survey_id)
        done = "opted_out" if row.opted_out else "answered" if row.id in answered else "waiting"
        shown = None if survey.anonymous and done != "opted_out" else done
        if survey_id in (None, survey.id) and collector_id in (None, row.collector_id) and progress in (None, shown):
            rows.append(with_fields(row, survey_id=survey.id, progress=shown))
    rows = newest_first(rows, "invited_at")
    return cursor_page("recipients", rows, limit, cursor)
