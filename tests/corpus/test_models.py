"""Three tools of public servers, built from their specifications: a browser, a file server, a workbook server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.specs.files import load_file
from workers.sandbox.process import SandboxProcess

CORPUS = Path(__file__).parents[3] / "shared/data/mcp"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public specifications are not here")


@contextmanager
def mounted(pattern: str) -> Iterator[tuple[Environment, str]]:
    """The server whose file fits the pattern, in the sandbox."""
    built = build_with_rules(load_file(sorted(CORPUS.glob(pattern))[0]))
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield ServiceHost(process, {built.slug: built.module}).mount([built.slug]), built.slug


def test_browser_navigate_changes_the_page_and_back_returns() -> None:
    with mounted("playwright-mcp.json") as (environment, slug):
        first = environment.call(slug, "browser_snapshot", {})["data"]["url"]
        moved = environment.call(slug, "browser_navigate", {"url": "https://alder.example/plans"})
        assert moved["data"]["url"] == "https://alder.example/plans"
        assert environment.call(slug, "browser_snapshot", {})["data"]["url"] == "https://alder.example/plans"
        assert environment.call(slug, "browser_navigate_back", {})["data"]["url"] == first
        bad = environment.call(slug, "browser_navigate", {"url": "not an address"})
        assert bad["error"]["code"] == 400


def test_edit_file_replaces_an_exact_match_and_a_dry_run_leaves_the_file() -> None:
    with mounted("modelcontextprotocol-server*filesystem.json") as (environment, slug):
        path = {"path": "/notes/agenda.txt"}
        edits = [{"oldText": "Open in April", "newText": "Open in May"}]

        def content() -> str:
            return str(environment.call(slug, "read_text_file", path)["data"]["content"])

        before = content()
        dry = environment.call(slug, "edit_file", {**path, "edits": edits, "dryRun": True})
        assert "Open in May" in dry["data"]["content"]
        assert content() == before
        assert environment.call(slug, "edit_file", {**path, "edits": edits})["success"]
        assert content() == before.replace("Open in April", "Open in May")
        again = environment.call(slug, "edit_file", {**path, "edits": edits})
        assert again["error"]["type"] == "no_match"


def test_insert_rows_shifts_those_below_by_the_count() -> None:
    with mounted("excel-mcp-server.json") as (environment, slug):
        place = {"filepath": "/reports/costs.xlsx", "sheet_name": "Costs"}

        def rows(**more: Any) -> list[list[Any]]:
            shown = environment.call(slug, "read_data_from_excel", {**place, **more})
            values: list[list[Any]] = json.loads(shown["data"]["result"])["values"]
            return values

        before, other = rows(), rows(sheet_name="Plan")
        assert environment.call(slug, "insert_rows", {**place, "start_row": 2, "count": 3})["success"]
        after = rows()
        assert after[0] == before[0]
        assert after[1:4] == [[None] * len(before[0])] * 3
        assert [row[0] for row in after[4:]] == [row[0] for row in before[1:]]
        assert rows(sheet_name="Plan") == other
