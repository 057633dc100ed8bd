"""What follows from articles and their surroundings, and who may change them."""

from __future__ import annotations

import re

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.library.cast import ME
from services_app.library.knowledge_base.state import OPENNESS, Article, KnowledgeState, Section
from services_app.library.shared import Json, brief, days_between, fold, percent, plus_days, same, with_fields

_LINK = re.compile(r"\[\[(ART-\d+)\]\]")


def links(body: str) -> list[str]:
    """Ids of the articles that a text links to, each once."""
    return list(dict.fromkeys(_LINK.findall(body)))


def linking(state: KnowledgeState, article_id: str) -> list[Article]:
    """Published articles that link to an article."""
    return [row for row in state.articles.find(status="published") if article_id in links(row.body)]


def verify_due(state: KnowledgeState, article: Article) -> str | None:
    """Day by which a published article has to be verified; null for others."""
    if article.status != "published":
        return None
    start = article.verified_on or article.updated_at[:10]
    return plus_days(start, state.sections.get(article.section_id).verify_every_days)


def helpfulness(state: KnowledgeState, article_id: str) -> Json:
    votes = state.feedback.find(article_id=article_id)
    good = sum(row.vote == "helpful" for row in votes)
    return {"votes": len(votes), "helpful_percent": percent(good, len(votes))}


def listed(state: KnowledgeState, ctx: CallContext, article: Article) -> Json:
    """An article as lists show it, without its text."""
    due = verify_due(state, article)
    names = ("id", "title", "section_id", "status", "visibility", "labels", "author_email", "version", "views")
    return {
        **brief(article, *names),
        "section": state.sections.get(article.section_id).name,
        "updated_at": article.updated_at,
        "verify_due": due,
        "overdue": due is not None and due < ctx.today,
        **helpfulness(state, article.id),
    }


def described(state: KnowledgeState, ctx: CallContext, article: Article) -> Json:
    """An article with its text, links, translations, remarks and what readers think."""
    due = verify_due(state, article)
    uses = state.ticket_uses.find(article_id=article.id)
    return with_fields(
        article,
        section=state.sections.get(article.section_id).name,
        verify_due=due,
        overdue_days=max(0, days_between(due, ctx.today)) if due else None,
        links_to=[
            brief(state.articles.get(row), "id", "title", "status")
            for row in links(article.body)
            if row in state.articles
        ],
        linked_from=[brief(row, "id", "title") for row in linking(state, article.id)],
        translations=[
            {"language": row.language, "title": row.title, "outdated": row.of_version < article.version}
            for row in state.translations.find(article_id=article.id)
        ],
        remarks=state.remarks.find(article_id=article.id),
        used_in_tickets=len(uses),
        tickets_solved=sum(row.solved for row in uses),
        **helpfulness(state, article.id),
    )


def writable(state: KnowledgeState, article_id: str) -> Article:
    """An article that may be changed now: 409 `archived` or `article_locked`."""
    article = state.articles.get(article_id)
    if article.status == "archived":
        raise conflict(f"{article_id} is archived; restore it first.", type="archived")
    if article.locked_by is not None and not same(article.locked_by, ME.email):
        raise conflict(f"{article.locked_by} is editing {article_id}; wait or ask them.", type="article_locked")
    return article


def check_open(section: Section, visibility: str) -> None:
    """422 `too_open` for an article that more people would see than its section allows."""
    if OPENNESS.index(visibility) < OPENNESS.index(section.visibility):
        raise invalid(f"{section.name} is {section.visibility}; the article cannot be {visibility}.", type="too_open")


def check_title(state: KnowledgeState, section_id: str, title: str, own: str = "") -> None:
    """409 `duplicate_title` when the section has an article with this title that is not archived."""
    for row in state.articles.find(section_id=section_id):
        if row.id != own and row.status != "archived" and same(row.title, title):
            raise conflict(f"{row.id} of this section has this title; change that one.", type="duplicate_title")


def check_links(state: KnowledgeState, article: Article) -> None:
    """409 `broken_link` when a reader of the article could not open what it links to."""
    for identity in links(article.body):
        target = state.articles.get(identity) if identity in state.articles else None
        if target is None or target.status != "published":
            raise conflict(f"It links to {identity}, which is not published; change the link.", type="broken_link")
        if OPENNESS.index(target.visibility) > OPENNESS.index(article.visibility):
            raise conflict(
                f"It links to {identity}, which is {target.visibility} only; change that.", type="broken_link"
            )


def save(state: KnowledgeState, ctx: CallContext, article: Article, **changes: object) -> Article:
    """Change title or text and keep the former ones; what readers outside saw is a draft until it is approved anew."""
    state.versions.create(
        article_id=article.id,
        number=article.version,
        title=article.title,
        body=article.body,
        author_email=article.author_email,
        saved_at=article.updated_at,
    )
    more = {"version": article.version + 1, "author_email": ME.email, "updated_at": ctx.now}
    return settled(state, state.articles.patch(article.id, **changes, **more))


def settled(state: KnowledgeState, article: Article) -> Article:
    """The article as a draft when it was in review, or is out for people outside and not approved as it stands."""
    unapproved = article.visibility != "internal" and article.approved_version != article.version
    if article.status == "in_review" or (article.status == "published" and unapproved):
        return state.articles.patch(article.id, status="draft")
    return article


def owned(state: KnowledgeState, section_id: str) -> Section:
    """403 `not_section_owner` for a section of somebody else."""
    section = state.sections.get(section_id)
    if not same(section.owner_email, ME.email):
        raise forbidden(f"{section.owner_email} looks after {section.name}; ask them.", type="not_section_owner")
    return section


def wanted_words(state: KnowledgeState, query: str) -> list[list[str]]:
    """Each word of a query with the words that mean the same."""
    found = []
    for word in fold(query).split():
        same_as = [fold(row.same_as) for row in state.synonyms if fold(row.term) == word]
        same_as += [fold(row.term) for row in state.synonyms if fold(row.same_as) == word]
        found.append([word, *same_as])
    return found
