"""Tools for security groups and what they let in."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cloud.figures import changeable
from services_app.library.cloud.state import AccountId, Cidr, CloudState, GroupId, Note, Port, Protocol, service
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, search, with_fields

WORLD = "0.0.0.0/0"
PUBLIC_PORTS = (80, 443)


@service.tool()
def describe_security_groups(
    state: CloudState,
    ctx: CallContext,
    query: Query | None = None,
    account: AccountId | None = None,
    port: Port | None = None,
    cidr: Cidr | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List security groups with their ingress rules and how many instances they guard.

    Errors: `not_found`.

    Args:
        query: Words in the name, the description or those of its rules.
        account: Only groups of this account.
        port: Only groups that let something in on this port.
        cidr: Only groups that let this range in, such as 0.0.0.0/0.
        limit: At most so many groups.
        cursor: next_cursor of the previous page.
    """
    if account is not None:
        state.accounts.get(account)
    rows = []
    for group in keep(state.security_groups, account=account):
        rules = state.ingress_rules.find(group_id=group.id)
        if not search([group], query, lambda row: (row.name, row.description, *(rule.description for rule in rules))):  # noqa: B023 - used at once
            continue
        if port is not None and not any(rule.from_port <= port <= rule.to_port for rule in rules):
            continue
        if cidr is not None and not any(rule.cidr == cidr for rule in rules):
            continue
        users = [row for row in state.instances.find(security_group_id=group.id) if row.state != "terminated"]
        rows.append(with_fields(group, rules=rules, instances=len(users)))
    return cursor_page("security_groups", rows, limit, cursor)


def _check_cidr(cidr: str) -> None:
    """422 `invalid_cidr` for numbers that no address has."""
    address, length = cidr.split("/")
    if int(length) > 32 or any(int(part) > 255 for part in address.split(".")):
        raise invalid(f"{cidr} is no range of addresses; write 203.0.113.0/24.", type="invalid_cidr")


@service.tool(phrase="let {cidr} in on port {from_port} of {group_id}")
def authorize_ingress(
    state: CloudState,
    ctx: CallContext,
    group_id: GroupId,
    from_port: Port,
    cidr: Cidr,
    to_port: Port | None = None,
    protocol: Protocol = "tcp",
    description: Note = "",
) -> Json:
    """Let a range of addresses in on a port or a range of ports.

    Errors: `not_found`, `no_permission`, `invalid_cidr`, `invalid_range`, `duplicate_rule`, `open_to_the_world` (all
    addresses are let in on ports 80 and 443 only), `description_missing` (in production).

    Args:
        group_id: Id of the security group.
        from_port: The port, or the first one.
        cidr: Range of addresses, such as 203.0.113.0/24.
        to_port: The last port; the same as the first, if left out.
        protocol: tcp or udp.
        description: Who needs it.
    """
    group = state.security_groups.get(group_id)
    account = changeable(state, group.account)
    _check_cidr(cidr)
    last = from_port if to_port is None else to_port
    if last < from_port:
        raise invalid(f"The ports end ({last}) before they start ({from_port}).", type="invalid_range")
    if cidr.endswith("/0") and not (from_port == last and last in PUBLIC_PORTS):
        raise forbidden("All addresses are let in on 80 and 443 only; name a range.", type="open_to_the_world")
    if account.environment == "production" and not description.strip():
        raise invalid("Say in the description who needs it.", type="description_missing")
    values = {"group_id": group_id, "protocol": protocol, "from_port": from_port, "to_port": last, "cidr": cidr}
    present = state.ingress_rules.first(**values)
    if present is not None:
        raise conflict(f"{present.id} lets that in already.", type="duplicate_rule")
    rule = state.ingress_rules.create(**values, description=description)
    return with_fields(rule, rules_of_group=state.ingress_rules.count(group_id=group_id))


@service.tool(phrase="revoke the ingress rule {rule_id}")
def revoke_ingress(state: CloudState, ctx: CallContext, rule_id: Annotated[str, f.ref("ingress_rules")]) -> Json:
    """Take an ingress rule out of its security group.

    Errors: `not_found`, `no_permission`.

    Args:
        rule_id: Id of the rule, from describe_security_groups.
    """
    rule = state.ingress_rules.get(rule_id)
    changeable(state, state.security_groups.get(rule.group_id).account)
    state.ingress_rules.delete(rule_id)
    return {"revoked": rule_id, "group_id": rule.group_id, "rules": state.ingress_rules.find(group_id=rule.group_id)}
