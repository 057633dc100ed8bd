"""File trees, workbooks, git and devices: servers built from specifications, called in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., dict[str, Any]]
ARRAY = {"type": "array", "items": TEXT}
FLAG = {"type": "boolean"}
GRID = {"type": "array", "items": {"type": "array", "items": {}}}
EDITS = {"type": "array", "items": {"type": "object", "properties": {"oldText": TEXT, "newText": TEXT}}}


def files() -> Specification:
    path, ends = {"path": TEXT}, {"source": TEXT, "destination": TEXT}
    return spec_of(
        tool("read_file", {**path, "head": WHOLE, "tail": WHOLE}, "path"),
        tool("write_file", {**path, "content": TEXT}, "path content"),
        tool("edit_file", {**path, "edits": EDITS, "dryRun": {**FLAG, "default": False}}, "path edits"),
        tool("list_directory", path, "path"),
        tool("create_directory", path, "path"),
        tool("move_file", ends, "source destination"),
        tool("search_files", {**path, "pattern": TEXT, "excludePatterns": ARRAY}, "path pattern"),
        tool("delete_file", {**path, "recursive": FLAG}, "path"),
    )


def workbooks() -> Specification:
    place = {"filepath": TEXT, "sheet_name": TEXT}
    block = {**place, "start_cell": TEXT, "end_cell": TEXT}
    return spec_of(
        tool("read_data_from_excel", block, "filepath sheet_name"),
        tool("write_data_to_excel", {**block, "data": GRID}, "filepath sheet_name data"),
        tool("apply_formula", {**place, "cell": TEXT, "formula": TEXT}, "filepath sheet_name cell formula"),
        tool("insert_rows", {**place, "start_row": WHOLE, "count": WHOLE}, "filepath sheet_name start_row"),
        tool("delete_sheet_columns", {**place, "start_col": WHOLE}, "filepath sheet_name start_col"),
        tool("merge_cells", block, "filepath sheet_name start_cell end_cell"),
        tool("delete_worksheet", place, "filepath sheet_name"),
    )


def git() -> Specification:
    repo = {"repo_path": TEXT}
    return spec_of(
        tool("git_status", repo, "repo_path"),
        tool("git_add", {**repo, "files": ARRAY}, "repo_path files"),
        tool("git_commit", {**repo, "message": TEXT}, "repo_path message"),
        tool("git_log", {**repo, "max_count": WHOLE}, "repo_path"),
        tool("git_checkout", {**repo, "branch_name": TEXT}, "repo_path branch_name"),
        tool("git_diff_unstaged", repo, "repo_path"),
        tool("git_merge_branch", {**repo, "source_branch": TEXT}, "repo_path source_branch"),
    )


def phone() -> Specification:
    point = {"x": {"type": "number"}, "y": {"type": "number"}}
    return spec_of(
        tool("mobile_list_elements_on_screen"),
        tool("mobile_tap", point, "x y"),
        tool("mobile_type_text", {"text": TEXT}, "text"),
        tool("mobile_press_button", {"button": TEXT}, "button"),
        tool("mobile_set_orientation", {"orientation": TEXT}, "orientation"),
        tool("mobile_get_screen_size"),
        tool("mobile_swipe", {"direction": {"type": "string", "enum": ["up", "down"]}}, "direction"),
    )


@pytest.fixture(scope="module")
def built() -> dict[str, BuiltService]:
    return {
        make.__name__: build_with_rules(make().model_copy(update={"slug": make.__name__}))
        for make in (files, workbooks, git, phone)
    }


@pytest.fixture(scope="module")
def host(built: dict[str, BuiltService]) -> Iterator[ServiceHost]:
    sources = {name: text for service in built.values() for name, text in service.packaged().items()}
    with SandboxProcess("services_app.engine.host", files=sources) as process:
        yield ServiceHost(process, {service.slug: service.module for service in built.values()})


@pytest.fixture
def call(host: ServiceHost, built: dict[str, BuiltService]) -> Call:
    environment = host.mount(list(built))

    def make(service: str, name: str, **arguments: Any) -> dict[str, Any]:
        observation = environment.call(service, name, arguments)
        shown: dict[str, Any] = observation["data"] if observation["success"] else observation["error"]
        return shown

    return make


def test_every_tool_is_built(built: dict[str, BuiltService]) -> None:
    assert not any(service.left_out for service in built.values())


# Files


def test_what_is_written_is_read_and_listed(call: Call) -> None:
    call("files", "write_file", path="/notes/new.txt", content="one\ntwo\nthree\n")
    assert call("files", "read_file", path="notes/new.txt")["content"] == "one\ntwo\nthree\n"
    assert call("files", "read_file", path="/notes/new.txt", tail=1)["content"] == "three\n"
    assert "new.txt" in [entry["name"] for entry in call("files", "list_directory", path="/notes")["entries"]]


def test_an_edit_replaces_the_exact_text(call: Call) -> None:
    edits = [{"oldText": "Order the parts", "newText": "Order the paint"}]
    before = call("files", "read_file", path="/notes/agenda.txt")["content"]
    dry = call("files", "edit_file", path="/notes/agenda.txt", edits=edits, dryRun=True)
    assert "+2. Order the paint" in dry["content"]
    assert call("files", "read_file", path="/notes/agenda.txt")["content"] == before
    call("files", "edit_file", path="/notes/agenda.txt", edits=edits)
    after = call("files", "read_file", path="/notes/agenda.txt")["content"]
    assert after == before.replace("Order the parts", "Order the paint")
    assert call("files", "edit_file", path="/notes/agenda.txt", edits=edits)["type"] == "no_match"


def test_no_path_leads_out(call: Call) -> None:
    assert call("files", "read_file", path="/notes/../../etc/passwd")["code"] == 403
    assert call("files", "read_file", path="/notes/../README.md")["path"] == "/README.md"


def test_a_directory_moves_with_what_is_in_it(call: Call) -> None:
    call("files", "move_file", source="/notes", destination="/archive")
    assert call("files", "read_file", path="/archive/old/draft.txt")["total_lines"] == 1
    assert call("files", "read_file", path="/notes/agenda.txt")["code"] == 404
    assert call("files", "move_file", source="/archive", destination="/archive/inner")["type"] == "into_itself"


def test_a_full_directory_is_deleted_only_when_asked(call: Call) -> None:
    assert call("files", "delete_file", path="/notes")["type"] == "not_empty"
    call("files", "delete_file", path="/notes", recursive=True)
    assert call("files", "list_directory", path="/notes")["code"] == 404


def test_search_takes_patterns_and_leaves_some_out(call: Call) -> None:
    found = call("files", "search_files", path="/", pattern="*.txt")["matches"]
    assert "/notes/agenda.txt" in found
    assert "/README.md" not in found
    rest = call("files", "search_files", path="/", pattern="*.txt", excludePatterns=["notes/*.txt"])["matches"]
    assert set(found) - set(rest) >= {"/notes/agenda.txt"}


# Workbooks

COSTS = {"filepath": "/reports/costs.xlsx", "sheet_name": "Costs"}


def rows(call: Call, **more: Any) -> list[list[Any]]:
    values: list[list[Any]] = call("workbooks", "read_data_from_excel", **{**COSTS, **more})["values"]
    return values


def test_inserted_rows_push_those_below_down_and_leave_other_sheets(call: Call) -> None:
    before, other = rows(call), rows(call, sheet_name="Plan")
    call("workbooks", "insert_rows", **COSTS, start_row=3, count=2)
    after = rows(call)
    assert after[:2] == before[:2]
    assert after[2:4] == [[None] * len(before[0])] * 2
    assert [row[:3] for row in after[4:7]] == [row[:3] for row in before[2:5]]
    assert rows(call, sheet_name="Plan") == other


def test_deleted_columns_pull_those_after_left(call: Call) -> None:
    before = rows(call)
    call("workbooks", "delete_sheet_columns", **COSTS, start_col=2)
    assert [row[0] for row in rows(call)] == [row[0] for row in before]
    assert rows(call)[0][1] == "Count"


@pytest.mark.parametrize(
    ("formula", "value"),
    [("=SUM(B2:B5)", 1365), ("AVERAGE(C2:C5)", 2.5), ("=B2*2-40", 200), ("=COUNT(A1:C3)", 4), ("=B2/0", "#DIV/0!")],
)
def test_simple_formulas_are_worked_out(call: Call, formula: str, value: Any) -> None:
    assert call("workbooks", "apply_formula", **COSTS, cell="H1", formula=formula)["value"] == value
    assert rows(call, start_cell="H1", end_cell="H1") == [[value]]


def test_other_formulas_are_kept_as_they_stand(call: Call) -> None:
    assert call("workbooks", "apply_formula", **COSTS, cell="H1", formula='=IF(A1="x",1,2)')["value"].startswith("=IF")
    assert call("workbooks", "apply_formula", **COSTS, cell="H1", formula="=SUM(A1")["type"] == "invalid_formula"


def test_written_values_stand_from_the_first_cell_on(call: Call) -> None:
    call("workbooks", "write_data_to_excel", **COSTS, start_cell="B9", data=[["a", 1], ["b", None]])
    assert rows(call, start_cell="B9", end_cell="C10") == [["a", 1], ["b", None]]


def test_bad_cells_and_meeting_blocks_are_refused(call: Call) -> None:
    assert call("workbooks", "read_data_from_excel", **COSTS, start_cell="9Z")["type"] == "invalid_cell"
    call("workbooks", "merge_cells", **COSTS, start_cell="J1", end_cell="K2")
    assert call("workbooks", "merge_cells", **COSTS, start_cell="K2", end_cell="L3")["type"] == "already_merged"


def test_the_last_sheet_stays(call: Call) -> None:
    staff = {"filepath": "/reports/staff.xlsx", "sheet_name": "Staff"}
    assert call("workbooks", "delete_worksheet", **staff)["type"] == "last_sheet"


# Git

REPO = {"repo_path": "/work/north"}


def test_what_is_staged_is_committed_and_logged(call: Call) -> None:
    assert call("git", "git_status", **REPO)["untracked"] == ["build/out.txt", "draft.txt"]
    call("git", "git_add", **REPO, files=["draft.txt"])
    made = call("git", "git_commit", **REPO, message="Add the draft")
    assert call("git", "git_log", **REPO, max_count=1)["commits"][0]["hash"] == made["hash"]
    assert call("git", "git_status", **REPO)["staged"] == []
    assert call("git", "git_commit", **REPO, message="Again")["type"] == "nothing_staged"


def test_switching_would_not_lose_changes(call: Call) -> None:
    assert "Notes of the whole team." in call("git", "git_diff_unstaged", **REPO)["diff"]
    assert call("git", "git_checkout", **REPO, branch_name="old")["type"] == "dirty"
    assert call("git", "git_checkout", **REPO, branch_name="rounding")["branch"] == "rounding"
    assert "Notes of the whole team." in call("git", "git_diff_unstaged", **REPO)["diff"]


def test_a_merge_brings_the_other_side_in(call: Call) -> None:
    clean = {"repo_path": "/work/alder"}
    assert call("git", "git_merge_branch", **clean, source_branch="rounding")["fast_forward"] is True
    assert call("git", "git_log", **clean)["commits"][0]["message"] == "Round the total"
    assert call("git", "git_merge_branch", **clean, source_branch="rounding")["type"] == "up_to_date"


# Devices


def test_a_tap_opens_the_app_that_lies_there(call: Call) -> None:
    elements = call("phone", "mobile_list_elements_on_screen")["elements"]
    mail = next(one["frame"] for one in elements if one["label"] == "Mail")
    assert call("phone", "mobile_tap", x=mail["x"] + 5, y=mail["y"] + 5)["app"] == "com.north.mail"
    call("phone", "mobile_type_text", text="budget")
    elements = call("phone", "mobile_list_elements_on_screen")["elements"]
    assert next(one for one in elements if one["label"] == "Search")["value"] == "budget"
    call("phone", "mobile_press_button", button="HOME")
    assert call("phone", "mobile_list_elements_on_screen")["app"] == "home"


def test_turning_the_device_exchanges_width_and_height(call: Call) -> None:
    size = call("phone", "mobile_get_screen_size")
    call("phone", "mobile_set_orientation", orientation="landscape")
    assert call("phone", "mobile_get_screen_size") == {"width": size["height"], "height": size["width"]}
    assert call("phone", "mobile_set_orientation", orientation="askew")["code"] == 422
