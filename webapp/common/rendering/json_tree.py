"""A JSON value as nested `<details>`: bounded whatever the value, and readable without scripts."""

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from webapp.common.rendering.text import Markup, esc, visible_html

FOLD_CHARS = 2_048
INLINE_BYTES = 256 * 1024
PREVIEW_CHARS = 4_096
MAX_CHILDREN = 200
MAX_NODES = 2_000
MAX_DEPTH = 64
KEY_CHARS = 200


@dataclass
class _Budget:
    """What one page can still show."""

    nodes: int = MAX_NODES
    chars: int = INLINE_BYTES

    def spend(self, chars: int) -> bool:
        self.nodes -= 1
        self.chars -= chars
        return self.nodes > 0 and self.chars > 0


def json_tree(value: object, *, open_depth: int = 2, name: str = "", download_url: str = "") -> Markup:
    """The tree of `value`: strings over 2 KB folded; beyond 256 KB or 2,000 parts the rest is left out, said so.

    `download_url` is offered wherever something was left out. Keys keep their order.
    """
    budget = _Budget()
    body = _root(value, open_depth, budget)
    title = f'<span class="mono">{esc(name)}</span>' if name else f"<span>{esc(_kind(value))}</span>"
    tools = f'<span class="end">{_expand(budget)}{_copy(value, budget)}{_raw(download_url)}</span>'
    cut = budget.nodes <= 0 or budget.chars <= 0
    foot = f"<footer>{_left_out(download_url)}</footer>" if cut else ""
    label = esc(name or _kind(value))
    return Markup(
        f'<div class="json" data-json><header>{title}<span class="muted">{esc(_summary(value))}</span>{tools}</header>'
        f'<div class="json-body" tabindex="0" role="group" aria-label="{label}">{body}</div>{foot}</div>'
    )


def _root(value: object, open_depth: int, budget: _Budget) -> str:
    """The outermost level is always open, so it needs no line of its own."""
    if isinstance(value, Mapping | list | tuple) and value:
        return f"<ul>{''.join(_children(value, open_depth - 1, budget, 1))}</ul>"
    return f'<span class="leaf">{_leaf(value, budget)}</span>'


def _node(value: object, depth_left: int, budget: _Budget, depth: int, key: str = "") -> str:
    """A branch or leaf; `key` is escaped and stands in the summary, so that the whole line opens the branch."""
    if isinstance(value, Mapping | list | tuple) and value:
        head = f'{key} <span class="meta">{esc(_summary(value))}</span>'
        if depth >= MAX_DEPTH:
            budget.nodes = 0
            return f'<span class="leaf">{head} …</span>'
        opened = " open" if depth_left > 0 else ""
        children = "".join(_children(value, depth_left - 1, budget, depth + 1))
        return f"<details{opened}><summary>{head}</summary><ul>{children}</ul></details>"
    return f'<span class="leaf">{key}{": " if key else ""}{_leaf(value, budget)}</span>'


def _children(
    value: Mapping[object, object] | Sequence[object], depth_left: int, budget: _Budget, depth: int
) -> Iterator[str]:
    pairs = list(value.items() if isinstance(value, Mapping) else enumerate(value))
    for index, (key, child) in enumerate(pairs):
        label = str(key)[:KEY_CHARS]
        if index >= MAX_CHILDREN or not budget.spend(len(label)):
            yield f'<li class="meta">… {esc(_more(len(pairs) - index))}</li>'
            return
        name = f'<span class="key">{visible_html(label)}</span>'
        yield f"<li>{_node(child, depth_left, budget, depth, name)}</li>"


def _leaf(value: object, budget: _Budget) -> str:
    if isinstance(value, str):
        return _string(value, budget)
    if isinstance(value, Mapping | list | tuple):
        return f'<span class="meta">{"{}" if isinstance(value, Mapping) else "[]"}</span>'
    if value is None or isinstance(value, bool):
        return f'<span class="lit">{json.dumps(value)}</span>'
    text = str(value)[:KEY_CHARS]
    budget.spend(len(text))
    return f'<span class="numeral">{esc(text)}</span>'


def _string(value: str, budget: _Budget) -> str:
    if len(value) <= FOLD_CHARS:
        budget.spend(len(value))
        return f'<span class="str">"{visible_html(value)}"</span>'
    shown = value[:PREVIEW_CHARS] if len(value) > INLINE_BYTES or budget.chars < len(value) else value
    budget.spend(len(shown))
    size = ngettext("%(n)d character", "%(n)d characters", len(value)) % {"n": len(value)}
    note = ""
    if len(shown) < len(value):
        budget.chars = min(budget.chars, 0)
        note = f'<span class="meta"> {esc(gettext("preview, the rest is not shown"))}</span>'
    return (
        f'<details class="fold"><summary><span class="str">"{visible_html(value[:80])}…"</span> '
        f'<span class="meta">{esc(size)}</span></summary><span class="str">{visible_html(shown)}</span>{note}</details>'
    )


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return gettext("object")
    if isinstance(value, list | tuple):
        return gettext("array")
    if value is None:
        return "null"
    names = {str: gettext("text"), bool: gettext("true or false")}
    return names.get(type(value), gettext("number"))


def _summary(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ngettext("%(n)d key", "%(n)d keys", len(value)) % {"n": len(value)} + "}"
    if isinstance(value, list | tuple):
        return "[" + ngettext("%(n)d item", "%(n)d items", len(value)) % {"n": len(value)} + "]"
    return ""


def _more(count: int) -> str:
    return ngettext("%(n)d more not shown", "%(n)d more not shown", count) % {"n": count}


def _expand(budget: _Budget) -> str:
    if budget.nodes > MAX_NODES - 4:
        return ""
    return (
        f'<button type="button" class="btn quiet small" data-json-all="">{esc(gettext("Open or close all"))}</button>'
    )


def _copy(value: object, budget: _Budget) -> str:
    """A copy button, when the whole value is small enough to ride along in it."""
    if INLINE_BYTES - budget.chars > FOLD_CHARS or budget.nodes <= MAX_NODES - MAX_CHILDREN:
        return ""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
    return copy_button(text, gettext("Copy JSON"))


def copy_button(text: str, label: str) -> Markup:
    """A button that copies `text`; without scripts it is hidden."""
    name = esc(label)
    return Markup(
        f'<button type="button" class="btn quiet small icon-only copy" data-copy="{_attribute(text)}"'
        f' aria-label="{name}" title="{name}">'
        f'<svg class="icon" aria-hidden="true"><use href="{sprite()}#copy"/></svg></button>'
    )


def _attribute(text: str) -> str:
    """`text` unchanged but for HTML escaping: what is copied must be what was there."""
    return html.escape(text.encode("utf-8", "replace").decode(), quote=True)


def _raw(download_url: str) -> str:
    if not download_url:
        return ""
    return f'<a class="btn quiet small" href="{esc(download_url)}">{esc(gettext("Raw"))}</a>'


def _left_out(download_url: str) -> str:
    text = esc(gettext("This value is too large to show whole."))
    if not download_url:
        return text
    return f'{text} <a href="{esc(download_url)}">{esc(gettext("Download it"))}</a>'


def sprite() -> str:
    """Where the icons are served."""
    from django.templatetags.static import static

    return static("icons/sprite.svg")
