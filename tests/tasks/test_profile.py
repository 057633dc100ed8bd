"""Effect profiles found by perturbation, with exact expectations on services with odd conventions."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from tasks_app.authors.access import Reach
from tasks_app.engine.columns import columns_of
from tasks_app.engine.profile import Landing, ServiceProfile, ToolProfile, profile_service
from tests.tasks.worlds import WORLDS


@lru_cache(maxsize=1)
def environment() -> ProductEnvironment:
    return ProductEnvironment(list(WORLDS.values()), seed=7, scale="small")


@cache
def profile(slug: str) -> ServiceProfile:
    return profile_service(environment(), slug)


def tool(slug: str, name: str) -> ToolProfile:
    return profile(slug).tools[name]


@pytest.mark.parametrize("slug", sorted(WORLDS))
def test_every_tool_gets_a_working_call_within_budget(slug: str) -> None:
    found = profile(slug)
    assert found.unusable == ()
    assert found.calls <= 130 * len(found.tools)


def test_a_search_that_looks_in_several_fields_selects_by_each() -> None:
    selects = tool("workshop", "jobs_search").parameters["q"].selects
    assert selects == {"jobs.title": "contains", "jobs.technician": "contains", "jobs.job_code": "contains"}


def test_returned_fields_are_found_under_other_names() -> None:
    returns = tool("workshop", "jobs_search").returns
    assert returns["jobs.id"] == "$.hits[*].job.ref"
    assert returns["jobs.technician"] == "$.hits[*].job.who"
    assert "jobs.hours" not in returns


def test_children_shown_beside_a_record_are_traced() -> None:
    returns = tool("workshop", "open_job").returns
    assert returns["jobs.job_code"] == "$.job.job_code"
    assert returns["remarks.text"] == "$.remarks[*].text"


def test_filters_with_defaults_and_exact_matches() -> None:
    parameters = tool("post", "tray").parameters
    assert parameters["sender"].selects == {"letters.sender": "equal"}
    assert parameters["tray"].selects == {"letters.tray": "equal"}
    assert parameters["tray"].default == "in"


def test_derived_figures_say_what_moves_them() -> None:
    figures = {figure.path: figure for figure in tool("ledger", "bill").derived}
    assert set(figures) == {"$.outstanding"}
    assert figures["$.outstanding"].moved_by == ("pay",)
    assert "payments.+" in figures["$.outstanding"].depends
    assert not figures["$.outstanding"].whole


def test_targets_by_code_and_landings() -> None:
    pay = tool("ledger", "pay")
    assert pay.creates == ("payments",)
    assert pay.changes == ()
    assert pay.parameters["bill_no"].target == "bills.bill_no"
    assert pay.parameters["amount"].lands == (Landing(column="payments.amount", mode="set"),)
    assert 1.0 in pay.parameters["amount"].worked
    assert pay.generated == {"payments.id": "$.id"}
    assert "too_much" in pay.errors


def test_lists_land_as_members() -> None:
    send = tool("post", "send_letter")
    assert send.parameters["recipients"].many
    assert send.parameters["recipients"].lands == (Landing(column="letters.recipients", mode="member"),)
    assert send.constants["letters.tray"] == "out"


def test_preconditions_and_repetition() -> None:
    dispute = tool("ledger", "dispute")
    assert dispute.allowed == {"bills.state": ("open",)}
    assert dispute.constants == {"bills.state": "disputed"}
    assert dispute.repeat == "refused:not_open"
    assert tool("workshop", "remark").repeat == "again"
    assert tool("workshop", "hand_over").repeat == "same"


def test_columns_use_declared_meaning_and_values() -> None:
    columns = columns_of(environment(), "workshop")
    assert columns["jobs.hours"].class_name == "duration:hours"
    assert columns["remarks.job"].target == "jobs"
    assert columns["jobs.urgency"].choices == ("low", "normal", "high")
    assert columns["remarks.at"].system
    assert columns["jobs.done"].kind == "flag"


def test_profiles_are_json_and_do_not_touch_the_environment() -> None:
    found = profile("ledger")
    assert ServiceProfile.model_validate_json(found.model_dump_json()) == found
    assert len(environment().calls) == 0
    assert profile_service(environment(), "ledger") == found


def test_a_profile_that_was_stored_gives_the_same_tasks() -> None:
    """A database may give the keys of a document back in another order."""
    measured = profile("workshop")
    info = environment().catalogue.services["workshop"]

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shuffled(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    stored = ServiceProfile.model_validate(shuffled(measured.model_dump(mode="json")))
    first, second = Reach(measured, info), Reach(stored, info)
    assert list(stored.tools) != list(measured.tools), "the order was not disturbed"
    assert first.profile.model_dump_json() == second.profile.model_dump_json()
    assert first.edges == second.edges
