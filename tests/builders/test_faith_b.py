"""Look-ups answer for keys that they know and for no others; verdicts of outsiders are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., dict[str, Any]]
PLANE = {"type": "string", "description": "Project slug, e.g. 'atlas' or 'borealis'"}
HOLDS = "Returns title, author, status, published_at and score of each."
SYMBOLS = {"type": "string", "description": "Comma-separated symbols"}


@pytest.fixture(scope="module")
def outside() -> BuiltService:
    return build_with_rules(
        spec_of(
            tool("get_weather", {"city": TEXT}, "city"),
            tool("list_headlines", {"symbols": SYMBOLS, "limit": WHOLE}, "symbols", description=HOLDS),
            tool("list_milestones", {"project_slug": PLANE}, "project_slug", description=HOLDS),
            tool("list_pods", {"cluster_label": TEXT}, "cluster_label", description=HOLDS),
            tool("get_package_downloads", {"name": TEXT}, "name", description=HOLDS),
            tool(
                "list_registers", {"address": {**TEXT, "description": "Where in memory"}}, "address", description=HOLDS
            ),
            tool("get_quote", {"symbol": TEXT}, "symbol"),
            tool("get_exchange_rate", {"from": TEXT, "to": TEXT}, "from to"),
            tool("check_package_deprecated", {"package": TEXT}, "package"),
            tool("estimate_audience", {"age": WHOLE, "country": TEXT}, "age country"),
            name="outside",
        )
    )


@pytest.fixture(scope="module")
def ask(outside: BuiltService) -> Iterator[Call]:
    with SandboxProcess("services_app.engine.host", files=outside.packaged()) as process:
        environment = ServiceHost(process, {outside.slug: outside.module}).mount([outside.slug])

        def make(name: str, /, **arguments: object) -> Any:
            observation = environment.call(outside.slug, name, arguments)
            return observation["data"] if observation["success"] else observation["error"]

        yield make


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_weather", {"city": "Paris"}),
        ("get_weather", {"city": "paris"}),
        ("list_headlines", {"symbols": "AAPL,msft"}),
        ("list_milestones", {"project_slug": "borealis"}),
        ("get_package_downloads", {"name": "react"}),
        ("get_quote", {"symbol": "AAPL"}),
        ("get_quote", {"symbol": "BTC/USDT"}),
        ("get_exchange_rate", {"from": "EUR", "to": "NOK"}),
    ],
)
def test_known_keys_get_an_answer(ask: Call, name: str, arguments: dict[str, str]) -> None:
    assert "code" not in ask(name, **arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_weather", {"city": "zzq-nowhere"}),
        ("list_headlines", {"symbols": "AAPL,ZZQ"}),
        ("list_milestones", {"project_slug": "zzz"}),
        ("list_pods", {"cluster_label": "zzz"}),
        ("list_registers", {"address": "zzz"}),
        ("get_package_downloads", {"name": "zzz"}),
        ("get_quote", {"symbol": "ZZQNOBODY"}),
        ("get_exchange_rate", {"from": "EUR", "to": "ZZQ"}),
    ],
)
def test_keys_that_nobody_knows_are_not_found(ask: Call, name: str, arguments: dict[str, str]) -> None:
    assert ask(name, **arguments)["type"] == "not_found"


def test_letter_case_makes_no_other_key(ask: Call) -> None:
    assert ask("get_weather", city="PARIS") == ask("get_weather", city="Paris") != ask("get_weather", city="Oslo")


def test_verdicts_of_outsiders_are_left_out_with_a_reason(outside: BuiltService) -> None:
    assert set(outside.left_out) == {"check_package_deprecated", "estimate_audience"}
    assert all("outside the service" in reason for reason in outside.left_out.values())
