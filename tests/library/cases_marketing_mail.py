"""Situations in marketing mail; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.driver import SPECIAL, Driver
from tests.library.world import Row, ok, one, patched, rows

S = "marketing-mail"
BODY = "Hello {{first_name}}. {{unsubscribe}}"
THEIRS = {"created_by": "someone@larkfield.example", "updated_at": "2026-03-01T09:00:00Z"}
TOMORROW = "2026-03-03T10:15:00Z"
PEOPLE += [(S, "members")]


def _own_tag(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A tag that somebody has."""
    for row in driver.env.rows(S, "members"):
        if row["tags"] and row["status"] != "archived":
            return {"member_id": row["id"], "add_tags": [], "remove_tags": [row["tags"][0]]}
    return {}


SPECIAL[S, "update_member_tags"] = _own_tag


def draft(env: Env, audience: str = "Fleet customers", **more: Any) -> Row:
    """A new draft of mine for the members of one segment, so few that no review is needed."""
    audience_id = one(env, S, "audiences", name=audience)["id"]
    if "segment_id" not in more:
        name = f"Few {len(rows(env, S, 'segments'))}"
        member = next(row for row in rows(env, S, "members", audience_id=audience_id, status="subscribed"))
        ok(env, S, "update_member_tags", member_id=member["id"], add_tags=[name])
        more["segment_id"] = ok(env, S, "create_segment", audience_id=audience_id, name=name, tag=name)["id"]
    title = f"Draft {len(rows(env, S, 'campaigns'))}"
    values = {"title": title, "audience_id": audience_id, "subject": "Hello", "body": BODY, "category": "service"}
    found: Row = ok(env, S, "create_campaign", **{**values, **more})
    return found


def _arguments(campaign: Row, tool: str) -> dict[str, Any]:
    return {"campaign_id": campaign["id"], **({"send_at": TOMORROW} if tool == "schedule_campaign" else {})}


for _tool in ("send_campaign", "schedule_campaign"):

    @case(S, _tool, "unknown_merge_tag")
    def _(env: Env, tool: str = _tool) -> Situation:
        return env, _arguments(draft(env, body=BODY + " {{discount}}"), tool)

    @case(S, _tool, "no_content")
    def _(env: Env, tool: str = _tool) -> Situation:
        return env, _arguments(draft(env, body=""), tool)

    @case(S, _tool, "no_unsubscribe_link")
    def _(env: Env, tool: str = _tool) -> Situation:
        return env, _arguments(draft(env, body="Hello"), tool)

    @case(S, _tool, "no_recipients")
    def _(env: Env, tool: str = _tool) -> Situation:
        audience_id = one(env, S, "audiences", name="Fleet customers")["id"]
        nobody = ok(env, S, "create_segment", audience_id=audience_id, name="Nobody", tag="nobody has this")
        return env, _arguments(draft(env, segment_id=nobody["id"]), tool)

    @case(S, _tool, "review_missing")
    def _(env: Env, tool: str = _tool) -> Situation:
        arguments = _arguments(draft(env, segment_id=None), tool)
        return patched(env, S, "plans", "PLAN-1", review_above=1), arguments

    @case(S, _tool, "changes_requested")
    def _(env: Env, tool: str = _tool) -> Situation:
        campaign = draft(env)
        env = patched(env, S, "campaigns", campaign["id"], **THEIRS)
        ok(
            env,
            S,
            "review_campaign",
            campaign_id=campaign["id"],
            decision="changes_requested",
            comment="Shorter, please.",
        )
        return env, _arguments(campaign, tool)

    @case(S, _tool, "over_limit")
    def _(env: Env, tool: str = _tool) -> Situation:
        arguments = _arguments(draft(env), tool)
        return patched(env, S, "plans", "PLAN-1", monthly_emails=0), arguments


@case(S, "send_campaign", "all_held_back")
def _(env: Env) -> Situation:
    first = draft(env)
    ok(env, S, "send_campaign", campaign_id=first["id"])
    return env, {"campaign_id": draft(env, segment_id=first["segment_id"], category="newsletter")["id"]}


@case(S, "schedule_campaign", "slot_taken")
def _(env: Env) -> Situation:
    first = draft(env)
    ok(env, S, "schedule_campaign", campaign_id=first["id"], send_at=TOMORROW)
    return env, {"campaign_id": draft(env)["id"], "send_at": "2026-03-03T10:45:00Z"}


@case(S, "schedule_campaign", "quiet_hours")
def _(env: Env) -> Situation:
    return env, {"campaign_id": draft(env)["id"], "send_at": "2026-03-03T22:00:00Z"}


@case(S, "schedule_campaign", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"campaign_id": draft(env)["id"], "send_at": "2026-01-03T10:00:00Z"}


@case(S, "schedule_campaign", "invalid_time")
def _(env: Env) -> Situation:
    return env, {"campaign_id": draft(env)["id"], "send_at": "2026-02-30T10:00:00Z"}


@case(S, "add_member", "too_many_tags")
def _(env: Env) -> Situation:
    audience = one(env, S, "audiences")["id"]
    person = {"email": "new@fresh.example", "name": "New Person"}
    return env, {"audience_id": audience, **person, "tags": [f"tag {number}" for number in range(13)]}


@case(S, "update_member_tags", "too_many_tags")
def _(env: Env) -> Situation:
    member = one(env, S, "members", status="subscribed")["id"]
    return env, {"member_id": member, "add_tags": [f"tag {number}" for number in range(13)]}


@case(S, "update_member", "blank_text")
def _(env: Env) -> Situation:
    return env, {"member_id": one(env, S, "members", status="subscribed")["id"], "name": "  "}


@case(S, "replicate_campaign", "not_sent")
def _(env: Env) -> Situation:
    return env, {"campaign_id": draft(env)["id"], "title": "A copy", "not_opened_only": True}


@case(S, "review_campaign", "own_campaign")
def _(env: Env) -> Situation:
    return env, {"campaign_id": draft(env)["id"], "decision": "approved", "comment": "Fine."}


@case(S, "review_campaign", "same_decision")
def _(env: Env) -> Situation:
    campaign = draft(env)
    env = patched(env, S, "campaigns", campaign["id"], **THEIRS)
    values = {"campaign_id": campaign["id"], "decision": "approved", "comment": "Fine."}
    ok(env, S, "review_campaign", **values)
    return env, values


@case(S, "create_campaign", "retired_template")
def _(env: Env) -> Situation:
    template = one(env, S, "templates", retired=True)["id"]
    audience = one(env, S, "audiences")["id"]
    return env, {"title": "Old", "audience_id": audience, "subject": "Old", "template_id": template}


@case(S, "add_member", "member_exists")
def _(env: Env) -> Situation:
    member = one(env, S, "members", status="subscribed")
    return env, {"audience_id": member["audience_id"], "email": member["email"].upper(), "name": ME.name}


@case(S, "update_member", "member_exists")
def _(env: Env) -> Situation:
    member = one(env, S, "members", status="subscribed")
    other = rows(env, S, "members", status="subscribed", audience_id=member["audience_id"])[1]
    return env, {"member_id": member["id"], "email": other["email"]}
