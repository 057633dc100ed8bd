"""Tools that read presentations, templates and images."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    keep,
    search,
    with_fields,
    within,
)
from services_app.library.slides.access import (
    PresentationId,
    SlideId,
    described,
    problems_of,
    seconds_of,
    shown_element,
    slides_of,
    texts_of,
    words_on,
)
from services_app.library.slides.state import Audience, DeckStatus, SlidesState, Use, service

DeckOrder = Annotated[Literal["modified", "title", "presented"], LABEL]


@service.tool()
def list_presentations(  # noqa: PLR0913, PLR0917 - filters of the product
    state: SlidesState,
    ctx: CallContext,
    query: Query | None = None,
    owner_email: f.Email | None = None,
    audience: Audience | None = None,
    status: DeckStatus | None = None,
    presented_from: f.Date | None = None,
    presented_to: f.Date | None = None,
    order_by: DeckOrder = "modified",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List presentations with their length, status and last published version.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the title.
        owner_email: Only presentations of this person.
        audience: Only presentations for this audience.
        status: Only presentations in this status.
        presented_from: Only those presented on this day or later.
        presented_to: Only those presented on this day or earlier.
        order_by: Last modified first, by title, or by day of presentation.
        limit: At most so many presentations.
        cursor: next_cursor of the previous page.
    """
    found = search(state.presentations, query, lambda row: (row.title,))
    found = keep(found, owner_email=owner_email, audience=audience, status=status)
    found = within(found, "presented_on", presented_from, presented_to)
    found.sort(key=lambda row: row.id)
    if order_by == "modified":
        found.sort(key=lambda row: row.modified_at, reverse=True)
    else:
        found.sort(key=lambda row: row.title.casefold() if order_by == "title" else row.presented_on or "9999")
    page = cursor_page("presentations", found, limit, cursor)
    page["presentations"] = [described(state, row) for row in page["presentations"]]
    return page


@service.tool()
def get_presentation(state: SlidesState, ctx: CallContext, presentation_id: PresentationId) -> Json:
    """Show a presentation with the list of its slides, collaborators, published versions and guidelines.

    Errors: `not_found`.

    Args:
        presentation_id: Id of the presentation.
    """
    deck = state.presentations.get(presentation_id)
    template = state.templates.get(deck.template_id)
    rows = []
    for slide in slides_of(state, presentation_id):
        elements = state.elements.find(slide_id=slide.id)
        rows.append(
            {
                **brief(slide, "id", "position", "layout", "title", "skipped"),
                "words": words_on(slide, elements),
                "seconds": seconds_of(slide),
                "open_comments": state.comments.count(slide_id=slide.id, resolved_at=None),
            }
        )
    return {
        **described(state, deck),
        "guidelines": template.guidelines,
        "max_words_per_slide": template.max_words,
        "slides": rows,
        "collaborators": [
            brief(row, "email", "role") for row in state.collaborators.find(presentation_id=presentation_id)
        ],
        "published": [
            brief(row, "number", "link", "note", "published_at")
            for row in state.releases.find(presentation_id=presentation_id)
        ],
    }


@service.tool()
def get_slide(state: SlidesState, ctx: CallContext, slide_id: SlideId) -> Json:
    """Read a slide: its texts, images and tables, the presenter's notes and the comments.

    Errors: `not_found`.

    Args:
        slide_id: Id of the slide.
    """
    slide = state.slides.get(slide_id)
    elements = state.elements.find(slide_id=slide_id)
    return with_fields(
        slide,
        presentation=state.presentations.get(slide.presentation_id).title,
        elements=[shown_element(state, row) for row in elements],
        words=words_on(slide, elements),
        seconds=seconds_of(slide),
        comments=[
            brief(row, "id", "author_name", "author_email", "text", "written_at", "resolved_at")
            for row in state.comments.find(slide_id=slide_id)
        ],
    )


@service.tool()
def search_slides(
    state: SlidesState,
    ctx: CallContext,
    query: Query,
    presentation_id: PresentationId | None = None,
    include_notes: bool = False,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """Find slides by words in their title, texts and tables, to read or to import them elsewhere.

    Args:
        query: Words that must all occur on the slide.
        presentation_id: Only in this presentation.
        include_notes: Look into the presenter's notes as well.
        limit: At most so many slides.
        cursor: next_cursor of the previous page.
    """
    inside = keep(state.slides, presentation_id=presentation_id)
    found = search(
        inside,
        query,
        lambda row: (
            *texts_of(row, state.elements.find(slide_id=row.id)),
            row.notes if include_notes else "",
        ),
    )
    found.sort(key=lambda row: (row.presentation_id, row.position))
    page = cursor_page("slides", found, limit, cursor)
    page["slides"] = [
        {
            **brief(row, "id", "presentation_id", "position", "layout", "title"),
            "presentation": state.presentations.get(row.presentation_id).title,
            "text": " / ".join(texts_of(row, state.elements.find(slide_id=row.id))[1:])[:200],
        }
        for row in page["slides"]
    ]
    return page


@service.tool()
def list_templates(
    state: SlidesState, ctx: CallContext, query: Query | None = None, include_retired: bool = False
) -> Json:
    """List the templates with their guidelines and outlines.

    Args:
        query: Words in the name or the guidelines.
        include_retired: Show templates that can no longer be used as well.
    """
    found = search(state.templates, query, lambda row: (row.name, row.guidelines))
    found = [row for row in found if include_retired or not row.retired]
    return {"templates": found, "total": len(found)}


@service.tool()
def list_images(
    state: SlidesState,
    ctx: CallContext,
    query: Query | None = None,
    use: Use | None = None,
    licensed_on: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the images of the library with their licence and where each is used.

    Errors: `invalid_date`.

    Args:
        query: Words in the file name or description.
        use: Only images that may be shown anywhere, or only inside Larkfield.
        licensed_on: Only images that may still be shown on this day.
        limit: At most so many images.
        cursor: next_cursor of the previous page.
    """
    day = f.parse_date(licensed_on).isoformat() if licensed_on else ""
    found = keep(search(state.images, query, lambda row: (row.filename, row.description)), use=use)
    found = [row for row in found if row.licensed_until is None or row.licensed_until >= day]
    page = cursor_page("images", found, limit, cursor)
    page["images"] = [
        with_fields(row, used_on_slides=len({e.slide_id for e in state.elements.find(image_id=row.id)}))
        for row in page["images"]
    ]
    return page


@service.tool()
def check_presentation(state: SlidesState, ctx: CallContext, presentation_id: PresentationId) -> Json:
    """Check a presentation against the guidelines: placeholders, words, images, licences and length.

    Errors: `not_found`.

    Args:
        presentation_id: Id of the presentation.
    """
    deck = state.presentations.get(presentation_id)
    problems = problems_of(state, ctx, deck)
    return {"presentation_id": presentation_id, "title": deck.title, "ready": not problems, "problems": problems}
