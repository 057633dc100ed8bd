"""What a model client takes, gives back and raises. Standard library only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from workers.llm.toolcalls import ToolCall

Message = Mapping[str, object]

ModelErrorKind = Literal[
    "timeout",
    "rate_limited",
    "auth",
    "context",
    "empty",
    "truncated",
    "bad_reply",
    "bad_request",
    "unavailable",
    "budget",
]

# Another try may help with these; with the others it would repeat the same refusal.
RETRYABLE: frozenset[ModelErrorKind] = frozenset({"timeout", "rate_limited", "empty", "bad_reply", "unavailable"})


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several requests, as the provider counted them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One HTTP request: what came of it, how long it took (seconds), how long and why it was held back."""

    number: int
    outcome: Literal["ok"] | ModelErrorKind
    message: str
    seconds: float
    waited: float
    wait_reason: Literal["", "retry-after", "backoff", "rate limit"]
    usage: Usage = Usage()
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """An answer that holds content or tool calls.

    `message` is the assistant message in OpenAI form, ready for the history: content is always a text,
    every tool call has a unique id and arguments that are the JSON text of an object. `tool_calls` holds
    the same calls with what was wrong with them: a call with an `error` must not be executed, its error is
    the result to send back. `usage` and `cost_usd` include the failed attempts before this answer;
    `cost_usd` is None when a price is unknown. `raw` is the provider's own message.
    """

    message: dict[str, object]
    finish_reason: str
    usage: Usage
    cost_usd: float | None
    attempts: tuple[Attempt, ...]
    raw: object
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""

    @property
    def content(self) -> str:
        """The text of the answer, empty when it consists of tool calls."""
        return str(self.message["content"])

    @property
    def truncated(self) -> bool:
        """Whether the output limit cut the answer: its tool calls must not be executed."""
        return self.finish_reason == "length"


@dataclass(eq=False)
class ModelError(Exception):
    """A request that gave no answer, after all attempts; what it cost is booked all the same."""

    kind: ModelErrorKind
    message: str
    retry_after: float | None = None
    attempts: tuple[Attempt, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    may_retry: bool | None = None

    def __post_init__(self) -> None:
        super().__init__(self.kind, self.message)

    def __str__(self) -> str:
        return self.message

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in RETRYABLE if self.may_retry is None else self.may_retry


class ModelClient(Protocol):
    """Anything that continues a conversation. Implementations are safe to call from several threads."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, object]] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> ModelReply:
        """The next assistant message; raises `ModelError`."""
        ...
