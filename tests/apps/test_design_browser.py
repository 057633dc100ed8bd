"""The page in Chromium: no script errors, axe clean in both themes, keys, dialogs, charts, narrow screens."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
GALLERY = "/help/components/"


@pytest.fixture
def gallery(page: Any, live_url: str) -> Iterator[Any]:
    """The component page; any script error or refused resource fails the test."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type in ("error", "warning") else None)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(live_url + GALLERY, wait_until="networkidle")
    yield page
    assert problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(page: Any, live_url: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(live_url + GALLERY, wait_until="networkidle")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize("width", [800, 1280, 390])
def test_nothing_sticks_out_sideways(page: Any, live_url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(live_url + GALLERY, wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_the_theme_is_remembered_and_wins_over_the_system(gallery: Any) -> None:
    gallery.emulate_media(color_scheme="dark")

    def ground() -> str:
        return str(gallery.evaluate("getComputedStyle(document.documentElement).backgroundColor"))

    assert ground() == "rgb(13, 16, 21)"
    gallery.click("[data-theme-toggle]")
    assert ground() == "rgb(246, 247, 249)"
    gallery.reload()
    assert gallery.get_attribute("html", "data-theme") == "light"
    assert ground() == "rgb(246, 247, 249)"
    gallery.click("[data-theme-toggle]")
    gallery.emulate_media(color_scheme="light")
    assert ground() == "rgb(13, 16, 21)"


def test_the_rail_closes_to_icons_that_keep_their_names(gallery: Any) -> None:
    before = gallery.locator(".rail").bounding_box()["width"]
    gallery.click("[data-rail-toggle]")
    assert (before, gallery.locator(".rail").bounding_box()["width"]) == (216, 56)
    assert gallery.get_by_role("link", name="Services").first.is_visible()
    gallery.reload()
    assert gallery.locator(".rail").bounding_box()["width"] == 56


def test_keys_open_help_move_select_and_search(gallery: Any) -> None:
    gallery.keyboard.press("?")
    assert gallery.locator("#shortcuts").is_visible()
    gallery.keyboard.press("Escape")
    gallery.keyboard.press("j")
    gallery.keyboard.press("j")
    assert gallery.locator("tr.is-current th").inner_text() == "Customer records"
    gallery.keyboard.press("x")
    gallery.keyboard.press("j")
    gallery.keyboard.press("j")
    gallery.keyboard.press("Shift+X")
    assert gallery.locator("[data-selection-count]").inner_text() == "3"
    gallery.click("[data-select-all]")
    gallery.click("[data-selection-all]")
    assert gallery.locator("[data-selection-count]").inner_text() == "10,130"
    assert gallery.input_value("[data-selection-scope]") == "filter"
    gallery.locator("[data-select]").first.uncheck()
    assert gallery.input_value("[data-selection-scope]") == "selected"
    gallery.keyboard.press("/")
    gallery.keyboard.type("jk?")
    assert gallery.input_value("[data-list-search]") == "jk?"
    assert not gallery.locator("#shortcuts").is_visible()


def test_a_decision_key_presses_its_button_and_shift_stays(gallery: Any) -> None:
    gallery.evaluate(
        """() => document.querySelector('.decision-bar form[action="#decide"]').addEventListener('submit', (e) => {
          e.preventDefault();
          const sent = new FormData(e.target, e.submitter);
          document.body.dataset.sent = `${sent.get('decision')} ${sent.get('stay') ?? ''}`;
        })"""
    )
    gallery.keyboard.press("q")
    assert gallery.get_attribute("body", "data-sent") == "quarantine "
    gallery.keyboard.press("Shift+A")
    assert gallery.get_attribute("body", "data-sent") == "approve 1"


def test_keys_can_be_switched_off(gallery: Any) -> None:
    gallery.evaluate("document.documentElement.dataset.keys = 'off'")
    gallery.keyboard.press("?")
    assert not gallery.locator("#shortcuts").is_visible()


def test_dialogs_hold_the_focus_and_give_it_back(gallery: Any) -> None:
    opener = gallery.get_by_role("button", name="Confirm")
    opener.click()
    dialog = gallery.locator("#demo-confirm")
    assert dialog.is_visible()
    assert gallery.evaluate("document.querySelector('#demo-confirm').contains(document.activeElement)")
    gallery.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert opener.evaluate("one => one === document.activeElement")


def test_toasts_appear_from_the_server_event_and_errors_stay(gallery: Any) -> None:
    gallery.evaluate(
        """() => {
          const tell = (detail) => document.body.dispatchEvent(new CustomEvent('cw:toast', {detail, bubbles: true}));
          tell({text: '<b>saved</b>', level: 'ok', undo: '/undo/1/'});
          tell({text: 'broken', level: 'error'});
        }"""
    )
    toasts = gallery.locator("#toasts .toast")
    assert toasts.count() == 2
    assert gallery.locator("#toasts .toast.ok .text").inner_text() == "<b>saved</b>"
    assert gallery.locator("#toasts [data-undo]").count() == 1
    gallery.keyboard.press("Escape")
    assert gallery.locator("#toasts .toast.error").count() == 0


def test_the_crosshair_reads_values_and_dragging_zooms(gallery: Any) -> None:
    chart = gallery.locator("svg[data-chart]").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    middle = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.5)
    gallery.mouse.move(*middle)
    tip = gallery.locator(".chart-tip:visible")
    assert re.search(r"step\s+\d+\s+mean reward\s+0\.\d+", tip.inner_text())
    gallery.mouse.down()
    gallery.mouse.move(middle[0] + 80, middle[1])
    gallery.mouse.up()
    assert "scale(" in chart.locator("[data-lines]").get_attribute("transform")
    first = chart.locator("[data-x-ticks] text").first
    assert first.text_content() != "0"
    chart.dblclick(position={"x": box["width"] * 0.4, "y": box["height"] * 0.5})
    assert first.text_content() == "0"


def test_the_graph_zooms_and_hides_distractors(gallery: Any) -> None:
    svg = gallery.locator(".dep-graph")
    before = svg.bounding_box()["width"]
    gallery.click("[data-graph-zoom=in]")
    assert svg.bounding_box()["width"] > before
    gallery.click("[data-graph-distractors]")
    assert not gallery.locator(".distractors").is_visible()
    gallery.click("[data-graph-zoom=fit]")
    assert svg.bounding_box()["width"] == pytest.approx(before, abs=1)


def test_the_log_shows_only_errors_when_asked(gallery: Any) -> None:
    lines = gallery.locator("[data-log] li:visible")
    assert lines.count() == 4
    gallery.click("[data-log-level=error]")
    assert lines.count() == 1


def test_typing_an_argument_means_to_send_it(gallery: Any) -> None:
    gallery.fill("[id=f-arg-send-at]", "2026-01-01T00:00:00Z")
    assert gallery.input_value("[name='arg/send_at@mode']") == "value"


def test_motion_stops_for_readers_who_asked(gallery: Any) -> None:
    gallery.emulate_media(reduced_motion="reduce")
    names = "[...document.querySelectorAll('.pill.spin .icon')].map((one) => getComputedStyle(one).animationName)"
    assert set(gallery.evaluate(names)) == {"none"}


def test_the_page_reads_without_scripts(browser: Any, live_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 600, "height": 800})
    page = context.new_page()
    page.goto(live_url + GALLERY)
    page.click(".rail-open")
    assert page.get_by_role("link", name="Services").first.is_visible()
    page.goto(live_url + GALLERY)
    page.locator(".graph-list summary").click()
    assert page.locator(".graph-list li").first.is_visible()
    context.close()


# What the adapter does with answers. The answers are made here; page, htmx and adapter are the real ones.

INSERT = """([html]) => {
  document.querySelector('#main').insertAdjacentHTML('afterbegin', html);
  htmx.process(document.querySelector('#probe'));
}"""


def answer(page: Any, status: int, body: str, **headers: str) -> None:
    page.route(
        "**/probe/**",
        lambda route: route.fulfill(status=status, body=body, headers={**headers, "Content-Type": "text/html"}),
    )


@pytest.fixture
def quiet_gallery(page: Any, live_url: str) -> Any:
    """As `gallery`, where failing requests are part of the test."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(live_url + GALLERY, wait_until="networkidle")
    return page


@pytest.mark.parametrize("status", [403, 404, 500])
def test_an_error_page_never_lands_inside_a_card(quiet_gallery: Any, status: int) -> None:
    answer(quiet_gallery, status, "<!doctype html><html><body><nav>whole page</nav></body></html>")
    quiet_gallery.evaluate(INSERT, ['<div id="probe" hx-get="/probe/" hx-trigger="click">old</div>'])
    quiet_gallery.click("#probe")
    quiet_gallery.wait_for_selector("#probe [data-error-block]")
    assert "whole page" not in quiet_gallery.inner_text("#probe")
    assert quiet_gallery.locator("#toasts .toast.error").count() == 1


def test_the_servers_own_error_block_is_kept(quiet_gallery: Any) -> None:
    answer(quiet_gallery, 403, '<div data-error-block class="banner error"><p class="title">Trainers only</p></div>')
    quiet_gallery.evaluate(INSERT, ['<div id="probe" hx-get="/probe/" hx-trigger="click">old</div>'])
    quiet_gallery.click("#probe")
    quiet_gallery.wait_for_selector("#probe [data-error-block]")
    assert quiet_gallery.inner_text("#probe .title") == "Trainers only"
    assert "Trainers only (403)" in quiet_gallery.inner_text("#toasts")


def test_field_errors_and_conflicts_are_swapped_in_place(quiet_gallery: Any) -> None:
    for status in (422, 409):
        answer(quiet_gallery, status, f"<p>fix {status}</p>")
        quiet_gallery.evaluate(INSERT, ['<form id="probe" hx-post="/probe/"><button>go</button></form>'])
        quiet_gallery.click("#probe button")
        quiet_gallery.get_by_text(f"fix {status}").wait_for()
        assert quiet_gallery.locator("#toasts .toast").count() == 0
        quiet_gallery.evaluate("document.querySelector('#probe').remove()")


def test_a_signed_out_reader_is_sent_to_sign_in_and_back(quiet_gallery: Any) -> None:
    answer(quiet_gallery, 401, "")
    quiet_gallery.evaluate(INSERT, ['<button id="probe" hx-get="/probe/">go</button>'])
    quiet_gallery.click("#probe")
    quiet_gallery.wait_for_url(re.compile(r"/login/\?next=%2Fhelp%2Fcomponents%2F"))


def test_a_failing_poll_keeps_what_is_on_the_page(quiet_gallery: Any) -> None:
    answer(quiet_gallery, 503, "down")
    quiet_gallery.evaluate(INSERT, ['<div id="probe" hx-get="/probe/" hx-trigger="every 200ms">last known</div>'])
    quiet_gallery.wait_for_selector("#toasts .toast.error")
    quiet_gallery.wait_for_timeout(600)
    assert quiet_gallery.inner_text("#probe") == "last known"
    assert quiet_gallery.locator("#toasts .toast.error").count() == 1


def test_a_poll_leaves_selected_text_and_open_details_alone(quiet_gallery: Any) -> None:
    body = '<p id="line">fresh</p><details id="more"><summary>more</summary><p>inside</p></details>'
    answer(quiet_gallery, 200, body)
    old = body.replace("fresh", "stale")
    quiet_gallery.evaluate(INSERT, [f'<div id="probe" hx-get="/probe/" hx-trigger="every 200ms">{old}</div>'])
    quiet_gallery.evaluate("getSelection().selectAllChildren(document.querySelector('#line'))")
    quiet_gallery.wait_for_timeout(700)
    assert quiet_gallery.inner_text("#line") == "stale"
    quiet_gallery.evaluate("getSelection().removeAllRanges()")
    quiet_gallery.click("#more summary")
    quiet_gallery.evaluate("getSelection().removeAllRanges()")
    expect(quiet_gallery.locator("#line")).to_have_text("fresh")
    assert quiet_gallery.evaluate("document.querySelector('#more').open")


def test_changes_carry_the_csrf_token_and_reads_do_not(quiet_gallery: Any) -> None:
    seen: dict[str, str | None] = {}

    def note(route: Any) -> None:
        seen[route.request.method] = route.request.headers.get("x-csrftoken")
        route.fulfill(status=204)

    quiet_gallery.route("**/probe/**", note)
    buttons = '<div id="probe"><button hx-get="/probe/">get</button><button hx-post="/probe/">post</button></div>'
    quiet_gallery.evaluate(INSERT, [buttons])
    for name in ("get", "post"):
        with quiet_gallery.expect_response("**/probe/**"):
            quiet_gallery.click(f"#probe button:text('{name}')")
    assert seen["GET"] is None
    assert seen["POST"] == quiet_gallery.get_attribute("meta[name=csrf-token]", "content")


def test_a_server_event_becomes_a_toast(quiet_gallery: Any) -> None:
    answer(
        quiet_gallery,
        200,
        "done",
        **{"HX-Trigger": '{"cw:toast": {"text": "Quarantined", "level": "ok", "undo": "/undo/"}}'},
    )
    quiet_gallery.evaluate(INSERT, ['<button id="probe" hx-get="/probe/">go</button>'])
    quiet_gallery.click("#probe")
    quiet_gallery.wait_for_selector("#toasts .toast.ok [data-undo]")
    assert "Quarantined" in quiet_gallery.inner_text("#toasts")
