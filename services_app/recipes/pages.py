"""A browser whose pages are data: sites, tabs with a history, a console and a network log.

A page that is stored under its address is shown as stored; any other address gives a page that follows from the
address alone, so that the web has no end and yet stays the same. What is typed or ticked changes the tab, not the site.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol
from urllib.parse import parse_qsl, urljoin, urlsplit

from pydantic import BaseModel, ConfigDict

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError
from services_app.engine.plain import digest
from services_app.engine.state import About, Record, Table

BLANK = "about:blank"
TAGS = {
    "link": "a", "button": "button", "submit": "button", "textbox": "input", "checkbox": "input", "combobox": "select",
    "file": "input", "heading": "h1", "paragraph": "p", "iframe": "iframe", "item": "li",
}  # fmt: skip


class Element(BaseModel):
    """One element of a page; `frame` is the selector of the inner frame that it stands in, "" for the page itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ref: str
    selector: str
    role: str
    name: str
    value: str = ""
    href: str = ""
    options: tuple[str, ...] = ()
    checked: bool = False
    frame: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


class PageSite(Record):
    """A page that is stored under its address (the id)."""

    about: ClassVar[About] = About("web page", "web pages", key="title")
    title: str
    elements: tuple[Element, ...] = ()


class PageSession(Record):
    """One browser: its window, its active tab ("" while it is closed), an open dialog ("" for none)."""

    about: ClassVar[About] = About("session", "sessions", prefix="session-", width=2)
    name: str = ""
    browser: str = "chromium"
    width: int = 1280
    height: int = 800
    user_agent: str = "Mozilla/5.0 (simulated)"
    tab: str = ""
    dialog: str = ""
    media: tuple[tuple[str, str], ...] = ()


class PageTab(Record):
    """An open page with what was done to it; `position` is that of the page in `history`."""

    about: ClassVar[About] = About("tab", "tabs", prefix="", width=1, key="title")
    session: str
    url: str
    title: str
    elements: tuple[Element, ...] = ()
    history: tuple[str, ...] = ()
    position: int = 0
    scroll_x: int = 0
    scroll_y: int = 0
    focused: str = ""
    hovered: str = ""
    steps: tuple[str, ...] = ()
    """What was done on the page since it was loaded, in words."""


class ConsoleMessage(Record):
    """A line of the console of a session."""

    about: ClassVar[About] = About("console message", "console messages", prefix="msg-", key="text")
    session: str
    level: str
    text: str
    url: str
    time: str


class NetworkRequest(Record):
    """A request that a page of a session made."""

    about: ClassVar[About] = About("network request", "network requests", prefix="req-", key="url")
    session: str
    method: str
    url: str
    status: int
    kind: str
    body: str = ""
    answer: str = ""


class Cookie(Record):
    """A cookie of a session."""

    about: ClassVar[About] = About("cookie", "cookies", prefix="cookie-", key="name")
    session: str
    name: str
    value: str
    domain: str
    path: str = "/"
    secure: bool = False
    http_only: bool = False
    same_site: str = "Lax"


class SavedFile(Record):
    """A picture or document that the browser saved; its name is the id."""

    about: ClassVar[About] = About("saved file", "saved files")
    kind: str
    url: str
    mark: str
    size: int
    time: str


class BrowserState(Protocol):
    """The tables that a browser needs."""

    page_sites: Table[PageSite]
    page_sessions: Table[PageSession]
    page_tabs: Table[PageTab]
    page_console: Table[ConsoleMessage]
    page_requests: Table[NetworkRequest]
    page_cookies: Table[Cookie]
    page_files: Table[SavedFile]


# Pages


def checked_url(value: object, base: str = "") -> str:
    """An absolute address, or 400."""
    text = urljoin(base, str(value)) if base else str(value)
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    known = parts.scheme in ("http", "https", "ws", "wss") and parts.hostname
    if (not known and text != BLANK and parts.scheme not in ("file", "data")) or any(c.isspace() for c in text):
        raise ToolError(400, "invalid_url", f"{text!r} is no address; send one such as https://north.example/page.")
    return text


def page_at(state: BrowserState, url: str) -> tuple[str, tuple[Element, ...]]:
    """Title and elements of the page at an address."""
    if url in state.page_sites:
        site = state.page_sites.get(url)
        return site.title, site.elements
    return ("", ()) if url == BLANK else derived_page(url)


def derived_page(url: str) -> tuple[str, tuple[Element, ...]]:
    parts = urlsplit(url)
    host = parts.hostname or parts.scheme
    words = [word for word in parts.path.replace(".html", "").replace("-", " ").replace("_", " ").split("/") if word]
    title = f"{words[-1].strip().capitalize()} - {host}" if words else host
    number = int(digest(url)[:6], 16)
    facts = [fact(number), fact(number + 11)]
    sent = [f"{name}: {value}" for name, value in parse_qsl(parts.query, keep_blank_values=True)]
    made: list[Part] = [("heading", "title", words[-1].strip().capitalize() if words else host, {})]
    made += [("paragraph", f"text-{n}", text, {}) for n, text in enumerate([*facts, *sent], 1)]
    return title, built([*made, *navigation(), *_form()])


def load_time(url: str, until: object = None) -> int:
    """Milliseconds that a page takes to load: they follow from its address. 422 for an unknown thing to wait until."""
    shares = {"commit": 10, "none": 10, "domcontentloaded": 60, "load": 100, "selector": 100, "url": 100}
    shares |= {"networkidle": 140, "networkidle0": 140, "networkidle2": 130}
    share = shares.get(str(until or "load").casefold())
    if share is None:
        raise ToolError(422, "invalid_argument", f"Cannot wait until {until!r}; use one of {', '.join(shares)}.")
    return (1100 + int(digest(url)[:4], 16) % 1600) * share // 100


def loaded_in_time(*, url: object, timeout: object = None, until: object = None) -> None:
    """409 when the page at an address takes longer to load than the milliseconds given."""
    if url in (None, ""):
        return
    needed = load_time(str(url), until)
    if isinstance(timeout, int | float) and 0 < timeout < needed:
        raise ToolError(409, "timeout", f"{url} takes {needed} ms to load; allow more than {timeout}.")


def noted(state: BrowserState, page: PageTab, *words: object) -> PageTab:
    """The tab with one more step in the list of what was done on it."""
    step = " ".join(str(word) for word in words if word not in (None, ""))
    return state.page_tabs.patch(page.id, steps=(*page.steps, step))


_SUBJECTS = ("The harbour", "A new clinic", "The spring audit", "The museum", "A pilot study", "The winter release")
_NEWS = (
    "opens in April.", "needs two more people.", "was finished a week early.", "moves to Oslo.",
    "costs less than planned.", "waits for an answer from the supplier.", "has a new lead.",
)  # fmt: skip


def fact(number: int) -> str:
    """A sentence that follows from a number."""
    return f"{_SUBJECTS[number % len(_SUBJECTS)]} {_NEWS[number // len(_SUBJECTS) % len(_NEWS)]}"


Part = tuple[str, str, str, dict[str, Any]]


def navigation() -> list[Part]:
    links = (("home", "Home", "/"), ("about", "About us", "/about"), ("contact", "Contact", "/contact"))
    return [("link", key, name, {"href": href}) for key, name, href in links]


def _form() -> list[Part]:
    return [
        ("textbox", "email", "Email", {}),
        ("textbox", "message", "Message", {}),
        ("combobox", "topic", "Topic", {"options": ("Sales", "Support", "Press"), "value": "Sales"}),
        ("checkbox", "subscribe", "Subscribe", {}),
        ("file", "attachment", "Attachment", {}),
        ("submit", "send", "Send", {"href": "/thanks"}),
        ("button", "delete", "Delete draft", {"attributes": (("data-confirm", "Delete the draft?"),)}),
        ("iframe", "help", "Help", {}),
        ("textbox", "question", "Question", {"frame": "#help"}),
        ("button", "ask", "Ask", {"frame": "#help"}),
        ("link", "partner", "Partner", {"href": "https://larkspur.example/news"}),
    ]


def built(parts: Iterable[Part]) -> tuple[Element, ...]:
    """Elements in order, with a ref each: e1, e2 and so on."""
    return tuple(
        Element.model_validate({"ref": f"e{number}", "selector": f"#{key}", "role": role, "name": name, **more})
        for number, (role, key, name, more) in enumerate(parts, 1)
    )


def contact_page() -> list[Part]:
    """The page with the form."""
    return [
        ("heading", "title", "Contact", {}),
        ("paragraph", "text-1", "Write to us.", {}),
        *navigation(),
        *_form(),
    ]


# Sessions and tabs


def session_of(state: BrowserState, session: object = None) -> PageSession:
    """The session of that id, or the only one there need be."""
    if session not in (None, ""):
        return state.page_sessions.get(str(session))
    return next(iter(state.page_sessions), None) or state.page_sessions.create(name="Main")


def tabs_of(state: BrowserState, session: PageSession) -> list[PageTab]:
    """Open tabs of a session in order."""
    return state.page_tabs.find(session=session.id)


def current(state: BrowserState, session: object = None, tab: object = None) -> PageTab:
    """The tab that is meant: by id, else the active one; 409 when no page is open."""
    if tab not in (None, ""):
        return tab_named(state, session_of(state, session), tab)
    owner = session_of(state, session)
    if owner.tab not in state.page_tabs:
        raise ToolError(409, "no_page", "No page is open; navigate to an address first.")
    return state.page_tabs.get(owner.tab)


def tab_named(state: BrowserState, session: PageSession, name: object) -> PageTab:
    """A tab of a session by its id."""
    text = str(int(name)) if isinstance(name, float) else str(name)
    tab = state.page_tabs.get(text)
    if tab.session != session.id:
        raise ToolError(404, "not_found", f"No browser tab with id {text!r} in {session.id}.")
    return tab


def viewed(state: BrowserState, session: object = None, tab: object = None, url: object = None) -> PageTab:
    """The page to look at without changing anything: the one at `url` where an address is given, else the tab's."""
    if url in (None, ""):
        return current(state, session, tab)
    address = checked_url(url)
    title, elements = page_at(state, address)
    return PageTab(id="view", session=session_of(state, session).id, url=address, title=title, elements=elements)


def load(state: BrowserState, ctx: CallContext, tab: PageTab, url: str, *, keep_history: bool = False) -> PageTab:
    """Show the page at an address in a tab; console and network log note it."""
    title, elements = page_at(state, url)
    changes: dict[str, Any] = {"history": (*tab.history[: tab.position + 1], url), "position": tab.position + 1}
    if keep_history:
        changes = {}
    note_request(state, tab.session, "GET", url, 200, "document")
    state.page_console.create(session=tab.session, level="info", text=f"Loaded {title or url}", url=url, time=ctx.now)
    fresh = {"scroll_x": 0, "scroll_y": 0, "focused": "", "hovered": "", "steps": ()}
    return state.page_tabs.patch(tab.id, url=url, title=title, elements=elements, **fresh, **changes)


def open_tab(state: BrowserState, ctx: CallContext, session: PageSession, url: str, identity: str = "") -> PageTab:
    """A new tab, which becomes the active one."""
    fresh = {"session": session.id, "url": BLANK, "title": "", "position": -1}
    tabs = state.page_tabs
    tab = tabs.add(PageTab.model_validate({"id": identity or tabs.new_id(), **fresh}))
    state.page_sessions.patch(session.id, tab=tab.id)
    return load(state, ctx, tab, url)


def note_request(
    state: BrowserState, session: str, method: str, url: str, status: int, kind: str, body: str = "", answer: str = ""
) -> NetworkRequest:
    """Enter a request into the network log."""
    return state.page_requests.create(
        session=session, method=method, url=url, status=status, kind=kind, body=body, answer=answer
    )


def shown(tab: PageTab) -> dict[str, Any]:
    """A tab as agents see it after an action."""
    return {"tab_id": tab.id, "url": tab.url, "title": tab.title}
