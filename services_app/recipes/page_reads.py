"""What an agent sees of a browser: snapshots, text, links, the console, the network log, cookies, small expressions."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, invalid
from services_app.engine.plain import digest
from services_app.recipes.page_elements import (
    ROW,
    attributes_of,
    box_of,
    compiled,
    html_of,
    line_of,
    located,
    matching_elements,
    page_html,
    page_text,
    told,
)
from services_app.recipes.pages import BrowserState, PageTab, SavedFile, session_of, shown, viewed

Seen = dict[str, Any]


def page_snapshot(  # noqa: PLR0913 - each narrows what is shown
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    boxes: Any = None,
    depth: Any = None,
    format_: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """The page as a list of elements with their refs; one part of it where `target` names one."""
    page = viewed(state, session, tab, url)
    elements = [located(page, target)] if target not in (None, "") else [e for e in page.elements if not e.frame]
    if depth is not None and depth < 1:
        elements = []
    lines = [line_of(e) for e in elements]
    told_ = [told(page, e) | ({"box": box_of(page, e)} if boxes else {}) for e in elements]
    source = {"html": page_html(page)} if format_ == "mhtml" else {}
    return {**shown(page), **source, "snapshot": "\n".join(lines), "elements": told_}


def interactive_elements(
    state: BrowserState, ctx: CallContext, *, session: Any = None, tab: Any = None, url: Any = None
) -> Seen:
    """The elements that can be clicked or filled, with their number and place."""
    page = viewed(state, session, tab, url)
    plain = ("heading", "paragraph", "item")
    return {
        **shown(page),
        "elements": [
            {"index": number, **told(page, e), "box": box_of(page, e)}
            for number, e in enumerate(page.elements)
            if e.role not in plain and not e.frame
        ],
    }


def visible_text(
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    offset: Any = None,
    visible: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """The text of the page, or of one element; from a character on where `offset` says so."""
    page = viewed(state, session, tab, url)
    if visible is not None:
        words = _words_in_window(state, page, visible)
    elif target in (None, "", "body", "html"):
        words = page_text(page)
    else:
        words = "\n".join(e.value or e.name for e in [located(page, target)])
    links = [f"{e.name}: {urljoin(page.url, e.href)}" for e in page.elements if e.role == "link"]
    return {**shown(page), "text": words[max(0, int(offset or 0)) :], "links": links}


def _words_in_window(state: BrowserState, page: PageTab, least: float) -> str:
    """The text of the elements of which at least that share, in percent, lies in the window."""
    bottom = session_of(state, page.session).height
    lines = []
    for e in page.elements:
        box = box_of(page, e)
        share = 100 * max(0, min(box["y"] + box["height"], bottom) - max(box["y"], 0)) / box["height"]
        lines += [e.name] if share >= least and share > 0 and not e.frame else []
    return "\n".join(lines)


def page_markdown(
    state: BrowserState, ctx: CallContext, *, session: Any = None, tab: Any = None, url: Any = None
) -> Seen:
    """The page as Markdown."""
    page = viewed(state, session, tab, url)
    forms = {"heading": "# {0.name}", "link": "[{0.name}]({0.href})", "item": "- {0.name}"}
    return {
        **shown(page),
        "markdown": "\n\n".join(forms.get(e.role, "{0.name}").format(e) for e in page.elements if not e.frame),
    }


def page_markup(  # noqa: PLR0913 - each leaves something of the page out
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    outer: Any = None,
    scripts: Any = None,
    comments: Any = None,
    styles: Any = None,
    meta: Any = None,
    clean: Any = None,
    minify: Any = None,
    limit: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """The HTML of the page or of one element. Scripts are left out unless `scripts` is false."""
    page = viewed(state, session, tab, url)
    if target in (None, "", "body", "html"):
        source = page_html(page)
    else:
        source = html_of(located(page, target), outer=outer is not False)
    drops = ((scripts is not False, r"<script>.*?</script>\n?"), (comments, r"<!--.*?-->\n?"))
    for wanted, pattern in (*drops, (styles, r"<style>.*?</style>\n?"), (meta, r"<meta[^>]*>\n?")):
        if wanted or clean:
            source = re.sub(pattern, "", source, flags=re.DOTALL)
    if minify:
        source = source.replace("\n", "")
    return {**shown(page), "html": source if limit is None else source[: max(0, int(limit))]}


def page_links(state: BrowserState, ctx: CallContext, *, session: Any = None, tab: Any = None, url: Any = None) -> Seen:
    """The links of the page."""
    page = viewed(state, session, tab, url)
    found = [{"text": e.name, "url": urljoin(page.url, e.href)} for e in page.elements if e.role == "link"]
    return {**shown(page), "links": found}


def element_info(  # noqa: PLR0913 - which element, and which of its properties
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any,
    names: Any = None,
    children: Any = None,
    styles: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """One element: its attributes and place, or just the properties that are named."""
    page = viewed(state, session, tab, url)
    found = located(page, target)
    known: Seen = {**told(page, found), "html": html_of(found), "text": found.name, "box": box_of(page, found)}
    known |= attributes_of(found)
    if children:
        known["children"] = [e.name for e in page.elements if e.frame == found.selector]
    if styles:
        known["styles"] = styles_of(found.role)
    if names is not None:
        wanted = names if isinstance(names, list) else [names]
        values = {**styles_of(found.role), **known, **box_of(page, found)}
        return {"selector": found.selector, "properties": {str(name): values.get(str(name)) for name in wanted}}
    return known


def styles_of(role: str) -> dict[str, str]:
    """Computed styles, by the role of an element."""
    size = {"heading": "32px"}.get(role, "16px")
    colour = {"link": "rgb(0, 0, 238)"}.get(role, "rgb(0, 0, 0)")
    shape = "block" if role in ("heading", "paragraph") else "inline-block"
    return {"display": shape, "font-size": size, "color": colour, "visibility": "visible", "opacity": "1"}


def element_box(state: BrowserState, ctx: CallContext, *, target: Any, session: Any = None, tab: Any = None) -> Seen:
    """Where an element lies, in pixels of the window."""
    page = viewed(state, session, tab)
    found = located(page, target)
    return {"selector": found.selector, **box_of(page, found)}


def element_attribute(state: BrowserState, ctx: CallContext, *, target: Any, name: Any, session: Any = None) -> Seen:
    """One attribute of an element; 404 when it has none of that name."""
    found = located(viewed(state, session), target)
    known = attributes_of(found)
    if str(name) not in known:
        raise ToolError(404, "not_found", f"{found.selector} has no attribute {name!r}; it has {', '.join(known)}.")
    return {"selector": found.selector, "name": name, "value": known[str(name)]}


def query_elements(  # noqa: PLR0913 - paged
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any,
    all_: Any = None,
    limit: Any = None,
    offset: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """The elements that a selector or a visible text fits: the first, or all of them in pages."""
    page = viewed(state, session, tab, url)
    found = matching_elements(page.elements, target) or [
        e for e in page.elements if str(target).casefold() in e.name.casefold()
    ]
    start = max(0, int(offset or 0))
    end = None if limit is None else start + max(0, int(limit))
    wanted = (
        found[start:end] if all_ is not False else found[start : start + 1][: None if limit is None else int(limit)]
    )
    return {**shown(page), "elements": [told(page, e) for e in wanted], "total": len(found)}


def find_in_page(
    state: BrowserState,
    ctx: CallContext,
    *,
    text: Any = None,
    regex: Any = None,
    limit: Any = None,
    session: Any = None,
    tab: Any = None,
) -> Seen:
    """The lines of the snapshot that hold a text or fit a pattern; 400 for a pattern that is none."""
    page = viewed(state, session, tab)
    lines = [line_of(e) for e in page.elements]
    if regex not in (None, ""):
        lines = [line for line in lines if compiled(regex).search(line)]
    if text not in (None, ""):
        lines = [line for line in lines if str(text).casefold() in line.casefold()]
    if text in (None, "") and regex in (None, ""):
        raise invalid("Give the text or the pattern to find.")
    return {**shown(page), "found": lines[: None if limit is None else max(0, int(limit))], "total": len(lines)}


DEVICES = {
    "iphone": (390, 844),
    "pixel": (412, 915),
    "ipad": (820, 1180),
    "galaxy": (360, 740),
    "desktop": (1920, 1080),
}


def screenshot(  # noqa: PLR0913 - how the picture is taken
    state: BrowserState,
    ctx: CallContext,
    *,
    target: Any = None,
    full_page: Any = None,
    width: Any = None,
    height: Any = None,
    format_: Any = None,
    raw: Any = None,
    scale: Any = None,
    quality: Any = None,
    highlight: Any = None,
    device: Any = None,
    targets: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """A picture in words: its size, what it shows from top to bottom, and a mark that changes with its bytes."""
    if full_page and target not in (None, ""):
        raise invalid("A picture shows the full page or one element, not both.")
    page = viewed(state, session, tab, url)
    owner = session_of(state, session)
    wide, high = _window(device) if device else (owner.width, owner.height)
    size = {"width": int(width or wide), "height": int(height or high)}
    elements = [located(page, one) for one in targets or ()] or list(page.elements)
    if target not in (None, ""):
        elements = [located(page, target)]
        size = {key: value for key, value in box_of(page, elements[0]).items() if key in size}
    elif full_page:
        size["height"] = max(size["height"], ROW * (len(page.elements) + 1))
    elif not targets:
        elements = [e for e in elements if 0 <= box_of(page, e)["y"] < size["height"]]
    seen = [line_of(e) for e in elements if not e.frame]
    times = 2 if scale == "device" else float(scale) if isinstance(scale, int | float) else 1
    size = {key: round(value * times) for key, value in size.items()}
    kind = "png" if raw else str(format_ or ("jpeg" if raw is False else "png"))
    picture: Seen = {**size, "format": kind, "shows": seen}
    if highlight:
        picture["highlighted"] = [e.selector for e in elements if e.role not in ("heading", "paragraph")]
    mark = digest(
        [page.url, seen, list(size.values()), [width or wide, height or high], kind, quality, bool(highlight)]
    )[:12]
    return {**shown(page), "picture": {**picture, "mark": mark}}


def _window(device: Any) -> tuple[int, int]:
    known = next((size for name, size in DEVICES.items() if name in str(device).casefold()), None)
    if known is None:
        raise invalid(f"No device is called {device!r}; use one such as {', '.join(DEVICES)}.", type="unknown_device")
    return known


def saved_screenshot(state: BrowserState, ctx: CallContext, *, name: Any = None, path: Any = None, **how: Any) -> Seen:
    """A picture, kept as a file under the name (and below the path) that is given."""
    seen = screenshot(state, ctx, **how)
    picture = seen["picture"]
    file = _kept(state, ctx, name, path, picture["format"], seen["url"], picture["mark"], len(str(picture["shows"])))
    return {**seen, "file": file}


def _kept(
    state: BrowserState, ctx: CallContext, name: Any, path: Any, kind: str, url: str, mark: str, size: int
) -> Seen | None:
    """The file as stored, one of the same name replaced; None when neither name nor path is given."""
    parts = [str(part).rstrip("/") for part in (path, name) if part not in (None, "")]
    if not parts:
        return None
    identity = "/".join(parts)
    if identity in state.page_files:
        return state.page_files.patch(identity, kind=kind, url=url, mark=mark, size=size, time=ctx.now).plain()
    made = SavedFile(id=identity, kind=kind, url=url, mark=mark, size=size, time=ctx.now)
    return state.page_files.add(made).plain()


def saved_files(state: BrowserState, ctx: CallContext) -> Seen:
    """What the browser has saved."""
    return {"files": [row.plain() for row in state.page_files], "total": len(state.page_files)}


def print_page(  # noqa: PLR0913 - how the page is printed
    state: BrowserState,
    ctx: CallContext,
    *,
    paper: Any = None,
    landscape: Any = None,
    margin: Any = None,
    background: Any = None,
    header: Any = None,
    scale: Any = None,
    session: Any = None,
    tab: Any = None,
    url: Any = None,
) -> Seen:
    """The page as a PDF in words: its paper, the text on it, and a mark that changes with its bytes."""
    page = viewed(state, session, tab, url)
    words = page_text(page)
    across = "landscape" if landscape else "portrait"
    laid = [words, str(paper), across, str(margin), bool(background), bool(header), scale]
    lines = (60 if landscape else 90) / (scale or 1)
    pdf = {"pages": 1 + int(len(words) / (lines * 40)), "text": words, "orientation": across, "mark": digest(laid)[:12]}
    return {**shown(page), "pdf": pdf}


def saved_pdf(state: BrowserState, ctx: CallContext, *, name: Any = None, path: Any = None, **how: Any) -> Seen:
    """The page as a PDF, kept as a file: under its title where no name is given."""
    seen = print_page(state, ctx, **how)
    name = name if name or path else f"{seen['title'] or 'page'}.pdf"
    file = _kept(state, ctx, name, path, "pdf", seen["url"], seen["pdf"]["mark"], len(seen["pdf"]["text"]))
    return {**seen, "file": file}
