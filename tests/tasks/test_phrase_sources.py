"""Which facts go where and why, what is not to be added twice, and in which order requests are told."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.library import registry
from tasks_app.authors import once
from tasks_app.authors.author import RulesAuthor
from tasks_app.authors.batch import write_task
from tasks_app.authors.guide import spoken_of
from tasks_app.authors.phrasebook import PhraseBook, book_of
from tasks_app.authors.phrasecheck import unknown_facts
from tasks_app.authors.request import by_record
from tasks_app.authors.story import Carried, Goal, Place, Rejected, Stated
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.flows import Flow, passed_on
from tasks_app.engine.program import Constant, run_program
from tasks_app.engine.rubric import verify
from tasks_app.engine.task import TaskSpec
from tests.tasks.test_phrasebook import MOUNTING, SLUGS, profile, request, workshop, written


def books() -> dict[str, PhraseBook]:
    return {slug: book for slug in registry.slugs() if (book := book_of(slug)) is not None}


def test_every_fact_that_an_act_names_exists_and_can_go_there() -> None:
    assert list(unknown_facts(books())) == []


def test_a_fact_that_cannot_go_there_is_told_in_words() -> None:
    known = books()
    data = known["tasks"].model_dump(mode="json", by_alias=True)
    act = next(act for act in data["acts"] if "due_on" in act["takes"])
    act["from"] = [
        {"into": "due_on", "facts": ["issues/issues.shoe_size", "crm/contacts.phone", "tasks/tasks.due_on"]},
        {"into": "colour", "facts": ["issues/issues.due_date"]},
    ]
    told = list(unknown_facts({**known, "tasks": PhraseBook.model_validate(data)}))
    for words in (
        "there is no fact issues/issues.shoe_size",
        "crm/contacts.phone is of another kind",
        "tasks/tasks.due_on is a fact of its own service",
        "from colour: no parameter that takes facts",
    ):
        assert any(words in line for line in told), (words, told)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_facts_go_only_where_an_act_names_them(seed: int) -> None:
    task = written(seed, "en")
    facts = {register: value["fact"] for register, value in task.meaning["values"].items() if value["fact"]}
    named = 0
    for goal in task.meaning["goals"]:
        book = book_of(goal["service"])
        assert book is not None
        for name, slot in goal["slots"].items():
            fact = facts.get(slot.get("value", slot.get("states", "")))
            if fact is not None:
                acts = [act for act in book.acts if act.tool == goal["tool"] and name in act.open]
                assert any(listed is None or fact in listed for act in acts for listed in [act.listed(name)]), fact
                named += any(act.listed(name) is not None for act in acts)
    assert named or not facts


def test_a_reason_is_given_once_in_a_message() -> None:
    given = 0
    for seed in range(1, 6):
        text = written(seed, "en").instruction
        reasons = {
            why[0]
            for slug in SLUGS
            if (book := book_of(slug)) is not None
            for act in book.acts
            for why in (*act.why, *(why for source in act.sources for why in source.why))
        }
        for reason in reasons:
            assert text.count(reason) <= 1, reason
        given += sum(reason in text for reason in reasons)
    assert given


# What is not to be added twice


def task_with_one_there(monkeypatch: pytest.MonkeyPatch) -> TaskSpec:
    monkeypatch.setattr(once, "ONCE_SHARE", 1.0)
    for number in range(20):
        task = write_task(MOUNTING, workshop(), request("en"), SLUGS, number).task
        if task is not None and once.TAG in task.tags:
            return task
    raise AssertionError("no story adds what is there already")


def test_what_is_there_already_must_not_be_added_again(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_with_one_there(monkeypatch)
    goal = next(goal for goal in task.meaning["goals"] if goal.get("present"))
    assert goal["present"] in task.instruction
    book = book_of(goal["service"])
    assert book is not None
    call = next(call for call in task.reference.calls if call.number == goal["call"])
    before = [step for step in task.reference.calls if step.number < call.number and step.service == call.service]
    assert any(not step.write for step in before), "the reference looks first"
    name = next(act.single for act in book.acts if act.tool == call.tool and act.single)
    added = {**call.arguments, name: Constant(value=goal["present"])}
    again = call.model_copy(update={"number": 99, "arguments": added})
    twice = task.reference.model_copy(update={"steps": (*task.reference.steps, again)})
    for program, passes in ((task.reference, True), (twice, False)):
        environment = task.environment(MOUNTING)
        run = run_program(program, environment.call)
        assert verify(task.rubric, task.scope, environment, run.answer).passed is passes
        environment.close()


# The order of requests


def place(number: int) -> Place:
    return Place("tasks", "tasks", f"T-{number}", f"T-{number + 50}", 0, "tasks.name", Constant(value=""), "")


def goal(call: int, about: Place | None, **slots: Any) -> Goal:
    return Goal(0, "tasks", "update_task", call, {**({"task_id": about} if about else {}), **slots}, {})


def test_requests_about_one_record_stand_together() -> None:
    first, second = place(1), place(2)
    goals = [goal(1, first), goal(2, second), goal(3, None, name=Stated("x", "title")), goal(4, first), goal(5, second)]
    assert [[one.call for one in group] for group in by_record(goals)] == [[1, 4], [2, 5], [3]]


def test_what_makes_use_of_the_request_before_stays_behind_it() -> None:
    first, second = place(1), place(2)
    moved = Carried("value_1", "count", "derived", 0, "comments", first, stale=True)
    goals = [goal(1, first), goal(2, second), goal(3, first, estimate=moved), goal(4, first)]
    assert [[one.call for one in group] for group in by_record(goals)] == [[1, 4], [2, 3]]
    goals = [goal(1, first), goal(2, second), goal(3, first), goal(4, place(3), estimate=moved)]
    assert [[one.call for one in group] for group in by_record(goals)] == [[1, 3, 4], [2]]


def test_a_service_that_takes_nothing_is_given_up_at_once() -> None:
    own = Workshop(MOUNTING, {slug: profile(slug) for slug in SLUGS})
    environment = MOUNTING.mount(SLUGS, seed=1, scale="small")
    known = own.books(environment.catalogue.services)["orders"]
    deaf = tuple(act.model_copy(update={"takes": {}, "tells": "", "sources": ()}) for act in known.acts)
    own._books["orders"] = known.model_copy(update={"acts": deaf})
    rejected = RulesAuthor(environment, own, state_seed=1).write(("tasks", "orders", "mail"), seed=1)
    assert isinstance(rejected, Rejected)
    assert rejected.reasons == {"orders can take nothing in": 1}


# What is known before a story is planned


def test_what_was_agreed_in_texts_feeds_fields_and_no_other_texts() -> None:
    flows = {slug: spoken_of(slug, book, Flow(frozenset(), frozenset())) for slug, book in books().items()}
    assert "agreed: due date" in passed_on(flows["mail"], flows["tasks"], heard=False)
    apart = passed_on(flows["mail"], flows["tasks"], heard=False, traded=False)
    assert not any(one.startswith("agreed") for one in apart)
    assert not any(one.startswith("agreed") for one in flows["orders"].tells), "nobody writes agreements down there"


def test_acts_and_facts_are_rehearsed_before_stories_use_them() -> None:
    environment = MOUNTING.mount(SLUGS, seed=1, scale="small")
    known = workshop().books(environment.catalogue.services)["tasks"]
    trials = workshop().trials(seed=1, scale="small")
    act = next(act for act in known.acts if act.tool == "create_task")
    refused = act.model_copy(update={"say": ("add nothing", "什么也不加"), "says": {**act.says, "name": ("",)}})
    assert trials.goes("tasks", act) > 0
    assert trials.goes("tasks", refused) == 0
    fact = next(fact for fact in known.facts if fact.of == "tasks" and not fact.figure)
    nameless = fact.model_copy(update={"of": "comments", "called": ("the remark on {}", "{}的备注")})
    assert trials.shows("tasks", fact)
    assert not trials.shows("tasks", nameless)
