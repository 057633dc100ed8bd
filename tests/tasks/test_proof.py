"""Each claim of the proof can fail: one bad task for each."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine import Edit
from services_app.engine.protocol import LocalMounting
from services_app.library.registry import load
from tasks_app.engine.ablation import LOW_ENTROPY
from tasks_app.engine.mutants import without_idle_reads
from tasks_app.engine.program import Call, Constant, Register, registers_of, run_program
from tasks_app.engine.proof import holds_afresh, prove, survey
from tasks_app.engine.soundness import breakdown
from tasks_app.engine.task import Criterion, StateEdit, TaskSpec, WriteScope
from tests.tasks.authored import SEED, build, stale_task, written


def changed(task: TaskSpec, **update: Any) -> TaskSpec:
    return task.model_copy(update=update)


def failing(task: TaskSpec) -> dict[int, str]:
    return {claim.number: str(claim.evidence.get("why", "")) for claim in prove(task, build).claims if not claim.passed}


def with_criterion(task: TaskSpec, expression: str, kind: Any = "constraint") -> TaskSpec:
    extra = Criterion(id="x1", text="Extra.", kind=kind, expression=expression)
    return changed(task, rubric=(*task.rubric, extra))


def test_the_untouched_task_passes() -> None:
    assert failing(stale_task()) == {}


def test_1_an_invalid_state_is_found() -> None:
    task = written(2)
    bad = StateEdit(service="halls", table="bookings", id="BK-0001", patch={"guests": "many"})
    initial = task.initial.model_copy(update={"edits": (*task.initial.edits, bad)})
    assert "s0 is not valid" in failing(changed(task, initial=initial))[1]


def test_1_another_version_of_a_service_is_found() -> None:
    task = written(2)
    services = (task.services[0].model_copy(update={"version_hash": "other"}), *task.services[1:])
    assert "services differ" in failing(changed(task, services=services))[1]


def test_2_a_reference_that_misses_the_goal_is_found() -> None:
    task = written(2)
    assert failing(changed(task, goal=task.goal.model_copy(update={"state_hash": "0" * 32})))[2]
    steps = task.reference.steps[1:]
    reference = task.reference.model_copy(update={"steps": steps})
    assert "the reference fails" in failing(changed(task, reference=reference))[2]


def test_3_a_rubric_that_refuses_the_reference_is_found() -> None:
    assert "x1" in failing(with_criterion(written(2), 'answer == "never"', "answer"))[3]


def test_4_a_goal_that_is_true_at_the_start_is_found() -> None:
    found = failing(with_criterion(written(2), "calls.size() >= 0", "goal"))
    assert "do nothing: x1" in found[4]


def test_4_a_criterion_that_talk_fulfils_is_found() -> None:
    found = failing(with_criterion(written(2), "answer.size() > 0", "answer"))
    assert "only talk: x1" in found[4]
    assert "do nothing" not in found[4]


def test_5_criteria_that_say_the_same_or_count_for_nothing_are_flagged() -> None:
    task = written(2)
    twin = task.rubric[0].model_copy(update={"id": "x1", "weight": 0.0})
    claim = next(c for c in prove(changed(task, rubric=(*task.rubric, twin)), build).claims if c.number == 5)
    assert claim.evidence["flagged"] == [f"x1 checks the same as {task.rubric[0].id}", "x1 has no weight"]


def test_5_every_mutant_is_told_with_what_it_fails() -> None:
    claim = next(claim for claim in stale_task().proof.claims if claim.number == 5)
    each = claim.evidence["each"]
    assert len(each) == claim.evidence["mutants"]
    assert {mutant["outcome"] for mutant in each} <= {"rejected", "equivalent"}
    assert all(bool(mutant["fails"]) == (mutant["outcome"] == "rejected") for mutant in each)
    assert {name for mutant in each for name in mutant["fails"]} >= set(claim.evidence["killers"])


def test_5_a_mutant_whose_verdict_cannot_be_told_is_not_rejected() -> None:
    task = stale_task()
    vague = [c.model_copy(update={"expression": "after.ledger.bills.exists(b, b.nothing == 1)"}) for c in task.rubric]
    found = survey(changed(task, rubric=tuple(vague)), build)
    assert {result.outcome for result in found.results if result.fails == ()} >= {"unknown"}
    assert found.kill_rate < 1.0


def test_9_a_tie_is_no_fault_of_the_reference_alone() -> None:
    task = written(2)
    place = next(place for place in task.meaning["places"] if place["stated"] is not None)
    record = build(task).record(place["service"], place["table"], place["id"])
    assert record is not None
    edit = StateEdit(
        service=place["service"],
        table=place["table"],
        id=f"{record['id']}9",
        record={**record, "id": f"{record['id']}9"},
    )
    initial = task.initial.model_copy(update={"edits": (*task.initial.edits, edit)})
    found = failing(changed(task, initial=initial))
    assert "a tie cannot be decided" in found[9]
    assert "the reference fails" in found[2]


def test_5_a_criterion_that_cannot_fail_is_found() -> None:
    assert "x1" in failing(with_criterion(written(2), "calls.size() >= 0"))[5]


def test_5_a_rubric_that_lets_mutants_pass_is_found() -> None:
    task = stale_task()
    goals = [criterion for criterion in task.rubric if criterion.kind == "goal"]
    assert "accepted mutants" in failing(changed(task, rubric=(goals[0],)))[5]


def test_6_an_edge_that_nothing_depends_on_is_found() -> None:
    task = written(5)
    edge = task.graph.edges[-1]
    run_value = edge.value
    steps = []
    for step in task.reference.steps:
        if isinstance(step, Call) and step.write:
            arguments = {
                name: Constant(value=run_value, origin="constant")
                if isinstance(expression, Register) and registers_of(expression) == (edge.register_name,)
                else expression
                for name, expression in step.arguments.items()
            }
            steps.append(step.model_copy(update={"arguments": arguments}))
        else:
            steps.append(step)
    reference = task.reference.model_copy(update={"steps": tuple(steps)})
    edges = [e for e in task.graph.edges if e.register_name != edge.register_name]
    graph = task.graph.model_copy(update={"edges": tuple(edges)})
    assert "too few edges" in failing(changed(task, graph=graph))[6]
    if reference != task.reference:
        assert failing(changed(task, reference=reference))[6]


def test_6_a_value_that_the_instruction_gives_away_is_found() -> None:
    task = written(2)
    edge = next(e for e in task.graph.edges if e.kind not in LOW_ENTROPY and isinstance(e.value, str))
    found = failing(changed(task, instruction=f"{task.instruction} Write to {edge.value}."))
    assert "in the instruction" in found[6]


def test_7_a_rubric_that_counts_calls_is_found() -> None:
    task = written(2)
    count = len(task.reference.calls)
    assert failing(with_criterion(task, f"calls.size() == {count}"))[7]


def test_8_a_scope_that_allows_everything_is_found() -> None:
    task = written(2)
    world = build(task)
    scope = [
        WriteScope(
            service=service, table=table, action=action, ids=tuple(row["id"] for row in world.rows(service, table))
        )
        for service, info in world.catalogue.services.items()
        for table in info.tables
        for action in ("create", "change", "delete")
    ]
    assert failing(changed(task, scope=tuple(scope)))[8]


def test_9_a_value_that_nobody_stated_is_found() -> None:
    assert failing(changed(written(2), instruction="Please do what we agreed on."))[9]


def test_10_a_tool_name_in_the_instruction_is_found() -> None:
    task = written(2)
    assert "find_supplier" in failing(changed(task, instruction=f"{task.instruction} Use find_supplier."))[10]


def test_11_too_few_calls_and_a_needed_distractor_are_found() -> None:
    task = written(2)
    walk = task.graph.walk * 9
    graph = task.graph.model_copy(update={"walk": walk})
    assert "fewer calls" in failing(changed(task, graph=graph))[11]
    services = tuple(service.model_copy(update={"role": "needed"}) for service in task.services)
    if services != task.services:
        assert "services called" in failing(changed(task, services=services))[11]


def test_12_a_figure_that_is_read_at_the_wrong_time_is_found() -> None:
    task = stale_task()
    edges = tuple(edge.model_copy(update={"stale": False}) for edge in task.graph.edges)
    graph = task.graph.model_copy(update={"edges": edges})
    assert "reading early" in failing(changed(task, graph=graph))[12]


def test_13_something_undefined_is_found() -> None:
    task = written(2)
    meaning = {**task.meaning, "mentioned": [*task.meaning["mentioned"], "value_99"]}
    assert "value_99" in failing(changed(task, meaning=meaning))[13]


def test_mutants_are_many_and_all_rejected() -> None:
    found = survey(stale_task(), build)
    assert found.mutants >= 8
    assert found.kill_rate == 1.0
    assert set(found.killers) == {criterion.id for criterion in stale_task().rubric}
    claim = next(claim for claim in stale_task().proof.claims if claim.number == 5)
    assert claim.evidence["kill_rate"] == 1.0


@pytest.mark.parametrize("word", ["drop", "alter", "double", "stale"])
def test_every_sort_of_mutant_is_made(word: str) -> None:
    from tasks_app.engine.mutants import mutants_of
    from tasks_app.engine.program import run_program

    names = []
    for task in (stale_task(), written(2), written(3), written(5)):
        run = run_program(task.reference, build(task).call)
        names += [mutant.name for mutant in mutants_of(task, run, build)]
    assert any(name.startswith(word) for name in names)


def test_a_proof_holds_in_a_fresh_environment_from_the_same_state_only() -> None:
    task = written(2)
    assert holds_afresh(task, build)
    assert not holds_afresh(changed(task, initial=task.initial.model_copy(update={"seed": SEED + 1})), build)
    assert not holds_afresh(changed(task, goal=task.goal.model_copy(update={"state_hash": "0" * 32})), build)


def test_reads_that_leave_no_traces_are_left_out_of_replays_and_others_are_not() -> None:
    task = written(2)
    environment = build(task)
    run = run_program(task.reference, environment.call)
    environment.close()
    kept = without_idle_reads(task, run, build)
    assert kept.registers == run.registers
    assert [made.number for made in kept.calls] == [made.number for made in run.calls if made.write]
    number = next(made.number for made in run.calls if made.write)
    unmarked = tuple(made._replace(write=False) if made.number == number else made for made in run.calls)
    assert without_idle_reads(task, run._replace(calls=unmarked), build).calls == unmarked


def test_1_a_state_in_which_a_list_breaks_down_is_found() -> None:
    """Planted records may lack what the service takes for granted of its own ones."""
    task = written(2)
    environment = build(task)
    assert breakdown(environment, task.needed) == ""
    environment.close()
    secrets = LocalMounting([load("secrets")]).mount(["secrets"], seed=1)
    orphan = {**secrets.rows("secrets", "secrets")[0], "id": "SEC-9999", "name": "Orphan"}
    world = secrets.edited([Edit("secrets", "secrets", "SEC-9999", record=orphan)])
    assert "list_secrets breaks down in s0" in breakdown(world, ["secrets"])
