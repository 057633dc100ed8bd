"""Tools that find and show articles."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, ToolError
from services_app.engine import fields as f
from services_app.library.knowledge_base.access import described, listed, verify_due, wanted_words
from services_app.library.knowledge_base.state import (
    Article,
    ArticleId,
    ArticleStatus,
    KnowledgeState,
    Label,
    Language,
    SectionId,
    Visibility,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    fold,
    keep,
    percent,
    same,
    search,
    with_fields,
)

VersionNumber = Annotated[int, f.count("versions"), Field(ge=1, le=10_000)]
GroupBy = Annotated[Literal["section", "author", "label"], LABEL]


@service.tool()
def list_sections(
    state: KnowledgeState, ctx: CallContext, query: Query | None = None, visibility: Visibility | None = None
) -> Json:
    """List the sections of the help centre with their owner, interval of verification and number of articles.

    Args:
        query: Words in the name, category or address of the owner.
        visibility: Only sections that are public, for customers or internal.
    """
    rows = []
    found = search(state.sections, query, lambda row: (row.name, row.category, row.owner_email))
    for row in keep(found, visibility=visibility):
        articles = state.articles.find(section_id=row.id)
        published = [article for article in articles if article.status == "published"]
        overdue = sum((verify_due(state, article) or "9999") < ctx.today for article in published)
        rows.append(with_fields(row, articles=len(articles), published=len(published), overdue=overdue))
    return {"sections": rows, "total": len(rows)}


@service.tool()
def search_articles(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: KnowledgeState,
    ctx: CallContext,
    query: Query | None = None,
    status: ArticleStatus | None = None,
    visibility: Visibility | None = None,
    section_id: SectionId | None = None,
    label: Label | None = None,
    author_email: f.Email | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find articles by words of title, text and labels, synonyms included; hits in the title stand first.

    Archived articles are found only when asked for.

    Args:
        query: Words, all of which or their synonyms have to occur.
        status: Only articles with this status.
        visibility: Only articles for this circle of readers.
        section_id: Only articles of this section.
        label: Only articles with this label.
        author_email: Only articles last written by this person.
        limit: At most so many articles.
        cursor: next_cursor of the previous page.
    """
    groups = wanted_words(state, query or "")
    hits = []
    for row in keep(
        state.articles, status=status, visibility=visibility, section_id=section_id, author_email=author_email
    ):
        title = fold(row.title)
        whole = "\n".join((title, fold(row.body), *(fold(own) for own in row.labels)))
        if (
            all(any(word in whole for word in group) for group in groups)
            and (label is None or any(same(own, label) for own in row.labels))
            and (status is not None or row.status != "archived")
        ):
            in_title = sum(any(word in title for word in group) for group in groups)
            hits.append((-in_title, -row.views, row.id))
    hits.sort()
    page = cursor_page("articles", [state.articles.get(identity) for _, _, identity in hits], limit, cursor)
    page["articles"] = [listed(state, ctx, row) for row in page["articles"]]
    return page


@service.tool()
def get_article(
    state: KnowledgeState, ctx: CallContext, article_id: ArticleId, language: Language | None = None
) -> Json:
    """Show an article with its text, links, translations, remarks, votes and, if archived, what replaces it.

    Errors: `not_found`, `not_translated`.

    Args:
        article_id: Id of the article.
        language: Show title and text in this language instead of English.
    """
    article = state.articles.get(article_id)
    shown = described(state, ctx, article)
    if language is not None:
        translation = state.translations.first(article_id=article_id, language=language)
        if translation is None:
            raise ToolError(404, "not_translated", f"{article_id} has no {language} translation; leave language out.")
        shown |= {"title": translation.title, "body": translation.body, "of_version": translation.of_version}
    return shown


@service.tool()
def list_article_versions(state: KnowledgeState, ctx: CallContext, article_id: ArticleId) -> Json:
    """List the versions of an article with who wrote them, newest first; the first one is the present text.

    Errors: `not_found`.

    Args:
        article_id: Id of the article.
    """
    article = state.articles.get(article_id)
    now = {"number": article.version, "title": article.title, "author_email": article.author_email}
    rows = [{**now, "saved_at": article.updated_at, "characters": len(article.body)}]
    former = sorted(state.versions.find(article_id=article_id), key=lambda row: row.number, reverse=True)
    rows += [
        {**brief(row, "number", "title", "author_email", "saved_at"), "characters": len(row.body)} for row in former
    ]
    return {"article_id": article_id, "versions": rows, "approved_version": article.approved_version}


@service.tool()
def get_article_version(state: KnowledgeState, ctx: CallContext, article_id: ArticleId, number: VersionNumber) -> Json:
    """Show the text of one version of an article, and which lines the version after it dropped and added.

    Errors: `not_found`, `unknown_version`.

    Args:
        article_id: Id of the article.
        number: Number of the version.
    """
    article = state.articles.get(article_id)
    texts = {row.number: (row.title, row.body) for row in state.versions.find(article_id=article_id)}
    texts[article.version] = (article.title, article.body)
    if number not in texts:
        known = ", ".join(str(own) for own in sorted(texts))
        raise ToolError(404, "unknown_version", f"{article_id} has the versions {known}; choose one of these.")
    title, body = texts[number]
    later = texts.get(number + 1, (title, body))[1].splitlines()
    lines = body.splitlines()
    return {
        "article_id": article_id,
        "number": number,
        "title": title,
        "body": body,
        "dropped_later": [line for line in lines if line and line not in later],
        "added_later": [line for line in later if line and line not in lines],
    }


@service.tool()
def list_articles_to_verify(
    state: KnowledgeState,
    ctx: CallContext,
    section_id: SectionId | None = None,
    due_by: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List published articles that somebody has to look over, the longest overdue first.

    Args:
        section_id: Only articles of this section.
        due_by: Articles due on or before this day; today, if left out.
        limit: At most so many articles.
        cursor: next_cursor of the previous page.
    """
    last = due_by or ctx.today
    due: list[tuple[str, Article]] = []
    for row in keep(state.articles.find(status="published"), section_id=section_id):
        day = verify_due(state, row)
        if day is not None and day <= last:
            due.append((day, row))
    due.sort(key=lambda item: (item[0], item[1].id))
    rows = [listed(state, ctx, row) for _, row in due]
    return cursor_page("articles", rows, limit, cursor)


@service.tool()
def get_statistics(
    state: KnowledgeState, ctx: CallContext, group_by: GroupBy = "section", section_id: SectionId | None = None
) -> Json:
    """Count published articles, views, votes and tickets solved by section, author or label, the most viewed first.

    Args:
        group_by: What a row stands for; an article with several labels counts for each.
        section_id: Only articles of this section.
    """
    groups: dict[str, list[Article]] = {}
    for row in keep(state.articles.find(status="published"), section_id=section_id):
        section = state.sections.get(row.section_id).name
        keys = {"section": (section,), "author": (row.author_email,), "label": row.labels}[group_by]
        for key in keys:
            groups.setdefault(key, []).append(row)
    rows: list[Json] = []
    for key, articles in groups.items():
        ids = {row.id for row in articles}
        votes = [row.vote for row in state.feedback if row.article_id in ids]
        uses = [row.solved for row in state.ticket_uses if row.article_id in ids]
        helpful = percent(votes.count("helpful"), len(votes))
        counts = {"articles": len(articles), "views": sum(row.views for row in articles), "votes": len(votes)}
        more = {"helpful_percent": helpful, "used_in_tickets": len(uses), "tickets_solved": sum(uses)}
        rows.append({group_by: key, **counts, **more})
    rows.sort(key=lambda row: (-row["views"], row[group_by]))
    return {"rows": rows, "total": len(rows)}
