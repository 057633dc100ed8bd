"""Presentations of a year: proposals, reviews, briefings and talks, in all states of review."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.slides import texts
from services_app.library.slides.state import Presentation, Slide, SlidesState, service

Facts = dict[str, str]
_FOR_ME = (4, 6)  # presentations of others that wait for your review, whatever the seed


@service.seed
def fill(state: SlidesState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for name, guidelines, outline, words, retired in texts.TEMPLATES:
        state.templates.create(name=name, guidelines=guidelines, outline=outline, max_words=words, retired=retired)
    for filename, description, use, ends in texts.IMAGES:
        until = None if ends is None else ctx.date(ends)
        state.images.create(filename=filename, description=description, use=use, licensed_until=until)
    for index, project in enumerate(cast.projects[: ctx.size(40)]):
        _deck(state, ctx, cast, project, index)


def _deck(state: SlidesState, ctx: SeedContext, cast: Cast, project: Project, index: int) -> None:
    facts = people.facts(ctx, project)
    kinds = texts.DECKS if index < len(texts.DECKS) else (texts.DECKS[0], *texts.DECKS)
    title, template, audience, minutes, slides = ctx.random.choice(kinds) if index >= 8 else kinds[index % len(kinds)]
    owner = ME if index % 8 < 4 else project.owner
    given = _day_of(template, project, ctx.random.randint(-60, 30))
    changed = ctx.moment(min(-1, given - ctx.random.randint(1, 6)), ctx.random.randint(8, 18), 20)
    deck = state.presentations.create(
        title=title.format(**facts),
        template_id=next(row.id for row in state.templates if row.name == template),
        owner_email=owner.email,
        audience=audience,
        slot_minutes=minutes,
        presented_on=ctx.date(given) if ctx.random.random() < 0.85 else None,
        created_at=ctx.moment(min(-9, given - 20), 10, 5),
        modified_at=changed,
    )
    made = [state.slides.create(presentation_id=deck.id, position=1, layout="title", title=deck.title,
                                notes="Welcome, names, and how long it takes.")]  # fmt: skip
    for position, (layout, heading, text, notes) in enumerate(slides, 2):
        slide = state.slides.create(
            presentation_id=deck.id,
            position=position,
            layout=layout,
            title=heading.format(**facts),
            notes=notes.format(**facts),
            skipped=position > 2 and layout == "content" and ctx.random.random() < 0.06,
        )
        made.append(slide)
        _elements(state, ctx, slide, text.format(**facts), project)
    flawed = index not in _FOR_ME and _flaw(state, ctx, made[2])
    if index not in _FOR_ME:
        _share(state, ctx, cast, deck, project, owner)
    _talk(state, ctx, project, made, facts, owner)
    if not flawed:
        _reviewed(state, ctx, cast, deck, facts, index)


def _day_of(template: str, project: Project, day: int) -> int:
    """Proposals and briefings come before the start of a project, reviews after it."""
    if template in {"Customer proposal", "Team briefing"}:
        return min(day, project.start - 5)
    return max(day, min(project.start + 20, 30)) if template == "Quarterly review" else day


def _elements(state: SlidesState, ctx: SeedContext, slide: Slide, text: str, project: Project) -> None:
    if text:
        state.elements.create(slide_id=slide.id, kind="text", text=text)
    if slide.layout == "table":
        rows = _investment(project)
        state.elements.create(slide_id=slide.id, kind="table", text=f"Order {project.po_number}", rows=rows)
    if slide.layout == "content" and ctx.random.random() < 0.35:
        image = ctx.random.choice([row for row in state.images if row.use == "anywhere" and row.licensed_until is None])
        state.elements.create(slide_id=slide.id, kind="image", text=image.description, image_id=image.id)


def _investment(project: Project) -> tuple[tuple[str, ...], ...]:
    """The table of an offer: the product, the discount if there is one, and the sum."""
    product = project.product
    full = round(product.price * project.seats, 2)
    rows = [
        ("Item", "Quantity", "Unit price", "Amount"),
        (product.name, str(project.seats), f"{product.price:,.2f}", f"{full:,.2f}"),
    ]
    if full != project.amount:
        off = full - project.amount
        rows.append(("Discount", f"{100 * off / full:.0f} %", "", f"-{off:,.2f}"))
    return (*rows, ("Total", "", "", f"{project.amount:,.2f}"))


def _flaw(state: SlidesState, ctx: SeedContext, slide: Slide) -> bool:
    """Some presentations are not ready: a placeholder, or an image that must not be shown."""
    chance = ctx.random.random()
    if chance < 0.25:
        state.elements.create(slide_id=slide.id, kind="text", text=ctx.random.choice(texts.FLAWS))
    elif chance < 0.4:
        image = ctx.random.choice([row for row in state.images if row.licensed_until or row.use != "anywhere"])
        alt = image.description if ctx.random.random() < 0.5 else ""
        state.elements.create(slide_id=slide.id, kind="image", text=alt, image_id=image.id)
    return chance < 0.4


def _share(
    state: SlidesState, ctx: SeedContext, cast: Cast, deck: Presentation, project: Project, owner: Person
) -> None:
    other = project.owner if owner is ME else ME
    if owner is ME or ctx.random.random() < 0.7:
        role = ctx.random.choice(("editor", "editor", "commenter"))
        state.collaborators.create(presentation_id=deck.id, email=other.email, role=role)
    if ctx.random.random() < 0.3:
        reader = ctx.random.choice(cast.team("marketing"))
        state.collaborators.create(presentation_id=deck.id, email=reader.email, role="commenter")


def _talk(
    state: SlidesState, ctx: SeedContext, project: Project, slides: list[Slide], facts: Facts, owner: Person
) -> None:
    for _ in range(ctx.random.choice((0, 1, 1, 2))):
        author = ctx.random.choice((owner, project.owner, ME))
        day = -ctx.random.randint(2, 20)
        state.comments.create(
            slide_id=ctx.random.choice(slides).id,
            author_name=author.name,
            author_email=author.email,
            text=ctx.random.choice(texts.COMMENTS).format(**facts),
            written_at=ctx.moment(day, ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
            resolved_at=ctx.moment(day + 1, 9, 15) if ctx.random.random() < 0.35 else None,
        )


def _reviewed(state: SlidesState, ctx: SeedContext, cast: Cast, deck: Presentation, facts: Facts, index: int) -> None:
    """Sent, sent back or approved; you review what others have made, marketing what is yours."""
    chance = 0.1 if index in _FOR_ME else ctx.random.random()
    mine = deck.owner_email == ME.email
    works_on_it = mine or state.collaborators.first(presentation_id=deck.id, email=ME.email) is not None
    reviewer = ctx.random.choice(cast.team("marketing")) if works_on_it else ME
    if chance < 0.3 and index >= len(texts.DECKS):
        state.presentations.patch(deck.id, status="in_review", reviewer_email=reviewer.email)
    elif chance < 0.8:
        approved = chance < 0.65
        remarks = ctx.random.choice(texts.PRAISE if approved else texts.CHANGES).format(**facts)
        status = "approved" if approved else "draft"
        state.presentations.patch(deck.id, status=status, reviewer_email=reviewer.email, review_remarks=remarks)
    if state.presentations.get(deck.id).status != "in_review" and (deck.audience == "internal" or chance < 0.65):
        _published(state, ctx, deck, facts)


def _published(state: SlidesState, ctx: SeedContext, deck: Presentation, facts: Facts) -> None:
    titles = tuple(
        slide.title
        for slide in sorted(state.slides.find(presentation_id=deck.id), key=lambda row: row.position)
        if not slide.skipped
    )
    last = ctx.random.choice((1, 1, 2))
    for number in range(1, last + 1):
        note = texts.FIRST_RELEASE if number == 1 else ctx.random.choice(texts.NEXT_RELEASES)
        state.releases.create(
            presentation_id=deck.id,
            number=number,
            link=f"https://slides.larkfield.example/{deck.id.lower()}/v{number}",
            slide_titles=titles,
            note=note.format(**facts),
            published_at=deck.modified_at if number == last and ctx.random.random() < 0.6 else deck.created_at,
        )
