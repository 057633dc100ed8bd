"""Acting on a page by plain words, and looking at several pages at once: crawl, compare, measure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, invalid
from services_app.engine.plain import digest
from services_app.recipes.page_actions import click_element, navigate, press_key, scroll_page
from services_app.recipes.page_elements import line_of, page_text, told
from services_app.recipes.page_fields import choose_option, fill_field
from services_app.recipes.page_logs import console_messages, evaluate_expression
from services_app.recipes.page_reads import DEVICES, screenshot
from services_app.recipes.pages import BrowserState, Element, checked_url, current, load_time, page_at, shown, viewed

Seen = dict[str, Any]
_SMALL = frozenset("the a an on in into of to and button link field box with for it this page all find get".split())


def meant(elements: Sequence[Element], words: object) -> list[Element]:
    """The elements whose name shares most words with an instruction; [] when none shares any."""
    wanted = set(re.findall(r"[\w@.]+", str(words).casefold())) - _SMALL
    scores = [(len(wanted & (set(re.findall(r"[\w@.]+", e.name.casefold())) - _SMALL)), e) for e in elements]
    best = max((score for score, _ in scores), default=0)
    return [e for score, e in scores if score == best and best]


def act_on_page(
    state: BrowserState,
    ctx: CallContext,
    *,
    action: Any,
    variables: Any = None,
    value: Any = None,
    session: Any = None,
) -> Seen:
    """Do what one sentence says: click, type, choose, press or scroll. 404 when no element of the page is meant."""
    text = str(action)
    for name, filler in (variables or {}).items():
        text = text.replace(f"%{name}%", str(filler))
    words = text.casefold()
    quoted = re.search(r"[\"'“](.+?)[\"'”]", text)
    entered = str(value) if value is not None else quoted[1] if quoted else ""
    if words.startswith("scroll"):
        return scroll_page(state, ctx, session=session)
    if words.startswith("press"):
        return press_key(state, ctx, key=entered or text.split()[-1], session=session)
    page = current(state, session)
    kinds: dict[str, tuple[str, ...]] = {"type": ("textbox",), "fill": ("textbox",), "enter": ("textbox",)}
    kinds |= {"select": ("combobox",), "choose": ("combobox",)}
    roles = next((kinds[word] for word in kinds if words.startswith(word)), ())
    found = meant([e for e in page.elements if not e.frame and (not roles or e.role in roles)], text)
    if not found:
        raise ToolError(404, "not_found", f"No element of {page.url} is meant by {text!r}; observe the page first.")
    target = found[0].ref
    if found[0].role == "textbox" and (roles or entered):
        return fill_field(state, ctx, target=target, value=entered, session=session)
    if found[0].role == "combobox" and entered:
        return choose_option(state, ctx, target=target, value=entered, session=session)
    return click_element(state, ctx, target=target, session=session)


def observe_page(
    state: BrowserState, ctx: CallContext, *, words: Any, actions: Any = None, session: Any = None
) -> Seen:
    """The elements that an instruction is about, with the action that each takes where it is asked for."""
    page = viewed(state, session)
    able = [e for e in page.elements if e.role not in ("heading", "paragraph", "item") and not e.frame]
    found = meant(able, words)
    if not found:
        raise ToolError(404, "not_found", f"Nothing on {page.url} is meant by {words!r}.")
    verbs = {"textbox": "fill", "combobox": "select", "checkbox": "check", "file": "upload"}
    return {
        **shown(page),
        "elements": [told(page, e) | ({"action": verbs.get(e.role, "click")} if actions else {}) for e in found],
    }


def extract_from_page(state: BrowserState, ctx: CallContext, *, words: Any, session: Any = None) -> Seen:
    """The text of the elements that an instruction is about; the whole text where it names none of them."""
    page = viewed(state, session)
    found = meant(page.elements, words)
    return {**shown(page), "extraction": "\n".join(e.value or e.name for e in found) if found else page_text(page)}


def scrape_pages(
    state: BrowserState,
    ctx: CallContext,
    *,
    urls: Sequence[Any],
    code: Any = None,
    limit: Any = None,
    offset: Any = None,
    format_: Any = None,
    session: Any = None,
) -> Seen:
    """The value of a small expression on each of several pages."""
    start = max(0, int(offset or 0))
    asked = list(urls)[start : None if limit is None else start + max(0, int(limit))]
    rows = [
        {"url": str(url), "value": evaluate_expression(state, ctx, code=code or "document.title", url=url)["result"]}
        for url in asked
    ]
    if format_ == "csv":
        return {"csv": "\n".join(["url,value", *(f"{row['url']},{row['value']}" for row in rows)])}
    return {"results": rows, "total": len(urls)}


def crawl_site(
    state: BrowserState,
    ctx: CallContext,
    *,
    url: Any,
    depth: Any = None,
    same_domain: Any = None,
    texts: Any = None,
    format_: Any = None,
) -> Seen:
    """The pages that can be reached from one by links, at most `depth` steps away and 60 in all."""
    start, most = checked_url(url), 2 if depth is None else int(depth)
    if not 0 <= most <= 5:
        raise invalid("The depth lies between 0 and 5.", type="invalid_depth")
    found: dict[str, Seen] = {}
    waiting = [(start, 0)]
    while waiting and len(found) < 60:
        address, level = waiting.pop(0)
        if address in found or (same_domain is not False and urlsplit(address).hostname != urlsplit(start).hostname):
            continue
        page = viewed(state, url=address)
        links = [urljoin(address, e.href) for e in page.elements if e.role == "link"]
        found[address] = {"url": address, "title": page.title, "depth": level, "links": len(links)}
        found[address] |= {"text": page_text(page)} if texts else {}
        waiting += [(link, level + 1) for link in links] if level < most else []
    if format_ in ("markdown", "text"):
        mark = "- " if format_ == "markdown" else ""
        return {"sitemap": "\n".join(f"{mark}{one['title']}: {one['url']}" for one in found.values())}
    return {"pages": list(found.values()), "total": len(found)}


def compare_pages(
    state: BrowserState,
    ctx: CallContext,
    *,
    first: Any,
    second: Any,
    threshold: Any = None,
    target: Any = None,
    full_page: Any = None,
) -> Seen:
    """How far the pictures of two pages differ, as the share of lines that only one of them shows."""
    full = full_page is True and target in (None, "")
    seen = [
        set(screenshot(state, ctx, url=url, target=target, full_page=full)["picture"]["shows"])
        for url in (first, second)
    ]
    share = len(seen[0] ^ seen[1]) / max(1, len(seen[0] | seen[1]))
    limit = 0.1 if threshold is None else float(threshold)
    if not 0 <= limit <= 1:
        raise invalid("The threshold lies between 0 and 1.", type="invalid_threshold")
    return {
        "difference": round(share, 4),
        "match": share <= limit,
        "only_first": sorted(seen[0] - seen[1]),
        "only_second": sorted(seen[1] - seen[0]),
    }


def measure_page(
    state: BrowserState,
    ctx: CallContext,
    *,
    url: Any,
    device: Any = None,
    iterations: Any = None,
    idle: Any = None,
) -> Seen:
    """How long a page takes to load, in milliseconds, over several visits."""
    address, times = checked_url(url), 3 if iterations is None else int(iterations)
    if not 1 <= times <= 20:
        raise invalid("The number of visits lies between 1 and 20.", type="invalid_iterations")
    slow = _slowness(device)
    whole = load_time(address, "networkidle" if idle else "load")
    visits = [round(whole * slow) + int(digest([address, number])[:2], 16) for number in range(times)]
    elements = page_at(state, address)[1]
    return {"url": address, "visits": visits, "average": sum(visits) / times, "elements": len(elements)}


def _slowness(device: Any) -> float:
    """How many times longer a device takes; 422 for one that is not known."""
    if device in (None, ""):
        return 1.0
    name = next((name for name in DEVICES if name in str(device).casefold()), "")
    if not name:
        raise invalid(f"No device is called {device!r}; use one such as {', '.join(DEVICES)}.", type="unknown_device")
    return {"desktop": 1.0, "ipad": 1.4}.get(name, 1.8)


def analyze_page(
    state: BrowserState,
    ctx: CallContext,
    *,
    url: Any,
    device: Any = None,
    full_page: Any = None,
    elements: Any = None,
    messages: Any = None,
    target: Any = None,
) -> Seen:
    """A page with its picture, its elements, the console and its load time; 404 when an element is missing."""
    picture = screenshot(state, ctx, url=url, device=device, full_page=full_page)
    page = viewed(state, url=url)
    told_ = measure_page(state, ctx, url=url, device=device)
    found: Seen = {**picture, "load_time": told_["average"]}
    if target not in (None, ""):
        found["element"] = screenshot(state, ctx, url=url, target=target)["picture"]["shows"]
    if elements is not False:
        found["elements"] = [line_of(e) for e in page.elements]
    if messages is not False:
        found["console"] = [row["text"] for row in console_messages(state, ctx)["messages"]]
    return found


def picture_pages(
    state: BrowserState,
    ctx: CallContext,
    *,
    urls: Sequence[Any],
    device: Any = None,
    full_page: Any = None,
    columns: Any = None,
) -> Seen:
    """Pictures of several pages in a grid of so many columns."""
    wide = 2 if columns is None else int(columns)
    if not 1 <= wide <= 10:
        raise invalid("A grid has 1 to 10 columns.", type="invalid_grid")
    pictures = [screenshot(state, ctx, url=url, device=device, full_page=full_page) for url in urls]
    grid = [pictures[start : start + wide] for start in range(0, len(pictures), wide)]
    return {"rows": len(grid), "grid": [[one["picture"]["mark"] for one in row] for row in grid], "pictures": pictures}


_STEP = {"fill": ("selector", "value"), "click": ("selector",), "select": ("selector", "value"), "hover": ("selector",)}


def run_steps(
    state: BrowserState,
    ctx: CallContext,
    *,
    url: Any,
    steps: Sequence[Any],
    task: Any = None,
    messages: Any = None,
    session: Any = None,
) -> Seen:
    """Do several steps one after the other; the first that fails ends it, unless the step is optional."""
    navigate(state, ctx, url=url, session=session)
    done: list[Seen] = []
    for number, step in enumerate(steps, 1):
        try:
            told_ = _step(state, ctx, step, session)
            done.append({"step": number, "action": step.get("action"), "passed": True, "url": told_.get("url", "")})
        except ToolError as error:
            done.append({"step": number, "action": step.get("action"), "passed": False, "error": error.message})
            if not step.get("isOptional"):
                break
    passed = len(done) == len(steps) and all(one["passed"] or steps[one["step"] - 1].get("isOptional") for one in done)
    page = current(state, session)
    found: Seen = {"passed": passed, "steps": done, **shown(page)}
    if task is not None:
        wanted = set(re.findall(r"\w+", str(task).casefold())) - _SMALL
        seen = set(re.findall(r"\w+", f"{page.title} {page_text(page)}".casefold()))
        found["task_words_on_page"] = sorted(wanted & seen)
    if messages:
        found["console"] = [row["text"] for row in console_messages(state, ctx, session=session)["messages"]]
    return found


def _step(state: BrowserState, ctx: CallContext, step: Any, session: Any) -> Seen:
    """One step of a run; 422 when it lacks what its action needs."""
    action = str(step.get("action", ""))
    for name in _STEP.get(action, ()):
        if step.get(name) in (None, ""):
            raise invalid(f"The action {action} needs a {name}.", type="incomplete_step")
    target, value = step.get("selector"), step.get("value")
    if action == "navigate":
        return navigate(state, ctx, url=step.get("url") or value, session=session)
    if action == "click":
        return click_element(state, ctx, target=target, session=session)
    if action == "fill":
        return fill_field(state, ctx, target=target, value=value, session=session)
    if action == "select":
        return choose_option(state, ctx, target=target, value=value, session=session)
    page = current(state, session)
    if action in ("verifyText", "wait") and value and str(value).casefold() not in page_text(page).casefold():
        raise ToolError(404, "not_found", f"{value!r} is not on {page.url}.")
    if target:
        return screenshot(state, ctx, target=target, session=session)
    return shown(page)
