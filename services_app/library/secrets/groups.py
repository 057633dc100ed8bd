"""Tools for groups."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.secrets.rights import active, note, user
from services_app.library.secrets.state import Group, GroupId, SecretsState, service
from services_app.library.shared import Json, Query, same, search, with_fields


def group_row(state: SecretsState, ctx: CallContext, group: Group) -> Json:
    vaults = {row.vault_id: row.role for row in state.grants.find(group_id=group.id) if active(ctx, row)}
    return with_fields(group, members=len(group.member_emails), vault_roles=vaults)


@service.tool()
def list_groups(
    state: SecretsState, ctx: CallContext, query: Query | None = None, member_email: f.Email | None = None
) -> Json:
    """List groups with their members and the roles they have in vaults.

    Args:
        query: Words in the name or description.
        member_email: Only groups of which this person is a member.
    """
    found = search(state.groups, query, lambda row: (row.name, row.description))
    rows = [
        group_row(state, ctx, row)
        for row in found
        if member_email is None or any(same(one, member_email) for one in row.member_emails)
    ]
    return {"groups": rows, "total": len(rows)}


def owned(state: SecretsState, group_id: str) -> Group:
    """A group that the signed-in user owns; 403 `not_the_owner`."""
    group = state.groups.get(group_id)
    if group.owner_email != ME.email:
        raise forbidden(f"{group.owner_email} owns {group.name}; ask there.", type="not_the_owner")
    return group


@service.tool(phrase="add {email} to the group {group_id}")
def add_group_member(state: SecretsState, ctx: CallContext, group_id: GroupId, email: f.Email) -> Json:
    """Add a user to a group that you own; they get its roles at once.

    Errors: `not_found`, `not_the_owner`, `unknown_user`, `suspended`, `is_member`.

    Args:
        group_id: Id of the group.
        email: Who is added.
    """
    group = owned(state, group_id)
    person = user(state, email)
    if person.email in group.member_emails:
        raise conflict(f"{person.name} is a member already.", type="is_member")
    note(state, ctx, "group.add", group_id, person.email)
    members = (*group.member_emails, person.email)
    return group_row(state, ctx, state.groups.patch(group_id, member_emails=members))


@service.tool(phrase="remove {email} from the group {group_id}")
def remove_group_member(state: SecretsState, ctx: CallContext, group_id: GroupId, email: f.Email) -> Json:
    """Remove a user from a group that you own; one member has to stay.

    Errors: `not_found`, `not_the_owner`, `not_a_member`, `last_member`.

    Args:
        group_id: Id of the group.
        email: Who is removed.
    """
    group = owned(state, group_id)
    members = tuple(one for one in group.member_emails if not same(one, email))
    if len(members) == len(group.member_emails):
        raise conflict(f"{email} is no member of {group.name}.", type="not_a_member")
    if not members:
        raise conflict(f"{email} is the last member of {group.name}.", type="last_member")
    note(state, ctx, "group.remove", group_id, email)
    return group_row(state, ctx, state.groups.patch(group_id, member_emails=members))
