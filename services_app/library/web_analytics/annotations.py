"""Tools for annotations: what happened on a day, beside the curve."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    within,
)
from services_app.library.web_analytics.figures import counted, need
from services_app.library.web_analytics.state import Annotation, Importance, PropertyId, WebState, service


@service.tool()
def list_annotations(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: WebState,
    ctx: CallContext,
    query: Query | None = None,
    property_id: PropertyId | None = None,
    importance: Importance | None = None,
    by_email: f.Email | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List annotations, the latest day first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the text.
        property_id: Only annotations of this property.
        importance: Only notes, releases or outages.
        by_email: Only annotations of this person.
        start_date: First day.
        end_date: Last day.
        limit: At most so many annotations.
        cursor: next_cursor of the previous page.
    """
    if property_id is not None:
        state.properties.get(property_id)
    found = search(within(state.annotations, "date", start_date, end_date), query, lambda row: (row.text,))
    found = keep(found, property_id=property_id, importance=importance, by_email=by_email)
    found = newest_first(found, "date")
    return cursor_page("annotations", found, limit, cursor)


@service.tool(phrase="note on {date} for {property_id} what happened")
def create_annotation(
    state: WebState,
    ctx: CallContext,
    property_id: PropertyId,
    date: f.Date,
    text: Body,
    importance: Importance = "note",
) -> Json:
    """Note what happened to a site on a day, with the sessions of that day.

    Errors: `not_found`, `no_permission` (analysts), `invalid_date`, `in_the_future`, `same_text` (noted on that day
    already), `blank_text`.

    Args:
        property_id: Id of the property.
        date: The day; today at the latest.
        text: What happened.
        importance: note, release or outage.
    """
    need(state, property_id, "analyst")
    clean = check_text(text, "text")
    if check_date(date) > ctx.today:
        raise invalid(f"{date} is still to come; annotate it afterwards.", type="in_the_future")
    for other in state.annotations.find(property_id=property_id, date=date):
        if same(other.text, clean):
            raise conflict(f"{other.id} says so already.", type="same_text")
    row = state.annotations.create(
        property_id=property_id, date=date, text=clean, importance=importance, by_email=ME.email
    )
    return {**row.plain(), "sessions": sum(one.sessions for one in counted(state, property_id) if one.date == date)}


@service.tool(phrase="delete the annotation {annotation_id}")
def delete_annotation(
    state: WebState, ctx: CallContext, annotation_id: Annotated[str, f.ref("annotations")]
) -> Annotation:
    """Delete an annotation of yours; editors delete those of others, too.

    Errors: `not_found`, `no_permission`, `outage_stays`.

    Args:
        annotation_id: Id of the annotation.
    """
    row = state.annotations.get(annotation_id)
    if row.by_email != ME.email:
        need(state, row.property_id, "editor")
    if row.importance == "outage":
        raise forbidden(f"{annotation_id} marks an outage; it stays for the record.", type="outage_stays")
    return state.annotations.delete(annotation_id)
