"""Tools for who may see and change a site's analytics."""

from __future__ import annotations

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, same, search, with_fields
from services_app.library.web_analytics.figures import need
from services_app.library.web_analytics.state import Access, PropertyId, Role, WebState, service


def access_of(state: WebState, property_id: str, email: str) -> Access | None:
    return next((row for row in state.users.find(property_id=property_id) if same(row.email, email)), None)


@service.tool()
def list_property_users(
    state: WebState,
    ctx: CallContext,
    query: Query | None = None,
    property_id: PropertyId | None = None,
    role: Role | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List who has which role for which site.

    Errors: `not_found`.

    Args:
        query: Words in the name or address.
        property_id: Only users of this property.
        role: Only users with this role.
        limit: At most so many users.
        cursor: next_cursor of the previous page.
    """
    if property_id is not None:
        state.properties.get(property_id)
    found = keep(search(state.users, query, lambda row: (row.name, row.email)), property_id=property_id, role=role)
    found.sort(key=lambda row: (row.name, row.id))
    rows = [with_fields(row, domain=state.properties.get(row.property_id).domain) for row in found]
    return cursor_page("users", rows, limit, cursor)


def _keep_an_admin(state: WebState, row: Access) -> None:
    """409 `last_admin` when nobody else could give roles."""
    if row.role == "admin" and state.users.count(property_id=row.property_id, role="admin") == 1:
        raise conflict(f"{row.email} is the last admin; name another first.", type="last_admin")


_NEW = {"property_id": "PROP-01", "email": "ana@agency.example", "role": "viewer", "name": "Ana Lund"}


@service.tool(phrase="give {email} the role {role} for {property_id}", examples=(Example({**_NEW}),))
def set_property_role(
    state: WebState, ctx: CallContext, property_id: PropertyId, email: f.Email, role: Role, name: f.Person = ""
) -> Json:
    """Give somebody a role for a site of which you are admin, in place of the one before.

    Errors: `not_found`, `no_permission`, `has_role`, `name_missing` (of somebody who has no role anywhere),
    `last_admin`.

    Args:
        property_id: Id of the property.
        email: Who gets the role.
        role: viewer, analyst for annotations, editor for goals, campaigns and filters, or admin.
        name: Full name, for somebody new.
    """
    need(state, property_id, "admin")
    present = access_of(state, property_id, email)
    if present is not None:
        if present.role == role:
            raise conflict(f"{present.name} is {role} already.", type="has_role")
        _keep_an_admin(state, present)
        return with_fields(state.users.patch(present.id, role=role), was=present.role)
    known = next((row for row in state.users if same(row.email, email)), None)
    full = known.name if known else name.strip()
    if not full:
        raise invalid(f"{email} is new; send the name, too.", type="name_missing")
    address = known.email if known else email
    return with_fields(state.users.create(property_id=property_id, name=full, email=address, role=role), was=None)


@service.tool(phrase="take the role for {property_id} from {email}")
def remove_property_user(state: WebState, ctx: CallContext, property_id: PropertyId, email: f.Email) -> Json:
    """Take somebody's role for a site of which you are admin.

    Errors: `not_found`, `no_permission`, `no_role`, `last_admin`.

    Args:
        property_id: Id of the property.
        email: Who loses the role.
    """
    need(state, property_id, "admin")
    row = access_of(state, property_id, email)
    if row is None:
        raise conflict(f"{email} has no role there.", type="no_role")
    _keep_an_admin(state, row)
    state.users.delete(row.id)
    return {"removed": row.email, "was": row.role, "users_left": state.users.count(property_id=property_id)}
