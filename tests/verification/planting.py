"""A small healthy service, and a way to plant one fault beside its healthy tools."""

from __future__ import annotations

import time
from collections.abc import Callable

from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.verification.gate import verify_service
from services_app.verification.report import ToolReport, VerificationReport
from workers.sandbox.limits import Limits
from workers.sandbox.process import SandboxProcess

HEALTHY = '''
from services_app.engine import CallContext, Record, SeedContext, Service, State, Table, ToolError, About


class Item(Record):
    about = About("item", prefix="ITM-")
    title: str
    body: str = ""
    status: str = "open"


class Desk(State):
    items: Table[Item]


service = Service("desk", title="Desk", description="Items on a desk.", state=Desk)


@service.seed
def seed(state: Desk, ctx: SeedContext) -> None:
    for number in range(4):
        state.items.create(title=f"Item {number}", body="Some words about it")


@service.tool()
def list_items(state: Desk, ctx: CallContext, limit: int = 50) -> dict:
    """List items."""
    return {"items": [item.plain() for item in state.items][: max(0, limit)]}


@service.tool()
def get_item(state: Desk, ctx: CallContext, item_id: str) -> Item:
    """Get an item."""
    return state.items.get(item_id)


@service.tool()
def create_item(state: Desk, ctx: CallContext, title: str, body: str = "") -> Item:
    """Create an item."""
    return state.items.create(title=title, body=body)


@service.tool()
def delete_item(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Delete an item."""
    return {"id": state.items.delete(item_id).id}
'''
SIBLINGS = {"list_items", "get_item", "create_item", "delete_item"}


def judge(source: str, limits: Limits | None = None) -> VerificationReport:
    """The gate's report on a service of this source, run as in the product: two sandboxes, two hash seeds."""
    processes: list[SandboxProcess] = []

    def mount(hash_seed: int) -> Environment:
        process = SandboxProcess(
            "services_app.engine.host",
            files={"planted.py": source},
            limits=limits or Limits(wall_seconds=2),
            hash_seed=hash_seed,
        )
        processes.append(process)
        return ServiceHost(process, {"desk": "planted"}).mount(["desk"])

    try:
        return verify_service("desk", "", lambda: mount(0), timer=time.monotonic, twin=lambda: mount(1))
    finally:
        for process in processes:
            process.close()


def judge_here(mount: Callable[[], Environment]) -> VerificationReport:
    """The report on an environment of this process."""
    return verify_service("desk", "", mount, timer=time.monotonic)


def report_of(report: VerificationReport, tool: str) -> ToolReport:
    (found,) = [item for item in report.tools if item.name == tool]
    return found


def failing(report: VerificationReport, tool: str) -> set[str]:
    """Names of the failed checks of a tool, without the parameter they are about."""
    return {check.name.split(":")[0] for check in report_of(report, tool).checks if check.outcome == "fail"}
