"""The only retry loop: bounded attempts, the server's waits, a deadline per call and one per step."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from workers.llm.client import Attempt, ModelError, ModelErrorKind, ModelReply, Usage
from workers.llm.ratelimit import RateLimiter

WaitReason = Literal["", "retry-after", "backoff", "rate limit"]


@dataclass(frozen=True, slots=True)
class Policy:
    """Times in seconds. A step is one `complete`, with all its attempts and waits."""

    attempts: int = 3
    call_seconds: float = 120.0
    step_seconds: float = 300.0
    first_backoff: float = 1.0


@dataclass(slots=True)
class _Step:
    """The state of one step: its clock and the attempts so far."""

    policy: Policy
    began: float = field(default_factory=time.monotonic)
    attempts: list[Attempt] = field(default_factory=list)

    def remaining(self) -> float:
        return self.policy.step_seconds - (time.monotonic() - self.began)

    def spent(self) -> tuple[Usage, float | None]:
        usage = sum((attempt.usage for attempt in self.attempts), Usage())
        answered = [attempt for attempt in self.attempts if attempt.usage.total_tokens or attempt.outcome == "ok"]
        costs = [attempt.cost_usd for attempt in answered if attempt.cost_usd is not None]
        return usage, sum(costs, 0.0) if len(costs) == len(answered) else None

    def fail(self, error: ModelError, addition: str = "") -> ModelError:
        usage, cost = self.spent()
        count = len(self.attempts)
        suffix = f" ({count} attempts in {time.monotonic() - self.began:.1f} s)" if count > 1 else ""
        return replace(
            error, message=error.message + addition + suffix, attempts=tuple(self.attempts), usage=usage, cost_usd=cost
        )

    def finish(self, reply: ModelReply) -> ModelReply:
        usage, cost = self.spent()
        return replace(reply, attempts=tuple(self.attempts), usage=usage, cost_usd=cost)


@dataclass(frozen=True, slots=True)
class Gate:
    """The queue one provider's requests pass."""

    limiter: RateLimiter
    provider: str
    requests_per_minute: float | None = None


async def run_step(call: Callable[[], Awaitable[ModelReply]], policy: Policy, gate: Gate) -> ModelReply:
    """`call` until it answers; raises the last `ModelError` with everything that was tried."""
    step = _Step(policy)
    wait: float = 0.0
    reason: WaitReason = ""
    while True:
        waited = await _hold(step, gate, wait)
        try:
            reply = await _attempt(step, call, waited, reason or ("rate limit" if waited else ""))
            return step.finish(reply)
        except ModelError as error:
            if not error.retryable or len(step.attempts) >= policy.attempts:
                raise step.fail(error) from error
            wait, reason = _next_wait(error, policy, len(step.attempts))
            if error.kind == "rate_limited":
                gate.limiter.block(gate.provider, wait)
            if wait >= step.remaining():
                late = f"; waiting {wait:.3g} s more would exceed the limit of {policy.step_seconds:g} s per step"
                raise step.fail(error, late) from error


async def _hold(step: _Step, gate: Gate, wait: float) -> float:
    """Wait until the next request may start and return the seconds it took."""
    await asyncio.sleep(wait)
    waited = wait
    delay = gate.limiter.reserve(gate.provider, gate.requests_per_minute)
    while delay > 0:
        if delay >= step.remaining():
            raise step.fail(ModelError("rate_limited", f"the provider takes no request for another {delay:.3g} s"))
        await asyncio.sleep(delay)
        waited += delay
        # Another call may have been refused while this one waited.
        delay = gate.limiter.blocked(gate.provider)
    return waited


async def _attempt(
    step: _Step, call: Callable[[], Awaitable[ModelReply]], waited: float, reason: WaitReason
) -> ModelReply:
    """One request within its deadline, recorded whatever comes of it."""
    began = time.monotonic()
    seconds = min(step.policy.call_seconds, max(0.0, step.remaining()))

    def record(outcome: Literal["ok"] | ModelErrorKind, message: str, usage: Usage, cost: float | None) -> None:
        number, took = len(step.attempts) + 1, time.monotonic() - began
        step.attempts.append(Attempt(number, outcome, message, took, waited, reason, usage, cost))

    try:
        async with asyncio.timeout(seconds):
            reply = await call()
    except TimeoutError as error:
        failure = ModelError("timeout", f"no complete answer within {seconds:.3g} s")
        record(failure.kind, failure.message, failure.usage, None)
        raise failure from error
    except ModelError as error:
        if error.kind == "budget":
            raise  # Nothing was sent.
        record(error.kind, error.message, error.usage, error.cost_usd)
        raise
    record("ok", "", reply.usage, reply.cost_usd)
    return reply


def _next_wait(error: ModelError, policy: Policy, attempts: int) -> tuple[float, WaitReason]:
    if error.retry_after is not None:
        return error.retry_after, "retry-after"
    return policy.first_backoff * 2 ** (attempts - 1), "backoff"
