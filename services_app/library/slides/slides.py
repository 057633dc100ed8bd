"""Tools for the slides of a presentation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Body, Json, Name, check_text, some_changes, with_fields
from services_app.library.slides.access import (
    PresentationId,
    SlideId,
    editable,
    editable_slide,
    my_role,
    renumber,
    seconds_of,
    slides_of,
    touch,
)
from services_app.library.slides.state import Comment, Layout, Slide, SlidesState, service

Position = Annotated[int, f.count("slides"), Field(ge=1, le=200)]
Notes = Annotated[str, f.Semantic("text"), Field(max_length=4000)]
MOST_SLIDES = 60


def _inserted(
    state: SlidesState, ctx: CallContext, presentation_id: str, position: int | None, **fields: object
) -> Slide:
    """A new slide at a position, or at the end; 409 `too_many_slides`."""
    slides = slides_of(state, presentation_id)
    if len(slides) >= MOST_SLIDES:
        raise conflict(f"A presentation has at most {MOST_SLIDES} slides; delete some first.", type="too_many_slides")
    at = len(slides) if position is None else min(position - 1, len(slides))
    slide = state.slides.create(presentation_id=presentation_id, position=at + 1, **fields)
    renumber(state, [*slides[:at], slide, *slides[at:]])
    touch(state, ctx, presentation_id)
    return slide


@service.tool(phrase="add the slide {title} to the presentation {presentation_id}")
def add_slide(
    state: SlidesState,
    ctx: CallContext,
    presentation_id: PresentationId,
    title: Name,
    layout: Layout = "content",
    notes: Notes = "",
    position: Position | None = None,
) -> Slide:
    """Add a slide at a position, or at the end.

    Errors: `not_found`, `read_only`, `in_review`, `too_many_slides` (sixty), `blank_text`.

    Args:
        presentation_id: Id of the presentation.
        title: Title of the slide.
        layout: Its layout; section slides carry nothing but their title.
        notes: What the presenter says.
        position: Place among the slides, 1 for the first.
    """
    editable(state, presentation_id)
    check_text(title, "title")
    return _inserted(state, ctx, presentation_id, position, layout=layout, title=title, notes=notes)


@service.tool(phrase="change the slide {slide_id}")
def update_slide(
    state: SlidesState,
    ctx: CallContext,
    slide_id: SlideId,
    title: Name | Unset = UNSET,
    notes: Notes | Unset = UNSET,
    skipped: bool | Unset = UNSET,
) -> Json:
    """Change title, notes or visibility of a slide; what is left out stays.

    Errors: `not_found`, `read_only`, `in_review`, `nothing_to_change`, `blank_text`.

    Args:
        slide_id: Id of the slide.
        title: New title.
        notes: New notes for the presenter, instead of those there are.
        skipped: true leaves the slide out when presenting and publishing.
    """
    slide = editable_slide(state, slide_id)
    changes = some_changes(given(title=title, notes=notes, skipped=skipped))
    if "title" in changes:
        check_text(changes["title"], "title")
    touch(state, ctx, slide.presentation_id)
    changed = state.slides.patch(slide_id, **changes)
    return with_fields(changed, seconds=seconds_of(changed))


@service.tool(phrase="move the slide {slide_id} to position {position}")
def move_slide(state: SlidesState, ctx: CallContext, slide_id: SlideId, position: Position) -> Json:
    """Move a slide to another position of its presentation.

    Errors: `not_found`, `read_only`, `in_review`, `same_position`.

    Args:
        slide_id: Id of the slide.
        position: New place, 1 for the first; beyond the last one means the end.
    """
    slide = editable_slide(state, slide_id)
    others = [row for row in slides_of(state, slide.presentation_id) if row.id != slide_id]
    at = min(position - 1, len(others))
    if at + 1 == slide.position:
        raise conflict(f"{slide.title} is at position {slide.position} already.", type="same_position")
    renumber(state, [*others[:at], slide, *others[at:]])
    touch(state, ctx, slide.presentation_id)
    order = [row.title for row in slides_of(state, slide.presentation_id)]
    return with_fields(state.slides.get(slide_id), order=order)


@service.tool(phrase="delete the slide {slide_id}")
def delete_slide(state: SlidesState, ctx: CallContext, slide_id: SlideId) -> Json:
    """Delete a slide with its elements and comments; a presentation keeps at least one.

    Errors: `not_found`, `read_only`, `in_review`, `last_slide`, `open_comments` (resolve them first).

    Args:
        slide_id: Id of the slide.
    """
    slide = editable_slide(state, slide_id)
    others = [row for row in slides_of(state, slide.presentation_id) if row.id != slide_id]
    if not others:
        raise conflict(f"{slide.title} is the only slide.", type="last_slide")
    if state.comments.count(slide_id=slide_id, resolved_at=None):
        raise conflict(f"{slide.title} has open comments; resolve them first.", type="open_comments")
    for element in state.elements.find(slide_id=slide_id):
        state.elements.delete(element.id)
    for comment in state.comments.find(slide_id=slide_id):
        state.comments.delete(comment.id)
    for copy in state.slides.find(copied_from=slide_id):
        state.slides.patch(copy.id, copied_from=None)
    renumber(state, others)
    touch(state, ctx, slide.presentation_id)
    return with_fields(state.slides.delete(slide_id), slides_left=len(others))


@service.tool(phrase="import the slide {slide_id} into the presentation {presentation_id}")
def import_slide(
    state: SlidesState,
    ctx: CallContext,
    slide_id: SlideId,
    presentation_id: PresentationId,
    position: Position | None = None,
    with_notes: bool = True,
) -> Slide:
    """Copy a slide with its elements, from this or another presentation, into one that you may edit.

    Slides of internal presentations do not go into those for customers or the public.
    Errors: `not_found`, `read_only`, `in_review`, `too_many_slides`, `internal_only`.

    Args:
        slide_id: Slide to copy.
        presentation_id: Presentation that gets the copy.
        position: Place among its slides; the end, if left out.
        with_notes: Copy the presenter's notes as well.
    """
    deck = editable(state, presentation_id)
    slide = state.slides.get(slide_id)
    source = state.presentations.get(slide.presentation_id)
    if source.audience == "internal" and deck.audience != "internal":
        raise forbidden(f"{source.title} is internal, {deck.title} is for a {deck.audience} audience.",
                        type="internal_only")  # fmt: skip
    copy = _inserted(
        state,
        ctx,
        presentation_id,
        position,
        layout=slide.layout,
        title=slide.title,
        notes=slide.notes if with_notes else "",
        copied_from=slide_id,
    )
    for row in state.elements.find(slide_id=slide_id):
        state.elements.create(slide_id=copy.id, kind=row.kind, text=row.text, image_id=row.image_id, rows=row.rows)
    return copy


@service.tool(phrase="comment on the slide {slide_id}")
def add_comment(state: SlidesState, ctx: CallContext, slide_id: SlideId, text: Body) -> Comment:
    """Comment on a slide; viewers cannot.

    Errors: `not_found`, `view_only`, `blank_text`.

    Args:
        slide_id: Id of the slide.
        text: The comment.
    """
    _commentable(state, state.slides.get(slide_id))
    check_text(text, "text")
    return state.comments.create(
        slide_id=slide_id, author_name=ME.name, author_email=ME.email, text=text, written_at=ctx.now
    )


def _commentable(state: SlidesState, slide: Slide) -> None:
    deck = state.presentations.get(slide.presentation_id)
    if my_role(state, deck) == "viewer" and deck.reviewer_email != ME.email:
        raise forbidden(f"You may only view {deck.title}; ask {deck.owner_email}.", type="view_only")


@service.tool(phrase="resolve the comment {comment_id}")
def resolve_comment(state: SlidesState, ctx: CallContext, comment_id: Annotated[str, f.ref("comments")]) -> Comment:
    """Mark a comment as settled.

    Errors: `not_found`, `view_only`, `already_resolved`.

    Args:
        comment_id: Id of the comment, from get_slide.
    """
    comment = state.comments.get(comment_id)
    _commentable(state, state.slides.get(comment.slide_id))
    if comment.resolved_at is not None:
        raise conflict(f"{comment_id} was resolved at {comment.resolved_at}.", type="already_resolved")
    return state.comments.patch(comment_id, resolved_at=ctx.now)
