"""More kinds of reads that were found to say less than their words: what records hold, and where it comes from."""

from __future__ import annotations

from services_app.builders.rules import build_with_rules
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of


def test_columns_behind_returns_are_fields() -> None:
    spec = spec_of(
        tool("list_shelves", description="List shelves. Returns: ID | title | handle | product count."),
        tool("create_shelf", {"title": TEXT, "room": TEXT}, "title"),
        name="shelves",
    )
    with calling(build_with_rules(spec)) as call:
        row = call("list_shelves")["shelves"][0]
        assert {"id", "title", "handle", "product_count"} <= set(row)
        assert isinstance(row["product_count"], int)


def test_a_list_behind_a_label_names_fields() -> None:
    spec = spec_of(
        tool("mooring_rules", description="Mooring rules: description, enabled/disabled, matching berth."),
        tool("get_rule_of_day", {"day": TEXT}, "day", description="Note: slow, costly, rarely needed. One rule."),
        name="moorings",
    )
    with calling(build_with_rules(spec)) as call:
        row = call("mooring_rules")["mooring_rules"][0]
        assert {"description", "matching_berth"} <= set(row)
        assert not {"slow", "costly"} & set(row)


def test_fields_behind_a_response_in_brackets_are_fields() -> None:
    said = "Lists openings. Response: items[] (id, title, departmentId, hiringTeam), has_more."
    spec = spec_of(tool("list_openings", description=said), name="openings")
    with calling(build_with_rules(spec)) as call:
        assert {"title", "hiringTeam"} <= set(call("list_openings")["openings"][0])


def test_rows_that_a_record_is_said_to_show_are_those_of_their_own_list() -> None:
    spec = spec_of(
        tool("get_client", {"client_id": TEXT}, "client_id", description="One client: profile, visits, open invoices."),
        tool("create_client", {"title": TEXT, "email": TEXT}, "title"),
        tool("create_visit", {"client_id": TEXT, "purpose": TEXT}, "client_id purpose"),
        tool("list_visits", {"client_id": TEXT}),
        name="clients",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_client", title="Ana", email="ana@north.example")
        visit = call("create_visit", client_id=made["id"], purpose="Check the pump")
        found = call("get_client", client_id=made["id"])
        assert [row["id"] for row in found["visits"]] == [visit["id"]]
        assert {"profile", "open_invoices"} <= set(found)


def test_a_record_without_words_gets_those_of_its_noun() -> None:
    article = {"blog_id": TEXT, "author": TEXT, "handle": TEXT}
    spec = spec_of(
        tool("list_articles", article, description="Articles of a blog."),
        tool("list_thread_comments", {"thread_id": TEXT}, "thread_id"),
        tool("create_thread_comment", {"thread_id": TEXT, "body": TEXT}, "thread_id body"),
        name="blogs",
    )
    with calling(build_with_rules(spec)) as call:
        assert {"title", "content"} <= set(call("list_articles")["articles"][0])
        made = call("create_thread_comment", thread_id="THR-0001", body="Agreed.")
        assert "author" in made
        assert "text" not in made  # the body is the text


def test_an_id_names_what_its_description_says() -> None:
    spec = spec_of(
        tool("list_emails"),
        tool("list_attachments", {"id": {**TEXT, "description": "Email message ID"}}, "id", description="List all."),
        tool("get_email_analytics", {"id": {**TEXT, "description": "The email to look at."}}, "id"),
        name="mails",
    )
    with calling(build_with_rules(spec)) as call:
        letter = call("list_emails")["emails"][0]["id"]
        assert isinstance(call("list_attachments", id=letter)["attachments"], list)


def test_the_one_word_that_a_list_may_hold_is_a_choice() -> None:
    include = {"type": "array", "items": {"type": "string", "const": "avatar_url"}}
    spec = spec_of(
        tool("list_guests", {"include": include}),
        tool("create_guest", {"title": TEXT, "email": TEXT}, "title"),
        name="guests",
    )
    with calling(build_with_rules(spec)) as call:
        assert "avatar_url" not in call("list_guests")["guests"][0]
        assert "avatar_url" in call("list_guests", include=["avatar_url"])["guests"][0]


def test_start_and_end_dates_of_one_record_are_one_of_each() -> None:
    said = "Retrieves one timesheet. This provides details such as start and end dates, total hours, and email address."
    spec = spec_of(
        tool("get_timesheet", {"timesheet_id": TEXT}, "timesheet_id", description=said),
        tool("list_timesheets"),
        name="times",
    )
    with calling(build_with_rules(spec)) as call:
        row = call("get_timesheet", timesheet_id=call("list_timesheets")["timesheets"][0]["id"])
        assert {"start_date", "end_date"} <= set(row)
        assert isinstance(row["total_hours"], float)
        assert "@" in row["email_address"]


def test_rows_are_called_as_the_answer_is_said_to_be() -> None:
    said = "Steps of a job. Returns: {job_key, total, steps: [{id, name, to_status}]}"
    spec = spec_of(
        tool("get_job_transitions", {"job_key": TEXT}, "job_key", description=said),
        tool("list_jobs"),
        tool("get_job", {"job_key": TEXT}, "job_key"),
        name="jobs",
    )
    with calling(build_with_rules(spec)) as call:
        key = call("list_jobs")["jobs"][0]["job_key"]
        found = call("get_job_transitions", job_key=key)
        assert found["job_key"]
        assert {"name", "to_status"} <= set(found["steps"][0])
        assert found["total"] == len(found["steps"])


def test_bounds_that_leave_themselves_out_and_values_of_a_list() -> None:
    said = {**TEXT, "format": "date-time", "description": "After this moment, exclusive."}
    spec = spec_of(
        tool("list_visits", {"visited_at.gt": said, "purpose.any_of": {**TEXT, "description": "Comma-separated."}}),
        tool("create_visit", {"purpose": TEXT, "visited_at": {**TEXT, "format": "date-time"}}, "purpose visited_at"),
        name="visits",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_visit", purpose="Check", visited_at="2026-05-02T08:00:00Z")
        assert [row["id"] for row in call("list_visits", **{"purpose.any_of": "Check"})["visits"]] == [made["id"]]
        assert "purpose.any_of" not in made
        later = call("list_visits", **{"visited_at.gt": "2026-05-02T08:00:00Z"})["visits"]
        assert made["id"] not in [row["id"] for row in later]
        earlier = call("list_visits", **{"visited_at.gt": "2026-05-02T07:59:00Z"})["visits"]
        assert made["id"] in [row["id"] for row in earlier]


def test_a_changelog_from_oldest_to_newest_begins_with_what_came_first() -> None:
    spec = spec_of(
        tool("create_parcel", {"title": TEXT}, "title"),
        tool("update_parcel", {"parcel_id": TEXT, "title": TEXT}, "parcel_id"),
        tool("list_parcels"),
        tool(
            "list_parcel_changelogs",
            {"parcel_id": TEXT},
            "parcel_id",
            description="All changes made to a parcel, sorted chronologically from oldest to newest.",
        ),
        name="parcels",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_parcel", title="Rope")
        call("update_parcel", parcel_id=made["id"], title="Chain")
        events = call("list_parcel_changelogs", parcel_id=made["id"])["events"]
        assert [event["action"] for event in events] == ["created", "updated"]
