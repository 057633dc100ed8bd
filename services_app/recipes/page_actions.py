"""What an agent does in a browser: navigate, click, fill, press, drag, answer dialogs, handle tabs and sessions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode, urljoin

from services_app.engine.context import CallContext
from services_app.engine.errors import conflict, invalid
from services_app.recipes.page_elements import ROW, at_point, located
from services_app.recipes.pages import (
    BrowserState,
    Element,
    PageTab,
    checked_url,
    current,
    load,
    load_time,
    loaded_in_time,
    note_request,
    noted,
    open_tab,
    session_of,
    shown,
)

Done = dict[str, Any]


def page_to_act_on(state: BrowserState, ctx: CallContext, session: Any, tab: Any, url: Any) -> PageTab:
    """The tab to act on, after going to `url` where one is given."""
    if url not in (None, ""):
        navigate(state, ctx, url=url, session=session, tab=tab)
    return current(state, session, tab)


def navigate(  # noqa: PLR0913 - what callers may say about the window goes along
    state: BrowserState,
    ctx: CallContext,
    *,
    url: Any,
    session: Any = None,
    tab: Any = None,
    width: Any = None,
    height: Any = None,
    browser: Any = None,
    timeout: Any = None,
    until: Any = None,
) -> Done:
    """Go to an address in the tab that is meant; a closed browser opens one. 400 for what is no address."""
    address = checked_url(url)
    loaded_in_time(url=address, timeout=timeout, until=until)
    owner = session_of(state, session)
    window = {"width": width, "height": height, "browser": browser}
    changes = {name: _whole(value) for name, value in window.items() if value is not None}
    if changes:
        owner = state.page_sessions.patch(owner.id, **changes)
    if tab in (None, "") and owner.tab not in state.page_tabs:
        page = open_tab(state, ctx, owner, address)
    else:
        page = load(state, ctx, current(state, session, tab), address)
    return {**shown(page), "milliseconds": load_time(address, until)}


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def go_in_history(state: BrowserState, ctx: CallContext, *, step: int, session: Any = None, tab: Any = None) -> Done:
    """One step back (-1) or forward (1) in the history of the tab; 409 at its end."""
    page = current(state, session, tab)
    position = page.position + step
    if not 0 <= position < len(page.history):
        raise conflict(f"There is no page to go {'back' if step < 0 else 'forward'} to.", type="no_history")
    page = load(state, ctx, page, page.history[position], keep_history=True)
    return shown(state.page_tabs.patch(page.id, position=position))


def reload_page(
    state: BrowserState, ctx: CallContext, *, session: Any = None, tab: Any = None, fresh: Any = None
) -> Done:
    """Show the page again as its site has it; what was typed is gone."""
    page = current(state, session, tab)
    done = shown(load(state, ctx, page, page.url, keep_history=True))
    return {**done, "from_cache": not fresh}


# Elements


def put(state: BrowserState, tab: PageTab, element: Element, **changes: Any) -> PageTab:
    """The tab with one element changed."""
    fresh = Element.model_validate({**element.model_dump(), **changes})
    elements = tuple(fresh if known.ref == element.ref else known for known in tab.elements)
    return state.page_tabs.patch(tab.id, elements=elements, focused=element.ref)


def click_element(  # noqa: PLR0913 - a click may say how
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    text: Any = None,
    frame: Any = None,
    element: Any = None,
    button: Any = None,
    double: Any = None,
    modifiers: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
    new_tab: bool = False,
) -> Done:
    """Click an element: a link leads on, a box is ticked, a button sends its form or asks first."""
    page = page_to_act_on(state, ctx, session, tab, url)
    found = located(page, target if text is None else f"text={text}", frame=frame)
    times = 2 if double is True or (isinstance(double, int | float) and double > 1) else 1
    done = {"clicked": found.name, "selector": found.selector, "times": times, "button": button or "left"}
    page = noted(state, page, "click", found.selector, f"x{times}", button, *(modifiers or ()), element)
    if button in (None, "left"):
        aside = new_tab or bool({"Control", "ControlOrMeta", "Meta"} & set(modifiers or ()))
        page = _activated(state, ctx, page, found, aside=aside)
    else:
        page = state.page_tabs.patch(page.id, focused=found.ref)
    return {**done, **shown(page)}


def _activated(state: BrowserState, ctx: CallContext, page: PageTab, found: Element, *, aside: bool) -> PageTab:
    """The page after a left click on an element."""
    attributes = dict(found.attributes)
    if "data-confirm" in attributes:
        state.page_sessions.patch(page.session, dialog=attributes["data-confirm"])
    if found.role == "link":
        address = checked_url(found.href, page.url)
        if aside:
            return open_tab(state, ctx, session_of(state, page.session), address)
        return load(state, ctx, page, address)
    if found.role == "submit":
        return submitted(state, ctx, page, found)
    if found.role == "checkbox":
        return put(state, page, found, checked=not found.checked)
    return state.page_tabs.patch(page.id, focused=found.ref)


def submitted(state: BrowserState, ctx: CallContext, page: PageTab, button: Element) -> PageTab:
    """The page that a form leads to: its action with the values of its fields."""
    fields = {"textbox", "combobox", "file"}
    sent = {e.selector.lstrip("#"): e.value for e in page.elements if e.role in fields and e.value and not e.frame}
    sent |= {e.selector.lstrip("#"): "on" for e in page.elements if e.role == "checkbox" and e.checked}
    address = urljoin(page.url, button.href or "/thanks")
    note_request(state, page.session, "POST", address, 303, "fetch", urlencode(sent))
    return load(state, ctx, page, f"{address}?{urlencode(sent)}" if sent else address)


def hover_element(
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    text: Any = None,
    element: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Done:
    """Put the pointer on an element."""
    page = page_to_act_on(state, ctx, session, tab, url)
    found = located(page, target if text is None else f"text={text}")
    page = noted(state, page, "hover", found.selector, element)
    return {"hovered": found.name, "selector": found.selector, **shown(_pointed(state, page, found))}


def _pointed(state: BrowserState, page: PageTab, found: Element) -> PageTab:
    return state.page_tabs.patch(page.id, hovered=found.ref)


def focus_element(state: BrowserState, ctx: CallContext, *, target: Any, session: Any = None, tab: Any = None) -> Done:
    """Give an element the focus."""
    page = current(state, session, tab)
    found = located(page, target)
    return {
        "focused": found.name,
        "selector": found.selector,
        **shown(state.page_tabs.patch(page.id, focused=found.ref)),
    }


def drag_element(  # noqa: PLR0913 - two elements, each named and described
    state: BrowserState,
    ctx: CallContext,
    *,
    source: Any,
    destination: Any,
    source_element: Any = None,
    destination_element: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Done:
    """Drag one element onto another: it stands before that one afterwards."""
    page = page_to_act_on(state, ctx, session, tab, url)
    moved, over = located(page, source), located(page, destination)
    rest = [e for e in page.elements if e.ref != moved.ref]
    place = next((number for number, e in enumerate(rest) if e.ref == over.ref), len(rest))
    page = state.page_tabs.patch(page.id, elements=(*rest[:place], moved, *rest[place:]))
    steps = (moved.selector, source_element, "onto", over.selector, destination_element)
    page = noted(state, page, "drag", *steps)
    return {"dragged": moved.name, "onto": over.name, **shown(page)}


def click_at(
    state: BrowserState,
    ctx: CallContext,
    *,
    x: Any,
    y: Any,
    button: Any = None,
    double: Any = None,
    session: Any = None,
    tab: Any = None,
) -> Done:
    """Click what lies at a point of the window, in pixels."""
    page = current(state, session, tab)
    found = at_point(page, x, y)
    frame = found.frame or None
    return click_element(
        state, ctx, target=found.ref, frame=frame, button=button, double=double, session=session, tab=tab
    )


def hover_at(state: BrowserState, ctx: CallContext, *, x: Any, y: Any, session: Any = None, tab: Any = None) -> Done:
    """Put the pointer on a point of the window, in pixels."""
    page = current(state, session, tab)
    found = at_point(page, x, y)
    page = _pointed(state, noted(state, page, "move to", x, y), found)
    return {"x": x, "y": y, "hovered": found.name, **shown(page)}


def drag_between(
    state: BrowserState, ctx: CallContext, *, x: Any, y: Any, to_x: Any, to_y: Any, session: Any = None, tab: Any = None
) -> Done:
    """Drag what lies at one point to what lies at another."""
    page = current(state, session, tab)
    moved, over = at_point(page, x, y), at_point(page, to_x, to_y)
    return drag_element(state, ctx, source=moved.ref, destination=over.ref, session=session, tab=page.id)


def press_key(
    state: BrowserState, ctx: CallContext, *, key: Any, target: Any = None, session: Any = None, tab: Any = None
) -> Done:
    """Press a key: Enter sends the form, PageTab moves the focus, a letter is typed, Backspace takes one away."""
    page = current(state, session, tab)
    if target not in (None, ""):
        page = state.page_tabs.patch(page.id, focused=located(page, target).ref)
    name = str(key)
    if not name.strip() and name != " ":
        raise invalid("Name the key to press, such as Enter or a.")
    page = noted(state, page, "press", name)
    field = next((e for e in page.elements if e.ref == page.focused and e.role == "textbox"), None)
    buttons = [e for e in page.elements if e.role == "submit"]
    if name == "Enter" and buttons and field is not None:
        page = submitted(state, ctx, page, buttons[0])
    elif name == "PageTab":
        page = state.page_tabs.patch(page.id, focused=_after(page))
    elif field is not None and (len(name) == 1 or name == "Backspace"):
        page = put(state, page, field, value=field.value[:-1] if name == "Backspace" else field.value + name)
    return {"pressed": name, **shown(page)}


def _after(page: PageTab) -> str:
    refs = [e.ref for e in page.elements if e.role not in ("heading", "paragraph")]
    if not refs:
        return ""
    return refs[(refs.index(page.focused) + 1) % len(refs)] if page.focused in refs else refs[0]


def scroll_page(
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    x: Any = None,
    y: Any = None,
    session: Any = None,
    tab: Any = None,
) -> Done:
    """Scroll by a distance in pixels, to an element, or one window down."""
    page = current(state, session, tab)
    down = session_of(state, page.session).height if y is None and x is None and target is None else y or 0
    top = page.scroll_y + int(down)
    if target not in (None, ""):
        top = int(y or 0) + ROW * [e.ref for e in page.elements].index(located(page, target).ref)
    page = state.page_tabs.patch(page.id, scroll_x=max(0, page.scroll_x + int(x or 0)), scroll_y=max(0, top))
    return {"scroll_x": page.scroll_x, "scroll_y": page.scroll_y, **shown(page)}


def answer_dialog(
    state: BrowserState, ctx: CallContext, *, accept: Any = None, text: Any = None, session: Any = None
) -> Done:
    """Accept or dismiss the open dialog; 409 when none is open."""
    owner = session_of(state, session)
    if not owner.dialog:
        raise conflict("No dialog is open; click what opens one first.", type="no_dialog")
    state.page_sessions.patch(owner.id, dialog="")
    done = {"dialog": owner.dialog, "accepted": bool(accept)}
    tab = state.page_tabs.get(owner.tab) if owner.tab in state.page_tabs else None
    if tab is not None:
        noted(state, tab, "accept" if accept else "dismiss", owner.dialog, text)
    return done
