"""What a conversation may take, what it took, and how it ended."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

MODEL_NAME = 200  # characters


class Limits(BaseModel):
    """Bounds of one conversation. Each ends it with words that say which one was hit; None is unbounded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: int = Field(60, ge=1, le=500)
    """Replies of the model."""
    tokens: int = Field(2_000_000, ge=1)
    """Input and output tokens together, of answered and failed requests."""
    cost_usd: float | None = Field(None, gt=0, allow_inf_nan=False)
    """US dollars. Can only be kept for a model whose price is known."""
    seconds: float = Field(3_600.0, gt=0, allow_inf_nan=False)
    """Time at work, over all attempts."""


class Spent(BaseModel):
    """What a conversation took so far. `cost_usd` is None as soon as one request had no known price."""

    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def add_request(self, input_tokens: int, output_tokens: int, cost_usd: float | None) -> None:
        """Book one answered or failed request; one that cost no tokens and has no price was never charged."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        if cost_usd is None and not input_tokens and not output_tokens:
            return
        self.cost_usd = None if cost_usd is None or self.cost_usd is None else self.cost_usd + cost_usd


class Ending(BaseModel):
    """How a conversation ended. `stopped`: by a bound; `failed`: the model gave no answer (`kind` says how)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: Literal["done", "stopped", "failed"]
    words: str
    kind: str = ""


def bound_hit(limits: Limits, spent: Spent) -> str:
    """The words for the first bound that is reached; "" while there is room."""
    if spent.turns >= limits.turns:
        return f"The limit of {limits.turns} turns was reached."
    if spent.tokens >= limits.tokens:
        return f"The limit of {limits.tokens:,} tokens was reached ({spent.tokens:,} spent)."
    if spent.seconds >= limits.seconds:
        return f"The limit of {limits.seconds:,.0f} seconds was reached."
    if limits.cost_usd is None:
        return ""
    if spent.cost_usd is None:
        return f"The limit of ${limits.cost_usd:g} cannot be kept: the price of the model is not known."
    if spent.cost_usd >= limits.cost_usd:
        return f"The limit of ${limits.cost_usd:g} was reached (${spent.cost_usd:.4f} spent)."
    return ""
