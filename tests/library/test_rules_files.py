"""The rules of files, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import added, ok, one, patched, refused, rows

SLUG = "files"


def test_versions_hold_what_was_there_and_count_against_the_quota() -> None:
    env = environment(SLUG)
    home = one(env, SLUG, "folders", name="Home")["id"]
    before = _used(env)
    file = ok(env, SLUG, "upload_file", folder_id=home, name="Plan.txt", content="One\nTwo")["id"]
    ok(env, SLUG, "update_file_content", file_id=file, content="Three")
    assert _used(env) == before + 2
    assert ok(env, SLUG, "read_file", file_id=file, version=1)["content"] == "One\nTwo"
    assert ok(env, SLUG, "read_file", file_id=file, version=1, from_line=2)["content"] == "Two"
    assert ok(env, SLUG, "restore_file_version", file_id=file, version=1)["version"] == 3
    assert ok(env, SLUG, "read_file", file_id=file)["content"] == "One\nTwo"
    assert [row["version"] for row in ok(env, SLUG, "list_file_versions", file_id=file)["versions"]] == [3, 2, 1]


def _used(env: object, drive: str = "My files") -> int:
    shown = ok(env, SLUG, "get_storage_usage")["drives"]  # type: ignore[arg-type]
    return int(next(row["used_kb"] for row in shown if row["name"] == drive))


def test_used_space_is_the_sum_of_files_versions_and_trash() -> None:
    env = environment(SLUG, scale="normal")
    usage = ok(env, SLUG, "get_storage_usage")
    everything = sum(row["size_kb"] for row in [*env.rows(SLUG, "files"), *env.rows(SLUG, "file_versions")])
    assert usage["total_used_kb"] == everything == sum(row["used_kb"] for row in usage["drives"])
    assert next(row["left_kb"] for row in usage["drives"] if row["name"] == "Customers") == 700


def test_a_large_copy_does_not_fit_into_a_full_drive() -> None:
    env = environment(SLUG, scale="normal")
    plans = {row["id"] for row in rows(env, SLUG, "folders", name="Plans")}
    large = next(
        row
        for row in env.rows(SLUG, "files")
        if row["folder_id"] in plans and row["size_kb"] > 700 and row["trashed_on"] is None
    )
    inbox = one(env, SLUG, "folders", name="Inbox")["id"]
    assert refused(env, SLUG, "copy_file", file_id=large["id"], folder_id=inbox) == "quota_exceeded"
    drafts = one(env, SLUG, "folders", name="Drafts")["id"]
    assert ok(env, SLUG, "copy_file", file_id=large["id"], folder_id=drafts)["owner_email"] == ME.email


def test_restricted_folders_open_by_share_only() -> None:
    env = environment(SLUG)
    payroll = one(env, SLUG, "folders", name="Payroll")["id"]
    file = one(env, SLUG, "files", folder_id=payroll)["id"]
    assert refused(env, SLUG, "list_folder_contents", folder_id=payroll) == "no_access"
    assert refused(env, SLUG, "read_file", file_id=file) == "no_access"
    assert ok(env, SLUG, "search_files", query="48200.00")["total"] == 0
    share = {"id": "FS-9000", "folder_id": payroll, "email": ME.email, "role": "viewer"}
    env = added(env, SLUG, "shares", share)
    assert "sales,48200.00" in ok(env, SLUG, "read_file", file_id=file)["content"]
    assert refused(env, SLUG, "rename_file", file_id=file, name="X.csv") == "no_permission"


def test_confidential_files_stay_inside_and_in_their_drive() -> None:
    env = environment(SLUG)
    home, rules = (one(env, SLUG, "folders", name=name)["id"] for name in ("Home", "Rules"))
    file = ok(
        env, SLUG, "upload_file", folder_id=home, name="Offer.txt", content="Text", classification="confidential"
    )["id"]
    assert refused(env, SLUG, "share_file", file_id=file, email="ana@north.example") == "confidential_file"
    assert refused(env, SLUG, "move_file", file_id=file, folder_id=rules) == "confidential_file"
    link = {"file_id": file, "audience": "anyone", "expires_on": "2026-04-01"}
    assert refused(env, SLUG, "create_shared_link", **link) == "confidential_file"
    made = ok(env, SLUG, "create_shared_link", file_id=file)
    assert made["audience"] == "company"
    assert ok(env, SLUG, "move_file_to_trash", file_id=file)["links_revoked"] == 1
    assert ok(env, SLUG, "restore_file", file_id=file)["links"] == 0


def test_a_lock_keeps_others_out_and_a_manager_can_open_it() -> None:
    env = environment(SLUG)
    file = one(env, SLUG, "files", name="Delivery rules.txt")["id"]
    env = patched(env, SLUG, "files", file, locked_by_email="ana@larkfield.example", lock_reason="Mine.")
    assert refused(env, SLUG, "update_file_content", file_id=file, content="New") == "file_locked"
    assert ok(env, SLUG, "unlock_file", file_id=file)["locked_by_email"] is None
    assert ok(env, SLUG, "lock_file", file_id=file, reason="Editing.")["lock_reason"] == "Editing."
    assert ok(env, SLUG, "update_file_content", file_id=file, content="New")["version"] == 3
