"""The coding agent and the adversary over HTTP with scripted models, the good replies and the bad ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.model import agents
from services_app.builders.model.candidate import Judged
from services_app.builders.model.limits import Ending, Limits
from services_app.builders.model.toolbox import ALL_VERIFIED, BuilderToolbox
from services_app.builders.model.workspace import WorkError, Workspace
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.plain import digest
from services_app.pipelines.building import verify_built
from services_app.specs.model import Specification
from tests.builders.memory import QUICK, Killed, Memory, client_of
from tests.builders.model_scripts import (
    CASES,
    FUNCTION,
    LEFT_OUT,
    Script,
    append_function,
    attack,
    desk,
    last_answer,
    use,
    write_it,
)
from tests.stub_model import Reply, StubModel, call, calls, error, message, text, trickle
from workers.llm.budget import Budget
from workers.llm.retry import Policy

pytestmark = pytest.mark.timeout(300)  # the first import of LiteLLM takes long on a busy machine

RULES_VERIFIED = {"create_ticket", "get_ticket", "list_tickets"}


@pytest.fixture(scope="module")
def spec() -> Specification:
    return desk()


@pytest.fixture(scope="module")
def judge(spec: Specification) -> Callable[[BuiltService], Judged]:
    """The real gate; what was judged once is not judged again."""
    known: dict[str, Judged] = {}

    def judged(built: BuiltService) -> Judged:
        key = digest(built.files)
        if key not in known:
            known[key] = verify_built(built, spec, lambda *_: None)
        return known[key]

    return judged


@pytest.fixture(scope="module")
def start(spec: Specification, judge: Callable[[BuiltService], Judged]) -> agents.Start:
    rules = build_with_rules(spec)
    _, report = judge(rules)
    assert set(report.verified) == RULES_VERIFIED
    return agents.Start(rules, report)


Build = Callable[..., tuple[Ending, BuilderToolbox, Memory]]


@pytest.fixture
def build(spec: Specification, start: agents.Start, judge: Any) -> Build:
    """`build(stub)` lets the builder work against a scripted server until it ends."""

    def make(
        stub: StubModel,
        *,
        limits: Limits | None = None,
        memory: Memory | None = None,
        earlier: agents.Earlier | None = None,
        scratch: bool = False,
        policy: Policy = QUICK,
        budget: Budget | None = None,
        **config: Any,
    ) -> tuple[Ending, BuilderToolbox, Memory]:
        memory = memory or Memory()
        means = agents.Means(client_of(stub, policy, budget, **config), memory, limits or Limits(), time.monotonic)
        begin = agents.Start(start.rules, start.report, scratch=scratch)
        conversation, toolbox = agents.builder(spec, begin, judge, "model:stub", means, earlier)
        return conversation.run(), toolbox, memory

    return make


@pytest.fixture
def idle(build: Build) -> Iterator[Any]:
    """A builder whose script ends at once, for what only needs the opening."""
    with StubModel([use("list_files"), text("a"), text("b"), text("c")]) as stub:
        yield build(stub)


# The way it should go


def test_a_missing_tool_is_written_judged_and_verified(build: Build) -> None:
    with StubModel(Script(write_it())) as stub:
        ending, toolbox, memory = build(stub)
    assert ending == Ending(state="done", words=ALL_VERIFIED)
    assert set(toolbox.best.verified) == {*RULES_VERIFIED, LEFT_OUT}
    assert toolbox.best.builder == "model:stub"
    assert toolbox.best.left_out == {}
    assert "The service loads with 4 of 4 tools." in memory.said("tool")[2]
    assert memory.standing.spent.turns == 4
    assert memory.standing.spent.tokens == 4 * 15
    # Each call has its answer, and the rules builder's package is what it began with.
    assert len(memory.said("tool")) == 4
    assert "3 of 4 tools are verified" in memory.said("user")[0]
    assert f"{LEFT_OUT}: not written" in memory.said("user")[0]


def test_from_scratch_begins_with_the_specification_alone(build: Build) -> None:
    state = (
        "from services_app.engine import About, State, Table\nfrom services_app.recipes.records import SpecRecord\n\n\n"
        "class Ticket(SpecRecord):\n    about = About('ticket', plural='tickets', prefix='TIC-')\n    title: str\n"
        "    priority: str | None = None\n\n\nclass DeskState(State):\n    tickets: Table[Ticket]\n"
    )
    tools = (
        "from built_desk import service\nfrom built_desk.spec import TOOLS\n\n\n"
        "@service.spec_tool('create_ticket', **TOOLS['create_ticket'])\n"
        "def create_ticket(state, ctx, args):\n    return state.tickets.create(**args).plain()\n\n\n"
        "@service.spec_tool('get_ticket', **TOOLS['get_ticket'])\n"
        "def get_ticket(state, ctx, args):\n    return state.tickets.get(args['ticket_id']).plain()\n\n\n"
        "@service.spec_tool('list_tickets', **TOOLS['list_tickets'])\n"
        "def list_tickets(state, ctx, args):\n    rows = list(state.tickets)[: max(0, args.get('limit', 50))]\n"
        "    return {'tickets': [row.plain() for row in rows], 'total': len(state.tickets)}\n" + FUNCTION
    )
    seed = (
        "from built_desk import service\n\n\n@service.seed\ndef fill(state, ctx):\n"
        "    for number in range(ctx.size(8)):\n"
        "        state.tickets.create(title=f'Ticket {number}', priority=('low', 'high')[number % 2])\n"
    )
    tests = (
        '{"tests": [{"name": "a", "steps": [{"tool": "list_tickets", "arguments": {}, "expect": {"success": true}}]}]}'
    )
    wanted = {"state.py": state, "tools.py": tools, "seed.py": seed, "tests.json": tests}
    one_reply = calls(
        *[call("write_file", {"name": n, "text": t}, identity=f"w-{n}") for n, t in wanted.items()],
        call("run_tests", {}, identity="t"),
        call("run_gate", {}, identity="g"),
    )
    with StubModel([one_reply]) as stub:
        ending, toolbox, memory = build(stub, scratch=True)
    assert ending.words == ALL_VERIFIED, memory.said("tool")[-1]
    assert set(toolbox.best.verified) == {*RULES_VERIFIED, LEFT_OUT}
    assert "Own tests: 1 of 1 passed." in memory.said("tool")[4]


def test_finish_runs_the_gate_on_what_was_not_judged(build: Build) -> None:
    script = Script([use("read_file", name="tools.py"), append_function, use("finish", summary="done")])
    with StubModel(script) as stub:
        ending, toolbox, _ = build(stub)
    assert ending.words == ALL_VERIFIED
    assert LEFT_OUT in toolbox.best.verified


def test_the_best_version_is_kept_when_a_later_one_is_worse(build: Build) -> None:
    broken = use("write_file", name="tools.py", text='"""Nothing is left."""\n')
    with StubModel(Script([broken, use("run_gate"), use("finish")])) as stub:
        ending, toolbox, memory = build(stub)
    assert ending == Ending(state="done", words="Finished by the model; 4 tools are not verified.")
    assert toolbox.best.builder == "rules"
    assert set(toolbox.best.verified) == RULES_VERIFIED
    assert "0 of 4 tools are verified; the best so far is 3." in memory.said("tool")[1]


def test_the_imported_schema_is_the_truth(build: Build) -> None:
    cheat = FUNCTION.replace(f"**TOOLS['{LEFT_OUT}']", "description='Mine', input_schema={'type': 'object'}")

    def write(body: dict[str, Any]) -> Reply:
        return use("write_file", name="tools.py", text=last_answer(body).partition("\n")[2] + cheat)

    with StubModel(
        Script([use("read_file", name="tools.py"), write, use("run_tests"), use("run_gate"), use("finish")])
    ) as stub:
        _, toolbox, memory = build(stub)
    assert "another description or schema than the specification" in memory.said("tool")[2]
    assert "it departs from the specification" in memory.said("tool")[3]
    assert toolbox.best.builder == "rules"


# Bad replies


def test_prose_around_code_does_nothing_and_is_told_so(build: Build) -> None:
    prose = text(f"Sure! Here is the function:\n```python\n{FUNCTION}\n```\nHope that helps.")
    with StubModel(Script([prose, *write_it()])) as stub:
        ending, _, memory = build(stub)
    assert ending.words == ALL_VERIFIED
    assert "called no tool, so nothing was done" in memory.said("user")[1]


def test_prose_for_ever_ends(build: Build) -> None:
    with StubModel([text("I would do it like this.")] * 5) as stub:
        ending, toolbox, memory = build(stub)
        assert len(stub.requests) == 3
    assert ending == Ending(state="stopped", words="3 replies in a row called no tool.")
    assert set(toolbox.best.verified) == RULES_VERIFIED
    assert memory.standing.spent.tokens == 45


def test_code_with_prose_in_a_file_is_named_as_an_error(build: Build) -> None:
    wrong = use("write_file", name="tools.py", text=f"Here it is:\n```python\n{FUNCTION}\n```")
    with StubModel([wrong, use("run_tests"), use("finish")]) as stub:
        _, toolbox, memory = build(stub)
    assert "ERROR tools.py: not Python" in memory.said("tool")[0]
    assert "static policy refuses" in memory.said("tool")[1]
    assert toolbox.best.builder == "rules"


@pytest.mark.parametrize("arguments", ['{"name": "tools.py", "text": "a = 1"}', '{"name": "tools.py", "text": "imp'])
def test_a_call_that_was_cut_off_is_not_carried_out(build: Build, arguments: str) -> None:
    cut = message(None, tool_calls=[call("write_file", arguments, identity="cut")], finish_reason="length")
    with StubModel(Script([cut, *write_it()])) as stub:
        ending, toolbox, memory = build(stub)
    assert "cut off by the output limit" in memory.said("tool")[0]
    assert "a = 1" not in toolbox.workspace.files["tools.py"]
    assert ending.words == ALL_VERIFIED  # it was asked again and went on from the files as they were
    assert any("finish_reason: length" in turn.note for turn in memory.turns)


def test_cut_off_for_ever_ends(build: Build) -> None:
    arguments = '{"name": "tools.py", "text": "a'
    replies = [
        message(None, tool_calls=[call("write_file", arguments, identity=f"c{n}")], finish_reason="length")
        for n in range(5)
    ]
    with StubModel(replies) as stub:
        ending, _, memory = build(stub)
    assert ending == Ending(state="stopped", words="3 replies in a row were cut off by the output limit.")
    assert len(memory.said("tool")) == 3  # the last call has its answer too


def test_wrong_names_and_arguments_are_answered_with_what_is_right(build: Build) -> None:
    replies = [
        use("run_the_gate"),
        use("write_file", file="tools.py", content="x"),
        use("read_file", name="nothing.py"),
        use("write_file", name="spec.py", text="TOOLS = {}"),
        use("write_file", name="../evil.py", text=""),
        use("replace_in_file", name="tools.py", old="no such passage", new=""),
        calls(call("run_tests", '{"a": 1}{"b": 2}', identity="two")),
        use("read_file", name="tools.py", first=9999),
        use("read_recipes", module="nothing"),
        use("read_recipes", module="services_app.recipes.records"),
        use("finish"),
    ]
    with StubModel(replies) as stub:
        ending, _, memory = build(stub)
    said = memory.said("tool")
    assert "There is no tool 'run_the_gate'. Did you mean run_gate?" in said[0]
    assert "do not fit" in said[1]
    assert "file" in said[1]
    assert "There is no file 'nothing.py'" in said[2]
    assert "spec.py is protected" in said[3]
    assert "not '../evil.py'" in said[4]
    assert "does not occur in tools.py" in said[5]
    assert "not one JSON document" in said[6]
    assert "lines" in said[7]
    assert "There is no module 'nothing'" in said[8]
    assert "require(table" in said[9]
    assert ending.state == "done"


def test_the_same_call_for_ever_ends(build: Build) -> None:
    with StubModel(lambda _: use("read_file", name="state.py")) as stub:
        ending, _, memory = build(stub)
        assert len(stub.requests) == 4
    assert ending.state == "stopped"
    assert ending.words == "The same call of read_file was made 4 times although nothing had changed."
    assert "this exact call was made before" in memory.said("tool")[1]


def test_two_calls_in_turns_for_ever_end_too(build: Build) -> None:
    names = iter(["state.py", "seed.py"] * 20)
    with StubModel(lambda _: use("read_file", name=next(names))) as stub:
        ending, _, _ = build(stub)
        assert len(stub.requests) == 7
    assert "although nothing had changed" in ending.words


def test_too_many_requests_are_waited_for(build: Build) -> None:
    with StubModel([error(429, retry_after=0.4), use("finish")]) as stub:
        ending, _, memory = build(stub)
        gap = stub.requests[1].at - stub.requests[0].at
    assert gap >= 0.4
    assert ending.state == "done"
    assert "attempt 1: the provider limits the rate of requests" in memory.turns[2].note


def test_a_server_that_breaks_ends_it_in_words_with_what_it_cost(build: Build) -> None:
    empty = message("", usage={"prompt_tokens": 100, "completion_tokens": 7})
    with StubModel([use("list_files"), empty, error(500), error(500)]) as stub:
        ending, toolbox, memory = build(stub, input_price=10.0, output_price=20.0)
    assert (ending.state, ending.kind) == ("failed", "unavailable")
    assert "3 attempts" in ending.words
    assert set(toolbox.best.verified) == RULES_VERIFIED
    # The empty reply was paid for although nothing came of it.
    assert memory.standing.spent.tokens == 15 + 107
    assert memory.standing.spent.cost_usd == pytest.approx((110 * 10 + 12 * 20) / 1e6)


@pytest.mark.parametrize("reply", [trickle(0.2), message("late", delay=30)])
def test_silence_ends_it(build: Build, reply: Reply) -> None:
    policy = Policy(attempts=2, call_seconds=0.6, step_seconds=2, first_backoff=0.05)
    with StubModel([reply] * 3) as stub:
        ending, _, _ = build(stub, policy=policy)
        assert len(stub.requests) == 2
    assert (ending.state, ending.kind) == ("failed", "timeout")
    assert "No complete answer within 0.6 s" in ending.words


def test_an_empty_answer_is_no_answer(build: Build) -> None:
    reasoning = message(None, reasoning_content="hmm", finish_reason="length")
    with StubModel([reasoning] * 3) as stub:
        ending, toolbox, memory = build(stub)
    assert (ending.state, ending.kind) == ("failed", "truncated")
    assert "output limit reached during reasoning" in ending.words
    assert [turn.message["role"] for turn in memory.turns] == ["system", "user"]
    assert memory.standing.spent.tokens == 15
    assert toolbox.best.builder == "rules"


def test_text_that_no_database_takes_is_replaced_and_marked(build: Build) -> None:
    with StubModel(
        [message("half \ud83d and \x00", tool_calls=[call("list_files", {}, identity="a")]), use("finish")]
    ) as stub:
        ending, _, memory = build(stub)
    assert ending.state == "done"
    assert memory.turns[2].message["content"] == "half � and �"
    assert "sanitised" in memory.turns[2].note


# Bounds


def test_each_bound_ends_it_with_its_own_words(build: Build) -> None:
    def ended(limits: Limits, **options: Any) -> Ending:
        numbers = iter(range(1, 1000))
        with StubModel(lambda _: use("read_file", name="tools.py", last=next(numbers))) as stub:
            return build(stub, limits=limits, **options)[0]

    prices = {"input_price": 1_000.0, "output_price": 1_000.0}  # 0.015 dollars for each reply of the script
    assert ended(Limits(turns=3)).words == "The limit of 3 turns was reached."
    assert ended(Limits(tokens=40)).words == "The limit of 40 tokens was reached (45 spent)."
    assert ended(Limits(cost_usd=0.02), **prices).words == "The limit of $0.02 was reached ($0.0300 spent)."
    assert "price of the model is not known" in ended(Limits(cost_usd=5)).words
    assert ended(Limits(seconds=0.000001)).words == "The limit of 0 seconds was reached."


def test_the_clients_budget_is_a_bound_too(build: Build) -> None:
    with StubModel(lambda _: use("list_files")) as stub:
        ending, _, _ = build(stub, budget=Budget(requests=2))
    assert ending == Ending(state="stopped", words="The budget of 2 model requests is used up.", kind="budget")


# Taking it up again


@pytest.mark.parametrize("after", range(2, 10))
def test_a_kill_after_any_message_repeats_no_stored_reply(build: Build, after: int) -> None:
    script = Script(write_it())
    with StubModel(script) as stub:
        memory = Memory(stop_after=after)
        with pytest.raises(Killed):
            build(stub, memory=memory)
        stored = sum(turn.message["role"] == "assistant" for turn in memory.turns)
        assert script.asked["builder"] == stored
        memory.stop_after = None
        ending, toolbox, _ = build(stub, memory=memory, earlier=memory.earlier())
        assert len(stub.requests) == 4
    assert ending.words == ALL_VERIFIED
    assert LEFT_OUT in toolbox.best.verified
    assert memory.standing.spent.turns == 4
    assert [turn.message["role"] for turn in memory.turns] == ["system", "user", *["assistant", "tool"] * 4]


@pytest.mark.parametrize("after", [3, 4])
def test_a_kill_after_an_idle_reply_reminds_once(build: Build, after: int) -> None:
    with StubModel([text("Let me think."), use("finish")]) as stub:
        memory = Memory(stop_after=after)
        with pytest.raises(Killed):
            build(stub, memory=memory)
        memory.stop_after = None
        ending, _, _ = build(stub, memory=memory, earlier=memory.earlier())
        roles = [message["role"] for message in stub.requests[1].json["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert ending.state == "done"


# The adversary


def attack_with(spec: Specification, replies: list[Any], **limits: Any) -> tuple[Ending, list[Any], StubModel, Memory]:
    memory = Memory()
    with StubModel(replies) as stub:
        means = agents.Means(client_of(stub), memory, Limits(**limits), time.monotonic)
        conversation, toolbox = agents.adversary(spec, means)
        return conversation.run(), toolbox.cases, stub, memory


def test_the_adversary_sees_the_specification_only(spec: Specification) -> None:
    ending, cases, stub, _ = attack_with(spec, attack())
    assert ending.words == "Finished by the model with 2 usable cases."
    assert [case["tool"] for case in cases] == [case["tool"] for case in CASES]
    assert all({"tool", "before", "arguments", "expected"} <= set(case) for case in cases)
    sent = str([request.json for request in stub.requests])
    assert "Frobnicate a ticket." in sent
    for secret in ("spec_tool", "DeskState", "verified", "quarantined", "built_desk"):
        assert secret not in sent


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("text", "add_cases"),
        ({"tool": "get_ticket"}, "arguments"),
        ({"tool": "no_tool", "arguments": {}, "expected": {"outcome": "refused"}}, "no tool 'no_tool'"),
        ({"tool": "create_ticket", "arguments": {}, "expected": {"outcome": "success"}}, "do not fit its schema"),
        ({"tool": "create_ticket", "arguments": {"title": "a"}, "expected": {"outcome": "maybe"}}, "expected.outcome"),
        ({"tool": "list_tickets", "arguments": {}, "expected": {"outcome": "success", "code": 404}}, "no code"),
        (
            {
                "tool": "list_tickets",
                "arguments": {},
                "before": [["create_ticket", {}]],
                "expected": {"outcome": "success"},
            },
            "do not fit its schema",
        ),
        ({"tool": "list_tickets", "arguments": {}, "before": ["x"], "expected": {"outcome": "success"}}, "before.0"),
        ({"tool": "list_tickets", "arguments": {"a": "\ud83d"}, "expected": {"outcome": "refused"}}, "surrogate"),
    ],
)
def test_a_case_that_cannot_be_used_is_refused_with_the_reason(spec: Specification, case: Any, why: str) -> None:
    _, cases, _, memory = attack_with(spec, attack([case]))
    assert cases == []
    assert why in memory.said("tool")[0]


def test_cases_are_bounded_and_counted_once(spec: Specification) -> None:
    many = [
        {"tool": "get_ticket", "arguments": {"ticket_id": f"no-{n}"}, "expected": {"outcome": "refused"}}
        for n in range(30)
    ]
    _, cases, _, memory = attack_with(spec, [use("add_cases", cases=[*many[:3], *many]), use("finish")])
    assert len(cases) == 6
    assert "get_ticket has 6 cases already" in memory.said("tool")[0]


# Files


def test_a_workspace_refuses_what_could_not_be_run(spec: Specification) -> None:
    space = Workspace("built_desk", build_with_rules(spec).files)
    for name, content in [
        ("tests.json", "{}"),
        ("tests.json", '{"tests": [{"name": "a", "steps": [{"tool": "x", "expect": {"success": true}}]}]}'),
        (
            "tests.json",
            '{"tests": [{"steps": [{"tool": "x", "arguments": {"a": {"kept": []}}, "expect": {"success": true}}]}]}',
        ),
        ("tests.json", "[" * 100_000),
        ("tools.py", "a = '\x00'"),
        ("tools.py", "#" * 400_000),
        ("Tools.py", ""),
        ("__init__.py", ""),
        ("data.csv", ""),
    ]:
        with pytest.raises(WorkError):
            space.write(name, content)
    assert "ERROR more.py:1: imports os" in space.write("more.py", "import os\n")
    assert space.read("more.py") == "more.py, lines 1 to 1 of 1:\nimport os\n"
    space.write("more.py", "a = 1\na = 1\n")
    with pytest.raises(WorkError, match="occurs 2 times"):
        space.replace("more.py", "a = 1", "b = 2")


def test_the_prompt_is_about_this_package_and_the_recipes_that_exist(idle: Any) -> None:
    _, _, memory = idle
    system = memory.said("system")[0]
    assert "pick(table: Table[R], value: object" in system
    assert "value_for(kind: str" in system
    assert "from built_desk.name import" in system
    assert '{"success": true}' in system
    assert "at most 60 replies" in system
