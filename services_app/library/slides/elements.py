"""Tools for what stands on a slide: texts, images and tables."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, check_text, with_fields
from services_app.library.slides.access import (
    ElementId,
    ImageId,
    PresentationId,
    SlideId,
    editable,
    editable_slide,
    shown_element,
    slides_of,
    touch,
    words_on,
)
from services_app.library.slides.state import Element, Slide, SlidesState, service

SlideText = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=1500)]
CellText = Annotated[str, f.Semantic("label"), Field(max_length=120)]
TableRows = Annotated[
    list[Annotated[list[CellText], Field(min_length=1, max_length=8)]], Field(min_length=1, max_length=15)
]
Number = Annotated[int, Field(ge=1, le=15)]
MOST_ELEMENTS = 4


def _room(state: SlidesState, slide_id: str) -> Slide:
    """A slide that can take one more element: 409 `layout_takes_none` or `slide_full`."""
    slide = editable_slide(state, slide_id)
    if slide.layout == "section":
        raise conflict(f"{slide.title} is a section slide and carries only its title.", type="layout_takes_none")
    if state.elements.count(slide_id=slide_id) >= MOST_ELEMENTS:
        raise conflict(f"{slide.title} has {MOST_ELEMENTS} elements; use another slide.", type="slide_full")
    return slide


def _answer(state: SlidesState, ctx: CallContext, slide: Slide, element: Element) -> Json:
    touch(state, ctx, slide.presentation_id)
    words = words_on(slide, state.elements.find(slide_id=slide.id))
    return {"slide_id": slide.id, **shown_element(state, element), "words_on_slide": words}


@service.tool(phrase="write a text on the slide {slide_id}")
def add_text(state: SlidesState, ctx: CallContext, slide_id: SlideId, text: SlideText) -> Json:
    """Put a text on a slide; lines are separated by line breaks.

    Errors: `not_found`, `read_only`, `in_review`, `layout_takes_none`, `slide_full` (four elements), `blank_text`.

    Args:
        slide_id: Id of the slide.
        text: The text.
    """
    slide = _room(state, slide_id)
    check_text(text, "text")
    return _answer(state, ctx, slide, state.elements.create(slide_id=slide_id, kind="text", text=text))


@service.tool(phrase="change the text of the element {element_id}")
def update_text(state: SlidesState, ctx: CallContext, element_id: ElementId, text: SlideText) -> Json:
    """Replace a text, the alternative text of an image or the caption of a table.

    Errors: `not_found`, `read_only`, `in_review`, `blank_text`.

    Args:
        element_id: Id of the element, from get_slide.
        text: New text.
    """
    slide = editable_slide(state, state.elements.get(element_id).slide_id)
    check_text(text, "text")
    return _answer(state, ctx, slide, state.elements.patch(element_id, text=text))


@service.tool(phrase="put the image {image_id} on the slide {slide_id}")
def add_image(
    state: SlidesState, ctx: CallContext, slide_id: SlideId, image_id: ImageId, alt_text: f.Text = ""
) -> Json:
    """Put an image of the library on a slide. Title slides take none.

    Errors: `not_found`, `read_only`, `in_review`, `layout_takes_none`, `slide_full`, `already_there`.

    Args:
        slide_id: Id of the slide.
        image_id: Id of the image, from list_images.
        alt_text: What it shows, for those who do not see it; needed for the review.
    """
    image = state.images.get(image_id)
    slide = _room(state, slide_id)
    if slide.layout == "title":
        raise conflict(f"{slide.title} is a title slide and takes no image.", type="layout_takes_none")
    if state.elements.first(slide_id=slide_id, image_id=image_id) is not None:
        raise conflict(f"{image.filename} is on the slide already.", type="already_there")
    element = state.elements.create(slide_id=slide_id, kind="image", text=alt_text, image_id=image_id)
    return _answer(state, ctx, slide, element)


@service.tool(phrase="put a table on the slide {slide_id}")
def add_table(state: SlidesState, ctx: CallContext, slide_id: SlideId, rows: TableRows, caption: f.Text = "") -> Json:
    """Put a table on a slide, the first row being its header; a slide has one table at most.

    Errors: `not_found`, `read_only`, `in_review`, `layout_takes_none`, `slide_full`, `second_table`, `uneven_rows`.

    Args:
        slide_id: Id of the slide.
        rows: Rows of texts, all of the same length.
        caption: Text below the table.
    """
    slide = _room(state, slide_id)
    if state.elements.first(slide_id=slide_id, kind="table") is not None:
        raise conflict(f"{slide.title} has a table; change it instead.", type="second_table")
    if len({len(row) for row in rows}) > 1:
        raise invalid("The rows have different lengths; fill up with empty texts.", type="uneven_rows")
    table = tuple(tuple(row) for row in rows)
    return _answer(state, ctx, slide, state.elements.create(slide_id=slide_id, kind="table", text=caption, rows=table))


@service.tool(
    phrase="enter {text} in row {row}, column {column} of the table {element_id}",
    examples=(Example({"element_id": "EL-0003", "row": 2, "column": 2, "text": "6"}),),
)
def update_table_cell(
    state: SlidesState, ctx: CallContext, element_id: ElementId, row: Number, column: Number, text: CellText
) -> Json:
    """Change one cell of a table.

    Errors: `not_found`, `read_only`, `in_review`, `not_a_table`, `outside_table`.

    Args:
        element_id: Id of the table, from get_slide.
        row: Number of the row, 1 for the header.
        column: Number of the column.
        text: New text of the cell.
    """
    element = state.elements.get(element_id)
    slide = editable_slide(state, element.slide_id)
    if element.kind != "table":
        raise invalid(f"{element_id} is {element.kind}, not a table.", type="not_a_table")
    height, width = len(element.rows), len(element.rows[0])
    if row > height or column > width:
        raise invalid(f"The table has {height} rows and {width} columns.", type="outside_table")
    cells = [list(line) for line in element.rows]
    cells[row - 1][column - 1] = text
    changed = state.elements.patch(element_id, rows=tuple(tuple(line) for line in cells))
    return _answer(state, ctx, slide, changed)


@service.tool(phrase="remove the element {element_id} from its slide")
def delete_element(state: SlidesState, ctx: CallContext, element_id: ElementId) -> Json:
    """Remove a text, an image or a table from its slide.

    Errors: `not_found`, `read_only`, `in_review`.

    Args:
        element_id: Id of the element, from get_slide.
    """
    slide = editable_slide(state, state.elements.get(element_id).slide_id)
    touch(state, ctx, slide.presentation_id)
    return with_fields(state.elements.delete(element_id), elements_left=state.elements.count(slide_id=slide.id))


@service.tool(phrase="replace {find} by {replacement} all over the presentation {presentation_id}")
def replace_all_text(
    state: SlidesState,
    ctx: CallContext,
    presentation_id: PresentationId,
    find: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=120)],
    replacement: Annotated[str, f.Semantic("text"), Field(max_length=300)],
    include_notes: bool = True,
) -> Json:
    """Replace a text on all slides, to fill a placeholder such as {{customer}}; capitals matter.

    Errors: `not_found`, `read_only`, `in_review`, `nothing_found`.

    Args:
        presentation_id: Id of the presentation.
        find: Text to look for.
        replacement: Text that takes its place.
        include_notes: Replace in the presenter's notes as well.
    """
    editable(state, presentation_id)
    places = 0
    for slide in slides_of(state, presentation_id):
        changes = {"title": slide.title.replace(find, replacement)}
        if include_notes:
            changes["notes"] = slide.notes.replace(find, replacement)
        if any(getattr(slide, name) != text for name, text in changes.items()):
            state.slides.patch(slide.id, **changes)
            places += 1
        for element in state.elements.find(slide_id=slide.id):
            rows = tuple(tuple(cell.replace(find, replacement) for cell in row) for row in element.rows)
            text = element.text.replace(find, replacement)
            if (text, rows) != (element.text, element.rows):
                state.elements.patch(element.id, text=text, rows=rows)
                places += 1
    if not places:
        raise conflict(f"{find!r} does not occur in the presentation.", type="nothing_found")
    touch(state, ctx, presentation_id)
    return {"presentation_id": presentation_id, "changed_places": places}
