"""Tools for notebooks: policies, findings and instructions of the people who run things."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.monitoring.state import MonitoringState, Notebook, service
from services_app.library.shared import Json, Limit, Offset, Query, brief, keep, newest_first, offset_page, search


@service.tool()
def list_notebooks(
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    author_email: f.Email | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List notebooks without their text, the latest change first.

    Args:
        query: Words in the title or text.
        author_email: Only notebooks of this person.
        limit: At most so many notebooks.
        offset: How many to skip.
    """
    found = keep(search(state.notebooks, query, lambda row: (row.title, row.body)), author_email=author_email)
    found = newest_first(found, "modified_on")
    rows = [brief(row, "id", "title", "author_email", "modified_on") for row in found]
    return offset_page("notebooks", rows, limit, offset)


@service.tool()
def get_notebook(state: MonitoringState, ctx: CallContext, notebook_id: Annotated[str, f.ref("notebooks")]) -> Notebook:
    """Read a notebook.

    Errors: `not_found`.

    Args:
        notebook_id: Id of the notebook.
    """
    return state.notebooks.get(notebook_id)
