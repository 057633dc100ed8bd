"""Tools for what readers say and look for, translations, synonyms and use in tickets."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.knowledge_base.access import wanted_words
from services_app.library.knowledge_base.state import (
    ArticleId,
    Feedback,
    FeedbackId,
    KnowledgeState,
    Language,
    SectionId,
    Synonym,
    Term,
    Text,
    TicketNumber,
    Translation,
    Vote,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    fold,
    keep,
    newest_first,
    same,
    search,
    with_fields,
    within,
)


@service.tool()
def list_feedback(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: KnowledgeState,
    ctx: CallContext,
    query: Query | None = None,
    article_id: ArticleId | None = None,
    vote: Vote | None = None,
    handled: bool | None = None,
    given_from: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List what readers said about articles, newest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the comment, or in the name or address of the reader.
        article_id: Only feedback on this article.
        vote: Only helpful or not_helpful.
        handled: Only feedback that somebody dealt with, or that nobody did.
        given_from: Only feedback given on or after this day.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    found = search(state.feedback, query, lambda row: (row.comment, row.name, row.email or ""))
    found = within(keep(found, article_id=article_id, vote=vote), "given_at", given_from, None)
    found = [row for row in found if handled in (None, row.handled_by is not None)]
    found = newest_first(found, "given_at")
    page = cursor_page("feedback", found, limit, cursor)
    page["feedback"] = [with_fields(row, article=state.articles.get(row.article_id).title) for row in page["feedback"]]
    return page


@service.tool(phrase="deal with the feedback {feedback_id}")
def handle_feedback(state: KnowledgeState, ctx: CallContext, feedback_id: FeedbackId, answer: Body) -> Feedback:
    """Note what was done about a reader's comment; readers who left an address get it as an answer.

    Errors: `not_found`, `already_handled`, `no_comment`, `blank_text`.

    Args:
        feedback_id: Id of the feedback.
        answer: What was done, in words for the reader.
    """
    feedback = state.feedback.get(feedback_id)
    check_text(answer, "answer")
    if feedback.handled_by is not None:
        raise conflict(f"{feedback.handled_by} has dealt with {feedback_id} already.", type="already_handled")
    if not feedback.comment:
        raise conflict(f"{feedback_id} is a vote without a comment; there is nothing to answer.", type="no_comment")
    return state.feedback.patch(feedback_id, handled_by=ME.email, answer=answer)


@service.tool()
def list_search_gaps(
    state: KnowledgeState,
    ctx: CallContext,
    query: Query | None = None,
    without_results: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List what readers searched for and how often they opened an article, the least successful first.

    Args:
        query: Words in the search.
        without_results: Only searches for which no published article is found today.
        limit: At most so many searches.
        cursor: next_cursor of the previous page.
    """
    articles = [fold("\n".join((row.title, row.body, *row.labels))) for row in state.articles.find(status="published")]
    rows = []
    for row in search(state.search_terms, query, lambda row: (row.words,)):
        groups = wanted_words(state, row.words)
        results = sum(all(any(word in text for word in group) for group in groups) for text in articles)
        if not (without_results and results):
            missed = row.searches - row.clicks
            rows.append(with_fields(row, results=results, without_click=missed))
    rows.sort(key=lambda row: (-row["without_click"], row["id"]))
    return cursor_page("searches", rows, limit, cursor)


@service.tool(phrase="let searches for {term} find {same_as}")
def add_synonym(state: KnowledgeState, ctx: CallContext, term: Term, same_as: Term) -> Synonym:
    """Let two single words mean the same in every search.

    Errors: `not_a_word`, `duplicate_synonym`.

    Args:
        term: Word that readers use.
        same_as: Word that the articles use.
    """
    if len(term.split()) > 1 or len(same_as.split()) > 1 or same(term, same_as):
        raise invalid("Give two different single words.", type="not_a_word")
    for row in state.synonyms:
        if {fold(row.term), fold(row.same_as)} == {fold(term), fold(same_as)}:
            raise conflict(f"{row.id} says so already.", type="duplicate_synonym")
    return state.synonyms.create(term=term, same_as=same_as)


@service.tool()
def list_translations(
    state: KnowledgeState,
    ctx: CallContext,
    language: Language | None = None,
    section_id: SectionId | None = None,
    outdated_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List translations with the version they were made of and whether the article has changed since.

    Args:
        language: Only translations into this language.
        section_id: Only translations of articles of this section.
        outdated_only: Only those whose article has changed since.
        limit: At most so many translations.
        cursor: next_cursor of the previous page.
    """
    rows = []
    for row in keep(state.translations, language=language):
        article = state.articles.get(row.article_id)
        outdated = row.of_version < article.version
        if section_id in (None, article.section_id) and (outdated or not outdated_only):
            shown = with_fields(row, article=article.title, article_version=article.version, outdated=outdated)
            del shown["body"]
            rows.append(shown)
    return cursor_page("translations", rows, limit, cursor)


@service.tool(phrase="translate the help article {article_id} into {language}")
def translate_article(
    state: KnowledgeState, ctx: CallContext, article_id: ArticleId, language: Language, title: Name, body: Text
) -> Translation:
    """Store the translation of the present version of an article, in place of an older one.

    Errors: `not_found`, `archived`, `up_to_date`, `blank_text`.

    Args:
        article_id: Id of the article.
        language: Language of the translation.
        title: Translated title.
        body: Translated text, with the same links.
    """
    article = state.articles.get(article_id)
    check_text(title, "title")
    check_text(body, "text")
    if article.status == "archived":
        raise conflict(f"{article_id} is archived; restore it first.", type="archived")
    values = {"title": title, "body": body, "of_version": article.version, "translator_email": ME.email}
    held = state.translations.first(article_id=article_id, language=language)
    if held is None:
        return state.translations.create(article_id=article_id, language=language, **values)
    if held.of_version == article.version and same(held.body, body) and held.title == title:
        raise conflict(f"{held.id} is this translation already.", type="up_to_date")
    return state.translations.patch(held.id, **values)


@service.tool(phrase="note that the ticket {ticket_number} was answered with {article_id}")
def link_ticket(
    state: KnowledgeState, ctx: CallContext, article_id: ArticleId, ticket_number: TicketNumber, solved: bool = True
) -> Json:
    """Note that a support ticket was answered with a published article, and whether that solved it.

    A second note on the same ticket replaces the first.

    Errors: `not_found`, `not_published`, `no_change`.

    Args:
        article_id: Id of the article.
        ticket_number: Number of the ticket, such as TKT-0142.
        solved: Whether the customer was content.
    """
    article = state.articles.get(article_id)
    if article.status != "published":
        raise conflict(f"{article_id} is {article.status}; answer with a published article.", type="not_published")
    held = state.ticket_uses.first(article_id=article_id, ticket_number=ticket_number)
    if held is not None and held.solved == solved:
        raise conflict(f"{held.id} says so already.", type="no_change")
    if held is not None:
        use = state.ticket_uses.patch(held.id, solved=solved)
    else:
        values = {"article_id": article_id, "ticket_number": ticket_number, "solved": solved}
        use = state.ticket_uses.create(**values, by_email=ME.email, used_at=ctx.now)
    uses = state.ticket_uses.find(article_id=article_id)
    return with_fields(use, used_in_tickets=len(uses), tickets_solved=sum(row.solved for row in uses))
