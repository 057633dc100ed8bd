"""Tools that write articles and take them through review."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, ToolError, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.knowledge_base.access import (
    check_links,
    check_open,
    check_title,
    described,
    linking,
    owned,
    save,
    settled,
    writable,
)
from services_app.library.knowledge_base.reading import VersionNumber
from services_app.library.knowledge_base.state import (
    Article,
    ArticleId,
    Decision,
    KnowledgeState,
    Label,
    Remark,
    Section,
    SectionId,
    Text,
    Visibility,
    service,
)
from services_app.library.shared import Body, Json, Name, check_text, same, some_changes, with_fields

Labels = Annotated[list[Label], Field(max_length=8)]
Days = Annotated[int, f.duration("days"), Field(ge=30, le=730)]


@service.tool(phrase="make the help section {name}")
def create_section(
    state: KnowledgeState,
    ctx: CallContext,
    category: Label,
    name: Name,
    visibility: Visibility = "public",
    verify_every_days: Days = 180,
) -> Section:
    """Make a section of yours in a category.

    Errors: `duplicate_name`, `blank_text`.

    Args:
        category: Category in which it stands.
        name: Name, unique in the category.
        visibility: Who may read the articles in it at most.
        verify_every_days: How often its articles have to be looked over.
    """
    clean = check_text(name, "name")
    for row in state.sections:
        if same(row.category, category) and same(row.name, clean):
            raise conflict(f"{row.id} of {row.category} has this name; use that.", type="duplicate_name")
    return state.sections.create(
        category=category,
        name=clean,
        visibility=visibility,
        owner_email=ME.email,
        verify_every_days=verify_every_days,
    )


@service.tool(phrase="draft the help article {title}")
def create_article(
    state: KnowledgeState,
    ctx: CallContext,
    section_id: SectionId,
    title: Name,
    body: Text,
    visibility: Visibility | None = None,
    labels: Labels | None = None,
) -> Json:
    """Draft an article; `[[ART-0001]]` in the text links to another one.

    Errors: `not_found`, `duplicate_title`, `too_open`, `blank_text`.

    Args:
        section_id: Section in which it stands.
        title: Title, unique in the section.
        body: Its text.
        visibility: Who may read it; everybody whom the section allows, if left out.
        labels: Words to find it by.
    """
    section = state.sections.get(section_id)
    clean = check_text(title, "title")
    check_text(body, "text")
    check_title(state, section_id, clean)
    check_open(section, visibility or section.visibility)
    article = state.articles.create(
        section_id=section_id,
        title=clean,
        body=body,
        status="draft",
        visibility=visibility or section.visibility,
        labels=tuple(dict.fromkeys(labels or ())),
        author_email=ME.email,
        updated_at=ctx.now,
    )
    return described(state, ctx, article)


@service.tool(phrase="change the help article {article_id}")
def update_article(
    state: KnowledgeState,
    ctx: CallContext,
    article_id: ArticleId,
    title: Name | Unset = UNSET,
    body: Text | Unset = UNSET,
    labels: Labels | Unset = UNSET,
    visibility: Visibility | Unset = UNSET,
    expected_version: VersionNumber | None = None,
) -> Json:
    """Change an article; a new title or text makes a new version.

    An article in review becomes a draft again, and so does one for readers outside, until it is approved anew.

    Errors: `not_found`, `archived`, `article_locked`, `version_conflict`, `nothing_to_change`, `duplicate_title`,
    `too_open`, `blank_text`.

    Args:
        article_id: Id of the article.
        title: New title.
        body: New text, whole.
        labels: New labels, all of them.
        visibility: Who may read it from now on.
        expected_version: Refuse when the article has another version by now.
    """
    article = writable(state, article_id)
    changes = some_changes(given(title=title, body=body, labels=labels, visibility=visibility))
    if expected_version not in (None, article.version):
        raise conflict(f"{article_id} has version {article.version} by now; read it again.", type="version_conflict")
    if "title" in changes:
        check_text(changes["title"], "title")
        check_title(state, article.section_id, changes["title"], own=article_id)
    if "body" in changes:
        check_text(changes["body"], "text")
    if "visibility" in changes:
        check_open(state.sections.get(article.section_id), changes["visibility"])
    if "title" in changes or "body" in changes:
        return described(state, ctx, save(state, ctx, article, **changes))
    return described(state, ctx, settled(state, state.articles.patch(article_id, **changes, updated_at=ctx.now)))


@service.tool(phrase="restore version {number} of the help article {article_id}")
def restore_article_version(
    state: KnowledgeState, ctx: CallContext, article_id: ArticleId, number: VersionNumber
) -> Json:
    """Give an article the title and text of a former version; this makes a new version.

    Errors: `not_found`, `archived`, `article_locked`, `unknown_version`, `duplicate_title`.

    Args:
        article_id: Id of the article.
        number: Number of the former version.
    """
    article = writable(state, article_id)
    former = state.versions.first(article_id=article_id, number=number)
    if former is None:
        raise ToolError(404, "unknown_version", f"{article_id} has no former version {number}; list its versions.")
    check_title(state, article.section_id, former.title, own=article_id)
    return described(state, ctx, save(state, ctx, article, title=former.title, body=former.body))


@service.tool(phrase="move the help article {article_id} to the section {section_id}")
def move_article(state: KnowledgeState, ctx: CallContext, article_id: ArticleId, section_id: SectionId) -> Json:
    """Move an article to another section.

    Errors: `not_found`, `archived`, `article_locked`, `same_section`, `too_open`, `duplicate_title`.

    Args:
        article_id: Id of the article.
        section_id: Section that takes it.
    """
    state.articles.get(article_id)
    section = state.sections.get(section_id)
    article = writable(state, article_id)
    if article.section_id == section_id:
        raise conflict(f"{article_id} is in {section.name} already.", type="same_section")
    check_open(section, article.visibility)
    check_title(state, section_id, article.title)
    return described(state, ctx, state.articles.patch(article_id, section_id=section_id))


@service.tool(phrase="ask {reviewer_email} to review the help article {article_id}")
def request_review(state: KnowledgeState, ctx: CallContext, article_id: ArticleId, reviewer_email: f.Email) -> Json:
    """Ask a colleague, other than the author, to review the present version of a draft.

    Errors: `not_found`, `archived`, `article_locked`, `in_review`, `wrong_status`, `nothing_new`,
    `author_cannot_review`, `outside_company`.

    Args:
        article_id: Id of the article.
        reviewer_email: Address of the colleague.
    """
    article = writable(state, article_id)
    if article.status == "in_review":
        raise conflict(f"{article.reviewer_email} is reviewing {article_id} already.", type="in_review")
    if article.status != "draft":
        raise conflict(f"{article_id} is {article.status}; change it first.", type="wrong_status")
    if article.approved_version == article.version:
        raise conflict(f"Version {article.version} has been approved; publish it.", type="nothing_new")
    if same(article.author_email, reviewer_email):
        raise forbidden(f"{reviewer_email} wrote it; name somebody else.", type="author_cannot_review")
    if outside(reviewer_email):
        raise forbidden(f"{reviewer_email} is outside the company; name a colleague.", type="outside_company")
    changes = {"reviewer_email": reviewer_email, "updated_at": ctx.now}
    return described(state, ctx, state.articles.patch(article_id, status="in_review", **changes))


@service.tool(phrase="review the help article {article_id}: {decision}")
def review_article(
    state: KnowledgeState, ctx: CallContext, article_id: ArticleId, decision: Decision, remark: Body
) -> Json:
    """Approve an article that you were asked to review, or ask for changes; either way it becomes a draft again.

    Errors: `not_found`, `not_in_review`, `not_reviewer`, `blank_text`.

    Args:
        article_id: Id of the article.
        decision: Approved or changes_requested.
        remark: The reason, kept with the article.
    """
    article = state.articles.get(article_id)
    check_text(remark, "remark")
    if article.status != "in_review":
        raise conflict(f"{article_id} is {article.status}; nobody asked for a review.", type="not_in_review")
    if not same(article.reviewer_email or "", ME.email):
        raise forbidden(f"{article.reviewer_email} was asked to review {article_id}, not you.", type="not_reviewer")
    state.remarks.create(article_id=article_id, text=remark, author_email=ME.email, written_at=ctx.now)
    approved = article.version if decision == "approved" else article.approved_version
    return described(state, ctx, state.articles.patch(article_id, status="draft", approved_version=approved))


@service.tool(phrase="publish the help article {article_id}")
def publish_article(state: KnowledgeState, ctx: CallContext, article_id: ArticleId) -> Json:
    """Publish a draft; what people outside may read has to be approved in its present version.

    Errors: `not_found`, `archived`, `article_locked`, `wrong_status`, `review_missing`, `broken_link` (it links to an
    article that its readers could not open).

    Args:
        article_id: Id of the article.
    """
    article = writable(state, article_id)
    if article.status != "draft":
        raise conflict(f"{article_id} is {article.status}; only drafts are published.", type="wrong_status")
    if article.visibility != "internal" and article.approved_version != article.version:
        raise forbidden(
            f"Version {article.version} of {article_id} is not approved; ask a colleague to review it.",
            type="review_missing",
        )
    check_links(state, article)
    changes = {"status": "published", "verified_on": ctx.today, "updated_at": ctx.now}
    return described(state, ctx, state.articles.patch(article_id, **changes))


@service.tool(phrase="archive the help article {article_id}")
def archive_article(
    state: KnowledgeState, ctx: CallContext, article_id: ArticleId, replaced_by: ArticleId | None = None
) -> Json:
    """Archive an article; where published articles link to it, name the one that replaces it.

    Errors: `not_found`, `archived`, `article_locked`, `still_linked`, `bad_replacement`.

    Args:
        article_id: Id of the article.
        replaced_by: Published article to which its readers are sent.
    """
    writable(state, article_id)
    if replaced_by is not None:
        target = state.articles.get(replaced_by)
        if target.status != "published" or replaced_by == article_id:
            raise conflict(f"{replaced_by} is not another published article; choose one.", type="bad_replacement")
    using = [row for row in linking(state, article_id) if row.id != article_id]
    if using and replaced_by is None:
        raise conflict(f"{using[0].id} ({using[0].title}) links to it; name a replacement.", type="still_linked")
    changes = {"status": "archived", "replaced_by": replaced_by, "updated_at": ctx.now}
    return described(state, ctx, state.articles.patch(article_id, **changes))


@service.tool(phrase="take the help article {article_id} out of the archive")
def restore_article(state: KnowledgeState, ctx: CallContext, article_id: ArticleId) -> Json:
    """Make an archived article a draft again; it has to be reviewed anew.

    Errors: `not_found`, `not_archived`, `duplicate_title`.

    Args:
        article_id: Id of the article.
    """
    article = state.articles.get(article_id)
    if article.status != "archived":
        raise conflict(f"{article_id} is {article.status}, not archived.", type="not_archived")
    check_title(state, article.section_id, article.title, own=article_id)
    changes: Json = {"status": "draft", "replaced_by": None, "approved_version": None, "updated_at": ctx.now}
    return described(state, ctx, state.articles.patch(article_id, **changes))


@service.tool(phrase="confirm that the help article {article_id} is right")
def verify_article(state: KnowledgeState, ctx: CallContext, article_id: ArticleId) -> Json:
    """Confirm that a published article of a section of yours is still right; the next look is due an interval later.

    Errors: `not_found`, `not_section_owner`, `wrong_status`, `verified_today`, `broken_link`.

    Args:
        article_id: Id of the article.
    """
    article: Article = state.articles.get(article_id)
    owned(state, article.section_id)
    if article.status != "published":
        raise conflict(f"{article_id} is {article.status}; only published articles are verified.", type="wrong_status")
    if article.verified_on == ctx.today:
        raise conflict(f"{article_id} has been verified today.", type="verified_today")
    check_links(state, article)
    return described(state, ctx, state.articles.patch(article_id, verified_on=ctx.today))


@service.tool(phrase="leave a remark on the help article {article_id}")
def add_remark(state: KnowledgeState, ctx: CallContext, article_id: ArticleId, text: Body) -> Json:
    """Leave a remark for colleagues on an article; readers never see it.

    Errors: `not_found`, `blank_text`.

    Args:
        article_id: Id of the article.
        text: The remark.
    """
    state.articles.get(article_id)
    check_text(text, "remark")
    made: Remark = state.remarks.create(article_id=article_id, text=text, author_email=ME.email, written_at=ctx.now)
    return with_fields(made, remarks=state.remarks.count(article_id=article_id))
