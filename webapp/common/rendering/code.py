"""Source code highlighted on the server with classes, so that no style attribute is needed."""

import zlib
from collections.abc import Collection

from django.utils.translation import gettext, ngettext
from pygments import lex
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.token import STANDARD_TYPES, Token, _TokenType
from pygments.util import ClassNotFound

from webapp.common.rendering.json_tree import copy_button
from webapp.common.rendering.text import Markup, cut, esc, visible, visible_html

MAX_LINES = 400
LINE_CHARS = 2_000
MAX_CHARS = 200_000


def code_block(
    text: str,
    language: str = "text",
    *,
    start: int = 1,
    mark: Collection[int] = (),
    title: str = "",
    download_url: str = "",
) -> Markup:
    """At most 400 lines of `text`, numbered from `start`; the lines in `mark` stand out. The cut is stated."""
    shown = text[:MAX_CHARS]
    lines = highlight_lines(shown, language)
    # The same text twice on a page would share its line anchors; the title tells them apart.
    key = f"L{zlib.crc32((title + shown[:4096]).encode(errors='replace')):08x}"
    rows = "".join(
        f'<tr id="{key}-{number}"{" class=marked" if number in mark else ""}><td class="ln">'
        f'<a href="#{key}-{number}">{number}</a></td><td class="src">{line}</td></tr>'
        for number, line in enumerate(lines[:MAX_LINES], start)
    )
    missing = text.count("\n") + (not text.endswith("\n")) - min(len(lines), MAX_LINES)
    foot = f"<footer>{_rest(missing, download_url)}</footer>" if missing > 0 and text else ""
    small = copy_button(text, gettext("Copy code")) if len(text) <= MAX_CHARS // 4 else ""
    wrap = (
        f'<button type="button" class="btn quiet small" data-toggle-class="wrap" data-toggle-on=".code"'
        f' aria-pressed="false">{esc(gettext("Wrap"))}</button>'
    )
    return Markup(
        f'<div class="code hl"><header><span class="mono">{esc(title or language)}</span>'
        f'<span class="end">{wrap}{small}</span></header>'
        f'<div class="code-body" tabindex="0" role="group" aria-label="{esc(title or language)}">'
        f"<table><tbody>{rows}</tbody></table></div>{foot}</div>"
    )


def highlight_lines(text: str, language: str) -> list[Markup]:
    """One safe piece of HTML per line. An unknown language is shown as plain text."""
    lines: list[list[str]] = [[]]
    for kind, value in lex(visible(text), _lexer(language)):
        name = _class(kind)
        for index, part in enumerate(value.split("\n")):
            if index:
                lines.append([])
            if part:
                inner = visible_html(cut(part, LINE_CHARS))
                lines[-1].append(f'<span class="{name}">{inner}</span>' if name else inner)
    if lines and not lines[-1]:
        lines.pop()
    return [Markup("".join(parts)) for parts in lines]


def _lexer(language: str) -> Lexer:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False, ensurenl=False)


def _class(kind: _TokenType) -> str:
    while kind not in STANDARD_TYPES and kind is not Token:
        kind = kind.parent or Token
    return STANDARD_TYPES.get(kind, "")


def _rest(missing: int, download_url: str) -> str:
    text = esc(ngettext("%(n)d more line", "%(n)d more lines", missing) % {"n": missing})
    if not download_url:
        return text
    return f'{text} · <a href="{esc(download_url)}">{esc(gettext("Load the rest"))}</a>'
