"""Tools for polls in a meeting."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, Name, check_text, fold, keep, same, with_fields
from services_app.library.video_meetings.access import MeetingId, hosted
from services_app.library.video_meetings.state import MeetingsState, Poll, PollStatus, service

PollId = Annotated[str, f.ref("polls")]
Options = Annotated[
    list[Annotated[str, f.Semantic("label"), Field(max_length=120)]], Field(min_length=2, max_length=10)
]
MOST_POLLS = 10


def _shown(state: MeetingsState, poll: Poll) -> Json:
    """A poll with its votes; who voted is told unless it is anonymous."""
    answers = state.poll_answers.find(poll_id=poll.id)
    votes = {option: sum(1 for row in answers if row.option == option) for option in poll.options}
    shown = with_fields(poll, votes=votes, answers=len(answers))
    if not poll.anonymous:
        shown["answered_by"] = {row.email: row.option for row in answers}
    return shown


@service.tool()
def list_polls(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId, status: PollStatus | None = None) -> Json:
    """List the polls of a meeting with their results.

    Errors: `not_found`.

    Args:
        meeting_id: Id of the meeting.
        status: Only polls in this status.
    """
    state.meetings.get(meeting_id)
    found = keep(state.polls.find(meeting_id=meeting_id), status=status)
    return {"polls": [_shown(state, poll) for poll in found], "total": len(found)}


@service.tool(
    phrase="prepare the poll {question} for the meeting {meeting_id}",
    examples=(Example({"meeting_id": "MTG-0003", "question": "Which gate?", "options": ["North", "South"]}),),
)
def create_poll(
    state: MeetingsState,
    ctx: CallContext,
    meeting_id: MeetingId,
    question: Name,
    options: Options,
    anonymous: bool = False,
) -> Json:
    """Prepare a poll for a meeting that you host; a meeting has at most ten.

    Errors: `not_found`, `not_host`, `meeting_ended`, `meeting_cancelled`, `duplicate_options`, `duplicate_question`,
    `too_many_polls`, `blank_text`.

    Args:
        meeting_id: Id of the meeting.
        question: What is asked.
        options: Two to ten answers to choose from.
        anonymous: Whether it stays hidden who chose what.
    """
    hosted(state, meeting_id, "scheduled", "live")
    clean = [check_text(option, "option") for option in options]
    if len({fold(option) for option in clean}) < len(clean):
        raise invalid("Two options are the same; each must differ.", type="duplicate_options")
    polls = state.polls.find(meeting_id=meeting_id)
    if any(same(poll.question, question) for poll in polls):
        raise conflict(f"{meeting_id} has a poll with this question already.", type="duplicate_question")
    if len(polls) >= MOST_POLLS:
        raise conflict(f"{meeting_id} has {MOST_POLLS} polls, no more are possible.", type="too_many_polls")
    poll = state.polls.create(
        meeting_id=meeting_id, question=check_text(question, "question"), options=tuple(clean), anonymous=anonymous
    )
    return _shown(state, poll)


@service.tool(phrase="launch the poll {poll_id}", examples=(Example({"poll_id": "PLL-0001"}),))
def launch_poll(state: MeetingsState, ctx: CallContext, poll_id: PollId) -> Json:
    """Open a prepared poll in a running meeting that you host; one poll is open at a time.

    Errors: `not_found`, `not_host`, `not_live`, `meeting_ended`, `meeting_cancelled`, `poll_closed`, `poll_open`
    (this or another one).

    Args:
        poll_id: Id of the poll.
    """
    poll = state.polls.get(poll_id)
    hosted(state, poll.meeting_id, "live")
    if poll.status == "closed":
        raise conflict(f"Poll {poll_id} is over; prepare a new one.", type="poll_closed")
    other = state.polls.first(meeting_id=poll.meeting_id, status="open")
    if other is not None:
        raise conflict(f"Poll {other.id} ({other.question}) is open; end it first.", type="poll_open")
    return _shown(state, state.polls.patch(poll_id, status="open"))


@service.tool(phrase="end the poll {poll_id}")
def end_poll(state: MeetingsState, ctx: CallContext, poll_id: PollId) -> Json:
    """Close the open poll of a running meeting that you host and show its result.

    Errors: `not_found`, `not_host`, `not_live`, `meeting_ended`, `meeting_cancelled`, `not_open`.

    Args:
        poll_id: Id of the poll.
    """
    poll = state.polls.get(poll_id)
    hosted(state, poll.meeting_id, "live")
    if poll.status != "open":
        raise conflict(f"Poll {poll_id} is {poll.status}, not open.", type="not_open")
    return _shown(state, state.polls.patch(poll_id, status="closed"))
