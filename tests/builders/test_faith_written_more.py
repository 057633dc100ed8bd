"""What writes leave where their siblings look: parts show in the record in which they lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of


def workshop() -> Specification:
    """Jobs with parts that no tool lists, and helpers who are let into them."""
    return spec_of(
        tool("create_job", {"title": TEXT}, "title"),
        tool("list_jobs"),
        tool("get_job", {"job_id": TEXT}, "job_id"),
        tool("create_helper", {"email": TEXT}, "email"),
        tool("get_helper", {"helper_id": TEXT}, "helper_id"),
        tool("add_job_line", {"job_id": TEXT, "amount": WHOLE}, "job_id amount"),
        tool("delete_job_line", {"job_id": TEXT, "line_id": TEXT}, "job_id line_id"),
        tool(
            "add_helper_to_job",
            {"job_id": TEXT, "helper_id": TEXT, "role": TEXT},
            "job_id helper_id",
            description="Lets a helper into a job.",
        ),
        name="workshop",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(workshop())) as call:
        yield call


def test_what_is_added_to_a_record_shows_in_it(call: Any) -> None:
    job = call("create_job", title="Gate")["id"]
    assert call("get_job", job_id=job)["lines"] == []
    line = call("add_job_line", job_id=job, amount=3)
    assert call("get_job", job_id=job)["lines"] == [line]
    call("delete_job_line", job_id=job, line_id=line["id"])
    assert call("get_job", job_id=job)["lines"] == []


def test_a_pair_shows_at_both_of_its_ends(call: Any) -> None:
    job, helper = call("create_job", title="Fence")["id"], call("create_helper", email="ana@north.example")["id"]
    call("add_helper_to_job", job_id=job, helper_id=helper, role="lead")
    assert [row["helper_id"] for row in call("get_job", job_id=job)["helpers"]] == [helper]
    assert [row["job_id"] for row in call("get_helper", helper_id=helper)["jobs"]] == [job]


def test_a_verb_that_only_the_description_has_writes_nothing() -> None:
    spec = spec_of(
        tool("create_queue", {"title": TEXT}, "title"),
        tool("get_queue", {"queue_id": TEXT}, "queue_id"),
        tool("drain_queue", {"queue_id": TEXT}, "queue_id", description="Removes all jobs from a queue."),
        tool("unprotect_queue", {"queue_id": TEXT}, "queue_id", description="Remove protection from a queue."),
        tool("rehearse_queue", {"queue_id": TEXT}, "queue_id", description="Send a queue through a rehearsal."),
        tool("queue_note", {"queue_id": TEXT, "text": TEXT}, "queue_id text", description="Add a note to a queue."),
        tool("raw_request", {"path": TEXT}, "path", description="Make an authenticated HTTP request to the service."),
        tool("posting_limit", description="Remaining posts of the day."),
        name="queues",
    )
    left = build_with_rules(spec).left_out
    assert {"drain_queue", "unprotect_queue", "rehearse_queue", "raw_request", "posting_limit"} <= set(left)
    assert "queue_note" not in left
