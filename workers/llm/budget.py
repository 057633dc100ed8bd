"""What a piece of work may spend on models, shared by all its calls and safe across threads."""

import threading

from workers.llm.client import ModelError, Usage


class Budget:
    """Upper bounds on dollars, tokens and HTTP requests; None is unbounded.

    Checked before every request and booked after it, so the last request may exceed a bound, the next one
    is refused.
    """

    def __init__(self, *, usd: float | None = None, tokens: int | None = None, requests: int | None = None) -> None:
        self.usd, self.tokens, self.requests = usd, tokens, requests
        self.spent_usd = 0.0
        self.spent = Usage()
        self.spent_requests = 0
        self.unpriced_requests = 0
        self.uncounted_requests = 0
        self._lock = threading.Lock()

    def reserve_request(self) -> None:
        """Count one request in advance; raises `ModelError` ("budget") when a bound is reached."""
        with self._lock:
            reason = self._exhausted()
            if reason:
                raise ModelError("budget", reason)
            self.spent_requests += 1

    def book(self, usage: Usage, cost_usd: float | None) -> None:
        """Add what an answered request cost.

        After one without a known price no bound in dollars can be kept, after one without a token count
        none in tokens; both are then refused rather than ignored.
        """
        with self._lock:
            self.spent += usage
            self.spent_usd += cost_usd or 0.0
            self.unpriced_requests += cost_usd is None
            self.uncounted_requests += usage.total_tokens == 0

    def _exhausted(self) -> str:
        if self.requests is not None and self.spent_requests >= self.requests:
            return f"The budget of {self.requests} model requests is used up."
        if self.tokens is not None and self.uncounted_requests:
            return f"The budget of {self.tokens:,} tokens cannot be kept: the server does not report usage."
        if self.tokens is not None and self.spent.total_tokens >= self.tokens:
            return f"The budget of {self.tokens:,} tokens is used up ({self.spent.total_tokens:,} spent)."
        if self.usd is not None and self.unpriced_requests:
            return (
                f"The budget of ${self.usd:g} cannot be kept: the model's price is unknown. "
                "Set its price per million tokens, or bound tokens or requests instead."
            )
        if self.usd is not None and self.spent_usd >= self.usd:
            return f"The budget of ${self.usd:g} is used up (${self.spent_usd:.4f} spent)."
        return ""
