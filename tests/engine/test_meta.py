"""The four meta-tools, names and the catalogue."""

import re

import pytest

from services_app.engine import ProductEnvironment
from services_app.engine.catalogue import Catalogue, ServiceInfo, describe
from services_app.engine.errors import EngineError, ServiceDefect, ToolError
from services_app.engine.meta import META_NAMES, direct_tools
from services_app.engine.naming import exposed_names, slugify
from services_app.engine.service import Service
from services_app.engine.state import State
from tests.engine.desk import make_desk


def environment(**options: object) -> ProductEnvironment:
    return ProductEnvironment([make_desk(), make_desk("help-desk")], **options)


def test_exactly_four_meta_tools() -> None:
    assert META_NAMES == ("list_services", "list_tools", "describe_tool", "call_tool")


def test_discovery_leads_to_a_call() -> None:
    env = environment()
    assert [row["name"] for row in env.meta("list_services")["data"]] == ["desk", "help-desk"]
    page = env.meta("list_tools", {"service": "desk", "query": "close ticket"})["data"]
    assert [tool["name"] for tool in page["tools"]] == ["desk__close_ticket"]
    described = env.meta("describe_tool", {"tool": "desk__get_ticket"})["data"]
    assert described["input_schema"]["properties"]["ticket_id"]["description"] == "Id of the ticket, such as TKT-0001."
    assert described["original_name"] == "get_ticket"
    called = env.meta("call_tool", {"tool": "desk__get_ticket", "arguments": '{"ticket_id": "TKT-0001"}'})
    assert called["data"]["id"] == "TKT-0001"
    assert env.calls[-1].coerced == ("",)


@pytest.mark.parametrize("name", ["desk__get_ticket", "desk.get_ticket"])
def test_aliases(name: str) -> None:
    assert environment().catalogue.resolve(name) == ("desk", "get_ticket")


def test_bare_name_only_when_unique() -> None:
    assert ProductEnvironment([make_desk()]).catalogue.resolve("get_ticket") == ("desk", "get_ticket")
    with pytest.raises(ToolError, match="Did you mean"):
        environment().catalogue.resolve("get_ticket")


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("no_such", {}, 404),
        ("list_tools", {}, 400),
        ("list_tools", {"service": "nowhere"}, 404),
        ("list_tools", {"service": "desk", "cursor": "x"}, 400),
        ("describe_tool", {"tool": "desk__nothing"}, 404),
        ("call_tool", {"tool": "desk__get_ticket", "arguments": [1]}, 400),
        ("call_tool", "text", 400),
    ],
)
def test_bad_meta_calls_are_observations(name: str, arguments: object, code: int) -> None:
    assert environment().meta(name, arguments)["error"]["code"] == code


def test_hidden_tools_are_gone_for_agents() -> None:
    env = environment(hidden={"desk": ["flood"]})
    assert env.meta("list_services")["data"][0]["tools"] == len(make_desk().tools) - 1
    assert env.meta("call_tool", {"tool": "desk__flood"})["error"]["code"] == 404
    assert env.call("desk", "flood")["error"]["code"] == 404


def test_pages_of_tools() -> None:
    service = Service("big", title="Big", description="", state=type("S", (State,), {}))
    for number in range(120):
        service.spec_tool(f"tool_{number}", f"Does {number}.", {"type": "object", "properties": {}})(lambda s, c, a: {})
    env = ProductEnvironment([service])
    seen, cursor = [], ""
    while True:
        page = env.meta("list_tools", {"service": "big", "cursor": cursor})["data"]
        seen += page["tools"]
        cursor = page.get("next_cursor", "")
        if not cursor:
            break
    assert len(seen) == page["total"] == 120
    assert len(direct_tools(env.catalogue)) == 120


AWKWARD = [
    "report.export",
    "report_export",
    "report/export",
    "report export",
    "レポート出力",
    "create_workspace_page_with_attachments_and_inherited_permission_rules_for_all",
    "delete_workspace_page_with_attachments_and_inherited_permission_rules_for_all",
]


def test_exposed_names_are_legal_distinct_and_independent_of_order() -> None:
    names = exposed_names("atlas-knowledge-and-records-hub", AWKWARD)
    assert names == exposed_names("atlas-knowledge-and-records-hub", AWKWARD[::-1])
    assert len(set(names.values())) == 7
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names.values())
    assert names["report_export"] == "atlas-knowledge-and-records-hub__report_export"


def test_each_exposed_name_reaches_its_own_tool() -> None:
    service = Service("hub", title="Hub", description="", state=type("S", (State,), {}))
    for name in AWKWARD:
        service.spec_tool(name, "x", {"type": "object", "properties": {}})(lambda s, c, a, name=name: name)
    env = ProductEnvironment([service])
    for name, exposed in service.exposed.items():
        assert env.meta("call_tool", {"tool": exposed, "arguments": {}})["data"] == name


def test_slugs() -> None:
    assert slugify("GitHub Issues & PRs") == "github-issues-prs"
    assert re.fullmatch(r"service-[0-9a-f]{6}", slugify("时间"))
    assert len(slugify("long " * 40)) <= 48
    with pytest.raises(EngineError, match="slug"):
        Service("Bad Slug", title="", description="", state=State)


def test_service_description_round_trip() -> None:
    info = describe(make_desk())
    assert ServiceInfo.from_json(info.to_json()) == info
    assert info.tables["comments"].semantics["ticket_id"]["target"] == "tickets"
    assert info.tools["create_ticket"].phrase == "open a ticket titled {subject}"
    with pytest.raises(EngineError, match="mounted twice"):
        Catalogue([info, info])


def test_definitions_that_make_no_sense_are_refused() -> None:
    service = make_desk()
    with pytest.raises(ServiceDefect, match="two tools"):
        service.spec_tool("roll", "again", {"type": "object"})(lambda s, c, a: {})

    def no_docstring(state, ctx): ...
    def no_annotation(state, ctx, x):
        """Has one."""

    def unknown_argument(state, ctx, x: int):
        """Has one.

        Args:
            y: not there
        """

    for function in (no_docstring, no_annotation, unknown_argument):
        with pytest.raises(ServiceDefect):
            service.tool()(function)
