"""Tools that switch feature flags for customers."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.releases.flags import Company, flag_row, live_flag, setting_of, target_of
from services_app.library.releases.state import (
    Environment,
    FlagKey,
    Percentage,
    ReleasesState,
    Target,
    service,
)
from services_app.library.releases.trains import Notes, note_audit
from services_app.library.shared import Json, check_text, same, with_fields

STEP = 25


@service.tool(phrase="switch {flag} on or off in {environment}")
def toggle_flag(state: ReleasesState, ctx: CallContext, flag: FlagKey, environment: Environment, enabled: bool) -> Json:
    """Switch a flag on or off in an environment; off works at once and for everybody.

    Errors: `not_found`, `flag_archived`, `no_change`, `not_in_staging` (on in staging first).

    Args:
        flag: Key of the flag.
        environment: staging or production.
        enabled: Whether it is on.
    """
    found = live_flag(state, flag)
    row = setting_of(state, flag, environment)
    if row.enabled == enabled:
        raise conflict(f"{flag} is {'on' if enabled else 'off'} in {environment} already.", type="no_change")
    if enabled and environment == "production" and not setting_of(state, flag, "staging").enabled:
        raise conflict(f"{flag} is off in staging; switch it on there first.", type="not_in_staging")
    state.settings.patch(row.id, enabled=enabled)
    note_audit(state, ctx, flag, f"switched {'on' if enabled else 'off'} in {environment}")
    return flag_row(state, ctx, found)


@service.tool(phrase="roll {flag} out to {percentage} % in {environment}")
def set_rollout_percentage(
    state: ReleasesState, ctx: CallContext, flag: FlagKey, percentage: Percentage, environment: Environment
) -> Json:
    """Set the share of customers who get a flag that is on; in production by at most 25 points more at a time.

    Errors: `not_found`, `flag_archived`, `flag_disabled`, `no_change`, `step_too_large`, `above_staging` (production
    never has more than staging).

    Args:
        flag: Key of the flag.
        percentage: 0 to 100.
        environment: staging or production.
    """
    found = live_flag(state, flag)
    row = setting_of(state, flag, environment)
    if not row.enabled:
        raise conflict(f"{flag} is off in {environment}; switch it on first.", type="flag_disabled")
    if row.percentage == percentage:
        raise conflict(f"{flag} is at {percentage:g} % in {environment} already.", type="no_change")
    if environment == "production" and percentage > row.percentage + STEP:
        most = row.percentage + STEP
        raise conflict(f"From {row.percentage:g} % the next step is {most:g} % at most.", type="step_too_large")
    if environment == "production" and percentage > setting_of(state, flag, "staging").percentage:
        share = setting_of(state, flag, "staging").percentage
        raise conflict(f"Staging is at {share:g} %; raise that first.", type="above_staging")
    state.settings.patch(row.id, percentage=percentage)
    note_audit(state, ctx, flag, f"rolled out to {percentage:g} % in {environment}")
    return flag_row(state, ctx, found)


@service.tool(phrase="name {company} for {flag} in {environment}")
def set_target(
    state: ReleasesState,
    ctx: CallContext,
    flag: FlagKey,
    company: Company,
    environment: Environment = "production",
    receives: bool = True,
    note: Notes = "",
) -> Target:
    """Give a flag to a customer, or keep it from one, whatever the percentage.

    Errors: `not_found`, `flag_archived`, `same_target`, `too_many_targets` (twenty for one flag and environment),
    `blank_text`.

    Args:
        flag: Key of the flag.
        company: Name of the customer.
        environment: staging or production.
        receives: false keeps it from the customer.
        note: Why.
    """
    live_flag(state, flag)
    name = check_text(company, "company")
    present = target_of(state, flag, environment, name)
    if present is not None and (present.receives, present.note) == (receives, note):
        raise conflict(f"{name} is named so already.", type="same_target")
    if present is None and len(state.targets.find(flag=flag, environment=environment)) >= 20:
        raise conflict(f"{flag} names twenty customers; use the percentage.", type="too_many_targets")
    note_audit(state, ctx, flag, f"{'given to' if receives else 'kept from'} {name} in {environment}")
    if present is not None:
        return state.targets.patch(present.id, receives=receives, note=note)
    return state.targets.create(flag=flag, environment=environment, company=name, receives=receives, note=note)


@service.tool(phrase="take the name {target_id} off its flag")
def remove_target(state: ReleasesState, ctx: CallContext, target_id: Annotated[str, f.ref("targets")]) -> Json:
    """Let the percentage decide again for a customer who was named for a flag.

    Errors: `not_found`, `flag_archived`.

    Args:
        target_id: Id of the entry, from get_flag.
    """
    target = state.targets.get(target_id)
    live_flag(state, target.flag)
    state.targets.delete(target_id)
    note_audit(state, ctx, target.flag, f"{target.company} no longer named in {target.environment}")
    left = state.targets.count(flag=target.flag, environment=target.environment)
    return with_fields(target, removed=True, targets_left=left)


@service.tool()
def list_customer_flags(
    state: ReleasesState, ctx: CallContext, company: Company, environment: Environment = "production"
) -> Json:
    """List the flags for which a customer is named, given or kept away.

    Errors: `unknown_customer` (named nowhere).

    Args:
        company: Name of the customer.
        environment: staging or production.
    """
    found = [row for row in state.targets if same(row.company, company)]
    if not found:
        raise invalid(f"No flag names {company!r}; use evaluate_flag for one flag.", type="unknown_customer")
    rows = [row for row in found if row.environment == environment]
    return {"targets": rows, "total": len(rows)}
