"""Live parameters, sibling reads, dependence on the state: planted in a healthy service, each fails its own check."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine.environment import ProductEnvironment
from services_app.engine.service import Service
from services_app.verification.report import ToolReport, VerificationReport
from tests.verification.planting import HEALTHY, failing, judge_here, report_of

SPEC_TOOL = """
@service.spec_tool({name!r}, {description!r}, {schema!r}, **{more!r})
def planted(state, ctx, arguments):
{body}
"""


def judged(source: str) -> VerificationReport:
    space: dict[str, Any] = {}
    exec(compile(HEALTHY + source, "planted.py", "exec", dont_inherit=True), space)
    service: Service = space["service"]
    return judge_here(lambda: ProductEnvironment([service]))


def spec_tool(name: str, properties: dict[str, Any], body: str, required: str = "", **more: Any) -> str:
    schema = {"type": "object", "properties": properties, "required": required.split()}
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    description = more.pop("description", f"{name.split('_', maxsplit=1)[0].title()} something.")
    return SPEC_TOOL.format(name=name, description=description, schema=schema, more=more, body=indented)


def tool(source: str, name: str) -> ToolReport:
    return report_of(judged(source), name)


TEXT = {"type": "string"}
SEARCH = "rows = [i.plain() for i in state.items if arguments.get('query', '') in i.title]\nreturn {'items': rows}"


def test_a_dead_parameter_fails_and_is_named_with_what_was_tried() -> None:
    found = tool(spec_tool("search_items", {"query": TEXT, "region": TEXT}, SEARCH), "search_items")
    assert found.status == "quarantined"
    assert found.dead_parameters == ("region",)
    assert found.live_parameters == ("query",)
    assert "live:region: no value of it changed the observation or the state: tried" in found.reason


def test_a_stated_reason_makes_it_inert_and_not_live() -> None:
    source = spec_tool(
        "search_items", {"query": TEXT, "timeout": {"type": "integer"}}, SEARCH, inert={"timeout": "transport: none"}
    )
    found = tool(source, "search_items")
    assert found.status == "verified"
    assert found.inert_parameters == {"timeout": "transport: none"}


def test_most_parameters_inert_is_too_little() -> None:
    names = ("a", "b")
    source = spec_tool(
        "search_items", {"query": TEXT, **dict.fromkeys(names, TEXT)}, SEARCH, inert=dict.fromkeys(names, "never used")
    )
    found = tool(source, "search_items")
    assert {check.name for check in found.checks if check.outcome == "fail"} == {"live"}


@pytest.mark.parametrize(("reason", "status"), [("transport: no network", "verified"), ("unused", "quarantined")])
def test_a_required_parameter_is_inert_for_transport_or_credentials_alone(reason: str, status: str) -> None:
    source = spec_tool("search_items", {"query": TEXT, "site": TEXT}, SEARCH, required="site", inert={"site": reason})
    assert tool(source, "search_items").status == status


def test_an_answer_that_repeats_the_argument_does_not_make_it_live() -> None:
    body = (
        "asked = arguments.get('region')\nreturn {'region': asked, 'note': f'for {asked}', 'count': len(state.items)}"
    )
    assert tool(spec_tool("get_summary", {"region": TEXT}, body), "get_summary").dead_parameters == ("region",)


def test_an_error_for_unknown_ids_alone_does_not_make_a_known_id_live() -> None:
    body = "state.items.get(arguments['item_id'])\nreturn {'items': len(state.items)}"
    found = tool(spec_tool("get_item_count", {"item_id": TEXT}, body, required="item_id"), "get_item_count")
    assert found.dead_parameters == ("item_id",)


def test_parts_of_a_lone_wrapping_object_are_tried_one_by_one() -> None:
    wrapped = {"params": {"type": "object", "properties": {"query": TEXT, "region": TEXT}}}
    body = "arguments = arguments.get('params', {})\n" + SEARCH
    found = tool(spec_tool("search_items", wrapped, body), "search_items")
    assert (found.live_parameters, found.dead_parameters) == (("params.query",), ("params.region",))


def test_one_value_is_nothing_to_tell() -> None:
    found = tool(
        spec_tool("search_items", {"query": TEXT, "kind": {"enum": ["item"]}}, SEARCH, required="kind"), "search_items"
    )
    assert found.status == "verified"
    assert found.dead_parameters == ()


PAGED = """
rows = sorted((i.plain() for i in state.items), key=lambda row: row[arguments.get('sort', 'id')])
rows = rows[::-1] if arguments.get('order') == 'desc' else rows
start = int(arguments.get('cursor') or 0) + arguments.get('offset', 0)
end = start + int(arguments.get('limit', 50))
more = {'next_cursor': str(end)} if end < len(rows) else {}
return {'items': rows[int(start):end], **more}
""".strip()
PAGING = {
    "sort": {"enum": ["id", "title"]},
    "order": {"enum": ["asc", "desc"]},
    "limit": {"type": "integer", "minimum": 1},
    "offset": {"type": "integer", "minimum": 0},
    "cursor": {"type": "string", "pattern": "^[0-9]*$"},
}


def test_paging_sorting_and_direction_are_found_live() -> None:
    found = tool(spec_tool("list_things", {k: v for k, v in PAGING.items() if k != "sort"}, PAGED), "list_things")
    assert found.dead_parameters == ()
    assert found.status == "verified", found.reason


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("arguments.get('limit', 50))", "arguments.get('limit', 49) + 1)"),
        ("arguments.get('offset', 0)", "2 * arguments.get('offset', 0)"),
    ],
)
def test_a_page_that_is_off_by_one_fails(good: str, bad: str) -> None:
    assert good in PAGED
    source = spec_tool("list_things", {k: v for k, v in PAGING.items() if k != "sort"}, PAGED.replace(good, bad))
    assert "page" in failing(judged(source), "list_things")


def test_a_write_that_no_sibling_of_its_noun_shows_fails() -> None:
    source = '''
class Shadow(Record):
    about = About("shadow", prefix="SHD-")
    title: str


class Shaded(Desk):
    shadows: Table[Shadow]


service.state_type = Shaded


@service.tool()
def update_item(state: Shaded, ctx: CallContext, item_id: str, title: str) -> dict:
    """Update an item."""
    state.items.get(item_id)
    return {"id": state.shadows.create(title=f"{item_id}: {title}").id}
'''
    report = judged(source)
    assert "seen_by_sibling" in failing(report, "update_item")


def test_a_write_without_a_reader_must_say_what_it_wrote() -> None:
    alone = HEALTHY.replace("@service.tool()\ndef list_items", "def list_items").replace(
        "@service.tool()\ndef get_item", "def get_item"
    )
    space: dict[str, Any] = {}
    exec(compile(alone, "alone.py", "exec", dont_inherit=True), space)
    assert "seen_by_sibling" not in failing(judge_here(lambda: ProductEnvironment([space["service"]])), "create_item")
    silent = alone.replace(
        "return state.items.create(title=title, body=body)",
        "state.items.create(title=title, body=body)\n    return {'ok': True}",
    ).replace('-> Item:\n    """Create', '-> dict:\n    """Create')
    exec(compile(silent, "silent.py", "exec", dont_inherit=True), space)
    report = judge_here(lambda: ProductEnvironment([space["service"]]))
    assert "shows_effect" in failing(report, "create_item")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("list_rooms", "return {'rooms': ['Attic', 'Cellar']}"),
        ("get_item_card", "state.items.get(arguments['item_id'])\nreturn {'card': 'one of many'}"),
    ],
)
def test_a_read_that_answers_the_same_whatever_the_state_holds_fails(name: str, body: str) -> None:
    properties = {"item_id": TEXT} if "item_id" in body else {}
    source = spec_tool(name, properties, body, required=" ".join(properties))
    assert "depends_on_state" in failing(judged(source), name)


def test_a_computation_need_not_depend_on_the_state() -> None:
    whole = {"type": "integer"}
    source = spec_tool(
        "compute_sum", {"a": whole, "b": whole}, "return {'sum': arguments['a'] + arguments['b']}", "a b"
    )
    assert tool(source, "compute_sum").status == "verified"
