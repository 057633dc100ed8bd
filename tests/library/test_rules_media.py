"""The rules of the media library, as short stories."""

from __future__ import annotations

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import added, ok, one, refused, rows

SLUG = "media"


def _film(env: ProductEnvironment, age: str = "all") -> ProductEnvironment:
    """One more film of a hundred minutes with two copies: TTL-9000, PART-9000."""
    title = {**one(env, SLUG, "titles", kind="film"), "id": "TTL-9000", "copies": 2, "age_rating": age}
    part = {**rows(env, SLUG, "parts")[0], "id": "PART-9000", "title_id": "TTL-9000", "minutes": 100, "size_mb": 2000}
    return added(added(env, SLUG, "titles", title), SLUG, "parts", part)


def test_copies_go_round_in_the_order_of_the_queue() -> None:
    env = _film(environment(SLUG))
    busy = {row["borrower_id"] for row in rows(env, SLUG, "loans", returned_on=None)}
    spare = {**rows(env, SLUG, "borrowers")[0]}
    friends = [{**spare, "id": f"BRW-90{at}", "email": f"friend{at}@north.example"} for at in range(4)]
    assert not busy & {row["id"] for row in friends}
    env = added(env, SLUG, "borrowers", *friends)
    mails = [row["email"] for row in friends]
    first = ok(env, SLUG, "lend_title", title_id="TTL-9000", borrower_email=mails[0])
    assert refused(env, SLUG, "reserve_title", title_id="TTL-9000", borrower_email=mails[1]) == "copy_free"
    ok(env, SLUG, "lend_title", title_id="TTL-9000", borrower_email=mails[1])
    assert refused(env, SLUG, "lend_title", title_id="TTL-9000", borrower_email=mails[2]) == "no_copy_left"
    ok(env, SLUG, "reserve_title", title_id="TTL-9000", borrower_email=mails[2])
    assert refused(env, SLUG, "extend_loan", loan_id=first["id"]) == "reserved"
    assert ok(env, SLUG, "return_title", loan_id=first["id"])["next_in_line"] == mails[2]
    assert refused(env, SLUG, "lend_title", title_id="TTL-9000", borrower_email=mails[3]) == "reserved"
    ok(env, SLUG, "lend_title", title_id="TTL-9000", borrower_email=mails[2])
    assert ok(env, SLUG, "get_title", title_id="TTL-9000")["free_copies"] == 0
    assert rows(env, SLUG, "reservations", title_id="TTL-9000") == []


def test_playback_goes_on_where_it_stopped_and_counts_minutes_of_the_day() -> None:
    env = _film(environment(SLUG))
    child = one(env, SLUG, "profiles", allowed_age="12")
    play = {"part_id": "PART-9000", "device_id": "DEV-01", "profile_id": child["id"]}
    stream = ok(env, SLUG, "start_playback", **play)
    assert refused(env, SLUG, "start_playback", part_id="PART-9000", device_id="DEV-01") == "device_busy"
    ok(env, SLUG, "stop_playback", stream_id=stream["id"], minute=60)
    again = ok(env, SLUG, "start_playback", **play)
    assert (again["from_minute"], again["minutes_left"]) == (60, 40)
    assert ok(env, SLUG, "stop_playback", stream_id=again["id"], minute=95)["finished"]
    shown = next(row for row in ok(env, SLUG, "get_household")["profiles"] if row["id"] == child["id"])
    assert shown["minutes_today"] == 95
    assert refused(env, SLUG, "start_playback", **play) == "daily_limit_reached"
    ok(env, SLUG, "update_profile", profile_id=child["id"], daily_minutes=200)
    assert ok(env, SLUG, "start_playback", **play)["from_minute"] == 0


def test_age_limits_hold_for_playing_lists_and_playlists() -> None:
    env = _film(environment(SLUG), age="16")
    child = one(env, SLUG, "profiles", allowed_age="12")["id"]
    play = {"part_id": "PART-9000", "device_id": "DEV-01", "profile_id": child}
    assert refused(env, SLUG, "start_playback", **play) == "age_restricted"
    own = ok(env, SLUG, "create_playlist", name="Mine", owner_profile_id=child)["id"]
    add = {"playlist_id": own, "part_id": "PART-9000"}
    assert refused(env, SLUG, "add_to_playlist", **add) == "not_owner"
    assert refused(env, SLUG, "add_to_playlist", **add, profile_id=child) == "age_restricted"
    ok(env, SLUG, "update_profile", profile_id=child, allowed_age="16")
    stream = ok(env, SLUG, "start_playback", **play)["id"]
    stopped = ok(env, SLUG, "update_profile", profile_id=child, allowed_age="6")["stopped_playbacks"]
    assert stopped == [stream]


def test_downloads_fill_a_device_and_play_beside_the_streams() -> None:
    env = _film(environment(SLUG))
    before = one(env, SLUG, "devices", id="DEV-05")["capacity_mb"]
    saved = ok(env, SLUG, "add_download", part_id="PART-9000", device_id="DEV-05")
    assert saved["free_mb"] == before - 2000
    assert refused(env, SLUG, "add_download", part_id="PART-9000", device_id="DEV-01") == "no_storage"
    for row in rows(env, SLUG, "streams"):
        ok(env, SLUG, "stop_playback", stream_id=row["id"], minute=row["from_minute"])
    ok(env, SLUG, "start_playback", part_id="PART-9000", device_id="DEV-01")
    ok(env, SLUG, "start_playback", part_id="PART-9000", device_id="DEV-03")
    assert refused(env, SLUG, "start_playback", part_id="PART-9000", device_id="DEV-04") == "too_many_streams"
    ok(env, SLUG, "start_playback", part_id="PART-9000", device_id="DEV-05")
    assert refused(env, SLUG, "remove_download", download_id=saved["id"]) == "playing_now"
