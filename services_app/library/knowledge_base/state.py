"""What a help centre holds: sections, articles with versions and translations, reviews, feedback and searches."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Visibility = Annotated[Literal["public", "customers", "internal"], LABEL]
ArticleStatus = Annotated[Literal["draft", "in_review", "published", "archived"], LABEL]
Decision = Annotated[Literal["approved", "changes_requested"], LABEL]
Language = Annotated[Literal["de", "fr", "nl"], LABEL]
Vote = Annotated[Literal["helpful", "not_helpful"], LABEL]

OPENNESS = ("public", "customers", "internal")  # the most open first

SectionId = Annotated[str, f.ref("sections")]
ArticleId = Annotated[str, f.ref("articles")]
FeedbackId = Annotated[str, f.ref("feedback")]
Label = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")]
Term = Annotated[str, f.Semantic("label"), Field(min_length=2, max_length=60, pattern=r"^\S(.*\S)?$")]
Text = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=20_000)]
TicketNumber = Annotated[str, f.Semantic("code"), Field(pattern=r"^TKT-\d{4,6}$")]


class Section(Record):
    about: ClassVar[About] = About("help section", "help sections", prefix="SEC-", width=2, key="name")

    category: f.Label
    name: f.Title
    visibility: Visibility
    """No article in it is more open than this."""
    owner_email: f.Email
    verify_every_days: Annotated[int, f.duration("days")]


class Article(Record):
    about: ClassVar[About] = About("help article", "help articles", prefix="ART-", key="title", carrier="document")

    section_id: SectionId
    title: f.Title
    body: Text
    """`[[ART-0001]]` links to another article."""
    status: ArticleStatus
    visibility: Visibility
    labels: tuple[Label, ...] = ()
    author_email: f.Email
    version: Annotated[int, f.count("versions", system=True)] = 1
    approved_version: Annotated[int | None, f.count("versions", system=True)] = None
    reviewer_email: f.Email | None = None
    locked_by: f.Email | None = None
    """Who is editing it just now."""
    replaced_by: Annotated[str | None, f.ref("articles")] = None
    verified_on: f.Date | None = None
    views: Annotated[int, f.count("views", system=True)] = 0
    updated_at: f.SystemTime


class ArticleVersion(Record):
    about: ClassVar[About] = About("former version", "former versions", prefix="VER-", key="title", carrier="document")

    article_id: ArticleId
    number: Annotated[int, f.count("versions")]
    title: f.Title
    body: Text
    author_email: f.Email
    saved_at: f.SystemTime


class Translation(Record):
    about: ClassVar[About] = About("translation", "translations", prefix="TRA-", key="title")

    article_id: ArticleId
    language: Language
    title: f.Title
    body: Text
    of_version: Annotated[int, f.count("versions", system=True)]
    translator_email: f.Email


class Remark(Record):
    about: ClassVar[About] = About("article remark", "article remarks", prefix="REM-", key="", carrier="note")

    article_id: ArticleId
    text: f.Text
    author_email: f.Email
    written_at: f.SystemTime


class Feedback(Record):
    about: ClassVar[About] = About("reader's feedback", "readers' feedback", prefix="FB-", key="email", carrier="note")

    article_id: ArticleId
    vote: Vote
    comment: f.Text = ""
    name: f.Person = ""
    email: f.Email | None = None
    given_at: f.SystemTime
    handled_by: f.Email | None = None
    answer: f.Text = ""


class SearchTerm(Record):
    about: ClassVar[About] = About("reader's search", "readers' searches", prefix="SRC-", key="words")

    words: f.Label
    searches: Annotated[int, f.count("searches")]
    clicks: Annotated[int, f.count("clicks")]
    last_searched_on: f.Date


class Synonym(Record):
    about: ClassVar[About] = About("synonym", "synonyms", prefix="SYN-", width=3, key="term")

    term: Term
    same_as: Term


class TicketUse(Record):
    about: ClassVar[About] = About("use in a ticket", "uses in tickets", prefix="USE-", key="ticket_number")

    article_id: ArticleId
    ticket_number: TicketNumber
    solved: bool
    by_email: f.Email
    used_at: f.SystemTime


class KnowledgeState(State):
    sections: Table[Section]
    articles: Table[Article]
    versions: Table[ArticleVersion]
    translations: Table[Translation]
    remarks: Table[Remark]
    feedback: Table[Feedback]
    search_terms: Table[SearchTerm]
    synonyms: Table[Synonym]
    ticket_uses: Table[TicketUse]


service = Service(
    "knowledge-base",
    title="Knowledge Base",
    domain="customer support",
    description="Help articles with reviews, versions, translations, readers' feedback, searches and use in tickets.",
    state=KnowledgeState,
    files=sources(__file__),
)
