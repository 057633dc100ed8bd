"""Rubrics: three outcomes, net changes, collateral, checks on save, helper functions."""

import pytest

from services_app.engine import ProductEnvironment
from tasks_app.engine.rubric import (
    check_expression,
    evaluate,
    has_number,
    has_text,
    near,
    net_changes,
    norm,
    outcome_of,
    paths_of,
    verify,
)
from tasks_app.engine.task import Criterion, WriteScope
from tests.engine.desk import make_desk

# Five nested passes over eight records are more iterations than CEL allows in one evaluation.
BEYOND_THE_BUDGET = "a.cost >= 0.0"
for _name in "edcba":
    BEYOND_THE_BUDGET = f"after.desk.tickets.all({_name}, {BEYOND_THE_BUDGET})"


def desk() -> ProductEnvironment:
    return ProductEnvironment([make_desk(), make_desk("help-desk")], scale="small")


def criterion(expression: str, name: str = "c") -> Criterion:
    return Criterion(id=name, text="x", expression=expression)


def status(environment: ProductEnvironment, expression: str, answer: str = "") -> str:
    return evaluate([criterion(expression)], outcome_of(environment, answer))[0].status


def new(environment: ProductEnvironment, **fields: object) -> None:
    arguments = {"subject": "Toner", "requester": "ana@north.example", **fields}
    assert environment.call("desk", "create_ticket", arguments)["success"]


def test_added_changed_removed_before_and_after() -> None:
    environment = desk()
    new(environment, tags=["a", "b"])
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    environment.call("desk", "delete_ticket", {"ticket_id": "TKT-0002"})
    for expression in (
        'added.desk.tickets.exists(t, t.subject == "Toner" && "b" in t.tags)',
        'changed.desk.tickets.exists(c, c.id == "TKT-0001" && c.before.status == "open" && c.after.status == "closed")',
        'removed.desk.tickets.exists(t, t.id == "TKT-0002")',
        "removed.desk.comments.size() == 1",
        "before.desk.tickets.size() == 8 && after.desk.tickets.size() == 8",
        "added.help_desk.tickets.size() == 0",
        'calls.exists(c, c.tool == "close_ticket" && c.success)',
        "after.desk.tickets.all(t, t.cost >= 0.0)",
    ):
        assert status(environment, expression) == "pass", expression
    assert status(environment, 'added.desk.tickets.exists(t, t.subject == "Paper")') == "fail"


def test_numbers_compare_by_value() -> None:
    environment = desk()
    assert status(environment, "after.desk.tickets.exists(t, t.cost == 5)") == "pass"
    assert status(environment, "after.desk.tickets.exists(t, t.cost == 5.0)") == "pass"


@pytest.mark.parametrize(
    "expression",
    [
        "after.desk.tickets.exists(t, t.nothing == 1)",
        "after.desk.cars.size() == 0",
        "after.desk.tickets",
        "1 +",
        '"text"',
        "1",
        BEYOND_THE_BUDGET,
    ],
)
def test_what_cannot_be_evaluated_is_unknown_never_true_or_false(expression: str) -> None:
    result = evaluate([criterion(expression)], outcome_of(desk()))[0]
    assert result.status == "unknown"
    assert result.detail


def test_one_broken_criterion_does_not_touch_the_others() -> None:
    results = evaluate([criterion("true", "a"), criterion("1 +", "b"), criterion("false", "c")], outcome_of(desk()))
    assert [result.status for result in results] == ["pass", "unknown", "fail"]


def test_verdict_has_three_outcomes() -> None:
    environment = desk()
    good, bad, broken = criterion("true", "a"), criterion("false", "b"), criterion("1 +", "c")
    assert verify([good], [], environment).passed is True
    assert verify([good, bad], [], environment).passed is False
    assert verify([good, broken], [], environment).passed is None
    assert verify([bad, broken], [], environment).passed is False
    assert verify([good, bad], [], environment).score == 0.5
    assert verify([], [], environment).passed is False  # a rubric without criteria passes nobody


def test_collateral_is_what_the_scope_does_not_allow() -> None:
    environment = desk()
    new(environment)
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    scope = [
        WriteScope(service="desk", table="tickets", action="create"),
        WriteScope(service="desk", table="tickets", action="change", ids=("TKT-0001",)),
    ]
    assert verify([criterion("true")], scope, environment).passed is True
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0003"})
    verdict = verify([criterion("true")], scope, environment)
    assert verdict.passed is False
    assert [(change["id"], change["action"]) for change in verdict.collateral] == [("TKT-0003", "change")]


def test_changes_that_cancel_out_are_no_collateral() -> None:
    environment = desk()
    environment.call("desk", "update_ticket", {"ticket_id": "TKT-0001", "subject": "x"})
    environment.call("desk", "update_ticket", {"ticket_id": "TKT-0001", "subject": "Printer 0"})
    assert net_changes(change.to_json() for change in environment.changes) == []


def test_answer_is_the_final_text_only() -> None:
    environment = desk()
    environment.call("desk", "create_ticket", {"subject": "8841", "requester": "a@b.example"})
    assert status(environment, "has_number(answer, 8841)", "I could not do it.") == "fail"
    assert status(environment, "has_number(answer, 8841)", "It is 8,841.00.") == "pass"


def test_paths_of_an_expression() -> None:
    found = paths_of("after.mail.messages.exists(m, m.before.x.y == 1) && added.help_desk.tickets.size() == 1")
    assert found == (("after", "mail", "messages"), ("added", "help_desk", "tickets"))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("1 +", ""),
        ("after.desk.tickets.size()", "not a yes or no"),
        ("after.cars.rows.size() == 0", "no such service"),
        ("after.desk.cars.size() == 0", "no table cars"),
        ("after.desk.tickets.exists(t, t.colour == 'red')", "no field colour"),
        ("changed.desk.tickets.exists(t, t.after.colour == 'red')", "no field colour"),
    ],
)
def test_check_on_save_names_the_fault(expression: str, words: str) -> None:
    problems = check_expression(expression, desk().catalogue)
    assert problems
    assert words in problems[0]


def test_check_on_save_accepts_good_expressions() -> None:
    for expression in (
        'changed.desk.tickets.exists(t, t.id == "TKT-0001" && t.after.status == "closed")',
        "added.help_desk.tickets.all(t, t.subject.contains('x') && t.tags.size() > 0)",
        "has_text(answer, 'done')",
    ):
        assert check_expression(expression, desk().catalogue) == []


@pytest.mark.parametrize(
    ("text", "number", "found"),
    [
        ("in all 1,250.00 EUR", 1250, True),
        ("1250", 1250, True),
        ("It is 37.", 37, True),
        ("A1250", 1250, False),
        ("12500", 1250, False),
        ("1.250", 1250, False),
        ("-5 degrees", -5, True),
        ("99.99", 100, False),
    ],
)
def test_numbers_in_text(text: str, number: float, found: bool) -> None:
    assert has_number(text, number) is found


def test_text_helpers() -> None:
    assert norm("  Ää\n B ") == "ää b"
    assert has_text("The  Budget is\nfine", "budget IS fine")
    assert near(1.0, 1.05, 0.1)
    assert not near(1.0, 1.2, 0.1)
    assert status(desk(), "near(1, 1.5, 0.6) && norm('A  B') == 'a b'") == "pass"
