"""Live import over streamable HTTP from a real server on localhost."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import anyio
import pytest
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from services_app.specs.errors import SpecError
from services_app.specs.live import import_http
from services_app.specs.live_protocol import LiveLimits
from tests.specs.servers import library

LIMITS = LiveLimits(deadline_seconds=20, request_seconds=10, discover_seconds=2, page_bytes=1 << 20)
HASTY = LiveLimits(deadline_seconds=5, request_seconds=1, discover_seconds=1)
KEY = {"Authorization": "Bearer harbour"}


@dataclass(frozen=True)
class Site:
    url: str
    port: int
    seen: list[str]


def application(*, json_response: bool, stateless: bool, seen: list[str]) -> Starlette:
    manager = StreamableHTTPSessionManager(library.build(), json_response=json_response, stateless=stateless)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["path"])
        if dict(scope["headers"]).get(b"authorization") != b"Bearer harbour":
            await Response(status_code=401)(scope, receive, send)
        else:
            await manager.handle_request(scope, receive, send)

    async def large(request: Request) -> Response:
        return Response(
            '{"jsonrpc":"2.0","id":1,"result":{"x":"' + "y" * (2 << 20) + '"}}', media_type="application/json"
        )

    async def page(request: Request) -> Response:
        return HTMLResponse("<h1>Welcome</h1>")

    async def broken(request: Request) -> Response:
        return PlainTextResponse("oops", status_code=503)

    async def slow(request: Request) -> Response:
        await anyio.sleep(3)
        return PlainTextResponse("late")

    async def toolless(request: Request) -> Response:
        call = await request.json()
        if "id" not in call:
            return Response(status_code=202)
        answer: dict[str, object] = {"error": {"code": -32601, "message": f"no such method: {call['method']}"}}
        if call["method"] == "initialize":
            info = {"name": "bare", "version": "1"}
            answer = {"result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": info}}
        status = 404 if "error" in answer else 200
        return JSONResponse({"jsonrpc": "2.0", "id": call["id"], **answer}, status_code=status)

    async def elsewhere(request: Request) -> Response:
        seen.append("redirect")
        return Response(status_code=307, headers={"location": "http://127.0.0.2:1/mcp"})

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    pages = {
        "/large": large,
        "/page": page,
        "/broken": broken,
        "/slow": slow,
        "/elsewhere": elsewhere,
        "/toolless": toolless,
    }
    routes = [Route(path, handler, methods=["POST"]) for path, handler in pages.items()]
    return Starlette(routes=[*routes, Mount("/mcp", guarded)], lifespan=lifespan)


@pytest.fixture(scope="module", params=["json", "events"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    plain = request.param == "json"
    seen: list[str] = []
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(application(json_response=plain, stateless=plain, seen=seen), log_level="critical")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.02)
    yield Site(f"http://127.0.0.1:{port}", port, seen)
    server.should_exit = True
    thread.join(10)
    listener.close()


def failure(url: str, *, limits: LiveLimits = LIMITS, headers: dict[str, str] | None = None) -> SpecError:
    with pytest.raises(SpecError) as caught:
        import_http(url, headers=headers, limits=limits)
    return caught.value


def test_all_pages_arrive_and_credentials_are_kept_nowhere(site: Site) -> None:
    site.seen.clear()
    spec = import_http(f"http://someone:pass@127.0.0.1:{site.port}/mcp/?token=t#x", headers=KEY, limits=LIMITS)
    assert [tool.name for tool in spec.tools] == [
        "list_books",
        "get_book",
        "return_book",
        "lend_book",
        "show_environment",
    ]
    assert [len(page["tools"]) for page in spec.raw["pages"]] == [2, 2, 1]
    assert (spec.source.kind, spec.source.locator) == ("http", f"http://127.0.0.1:{site.port}/mcp/")
    text = spec.model_dump_json()
    assert "harbour" not in text
    assert "pass" not in text
    assert "token" not in text
    assert set(site.seen) == {"/mcp/"}


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("/mcp/", "server:unauthorized", "401"),
        ("/nothing", "server:http-status", "404"),
        ("/broken", "server:http-status", "503"),
        ("/page", "server:not-mcp", "text/html"),
        ("/large", "server:too-large", "1 MB"),
        ("/toolless", "server:error", "no such method: tools/list"),
    ],
)
def test_each_failure_has_its_own_sentence(site: Site, path: str, kind: str, words: str) -> None:
    error = failure(site.url + path)
    assert error.kind == kind
    assert words in error.message
    assert error.hint or kind in ("server:too-large", "server:error")


def test_a_server_that_is_too_slow_ends_in_time(site: Site) -> None:
    start = time.monotonic()
    assert failure(site.url + "/slow", limits=HASTY).kind == "server:timeout"
    assert time.monotonic() - start < 40


def test_redirects_to_another_host_are_not_followed(site: Site) -> None:
    error = failure(site.url + "/elsewhere")
    assert error.kind.startswith("server:")
    assert error.kind != "server:refused"


def test_nobody_listening_is_told_from_a_bad_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert failure(f"http://127.0.0.1:{port}/mcp").kind == "server:refused"
    assert failure("http://no-such-host.invalid/mcp").kind == "server:refused"


@pytest.mark.parametrize("url", ["", "harbour", "ftp://harbour/mcp", "file:///etc/passwd", "http://", "//harbour/mcp"])
def test_only_web_addresses_are_asked(url: str) -> None:
    assert failure(url).kind == "server:bad-url"
