"""A year of one athlete's training, and what the people around her did."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Person
from services_app.library.fitness import texts
from services_app.library.fitness.figures import me, visible
from services_app.library.fitness.state import GEAR_OF, Activity, Athlete, FitnessState, service
from services_app.library.shared import plus_days, plus_minutes

_MINE = ("run", "run", "run", "ride", "ride", "strength", "walk", "swim", "yoga", "hike")
_THEIRS = ("run", "run", "ride", "walk", "hike", "swim")
_GOALS = (
    ("run", "distance", "week", 30.0), ("run", "distance", "year", 1200.0), ("ride", "activities", "month", 12.0),
    ("strength", "time", "week", 90.0), ("swim", "distance", "month", 6.0),
)  # fmt: skip


@service.seed
def fill(state: FitnessState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    staff = list(cast.staff[: max(ctx.size(32), 12)])
    guests = [company.people[0] for company in cast.companies[: ctx.size(14)]]
    for index, person in enumerate([*staff, *guests]):
        _athlete(state, ctx, cast, person, index)
    for name, kind, model, bought, earlier, lasts, retired in texts.GEAR:
        state.gear.create(
            name=name,
            kind=kind,
            model=model,
            bought_on=ctx.date(bought),
            earlier_distance=earlier,
            lasts=lasts,
            retired=retired,
        )
    athletes = list(state.athletes)
    for index in range(ctx.size(110)):
        _activity(state, ctx, cast, athletes[0], _MINE[index % len(_MINE)], index)
    for index in range(ctx.size(130)):
        athlete = ctx.random.choice(athletes[1:])
        _activity(state, ctx, cast, athlete, ctx.random.choice(_THEIRS), index)
    _social(state, ctx, cast)
    _plan(state, ctx)
    _challenges(state, ctx, cast)
    _posts(state, ctx, cast)


def _athlete(state: FitnessState, ctx: SeedContext, cast: Cast, person: Person, index: int) -> None:
    facts = people.facts(ctx, cast.projects[index])
    city = ctx.random.choice(cast.offices).city
    home = next((company.city for company in cast.companies if company.name == person.company), city)
    row = state.athletes.create(
        name=person.name,
        email=person.email,
        city="London" if index == 0 else home,
        company=person.company,
        private=index % 5 == 4,
        bio=ctx.random.choice(texts.BIOS).format(**facts),
    )
    if index and ctx.random.random() < 0.45:
        status = "requested" if row.private and ctx.random.random() < 0.4 else "following"
        state.follows.create(athlete_id=row.id, status=status, since=ctx.moment(-ctx.random.randint(5, 400), 18))


def _activity(
    state: FitnessState, ctx: SeedContext, cast: Cast, athlete: Athlete, sport: str, index: int
) -> Activity | None:
    """An activity on a free day; the latest of the signed-in athlete are a few days old."""
    names, speed = texts.ACTIVITIES[sport]
    day = ctx.date(-1 - (index * 2 if athlete is me(state) else ctx.random.randint(0, 60)) - ctx.random.randint(0, 1))
    start = f"{day}T{ctx.random.choice((6, 7, 12, 17, 18)):02d}:{ctx.random.choice((0, 10, 25, 40)):02d}:00Z"
    if any(row.started_at[:10] == day for row in state.activities.find(athlete_id=athlete.id)):
        return None
    distance = ctx.random.choice(texts.DISTANCES[sport])
    pace = speed * ctx.random.randint(86, 114) / 100
    minutes = round(60 * distance / pace) if distance else ctx.random.choice((25, 30, 45, 60))
    own = athlete.id == me(state).id
    fitting = [row for row in state.gear if row.kind == GEAR_OF.get(sport) and not row.retired]
    facts = people.facts(ctx, cast.projects[index % 60])
    return state.activities.create(
        athlete_id=athlete.id,
        name=ctx.random.choice(names),
        sport=sport,
        started_at=start,
        minutes=minutes,
        distance=distance,
        climb=round(distance * ctx.random.choice((2, 6, 11, 24))) if sport != "swim" else 0,
        description=ctx.random.choice(texts.DESCRIPTIONS).format(**facts),
        gear_id=ctx.random.choice(fitting).id if own and fitting and ctx.random.random() < 0.8 else None,
        visibility=ctx.random.choice(("everyone", "everyone", "followers", "followers", "only_me")),
    )


def _social(state: FitnessState, ctx: SeedContext, cast: Cast) -> None:
    """Kudos and comments of people who can see an activity."""
    athletes, own = list(state.athletes), me(state)
    for index, row in enumerate(state.activities):
        if row.visibility == "only_me":
            continue
        fans = [one for one in ctx.random.sample(athletes, 3) if one.id != row.athlete_id]
        fans = [one for one in fans if one.id != own.id or visible(state, row)]
        moment = plus_minutes(row.started_at, row.minutes + ctx.random.randint(20, 400))
        for one in fans[: ctx.random.choice((0, 1, 2, 2))]:
            state.kudos.create(activity_id=row.id, athlete_id=one.id, given_at=min(moment, ctx.moment(0, 8)))
        if fans and ctx.random.random() < 0.25:
            facts = people.facts(ctx, cast.projects[index % 60])
            state.activity_comments.create(
                activity_id=row.id,
                athlete_id=fans[0].id,
                text=ctx.random.choice(texts.COMMENTS).format(**facts),
                written_at=min(plus_minutes(moment, 7), ctx.moment(0, 8, 30)),
            )


def _plan(state: FitnessState, ctx: SeedContext) -> None:
    """Goals, and a plan of which some of the past is done and some was missed."""
    for sport, measure, period, target in _GOALS[: max(ctx.size(5), 4)]:
        state.goals.create(sport=sport, measure=measure, period=period, target=target, set_on=ctx.date(-58))
    weeks = ctx.size(8)
    own = state.activities.find(athlete_id=me(state).id)
    for week in range(-weeks, (weeks + 1) // 2):
        for number, (title, sport, minutes, intensity, notes) in enumerate(texts.WORKOUTS):
            day = week * 7 + (number * 2) % 7
            if (number * 2) // 7 or ctx.random.random() < 0.2:
                day += 1 if intensity != "hard" else 0
            date = ctx.date(day)
            near = (plus_days(date, -1), date, plus_days(date, 1))
            taken = [row for row in state.workouts if row.date == date and row.sport == sport]
            hard = [row for row in state.workouts if row.intensity == "hard" and row.date in near]
            if taken or (hard and intensity == "hard"):
                continue
            done = [row for row in own if row.sport == sport and row.started_at[:10] in near]
            done = [row for row in done if not state.workouts.first(activity_id=row.id)]
            state.workouts.create(
                title=title,
                date=date,
                sport=sport,
                minutes=minutes,
                intensity=intensity,
                notes=notes,
                activity_id=done[0].id if done and ctx.random.random() < 0.35 else None,
            )


def _challenges(state: FitnessState, ctx: SeedContext, cast: Cast) -> None:
    athletes = list(state.athletes)
    organisers = cast.team("people") or [people.ME]
    for index, (title, sport, measure, target, least, start, end, places, rules) in enumerate(texts.CHALLENGES):
        row = state.challenges.create(
            title=title,
            organiser_email=organisers[index % len(organisers)].email,
            sport=sport,
            measure=measure,
            target=target,
            at_least=least,
            starts_on=ctx.date(start),
            ends_on=ctx.date(end),
            places=places,
            rules=rules.format(**people.facts(ctx, cast.projects[index])),
        )
        joined = ctx.random.sample(athletes[1:], min(places, ctx.size(10), len(athletes) - 1))
        if index in (0, 2):
            joined = [athletes[0], *joined[: places - 1]]
        for athlete in joined:
            joined_at = ctx.moment(min(start - ctx.random.randint(0, 5), -1), ctx.random.randint(8, 20))
            state.participations.create(challenge_id=row.id, athlete_id=athlete.id, joined_at=joined_at)


def _posts(state: FitnessState, ctx: SeedContext, cast: Cast) -> None:
    authors = cast.team("people") or [people.ME]
    for index, (title, days, status, body) in enumerate(texts.POSTS):
        facts = people.facts(ctx, cast.projects[index + 2])
        state.club_posts.create(
            title=title.format(**facts),
            author_name=authors[index % len(authors)].name,
            status=status,
            body=body.format(**facts),
            posted_on=ctx.date(-days),
        )
