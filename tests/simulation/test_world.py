"""The world model over a scripted server: typed changes, repair, the cache, replay, bounds, and the catalogue."""

import json
from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from services_app.engine.catalogue import ToolInfo
from services_app.engine.protocol import LocalMounting
from services_app.environments import mounting_of
from services_app.models import SimulatedCall, Tool
from services_app.simulation.environment import Kept, Limits, SimulatingEnvironment, SimulatingMounting, World
from services_app.simulation.world import Answer, BadAnswerError, ModelWorld, SimulationError, read_answer
from tests.catalogue import install_services
from tests.engine.desk import make_desk
from tests.stub_model import StubModel, error, message, text
from workers.llm.litellm_client import LiteLLMClient, ModelConfig
from workers.llm.ratelimit import RateLimiter
from workers.llm.retry import Policy

QUICK = Policy(attempts=2, call_seconds=5, step_seconds=10, first_backoff=0.05)
SCHEMA = {
    "type": "object",
    "properties": {"ticket_id": {"type": "string"}, "reason": {"type": "string"}},
    "required": ["ticket_id"],
}
ESCALATE = ToolInfo(
    "escalate", "desk__escalate", "", "Escalate a ticket to the vendor.", "Escalate.", SCHEMA, None, "", {}, []
)
GOOD = {
    "success": True,
    "data": {"escalated": "TKT-0001"},
    "changes": [
        {"table": "tickets", "id": "TKT-0001", "patch": {"status": "closed"}},
        {"table": "comments", "id": "CMT-0900", "record": {"id": "CMT-0900", "ticket_id": "TKT-0001", "body": "Sent."}},
    ],
}


class Memory:
    """A cache for one test."""

    def __init__(self) -> None:
        self.kept: dict[str, Kept] = {}

    def get(self, key: str) -> Answer | None:
        return self.kept[key].answer if key in self.kept else None

    def put(self, kept: Kept) -> Answer:
        return self.kept.setdefault(kept.key, kept).answer


def world(stub: StubModel, cache: Memory | None = None, **limits: int) -> World:
    config = ModelConfig(model="openai/stub", api_base=stub.base_url, api_key="x", policy=QUICK)
    model = ModelWorld(LiteLLMClient(config, limiter=RateLimiter()), "openai/stub")
    return World(model, cache or Memory(), {"desk": {"escalate": ESCALATE}}, Limits(**limits))


def mount(found: World) -> SimulatingEnvironment:
    return SimulatingMounting(LocalMounting([make_desk()]), found).mount(["desk"])


def reply(value: Any) -> Any:
    return text(json.dumps(value))


def test_an_answer_changes_the_state_through_the_state_model() -> None:
    with StubModel([reply(GOOD)]) as stub:
        environment = mount(world(stub))
        observation = environment.call("desk", "escalate", {"ticket_id": "TKT-0001"})
        asked = json.loads(stub.requests[0].json["messages"][1]["content"])
    assert observation == {"success": True, "data": {"escalated": "TKT-0001"}}
    assert asked["call"] == {"arguments": {"ticket_id": "TKT-0001"}}
    assert asked["state"]["tickets"]["shown"][0]["id"] == "TKT-0001"
    record = environment.record("desk", "tickets", "TKT-0001")
    assert record is not None
    assert record["status"] == "closed"
    assert [change.to_json()["table"] for change in environment.changes] == ["tickets", "comments"]
    assert environment.calls[-1].success
    shown = environment.call("desk", "get_ticket", {"ticket_id": "TKT-0001"})
    assert shown["data"]["status"] == "closed"


def test_agents_find_the_tool_like_any_other() -> None:
    with StubModel([]) as stub:
        environment = mount(world(stub))
        listed = environment.meta("list_tools", {"service": "desk"})
        assert "desk__escalate" in json.dumps(listed)
        assert environment.meta("describe_tool", {"tool": "escalate"})["data"]["input_schema"] == SCHEMA
        refused = environment.meta("call_tool", {"tool": "escalate", "arguments": {"ticket_id": 7}})
        assert refused["error"]["code"] == 400
        assert stub.requests == []
    assert environment.catalogue.simulated == {("desk", "escalate")}


def test_the_same_call_on_the_same_state_is_asked_once_and_replays() -> None:
    cache = Memory()
    with StubModel([reply(GOOD)]) as stub:
        environment = mount(world(stub, cache))
        fresh = environment.fork()
        first = environment.call("desk", "escalate", {"ticket_id": "TKT-0001"})
        again = fresh.call("desk", "escalate", {"ticket_id": "TKT-0001"})
        assert len(stub.requests) == 1
    assert first == again
    assert environment.state_hash() == fresh.state_hash()
    with StubModel([]) as silent:
        replayed = mount(world(silent, cache))
        assert replayed.call("desk", "escalate", {"ticket_id": "TKT-0001"}) == first
        assert silent.requests == []
    assert replayed.state_hash() == environment.state_hash()


@pytest.mark.parametrize(
    "bad",
    [
        text("I would close the ticket."),
        reply({"success": True}),
        reply({"success": True, "data": {}, "changes": [{"table": "nowhere", "id": "X", "delete": True}]}),
        reply(
            {"success": True, "data": {}, "changes": [{"table": "tickets", "id": "TKT-0001", "patch": {"status": 3}}]}
        ),
        reply({"success": True, "data": {}, "changes": [{"table": "tickets", "id": "gone", "patch": {"cost": 1}}]}),
        reply({"success": True, "data": {}, "changes": [{"table": "tickets", "id": "A", "record": {"id": "B"}}]}),
        reply({"success": False, "error": {"code": 999, "message": "x"}}),
        reply({"success": False, "error": {"code": 404, "message": "x"}, "changes": [{"table": "t", "id": "1"}]}),
        text('{"success": true, "data": NaN}'),
        message('{"success": true, "da', finish_reason="length"),
    ],
)
def test_a_bad_answer_goes_back_with_the_reason_and_changes_nothing(bad: Any) -> None:
    with StubModel([bad, reply(GOOD)]) as stub:
        environment = mount(world(stub))
        before = environment.state_hash()
        twin = environment.fork()
        assert environment.call("desk", "escalate", {"ticket_id": "TKT-0001"})["success"]
        assert "was refused" in stub.requests[1].json["messages"][-1]["content"]
    assert twin.state_hash() == before != environment.state_hash()


def test_an_error_of_the_simulated_tool_is_an_observation() -> None:
    gone = {"success": False, "error": {"code": 404, "type": "not_found", "message": "No ticket X."}}
    with StubModel([reply(gone)]) as stub:
        environment = mount(world(stub))
        before = environment.state_hash()
        assert environment.call("desk", "escalate", {"ticket_id": "X"}) == gone
    assert environment.state_hash() == before


def test_no_answer_is_neither_success_nor_failure() -> None:
    with StubModel([text("no"), text("no"), text("no")]) as stub:
        environment = mount(world(stub))
        with pytest.raises(SimulationError, match="3 attempts"):
            environment.call("desk", "escalate", {"ticket_id": "TKT-0001"})
        assert environment.calls == []
    with StubModel([error(401)]) as stub, pytest.raises(SimulationError, match="no answer"):
        mount(world(stub)).call("desk", "escalate", {"ticket_id": "TKT-0001"})


def test_the_bound_on_calls_is_named() -> None:
    with StubModel([reply(GOOD)]) as stub:
        environment = mount(world(stub, calls=1))
        environment.call("desk", "escalate", {"ticket_id": "TKT-0001"})
        with pytest.raises(SimulationError, match="bound of 1 simulated calls"):
            environment.call("desk", "escalate", {"ticket_id": "TKT-0002"})


@pytest.mark.parametrize("wrapped", ["```json\n%s\n```", "Here it is: %s. Done."])
def test_prose_around_the_answer_is_no_harm(wrapped: str) -> None:
    observation, edits = read_answer(wrapped % json.dumps(GOOD), "desk")
    assert observation["data"] == {"escalated": "TKT-0001"}
    assert [edit.table for edit in edits] == ["tickets", "comments"]
    with pytest.raises(BadAnswerError, match="no JSON object"):
        read_answer("nothing", "desk")


def test_rewind_takes_a_simulated_call_back() -> None:
    with StubModel([reply(GOOD)]) as stub:
        environment = mount(world(stub))
        before = environment.state_hash()
        environment.call("desk", "escalate", {"ticket_id": "TKT-0001"})
        environment.rewind(0)
    assert environment.state_hash() == before


# In the product


@pytest.fixture
def simulated(db: None, settings: Any) -> Tool:
    """A shipped tool that a curator gave to the world model."""
    install_services(("crm",))
    tool = Tool.objects.filter(service__slug="crm", name="create_task").get()
    Tool.objects.filter(pk=tool.pk).update(status="simulated")
    return tool


def test_without_a_world_model_the_tool_is_out_of_use(simulated: Tool) -> None:
    with mounting_of(["crm"]) as mounting:
        environment = mounting.mount(["crm"])
        assert simulated.name not in environment.catalogue.tools["crm"]
        assert environment.call("crm", simulated.name, {})["error"]["code"] == 404


def test_with_one_its_answers_are_stored_and_found_again(simulated: Tool, settings: Any) -> None:
    account = ProductEnvironment([make_desk()]).now
    answer = {"success": True, "data": {"task_id": "T-1", "at": account}}
    with StubModel([reply(answer)]) as stub:
        settings.WORKBENCH_WORLD_MODEL = "openai/stub"
        settings.WORKBENCH_MODEL_API_BASE, settings.WORKBENCH_MODEL_API_KEY = stub.base_url, "x"
        arguments = _valid(simulated)
        with mounting_of(["crm"]) as mounting:
            one, two = mounting.mount(["crm"]), mounting.mount(["crm"])
            assert one.call("crm", simulated.name, arguments) == {"success": True, "data": answer["data"]}
            assert two.call("crm", simulated.name, arguments)["success"]
        assert len(stub.requests) == 1
    row = SimulatedCall.objects.get()
    assert (row.tool, row.uses, row.input_tokens, row.output_tokens) == (simulated.name, 2, 10, 5)


def _valid(tool: Tool) -> dict[str, Any]:
    made = {"string": "2026-12-01", "integer": 1, "number": 1, "boolean": True, "array": []}
    properties = tool.input_schema["properties"]
    return {
        name: properties[name].get("enum", [made.get(properties[name].get("type", "string"), "x")])[0]
        for name in tool.input_schema.get("required", [])
    }
