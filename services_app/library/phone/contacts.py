"""Tools for contacts and blocked numbers."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import UNSET, CallContext, ToolError, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.phone.access import PhoneNumber, blocked, check_number, contact_of, digits, same_number
from services_app.library.phone.state import BlockedNumber, Contact, PhoneState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    some_changes,
    with_fields,
)

Name = Annotated[str, f.Semantic("person")]


@service.tool()
def search_contacts(
    state: PhoneState,
    ctx: CallContext,
    query: Query | None = None,
    company: f.Organisation | None = None,
    do_not_call: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find contacts by name, number, address, job title or notes, in the order of their names.

    Args:
        query: Words that must all occur, or a phone number in any notation.
        company: Only people of this company.
        do_not_call: Only contacts that may not (true) or may (false) be called.
        limit: At most so many contacts.
        cursor: next_cursor of the previous page.
    """
    found = search(
        state.contacts,
        _as_number(query),
        lambda row: (row.name, row.phone, digits(row.phone), row.email, row.job_title, row.notes),
    )
    found = sorted(keep(found, company=company, do_not_call=do_not_call), key=lambda row: (row.name, row.id))
    page = cursor_page("contacts", found, limit, cursor)
    page["contacts"] = [_shown(state, row) for row in page["contacts"]]
    return page


def _as_number(query: str | None) -> str | None:
    """A query that is a phone number in some notation as its digits; other queries as they are."""
    if query and len(digits(query)) >= 7 and set(query) <= set("+0123456789 ()-./"):
        return digits(query)
    return query


def _shown(state: PhoneState, contact: Contact) -> Json:
    calls = [row for row in state.calls if same_number(row.other_number, contact.phone)]
    return with_fields(
        contact,
        calls=len(calls),
        last_call_at=max((row.started_at for row in calls), default=None),
        blocked=blocked(state, contact.phone) is not None,
    )


@service.tool(phrase="save {name} of {company} with the number {phone}")
def create_contact(
    state: PhoneState,
    ctx: CallContext,
    name: Name,
    phone: PhoneNumber,
    email: f.Email,
    company: f.Organisation = "",
    job_title: f.Label = "",
    notes: f.Text = "",
) -> Contact:
    """Save a contact; a number belongs to one contact only.

    Errors: `invalid_number`, `duplicate_number`, `blank_text`.

    Args:
        name: Full name.
        phone: Number with country code.
        email: Address.
        company: Where they work.
        job_title: What they do there.
        notes: What callers should know.
    """
    clean = _new_number(state, phone)
    return state.contacts.create(
        name=check_text(name, "name"), phone=clean, email=email, company=company, job_title=job_title, notes=notes
    )


def _new_number(state: PhoneState, phone: str, own: str = "") -> str:
    clean = check_number(phone)
    other = contact_of(state, clean)
    if other is not None and other.id != own:
        raise conflict(f"{clean} is the number of {other.name} ({other.id}).", type="duplicate_number")
    return clean


@service.tool(phrase="change the contact {contact_id}")
def update_contact(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: PhoneState,
    ctx: CallContext,
    contact_id: Annotated[str, f.ref("contacts")],
    name: Name | Unset = UNSET,
    phone: PhoneNumber | Unset = UNSET,
    email: f.Email | Unset = UNSET,
    company: f.Organisation | Unset = UNSET,
    job_title: f.Label | Unset = UNSET,
    do_not_call: bool | Unset = UNSET,
    notes: f.Text | Unset = UNSET,
) -> Json:
    """Change a contact; what is left out stays.

    Errors: `not_found`, `invalid_number`, `duplicate_number`, `blank_text`, `nothing_to_change`.

    Args:
        contact_id: Id of the contact.
        name: New name.
        phone: New number.
        email: New address.
        company: New company.
        job_title: New job title.
        do_not_call: Whether they must not be called.
        notes: New notes.
    """
    state.contacts.get(contact_id)
    changes = some_changes(
        given(
            name=name,
            phone=phone,
            email=email,
            company=company,
            job_title=job_title,
            do_not_call=do_not_call,
            notes=notes,
        )
    )
    if "name" in changes:
        check_text(changes["name"], "name")
    if "phone" in changes:
        changes["phone"] = _new_number(state, changes["phone"], own=contact_id)
    return _shown(state, state.contacts.patch(contact_id, **changes))


@service.tool()
def list_blocked_numbers(
    state: PhoneState, ctx: CallContext, query: Query | None = None, limit: Limit = 30, cursor: Cursor = ""
) -> Json:
    """List the numbers that cannot call or write to the company, newest first.

    Args:
        query: Words in the number or the reason.
        limit: At most so many numbers.
        cursor: next_cursor of the previous page.
    """
    found = search(state.blocked_numbers, query, lambda row: (row.number, digits(row.number), row.reason))
    found = newest_first(found, "blocked_on")
    return cursor_page("blocked_numbers", found, limit, cursor)


@service.tool(phrase="block {number}")
def block_number(state: PhoneState, ctx: CallContext, number: PhoneNumber, reason: f.Text = "") -> BlockedNumber:
    """Block a number for the whole company; numbers of contacts must lose their contact's consent first.

    Errors: `invalid_number`, `already_blocked`, `own_number` (one of our lines), `number_of_contact` (set do_not_call
    on the contact first).

    Args:
        number: Number to block.
        reason: Why.
    """
    clean = check_number(number)
    if blocked(state, clean):
        raise conflict(f"{clean} is blocked already.", type="already_blocked")
    if any(same_number(line.number, clean) for line in state.lines):
        raise conflict(f"{clean} is one of our own lines.", type="own_number")
    contact = contact_of(state, clean)
    if contact is not None and not contact.do_not_call:
        raise conflict(
            f"{clean} belongs to {contact.name} ({contact.id}); set do_not_call first.", type="number_of_contact"
        )
    return state.blocked_numbers.create(number=clean, reason=reason, blocked_on=ctx.today)


@service.tool(phrase="unblock {number}")
def unblock_number(state: PhoneState, ctx: CallContext, number: PhoneNumber) -> Json:
    """Let a blocked number call and write again.

    Errors: `not_blocked`.

    Args:
        number: The blocked number.
    """
    row = blocked(state, number)
    if row is None:
        raise ToolError(404, "not_blocked", f"{number} is not blocked; see list_blocked_numbers.")
    state.blocked_numbers.delete(row.id)
    return {"unblocked": row.number, "blocked_numbers": len(state.blocked_numbers)}
