"""Audits of a page by plain rules: accessibility, search engines, speed, good practice; and what the console says."""

from __future__ import annotations

from typing import Any

from services_app.engine.context import CallContext
from services_app.recipes.page_actions import click_element, navigate
from services_app.recipes.page_elements import TYPES, box_of
from services_app.recipes.page_logs import console_messages
from services_app.recipes.pages import BrowserState, PageTab, current, load_time, noted, shown

Seen = dict[str, Any]
Finding = tuple[bool, str]


def audit_page(state: BrowserState, ctx: CallContext, *, kind: str, session: Any = None) -> Seen:
    """What one audit finds on the page: rules that hold and rules that are broken, and the share that holds."""
    page = current(state, session)
    rules = {
        "accessibility": _accessibility,
        "seo": _search_engines,
        "performance": _speed,
        "best_practices": _practices,
    }
    kinds = list(rules) if kind == "all" else [kind]
    findings = [(f"{name}: {text}", holds) for name in kinds for holds, text in rules[name](state, page)]
    passed = [text for text, holds in findings if holds]
    failed = [text for text, holds in findings if not holds]
    score = round(100 * len(passed) / len(findings))
    return {**shown(page), "audit": kind, "score": score, "passed": passed, "failed": failed}


def _accessibility(state: BrowserState, page: PageTab) -> list[Finding]:
    fields = [e for e in page.elements if e.role in (*TYPES, "combobox")]
    named = all(e.name for e in page.elements)
    low = [e.name for e in page.elements if box_of(page, e)["height"] < 24]
    headings = [e for e in page.elements if e.role == "heading"]
    return [
        (bool(headings), "the page has a heading"),
        (named, f"all {len(fields)} fields have a label"),
        (not low, "targets are at least 24 pixels high"),
        (all(e.value or e.role != "file" for e in fields), "file fields say what they take"),
    ]


def _search_engines(state: BrowserState, page: PageTab) -> list[Finding]:
    words = sum(len(e.name.split()) for e in page.elements if e.role == "paragraph")
    links = [e for e in page.elements if e.role == "link"]
    return [
        (10 <= len(page.title) <= 60, f"the title has 10 to 60 characters: {len(page.title)}"),
        (words >= 20, f"the text has at least 20 words: {words}"),
        (bool(links), f"the page links to others: {len(links)}"),
        (page.url.startswith("https://"), "the address is secure"),
    ]


def _speed(state: BrowserState, page: PageTab) -> list[Finding]:
    time = load_time(page.url) if page.url != "about:blank" else 0
    made = len(state.page_requests.find(session=page.session))
    return [
        (time < 2000, f"the page loads in less than 2000 ms: {time}"),
        (len(page.elements) < 100, f"the page has less than 100 elements: {len(page.elements)}"),
        (made < 50, f"less than 50 requests were made: {made}"),
    ]


def _practices(state: BrowserState, page: PageTab) -> list[Finding]:
    rows = state.page_console.find(session=page.session)
    errors = [row.text for row in rows if row.level == "error"]
    failed = [row.url for row in state.page_requests.find(session=page.session) if row.status >= 400]
    return [
        (not errors, f"no errors in the console: {'; '.join(errors) or 'none'}"),
        (not failed, f"no request fails: {'; '.join(failed) or 'none'}"),
        (page.url.startswith("https://"), "the address is secure"),
    ]


def watch_console(
    state: BrowserState,
    ctx: CallContext,
    *,
    url: Any,
    level: Any = None,
    target: Any = None,
    session: Any = None,
) -> Seen:
    """Go to a page, click an element where one is named, and tell what the console says since."""
    navigate(state, ctx, url=url, session=session)
    if target not in (None, ""):
        click_element(state, ctx, target=target, session=session)
    said = console_messages(state, ctx, level=level or None, earlier=False, session=session)
    return {**shown(current(state, session)), **said}


def key_event(
    state: BrowserState,
    ctx: CallContext,
    *,
    key: Any,
    down: bool,
    code: Any = None,
    modifiers: dict[str, Any],
    session: Any = None,
) -> Seen:
    """Hold a key down or let it go, with other keys held: noted on the page, which does nothing else with it."""
    page = current(state, session)
    held = "+".join(name for name, value in modifiers.items() if value)
    page = noted(state, page, "key down" if down else "key up", held, key, code)
    return {"key": key, "held": held, "step": page.steps[-1], **shown(page)}
