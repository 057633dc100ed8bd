"""What profiles may play, and figures that follow from the records."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.media.state import Device, Loan, MediaState, Part, Play, Profile, Title
from services_app.library.shared import Json, brief, days_between, same, with_fields

ProfileId = Annotated[str, f.ref("profiles")]
DeviceId = Annotated[str, f.ref("devices")]
TitleId = Annotated[str, f.ref("titles")]
PartId = Annotated[str, f.ref("parts")]

_AGES = {"all": 0, "6": 6, "12": 12, "16": 16, "18": 18}


def profile_of(state: MediaState, profile_id: str | None) -> Profile:
    """The profile with this id, or yours."""
    if profile_id is not None:
        return state.profiles.get(profile_id)
    return next(row for row in state.profiles if row.email is not None and same(row.email, ME.email))


def check_age(profile: Profile, title: Title) -> None:
    """403 `age_restricted` when a profile may not see a title."""
    if _AGES[title.age_rating] > _AGES[profile.allowed_age]:
        raise forbidden(
            f"{title.name} is rated {title.age_rating}; {profile.name} may see titles up to {profile.allowed_age}.",
            type="age_restricted",
        )


def last_play(state: MediaState, profile: Profile, part_id: str) -> Play | None:
    plays = state.plays.find(profile_id=profile.id, part_id=part_id)
    return max(plays, key=lambda row: (row.ended_at, row.id), default=None)


def resume_minute(state: MediaState, profile: Profile, part: Part) -> int:
    """Where a profile goes on: where it stopped, or the beginning."""
    play = last_play(state, profile, part.id)
    return 0 if play is None or play.finished else play.position


def minutes_today(state: MediaState, ctx: CallContext, profile: Profile) -> int:
    return sum(row.minutes for row in state.plays.find(profile_id=profile.id) if row.ended_at[:10] == ctx.today)


def shown_part(state: MediaState, profile: Profile, part: Part) -> Json:
    play = last_play(state, profile, part.id)
    return {
        **brief(part, "id", "number", "name", "minutes", "published_on", "summary"),
        "played": any(row.finished for row in state.plays.find(profile_id=profile.id, part_id=part.id)),
        "resume_minute": 0 if play is None or play.finished else play.position,
    }


def part_name(state: MediaState, part: Part) -> str:
    """`Night Freight` for a film, `Loading Bay: Episode 4` for parts of a title."""
    title = state.titles.get(part.title_id)
    return title.name if title.kind == "film" else f"{title.name}: {part.name}"


def open_loans(state: MediaState, title_id: str) -> list[Loan]:
    return state.loans.find(title_id=title_id, returned_on=None)


def free_copies(state: MediaState, title: Title) -> int:
    return title.copies - len(open_loans(state, title.id))


def shown_loan(state: MediaState, ctx: CallContext, loan: Loan) -> Json:
    title, borrower = state.titles.get(loan.title_id), state.borrowers.get(loan.borrower_id)
    late = days_between(loan.due_on, loan.returned_on or ctx.today)
    return with_fields(
        loan,
        title=title.name,
        kind=title.kind,
        borrower=borrower.name,
        borrower_email=borrower.email,
        days_overdue=max(0, late),
    )


def used_mb(state: MediaState, device: Device) -> int:
    return sum(state.parts.get(row.part_id).size_mb for row in state.downloads.find(device_id=device.id))


def check_podcast(title: Title) -> None:
    if title.kind != "podcast":
        raise invalid(f"{title.name} is a {title.kind}; only podcasts can be followed.", type="not_a_podcast")


def check_stock(title: Title) -> None:
    """409 `not_lendable` for titles that stand on no shelf."""
    if title.copies == 0:
        raise conflict(f"{title.name} is only streamed; there is no copy to lend.", type="not_lendable")
