"""What a survey tool holds: surveys with questions and skip rules, ways to collect, invitations and answers."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

SurveyStatus = Annotated[Literal["draft", "open", "closed"], LABEL]
QuestionType = Annotated[Literal["single_choice", "multiple_choice", "rating", "nps", "text"], LABEL]
CollectorType = Annotated[Literal["email", "web_link"], LABEL]
CollectorStatus = Annotated[Literal["open", "paused", "closed"], LABEL]
ResponseStatus = Annotated[Literal["complete", "partial", "disqualified"], LABEL]
Role = Annotated[Literal["owner", "editor", "viewer"], LABEL]

SurveyId = Annotated[str, f.ref("surveys")]
QuestionId = Annotated[str, f.ref("questions")]
CollectorId = Annotated[str, f.ref("collectors")]
RecipientId = Annotated[str, f.ref("recipients")]
ResponseId = Annotated[str, f.ref("responses")]
Prompt = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=500)]
Choice = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=120, pattern=r"^\S(.*\S)?$")]
Tag = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")]


class Survey(Record):
    about: ClassVar[About] = About("survey", "surveys", prefix="SUR-", key="title", carrier="document")

    title: f.Title
    introduction: f.Text = ""
    """What people read before the first question: purpose, use of the answers, end."""
    status: SurveyStatus = "draft"
    anonymous: bool = False
    """Names and addresses of an anonymous survey are never shown, and groups of fewer than five not at all."""
    folder: f.Label = ""
    owner_email: f.Email
    created_at: f.SystemTime
    opened_at: f.SystemTime | None = None
    closed_at: f.SystemTime | None = None


class Collaborator(Record):
    about: ClassVar[About] = About("collaborator", "collaborators", prefix="COL-", key="email")

    survey_id: SurveyId
    email: f.Email
    role: Role


class Question(Record):
    about: ClassVar[About] = About("survey question", "survey questions", prefix="Q-", key="prompt")

    survey_id: SurveyId
    position: Annotated[int, f.count("places")]
    type: QuestionType
    prompt: Prompt
    choices: tuple[Choice, ...] = ()
    required: bool = False


class SkipRule(Record):
    about: ClassVar[About] = About("skip rule", "skip rules", prefix="SKIP-", width=3, key="")

    question_id: QuestionId
    choice: Choice
    to_question_id: Annotated[str | None, f.ref("questions")] = None
    """Where those who choose it go on; null disqualifies them."""


class Collector(Record):
    about: ClassVar[About] = About("collector", "collectors", prefix="CLT-", key="name")

    survey_id: SurveyId
    name: f.Title
    type: CollectorType
    status: CollectorStatus = "open"
    closes_on: f.Date | None = None
    response_limit: Annotated[int | None, f.count("responses")] = None
    url: f.Url


class Recipient(Record):
    about: ClassVar[About] = About("survey recipient", "survey recipients", prefix="RCP-", key="email")

    collector_id: CollectorId
    email: f.Email
    name: f.Person
    company: f.Organisation = ""
    invited_at: f.SystemTime
    reminded_at: f.SystemTime | None = None
    opted_out: bool = False


class Response(Record):
    about: ClassVar[About] = About("survey response", "survey responses", prefix="RSP-", key="")

    survey_id: SurveyId
    collector_id: CollectorId
    recipient_id: Annotated[str | None, f.ref("recipients")] = None
    status: ResponseStatus
    tags: tuple[Tag, ...] = ()
    flagged: bool = False
    """Flagged answers are left out of results."""
    submitted_at: f.SystemTime


class Answer(Record):
    about: ClassVar[About] = About("answer", "answers", prefix="ANS-", width=5, key="", carrier="note")

    response_id: ResponseId
    question_id: QuestionId
    choices: tuple[Choice, ...] = ()
    score: Annotated[int | None, f.count("points")] = None
    text: f.Text = ""


class FollowUp(Record):
    about: ClassVar[About] = About("follow-up note", "follow-up notes", prefix="FUP-", key="", carrier="note")

    response_id: ResponseId
    text: f.Text
    author_email: f.Email
    written_at: f.SystemTime


class SurveysState(State):
    surveys: Table[Survey]
    collaborators: Table[Collaborator]
    questions: Table[Question]
    skip_rules: Table[SkipRule]
    collectors: Table[Collector]
    recipients: Table[Recipient]
    responses: Table[Response]
    answers: Table[Answer]
    follow_ups: Table[FollowUp]


service = Service(
    "surveys",
    title="Surveys",
    domain="marketing",
    description="Questionnaires with skip rules, collectors and invitations, responses, results and scores.",
    state=SurveysState,
    files=sources(__file__),
)
