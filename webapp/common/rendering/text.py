"""Untrusted text made safe to look at: escaped, bounded, and with nothing invisible left in it.

No framework import: the drawings in `webapp.common.svg` use these functions too.
"""

import html
import re
from typing import Self

# Characters that change what the reader sees without being seen themselves: bidirectional overrides can
# make code read backwards, zero-width marks can hide a word inside another.
_RANGES = ((0x80, 0xA0), (0x200E, 0x2010), (0x2028, 0x202F), (0x2060, 0x2070), (0xFFF9, 0xFFFC), (0xE0000, 0xE0080))
_SINGLE = (0xAD, 0x061C, 0x180E, 0x200B, 0x200C, 0xFEFF, 0xFFFE, 0xFFFF)
_HIDDEN = (*_SINGLE, *(code for low, high in _RANGES for code in range(low, high)))
_TABLE: dict[int, str] = {code: f"⟨U+{code:04X}⟩" for code in _HIDDEN}
_TABLE |= {code: f"⟨U+{code:04X}⟩" for code in (*range(0x20), 0x7F) if code not in (0x09, 0x0A)}
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")


class Markup(str):
    """Text that is already safe HTML or SVG. Django's and Jinja's escaping honour `__html__`."""

    __slots__ = ()

    def __html__(self) -> str:
        return self

    def __add__(self, other: str, /) -> "Markup | str":
        joined = str.__add__(self, other)
        return Markup(joined) if isinstance(other, Markup) else joined

    @classmethod
    def join_all(cls, parts: "list[str] | list[Markup]", separator: str = "") -> Self:
        """Join pieces that the caller already escaped."""
        return cls(separator.join(parts))


def visible(text: str) -> str:
    """`text` with control, bidirectional and zero-width characters and lone surrogates spelled out.

    Line feeds and tabs stay. The result is plain text and still needs escaping.
    """
    shown = text.translate(_TABLE)
    return _SURROGATE.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", shown)


def esc(value: object) -> Markup:
    """Escape `value` for HTML text, attributes and XML; invisible characters are spelled out."""
    return Markup(html.escape(visible(str(value)), quote=True))


def visible_html(text: str) -> Markup:
    """Escape `text` and set each spelled-out character apart, so that it cannot pass for real text."""
    return Markup(_SHOWN.sub(lambda found: f'<span class="ctl">{found[0]}</span>', esc(text)))


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis in place of what is missing."""
    return text if len(text) <= limit else text[: max(0, limit - 1)] + "…"
