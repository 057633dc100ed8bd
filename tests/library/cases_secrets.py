"""Situations in the secrets manager; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, added, ok, one, patched, rows

S = "secrets"
PEOPLE += [(S, "users")]
STRONG = "correct-horse-battery"
CRITICAL = "Production databases"


def vault_of(env: Env, name: str, role: str = "manager") -> tuple[Env, str]:
    """A vault in which I have this role and no other."""
    vault = one(env, S, "vaults", name=name)
    for grant in rows(env, S, "grants", vault_id=vault["id"]):
        if grant["email"] == ME.email or grant["group_id"]:
            env = patched(env, S, "grants", grant["id"], expires_on="2026-01-01")
    grant = {"id": "GRT-9000", "vault_id": vault["id"], "email": ME.email, "role": role, "granted_by": ME.email}
    return added(env, S, "grants", grant), vault["id"]


def colleague(env: Env) -> str:
    active = rows(env, S, "users", suspended=False)
    return str(next(row["email"] for row in active if row["email"] != ME.email))


def waiting(env: Env, vault_name: str) -> tuple[Env, str]:
    """A request of a colleague that waits, in a vault on which I decide with another."""
    vault = one(env, S, "vaults", name=vault_name)
    env = patched(env, S, "vaults", vault["id"], approver_emails=[ME.email, "second@larkfield.example"])
    request = {"id": "REQ-9000", "vault_id": vault["id"], "requester_email": colleague(env), "role": "editor"}
    more = {"days": 7, "reason": "Import", "created_at": "2026-03-01T09:00:00Z"}
    return added(env, S, "requests", {**request, **more}), "REQ-9000"


@case(S, "create_secret", "invalid_date")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices")
    return env, {"vault_id": vault, "name": "Safe", "value": STRONG, "expires_on": "2026-02-30"}


@case(S, "create_secret", "duplicate_name")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices")
    ok(env, S, "create_secret", vault_id=vault, name="Safe", value=STRONG)
    return env, {"vault_id": vault, "name": "SAFE", "value": STRONG}


@case(S, "create_secret", "rotation_missing")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, CRITICAL)
    return env, {"vault_id": vault, "name": "Safe", "value": STRONG, "rotation_days": 91}


@case(S, "checkout_secret", "too_long")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, CRITICAL)
    values = {"vault_id": vault, "name": "Safe", "value": STRONG, "rotation_days": 60}
    secret = ok(env, S, "create_secret", **values)
    return env, {"secret_id": secret["id"], "reason": "Work", "minutes": 61}


def _held(env: Env, **more: Any) -> tuple[Env, Row]:
    """A secret that a colleague has now, in a vault in which I am manager."""
    secret = one(env, S, "secrets", name="Alarm code Larkfield House")
    env, _vault = vault_of(env, "Offices")
    env = patched(env, S, "secrets", secret["id"], expires_on=None, **more)
    lease = {"id": "LSE-9000", "secret_id": secret["id"], "email": colleague(env), "reason": "Work"}
    times = {"checked_out_at": "2026-03-02T08:00:00Z", "expires_at": "2026-03-03T09:00:00Z"}
    return added(env, S, "leases", {**lease, **times}), secret


@case(S, "checkout_secret", "checked_out")
def _(env: Env) -> Situation:
    env, secret = _held(env, exclusive=True)
    return env, {"secret_id": secret["id"], "reason": "Work"}


@case(S, "rotate_secret", "checked_out")
def _(env: Env) -> Situation:
    env, secret = _held(env)
    return env, {"secret_id": secret["id"], "value": STRONG}


@case(S, "delete_secret", "checked_out")
def _(env: Env) -> Situation:
    env, secret = _held(env)
    return env, {"secret_id": secret["id"]}


@case(S, "grant_access", "expiry_missing")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, CRITICAL)
    return env, {"vault_id": vault, "email": colleague(env), "role": "viewer"}


@case(S, "grant_access", "invalid_date")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, CRITICAL)
    return env, {"vault_id": vault, "email": colleague(env), "role": "viewer", "expires_on": "2026-02-30"}


@case(S, "grant_access", "has_access")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices")
    arguments = {"vault_id": vault, "email": colleague(env), "role": "editor", "expires_on": "2026-05-01"}
    ok(env, S, "grant_access", **arguments)
    return env, arguments


@case(S, "grant_access", "suspended")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices")
    away = one(env, S, "users", suspended=True)["email"]
    return env, {"vault_id": vault, "email": away, "role": "editor", "expires_on": "2026-05-01"}


@case(S, "revoke_access", "last_manager")
def _(env: Env) -> Situation:
    env, _vault = vault_of(env, "Offices")
    return env, {"grant_id": "GRT-9000"}


@case(S, "remove_group_member", "last_member")
def _(env: Env) -> Situation:
    group = one(env, S, "groups", owner_email=ME.email)
    env = patched(env, S, "groups", group["id"], member_emails=[ME.email])
    return env, {"group_id": group["id"], "email": ME.email.upper()}


@case(S, "request_access", "too_long")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, CRITICAL, "viewer")
    return env, {"vault_id": vault, "role": "editor", "reason": "Work", "days": 31, "for_email": ME.email}


@case(S, "request_access", "already_requested")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices", "viewer")
    for request in rows(env, S, "requests", vault_id=vault, requester_email=ME.email):
        env = patched(env, S, "requests", request["id"], status="cancelled")
    arguments = {"vault_id": vault, "role": "editor", "reason": "Work"}
    ok(env, S, "request_access", **arguments)
    return env, arguments


@case(S, "decide_request", "decided_already")
def _(env: Env) -> Situation:
    env, request = waiting(env, CRITICAL)
    arguments = {"request_id": request, "decision": "approve"}
    ok(env, S, "decide_request", **arguments)
    return env, arguments


@case(S, "decide_request", "not_an_approver")
def _(env: Env) -> Situation:
    env, request = waiting(env, "Offices")
    vault = one(env, S, "vaults", name="Offices")["id"]
    env = patched(env, S, "vaults", vault, approver_emails=["second@larkfield.example"])
    return env, {"request_id": request, "decision": "approve"}


@case(S, "decide_request", "comment_missing")
def _(env: Env) -> Situation:
    env, request = waiting(env, "Offices")
    return env, {"request_id": request, "decision": "deny"}


@case(S, "decide_request", "own_request")
def _(env: Env) -> Situation:
    env, request = waiting(env, "Offices")
    return patched(env, S, "requests", request, requester_email=ME.email), {
        "request_id": request,
        "decision": "approve",
    }


def _token(env: Env, name: str, expires_on: str) -> tuple[Env, dict[str, Any]]:
    env, vault = vault_of(env, name)
    return env, {"vault_id": vault, "name": "probe", "used_by": "A probe.", "expires_on": expires_on}


@case(S, "issue_token", "duplicate_name")
def _(env: Env) -> Situation:
    env, arguments = _token(env, "Offices", "2026-05-01")
    ok(env, S, "issue_token", **arguments)
    return env, {**arguments, "name": "Probe"}


@case(S, "issue_token", "too_long")
def _(env: Env) -> Situation:
    return _token(env, CRITICAL, "2026-07-01")


@case(S, "update_secret", "duplicate_name")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices")
    secret = ok(env, S, "create_secret", vault_id=vault, name="Safe", value=STRONG)
    return env, {"secret_id": secret["id"], "name": "Alarm code larkfield house"}


@case(S, "update_secret", "suspended")
def _(env: Env) -> Situation:
    env, vault = vault_of(env, "Offices")
    secret = ok(env, S, "create_secret", vault_id=vault, name="Safe", value=STRONG)
    return env, {"secret_id": secret["id"], "owner_email": one(env, S, "users", suspended=True)["email"]}


@case(S, "request_access", "suspended")
def _(env: Env) -> Situation:
    away = one(env, S, "users", suspended=True)["email"]
    return env, {"vault_id": "VLT-0001", "role": "editor", "reason": "Work", "for_email": away}
