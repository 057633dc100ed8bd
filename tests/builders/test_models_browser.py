"""The page model: a browser server built from a specification, called in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., dict[str, Any]]
FLAG = {"type": "boolean"}
ARRAY = {"type": "array", "items": TEXT}


@pytest.fixture(scope="module")
def built() -> BuiltService:
    point = {"element": TEXT, "ref": TEXT}
    return build_with_rules(
        spec_of(
            tool("browser_navigate", {"url": TEXT, "timeout": WHOLE, "headless": FLAG}, "url"),
            tool("browser_go_back"),
            tool("browser_snapshot"),
            tool("browser_click", point, "element ref"),
            tool("browser_type", {**point, "text": TEXT, "submit": FLAG}, "element ref text"),
            tool("browser_select_option", {**point, "values": ARRAY}, "element ref values"),
            tool("browser_handle_dialog", {"accept": FLAG}, "accept"),
            tool("browser_take_screenshot", {"fullPage": FLAG}),
            tool(
                "browser_tabs", {"action": {"type": "string", "enum": ["list", "new", "close"]}, "url": TEXT}, "action"
            ),
            tool("browser_evaluate", {"script": TEXT}, "script"),
            tool("browser_run_code", {"code": TEXT}, "code"),
        )
    )


@pytest.fixture(scope="module")
def host(built: BuiltService) -> Iterator[ServiceHost]:
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield ServiceHost(process, {built.slug: built.module})


@pytest.fixture
def environment(host: ServiceHost, built: BuiltService) -> Environment:
    return host.mount([built.slug])


@pytest.fixture
def call(environment: Environment, built: BuiltService) -> Call:
    def make(name: str, **arguments: Any) -> dict[str, Any]:
        observation = environment.call(built.slug, name, arguments)
        shown: dict[str, Any] = observation["data"] if observation["success"] else observation["error"]
        return shown

    return make


def ref(call: Call, name: str) -> str:
    elements = call("browser_snapshot")["elements"]
    return str(next(one["ref"] for one in elements if one["name"] == name))


def test_what_runs_code_is_left_out_with_a_reason(built: BuiltService) -> None:
    assert set(built.left_out) == {"browser_run_code"}


def test_navigating_shows_the_page_and_back_returns(call: Call) -> None:
    before = call("browser_snapshot")["url"]
    assert call("browser_navigate", url="https://north.example/projects/1")["title"] == "Harbour refit"
    assert call("browser_snapshot")["url"] == "https://north.example/projects/1"
    assert call("browser_go_back")["url"] == before


def test_an_unknown_address_gives_the_same_page_every_time(call: Call) -> None:
    first = call("browser_navigate", url="https://harbour.example/quay-4")
    shown = call("browser_snapshot")
    call("browser_navigate", url="https://harbour.example/quay-5")
    assert call("browser_snapshot")["snapshot"] != shown["snapshot"]
    call("browser_navigate", url="https://harbour.example/quay-4")
    assert call("browser_snapshot")["snapshot"] == shown["snapshot"]
    assert first["title"] == "Quay 4 - harbour.example"


@pytest.mark.parametrize("url", ["north", "ftp://north.example", "https://", "http://a b.example/"])
def test_a_bad_address_is_refused_and_nothing_changes(call: Call, environment: Environment, url: str) -> None:
    before = environment.state_hash()
    assert call("browser_navigate", url=url)["type"] == "invalid_url"
    assert environment.state_hash() == before


def test_a_page_that_takes_too_long_is_refused(call: Call) -> None:
    assert call("browser_navigate", url="https://north.example/", timeout=5)["type"] == "timeout"


def test_a_link_leads_on(call: Call) -> None:
    assert call("browser_click", element="link", ref=ref(call, "About us"))["url"] == "https://north.example/about"


def test_an_unknown_element_is_refused(call: Call) -> None:
    assert call("browser_click", element="link", ref="e99")["code"] == 404


def test_typed_text_is_sent_with_the_form(call: Call) -> None:
    call("browser_type", element="Email", ref=ref(call, "Email"), text="ida@holm.example")
    call("browser_select_option", element="Topic", ref=ref(call, "Topic"), values=["Press"])
    values = {one["name"]: one.get("value") for one in call("browser_snapshot")["elements"]}
    assert (values["Email"], values["Topic"]) == ("ida@holm.example", "Press")
    sent = call("browser_click", element="Send", ref=ref(call, "Send"))
    assert sent["url"].startswith("https://north.example/thanks?")
    assert "email: ida@holm.example" in call("browser_snapshot")["snapshot"]


def test_a_list_refuses_what_it_does_not_have(call: Call) -> None:
    error = call("browser_select_option", element="Topic", ref=ref(call, "Topic"), values=["Weather"])
    assert (error["code"], error["type"]) == (422, "no_option")


def test_a_dialog_is_answered_once(call: Call) -> None:
    assert call("browser_handle_dialog", accept=True)["type"] == "no_dialog"
    call("browser_click", element="Delete", ref=ref(call, "Delete draft"))
    assert call("browser_handle_dialog", accept=True)["dialog"] == "Delete the draft?"
    assert call("browser_handle_dialog", accept=True)["code"] == 409


def test_a_picture_changes_with_what_the_page_shows(call: Call) -> None:
    before = call("browser_take_screenshot")["picture"]
    call("browser_type", element="Email", ref=ref(call, "Email"), text="x")
    assert call("browser_take_screenshot")["picture"]["mark"] != before["mark"]
    assert call("browser_take_screenshot", fullPage=True)["picture"]["height"] > before["height"]


def test_tabs_are_opened_listed_and_closed(call: Call) -> None:
    count = len(call("browser_tabs", action="list")["tabs"])
    call("browser_tabs", action="new", url="https://alder.example/")
    tabs = call("browser_tabs", action="list")["tabs"]
    assert (len(tabs), tabs[-1]["url"], tabs[-1]["active"]) == (count + 1, "https://alder.example/", True)
    call("browser_tabs", action="close")
    assert len(call("browser_tabs", action="list")["tabs"]) == count


def test_only_small_expressions_are_evaluated(call: Call) -> None:
    assert call("browser_evaluate", script="document.title")["result"] == "Contact - North"
    assert call("browser_evaluate", script='document.querySelector("#title").textContent')["result"] == "Contact"
    assert call("browser_evaluate", script="fetch('/x')")["code"] == 422


def test_a_look_changes_nothing(call: Call, environment: Environment) -> None:
    before = environment.state_hash()
    for name in ("browser_snapshot", "browser_take_screenshot"):
        call(name)
    call("browser_evaluate", script="document.title")
    assert environment.state_hash() == before
