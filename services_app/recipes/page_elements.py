"""Finding elements of a page, by what an agent may call them, and showing them as text, HTML and boxes."""

from __future__ import annotations

import html
import re
from typing import Any

from services_app.engine.errors import ToolError, invalid
from services_app.recipes.pages import TAGS, Element, PageTab

TYPES = {"textbox": "text", "checkbox": "checkbox", "file": "file"}
ROW = 64
_LEFT, _WIDTH, _HEIGHT = 20, 240, 32


def located(page: PageTab, target: Any, *, frame: Any = None, roles: tuple[str, ...] = ()) -> Element:
    """The element that `target` names: a ref, a selector, a number from 0, `text=...`, or its visible name.

    `frame` is the selector of the inner frame to look in. 404 when nothing fits, 422 when it is of another role.
    """
    if isinstance(target, list):
        return _agreed(page, target, frame, roles)
    inner = "" if frame in (None, "") else located(page, frame, roles=("iframe",)).selector
    elements = [e for e in page.elements if e.frame == inner]
    found = _named(elements, target, roles)
    if found is None:
        hint = "take a snapshot to see refs and selectors" if elements else "the page is empty"
        raise ToolError(404, "not_found", f"No element of {page.url} fits {target!r}; {hint}.")
    if roles and found.role not in roles:
        raise invalid(f"{found.selector} is a {found.role}, not a {' or '.join(roles)}.", type="wrong_element")
    return found


def _agreed(page: PageTab, targets: list[Any], frame: Any, roles: tuple[str, ...]) -> Element:
    """The element that several names mean; 422 when they mean different ones."""
    found = [located(page, one, frame=frame, roles=roles) for one in targets if one not in (None, "")]
    if not found:
        raise invalid("Say which element is meant: give its number or its selector.")
    if any(other != found[0] for other in found):
        raise invalid(f"The arguments name different elements: {' and '.join(e.selector for e in found)}.")
    return found[0]


def _named(elements: list[Element], target: Any, roles: tuple[str, ...]) -> Element | None:
    if isinstance(target, int | float):
        return elements[int(target)] if 0 <= target < len(elements) else None
    found = matching_elements(elements, target)
    return next((e for e in found if e.role in roles), found[0]) if found else None


def matching_elements(elements: list[Element] | tuple[Element, ...], target: Any) -> list[Element]:
    """The elements that a ref, a simple selector or a visible name fits."""
    text = str("" if target is None else target).strip()
    if not text:
        return []
    for part in text.split(","):
        found = [e for e in elements if _fits(e, part.strip())]
        if found:
            return found
    return [e for e in elements if e.name.casefold() == text.casefold()]


def _fits(element: Element, text: str) -> bool:
    if text in (element.ref, element.selector, element.selector.lstrip("#")):
        return True
    if text.startswith("text="):
        return text[5:].strip("\"'").casefold() in element.name.casefold()
    tag = re.match(r"^(\*|[a-z][a-z0-9]*)?(#[\w-]+)?(?:\[([\w-]+)(?:=[\"']?([^\"'\]]*)[\"']?)?\])?$", text)
    if tag is None or not any(tag.groups()):
        return False
    name, selector, attribute, value = tag.groups()
    attributes = attributes_of(element)
    return (
        name in (None, "*", TAGS[element.role])
        and selector in (None, element.selector)
        and (attribute is None or (attribute in attributes and value in (None, attributes[attribute])))
    )


def attributes_of(element: Element) -> dict[str, str]:
    """HTML attributes of an element."""
    plain = {"id": element.selector.lstrip("#")}
    if element.role in TYPES:
        plain |= {"type": TYPES[element.role], "name": plain["id"], "value": element.value}
    if element.role == "combobox":
        plain |= {"name": plain["id"]}
    if element.role == "submit":
        plain["type"] = "submit"
    if element.href and element.role == "link":
        plain["href"] = element.href
    if element.checked:
        plain["checked"] = "checked"
    return plain | dict(element.attributes)


def html_of(element: Element, *, outer: bool = True) -> str:
    """The element as HTML."""
    options = "".join(
        f"<option{' selected' if option == element.value else ''}>{html.escape(option)}</option>"
        for option in element.options
    )
    inner = options or ("" if element.role in TYPES else html.escape(element.name))
    if not outer:
        return inner
    tag = TAGS[element.role]
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes_of(element).items())
    label = f"<label>{html.escape(element.name)}</label>" if element.role in (*TYPES, "combobox") else ""
    return f"{label}<{tag}{written}>" + ("" if tag == "input" else f"{inner}</{tag}>")


def page_html(page: PageTab) -> str:
    """The page as HTML, with its head."""
    body = "\n".join(html_of(e) for e in page.elements if not e.frame)
    head = f'<meta charset="utf-8">\n<title>{html.escape(page.title)}</title>\n<style>body {{ margin: 20px }}</style>'
    head = f"<head>\n{head}\n<script>/* page */</script>\n</head>"
    return f"<html>\n{head}\n<body>\n<!-- content -->\n{body}\n</body>\n</html>"


def page_text(page: PageTab) -> str:
    """What a person would read on the page, fields with their values."""
    lines = [f"{e.name}: {e.value}" if e.value else e.name for e in page.elements if not e.frame]
    return "\n".join(lines)


def line_of(element: Element) -> str:
    """One line of an accessibility snapshot."""
    marks = [f"[ref={element.ref}]", f"[selector={element.selector}]"]
    marks += ["[checked]"] if element.checked else []
    value = f": {element.value}" if element.value else f": {element.href}" if element.role == "link" else ""
    role = "button" if element.role == "submit" else element.role
    return f'- {role} "{element.name}" {" ".join(marks)}{value}'


def box_of(page: PageTab, element: Element) -> dict[str, int]:
    """Where an element lies in the window, in pixels; elements stand one below the other."""
    row = [e.ref for e in page.elements].index(element.ref)
    top = _LEFT + ROW * row - page.scroll_y
    return {"x": _LEFT - page.scroll_x, "y": top, "width": _WIDTH, "height": _HEIGHT}


def at_point(page: PageTab, x: Any, y: Any) -> Element:
    """The element at a point of the window, else the nearest one above it. 404 on an empty page."""
    if x < 0 or y < 0:
        raise invalid("A point of the window has no negative coordinate.")
    best = [e for e in page.elements if box_of(page, e)["y"] <= y] or list(page.elements[:1])
    if not best:
        raise ToolError(404, "not_found", f"There is nothing at {x}, {y}: {page.url} is empty.")
    return best[-1]


def told(page: PageTab, element: Element) -> dict[str, Any]:
    """An element as agents see it."""
    plain: dict[str, Any] = {
        "ref": element.ref,
        "selector": element.selector,
        "role": "button" if element.role == "submit" else element.role,
        "name": element.name,
    }
    if element.role in (*TYPES, "combobox"):
        plain["value"] = element.value
    if element.role == "checkbox":
        plain["checked"] = element.checked
    if element.options:
        plain["options"] = list(element.options)
    if element.href:
        plain["href"] = element.href
    return plain


def compiled(pattern: Any) -> re.Pattern[str]:
    """A regular expression, or 422 for one that is none or could take for ever."""
    text = str(pattern).removeprefix("/").removesuffix("/")
    if len(text) > 200 or re.search(r"[+*}]\)?[+*{]", text):
        raise invalid("The pattern is too involved; use a simpler one.")
    try:
        return re.compile(text)
    except re.error as error:
        raise invalid(f"{pattern!r} is no pattern: {error}.") from error
