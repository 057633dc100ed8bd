"""Tools for audiences, their subscribers, tags and notes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.marketing_mail.figures import delivered_rates
from services_app.library.marketing_mail.state import (
    AudienceId,
    MailingState,
    Member,
    MemberId,
    MemberNote,
    MemberStatus,
    Tag,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
)

PersonName = Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)]
Tags = Annotated[list[Tag], Field(max_length=20)]
MOST_TAGS = 12


@service.tool()
def list_audiences(state: MailingState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the audiences with how many people are subscribed to each.

    Args:
        query: Words in the name or in the reminder why people get this mail.
    """
    found = search(state.audiences, query, lambda row: (row.name, row.permission_reminder))
    rows = [with_fields(row, subscribed=state.members.count(audience_id=row.id, status="subscribed")) for row in found]
    return {"audiences": rows, "total": len(rows)}


@service.tool()
def get_audience(state: MailingState, ctx: CallContext, audience_id: AudienceId) -> Json:
    """Show an audience with its members by status, tags in use, segments and average rates.

    Errors: `not_found`.

    Args:
        audience_id: Id of the audience.
    """
    audience = state.audiences.get(audience_id)
    members = state.members.find(audience_id=audience_id)
    statuses: dict[str, int] = {}
    tags: dict[str, int] = {}
    for member in members:
        statuses[member.status] = statuses.get(member.status, 0) + 1
        for tag in member.tags if member.status == "subscribed" else ():
            tags[tag] = tags.get(tag, 0) + 1
    sent = {row.id for row in state.campaigns.find(audience_id=audience_id, status="sent")}
    return with_fields(
        audience,
        members_by_status=statuses,
        subscribed_by_tag=dict(sorted(tags.items())),
        segments=[{"id": row.id, "name": row.name} for row in state.segments.find(audience_id=audience_id)],
        campaigns_sent=len(sent),
        **delivered_rates([row for row in state.deliveries if row.campaign_id in sent]),
    )


@service.tool()
def search_members(
    state: MailingState,
    ctx: CallContext,
    query: Query | None = None,
    audience_id: AudienceId | None = None,
    status: MemberStatus | None = None,
    tag: Tag | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find subscribers over all audiences by name, email address, company or country, in the order of their names.

    Args:
        query: Words in the name, address, company or country.
        audience_id: Only members of this audience.
        status: Only members with this status; archived ones are shown only when asked for.
        tag: Only members with this tag.
        limit: At most so many members.
        cursor: next_cursor of the previous page.
    """
    found = search(state.members, query, lambda row: (row.name, row.email, row.company, row.country))
    found = keep(found, audience_id=audience_id, status=status)
    if status is None:
        found = [row for row in found if row.status != "archived"]
    if tag is not None:
        found = [row for row in found if any(same(own, tag) for own in row.tags)]
    found.sort(key=lambda row: (row.name, row.id))
    return cursor_page("members", found, limit, cursor)


@service.tool()
def get_member(state: MailingState, ctx: CallContext, member_id: MemberId) -> Json:
    """Show a subscriber with notes, other audiences of the same address, and their last ten campaigns.

    Errors: `not_found`.

    Args:
        member_id: Id of the member.
    """
    member = state.members.get(member_id)
    others = [row for row in state.members if same(row.email, member.email) and row.id != member_id]
    deliveries = newest_first(state.deliveries.find(member_id=member_id), "sent_at")
    return with_fields(
        member,
        audience=state.audiences.get(member.audience_id).name,
        notes=state.notes.find(member_id=member_id),
        also_in=[
            {"member_id": row.id, "audience": state.audiences.get(row.audience_id).name, "status": row.status}
            for row in others
        ],
        last_campaigns=[
            with_fields(row, campaign=state.campaigns.get(row.campaign_id).title) for row in deliveries[:10]
        ],
        **delivered_rates(deliveries),
    )


@service.tool(phrase="add {email} to the audience {audience_id}")
def add_member(
    state: MailingState,
    ctx: CallContext,
    audience_id: AudienceId,
    email: f.Email,
    name: PersonName,
    company: f.Organisation = "",
    country: f.Place = "",
    tags: Tags | None = None,
) -> Member:
    """Add somebody to an audience; where double opt-in is on, they are pending until they confirm.

    An archived member comes back with the new data. Who unsubscribed or bounced can only return by signing up
    themselves.

    Errors: `not_found`, `member_exists`, `compliance_state`, `too_many_tags`, `blank_text`.

    Args:
        audience_id: Id of the audience.
        email: Email address.
        name: Full name.
        company: Where they work.
        country: Country they are in.
        tags: Tags to put on them.
    """
    audience = state.audiences.get(audience_id)
    values: Json = {
        "name": check_text(name, "name"),
        "company": company,
        "country": country,
        "status": "pending" if audience.double_opt_in else "subscribed",
        "tags": _merged((), tags or [], []),
        "joined_on": ctx.today,
    }
    known = next((row for row in state.members.find(audience_id=audience_id) if same(row.email, email)), None)
    if known is None:
        return state.members.create(audience_id=audience_id, email=email, **values)
    if known.left_reason or known.status in ("unsubscribed", "cleaned"):
        raise conflict(
            f"{email} left {audience.name}; only they can come back, through the sign-up form.", type="compliance_state"
        )
    if known.status != "archived":
        raise conflict(f"{email} is {known.id} in {audience.name} already; update that.", type="member_exists")
    return state.members.patch(known.id, **values)


def _merged(present: tuple[str, ...], add: list[str], remove: list[str]) -> tuple[str, ...]:
    left = [tag for tag in present if not any(same(tag, other) for other in remove)]
    for tag in add:
        if not any(same(tag, other) for other in left):
            left.append(tag)
    if len(left) > MOST_TAGS:
        raise invalid(f"A member has at most {MOST_TAGS} tags; remove some first.", type="too_many_tags")
    return tuple(left)


def _present(state: MailingState, member_id: str) -> Member:
    member = state.members.get(member_id)
    if member.status == "archived":
        raise conflict(f"{member.email} is archived; add the address to the audience again.", type="member_archived")
    return member


@service.tool(phrase="update the subscriber {member_id}")
def update_member(
    state: MailingState,
    ctx: CallContext,
    member_id: MemberId,
    email: f.Email | Unset = UNSET,
    name: PersonName | Unset = UNSET,
    company: f.Organisation | Unset = UNSET,
    country: f.Place | Unset = UNSET,
) -> Member:
    """Change address, name, company or country of a subscriber; what is left out stays.

    Errors: `not_found`, `member_archived`, `member_exists`, `nothing_to_change`, `blank_text`.

    Args:
        member_id: Id of the member.
        email: New address; nobody else in the audience may have it.
        name: New name.
        company: New company.
        country: New country.
    """
    member = _present(state, member_id)
    changes = some_changes(given(email=email, name=name, company=company, country=country))
    if "name" in changes:
        check_text(changes["name"], "name")
    for row in state.members.find(audience_id=member.audience_id):
        if row.id != member_id and same(row.email, changes.get("email", "")):
            raise conflict(f"{row.email} is {row.id} of the same audience.", type="member_exists")
    return state.members.patch(member_id, **changes)


@service.tool(phrase="change the tags of the subscriber {member_id}")
def update_member_tags(
    state: MailingState,
    ctx: CallContext,
    member_id: MemberId,
    add_tags: Tags | None = None,
    remove_tags: Tags | None = None,
) -> Member:
    """Put tags on a subscriber or take tags off; at most twelve tags.

    Errors: `not_found`, `member_archived`, `no_change`, `too_many_tags`.

    Args:
        member_id: Id of the member.
        add_tags: Tags to put on.
        remove_tags: Tags to take off.
    """
    member = _present(state, member_id)
    tags = _merged(member.tags, add_tags or [], remove_tags or [])
    if tags == member.tags:
        raise conflict(
            f"{member.email} has these tags: {', '.join(tags) or 'none'}; nothing changes.", type="no_change"
        )
    return state.members.patch(member_id, tags=tags)


@service.tool(phrase="unsubscribe {member_id}")
def unsubscribe_member(
    state: MailingState, ctx: CallContext, member_id: MemberId, reason: Body, everywhere: bool = False
) -> Json:
    """Unsubscribe somebody on their request; it cannot be undone from here.

    Errors: `not_found`, `not_subscribed`, `blank_text`.

    Args:
        member_id: Id of the member.
        reason: What they said.
        everywhere: Also in all other audiences in which the address is subscribed or pending.
    """
    member = state.members.get(member_id)
    check_text(reason, "reason")
    if member.status not in ("subscribed", "pending"):
        raise conflict(f"{member.email} is {member.status}; there is nothing to unsubscribe.", type="not_subscribed")
    left = [member]
    if everywhere:
        left += [
            row
            for row in state.members
            if row.id != member_id and same(row.email, member.email) and row.status in ("subscribed", "pending")
        ]
    for row in left:
        state.members.patch(row.id, status="unsubscribed", left_reason=reason)
    names = [state.audiences.get(row.audience_id).name for row in left]
    return with_fields(state.members.get(member_id), unsubscribed_from=names)


@service.tool(phrase="archive the subscriber {member_id}")
def archive_member(state: MailingState, ctx: CallContext, member_id: MemberId) -> Member:
    """Archive a member, who then gets no more mail and is not counted; history and the reason of leaving are kept.

    Errors: `not_found`, `member_archived`.

    Args:
        member_id: Id of the member.
    """
    _present(state, member_id)
    return state.members.patch(member_id, status="archived")


@service.tool(phrase="note something about the subscriber {member_id}")
def add_member_note(state: MailingState, ctx: CallContext, member_id: MemberId, text: Body) -> MemberNote:
    """Write a note about a subscriber, for colleagues only.

    Errors: `not_found`, `blank_text`.

    Args:
        member_id: Id of the member.
        text: The note.
    """
    state.members.get(member_id)
    check_text(text, "note")
    return state.notes.create(member_id=member_id, text=text, author_email=ME.email, created_at=ctx.now)
