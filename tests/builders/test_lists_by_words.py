"""Parameters of lists do what their words say: bounds, spans, parts of texts, values left out, sizes, directions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.prose import is_row_number
from services_app.builders.rules import build_with_rules
from services_app.builders.said import Said, said_of
from services_app.engine.remote import ServiceHost
from services_app.recipes.query import keyed
from services_app.specs.docstrings import parameter_texts
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., Any]
FLAG = {"type": "boolean"}


def said(schema: dict[str, Any], words: str) -> dict[str, Any]:
    return {**schema, "description": words}


PARCEL = {"title": TEXT, "carrier": TEXT, "weight": {"type": "number"}, "due_date": TEXT, "notes": TEXT}
LISTING = {
    "oldest": said({"type": "number"}, "Unix timestamp. Parcels sent at or after this time are returned."),
    "latest": said({"type": "number"}, "Unix timestamp. Parcels sent at or before this time are returned."),
    "dueDateUntil": said(TEXT, "Due date until (yyyy-MM-dd)"),
    "days": said(WHOLE, "Number of days to look back"),
    "hours": said(WHOLE, "Additional hours in the lookback (default 0)."),
    "carrier": said(TEXT, "Filter by carrier (case-insensitive substring match)"),
    "exclude_ids": said({"type": "array", "items": TEXT}, "Parcel IDs to exclude"),
    "search": said(TEXT, "Filter by title"),
    "ascending": said(FLAG, "Sort in ascending order (oldest first)."),
    "sort_by": TEXT,
    "num_parcels": said(WHOLE, "Number of parcels to return (default: 4)"),
    "page": said(WHOLE, "Page number (default: 0)"),
    "max_chars": said(WHOLE, "Maximum characters of each text"),
}


@pytest.fixture(scope="module")
def host() -> Iterator[ServiceHost]:
    post = build_with_rules(
        spec_of(
            tool("create_parcel", PARCEL, "title"),
            tool("list_parcels", LISTING),
            tool("find_parcels", {"filter": said(TEXT, "OData filter expression"), "limit": WHOLE}),
            tool(
                "get_parcel",
                {"parcel_id": TEXT, "include_notes": said(FLAG, "If true, includes the notes. Default: true")},
                "parcel_id",
            ),
            tool(
                "list_depots",
                {"query": TEXT, "max_pages": WHOLE},
                description="Depots.\n\nArgs:\n    query: Filter by name\n    max_pages: Pages to fetch (default: all)",
            ),
            tool("create_depot", {"name": TEXT, "street": TEXT}, "name street"),
            name="post",
        )
    )
    with SandboxProcess("services_app.engine.host", files=post.packaged()) as process:
        yield ServiceHost(process, {post.slug: post.module})


@pytest.fixture
def ask(host: ServiceHost) -> Call:
    environment = host.mount(["post"])

    def make(name: str, /, **arguments: object) -> Any:
        observation = environment.call("post", name, arguments)
        return observation["data"] if observation["success"] else observation["error"]

    return make


def rows(ask: Call, **arguments: object) -> list[dict[str, Any]]:
    return list(ask("list_parcels", **{"num_parcels": 100, **arguments})["parcels"])


def test_bounds_that_are_seconds_are_bounds(ask: Call) -> None:
    everything = rows(ask)
    late = rows(ask, oldest=1_772_000_000)
    early = rows(ask, latest=1_772_000_000)
    assert 0 < len(late) < len(everything)
    assert {row["id"] for row in late} | {row["id"] for row in early} == {row["id"] for row in everything}


def test_a_bound_is_about_the_time_that_it_names(ask: Call) -> None:
    dates = sorted(row["due_date"] for row in rows(ask))
    assert [row["due_date"] for row in rows(ask, dueDateUntil=dates[2][:10])] != []
    assert all(row["due_date"][:10] <= dates[2][:10] for row in rows(ask, dueDateUntil=dates[2][:10]))


def test_spans_add_up_and_a_first_moment_stands(ask: Call) -> None:
    few, more = rows(ask, days=3), rows(ask, days=3, hours=240)
    assert len(few) < len(more) < len(rows(ask))
    assert len(rows(ask, days=3, oldest=1)) == len(rows(ask))
    assert ask("list_parcels", days=-1)["code"] == 400


def test_a_part_of_a_text_is_enough(ask: Call) -> None:
    carrier = rows(ask)[0]["carrier"]
    assert {row["carrier"] for row in rows(ask, carrier=carrier[1:4].upper())} >= {carrier}
    assert rows(ask, carrier="no such part") == []


def test_rows_are_left_out_by_their_ids(ask: Call) -> None:
    first, *others = [row["id"] for row in rows(ask)]
    assert [row["id"] for row in rows(ask, exclude_ids=[first])] == others


def test_a_search_looks_where_its_words_say(ask: Call) -> None:
    made = ask("create_parcel", title="Blue lamp", notes="made of brass")
    assert [row["id"] for row in rows(ask, search="lamp")] == [made["id"]]
    assert rows(ask, search="brass") == []
    ask("create_depot", name="Quay seven", street="Long lane")
    assert ask("list_depots", query="Quay")["total"] == 1
    assert ask("list_depots", query="lane")["total"] == 0


def test_sizes_and_pages_count_as_said(ask: Call) -> None:
    assert len(ask("list_parcels")["parcels"]) == 4
    assert ask("list_parcels", page=0) == ask("list_parcels")
    assert ask("list_parcels", page=1)["parcels"] == rows(ask)[4:8]
    assert len(ask("list_depots", max_pages=1)["depots"]) <= len(ask("list_depots")["depots"])


def test_a_flag_turns_the_order(ask: Call) -> None:
    titles = [row["title"] for row in rows(ask, sort_by="title", ascending=True)]
    assert titles == [row["title"] for row in rows(ask, sort_by="title", ascending=False)][::-1]
    assert titles == sorted(titles, key=str.casefold)


def test_texts_are_cut(ask: Call) -> None:
    assert all(len(row["notes"]) <= 6 for row in rows(ask, max_chars=5) if row["notes"])


def test_odata_filters_are_read(ask: Call) -> None:
    first = rows(ask)[0]
    found = ask("find_parcels", filter=f"carrier eq '{first['carrier']}' and startswith(title,'{first['title'][:3]}')")
    assert first["id"] in [row["id"] for row in found["parcels"]]
    assert ask("find_parcels", filter="no such words at all")["code"] == 400


def test_a_part_that_is_shown_by_default(ask: Call) -> None:
    first = rows(ask)[0]["id"]
    assert "notes" in ask("get_parcel", parcel_id=first)
    assert "notes" not in ask("get_parcel", parcel_id=first, include_notes=False)


@pytest.mark.parametrize(
    ("name", "schema", "told"),
    [
        ("fromdate", said(TEXT, "Messages on or after this date"), Said("from")),
        ("dateMax", said(TEXT, "End date (YYYY-MM-DD)"), Said("until")),
        ("date_created_gt", said(WHOLE, "Strictly after this Unix timestamp"), Said("from", "created", True)),
        ("author.gt", said(TEXT, "Authors whose names come after this"), Said("least", "author", True)),
        ("priceLowerThan", said({"type": "number"}, "Price less than this"), Said("most", "price", True)),
        ("days", said(WHOLE, "Number of days to look ahead"), Said("coming", "", False, 86_400)),
        ("duration", said(WHOLE, "The number of minutes' worth of events to retrieve"), Said("past", "", False, 60)),
        ("hours_threshold", said(WHOLE, "Hours threshold per week (default: 40)"), None),
        ("max_id", said(TEXT, "Return statuses older than this ID"), None),
        ("context", said(WHOLE, "Number of surrounding messages to include"), None),
        ("sensor_id", said(TEXT, "Starts with d_; contains digits"), None),
        ("project", said(TEXT, "Name, must exact match, not fuzzy search"), None),
        ("status", said(TEXT, "Draft, Partially Paid, Paid"), None),
    ],
)
def test_what_words_say(name: str, schema: dict[str, Any], told: Said | None) -> None:
    assert said_of(name, schema, "message") == told


def test_descriptions_speak_of_parameters_line_by_line() -> None:
    text = "Finds.\n\nArgs:\n  q (str, optional): What to find,\n     in any order\n  - `limit`: At most so many"
    assert parameter_texts(text, ["q", "limit", "page"]) == {
        "q": "What to find, in any order",
        "limit": "At most so many",
    }


def test_filters_take_words_ranges_and_choices() -> None:
    columns, rows = ("name", "price", "state"), [
        {"name": "Blue lamp", "price": 12, "state": "OPEN"},
        {"name": "Red lamp", "price": 40, "state": "SHUT"},
        {"name": "Rope", "price": 80, "state": "SOLD"},
    ]  # fmt: skip

    def names(text: str) -> list[str]:
        return [str(row["name"]) for row in rows if keyed(text, columns, "").test(row)]

    assert names("lamp") == ["Blue lamp", "Red lamp"]
    assert names("lamp -red") == ["Blue lamp"]
    assert names("price:[20..50]") == ["Red lamp"]
    assert names("price:[20..],state:{OPEN|SOLD}") == ["Rope"]


def test_fields_are_left_out_and_all_are_listed_when_none_is_named() -> None:
    made = build_with_rules(
        spec_of(
            tool("create_hub", {"name": TEXT, "region": TEXT}, "name"),
            tool("hub_list", {"excludes": said({"type": "array", "items": TEXT}, "Fields to leave out")}),
            tool("runtime_get", {"tier": TEXT}, description="Gets or lists runtimes. Otherwise, all will be listed."),
            tool("create_runtime", {"tier": TEXT, "size": WHOLE}, "tier"),
            name="hubs",
        )
    )
    with SandboxProcess("services_app.engine.host", files=made.packaged()) as process:
        environment = ServiceHost(process, {made.slug: made.module}).mount(["hubs"])
        rows = environment.call("hubs", "hub_list", {"excludes": ["region"]})["data"]["hubs"]
        assert "region" in environment.call("hubs", "hub_list", {})["data"]["hubs"][0]
        assert [set(row) & {"region", "name"} for row in rows] == [{"name"}] * len(rows)
        assert environment.call("hubs", "runtime_get", {})["data"]["total"] > 1


@pytest.mark.parametrize(
    ("name", "schema", "said_so"),
    [
        ("start", said(WHOLE, "Start index (defaults to 0)"), True),
        ("start", WHOLE, True),
        ("start", said(WHOLE, "Timestamp of the oldest comment"), False),
        ("stop", said(WHOLE, "Start index"), False),
    ],
)
def test_rows_are_numbered_by_what_is_said(name: str, schema: dict[str, Any], *, said_so: bool) -> None:
    assert is_row_number(name, schema) is said_so
