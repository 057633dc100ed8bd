"""Situations in social media; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched

S = "social"
NOON = "2026-03-05T12:00:00Z"
WRITES = ("schedule_post", "add_to_queue", "publish_post")


def profile(env: Env, handle: str) -> str:
    return str(one(env, S, "profiles", handle=handle)["id"])


def post(env: Env, handle: str = "larkfield_status", **more: Any) -> Row:
    """A new draft of mine, on a profile that needs no approval unless another one is named."""
    found: Row = ok(env, S, "create_post", **{"profile_id": profile(env, handle), "text": "Something new.", **more})
    return found


def _arguments(row: Row, tool: str) -> dict[str, Any]:
    return {"post_id": row["id"], **({"scheduled_at": NOON} if tool == "schedule_post" else {})}


def _image(env: Env, **changes: Any) -> tuple[Env, str]:
    """An environment in which an image has been changed, and the image."""
    image = one(env, S, "media", kind="image")["id"]
    return patched(env, S, "media", image, **{"alt_text": "A hall", "licensed_until": None, **changes}), image


for _tool in (*WRITES, "submit_for_approval"):
    _approved = _tool == "submit_for_approval"

    @case(S, _tool, "too_long")
    def _(env: Env, tool: str = _tool, handle: str = "larkfield_ops" if _approved else "larkfield_status") -> Situation:
        return env, _arguments(post(env, handle, text="long " * 80), tool)

    @case(S, _tool, "alt_text_missing")
    def _(env: Env, tool: str = _tool, handle: str = "larkfield_ops" if _approved else "larkfieldpics") -> Situation:
        env, image = _image(env, alt_text="")
        return env, _arguments(post(env, handle, media_ids=[image]), tool)

    @case(S, _tool, "licence_expired")
    def _(env: Env, tool: str = _tool, handle: str = "larkfield_ops" if _approved else "larkfieldpics") -> Situation:
        env, image = _image(env, licensed_until="2026-02-01")
        return env, _arguments(post(env, handle, media_ids=[image]), tool)

    @case(S, _tool, "blocked_term")
    def _(env: Env, tool: str = _tool, handle: str = "larkfield_ops" if _approved else "larkfield_status") -> Situation:
        return env, _arguments(post(env, handle, text="Hello, guys."), tool)

    @case(S, _tool, "wrong_media")
    def _(env: Env, tool: str = _tool) -> Situation:
        env, image = _image(env)
        row = post(env, "larkfield-tv", media_ids=[image])
        if tool != "submit_for_approval":
            env = patched(env, S, "posts", row["id"], status="approved")
        return env, _arguments(row, tool)

    @case(S, _tool, "media_missing")
    def _(env: Env, tool: str = _tool) -> Situation:
        row = post(env, "larkfield-tv")
        if tool != "submit_for_approval":
            env = patched(env, S, "posts", row["id"], status="approved")
        return env, _arguments(row, tool)


for _tool in WRITES:

    @case(S, _tool, "repeated_text")
    def _(env: Env, tool: str = _tool) -> Situation:
        ok(env, S, "publish_post", post_id=post(env)["id"])
        return env, _arguments(post(env), tool)


for _tool in ("schedule_post", "publish_post"):

    @case(S, _tool, "blackout")
    def _(env: Env, tool: str = _tool) -> Situation:
        row = post(env)
        silence = one(env, S, "blackouts", profile_id=None)["id"]
        return patched(env, S, "blackouts", silence, first_day="2026-03-01", last_day="2026-03-09"), _arguments(
            row, tool
        )

    @case(S, _tool, "day_full")
    def _(env: Env, tool: str = _tool) -> Situation:
        row = post(env)
        first = post(env, text="Another.")
        when = {"status": "scheduled", "scheduled_at": "2026-03-02T18:00:00Z"}
        env = patched(env, S, "profiles", row["profile_id"], most_a_day=1)
        if tool == "schedule_post":
            when["scheduled_at"] = "2026-03-05T18:00:00Z"
        return patched(env, S, "posts", first["id"], **when), _arguments(row, tool)


@case(S, "schedule_post", "too_close")
def _(env: Env) -> Situation:
    ok(env, S, "schedule_post", post_id=post(env, text="Another.")["id"], scheduled_at="2026-03-05T12:30:00Z")
    return env, _arguments(post(env), "schedule_post")


@case(S, "publish_post", "too_close")
def _(env: Env) -> Situation:
    ok(env, S, "publish_post", post_id=post(env, text="Another.")["id"])
    return env, {"post_id": post(env)["id"]}


@case(S, "add_to_queue", "no_free_slot")
def _(env: Env) -> Situation:
    silence = one(env, S, "blackouts", profile_id=None)["id"]
    row = post(env)
    return patched(env, S, "blackouts", silence, first_day="2026-03-01", last_day="2026-04-20"), {"post_id": row["id"]}


@case(S, "get_analytics", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"date_from": "2026-03-02", "date_until": "2026-03-01"}


@case(S, "reply_to_message", "too_long")
def _(env: Env) -> Situation:
    message = one(env, S, "messages", status="open")
    changes = {"profile_id": profile(env, "larkfield_status"), "assignee_email": None, "hidden": False}
    return patched(env, S, "messages", message["id"], **changes), {"message_id": message["id"], "text": "long " * 80}


@case(S, "reply_to_message", "message_hidden")
def _(env: Env) -> Situation:
    message = one(env, S, "messages", status="open")["id"]
    return patched(env, S, "messages", message, hidden=True, assignee_email=None), {"message_id": message, "text": "No"}


@case(S, "review_post", "own_post")
def _(env: Env) -> Situation:
    row = post(env, "larkfield_ops")
    ok(env, S, "submit_for_approval", post_id=row["id"])
    return env, {"post_id": row["id"], "decision": "approved", "comment": "Mine."}


@case(S, "update_media", "in_use")
def _(env: Env) -> Situation:
    env, image = _image(env)
    row = post(env, "larkfieldpics", media_ids=[image])
    ok(env, S, "schedule_post", post_id=row["id"], scheduled_at=NOON)
    return env, {"media_id": image, "licensed_until": "2026-03-04"}


@case(S, "create_blackout", "posts_scheduled")
def _(env: Env) -> Situation:
    ok(env, S, "schedule_post", post_id=post(env)["id"], scheduled_at=NOON)
    return env, {"reason": "Quiet", "first_day": NOON[:10], "last_day": NOON[:10]}


@case(S, "close_message", "answer_missing")
def _(env: Env) -> Situation:
    message = one(env, S, "messages", status="open", sentiment="negative", hidden=False)["id"]
    return patched(env, S, "messages", message, assignee_email=ME.email), {"message_id": message, "outcome": "Done."}
