"""Conversations that are kept in this process, and clients that do not wait long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.builders.model import agents
from services_app.builders.model.conversation import Standing, Turn
from tests.stub_model import StubModel
from workers.llm.budget import Budget
from workers.llm.litellm_client import LiteLLMClient, ModelConfig
from workers.llm.ratelimit import RateLimiter
from workers.llm.retry import Policy

QUICK = Policy(attempts=3, call_seconds=2, step_seconds=8, first_backoff=0.05)


class Memory:
    """A recorder that keeps everything in this process and can be told to stop like a killed worker."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.turns: list[Turn] = []
        self.standing = Standing()
        self.work: dict[str, Any] = {}
        self.stop_after = stop_after

    def record(self, turn: Turn, standing: Standing, work: Mapping[str, Any]) -> None:
        self.turns.append(turn)
        self.save(standing, work)
        if self.stop_after is not None and len(self.turns) >= self.stop_after:
            raise Killed

    def save(self, standing: Standing, work: Mapping[str, Any]) -> None:
        self.standing = standing.model_copy(deep=True)
        self.work = dict(work)

    def checkpoint(self) -> None:
        return None

    def earlier(self) -> agents.Earlier:
        return agents.Earlier([dict(turn.message) for turn in self.turns], self.standing, self.work)

    def said(self, role: str) -> list[str]:
        return [str(turn.message["content"]) for turn in self.turns if turn.message["role"] == role]


class Killed(BaseException):
    pass


def client_of(stub: StubModel, policy: Policy = QUICK, budget: Budget | None = None, **config: Any) -> LiteLLMClient:
    options: dict[str, Any] = {"model": "openai/stub", "api_base": stub.base_url, "api_key": "sk-x", "policy": policy}
    return LiteLLMClient(ModelConfig(**options | config), budget=budget, limiter=RateLimiter())
