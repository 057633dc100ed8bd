"""Situations in the cloud console; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

S = "cloud"
DEMO = "larkfield-demo"


def _launch(**more: Any) -> dict[str, Any]:
    values = {"name": "probe-1", "account": DEMO, "instance_type": "c6.large"}
    return {**values, "cost_center": "CC-400", "purpose": "A probe.", **more}


def _roomy(env: Env) -> Env:
    """Quotas and budgets that are in nobody's way."""
    for quota in rows(env, S, "quotas"):
        env = patched(env, S, "quotas", quota["id"], vcpu_limit=1000)
    for budget in rows(env, S, "budgets"):
        env = patched(env, S, "budgets", budget["id"], blocks_launches=False)
    return env


def _running(env: Env) -> tuple[Env, Row]:
    env = _roomy(env)
    instance = ok(env, S, "run_instance", **_launch())
    return env, instance


def _stopped(env: Env) -> tuple[Env, Row]:
    env, instance = _running(env)
    ok(env, S, "stop_instance", instance_id=instance["id"])
    return env, instance


def _gone(env: Env) -> tuple[Env, Row]:
    env, instance = _stopped(env)
    ok(env, S, "terminate_instance", instance_id=instance["id"])
    return env, instance


def _volume(env: Env, **more: Any) -> Row:
    values = {"name": "spare", "account": DEMO, "region": "eu-west-2", "size_gb": 40, **more}
    found: Row = ok(env, S, "create_volume", **values)
    return found


@case(S, "describe_instances", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "describe_volumes", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "describe_snapshots", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "describe_security_groups", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "get_cost_and_usage", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "list_budgets", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "list_quotas", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "list_recommendations", "not_found")
def _(env: Env) -> Situation:
    return env, {"account": "nothing"}


@case(S, "run_instance", "duplicate_name")
def _(env: Env) -> Situation:
    env, _instance = _running(env)
    return env, _launch(name="PROBE-1")


@case(S, "run_instance", "blank_text")
def _(env: Env) -> Situation:
    return env, _launch(purpose=" ")


@case(S, "run_instance", "type_retired")
def _(env: Env) -> Situation:
    return env, _launch(instance_type="m3.large")


@case(S, "run_instance", "other_account")
def _(env: Env) -> Situation:
    return env, _launch(security_group_id="sg-0d0001")


@case(S, "run_instance", "quota_exceeded")
def _(env: Env) -> Situation:
    env = _roomy(env)
    quota = one(env, S, "quotas", account=DEMO, region="eu-west-2")
    return patched(env, S, "quotas", quota["id"], vcpu_limit=1), _launch()


@case(S, "run_instance", "over_budget")
def _(env: Env) -> Situation:
    env = _roomy(env)
    budget = one(env, S, "budgets", account=DEMO)
    return patched(env, S, "budgets", budget["id"], monthly_limit=10.0, blocks_launches=True), _launch()


@case(S, "run_instance", "protection_required")
def _(env: Env) -> Situation:
    return env, _launch(account="larkfield-production")


@case(S, "run_instance", "no_permission")
def _(env: Env) -> Situation:
    return env, _launch(account="larkfield-data")


@case(S, "start_instance", "quota_exceeded")
def _(env: Env) -> Situation:
    env = _roomy(env)
    for quota in rows(env, S, "quotas"):
        env = patched(env, S, "quotas", quota["id"], vcpu_limit=1)
    return env, {"instance_id": one(env, S, "instances", account=DEMO, state="stopped")["id"]}


@case(S, "start_instance", "over_budget")
def _(env: Env) -> Situation:
    env = _roomy(env)
    budget = one(env, S, "budgets", account=DEMO)
    env = patched(env, S, "budgets", budget["id"], monthly_limit=10.0, blocks_launches=True)
    return env, {"instance_id": one(env, S, "instances", account=DEMO, state="stopped")["id"]}


@case(S, "start_instance", "terminated")
def _(env: Env) -> Situation:
    env, instance = _gone(env)
    return env, {"instance_id": instance["id"]}


@case(S, "stop_instance", "terminated")
def _(env: Env) -> Situation:
    env, instance = _gone(env)
    return env, {"instance_id": instance["id"]}


@case(S, "terminate_instance", "terminated")
def _(env: Env) -> Situation:
    env, instance = _gone(env)
    return env, {"instance_id": instance["id"]}


@case(S, "modify_instance", "terminated")
def _(env: Env) -> Situation:
    env, instance = _gone(env)
    return env, {"instance_id": instance["id"], "cost_center": "CC-100"}


@case(S, "attach_volume", "terminated")
def _(env: Env) -> Situation:
    env, instance = _gone(env)
    return env, {"volume_id": _volume(env)["id"], "instance_id": instance["id"]}


@case(S, "modify_instance", "nothing_to_change")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"instance_id": instance["id"]}


@case(S, "modify_instance", "duplicate_name")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    ok(env, S, "run_instance", **_launch(name="probe-2"))
    return env, {"instance_id": instance["id"], "name": "Probe-2"}


@case(S, "modify_instance", "type_retired")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"instance_id": instance["id"], "instance_type": "m3.large"}


@case(S, "modify_instance", "not_stopped")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"instance_id": instance["id"], "instance_type": "m5.large"}


@case(S, "modify_instance", "other_account")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"instance_id": instance["id"], "security_group_id": "sg-0d0001"}


@case(S, "modify_instance", "blank_text")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"instance_id": instance["id"], "purpose": " "}


@case(S, "modify_instance", "not_the_owner")
def _(env: Env) -> Situation:
    instance = one(env, S, "instances", account=DEMO, state="running")
    env = patched(env, S, "instances", instance["id"], termination_protection=True, owner_email="a@larkfield.example")
    return env, {"instance_id": instance["id"], "termination_protection": False}


@case(S, "stop_instance", "not_the_owner")
def _(env: Env) -> Situation:
    instance = one(env, S, "instances", account="larkfield-production", state="running")
    env = patched(env, S, "instances", instance["id"], owner_email="a@larkfield.example")
    return env, {"instance_id": instance["id"]}


@case(S, "terminate_instance", "not_stopped")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"instance_id": instance["id"]}


@case(S, "attach_volume", "too_many_volumes")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    for number in range(3):
        ok(env, S, "attach_volume", volume_id=_volume(env, name=f"data {number}")["id"], instance_id=instance["id"])
    return env, {"volume_id": _volume(env)["id"], "instance_id": instance["id"]}


@case(S, "attach_volume", "other_region")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    return env, {"volume_id": _volume(env, region="us-east-2")["id"], "instance_id": instance["id"]}


@case(S, "detach_volume", "instance_running")
def _(env: Env) -> Situation:
    env, instance = _running(env)
    volume = _volume(env)
    ok(env, S, "attach_volume", volume_id=volume["id"], instance_id=instance["id"])
    return env, {"volume_id": volume["id"]}


@case(S, "create_volume", "other_region")
def _(env: Env) -> Situation:
    snapshot = ok(env, S, "create_snapshot", volume_id=_volume(env)["id"], description="Copy")
    values = {"name": "copy", "account": DEMO, "region": "us-east-2", "size_gb": 50}
    return env, {**values, "snapshot_id": snapshot["id"]}


@case(S, "create_volume", "too_small")
def _(env: Env) -> Situation:
    values = {"name": "archive", "account": DEMO, "region": "us-east-2", "size_gb": 50}
    return env, {**values, "volume_type": "st1"}


@case(S, "create_volume", "blank_text")
def _(env: Env) -> Situation:
    return env, {"name": " ", "account": DEMO, "region": "us-east-2", "size_gb": 50}


@case(S, "modify_volume", "nothing_to_change")
def _(env: Env) -> Situation:
    return env, {"volume_id": _volume(env)["id"], "volume_type": "gp3"}


@case(S, "modify_volume", "too_small")
def _(env: Env) -> Situation:
    return env, {"volume_id": _volume(env)["id"], "size_gb": 40}


@case(S, "delete_volume", "no_snapshot")
def _(env: Env) -> Situation:
    return env, {"volume_id": _volume(env, account="larkfield-production")["id"]}


@case(S, "create_snapshot", "blank_text")
def _(env: Env) -> Situation:
    return env, {"volume_id": _volume(env)["id"], "description": " "}


@case(S, "create_snapshot", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"volume_id": _volume(env)["id"], "description": "Copy", "locked_until": "2026-01-01"}


@case(S, "delete_snapshot", "snapshot_locked")
def _(env: Env) -> Situation:
    lock = {"description": "Copy", "locked_until": "2026-07-01"}
    return env, {"snapshot_id": ok(env, S, "create_snapshot", volume_id=_volume(env)["id"], **lock)["id"]}


def _rule(**more: Any) -> dict[str, Any]:
    return {"group_id": "sg-0d0005", "from_port": 8443, "cidr": "203.0.113.0/24", "description": "A site.", **more}


@case(S, "authorize_ingress", "duplicate_rule")
def _(env: Env) -> Situation:
    ok(env, S, "authorize_ingress", **_rule())
    return env, _rule()


@case(S, "authorize_ingress", "invalid_cidr")
def _(env: Env) -> Situation:
    return env, _rule(cidr="203.0.300.0/24")


@case(S, "authorize_ingress", "invalid_range")
def _(env: Env) -> Situation:
    return env, _rule(to_port=80)


@case(S, "authorize_ingress", "open_to_the_world")
def _(env: Env) -> Situation:
    return env, _rule(cidr="0.0.0.0/0")


@case(S, "authorize_ingress", "description_missing")
def _(env: Env) -> Situation:
    return env, _rule(group_id="sg-0d0001", description="")


def _more(env: Env, wanted: int) -> dict[str, Any]:
    quota = one(env, S, "quotas", account=DEMO, region="us-east-2")
    place = {"account": DEMO, "region": "us-east-2", "reason": "A pilot."}
    return {**place, "wanted_vcpus": quota["vcpu_limit"] + wanted}


@case(S, "request_quota_increase", "already_requested")
def _(env: Env) -> Situation:
    arguments = _more(env, 2)
    ok(env, S, "request_quota_increase", **arguments)
    return env, arguments


@case(S, "request_quota_increase", "not_an_increase")
def _(env: Env) -> Situation:
    return env, _more(env, 0)


@case(S, "request_quota_increase", "too_much")
def _(env: Env) -> Situation:
    return env, {**_more(env, 0), "wanted_vcpus": 2000}


@case(S, "request_quota_increase", "blank_text")
def _(env: Env) -> Situation:
    return env, {**_more(env, 2), "reason": " "}


@case(S, "update_budget", "needs_owner")
def _(env: Env) -> Situation:
    budget = one(env, S, "budgets", account="larkfield-production")
    return env, {"budget_id": budget["id"], "monthly_limit": 2 * budget["monthly_limit"]}


@case(S, "update_budget", "duplicate_email")
def _(env: Env) -> Situation:
    return env, {"budget_id": one(env, S, "budgets")["id"], "notify_emails": [ME.email, ME.email.upper()]}
