"""The console, network log, tabs, history and cookies of a browser, waiting, and small expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, invalid
from services_app.recipes.page_elements import compiled, html_of, located, page_html, page_text
from services_app.recipes.pages import (
    BrowserState,
    PageTab,
    checked_url,
    note_request,
    page_at,
    session_of,
    shown,
    tabs_of,
    viewed,
)

Seen = dict[str, Any]


def console_messages(
    state: BrowserState,
    ctx: CallContext,
    *,
    level: Any = None,
    search: Any = None,
    limit: Any = None,
    clear: Any = None,
    earlier: Any = True,
    session: Any = None,
) -> Seen:
    """Messages of the console, newest first: of a level, with a text, at most `limit` of them.

    Those from before the page was loaded only where `earlier` asks for them.
    """
    rows = state.page_console.find(session=session_of(state, session).id)
    loads = [number for number, row in enumerate(rows) if row.text.startswith("Loaded ")]
    rows = rows if earlier or not loads else rows[loads[-1] :]
    levels = {str(one).casefold() for one in (level if isinstance(level, list) else [level]) if one is not None}
    found = [row for row in rows if not levels or "all" in levels or row.level in levels]
    if search not in (None, ""):
        found = [row for row in found if str(search).casefold() in row.text.casefold()]
    found = found[::-1]
    if limit is not None:
        found = found[: max(0, int(limit))]
    for row in rows if clear else ():
        state.page_console.delete(row.id)
    return {"messages": [row.plain() for row in found], "total": len(found)}


def clear_console(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Seen:
    """Forget every message of the console."""
    rows = state.page_console.find(session=session_of(state, session).id)
    return {"cleared": [state.page_console.delete(row.id).id for row in rows]}


def clear_logs(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Seen:
    """Forget the console and the network log."""
    requests = state.page_requests.find(session=session_of(state, session).id)
    gone = [state.page_requests.delete(row.id).id for row in requests]
    return {**clear_console(state, ctx, session=session), "requests_cleared": gone}


_STATIC = ("stylesheet", "image", "font", "script")


def network_requests(
    state: BrowserState,
    ctx: CallContext,
    *,
    pattern: Any = None,
    static: Any = None,
    failed: bool = False,
    session: Any = None,
) -> Seen:
    """The network log, numbered from 1: without static files unless `static` asks for them."""
    rows = state.page_requests.find(session=session_of(state, session).id)
    numbered = [{"index": number, **row.plain()} for number, row in enumerate(rows, 1)]
    found = [row for row in numbered if static is not False or row["kind"] not in _STATIC]
    if pattern not in (None, ""):
        found = [row for row in found if compiled(pattern).search(str(row["url"]))]
    if failed:
        found = [row for row in found if int(str(row["status"])) >= 400]
    return {"requests": found, "total": len(found)}


def network_request(
    state: BrowserState, ctx: CallContext, *, index: Any, part: Any = None, session: Any = None
) -> Seen:
    """One request of the log, or one part of it."""
    rows = state.page_requests.find(session=session_of(state, session).id)
    if not 1 <= index <= len(rows):
        raise ToolError(404, "not_found", f"There is no request {index}; the log has {len(rows)}, counted from 1.")
    row = rows[int(index) - 1]
    parts = {
        "request-headers": {"host": urlsplit(row.url).hostname or "", "accept": "*/*"},
        "request-body": row.body,
        "response-headers": {"content-type": "text/html" if row.kind == "document" else row.kind},
        "response-body": row.answer,
    }
    return {"index": int(index), part: parts[str(part)]} if part in parts else {**row.plain(), **parts}


def open_tabs(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Seen:
    """The open tabs in order, the active one marked."""
    owner = session_of(state, session)
    found = [
        {"index": number, **shown(tab), "active": tab.id == owner.tab}
        for number, tab in enumerate(tabs_of(state, owner))
    ]
    return {"tabs": found, "total": len(found)}


def open_sessions(state: BrowserState, ctx: CallContext) -> Seen:
    """Every open browser."""
    found = [{"session_id": row.id, **row.plain(), "tabs": len(tabs_of(state, row))} for row in state.page_sessions]
    return {"sessions": found, "total": len(found)}


def browser_history(state: BrowserState, ctx: CallContext, *, search: Any = None, session: Any = None) -> Seen:
    """The pages that open tabs have shown, newest first, those whose address or title holds a text."""
    pages: list[Seen] = []
    for tab in tabs_of(state, session_of(state, session)):
        pages += [{"url": url, "title": page_at(state, url)[0]} for url in reversed(tab.history)]
    words = str(search or "").casefold()
    found = [page for page in pages if words in f"{page['url']} {page['title']}".casefold()]
    return {"history": found, "total": len(found)}


def wait_for(  # noqa: PLR0913 - what is waited for
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    text: Any = None,
    gone: Any = None,
    seconds: Any = None,
    pattern: Any = None,
    session: Any = None,
    tab: Any = None,
) -> Seen:
    """Whether the page has what is waited for; it does not change by itself, so what is missing stays missing."""
    page = viewed(state, session, tab)
    if target not in (None, ""):
        located(page, target)
    words = page_text(page)
    if text not in (None, "") and str(text).casefold() not in words.casefold():
        raise ToolError(404, "timeout", f"{text!r} did not appear on {page.url}.")
    if gone not in (None, "") and str(gone).casefold() in words.casefold():
        raise ToolError(409, "timeout", f"{gone!r} is still there on {page.url}.")
    if pattern not in (None, "") and str(pattern).strip("*") not in page.url:
        raise ToolError(404, "timeout", f"The address {page.url} does not hold {pattern!r}.")
    return {**shown(page), "waited_seconds": float(seconds or 0)}


def evaluate_expression(
    state: BrowserState,
    ctx: CallContext,
    *,
    code: Any,
    target: Any = None,
    frame: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """The value of a small expression about the page; 422 for a script that is more than that."""
    page = viewed(state, session, tab, url)
    if frame not in (None, ""):
        located(page, frame, roles=("iframe",))
    text_ = re.sub(r"^\(?\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*|^return\s+|;\s*$", "", str(code).strip()).strip()
    owner = session_of(state, session)
    known: dict[str, Callable[[], Any]] = {
        "document.title": lambda: page.title,
        "document.URL": lambda: page.url,
        "location.href": lambda: page.url,
        "window.location.href": lambda: page.url,
        "document.location.href": lambda: page.url,
        "location.hostname": lambda: urlsplit(page.url).hostname or "",
        "location.pathname": lambda: urlsplit(page.url).path,
        "document.body.innerText": lambda: page_text(page),
        "document.body.textContent": lambda: page_text(page),
        "document.links.length": lambda: sum(e.role == "link" for e in page.elements),
        "window.innerWidth": lambda: owner.width,
        "window.innerHeight": lambda: owner.height,
        "window.scrollY": lambda: page.scroll_y,
        "navigator.userAgent": lambda: owner.user_agent,
        "document.readyState": lambda: "complete",
        "document.documentElement.outerHTML": lambda: page_html(page),
    }
    if text_ in known:
        return {"result": known[text_]()}
    chosen = re.fullmatch(
        r"""document\.querySelector\(["'](.+?)["']\)\.(textContent|innerText|value|href|id|outerHTML)""", text_
    )
    if chosen is not None:
        return {"result": _property(page, located(page, chosen[1]).ref, chosen[2])}
    if target not in (None, "") and (part := re.fullmatch(r"\w+\.(textContent|innerText|value|href|id)", text_)):
        return {"result": _property(page, located(page, target).ref, part[1])}
    raise invalid(f"Only simple expressions can be evaluated here, such as {', '.join(list(known)[:4])}.")


def _property(page: PageTab, ref: str, name: str) -> Any:
    found = next(e for e in page.elements if e.ref == ref)
    values = {"value": found.value, "href": urljoin(page.url, found.href), "id": found.selector.lstrip("#")}
    return {**values, "outerHTML": html_of(found)}.get(name, found.name)


def fetch_address(
    state: BrowserState,
    ctx: CallContext,
    *,
    method: str,
    url: Any,
    body: Any = None,
    headers: Any = None,
    token: Any = None,
    session: Any = None,
) -> Seen:
    """A request without a page: what PUT, POST and PATCH send is stored under the address, GET gives it back."""
    address = checked_url(url)
    owner = session_of(state, session).id
    stored = [r for r in state.page_requests.find(session=owner, url=address, kind="api") if r.method != "GET"]
    kept = stored[-1].body if stored and stored[-1].method != "DELETE" else ""
    if method in ("GET", "DELETE") and stored and not kept:
        raise ToolError(404, "not_found", f"There is nothing at {address} any more.")
    answer = kept or page_html(
        PageTab(id="view", session=owner, url=address, title="", elements=page_at(state, address)[1])
    )
    if method != "GET":
        answer = str(body or "")
        sent = [f"{name}: {value}" for name, value in (headers or {}).items()]
        sent += [f"authorization: Bearer {token}"] if token else []
        note_request(state, owner, method, address, 200, "api", answer, "\n".join(sent))
    return {"status": 201 if method == "POST" else 200, "method": method, "url": address, "body": answer}


def expected_response(state: BrowserState, ctx: CallContext, *, name: Any, url: Any, session: Any = None) -> Seen:
    """Begin to wait for an answer from an address: noted in the network log under a name."""
    row = note_request(state, session_of(state, session).id, "WAIT", checked_url(url), 0, "wait", str(name))
    return {"id": name, "url": row.url, "waiting": True}


def checked_response(
    state: BrowserState, ctx: CallContext, *, name: Any, value: Any = None, session: Any = None
) -> Seen:
    """The answer that was waited for; 404 for an unknown name, 409 when none came or it lacks a text."""
    rows = state.page_requests.find(session=session_of(state, session).id)
    wait = next((row for row in reversed(rows) if row.kind == "wait" and row.body == str(name)), None)
    if wait is None:
        raise ToolError(404, "not_found", f"Nothing is waited for under the name {name!r}.")
    came = [row for row in rows if row.url == wait.url and row.kind != "wait"]
    text_ = came[-1].body or page_text(viewed(state, session, None, wait.url)) if came else ""
    if not came or (value not in (None, "") and str(value) not in text_):
        raise ToolError(409, "no_response", f"No such answer has come from {wait.url}.")
    return {"id": name, "url": wait.url, "status": came[-1].status, "body": text_}


def all_cookies(
    state: BrowserState,
    ctx: CallContext,
    *,
    name: Any = None,
    domain: Any = None,
    path: Any = None,
    limit: Any = None,
    url: Any = None,
    session: Any = None,
) -> Seen:
    """The cookies of a browser, those with a name, domain and path, and those that an address would get."""
    host = domain if url in (None, "") else urlsplit(checked_url(url)).hostname
    same = {"name": name, "path": path}
    rows = [
        row
        for row in state.page_cookies.find(session=session_of(state, session).id)
        if all(value in (None, "") or getattr(row, field) == value for field, value in same.items())
        and (host in (None, "") or row.domain.lstrip(".") == str(host).lstrip("."))
    ]
    return {"cookies": [row.plain() for row in rows[: None if limit is None else max(0, int(limit))]]}


def one_cookie(state: BrowserState, ctx: CallContext, *, name: Any, **which: Any) -> Seen:
    """One cookie by its name, or 404."""
    found: Sequence[Seen] = all_cookies(state, ctx, name=name, **which)["cookies"]
    if not found:
        raise ToolError(404, "not_found", f"No cookie with name {name!r}.")
    return found[0]
