"""A registry over real HTTP: pages, waiting, broken entries, cursors without an end, and a reading that goes on."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from services_app.specs.errors import SpecError
from services_app.specs.registry import RegistryLimits, read_entry, read_registry, servers_url

LIMITS = RegistryLimits(request_seconds=5, pages=6, tries=3, longest_wait=9, pause=0.25, page_bytes=100_000)
REMOTE = {"type": "streamable-http", "url": "https://one.example/mcp"}

Answer = tuple[int, dict[str, str], bytes]


class Registry:
    """A server whose answers come from `answer(cursor, number of the request)`."""

    def __init__(self) -> None:
        self.seen: list[dict[str, str]] = []
        self.answer: Callable[[str, int], Answer] = lambda cursor, number: page([])
        self.busy = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
                outer.seen.append({"path": urlsplit(self.path).path, **query})
                status, headers, body = outer.answer(query.get("cursor", ""), len(outer.seen))
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def page(servers: list[Any], cursor: Any = None) -> Answer:
    metadata = {"count": len(servers), **({"nextCursor": cursor} if cursor is not None else {})}
    return 200, {}, json.dumps({"servers": servers, "metadata": metadata}).encode()


def entry(name: str, **more: Any) -> dict[str, Any]:
    return {"server": {"name": name, "version": "1.0.0", "description": "A server.", **more}}


@pytest.fixture
def registry() -> Iterator[Registry]:
    made = Registry()
    yield made
    made.server.shutdown()
    made.server.server_close()


def names(pages: Iterator[Any]) -> list[str]:
    return [one.name for each in pages for one in each.entries]


def test_pages_are_read_one_after_the_other(registry: Registry) -> None:
    answers = {
        "": page([entry("a/one", remotes=[REMOTE])], "p2"),
        "p2": page([entry("a/two")], "p3"),
        "p3": page([entry("a/three")], ""),
    }
    registry.answer = lambda cursor, number: answers[cursor]
    waits: list[float] = []
    assert names(read_registry(registry.url, sleep=waits.append, limits=LIMITS)) == ["a/one", "a/two", "a/three"]
    assert waits == [LIMITS.pause] * 2
    assert registry.seen[0] == {"path": "/v0/servers", "limit": "100", "version": "latest"}
    assert [seen.get("cursor", "") for seen in registry.seen] == ["", "p2", "p3"]
    assert names(read_registry(registry.url, sleep=waits.append, cursor="p2", limits=LIMITS)) == ["a/two", "a/three"]


def test_a_busy_registry_is_waited_for_as_long_as_it_says(registry: Registry) -> None:
    busy: list[Answer] = [(429, {"Retry-After": "4"}, b""), (503, {}, b"")]
    registry.answer = lambda cursor, number: busy[number - 1] if number <= 2 else page([entry("a/one")])
    waits: list[float] = []
    assert names(read_registry(registry.url, sleep=waits.append, limits=LIMITS)) == ["a/one"]
    assert waits == [4.0, 2.0]


def test_a_wait_has_a_bound_and_a_date_is_understood(registry: Registry) -> None:
    busy: list[Answer] = [
        (429, {"Retry-After": "86400"}, b""),
        (429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, b""),
    ]
    registry.answer = lambda cursor, number: busy[number - 1] if number <= 2 else page([])
    waits: list[float] = []
    list(read_registry(registry.url, sleep=waits.append, limits=LIMITS))
    assert waits == [LIMITS.longest_wait, 0.0]


def test_a_registry_that_stays_busy_is_given_up(registry: Registry) -> None:
    registry.answer = lambda cursor, number: (429, {}, b"")
    with pytest.raises(SpecError, match="status 429 3 times") as caught:
        list(read_registry(registry.url, sleep=lambda seconds: None, limits=LIMITS))
    assert caught.value.kind == "registry:busy"
    assert len(registry.seen) == 3


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((404, {}, b""), "registry:status"),
        ((200, {}, b"<html>"), "registry:not-json"),
        ((200, {}, b"[" * 50_000), "registry:not-json"),
        ((200, {}, b'{"servers": 5}'), "registry:shape"),
        ((200, {}, b"[]"), "registry:shape"),
        ((200, {}, b'"' + b"x" * 100_001 + b'"'), "registry:too-large"),
    ],
)
def test_what_is_no_registry_gets_a_sentence(registry: Registry, answer: Answer, kind: str) -> None:
    registry.answer = lambda cursor, number: answer
    with pytest.raises(SpecError) as caught:
        list(read_registry(registry.url, sleep=lambda seconds: None, limits=LIMITS))
    assert caught.value.kind == kind
    assert caught.value.message.endswith(".")


def test_cursors_without_an_end_end(registry: Registry) -> None:
    registry.answer = lambda cursor, number: page([entry(f"a/{number}")], str(number))
    found: list[str] = []
    pages = read_registry(registry.url, sleep=lambda seconds: None, limits=LIMITS)
    with pytest.raises(SpecError) as caught:
        found.extend(one.name for each in pages for one in each.entries)
    assert caught.value.kind == "registry:pages"
    assert len(found) == LIMITS.pages
    registry.answer = lambda cursor, number: page([], "again")
    with pytest.raises(SpecError) as looped:
        list(read_registry(registry.url, sleep=lambda seconds: None, limits=LIMITS))
    assert looped.value.kind == "registry:loop"


def test_nobody_there() -> None:
    with pytest.raises(SpecError, match="could not be reached"):
        list(read_registry("http://127.0.0.1:1", sleep=lambda seconds: None, limits=LIMITS))
    for wrong in ("ftp://host", "registry", "", "https://me:word@host"):
        with pytest.raises(SpecError, match="The URL"):
            list(read_registry(wrong, sleep=lambda seconds: None))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (entry("a", remotes=[REMOTE]), ""),
        (entry("a", remotes=[{"type": "sse", "url": "https://one.example/sse"}]), "server-sent events"),
        (entry("a", remotes=[{**REMOTE, "url": "https://{tenant}.example/mcp"}]), "whole address"),
        (entry("a", remotes=[{**REMOTE, "url": "file:///etc/passwd"}]), "whole address"),
        (entry("a", packages=[{"registryType": "npm", "identifier": "@a/b", "version": "1"}]), "npm @a/b 1"),
        (entry("a"), "neither where it runs"),
        (entry("a", remotes="none", packages=[5, None]), "neither where it runs"),
        ({**entry("a", remotes=[REMOTE]), "_meta": {"x/official": {"status": "deleted"}}}, "deleted"),
        ({"server": {"version": "1"}}, "no name"),
        (5, "no name"),
        (None, "no name"),
        ({"name": "flat", "remotes": [{"transport_type": "streamable", "url": "https://x.example"}]}, ""),
    ],
)
def test_entries(row: Any, problem: str) -> None:
    found = read_entry(row)
    assert found is not None
    assert problem in found.problem
    assert bool(found.problem) is bool(problem)
    json.dumps(found.to_json())


def test_headers_are_named_and_older_versions_left_out() -> None:
    remote = {**REMOTE, "headers": [{"name": "Authorization", "isSecret": True}, "x"]}
    found = read_entry(entry("a", remotes=[remote]))
    assert found is not None
    assert found.remotes[0].headers == ("Authorization",)
    assert read_entry({**entry("a"), "_meta": {"x/official": {"isLatest": False}}}) is None


def test_where_the_list_lies() -> None:
    assert servers_url("https://host.example") == "https://host.example/v0/servers"
    assert servers_url("https://host.example/base/") == "https://host.example/base/v0/servers"
    assert servers_url("https://host.example/v0.1/servers") == "https://host.example/v0.1/servers"
