"""Situations in the media library; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, added, ok, one, patched, rows

SLUG = "media"
PEOPLE += [(SLUG, "borrowers")]


def _shelf(env: Env, copies: int = 1, age: str = "all") -> tuple[Env, str]:
    """A film with so many copies, of which none is lent."""
    title: Row = {**one(env, SLUG, "titles", kind="film"), "id": "TTL-9000", "copies": copies, "age_rating": age}
    part: Row = {**rows(env, SLUG, "parts")[0], "id": "PART-9000", "title_id": "TTL-9000", "minutes": 100}
    return added(added(env, SLUG, "titles", title), SLUG, "parts", part), "TTL-9000"


def _friends(env: Env) -> list[str]:
    """Addresses of borrowers; nobody has anything."""
    return [row["email"] for row in rows(env, SLUG, "borrowers")]


def _nothing_lent(env: Env) -> Env:
    for loan in rows(env, SLUG, "loans", returned_on=None):
        env = patched(env, SLUG, "loans", loan["id"], returned_on="2026-03-01")
    return env


@case(SLUG, "lend_title", "loan_limit")
def _(env: Env) -> Situation:
    env, title = _shelf(_nothing_lent(env))
    films = [{**one(env, SLUG, "titles", id=title), "id": f"TTL-910{number}"} for number in range(3)]
    env = added(env, SLUG, "titles", *films)
    who = _friends(env)[0]
    for film in films:
        ok(env, SLUG, "lend_title", title_id=film["id"], borrower_email=who)
    return env, {"title_id": title, "borrower_email": who}


def _lent(env: Env) -> tuple[Env, str, list[str]]:
    env, title = _shelf(_nothing_lent(env))
    friends = _friends(env)
    ok(env, SLUG, "lend_title", title_id=title, borrower_email=friends[0])
    return env, title, friends


@case(SLUG, "reserve_title", "already_lent")
def _(env: Env) -> Situation:
    env, title, friends = _lent(env)
    return env, {"title_id": title, "borrower_email": friends[0]}


@case(SLUG, "reserve_title", "already_reserved")
def _(env: Env) -> Situation:
    env, title, friends = _lent(env)
    ok(env, SLUG, "reserve_title", title_id=title, borrower_email=friends[1])
    return env, {"title_id": title, "borrower_email": friends[1]}


def _child(env: Env) -> str:
    return str(one(env, SLUG, "profiles", allowed_age="12")["id"])


@case(SLUG, "add_to_my_list", "age_restricted")
def _(env: Env) -> Situation:
    env, title = _shelf(env, age="18")
    return env, {"title_id": title, "profile_id": _child(env)}


@case(SLUG, "follow_podcast", "age_restricted")
def _(env: Env) -> Situation:
    podcast = one(env, SLUG, "titles", kind="podcast")
    return patched(env, SLUG, "titles", podcast["id"], age_rating="18"), {
        "title_id": podcast["id"],
        "profile_id": _child(env),
    }


@case(SLUG, "add_to_my_list", "list_full")
def _(env: Env) -> Situation:
    env, title = _shelf(env)
    listed = rows(env, SLUG, "list_items")[0]
    child = _child(env)
    more = [{**listed, "id": f"LST-{9000 + number}", "profile_id": child} for number in range(50)]
    return added(env, SLUG, "list_items", *more), {"title_id": title, "profile_id": child}


@case(SLUG, "add_to_playlist", "playlist_full")
def _(env: Env) -> Situation:
    env, _ = _shelf(env)
    playlist = str(ok(env, SLUG, "create_playlist", name="Endless")["id"])
    record = {**one(env, SLUG, "playlists", id=playlist), "id": "PL-900"}
    item = {**rows(env, SLUG, "playlist_items")[0], "playlist_id": "PL-900"}
    items = [{**item, "id": f"PLI-{9000 + at}", "position": at} for at in range(1, 101)]
    env = added(added(env, SLUG, "playlists", record), SLUG, "playlist_items", *items)
    return env, {"playlist_id": "PL-900", "part_id": "PART-9000"}


@case(SLUG, "start_playback", "daily_limit_reached")
def _(env: Env) -> Situation:
    env, _ = _shelf(env)
    arguments: dict[str, Any] = {"part_id": "PART-9000", "device_id": "DEV-01", "profile_id": _child(env)}
    stream = ok(env, SLUG, "start_playback", **arguments)
    ok(env, SLUG, "stop_playback", stream_id=stream["id"], minute=95)
    return env, arguments


@case(SLUG, "start_playback", "too_many_streams")
def _(env: Env) -> Situation:
    env, _ = _shelf(env)
    for row in rows(env, SLUG, "streams"):
        ok(env, SLUG, "stop_playback", stream_id=row["id"], minute=row["from_minute"])
    for device in ("DEV-01", "DEV-03"):
        ok(env, SLUG, "start_playback", part_id="PART-9000", device_id=device)
    return env, {"part_id": "PART-9000", "device_id": "DEV-05"}


@case(SLUG, "stop_playback", "before_start")
def _(env: Env) -> Situation:
    stream = rows(env, SLUG, "streams")[0]
    return patched(env, SLUG, "streams", stream["id"], from_minute=5), {"stream_id": stream["id"], "minute": 4}


@case(SLUG, "remove_download", "playing_now")
def _(env: Env) -> Situation:
    row = one(env, SLUG, "downloads", device_id="DEV-03")
    ok(env, SLUG, "start_playback", part_id=row["part_id"], device_id="DEV-03")
    return env, {"download_id": row["id"]}


@case(SLUG, "lend_title", "borrower_overdue")
def _(env: Env) -> Situation:
    env, title = _shelf(env)
    loan = one(env, SLUG, "loans", returned_on=None)
    late = patched(env, SLUG, "loans", loan["id"], due_on="2026-01-05")
    email = one(env, SLUG, "borrowers", id=loan["borrower_id"])["email"]
    return late, {"title_id": title, "borrower_email": email}


@case(SLUG, "lend_title", "reserved")
def _(env: Env) -> Situation:
    env, title, friends = _lent(env)
    ok(env, SLUG, "reserve_title", title_id=title, borrower_email=friends[1])
    ok(env, SLUG, "return_title", loan_id=one(env, SLUG, "loans", title_id=title, returned_on=None)["id"])
    return env, {"title_id": title, "borrower_email": friends[2]}


@case(SLUG, "add_download", "device_full")
def _(env: Env) -> Situation:
    env, _ = _shelf(env)
    return patched(env, SLUG, "parts", "PART-9000", size_mb=90_000), {"part_id": "PART-9000", "device_id": "DEV-05"}
