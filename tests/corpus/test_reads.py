"""Tools of public servers that read, built from their specifications and called in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.files import load_file
from workers.sandbox.process import SandboxProcess

CORPUS = Path(__file__).parents[3] / "shared/data/mcp"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public specifications are not here")


class Server:
    """One mounted server: `call(tool, **arguments)` gives the data or the error, `rows` the records of a table."""

    def __init__(self, environment: Any, slug: str) -> None:
        self.environment, self.slug = environment, slug

    def call(self, tool: str, arguments: dict[str, Any] | None = None, **more: object) -> Any:
        observation = self.environment.call(self.slug, tool, {**(arguments or {}), **more})
        return observation["data"] if observation["success"] else observation["error"]

    def rows(self, table: str) -> list[dict[str, Any]]:
        return [row if isinstance(row, dict) else row.plain() for row in self.environment.rows(self.slug, table)]


@contextmanager
def served(name: str) -> Iterator[Server]:
    built = build_with_rules(load_file(CORPUS / f"{name}.json"))
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield Server(ServiceHost(process, {built.slug: built.module}).mount([built.slug]), built.slug)


def test_subgroups_lie_in_one_group_of_one_course() -> None:
    with served("mcparmory-canvas") as canvas:
        row = canvas.rows("outcome_subgroups")[0]
        under = {"course_id": row["course_id"], "id": row["outcome_group_id"]}
        found = canvas.call("list_outcome_subgroups", under)
        assert found["total"] >= 2
        assert {(one["course_id"], one["outcome_group_id"]) for one in found["outcome_subgroups"]} == {
            tuple(under.values())
        }
        short = canvas.call("list_outcome_subgroups", under, per_page=1)
        assert (len(short["outcome_subgroups"]), short["total"]) == (1, found["total"])
        assert canvas.call("list_outcome_subgroups", under, id="nothing")["code"] == 404


def test_a_sync_group_by_name_and_those_of_a_service_without() -> None:
    with served("azure-mcp") as azure:
        row = azure.rows("storagesync_syncgroups")[0]
        under = {"name": row["name"], "resource-group": row["resource-group"]}
        listed = azure.call("storagesync_syncgroup_get", under)["storagesync_syncgroups"]
        assert len(listed) >= 2
        assert {one["name"] for one in listed} == {row["name"]}
        one = azure.call("storagesync_syncgroup_get", under, **{"sync-group-name": listed[1]["sync-group-name"]})
        assert one == listed[1]
        assert azure.call("storagesync_syncgroup_get", under, **{"sync-group-name": "none"})["code"] == 404
        assert azure.call("storagesync_syncgroup_get", under, **{"retry-delay": -1})["type"] == "invalid_wait"


def test_issues_of_a_repository_are_filtered_sorted_and_paged() -> None:
    with served("github-mcp-server") as github:
        row = github.rows("issues")[0]
        under = {"owner": row["owner"], "repo": row["repo"]}
        every = github.call("list_issues", under)["issues"]
        assert len(every) >= 3
        assert github.call("list_issues", under, owner="nobody")["code"] == 404
        closed = github.call("list_issues", under, state="CLOSED")["issues"]
        assert {issue["state"].upper() for issue in closed} == {"CLOSED"}
        assert 0 < len(closed) < len(every)
        late = github.call("list_issues", under, since=sorted(one["CREATED_AT"] for one in every)[1])["issues"]
        assert len(late) == len(every) - 1
        down = github.call("list_issues", under, orderBy="CREATED_AT", direction="DESC")["issues"]
        times = [issue["CREATED_AT"] for issue in down]
        assert times == sorted(times, reverse=True)
        first = github.call("list_issues", under, perPage=2)
        second = github.call("list_issues", under, perPage=2, after=first["next_cursor"])
        assert [*first["issues"], *second["issues"]] == every[:4]


def test_memberships_belong_to_the_document_and_follow_the_permission() -> None:
    with served("mcparmory-outline") as outline:
        document = outline.rows("document_memberships")[0]["document_id"]
        found = outline.call("list_document_memberships", id=document)["document_memberships"]
        assert found
        assert {one["document_id"] for one in found} == {document}
        readers = outline.call("list_document_memberships", id=document, permission="read")["document_memberships"]
        assert readers == [one for one in found if one["permission"] == "read"]
        assert outline.call("list_document_memberships", id=document, query="no such person")["total"] == 0
        assert outline.call("list_document_memberships", id="nothing")["code"] == 404


def test_each_ratio_has_closed_and_open_bounds() -> None:
    with served("mcparmory-polygon") as market:
        every = market.call("list_stock_financial_ratios")["stock_financial_ratios"]
        middle = sorted(row["price_to_book"] for row in every)[len(every) // 2]
        counted = {
            bound: market.call("list_stock_financial_ratios", {f"price_to_book.{bound}": middle})["total"]
            for bound in ("gt", "gte", "lt", "lte")
        }
        assert counted["gte"] > counted["gt"]
        assert counted["lte"] > counted["lt"]
        assert counted["gte"] + counted["lt"] == counted["gt"] + counted["lte"] == len(every)
        assert len(market.call("list_stock_financial_ratios", limit=2)["stock_financial_ratios"]) == 2
        refused = market.call("list_stock_financial_ratios", sort="no such field")
        assert refused["code"] == 400


def test_messages_of_a_folder_are_listed_selected_and_announced() -> None:
    with served("softeria-ms-365-mcp-server") as office:
        folder = office.rows("mail_folders")[0]["id"]
        found = office.call("list-mail-folder-messages-delta", mailFolderId=folder)
        assert office.call("list-mail-folder-messages-delta", mailFolderId="nothing")["code"] == 404
        assert office.call("list-mail-folder-messages-delta", mailFolderId=folder, excludeResponse=True) == {
            "success": True
        }
        headers = office.call("list-mail-folder-messages-delta", mailFolderId=folder, includeHeaders=True)["headers"]
        assert headers["ETag"]
        assert "headers" not in found


def test_a_specification_without_parameters_gives_no_writing_tool() -> None:
    built = build_with_rules(load_file(CORPUS / "thinkfar-kong-mcp.json"))
    assert "create_or_update_route" in built.left_out
