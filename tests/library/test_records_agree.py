"""Services agree about the same facts: who is paid what, who works how long, and who pays."""

from __future__ import annotations

from tests.library.driver import environment
from tests.library.world import rows

SCALE = "normal"


def test_hr_and_payroll_know_the_same_salaries() -> None:
    hr, payroll = environment("hr", scale=SCALE), environment("payroll", scale=SCALE)
    numbers = {row["id"]: row["number"] for row in hr.state()["hr"]["employees"]}
    known = {
        (numbers[row["employee_id"]], row["effective_on"], row["annual_salary"]) for row in hr.state()["hr"]["pay"]
    }
    numbers = {row["id"]: row["number"] for row in payroll.state()["payroll"]["employees"]}
    paid = {
        (numbers[row["employee_id"]], row["effective_on"], row["annual_salary"])
        for row in payroll.state()["payroll"]["salaries"]
    }
    former = {number for number, *_ in paid} - {number for number, *_ in known}
    assert {row for row in paid if row[0] not in former} <= known
    assert len(former) <= 4  # those who have left have no pay in HR


def test_hr_and_tasks_know_the_same_hours() -> None:
    hr, tasks = environment("hr", scale=SCALE), environment("tasks", scale=SCALE)
    agreed = {row["email"]: row["weekly_hours"] for row in hr.state()["hr"]["employees"]}
    users = tasks.state()["tasks"]["users"]
    assert {row["email"]: row["weekly_hours"] for row in users} == {row["email"]: agreed[row["email"]] for row in users}
    assert len({row["weekly_hours"] for row in users}) > 1


def test_cost_centres_mean_the_same_everywhere() -> None:
    hr = {row["name"]: row["cost_center"] for row in environment("hr").state()["hr"]["departments"]}
    books = {row["name"]: row["code"] for row in environment("accounting").state()["accounting"]["cost_centers"]}
    assert hr == {name: books[name] for name in hr}


def test_customs_lines_of_goods_add_up_to_what_is_declared() -> None:
    env = environment("shipping", scale=SCALE)
    declared = {row["id"]: row["declared_value"] for row in rows(env, "shipping", "shipments")}
    lines = rows(env, "shipping", "customs_items")
    assert any(row["quantity"] > 1 for row in lines)
    for row in lines:
        assert round(row["quantity"] * row["unit_value"], 2) == declared[row["shipment_id"]]


def test_the_table_of_an_offer_adds_up() -> None:
    env = environment("slides", scale=SCALE)
    tables = [row["rows"] for row in rows(env, "slides", "elements") if row["kind"] == "table"]
    assert tables
    for _, *lines, total in tables:
        amounts = [float(line[3].replace(",", "")) for line in lines]
        assert round(sum(amounts), 2) == float(total[3].replace(",", ""))
