"""The list of a registry of MCP servers, as the official one serves it: GET /v0/servers, page by page.

A registry describes servers and holds none. What an entry offers over streamable HTTP can be imported live; packages
would have to be installed and started, which is left to people.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from services_app.specs.errors import SpecError
from services_app.specs.model import shortened

Sleep = Callable[[float], None]


@dataclass(frozen=True)
class RegistryLimits:
    """Bounds of one reading. Seconds, bytes, counts."""

    request_seconds: float = 30.0
    page_bytes: int = 16 << 20
    page_entries: int = 100
    pages: int = 2_000
    tries: int = 5
    longest_wait: float = 120.0
    pause: float = 0.2
    """Between two pages."""


class Remote(NamedTuple):
    """An address at which an entry says that its server answers. `headers` are the names it asks for."""

    kind: str
    url: str
    headers: tuple[str, ...]


class Entry(NamedTuple):
    """One server of the registry. `problem` is '' for one that can be imported live, else says why not."""

    name: str
    title: str
    version: str
    description: str
    remotes: tuple[Remote, ...]
    packages: tuple[str, ...]
    problem: str

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "remotes": [remote._asdict() for remote in self.remotes]}


class RegistryPage(NamedTuple):
    """The entries of one page; `cursor` leads to the next one, '' after the last."""

    entries: tuple[Entry, ...]
    cursor: str


DEFAULT_LIMITS = RegistryLimits()


def read_registry(
    url: str, *, sleep: Sleep, cursor: str = "", limits: RegistryLimits = DEFAULT_LIMITS
) -> Iterator[RegistryPage]:
    """The pages from `cursor` on, one request at a time. Raises SpecError with kind `registry:...`.

    A registry that asks to wait is waited for with `sleep` (seconds), as long as it says within the bounds.
    """
    import httpx2  # heavy, and only wanted here

    address = servers_url(url)
    seen = {cursor}
    with httpx2.Client(timeout=limits.request_seconds, follow_redirects=True) as client:
        for _ in range(limits.pages):
            page = _page(_asked(client, address, cursor, sleep, limits))
            yield page
            cursor = page.cursor
            if not cursor:
                return
            if cursor in seen:
                raise SpecError("registry:loop", "The registry leads back to a page that was read already.")
            seen.add(cursor)
            sleep(limits.pause)
    raise SpecError("registry:pages", f"The registry has more than {limits.pages:,} pages; the rest was not read.")


def servers_url(url: str) -> str:
    """Where the list lies: the address itself, or below the registry's base address."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SpecError("registry:bad-url", "The URL must start with http:// or https:// and name a host.")
    if "@" in parts.netloc:
        raise SpecError("registry:bad-url", "The URL holds a name or password.", "Give it without.")
    path = parts.path.rstrip("/")
    path = path if path.endswith("/servers") else f"{path}/v0/servers"
    return parts._replace(path=path, query="", fragment="").geturl()


def _asked(client: Any, address: str, cursor: str, sleep: Sleep, limits: RegistryLimits) -> Any:
    """The JSON of one page, asked again while the registry is busy."""
    import httpx2

    query = {"limit": str(limits.page_entries), "version": "latest", **({"cursor": cursor} if cursor else {})}
    for attempt in range(1, limits.tries + 1):
        try:
            with client.stream("GET", address, params=query, headers={"accept": "application/json"}) as response:
                if response.status_code not in (429, 502, 503, 504):
                    return _json(response, limits)
                wait = _wait(response.headers.get("retry-after"), attempt, limits)
                problem = f"The registry answered with status {response.status_code}"
        except httpx2.HTTPError as error:
            wait, problem = _wait(None, attempt, limits), f"The registry could not be reached: {error}"
        if attempt < limits.tries:
            sleep(wait)
    raise SpecError("registry:busy", f"{problem} {limits.tries} times.", "Resume the job later; it goes on from here.")


def _wait(asked: str | None, attempt: int, limits: RegistryLimits) -> float:
    """Seconds to wait: what Retry-After says, in seconds or as a date, else 1, 2, 4 ...; never beyond the bound."""
    seconds = float(2 ** (attempt - 1))
    if asked:
        try:
            seconds = float(asked)
        except ValueError:
            try:
                seconds = (parsedate_to_datetime(asked) - datetime.now(UTC)).total_seconds()
            except (ValueError, TypeError):
                pass
    return min(max(seconds, 0.0), limits.longest_wait)


def _json(response: Any, limits: RegistryLimits) -> Any:
    if response.status_code != 200:
        raise SpecError(
            "registry:status",
            f"The registry answered with status {response.status_code}.",
            "Check the address; the list lies at /v0/servers below it.",
        )
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > limits.page_bytes:
            raise SpecError("registry:too-large", f"A page has more than {limits.page_bytes >> 20} MB.")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SpecError("registry:not-json", "The registry answered with something that is not JSON.") from error


def _page(value: Any) -> RegistryPage:
    rows = value.get("servers") if isinstance(value, dict) else None
    if not isinstance(rows, list):
        raise SpecError("registry:shape", "The answer has no list of servers.", "Is this the address of a registry?")
    metadata = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
    cursor = metadata.get("nextCursor") or metadata.get("next_cursor") or ""
    entries = tuple(entry for entry in map(read_entry, rows) if entry is not None)
    return RegistryPage(entries, cursor if isinstance(cursor, str) else "")


def read_entry(row: Any) -> Entry | None:
    """An entry, whatever is wrong with it; None for a version that is not the latest one of its server."""
    server = row.get("server", row) if isinstance(row, dict) else None
    if not isinstance(server, dict) or not isinstance(server.get("name"), str) or not server["name"].strip():
        return Entry("(without a name)", "", "", "", (), (), "The entry has no name.")
    if _is_old(row):
        return None
    remotes, packages = _remotes(server.get("remotes")), _packages(server.get("packages"))
    texts = (_text(server, "title"), _text(server, "version"), _text(server, "description"))
    return Entry(shortened(server["name"]), *texts, remotes, packages, _problem(row, remotes, packages))


def _is_old(row: dict[str, Any]) -> bool:
    return any(isinstance(part, dict) and part.get("isLatest") is False for part in _meta(row))


def _meta(row: dict[str, Any]) -> list[Any]:
    meta = row.get("_meta")
    return list(meta.values()) if isinstance(meta, dict) else []


def _text(server: dict[str, Any], name: str) -> str:
    value = server.get(name)
    return shortened(value) if isinstance(value, str) else ""


def _remotes(value: Any) -> tuple[Remote, ...]:
    found = []
    for remote in value if isinstance(value, list) else []:
        if not isinstance(remote, dict) or not isinstance(remote.get("url"), str):
            continue
        kind = remote.get("type") or remote.get("transport_type") or ""
        headers = remote.get("headers")
        listed = headers if isinstance(headers, list) else []
        names = tuple(str(header["name"]) for header in listed if isinstance(header, dict) and "name" in header)
        found.append(Remote(str(kind), shortened(remote["url"]), names))
    return tuple(found)


def _packages(value: Any) -> tuple[str, ...]:
    """Packages in words, such as `npm @scope/server 1.2.0`."""
    found = []
    for package in value if isinstance(value, list) else []:
        if isinstance(package, dict):
            words = (package.get("registryType") or package.get("registry_type"), package.get("identifier"))
            found.append(shortened(" ".join(str(word) for word in (*words, package.get("version")) if word)))
    return tuple(found)


def _problem(row: dict[str, Any], remotes: tuple[Remote, ...], packages: tuple[str, ...]) -> str:
    if any(isinstance(part, dict) and part.get("status") == "deleted" for part in _meta(row)):
        return "The registry has deleted this server."
    usable = live_remotes(remotes)
    if usable:
        return ""
    if any(remote.kind == "streamable-http" for remote in remotes):
        return "Its address has parts that everybody fills in alone; give the whole address as a live server."
    if remotes:
        return "It speaks only server-sent events, the older transport, which cannot be imported."
    if packages:
        return f"It is offered only as a package ({packages[0]}); start it yourself and import it by its command."
    return "It says neither where it runs nor how it is installed."


def live_remotes(remotes: tuple[Remote, ...]) -> list[Remote]:
    """Addresses that can be asked as they stand."""
    return [
        remote
        for remote in remotes
        if remote.kind in ("streamable-http", "streamable")
        and "{" not in remote.url
        and urlsplit(remote.url).scheme in ("http", "https")
    ]
