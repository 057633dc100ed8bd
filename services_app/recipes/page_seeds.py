"""What a browser holds at first: a small site, two open browsers, a console, a network log, cookies."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine.context import SeedContext
from services_app.engine.plain import digest
from services_app.engine.state import Table
from services_app.recipes.pages import (
    ConsoleMessage,
    Cookie,
    NetworkRequest,
    PageSession,
    PageSite,
    PageTab,
    Part,
    SavedFile,
    built,
    contact_page,
    derived_page,
    fact,
    navigation,
)

_PROJECTS = ("Harbour refit", "Clinic opening", "Spring audit", "Museum handover", "Winter release", "Training day")
_LEADS = ("Ana Berg", "Jonas Weber", "Mei Tanaka", "Aisha Khan")


def seed_sites(sites: Table[PageSite], ctx: SeedContext) -> None:
    """A small company site whose pages link to each other."""
    names = [_PROJECTS[number % len(_PROJECTS)] for number in range(min(ctx.size(8), len(_PROJECTS)))]
    links: list[Part] = [
        ("link", f"project-{number}", name, {"href": f"/projects/{number}"}) for number, name in enumerate(names, 1)
    ]
    home: list[Part] = [("heading", "title", "North", {}), ("paragraph", "text-1", "Projects of this year.", {})]
    _store(sites, "https://north.example/", "North", [*home, *links, *navigation()])
    for number, name in enumerate(names, 1):
        facts: list[Part] = [("heading", "title", name, {}), ("paragraph", "text-1", fact(number + ctx.seed), {})]
        led: list[Part] = [("paragraph", "text-2", f"Led by {_LEADS[(number + ctx.seed) % len(_LEADS)]}.", {})]
        _store(sites, f"https://north.example/projects/{number}", name, [*facts, *led, *navigation()])
    _store(sites, "https://north.example/contact", "Contact - North", contact_page())


def _store(sites: Table[PageSite], url: str, title: str, parts: Iterable[Part]) -> None:
    sites.add(PageSite(id=url, title=title, elements=built(parts)))


def seed_sessions(sessions: Table[PageSession], ctx: SeedContext) -> None:
    """Two open browsers."""
    sessions.create(name="Main", tab="1")
    sessions.create(name="Second", tab="3", width=800, height=600)


def seed_tabs(tabs: Table[PageTab], ctx: SeedContext) -> None:
    """The contact page with the home page behind it, a second tab, and the page of the second browser."""
    pages = ("https://north.example/", "https://north.example/contact", "https://north.example/about")
    elements = built(contact_page())
    tabs.create(
        session="session-01", url=pages[1], title="Contact - North", elements=elements, history=pages, position=1
    )
    for session, url in (("session-01", "https://larkspur.example/news"), ("session-02", "https://alder.example/")):
        title, derived = derived_page(url)
        before, after = f"{url}?page=1", f"{url}?page=3"
        history = (before, url, after)
        tabs.create(session=session, url=url, title=title, elements=derived, history=history, position=1)


def seed_console(console: Table[ConsoleMessage], ctx: SeedContext) -> None:
    """Lines of every level, some of them from the page before."""
    lines = (
        ("info", "Loaded North"),
        ("warning", "Image without a size"),
        ("info", "Loaded Contact - North"),
        ("warning", "Field without a label"),
        ("error", "Failed to load /favicon.ico: 404"),
        ("debug", "Cache filled"),
        ("log", "Page shown"),
    )
    for number, (level, text) in enumerate(lines):
        url = "https://north.example/" if number < 2 else "https://north.example/contact"
        console.create(session="session-01", level=level, text=text, url=url, time=ctx.moment(0, 8, number))


def seed_requests(requests: Table[NetworkRequest], ctx: SeedContext) -> None:
    """What loading the contact page fetched."""
    base = "https://north.example"
    fetched = (
        ("/contact", 200, "document"),
        ("/site.css", 200, "stylesheet"),
        ("/api/topics", 200, "fetch"),
        ("/favicon.ico", 404, "image"),
    )
    for path, status, kind in fetched:
        requests.create(session="session-01", method="GET", url=base + path, status=status, kind=kind)


def seed_files(files: Table[SavedFile], ctx: SeedContext) -> None:
    """A price list that was downloaded before."""
    url, made = "https://north.example/prices.pdf", ctx.moment(-1)
    files.add(SavedFile(id="prices.pdf", kind="pdf", url=url, mark=digest(url)[:12], size=18_240, time=made))


def seed_cookies(cookies: Table[Cookie], ctx: SeedContext) -> None:
    """Two cookies of the company site and one of another."""
    kept = (("lang", "en", "north.example"), ("visit", "7", "north.example"), ("theme", "dark", "larkspur.example"))
    for name, value, domain in kept:
        cookies.create(session="session-01", name=name, value=value, domain=domain)
    cookies.create(session="session-02", name="lang", value="de", domain="alder.example")
