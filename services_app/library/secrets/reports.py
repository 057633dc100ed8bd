"""Tools for the audit log and the policies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.secrets.state import SecretsState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Offset,
    Query,
    cursor_page,
    guide_pages,
    keep,
    newest_first,
    offset_page,
    search,
    within,
)


@service.tool()
def search_audit_log(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    by_email: f.Email | None = None,
    action: Annotated[str, f.Semantic("label")] | None = None,
    subject: Annotated[str, f.Semantic("code"), Field(max_length=40)] | None = None,
    start: f.Date | None = None,
    end: f.Date | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """Search the audit log for who did what and when, newest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the detail.
        by_email: Only entries of this person.
        action: Only this action, such as secret.checkout.
        subject: Only entries about this id.
        start: First day.
        end: Last day.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    found = search(within(state.audit, "at", start, end), query, lambda row: (row.detail,))
    found = keep(found, by_email=by_email, action=action, subject=subject)
    found = newest_first(found, "at")
    return cursor_page("entries", found, limit, cursor)


@service.tool()
def read_policies(
    state: SecretsState,
    ctx: CallContext,
    query: Query | None = None,
    superseded: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Read the rules for secrets and access, the newest first.

    Args:
        query: Words in the title or text.
        superseded: false for rules in force, true for those that a newer one has replaced.
        limit: At most so many policies.
        offset: How many to skip.
    """
    found = guide_pages(state.policies, query, superseded=superseded)
    return offset_page("policies", found, limit, offset)
