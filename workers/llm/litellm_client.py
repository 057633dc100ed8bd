"""`ModelClient` for every provider LiteLLM knows and every OpenAI-compatible server."""

import functools
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

from workers.llm import loop, retry
from workers.llm.budget import Budget
from workers.llm.client import Message, ModelError, ModelReply, Usage
from workers.llm.errors import translate
from workers.llm.history import check_history
from workers.llm.ratelimit import SHARED, RateLimiter
from workers.llm.reply import Received, first_choice, parse
from workers.llm.toolcalls import ids_in


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A model and how to ask it. `model` is LiteLLM's name: `openai/<name>` with `api_base` for a local server.

    Prices are dollars per million tokens and replace LiteLLM's table when both are given. `token_ceiling`
    lets an answer that spent all its tokens on reasoning be asked for again with twice the limit.
    """

    model: str
    api_base: str = ""
    api_key: str = field(default="", repr=False)
    max_tokens: int | None = 4096
    token_ceiling: int | None = None
    temperature: float | None = None
    input_price: float | None = None
    output_price: float | None = None
    requests_per_minute: float | None = None
    policy: retry.Policy = field(default_factory=retry.Policy)
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> str | None:
        """What is sent as the key. A server of one's own wants none, but its client refuses to go without one."""
        return self.api_key or ("none" if self.api_base else None)

    @property
    def provider(self) -> str:
        """What shares one rate limit: the server if it is named, else the provider."""
        return self.api_base or self.model.partition("/")[0]


@dataclass(slots=True)
class _Request:
    """One step: the request as it will be sent next; the output limit may grow between attempts."""

    messages: list[Message]
    options: dict[str, object]
    limit: int | None


class LiteLLMClient:
    """Asks one model; safe to share between threads. Never streams."""

    def __init__(self, config: ModelConfig, *, budget: Budget | None = None, limiter: RateLimiter = SHARED) -> None:
        self.config = config
        self.budget = budget or Budget()
        self._gate = retry.Gate(limiter, config.provider, config.requests_per_minute)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, object]] | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> ModelReply:
        """The next assistant message; raises `ModelError` after the attempts the policy allows.

        `max_tokens` and `temperature` replace the configured ones for this request.
        """
        check_history(messages)
        # Seconds of import must not count against the step.
        load_litellm()
        options: dict[str, object] = {
            "tools": list(tools) if tools else None,
            "temperature": self.config.temperature if temperature is None else temperature,
            "seed": seed,
        }
        request = _Request(list(messages), options, max_tokens or self.config.max_tokens)
        return loop.run(retry.run_step(lambda: self._attempt(request), self.config.policy, self._gate))

    async def _attempt(self, request: _Request) -> ModelReply:
        self.budget.reserve_request()
        received = await self._send(request)
        self.budget.book(received.usage, received.cost_usd)
        try:
            return parse(received, ids_in(request.messages))
        except ModelError as error:
            larger = self._larger_limit(request)
            if error.kind != "truncated" or larger is None:
                raise
            request.limit = larger
            # Another attempt with more room is not the same request again.
            raise replace(error, may_retry=True) from error

    def _larger_limit(self, request: _Request) -> int | None:
        ceiling = self.config.token_ceiling
        if ceiling is None or request.limit is None or request.limit >= ceiling:
            return None
        return min(ceiling, 2 * request.limit)

    async def _send(self, request: _Request) -> Received:
        bodies: list[object] = []
        given = {name: value for name, value in request.options.items() if value is not None}
        if request.limit is not None:
            given["max_tokens"] = request.limit
        try:
            response = await load_litellm().acompletion(
                model=self.config.model,
                messages=request.messages,
                api_base=self.config.api_base or None,
                api_key=self.config.key,
                # The deadline is ours (retry.py): LiteLLM's is per read, and its retries multiply.
                timeout=self.config.policy.call_seconds,
                num_retries=0,
                max_retries=0,
                drop_params=True,
                logger_fn=lambda details: bodies.append(details.get("original_response")),
                **given,
                **self.config.extra,
            )
        except Exception as error:
            # The boundary: LiteLLM raises classes of many libraries, and now and then a bare Exception.
            raise translate(error, (self.config.api_key,)) from error
        return self._received(response, bodies, request.limit)

    def _received(self, response: object, bodies: Sequence[object], limit: int | None) -> Received:
        usage = _usage(getattr(response, "usage", None))
        cost = self._cost(response, usage)
        # The provider's own words where they can be had: LiteLLM invents ids for calls without one.
        found = next((choice for body in bodies if isinstance(body, str) and (choice := first_choice(body))), None)
        choices = getattr(response, "choices", None)
        if found is None and choices:
            found = choices[0].message.model_dump(), str(choices[0].finish_reason or "")
        if found is None:
            self.budget.book(usage, cost)
            raise ModelError("bad_reply", "no answer: the provider returned no choices", usage=usage, cost_usd=cost)
        return Received(found[0], found[1], usage, cost, limit)

    def _cost(self, response: object, usage: Usage) -> float | None:
        prices = self.config.input_price, self.config.output_price
        if prices[0] is not None and prices[1] is not None:
            return (usage.prompt_tokens * prices[0] + usage.completion_tokens * prices[1]) / 1e6
        cost = getattr(response, "_hidden_params", {}).get("response_cost")
        return float(cost) if isinstance(cost, int | float) else None


@functools.cache
def load_litellm() -> ModuleType:
    """Import LiteLLM without letting it fetch its price list; takes seconds the first time."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_LOG", "ERROR")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # Providers' odd tool calls are ours to judge, not a warning per request.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
    return litellm


def _usage(usage: object) -> Usage:
    counts = (getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    return Usage(*(count if isinstance(count, int) else 0 for count in counts))
