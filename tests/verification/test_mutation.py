"""The mutation check: faults planted around an environment, noticed by the suite or listed as survivors."""

from __future__ import annotations

import time
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.environment import ProductEnvironment
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.verification import mutants
from services_app.verification.gate import verify_service
from tests.builders.specs import garage
from tests.verification.planting import judge_here, report_of
from tests.verification.test_suite import healthy
from workers.sandbox.process import SandboxProcess


def planted(tool: str, fault: mutants.Fault) -> Environment:
    return mutants.planted(ProductEnvironment([healthy()]), "desk", tool, fault)


def call(environment: Environment, tool: str, **arguments: Any) -> Any:
    observation = environment.call("desk", tool, arguments)
    return observation["data"] if observation["success"] else observation["error"]["code"]


def listed(environment: Environment) -> list[str]:
    return [item["id"] for item in call(environment, "list_items")["items"]]


def test_a_dropped_write_answers_and_writes_nothing_in_forks_too() -> None:
    environment = planted("create_item", mutants.drop_write()).fork()
    before = environment.state_hash()
    assert call(environment, "create_item", title="A")["title"] == "A"
    assert environment.state_hash() == before


def test_a_write_is_made_twice() -> None:
    environment = planted("create_item", mutants.duplicate_write())
    call(environment, "create_item", title="A")
    assert len(listed(environment)) == 6


def test_a_stale_read_stays_where_the_fault_was_planted() -> None:
    environment = planted("list_items", mutants.stale_read()).fork()
    call(environment, "create_item", title="A")
    assert len(listed(environment)) == 4


def test_two_ids_are_taken_for_each_other() -> None:
    environment = planted("delete_item", mutants.swap("item_id", ("item_id",), "ITM-0001", "ITM-0002"))
    call(environment, "delete_item", item_id="ITM-0001")
    assert listed(environment) == ["ITM-0001", "ITM-0003", "ITM-0004"]


def test_a_limit_is_one_too_large_and_a_parameter_is_ignored() -> None:
    more = planted("list_items", mutants.one_more("limit", ("limit",)))
    assert len(call(more, "list_items", limit=2)["items"]) == 3
    without = planted("list_items", mutants.ignore("limit", ("limit",)))
    assert len(call(without, "list_items", limit=2)["items"]) == 4


def test_refusals_become_successes() -> None:
    assert call(planted("get_item", mutants.error_to_success()), "get_item", item_id="nope") == {}
    environment = planted("get_item", mutants.accept_bad_enum("item_id", ("item_id",), ["ITM-0001"]))
    assert call(environment, "get_item", item_id="no-such-value")["id"] == "ITM-0001"


def test_the_suite_notices_what_is_planted_in_a_healthy_service() -> None:
    service = healthy()
    report = judge_here(lambda: ProductEnvironment([service]))
    assert report.mutants_planted >= 12
    assert report.mutants_killed == report.mutants_planted
    assert report_of(report, "delete_item").survivors == ()


def test_survivors_are_named_and_decide_nothing() -> None:
    space: dict[str, Any] = {}
    source = '''
from services_app.engine import CallContext, Record, SeedContext, Service, State, Table, About


class Item(Record):
    about = About("item", prefix="ITM-")
    title: str


class Desk(State):
    items: Table[Item]


service = Service("desk", title="Desk", description="Items.", state=Desk)


@service.seed
def seed(state: Desk, ctx: SeedContext) -> None:
    for number in range(4):
        state.items.create(title=f"Item {number}" * (number + 1))


@service.tool()
def get_item_length(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Get the length of an item's title."""
    return {"length": len(state.items.get(item_id).title)}
'''
    exec(compile(source, "short.py", "exec", dont_inherit=True), space)
    report = report_of(judge_here(lambda: ProductEnvironment([space["service"]])), "get_item_length")
    assert report.status == "verified"
    assert [(survivor.kind, survivor.parameter) for survivor in report.survivors] == [("swap_ids", "item_id")]
    assert report.mutants_killed == report.mutants_planted - 1


@pytest.mark.slow
def test_nine_in_ten_are_noticed_in_a_built_service() -> None:
    built = build_with_rules(garage())
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        host = ServiceHost(process, {built.slug: built.module})
        report = verify_service(built.slug, "", lambda: host.mount([built.slug]), timer=time.monotonic)
    assert report.mutants_planted > 40
    assert report.mutants_killed >= 0.9 * report.mutants_planted
