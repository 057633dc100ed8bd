"""What a presentation application holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Audience = Annotated[Literal["internal", "customer", "public"], LABEL]
DeckStatus = Annotated[Literal["draft", "in_review", "approved"], LABEL]
Layout = Annotated[Literal["title", "section", "content", "table", "closing"], LABEL]
ElementKind = Annotated[Literal["text", "image", "table"], LABEL]
Use = Annotated[Literal["anywhere", "internal_only"], LABEL]
Role = Annotated[Literal["viewer", "commenter", "editor"], LABEL]


class Template(Record):
    about: ClassVar[About] = About(
        "presentation template", "presentation templates", prefix="TPL-", width=2, key="name", carrier="document"
    )

    name: f.Title
    guidelines: f.Text
    """What the brand team expects of presentations from it."""
    outline: tuple[f.Title, ...]
    """Titles of the slides that a new presentation starts with; `{{...}}` has to be filled in."""
    max_words: Annotated[int, f.count("words")]
    """So many words may stand on one slide."""
    retired: bool = False


class Image(Record):
    about: ClassVar[About] = About("library image", "library images", prefix="IMG-", width=3, key="filename")

    filename: f.Title
    description: f.Text
    use: Use
    licensed_until: f.Date | None = None
    """Last day of its licence; None for our own."""


class Presentation(Record):
    about: ClassVar[About] = About("presentation", "presentations", prefix="DECK-", key="title")

    title: f.Title
    template_id: Annotated[str, f.ref("templates")]
    owner_email: f.Email
    audience: Audience
    slot_minutes: Annotated[int, f.duration("minutes")]
    """How long the presenter has."""
    presented_on: f.Date | None = None
    status: DeckStatus = "draft"
    reviewer_email: f.Email | None = None
    review_remarks: f.Text = ""
    created_at: f.SystemTime
    modified_at: f.SystemTime


class Slide(Record):
    about: ClassVar[About] = About("slide", "slides", prefix="SLD-", key="title")

    presentation_id: Annotated[str, f.ref("presentations")]
    position: Annotated[int, f.count("slides")]
    layout: Layout
    title: f.Title
    notes: f.Text = ""
    """What the presenter says."""
    skipped: bool = False
    copied_from: Annotated[str | None, f.ref("slides")] = None
    """The slide that it was imported from, as long as that exists."""


class Element(Record):
    about: ClassVar[About] = About("slide element", "slide elements", prefix="EL-", key="text", carrier="note")

    slide_id: Annotated[str, f.ref("slides")]
    kind: ElementKind
    text: f.Text
    """The text; of an image its alternative text, of a table its caption."""
    image_id: Annotated[str | None, f.ref("images")] = None
    rows: tuple[tuple[f.Label, ...], ...] = ()


class Comment(Record):
    about: ClassVar[About] = About("slide comment", "slide comments", prefix="CMT-", key="", carrier="note")

    slide_id: Annotated[str, f.ref("slides")]
    author_name: f.Person
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime
    resolved_at: f.SystemTime | None = None


class Collaborator(Record):
    about: ClassVar[About] = About("collaborator", "collaborators", prefix="COL-", key="email")

    presentation_id: Annotated[str, f.ref("presentations")]
    email: f.Email
    role: Role


class Release(Record):
    """A version that was published: those who have the link see this one until there is a next."""

    about: ClassVar[About] = About("published version", "published versions", prefix="PUB-", key="link")

    presentation_id: Annotated[str, f.ref("presentations")]
    number: Annotated[int, f.count("versions", system=True)]
    link: f.Url
    slide_titles: tuple[f.Title, ...]
    note: f.Text = ""
    published_at: f.SystemTime


class SlidesState(State):
    templates: Table[Template]
    images: Table[Image]
    presentations: Table[Presentation]
    slides: Table[Slide]
    elements: Table[Element]
    comments: Table[Comment]
    collaborators: Table[Collaborator]
    releases: Table[Release]


service = Service(
    "slides",
    title="Slides",
    domain="productivity",
    description="Presentations from templates with notes, images and tables, brand review, publishing and sharing.",
    state=SlidesState,
    files=sources(__file__),
)
