"""Who may do what with a survey, and what follows from its records."""

from __future__ import annotations

from collections.abc import Sequence

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.cast import ME
from services_app.library.shared import Json, brief, mean, percent, same, with_fields
from services_app.library.surveys.state import Answer, Collector, Question, Response, Survey, SurveysState

FEWEST = 5  # an anonymous survey shows no group smaller than this
SCALES = {"rating": (1, 5), "nps": (0, 10)}


def role_of(state: SurveysState, survey: Survey) -> str:
    """Your role: owner, editor or viewer."""
    if same(survey.owner_email, ME.email):
        return "owner"
    for row in state.collaborators.find(survey_id=survey.id):
        if same(row.email, ME.email):
            return row.role
    return "viewer"


def editable(state: SurveysState, survey_id: str) -> Survey:
    """A survey that you may change; 403 `view_only` otherwise."""
    survey = state.surveys.get(survey_id)
    if role_of(state, survey) == "viewer":
        raise forbidden(f"You may only look at {survey.title!r}; ask {survey.owner_email} for more.", type="view_only")
    return survey


def draft(state: SurveysState, survey_id: str) -> Survey:
    """A survey whose questions may be changed; 403 `view_only`, 409 `survey_live`."""
    survey = editable(state, survey_id)
    if survey.status != "draft":
        raise conflict(
            f"{survey.title!r} is {survey.status}; its questions are fixed. Copy it to change them.", type="survey_live"
        )
    return survey


def questions_of(state: SurveysState, survey_id: str) -> list[Question]:
    return sorted(state.questions.find(survey_id=survey_id), key=lambda row: (row.position, row.id))


def counted(state: SurveysState, survey_id: str) -> list[Response]:
    """Responses that results are made of: those not flagged and not disqualified."""
    rows = state.responses.find(survey_id=survey_id, flagged=False)
    return [row for row in rows if row.status != "disqualified"]


def collector_open(state: SurveysState, ctx: CallContext, collector: Collector) -> bool:
    """Whether a collector takes answers now."""
    if collector.status != "open" or state.surveys.get(collector.survey_id).status != "open":
        return False
    if collector.closes_on is not None and collector.closes_on < ctx.today:
        return False
    return collector.response_limit is None or collected(state, collector) < collector.response_limit


def collected(state: SurveysState, collector: Collector) -> int:
    return state.responses.count(collector_id=collector.id)


def described(state: SurveysState, survey: Survey) -> Json:
    """A survey with its questions, collectors and how many answered."""
    rules = list(state.skip_rules)
    collectors = state.collectors.find(survey_id=survey.id)
    ids = {row.id for row in collectors}
    invited = [row for row in state.recipients if row.collector_id in ids]
    answered = {row.recipient_id for row in state.responses.find(survey_id=survey.id) if row.recipient_id}
    return with_fields(
        survey,
        your_role=role_of(state, survey),
        questions=[
            with_fields(
                row,
                skip_rules=[
                    brief(rule, "id", "choice", "to_question_id") for rule in rules if rule.question_id == row.id
                ],
            )
            for row in questions_of(state, survey.id)
        ],
        collectors=[brief(row, "id", "name", "type", "status", "closes_on") for row in collectors],
        responses=state.responses.count(survey_id=survey.id),
        invited=len(invited),
        response_rate=percent(len(answered), len(invited)),
    )


def figures(question: Question, answers: Sequence[Answer]) -> Json:
    """Distribution and averages of the answers to one question."""
    if question.type == "text":
        return {"answered": len(answers)}
    if question.type in SCALES:
        low, high = SCALES[question.type]
        scores = [row.score for row in answers if row.score is not None]
        found: Json = {
            "answered": len(scores),
            "distribution": {str(score): scores.count(score) for score in range(low, high + 1)},
            "average": mean(scores, 2),
        }
        if question.type == "nps":
            found["nps"] = recommendation(scores)
        return found
    chosen = [choice for row in answers for choice in row.choices]
    return {
        "answered": len(answers),
        "distribution": {choice: chosen.count(choice) for choice in question.choices},
    }


def recommendation(scores: Sequence[int]) -> float | None:
    """Share of 9 and 10 minus share of 0 to 6, in points; null where nobody answered."""
    promoters = sum(score >= 9 for score in scores)
    detractors = sum(score <= 6 for score in scores)
    return percent(promoters - detractors, len(scores))
