"""Situations in files; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import added, ok, one, patched

SLUG = "files"
LOCK = {"locked_by_email": "ana@larkfield.example", "lock_reason": "Mine."}


def _folder(env: Env, name: str) -> str:
    return str(one(env, SLUG, "folders", name=name)["id"])


def _file(env: Env, folder: str = "Home", **arguments: Any) -> str:
    """A new file of yours."""
    return str(
        ok(
            env,
            SLUG,
            "upload_file",
            **{"folder_id": _folder(env, folder), "name": "Plan.txt", "content": "Text", **arguments},
        )["id"]
    )


def _with(env: Env, folder: str, **changes: Any) -> Env:
    """FILE-9000, a file that is not yours, in a folder."""
    row = {
        "id": "FILE-9000",
        "folder_id": _folder(env, folder),
        "name": "Theirs.txt",
        "kind": "text",
        "content": "Text",
        "size_kb": 1,
        "owner_email": "ana@larkfield.example",
        "modified_at": "2026-02-01T09:00:00Z",
        "modified_by_email": "ana@larkfield.example",
    }
    return added(env, SLUG, "files", {**row, **changes})


def _link(env: Env, folder: str, **changes: Any) -> Situation:
    row = {
        "id": "LNK-9000",
        "file_id": "FILE-9000",
        "url": "https://files.larkfield.example/s/x",
        "audience": "company",
        "allow_download": True,
        "created_by_email": "ana@larkfield.example",
        "created_on": "2026-02-01",
    }
    return added(_with(env, folder, **changes), SLUG, "shared_links", row), {"link_id": "LNK-9000"}


@case(SLUG, "revoke_shared_link", "no_access")
def _(env: Env) -> Situation:
    return _link(env, "Payroll")


@case(SLUG, "revoke_shared_link", "no_permission")
def _(env: Env) -> Situation:
    return _link(env, "Policies")


@case(SLUG, "revoke_shared_link", "in_trash")
def _(env: Env) -> Situation:
    return _link(env, "Rules", trashed_on="2026-03-01")


def _share(env: Env, folder: str, **changes: Any) -> Situation:
    row = {"id": "FS-9000", "file_id": "FILE-9000", "email": "ben@larkfield.example", "role": "viewer"}
    return added(_with(env, folder, **changes), SLUG, "shares", row), {"share_id": "FS-9000"}


@case(SLUG, "remove_share", "no_access")
def _(env: Env) -> Situation:
    return _share(env, "Payroll")


@case(SLUG, "remove_share", "no_permission")
def _(env: Env) -> Situation:
    return _share(env, "Policies")


@case(SLUG, "remove_share", "in_trash")
def _(env: Env) -> Situation:
    return _share(env, "Rules", trashed_on="2026-03-01")


@case(SLUG, "restore_file", "no_access")
def _(env: Env) -> Situation:
    return _with(env, "Payroll", trashed_on="2026-03-01"), {"file_id": "FILE-9000"}


@case(SLUG, "restore_file", "no_permission")
def _(env: Env) -> Situation:
    return _with(env, "Policies", trashed_on="2026-03-01"), {"file_id": "FILE-9000"}


@case(SLUG, "restore_file", "retention_over")
def _(env: Env) -> Situation:
    return _with(env, "Rules", trashed_on="2026-01-10"), {"file_id": "FILE-9000"}


@case(SLUG, "restore_file", "name_taken")
def _(env: Env) -> Situation:
    env = _with(env, "Rules", trashed_on="2026-03-01")
    _file(env, "Rules", name="Theirs.txt")
    return env, {"file_id": "FILE-9000"}


@case(SLUG, "copy_file", "invalid_name")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "folder_id": _folder(env, "Home"), "name": "a/b.txt"}


@case(SLUG, "copy_file", "blank_text")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "folder_id": _folder(env, "Home"), "name": " "}


@case(SLUG, "copy_file", "name_taken")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "folder_id": _folder(env, "Home")}


@case(SLUG, "copy_file", "quota_exceeded")
def _(env: Env) -> Situation:
    return _with(env, "Rules", size_kb=900_000), {"file_id": "FILE-9000", "folder_id": _folder(env, "Home")}


@case(SLUG, "copy_file", "confidential_file")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env, classification="confidential"), "folder_id": _folder(env, "Rules")}


@case(SLUG, "move_file", "confidential_file")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env, classification="confidential"), "folder_id": _folder(env, "Rules")}


@case(SLUG, "move_file", "quota_exceeded")
def _(env: Env) -> Situation:
    return _with(env, "Rules", size_kb=900_000), {"file_id": "FILE-9000", "folder_id": _folder(env, "Home")}


@case(SLUG, "move_file", "name_taken")
def _(env: Env) -> Situation:
    _file(env, "Rules")
    return env, {"file_id": _file(env), "folder_id": _folder(env, "Rules")}


@case(SLUG, "move_file", "same_folder")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "folder_id": _folder(env, "Home")}


@case(SLUG, "rename_file", "same_name")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "name": "Plan.txt"}


@case(SLUG, "rename_file", "name_taken")
def _(env: Env) -> Situation:
    _file(env, name="Other.txt")
    return env, {"file_id": _file(env), "name": "other.txt"}


@case(SLUG, "rename_file", "invalid_name")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "name": "a/b.txt"}


@case(SLUG, "upload_file", "name_taken")
def _(env: Env) -> Situation:
    _file(env)
    return env, {"folder_id": _folder(env, "Home"), "name": "Plan.txt", "content": "Text"}


@case(SLUG, "upload_file", "invalid_name")
def _(env: Env) -> Situation:
    return env, {"folder_id": _folder(env, "Home"), "name": "a/b.txt", "content": "Text"}


def _no_room(env: Env) -> Env:
    return patched(env, SLUG, "drives", one(env, SLUG, "drives", name="My files")["id"], quota_kb=1)


@case(SLUG, "upload_file", "quota_exceeded")
def _(env: Env) -> Situation:
    return _no_room(env), {"folder_id": _folder(env, "Home"), "name": "Plan.txt", "content": "Text"}


def _own_text(env: Env) -> dict[str, Any]:
    """A text file of yours that is in no trash."""
    return one(env, SLUG, "files", name="To do this week.txt")


@case(SLUG, "update_file_content", "quota_exceeded")
def _(env: Env) -> Situation:
    return _no_room(env), {"file_id": _own_text(env)["id"], "content": "Text"}


@case(SLUG, "update_file_content", "blank_text")
def _(env: Env) -> Situation:
    return env, {"file_id": _own_text(env)["id"], "content": " "}


@case(SLUG, "update_file_content", "file_locked")
def _(env: Env) -> Situation:
    return patched(env, SLUG, "files", _own_text(env)["id"], **LOCK), {
        "file_id": _own_text(env)["id"],
        "content": "Text",
    }


@case(SLUG, "restore_file_version", "quota_exceeded")
def _(env: Env) -> Situation:
    file = _own_text(env)
    version = {
        "id": "FV-9000",
        "file_id": file["id"],
        "number": 7,
        "content": "Old",
        "size_kb": 5,
        "saved_at": "2026-01-01T09:00:00Z",
        "saved_by_email": ME.email,
    }
    return added(_no_room(env), SLUG, "file_versions", version), {"file_id": file["id"], "version": 7}


@case(SLUG, "restore_file_version", "file_locked")
def _(env: Env) -> Situation:
    file = _own_text(env)["id"]
    return patched(env, SLUG, "files", file, **LOCK), {"file_id": file, "version": 1}


@case(SLUG, "rename_file", "file_locked")
def _(env: Env) -> Situation:
    file = _own_text(env)["id"]
    return patched(env, SLUG, "files", file, **LOCK), {"file_id": file, "name": "New.txt"}


@case(SLUG, "move_file", "file_locked")
def _(env: Env) -> Situation:
    file = _own_text(env)["id"]
    return patched(env, SLUG, "files", file, **LOCK), {"file_id": file, "folder_id": _folder(env, "Rules")}


@case(SLUG, "move_file_to_trash", "file_locked")
def _(env: Env) -> Situation:
    file = _own_text(env)["id"]
    return patched(env, SLUG, "files", file, **LOCK), {"file_id": file}


@case(SLUG, "move_file_to_trash", "under_retention")
def _(env: Env) -> Situation:
    file = _own_text(env)["id"]
    return patched(env, SLUG, "files", file, retain_until="2027-01-01"), {"file_id": file}


@case(SLUG, "lock_file", "file_locked")
def _(env: Env) -> Situation:
    file = _own_text(env)["id"]
    return patched(env, SLUG, "files", file, **LOCK), {"file_id": file}


@case(SLUG, "unlock_file", "not_your_lock")
def _(env: Env) -> Situation:
    return _with(env, "Minutes", **LOCK), {"file_id": "FILE-9000"}


def _request(env: Env, folder: str) -> dict[str, Any]:
    return {"folder_id": _folder(env, folder), "title": "Signed copy", "requested_from_email": "ana@north.example"}


@case(SLUG, "create_file_request", "duplicate_request")
def _(env: Env) -> Situation:
    ok(env, SLUG, "create_file_request", **_request(env, "Inbox"))
    return env, _request(env, "Inbox")


@case(SLUG, "create_file_request", "restricted_folder")
def _(env: Env) -> Situation:
    share = {"id": "FS-9001", "folder_id": _folder(env, "Home"), "email": ME.email, "role": "editor"}
    env = added(env, SLUG, "shares", share)
    return patched(env, SLUG, "folders", _folder(env, "Home"), restricted=True), _request(env, "Home")


@case(SLUG, "create_file_request", "invalid_time")
def _(env: Env) -> Situation:
    return env, {**_request(env, "Inbox"), "due_on": "2026-06-31"}


@case(SLUG, "create_shared_link", "invalid_time")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "expires_on": "2026-06-31"}


@case(SLUG, "create_shared_link", "confidential_file")
def _(env: Env) -> Situation:
    file = _file(env, classification="confidential")
    return env, {"file_id": file, "audience": "anyone", "expires_on": "2026-04-01"}


@case(SLUG, "create_shared_link", "external_sharing_off")
def _(env: Env) -> Situation:
    file = _file(env)
    row = one(env, SLUG, "files", id=file)
    env = _with(env, "Policies", **{**row, "id": "FILE-9000", "folder_id": _folder(env, "Policies")})
    return env, {"file_id": "FILE-9000", "audience": "anyone", "expires_on": "2026-04-01"}


@case(SLUG, "share_file", "external_sharing_off")
def _(env: Env) -> Situation:
    env = _with(env, "Policies", owner_email=ME.email)
    return env, {"file_id": "FILE-9000", "email": "ana@north.example"}


@case(SLUG, "share_file", "confidential_file")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env, classification="confidential"), "email": "ana@north.example"}


@case(SLUG, "share_file", "outside_view_only")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "email": "ana@north.example", "role": "editor"}


@case(SLUG, "share_folder", "external_sharing_off")
def _(env: Env) -> Situation:
    drive = one(env, SLUG, "drives", name="My files")["id"]
    return patched(env, SLUG, "drives", drive, external_sharing=False), {
        "folder_id": _folder(env, "Home"),
        "email": "ana@north.example",
    }


@case(SLUG, "create_shared_link", "link_exists")
def _(env: Env) -> Situation:
    file = _file(env)
    ok(env, SLUG, "create_shared_link", file_id=file)
    return env, {"file_id": file}


@case(SLUG, "create_shared_link", "too_long")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "audience": "anyone", "expires_on": "2026-09-01"}


@case(SLUG, "create_shared_link", "end_date_needed")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "audience": "anyone"}


@case(SLUG, "close_file_request", "not_yours")
def _(env: Env) -> Situation:
    row = ok(env, SLUG, "create_file_request", **_request(env, "Inbox"))
    for name in ("path", "received", "overdue"):
        del row[name]
    other = {**row, "id": "FR-900", "created_by_email": "ana@larkfield.example"}
    return added(env, SLUG, "file_requests", other), {"request_id": "FR-900"}


@case(SLUG, "close_file_request", "already_closed")
def _(env: Env) -> Situation:
    row = ok(env, SLUG, "create_file_request", **_request(env, "Inbox"))
    ok(env, SLUG, "close_file_request", request_id=row["id"])
    return env, {"request_id": row["id"]}


@case(SLUG, "create_shared_link", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"file_id": _file(env), "expires_on": "2026-01-05"}


@case(SLUG, "move_file", "in_trash")
def _(env: Env) -> Situation:
    file = _file(env)
    ok(env, SLUG, "move_file_to_trash", file_id=file)
    return env, {"file_id": file, "folder_id": _folder(env, "Rules")}
