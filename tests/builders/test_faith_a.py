"""A tool is about the thing that its noun phrase means; an answer has its own id; a number names too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from services_app.specs.vocabulary import read_name
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of

NUMBERED = {"type": "string", "description": "The ID or number of the ticket"}


def school() -> Specification:
    """Courses lie in accounts; planner overrides are deleted under a shorter name."""
    return spec_of(
        tool("create_course", {"title": TEXT, "account_id": TEXT}, "title account_id"),
        tool("get_course", {"id": TEXT}, "id"),
        tool(
            "get_course_account",
            {"account_id": TEXT, "id": TEXT},
            "account_id id",
            description="Retrieve a single course within an account.",
        ),
        tool("list_rubrics_course", {"course_id": TEXT}, "course_id", description="List rubrics of a course."),
        tool("list_course_students", {"course_id": TEXT}, "course_id"),
        tool("create_student", {"full_name": TEXT}, "full_name"),
        tool("get_student", {"student_id": TEXT}, "student_id"),
        tool("create_planner_override", {"reason": TEXT}, "reason"),
        tool("create_date_override", {"reason": TEXT}, "reason"),
        tool("delete_override", {"id": TEXT}, "id", description="Delete a planner override."),
        tool("update_remark", {"id": TEXT, "text": TEXT}, "id", description="Changes a remark."),
        tool("create_grade_remark", {"text": TEXT}, "text"),
        name="school",
    )


def desk() -> Specification:
    """Tickets under an id or number, with comments that are replied to."""
    return spec_of(
        tool("create_ticket", {"title": TEXT}, "title"),
        tool("get_ticket", {"ticket_id": NUMBERED}, "ticket_id"),
        tool("update_ticket", {"ticket_id": NUMBERED, "title": TEXT}, "ticket_id"),
        tool("create_comment", {"ticket_id": TEXT, "text": TEXT}, "ticket_id text"),
        tool("get_comment", {"comment_id": TEXT}, "comment_id"),
        tool("create_task", {"queue": TEXT, "task_number": TEXT}, "queue task_number"),
        tool("get_task", {"queue": TEXT, "task_number": TEXT}, "queue task_number"),
        tool("delete_task", {"task_id": TEXT}, "task_id"),
        tool("reply_to_comment", {"comment_id": TEXT, "text": TEXT}, "comment_id text"),
        name="desk",
    )


@pytest.fixture
def call() -> Iterator[Any]:
    built = build_with_rules(desk())
    with calling(built) as call:
        yield call


def test_nouns_of_one_thing_are_one_entity() -> None:
    about = {planned.name: planned.entity for planned in analyse(school()).tools}
    assert about["get_course_account"] == "course"
    assert about["list_course_students"] == "student"
    assert about["delete_override"] == "planner_override"


def test_a_scope_at_the_end_of_a_name_is_no_thing() -> None:
    plan = analyse(school())
    rubrics = next((planned.entity for planned in plan.tools if planned.name == "list_rubrics_course"), "left out")
    assert rubrics in ("rubric", "left out")


def test_a_shorter_noun_that_is_not_spoken_of_stays() -> None:
    about = {planned.name: planned.entity for planned in analyse(school()).tools}
    assert about.get("update_remark", "remark") == "remark"


@pytest.mark.parametrize(
    ("name", "noun"),
    [("get_issue_using_readable_identifier", "issue"), ("list_plugins_associated_to_route", "plugin")],
)
def test_what_follows_a_qualifier_is_no_noun(name: str, noun: str) -> None:
    assert read_name(name).noun == noun


def test_reply_is_a_record_of_its_own(call: Any) -> None:
    ticket = call("create_ticket", title="Broken door")
    first = call("create_comment", ticket_id=ticket["id"], text="Seen")
    reply = call("reply_to_comment", comment_id=first["id"], text="Thanks")
    assert reply["id"] != first["id"]
    assert call("get_comment", comment_id=reply["id"])["in_reply_to_id"] == first["id"]
    assert call("get_comment", comment_id=first["id"])["text"] == "Seen"
    assert call("reply_to_comment", comment_id="nowhere", text="Thanks")["code"] == 404


def test_id_or_number(call: Any) -> None:
    made = call("create_ticket", title="Broken door")
    assert call("get_ticket", ticket_id=made["id"])["id"] == made["id"]
    assert call("get_ticket", ticket_id=str(made["number"]))["id"] == made["id"]
    call("update_ticket", ticket_id=str(made["number"]), title="Mended door")
    assert call("get_ticket", ticket_id=made["id"])["title"] == "Mended door"
    assert call("get_ticket", ticket_id="Mended door")["code"] == 404


def test_a_number_within_something_is_looked_up_by_both(call: Any) -> None:
    for queue in ("red", "blue"):
        call("create_task", queue=queue, task_number="7")
    assert call("get_task", queue="red", task_number="7")["queue"] == "red"
    assert call("get_task", queue="blue", task_number="7")["queue"] == "blue"
    assert call("get_task", queue="green", task_number="7")["code"] == 404
