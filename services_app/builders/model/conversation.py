"""The loop every model at work runs in: ask, store, answer the tool calls, store, until something ends it.

It can be left at any message and taken up again: what it knows is the messages and its `Standing`, both of which
the recorder keeps together. A reply that was stored is never asked for again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pydantic import BaseModel, Field

from services_app.builders.model.limits import Ending, Limits, Spent, bound_hit
from services_app.engine.plain import digest
from services_app.specs.storable import storable
from workers.llm.client import ModelClient, ModelError, ModelReply
from workers.llm.toolcalls import INVALID_ARGUMENTS, ToolCall, normalise

Message = Mapping[str, Any]
CALLS_PER_REPLY = 12
IDLE_REPLIES = 3
CUT_REPLIES = 3
REPEATS = 4
# Another try cannot help with these, and what was made so far is still good.
_BOUNDS = frozenset({"budget", "context"})

NO_TOOL = (
    "Your reply called no tool, so nothing was done: text and code outside of a tool call are not used. "
    "Go on by calling a tool, or call finish."
)
CUT = "Your reply was cut off by the output limit and nothing of it was carried out. Send less at a time."
REPEATED = "\n\nNOTE: this exact call was made before and nothing has changed since. Do something else, or call finish."


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says to the model. `ends` is why the conversation is over after it, "" while it goes on.

    `spent` is what carrying it out took from other models; it counts against the limits of this conversation.
    """

    text: str
    ends: str = ""
    spent: Spent | None = None


class Toolbox(Protocol):
    """The tools of one role."""

    @property
    def schemas(self) -> Sequence[Mapping[str, Any]]:
        """The tools as OpenAI function schemas."""
        ...

    def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Carry out one call; never raises for what the model did."""
        ...

    def fingerprint(self) -> str:
        """A text that changes when a call has changed something: the same call may then give another answer."""
        ...

    def to_json(self) -> dict[str, Any]:
        """What was made so far."""
        ...


class Standing(BaseModel):
    """What the loop remembers between messages."""

    spent: Spent = Field(default_factory=Spent)
    idle: int = 0
    """Replies in a row without a tool call."""
    cut: int = 0
    """Replies in a row that the output limit cut."""
    seen: dict[str, int] = Field(default_factory=dict)
    """How often each call was made since something last changed."""
    fingerprint: str = ""
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as the recorder gets it; a reply brings what it cost and what the provider sent."""

    message: Message
    raw: Any = None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    note: str = ""


class Recorder(Protocol):
    """Keeps the conversation. Everything that it was given is there after a kill."""

    def record(self, turn: Turn, standing: Standing, work: Mapping[str, Any]) -> None:
        """Append a message, with the standing and the work after it."""
        ...

    def save(self, standing: Standing, work: Mapping[str, Any]) -> None:
        """Keep the standing and the work: of a request without an answer, and at the end."""
        ...

    def checkpoint(self) -> None:
        """Called before each request; raises to stop."""
        ...


@dataclass
class Conversation:
    """One conversation. `messages` holds at least the system and the first user message.

    `timer` is in seconds, from any start.
    """

    client: ModelClient
    toolbox: Toolbox
    recorder: Recorder
    limits: Limits
    timer: Callable[[], float]
    messages: list[dict[str, Any]]
    standing: Standing = field(default_factory=Standing)

    def run(self) -> Ending:
        """Go on until something ends it. Raises only what the recorder and the sandbox raise."""
        self._clock = self.timer()
        self.standing.fingerprint = self.standing.fingerprint or self.toolbox.fingerprint()
        ending = self._react()
        while ending is None:
            self._tick()
            words = bound_hit(self.limits, self.standing.spent)
            ending = Ending(state="stopped", words=words) if words else self._turn()
        self._tick()
        self.standing.ending = ending
        self.recorder.save(self.standing, self.toolbox.to_json())
        return ending

    def _turn(self) -> Ending | None:
        """One reply and what it asks for."""
        self.recorder.checkpoint()
        began = self.timer()
        try:
            reply = self.client.complete(self.messages, tools=self.toolbox.schemas)
        except ModelError as error:
            return self._no_answer(error)
        self._store_reply(reply, self.timer() - began)
        return self._react()

    def _react(self) -> Ending | None:
        """What the last reply asks for; nothing when it was dealt with already."""
        unheard = self.messages[-1]["role"] == "assistant"
        return (self._idle() if unheard else None) or self._answer_open_calls()

    def _store_reply(self, reply: ModelReply, seconds: float) -> None:
        standing = self.standing
        standing.spent.turns += 1
        standing.spent.add_request(reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.cost_usd)
        standing.idle = 0 if reply.tool_calls else standing.idle + 1
        standing.cut = standing.cut + 1 if reply.truncated else 0
        notes = [f"finish_reason: {reply.finish_reason}"] if reply.truncated else []
        notes += [f"attempt {tried.number}: {tried.message}" for tried in reply.attempts if tried.outcome != "ok"]
        self._append(
            Turn(
                message=reply.message,
                raw=reply.raw,
                input_tokens=reply.usage.prompt_tokens,
                output_tokens=reply.usage.completion_tokens,
                seconds=round(seconds, 3),
                note="; ".join(notes),
            )
        )

    def _no_answer(self, error: ModelError) -> Ending:
        """A request that gave no answer: its cost is booked, and the words say what is behind it."""
        self._tick()
        self.standing.spent.add_request(error.usage.prompt_tokens, error.usage.completion_tokens, error.cost_usd)
        words = bound_hit(self.limits, self.standing.spent)
        if words or error.kind in _BOUNDS:
            return Ending(state="stopped", words=words or _sentence(str(error)), kind=error.kind)
        return Ending(state="failed", words=_sentence(str(error)), kind=error.kind)

    def _idle(self) -> Ending | None:
        """Say what was wrong with a reply that does nothing; end it when that does not help."""
        standing = self.standing
        if standing.cut >= CUT_REPLIES:
            self._refuse_open_calls()
            return Ending(state="stopped", words=f"{standing.cut} replies in a row were cut off by the output limit.")
        if standing.idle >= IDLE_REPLIES:
            return Ending(state="stopped", words=f"{standing.idle} replies in a row called no tool.")
        if standing.idle:
            self._append(Turn({"role": "user", "content": CUT if standing.cut else NO_TOOL}))
        return None

    def _answer_open_calls(self) -> Ending | None:
        """Carry out the calls of the last reply that have no answer yet."""
        for number, call in open_calls(self.messages):
            answer, repeats = self._carry_out(number, call)
            self._append(_answer_to(call, answer.text))
            if answer.ends:
                self._refuse_open_calls()
                return Ending(state="done", words=answer.ends)
            if repeats >= REPEATS:
                self._refuse_open_calls()
                words = f"The same call of {call.name} was made {repeats} times although nothing had changed."
                return Ending(state="stopped", words=words)
        return None

    def _carry_out(self, number: int, call: ToolCall) -> tuple[Answer, int]:
        """The answer to one call, and how often it was made since something changed."""
        if number >= CALLS_PER_REPLY:
            return Answer(f"Not carried out: a reply may call at most {CALLS_PER_REPLY} tools."), 0
        error = CUT if self.standing.cut else call.error
        arguments: dict[str, Any] = json.loads(call.arguments)
        answer = Answer(f"ERROR {error}") if error else self.toolbox.call(call.name, arguments)
        if answer.spent is not None:
            spent = answer.spent
            self.standing.spent.add_request(spent.input_tokens, spent.output_tokens, spent.cost_usd)
        fingerprint = self.toolbox.fingerprint()
        if fingerprint != self.standing.fingerprint:
            self.standing.fingerprint, self.standing.seen = fingerprint, {}
        key = digest([call.name, call.arguments])
        repeats = self.standing.seen[key] = self.standing.seen.get(key, 0) + 1
        return (Answer(answer.text + REPEATED, answer.ends) if repeats > 1 else answer), repeats

    def _refuse_open_calls(self) -> None:
        """Every call has exactly one answer, also when the conversation ends before it."""
        for _, call in open_calls(self.messages):
            self._append(
                Turn({"role": "tool", "tool_call_id": call.id, "content": "Not carried out: it ended before."})
            )

    def _append(self, turn: Turn) -> None:
        self._tick()
        message, sanitised = storable(dict(turn.message))
        if sanitised:
            turn = replace(turn, message=message, note="; ".join(filter(None, [turn.note, "sanitised"])))
        self.messages.append(message)
        self.recorder.record(turn, self.standing, self.toolbox.to_json())

    def _tick(self) -> None:
        now = self.timer()
        self.standing.spent.seconds += now - self._clock
        self._clock = now


def open_calls(messages: Sequence[Message]) -> list[tuple[int, ToolCall]]:
    """The calls of the last reply without an answer, each with its place in the reply."""
    answered: set[str] = set()
    for message in reversed(messages):
        if message["role"] == "tool":
            answered.add(str(message["tool_call_id"]))
            continue
        calls = [_with_its_error(call) for call in normalise(message.get("tool_calls") or None)]
        return [(number, call) for number, call in enumerate(calls) if call.id not in answered]
    return []


def _answer_to(call: ToolCall, text: str) -> Turn:
    return Turn({"role": "tool", "tool_call_id": call.id, "content": text})


def _with_its_error(call: ToolCall) -> ToolCall:
    """A call from the history, with the error that its arguments had when they came."""
    sent = json.loads(call.arguments).get(INVALID_ARGUMENTS)
    if sent is None:
        return call
    (again,) = normalise([{"id": call.id, "function": {"name": call.name, "arguments": sent}}])
    return replace(call, error=again.error or "The arguments are not one JSON object.")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
