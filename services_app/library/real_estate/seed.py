"""Homes in four cities, and half a year of looking for one."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast
from services_app.library.real_estate import texts
from services_app.library.real_estate.state import Agent, Listing, RealEstateState, service
from services_app.library.shared import minutes_between

Facts = dict[str, str]


@service.seed
def fill(state: RealEstateState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for name, email, phone, agency, city, hours in texts.AGENTS:
        state.agents.create(name=name, email=email, phone=phone, agency=agency, city=city, notice_hours=hours)
    for lender, loan, currency, rate, years, days, conditions in texts.PREAPPROVALS:
        state.preapprovals.create(
            lender=lender,
            reference=f"AIP-{ctx.random.randint(10_000, 99_999)}",
            max_loan=float(loan),
            currency=currency,
            yearly_rate=rate,
            years=years,
            expires_on=ctx.date(days),
            conditions=conditions,
        )
    for name, tenure, where, kind, most, bedrooms in texts.SEARCHES:
        state.saved_searches.create(
            name=name, tenure=tenure, city=where, kind=kind, max_price=most, min_bedrooms=bedrooms,
            created_on=ctx.date(-ctx.random.randint(10, 40)),
        )  # fmt: skip
    for index in range(ctx.size(85)):
        _listing(state, ctx, cast, index)
    _viewings_ahead(state, ctx)
    _offers(state, ctx, cast)


def _listing(state: RealEstateState, ctx: SeedContext, cast: Cast, index: int) -> None:
    facts = people.facts(ctx, cast.projects[index % len(cast.projects)])
    city, currency, per_m2, streets = texts.CITIES[index % 4]
    kind, title, bedrooms, low, high = ctx.random.choice(texts.KINDS)
    tenure = "rent" if index % 5 == 4 and kind != "plot" else "sale"
    area = ctx.random.randint(low, high)
    price = round(area * per_m2 * ctx.random.uniform(0.75, 1.2) * (0.2 if kind == "plot" else 1), -3)
    if tenure == "rent":
        price = round(price * 0.0042, -1)
    status = ("active", "active", "sold", "active", "under_offer", "active", "sold", "withdrawn")[(index // 4) % 8]
    if status == "sold" and tenure == "rent":
        status = "withdrawn"
    listed = -ctx.random.randint(60, 150) if status == "sold" else -ctx.random.randint(3, 90)
    agent = ctx.random.choice(state.agents.find(city=city))
    listing = state.listings.create(
        reference=f"{city[:2].upper()}{1200 + index * 7}",
        title=title,
        kind=kind,
        tenure=tenure,
        address=f"{ctx.random.randint(1, 140)} {ctx.random.choice(streets)}, {city}",
        city=city,
        bedrooms=bedrooms,
        area_m2=area,
        price=price,
        currency=currency,
        service_charge=round(area * 2.4, 2) if kind in ("flat", "studio") else 0.0,
        energy_rating=ctx.random.choice("BCCDDEF"),
        status=status,
        agent_id=agent.id,
        description=ctx.random.choice(texts.DESCRIPTIONS).format(**facts),
        listed_on=ctx.date(listed),
        sold_on=ctx.date(listed + ctx.random.randint(14, 55)) if status == "sold" else None,
        sold_price=round(price * ctx.random.uniform(0.9, 1.01), -3) if status == "sold" else None,
    )
    if status != "sold" and ctx.random.random() < 0.3:
        state.price_changes.create(
            listing_id=listing.id,
            old_price=round(price * 1.06, -1),
            new_price=price,
            changed_on=ctx.date(max(listed + 1, -ctx.random.randint(1, 20))),
        )
    _papers(state, ctx, listing, facts)
    _interest(state, ctx, listing, agent, facts)
    if status == "active":
        _slots(state, ctx, listing)


def _papers(state: RealEstateState, ctx: SeedContext, listing: Listing, facts: Facts) -> None:
    for title, access, body in texts.DOCUMENTS:
        if title == "Seller's questionnaire" or ctx.random.random() < 0.4:
            day = -400 if "superseded" in title else -ctx.random.randint(10, 90)
            text = body.format(**facts)
            state.documents.create(listing_id=listing.id, title=title, body=text, access=access, dated=ctx.date(day))


def _interest(state: RealEstateState, ctx: SeedContext, listing: Listing, agent: Agent, facts: Facts) -> None:
    """What you did about a home: saved, viewed, written."""
    if ctx.random.random() < 0.3:
        note = ctx.random.choice(texts.NOTES).format(**facts)
        day = ctx.date(-ctx.random.randint(1, 40))
        state.favorites.create(listing_id=listing.id, note=note, saved_on=day)
    if ctx.random.random() < 0.35:
        for who, text in ctx.random.sample(texts.MESSAGES, ctx.random.randint(1, 3)):
            name, email = (agent.name, agent.email) if who == "agent" else (ME.name, ME.email)
            state.messages.create(
                listing_id=listing.id,
                author_name=name,
                author_email=email,
                text=text.format(**facts),
                sent_at=ctx.moment(-ctx.random.randint(1, 30), ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
            )
    if listing.kind != "plot" and (ctx.random.random() < 0.3 or len(state.listings) in (1, 3)):
        ago, done = ctx.random.randint(2, 45), ctx.random.random() < 0.85 or len(state.listings) in (1, 3)
        start = ctx.moment(-ago, ctx.random.randint(9, 17))
        slot = state.slots.create(listing_id=listing.id, start=start, minutes=30)
        feedback = texts.FEEDBACK if done else texts.CANCELLED
        state.viewings.create(
            slot_id=slot.id,
            listing_id=listing.id,
            status="done" if done else "cancelled",
            questions=ctx.random.choice(texts.QUESTIONS),
            feedback=ctx.random.choice(feedback).format(**facts),
            booked_at=ctx.moment(-ago - 4, 12, 15),
        )


def _slots(state: RealEstateState, ctx: SeedContext, listing: Listing) -> None:
    for _ in range(ctx.random.randint(2, 4)):
        start = ctx.moment(ctx.random.randint(0, 14), ctx.random.randint(9, 18), ctx.random.choice((0, 30)))
        if start > ctx.now:
            state.slots.create(
                listing_id=listing.id,
                start=start,
                minutes=ctx.random.choice((20, 30, 45)),
                taken_by_others=ctx.random.random() < 0.25,
            )


def _viewings_ahead(state: RealEstateState, ctx: SeedContext) -> None:
    """Two viewings that lie ahead: one soon, one next week, far enough apart."""
    booked: list[str] = []
    for slot in sorted(state.slots, key=lambda row: row.start):
        apart = all(abs(minutes_between(slot.start, other)) > 2 * 1440 for other in booked)
        if len(booked) < 2 and slot.start > ctx.moment(0, 14) and not slot.taken_by_others and apart:
            state.viewings.create(
                slot_id=slot.id,
                listing_id=slot.listing_id,
                status="confirmed",
                questions=ctx.random.choice(texts.QUESTIONS),
                booked_at=ctx.moment(-1, 19, 40),
            )
            later = ctx.moment(16 + len(booked), 11)
            state.slots.create(listing_id=slot.listing_id, start=later, minutes=30)
            booked.append(slot.start)


def _offers(state: RealEstateState, ctx: SeedContext, cast: Cast) -> None:
    """One counteroffer is open; offers for other homes came to nothing."""
    seen = {row.listing_id for row in state.viewings.find(status="done")}
    homes = [row for row in state.listings if row.id in seen and row.tenure == "sale"]
    homes.sort(key=lambda row: row.status != "active")
    for index, listing in enumerate(homes[: ctx.size(7)]):
        facts = people.facts(ctx, cast.projects[index])
        amount = round(listing.price * ctx.random.uniform(0.9, 0.99), -3)
        countered = index == 0 and listing.status == "active"
        counter = round((amount + listing.price) / 2, -2) if countered else None
        reply = texts.REPLIES[0] if countered else ctx.random.choice(texts.REPLIES[1:])
        approval = next(row for row in state.preapprovals if row.currency == listing.currency)
        state.offers.create(
            listing_id=listing.id,
            preapproval_id=approval.id,
            amount=amount,
            deposit=round(max(listing.price * 0.15, listing.price - approval.max_loan + 5000), -2),
            conditions=ctx.random.choice(texts.CONDITIONS).format(**facts),
            status="countered" if countered else ctx.random.choice(("rejected", "withdrawn")),
            counter_amount=counter,
            reply=reply.format(counter=f"{counter or 0:,.2f}", **facts),
            valid_until=ctx.date(6 if countered else -ctx.random.randint(1, 30)),
            submitted_at=ctx.moment(-ctx.random.randint(2, 5) if countered else -ctx.random.randint(32, 50), 16, 25),
        )
