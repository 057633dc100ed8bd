"""The rules of marketing mail, as short stories."""

from __future__ import annotations

from tests.library.cases_marketing_mail import BODY, THEIRS, draft
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "marketing-mail"


def test_a_campaign_to_many_needs_the_eyes_of_somebody_else() -> None:
    env = patched(environment(S), S, "plans", "PLAN-1", review_above=1)
    campaign = {"campaign_id": draft(env, segment_id=None)["id"]}
    assert refused(env, S, "send_campaign", **campaign) == "review_missing"
    review = {"decision": "approved", "comment": "Fine."}
    assert refused(env, S, "review_campaign", **campaign, **review) == "own_campaign"
    env = patched(env, S, "campaigns", campaign["campaign_id"], **THEIRS)
    ok(env, S, "review_campaign", **campaign, **review)
    assert ok(env, S, "get_send_checklist", **campaign)["ready"]
    ok(env, S, "update_campaign", **campaign, subject="Another one")
    assert refused(env, S, "send_campaign", **campaign) == "review_missing"
    ok(env, S, "review_campaign", **campaign, **review)
    sent = ok(env, S, "send_campaign", **campaign)
    assert sent["status"] == "sent"
    assert len(rows(env, S, "deliveries", campaign_id=sent["id"])) == sent["emails_sent"] > 1
    assert refused(env, S, "update_campaign", **campaign, body=BODY) == "wrong_status"


def test_nobody_gets_two_campaigns_within_the_pause_unless_it_is_a_notice() -> None:
    env = environment(S)
    first = draft(env)
    before = ok(env, S, "get_sending_plan")["left_this_month"]
    assert ok(env, S, "send_campaign", campaign_id=first["id"])["emails_sent"] == 1
    assert ok(env, S, "get_sending_plan")["left_this_month"] == before - 1
    second = draft(env, segment_id=first["segment_id"], category="product")
    assert ok(env, S, "get_send_checklist", campaign_id=second["id"])["held_back_by_pause"] == 1
    assert refused(env, S, "send_campaign", campaign_id=second["id"]) == "all_held_back"
    notice = draft(env, segment_id=first["segment_id"])
    assert ok(env, S, "send_campaign", campaign_id=notice["id"])["held_back"] == 0


def test_who_has_left_is_not_brought_back_and_segments_follow_at_once() -> None:
    env = environment(S)
    campaign = draft(env)
    member = ok(env, S, "list_segment_members", segment_id=campaign["segment_id"])["members"][0]
    assert campaign["recipients"] == 1
    ok(env, S, "unsubscribe_member", member_id=member["id"], reason="Asked on the phone")
    assert ok(env, S, "get_campaign", campaign_id=campaign["id"])["recipients"] == 0
    assert refused(env, S, "send_campaign", campaign_id=campaign["id"]) == "no_recipients"
    again = {"audience_id": campaign["audience_id"], "email": member["email"], "name": member["name"]}
    assert refused(env, S, "add_member", **again) == "compliance_state"
    ok(env, S, "archive_member", member_id=member["id"])
    assert refused(env, S, "add_member", **again) == "compliance_state"


def test_the_report_adds_up() -> None:
    env = environment(S)
    campaign = one(env, S, "campaigns", status="sent")
    report = ok(env, S, "get_campaign_report", campaign_id=campaign["id"])
    shown = ok(env, S, "list_campaign_recipients", campaign_id=campaign["id"], limit=100)
    assert report["emails_sent"] == shown["total"]
    assert sum(report["clicks_by_link"].values()) == report["clicked"] <= report["opened"]
    opened = ok(env, S, "list_campaign_recipients", campaign_id=campaign["id"], opened=True)["total"]
    assert report["opened"] == opened
    bounced = ok(env, S, "list_campaign_recipients", campaign_id=campaign["id"], outcome="bounced")["total"]
    assert report["bounced"] == bounced
