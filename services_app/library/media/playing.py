"""Tools for playback and downloads."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.media.access import (
    DeviceId,
    PartId,
    ProfileId,
    check_age,
    last_play,
    minutes_today,
    part_name,
    profile_of,
    resume_minute,
    used_mb,
)
from services_app.library.media.state import Kind, MediaState, Part, Profile, service
from services_app.library.shared import Cursor, Json, Limit, brief, cursor_page, newest_first, with_fields

StreamId = Annotated[str, f.ref("streams")]
Minute = Annotated[int, f.duration("minutes"), Field(ge=0, le=1440)]
MOST_STREAMS = 2
_END = 0.95  # of the length: whoever stops later has finished


def _finished(part: Part, minute: int) -> bool:
    return minute >= part.minutes * _END


@service.tool(phrase="play {part_id} on {device_id}")
def start_playback(
    state: MediaState,
    ctx: CallContext,
    part_id: PartId,
    device_id: DeviceId,
    profile_id: ProfileId | None = None,
    from_start: bool = False,
) -> Json:
    """Play a film, an episode or a track on a device; it goes on where the profile stopped.

    Two may play at once in the household, without those that a device has downloaded.
    Errors: `not_found`, `age_restricted`, `daily_limit_reached`, `too_many_streams`, `device_busy`, `no_picture` (a
    speaker plays no film or series).

    Args:
        part_id: What to play; get_title lists episodes and tracks.
        device_id: Where to play it; get_household lists devices.
        profile_id: Who plays it; you, if left out.
        from_start: Play from the beginning.
    """
    part, device = state.parts.get(part_id), state.devices.get(device_id)
    profile = profile_of(state, profile_id)
    title = state.titles.get(part.title_id)
    check_age(profile, title)
    if device.kind == "speaker" and title.kind in ("film", "series"):
        raise invalid(f"{device.name} is a speaker and shows no {title.kind}.", type="no_picture")
    _check_day(state, ctx, profile)
    if state.streams.first(device_id=device_id) is not None:
        raise conflict(f"{device.name} plays something else; stop it first.", type="device_busy")
    online = [
        row for row in state.streams if state.downloads.first(device_id=row.device_id, part_id=row.part_id) is None
    ]
    if len(online) >= MOST_STREAMS and state.downloads.first(device_id=device_id, part_id=part_id) is None:
        raise conflict(f"{MOST_STREAMS} play already; stop one, or play a download.", type="too_many_streams")
    start = 0 if from_start else resume_minute(state, profile, part)
    stream = state.streams.create(
        profile_id=profile.id, device_id=device_id, part_id=part_id, from_minute=start, started_at=ctx.now
    )
    return with_fields(stream, name=part_name(state, part), minutes_left=part.minutes - start)


def _check_day(state: MediaState, ctx: CallContext, profile: Profile) -> None:
    if profile.daily_minutes is not None and minutes_today(state, ctx, profile) >= profile.daily_minutes:
        raise forbidden(
            f"{profile.name} has used the {profile.daily_minutes} minutes of today.", type="daily_limit_reached"
        )


@service.tool(
    phrase="stop the playback {stream_id} at minute {minute}",
    examples=(Example({"stream_id": "STR-0001", "minute": 10}),),
)
def stop_playback(state: MediaState, ctx: CallContext, stream_id: StreamId, minute: Minute) -> Json:
    """Stop what plays and keep the minute reached; from 95 per cent of the length on it counts as played.

    Errors: `not_found`, `beyond_end`, `before_start`.

    Args:
        stream_id: Id of the running playback, from get_household.
        minute: Minute at which it is stopped.
    """
    stream = state.streams.get(stream_id)
    part = state.parts.get(stream.part_id)
    if minute > part.minutes:
        raise invalid(f"{part.name} lasts {part.minutes} minutes.", type="beyond_end")
    if minute < stream.from_minute:
        raise invalid(f"It was started at minute {stream.from_minute}.", type="before_start")
    state.streams.delete(stream_id)
    play = state.plays.create(
        profile_id=stream.profile_id,
        part_id=part.id,
        minutes=minute - stream.from_minute,
        position=minute,
        finished=_finished(part, minute),
        ended_at=ctx.now,
    )
    return with_fields(play, name=part_name(state, part))


@service.tool(phrase="mark {part_id} as played")
def mark_played(state: MediaState, ctx: CallContext, part_id: PartId, profile_id: ProfileId | None = None) -> Json:
    """Mark an episode, track or film as played, without time being counted.

    Errors: `not_found`, `already_played`, `playing_now`.

    Args:
        part_id: Id of the part.
        profile_id: For whom; you, if left out.
    """
    part, profile = state.parts.get(part_id), profile_of(state, profile_id)
    play = last_play(state, profile, part_id)
    if play is not None and play.finished:
        raise conflict(f"{profile.name} has played {part_name(state, part)} already.", type="already_played")
    if state.streams.first(profile_id=profile.id, part_id=part_id) is not None:
        raise conflict(f"{part_name(state, part)} is running; stop it first.", type="playing_now")
    play = state.plays.create(
        profile_id=profile.id, part_id=part_id, minutes=0, position=part.minutes, finished=True, ended_at=ctx.now
    )
    return with_fields(play, name=part_name(state, part))


@service.tool()
def list_in_progress(
    state: MediaState,
    ctx: CallContext,
    profile_id: ProfileId | None = None,
    kind: Kind | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List what a profile has begun and not finished, the latest first.

    Errors: `not_found`.

    Args:
        profile_id: Whose; yours, if left out.
        kind: Only films, series, albums or podcasts.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    profile = profile_of(state, profile_id)
    latest = {row.part_id: row for row in sorted(state.plays.find(profile_id=profile.id), key=lambda r: r.ended_at)}
    begun = [row for row in latest.values() if not row.finished and row.position > 0]
    begun = [row for row in begun if kind in (None, state.titles.get(state.parts.get(row.part_id).title_id).kind)]
    begun = newest_first(begun, "ended_at")
    page = cursor_page("entries", begun, limit, cursor)
    page["entries"] = [
        {
            **brief(row, "part_id", "position", "ended_at"),
            "name": part_name(state, state.parts.get(row.part_id)),
            "minutes_left": state.parts.get(row.part_id).minutes - row.position,
        }
        for row in page["entries"]
    ]
    return {"profile": profile.name, **page}


@service.tool(phrase="download {part_id} to {device_id}")
def add_download(state: MediaState, ctx: CallContext, part_id: PartId, device_id: DeviceId) -> Json:
    """Keep an episode, a track or a film on a device, to play it without a connection.

    Errors: `not_found`, `no_storage` (the device only streams), `device_full`, `already_downloaded`.

    Args:
        part_id: What to download.
        device_id: Device that keeps it.
    """
    part, device = state.parts.get(part_id), state.devices.get(device_id)
    if device.capacity_mb == 0:
        raise invalid(f"{device.name} only streams.", type="no_storage")
    if state.downloads.first(device_id=device_id, part_id=part_id) is not None:
        raise conflict(f"{device.name} has {part_name(state, part)} already.", type="already_downloaded")
    free = device.capacity_mb - used_mb(state, device)
    if part.size_mb > free:
        raise conflict(
            f"{device.name} has {free} MB left, {part.size_mb} MB are needed; remove a download.", type="device_full"
        )
    row = state.downloads.create(device_id=device_id, part_id=part_id, downloaded_at=ctx.now)
    return with_fields(row, name=part_name(state, part), free_mb=free - part.size_mb)


@service.tool(phrase="remove the download {download_id}")
def remove_download(state: MediaState, ctx: CallContext, download_id: Annotated[str, f.ref("downloads")]) -> Json:
    """Remove a download from its device.

    Errors: `not_found`, `playing_now`.

    Args:
        download_id: Id of the download, from get_household.
    """
    row = state.downloads.get(download_id)
    if state.streams.first(device_id=row.device_id, part_id=row.part_id) is not None:
        raise conflict("The device is playing it; stop it first.", type="playing_now")
    state.downloads.delete(download_id)
    device = state.devices.get(row.device_id)
    return with_fields(row, free_mb=device.capacity_mb - used_mb(state, device))
