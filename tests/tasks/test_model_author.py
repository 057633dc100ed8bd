"""The model author over HTTP with scripted replies, the good ones and the bad ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from services_app.builders.model.agents import Earlier, Means
from services_app.builders.model.limits import Ending, Limits
from services_app.builders.model.workspace import WorkError
from tasks_app.authors.model import agents
from tasks_app.authors.model.draft import Brief, check_design
from tasks_app.authors.model.freezing import with_visits
from tasks_app.authors.model.rephrasing import REWORDED, RephraseToolbox, kept_verbatim, problems_of
from tasks_app.authors.model.toolbox import PROVEN, AuthorToolbox
from tasks_app.engine.program import Call, run_program
from tasks_app.engine.proof import prove
from tasks_app.engine.task import TaskSpec
from tests.builders.memory import QUICK, Killed, Memory, client_of
from tests.builders.model_scripts import use
from tests.stub_model import Reply, StubModel, call, calls, error, message, text, trickle
from tests.tasks.authored import MOUNTING, build, mounted, profiles, stale_task, written
from tests.tasks.model_scripts import answer_of, brief_of, design_of, steps_of, turns_of, written_by_model
from workers.llm.client import ModelError

pytestmark = pytest.mark.timeout(300)  # the first import of LiteLLM takes long on a busy machine

Author = Callable[..., tuple[Ending, AuthorToolbox, Memory]]


def toolbox_for(task: TaskSpec, **more: Any) -> AuthorToolbox:
    return AuthorToolbox(mounted(tuple(one.slug for one in task.services)), profiles(), brief_of(task), **more)


def carried_out(task: TaskSpec, **more: Any) -> tuple[AuthorToolbox, list[str]]:
    """Every turn of a faultless author, without HTTP: the toolbox and its answers."""
    toolbox = toolbox_for(task, **more)
    return toolbox, [toolbox.call(name, arguments).text for name, arguments in turns_of(task)]


@pytest.fixture
def author() -> Author:
    """`author(stub, task)` lets a scripted author write over the services of `task` until it ends."""

    def write(
        stub: StubModel,
        task: TaskSpec,
        *,
        limits: Limits | None = None,
        memory: Memory | None = None,
        earlier: Earlier | None = None,
        solver: bool = False,
    ) -> tuple[Ending, AuthorToolbox, Memory]:
        memory = memory or Memory()
        client = client_of(stub)
        means = Means(client, memory, limits or Limits(), time.monotonic)
        solve = agents.solver("openai/stub", client, MOUNTING, time.monotonic) if solver else None
        world = mounted(tuple(one.slug for one in task.services))
        conversation, toolbox = agents.author(world, profiles(), brief_of(task), means, earlier=earlier, solve=solve)
        return conversation.run(), toolbox, memory

    return write


def answers(*replies: Any, task: TaskSpec, author: Author, **more: Any) -> tuple[Ending, list[str]]:
    with StubModel(list(replies)) as stub:
        ending, _, memory = author(stub, task, **more)
    return ending, memory.said("tool")


# The way it should go


def test_a_model_writes_a_task_that_is_proven_like_any_other(author: Author) -> None:
    source = stale_task()
    with StubModel(written_by_model(source)) as stub:
        ending, toolbox, memory = author(stub, source)
    assert ending == Ending(state="done", words=PROVEN)
    task = toolbox.task
    assert task is not None
    assert prove(task, build).passed
    assert {claim.number for claim in task.proof.claims} >= set(range(1, 14))
    assert task.author["backend"] == "model"
    assert [edge.value for edge in task.graph.edges] == [edge.value for edge in source.graph.edges]
    assert [edge.stale for edge in task.graph.edges] == [edge.stale for edge in source.graph.edges]
    assert "stale re-read" in task.tags
    assert task.answer == source.answer
    assert memory.standing.spent.tokens == 15 * len(turns_of(source))
    opening = memory.said("user")[0]
    assert " > ".join(source.graph.walk) in opening
    assert "distractor: mounted, never needed" in opening or len(source.distractors) == 0


@pytest.mark.parametrize("seed", range(1, 13))
def test_what_the_machine_measures_is_what_the_rules_author_meant(seed: int) -> None:
    source = written(seed)
    toolbox, said = carried_out(source)
    assert toolbox.task is not None, said[-1]
    measured = [(edge.kind, edge.how, edge.revisit, edge.stale) for edge in toolbox.task.graph.edges]
    meant = [(edge.kind, edge.how, edge.revisit, edge.stale) for edge in source.graph.edges]
    wrong = [
        (a, b) for a, b in zip(measured, meant, strict=True) if a[2:] != b[2:] or (a[1] == "text") > (b[1] == "text")
    ]
    assert wrong == [] or all(b[1] == "note" for _, b in wrong)
    assert [step.write for step in toolbox.task.reference.calls] == [step.write for step in source.reference.calls]


def test_another_value_is_found_for_each_edge_that_brings_none() -> None:
    source = written(2)
    toolbox = toolbox_for(source)
    for name, arguments in turns_of(source):
        for edge in arguments.get("edges", ()):
            edge["ablation"] = []
        last = toolbox.call(name, arguments)
    assert toolbox.task is not None, last.text
    assert all(edge.ablation and edge.alternative != edge.value for edge in toolbox.task.graph.edges)


def test_the_same_turns_give_the_same_task() -> None:
    first, second = carried_out(written(3))[0].task, carried_out(written(3))[0].task
    assert first is not None
    assert second is not None
    assert first.task_hash == second.task_hash


# Claims that fail come back


def test_failed_claims_are_named_and_the_repair_is_proven(author: Author) -> None:
    source = stale_task()
    leaky = f"{source.instruction} It is {source.graph.edges[0].value}, by the way."
    turns = turns_of(source)
    bad = [use(name, **(arguments | ({"instruction": leaky} if name == "design" else {}))) for name, arguments in turns]
    repair = [use("design", instruction=source.instruction), use("submit", answer=answer_of(source))]
    with StubModel([*bad, *repair]) as stub:
        ending, toolbox, memory = author(stub, source)
    assert ending.words == PROVEN
    assert toolbox.submissions == 2
    report = memory.said("tool")[-3]
    assert "Claim 6, edges are necessary: the value is in the instruction" in report
    assert "The criteria are:" in report


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("true at the start", "Claim 4, nothing for nothing"),
        ("cannot fail", "Claim 5, criteria can fail: there is no goal criterion"),
        ("name nobody knows", "Claim 13, the instruction closes: mentioned and not defined: Greet Zora Quennel"),
        ("tool name", "Claim 10, no leak"),
        ("stated nowhere", "Claim 9, reachable"),
    ],
)
def test_a_bad_author_is_caught_by_the_named_claim(kind: str, words: str) -> None:
    source = written(2)
    toolbox = toolbox_for(source)
    design, steps, submit = design_of(source), steps_of(source), {"answer": answer_of(source)}
    tool = source.reference.calls[-1].tool
    if kind == "true at the start":
        expression = f"calls.size() == 0 || {source.rubric[0].expression}"
        submit["criteria"] = [{"text": "x", "kind": "goal", "expression": expression}]
    elif kind == "cannot fail":
        submit["criteria"] = [{"text": "x", "kind": "constraint", "expression": "calls.size() >= 0"}]
    elif kind == "name nobody knows":
        design["instruction"] += " Greet Zora Quennel."
    elif kind == "tool name":
        exposed = toolbox._environment.catalogue.tools[source.reference.calls[-1].service][tool].exposed
        design["instruction"] += f" Use {exposed}."
    else:
        stated = next(
            str(one["value"]) for step in steps for one in step.get("arguments", {}).values() if "value" in one
        )
        design["instruction"] = design["instruction"].replace(stated, "something")
    toolbox.call("design", design)
    toolbox.call("probe", {"steps": steps})
    said = toolbox.call("submit", submit).text
    assert words in said
    assert toolbox.task is None
    assert toolbox.failing


def test_an_edge_has_to_be_what_it_says() -> None:
    source = written(2)
    toolbox = toolbox_for(source)
    design = design_of(source)
    design["edges"][0], design["edges"][1] = design["edges"][1], design["edges"][0]
    toolbox.call("design", design)
    toolbox.call("probe", {"steps": steps_of(source)})
    assert "belongs to visit" in toolbox.call("submit", {}).text
    design["edges"] = [{**edge, "register_name": "nothing"} for edge in design["edges"]]
    toolbox.call("design", {"edges": design["edges"]})
    assert "no step of the reference reads a register 'nothing'" in toolbox.call("submit", {}).text
    toolbox.call("design", {"edges": design["edges"][1:]})
    assert "edges" in toolbox.call("submit", {}).text


# What is wrong with a call is its answer, and changes nothing


UNKNOWN_BILL = {"bill_no": {"kind": "literal", "value": "no"}}
BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("explore", {"service": "legder"}, "did you mean ledger?"),
    ("explore", {"service": "ledger", "tool": "payy"}, "did you mean pay?"),
    ("explore", {"service": "ledger", "table": "bil"}, "It has: suppliers, bills, payments"),
    ("design", {"walk": ["ledger", "ledger"]}, "The walk"),
    ("design", {"plant": [{"service": "ledger", "table": "bills", "id": "B1", "record": {}}]}, "does not fit"),
    ("design", {"plant": [{"service": "ledger", "table": "bills"}]}, "plant: 0.id: Field required"),
    ("design", {"plant": ["bill"]}, "do not fit"),
    ("design", {"edges": [{"name": "bill"}]}, "edges: 0.register_name: Field required"),
    ("design", {"instruction": "x" * 7_000}, "7,000 of 6,000"),
    ("probe", {"steps": [{"service": "ledger", "tool": "pay", "arguments": {"amount": 5}}]}, "where argument 'amount'"),
    ("probe", {"steps": [{"service": "ledger", "tool": "pay"}]}, 'A call has "arguments"'),
    ("probe", {"steps": [{"service": "ledger", "tool": "pya", "arguments": {}}]}, "did you mean pay?"),
    ("probe", {"steps": [{"register_name": "a", "call": 1, "path": "$.rows[0].id"}]}, "$.tickets[*].id"),
    ("probe", {"steps": [{"register_name": "a", "call": 9, "path": "$.id"}]}, "which was not made"),
    ("probe", {"steps": [{"service": "ledger", "tool": "bill", "arguments": UNKNOWN_BILL}]}, "no_such_bill"),
    ("probe", {"steps": "all of them"}, "do not fit"),
    ("submit", {}, "Missing"),
    ("prove", {}, "There is no tool 'prove'. Did you mean probe?"),
    ("submit", {"rubric": []}, "do not fit"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "words"), BAD_CALLS)
def test_a_bad_call_is_answered_in_words_and_changes_nothing(name: str, arguments: dict[str, Any], words: str) -> None:
    toolbox = toolbox_for(written(2))
    before = toolbox.to_json()
    answer = toolbox.call(name, arguments)
    assert words in answer.text
    assert not answer.ends
    assert toolbox.to_json() == before


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("added.ledger.payments.exists(", "criterion 1"),
        ("added.nowhere.payments.size() == 1", "no such service is mounted"),
        ("added.ledger.payments.exists(r, r.colour == 1)", "has no field colour"),
    ],
)
def test_cel_that_cannot_be_used_is_refused(expression: str, words: str) -> None:
    source = written(2)
    toolbox = toolbox_for(source)
    toolbox.call("design", design_of(source))
    toolbox.call("probe", {"steps": steps_of(source)})
    criteria = [{"text": "x", "kind": "goal", "expression": expression}]
    assert words in toolbox.call("submit", {"criteria": criteria}).text
    assert toolbox.submissions == 0


def test_calls_go_along_the_walk() -> None:
    source = written(2)
    toolbox = toolbox_for(source)
    toolbox.call("design", design_of(source))
    toolbox.call("probe", {"steps": steps_of(source)})
    numbered = toolbox.draft.steps
    assert [step.visit for step in with_visits(numbered, source.graph.walk) if isinstance(step, Call)] == [
        call.visit for call in source.reference.calls
    ]
    with pytest.raises(WorkError, match="in the order of the walk"):
        with_visits(numbered[::-1], source.graph.walk)


def test_a_walk_keeps_to_the_brief() -> None:
    brief = Brief(walk=("a", "b", "c", "a"), length=(4, 5), seed=1, state_seed=1)
    check_design(["b", "a", "b", "c"], brief)
    for walk in (["a", "b"], ["a", "b", "c"], ["a", "a", "b", "c"], ["a", "b", "c", "d"]):
        with pytest.raises(WorkError):
            check_design(walk, brief)


def test_steps_can_be_taken_back() -> None:
    source = written(2)
    toolbox = toolbox_for(source)
    steps = steps_of(source)
    toolbox.call("design", design_of(source))
    toolbox.call("probe", {"steps": steps})
    assert "The reference has 1 steps now." in toolbox.call("probe", {"steps": [], "keep": 1}).text
    toolbox.call("probe", {"steps": steps[1:]})
    assert len(toolbox.draft.steps) == len(steps)


def test_an_explored_call_leaves_no_trace() -> None:
    toolbox = toolbox_for(written(2))
    rows = toolbox.call("explore", {"service": "ledger", "table": "bills"}).text
    first = json.loads(next(line for line in rows.splitlines() if '"state": "open"' in line))
    said = toolbox.call("explore", {"service": "ledger", "tool": "dispute", "arguments": {"bill_no": first["bill_no"]}})
    assert "changes bills" in said.text
    assert toolbox.call("explore", {"service": "ledger", "table": "bills"}).text == rows


# Bad replies


def truncated(name: str, **arguments: Any) -> Reply:
    """A tool call whose JSON ends in the middle."""
    return calls(call(name, json.dumps(arguments)[:-9], identity=f"cut-{len(arguments)}"))


def test_prose_broken_json_and_wrong_names_do_not_stop_a_good_author(author: Author) -> None:
    source = written(2)
    good = written_by_model(source)
    code = f"Here is the design:\n```json\n{json.dumps(design_of(source))}\n```"
    replies = [
        text(code),
        *good[:2],
        truncated("design", **design_of(source)),
        use("design_task", **design_of(source)),
        message("thinking", tool_calls=[call("probe", "[1]", identity="list")]),
        *good[2:],
    ]
    ending, said = answers(*replies, task=source, author=author)
    assert ending.words == PROVEN
    assert any("ERROR" in one and "JSON" in one for one in said)
    assert any("There is no tool 'design_task'. Did you mean design?" in one for one in said)


def test_rate_limits_and_outages_are_waited_out(author: Author) -> None:
    source = written(2)
    good = written_by_model(source)
    replies = [error(429, retry_after=0.05), good[0], error(500), good[1], trickle(0.3), *good[2:]]
    ending, _ = answers(*replies, task=source, author=author)
    assert ending.words == PROVEN


@pytest.mark.parametrize(
    ("replies", "state", "words"),
    [
        ([text("I would write this task: ...")] * 3, "stopped", "3 replies in a row called no tool"),
        ([use("explore")] * 9, "stopped", "The same call of explore was made 4 times"),
        ([error(401, "no such key")], "failed", "refused the key"),
        ([error(500)] * 3, "failed", ""),
        ([message(None, finish_reason="length")] * 3, "failed", ""),
        ([use("finish", summary="These services have nothing in common.")], "done", "nothing in common"),
    ],
)
def test_what_cannot_go_on_ends_in_words(author: Author, replies: list[Reply], state: str, words: str) -> None:
    with StubModel(replies) as stub:
        ending, toolbox, _ = author(stub, written(2))
    assert (ending.state, toolbox.task) == (state, None)
    assert words in ending.words


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(turns=3), "The limit of 3 turns was reached."),
        (Limits(tokens=40), "The limit of 40 tokens was reached (45 spent)."),
        (Limits(seconds=0.01), "The limit of 0 seconds was reached."),
        (Limits(cost_usd=0.5), "The limit of $0.5 cannot be kept: the price of the model is not known."),
    ],
)
def test_each_bound_says_that_it_was_hit(author: Author, limits: Limits, words: str) -> None:
    ending, _ = answers(*written_by_model(written(2)), task=written(2), author=author, limits=limits)
    assert ending == Ending(state="stopped", words=words)


def test_silence_is_cut_and_said(author: Author) -> None:
    ending, _ = answers(*[trickle(5)] * 3, task=written(2), author=author)
    assert (ending.state, ending.kind) == ("failed", "timeout")
    assert QUICK.step_seconds < 10


@pytest.mark.parametrize("stop_after", [1, 2, 3, 6, 9, 12])
def test_a_killed_conversation_goes_on_and_asks_for_nothing_twice(author: Author, stop_after: int) -> None:
    source = stale_task()
    replies = written_by_model(source)
    memory = Memory(stop_after=stop_after)
    with StubModel(replies) as stub:
        with pytest.raises(Killed):
            author(stub, source, memory=memory)
        asked = len(stub.requests)
        memory.stop_after = None
        ending, toolbox, _ = author(stub, source, memory=memory, earlier=memory.earlier())
        assert len(stub.requests) == len(replies)
    assert ending.words == PROVEN
    assert asked <= stop_after
    assert toolbox.task is not None
    assert toolbox.task.task_hash == carried_out(source)[0].task.task_hash  # type: ignore[union-attr] # proven above


# A second model has to solve it


def solving(task: TaskSpec) -> list[Reply]:
    """A solver that makes the reference's calls."""
    world = build(task)
    run = run_program(task.reference, world.call)
    names = {(s, t): tool.exposed for s, tools in world.catalogue.tools.items() for t, tool in tools.items()}
    turns = [use("call_tool", tool=names[one.service, one.tool], arguments=one.arguments) for one in run.calls]
    return [*turns, text(run.answer or "Done.")]


def test_a_task_that_another_model_solves_is_submitted(author: Author) -> None:
    source = written(2)
    ours = carried_out(source)[0].task
    assert ours is not None
    with StubModel([*written_by_model(source), *solving(ours)]) as stub:
        ending, toolbox, memory = author(stub, source, solver=True)
        assert len(stub.requests) == len(written_by_model(source)) + len(solving(ours))
    assert ending.words == PROVEN
    assert toolbox.task is not None
    # What the solver took counts for the session.
    assert memory.standing.spent.tokens == 15 * len(stub.requests)
    assert memory.standing.spent.turns == len(written_by_model(source))


def test_a_task_that_another_model_fails_goes_back(author: Author) -> None:
    source = written(2)
    with StubModel([*written_by_model(source), text("I cannot do that."), use("finish")]) as stub:
        ending, toolbox, memory = author(stub, source, solver=True)
    assert (ending.state, toolbox.task) == ("done", None)
    said = memory.said("tool")[-2]
    assert "another model failed" in said
    assert "'I cannot do that.'" in said
    assert toolbox.failing == ("another model solves it",)


def test_an_outage_of_the_solver_is_no_fault_of_the_task(author: Author) -> None:
    source = written(2)
    with (
        StubModel([*written_by_model(source), error(401, "no key")]) as stub,
        pytest.raises(ModelError, match="solver"),
    ):
        author(stub, source, solver=True)


# Rewording


def reworded(task: TaskSpec) -> str:
    return f"Hello, thanks for looking at this. {task.instruction}"


def rephrase(replies: list[Reply], task: TaskSpec) -> tuple[Ending, RephraseToolbox, Memory]:
    memory = Memory()
    with StubModel(replies) as stub:
        means = Means(client_of(stub), memory, Limits(turns=6), time.monotonic)
        conversation, toolbox = agents.rephraser(task, lambda one: prove(one, build), means)
        return conversation.run(), toolbox, memory


def test_other_words_with_the_same_meaning_are_taken() -> None:
    task = stale_task()
    ending, toolbox, memory = rephrase([use("reword", text=reworded(task))], task)
    assert ending.words == REWORDED
    assert toolbox.task.instruction == reworded(task)
    assert toolbox.task.proof.passed
    same = {"instruction", "proof"}
    assert toolbox.task.model_dump(exclude=same) == task.model_dump(exclude=same)
    opening = memory.said("user")[0]
    assert all(f"- {item}" in opening for item in kept_verbatim(task))


def test_what_is_lost_or_given_away_is_named_and_a_better_try_is_taken() -> None:
    task = stale_task()
    lost = next(item for item in kept_verbatim(task) if any(letter.isdigit() for letter in item))
    gold = str(task.graph.edges[0].value)
    tries = [
        use("reword", text=reworded(task).replace(lost, "soon")),
        use("reword", text=f"{reworded(task)} It is {gold.lower()}."),
        use("reword", text=f"{reworded(task)} Ask Zora Quennel about 77 of them."),
        use("reword", text="Do it."),
        use("reword", text=reworded(task)),
    ]
    ending, _, memory = rephrase(tries, task)
    assert ending.words == REWORDED
    said = memory.said("tool")
    assert f"'{lost}' is missing" in said[0]
    assert "what the agent has to find out" in said[1]
    assert "is not in the original" in said[2]
    assert "'77'" in said[2]
    assert "characters" in said[3]


def test_a_wording_that_never_fits_leaves_the_task_alone() -> None:
    task = stale_task()
    ending, toolbox, _ = rephrase([use("reword", text="Do it."), use("finish", summary="Too hard.")], task)
    assert ending.state == "done"
    assert toolbox.task == task


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_original_wording_has_no_problem(seed: int) -> None:
    task = written(seed)
    assert problems_of(task, task.instruction) == []
    assert kept_verbatim(task)


def test_the_brief_can_ask_for_another_length() -> None:
    task = written(2)
    brief = replace(brief_of(task), length=(1, 2))
    with pytest.raises(WorkError, match="1 to 2 visits"):
        check_design(task.graph.walk, brief)
