"""Differences between two JSON records, by path, and between two texts, by line."""

import difflib
import json
import re
from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from django.utils.translation import gettext, ngettext

from webapp.common.rendering.text import Markup, cut, esc, visible_html

Kind = Literal["added", "removed", "changed"]
SIGNS: dict[Kind, str] = {"added": "+", "removed": "−", "changed": "±"}
MAX_ROWS = 400
VALUE_CHARS = 600
WORD_CHARS = 2_000
MAX_LINES = 2_000
_MISSING = object()


class Change(NamedTuple):
    """One differing path; `before` is None in an added one, `after` in a removed one (as JSON text)."""

    path: str
    kind: Kind
    before: str | None
    after: str | None


def record_changes(before: object, after: object, path: str = "") -> tuple[list[Change], int]:
    """The differing paths in order, and how many leaf values are equal. List items are compared by place."""
    changes: list[Change] = []
    equal = 0
    stack: list[tuple[str, object, object]] = [(path, before, after)]
    while stack:
        place, old, new = stack.pop()
        inner = _pairs(place, old, new)
        if inner is not None:
            stack.extend(reversed(inner))
        elif old is not _MISSING and new is not _MISSING and _same(old, new):
            equal += 1
        else:
            changes.append(_change(place or "/", old, new))
    return changes, equal


def _pairs(path: str, old: object, new: object) -> list[tuple[str, object, object]] | None:
    """The parts to compare when both are records or both are lists; None when the pair is compared whole."""
    if isinstance(old, Mapping) and isinstance(new, Mapping) and (old or new):
        keys = [*old, *(key for key in new if key not in old)]
        return [(f"{path}/{_escape(key)}", old.get(key, _MISSING), new.get(key, _MISSING)) for key in keys]
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and (old or new):
        longest = max(len(old), len(new))
        return [
            (f"{path}/{i}", old[i] if i < len(old) else _MISSING, new[i] if i < len(new) else _MISSING)
            for i in range(longest)
        ]
    return None


def _escape(key: object) -> str:
    """A JSON Pointer step."""
    return str(key).replace("~", "~0").replace("/", "~1")


def _same(old: object, new: object) -> bool:
    # In JSON true is not 1, although Python says they are equal.
    return old == new and isinstance(old, bool) == isinstance(new, bool)


def _change(path: str, old: object, new: object) -> Change:
    if old is _MISSING:
        return Change(path, "added", None, _text(new))
    if new is _MISSING:
        return Change(path, "removed", _text(old), None)
    return Change(path, "changed", _text(old), _text(new))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def diff_table(
    before: object,
    after: object,
    *,
    before_label: str = "",
    after_label: str = "",
    relevant: Collection[str] | None = None,
) -> Markup:
    """The changes as a table. With `relevant` (JSON Pointers), all other rows are dimmed and marked as ignored."""
    changes, equal = record_changes(before, after)
    if not changes:
        return Markup(f'<p class="muted">{esc(gettext("No difference."))}</p>')
    rows = "".join(_row(change, relevant) for change in changes[:MAX_ROWS])
    notes = []
    if len(changes) > MAX_ROWS:
        notes.append(gettext("%(n)d more differences not shown") % {"n": len(changes) - MAX_ROWS})
    if equal:
        notes.append(ngettext("%(n)d equal value", "%(n)d equal values", equal) % {"n": equal})
    foot = f'<tr class="same"><td colspan="4">{esc(" · ".join(notes))}</td></tr>' if notes else ""
    heads = (gettext("Path"), before_label or gettext("Before"), after_label or gettext("After"))
    head = "".join(f'<th scope="col">{esc(text)}</th>' for text in heads)
    return Markup(
        f'<div class="diff"><table><thead><tr><th class="sign"><span class="visually-hidden">{esc(gettext("Change"))}'
        f"</span></th>{head}</tr></thead><tbody>{rows}{foot}</tbody></table></div>"
    )


def _row(change: Change, relevant: Collection[str] | None) -> str:
    ignored = relevant is not None and not any(_covers(path, change.path) for path in relevant)
    old, new = _marked(change)
    note = f'<br><span class="note">{esc(gettext("ignored by verifier"))}</span>' if ignored else ""
    words = {"added": gettext("added"), "removed": gettext("removed"), "changed": gettext("changed")}
    return (
        f'<tr class="{change.kind}{" ignored" if ignored else ""}">'
        f'<td class="sign"><span aria-hidden="true">{SIGNS[change.kind]}</span>'
        f'<span class="visually-hidden">{esc(words[change.kind])}</span></td>'
        f'<td class="path">{visible_html(cut(change.path, 200))}{note}</td>'
        f"<td{' class=gone' if change.before is not None else ''}>{old}</td>"
        f"<td{' class=came' if change.after is not None else ''}>{new}</td></tr>"
    )


def _covers(pattern: str, path: str) -> bool:
    """Whether a criterion that reads `pattern` sees a change at `path`: one contains the other."""
    return path == pattern or path.startswith(pattern.rstrip("/") + "/") or pattern.startswith(path + "/")


def _marked(change: Change) -> tuple[str, str]:
    if change.before is None or change.after is None:
        return _side(change.before), _side(change.after)
    if len(change.before) + len(change.after) > WORD_CHARS:
        return _side(change.before), _side(change.after)
    return word_marks(change.before, change.after)


def _side(text: str | None) -> str:
    return (
        f'<span class="note">{esc(gettext("absent"))}</span>' if text is None else visible_html(cut(text, VALUE_CHARS))
    )


def word_marks(before: str, after: str) -> tuple[Markup, Markup]:
    """Both texts escaped, with `<del>` and `<ins>` around the words that differ."""
    old, new = _words(before), _words(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    left: list[str] = []
    right: list[str] = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        gone, came = visible_html("".join(old[a0:a1])), visible_html("".join(new[b0:b1]))
        left.append(gone if tag == "equal" or not gone else f"<del>{gone}</del>")
        right.append(came if tag == "equal" or not came else f"<ins>{came}</ins>")
    return Markup("".join(left)), Markup("".join(right))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]", text)


def text_diff(before: str, after: str, *, context: int = 3) -> Markup:
    """A unified line difference; equal stretches beyond `context` lines are folded into their count."""
    old, new = before.splitlines()[:MAX_LINES], after.splitlines()[:MAX_LINES]
    if old == new:
        return Markup(f'<p class="muted">{esc(gettext("No difference."))}</p>')
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    rows: list[str] = []
    done = 0
    for group in matcher.get_grouped_opcodes(context):
        if group[0][1] > done:
            rows.append(_skipped(group[0][1] - done))
        for tag, a0, a1, b0, b1 in group:
            rows.extend(_lines(tag, old[a0:a1], new[b0:b1], a0, b0))
        done = group[-1][2]
    if len(old) > done:
        rows.append(_skipped(len(old) - done))
    return Markup(f'<div class="diff lines"><table><tbody>{"".join(rows)}</tbody></table></div>')


def _skipped(count: int) -> str:
    text = ngettext("%(n)d equal line", "%(n)d equal lines", count) % {"n": count}
    return f'<tr class="same"><td colspan="4">{esc(text)}</td></tr>'


def _lines(tag: str, old: list[str], new: list[str], a0: int, b0: int) -> list[str]:
    if tag == "equal":
        return [_line("", " ", a0 + i + 1, b0 + i + 1, visible_html(text)) for i, text in enumerate(old)]
    if tag == "replace" and len(old) == len(new):
        pairs = [word_marks(a[:WORD_CHARS], b[:WORD_CHARS]) for a, b in zip(old, new, strict=True)]
    else:
        pairs = []
    gone = [pair[0] for pair in pairs] or [visible_html(text) for text in old]
    came = [pair[1] for pair in pairs] or [visible_html(text) for text in new]
    return [
        *(_line("gone", "−", a0 + i + 1, None, text) for i, text in enumerate(gone)),
        *(_line("came", "+", None, b0 + i + 1, text) for i, text in enumerate(came)),
    ]


def _line(name: str, sign: str, old: int | None, new: int | None, text: str) -> str:
    return (
        f'<tr class="{name}"><td class="ln">{old or ""}</td><td class="ln">{new or ""}</td>'
        f'<td class="sign">{sign}</td><td>{text}</td></tr>'
    )
