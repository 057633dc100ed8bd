"""Kinds of reads that were read and found to do less than they say: each built over a specification of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of


def said(text: str, **schema: Any) -> dict[str, Any]:
    return {"type": "string", **schema, "description": text}


def harbour() -> Specification:
    """Berths in the order, the number and the span that descriptions say."""
    berth = {"name": TEXT, "due_date": {"type": "string", "format": "date"}, "position": WHOLE}
    return spec_of(
        tool("create_berth", berth, "name"),
        tool("list_berths", description="List berths with their depth. Sorted by due date, soonest first."),
        tool("find_berths", description="Finds berths. Returns up to 4 results, ordered by position descending."),
        tool("search_berths", {"query": TEXT}, "query", description="Shows the first 2 berths that match."),
        tool("create_arrival", {"vessel": TEXT}, "vessel"),
        tool("list_arrivals", description="Retrieves recent arrivals"),
        name="harbour",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(harbour())) as call:
        yield call


def test_rows_come_in_the_order_that_the_description_says(call: Any) -> None:
    dates = [row["due_date"] for row in call("list_berths")["berths"]]
    assert len(set(dates)) > 2
    assert dates == sorted(dates)
    places = [row["position"] for row in call("find_berths")["berths"]]
    assert places == sorted(places, reverse=True)


def test_a_list_is_as_long_as_the_description_says(call: Any) -> None:
    found = call("find_berths")
    assert len(found["berths"]) == 4
    assert found["total"] > 4


def test_recent_rows_come_newest_first(call: Any) -> None:
    made = call("create_arrival", vessel="Petrel")
    assert call("list_arrivals")["arrivals"][0]["id"] == made["id"]


def test_what_a_verb_of_no_rule_does_is_no_list() -> None:
    spec = spec_of(
        tool("reorder_berths", {"order": TEXT}, "order", description="Reorder the berths of a harbour."),
        tool("bulk_transition_berths", {"status": TEXT}, "status", description="Bulk transition berths."),
        tool("harbour_tags", description="Clears all the tags of the harbour."),
        tool("list_berths"),
        tool("create_berth", {"title": TEXT}, "title"),
        name="harbour",
    )
    assert {"reorder_berths", "bulk_transition_berths", "harbour_tags"} <= set(analyse(spec).left_out)


def test_after_a_date_is_no_page() -> None:
    dated = "Only decisions made after this timestamp, an ISO 8601 date-time."
    spec = spec_of(
        tool("create_decision", {"title": TEXT, "context": TEXT}, "title"),
        tool("list_decisions", {"after": said(dated), "before": said(dated.replace("after", "before"))}),
        name="decisions",
    )
    with calling(build_with_rules(spec)) as call:
        whole = call("list_decisions")["total"]
        made = call("create_decision", title="Repair the pier")
        assert [row["id"] for row in call("list_decisions", after="2026-03-02T08:00:00Z")["decisions"]] == [made["id"]]
        assert call("list_decisions", before="2026-03-02T08:00:00Z")["total"] == whole


def test_bounds_of_amounts_are_numbers_whatever_type_they_are_sent_in() -> None:
    spec = spec_of(
        tool("list_trips", {"min_amount": TEXT, "max_amount": TEXT, "title": TEXT}),
        tool("get_trip", {"trip_id": TEXT}, "trip_id"),
        name="trips",
    )
    with calling(build_with_rules(spec)) as call:
        amounts = sorted(row["amount"] for row in call("list_trips")["trips"])
        found = [row["amount"] for row in call("list_trips", min_amount=str(amounts[-2]))["trips"]]
        assert sorted(found) == amounts[-2:]


def test_a_query_of_names_finds_a_part_of_them() -> None:
    spec = spec_of(
        tool("search_apps", {"app_name_query": said("app name query")}, "app_name_query"),
        tool("create_app", {"app_name": TEXT, "kind": TEXT}, "app_name"),
        name="apps",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_app", app_name="checkout-service")
        assert [row["id"] for row in call("search_apps", app_name_query="checkout")["apps"]] == [made["id"]]


def test_values_of_two_words_are_listed_in_words() -> None:
    status = said("Filter by status (Draft, Not Started, In Process, Stopped, etc.)")
    spec = spec_of(tool("list_works", {"status": status}), tool("get_work", {"work_id": TEXT}, "work_id"), name="w")
    with calling(build_with_rules(spec)) as call:
        assert call("list_works", status="Not Started")["total"]
        assert {row["status"] for row in call("list_works")["works"]} == {
            "Draft", "Not Started", "In Process", "Stopped"
        }  # fmt: skip


def test_what_is_said_of_a_promised_field_tells_its_type() -> None:
    about = """Get a step.

Returns step information including:
- step_name: Human-readable name
- depends_on_past: Whether it depends on the run before
- slots: Number of slots that it takes
- downstream: List of steps behind it
"""
    spec = spec_of(tool("get_step", {"step_id": TEXT}, "step_id", description=about), tool("list_steps"), name="steps")
    fields = analyse(spec).entities["step"].fields
    kinds = [fields[name].type for name in ("step_name", "depends_on_past", "slots", "downstream")]
    assert kinds == ["str", "bool", "int", "tuple[str, ...]"]


def test_rows_in_what_a_list_returns_are_its_own() -> None:
    about = "List crews.\nReturns: {total, crews: [{name, crew_code, member_count}]}"
    fields = analyse(spec_of(tool("list_crews", description=about), name="crews")).entities["crew"].fields
    assert set(fields) == {"name", "crew_code", "member_count"}


def test_words_of_more_than_one_meaning_hold_what_their_service_means() -> None:
    build = analyse(spec_of(tool("list_build_events", description="Recent events of the bundler"), name="bundler"))
    assert "organizer_email" not in build.entities["build_event"].fields
    party = analyse(spec_of(tool("list_events", description="Events of a calendar"), name="calendar"))
    assert "organizer_email" in party.entities["event"].fields
    coins = analyse(spec_of(tool("get_coin", {"symbol": TEXT}, "symbol", description="A crypto coin"), name="coins"))
    assert coins.entities["coin"].fields["symbol"].kind == "coin_symbol"


def test_what_is_upcoming_lies_ahead_the_next_of_it_first() -> None:
    spec = spec_of(
        tool("list_upcoming_meetings", description="List upcoming meetings of the calendar."),
        tool("create_upcoming_meeting", {"title": TEXT, "start_time": said("", format="date-time")}, "title"),
        name="meetings",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_upcoming_meeting", title="Tide table", start_time="2026-03-05T10:00:00Z")["id"]
        gone = call("create_upcoming_meeting", title="Old tide table", start_time="2026-01-05T10:00:00Z")["id"]
        rows = call("list_upcoming_meetings")["upcoming_meetings"]
        assert made in {row["id"] for row in rows}
        assert gone not in {row["id"] for row in rows}
        assert [row["start_time"] for row in rows] == sorted(row["start_time"] for row in rows)


def test_names_of_a_person_go_together() -> None:
    guest = {"first_name": TEXT, "last_name": TEXT, "name": TEXT, "email": TEXT}
    with calling(build_with_rules(spec_of(tool("list_guests"), tool("create_guest", guest, "name"), name="g"))) as call:
        row = call("list_guests")["guests"][0]
        assert row["name"] == f"{row['first_name']} {row['last_name']}"


def test_pages_have_the_size_that_is_said_beside_their_number() -> None:
    page = {"type": "integer", "default": 1, "description": "Page number (4 per page)"}
    with calling(build_with_rules(spec_of(tool("list_users", {"page": page}), name="u"))) as call:
        assert len(call("list_users")["users"]) == 4
        assert len(call("list_users", page=2)["users"]) == 4


def test_prices_of_a_market_say_what_they_are_of() -> None:
    plan = analyse(spec_of(tool("get_common_coin_prices", description="Prices of common coins"), name="crypto"))
    fields = next(iter(plan.entities.values())).fields
    assert fields["symbol"].kind == "coin_symbol"


def test_a_search_by_a_name_finds_its_parts() -> None:
    spec = spec_of(
        tool("search_mergers", {"company_name": said("Company name to search for")}, "company_name"),
        tool("create_merger", {"company_name": TEXT, "form": TEXT}, "company_name"),
        name="mergers",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_merger", company_name="Quayside Holdings")["id"]
        assert [row["id"] for row in call("search_mergers", company_name="quayside")["mergers"]] == [made]


def test_the_year_that_is_taken_where_none_is_sent() -> None:
    year = {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Year, defaults to 2024 if not provided"}
    spec = spec_of(tool("list_reviews", {"year": year, "region": TEXT}), name="reviews")
    with calling(build_with_rules(spec)) as call:
        assert {row["year"] for row in call("list_reviews")["reviews"]} == {"2024"}
        assert call("list_reviews", year="2025")["reviews"] != call("list_reviews")["reviews"]


def test_a_word_before_the_noun_says_which_records_are_meant() -> None:
    shut = {
        "type": "boolean",
        "description": "If true, only archived folders; when false or omitted, only active ones.",
    }
    spec = spec_of(
        tool("create_folder", {"title": TEXT, "archived": {"type": "boolean"}}, "title"),
        tool("get_folder", {"folder_id": TEXT}, "folder_id"),
        tool("list_archived_folders"),
        tool("list_folders", {"archived": shut}),
        tool("get_latest_folder", description="Get the latest folder."),
        tool("list_open_tickets"),
        tool("get_ticket", {"ticket_id": TEXT}, "ticket_id"),
        tool("close_ticket", {"ticket_id": TEXT}, "ticket_id"),
        name="folders",
    )
    with calling(build_with_rules(spec)) as call:
        old = call("create_folder", title="Old", archived=True)["id"]
        new = call("create_folder", title="New", archived=False)["id"]
        shown = {row["id"] for row in call("list_archived_folders")["folders"]}
        assert old in shown
        assert new not in shown
        usual = {row["id"] for row in call("list_folders")["folders"]}
        assert new in usual
        assert old not in usual
        assert call("get_latest_folder")["id"] == new
        ticket = call("list_open_tickets")["tickets"][0]["id"]
        call("close_ticket", ticket_id=ticket)
        assert ticket not in {row["id"] for row in call("list_open_tickets")["tickets"]}


def test_values_of_a_field_that_the_description_lists() -> None:
    about = "Lists phases with their category (TO_DO, IN_PROGRESS, DONE).\nReturns: {total, phases: [{name, category}]}"
    with calling(build_with_rules(spec_of(tool("list_phases", description=about), name="phases"))) as call:
        assert {row["category"] for row in call("list_phases")["phases"]} == {"TO_DO", "IN_PROGRESS", "DONE"}


def test_parameters_without_a_type_do_what_their_words_say() -> None:
    dated = {"description": "Only payouts made on or after this date, in ISO 8601 format."}
    ends = {"type": "string", "title": "Name Iendswith"}
    spec = spec_of(
        tool("list_payouts", {"date_min": dated, "name__iendswith": ends}),
        tool("create_payout", {"name": TEXT, "amount": WHOLE, "date": said("", format="date")}, "name"),
        name="payouts",
    )
    with calling(build_with_rules(spec)) as call:
        dates = sorted(row["date"] for row in call("list_payouts")["payouts"])
        assert call("list_payouts", date_min=dates[-2])["total"] == 2
        found = call("list_payouts", name__iendswith=call("list_payouts")["payouts"][0]["name"][-5:])["payouts"]
        assert found
        assert len({row["name"][-5:] for row in found}) == 1


def test_an_order_of_field_and_direction_sorts_by_the_field() -> None:
    order = said("The field and direction to sort by: a field name followed by ASC or DESC.")
    bucket = said("Optional filter - past, overdue, ungraded, future")
    card = {"label": TEXT, "balance": {"type": "number"}}
    spec = spec_of(
        tool("search_cards", {"order": order, "bucket": bucket}),
        tool("create_card", card, "label"),
        tool("get_latest_cards", description="Access real-time data on the latest cards."),
        name="cards",
    )
    with calling(build_with_rules(spec)) as call:
        balances = [row["balance"] for row in call("search_cards", order="balance DESC")["cards"]]
        assert balances == sorted(balances, reverse=True)
        assert call("search_cards", bucket="ungraded")["total"]
        made = call("create_card", label="Late")["id"]
        assert call("get_latest_cards")["cards"][0]["id"] == made


def test_earliest_and_latest_are_bounds_of_time() -> None:
    first, last = said("Earliest time for search"), said("Latest time for search")
    spec = spec_of(
        tool("search_alarms", {"earliest_time": first, "latest_time": last}),
        tool("create_alarm", {"label": TEXT}, "label"),
        name="alarms",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_alarm", label="Late")["id"]
        assert [row["id"] for row in call("search_alarms", earliest_time="-1h", latest_time="now")["alarms"]] == [made]
        assert made not in {row["id"] for row in call("search_alarms", latest_time="-2h")["alarms"]}


def test_where_a_service_is_reached_narrows_nothing() -> None:
    base = said("Base URL to use for this call. Overrides the server default.")
    spec = spec_of(tool("list_apps", {"argoBaseUrl": base, "title": TEXT}), name="argo")
    plan = analyse(spec)
    assert "argoBaseUrl" in plan.tools[0].inert
    assert "argoBaseUrl" not in plan.entities["app"].fields


def test_an_id_with_a_word_more_or_less_names_the_record() -> None:
    spec = spec_of(
        tool("list_plan_task_messages", {"planTaskId": TEXT}, "planTaskId"),
        tool("get_plan_task_message", {"planTaskId": TEXT, "planTaskChatMessageId": TEXT},
             "planTaskId planTaskChatMessageId"),
        tool("list_plan_tasks"),
        tool("list_shifts"),
        tool("get_shift", {"shift_id": TEXT}, "shift_id"),
        tool("create_shift_override", {"id": TEXT, "label": TEXT}, "id label"),
        tool("list_overrides"),
        tool("list_shift_overrides", {"id": TEXT}, "id"),
        tool("delete_shift_override", {"id": TEXT, "override_id": TEXT}, "id override_id"),
        name="plans",
    )  # fmt: skip
    with calling(build_with_rules(spec)) as call:
        task = call("list_plan_tasks")["plan_tasks"][0]["id"]
        one = call("list_plan_task_messages", planTaskId=task)["plan_task_messages"][0]["id"]
        assert call("get_plan_task_message", planTaskId=task, planTaskChatMessageId=one)["id"] == one
        shift = call("list_shifts")["shifts"][0]["id"]
        made = call("create_shift_override", id=shift, label="Fog")["id"]
        assert made in {row["id"] for row in call("list_shift_overrides", id=shift)["shift_overrides"]}
        call("delete_shift_override", id=shift, override_id=made)
        assert made not in {row["id"] for row in call("list_shift_overrides", id=shift)["shift_overrides"]}


def test_time_frames_are_listed_in_words() -> None:
    frame = said("Timeframe (1min, 15min, 1hour, 1day)")
    spec = spec_of(tool("list_bars", {"timeframe": frame, "symbol": TEXT}), name="bars")
    assert analyse(spec).entities["bar"].fields["timeframe"].choices == ("1min", "15min", "1hour", "1day")
