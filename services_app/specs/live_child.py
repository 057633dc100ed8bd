"""The process that talks to a live server: reads a LiveRequest on standard input, writes a LiveAnswer.

It lives for one import. Whatever the server does (hang, flood, fork), ending this process group ends it all.
Run as `python -m services_app.specs.live_child`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, PaginatedRequestParams
from pydantic import ValidationError

from services_app.specs.errors import SpecError
from services_app.specs.http_transport import watched_client
from services_app.specs.live_protocol import LiveAnswer, LiveLimits, LiveRequest
from services_app.specs.live_watch import Watch, explain, innermost, is_closed
from services_app.specs.process_tree import adopt_orphans, end_descendants
from services_app.specs.stdio_transport import stdio_pipes

Mode = Literal["auto", "legacy"]


class _Recorder(JSONRPCDispatcher[Any]):
    """Keeps the pages of tools/list as they came; the SDK sees none of the tools, so a bad one hides no other."""

    def __init__(self, inbound: Any, outbound: Any, limits: LiveLimits) -> None:
        super().__init__(inbound, outbound)
        self.pages: list[dict[str, Any]] = []
        self.discover_seconds = limits.discover_seconds

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: Any = None, **private: Any
    ) -> dict[str, Any]:
        if method == "server/discover":
            opts = {**(opts or {}), "timeout": self.discover_seconds}
        result = await super().send_raw_request(method, params, opts, **private)
        if method != "tools/list":
            return result
        self.pages.append(result)
        return {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": []}


async def ask(request: LiveRequest) -> LiveAnswer:
    """All pages of the server's tools, or the reason why not. One retry in the older dialect of the protocol."""
    watch = Watch(request.limits.page_bytes)
    try:
        with anyio.fail_after(request.limits.deadline_seconds):
            return await _with_retry(request, watch)
    except BaseException as error:  # the boundary: everything becomes one sentence for the user
        if not isinstance(innermost(error), Exception):
            raise
        reason = explain(error, watch)
        return LiveAnswer(error_kind=reason.kind, error_message=reason.message, error_hint=reason.hint)


async def _with_retry(request: LiveRequest, watch: Watch) -> LiveAnswer:
    try:
        return await _attempt(request, watch, "auto")
    except Exception as error:
        # Some servers end at a method they do not know; they are asked again without it.
        if not is_closed(innermost(error)) or watch.too_large or watch.network_error or watch.junk_lines:
            raise
    watch.exit_code, watch.stderr = None, b""
    return await _attempt(request, watch, "legacy")


async def _attempt(request: LiveRequest, watch: Watch, mode: Mode) -> LiveAnswer:
    async with _streams(request, watch) as (inbound, outbound):
        recorder = _Recorder(inbound, outbound, request.limits)
        async with ClientSession(dispatcher=recorder, read_timeout_seconds=request.limits.request_seconds) as session:
            await _greet(session, recorder, mode, request.limits)
            await _list_all(session, recorder, request.limits)
            return LiveAnswer(pages=recorder.pages, **_about(session), remarks=watch.remarks())


@asynccontextmanager
async def _streams(request: LiveRequest, watch: Watch) -> AsyncIterator[tuple[Any, Any]]:
    limits = request.limits
    if request.kind == "stdio":
        async with stdio_pipes(request.command, request.environment, limits, watch) as streams:
            yield streams
        return
    async with (
        watched_client(request.headers, limits, watch) as client,
        streamable_http_client(request.url, http_client=client, max_sse_event_size=limits.page_bytes) as streams,
    ):
        yield streams


async def _greet(session: ClientSession, recorder: _Recorder, mode: Mode, limits: LiveLimits) -> None:
    if mode == "legacy":
        await session.initialize()
        return
    try:
        await session.discover()
        return
    except (MCPError, RuntimeError, ValidationError) as error:
        was_slow = isinstance(error, MCPError) and error.code == REQUEST_TIMEOUT
    try:
        await session.initialize()
    except MCPError as error:
        if not was_slow or error.code in (REQUEST_TIMEOUT, CONNECTION_CLOSED):
            raise
        # It started too slowly to answer the first question in time, but knows the new protocol and insists on it.
        recorder.discover_seconds = limits.request_seconds
        await session.discover()


async def _list_all(session: ClientSession, recorder: _Recorder, limits: LiveLimits) -> None:
    cursor: str | None = None
    seen: set[str] = set()
    while True:
        await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        following = recorder.pages[-1].get("nextCursor")
        if not following:
            return
        cursor = str(following)
        if cursor in seen:
            raise SpecError(
                "server:cursor-loop", f"The server gives the cursor {cursor[:60]!r} again, so its list never ends."
            )
        if len(recorder.pages) >= limits.pages:
            raise SpecError(
                "server:too-many-pages", f"The list has more than {limits.pages} pages, the limit for one import."
            )
        seen.add(cursor)


def _about(session: ClientSession) -> dict[str, Any]:
    info = session.server_info
    return {
        "server": info.model_dump(mode="json", exclude_none=True) if info else {},
        "instructions": session.instructions or "",
        "protocol": session.protocol_version or "",
    }


def main() -> None:
    """Read the request, ask, write the answer; leave no process behind."""
    answer_to = os.dup(1)
    os.dup2(2, 1)  # a stray print must not get into the answer
    adopt_orphans()
    request = LiveRequest.model_validate_json(sys.stdin.buffer.read())
    answer = anyio.run(ask, request)
    end_descendants(os.getpid())
    with os.fdopen(answer_to, "wb") as stream:
        # Not Pydantic's own writer: the pages may hold halves of surrogate pairs, which the importer reports.
        stream.write(json.dumps(answer.model_dump()).encode())


if __name__ == "__main__":
    main()
