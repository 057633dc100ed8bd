"""A client for a scripted server, with short times."""

import pytest

from workers.llm.litellm_client import LiteLLMClient, ModelConfig
from workers.llm.ratelimit import RateLimiter
from workers.llm.retry import Policy

QUICK = Policy(attempts=3, call_seconds=5, step_seconds=20, first_backoff=0.05)


@pytest.fixture
def client():
    """`client(stub, budget=..., **config)`; each client has a rate limiter of its own."""

    def make(stub, *, budget=None, limiter=None, policy=QUICK, **config):
        options = {"model": "openai/stub", "api_base": stub.base_url, "api_key": "sk-secret", "policy": policy}
        return LiteLLMClient(ModelConfig(**options | config), budget=budget, limiter=limiter or RateLimiter())

    return make
