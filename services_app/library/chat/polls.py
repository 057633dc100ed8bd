"""Tools for polls."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.chat.access import ChannelName, channel_by, me, membership, visible, writable
from services_app.library.chat.state import ChatState, Poll, service
from services_app.library.shared import Json, Name, check_text, fold, newest_first, same, with_fields

PollId = Annotated[str, f.ref("polls")]
Option = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=80)]


def _poll(state: ChatState, poll_id: str) -> Poll:
    poll = state.polls.get(poll_id)
    visible(state, state.channels.get(poll.channel_id))
    return poll


def _result(state: ChatState, poll: Poll) -> Json:
    """A poll with the count of each option; the leader is None while there is a tie."""
    votes = state.votes.find(poll_id=poll.id)
    counts = {option: sum(1 for vote in votes if vote.option == option) for option in poll.options}
    best = max(counts.values(), default=0)
    leaders = [option for option, count in counts.items() if count == best]
    channel = state.channels.first(id=poll.channel_id)
    return with_fields(
        poll,
        channel=channel.name if channel else None,
        counts=counts,
        votes=len(votes),
        leader=leaders[0] if best and len(leaders) == 1 else None,
    )


@service.tool()
def list_polls(state: ChatState, ctx: CallContext, channel: ChannelName | None = None, open_only: bool = False) -> Json:
    """List the polls of the channels you are in, newest first, with their counts.

    Errors: `not_found`.

    Args:
        channel: Only polls in the channel of this name.
        open_only: Only polls that are not closed.
    """
    if channel:
        ids = {channel_by(state, channel).id}
    else:
        ids = {row.channel_id for row in state.memberships.find(user_id=me(state).id)}
    found = [row for row in state.polls if row.channel_id in ids and not (open_only and row.closed)]
    found = newest_first(found, "created_at")
    return {"polls": [_result(state, row) for row in found], "total": len(found)}


@service.tool()
def get_poll(state: ChatState, ctx: CallContext, poll_id: PollId) -> Json:
    """Show a poll with the count of each option and the one in the lead.

    Errors: `not_found`.

    Args:
        poll_id: Id of the poll.
    """
    return _result(state, _poll(state, poll_id))


@service.tool(
    phrase="ask #{channel} in a poll: {question}",
    examples=(Example({"channel": "general", "question": "Which day?", "options": ["Monday", "Tuesday"]}),),
)
def create_poll(
    state: ChatState,
    ctx: CallContext,
    channel: ChannelName,
    question: Name,
    options: Annotated[list[Option], Field(min_length=2, max_length=8)],
) -> Json:
    """Start a poll in a channel you are a member of; one open poll per channel.

    Errors: `not_found`, `channel_archived`, `not_a_member`, `announcements_only`, `poll_running`, `same_options`,
    `blank_text`.

    Args:
        channel: Name of the channel.
        question: The question.
        options: Two to eight different answers.
    """
    found = channel_by(state, channel)
    writable(state, found)
    running = state.polls.first(channel_id=found.id, closed=False)
    if running is not None:
        raise conflict(f"Poll {running.id} is still open in #{found.name}.", type="poll_running")
    clean = [check_text(option, "option") for option in options]
    if len({fold(option) for option in clean}) < len(clean):
        raise invalid("The options have to differ.", type="same_options")
    poll = state.polls.create(
        channel_id=found.id,
        question=check_text(question, "question"),
        options=clean,
        created_by=me(state).id,
        created_at=ctx.now,
    )
    return _result(state, poll)


@service.tool(phrase="vote for {option} in {poll_id}", examples=(Example({"poll_id": "POLL-001", "option": "21 May"}),))
def vote(state: ChatState, ctx: CallContext, poll_id: PollId, option: Option) -> Json:
    """Vote in an open poll, or change your vote.

    Errors: `not_found`, `poll_closed`, `not_a_member`, `no_such_option`, `same_vote`.

    Args:
        poll_id: Id of the poll.
        option: The option, as written in the poll.
    """
    poll, own = _poll(state, poll_id), me(state)
    if poll.closed:
        raise conflict(f"Poll {poll_id} is closed.", type="poll_closed")
    if membership(state, poll.channel_id, own.id) is None:
        raise forbidden("Join the channel before voting.", type="not_a_member")
    chosen = next((item for item in poll.options if same(item, option)), None)
    if chosen is None:
        raise invalid(f"The options are {', '.join(poll.options)}.", type="no_such_option")
    present = state.votes.first(poll_id=poll_id, user_id=own.id)
    if present is not None and present.option == chosen:
        raise conflict(f"You have voted for {chosen} already.", type="same_vote")
    if present is not None:
        state.votes.patch(present.id, option=chosen)
    else:
        state.votes.create(poll_id=poll_id, user_id=own.id, option=chosen)
    return _result(state, poll)


@service.tool(phrase="close the poll {poll_id}")
def close_poll(state: ChatState, ctx: CallContext, poll_id: PollId) -> Json:
    """Close a poll of your own, or any poll in a channel that you own.

    Errors: `not_found`, `poll_closed`, `not_your_poll`.

    Args:
        poll_id: Id of the poll.
    """
    poll, own = _poll(state, poll_id), me(state)
    if poll.closed:
        raise conflict(f"Poll {poll_id} is closed already.", type="poll_closed")
    place = membership(state, poll.channel_id, own.id)
    if poll.created_by != own.id and (place is None or place.role != "owner"):
        raise forbidden("Only its author and the owners of the channel may close a poll.", type="not_your_poll")
    return _result(state, state.polls.patch(poll_id, closed=True))
