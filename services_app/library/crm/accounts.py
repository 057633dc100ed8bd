"""Tools for accounts, the people there, and our own sales users."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.crm.state import (
    OPEN_STAGES,
    Account,
    AccountStatus,
    Contact,
    CrmState,
    Deal,
    Tier,
    User,
    service,
)
from services_app.library.shared import (
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_text,
    keep,
    offset_page,
    percent,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

AccountId = Annotated[str, f.ref("accounts")]
ContactId = Annotated[str, f.ref("contacts")]
Limit0 = Annotated[float, f.Semantic("money"), Field(ge=0, le=100_000_000)]


def user_by_email(state: CrmState, email: str) -> User:
    """The sales user with this address; 422 `unknown_user` otherwise."""
    for user in state.users:
        if same(user.email, email):
            return user
    raise invalid(f"{email} is not a sales user; list_users shows who is.", type="unknown_user")


def open_deals(state: CrmState, account_id: str) -> list[Deal]:
    return [deal for deal in state.deals.find(account_id=account_id) if deal.stage in OPEN_STAGES]


@service.tool()
def search_accounts(
    state: CrmState,
    ctx: CallContext,
    query: Query | None = None,
    status: AccountStatus | None = None,
    tier: Tier | None = None,
    owner_email: f.Email | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find customer accounts by name, domain, industry or city, in the order of their names.

    Args:
        query: Words in the name, domain, industry, city or country.
        status: Only accounts with this status.
        tier: Only accounts of this tier.
        owner_email: Only accounts looked after by this sales user.
        limit: At most so many accounts.
        offset: Skip so many accounts.
    """
    found = search(state.accounts, query, lambda row: (row.name, row.domain, row.industry, row.city, row.country))
    found = keep(found, status=status, tier=tier, owner_email=owner_email)
    found.sort(key=lambda row: (row.name, row.id))
    rows = [brief(row, "id", "name", "industry", "city", "tier", "status", "owner_email") for row in found]
    return offset_page("accounts", rows, limit, offset)


@service.tool()
def get_account(state: CrmState, ctx: CallContext, account_id: AccountId) -> Json:
    """Show an account with its open deals, pipeline value, won business and last activity.

    Errors: `not_found`.

    Args:
        account_id: Id of the account.
    """
    account = state.accounts.get(account_id)
    pipeline = open_deals(state, account_id)
    won = state.deals.find(account_id=account_id, stage="won")
    moments = [activity.happened_at for activity in state.activities.find(account_id=account_id)]
    return with_fields(
        account,
        contacts=state.contacts.count(account_id=account_id),
        open_deals=len(pipeline),
        pipeline_value=total(deal.amount for deal in pipeline),
        won_value=total(deal.amount for deal in won),
        open_tasks=state.tasks.count(account_id=account_id, status="open"),
        last_activity_at=max(moments, default=None),
    )


@service.tool(phrase="create an account for {name}")
def create_account(
    state: CrmState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=200)],
    industry: f.Label,
    city: f.Place,
    country: f.Place = "",
    domain: f.Label = "",
    owner_email: f.Email | None = None,
) -> Account:
    """Create an account as a prospect; names and domains are unique.

    Errors: `duplicate_account`, `unknown_user`, `blank_text`.

    Args:
        name: Name of the company.
        industry: What it does.
        city: Where it is.
        country: The country.
        domain: Domain of its website and addresses.
        owner_email: Sales user who looks after it; you, if left out.
    """
    owner = user_by_email(state, owner_email or ME.email)
    clean = check_text(name, "name")
    for account in state.accounts:
        if same(account.name, clean) or (domain and same(account.domain, domain)):
            raise conflict(f"Account {account.id} ({account.name}) has this name or domain.", type="duplicate_account")
    return state.accounts.create(
        name=clean,
        domain=domain,
        industry=industry,
        city=city,
        country=country,
        address="",
        phone="",
        tier="bronze",
        status="prospect",
        employees=0,
        credit_limit=0.0,
        owner_email=owner.email,
        created_at=ctx.now,
    )


@service.tool(phrase="update the account {account_id}")
def update_account(  # noqa: PLR0913, PLR0917 - one per field of an account
    state: CrmState,
    ctx: CallContext,
    account_id: AccountId,
    tier: Tier | Unset = UNSET,
    status: AccountStatus | Unset = UNSET,
    industry: f.Label | Unset = UNSET,
    address: f.Place | Unset = UNSET,
    phone: f.Phone | Unset = UNSET,
    employees: Annotated[int, f.count("people"), Field(ge=0, le=10_000_000)] | Unset = UNSET,
) -> Account:
    """Change facts about an account; what is not sent stays as it is.

    An account with open deals cannot become former. Errors: `not_found`, `nothing_to_change`, `has_open_deals`.

    Args:
        account_id: Id of the account.
        tier: New tier.
        status: New status; on_hold keeps deals from being won.
        industry: New industry.
        address: New postal address.
        phone: New phone number.
        employees: New number of employees.
    """
    state.accounts.get(account_id)
    changes = some_changes(
        given(tier=tier, status=status, industry=industry, address=address, phone=phone, employees=employees)
    )
    if status == "former" and open_deals(state, account_id):
        raise conflict(f"Account {account_id} has open deals; close them first.", type="has_open_deals")
    return state.accounts.patch(account_id, **changes)


@service.tool(phrase="set the credit limit of {account_id} to {credit_limit}")
def set_credit_limit(state: CrmState, ctx: CallContext, account_id: AccountId, credit_limit: Limit0) -> Account:
    """Set how much a customer may owe; it cannot be below the value of a deal in negotiation.

    Errors: `not_found`, `below_negotiation` (a deal being negotiated is larger).

    Args:
        account_id: Id of the account.
        credit_limit: New limit.
    """
    state.accounts.get(account_id)
    largest = max((deal.amount for deal in state.deals.find(account_id=account_id, stage="negotiation")), default=0.0)
    if credit_limit < largest:
        raise conflict(
            f"A deal of {largest:.2f} is being negotiated; the limit cannot be {credit_limit:.2f}.",
            type="below_negotiation",
        )
    return state.accounts.patch(account_id, credit_limit=credit_limit)


@service.tool(phrase="hand {account_id} over to {owner_email}")
def assign_account(
    state: CrmState, ctx: CallContext, account_id: AccountId, owner_email: f.Email, include_deals: bool = True
) -> Json:
    """Give an account, and its open deals, to another sales user.

    Errors: `not_found`, `unknown_user`, `already_owner`.

    Args:
        account_id: Id of the account.
        owner_email: Sales user who takes over.
        include_deals: false leaves the open deals with whoever has them.
    """
    account, owner = state.accounts.get(account_id), user_by_email(state, owner_email)
    if account.owner_email == owner.email:
        raise conflict(f"{owner.name} looks after {account.name} already.", type="already_owner")
    moved = open_deals(state, account_id) if include_deals else []
    for deal in moved:
        state.deals.patch(deal.id, owner_email=owner.email)
    changed = state.accounts.patch(account_id, owner_email=owner.email)
    return with_fields(changed, deals_moved=len(moved))


@service.tool()
def search_contacts(
    state: CrmState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    account_id: AccountId | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find people at customers by name, title, address or account.

    Errors: `not_found` for an unknown account.

    Args:
        query: Words in the name, job title or account name.
        email: The exact address.
        account_id: Only people at this account.
        limit: At most so many contacts.
        offset: Skip so many contacts.
    """
    if account_id is not None:
        state.accounts.get(account_id)
    names = {account.id: account.name for account in state.accounts}
    found = search(state.contacts, query, lambda row: (row.name, row.title, names.get(row.account_id, "")))
    found = [row for row in keep(found, account_id=account_id) if email is None or same(row.email, email)]
    rows = [with_fields(row, account_name=names.get(row.account_id)) for row in found]
    return offset_page("contacts", rows, limit, offset)


@service.tool(phrase="add {name} as a contact of {account_id}")
def create_contact(
    state: CrmState,
    ctx: CallContext,
    account_id: AccountId,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)],
    email: f.Email,
    title: f.Label = "",
    phone: f.Phone = "",
) -> Contact:
    """Add a person to an account; the first one becomes its primary contact.

    Errors: `not_found`, `duplicate_contact` (an address belongs to one contact), `blank_text`.

    Args:
        account_id: Id of the account.
        name: Full name.
        email: Email address.
        title: Job title.
        phone: Phone number.
    """
    state.accounts.get(account_id)
    _unused_address(state, email)
    first = not state.contacts.find(account_id=account_id)
    clean = check_text(name, "name")
    return state.contacts.create(
        account_id=account_id, name=clean, email=email, title=title, phone=phone, primary=first
    )


def _unused_address(state: CrmState, email: str, own: str = "") -> None:
    for contact in state.contacts:
        if same(contact.email, email) and contact.id != own:
            raise conflict(f"{email} belongs to contact {contact.id} ({contact.name}).", type="duplicate_contact")


@service.tool(phrase="update the contact {contact_id}")
def update_contact(
    state: CrmState,
    ctx: CallContext,
    contact_id: ContactId,
    email: f.Email | Unset = UNSET,
    title: f.Label | Unset = UNSET,
    phone: f.Phone | Unset = UNSET,
    do_not_contact: bool | Unset = UNSET,
) -> Contact:
    """Change a contact; what is not sent stays as it is.

    Errors: `not_found`, `nothing_to_change`, `duplicate_contact`.

    Args:
        contact_id: Id of the contact.
        email: New address.
        title: New job title.
        phone: New phone number.
        do_not_contact: true stops calls and emails from being logged for this person.
    """
    state.contacts.get(contact_id)
    changes = some_changes(given(email=email, title=title, phone=phone, do_not_contact=do_not_contact))
    if "email" in changes:
        _unused_address(state, changes["email"], own=contact_id)
    return state.contacts.patch(contact_id, **changes)


@service.tool(phrase="make {contact_id} the primary contact")
def set_primary_contact(state: CrmState, ctx: CallContext, contact_id: ContactId) -> Contact:
    """Make someone the primary contact of their account; the one before loses that role.

    Errors: `not_found`, `already_primary`, `do_not_contact`.

    Args:
        contact_id: Id of the contact.
    """
    contact = state.contacts.get(contact_id)
    if contact.primary:
        raise conflict(f"{contact.name} is the primary contact already.", type="already_primary")
    if contact.do_not_contact:
        raise conflict(f"{contact.name} does not want to be contacted.", type="do_not_contact")
    for other in state.contacts.find(account_id=contact.account_id, primary=True):
        state.contacts.patch(other.id, primary=False)
    return state.contacts.patch(contact_id, primary=True)


@service.tool()
def list_users(state: CrmState, ctx: CallContext) -> Json:
    """List the sales users with their open pipeline, won business and share of their quota reached."""
    rows = []
    for user in state.users:
        deals = state.deals.find(owner_email=user.email)
        won = total(deal.amount for deal in deals if deal.stage == "won")
        pipeline = total(deal.amount for deal in deals if deal.stage in OPEN_STAGES)
        reached = percent(won, user.quota) or 0.0
        rows.append(with_fields(user, pipeline_value=pipeline, won_value=won, quota_reached=reached))
    return {"users": rows, "total": len(rows)}
