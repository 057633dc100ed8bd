"""What the services share: order, groups, shares and days."""

from __future__ import annotations

import pytest

from services_app.engine import Record
from services_app.library.cast import ME, outside
from services_app.library.shared import (
    grouped,
    guide_pages,
    is_weekend,
    mean,
    newest_first,
    percent,
    plus_months,
    weekday_of,
)


class Page(Record):
    title: str
    body: str
    valid_from: str
    superseded: bool = False


PAGES = (
    Page(id="P-1", title="Returns", body="Thirty days.", valid_from="2026-01-01"),
    Page(id="P-2", title="Returns", body="Sixty days.", valid_from="2025-01-01", superseded=True),
    Page(id="P-3", title="Holds", body="Two weeks, then returns.", valid_from="2026-01-01"),
)


def test_the_latest_comes_first_and_of_equal_ones_the_highest_id() -> None:
    assert [row.id for row in newest_first(PAGES, "valid_from")] == ["P-3", "P-1", "P-2"]
    assert [row["id"] for row in newest_first([row.plain() for row in PAGES], "valid_from")] == ["P-3", "P-1", "P-2"]
    assert newest_first([], "valid_from") == []


def test_pages_are_found_by_title_or_body_and_by_what_they_are() -> None:
    assert [row.id for row in guide_pages(PAGES, "returns days")] == ["P-1", "P-2"]
    assert [row.id for row in guide_pages(PAGES, "returns", superseded=False)] == ["P-3", "P-1"]
    assert len(guide_pages(PAGES, None, superseded=None)) == 3


def test_groups_keep_the_order_in_which_they_come() -> None:
    assert grouped("banana", str) == {"b": ["b"], "a": ["a", "a", "a"], "n": ["n", "n"]}
    assert list(grouped("banana", str)) == ["b", "a", "n"]


def test_shares_and_averages_of_nothing_are_none() -> None:
    assert (percent(1, 3), percent(1, 3, 2), percent(0, 4), percent(1, 0)) == (33.3, 33.33, 0.0, None)
    assert (mean([1, 2]), mean([1, 1, 2], 2), mean([])) == (1.5, 1.33, None)


@pytest.mark.parametrize(
    ("date", "months", "later"),
    [
        ("2026-01-31", 1, "2026-02-28"),
        ("2024-01-30", 1, "2024-02-29"),
        ("2025-11-30", 1, "2025-12-30"),
        ("2025-12-31", 2, "2026-02-28"),
        ("2026-03-31", -1, "2026-02-28"),
    ],
)
def test_a_day_so_many_months_later_exists(date: str, months: int, later: str) -> None:
    assert plus_months(date, months) == later


def test_weekdays_are_those_of_dates_and_of_instants() -> None:
    assert (weekday_of("2026-03-02"), weekday_of("2026-03-08T23:00:00Z")) == ("monday", "sunday")
    assert [is_weekend(f"2026-03-0{day}") for day in (6, 7, 8, 9)] == [False, True, True, False]


def test_addresses_of_others_are_outside_whatever_their_case() -> None:
    assert not outside(ME.email.upper())
    assert outside("ana@larkfield.example.org")
