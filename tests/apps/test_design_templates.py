"""The rules of the page: nothing inline, every icon drawn, one list of keys, nothing from another host."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import timezone

from webapp.common.rendering import numbers, shell
from webapp.common.rendering.status import LOOKS
from webapp.common.rendering.widgets import progress_line, provenance_bar, relative_time, score_pair

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static/js").glob("*.js"))
SPRITE = (ROOT / "static/icons/sprite.svg").read_text(encoding="utf-8")
ICONS = set(re.findall(r'<symbol id="([\w-]+)"', SPRITE))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def render(source: str, path: str = "/", **context: object) -> str:
    request = RequestFactory().get(path)
    return Template("{% load ui %}" + source).render(Context({**context, "request": request}))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_hold_nothing_inline(path: Path) -> None:
    text = re.sub(r"{%\s*comment.*?endcomment\s*%}|{#.*?#}", "", read(path), flags=re.DOTALL)
    for tag in re.findall(r"<script\b[^>]*>", text):
        assert "src=" in tag, tag
    assert not re.search(r"<style\b|\sstyle\s*=|\shx-on[:\w-]*\s*=|\son[a-z]+\s*=\s*[\"']|javascript:", text)
    assert not re.search(r"hx-(vars|vals)=\"js:|hx-trigger=\"[^\"]*\[", text)
    assert not re.search(r"(src|href|action)=\"https?://", text)
    assert "|safe" not in text
    assert "autoescape off" not in text


def test_every_icon_used_is_drawn() -> None:
    used = {shown.icon for shown in LOOKS.values()}
    used |= {section.icon for _, sections in shell.RAIL for section in sections}
    for path in TEMPLATES:
        used |= set(re.findall(r"{%\s*icon \"([\w-]+)\"", read(path)))
        used |= set(re.findall(r"sprite\.svg' %}#([\w-]+)", read(path)))
    used |= set(re.findall(r'"([\w-]+)"', re.search(r"const ICONS = {(.*?)}", read(ROOT / "static/js/toasts.js"))[1]))  # type: ignore[index]
    assert used <= ICONS, used - ICONS


def test_the_sprite_is_well_formed_and_has_the_promised_icons() -> None:
    promised = (
        "shield-check waves lock flask eye clock pencil loader hand check-circle circle-half x-circle plug-off slash"
        " pause history home services compose tasks review rollouts datasets jobs compare activity settings search sun"
        " moon user chevron copy download play stop plus filter external key warning arrow"
    )
    assert set(promised.split()) <= ICONS
    assert SPRITE.count("<symbol") == len(ICONS)
    assert "href" not in SPRITE


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_small_and_build_no_code_or_markup_from_text(path: Path) -> None:
    text = read(path)
    assert text.count("\n") < 200
    assert not re.search(
        r"\beval\(|new Function|innerHTML\s*=|insertAdjacentHTML|document\.write|https?://(?!www\.w3\.org)", text
    )
    if path.name != "adapter.js":
        assert "htmx:" not in text


def test_every_script_is_loaded() -> None:
    imported = {name for path in SCRIPTS for name in re.findall(r'from "\./([\w.]+)"|import "\./([\w.]+)"', read(path))}
    reached = {name for pair in imported for name in pair if name} | {"app.js"}
    assert reached == {path.name for path in SCRIPTS}


def test_styles_ask_no_other_host() -> None:
    for path in (ROOT / "static/css").glob("*.css"):
        assert not re.search(r"url\(|@import", read(path)), path.name


def test_one_list_of_keys() -> None:
    groups = json.loads(read(ROOT / "static/js/shortcuts.json"))
    assert groups == shell.shortcuts()
    labels = [group["group"] for group in groups] + [item["label"] for group in groups for item in group["keys"]]
    assert set(labels) <= {str(word) for word in shell.SHORTCUT_WORDS}
    keys = [key for group in groups for item in group["keys"] for key in item["keys"]]
    assert len(keys) == len(set(keys))
    runs = {item["run"] for group in groups for item in group["keys"] if "run" in item} - {"press"}
    actions = re.search(r"const actions = {(.*?)\n};", read(ROOT / "static/js/keys.js"), re.DOTALL)
    assert actions
    assert runs <= set(re.findall(r'^  "?([\w-]+)"?:', actions[1], re.MULTILINE))
    for group in groups:
        for item in group["keys"]:
            if "go" in item:
                assert shell.current_section(item["go"]) != ""


def test_the_page_frame_has_landmarks_and_the_htmx_rules(client) -> None:  # type: ignore[no-untyped-def]
    page = client.get("/help/components/").content.decode()
    for mark in (
        'class="skip" href="#main"',
        '<main class="content',
        'id="main"',
        '<nav class="rail"',
        'aria-live="polite"',
    ):
        assert mark in page
    config = json.loads(re.search(r"name=\"htmx-config\" content='([^']*)'", page)[1])  # type: ignore[index]
    assert (config["allowEval"], config["historyCacheSize"], config["refreshOnHistoryMiss"]) == (False, 0, True)
    assert config["selfRequestsOnly"] is True
    rules = [(rule["code"], rule["swap"], rule.get("error", False)) for rule in config["responseHandling"]]

    def handled(status: int) -> tuple[bool, bool]:
        return next((swap, error) for code, swap, error in rules if re.search(code, str(status)))

    assert handled(204) == (False, False)
    assert handled(200) == handled(422) == handled(409) == (True, False)
    assert handled(401) == (False, True)
    assert handled(403) == handled(404) == handled(500) == (True, True)


def test_the_rail_marks_the_section_of_the_page() -> None:
    for path, label in (("/", "Home"), ("/services/mail/tools/send/", "Services"), ("/groups/1/", "Trajectories")):
        marked = re.findall(r'<a href="[^"]*" title="([^"]*)" aria-current="page"', render("{% rail %}", path))
        assert marked == [label]
    assert "aria-current" not in render("{% rail %}", "/help/")
    assert 'title="Jobs" aria-current' in render("{% rail %}", "/help/", nav="jobs")


def test_preferences_come_from_cookies_then_the_user_then_the_default() -> None:
    request = RequestFactory().get("/")
    assert shell.preferences(request)["theme"] == "auto"
    request.user = type("U", (), {"preferences": {"theme": "dark", "density": "nonsense"}})()
    assert shell.preferences(request)["theme"] == "dark"
    assert shell.preferences(request)["density"] == "compact"
    request.COOKIES["cw-theme"] = "light"
    assert shell.preferences(request)["theme"] == "light"
    request.COOKIES["cw-theme"] = '"><script>'
    assert shell.preferences(request)["theme"] == "dark"


# Tags


def test_query_keeps_what_it_is_not_told_to_change() -> None:
    source = "{% query status='failed' cursor=None %}"
    assert render(source, "/jobs/?tag=a&tag=b&cursor=x") == "?tag=a&amp;tag=b&amp;status=failed"
    assert render("{% query q=None %}", "/jobs/?q=x") == "?"


def test_sorting_turns_round_and_forgets_the_page() -> None:
    assert 'href="?sort=name"' in render("{% sort_link 'name' 'Name' %}", "/?cursor=c")
    assert 'href="?sort=-name"' in render("{% sort_link 'name' 'Name' %}", "/?sort=name")
    assert 'aria-label="descending"' in render("{% sort_link 'name' 'Name' %}", "/?sort=-name")


def test_the_pager_keeps_the_filter() -> None:
    page = render(
        "{% pager page target='#table' %}", "/jobs/?state=failed", page={"next": "c2", "prev": None, "count": 7}
    )
    assert 'href="?state=failed&amp;cursor=c2"' in page
    assert 'hx-target="#table"' in page
    assert 'rel="prev"' not in page
    assert "7 rows" in page
    assert render("{% pager page %}", page={"next": None, "prev": None}).strip() == ""


def test_scores_come_in_pairs() -> None:
    page = score_pair(0.7268, 0.3233, n=300)
    assert "0.73" in page
    assert "32 %" in page
    assert "n=300" in page
    assert "not scored" in score_pair(0.5, None)


def test_progress_says_what_is_known() -> None:
    now = timezone.now()
    run = {"state": "running", "done": 63, "total": 150, "unit": "steps", "started_at": now - timedelta(minutes=63)}
    assert "63/150 steps · 42 % · 87 min left" in progress_line(run).replace("1 h left", "87 min left")
    assert 'max="150" value="63"' in progress_line(run)
    assert "left" not in progress_line({**run, "state": "failed"})
    assert "Loading" in progress_line({"state": "running", "phase": "Loading", "total": 0})
    assert "<progress" not in progress_line({"state": "cancelled", "total": None})


def test_times_are_relative_with_the_absolute_beside_them() -> None:
    now = timezone.now()
    page = relative_time(now - timedelta(minutes=3), now)
    assert "3 minutes ago" in page
    assert 'datetime="' in page
    assert "1 hour ago" in relative_time(now - timedelta(hours=1), now)
    assert "in 2 days" in relative_time(now + timedelta(days=2, seconds=1), now)
    assert "–" in relative_time(None)


def test_numbers_are_short_and_not_rounded_to_certainty() -> None:
    assert numbers.plain_number(10130) == "10,130"
    assert numbers.plain_number(0.73141) == "0.731"
    assert numbers.plain_number(1e-5) == "1e-05"
    assert numbers.plain_number(None) == numbers.plain_number(float("nan")) == "–"
    assert numbers.percent(0.9999) == "99 %"
    assert numbers.percent(1.0) == "100 %"
    assert numbers.percent(0.0001) == "<1 %"
    assert numbers.percent(0.0) == "0 %"
    assert [numbers.span(s) for s in (0.085, 3.21, 125, 7800, 400_000)] == [
        "85 ms",
        "3.2 s",
        "2 min 05 s",
        "2 h 10 min",
        "4 d 15 h",
    ]
    assert [numbers.byte_size(n) for n in (12, 2048, 20 << 20)] == ["12 B", "2.0 KiB", "20.0 MiB"]


def test_provenance_is_said_in_words_too() -> None:
    page = provenance_bar(18, 2, 1)
    assert "18 verified, 2 simulated, 1 quarantined" in page
    assert provenance_bar(0, 0, 0).count("svg") == 0


def test_absent_values_print_a_dash_and_the_reason() -> None:
    page = render("{% kv rows %}", rows=[("Checked", None, "never checked"), ("Zero", 0)])
    assert "– never checked" in page
    assert "<dd>0</dd>" in page


def test_form_fields_are_tied_to_hint_and_error() -> None:
    class Example(forms.Form):
        name = forms.CharField(help_text="Letters only.")
        keep = forms.BooleanField(required=False)
        kind = forms.ChoiceField(choices=[("a", "A")], widget=forms.RadioSelect)

    page = render("{% form_fields form %}", form=Example({"keep": "on", "kind": "a"}))
    assert 'aria-describedby="id_name-hint id_name-error"' in page
    assert 'aria-invalid="true"' in page
    assert '<label for="id_name">' in page
    assert 'class="field inline"' in page
    assert "<legend>Kind</legend>" in page


def test_stepper_counts_the_steps_before_as_done() -> None:
    page = render("{% stepper steps 'b' %}", steps=[("a", "A"), ("b", "B"), ("c", "C")])
    assert re.findall(r'<li class="(\w+)"', page) == ["done", "current", "waiting"]
    page = render("{% stepper steps %}", steps=[("a", "A", "done"), ("b", "B", "failed")])
    assert re.findall(r'<li class="(\w+)"', page) == ["done", "failed"]
