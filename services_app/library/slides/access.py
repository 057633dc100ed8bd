"""Who may change a presentation, what has to be put right in it, and how answers show it."""

from __future__ import annotations

import re
from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, brief, same, with_fields
from services_app.library.slides.state import Element, Presentation, Slide, SlidesState

PresentationId = Annotated[str, f.ref("presentations")]
SlideId = Annotated[str, f.ref("slides")]
ElementId = Annotated[str, f.ref("elements")]
ImageId = Annotated[str, f.ref("images")]

WORDS_PER_MINUTE = 120
SECONDS_PER_SLIDE = 20
_OPEN = re.compile(r"{{[^{}]*}}|\bTBD\b|\bTBC\b")


def my_role(state: SlidesState, deck: Presentation) -> str:
    """owner, editor, commenter or viewer; everybody at Larkfield may view."""
    if same(deck.owner_email, ME.email):
        return "owner"
    rows = state.collaborators.find(presentation_id=deck.id)
    return next((row.role for row in rows if same(row.email, ME.email)), "viewer")


def editable(state: SlidesState, presentation_id: str) -> Presentation:
    """A presentation that you may change now: 403 `read_only`, 409 `in_review`."""
    deck = state.presentations.get(presentation_id)
    if my_role(state, deck) not in ("owner", "editor"):
        raise forbidden(f"You may not change {deck.title}; ask {deck.owner_email}.", type="read_only")
    if deck.status == "in_review":
        raise conflict(f"{deck.title} is being reviewed by {deck.reviewer_email}; wait for it.", type="in_review")
    return deck


def editable_slide(state: SlidesState, slide_id: str) -> Slide:
    slide = state.slides.get(slide_id)
    editable(state, slide.presentation_id)
    return slide


def touch(state: SlidesState, ctx: CallContext, presentation_id: str) -> Presentation:
    """Note a change: whatever was approved has to be reviewed again."""
    return state.presentations.patch(presentation_id, modified_at=ctx.now, status="draft")


def slides_of(state: SlidesState, presentation_id: str) -> list[Slide]:
    return sorted(state.slides.find(presentation_id=presentation_id), key=lambda row: row.position)


def renumber(state: SlidesState, slides: list[Slide]) -> None:
    for position, slide in enumerate(slides, 1):
        if slide.position != position:
            state.slides.patch(slide.id, position=position)


def texts_of(slide: Slide, elements: list[Element]) -> list[str]:
    """What an audience reads on a slide."""
    found = [slide.title]
    for element in elements:
        if element.kind != "image":
            found.append(element.text)
        found += [cell for row in element.rows for cell in row]
    return found


def words_on(slide: Slide, elements: list[Element]) -> int:
    return sum(len(text.split()) for text in texts_of(slide, elements))


def seconds_of(slide: Slide) -> int:
    """How long a slide takes to present: its notes read aloud, and a moment to look."""
    return 0 if slide.skipped else SECONDS_PER_SLIDE + round(60 * len(slide.notes.split()) / WORDS_PER_MINUTE)


def minutes_of(slides: list[Slide]) -> float:
    return round(sum(seconds_of(slide) for slide in slides) / 60, 1)


def shown_element(state: SlidesState, element: Element) -> Json:
    shown = brief(element, "id", "kind", "text")
    if element.image_id:
        shown["image"] = state.images.get(element.image_id).filename
    if element.kind == "table":
        shown["rows"] = element.rows
    return shown


def described(state: SlidesState, deck: Presentation) -> Json:
    slides = slides_of(state, deck.id)
    releases = state.releases.find(presentation_id=deck.id)
    return with_fields(
        deck,
        template=state.templates.get(deck.template_id).name,
        your_role=my_role(state, deck),
        slide_count=len(slides),
        minutes=minutes_of(slides),
        published_version=max((row.number for row in releases), default=None),
    )


def problems_of(state: SlidesState, ctx: CallContext, deck: Presentation) -> list[Json]:
    """What a reviewer would send back, slide by slide and for the whole."""
    slides = slides_of(state, deck.id)
    shown = [slide for slide in slides if not slide.skipped]
    most = state.templates.get(deck.template_id).max_words
    found = [problem for slide in shown for problem in _slide_problems(state, ctx, deck, slide, most)]
    if minutes_of(slides) > deck.slot_minutes:
        found.append(_problem("too_long", f"It takes {minutes_of(slides)} of {deck.slot_minutes} minutes."))
    if not shown or shown[0].layout != "title":
        found.append(_problem("no_title_slide", "The first slide shown is not a title slide."))
    if deck.audience != "internal" and not any(slide.layout == "closing" for slide in shown):
        found.append(_problem("no_closing_slide", "A closing slide with a contact is missing."))
    return found


def _problem(rule: str, message: str, slide: Slide | None = None) -> Json:
    where = {"slide_id": slide.id, "position": slide.position} if slide else {"slide_id": None, "position": None}
    return {"rule": rule, **where, "message": message}


def _slide_problems(state: SlidesState, ctx: CallContext, deck: Presentation, slide: Slide, most: int) -> list[Json]:
    elements = state.elements.find(slide_id=slide.id)
    found = []
    if words_on(slide, elements) > most:
        found.append(_problem("too_many_words", f"{words_on(slide, elements)} words, {most} are allowed.", slide))
    open_ = [text for text in (*texts_of(slide, elements), slide.notes) if _OPEN.search(text)]
    found += [_problem("open_placeholder", f"Still to be filled in: {text[:60]}", slide) for text in open_]
    for element in elements:
        if element.image_id is not None:
            found += _image_problems(state, ctx, deck, slide, element)
    return found


def _image_problems(
    state: SlidesState, ctx: CallContext, deck: Presentation, slide: Slide, element: Element
) -> list[Json]:
    image = state.images.get(element.image_id or "")
    found = []
    if not element.text.strip():
        found.append(_problem("no_alt_text", f"{image.filename} has no alternative text.", slide))
    if image.use == "internal_only" and deck.audience != "internal":
        found.append(_problem("internal_image", f"{image.filename} may only be shown inside Larkfield.", slide))
    until, shown_on = image.licensed_until, deck.presented_on or ctx.today
    if until is not None and until < shown_on:
        found.append(_problem("licence_over", f"The licence of {image.filename} ended on {until}.", slide))
    return found
