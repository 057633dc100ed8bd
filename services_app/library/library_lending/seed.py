"""A city library and one reader's year with it: loans, queues, fees, lists and talks."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast
from services_app.library.library_lending import texts
from services_app.library.library_lending.figures import PERIOD, copy_status, fine_of, me
from services_app.library.library_lending.state import Copy, LendingState, Loan, Member, service
from services_app.library.shared import plus_days

_FORMATS = ("book", "book", "book", "audiobook", "book", "dvd", "book", "magazine")
_PRICES = {"book": 18.5, "audiobook": 24.0, "dvd": 14.0, "magazine": 6.5}


@service.seed
def fill(state: LendingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    guests = [company.people[-1] for company in cast.companies[: ctx.size(20)]]
    for index, person in enumerate([*cast.staff[: max(ctx.size(30), 12)], *guests]):
        state.members.create(
            name=person.name,
            email=person.email,
            card_number=f"LIB-{710_000 + 13 * index}",
            card_expires_on=ctx.date(25 if index == 0 else ctx.random.randint(-40, 340)),
        )
    for name, address, opens, closes, closed_on, phone in texts.BRANCHES:
        state.branches.create(name=name, address=address, opens=opens, closes=closes, closed_on=closed_on, phone=phone)
    _catalogue(state, ctx)
    _loans(state, ctx)
    _holds(state, ctx)
    _fees(state, ctx)
    _lists(state, ctx, cast)
    _reviews(state, ctx, cast)
    _requests(state, ctx, cast)
    _events(state, ctx, cast)
    for title, status, days, body in texts.RULES:
        facts = people.facts(ctx, cast.projects[5])
        state.house_rules.create(title=title, status=status, body=body.format(**facts), valid_from=ctx.date(-days))


def _catalogue(state: LendingState, ctx: SeedContext) -> None:
    offer = [(subject, title) for subject, titles in texts.TITLES.items() for title in titles]
    ctx.random.shuffle(offer)
    branches = list(state.branches)
    for index in range(ctx.size(70)):
        subject, name = offer[index % len(offer)]
        volume = index // len(offer)
        year = ctx.random.randint(1988, 2026)
        kind = _FORMATS[index % len(_FORMATS)]
        title = state.titles.create(
            title=name if not volume else f"{name}, volume {volume + 1}",
            author=texts.AUTHORS[(index * 7 + volume) % len(texts.AUTHORS)].replace("_", " "),
            year=year,
            format=kind,
            subject=subject,
            isbn=f"978-1-{4000 + index}-{ctx.random.randint(100, 999)}-{index % 10}",
            summary=ctx.random.choice(texts.SUMMARIES).format(chapter=ctx.random.randint(2, 9), year=year + 1),
            price=_PRICES[kind] + ctx.random.randint(0, 12),
        )
        for number in range(ctx.random.choice((1, 1, 2, 2, 3))):
            state.copies.create(
                barcode=f"B{300_000 + 10 * index + number}",
                title_id=title.id,
                branch_id=ctx.random.choice(branches).id,
                shelf=f"{subject[:3].upper()}-{ctx.random.randint(1, 40):02d}",
                reference_only=number == 0 and index % 11 == 10,
                lost=number == 2 and ctx.random.random() < 0.2,
            )


def _lend(state: LendingState, ctx: SeedContext, member: Member, copy: Copy, ago: int, *, back: bool) -> Loan:
    """A loan that began so many days ago; one that is back came some days before or after it was due."""
    start = ctx.date(-ago)
    due = plus_days(start, PERIOD[state.titles.get(copy.title_id).format])
    end = min(plus_days(due, ctx.random.choice((-9, -5, -3, -1, 0, 2, 6))), ctx.date(-1))
    return state.loans.create(
        copy_id=copy.id,
        member_id=member.id,
        borrowed_on=start,
        due_on=due,
        renewals=ctx.random.choice((0, 0, 1, 2)) if ago > 5 and not back else 0,
        returned_on=max(end, start) if back else None,
    )


def _loans(state: LendingState, ctx: SeedContext) -> None:
    """Loans that are over, then the open ones: the signed-in reader has some that are late and some due soon."""
    members, mine = list(state.members), me(state)
    free = [row for row in state.copies if not row.reference_only and not row.lost]
    ctx.random.shuffle(free)
    for index in range(ctx.size(70)):
        member = mine if index % 3 == 0 else ctx.random.choice(members[1:])
        _lend(state, ctx, member, free[index % len(free)], 70 + 3 * index % 270, back=True)
    films = 0
    for ago in (2, 9, 13, 15, 18, 24, 30, 12)[: 8 if ctx.scale != "small" else 6]:
        copy = next(
            row for row in free if films == 0 or state.titles.get(row.title_id).format not in ("dvd", "magazine")
        )
        films += state.titles.get(copy.title_id).format == "dvd"
        free.remove(copy)
        _lend(state, ctx, mine, copy, ago, back=False)
    for copy in free[: ctx.size(45)]:
        _lend(state, ctx, ctx.random.choice(members[1:]), copy, ctx.random.randint(0, 30), back=False)


def _holds(state: LendingState, ctx: SeedContext) -> None:
    members, branches, mine = list(state.members), list(state.branches), me(state)
    at_home = {state.copies.get(row.copy_id).title_id for row in state.loans.find(member_id=mine.id, returned_on=None)}
    lent = [
        row for row in state.titles if all(copy_status(state, one) != "available" for one in _copies(state, row.id))
    ]
    wanted = [row for row in lent if any(not one.lost and not one.reference_only for one in _copies(state, row.id))]
    for index, title in enumerate(wanted[: ctx.size(22)]):
        line = ctx.random.sample(members[1:], ctx.random.choice((1, 2, 3)))
        if index % 2 == 0 and index < 10 and title.id not in at_home:
            line.insert(ctx.random.randint(0, len(line)), mine)
        for place, member in enumerate(line):
            state.holds.create(
                title_id=title.id,
                member_id=member.id,
                pickup_branch_id=ctx.random.choice(branches).id,
                status="waiting",
                placed_at=ctx.moment(-20 + 3 * place, 10 + place),
                suspended_until=ctx.date(20) if ctx.random.random() < 0.15 else None,
            )
    _ready(state, ctx, at_home)


def _copies(state: LendingState, title_id: str) -> list[Copy]:
    return state.copies.find(title_id=title_id)


def _ready(state: LendingState, ctx: SeedContext, at_home: set[str]) -> None:
    """Copies on the hold shelf: two for the signed-in reader, others for other readers."""
    members, mine = list(state.members), me(state)
    held = {row.title_id for row in state.holds} | at_home
    shelf = [row for row in state.copies if copy_status(state, row) == "available" and row.title_id not in held]
    for index, copy in enumerate(shelf[: ctx.size(8)]):
        state.holds.create(
            title_id=copy.title_id,
            member_id=mine.id if index < 2 else ctx.random.choice(members[1:]).id,
            pickup_branch_id=copy.branch_id,
            status="ready",
            placed_at=ctx.moment(-12 - index, 14),
            copy_id=copy.id,
            collect_by=ctx.date(ctx.random.randint(1, 6)),
        )
    for row in ctx.random.sample(list(state.titles), 3):
        state.holds.create(
            title_id=row.id,
            member_id=mine.id,
            pickup_branch_id=next(iter(state.branches)).id,
            status=ctx.random.choice(("cancelled", "expired", "collected")),
            placed_at=ctx.moment(-ctx.random.randint(60, 200), 9),
        )


def _fees(state: LendingState, ctx: SeedContext) -> None:
    """Late loans were charged; most fees of the signed-in reader are paid, so that she may still borrow."""
    mine = me(state)
    left = 0.0
    for loan in state.loans:
        fine = fine_of(state, loan, ctx.today) if loan.returned_on else 0.0
        if not fine or loan.returned_on is None:
            continue
        fee = state.fees.create(
            member_id=loan.member_id, loan_id=loan.id, kind="late return", amount=fine, charged_on=loan.returned_on
        )
        own = loan.member_id == mine.id
        if own and left + fine <= 6:
            left += fine
        elif own or ctx.random.random() < 0.5:
            state.payments.create(
                fee_id=fee.id,
                amount=fine,
                method=ctx.random.choice(("card", "cash", "online")),
                paid_at=f"{min(plus_days(loan.returned_on, 3), ctx.date(-1))}T11:30:00Z",
            )
    for days, paid in ((-130, True), (-35, False)):
        fee = state.fees.create(
            member_id=mine.id, loan_id=None, kind="hold not collected", amount=1.0, charged_on=ctx.date(days)
        )
        if paid:
            state.payments.create(fee_id=fee.id, amount=1.0, method="card", paid_at=ctx.moment(days + 6, 17, 5))


def _lists(state: LendingState, ctx: SeedContext, cast: Cast) -> None:
    members, titles = list(state.members), list(state.titles)
    for index in range(ctx.size(8)):
        name, description = texts.LISTS[index % len(texts.LISTS)]
        facts = people.facts(ctx, cast.projects[index]) | {"place": "Wharf Road"}
        owner = members[0] if index % 3 != 2 else ctx.random.choice(members[1:])
        others = [row.email for row in ctx.random.sample(members[1:], 2) if row.id != owner.id]
        row = state.reading_lists.create(
            name=name.format(**facts) if index < 4 else f"{name.format(**facts)}, {index // 4 + 1}",
            owner_id=owner.id,
            shared_with=tuple(others[: index % 3]) if owner is members[0] else (members[0].email,),
            description=description.format(**facts),
        )
        for title in ctx.random.sample(titles, ctx.random.randint(2, 5)):
            state.list_entries.create(
                reading_list_id=row.id,
                title_id=title.id,
                note=ctx.random.choice(texts.NOTES).format(**facts),
                added_on=ctx.date(-ctx.random.randint(1, 90)),
            )


def _reviews(state: LendingState, ctx: SeedContext, cast: Cast) -> None:
    loans = [row for row in state.loans if row.returned_on]
    for index in range(ctx.size(40)):
        loan = ctx.random.choice(loans)
        title_id = state.copies.get(loan.copy_id).title_id
        if not state.reviews.first(title_id=title_id, member_id=loan.member_id):
            state.reviews.create(
                title_id=title_id,
                member_id=loan.member_id,
                stars=ctx.random.choice((1, 2, 3, 4, 4, 5, 5)),
                text=ctx.random.choice(texts.REVIEWS).format(**people.facts(ctx, cast.projects[index % 60])),
                written_on=plus_days(loan.returned_on or ctx.today, 1),
            )


def _requests(state: LendingState, ctx: SeedContext, cast: Cast) -> None:
    members = list(state.members)
    for index, (title, author, reason, status, answer) in enumerate(texts.REQUESTS):
        facts = people.facts(ctx, cast.projects[index + 3])
        state.purchase_requests.create(
            member_id=members[0].id if index in (0, 2) else ctx.random.choice(members[1:]).id,
            title=title,
            author=author,
            reason=reason.format(**facts),
            status=status,
            answer=answer.format(**facts),
            requested_on=ctx.date(-ctx.random.randint(2, 80) - (40 if index == 2 else 0)),
        )


def _events(state: LendingState, ctx: SeedContext, cast: Cast) -> None:
    members, branches = list(state.members), list(state.branches)
    novels = state.titles.find(subject="novels") or list(state.titles)
    for index in range(ctx.size(16)):
        title, speaker, minutes, places, description = texts.EVENTS[index % len(texts.EVENTS)]
        facts = people.facts(ctx, cast.projects[index]) | {"novel": novels[index % len(novels)].title}
        row = state.events.create(
            title=title.format(**facts),
            branch_id=branches[index % len(branches)].id,
            speaker=speaker.format(**facts),
            starts_at=ctx.moment(-14 + 5 * index, 18 if index % 3 else 10, 30),
            minutes=minutes,
            places=places,
            description=description.format(**facts),
        )
        guests = ctx.random.sample(members[1:], min(places, ctx.random.randint(1, 9), len(members) - 1))
        for member in [*guests, *([members[0]] if index in (1, 4) and len(guests) < places else [])]:
            state.registrations.create(
                event_id=row.id, member_id=member.id, registered_at=ctx.moment(-15 - index % 5, 12)
            )
