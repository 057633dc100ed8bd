"""Tabs and sessions of a browser, its window, its cookies, and changes to elements by script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.page_actions import page_to_act_on
from services_app.recipes.page_elements import attributes_of, located
from services_app.recipes.pages import (
    BLANK,
    BrowserState,
    Element,
    PageSession,
    PageTab,
    checked_url,
    current,
    open_tab,
    session_of,
    shown,
    tab_named,
    tabs_of,
)

Done = dict[str, Any]


def new_tab(state: BrowserState, ctx: CallContext, *, url: Any = None, session: Any = None, tab: Any = None) -> Done:
    """Open a tab and make it the active one."""
    if tab is not None and str(tab) in state.page_tabs:
        raise conflict(f"A browser tab with id {tab!r} exists already.", type="already_exists")
    address = BLANK if url in (None, "") else checked_url(url)
    return shown(open_tab(state, ctx, session_of(state, session), address, "" if tab is None else str(tab)))


def indexed(state: BrowserState, session: PageSession, index: Any) -> PageTab:
    """The tab at a position from 0; 404 when there is none."""
    tabs = tabs_of(state, session)
    if not 0 <= index < len(tabs) or index != int(index):
        raise ToolError(404, "not_found", f"There is no tab {index}; there are {len(tabs)}, counted from 0.")
    return tabs[int(index)]


def choose_tab(
    state: BrowserState, ctx: CallContext, *, tab: Any = None, index: Any = None, session: Any = None
) -> Done:
    """Make a tab the active one."""
    owner = session_of(state, session)
    found = tab_named(state, owner, tab) if index is None else indexed(state, owner, index)
    state.page_sessions.patch(owner.id, tab=found.id)
    return shown(found)


def close_tab(
    state: BrowserState, ctx: CallContext, *, tab: Any = None, index: Any = None, session: Any = None
) -> Done:
    """Close a tab: the one named, else the active one. The one before it becomes active."""
    owner = session_of(state, session)
    found = indexed(state, owner, index) if index is not None else current(state, session, tab)
    state.page_tabs.delete(found.id)
    left = tabs_of(state, owner)
    if owner.tab == found.id:
        state.page_sessions.patch(owner.id, tab=left[-1].id if left else "")
    return {"closed": found.id, "tabs": [shown(one) for one in left]}


def close_tabs(state: BrowserState, ctx: CallContext, *, tabs: Sequence[Any], session: Any = None) -> Done:
    """Close several tabs by id; 404 for one that is not open, and then none is closed."""
    closed = [close_tab(state, ctx, tab=tab, session=session)["closed"] for tab in dict.fromkeys(tabs)]
    return {"closed": closed, "tabs": [shown(one) for one in tabs_of(state, session_of(state, session))]}


def reorder_tabs(state: BrowserState, ctx: CallContext, *, tabs: Sequence[Any], session: Any = None) -> Done:
    """Put the tabs named first, in that order."""
    owner = session_of(state, session)
    first = [tab_named(state, owner, tab) for tab in dict.fromkeys(tabs)]
    rest = [one for one in tabs_of(state, owner) if one not in first]
    for one in (*first, *rest):
        state.page_tabs.delete(one.id)
    for one in (*first, *rest):
        state.page_tabs.add(one)
    return {"tabs": [shown(one) for one in (*first, *rest)]}


def tabs_by_action(
    state: BrowserState, ctx: CallContext, *, action: Any, index: Any = None, url: Any = None, session: Any = None
) -> Done:
    """List, open, close or choose tabs, as `action` says; 422 for an address that the action has no use for."""
    if url is not None and action not in ("new", "create"):
        raise invalid(f"The action {action!r} takes no address; use new to open one.")
    acts: dict[str, Callable[[], Done]] = {
        "new": lambda: new_tab(state, ctx, url=url, session=session),
        "create": lambda: new_tab(state, ctx, url=url, session=session),
        "close": lambda: close_tab(state, ctx, index=index, session=session),
        "select": lambda: choose_tab(state, ctx, index=0 if index is None else index, session=session),
    }
    owner = session_of(state, session)
    if action in acts:
        return {**acts[str(action)](), "open": len(tabs_of(state, owner))}
    return {"tabs": [{**shown(one), "active": one.id == owner.tab} for one in tabs_of(state, owner)]}


def close_browser(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Done:
    """Close every tab of the browser."""
    owner = session_of(state, session)
    closed = [state.page_tabs.delete(tab.id).id for tab in tabs_of(state, owner)]
    state.page_sessions.patch(owner.id, tab="", dialog="")
    return {"closed": True, "tabs": closed}


def open_session(  # noqa: PLR0913 - what a browser may be started with
    state: BrowserState,
    ctx: CallContext,
    *,
    name: Any = None,
    browser: Any = None,
    width: Any = None,
    height: Any = None,
    user_agent: Any = None,
    session: Any = None,
    url: Any = None,
) -> Done:
    """Start a browser of its own with one empty tab; the session that is named already is used again."""
    if session not in (None, "") and str(session) in state.page_sessions:
        return session_info(state, ctx, session=session)
    given = {"name": name, "browser": browser, "width": width, "height": height, "user_agent": user_agent}
    values = {
        key: int(value) if isinstance(value, float) else value for key, value in given.items() if value is not None
    }
    identity = str(session) if session not in (None, "") else state.page_sessions.new_id()
    owner = state.page_sessions.add(PageSession.model_validate({"id": identity, **values}))
    open_tab(state, ctx, owner, BLANK if url in (None, "") else checked_url(url))
    return session_info(state, ctx, session=identity)


def close_session(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Done:
    """Close a browser for good."""
    owner = session_of(state, session)
    close_browser(state, ctx, session=owner.id)
    state.page_sessions.delete(owner.id)
    return {"session_id": owner.id, "closed": True}


def session_info(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Done:
    """A browser, and the page that it shows."""
    owner = session_of(state, session)
    page = state.page_tabs.get(owner.tab) if owner.tab in state.page_tabs else None
    told = owner.plain() | {"session_id": owner.id, "tabs": len(tabs_of(state, owner))}
    return told | ({} if page is None else {"url": page.url, "title": page.title})


# The window and the document


def resize_window(state: BrowserState, ctx: CallContext, *, width: Any, height: Any, session: Any = None) -> Done:
    """Set the size of the window in pixels."""
    if width < 1 or height < 1:
        raise invalid("Width and height must be at least 1 pixel.")
    owner = state.page_sessions.patch(session_of(state, session).id, width=int(width), height=int(height))
    return {"width": owner.width, "height": owner.height}


def set_user_agent(state: BrowserState, ctx: CallContext, *, text: Any, session: Any = None) -> Done:
    """Set what the browser says it is."""
    if not str(text).strip():
        raise invalid("Give the text that the browser shall send as its user agent.")
    return {"user_agent": state.page_sessions.patch(session_of(state, session).id, user_agent=str(text)).user_agent}


def emulate_media(
    state: BrowserState,
    ctx: CallContext,
    *,
    media: Any = "",
    color_scheme: Any = "",
    contrast: Any = "",
    forced_colors: Any = "",
    reduced_motion: Any = "",
    session: Any = None,
) -> Done:
    """Set CSS media features; null resets one, what is not named stays."""
    owner = session_of(state, session)
    named = {"color_scheme": color_scheme, "contrast": contrast, "forced_colors": forced_colors}
    given = {"media": media, **named, "reduced_motion": reduced_motion}
    kept = {**dict(owner.media), **{name: str(value) for name, value in given.items() if value}}
    kept = {name: value for name, value in kept.items() if given[name] is not None}
    state.page_sessions.patch(owner.id, media=tuple(sorted(kept.items())))
    return {"session_id": owner.id, "media": dict(sorted(kept.items()))}


def change_attribute(
    state: BrowserState, ctx: CallContext, *, target: Any, name: Any, value: Any = None, session: Any = None
) -> Done:
    """Set an attribute of an element, or take it away where no value is given; 404 when it has none of that name."""
    page = current(state, session)
    found = located(page, target)
    if not str(name).strip():
        raise invalid("Name the attribute.")
    if value is None and str(name) not in attributes_of(found):
        raise ToolError(404, "not_found", f"{found.selector} has no attribute {name!r}.")
    own = {key: text for key, text in found.attributes if key != name}
    changes: Done = {"attributes": tuple((own if value is None else {**own, str(name): str(value)}).items())}
    if name in ("value", "href"):
        changes[str(name)] = str(value or "")
    if name == "checked":
        changes["checked"] = value is not None
    fresh = Element.model_validate({**found.model_dump(), **changes})
    elements = tuple(fresh if e.ref == found.ref else e for e in page.elements)
    state.page_tabs.patch(page.id, elements=elements)
    return {"selector": found.selector, "attributes": attributes_of(fresh)}


def remove_element(state: BrowserState, ctx: CallContext, *, target: Any, session: Any = None) -> Done:
    """Take an element out of the page until it is loaded again."""
    page = current(state, session)
    found = located(page, target)
    elements = tuple(e for e in page.elements if e.ref != found.ref)
    state.page_tabs.patch(page.id, elements=elements)
    return {"removed": found.selector, "elements": len(elements)}


# Cookies


def set_cookie(  # noqa: PLR0913 - a cookie has that many parts
    state: BrowserState,
    ctx: CallContext,
    *,
    name: Any,
    value: Any,
    domain: Any,
    path: Any = None,
    secure: Any = None,
    http_only: Any = None,
    same_site: Any = None,
    session: Any = None,
    url: Any = None,
) -> Done:
    """Set a cookie; one of that name, domain and path is replaced."""
    page_to_act_on(state, ctx, session, None, url)
    owner = session_of(state, session).id
    if not str(name) or not str(domain):
        raise invalid("A cookie has a name and a domain.")
    given = {"path": path, "secure": secure, "http_only": http_only, "same_site": same_site}
    more = {key: item for key, item in given.items() if item is not None}
    same = state.page_cookies.first(session=owner, name=str(name), domain=str(domain), path=str(path or "/"))
    if same is not None:
        return state.page_cookies.patch(same.id, value=str(value), **more).plain()
    return state.page_cookies.create(
        session=owner, name=str(name), value=str(value), domain=str(domain), **more
    ).plain()


def delete_cookie(
    state: BrowserState, ctx: CallContext, *, name: Any, domain: Any = None, session: Any = None, url: Any = None
) -> Done:
    """Delete the cookies of a name, and of a domain where one is given; 404 when there is none."""
    page_to_act_on(state, ctx, session, None, url)
    rows = state.page_cookies.find(session=session_of(state, session).id, name=str(name))
    gone = [row for row in rows if domain in (None, "") or row.domain.lstrip(".") == str(domain).lstrip(".")]
    if not gone:
        raise ToolError(404, "not_found", f"No cookie with name {name!r} for that domain.")
    return {"deleted": [state.page_cookies.delete(row.id).name for row in gone]}


def clear_cookies(state: BrowserState, ctx: CallContext, *, session: Any = None) -> Done:
    """Delete every cookie of a browser."""
    rows = state.page_cookies.find(session=session_of(state, session).id)
    return {"deleted": [state.page_cookies.delete(row.id).name for row in rows]}
