"""A hiring season: open and closed jobs, applications in every stage, interviews held and to come, offers out."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.recruiting import texts
from services_app.library.recruiting.pipeline import clash, load_of
from services_app.library.recruiting.state import Application, Candidate, Job, RecruitingState, service
from services_app.library.shared import plus_days

_STATUS = ("open", "open", "open", "open", "open", "on_hold", "open", "draft", "closed", "open")
_SOURCES = ("job_board", "job_board", "career_site", "career_site", "referral", "agency", "sourced")
# status and whether it is approved, one after the other; "none" leaves an application in the last stage without one
_OFFERS = (
    ("draft", True),
    ("draft", False),
    ("sent", True),
    ("none", False),
    ("draft", False),
    ("accepted", True),
    ("sent", True),
    ("declined", True),
    ("none", False),
)
_HOURS = (8, 9, 10, 11, 13, 14, 15, 16)


@service.seed
def fill(state: RecruitingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _team(state, cast)
    for index, (name, interviews, cards, guidance) in enumerate(texts.STAGES):
        state.stages.create(
            name=name, position=index + 1, has_interviews=interviews, scorecards_needed=cards, guidance=guidance
        )
    for index in range(max(6, min(ctx.size(14), 30))):
        _job(state, ctx, cast, index)
    pairs = [(first, last) for first in texts.FIRST for last in texts.LAST]
    ctx.random.shuffle(pairs)
    for first, last in pairs[: ctx.size(90)]:
        _candidate(state, ctx, cast, f"{first} {last}")
    _duplicates(state, ctx)
    jobs = [job for job in state.jobs if job.status != "draft"]
    for index, candidate in enumerate(list(state.candidates)):
        project = cast.projects[index % len(cast.projects)]
        for job in ctx.random.sample(jobs, ctx.random.choice((1, 1, 1, 2))):
            _application(state, ctx, project, candidate, job)


def _team(state: RecruitingState, cast: Cast) -> None:
    heads = {person.team: person for person in reversed(cast.staff[1:])}
    state.users.create(name=cast.me.name, email=cast.me.email, role="recruiter", interviews_per_week=6)
    for person in cast.staff[1:36]:
        head = person is heads[person.team]
        role = "hiring_manager" if head else "recruiter" if person.title == "Recruiter" else "interviewer"
        if head and person.team == "finance":
            role = "finance_approver"
        state.users.create(
            name=person.name, email=person.email, role=role, interviews_per_week=8 if role == "recruiter" else 3
        )


def _job(state: RecruitingState, ctx: SeedContext, cast: Cast, index: int) -> None:
    title, department, team, low, high, description = texts.JOBS[index % len(texts.JOBS)]
    project = cast.projects[index * 7 % 120]
    location = ctx.random.choice(cast.offices).city if index >= len(texts.JOBS) else "London"
    manager = next(
        (row for row in state.users.find(role="hiring_manager") if row.email in {p.email for p in cast.team(team)}),
        state.users.find(role="hiring_manager")[0],
    )
    recruiters = state.users.find(role="recruiter")
    status = _STATUS[index % len(_STATUS)]
    factor = 1.0 if location == "London" else 1.15
    state.jobs.create(
        title=title,
        department=department,
        location=location,
        status=status,
        hiring_manager_email=manager.email,
        recruiter_email=ctx.random.choice(recruiters).email,
        openings=ctx.random.choice((1, 1, 2, 3)),
        salary_min=round(low * factor, -2),
        salary_max=round(high * factor, -2),
        currency="GBP" if location == "London" else "EUR",
        description=description.format(**people.facts(ctx, project), industry=project.company.industry),
        target_start=ctx.date(ctx.random.randint(30, 150)),
        opened_on=None if status == "draft" else ctx.date(-ctx.random.randint(70, 130)),
    )


def _candidate(state: RecruitingState, ctx: SeedContext, cast: Cast, name: str) -> None:
    project = ctx.random.choice(cast.projects[:200])
    source = ctx.random.choice(_SOURCES)
    title = texts.JOBS[ctx.random.randrange(len(texts.JOBS))][0]
    candidate = state.candidates.create(
        name=name,
        email=f"{people.ascii_name(name)}@postbox.example",
        phone=f"+44 7700 900{ctx.random.randint(100, 999)}",
        current_company=ctx.random.choice(cast.companies[:60]).name,
        current_title=f"{ctx.random.choice(('Junior ', '', '', 'Senior '))}{title}",
        source=source,
        referred_by=ctx.random.choice(cast.staff[1:40]).email if source == "referral" else None,
        do_not_contact=ctx.random.random() < 0.05,
        added_on=ctx.date(-ctx.random.randint(20, 69)),
    )
    facts = _facts(ctx, project, candidate)
    state.attachments.create(
        candidate_id=candidate.id,
        filename=f"{name} - résumé.pdf",
        content=texts.RESUME.format(**facts),
        uploaded_on=candidate.added_on,
    )
    for chance, label, text in ((0.25, "cover letter", texts.COVER), (0.12, "reference", texts.REFERENCE)):
        if ctx.random.random() < chance:
            state.attachments.create(
                candidate_id=candidate.id,
                filename=f"{name} - {label}.pdf",
                content=text.format(**facts),
                uploaded_on=candidate.added_on,
            )
    for text in ctx.random.sample(texts.NOTES, ctx.random.choice((0, 1, 1, 2))):
        state.notes.create(
            candidate_id=candidate.id,
            author_email=ctx.random.choice(state.users.find(role="recruiter")).email,
            text=text.format(**facts),
            written_at=ctx.moment(-ctx.random.randint(1, 18), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _facts(ctx: SeedContext, project: Project, candidate: Candidate) -> dict[str, str]:
    facts = people.facts(ctx, project) | {
        "name": candidate.name,
        "first": candidate.name.split()[0],
        "current": candidate.current_title,
        "employer": candidate.current_company,
        "years": str(ctx.random.randint(2, 14)),
        "field": ctx.random.choice(texts.FIELDS),
        "language": ctx.random.choice(texts.LANGUAGES),
        "notice": ctx.random.choice(texts.NOTICES),
        "pay": f"{ctx.random.randint(68, 130) * 500:,.2f}",
        "permit": ctx.random.choice(texts.PERMITS),
        "earlier": ctx.random.choice(texts.EARLIER),
        "start": people.in_words(ctx.date(ctx.random.randint(25, 110))),
    }
    return facts | {"deed": ctx.random.choice(texts.DEEDS).format(**facts)}


def _duplicates(state: RecruitingState, ctx: SeedContext) -> None:
    """A few people who are in the list twice, the second time with another address."""
    for original in ctx.random.sample(list(state.candidates), ctx.size(5)):
        state.candidates.create(
            name=original.name,
            email=original.email.replace("@postbox.example", "@homemail.example"),
            phone=original.phone,
            current_company=original.current_company,
            current_title=original.current_title,
            source="career_site",
            added_on=ctx.date(-ctx.random.randint(3, 15)),
        )


def _application(state: RecruitingState, ctx: SeedContext, project: Project, candidate: Candidate, job: Job) -> None:
    """One application, taken through the stages as far as it came."""
    reached = (1, 2, 5, 4, 3, 5, 2, 4, 5, 1, 5)[len(state.applications) % 11]
    closed = job.status == "closed" or ctx.random.random() < 0.25
    applied = plus_days(candidate.added_on, ctx.random.randint(0, 2))
    since = ctx.random.randint(1, 12)
    application = state.applications.create(
        candidate_id=candidate.id,
        job_id=job.id,
        stage_id=f"STG-{reached:02d}",
        status="active",
        applied_at=f"{applied}T{ctx.random.randint(8, 18):02d}:{ctx.random.randint(0, 59):02d}:00Z",
        stage_since=max(ctx.moment(-since, 10, 15), f"{applied}T20:00:00Z"),
    )
    facts = _facts(ctx, project, candidate)
    for position in (2, 4):
        if reached > position or (reached == position and ctx.random.random() < 0.85):
            _interview(state, ctx, application, position, facts, past=closed or reached > position)
    if reached == 5 and not closed:
        _offer(state, ctx, application, job, facts)
    elif closed:
        state.applications.patch(
            application.id,
            status="rejected" if ctx.random.random() < 0.8 else "withdrawn",
            closed_on=ctx.date(-ctx.random.randint(1, 9)),
        )
        if state.applications.get(application.id).status == "rejected":
            reason = ctx.random.choice(("missing_skills", "salary_expectation", "weak_interview", "no_work_permit"))
            state.applications.patch(application.id, rejection_reason=reason)


def _interview(
    state: RecruitingState,
    ctx: SeedContext,
    application: Application,
    position: int,
    facts: dict[str, str],
    *,
    past: bool,
) -> None:
    held = past or ctx.random.random() < 0.5
    for _ in range(30):
        day = ctx.random.choice(
            (-21, -20, -18, -14, -13, -12, -11, -7, -6, -5, -4) if held else (1, 2, 3, 4, 7, 8, 9, 10)
        )
        start = ctx.moment(day, ctx.random.choice(_HOURS), ctx.random.choice((0, 30)))
        # The phone screens that are open now are those of the signed-in user, whose scorecards are due.
        users = (
            state.users.find(role="recruiter")[: None if past else 1]
            if position == 2
            else state.users.find(role="interviewer")
        )
        panel = ctx.random.sample(users, 1 if position == 2 else 2)
        free = all(
            clash(state, row.email, start, 60) is None and load_of(state, row.email, start) < row.interviews_per_week
            for row in panel
        )
        mine = {row.id for row in state.applications.find(candidate_id=application.candidate_id)}
        if free and not any(row.start[:10] == start[:10] for row in state.interviews if row.application_id in mine):
            break
    else:
        return
    interview = state.interviews.create(
        application_id=application.id,
        stage_id=f"STG-{position:02d}",
        interviewer_emails=tuple(row.email for row in panel),
        start=start,
        minutes=30 if position == 2 else 60,
        place="Video call" if position == 2 else ctx.random.choice(("Larkfield House, room Wharf", "Video call")),
        status="scheduled",
    )
    late = not past and (position == 2 or ctx.random.random() < 0.8)
    for row in panel if held and not late else panel[1:] if held else ():
        kind = ctx.random.choice(("yes", "yes", "strong_yes") if past else ("yes", "strong_yes", "no", "strong_no"))
        state.scorecards.create(
            interview_id=interview.id,
            interviewer_email=row.email,
            recommendation=kind,
            notes=ctx.random.choice(texts.SCORES[kind]).format(**facts),
            submitted_at=f"{start[:10]}T19:{ctx.random.randint(10, 59)}:00Z",
        )


def _offer(state: RecruitingState, ctx: SeedContext, application: Application, job: Job, facts: dict[str, str]) -> None:
    before = sum(
        1
        for row in state.applications.find(stage_id="STG-05")
        if row.status == "active" or state.offers.first(application_id=row.id)
    )
    status, agreed = _OFFERS[(before - 1) % len(_OFFERS)]
    if status == "accepted" and state.applications.count(job_id=job.id, status="hired") >= job.openings:
        status = "declined"
    if status == "none":
        return
    finance = state.users.find(role="finance_approver")[0].email
    share = ctx.random.choice((0.2, 0.4, 0.5, 0.7, 0.9))
    approved = (job.hiring_manager_email, *((finance,) if share > 0.5 else ()))
    state.offers.create(
        application_id=application.id,
        salary=round(job.salary_min + share * (job.salary_max - job.salary_min), -2),
        start_date=ctx.date(ctx.random.randint(25, 110)),
        terms=ctx.random.choice(texts.TERMS),
        status=status,
        approved_by=approved if agreed else (),
        expires_on=None if status == "draft" else ctx.date(ctx.random.choice((-1, 3, 6, 8))),
        decline_reason=ctx.random.choice(texts.DECLINES).format(**facts) if status == "declined" else "",
    )
    if status in ("accepted", "declined"):
        outcome = "hired" if status == "accepted" else "withdrawn"
        state.applications.patch(application.id, status=outcome, closed_on=ctx.date(-ctx.random.randint(1, 6)))
