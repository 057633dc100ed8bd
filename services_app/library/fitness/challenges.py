"""Tools for challenges: what there is, who leads, joining and leaving."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.fitness.figures import challenge_status, leaderboard, me
from services_app.library.fitness.state import Challenge, FitnessState, Sport, service
from services_app.library.shared import LABEL, Cursor, Json, Limit, Query, cursor_page, keep, search, with_fields

ChallengeId = Annotated[str, f.ref("challenges")]
ChallengeStatus = Annotated[Literal["upcoming", "running", "ended"], LABEL]
AT_ONCE = 4  # challenges that one athlete can be in at a time


def _shown(state: FitnessState, ctx: CallContext, challenge: Challenge) -> Json:
    taken = state.participations.count(challenge_id=challenge.id)
    joined = state.participations.first(challenge_id=challenge.id, athlete_id=me(state).id) is not None
    return with_fields(
        challenge,
        status=challenge_status(ctx, challenge),
        participants=taken,
        places_left=challenge.places - taken,
        joined=joined,
    )


@service.tool()
def search_challenges(
    state: FitnessState,
    ctx: CallContext,
    query: Query | None = None,
    status: ChallengeStatus | None = None,
    sport: Sport | None = None,
    joined_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find challenges by words of title or rules, with places left, in the order in which they end.

    Args:
        query: Words that must all occur.
        status: Only challenges to come, running or over.
        sport: Only this sport.
        joined_only: Only those that you have joined.
        limit: At most so many challenges.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.challenges, query, lambda row: (row.title, row.rules)), sport=sport)
    rows = [_shown(state, ctx, row) for row in sorted(found, key=lambda row: (row.ends_on, row.id))]
    rows = [row for row in rows if status in (None, row["status"]) and (row["joined"] or not joined_only)]
    return cursor_page("challenges", rows, limit, cursor)


@service.tool()
def get_challenge(state: FitnessState, ctx: CallContext, challenge_id: ChallengeId) -> Json:
    """Show a challenge with rules and leaderboard; activities that only their athlete sees do not count.

    Errors: `not_found`.

    Args:
        challenge_id: Id of the challenge.
    """
    row = state.challenges.get(challenge_id)
    return {**_shown(state, ctx, row), "leaderboard": leaderboard(state, row)}


@service.tool(phrase="join the challenge {challenge_id}")
def join_challenge(state: FitnessState, ctx: CallContext, challenge_id: ChallengeId) -> Json:
    """Join a challenge that is not over and has places; four at a time.

    Errors: `not_found`, `challenge_over`, `already_joined`, `challenge_full`, `too_many_challenges`.

    Args:
        challenge_id: Id of the challenge.
    """
    row, athlete = state.challenges.get(challenge_id), me(state)
    if challenge_status(ctx, row) == "ended":
        raise conflict(f"{row.title} ended on {row.ends_on}.", type="challenge_over")
    if state.participations.first(challenge_id=row.id, athlete_id=athlete.id):
        raise conflict(f"You are in {row.title} already.", type="already_joined")
    if state.participations.count(challenge_id=row.id) >= row.places:
        raise conflict(f"All {row.places} places of {row.title} are taken.", type="challenge_full")
    own = [state.challenges.get(one.challenge_id) for one in state.participations.find(athlete_id=athlete.id)]
    if sum(1 for one in own if one.ends_on >= ctx.today) >= AT_ONCE:
        raise conflict(f"You are in {AT_ONCE} challenges; leave one first.", type="too_many_challenges")
    state.participations.create(challenge_id=row.id, athlete_id=athlete.id, joined_at=ctx.now)
    return _shown(state, ctx, row)


@service.tool(phrase="leave the challenge {challenge_id}")
def leave_challenge(state: FitnessState, ctx: CallContext, challenge_id: ChallengeId) -> Json:
    """Leave a challenge that is not over; the place is free again.

    Errors: `not_found`, `not_joined`, `challenge_over`.

    Args:
        challenge_id: Id of the challenge.
    """
    row = state.challenges.get(challenge_id)
    entry = state.participations.first(challenge_id=row.id, athlete_id=me(state).id)
    if entry is None:
        raise conflict(f"You are not in {row.title}.", type="not_joined")
    if challenge_status(ctx, row) == "ended":
        raise conflict(f"{row.title} ended on {row.ends_on}; its list stays.", type="challenge_over")
    state.participations.delete(entry.id)
    return _shown(state, ctx, row)
