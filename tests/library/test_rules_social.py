"""The rules of social media, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.cases_social import NOON, post, profile
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "social"


def test_a_post_is_approved_by_somebody_else_and_loses_that_when_it_changes() -> None:
    env = environment(S)
    row = {"post_id": post(env, "larkfield_ops")["id"]}
    assert refused(env, S, "publish_post", **row) == "approval_missing"
    ok(env, S, "submit_for_approval", **row, note="Please look")
    yes = {"decision": "approved", "comment": "Fine."}
    assert refused(env, S, "review_post", **row, **yes) == "own_post"
    env = patched(env, S, "posts", row["post_id"], author_email="someone@larkfield.example")
    assert ok(env, S, "review_post", **row, **yes)["status"] == "approved"
    ok(env, S, "update_post", **row, text="Something else.")
    assert refused(env, S, "schedule_post", **row, scheduled_at=NOON) == "approval_missing"
    foreign = post(env, "larkfield-systems")["id"]
    ok(env, S, "submit_for_approval", post_id=foreign)
    assert refused(env, S, "review_post", post_id=foreign, **yes) == "not_approver"


def test_the_queue_fills_slot_by_slot_and_never_on_a_blackout() -> None:
    env = environment(S)
    status = profile(env, "larkfield_status")
    planned = []
    for number in range(4):
        offered = ok(env, S, "get_profile", profile_id=status)["next_free_slot"]
        row = ok(env, S, "add_to_queue", post_id=post(env, text=f"News {number}.")["id"])
        assert row["scheduled_at"] == offered
        planned.append(offered)
    assert planned == sorted(set(planned))
    back = ok(env, S, "unschedule_post", post_id=row["id"])
    assert (back["status"], back["scheduled_at"]) == ("draft", None)
    day = planned[-1][:10]
    while ok(env, S, "get_profile", profile_id=status)["next_free_slot"][:10] < day:
        ok(env, S, "add_to_queue", post_id=post(env, text=f"Filler {len(rows(env, S, 'posts'))}.")["id"])
    for other in rows(env, S, "posts", status="scheduled"):
        if other["scheduled_at"][:10] == day:
            ok(env, S, "unschedule_post", post_id=other["id"])
    ok(env, S, "create_blackout", reason="Quiet", first_day=day, last_day=day)
    assert ok(env, S, "get_profile", profile_id=status)["next_free_slot"][:10] > day


def test_complaints_are_answered_before_they_are_closed_and_customers_are_not_hidden() -> None:
    env = environment(S)
    found = one(env, S, "messages", status="open", sentiment="negative", hidden=False)["id"]
    env = patched(env, S, "messages", found, assignee_email=None, kind="comment", author_company="Some Customer")
    message = {"message_id": found}
    assert refused(env, S, "hide_comment", **message) == "customer_comment"
    assert refused(env, S, "close_message", **message, outcome="Ignored") == "answer_missing"
    assert ok(env, S, "reply_to_message", **message, text="Ask support", internal=True)["message_status"] == "open"
    answered = ok(env, S, "reply_to_message", **message, text="We are sorry.")
    assert (answered["message_status"], answered["assignee_email"]) == ("answered", ME.email)
    ok(env, S, "assign_message", **message, assignee_email="someone@larkfield.example")
    assert refused(env, S, "close_message", **message, outcome="Done") == "assigned_to_other"
    ok(env, S, "assign_message", **message, assignee_email=ME.email)
    assert ok(env, S, "close_message", **message, outcome="Called")["status"] == "closed"


def test_figures_add_up_whichever_way_they_are_cut() -> None:
    env = environment(S)
    reports = [
        ok(env, S, "get_analytics", group_by=kind, limit=100) for kind in ("profile", "topic", "author", "weekday")
    ]
    for report in reports:
        assert report["totals"] == reports[0]["totals"]
        for name in ("posts", "impressions", "likes", "shares", "clicks"):
            assert sum(row[name] for row in report["rows"]) == report["totals"][name]
    assert reports[0]["totals"]["posts"] == len(rows(env, S, "posts", status="published"))
