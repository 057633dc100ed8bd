"""The rules of the secrets manager, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.cases_secrets import CRITICAL, STRONG, colleague, vault_of, waiting
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "secrets"


def test_a_critical_vault_needs_two_approvals() -> None:
    env, request = waiting(environment(S), CRITICAL)
    before = len(rows(env, S, "grants"))
    first = ok(env, S, "decide_request", request_id=request, decision="approve")
    assert (first["status"], first["approvals_missing"], first["grant"]) == ("pending", 1, None)
    assert len(rows(env, S, "grants")) == before
    assert refused(env, S, "decide_request", request_id=request, decision="deny", comment="No") == "decided_already"


def test_an_approved_request_gives_the_role_for_its_days() -> None:
    env, request = waiting(environment(S), "Offices")
    person = one(env, S, "requests", id=request)["requester_email"]
    done = ok(env, S, "decide_request", request_id=request, decision="approve")
    assert done["status"] == "approved"
    assert (done["grant"]["email"], done["grant"]["role"], done["grant"]["expires_on"]) == (
        person,
        "editor",
        "2026-03-09",
    )
    assert refused(env, S, "decide_request", request_id=request, decision="approve") == "not_pending"


def test_a_value_is_seen_by_a_checkout_alone() -> None:
    env, vault = vault_of(environment(S), "Offices", "editor")
    secret = ok(env, S, "create_secret", vault_id=vault, name="Safe", value=STRONG, exclusive=True)
    place = {"secret_id": secret["id"]}
    assert STRONG not in str(ok(env, S, "get_secret", **place)) + str(ok(env, S, "list_secrets", query="Safe"))
    taken = ok(env, S, "checkout_secret", **place, reason="Safe is locked", minutes=30)
    assert (taken["value"], taken["version"]) == (STRONG, 1)
    assert refused(env, S, "checkout_secret", **place, reason="Again") == "already_yours"
    assert ok(env, S, "get_secret", **place)["checked_out_by"] == [ME.email]
    ok(env, S, "checkin_secret", checkout_id=taken["id"])
    assert ok(env, S, "get_secret", **place)["checked_out_by"] == []
    log = ok(env, S, "search_audit_log", subject=secret["id"])["entries"]
    assert [row["action"] for row in log] == ["secret.checkin", "secret.checkout", "secret.create"]


def test_a_rotation_refuses_what_was_used_before() -> None:
    env, vault = vault_of(environment(S), "Offices", "editor")
    secret = ok(env, S, "create_secret", vault_id=vault, name="Safe", value=STRONG)
    place = {"secret_id": secret["id"]}
    assert refused(env, S, "rotate_secret", **place, value=STRONG) == "value_used_before"
    assert refused(env, S, "rotate_secret", **place, value="short") == "too_short"
    assert ok(env, S, "rotate_secret", **place, value=f"{STRONG}-2")["version"] == 2
    assert refused(env, S, "delete_secret", **place) == "no_access"


def test_access_comes_by_groups_and_goes_with_them() -> None:
    env = environment(S)
    group = one(env, S, "groups", owner_email=ME.email, name="Customer desk")
    vault = one(env, S, "vaults", name="Support tools")
    person = next(row for row in rows(env, S, "users", team="finance") if not row["suspended"])
    env = patched(env, S, "groups", group["id"], member_emails=[ME.email])

    def reach() -> list[str]:
        return [row["email"] for row in ok(env, S, "list_users", vault_id=vault["id"], limit=100)["users"]]

    assert person["email"] not in reach()
    ok(env, S, "add_group_member", group_id=group["id"], email=person["email"])
    assert person["email"] in reach()
    ok(env, S, "remove_group_member", group_id=group["id"], email=person["email"])
    assert person["email"] not in reach()


def test_a_revoked_grant_ends_what_was_checked_out() -> None:
    env, vault = vault_of(environment(S), "Offices")
    grant = ok(env, S, "grant_access", vault_id=vault, email=colleague(env), role="manager")
    secret = one(env, S, "secrets", name="Alarm code Larkfield House")
    taken = ok(env, S, "checkout_secret", secret_id=secret["id"], reason="Alarm")
    done = ok(env, S, "revoke_access", grant_id="GRT-9000")
    assert done["checked_in"] == [taken["id"]]
    assert refused(env, S, "revoke_access", grant_id=grant["id"]) == "no_access"
