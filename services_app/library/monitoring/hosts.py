"""Tools for services and the hosts they run on."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.monitoring.evaluate import ORDER, aggregated, groups, overall
from services_app.library.monitoring.state import Host, HostName, MonitoringState, Note, Role, ServiceName, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_future,
    cursor_page,
    keep,
    minutes_between,
    search,
    with_fields,
)

SILENT_AFTER_MINUTES = 30


def host_row(ctx: CallContext, host: Host) -> Json:
    """A host with whether it reports and whether it is muted now."""
    silent = minutes_between(host.last_reported_at, max(ctx.now, host.last_reported_at))
    return with_fields(
        host,
        up=silent <= SILENT_AFTER_MINUTES,
        minutes_silent=silent,
        muted=host.muted_until is not None and host.muted_until > ctx.now,
    )


@service.tool()
def list_services(state: MonitoringState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the services of the catalog with their owner, hosts and the worst state of their monitors.

    Args:
        query: Words in the name or description.
    """
    rows = []
    for row in search(state.services, query, lambda row: (row.id, row.title, row.description)):
        states = [overall(groups(state, monitor)) for monitor in state.monitors.find(service=row.id)]
        worst = min(states, key=ORDER.index, default="No Data")
        hosts = state.hosts.count(service=row.id)
        rows.append(with_fields(row, hosts=hosts, monitors=len(states), alerting=states.count("Alert"), status=worst))
    return {"services": rows, "total": len(rows)}


@service.tool()
def list_hosts(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: MonitoringState,
    ctx: CallContext,
    query: Query | None = None,
    service: ServiceName | None = None,
    role: Role | None = None,
    customer: f.Organisation | None = None,
    up: bool | None = None,
    muted: bool | None = None,
    sort: Annotated[Literal["name", "last_reported_at"], LABEL] = "name",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List hosts with their place, agent version and whether they report.

    Errors: `not_found`.

    Args:
        query: Words in the name, place or customer.
        service: Only hosts of this service.
        role: Only hosts with this role.
        customer: Only hosts on the sites of this customer.
        up: true for hosts that reported in the last half hour, false for the others.
        muted: true for hosts that are muted now, false for the others.
        sort: name, or last_reported_at for the longest silent first.
        limit: At most so many hosts.
        cursor: next_cursor of the previous page.
    """
    if service is not None:
        state.services.get(service)
    found = search(state.hosts, query, lambda row: (row.name, row.place, row.customer))
    found = keep(found, service=service, role=role, customer=customer)
    rows = [host_row(ctx, row) for row in found]
    rows = [row for row in rows if up in (None, row["up"]) and muted in (None, row["muted"])]
    rows.sort(key=lambda row: (row[sort], row["name"]))
    return cursor_page("hosts", rows, limit, cursor)


@service.tool()
def get_host(state: MonitoringState, ctx: CallContext, host: HostName) -> Json:
    """Show a host with the newest value of each of its metrics.

    Errors: `not_found`.

    Args:
        host: Name of the host.
    """
    found = state.hosts.get(host)
    values = [
        {
            "metric": row.metric,
            "unit": state.metrics.get(row.metric).unit,
            "last": aggregated(row.values, "last"),
            "max": aggregated(row.values, "max"),
        }
        for row in state.series.find(host=host)
    ]
    return {**host_row(ctx, found), "metrics": values, "log_entries": state.logs.count(host=host)}


@service.tool(
    phrase="mute the host {host} until {end}",
    examples=(Example({"host": "flt-dat-02", "end": "2026-03-12T18:00:00Z", "message": "Move", "override": True}),),
)
def mute_host(
    state: MonitoringState,
    ctx: CallContext,
    host: HostName,
    end: f.Timestamp,
    message: Note = "",
    override: bool = False,
) -> Json:
    """Silence everything about a host until an instant.

    Errors: `not_found`, `in_the_past`, `invalid_time`, `already_muted` (say override to replace the mute),
    `message_missing` (a gateway on a customer's site needs one).

    Args:
        host: Name of the host.
        end: When it is to be heard again.
        message: Why.
        override: true replaces a mute that is in force.
    """
    found = state.hosts.get(host)
    moment = check_future(ctx, end, "end")
    if found.muted_until is not None and found.muted_until > ctx.now and not override:
        raise conflict(f"{host} is muted until {found.muted_until}; send override to replace.", type="already_muted")
    if found.customer and not message.strip():
        raise invalid(f"{host} stands at {found.customer}; say in a message why it is muted.", type="message_missing")
    return host_row(ctx, state.hosts.patch(host, muted_until=moment, mute_message=message))


@service.tool(phrase="unmute the host {host}")
def unmute_host(state: MonitoringState, ctx: CallContext, host: HostName) -> Json:
    """Hear of a muted host again.

    Errors: `not_found`, `not_muted`.

    Args:
        host: Name of the host.
    """
    found = state.hosts.get(host)
    if found.muted_until is None or found.muted_until <= ctx.now:
        raise conflict(f"{host} is not muted.", type="not_muted")
    return host_row(ctx, state.hosts.patch(host, muted_until=None, mute_message=""))
