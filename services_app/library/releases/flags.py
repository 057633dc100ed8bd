"""Tools for feature flags themselves: finding, adding, retiring, and who gets what."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.engineering import sha
from services_app.library.releases.state import (
    ENVIRONMENTS,
    Environment,
    Flag,
    FlagKey,
    FlagState,
    ReleasesState,
    Target,
    service,
)
from services_app.library.releases.trains import ComponentId, note_audit
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_text,
    cursor_page,
    days_between,
    keep,
    newest_first,
    same,
    search,
    some_changes,
)

NewKey = Annotated[str, f.Semantic("code"), Field(min_length=2, max_length=60, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Company = Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=200)]


def setting_of(state: ReleasesState, flag: str, environment: str) -> FlagState:
    """How a flag is set in an environment; off when nobody has set it."""
    found = state.settings.first(flag=flag, environment=environment)
    return found or state.settings.create(flag=flag, environment=environment)


def live_flag(state: ReleasesState, flag: str) -> Flag:
    """The flag if it is not archived; 409 `flag_archived`."""
    found = state.flags.get(flag)
    if found.archived:
        raise conflict(f"{flag} is archived; restore it first.", type="flag_archived")
    return found


def target_of(state: ReleasesState, flag: str, environment: str, company: str) -> Target | None:
    rows = state.targets.find(flag=flag, environment=environment)
    return next((row for row in rows if same(row.company, company)), None)


def flag_row(state: ReleasesState, ctx: CallContext, flag: Flag) -> Json:
    """A flag with how it is set, and whether it is old enough to be retired."""
    shown: Json = flag.plain()
    for environment in ENVIRONMENTS:
        row = state.settings.first(flag=flag.id, environment=environment)
        shown[environment] = brief(row, "enabled", "percentage") if row else {"enabled": False, "percentage": 0.0}
    shown["targets"] = state.targets.count(flag=flag.id)
    age = days_between(flag.created_at[:10], ctx.today)
    shown["age_days"] = age
    shown["stale"] = not flag.permanent and not flag.archived and age > 90
    return shown


@service.tool()
def list_flags(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: ReleasesState,
    ctx: CallContext,
    query: Query | None = None,
    component: ComponentId | None = None,
    owner_email: f.Email | None = None,
    stale_only: bool = False,
    include_archived: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List feature flags by key, with how they are set in staging and production.

    Errors: `not_found`.

    Args:
        query: Words in the key or description.
        component: Only flags of this component.
        owner_email: Only flags of this owner.
        stale_only: Only flags that are older than 90 days and not permanent.
        include_archived: Also archived flags.
        limit: At most so many flags.
        cursor: next_cursor of the previous page.
    """
    if component is not None:
        state.components.get(component)
    found = keep(
        search(state.flags, query, lambda row: (row.id, row.description)), component=component, owner_email=owner_email
    )
    rows = [flag_row(state, ctx, row) for row in sorted(found, key=lambda row: row.id)]
    rows = [row for row in rows if (include_archived or not row["archived"]) and (row["stale"] or not stale_only)]
    return cursor_page("flags", rows, limit, cursor)


@service.tool()
def get_flag(state: ReleasesState, ctx: CallContext, flag: FlagKey) -> Json:
    """Show a flag with its settings, the customers named for it, and its last audit entries.

    Errors: `not_found`.

    Args:
        flag: Key of the flag.
    """
    found = state.flags.get(flag)
    entries = state.audit.find(subject=flag)
    return {**flag_row(state, ctx, found), "named": state.targets.find(flag=flag), "audit": entries[-10:]}


@service.tool()
def evaluate_flag(
    state: ReleasesState, ctx: CallContext, flag: FlagKey, company: Company, environment: Environment = "production"
) -> Json:
    """Say whether a customer gets what a flag controls, and why.

    Errors: `not_found`.

    Args:
        flag: Key of the flag.
        company: Name of the customer.
        environment: Environment.
    """
    found = state.flags.get(flag)
    row = state.settings.first(flag=flag, environment=environment)
    named = target_of(state, flag, environment, company)
    # The place of a customer on the scale never changes: more per cent only adds customers.
    place = int(sha(flag, company.strip().lower()), 16) % 100
    if found.archived or row is None or not row.enabled:
        receives, reason = False, "archived" if found.archived else "disabled"
    elif named is not None:
        receives, reason = named.receives, "named"
    else:
        receives, reason = place < row.percentage, "rollout"
    rule = brief(row, "enabled", "percentage") if row else {"enabled": False, "percentage": 0.0}
    return {
        "flag": flag,
        "description": found.description,
        "owner_email": found.owner_email,
        "company": company,
        "environment": environment,
        "receives": receives,
        "reason": reason,
        "rule": rule,
        "note": named.note if named else "",
    }


@service.tool(phrase="create the feature flag {key}")
def create_flag(
    state: ReleasesState,
    ctx: CallContext,
    key: NewKey,
    component: ComponentId,
    description: Body,
    permanent: bool = False,
) -> Json:
    """Create a flag that is off everywhere; you own it.

    Errors: `not_found`, `duplicate_key`, `too_many_flags` (25 live ones of a component that are not permanent),
    `blank_text`.

    Args:
        key: Key that the code asks for, such as night-mode.
        component: Component whose code asks.
        description: What it switches.
        permanent: true for one that is never to be retired.
    """
    state.components.get(component)
    text = check_text(description, "description")
    if key in state.flags:
        raise conflict(f"There is a flag {key}; choose another key.", type="duplicate_key")
    live = [row for row in state.flags.find(component=component) if not row.archived and not row.permanent]
    if len(live) >= 25 and not permanent:
        raise conflict(f"{component} has {len(live)} flags; archive one first.", type="too_many_flags")
    values = {"component": component, "description": text, "owner_email": ME.email, "permanent": permanent}
    flag = state.flags.add(Flag.model_validate({"id": key, **values, "created_at": ctx.now}))
    note_audit(state, ctx, key, "created")
    return flag_row(state, ctx, flag)


@service.tool(phrase="update the feature flag {flag}")
def update_flag(
    state: ReleasesState,
    ctx: CallContext,
    flag: FlagKey,
    description: Body | Unset = UNSET,
    owner_email: f.Email | Unset = UNSET,
    permanent: bool | Unset = UNSET,
) -> Json:
    """Change description, owner or lifetime of a live flag.

    Errors: `not_found`, `flag_archived`, `nothing_to_change`, `blank_text`.

    Args:
        flag: Key of the flag.
        description: New description.
        owner_email: New owner.
        permanent: Whether it is never to be retired.
    """
    live_flag(state, flag)
    changes = some_changes(given(description=description, owner_email=owner_email, permanent=permanent))
    if "description" in changes:
        changes["description"] = check_text(changes["description"], "description")
    note_audit(state, ctx, flag, f"changed {', '.join(sorted(changes))}")
    return flag_row(state, ctx, state.flags.patch(flag, **changes))


@service.tool(phrase="archive the feature flag {flag}")
def archive_flag(state: ReleasesState, ctx: CallContext, flag: FlagKey, restore: bool = False) -> Json:
    """Retire a flag that is off in production or given to everybody, or restore an archived one.

    Errors: `not_found`, `flag_archived`, `not_archived`, `permanent_flag`, `still_rolling_out` (some customers have
    it and some do not).

    Args:
        flag: Key of the flag.
        restore: true takes an archived flag back.
    """
    found = state.flags.get(flag)
    if restore and not found.archived:
        raise conflict(f"{flag} is not archived.", type="not_archived")
    if not restore:
        live_flag(state, flag)
        row = state.settings.first(flag=flag, environment="production")
        if found.permanent:
            raise conflict(f"{flag} is permanent; update it first.", type="permanent_flag")
        if row is not None and row.enabled and row.percentage < 100:
            raise conflict(f"{flag} is at {row.percentage:g} % in production.", type="still_rolling_out")
    note_audit(state, ctx, flag, "restored" if restore else "archived")
    return flag_row(state, ctx, state.flags.patch(flag, archived=not restore))


@service.tool()
def list_audit_log(
    state: ReleasesState,
    ctx: CallContext,
    subject: Annotated[str, f.Semantic("code"), Field(max_length=60)] | None = None,
    by_email: f.Email | None = None,
    query: Query | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List who changed which release or flag, newest first.

    Args:
        subject: Only entries about this flag key or release id.
        by_email: Only entries of this person.
        query: Words in the action.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.audit, query, lambda row: (row.action,)), subject=subject, by_email=by_email)
    found = newest_first(found, "at")
    return cursor_page("entries", found, limit, cursor)
