"""What writes name: a bare id of something else, a key beside the id, keys and values that nobody sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess


def _said(kind: dict[str, Any], words: str) -> dict[str, Any]:
    return {**kind, "description": words}


def _names() -> tuple[dict[str, Any], ...]:
    course = _said(TEXT, "The unique identifier of the course to change.")
    policy = {"id": course, "deduction": {"type": "number"}}
    project = _said(TEXT, "The ID or key of the project.")
    product = _said(TEXT, "The number of the product.")
    edition = {
        "name": _said(TEXT, "The name, which together with the version uniquely identifies it."),
        "version": TEXT,
    }
    return (
        tool("list_courses"),
        tool("create_course", {"title": TEXT}, "title"),
        tool("get_late_policy", {"id": course}, "id"),
        tool("create_late_policy", policy, "id", description="Each course can have only one late policy."),
        tool("update_course_late_policy", policy, "id"),
        tool("create_project", {"title": TEXT, "key": TEXT}, "title key"),
        tool("get_project", {"projectIdOrKey": project}, "projectIdOrKey"),
        tool("create_board", {"project_id_or_key": project, "title": TEXT}, "project_id_or_key title"),
        tool("list_boards", {"project_id_or_key": project}, "project_id_or_key"),
        tool("create_product", {"title": TEXT}, "title"),
        tool("get_product", {"product_number": product}, "product_number"),
        tool("create_licence", {"product_number": product, "seats": TEXT}, "product_number seats"),
        tool("list_licences"),
        tool("create_edition", edition, "name version"),
        tool("list_editions"),
        tool("change_filter_owner", {"filter_id": TEXT, "new_owner_id": TEXT}, "filter_id new_owner_id"),
        tool("get_filter", {"filter_id": TEXT}, "filter_id"),
        tool("create_filter", {"title": TEXT}, "title"),
    )


def _values() -> tuple[dict[str, Any], ...]:
    claim = {
        "title": TEXT,
        "posting_date": _said(TEXT, "Date YYYY-MM-DD (defaults to today)"),
        "kind": _said(TEXT, "Kind of claim (default: 'travel')"),
        "urgent": _said({"type": "boolean"}, "Whether it is urgent. Defaults to false."),
        "approver": _said(TEXT, "Defaults to the current user."),
    }
    return (
        tool("create_claim", claim, "title"),
        tool("get_claim", {"claim_id": TEXT}, "claim_id"),
        tool("list_groups"),
        tool("create_group", {"title": TEXT}, "title"),
        tool("archive_group", {"group": _said(TEXT, "ID of group to archive")}),
    )


def _verbs() -> tuple[dict[str, Any], ...]:
    entry, member = _said(TEXT, "The ID of the entry."), _said(TEXT, "The ID of the member.")
    return (
        tool("create_job", {"title": TEXT}, "title"),
        tool("get_job", {"job_id": TEXT}, "job_id"),
        tool("pause_job", {"job_id": TEXT}, "job_id"),
        tool("unpause_job", {"job_id": TEXT}, "job_id"),
        tool("create_import", {"account_id": TEXT}, "account_id"),
        tool("get_import", {"import_id": TEXT}, "import_id"),
        tool("list_accounts"),
        tool("create_account", {"title": TEXT}, "title"),
        tool("abort_pending_imports", {"account_id": TEXT}, "account_id"),
        tool("create_entry", {"text": TEXT}, "text"),
        tool("get_entry", {"entry_id": TEXT}, "entry_id"),
        tool("rate_entry", {"entry_id": entry, "rating": {"type": "integer"}}, "entry_id rating"),
        tool("grade_entries", {"entry_ids": {"type": "array", "items": TEXT}, "grade": TEXT}, "grade"),
        tool("list_members"),
        tool("create_member", {"name": TEXT}, "name"),
        tool("enroll_member_in_course", {"member_id": member, "role": TEXT}, "member_id role"),
        tool("list_enrollments"),
        tool("exchange_rate", {}, description="The rate of today."),
        tool("withdraw_coins", {"coin_id": TEXT, "amount": {"type": "number"}}, "coin_id amount"),
        tool("list_coins"),
    )


MAKERS: dict[str, Callable[[], tuple[dict[str, Any], ...]]] = {"names": _names, "values": _values, "verbs": _verbs}


@pytest.fixture(scope="module")
def made() -> dict[str, BuiltService]:
    specs: dict[str, Specification] = {name: spec_of(*make(), name=name) for name, make in MAKERS.items()}
    return {name: build_with_rules(spec) for name, spec in specs.items()}


@pytest.fixture(scope="module")
def host(made: dict[str, BuiltService]) -> Iterator[ServiceHost]:
    files = {name: text for service in made.values() for name, text in service.packaged().items()}
    with SandboxProcess("services_app.engine.host", files=files) as process:
        yield ServiceHost(process, {service.slug: service.module for service in made.values()})


@pytest.fixture
def call(host: ServiceHost) -> Callable[..., Any]:
    environment = host.mount(list(MAKERS))

    def ask(service: str, name: str, /, **arguments: Any) -> Any:
        answer = environment.call(service, name, arguments)
        return answer["data"] if answer["success"] else answer["error"]

    return ask


def test_a_bare_id_names_what_its_words_say(call: Callable[..., Any]) -> None:
    course = call("names", "create_course", title="Botany")["id"]
    assert call("names", "create_late_policy", id=course, deduction=5)["deduction"] == 5
    assert call("names", "update_course_late_policy", id=course, deduction=9)["deduction"] == 9
    assert call("names", "get_late_policy", id=course)["deduction"] == 9
    assert call("names", "update_course_late_policy", id="nowhere", deduction=1)["code"] == 404


def test_only_one_of_a_kind_where_the_words_say_so(call: Callable[..., Any]) -> None:
    course = call("names", "create_course", title="Botany")["id"]
    assert "code" not in call("names", "create_late_policy", id=course, deduction=5)
    assert call("names", "create_late_policy", id=course, deduction=6)["code"] == 409
    assert "code" not in call("names", "create_edition", name="Atlas", version="1")
    assert "code" not in call("names", "create_edition", name="Atlas", version="2")
    assert call("names", "create_edition", name="Atlas", version="2")["code"] == 409


def test_a_parent_is_named_by_its_id_or_its_key(call: Callable[..., Any]) -> None:
    project = call("names", "create_project", title="Roof", key="ROOF")
    assert call("names", "get_project", projectIdOrKey="ROOF")["id"] == project["id"]
    board = call("names", "create_board", project_id_or_key="roof", title="Tiles")
    for name in (project["id"], "ROOF"):
        assert [row["id"] for row in call("names", "list_boards", project_id_or_key=name)["boards"]] == [board["id"]]
    assert call("names", "create_board", project_id_or_key="DOOR", title="Tiles")["code"] == 404


def test_new_records_get_the_key_that_tools_name_them_by(call: Callable[..., Any]) -> None:
    product = call("names", "create_product", title="Kettle")
    number = product["product_number"]
    assert number
    assert call("names", "get_product", product_number=number)["id"] == product["id"]
    assert "code" not in call("names", "create_licence", product_number=number, seats="4")
    assert call("names", "create_licence", product_number="none", seats="4")["code"] == 404


def test_an_owner_changes_on_the_record_that_is_no_owner(call: Callable[..., Any], made: Any) -> None:
    source = made["names"].files["tools.py"].split("def tool_change_filter_owner")[1].split("@service")[0]
    assert "pick(state.filters, args.get('filter_id'))" in source
    assert "state.filters.patch" in source


def test_values_that_are_not_sent_are_as_the_words_say(call: Callable[..., Any]) -> None:
    claim = call("values", "create_claim", title="Train")
    assert claim["posting_date"] == "2026-03-02"
    assert claim["kind"] == "travel"
    assert claim["urgent"] is False
    assert not claim["approver"]
    assert call("values", "create_claim", title="Bus", kind="local", urgent=True)["kind"] == "local"


def test_a_parameter_called_like_the_record_is_its_id(call: Callable[..., Any]) -> None:
    group = call("values", "create_group", title="Choir")["id"]
    assert call("values", "archive_group", group=group)["status"] == "archived"
    assert call("values", "archive_group", group="none")["code"] == 404
    assert call("values", "archive_group")["code"] == 400


def test_verbs_of_states(call: Callable[..., Any]) -> None:
    job = call("verbs", "create_job", title="Backup")["id"]
    assert call("verbs", "pause_job", job_id=job)["status"] == "paused"
    assert call("verbs", "unpause_job", job_id=job)["status"] == "active"
    assert call("verbs", "unpause_job", job_id=job)["code"] == 409


def test_pending_ones_of_a_parent_are_aborted_not_the_parent(call: Callable[..., Any]) -> None:
    mine, other = (call("verbs", "create_account", title=title)["id"] for title in "AB")
    job = call("verbs", "create_import", account_id=mine)["id"]
    spared = call("verbs", "create_import", account_id=other)["id"]
    assert [row["id"] for row in call("verbs", "abort_pending_imports", account_id=mine)["imports"]] == [job]
    assert call("verbs", "get_import", import_id=job)["status"] == "aborted"
    assert call("verbs", "get_import", import_id=spared)["status"] != "aborted"


def test_rating_changes_and_enrolling_makes_an_enrollment(call: Callable[..., Any], made: Any) -> None:
    entry = call("verbs", "create_entry", text="Well said")["id"]
    call("verbs", "rate_entry", entry_id=entry, rating=1)
    assert call("verbs", "get_entry", entry_id=entry)["rating"] == 1
    member = call("verbs", "create_member", name="Ana")["id"]
    assert call("verbs", "enroll_member_in_course", member_id=member, role="tutor")["role"] == "tutor"
    assert call("verbs", "list_enrollments")["total"] >= 1
    assert "several records" in made["verbs"].left_out["grade_entries"]
    assert "withdraw_coins" in made["verbs"].left_out
    assert made["verbs"].left_out["exchange_rate"] == "the name holds no verb that a rule covers"


def _pairs() -> tuple[dict[str, Any], ...]:
    team = _said(TEXT, "The unique identifier of the team.")
    both = {"id": team, "user_id": TEXT, "role": TEXT}
    page = {"group_id": TEXT, "url": TEXT, "body": TEXT}
    return (
        tool("create_team", {"title": TEXT}, "title"),
        tool("get_team", {"id": team}, "id"),
        tool("create_user", {"title": TEXT}, "title"),
        tool("get_user", {"user_id": TEXT}, "user_id"),
        tool("add_user_to_team", both, "id user_id"),
        tool("remove_user_from_team", {"id": team, "user_id": TEXT}, "id user_id"),
        tool("create_group", {"title": TEXT}, "title"),
        tool("create_wiki_page_group", page, "group_id url", description="Create a wiki page within a group."),
        tool("get_wiki_page", {"url": TEXT}, "url"),
        tool("update_wiki_page_group", page, "group_id url", description="Update a wiki page within a group."),
        tool("app-store-suggest", {"term": TEXT}, "term", description="Get suggestions."),
    )


MAKERS["pairs"] = _pairs


def test_who_is_added_and_removed_stays(call: Callable[..., Any]) -> None:
    team = call("pairs", "create_team", title="Red")["id"]
    user = call("pairs", "create_user", title="Ana")["id"]
    assert call("pairs", "add_user_to_team", id=team, user_id="nobody")["code"] == 404
    assert call("pairs", "add_user_to_team", id=team, user_id=user, role="lead")["role"] == "lead"
    assert [(row["team_id"], row["role"]) for row in call("pairs", "get_user", user_id=user)["teams"]] == [
        (team, "lead")
    ]
    assert "code" not in call("pairs", "remove_user_from_team", id=team, user_id=user)
    assert call("pairs", "get_user", user_id=user)["teams"] == []
    assert call("pairs", "remove_user_from_team", id=team, user_id=user)["code"] == 404


def test_what_lies_in_a_scope_is_changed_not_the_scope(call: Callable[..., Any], made: Any) -> None:
    group = call("pairs", "create_group", title="Choir")["id"]
    call("pairs", "create_wiki_page_group", group_id=group, url="songs", body="Old")
    assert call("pairs", "update_wiki_page_group", group_id=group, url="songs", body="New")["body"] == "New"
    assert call("pairs", "get_wiki_page", url="songs")["body"] == "New"
    assert "suggest" not in made["pairs"].files["state.py"] or "app-store-suggest" in made["pairs"].left_out
