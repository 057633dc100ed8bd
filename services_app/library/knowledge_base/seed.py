"""A help centre that has grown for two years: most of it good, some of it old."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.knowledge_base import texts
from services_app.library.knowledge_base.state import Article, KnowledgeState, Section, service
from services_app.library.shared import prose


@service.seed
def fill(state: KnowledgeState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    sections: dict[str, Section] = {}
    for category, name, visibility, days, team in texts.SECTIONS:
        owner = cast.team(team)[0] if team else ME
        sections[name] = state.sections.create(
            category=category, name=name, visibility=visibility, owner_email=owner.email, verify_every_days=days
        )
    _standing(state, ctx, cast, sections)
    products = [row for row in cast.products if row.kind != "service"][: max(4, ctx.size(10))]
    for number in range(len(products) * len(texts.HARDWARE)):
        _product(state, ctx, cast, sections, number)
    for number in range(ctx.size(36)):
        name, title, labels, body = texts.CUSTOMER[number % len(texts.CUSTOMER)]
        project = cast.projects[number]
        facts = people.facts(ctx, project)
        _article(state, ctx, cast, project, sections[name], title.format(**facts), labels, body.format(**facts))
    for number in range(ctx.size(40)):
        _search(state, ctx, cast, number)
    for term, same_as in texts.SYNONYMS:
        state.synonyms.create(term=term, same_as=same_as)


def _standing(state: KnowledgeState, ctx: SeedContext, cast: Cast, sections: dict[str, Section]) -> None:
    replaced = {}
    for number, (name, title, visibility, labels, body, newer) in enumerate(texts.STANDING):
        article = _article(state, ctx, cast, cast.projects[number], sections[name], title, labels, body, plain=True)
        state.articles.patch(article.id, visibility=visibility)
        if newer:
            replaced[article.id] = newer
    for identity, newer in replaced.items():
        target = state.articles.first(title=newer)
        state.articles.patch(identity, status="archived", replaced_by=target.id if target else None)


def _product(state: KnowledgeState, ctx: SeedContext, cast: Cast, sections: dict[str, Section], number: int) -> None:
    product = [row for row in cast.products if row.kind != "service"][number // len(texts.HARDWARE)]
    kinds = texts.HARDWARE if product.kind == "hardware" else texts.SOFTWARE
    name, title, labels, body = kinds[number % len(kinds)]
    project = next((row for row in cast.projects if row.product is product), cast.projects[number])
    section = sections[name]
    before = state.articles.find(section_id=section.id, status="published")
    most, minutes = 10 * ctx.random.randint(2, 20), ctx.random.choice((2, 3, 5, 10, 15))
    facts = {
        **people.facts(ctx, project),
        "product": product.name,
        "sku": product.sku,
        "unit": product.unit,
        "price": f"{product.price:,.2f}",
        "most": str(most),
        "doublemost": str(2 * most),
        "oldmost": str(most // 2),
        "minutes": str(minutes),
        "double": str(2 * minutes),
        "rows": f"{ctx.random.randint(2, 40) * 500:,}",
        "code": str(ctx.random.randint(10, 79)),
        "fee": f"{ctx.random.randint(25, 120)}.00",
        "link": f"[[{before[-1].id}]]" if before else "the guide that came with it",
    }
    _article(state, ctx, cast, project, section, title.format(**facts), labels, body.format(**facts))


def _article(  # noqa: PLR0913 - what an article is made of
    state: KnowledgeState,
    ctx: SeedContext,
    cast: Cast,
    project: Project,
    section: Section,
    title: str,
    labels: tuple[str, ...],
    body: str,
    *,
    plain: bool = False,
) -> Article:
    """An article with what is around it; `plain` for standing rules, which are published and never locked."""
    number = len(state.articles)
    writers = (ME, *cast.team("support"))
    author = writers[number % 4 % len(writers)]
    status = "published" if plain or number % 5 else ("draft", "in_review")[number // 5 % 2]
    # Every second article in review waits for you, the other one for a colleague.
    reviewer = ME if status == "in_review" and author.email != ME.email else cast.team("support")[-1]
    age = ctx.random.randint(3, 260)
    version = ctx.random.choice((1, 1, 2, 2, 3))
    article = state.articles.create(
        section_id=section.id,
        title=title,
        body=prose(body),
        status=status,
        visibility=section.visibility,
        labels=labels,
        author_email=author.email,
        version=version,
        approved_version=version if status == "published" or (number % 3 == 0 and status == "draft") else None,
        reviewer_email=reviewer.email if status == "in_review" else None,
        locked_by=writers[-1].email if not plain and number % 11 == 7 else None,
        verified_on=ctx.date(-age) if status == "published" else None,
        views=ctx.random.randint(12, 4200) if status == "published" else 0,
        updated_at=ctx.moment(-age, 9, number % 60),
    )
    for former in range(1, version):
        note = ctx.random.choice(texts.EDITS).format(number=7 * former + number % 9)
        state.versions.create(
            article_id=article.id,
            number=former,
            title=title,
            body=f"{body.splitlines()[0]}\n\n{note}",
            author_email=writers[(number + former) % len(writers)].email,
            saved_at=ctx.moment(-age - 30 * (version - former), 14),
        )
    _around(state, ctx, article, project, author)
    return article


def _around(state: KnowledgeState, ctx: SeedContext, article: Article, project: Project, author: Person) -> None:
    facts = people.facts(ctx, project)
    if ctx.random.random() < 0.3:
        state.remarks.create(
            article_id=article.id,
            text=ctx.random.choice(texts.REMARKS).format(**facts),
            author_email=author.email,
            written_at=ctx.moment(-ctx.random.randint(1, 60), 16),
        )
    if article.status != "published":
        return
    internal = article.visibility == "internal"
    for _ in range(ctx.random.choice((0, 1, 1, 2)) if internal else ctx.random.choice((1, 2, 3, 4))):
        vote = ctx.random.choice(("helpful", "helpful", "not_helpful"))
        comment = ctx.random.choice(texts.GOOD if vote == "helpful" else texts.BAD).format(**facts)
        reader = ctx.random.choice((project.contact, None)) if not internal else author
        handled = bool(comment) and ctx.random.random() < 0.4
        state.feedback.create(
            article_id=article.id,
            vote=vote,
            comment=comment,
            name=reader.name if reader else "",
            email=reader.email if reader else None,
            given_at=ctx.moment(-ctx.random.randint(0, 90), 11, ctx.random.randint(0, 59)),
            handled_by=author.email if handled else None,
            answer=ctx.random.choice(texts.ANSWERS) if handled else "",
        )
    for language in ctx.random.sample(("de", "fr", "nl"), ctx.random.choice((0, 0, 1, 2))) if not internal else ():
        title, note = texts.TRANSLATED[language]
        state.translations.create(
            article_id=article.id,
            language=language,
            title=title.format(title=article.title),
            body=f"{note}\n\n{article.body}",
            of_version=ctx.random.randint(1, article.version),
            translator_email=author.email,
        )
    for _ in range(ctx.random.choice((0, 1, 1, 2))):
        state.ticket_uses.create(
            article_id=article.id,
            ticket_number=f"TKT-{ctx.random.randint(1, 400):04d}",
            solved=ctx.random.random() < 0.7,
            by_email=author.email,
            used_at=ctx.moment(-ctx.random.randint(1, 50), 13),
        )


def _search(state: KnowledgeState, ctx: SeedContext, cast: Cast, number: int) -> None:
    project = cast.projects[number]
    words = texts.SEARCHES[number % len(texts.SEARCHES)].format(
        low=project.product.name.lower(), po=project.po_number.lower(), city=project.company.city
    )
    if state.search_terms.first(words=words) is not None:
        words = f"{words} {project.company.city.lower()}"
    searches = ctx.random.randint(4, 180)
    state.search_terms.create(
        words=words,
        searches=searches,
        clicks=ctx.random.randint(0, searches),
        last_searched_on=ctx.date(-ctx.random.randint(0, 20)),
    )
