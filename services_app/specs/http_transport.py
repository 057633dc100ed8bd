"""The HTTP side of a live import: statuses and network errors are remembered, answers are counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from services_app.specs.live_protocol import LiveLimits
from services_app.specs.live_watch import Watch

_MCP_TYPES = ("application/json", "text/event-stream")


class _Counted(httpx2.AsyncByteStream):
    """The body of an answer, cut off when it grows beyond the limit for one page."""

    def __init__(self, inner: Any, limit: int, watch: Watch) -> None:
        self._inner = inner
        self._limit = limit
        self._watch = watch

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._limit:
                self._watch.too_large = True
                raise httpx2.ReadError("the answer is too large")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class _WatchedClient(httpx2.AsyncClient):
    """Remembers why no connection came about; the SDK reports only that it closed."""

    watch: Watch

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            return await super().send(request, **options)
        except httpx2.ConnectError as error:
            self.watch.network_error = str(error) or "connection refused"
            raise
        except httpx2.TimeoutException:
            self.watch.timed_out = True
            raise


def _must_hold_message(response: httpx2.Response) -> bool:
    """Whether the answer must hold a message: only a POST asks for one."""
    return response.request.method == "POST" and response.headers.get("content-length") != "0"


@asynccontextmanager
async def watched_client(
    headers: Mapping[str, str], limits: LiveLimits, watch: Watch
) -> AsyncIterator[httpx2.AsyncClient]:
    """An HTTP client for the SDK's transport. Nothing is compressed, so that counted bytes are real bytes."""

    async def note(response: httpx2.Response) -> None:
        watch.statuses.append(response.status_code)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code == 200 and _must_hold_message(response) and kind not in _MCP_TYPES:
            watch.foreign_type = kind or "no content type"
        response.stream = _Counted(response.stream, limits.page_bytes, watch)

    client = _WatchedClient(
        headers={**headers, "accept-encoding": "identity"},
        timeout=httpx2.Timeout(10.0, read=limits.request_seconds),
        event_hooks={"response": [note]},
    )
    client.watch = watch
    async with client:
        yield client
