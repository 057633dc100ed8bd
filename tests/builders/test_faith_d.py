"""Parameters of reading tools that control the answer are no columns; documented values are taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.manners import manner_of
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.specs.documented import counts_from_one, documented_values
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of

KINDS = "Kind of report: 'annual' or 'quarterly'"
PARTS = "Parts to add. Choose from: 'authors', 'chapters', 'prices'"
ORDER = "Order by. Valid values: `id[ASC]`, `id[DESC]`, `title[ASC]`, `title[DESC]`."


def flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def said(description: str, kind: str = "string") -> dict[str, Any]:
    return {"type": kind, "description": description}


def press() -> Specification:
    """A list whose parameters are about the answer, not about reports."""
    listing = {
        "as_md": flag("When enabled, converts reports to their markdown equivalents."),
        "short_ids": flag("If true, return report IDs only."),
        "validateSignatures": flag("Whether to validate the signatures of reports"),
        "unique": flag("Deduplicate reports"),
        "stats": flag("Include reading statistics"),
        "recalled": flag("Include recalled reports. By default they are left out."),
        "printed": flag("Filter by whether it was printed"),
        "orderBy": said(ORDER),
        "after": said("Return entities after the specified ID when working with pages."),
        "period": said(KINDS),
        "include": said(PARTS),
        "relays": {"type": "array", "items": TEXT, "description": "Optional list of relays to query"},
        "limit": WHOLE,
    }
    pages = {"offset": said("Where to start. Pages use one-based numbering.", "integer"), "limit": WHOLE}
    return spec_of(
        tool("create_report", {"title": TEXT, "period": TEXT, "printed": {"type": "boolean"}}, "title"),
        tool("get_report", {"report_id": TEXT}, "report_id"),
        tool("list_reports", listing),
        tool("list_pages", pages),
        name="press",
    )


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(press())


@pytest.fixture(scope="module")
def call(built: BuiltService) -> Iterator[Any]:
    with calling(built) as call:
        yield call


def ids(answer: dict[str, Any]) -> list[str]:
    return [row["id"] for row in answer["reports"]]


def test_a_flag_for_markdown_gives_text(call: Any) -> None:
    assert "**title**" in call("list_reports", as_md=True)["text"]
    assert call("list_reports", as_md=False) == call("list_reports")


def test_a_flag_for_ids_gives_ids(call: Any) -> None:
    assert call("list_reports", short_ids=True)["reports"] == ids(call("list_reports"))


def test_checks_duplicates_and_relays_leave_rows_and_say_why(call: Any, built: BuiltService) -> None:
    everything = call("list_reports")
    for extra in ({"validateSignatures": True}, {"unique": True}, {"relays": ["wss://relay.example"]}):
        assert call("list_reports", **extra) == everything
    source = built.files["tools.py"]
    assert "so the check leaves them as they are" in source
    assert "answers from one place" in source


def test_included_parts_are_added_and_included_rows_are_hidden_without_it(call: Any) -> None:
    assert "stats" not in call("list_reports")["reports"][0]
    assert "stats" in call("list_reports", stats=True)["reports"][0]
    assert call("list_reports", recalled=True)["total"] > call("list_reports")["total"]


def test_a_flag_that_filters_still_does(call: Any) -> None:
    assert {row["printed"] for row in call("list_reports", printed=True, limit=100)["reports"]} == {True}


def test_sorting_with_directions_in_brackets(call: Any) -> None:
    rising = ids(call("list_reports", orderBy="id[ASC]", limit=100))
    assert rising == sorted(rising)
    assert ids(call("list_reports", orderBy="id[DESC]", limit=100)) == rising[::-1]
    titles = [row["title"] for row in call("list_reports", orderBy="title[DESC]", limit=100)["reports"]]
    assert titles == sorted(titles, key=str.casefold, reverse=True)
    assert call("list_reports", orderBy="weather[ASC]")["type"] == "unknown_sort"


def test_after_is_the_id_of_the_last_row_seen(call: Any) -> None:
    everything = ids(call("list_reports", limit=100))
    assert ids(call("list_reports", after=everything[2], limit=2)) == everything[3:5]
    assert call("list_reports", after="no-such")["code"] == 400


def test_offsets_that_count_from_one(call: Any) -> None:
    rows = call("list_pages", limit=3)["pages"]
    assert call("list_pages", offset=1, limit=3)["pages"] == rows
    assert call("list_pages", offset=2, limit=1)["pages"] == rows[1:2]


def test_documented_values_are_seeded_and_taken(call: Any) -> None:
    for period in ("annual", "quarterly"):
        assert {row["period"] for row in call("list_reports", period=period)["reports"]} == {period}
    for part in ("authors", "chapters", "prices"):
        assert part in call("list_reports", include=part)["reports"][0]
    assert call("list_reports", include="weather")["code"] == 400


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("One of 'annual', 'quarterly'", ("annual", "quarterly")),
        ("The tool. Supported values: bicep, terraform.", ("bicep", "terraform")),
        ("Choose from: `a`, `b` (the default), or `c`", ("a", "b", "c")),
        ("'open' or 'closed'", ("open", "closed")),
        ("Name, e.g. 'alice' or 'bob'", ()),
        ("Provide exactly one of: file_id, widget_id, or plugin_id.", ()),
        ("Only rows matching one of the provided keys.", ()),
        ("Required when kind is 'team' or 'user'.", ()),
        ('JSON text such as {"a": "b", "c": "d"}', ()),
    ],
)
def test_lists_of_values_in_words(description: str, values: tuple[str, ...]) -> None:
    assert documented_values("kind", said(description)) == values


@pytest.mark.parametrize(
    ("name", "description", "manner"),
    [
        ("as_md", "Convert to Markdown", "markdown"),
        ("verify", "Whether to verify the checksums", "validate"),
        ("minimal_output", "Return minimal information (default: true).", "short"),
        ("drill", "Whether to include drill incidents", "include"),
        ("wait", "Whether to wait for the end", "other"),
        ("withdrawn", "Whether to only return withdrawn ones.", ""),
        ("active", "Filter to include only active ones", ""),
        ("is_valid", "Whether to validate", ""),
    ],
)
def test_manners_of_flags(name: str, description: str, manner: str) -> None:
    assert manner_of(name, flag(description)) == manner


def test_counting_from_one() -> None:
    assert counts_from_one({"description": "Index (1-based)"})
    assert counts_from_one({"minimum": 1})
    assert not counts_from_one({"description": "Index"})
