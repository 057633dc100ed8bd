"""Text and JSON that any store accepts: NUL and lone surrogates become U+FFFD. Pure.

PostgreSQL refuses both in `text` and `jsonb`, and half of an emoji is enough to lose an hour of work at
the final save, so this runs before every JSON column, log line and export.
"""

import re

_REFUSED = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def sanitise_text(text: str) -> tuple[str, bool]:
    """(`text` with each refused code point replaced by U+FFFD, whether there was one)."""
    if _REFUSED.search(text) is None:
        return text, False
    # A pair that was cut into two escapes and joined again is one character; only real halves go.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _REFUSED.sub(_REPLACEMENT, joined), True


def sanitise_json(value: object) -> tuple[object, bool]:
    """(`value` with every string and key in it sanitised, whether anything changed).

    Walks dicts, lists and tuples; tuples become lists, as in JSON. Keys that become equal keep the last
    value. NaN and infinities are not touched: they are refused where tools answer.
    """
    changed = False

    def clean(node: object) -> object:
        nonlocal changed
        if isinstance(node, str):
            text, dirty = sanitise_text(node)
            changed = changed or dirty
            return text
        if isinstance(node, dict):
            return {clean(key): clean(member) for key, member in node.items()}
        if isinstance(node, list | tuple):
            return [clean(member) for member in node]
        return node

    return clean(value), changed
