"""What an answer holds by the prose of a tool: enumerations in sentences, and what a common noun holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.enumerated import enumerated_fields
from services_app.builders.rules import build_with_rules
from services_app.engine.remote import ServiceHost
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (
            "Access essential data such as CIK number, stock symbol, note title, and the exchange where it is listed.",
            ["cik_number", "stock_symbol", "note_title", "exchange"],
        ),
        (
            "Returns the memory, including total, used, and free memory in GB, plus the percentage used.",
            ["total_memory_gb", "used_memory_gb", "free_memory_gb", "percentage_used"],
        ),
        (
            "Returns the load, including overall load and load per core.",
            ["overall_load", "load_per_core"],
        ),
        ("Retrieve a quiz result, including its answers and the score.", ["answers", "score"]),
        ("List boards with their names and default colors.", ["names", "default_colors"]),
        ("Get orders. Filter by criteria including status and date.", []),
        ("Get information about a gateway.", []),
        ("Get an order. For details including its lines, use `get_order_lines`.", []),
    ],
)
def test_enumerations_name_fields(said: str, names: list[str]) -> None:
    assert list(enumerated_fields(said)) == names


def test_kinds_of_many_records_are_no_fields() -> None:
    assert not list(enumerated_fields("List events, including conferences and a dividend.", many=True))
    assert list(enumerated_fields("List event details, including the venue and price.", many=True)) == [
        "venue",
        "price",
    ]


@pytest.fixture(scope="module")
def ask() -> Iterator[Call]:
    built = build_with_rules(
        spec_of(
            tool("get_memory_usage", description="Returns the memory, including total, used, and free memory in GB."),
            tool("list_permissions", description="List all permissions of a file"),
            tool("list_files"),
            tool("create_document", {"title": TEXT, "content": TEXT}, "title content"),
            tool("get_document_content", {"document_id": TEXT}, "document_id", description="Content of a document."),
            tool("get_forex_quote", {"symbol": TEXT}, "symbol"),
            tool("search_symbols", {"query": TEXT}, "query", description="Find the ticker symbol of a stock"),
            tool("get_station", {"code": TEXT}, "code", description="查询车站的详细信息，包括名称、拼音、所属城市等。"),
            tool("list_segments", description="List the memory segments of the program"),
            tool("get_teams", description="The teams of the organization that a user belongs to"),
            tool("get_trending", description="The trending topics of today, with title and url of each"),
            tool("list_outcome_groups", description="List the outcome groups"),
            tool(
                "get_outcome_group", {"id": TEXT}, "id", description="Get an outcome group, with its title and vendor."
            ),
            tool("list_outcomes", description="List outcomes with their title and rating."),
            tool("create_group", {"name": TEXT, "join_level": TEXT}, "name", description="A new group of users"),
            name="reading",
        )
    )
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        environment = ServiceHost(process, {built.slug: built.module}).mount([built.slug])

        def make(name: str, /, **arguments: object) -> Any:
            if name in built.left_out:
                return built.left_out[name]
            observation = environment.call(built.slug, name, arguments)
            return observation["data"] if observation["success"] else observation["error"]

        yield make


def test_an_answer_holds_what_is_said_and_nothing_else(ask: Call) -> None:
    assert set(ask("get_memory_usage")) == {"id", "total_memory_gb", "used_memory_gb", "free_memory_gb"}


def test_a_list_of_one_things_parts_needs_a_name_for_it(ask: Call) -> None:
    assert ask("list_permissions") == "the description speaks of one file, but no parameter names it"


def test_a_part_of_a_record_is_read_from_the_record(ask: Call) -> None:
    made = ask("create_document", title="A", content="Words")
    assert ask("get_document_content", document_id=made["id"]) == {"id": made["id"], "content": "Words"}
    assert ask("get_document_content", document_id="none")["code"] == 404


def test_a_market_of_currencies_has_no_shares(ask: Call) -> None:
    assert 0.9 < ask("get_forex_quote", symbol="EURUSD")["price"] < 1.3
    assert ask("get_forex_quote", symbol="AAPL")["code"] == 404


def test_symbols_are_found_by_the_name_of_the_company(ask: Call) -> None:
    assert [row["symbol"] for row in ask("search_symbols", query="apple")["symbols"]] == ["AAPL"]


def test_a_word_of_several_meanings_needs_a_word_that_settles_it(ask: Call) -> None:
    assert ask("list_segments") == "nothing says what a segment holds"
    assert "coach_name" not in ask("get_teams")["teams"][0]


def test_a_noun_for_many_is_a_list(ask: Call) -> None:
    assert ask("get_trending")["total"] > 1


def test_a_group_of_outcomes_is_no_group_of_users(ask: Call) -> None:
    row = ask("list_outcome_groups")["outcome_groups"][0]
    assert "join_level" not in row
    assert {"title", "vendor"} <= set(row)
