"""What a service says about itself: that it is up, which version it runs, what it holds, which tools it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError
from services_app.engine.state import About, Record, State, Table
from services_app.recipes.aggregate import tables_of

_MOST_TOOLS = 200


class ServerRecord(Record):
    """The one server behind the tools."""

    about = About("server", prefix="SRV-")
    version: str
    started_at: str
    status: str = "ok"


def seed_server(servers: Table[ServerRecord], ctx: SeedContext) -> None:
    """One server, up since a few days before the session."""
    servers.create(version=f"1.{ctx.seed % 9 + 2}.0", started_at=ctx.moment(-3, 6))


def health(state: State, ctx: CallContext, servers: Table[ServerRecord], *, detailed: bool = True) -> dict[str, Any]:
    """Whether the service is up, and how many records it holds; `detailed` gives them table by table."""
    server = next(iter(servers), None)
    up = server is not None and server.status == "ok"
    counts = {name: len(table) for name, table in tables_of(state).items() if table is not servers}
    known = {
        "status": "ok" if up else "unavailable",
        "healthy": up,
        "message": "pong" if up else "no server answers",
        "version": server.version if server else "",
        "started_at": server.started_at if server else "",
        "time": ctx.now,
        "records": sum(counts.values()),
    }
    return {**known, "tables": counts} if detailed else known


def tool_list(tools: Mapping[str, Mapping[str, Any]], servers: Table[ServerRecord], words: object) -> dict[str, Any]:
    """Names and first sentences of the tools that hold every word of `words`; all when it is empty.

    404 when none does.
    """
    wanted = str(words or "").lower().replace("_", " ").split()
    found = [
        {"name": name, "description": str(tool["description"]).split("\n")[0][:300]}
        for name, tool in tools.items()
        if all(word in f"{name} {tool['description']}".lower().replace("_", " ") for word in wanted)
    ]
    if wanted and not found:
        raise ToolError(404, "not_found", f"No tool is about {words!r}. Leave it out to see all of them.")
    version = next((server.version for server in servers), "")
    return {"version": version, "tools": found[:_MOST_TOOLS], "total": len(found)}
