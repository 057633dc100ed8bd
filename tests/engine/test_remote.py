"""Environments in a sandbox behave as those in this process: one conformance suite for both."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services_app.engine import Edit, EngineError, ProductEnvironment, ServiceDefect
from services_app.engine.protocol import Environment, LocalMounting, Mounting
from services_app.engine.remote import ServiceHost
from tests.engine.desk import make_desk
from workers.sandbox.process import SandboxProcess

SOURCE = Path(__file__).with_name("desk.py").read_text() + "\n\nservice = make_desk()\n"


@pytest.fixture(scope="module")
def host() -> Iterator[ServiceHost]:
    with SandboxProcess("services_app.engine.host", files={"gen_desk.py": SOURCE}) as process:
        yield ServiceHost(process, {"desk": "gen_desk"})


@pytest.fixture(params=["local", "sandbox"])
def mounting(request: pytest.FixtureRequest, host: ServiceHost) -> Mounting:
    return LocalMounting([make_desk()]) if request.param == "local" else host


def play(environment: Environment) -> list[object]:
    """A bit of everything; what came out, as JSON."""
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    environment.call("desk", "break_half_way", {"how": "crash"})
    environment.call("desk", "create_ticket", '{"subject": "A", "requester": "a@b.example", "tags": "[1]"}')
    environment.meta(
        "call_tool", {"tool": "desk__create_ticket", "arguments": {"subject": "A", "requester": "a@b.example"}}
    )
    twin = environment.fork()
    twin.call("desk", "delete_ticket", {"ticket_id": "TKT-0002"})
    twin.rewind(2)
    return [
        [call.to_json() for call in environment.calls],
        [change.to_json() for change in environment.changes],
        environment.state(),
        environment.state_hash(),
        environment.service_hash("desk"),
        environment.now,
        environment.record("desk", "tickets", "TKT-0001"),
        twin.state_hash(),
        len(twin.changes),
        [tuple(defect) for defect in environment.defects],
    ]


def test_same_story_on_both_sides(host: ServiceHost) -> None:
    local = LocalMounting([make_desk()]).mount(["desk"], seed=4)
    assert play(host.mount(["desk"], seed=4)) == play(local)


def test_reset_edits_and_rows(mounting: Mounting) -> None:
    environment = mounting.mount(["desk"], seed=1)
    start = environment.state_hash()
    edited = environment.edited([Edit("desk", "tickets", "TKT-0001", patch={"status": "closed"})])
    assert edited.rows("desk", "tickets")[0]["status"] == "closed"
    assert edited.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})["error"]["type"] == "already_closed"
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    environment.reset()
    assert environment.state_hash() == start
    assert list(environment.calls) == []
    with pytest.raises(ServiceDefect, match="status"):
        environment.edited([Edit("desk", "tickets", "TKT-0001", patch={"status": "lost"})])
    with pytest.raises(EngineError, match="not available: cars"):
        mounting.mount(["cars"])
    environment.close()


def test_forgotten_environments_are_released_far_away(host: ServiceHost) -> None:
    environment = host.mount(["desk"])
    for _ in range(200):
        environment.fork()
    assert len(host._dead) < 64


def test_module_that_is_no_service_is_refused() -> None:
    files = {"gen_none.py": "x = 1\n", "gen_other.py": SOURCE, "gen_broken.py": "def x(:\n"}
    with SandboxProcess("services_app.engine.host", files=files) as process:
        for slug, module in (
            ("desk", "gen_none"),
            ("cars", "gen_other"),
            ("desk", "gen_broken"),
            ("desk", "gen_missing"),
        ):
            with pytest.raises(ServiceDefect):
                ServiceHost(process, {slug: module})


def test_environment_of_this_process_is_a_protocol_member() -> None:
    environment: Environment = ProductEnvironment([make_desk()])
    assert environment.clock == "2026-03-02T09:00:00Z"
