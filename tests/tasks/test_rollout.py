"""Episodes: messages, limits, verdicts, the step that decided a criterion; rule and model policies."""

import itertools
import json
from typing import Any

import pytest

from services_app.engine import EngineError
from services_app.engine.meta import META_NAMES
from services_app.engine.protocol import LocalMounting
from tasks_app.engine.program import Call, Constant, Program
from tasks_app.engine.rollout import Limits, Policy, roll_out
from tasks_app.engine.task import Criterion, Goal, Graph, InitialState, MountedService, TaskSpec, WriteScope
from tasks_app.engine.trajectory import Trajectory
from tasks_app.policies.model import ModelPolicy
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReadOnlyPolicy, ReferencePolicy
from tests.engine.desk import make_desk
from tests.stub_model import StubModel, call, calls, error, message, text
from workers.llm.litellm_client import LiteLLMClient, ModelConfig
from workers.llm.ratelimit import RateLimiter
from workers.llm.retry import Policy as RetryPolicy

MOUNTING = LocalMounting([make_desk(), make_desk("south")])


def literal(**values: Any) -> dict[str, Constant]:
    return {name: Constant(value=value) for name, value in values.items()}


def make_task(**changes: Any) -> TaskSpec:
    steps = (
        Call(number=1, service="desk", tool="list_tickets", arguments={}),
        Call(number=2, service="desk", tool="close_ticket", arguments=literal(ticket_id="TKT-0001"), write=True),
        Call(
            number=3,
            service="desk",
            tool="create_ticket",
            arguments=literal(subject="Toner", requester="a@b.example"),
            write=True,
        ),
    )
    fields: dict[str, Any] = {
        "instruction": "Close the first ticket and open one about toner.",
        "services": (
            MountedService(slug="south", version_hash="x", role="distractor"),
            MountedService(slug="desk", version_hash="x", role="needed"),
        ),
        "initial": InitialState(seed=1),
        "graph": Graph(walk=("desk",), edges=()),
        "reference": Program(steps=steps),
        "goal": Goal(state_hash="", changes=()),
        "rubric": (
            Criterion(
                id="closed",
                text="closed",
                expression='changed.desk.tickets.exists(c, c.id == "TKT-0001" && c.after.status == "closed")',
            ),
            Criterion(id="opened", text="opened", expression='added.desk.tickets.exists(t, t.subject == "Toner")'),
        ),
        "scope": (
            WriteScope(service="desk", table="tickets", action="create"),
            WriteScope(service="desk", table="tickets", action="change", ids=("TKT-0001",)),
        ),
    }
    return TaskSpec(**{**fields, **changes})


TASK = make_task()


def play(policy: Policy, **options: Any) -> Trajectory:
    clock = itertools.count()
    return roll_out(TASK, policy, MOUNTING, timer=lambda: next(clock) / 1000, **options)


def model(stub: StubModel, **options: Any) -> ModelPolicy:
    retry = RetryPolicy(attempts=2, call_seconds=5, step_seconds=20, first_backoff=0.01)
    config = ModelConfig(model="openai/stub", api_base=stub.base_url, api_key="x", policy=retry, **options)
    return ModelPolicy("stub", LiteLLMClient(config, limiter=RateLimiter()))


def use(tool: str, **arguments: Any) -> Any:
    return call("call_tool", {"tool": tool, "arguments": arguments})


def paired(trajectory: Trajectory) -> bool:
    """Every call has exactly one answer, in order."""
    asked = [c["id"] for m in trajectory.messages if m["role"] == "assistant" for c in m.get("tool_calls", [])]
    answered = [m["tool_call_id"] for m in trajectory.messages if m["role"] == "tool"]
    return asked == answered and len(set(asked)) == len(asked)


def test_reference_passes_through_the_meta_tools_only() -> None:
    trajectory = play(ReferencePolicy())
    assert trajectory.passed is True
    assert {step.name for step in trajectory.steps} == set(META_NAMES)
    assert {tool["function"]["name"] for tool in trajectory.tools} == set(META_NAMES)
    assert paired(trajectory)
    assert trajectory.messages[-1] == {"role": "assistant", "content": "Done."}
    decided = {name: step.tool for step in trajectory.steps for name in step.decided}
    assert decided == {"closed": "close_ticket", "opened": "create_ticket"}


def test_reference_passes_in_direct_mode() -> None:
    trajectory = play(ReferencePolicy(), mode="direct")
    assert trajectory.passed is True
    assert [step.name for step in trajectory.steps] == [
        "desk__list_tickets",
        "desk__close_ticket",
        "desk__create_ticket",
    ]


@pytest.mark.parametrize("policy", [NoopPolicy(), ReadOnlyPolicy(), FaultyPolicy()])
def test_policies_that_do_not_do_the_work_fail(policy: Policy) -> None:
    trajectory = play(policy)
    assert trajectory.passed is False
    assert trajectory.stop_reason == "answered"


def test_same_rollout_twice_is_equal() -> None:
    assert play(ReferencePolicy()) == play(ReferencePolicy())
    assert play(FaultyPolicy(), seed=1) == play(FaultyPolicy(), seed=1)


def test_trajectory_round_trip() -> None:
    trajectory = play(ReferencePolicy())
    assert Trajectory.model_validate_json(trajectory.model_dump_json()) == trajectory


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(steps=2), "steps"),
        (Limits(turns=3), "turns"),
        (Limits(seconds=0.001), "time"),
    ],
)
def test_limits_stop_and_say_which(limits: Limits, reason: str) -> None:
    trajectory = play(ReferencePolicy(), limits=limits)
    assert trajectory.stop_reason == reason
    assert trajectory.passed is False
    assert trajectory.error


def test_environment_that_is_lost_gives_no_verdict() -> None:
    class Lost:
        name = "lost"

        def play(self, episode: Any) -> None:
            raise EngineError("the sandbox is gone")

    trajectory = play(Lost())
    assert (trajectory.stop_reason, trajectory.passed, trajectory.score) == ("environment_error", None, None)


def test_model_solves_a_task_over_http() -> None:
    ticket = {"subject": "Toner", "requester": "a@b.example"}
    replies = [
        calls(call("list_services"), call("list_tools", {"service": "desk"})),
        calls(use("desk__close_ticket", ticket_id="TKT-0001")),
        calls(call("call_tool", {"tool": "desk__create_ticket", "arguments": json.dumps(ticket)})),
        text("Both are done."),
    ]
    with StubModel(replies) as stub:
        trajectory = play(model(stub))
        sent = stub.requests[-1].json
    assert trajectory.passed is True
    assert trajectory.answer == "Both are done."
    assert paired(trajectory)
    assert trajectory.usage.model_calls == 4
    assert {tool["function"]["name"] for tool in sent["tools"]} == set(META_NAMES)
    assert trajectory.steps[-1].coerced == ("",)


def test_bad_calls_of_a_model_are_answered_and_never_executed() -> None:
    replies = [
        calls(call("call_tool", "[1]"), call("nonsense", {}), use("desk__close_tickt", ticket_id="TKT-0001")),
        text("I give up."),
    ]
    with StubModel(replies) as stub:
        trajectory = play(model(stub))
    assert [step.success for step in trajectory.steps] == [False, False, False]
    assert paired(trajectory)
    assert trajectory.passed is False


def test_truncated_turn_is_never_executed() -> None:
    cut = message(
        None,
        finish_reason="length",
        tool_calls=[call("call_tool", '{"tool": "desk__close_ticket", "arguments": {"ticket_id": "TKT-00')],
    )
    with StubModel([cut, cut, cut]) as stub:
        trajectory = play(model(stub))
    assert trajectory.stop_reason == "truncated"
    assert trajectory.steps == ()


def test_outage_of_the_model_is_no_failure_of_the_task() -> None:
    with StubModel([error(500), error(500)]) as stub:
        trajectory = play(model(stub))
    assert (trajectory.stop_reason, trajectory.passed) == ("policy_error", None)


def test_task_hash_is_about_content_only() -> None:
    assert make_task().task_hash == TASK.task_hash
    assert make_task(instruction="Other.").task_hash != TASK.task_hash
    assert TaskSpec.model_validate_json(TASK.model_dump_json()).task_hash == TASK.task_hash
