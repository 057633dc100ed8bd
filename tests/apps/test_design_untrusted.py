"""Whatever a tool or a model says: nothing runs, nothing hides, nothing grows without bound."""

import html as html_module
import re
import time
from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from webapp.common.rendering.code import code_block
from webapp.common.rendering.diff import diff_table, record_changes, text_diff
from webapp.common.rendering.json_tree import INLINE_BYTES, json_tree
from webapp.common.rendering.text import Markup, cut, esc, visible, visible_html
from webapp.common.svg import Node, Series, dependency_graph, heat_map, line_chart, sparkline

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</svg><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "{{ settings.SECRET_KEY }}{% load x %}",
    "\u202etxt.exe\u202c \u2066hidden\u2069 a\u200bb \x00 \x1b[31mred\x1b[0m \ud800 \ufeff",
    "]]><!--",
]

HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\x00\x1b\ufeff\ud800-\udfff]")


class Tags(HTMLParser):
    """Collects what a browser would treat as markup."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [name for name, _ in attrs]


def assert_harmless(page: str) -> None:
    parser = Tags()
    parser.feed(page)
    assert not {"script", "img", "iframe", "object", "style"} & set(parser.names)
    assert not [name for name in parser.attributes if name.startswith("on") or name == "style"]
    shown = re.sub(r' data-copy="[^"]*"', "", page)
    assert not HIDDEN.search(shown)
    page.encode("utf-8")


def renderings(text: str) -> list[str]:
    value = {text: [text, {"k": text}], "n": 1}
    template = Template(
        "{% load ui %}{% status t %}{% icon t label=t %}{% visible t %}{{ t|visible }}{{ t|shown }}{% chips f %}"
        "{% kv rows copy=True %}{% empty t t '/x' t %}{% banner 'info' t t '/x' t %}"
        "{% tabs tabs 'k' %}{% stepper steps %}{% log lines %}{% copy t %}"
        "{% include 'components/error_block.html' with title=t text=t status='500' %}"
        "{% include 'components/toast.html' with text=t level='info' undo_url='' oob=False %}"
    )
    form = Template("{% load ui %}{% schema_form schema %}")
    context = {
        "t": text,
        "f": [{"label": "Text", "value": text, "remove_url": "?a=1"}],
        "rows": [(text, text)],
        "tabs": [{"key": "k", "label": text, "url": "?"}],
        "steps": [(text, text)],
        "lines": [{"at": "", "level": "error", "message": text}],
        "schema": {"properties": {text: {"type": "string", "description": text, "default": text, "enum": [text]}}},
    }
    # A field's own value must come back as it was typed, so it keeps even what cannot be seen.
    typed = HIDDEN.sub("", form.render(Context(context)))
    return [
        template.render(Context(context)),
        typed,
        json_tree(value, name=text),
        code_block(text, "python", title=text),
        code_block(text, text),
        diff_table(value, {text: [text + "x"]}, before_label=text),
        text_diff(text, text + "\n" + text),
        line_chart([Series(text, [(0, 1), (1, 2)])], title=text, x_label=text, y_label=text),
        sparkline([1.0, 2.0], label=text),
        dependency_graph([Node(text, text, sub=text)], [], [Node("d", text)], title=text),
        heat_map([text], [text], [[0.5]], caption=text, corner=text),
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_ever_text(text: str) -> None:
    for page in renderings(text):
        assert_harmless(page)


@given(st.text())
def test_visible_text_keeps_everything_else_and_escapes_to_itself(text: str) -> None:
    shown = visible(text)
    assert html_module.unescape(esc(text)) == shown
    assert shown.encode("utf-8").decode() == shown
    plain = re.sub(r"<[^>]*>", "", visible_html(text))
    assert html_module.unescape(plain) == shown
    if text.isascii() and text.isprintable():
        assert shown == text


def test_hidden_characters_are_named() -> None:
    assert visible("a\u202eb") == "a⟨U+202E⟩b"
    assert visible("\x00\x7f\x85") == "⟨U+0000⟩⟨U+007F⟩⟨U+0085⟩"
    assert visible("line\nfeed\tand 中文 é 👩‍🔬") == "line\nfeed\tand 中文 é 👩‍🔬"
    assert '<span class="ctl">⟨U+202E⟩</span>' in visible_html("\u202e")


def test_markup_stays_safe_only_with_safe_parts() -> None:
    assert isinstance(Markup("<b>") + Markup("</b>"), Markup)
    assert not isinstance(Markup("<b>") + "<script>", Markup)
    assert cut("abcdef", 4) == "abc…"


@pytest.mark.parametrize(
    "value",
    [
        "x" * 1_000_000,
        {"k": "x" * 1_000_000, "after": "still here"},
        ["y" * 3000] * 5000,
        {str(i): {"a": i, "b": [i] * 50} for i in range(5000)},
        list(range(100_000)),
    ],
    ids=["text", "field", "list of texts", "wide", "numbers"],
)
def test_huge_values_are_cut_and_say_so(value: object) -> None:
    begin = time.perf_counter()
    page = json_tree(value, download_url="/raw/")
    assert time.perf_counter() - begin < 3
    assert len(page) < 6 * INLINE_BYTES
    assert "/raw/" in page
    assert "not shown" in page or "too large" in page


def test_deep_values_are_cut_not_fatal() -> None:
    value: object = "leaf"
    for _ in range(5000):
        value = {"k": value}
    page = json_tree(value)
    assert page.count("<details") <= 64
    assert "too large" in page


def test_small_values_are_whole_and_open_two_levels() -> None:
    page = json_tree({"a": {"b": {"c": {"d": 1}}}, "e": [], "f": None, "g": True})
    assert page.count("<details open>") == 1
    assert page.count("<details>") == 2
    for text in ("[]", "null", "true", ">1<"):
        assert text in page
    assert "too large" not in page


def test_a_long_string_is_folded_with_its_length() -> None:
    page = json_tree({"body": "word " * 600})
    assert 'class="fold"' in page
    assert "3000 characters" in page


def test_code_stops_at_four_hundred_lines_and_long_lines_are_cut() -> None:
    page = code_block("\n".join(f"x = {i}" for i in range(1000)), "python", download_url="/code/")
    assert page.count("<tr ") == 400
    assert "600 more lines" in page
    assert 'href="/code/"' in page
    assert len(code_block("z" * 1_000_000)) < 20_000
    assert "more line" not in code_block("one\ntwo\n")


def test_code_marks_lines_and_numbers_from_the_start_given() -> None:
    page = code_block("a = 1\nb = 2\n", "python", start=10, mark=[11])
    assert ">10</a>" in page
    assert re.search(r"class=marked><td class=\"ln\"><a [^>]*>11<", page)


def test_record_differences_by_path() -> None:
    before = {"a": 1, "b": {"c": [1, 2], "d": "x"}, "e/f": True, "same": {"k": 1}}
    after = {"a": 1, "b": {"c": [1, 3, 4], "d": "y"}, "e/f": 1, "same": {"k": 1}, "new": {"z": 0}}
    changes, equal = record_changes(before, after)
    assert [(c.kind, c.path) for c in changes] == [
        ("changed", "/b/c/1"),
        ("added", "/b/c/2"),
        ("changed", "/b/d"),
        ("changed", "/e~1f"),
        ("added", "/new"),
    ]
    assert equal == 3
    assert record_changes(before, before) == ([], 6)


def test_rows_outside_the_criterion_are_said_to_be_ignored() -> None:
    page = diff_table({"a": {"b": 1}, "c": 1}, {"a": {"b": 2}, "c": 2}, relevant=["/a"])
    assert page.count("ignored by verifier") == 1
    assert page.index("ignored by verifier") > page.index("/c<")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
                    max_leaves=12))  # fmt: skip
def test_any_json_value_draws_and_equals_itself(value: object) -> None:
    assert_harmless(json_tree(value))
    assert record_changes(value, value)[0] == []
