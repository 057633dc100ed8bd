"""Reading CEL without evaluating it: paths that lead nowhere, what cannot be compared, how a path goes on."""

from __future__ import annotations

from functools import cache

import pytest

from services_app.engine.environment import ProductEnvironment
from services_app.library import registry
from tasks_app.engine.completion import complete
from tasks_app.engine.editing import edits_between, judge_ends, problems_in, rubric_hash, with_rubric
from tasks_app.engine.expressions import Names, plain_words, problems_of
from tasks_app.engine.rubric import check_expression
from tasks_app.engine.task import Criterion
from tests.tasks.authored import build, written


@cache
def names() -> Names:
    environment = ProductEnvironment([registry.load(slug) for slug in ("mail", "crm", "help-desk")])
    return {slug.replace("-", "_"): info for slug, info in environment.catalogue.services.items()}


@pytest.mark.parametrize(
    ("expression", "problems"),
    [
        ("after.mial.messages.size() == 0", ["after.mial: no such service is mounted. Did you mean mail?"]),
        ("after.mail.mesages.size() == 0", ["after.mail.mesages: mail has no table mesages. Did you mean messages?"]),
        (
            "after.help_desk.ticket.size() == 0",
            ["after.help_desk.ticket: help-desk has no table ticket. Did you mean tickets?"],
        ),
        (
            'added.mail.messages.exists(m, m.subjct == "x")',
            ["added.mail.messages has no field subjct. Did you mean subject?"],
        ),
        ("changed.mail.messages.exists(c, c.after.zzz == 1)", ["changed.mail.messages has no field zzz"]),
        (
            "changed.mail.messages.exists(c, c.subject == 'x')",
            ["changed.mail.messages has no field subject; a change has id, before and after"],
        ),
        (
            'after.mail.messages.filter(m, m.read).exists(n, n.subjec == "a")',
            ["after.mail.messages has no field subjec. Did you mean subject?"],
        ),
        ("after.mail.messages[0].subjec == 'a'", ["after.mail.messages has no field subjec. Did you mean subject?"]),
        ("calls.all(c, c.sucess)", ["a call has no sucess. Did you mean success?"]),
        (
            'after.mail.messages.subject == "x"',
            ["after.mail.messages.subject: after.mail.messages is a list; look into it with .exists(r, r.subject ...)"],
        ),
        ("answer.text == 'x'", ["answer.text: answer is text and has no parts"]),
        (
            "after.mail.messages.exists(m, m.subject == 3)",
            ["after.mail.messages.subject is text, and it is compared with a number"],
        ),
        ("calls.exists(c, c.success == 'yes')", ["a call's success is yes or no, and it is compared with text"]),
        (
            "size(after) == 1",
            ["after is the whole state: name a service and one of its tables, such as after.mail.threads"],
        ),
        (
            "after.mail == before.mail",
            [
                "after.mail is the whole state: name a service and one of its tables, such as after.mail.threads",
                "before.mail is the whole state: name a service and one of its tables, such as before.mail.threads",
            ],
        ),
        (
            'after["mail"]["messages"].size() == 1',
            ["after[...]: write services and tables with dots, such as after.mail.messages"],
        ),
        ("calls.size() / 0 == 1", ["it divides by zero"]),
        ("calls.size() % 0 == 1", ["it divides by zero"]),
        (
            "after.crm.deals.exists(d, d.amount + 1 > 2.0)",
            ["a whole number and a decimal number do not go together in +: write 1.0"],
        ),
    ],
)
def test_what_cannot_work_is_named_with_what_was_meant(expression: str, problems: list[str]) -> None:
    assert problems_of(expression, names()) == problems


@pytest.mark.parametrize(
    "expression",
    [
        'calls.exists(c, c.arguments.anything.deep == 1 && c.tool == "a")',
        'answer.contains("after.foo.bar") // after.nowhere.x',
        "[1, 2].exists(x, x == 1) ? true : false",
        'after.mail.messages[0].subject == "x" && {"a": 1}["a"] == 1',
        "added.help_desk.tickets.all(t, t.tags.size() >= 0 && t.tags.all(word, word != ''))",
        "changed.mail.messages.exists(c, c.before.read != c.after.read && c.id != '')",
        "after.mail.messages.map(m, m.subject).exists(s, s == 'x')",
        'has_text(answer, "x") && norm(answer) == "x" && near(1.0, size(answer), 2)',
        "has(after.mail.messages[0].subject) && 'x' in after.mail.messages[0].to",
    ],
)
def test_good_expressions_are_left_alone(expression: str) -> None:
    assert problems_of(expression, names()) == []


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("aft", ["after"]),
        ("after.", ["mail", "crm", "help_desk"]),
        ("after.mail.me", ["messages", "attachments"]),
        ("after.mail.messages.ex", ["exists(r, ", "exists_one(r, "]),
        ("after.mail.messages.exists(m, m.sub", ["subject"]),
        ("changed.mail.messages.exists(c, c.", ["id", "before", "after"]),
        ("changed.mail.messages.exists(c, c.after.sub", ["subject"]),
        ("after.mail.messages.filter(m, m.read).exists(n, n.sub", ["subject"]),
        ('calls.exists(c, c.tool == "x" && c.', ["service", "tool", "arguments", "success"]),
        ('after.crm.deals.exists(d, d.stage == "w', ["won"]),
        ("after.mail.messages[0].sub", ["subject"]),
        ("after.nowhere.", []),
        ("calls.exists(call, ca", ["call", "calls"]),
    ],
)
def test_a_path_is_completed(typed: str, offered: list[str]) -> None:
    assert [one.text for one in complete(typed, len(typed), names())] == offered


def test_what_is_behind_the_caret_does_not_count_and_what_was_typed_is_replaced() -> None:
    (found,) = complete("after.mail.mess.size() == 1", len("after.mail.mess"), names())
    assert (found.text, found.detail, found.replaces) == ("messages", "table", 4)
    assert complete("", 0, names())[0].replaces == 0
    assert complete("after.", 10_000, names())


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("INVALID_ARGUMENT: divide by zero", "it divides by zero"),
        (
            "INTERNAL: Iteration budget exceeded [INTERNAL]",
            "it takes too many steps (about 10,000 are allowed): look at fewer records, with filter or a shorter list",
        ),
        ("CANCELLED: Expression recursion limit exceeded. limit: 32 [CANCELLED]", "it is nested more than 32 deep"),
        (
            "X: ERROR: <input>:2:4: Syntax error: mismatched input '<EOF>' expecting {'['}\n | 1",
            "line 2, column 4: it ends too early",
        ),
        (
            "X: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n",
            "line 1, column 1: there is no variable or function foo",
        ),
        ("Something else [INTERNAL]", "Something else"),
    ],
)
def test_faults_in_plain_words(message: str, words: str) -> None:
    assert plain_words(message) == words


# Editing


def test_a_draft_is_checked_as_a_whole() -> None:
    task = written(1)
    catalogue = build(task).catalogue
    assert problems_in(task.rubric, catalogue) == {}
    assert problems_in((), catalogue) == {"": ["a rubric needs at least one criterion"]}
    twin = task.rubric[0].model_copy(update={"id": "c98"})
    assert problems_in([*task.rubric, twin], catalogue) == {"c98": [f"it checks the same as {task.rubric[0].id}"]}
    only = Criterion(id="c1", text="", kind="answer", expression=" ")
    assert problems_in([only, only.model_copy(update={"expression": "x" * 5_000})], catalogue) == {
        "": ["at least one criterion has to be of the kind goal", "two criteria are called c1"],
        "c1": ["say in words what it checks", "the expression is longer than 4000 characters"],
    }
    many = [Criterion(id=f"c{n}", text="x", expression=f"calls.size() > {n}") for n in range(41)]
    assert problems_in(many, catalogue) == {"": ["there are 41 criteria; at most 40 are allowed"]}


def test_both_ends_are_judged_and_what_cannot_be_told_is_a_problem() -> None:
    task = written(1)
    environment = build(task)
    before = environment.state_hash()
    ends = judge_ends(task, environment)
    assert (ends.start.passed, ends.goal.passed) == (False, True)
    assert (ends.problems(), ends.doubts()) == ({}, [])
    assert environment.state_hash() == before
    odd = Criterion(id="c97", text="x", expression="1 / (calls.size() - calls.size()) == 1")
    never = Criterion(id="c98", text="x", expression="calls.size() > 999")
    ends = judge_ends(with_rubric(task, [*task.rubric, odd, never]), environment)
    assert ends.problems() == {
        "c97": [
            "on the initial state it cannot be told: it divides by zero",
            "on the goal state it cannot be told: it divides by zero",
        ]
    }
    assert ends.doubts() == ["the reference solution fails c98"]
    idle = with_rubric(task, [Criterion(id="c1", text="x", expression="true")])
    assert judge_ends(idle, environment).doubts() == ["a run that does nothing passes"]


def test_another_rubric_makes_another_task_with_the_old_one_as_parent() -> None:
    task = written(1)
    changed = [task.rubric[0].model_copy(update={"weight": 2.0}), *task.rubric[1:]]
    other = with_rubric(task, changed)
    assert other.parent == task.task_hash != other.task_hash
    assert other.proof.claims == ()
    assert with_rubric(task, task.rubric).task_hash == task.task_hash
    assert rubric_hash(changed) != rubric_hash(task.rubric) == rubric_hash(with_rubric(task, task.rubric).rubric)


def test_edits_are_named() -> None:
    a, b, c = (Criterion(id=name, text=name, expression=f"calls.size() > {n}") for n, name in enumerate("abc"))
    longer = b.model_copy(update={"text": "other words"})
    assert [(edit.id, edit.kind) for edit in edits_between([a, b], [longer, c])] == [
        ("b", "changed"), ("c", "added"), ("a", "removed"),
    ]  # fmt: skip
    assert edits_between([a, b], [b, a.model_copy(update={"reads": ("x.y",)})]) == []


@pytest.mark.parametrize("seed", range(1, 8))
def test_every_criterion_of_the_author_is_accepted(seed: int) -> None:
    task = written(seed)
    catalogue = build(task).catalogue
    assert [check_expression(one.expression, catalogue) for one in task.rubric] == [[] for _ in task.rubric]
