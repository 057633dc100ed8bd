"""Pages as large and in the order that the words of parameters say, also where these write 1,000."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.plan import ToolPlan
from services_app.builders.prose import default_size, first_page, largest_size
from services_app.builders.rules import build_with_rules
from services_app.builders.said_values import said_default
from services_app.builders.usual_order import note_sort, said_way
from services_app.specs.model import Specification
from services_app.verification.parameters import Parameter
from services_app.verification.promised_defaults import stated_default
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of


def said(description: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"type": kind, "description": description, **more}


@pytest.mark.parametrize(
    ("words", "usual", "most"),
    [
        ("How many lines; between 1 and 50,000, defaults to 1,000.", 1000, 50_000),
        ("How many lines, 1 to 5,000. A default of 200 holds.", 200, 5000),
        ("Max lines (1-100).", 0, 100),
        ("Max lines to give back, 1–100 (default ~20)", 20, 100),
        ("Lines on a page, defaulting to 50", 50, 0),
        ("The most lines on a page, 50 by default", 50, 0),
        ("Maximum lines. Defaults to 10 unless sent; at most 49,999.", 10, 49_999),
        ("The part that is kept, default 10%", 0, 0),
    ],
)
def test_figures_with_commas_and_spans_are_read_whole(words: str, usual: int, most: int) -> None:
    schema = said(words, "integer")
    assert (default_size(schema), largest_size(schema)) == (usual, most)


def test_a_default_with_a_comma_is_one_number() -> None:
    schema = said("Lines. Defaults to 1,000.", "integer")
    assert said_default(schema) == stated_default(Parameter("lines", ("lines",), schema, required=False)) == 1000
    assert first_page(said("Page, from 0 on.", "integer", default=0)) == 0


def newsroom() -> Specification:
    """Lists whose order is said by their sort, by their direction, or by their descriptions."""
    way = {"type": "string", "enum": ["asc", "desc"]}
    return spec_of(
        tool(
            "list_stories",
            {
                "sort": {"type": "string", "enum": ["created_at", "headline"]},
                "order": {**way, "description": "Oldest first or newest first. Defaults to descending order."},
            },
        ),
        tool("create_story", {"headline": TEXT}, "headline"),
        tool(
            "list_trades",
            {
                "pair": said("The pair"),
                "order": {**way, "description": "The direction. Defaults to descending order (newest first)."},
                "sort": {"const": "timestamp", "description": "Field to sort by.", "type": "string"},
                "window": said("Periods of the average. Defaults to 50 periods.", "integer"),
            },
            "pair",
        ),
        tool(
            "list_ratings",
            {
                "sort": said(
                    "Columns, with '.asc' or '.desc'. Defaults to sorting by 'last_updated' in descending order."
                )
            },
            description="List ratings with their score and author.",
        ),
        tool(
            "list_desks",
            {"sort_by": said("Field: name (default, ascending) or size", enum=["size", "name"])},
        ),
        tool(
            "list_songs",
            {
                "sort_by": {
                    "type": "string",
                    "enum": ["newest", "oldest", "volume_usd", "listeners", "lastPlayed", "popularity", "alphabetical"],
                },
                "order": way,
            },
            description="List songs with their title.",
        ),
        tool("create_badge", {"title": TEXT, "is_active": {"type": "boolean"}}, "title"),
        tool("list_badges", {"is_active": said("Active ones. Defaults to true if not specified.", "boolean")}),
        tool("list_exports", description="List exports of the desk, ordered with newest exports first."),
        tool("list_remarks", description="List remarks on a story (oldest first), with their text and creation time."),
        tool("list_authors", description="List authors with their name, sorted alphabetically."),
        tool(
            "list_archives",
            {"ascending": said("Oldest first. Defaults to descending order when omitted.", "boolean")},
            description="List archives with their title and size.",
        ),
        name="newsroom",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(newsroom())) as call:
        yield call


@pytest.fixture(scope="module")
def plans() -> dict[str, ToolPlan]:
    return {planned.name: planned for planned in analyse(newsroom()).tools}


def column(answer: dict[str, Any], key: str, field: str) -> list[Any]:
    return [row[field] for row in answer[key]]


def test_a_direction_that_defaults_to_newest_first_is_so(call: Any) -> None:
    made = column(call("list_stories"), "stories", "created_at")
    assert made == sorted(made, reverse=True)
    assert made != sorted(made)
    assert call("list_stories") == call("list_stories", order="desc")
    up = column(call("list_stories", order="asc"), "stories", "created_at")
    assert up == sorted(up)


def test_the_only_sort_there_is_goes_with_the_direction(call: Any) -> None:
    trades = call("list_trades", pair="BTC-USD")
    times = column(trades, "trades", "timestamp")
    assert len(set(times)) > 1
    assert times == sorted(times, reverse=True)
    assert trades == call("list_trades", pair="BTC-USD", sort="timestamp", order="desc")


def test_the_series_of_the_default_window_is_shown(call: Any) -> None:
    assert call("list_trades", pair="BTC-USD") == call("list_trades", pair="BTC-USD", window=50)


def test_a_sort_that_is_said_in_words_holds(call: Any, plans: dict[str, ToolPlan]) -> None:
    times = column(call("list_ratings"), "ratings", "last_updated")
    assert len(times) > 1
    assert times == sorted(times, reverse=True)
    assert plans["list_desks"].read.usually == {"sort_by": "name"}
    names = column(call("list_desks"), "desks", "name")
    assert names == sorted(names, key=str.casefold)


def test_words_such_as_newest_sort_by_a_field_and_are_none(call: Any) -> None:
    songs = call("list_songs")["songs"]
    assert not {"newest", "oldest", "alphabetical"} & set(songs[0])
    newest = column(call("list_songs", sort_by="newest"), "songs", "created_at")
    assert newest == sorted(newest, reverse=True) != sorted(newest)
    assert column(call("list_songs", sort_by="oldest"), "songs", "created_at") == sorted(newest)
    assert column(call("list_songs", sort_by="newest", order="desc"), "songs", "created_at") == sorted(newest)
    titles = column(call("list_songs", sort_by="alphabetical"), "songs", "title")
    assert titles == sorted(titles, key=str.casefold)


def test_a_flag_that_is_said_to_be_true_by_default_narrows_a_list(call: Any) -> None:
    assert {row["is_active"] for row in call("list_badges")["badges"]} == {True}
    assert {row["is_active"] for row in call("list_badges", is_active=False)["badges"]} == {False}
    made = call("create_badge", title="Welder")
    assert made["id"] in [row["id"] for row in call("list_badges")["badges"]]


def test_what_counts_and_measures_sorts_as_numbers(call: Any) -> None:
    for name in ("volume_usd", "listeners", "popularity"):
        values = column(call("list_songs", sort_by=name, order="desc"), "songs", name)
        assert all(isinstance(value, int | float) for value in values)
        assert values == sorted(values, reverse=True)
    assert column(call("list_songs"), "songs", "lastPlayed")[0].startswith("202")


def test_lists_lie_as_their_descriptions_say(call: Any) -> None:
    exports = column(call("list_exports"), "exports", "created_at")
    assert exports == sorted(exports, reverse=True) != sorted(exports)
    remarks = column(call("list_remarks"), "remarks", "creation_time")
    assert remarks == sorted(remarks) != remarks[::-1]
    names = column(call("list_authors"), "authors", "name")
    assert names == sorted(names, key=str.casefold)


def test_a_flag_for_ascending_order_is_off_where_its_words_say_so(call: Any) -> None:
    assert call("list_archives") == call("list_archives", ascending=False) != call("list_archives", ascending=True)


def test_a_direction_within_quotes_is_no_part_of_the_field() -> None:
    sort = said("Columns. Defaults to 'filed_on.desc' if not specified.")
    planned = ToolPlan("list_papers", "list", "paper", sort="sort")
    note_sort(planned, sort, lambda said: said)
    assert (planned.read.newest, planned.read.rising) == ("filed_on", False)
    assert said_default(said("Figure. Defaults to mean if not specified.", enum=["mean", "median"])) == "mean"


@pytest.mark.parametrize("words", ["Defaults to `asc` when `sort` is name, and `desc` otherwise.", "Sort direction."])
def test_no_default_is_read_into_other_words(words: str) -> None:
    assert said_way(said(words)) == ""


def observatory() -> Specification:
    """Lists with bounds of time whose records show their own time, told only in words that are read later."""
    return spec_of(
        tool("list_audit_events", {"since": TEXT, "until": TEXT}, description="List audit events."),
        tool(
            "list_lectures",
            {"date_from": said("Lecture date start filter"), "created_after": TEXT},
            description="List lectures with their title, lecture date and speaker.",
        ),
        tool(
            "list_latest_flares", {"days": said("How many days to look back", "integer")}, description="Flares by date."
        ),
        tool("list_notes", {"since": TEXT}, description="List notes with their text."),
        name="observatory",
    )


def test_bounds_are_about_the_time_that_records_show() -> None:
    plan = analyse(observatory())
    fields = {planned.name: [item.field for item in planned.filters] for planned in plan.tools}
    assert fields["list_audit_events"] == ["timestamp", "timestamp"]
    assert "created_at" not in plan.entities["audit_event"].fields
    assert fields["list_lectures"] == ["lecture_date", "created"]
    assert fields["list_notes"] == ["created_at"]


def test_what_is_asked_for_since_then_is_shown_since_then() -> None:
    with calling(build_with_rules(observatory())) as call:
        times = column(call("list_audit_events"), "audit_events", "timestamp")
        middle = sorted(times)[len(times) // 2]
        later = column(call("list_audit_events", since=middle), "audit_events", "timestamp")
        assert sorted(later) == [time for time in sorted(times) if time >= middle]
