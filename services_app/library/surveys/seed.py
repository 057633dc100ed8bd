"""A year of questionnaires: customers, guests of events, and the own people, whose answers stay anonymous."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.shared import Json
from services_app.library.surveys import texts
from services_app.library.surveys.state import Collector, Question, Recipient, Survey, SurveysState, service

_SCORES = {"nps": (2, 4, 5, 6, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10), "rating": (1, 2, 3, 3, 4, 4, 4, 5, 5)}


@service.seed
def fill(state: SurveysState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for number in range(ctx.size(18)):
        _survey(state, ctx, cast, number)


def _owner(ctx: SeedContext, cast: Cast, number: int, folder: str) -> Person:
    if number % 2 == 0:
        return ME
    team = {"Customers": "support", "People": "people", "Events": "marketing", "Products": "marketing"}[folder]
    return ctx.random.choice(cast.team(team))


def _survey(state: SurveysState, ctx: SeedContext, cast: Cast, number: int) -> None:
    title, folder, anonymous, introduction, asked = texts.SURVEYS[number % len(texts.SURVEYS)]
    project = cast.projects[number * 2]
    facts = {**people.facts(ctx, project), "issue": f"{2026 - number // 8}-{1 + number % 8}"}
    status = ("open", "closed", "open", "draft", "closed")[number % 5]
    age = 30 + number * 250 // ctx.size(18) if status == "closed" else 9 + number % 7 * 3
    owner = _owner(ctx, cast, number // 2, folder)
    survey = state.surveys.create(
        title=title.format(**facts),
        introduction="" if status == "draft" and number % 10 == 3 else introduction.format(**facts),
        status=status,
        anonymous=anonymous,
        folder=folder,
        owner_email=owner.email,
        created_at=ctx.moment(-age - 6, 10, number % 60),
        opened_at=None if status == "draft" else ctx.moment(-age, 9),
        closed_at=ctx.moment(-age + 25, 17) if status == "closed" else None,
    )
    mine = "viewer" if folder == "Events" else "editor"
    for email, role in ((ME.email, mine), (cast.team("marketing")[1].email, "viewer")):
        if email != owner.email:
            state.collaborators.create(survey_id=survey.id, email=email, role=role)
    questions = [
        state.questions.create(
            survey_id=survey.id,
            position=place,
            type=kind,
            prompt=prompt.format(**facts),
            choices=choices,
            required=required,
        )
        for place, (kind, prompt, choices, required) in enumerate(asked, start=1)
    ]
    single = next(row for row in questions if row.type == "single_choice")
    later = questions[-1].id if number % 2 else None
    if not anonymous:
        state.skip_rules.create(question_id=single.id, choice=single.choices[-1], to_question_id=later)
    if status != "draft":
        _collect(state, ctx, cast, survey, questions, age, number)


def _collect(
    state: SurveysState,
    ctx: SeedContext,
    cast: Cast,
    survey: Survey,
    questions: list[Question],
    age: int,
    number: int,
) -> None:
    closed = survey.status == "closed"
    names = ("Invitation by mail", "Link on the intranet" if survey.anonymous else "Link in the newsletter")
    collectors = [
        state.collectors.create(
            survey_id=survey.id,
            name=name,
            type=kind,
            status="closed" if closed else "open",
            closes_on=ctx.date(14 + number) if not closed and kind == "email" else None,
            response_limit=200 if kind == "web_link" else None,
            url=f"https://survey.larkfield.example/{survey.id.lower()}/{place}",
        )
        for place, (name, kind) in enumerate(zip(names, ("email", "web_link"), strict=True), start=1)
    ]
    for person in _asked(ctx, cast, survey, number):
        recipient = state.recipients.create(
            collector_id=collectors[0].id,
            email=person.email,
            name=person.name,
            company=person.company,
            invited_at=ctx.moment(-age + ctx.random.randint(0, 2), 9, 30),
            opted_out=ctx.random.random() < 0.03,
        )
        if ctx.random.random() < 0.62 and not recipient.opted_out:
            _respond(state, ctx, cast, survey, questions, collectors[0], recipient, age)
        elif ctx.random.random() < 0.3 and age > 9:
            state.recipients.patch(recipient.id, reminded_at=ctx.moment(-age + 5, 9))
    for _ in range(ctx.random.randint(2, 5)):
        _respond(state, ctx, cast, survey, questions, collectors[1], None, age)


def _asked(ctx: SeedContext, cast: Cast, survey: Survey, number: int) -> list[Person]:
    """Own people for an anonymous survey; otherwise customers, other ones than those asked by the surveys around it."""
    if survey.anonymous:
        return ctx.random.sample(cast.staff[1:], 24)
    companies = cast.companies[: ctx.size(60)]
    start = number * 7
    return [person for turn in range(7) for person in companies[(start + turn) % len(companies)].people][:18]


def _respond(
    state: SurveysState,
    ctx: SeedContext,
    cast: Cast,
    survey: Survey,
    questions: list[Question],
    collector: Collector,
    recipient: Recipient | None,
    age: int,
) -> None:
    company = recipient.company if recipient else ""
    own = [row for row in cast.projects[:200] if row.company.name == company]
    project = ctx.random.choice(own or list(cast.projects[:60]))
    status = "partial" if ctx.random.random() < 0.12 else "complete"
    response = state.responses.create(
        survey_id=survey.id,
        collector_id=collector.id,
        recipient_id=recipient.id if recipient else None,
        status=status,
        tags=tuple(ctx.random.sample(texts.TAGS, 1)) if ctx.random.random() < 0.25 else (),
        flagged=recipient is None and ctx.random.random() < 0.1,
        submitted_at=ctx.moment(-age + ctx.random.randint(3, 8), ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
    )
    rule = next((row for row in state.skip_rules if row.question_id == questions[0].id), None)
    skipped: set[str] = set()
    low = 10
    for question in questions[: 2 if status == "partial" else None]:
        if question.id in skipped or (not question.required and ctx.random.random() < 0.12):
            continue
        values, low = _answer(ctx, survey, question, project, low)
        state.answers.create(response_id=response.id, question_id=question.id, **values)
        if rule is not None and question.id == rule.question_id and rule.choice in values.get("choices", ()):
            if rule.to_question_id is None:
                state.responses.patch(response.id, status="disqualified")
                return
            skipped = {row.id for row in questions[1:] if row.id != rule.to_question_id}
    if low <= 5 and ctx.random.random() < 0.5:
        state.follow_ups.create(
            response_id=response.id,
            text=ctx.random.choice(texts.FOLLOW_UPS).format(**people.facts(ctx, project)),
            author_email=survey.owner_email,
            written_at=ctx.moment(-1, 15),
        )


def _answer(ctx: SeedContext, survey: Survey, question: Question, project: Project, low: int) -> tuple[Json, int]:
    """Values of an answer, and the lowest recommendation given so far: who is unhappy says why."""
    if question.type in _SCORES:
        score = ctx.random.choice(_SCORES[question.type])
        return {"score": score}, min(low, score) if question.type == "nps" else low
    if question.type == "text":
        pool = texts.TEAM if survey.anonymous else texts.BAD if low <= 6 else texts.GOOD
        return {"text": ctx.random.choice(pool).format(**people.facts(ctx, project))}, low
    if question.type == "multiple_choice":
        picked = set(ctx.random.sample(question.choices, ctx.random.choice((1, 2, 2))))
        return {"choices": tuple(choice for choice in question.choices if choice in picked)}, low
    return {"choices": (ctx.random.choice(question.choices),)}, low
