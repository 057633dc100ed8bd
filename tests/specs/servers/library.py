"""A well-behaved MCP server on the SDK's low level: five tools in pages of two."""

from __future__ import annotations

import asyncio
import os
import sys

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TOOLS = [
    {
        "name": "list_books",
        "description": "List books.",
        "inputSchema": {"type": "object", "properties": {"shelf": {"type": "string"}}},
    },
    {
        "name": "get_book",
        "description": "Get a book.",
        "inputSchema": {"type": "object", "properties": {"book_id": {"type": "string"}}},
    },
    {
        "name": "return_book",
        "description": "Return a book.",
        "inputSchema": {"type": "object", "properties": {"book_id": {"type": "string"}}},
    },
    {
        "name": "lend_book",
        "description": "Lend a book.",
        "inputSchema": {"type": "object", "properties": {"book_id": {"type": "string"}}},
    },
    {"name": "show_environment", "description": " ".join(sorted(os.environ)), "inputSchema": {"type": "object"}},
]


async def list_tools(context: object, params: types.PaginatedRequestParams | None) -> dict[str, object]:
    start = int(params.cursor) if params is not None and params.cursor else 0
    page: dict[str, object] = {
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "tools": TOOLS[start : start + 2],
    }
    if start + 2 < len(TOOLS):
        page["nextCursor"] = str(start + 2)
    return page


def build() -> Server:
    return Server(
        "town-library", version="3", title="Town library", on_list_tools=list_tools, instructions="Books of the town."
    )


async def main() -> None:
    server = build()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
