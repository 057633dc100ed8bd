"""The leak and shortcut audit: short cuts are found where they are, and only there."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from services_app.engine import EngineError
from tasks_app.engine.audit import audit, audit_figures, canaries
from tasks_app.engine.cheating import PICKS, cheat, ids_of
from tasks_app.engine.criteria import build_rubric, write_scope
from tasks_app.engine.program import Call, Constant, Get, Program, ProgramError, Register, Where, run_program
from tasks_app.engine.proof import prove
from tasks_app.engine.rollout import roll_out
from tasks_app.engine.rubric import verify
from tasks_app.engine.skipping import SOLVERS, decisive, skip
from tasks_app.engine.task import (
    Audit,
    Criterion,
    Goal,
    Graph,
    GraphEdge,
    InitialState,
    StateEdit,
    TaskSpec,
    mounted_services,
)
from tasks_app.policies.rules import RULE_POLICIES
from tests.tasks.authored import MOUNTING, SEED, build, stale_task, written

SEEDS = (1, 2, 3, 5, 8)


def audited(task: TaskSpec) -> Audit:
    start = build(task)
    run = run_program(task.reference, start.fork().call)
    return audit(task, run, start)


def kinds(found: Audit) -> set[str]:
    return {finding.kind for finding in found.findings}


def hidden(task: TaskSpec) -> GraphEdge:
    """An edge whose value nobody can guess."""
    return next(edge for edge in task.graph.edges if edge.kind in ("email", "person", "organisation", "title"))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_good_task_has_no_finding_and_every_solver_is_told(seed: int) -> None:
    found = written(seed).proof.audit
    assert found is not None
    assert (found.outcome, found.findings, found.why) == ("pass", (), "")
    assert [result.solver for result in found.solvers] == [*(f"takes the {pick}" for pick in PICKS), *SOLVERS]
    assert all(result.of == len(written(seed).graph.edges) for result in found.solvers)
    assert 0 <= found.meant_first <= found.doubles


def test_the_audit_changes_nothing_and_says_the_same_twice() -> None:
    task = written(2)
    start = build(task)
    run = run_program(task.reference, start.fork().call)
    before = start.state_hash()
    assert audit(task, run, start) == audit(task, run, start) == task.proof.audit
    assert (start.state_hash(), len(start.calls)) == (before, 0)


def test_the_audit_is_part_of_every_proof() -> None:
    proof = prove(written(2), build)
    assert proof.audit == written(2).proof.audit
    assert [claim.number for claim in proof.claims] == list(range(1, 14))


# Cheaters


@pytest.mark.parametrize("seed", range(len(PICKS)))
def test_the_cheater_plays_like_any_policy_and_fails(seed: int) -> None:
    task = written(2)
    played = roll_out(task, RULE_POLICIES["cheater"](), MOUNTING, timer=time.monotonic, seed=seed)
    assert (played.policy, played.stop_reason, played.passed) == ("cheater", "answered", False)
    assert {step.name for step in played.steps} == {"list_services", "list_tools", "describe_tool", "call_tool"}
    found = task.proof.audit
    assert found is not None
    assert played.score == found.solvers[seed].score


def given_away(task: TaskSpec) -> TaskSpec:
    """The same task with every carried value in its instruction."""
    stated = " ".join(f"The {edge.name} is {edge.value}." for edge in task.graph.edges)
    return task.model_copy(update={"instruction": f"{task.instruction} {stated}"})


def test_a_cheater_sees_no_value_of_an_observation() -> None:
    task = stale_task()
    start = build(task)
    for pick in PICKS:
        listed = ids_of(start, task.needed)
        _, guesses = cheat(task, start, listed, start.fork().call, pick)
        ids = frozenset().union(*listed.values())
        seen = {value for value in guesses.values() if isinstance(value, str) and value not in ids}
        assert all(value in task.instruction for value in seen)
        assert not any(guesses[edge.register_name] == edge.value for edge in task.graph.edges if edge.kind == "email")


def moved_booking(position: int) -> TaskSpec:
    """Move the booking of whoever sent a letter; that booking stands at `position` among all of them."""
    plain = MOUNTING.mount(["halls", "post"], seed=SEED)
    sender = "nora.quill@fieldmail.example"
    edits = tuple(
        StateEdit(service=service, table=table, id=plain.rows(service, table)[at]["id"], patch={field: sender})
        for service, table, at, field in (
            ("post", "letters", 3, "sender"),
            ("halls", "bookings", position, "booked_by"),
        )
    )
    world = plain.edited(edit.to_edit() for edit in edits)
    run = run_program(MOVE, world.call)
    edge = GraphEdge(
        position=0, source="post", target="halls", name="sender", kind="email", how="field", value=sender,
        register_name="sender",
    )  # fmt: skip
    return TaskSpec(
        instruction="Move the booking of the sender of the letter Floor plan to 20 May 2026.",
        services=mounted_services(plain, plain.catalogue.services),
        initial=InitialState(seed=SEED, edits=edits),
        graph=Graph(walk=("post", "halls"), edges=(edge,)),
        reference=MOVE,
        goal=Goal(state_hash=world.state_hash(), changes=()),
        rubric=build_rubric(MOVE, run, world),
        scope=write_scope(world),
    )


MOVE = Program(
    steps=(
        Call(number=1, service="post", tool="find_letters", arguments={"words": Constant(value="Floor plan")}),
        Get(
            register_name="letter",
            call=1,
            path="$.letters[*].letter_id",
            where=(Where(path="$.letters[*].subject", value=Constant(value="Floor plan")),),
        ),
        Call(number=2, service="post", tool="read_letter", arguments={"letter_id": Register(name="letter")}),
        Get(register_name="sender", call=2, path="$.sender"),
        Call(number=3, service="halls", tool="bookings", arguments={"booked_by": Register(name="sender")}),
        Get(register_name="booking", call=3, path="$[*].id"),
        Call(
            number=4,
            service="halls",
            tool="move_booking",
            arguments={"booking_id": Register(name="booking"), "day": Constant(value="2026-05-20")},
            write=True,
        ),
    )
)


@pytest.mark.parametrize(
    ("position", "passing"), [(0, ["takes the first"]), (2, []), (-1, ["takes the last", "takes the highest"])]
)
def test_a_task_that_the_order_gives_away_is_found(position: int, passing: list[str]) -> None:
    task = moved_booking(position)
    found = audited(task)
    assert [finding.what for finding in found.findings if finding.kind == "cheater"] == passing
    assert found.outcome == ("fail" if passing else "pass")
    claims = {claim.number: claim for claim in prove(task, build).claims}
    assert claims[10].passed is not bool(passing)
    assert all(name in claims[10].evidence["why"] for name in passing)


# Solvers without discovery


@pytest.mark.parametrize("seed", SEEDS)
def test_whoever_has_the_decisive_values_needs_no_walk(seed: int) -> None:
    """So the solvers can pass: with the right values the program without its discovery does."""
    task = written(seed)
    start = build(task)
    registers = run_program(task.reference, start.fork().call).registers
    names = decisive(task.reference, [edge.register_name for edge in task.graph.edges])
    assert names
    program = skip(task.reference, {name: registers[name] for name in names})
    world = start.fork()
    run = run_program(program, world.call)
    assert verify(task.rubric, task.scope, world, run.answer).passed
    assert len(program.calls) <= len(task.reference.calls)


def test_values_in_the_instruction_are_found_by_a_solver_and_as_canaries() -> None:
    for seed in SEEDS:
        task = given_away(written(seed))
        found = audited(task)
        assert found.outcome == "fail"
        assert {"canary"} <= kinds(found)
        assert any("the value is in the instruction" in finding.what for finding in found.findings)


def test_tasks_without_near_duplicates_are_solved_by_search() -> None:
    solved = []
    for seed in range(1, 13):
        task = written(seed)
        doubles = {str(place["double"]) for place in task.meaning["places"]}
        edits = tuple(e for e in task.initial.edits if not ({e.id, *map(str, (e.record or {}).values())} & doubles))
        lonely = task.model_copy(update={"initial": task.initial.model_copy(update={"edits": edits})})
        try:
            found = audited(lonely)
        except (EngineError, ProgramError):  # some stories need the rows beside their double
            continue
        solved += [finding.what for finding in found.findings if finding.kind == "skips discovery"]
    assert any(what.startswith("search") for what in solved)


# Canaries


def described(task: TaskSpec, edge: GraphEdge, **update: Any) -> list[tuple[str, str]]:
    """Canaries where a tool that has nothing to do with the edge is described in other words."""
    start = build(task)
    slug = next(slug for slug in start.catalogue.services if slug not in (edge.source, edge.target))
    tools = start.catalogue.tools[slug]
    name = next(iter(tools))
    tools[name] = replace(tools[name], **update)
    return canaries(task, start)


@pytest.mark.parametrize(
    "shown",
    [
        lambda value: {"description": f"Find things. Example: {value}."},
        lambda value: {"title": f"About {value}"},
        lambda value: {"input_schema": {"type": "object", "properties": {"x": {"default": value}}}},
        lambda value: {"input_schema": {"type": "object", "properties": {"x": {"enum": ["a", value]}}}},
        lambda value: {"output_schema": {"type": "object", "description": value}},
    ],
)
def test_a_value_in_what_a_tool_says_of_itself_is_found(shown: Any) -> None:
    task = written(2)
    edge = hidden(task)
    assert described(task, edge) == []
    ((value, where),) = described(task, edge, **shown(edge.value))
    assert value == edge.value.casefold()
    assert where.startswith("the description of ")


def test_a_value_inside_an_id_or_in_another_service_is_found() -> None:
    task = written(2)
    edge = hidden(task)
    other = next(slug for slug in ("halls", "ledger", "post", "workshop") if slug not in (edge.source, edge.target))
    table = {"halls": "bookings", "ledger": "suppliers", "post": "letters", "workshop": "jobs"}[other]
    row = build(task).rows(other, table)[0]
    text = {"halls": "occasion", "ledger": "remarks", "post": "body", "workshop": "title"}[other]
    for changes, words in (
        ({"id": f"{row['id']}-{edge.value}"}, f"an id of {other}.{table}"),
        ({"id": f"{row['id']}9", text: f"See {edge.value}."}, f"the value can be read in {other} as well"),
    ):
        record = {**row, **changes}
        edit = StateEdit(service=other, table=table, id=record["id"], record=record)
        leaky = task.model_copy(
            update={"initial": task.initial.model_copy(update={"edits": (*task.initial.edits, edit)})}
        )
        found = audited(leaky)
        assert kinds(found) >= {"canary"}
        assert any(words in finding.what for finding in found.findings)


def test_short_labels_and_round_sums_are_no_canaries() -> None:
    task = written(2)
    edges = [
        task.graph.edges[0].model_copy(update={"kind": kind, "value": value})
        for kind, value in (("label", "overdue"), ("count", 120), ("money", 1000.0), ("code", "A-1"))
    ]
    for edge in edges:
        graph = task.graph.model_copy(update={"edges": (edge,)})
        assert described(task.model_copy(update={"graph": graph}), edge, description=f"{edge.value} 1,000.00") == []


# Could not tell


class Lost:
    """An environment whose sandbox is gone."""

    def __init__(self, world: Any) -> None:
        self.catalogue = world.catalogue

    def __getattr__(self, name: str) -> Any:
        raise EngineError("the sandbox is gone")


def test_a_lost_environment_is_no_finding() -> None:
    task = written(2)
    start: Any = Lost(build(task))
    found = audit(task, run_program(task.reference, build(task).call), start)
    assert (found.outcome, found.findings) == ("unknown", ())
    assert "the sandbox is gone" in found.why


def test_a_verdict_that_cannot_be_told_is_no_finding() -> None:
    """The order gives the task away, and one criterion cannot be evaluated."""
    task = moved_booking(0)
    broken = Criterion(id="x", text="Broken.", expression="after.halls.bookings.exists(b, b.nothing == 1)")
    found = audited(task.model_copy(update={"rubric": (*task.rubric, broken)}))
    assert (found.outcome, found.findings) == ("unknown", ())
    assert "takes the first" in found.why


# Figures of a set


def test_figures_count_what_the_audits_found() -> None:
    tasks = [written(seed) for seed in SEEDS]
    figures = audit_figures(tasks)
    assert figures["audited"] == len(SEEDS)
    assert figures["outcomes"] == {"pass": len(SEEDS)}
    assert (figures["cheater_share"], figures["skipping_share"], figures["findings"]) == (0.0, 0.0, {})
    assert list(figures["solvers"]) == [*(f"takes the {pick}" for pick in PICKS), *SOLVERS]
    assert 0.0 < figures["meant_first"] < 1.0
    leaky = moved_booking(-1)
    figures = audit_figures([tasks[0], leaky.with_proof(prove(leaky, build))])
    assert figures["outcomes"] == {"pass": 1, "fail": 1}
    assert (figures["cheater_share"], figures["findings"]) == (0.5, {"cheater": 2})
    assert figures["solvers"]["takes the last"]["passes"] == 1


def test_figures_show_a_mount_order_that_tells_who_is_needed() -> None:
    task = written(2)
    roles: tuple[Any, ...] = ("needed", "needed", "distractor", "distractor")
    services = [service.model_copy(update={"role": role}) for service, role in zip(task.services, roles, strict=True)]
    told = task.model_copy(update={"services": tuple(services)})
    mixed = task.model_copy(update={"services": (services[0], services[2], services[3], services[1])})
    assert audit_figures([told])["needed_mounted_first"] == 1.0
    assert audit_figures([mixed])["needed_mounted_first"] == 0.5
    assert audit_figures([])["cheater_share"] is None
