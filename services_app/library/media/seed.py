"""A household of four profiles, its shelf, and half a year of playing and lending."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast
from services_app.library.media import texts
from services_app.library.media.lending import DAYS
from services_app.library.media.state import MediaState, Part, Profile, Title, service
from services_app.library.shared import plus_days

_PROFILES = (
    (ME.name, ME.email, "18", None),
    ("Samir Haddad", "samir.haddad@home.example", "18", None),
    ("Layla Haddad", None, "12", 90),
    ("Guest", None, "16", 180),
)
_DEVICES = (
    ("Living room TV", "television", 0),
    ("Kitchen speaker", "speaker", 0),
    ("Noor's tablet", "tablet", 9000),
    ("Layla's tablet", "tablet", 2500),
    ("Samir's phone", "phone", 4000),
)
_LENGTH = {"film": (84, 148), "series": (24, 56), "album": (3, 8), "podcast": (22, 64)}
_MB_PER_MINUTE = {"film": 22, "series": 18, "album": 3, "podcast": 1}


@service.seed
def fill(state: MediaState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for name, email, age, minutes in _PROFILES:
        state.profiles.create(name=name, email=email, allowed_age=age, daily_minutes=minutes)
    for label, kind, capacity in _DEVICES:
        state.devices.create(name=label, kind=kind, capacity_mb=capacity)
    _titles(state, ctx, cast)
    _borrowers(state, ctx, cast)
    profiles = list(state.profiles)
    for profile in profiles:
        _habits(state, ctx, cast, profile)
    _playlists(state, ctx, cast)
    _loans(state, ctx, cast)
    _running(state, ctx)


def _titles(state: MediaState, ctx: SeedContext, cast: Cast) -> None:
    names = [f"{first} {second}" for first in texts.FIRST for second in texts.SECOND]
    ctx.random.shuffle(names)
    wanted = [("film", texts.FILM_PLOTS)] * ctx.size(22) + [("series", texts.SERIES_PLOTS)] * ctx.size(6)
    wanted += [("album", texts.ALBUM_PLOTS)] * ctx.size(8)
    for index, (kind, plots) in enumerate(wanted):
        project = cast.projects[index % len(cast.projects)]
        title = state.titles.create(
            kind=kind,
            name=names[index],
            creator=ctx.random.choice(texts.CREATORS),
            year=ctx.random.randint(1978, 2025),
            genres=tuple(sorted(ctx.random.sample(texts.GENRES[kind], ctx.random.randint(1, 2)))),
            age_rating="all" if kind == "album" else ctx.random.choice(("all", "6", "12", "12", "16", "18")),
            description=ctx.random.choice(plots).format(**people.facts(ctx, project)),
            copies=ctx.random.choice((0, 1, 1, 1, 2)) if kind != "series" else ctx.random.choice((0, 0, 1)),
        )
        count = {"film": 1, "series": ctx.random.randint(4, 8), "album": ctx.random.randint(5, 9)}[kind]
        for number in range(1, count + 1):
            name = names[index] if kind == "film" else f"Episode {number}"
            _part(state, ctx, title, number, texts.TRACKS[number - 1] if kind == "album" else name, -300 * number)
    for index, (name, publisher, description) in enumerate(texts.PODCASTS):
        _podcast(state, ctx, cast, index, (name, publisher, description))


def _part(state: MediaState, ctx: SeedContext, title: Title, number: int, name: str, day: int, text: str = "") -> Part:
    minutes = ctx.random.randint(*_LENGTH[title.kind])
    return state.parts.create(
        title_id=title.id,
        number=number,
        name=name,
        minutes=minutes,
        size_mb=minutes * _MB_PER_MINUTE[title.kind],
        published_on=ctx.date(day),
        summary=text,
    )


def _podcast(state: MediaState, ctx: SeedContext, cast: Cast, index: int, about: tuple[str, str, str]) -> None:
    name, publisher, description = about
    trade = name not in ("Bread at Six", "Lines on the Map")
    title = state.titles.create(
        kind="podcast",
        name=name,
        creator=publisher or cast.companies[index].name,
        year=2024,
        genres=(texts.GENRES["podcast"][index % 4],),
        age_rating="all",
        description=description,
    )
    count = ctx.size(9)
    for number in range(1, count + 1):
        facts = people.facts(ctx, cast.projects[(index * 31 + number) % len(cast.projects)])
        heading, text = ctx.random.choice(texts.EPISODES if trade else texts.OTHER_EPISODES)
        day = -7 * (count - number) - ctx.random.randint(1, 5)
        _part(state, ctx, title, number, heading.format(**facts), day, text.format(**facts))


def _borrowers(state: MediaState, ctx: SeedContext, cast: Cast) -> None:
    friends = [person for person in cast.staff if person.email != ME.email][: ctx.size(9)]
    friends += [company.people[0] for company in cast.companies[: ctx.size(5)]]
    for person in friends:
        remarks = ctx.random.choice(texts.REMARKS)
        state.borrowers.create(name=person.name, email=person.email, phone=person.phone, remarks=remarks)


def _allowed(state: MediaState, profile: Profile) -> list[Title]:
    ages = ("all", "6", "12", "16", "18")
    return [row for row in state.titles if ages.index(row.age_rating) <= ages.index(profile.allowed_age)]


def _habits(state: MediaState, ctx: SeedContext, cast: Cast, profile: Profile) -> None:
    titles = _allowed(state, profile)
    seen = ctx.random.sample(titles, min(len(titles), ctx.size(10)))
    for title in seen:
        for part in state.parts.find(title_id=title.id)[: ctx.random.randint(1, 4)]:
            _played(state, ctx, profile, part, finished=ctx.random.random() < 0.65)
        if ctx.random.random() < 0.5:
            stars, text = ctx.random.randint(1, 5), ctx.random.choice(texts.REVIEWS)
            day = ctx.date(-ctx.random.randint(1, 80))
            state.reviews.create(profile_id=profile.id, title_id=title.id, stars=stars, text=text, written_on=day)
    for title in ctx.random.sample(titles, min(len(titles), ctx.size(7))):
        note = ctx.random.choice(texts.NOTES).format(**people.facts(ctx, ctx.random.choice(cast.projects[:40])))
        day = ctx.date(-ctx.random.randint(1, 120))
        state.list_items.create(profile_id=profile.id, title_id=title.id, note=note, added_on=day)
    for title in ctx.random.sample([row for row in titles if row.kind == "podcast"], 3):
        for part in state.parts.find(title_id=title.id)[: ctx.random.randint(1, 2)]:
            _played(state, ctx, profile, part, finished=True)
        state.follows.create(profile_id=profile.id, title_id=title.id, since=ctx.date(-ctx.random.randint(20, 200)))


def _played(state: MediaState, ctx: SeedContext, profile: Profile, part: Part, *, finished: bool) -> None:
    position = part.minutes if finished else max(1, part.minutes * ctx.random.randint(2, 8) // 10)
    state.plays.create(
        profile_id=profile.id,
        part_id=part.id,
        minutes=position,
        position=position,
        finished=finished,
        ended_at=ctx.moment(-ctx.random.randint(1, 90), ctx.random.randint(16, 22), ctx.random.randint(0, 59)),
    )


def _playlists(state: MediaState, ctx: SeedContext, cast: Cast) -> None:
    profiles = list(state.profiles)[:3]
    for index in range(ctx.size(12)):
        name, description = texts.PLAYLISTS[index % len(texts.PLAYLISTS)]
        facts = people.facts(ctx, cast.projects[index])
        owner = profiles[0] if index < 3 else ctx.random.choice(profiles)
        suffix = "" if index < len(texts.PLAYLISTS) or "{" in name else f" {index // len(texts.PLAYLISTS) + 1}"
        playlist = state.playlists.create(
            name=name.format(**facts) + suffix,
            owner_profile_id=owner.id,
            description=description.format(**facts),
            collaborative=name.startswith("Family"),
        )
        heard = {row.id for row in _allowed(state, owner) if row.kind in ("album", "podcast")}
        parts = [row for row in state.parts if row.title_id in heard]
        for position, part in enumerate(ctx.random.sample(parts, ctx.random.randint(3, 9)), 1):
            state.playlist_items.create(
                playlist_id=playlist.id, part_id=part.id, position=position, added_by_profile_id=owner.id
            )


def _loans(state: MediaState, ctx: SeedContext, cast: Cast) -> None:
    shelf = [row for row in state.titles if row.copies]
    borrowers = list(state.borrowers)
    for index in range(ctx.size(26)):
        title, borrower = ctx.random.choice(shelf), ctx.random.choice(borrowers)
        lent = -ctx.random.randint(30, 150) if index % 2 else -ctx.random.randint(1, 24)
        due = plus_days(ctx.date(lent), DAYS[title.kind])
        taken = state.loans.find(title_id=title.id, returned_on=None)
        theirs = state.loans.find(borrower_id=borrower.id, returned_on=None)
        back = ctx.date(min(-1, lent + ctx.random.randint(5, 25))) if index % 2 else None
        if back is None and (len(taken) >= title.copies or len(theirs) >= 2):
            continue
        note = ctx.random.choice(texts.LOAN_NOTES).format(**people.facts(ctx, cast.projects[index]))
        state.loans.create(
            title_id=title.id,
            borrower_id=borrower.id,
            lent_on=ctx.date(lent),
            due_on=due,
            returned_on=back,
            note=note,
        )
    for title in shelf:
        held = state.loans.find(title_id=title.id, returned_on=None)
        others = [row for row in borrowers if all(row.id != loan.borrower_id for loan in held)]
        if len(held) == title.copies and ctx.random.random() < 0.5:
            state.reservations.create(
                title_id=title.id, borrower_id=ctx.random.choice(others).id, reserved_at=ctx.moment(-2, 18, 30)
            )
    if not len(state.reservations):  # one title waits for someone, whatever the seed
        loan = state.loans.first(returned_on=None)
        if loan is not None:
            other = next(row for row in borrowers if row.id != loan.borrower_id)
            state.reservations.create(title_id=loan.title_id, borrower_id=other.id, reserved_at=ctx.moment(-2, 18, 30))


def _running(state: MediaState, ctx: SeedContext) -> None:
    """One playback runs, another may begin; tablets hold a few downloads."""
    part = ctx.random.choice([row for row in state.parts if state.titles.get(row.title_id).kind == "podcast"])
    state.streams.create(
        profile_id="PRO-02", device_id="DEV-02", part_id=part.id, from_minute=0, started_at=ctx.moment(0, 8, 10)
    )
    for device_id, most in (("DEV-03", 6), ("DEV-04", 3)):
        for one in ctx.random.sample([row for row in state.parts if row.size_mb < 700], most):
            state.downloads.create(device_id=device_id, part_id=one.id, downloaded_at=ctx.moment(-3, 20, 15))
