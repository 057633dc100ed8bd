"""Filling the forms of a page: fields, lists, boxes, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import conflict, invalid
from services_app.recipes.page_actions import page_to_act_on, put, submitted
from services_app.recipes.page_elements import located
from services_app.recipes.pages import BrowserState, Element, PageTab, current, noted, shown

Done = dict[str, Any]


def fill_field(  # noqa: PLR0913 - a field may be named in several ways
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    value: Any,
    frame: Any = None,
    element: Any = None,
    submit: Any = None,
    append: bool = False,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Done:
    """Put text into a field: in place of what is there, or after it."""
    page = page_to_act_on(state, ctx, session, tab, url)
    found = focused(page) if target in (None, "") else located(page, target, frame=frame, roles=("textbox",))
    text = f"{found.value}{value}" if append else str(value)
    page = noted(state, put(state, page, found, value=text), "type into", found.selector, element)
    done = {"filled": found.name, "selector": found.selector, "value": text}
    if submit:
        buttons = [e for e in page.elements if e.role == "submit"]
        if buttons:
            page = submitted(state, ctx, page, buttons[0])
    return {**done, **shown(page)}


def focused(page: PageTab) -> Element:
    """The field that has the focus, else the first; 409 when the page has none."""
    fields = [e for e in page.elements if e.role == "textbox"]
    found = next((e for e in fields if e.ref == page.focused), fields[0] if fields else None)
    if found is None:
        raise conflict("The page has no field to type into.", type="no_field")
    return found


def fill_form(
    state: BrowserState,
    ctx: CallContext,
    *,
    fields: Sequence[Any],
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Done:
    """Fill several fields at once; 400 for the first one that cannot be filled, and then none is."""
    page = page_to_act_on(state, ctx, session, tab, url)
    filled = []
    for item in fields:
        if not isinstance(item, Mapping):
            raise invalid("Each field is an object with a selector and a value.")
        names = ("target", "ref", "selector", "name", "label")
        target = next((item[name] for name in names if item.get(name) not in (None, "")), None)
        found = located(page, target)
        value = str(item.get("value", item.get("text", "")))
        if item.get("type", found.role) != found.role:
            raise invalid(f"{found.selector} is a {found.role}, not a {item['type']}.", type="wrong_element")
        page = put(state, page, found, **_entered(found, value))
        page = noted(state, page, "fill", found.selector, item.get("name"), item.get("element"))
        filled.append({"field": found.name, "value": value})
    return {"filled": filled, **shown(page)}


def _entered(found: Element, value: str) -> dict[str, Any]:
    if found.role == "checkbox":
        return {"checked": value.casefold() in ("true", "on", "yes", "1", "checked")}
    if found.role == "combobox":
        return {"value": option_of(found, value)}
    if found.role != "textbox":
        raise invalid(f"{found.name!r} is no field.", type="not_a_field")
    return {"value": value}


def option_of(found: Element, value: Any) -> str:
    """The option of a list that is meant; 422 for one that it does not have."""
    known = next((option for option in found.options if option.casefold() == str(value).casefold()), None)
    if known is None:
        raise invalid(f"{found.name!r} has no option {value!r}; it has {', '.join(found.options)}.", type="no_option")
    return known


def choose_option(  # noqa: PLR0913 - a field may be named in several ways
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    value: Any,
    text: Any = None,
    element: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Done:
    """Choose an option of a list."""
    page = page_to_act_on(state, ctx, session, tab, url)
    found = located(page, target if text is None else f"text={text}", roles=("combobox",))
    values = value if isinstance(value, list) else [value]
    if not values:
        raise invalid("Name the option to choose.")
    chosen = [option_of(found, one) for one in values][-1]
    page = noted(state, put(state, page, found, value=chosen), "choose in", found.selector, element)
    return {"selected": chosen, "selector": found.selector, **shown(page)}


def tick_box(
    state: BrowserState, ctx: CallContext, *, target: Any, checked: bool, session: Any = None, tab: Any = None
) -> Done:
    """Tick or untick a box."""
    page = current(state, session, tab)
    found = located(page, target, roles=("checkbox",))
    return {"selector": found.selector, "checked": checked, **shown(put(state, page, found, checked=checked))}


def attach_files(  # noqa: PLR0913 - files or data, onto an element
    state: BrowserState,
    ctx: CallContext,
    *,
    files: Any = None,
    data: Any = None,
    target: Any = None,
    element: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Done:
    """Give files (or typed data) to a file field; without files nothing is chosen."""
    page = page_to_act_on(state, ctx, session, tab, url)
    chosen = files if isinstance(files, list) else [] if files in (None, "") else [files]
    chosen = [*map(str, chosen), *(data or {})]
    fields = [e for e in page.elements if e.role == "file"]
    if target in (None, "") and not fields:
        raise conflict("The page has no file field.", type="no_field")
    found = located(page, target) if target not in (None, "") else fields[0]
    page = noted(state, put(state, page, found, value=", ".join(chosen)), "attach to", found.selector, element)
    return {"files": chosen, "selector": found.selector, **shown(page)}
