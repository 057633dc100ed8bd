"""Tools for surveys, their questions and skip rules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.surveys.access import described, draft, editable, questions_of, role_of
from services_app.library.surveys.state import (
    Choice,
    Prompt,
    Question,
    QuestionId,
    QuestionType,
    Role,
    SkipRule,
    SurveyId,
    SurveysState,
    SurveyStatus,
    service,
)

Choices = Annotated[list[Choice], Field(min_length=2, max_length=12)]
Place = Annotated[int, f.count("places"), Field(ge=1, le=60)]
Text = Annotated[str, f.Semantic("text"), Field(max_length=5000)]
Folder = Annotated[str, f.Semantic("label"), Field(max_length=60)]
MOST_QUESTIONS = 25


@service.tool()
def list_surveys(
    state: SurveysState,
    ctx: CallContext,
    query: Query | None = None,
    status: SurveyStatus | None = None,
    folder: Folder | None = None,
    owner_email: f.Email | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List surveys with the number of responses, the newest first.

    Args:
        query: Words in the title, introduction or questions.
        status: Only drafts, open or closed surveys.
        folder: Only surveys in this folder.
        owner_email: Only surveys of this person.
        limit: At most so many surveys.
        cursor: next_cursor of the previous page.
    """
    prompts: dict[str, list[str]] = {}
    for row in state.questions:
        prompts.setdefault(row.survey_id, []).append(row.prompt)
    found = search(state.surveys, query, lambda row: (row.title, row.introduction, *prompts.get(row.id, ())))
    found = keep(found, status=status, folder=folder, owner_email=owner_email)
    found = newest_first(found, "created_at")
    names = ("id", "title", "status", "folder", "anonymous", "owner_email", "created_at")
    rows = [{**brief(row, *names), "responses": state.responses.count(survey_id=row.id)} for row in found]
    return cursor_page("surveys", rows, limit, cursor)


@service.tool()
def get_survey(state: SurveysState, ctx: CallContext, survey_id: SurveyId) -> Json:
    """Show a survey with its questions, skip rules, collectors, collaborators and response rate.

    Errors: `not_found`.

    Args:
        survey_id: Id of the survey.
    """
    survey = state.surveys.get(survey_id)
    people = {row.email: row.role for row in state.collaborators.find(survey_id=survey_id)}
    return {**described(state, survey), "collaborators": people}


def _new_title(state: SurveysState, title: str, own: str = "") -> str:
    clean = check_text(title, "title")
    if any(same(row.title, clean) and row.id != own for row in state.surveys):
        raise conflict(f"There is a survey {clean!r} already; choose another title.", type="duplicate_title")
    return clean


@service.tool(phrase="set up the survey {title}")
def create_survey(
    state: SurveysState,
    ctx: CallContext,
    title: Name,
    introduction: Text = "",
    anonymous: bool = False,
    folder: Folder = "",
    source_survey_id: SurveyId | None = None,
) -> Json:
    """Set up a draft of yours, empty or with the questions of another survey.

    Errors: `not_found`, `duplicate_title`, `blank_text`.

    Args:
        title: Title of the survey.
        introduction: What people read first; that of the copied survey where it is empty.
        anonymous: Whether names are kept from everybody.
        folder: Folder to put it in.
        source_survey_id: Survey whose questions and skip rules are taken over.
    """
    source = state.surveys.get(source_survey_id) if source_survey_id else None
    survey = state.surveys.create(
        title=_new_title(state, title),
        introduction=introduction or (source.introduction if source else ""),
        anonymous=anonymous,
        folder=folder,
        owner_email=ME.email,
        created_at=ctx.now,
    )
    copies: dict[str, str] = {}
    for row in questions_of(state, source.id) if source else ():
        values = brief(row, "position", "type", "prompt", "choices", "required")
        copies[row.id] = state.questions.create(survey_id=survey.id, **values).id
    for rule in [rule for rule in state.skip_rules if rule.question_id in copies]:
        target = copies[rule.to_question_id] if rule.to_question_id else None
        state.skip_rules.create(question_id=copies[rule.question_id], choice=rule.choice, to_question_id=target)
    return described(state, survey)


@service.tool(phrase="change the survey {survey_id}")
def update_survey(
    state: SurveysState,
    ctx: CallContext,
    survey_id: SurveyId,
    title: Name | Unset = UNSET,
    introduction: Text | Unset = UNSET,
    anonymous: bool | Unset = UNSET,
    folder: Folder | Unset = UNSET,
) -> Json:
    """Change title, introduction, folder or anonymity of a survey; a promise of anonymity cannot be taken back.

    Errors: `not_found`, `view_only`, `nothing_to_change`, `duplicate_title`, `anonymity_promised`, `blank_text`.

    Args:
        survey_id: Id of the survey.
        title: New title.
        introduction: New introduction.
        anonymous: Make it anonymous; false only before the first answer.
        folder: New folder; empty for none.
    """
    survey = editable(state, survey_id)
    changes = some_changes(given(title=title, introduction=introduction, anonymous=anonymous, folder=folder))
    if "title" in changes:
        changes["title"] = _new_title(state, changes["title"], own=survey_id)
    if survey.anonymous and anonymous is False and state.responses.count(survey_id=survey_id):
        raise conflict("People have answered an anonymous survey; it has to stay so.", type="anonymity_promised")
    return described(state, state.surveys.patch(survey_id, **changes))


@service.tool(phrase="share the survey {survey_id} with {email} as {role}")
def share_survey(state: SurveysState, ctx: CallContext, survey_id: SurveyId, email: f.Email, role: Role) -> Json:
    """Give a colleague a role in a survey of yours; owner hands it over, and you stay as editor.

    Errors: `not_found`, `not_owner`, `outside_company`, `no_change`.

    Args:
        survey_id: Id of the survey.
        email: Address of the colleague.
        role: Viewer, editor or owner.
    """
    survey = state.surveys.get(survey_id)
    if role_of(state, survey) != "owner":
        raise forbidden(f"Only {survey.owner_email} may share {survey.title!r}.", type="not_owner")
    if outside(email):
        raise forbidden(f"{email} is outside the company; surveys are shared with colleagues.", type="outside_company")
    held = next((row for row in state.collaborators.find(survey_id=survey_id) if same(row.email, email)), None)
    if same(email, ME.email) or (held is not None and held.role == role):
        raise conflict(f"{email} has this role already.", type="no_change")
    if held is not None:
        state.collaborators.delete(held.id)
    if role == "owner":
        state.collaborators.create(survey_id=survey_id, email=survey.owner_email, role="editor")
        survey = state.surveys.patch(survey_id, owner_email=email)
    else:
        state.collaborators.create(survey_id=survey_id, email=email, role=role)
    people = {row.email: row.role for row in state.collaborators.find(survey_id=survey_id)}
    return with_fields(survey, collaborators=people)


def _choices(kind: str, choices: list[str]) -> tuple[str, ...]:
    wanted = kind in ("single_choice", "multiple_choice")
    if wanted and len(choices) < 2:
        raise invalid("A choice needs at least two choices.", type="choices_missing")
    if not wanted and choices:
        raise invalid(f"A {kind} question has no choices; leave them out.", type="choices_not_used")
    if len({choice.casefold() for choice in choices}) < len(choices):
        raise invalid("Two choices are the same; name each once.", type="duplicate_choice")
    return tuple(choices)


def _place(state: SurveysState, survey_id: str, question: Question, wanted: int) -> Question:
    """Put a question at a place and number the others anew."""
    others = [row for row in questions_of(state, survey_id) if row.id != question.id]
    others.insert(min(wanted, len(others) + 1) - 1, question)
    for number, row in enumerate(others, start=1):
        if row.position != number:
            state.questions.patch(row.id, position=number)
    return state.questions.get(question.id)


@service.tool(phrase="ask {prompt} in the survey {survey_id}")
def add_question(
    state: SurveysState,
    ctx: CallContext,
    survey_id: SurveyId,
    prompt: Prompt,
    type: QuestionType = "text",
    choices: Choices | None = None,
    required: bool = False,
    position: Place = 60,
) -> Json:
    """Add a question to a draft; a survey has at most twenty-five, and one recommendation question.

    Errors: `not_found`, `view_only`, `survey_live`, `too_many_questions`, `second_nps`, `choices_missing`,
    `choices_not_used`, `duplicate_choice`, `blank_text`.

    Args:
        survey_id: Id of the survey.
        prompt: What is asked.
        type: single_choice, multiple_choice, rating (1 to 5), nps (0 to 10) or text.
        choices: The choices of a choice question.
        required: Whether it has to be answered.
        position: Place of the question; at the end, if left out.
    """
    draft(state, survey_id)
    check_text(prompt, "question")
    present = questions_of(state, survey_id)
    if len(present) >= MOST_QUESTIONS:
        raise conflict(f"{survey_id} has {MOST_QUESTIONS} questions; nobody answers more.", type="too_many_questions")
    if type == "nps" and any(row.type == "nps" for row in present):
        raise conflict(f"{survey_id} asks for a recommendation already; use a rating.", type="second_nps")
    made = state.questions.create(
        survey_id=survey_id,
        position=len(present) + 1,
        type=type,
        prompt=prompt,
        choices=_choices(type, choices or []),
        required=required,
    )
    placed = _place(state, survey_id, made, position)
    return with_fields(placed, questions=len(present) + 1)


@service.tool(
    phrase="change the question {question_id}",
    examples=(Example({"question_id": "Q-0015", "choices": ["Every day", "Every week", "Not yet"]}),),
)
def update_question(
    state: SurveysState,
    ctx: CallContext,
    question_id: QuestionId,
    prompt: Prompt | Unset = UNSET,
    choices: Choices | Unset = UNSET,
    required: bool | Unset = UNSET,
    position: Place | Unset = UNSET,
) -> Question:
    """Change, move or make required a question of a draft.

    Errors: `not_found`, `view_only`, `survey_live`, `nothing_to_change`, `choices_not_used`, `duplicate_choice`,
    `used_by_skip_rule`, `blank_text`.

    Args:
        question_id: Id of the question.
        prompt: New wording.
        choices: New choices, all of them.
        required: Whether it has to be answered.
        position: New place.
    """
    question = state.questions.get(question_id)
    draft(state, question.survey_id)
    changes = some_changes(given(prompt=prompt, choices=choices, required=required, position=position))
    if "prompt" in changes:
        check_text(changes["prompt"], "question")
    if "choices" in changes:
        changes["choices"] = _choices(question.type, changes["choices"])
        for rule in state.skip_rules.find(question_id=question_id):
            if rule.choice not in changes["choices"]:
                raise conflict(f"{rule.id} skips on {rule.choice!r}; keep that choice.", type="used_by_skip_rule")
    wanted = changes.pop("position", question.position)
    return _place(state, question.survey_id, state.questions.patch(question_id, **changes), wanted)


@service.tool(phrase="delete the question {question_id}")
def delete_question(state: SurveysState, ctx: CallContext, question_id: QuestionId) -> Json:
    """Delete a question of a draft with its own skip rules; none may lead to it.

    Errors: `not_found`, `view_only`, `survey_live`, `used_by_skip_rule`.

    Args:
        question_id: Id of the question.
    """
    question = state.questions.get(question_id)
    draft(state, question.survey_id)
    leading = state.skip_rules.first(to_question_id=question_id)
    if leading is not None:
        raise conflict(f"{leading.id} leads to {question_id}; change that rule first.", type="used_by_skip_rule")
    for rule in state.skip_rules.find(question_id=question_id):
        state.skip_rules.delete(rule.id)
    state.questions.delete(question_id)
    for number, row in enumerate(questions_of(state, question.survey_id), start=1):
        if row.position != number:
            state.questions.patch(row.id, position=number)
    return {"deleted": question.prompt, "questions_left": state.questions.count(survey_id=question.survey_id)}


@service.tool(phrase="let those who choose {choice} at {question_id} skip ahead")
def set_skip_rule(
    state: SurveysState,
    ctx: CallContext,
    question_id: QuestionId,
    choice: Choice,
    to_question_id: QuestionId | None = None,
) -> SkipRule:
    """Send those who choose something to a later question of the draft, or end the survey for them.

    Errors: `not_found`, `view_only`, `survey_live`, `not_single_choice`, `unknown_choice`, `other_survey`,
    `not_later`.

    Args:
        question_id: A single-choice question.
        choice: One of its choices.
        to_question_id: Question to go on with; left out, they are disqualified.
    """
    question = state.questions.get(question_id)
    target = state.questions.get(to_question_id) if to_question_id else None
    draft(state, question.survey_id)
    if question.type != "single_choice":
        raise conflict(
            f"{question_id} is a {question.type} question; skip on single choices.", type="not_single_choice"
        )
    if choice not in question.choices:
        raise invalid(f"{choice!r} is not one of {', '.join(question.choices)}.", type="unknown_choice")
    if target is not None and target.survey_id != question.survey_id:
        raise invalid(f"{to_question_id} belongs to another survey; stay in this one.", type="other_survey")
    if target is not None and target.position <= question.position:
        raise invalid(f"{to_question_id} does not come after {question_id}; people only skip ahead.", type="not_later")
    for rule in state.skip_rules.find(question_id=question_id, choice=choice):
        return state.skip_rules.patch(rule.id, to_question_id=to_question_id)
    return state.skip_rules.create(question_id=question_id, choice=choice, to_question_id=to_question_id)
